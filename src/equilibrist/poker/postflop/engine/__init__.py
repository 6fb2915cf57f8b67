"""The postflop engine: layouts, storage, traversals, threads."""
