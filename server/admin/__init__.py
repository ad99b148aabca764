"""`ra-server admin`: what an operator may ask of a server and tell it, on its own machine."""
