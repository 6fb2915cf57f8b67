"""Value networks: what public states are worth for the ranges of both players."""
