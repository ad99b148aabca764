"""The client on the full screen. `run` wires it; `sitting` is the state behind it, `keys`
says what keys do, `pages` and `foot` draw, `fullscreen` knows the terminal; a game draws
its board through `gamescreen`. Knows no game by name."""
