"""Raja, the whole game: words, rules, views, bots."""
