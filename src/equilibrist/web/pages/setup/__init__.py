"""Setting up a spot: ranges, board, sizes, the tree, and what solving it needs."""
