"""The pages in docs/ held against the program: what they list, show and promise is so."""
