"""The conversation with one server: who we are, our requests, and the connection that carries them.
Does not know about rules or displays."""
