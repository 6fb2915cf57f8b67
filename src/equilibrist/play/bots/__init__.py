"""Bots: any strategy as an object that is given cards, a line and time, and answers an action."""
