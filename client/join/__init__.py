"""How a client gets to a table: the options of a new one, the session kept between runs, and the
command line that leads back. Does not know about displays."""
