"""What changes a run: abstraction of the game, a strategy to start from, a measure of its play."""
