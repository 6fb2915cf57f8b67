"""A selection of nodes, boards and hands of a solved spot."""

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
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range
from equilibrist.typing import Int32Array


class SelectedBoard(NamedTuple):
    """A board with selected nodes."""

    runout: tuple[int, ...]
    """The cards dealt since the root."""
    runouts: int
    """The number of runouts it represents: its suit images."""
    nodes: list[int]
    """The selected nodes of the public tree."""


class NodeFilter:
    """The nodes at and after a line, on some streets, on distinct boards or on all.

    Cards that `line` leaves out are open. `streets` are names separated by commas, None for all.
    `hands` is a range, None for all. Without `ends` only decisions are selected. Raises
    LineSyntaxError and RangeSyntaxError, and ConfigError for unknown streets and if nothing is
    selected.
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
                f"no player acts{on}{where}",
                option="line",
                given=line,
                remedy="use another line, or other streets",
            )
        self.hands = None if hands is None else wanted_hands(hands)
        if self.hands is not None:
            board = (*spot.cards, *(card for card in self._given if card is not None))
            left = self.hands.without(board)
            if not any((left.weights * held.weights).any() for held in spot.ranges):
                raise not_held(self.hands, line, board)
        only = 1.0 if self.hands is None else self.hands.weights
        held = [int(np.count_nonzero(held_range.weights * only)) for held_range in spot.ranges]
        self.rows_per_node = sum(held) + len(held)  # at most, with the totals
        self._cards, self._lowest_rank = spot.cards, spot.whole_deck.lowest_rank
        group = spot.symmetries
        for card in self._given:
            group = group if card is None else fixing(group, card)
        self._group = group[: 1 if all_runouts else None]

    def boards(self) -> Iterator[SelectedBoard]:
        """The boards with selected nodes, parents first."""
        last = max(street for street, nodes in enumerate(self.nodes) if len(nodes))
        return self._below((), self._group, 1, last)

    def _below(
        self, runout: tuple[int, ...], group: Int32Array, runouts: int, last: int
    ) -> Iterator[SelectedBoard]:
        street = len(runout)
        if len(self.nodes[street]):
            yield SelectedBoard(runout, runouts, self.nodes[street].tolist())
        if street == last:
            return
        later = self._given[street:]
        deals = next_deals((*self._cards, *runout), group, self._lowest_rank)
        for card, copies in zip(deals.cards.tolist(), deals.copies.tolist(), strict=True):
            if later and (card != later[0] if later[0] is not None else card in later):
                continue
            yield from self._below((*runout, card), fixing(group, card), runouts * copies, last)


def wanted_hands(selection: Range | str) -> Range:
    """The selected hands; raises RangeSyntaxError, and ConfigError for an empty range."""
    hands = Range(selection) if isinstance(selection, str) else selection
    if not isinstance(hands, Range):
        raise bad_argument("hands", selection, "a range, such as 'AA,KQs', or None")
    if not hands:
        raise ConfigError(
            "the selection of hands is empty",
            option="hands",
            given=selection,
            remedy="give some, such as AhKh or QQ+",
        )
    return hands


def not_held(hands: Range | str, line: str, board: Sequence[int]) -> ConfigError:
    """The error of selected hands that neither player holds at a node."""
    wanted = Range(hands) if isinstance(hands, str) else hands
    blocked = not wanted.without(board)
    why = f": the board {card_names(board)} blocks it" if blocked else ""
    return ConfigError(
        f"neither player holds {hands} at {line or 'the root'}{why}",
        option="hands",
        given=hands,
        place=line or "the root",
        remedy="use another hand",
    )


def _streets(text: str) -> list[int]:
    names = [name.strip().lower() for name in f"{text}".split(",")]
    if not set(names) <= set(STREETS):
        raise bad_argument("streets", text, "flop, turn or river, or several separated by commas")
    return [STREETS.index(name) for name in names]
