"""How values appear in messages: amounts, escaped control characters."""
