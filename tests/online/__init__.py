"""A whole server in the tests' own process, with clients or bare peers over real sockets: what
people at its tables are sent, and what they are spared."""
