"""`ra-server check DB`: a whole database examined, and its directory made anew."""
