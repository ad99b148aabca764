"""The conversation with one server: who we are, our requests, those without an answer, and the
connection that carries them. Does not know about rules or displays."""
