"""The trainer: sessions over decisions of many solutions."""
