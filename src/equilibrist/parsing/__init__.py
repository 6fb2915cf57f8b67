"""Parsing and checking of input: arguments, call texts, Python files of users."""
