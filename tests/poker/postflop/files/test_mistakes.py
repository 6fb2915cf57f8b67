"""Losses after mistakes: against the reference, on spots small enough for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist import load_result
from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.poker import PostflopResult, measure_mistakes, solve
from equilibrist.poker.betting.public_tree import find_node
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.postflop.files.mistakes import Mistake, MistakeReport
from equilibrist.poker.postflop.solution.spot_strategy import follow_line
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.reference.postflop import expected_values, values_at, values_of
from equilibrist.reference.public_game import ACTION, CHANCE, PublicGame
from equilibrist.typing import FloatArray
from tests.poker.postflop.engine.public_games import public_game
from tests.poker.postflop.solution.solved import places, strategies_of
from tests.poker.postflop.spot.spots import RIVER
from tests.refusals import refuses

TURN = Spot(
    board="Ts9s2d5h", oop="AsAh,8d7d,64s", ip="KK,QJs:0.25,9c9h:0.75", pot=60, stack=90, bets="a"
)


def by_the_reference(
    solution: PostflopResult, game: PublicGame, alike: bool
) -> dict[tuple[int, tuple[int, ...]], tuple[float, float]]:
    """By the place after each action: how often it is taken, and the loss of the other player."""
    nodes: Any = game.nodes
    strategies = dict(strategies_of(solution, game))
    losses = {}
    for place in places(game):
        node, dealt = place
        if nodes.kind[node] != ACTION:
            continue
        player, first = int(nodes.player[node]), int(nodes.first_child[node])
        before = strategies[place]
        at = values_at(game, strategies, place)
        pairs = at.weight[player] * at.matchups[player]
        if not pairs.any():
            continue
        for action in range(len(before)):
            below = first + action
            if nodes.kind[below] not in (ACTION, CHANCE):
                continue
            taken = float((before[action] * pairs).sum() / pairs.sum())
            share = np.ones(len(pairs)) if alike or not taken else before[action]
            reach = at.weight[player] * share
            loss = after(game, strategies, (below, dealt), 1 - player, at.weight[1 - player], reach)
            pot = solution.spot.pot + float(nodes.paid[below].sum())
            losses[below, dealt] = taken, 100 * loss / pot
    return losses


def after(
    game: PublicGame, strategies: Any, place: Any, player: int, own: FloatArray, other: FloatArray
) -> float:
    """What a player's strategy loses from a place on, per pair of hands."""
    reaches = np.ones(len(own)), other

    def best(_: Any, values: FloatArray, __: FloatArray) -> FloatArray:
        return np.asarray(values.max(axis=0))

    played = expected_values(game, player, strategies, place, reaches)
    top = values_of(game, player, strategies, best, place, reaches)
    met = game.meet(player, place[1]) @ other
    return float(own @ (top - played) / (own @ met))


@pytest.mark.slow
@pytest.mark.parametrize("storage", ["float32", "int16"])
@pytest.mark.parametrize("spot", [RIVER, TURN])
def test_losses_are_those_of_the_reference(spot: Spot, storage: Any) -> None:
    """Of every action: `below` is 1, and all boards are looked at."""
    solution = solve(spot, iterations=40, storage=storage)
    game = public_game(spot)
    report = measure_mistakes(solution, below=1.0, boards=48)
    own = by_the_reference(solution, game, alike=False)
    alike = by_the_reference(solution, game, alike=True)
    found = {solution_place(solution, one): one for one in report.mistakes}
    assert len(found) > 8
    for place, one in found.items():
        assert one.frequency == pytest.approx(own[place][0], abs=1e-4)
        assert one.loss_alike == pytest.approx(alike[place][1], abs=0.02)
        if one.frequency > 0.01:
            assert one.loss == pytest.approx(own[place][1], abs=0.05)
    assert sum(one.weight for one in report.mistakes) == pytest.approx(1.0)


def solution_place(solution: PostflopResult, one: Mistake) -> tuple[int, tuple[int, ...]]:
    state, runout = follow_line(solution.spot, one.line)
    assert not runout or parse_cards(one.line.split("|")[1]) == runout
    node = find_node(solution.tree, state.line)
    tree = solution.tree
    if tree.street[node] > tree.street[0] + len(runout):
        node = int(tree.parent[node])
    return node, runout


@pytest.mark.slow
def test_plain_play_loses_most(tmp_path: Path) -> None:
    plain = solve(RIVER, iterations=1000)
    cold = solve(RIVER, quantal=0.005, iterations=2000, storage="float64")
    seldom = {one.line for one in measure_mistakes(plain).mistakes}
    assert seldom

    def mean(solution: PostflopResult) -> float:
        every = measure_mistakes(solution, below=1.0).mistakes
        return float(np.mean([one.loss for one in every if one.line in seldom]))

    assert mean(plain) > 1.0 > 0.3 > mean(cold)
    saved = load_result(plain.save(tmp_path / "a.spot"))
    assert isinstance(saved, PostflopResult)
    assert measure_mistakes(saved) == measure_mistakes(plain)


def test_the_summary_is_by_weight() -> None:
    def made(street: str, weight: float, loss: float) -> Mistake:
        return Mistake("X", "oop", street, weight, 0.0, 10.0, loss, 2 * loss, 0.0)

    report = MistakeReport(
        (made("turn", 0.6, 1.0), made("river", 0.39, 3.0), made("river", 0.01, 50.0)), 0.005, 12
    )
    turn, river, every = report.summary
    assert (turn.street, turn.mistakes, turn.mean, turn.most) == ("turn", 1, 1.0, 1.0)
    assert river.mean == pytest.approx((0.39 * 3 + 0.5) / 0.4)
    assert (river.median, river.percentile_95, river.most) == (3.0, 3.0, 50.0)
    assert (every.street, every.median, every.percentile_95) == ("all", 1.0, 3.0)
    assert every.mean_alike == pytest.approx(2 * every.mean)
    assert MistakeReport((), 0.005, 12).summary == ()


def test_some_boards_stand_for_all() -> None:
    solution = solve(TURN, iterations=40)
    some = measure_mistakes(solution, below=1.0, boards=3)
    assert len({one.line.split("|")[1][:2] for one in some.mistakes if "|" in one.line}) == 3
    every = measure_mistakes(solution, below=1.0, boards=48)
    on_turn = [
        sum(one.weight for one in report.mistakes if one.street == "turn")
        for report in (some, every)
    ]
    assert on_turn[0] == pytest.approx(on_turn[1], abs=0.05)


def test_what_is_refused(tmp_path: Path) -> None:
    solution = solve(TURN, iterations=2)
    with refuses(ConfigError, option="below"):
        measure_mistakes(solution, below=2.0)
    with refuses(ConfigError, option="boards"):
        measure_mistakes(solution, boards=0)
    part: Any = load_result(solution.save(tmp_path / "a.spot", keep="first-street"))
    with refuses(UnsupportedError, option="keep"):
        measure_mistakes(part)
