"""What the client knows of a table: its copy of the views, what changed, clocks, and whether the
deal was fair. Knows no connection and no display."""
