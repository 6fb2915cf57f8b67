"""Worker processes: they solve, re-solve streets, and read uploads."""
