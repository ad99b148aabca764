"""Tables: opening and finding them, playing at them, and what becomes of them when nobody is
there. Does not know about sockets, databases or games."""
