"""`ra-server check DB`: a whole database is examined, and its directory rewritten if asked."""
