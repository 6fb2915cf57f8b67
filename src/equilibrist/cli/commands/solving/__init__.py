"""Commands that solve games and explain how."""
