"""Algorithms: variants of CFR as data, and the drivers that run them."""
