"""Between the network and the rest: one socket from its first packet to its close, and what
each message asks for. Knows no database and no rule."""
