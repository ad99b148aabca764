"""`ra-server admin`: what an operator may ask a server, and tell it to do, on its own machine."""
