"""The rules side of Ra Online: a game-agnostic kernel and one folder per game.

Pure: no sockets, files, clocks, logging or global randomness, and nothing of
`protocol`, `server` or `client`.
"""
