"""Backups and restores, as `server/backup/` has them."""
