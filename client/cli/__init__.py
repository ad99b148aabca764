"""What every command of the client needs before it does anything: how it is entered and left, its
command line, the standard streams it was given, and where the user's files are."""
