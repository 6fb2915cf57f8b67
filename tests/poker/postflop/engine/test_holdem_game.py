"""Spots as games of the core, and the reference solver of public trees on the same spots."""

from __future__ import annotations

from typing import cast

import pytest

from equilibrist.errors import UnsupportedError
from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.betting.public_tree import PublicTree, node_line
from equilibrist.poker.cards.cards import card_name
from equilibrist.poker.cards.combos import combo_name
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.reference.postflop import PublicCFR, exploitability, values_at
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.variants.registry import VARIANTS
from tests.poker.postflop.engine.public_games import combos_of, public_game
from tests.poker.postflop.engine.spot_game import SpotGame, equilibrium
from tests.poker.postflop.spot.spots import RIVER
from tests.refusals import refuses

TURN = Spot(
    board="Ts9s2d5h",
    oop="AsAh,8d7d,JsTd:0.5",
    ip="KsKh,QsJs,9c9h:0.75",
    pot=60,
    stack=90,
    bets="50%",
    raises="a",
    donks="||a",
    rake=0.05,
    rake_cap=4,
)


@pytest.mark.by_default(1)
@pytest.mark.parametrize(("spot", "iterations"), [(RIVER, 10), (TURN, 2)], ids=["river", "turn"])
def test_public_trees_play_the_same_game(spot: Spot, iterations: int) -> None:
    """Few iterations on the turn: later some hands face none, and their regrets are rounding."""
    tree = compile_game(SpotGame(spot))
    core = CFR(tree, "dcfr").run(iterations)
    game = public_game(spot)
    ours = PublicCFR(game, VARIANTS["dcfr"], weighted=True)
    ours.run(iterations)
    average, core_average, core_regrets = ours.average(), core.average_strategy(), core.regrets()
    pairs = game.weights[0] @ game.meet(0) @ game.weights[1]
    compared = 0
    for (node, dealt), table in average.items():
        cards = "".join(card_name(card) for card in dealt)
        line = line_text(node_line(cast(PublicTree, game.nodes), node))
        player = game.nodes.player[node]
        regrets = ours.regret[node, dealt] * game.weights[player] / pairs
        for number, combo in enumerate(combos_of(spot, player).tolist()):
            key = f"{combo_name(combo)} {cards} {line}"
            if key not in core_regrets:
                continue  # the hand holds a card of the board
            expected = list(core_regrets[key].values())
            assert regrets[:, number] == pytest.approx(expected, abs=1e-9), key
            expected = list(core_average[key].values())
            assert table[:, number] == pytest.approx(expected, abs=1e-9), key
            compared += 1
    assert compared == tree.num_infosets
    measured = evaluate(core_average)
    values = values_at(game, average)
    assert [values.mean(0), values.mean(1)] == pytest.approx(measured.values, abs=1e-9)
    assert exploitability(game, average) == pytest.approx(measured.nash_conv / 2, abs=1e-9)


@pytest.mark.slow
def test_the_linear_programme_of_a_river_spot() -> None:
    solution = equilibrium(RIVER)
    assert evaluate(solution.strategy).nash_conv == pytest.approx(0, abs=1e-7)
    game = public_game(RIVER)
    solver = PublicCFR(game, VARIANTS["dcfr"])
    solver.run(300)
    average = solver.average()
    values, within = values_at(game, average), 2 * exploitability(game, average)
    assert within < 0.2
    assert abs(values.mean(0) - solution.values[0]) <= within
    assert sum(solution.values) == pytest.approx(RIVER.pot)


def test_half_of_the_bluffs() -> None:
    spot = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="a")
    assert equilibrium(spot).values == pytest.approx((75, 25), abs=1e-7)


@pytest.mark.slow
def test_rake_is_no_matter_for_a_linear_programme() -> None:
    with refuses(UnsupportedError, option="payoffs", given="spot(Ts9s2d5h)"):
        equilibrium(TURN)
