"""The vocabulary of the miniature game; nothing here decides anything."""
