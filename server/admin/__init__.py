"""`ra-server admin`: what whoever runs a server may ask of it, and tell it, on its own machine."""
