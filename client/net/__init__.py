"""The conversation with one server: who we are, what we ask, what has no answer yet, and the
connection that carries it. Knows no rule, and does not know about displays."""
