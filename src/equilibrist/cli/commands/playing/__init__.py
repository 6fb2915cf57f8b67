"""Commands that play: a person or strategies at a table."""
