"""A small rules module, to be written to a file as it is or with a mistake in it."""

from __future__ import annotations

from pathlib import Path

OWN = '''
"""Two players add 1 or 2 in turn; then a coin decides who gets what the sum is over 1.5 a move."""

import numpy as np

PARAMETERS = {"rounds": 2}


def state_size(g):
    return 3


def num_players(g):
    return 2


def max_actions(g):
    return 2


def max_moves(g):
    return g[0] + 1


def start(g, s):
    s[0] = 0
    s[1] = 0
    s[2] = -1


def player(g, s):
    if s[0] < g[0]:
        return s[0] % 2
    return -1 if s[2] < 0 else -2


def num_actions(g, s):
    return 2


def apply(g, s, a):
    if s[0] < g[0]:
        s[0] += 1
        s[1] += 1 + a
    else:
        s[2] = a


def payoff(g, s, p):
    value = s[1] - 1.5 * g[0]
    return value if s[2] == p else -value


def key(g, s, out):
    out[0] = np.uint64(s[0])
    out[1] = np.uint64(s[1])
'''


def write_rules(folder: Path, text: str = OWN) -> Path:
    """The module as a file."""
    path = folder / "own.py"
    path.write_text(text, "utf-8")
    return path
