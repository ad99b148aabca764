"""A table, in every game: who sits where, and who may start, leave, vote and stand in. `words`
holds its commands and events, `state` their fold, `decide` what a command does. Does not know
games.
"""
