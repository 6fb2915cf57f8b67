"""A base for grafts in Leduc hold'em: one vertex of the equilibria of an abstract game.

Players know the bucket of their card, {J, Q} or {K}, that of the board, and whether the board pairs
their card. Rows are those of the abstract infosets.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import equilibrist as eq

BLOCKS = ("*:cc/*", "*:crc/*", "*:crrc/*", "*:rc/*", "*:rrc/*")
"""What follows on each line of the first betting round."""
_BUCKET = {"J": "L", "Q": "L", "K": "H"}


@cache
def leduc() -> eq.GameTree:
    """With cards by rank: 288 infosets."""
    return eq.compile_game("leduc(suit_isomorphism=true)")


def abstract_key(key: str) -> str:
    """`L:cc/LP:cr` for `Q:cc/Q:cr`."""
    hole, (head, board, rest) = key[0], key.partition("/")
    if board:
        board += _BUCKET[rest[0]] + "P" * (rest[0] == hole)
    return _BUCKET[hole] + head[1:] + board + rest[1:]


@cache
def base() -> eq.Strategy:
    """The base, lifted to the full game."""
    rows = json.loads(Path(__file__).with_name("leduc_base.json").read_text())
    tree = leduc()
    return eq.Strategy.from_dict(tree, {key: rows[abstract_key(key)] for key in tree.infoset_keys})
