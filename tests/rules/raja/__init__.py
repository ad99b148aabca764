"""The rules of Raja, section by section."""
