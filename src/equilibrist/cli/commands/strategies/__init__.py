"""Commands that look into strategies."""
