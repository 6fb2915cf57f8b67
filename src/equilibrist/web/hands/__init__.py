"""Runs on whole hands of hold'em, as requests ask for them."""
