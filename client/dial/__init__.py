"""From a server's address to an open WebSocket: names looked up, proxies gone through,
redirects followed, TLS checked; and words for everything that can go wrong on the way.

`dialler` is the door. Knows nothing of what is said over the socket.
"""
