"""Whole hands of hold'em at a table: game, agent, ranges and coach of a blueprint."""
