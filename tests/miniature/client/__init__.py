"""The miniature's client side: knows its words and nothing that decides."""
