"""The rules of Ra, section by section of docs/rules.md, played through the whole game."""
