"""Ranges: text in all dialects, presets, and the user's own."""
