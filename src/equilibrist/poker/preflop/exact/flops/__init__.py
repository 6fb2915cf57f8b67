"""The rest of a hand on one flop, solved with the ranges that an exact solution brings there."""
