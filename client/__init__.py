"""The terminal client and the replay: draws views and sends wishes. Knows no rules."""
