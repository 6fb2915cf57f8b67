"""Solved spots at a table: game, agent, coach, bets of any size, AIVAT."""
