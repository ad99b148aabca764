"""Bots that play Raja from what their seat may know: typed views and a prompt, no state."""
