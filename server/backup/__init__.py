"""`ra-server backup` and `ra-server restore`: copy a whole database, and put it back."""
