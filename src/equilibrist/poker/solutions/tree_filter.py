"""Which nodes of a solved spot are wanted, on which boards, and which hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.betting.bet_sizes import STREETS
from equilibrist.poker.betting.public_tree import find_node
from equilibrist.poker.betting.street_tree import ACTION
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.isomorphism import fixing, next_deals
from equilibrist.poker.ranges.range import Range
from equilibrist.poker.spots.spot import Spot
from equilibrist.typing import Int32Array


class Board(NamedTuple):
    """A board with wanted nodes."""

    runout: tuple[int, ...]
    """The cards since the root."""
    runouts: int
    """How many runouts it stands for: those that are its suit images."""
    nodes: list[int]
    """Of the public tree."""


class Choice:
    """The nodes at and after a line, on some streets, on the boards that differ or on all.

    `line` may leave out cards, which leaves them open. `streets` are names between commas, None for
    all. `hands` are a range, None for all. Nodes where nobody acts are left out unless `ends`.
    Raises LineSyntaxError and RangeSyntaxError, and ConfigError for other names of streets and
    where nothing is left.
    """

    def __init__(
        self,
        spot: Spot,
        line: str = "",
        streets: str | None = None,
        hands: Range | str | None = None,
        *,
        all_runouts: bool = False,
        ends: bool = False,
    ) -> None:
        rules = spot.rules()
        state, self._given = rules.follow(line, spot.cards)
        self.tree = tree = spot.betting.tree
        wanted = np.zeros(len(tree.kind), np.bool_)
        first = find_node(tree, state.line)
        wanted[first] = tree.street[first] - spot.first_street >= len(self._given)
        for node in range(first + 1, len(wanted)):
            wanted[node] = wanted[tree.parent[node]]
        if not ends:
            wanted &= tree.kind == ACTION
        named = range(3) if streets is None else _streets(streets)
        wanted &= np.isin(tree.street, list(named))
        self.nodes = [np.flatnonzero(wanted & (tree.street == street)) for street in range(3)]
        self.nodes = self.nodes[spot.first_street :]
        if not wanted.any():
            where = f" after {line}" if line else ""
            on = "" if streets is None else f" on the {streets}"
            raise ConfigError(
                f"nobody acts{on}{where}",
                option="line",
                given=line,
                remedy="give another line, or other streets",
            )
        self.hands = None if hands is None else wanted_hands(hands)
        if self.hands is not None:
            board = (*spot.cards, *(card for card in self._given if card is not None))
            left = self.hands.without(board)
            if not any((left.weights * held.weights).any() for held in spot.ranges):
                raise not_held(self.hands, line, board)
        self._cards = spot.cards
        group = spot.symmetries
        for card in self._given:
            group = group if card is None else fixing(group, card)
        self._group = group[: 1 if all_runouts else None]

    def boards(self) -> Iterator[Board]:
        """Boards with wanted nodes, each before those after it."""
        last = max(street for street, nodes in enumerate(self.nodes) if len(nodes))
        return self._below((), self._group, 1, last)

    def _below(
        self, runout: tuple[int, ...], group: Int32Array, runouts: int, last: int
    ) -> Iterator[Board]:
        street = len(runout)
        if len(self.nodes[street]):
            yield Board(runout, runouts, self.nodes[street].tolist())
        if street == last:
            return
        later = self._given[street:]
        deals = next_deals((*self._cards, *runout), group)
        for card, copies in zip(deals.cards.tolist(), deals.copies.tolist(), strict=True):
            if later and (card != later[0] if later[0] is not None else card in later):
                continue
            yield from self._below((*runout, card), fixing(group, card), runouts * copies, last)


def wanted_hands(given: Range | str) -> Range:
    """The hands that are asked for; raises RangeSyntaxError, and ConfigError for none at all."""
    hands = Range(given) if isinstance(given, str) else given
    if not isinstance(hands, Range):
        raise bad_argument("hands", given, "a range, such as 'AA,KQs', or None")
    if not hands:
        raise ConfigError(
            "the hands to show are none",
            option="hands",
            given=given,
            remedy="name some, such as AhKh or QQ+",
        )
    return hands


def not_held(hands: Range | str, line: str, board: Sequence[int]) -> ConfigError:
    """The error of hands, not none, that nobody holds at a node."""
    wanted = Range(hands) if isinstance(hands, str) else hands
    blocked = not wanted.without(board)
    why = f"it has a card of the board {card_names(board)}" if blocked else "give another hand"
    return ConfigError(
        f"nobody holds {hands} at {line or 'the root'}; {why}",
        option="hands",
        given=hands,
        place=line or "the root",
    )


def _streets(text: str) -> list[int]:
    names = [name.strip().lower() for name in f"{text}".split(",")]
    if not set(names) <= set(STREETS):
        raise bad_argument("streets", text, "flop, turn or river, or several between commas")
    return [STREETS.index(name) for name in names]
