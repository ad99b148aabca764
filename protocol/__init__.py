"""What travels between server and client, and what is written to files: messages,
codecs, deltas, sessions and records, without any I/O.

Knows of `engine` only the kernel's classes, of no game anything; never `server` or
`client`.
"""
