"""The vocabulary of Raja: pieces, map, commands, prompts, views, happenings, notation.

Nothing here decides anything, so that a client may know all of it. The words are
those of the rules page.
"""
