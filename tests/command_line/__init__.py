"""The command lines of the three programs, their standard streams and their exit codes."""
