"""Links that are lost, clients that are killed, servers that vanish or are restored: everybody
comes back to their table and knows what happened there."""
