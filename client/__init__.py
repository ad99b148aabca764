"""The terminal client and the replay: draws views and sends requests. Does not know rules."""
