"""Worker processes: they solve, re-solve streets and flops, and read uploads."""
