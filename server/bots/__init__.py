"""How bots are asked, and where they think. Knows no game by name, and tells a bot what its
seat may know."""
