"""`ra-server check DB`: examines a whole database, and rewrites its directory if asked to."""
