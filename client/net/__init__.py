"""The conversation with one server: who we are, what we say, what is not answered yet, and the
connection that carries it. Knows no display and no rule."""
