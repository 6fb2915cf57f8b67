"""Columns of the table of a local rule: those that all have, and where its own begin."""

from __future__ import annotations

DECAY, WEIGHT, ITERATION, OWN = range(4)
