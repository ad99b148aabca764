"""What the client knows about a table: its copy of the views, what changed, the clocks, and whether
the deal was fair. Does not know about connections or displays."""
