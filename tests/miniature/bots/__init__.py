"""Players of the miniature."""
