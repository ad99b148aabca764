"""Tables: finding them, playing at them, telling those who attend, keeping them when nobody
does. Knows no socket, no database and no game."""
