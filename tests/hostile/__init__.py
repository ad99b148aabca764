"""Peers, servers, frames and files that mean harm or make no sense: they harm nobody else, and
steer no terminal."""
