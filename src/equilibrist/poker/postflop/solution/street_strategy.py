"""Strategies of the first street of a spot, whoever made them, and the locks that hold them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError, EquilibristError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.betting.public_tree import find_node, node_actions, node_line
from equilibrist.poker.betting.street_tree import ACTION
from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES
from equilibrist.poker.postflop.engine.arena import Arena
from equilibrist.poker.postflop.engine.layout import Layout
from equilibrist.poker.postflop.solution.spot_strategy import SpotStrategy
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.resolved_locks import Layer, LockedNode
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.typing import BoolArray, FloatArray, Int32Array

StreetStrategy = Callable[[str], Mapping[str, FloatArray] | None]
"""What is played after a line without cards, such as `X-B120`: by the name of each action, such as
`Bet 120`, float64[1326], NaN for hands of which it says nothing; None for such lines."""
_ROUNDING: Final = 1e-4
"""The tolerance within which probabilities count as equal, and as between 0 and 1."""
_SUM_ROUNDING: Final = 0.01 + 1e-9
"""How far from 1 the probabilities of a hand may add up: frequencies of programs are rounded."""
_NO_WEIGHT: Final = 1e-9
"""A share of a range that is rounding."""


class LockedStreet(NamedTuple):
    """One seat's first street, locked at a strategy."""

    nodes: tuple[LockedNode, ...]
    """The locked decisions; hands of which the strategy says nothing are free."""
    free: int
    """Decisions of the seat of which the strategy says nothing: they are solved."""
    free_weight: float
    """Of the range that comes to a locked decision as the strategy plays, the weight of hands of
    which it says nothing there: they are solved, too. The largest share, over the decisions."""


def lock_street(spot: Spot, strategy: StreetStrategy, seat: int) -> LockedStreet:
    """Lock all decisions of a seat on the first street at a strategy.

    Hands that are suit images of each other get their mean where they differ by rounding alone.
    Probabilities of a hand that add up to 1 within 0.01 are scaled to 1.

    Args:
        spot: The spot, in which the strategy is examined.
        strategy: What is played.
        seat: 0 out of position, 1 in position.

    Returns:
        The locked decisions. None of them is locked further down than the strategy goes.

    Raises:
        ConfigError: The strategy takes actions that the spot does not offer, its probabilities do
            not add up to 1, or it says nothing of any decision of the seat.
    """
    street = _locked_street(spot, strategy, seat)
    if street.nodes:
        return street
    name, other = SEATS[seat], SEATS[1 - seat]
    remedy = "give a strategy of this spot: its board, its ranges and its amounts"
    if _locked_street(spot, strategy, 1 - seat).nodes:
        remedy = f"it is one of {other}: examine {other} alone (--seat {other})"
    raise ConfigError(
        f"the strategy says nothing of any decision of {name} on the first street",
        option="strategy",
        given=name,
        remedy=remedy,
    )


def _locked_street(spot: Spot, strategy: StreetStrategy, seat: int) -> LockedStreet:
    """The decisions of a seat that a strategy locks, perhaps none."""
    tree = spot.betting.tree
    held = spot.ranges[seat].weights > 0
    after: dict[int, FloatArray] = {}  # by node: the range that comes there, all of it where free
    free_weight = 0.0
    acts = (tree.kind == ACTION) & (tree.player == seat) & (tree.street == spot.first_street)
    nodes, free = [], 0
    for node in np.flatnonzero(tree.street == spot.first_street).tolist():
        parent = int(tree.parent[node])
        reach = after[node] = after.get(node, after.get(parent, spot.ranges[seat].weights))
        if not acts[node]:
            continue
        actions, streets = node_actions(tree, node), node_line(tree, node)
        line = line_text(streets)
        given = strategy(line)
        if given is None:
            free += 1
            continue
        shares = _shares(given, list(map(str, actions)), held, line)
        known = held & ~np.isnan(shares[0])
        if not known.any():
            free += 1
            continue
        shares = _symmetrised(shares, known, spot.symmetries)
        if reach.any():
            free_weight = max(free_weight, float(1 - reach[known].sum() / reach.sum()))
        first = int(tree.first_child[node])
        for number, row in enumerate(shares):
            after[first + number] = reach * np.where(known, row, 1.0)
        layer = Layer((), known, shares, np.full(len(actions), np.nan))
        nodes.append(LockedNode(streets, seat, actions, [layer]))
    return LockedStreet(tuple(nodes), free, free_weight if free_weight > _NO_WEIGHT else 0.0)


def _shares(
    given: Mapping[str, FloatArray], names: list[str], held: BoolArray, line: str
) -> FloatArray:
    """float64[A, 1326]: the probabilities of the spot's actions, NaN where none are given."""
    place = f"after {line}" if line else "at the root"
    for name, column in given.items():
        most = float(np.nan_to_num(column[held]).max(initial=0.0))
        if name not in names and most > _ROUNDING:
            raise ConfigError(
                f"the strategy takes {name} {place}, which the spot does not offer: "
                f"{', '.join(names)}",
                option="strategy",
                given=name,
                expected=", ".join(names),
                place=place,
                remedy="examine it in a spot whose sizes include its own",
            )
    nothing = np.zeros(NUM_COMBOS)
    shares = np.array([given.get(name, nothing) for name in names], np.float64)
    for name, row in zip(names, shares, strict=True):
        outside = held & ((row < -_ROUNDING) | (row > 1 + _ROUNDING))
        if outside.any():
            raise bad_argument(
                "strategy",
                float(row[outside][0]),
                "probabilities from 0 to 1",
                label=f"the probability of {name} {place}",
                place=place,
            )
    shares = np.maximum(shares, 0.0)  # NaN stays
    total = shares.sum(axis=0)
    known = held & ~np.isnan(total) & (total > 0)  # a hand without any probability is not held
    if known.any() and (np.abs(total[known] - 1) > _SUM_ROUNDING).any():
        worst = float(total[known][np.abs(total[known] - 1).argmax()])
        raise ConfigError(
            f"the probabilities of a hand {place} add up to {worst:.6g}, not 1",
            option="strategy",
            given=worst,
            expected=1,
            place=place,
            remedy="give all actions of the hand; rounding explains up to 0.01",
        )
    shares[:, known] /= total[known]
    shares[:, ~known] = np.nan
    return shares


def _symmetrised(shares: FloatArray, known: BoolArray, group: Int32Array) -> FloatArray:
    """The mean over suit images, so that they are equal to the bit; `shares` if they differ."""
    images = [COMBO_IMAGES[number] for number in group.tolist()]
    if len(images) == 1 or any((known != known[image]).any() for image in images):
        return shares
    all_images = np.stack([shares[:, image] for image in images])
    mean = np.asarray(all_images.mean(axis=0))
    # The mean of the same numbers in another order may differ in its last digit.
    mean[:, known] = np.round(mean[:, known], 12)
    differ = np.abs(all_images - shares)[:, :, known].max(initial=0.0) > _ROUNDING
    return shares if differ else mean


def strategy_of_spot(strategy: SpotStrategy) -> StreetStrategy:
    """The strategy of a solved spot, whose menu may be another one than that of the examination.

    Args:
        strategy: The strategies of both players.

    Returns:
        What is played on its first street; None after lines that it does not know.
    """

    def played(line: str) -> Mapping[str, FloatArray] | None:
        try:
            return strategy[line]
        except EquilibristError:  # the line is not played there
            return None

    return played


def strategy_of_locks(spot: Spot) -> StreetStrategy:
    """The locks of a spot as a strategy: where they fix nothing, nothing is said.

    Args:
        spot: The spot with the locks. Hands whose actions are not all fixed are free.

    Returns:
        What the locks fix on the first street.
    """
    fixed = {
        line_text(node.line): (node.actions, node.fixed(()))
        for node in spot.locked_nodes
        if len(node.line) == 1
    }

    def played(line: str) -> Mapping[str, FloatArray] | None:
        if line not in fixed:
            return None
        actions, shares = fixed[line]
        return dict(zip(map(str, actions), shares, strict=True))

    return played


def strategy_of_arena(spot: Spot, layout: Layout, arena: Arena) -> StreetStrategy:
    """The average strategies of an engine on the first board of a spot.

    Args:
        spot: The spot.
        layout: The layout of the engine.
        arena: Its strategy sums, read when a line is asked for.

    Returns:
        What is played after a line; None after lines that the spot lacks.
    """
    tree, betting = layout.game.tree, layout.betting
    combos = [np.flatnonzero(held.weights) for held in spot.ranges]

    def played(line: str) -> Mapping[str, FloatArray] | None:
        try:
            node = find_node(tree, spot.rules().follow(line).state.line)
        except (EquilibristError, KeyError):
            return None
        if tree.kind[node] != ACTION or tree.street[node] != spot.first_street:
            return None
        (place,) = np.flatnonzero(betting.node == node)
        player = int(tree.player[node])
        rows = arena.strategy(int(place), 0)
        strategy = np.full((len(rows), NUM_COMBOS), np.nan)
        strategy[:, combos[player][layout.table.held(0)[player]]] = rows
        return dict(zip(map(str, node_actions(tree, node)), strategy, strict=True))

    return played
