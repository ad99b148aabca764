"""The first minutes under every condition that a machine may set: environments, folders,
streams, limits, clocks, networks and Pythons. Each cell is real processes; either they work, or
say why not in one line and end with a documented code. docs/reliability.md has them in one table
(First minutes)."""
