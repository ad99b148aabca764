"""The service: people, tables, timers, storage. Knows no rule and no piece of any game."""
