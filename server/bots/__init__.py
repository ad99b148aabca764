"""How bots are asked, in which order, and where they think. A bot is told only what its seat may
know. Does not know games by name, tables or connections."""
