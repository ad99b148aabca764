"""From a server's address to an open WebSocket: names looked up, proxies used, redirects
followed, TLS checked; and texts for everything that can go wrong on the way.

`dialler` is the entry point. Does not know what is said over the socket.
"""
