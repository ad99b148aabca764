"""`ra-server backup` and `ra-server restore`: a whole database copied, and put back."""
