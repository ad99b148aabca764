"""Who somebody is: sessions and their tokens, and what they may be called. Knows no socket."""
