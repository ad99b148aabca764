"""The network: listening sockets, each connection from its first packet to its close, and the
handler of each message. Does not know about the database or rules."""
