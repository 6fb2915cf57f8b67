"""Equity of ranges without betting."""
