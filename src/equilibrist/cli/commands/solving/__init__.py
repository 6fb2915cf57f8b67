"""Commands that solve and compare games, list algorithms, or show one iteration."""
