"""How a client comes to a table: the options of a new one, the session that is kept between
runs, and the command line that leads back. Knows no display."""
