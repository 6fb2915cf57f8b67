"""A bot that answers other programs: JSON lines, HTTP, and calls like those of Slumbot."""
