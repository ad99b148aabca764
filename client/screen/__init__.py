"""The client on the full screen.

`run` wires it. `state` is the state behind the screen, `keymap` lists every key and `press`
handles one, `pages`, `header` and `status_bar` draw, `app` knows the terminal. A game draws its
board through `game_api`. Does not know any game by name.
"""
