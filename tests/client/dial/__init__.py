"""A server reached, or not: over real sockets, on this machine alone."""
