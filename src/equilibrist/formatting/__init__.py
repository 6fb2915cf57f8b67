"""Formatting for messages: amounts, and escaped control characters."""
