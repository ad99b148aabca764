"""Who a client is: sessions and their tokens, and which names they may have. Does not know
about sockets."""
