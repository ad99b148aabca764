"""The client without a screen. `run` is one run of it; `printer` makes lines of what happens;
`grammar` reads typed lines and `commands` carries them out. docs/plain.md lists both kinds of
lines."""
