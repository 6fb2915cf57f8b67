"""Aggregates over the hands at a node: by player, by action, by hand class.

By matchups, a hand counts with its weight times its unblocked opponent reach: how often it is held
when the node is reached. By combos, it counts with its weight alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from equilibrist.formatting.brief import brief_repr
from equilibrist.poker.cards.cards import card_mask
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, NUM_CLASSES, without_cards
from equilibrist.poker.decisions.strategy_grid import ClassValues
from equilibrist.typing import FloatArray

DIGITS: Final = 6
"""Decimals in JSON documents and exported tables, but for weights."""


class NodeValues(NamedTuple):
    """The values of both players over the 1,326 combos, in the order of `poker.combo_name`.

    Player 0 is out of position, player 1 in position. Hands blocked by the board have weight 0.

    Attributes:
        weight: float64[2, 1326], the weight in the range times the player's own reach.
        matchups: float64[2, 1326], the unblocked opponent reach: the total weight of the opponent's
            hands that share no card with the hand (card removal).
        ev: float64[2, 1326], final chips minus chips behind at the node; NaN for hands not held or
            with no matchups. The means of both players add up to the pot less rake.
        equity: float64[2, 1326], the share of the pot, 0 to 1, without further betting; NaN as in
            `ev`.
        strategy: float64[A, 1326], the probabilities of the actions in the order of `node_actions`;
            NaN for hands not held. A is 0 if no player acts.
        action_ev: float64[A, 1326], the `ev` of the player to act if they take the action and both
            follow their average strategies afterwards; NaN as in `ev`. Its mean over `strategy` is
            `ev`.
    """

    weight: FloatArray
    matchups: FloatArray
    ev: FloatArray
    equity: FloatArray
    strategy: FloatArray
    action_ev: FloatArray

    def __repr__(self) -> str:
        return brief_repr(self)


Evaluate: TypeAlias = Callable[[int, tuple[int, ...]], NodeValues]
"""The figures at a node of the public tree, after the cards that were dealt since the root. Where
players are all-in before the river, cards may have been dealt after the node's street."""
NodesOfBoard: TypeAlias = Callable[[Sequence[int]], Sequence[NodeValues]]
"""The figures at some nodes of a street, in their order."""
OnBoard: TypeAlias = Callable[[tuple[int, ...]], NodesOfBoard]
"""The figures at any nodes of a street, after the cards that were dealt since the root: for those
who want many nodes of a board."""
Resolved: TypeAlias = Callable[[int, tuple[int, ...]], float | None]
"""The mean gain to which a node was re-solved, in chips; None if it was not."""


def ev_digits(pot: float) -> int:
    """Decimals of EVs in JSON documents: more where the pot is less than a chip."""
    return DIGITS if pot >= 1.0 else DIGITS - math.floor(math.log10(pot))


def json_number(value: float | None, digits: int = DIGITS) -> float | None:
    """A number for JSON: rounded to so many decimals, None for NaN."""
    return None if value is None or value != value else round(value, digits) + 0.0  # no -0.0


def json_numbers(values: FloatArray, digits: int = DIGITS) -> list[Any]:
    """An array for JSON, as nested lists of numbers with so many decimals."""
    rounded = np.round(values, digits) + 0.0
    if not np.isnan(rounded).any():
        return rounded.tolist()  # type: ignore[no-any-return]
    known = rounded.astype(object)
    known[np.isnan(rounded)] = None
    return known.tolist()  # type: ignore[no-any-return]


def weight_digits(weight: float) -> float:
    """A weight for JSON: six significant digits of it."""
    return float(f"{weight:.6g}")


class Totals(NamedTuple):
    """Aggregates of both players at a node, (OOP, IP); NaN if it is never reached.

    Attributes:
        equity: Shares of the pot without further betting; both add up to 1.
        ev: Final chips minus chips behind at the node; both add up to the pot less rake.
        eqr: Equity realisation: EV divided by equity times the pot.
    """

    equity: tuple[float, float]
    ev: tuple[float, float]
    eqr: tuple[float, float]


def shares(values: NodeValues, player: int, *, by_combos: bool = False) -> FloatArray:
    """float64[1326]: the weight of each hand of a player in aggregates."""
    counts: FloatArray = values.weight[player]
    return counts if by_combos else counts * values.matchups[player]


class NodeMeans(NamedTuple):
    """What is said of all hands at a node together.

    Attributes:
        totals: Of both players.
        frequency: Of each action, by matchups; NaN if the player never reaches the node.
        frequency_by_combos: Of each action, by combos.
        action_ev: The mean EV of the hands that take each action; NaN if none does.
    """

    totals: Totals
    frequency: list[float]
    frequency_by_combos: list[float]
    action_ev: list[float]


def node_means(values: NodeValues, player: int | None, pot: float) -> NodeMeans:
    """The means of a node; `player` acts, None if nobody does, and `pot` is in chips."""
    if player is None:
        return NodeMeans(totals(values, pot), [], [], [])
    return NodeMeans(
        totals(values, pot),
        frequencies(values, player).tolist(),
        frequencies(values, player, by_combos=True).tolist(),
        action_evs(values, player).tolist(),
    )


def totals(values: NodeValues, pot: float) -> Totals:
    """The aggregates of both players; `pot` is the pot at the node, in chips."""
    counts = values.weight * values.matchups
    equity, ev = means(values.equity, counts), means(values.ev, counts)
    figures_of_both = (figures.tolist() for figures in (equity, ev, realisation(ev, equity, pot)))
    return Totals(*((oop, ip) for oop, ip in figures_of_both))


def totals_document(totals: Totals, pot: float) -> dict[str, list[float | None]]:
    """Both players' totals for a JSON document; `pot` is the pot at the node, in chips."""
    digits = dict.fromkeys(totals._fields, DIGITS) | {"ev": ev_digits(pot)}
    return {
        key: [json_number(value, digits[key]) for value in pair]
        for key, pair in totals._asdict().items()
    }


def realisation(ev: FloatArray, equity: FloatArray, pot: float | FloatArray) -> FloatArray:
    """EV divided by equity times the pot; NaN without equity."""
    realised = np.full(np.shape(ev), np.nan)
    np.divide(ev, equity * pot, out=realised, where=equity > 0)
    return realised


def frequencies(values: NodeValues, player: int, *, by_combos: bool = False) -> FloatArray:
    """float64[A]: the frequency of each action; NaN if the player never reaches the node."""
    return means(values.strategy, shares(values, player, by_combos=by_combos))


def action_evs(values: NodeValues, player: int) -> FloatArray:
    """float64[A]: the mean EV of the hands that take each action; NaN if none does."""
    taken = shares(values, player) * np.nan_to_num(values.strategy)
    return means(values.action_ev, taken)


def means(columns: FloatArray, counts: FloatArray) -> FloatArray:
    """float64[...]: weighted means over hands, the last axis; NaN where none counts.

    A sum is taken in the order of the hands, so that hands that do not count change no bit.
    """
    there = (counts > 0) & ~np.isnan(columns)
    weight = np.where(there, counts, 0.0)
    total = in_order(weight)
    result = np.full(total.shape, np.nan)
    added = in_order(weight * np.where(there, columns, 0.0))
    np.divide(added, total, out=result, where=total > 0)
    return result


def in_order(values: FloatArray) -> FloatArray:
    """float64[...]: sums over the last axis, number by number."""
    if not values.shape[-1]:
        return np.zeros(values.shape[:-1])
    return np.asarray(values.cumsum(axis=-1)[..., -1])


def class_values(
    values: NodeValues, player: int, board: tuple[int, ...], *, acts: bool, by_combos: bool = False
) -> ClassValues:
    """The hands of a player by class; `acts` says whether the strategy is theirs."""
    counts = shares(values, player, by_combos=by_combos)
    possible = without_cards(card_mask(board)).astype(np.float64)
    weight = _by_class(values.weight[player]) / np.maximum(_by_class(possible), 1)

    def by_class(columns: Iterable[FloatArray]) -> FloatArray:
        class_means = [_class_means(column, counts) for column in columns]
        return np.array(class_means, np.float64).reshape(-1, 13, 13)

    equity, ev = by_class([values.equity[player], values.ev[player]])
    by_action = (values.strategy, values.action_ev) if acts else ((), ())
    return ClassValues(weight.reshape(13, 13), equity, ev, *map(by_class, by_action))


def _class_means(column: FloatArray, counts: FloatArray) -> FloatArray:
    """float64[13, 13]: the weighted mean within each class."""
    there = (counts > 0) & ~np.isnan(column)
    total = _by_class(np.where(there, counts, 0.0))
    added = _by_class(np.where(there, counts * np.nan_to_num(column), 0.0))
    means = np.full(NUM_CLASSES, np.nan)
    np.divide(added, total, out=means, where=total > 0)
    return means.reshape(13, 13)


def _by_class(column: FloatArray) -> FloatArray:
    return np.bincount(CLASS_OF_COMBO, column, NUM_CLASSES).astype(np.float64, copy=False)
