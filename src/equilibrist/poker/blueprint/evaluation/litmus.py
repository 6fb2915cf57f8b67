"""Litmus hands: mistakes that no good strategy makes, counted where a blueprint comes to play.

Aces before the flop and the nuts on the river cannot fold. Where the small blind may go all-in at
once, the hand is worth at least as much to it as push or fold: a best response to the blueprint's
big blind wins at least that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.evaluation.duplicates import Estimate
from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.blueprint.evaluation.exploiter_figures import as_json
from equilibrist.poker.blueprint.evaluation.values import MILLI, random_boards
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.combos import (
    COMBO_MASKS,
    FIRST_CARD,
    SECOND_CARD,
    combo_name,
    dealt_hands,
)
from equilibrist.poker.hands.betting_tree import ACTION_KINDS
from equilibrist.poker.hands.pots import strengths
from equilibrist.poker.hands.state import DECISION
from equilibrist.poker.hands.tree_lines import path_to
from equilibrist.typing import FloatArray

MOST_RATE: Final = 0.001
"""The most that a hand may fold that should never: one time in a thousand."""
_NODE_BOARDS: Final = 20_000
"""River decisions that are looked at, over all boards."""
_LEAST_BOARDS, _MOST_BOARDS = 10, 200
_LITMUS: Final = 2
"""What boards are for."""
_ACE: Final = 12
REACHED: Final = 0.01
"""How often a hand must come to a decision for its folds there to count as the worst."""


@dataclass(frozen=True)
class Folds:
    """How often hands fold that should not.

    Attributes:
        rate: Of the times that such a hand faces a bet in play of the blueprint against itself.
        worst: The highest frequency at a decision that such a hand reaches with at least 1 %.
        worst_at: Where that is: the line, and on the river the board and the hand.
        faced: The probability of facing a bet with such a hand, per time that it is dealt.
    """

    rate: float
    worst: float
    worst_at: str
    faced: float

    @property
    def holds(self) -> bool:
        """Whether such hands fold at most once in a thousand times."""
        return self.rate <= MOST_RATE


@dataclass(frozen=True)
class JamOrFold:
    """What the small blind wins, against push or fold, in mbb per hand.

    Attributes:
        push_fold: What it wins when both play push or fold optimally.
        value: What the blueprint's small blind wins from its big blind, with its interval.
        gain: What its exploiter gains, as far as it was trained; a lower bound; None without one.
    """

    push_fold: float
    value: Estimate
    gain: Estimate | None

    @property
    def holds(self) -> bool:
        """Whether value and gain together may reach the value of push or fold."""
        total = self.value.mean + self.value.half_width
        if self.gain is not None:
            total += max(0.0, self.gain.mean) + self.gain.half_width
        return total >= self.push_fold


@dataclass(frozen=True)
class Litmus:
    """The litmus hands of a blueprint.

    Attributes:
        aces: Aces before the flop.
        nuts: The best hands on the river; None where there is no betting on it.
        nut_boards: Boards that these were looked at on.
        jam_or_fold: Where the small blind may go all-in at once; else None.
        skipped: What is for two seats only, with more of them.
    """

    aces: Folds
    nuts: Folds | None
    nut_boards: int
    jam_or_fold: JamOrFold | None
    skipped: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether all hold."""
        parts = (self.aces, self.nuts, self.jam_or_fold)
        return all(part.holds for part in parts if part is not None)

    def to_dict(self) -> dict[str, Any]:
        """The figures for JSON.

        Returns:
            A dictionary for each, with `holds`; `skipped` names those that are for two seats.
        """
        jam = self.jam_or_fold
        return {
            "aces": _folds_json(self.aces),
            "nuts": None if self.nuts is None else _folds_json(self.nuts),
            "nut_boards": self.nut_boards,
            "jam_or_fold": None
            if jam is None
            else {
                "push_fold": jam.push_fold,
                "value": as_json(jam.value),
                "gain": None if jam.gain is None else as_json(jam.gain),
                "holds": jam.holds,
            },
            "holds": self.holds,
            "skipped": list(self.skipped),
        }


def _folds_json(folds: Folds) -> dict[str, Any]:
    return {
        "rate": folds.rate,
        "worst": folds.worst,
        "worst_at": folds.worst_at,
        "faced": folds.faced,
        "holds": folds.holds,
    }


class _Count:
    """Adds up folds, weighted by how often they are faced."""

    def __init__(self) -> None:
        self.faced = self.folded = self.worst = 0.0
        self.worst_at = ""

    def add(self, weight: float, folds: float, place: str) -> None:
        self.faced += weight
        self.folded += weight * folds
        if weight >= REACHED and folds > self.worst:
            self.worst, self.worst_at = folds, place

    def result(self, dealt: float) -> Folds:
        rate = self.folded / self.faced if self.faced else 0.0
        return Folds(rate, self.worst, self.worst_at, self.faced / dealt if dealt else 0.0)


def folds_of_aces(blueprint: Blueprint) -> Folds:
    """Measure how often two aces fold before the flop.

    Args:
        blueprint: The blueprint.

    Returns:
        The folds.
    """
    free = _dealt(blueprint, ())
    aces = np.flatnonzero((FIRST_CARD // 4 == _ACE) & (SECOND_CARD // 4 == _ACE)).tolist()
    count, known = _Count(), _Known(blueprint, ())
    for node, fold in facing(blueprint, 0):
        _add(known, node, fold, [(hand, "") for hand in aces], free, count)
    return count.result(2.0 * len(aces))


def folds_of_nuts(blueprint: Blueprint, seed: int = 0) -> tuple[Folds | None, int]:
    """Measure how often hands fold on the river that no other hand beats.

    Args:
        blueprint: The blueprint.
        seed: The seed of the boards.

    Returns:
        The folds, or None without betting on the river, and the number of boards.
    """
    decisions = facing(blueprint, 3)
    if not decisions:
        return None, 0
    boards = min(max(_NODE_BOARDS // len(decisions), _LEAST_BOARDS), _MOST_BOARDS)
    count, nuts = _Count(), 0
    for board in random_boards(blueprint.cards.lowest_rank, boards, (seed, _LITMUS)).tolist():
        nuts += _nuts_on(blueprint, decisions, board, count)
    return count.result(2.0 * nuts), boards


def _nuts_on(
    blueprint: Blueprint, decisions: list[tuple[int, int]], board: list[int], count: _Count
) -> int:
    """Add the folds of the best hands of a board; how many hands these are."""
    nuts = nuts_of(board, blueprint.cards.lowest_rank)
    known, text = _Known(blueprint, board), card_names(board, "")
    places = [(hand, f" on {text} with {combo_name(hand)}") for hand in nuts]
    for node, fold in decisions:
        _add(known, node, fold, places, _dealt(blueprint, board), count)
    return len(nuts)


def nuts_of(board: list[int], lowest_rank: int) -> list[int]:
    """The hands that no other hand beats on a board.

    Args:
        board: Five cards.
        lowest_rank: The lowest rank in the deck.

    Returns:
        Their numbers.
    """
    hands = np.flatnonzero(dealt_hands(board, lowest_rank))
    pairs = list(zip(FIRST_CARD[hands].tolist(), SECOND_CARD[hands].tolist(), strict=True))
    strength = np.array(strengths(pairs, board))
    return [int(hand) for hand in hands[strength == strength.max()]]


def jam_or_fold(
    blueprint: Blueprint, value: Estimate, gain: Estimate | None = None
) -> JamOrFold | None:
    """Compare what the small blind wins with push or fold.

    Args:
        blueprint: The blueprint.
        value: What its small blind wins from its big blind, in mbb.
        gain: What its exploiter gains, in mbb.

    Returns:
        The figures; None where the small blind cannot go all-in at once, or where the deck is not
        that of push or fold.
    """
    from equilibrist.poker.preflop.push_fold.solving import push_fold

    rules, tree = blueprint.hand.rules, blueprint.tree
    unit = float(rules.big_blind)
    if rules.lowest_rank or not _may_jam(blueprint) or len(set(rules.antes)) > 1:
        return None
    small, big = rules.blinds
    if not 0 < small <= big or tree.player[0] != 0:
        return None
    solution = push_fold(
        tuple(stack / unit for stack in rules.stacks),
        blinds=(small / unit, big / unit),
        ante=rules.antes[0] / unit,
    )
    return JamOrFold(MILLI * solution.values[0], value, gain)


def _may_jam(blueprint: Blueprint) -> bool:
    rules, tree = blueprint.hand.rules, blueprint.tree
    least = min(rules.stacks)
    return any(int(tree.stake[child, 0]) >= least for child in tree.children(0))


def facing(blueprint: Blueprint, street: int) -> list[tuple[int, int]]:
    """The decisions of a street where a seat may fold.

    Args:
        blueprint: The blueprint.
        street: The street.

    Returns:
        Decisions, each with the number of the fold.
    """
    tree = blueprint.tree
    fold = ACTION_KINDS.index(Kind.FOLD)
    decisions = []
    for node in np.flatnonzero((tree.kind == DECISION) & (tree.street == street)).tolist():
        kinds = [int(tree.action[child]) for child in tree.children(node)]
        if fold in kinds:
            decisions.append((node, kinds.index(fold)))
    return decisions


class _Known:
    """The strategies on a board, looked up once."""

    def __init__(self, blueprint: Blueprint, board: Sequence[int]) -> None:
        self.blueprint, self._board = blueprint, board
        self._chances: dict[int, NDArray[np.float32]] = {}

    def chances(self, node: int) -> NDArray[np.float32]:
        if node not in self._chances:
            self._chances[node] = self.blueprint.probabilities(node, self._board)
        return self._chances[node]

    def reach(self, node: int) -> FloatArray:
        """The probability that each seat plays to a node: float64[2, 1326]."""
        tree = self.blueprint.tree
        reach = np.ones((2, len(COMBO_MASKS)))
        for decision, action in path_to(tree, node):
            reach[tree.player[decision]] *= self.chances(decision)[action]
        return reach


def _add(
    known: _Known,
    node: int,
    fold: int,
    hands: list[tuple[int, str]],
    free: NDArray[np.bool_],
    count: _Count,
) -> None:
    """Add the folds of some hands, each with its place, at a decision."""
    tree = known.blueprint.tree
    reach, seat = known.reach(node), int(tree.player[node])
    chances, line = known.chances(node)[fold], tree.line(node) or "the deal"
    for hand, place in hands:
        others = free & (COMBO_MASKS & COMBO_MASKS[hand] == 0)
        weight = float(reach[seat, hand] * reach[1 - seat, others].mean())
        count.add(weight, float(chances[hand]), line + place)


def _dealt(blueprint: Blueprint, board: Sequence[int]) -> NDArray[np.bool_]:
    return dealt_hands(board, blueprint.cards.lowest_rank)
