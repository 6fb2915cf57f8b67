"""Solutions of spots node by node, and what the reference makes of their strategies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from equilibrist.poker.cards.cards import card_mask
from equilibrist.poker.cards.combos import without_cards
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.reference.postflop import Strategies, exploitability, values_at
from equilibrist.reference.public_game import ACTION, FOLD, Place, PublicGame
from equilibrist.typing import FloatArray
from tests.poker.postflop.engine.public_games import combos_of, public_game


def places(game: PublicGame, place: Place = (0, ())) -> Iterator[Place]:
    """All places of a game."""
    yield place
    for below in game.below(place):
        yield from places(game, below)


def strategies_of(solution: PostflopResult, game: PublicGame) -> Strategies:
    """The strategies of a solution for the reference; uniform for hands that cannot be here."""
    strategies = {}
    for place in places(game):
        node = place[0]
        if game.nodes.kind[node] == ACTION:
            combos = combos_of(solution.spot, int(game.nodes.player[node]))
            table = solution.evaluate(*place).strategy[:, combos]
            strategies[place] = np.where(np.isnan(table), 1 / len(table), table)
    return strategies


def equities(
    game: PublicGame, dealt: tuple[int, ...], weights: Iterable[FloatArray]
) -> Iterator[FloatArray]:
    """Per player float64[H]: the share of the pot of each hand, not yet divided by matchups."""
    for player, other in enumerate(reversed(list(weights))):
        wins, ties, _ = game.showdown(player, dealt)
        yield (wins + ties / 2) @ other


def assert_close(found: FloatArray, expected: FloatArray, least: float, share: float = 0) -> None:
    """What `pytest.approx(expected, abs=least, rel=share)` says, without a loop in Python."""
    assert found.shape == expected.shape
    apart = np.abs(found - expected)
    near = apart <= np.maximum(least, share * np.abs(expected))  # not so for NaN
    assert near.all(), f"{found[~near]} are not {expected[~near]}"


def assert_as_the_reference(solution: PostflopResult, tolerance: float) -> None:
    """All values of a solution follow from its strategies, as the reference works them out.

    `tolerance` is a share of the pot, and of weights.
    """
    spot = solution.spot
    game = public_game(spot)
    solution = replace(solution, evaluate=cache(solution.evaluate))  # each node is asked for twice
    strategies = strategies_of(solution, game)
    for place in places(game):
        if game.nodes.kind[place[0]] != FOLD:
            assert_node_as_the_reference(solution, game, strategies, place, tolerance)
    measured = exploitability(game, strategies)
    assert solution.mean_gain == pytest.approx(measured, abs=tolerance * spot.pot)


def assert_node_as_the_reference(
    solution: PostflopResult,
    game: PublicGame,
    strategies: Strategies,
    place: Place,
    tolerance: float,
) -> None:
    """The values at one place; `strategies` are those of the solution.

    Of hands that their player never brings there, EV and equity may be NaN.
    """
    spot, (node, dealt) = solution.spot, place
    nodes: Any = game.nodes
    values, expected = solution.evaluate(node, dealt), values_at(game, strategies, place)
    free = without_cards(card_mask((*spot.cards, *dealt)))
    shares = equities(game, dealt, expected.weight)
    for player, share in enumerate(shares):
        held, matchups = combos_of(spot, player), expected.matchups[player]
        others = ~free | (spot.ranges[player].weights == 0)
        assert not values.weight[player, others].any()
        assert np.isnan(values.ev[player, others]).all()
        assert np.isnan(values.equity[player, others]).all()
        assert_close(values.weight[player, held], expected.weight[player], tolerance, tolerance)
        assert_close(values.matchups[player, held], matchups, tolerance, tolerance)
        weight = expected.weight[player]
        met = matchups > 0.01 * game.weights[1 - player].sum()  # else rounding is all there is
        met &= ~np.isnan(values.ev[player, held]) | (weight > tolerance)
        chips = expected.ev[player][met] + nodes.paid[node, player]
        assert_close(values.ev[player, held][met], chips, tolerance * spot.pot)
        won = share[met] / matchups[met]
        assert_close(values.equity[player, held][met], won, tolerance)
        if game.nodes.kind[node] != ACTION or game.nodes.player[node] != player:
            continue
        first = int(game.nodes.first_child[node])
        for action, found in enumerate(values.action_ev):
            after = values_at(game, strategies, (first + action, dealt)).ev[player][met]
            chips = after + nodes.paid[node, player]
            assert_close(found[held][met], chips, tolerance * spot.pot)
        assert np.isnan(values.action_ev[:, others]).all()
