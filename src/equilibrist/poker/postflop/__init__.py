"""Spots: two players from the flop, the turn or the river on, solved by vectors of hands."""
