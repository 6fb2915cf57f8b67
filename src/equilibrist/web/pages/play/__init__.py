"""Playing against a solution, and drills."""
