"""What travels between server and client, and what is written to files: messages, codecs, deltas,
sessions and records, without any I/O.

Of `engine` it knows only the classes of the kernel. Does not know games, `server` or `client`.
"""
