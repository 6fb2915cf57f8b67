"""Decisions of a hand by a line and public cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted
from equilibrist.poker.cards.cards import card_numbers, refuse_outside_deck
from equilibrist.poker.decisions.solution import part_line
from equilibrist.poker.hands.betting_tree import DECISION, BettingTree
from equilibrist.poker.hands.rules import HoldemRules
from equilibrist.poker.hands.tree_lines import node_at


class LinePlace(NamedTuple):
    """The decision that a line leads to."""

    node: int
    cards: tuple[int, ...]
    """The public cards that were given."""


def decision_of_line(tree: BettingTree, line: str, board: str | Sequence[int]) -> LinePlace:
    """Find a decision.

    Args:
        tree: The betting.
        line: The actions before it, perhaps with cards.
        board: The public cards, if the line has none.

    Returns:
        The decision, and the public cards.

    Raises:
        NotationError: The line is not offered.
        ConfigError: Nobody acts there.
    """
    betting, cards = part_line(line, board)
    node = node_at(tree, betting)
    if tree.kind[node] != DECISION:
        raise ConfigError(
            f"nobody acts after {line}",
            option="line",
            given=line,
            expected="a line after which a seat acts",
            remedy="leave out the last actions",
        )
    return LinePlace(node, cards)


def dealt_by_street(rules: HoldemRules, board: Sequence[int], street: int) -> list[tuple[int, ...]]:
    """Part public cards by streets.

    Args:
        rules: The rules.
        board: The public cards.
        street: The street that they are needed to.

    Returns:
        The cards of each street, from the flop on.

    Raises:
        ConfigError: There are too few, or they are not of the deck.
    """
    refuse_outside_deck("board", card_numbers("board", board), rules.lowest_rank)
    ends = np.cumsum(rules.board)[: street + 1].tolist()
    if len(board) < ends[-1]:
        raise ConfigError(
            f"the board has {counted(len(board), 'card')}, and the street {ends[-1]}",
            option="board",
            given=len(board),
            expected=f"at least {ends[-1]} cards",
            remedy="give the board of the street",
        )
    return [tuple(board[begin:end]) for begin, end in zip(ends, ends[1:], strict=False)]
