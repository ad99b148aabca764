"""The network: where clients connect, each connection from its first packet to its close, and
what each message asks for. Does not know about the database or rules."""
