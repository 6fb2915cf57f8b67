"""Nodes of solved spots: hands, grids, graphs, next cards, and solving again with locks."""
