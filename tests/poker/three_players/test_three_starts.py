"""Solving from several starts, and what a spot needs."""

from __future__ import annotations

import json

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker import ThreeSpot, solve_from_starts, solve_three, three_needs
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.combos import parse_combo
from equilibrist.poker.three_players.profile import HandsAndGames
from equilibrist.poker.three_players.solver import memory_needed
from equilibrist.poker.three_players.starts import drawn_later, drawn_start
from equilibrist.poker.three_players.turns import led
from equilibrist.typing import FloatArray
from tests.poker.three_players.test_profile import SMALL
from tests.refusals import refuses

SPOT = ThreeSpot(**SMALL, stacks=[100, 40, 250])


def test_the_first_start_is_that_of_solve_three_and_others_find_as_good_ones() -> None:
    found = solve_from_starts(SPOT, 3, target="0.3%")
    alone = solve_three(SPOT, target="0.3%")
    assert (found.solutions[0].values, found.solutions[0].gains) == (alone.values, alone.gains)
    assert all(solution.nash_conv_percent <= 0.3 for solution in found.solutions)
    assert len({solution.values for solution in found.solutions}) == 3
    assert found.best.nash_conv == min(solution.nash_conv for solution in found.solutions)
    values = np.array([solution.values for solution in found.solutions])
    assert found.value_differences == pytest.approx(values.max(axis=0) - values.min(axis=0))
    assert found.root_frequencies.sum(axis=1) == pytest.approx(1.0)
    roots = [solution.at() for solution in found.solutions]
    dealt = SPOT.ranges[0].weights * (roots[0].combos > 0)
    moved = [
        np.maximum(one.strategy - other.strategy, 0.0).sum(axis=0) @ dealt / dealt.sum()
        for one in roots
        for other in roots
    ]
    assert found.hand_difference == pytest.approx(max(moved))
    assert found.hand_difference > 0.0
    document = json.loads(json.dumps(found.to_dict()))
    assert document["best"] == found.best_start
    assert [start["nash_conv"] for start in document["starts"]] == [
        solution.nash_conv for solution in found.solutions
    ]


def test_seeds_draw_the_starts() -> None:
    first, again, other = (
        solve_from_starts(SPOT, 2, seed=seed, iterations=25) for seed in (1, 1, 2)
    )
    assert first.to_dict() == again.to_dict()
    assert first.solutions[0].values == other.solutions[0].values
    assert first.solutions[1].values != other.solutions[1].values


def test_a_drawn_start_is_a_strategy_and_moves_whole_ranges() -> None:
    laid_out = HandsAndGames.of(SPOT)
    for game, strategy in zip(
        laid_out.games, drawn_start(laid_out, np.random.default_rng(1)), strict=True
    ):
        sums = np.add.reduceat(strategy[1:], game.first[:-1] - 1, axis=0)
        assert sums == pytest.approx(1.0)
        counts = np.repeat(np.diff(game.first), np.diff(game.first))
        away = np.abs(strategy[1:].mean(axis=1) - 1.0 / counts)
        assert away.mean() > 0.1  # drawn hand by hand alone it would be less


def test_all_streets_are_drawn_and_images_of_hands_begin_alike() -> None:
    """Spades and hearts can change places; on rivers that are neither, still."""
    spot = ThreeSpot(
        board="Kd9d5d3c", oop="AA,QsJs,QhJh",
        middle="TsTh,8s8h", ip="77", pot=60, stack=100, bets="a",
    )  # fmt: skip
    laid_out = HandsAndGames.of(spot)
    assert len(laid_out.group) == 2
    generator = np.random.default_rng(3)
    for strategy, hands in zip(drawn_start(laid_out, generator), laid_out.hands, strict=True):
        others, leaders = led(hands, laid_out.group)
        assert (strategy[:, others] == strategy[:, leaders]).all()
    pair = [parse_combo("QsJs"), parse_combo("QhJh")]
    seats = [list[FloatArray]() for _ in range(3)]
    for street, seat, board, strategy in drawn_later(laid_out, generator):
        assert street == 0
        game, held = laid_out.later[0][seat], laid_out.runouts.hands[board][seat].tolist()
        sums = np.add.reduceat(strategy, game.first[:-1], axis=0)
        assert sums == pytest.approx(1.0)
        river = card_names(laid_out.runouts.boards[board][4:])
        if {*pair} <= {*held}:
            one, other = (strategy[game.num_entries :, held.index(combo)] for combo in pair)
            assert (one == other).all() == (river[-1] in "dc")
        assert board == len(seats[seat])
        seats[seat].append(strategy[game.num_entries :].mean(axis=1))
    for means in seats:
        assert len(means) == laid_out.runouts.count
        between = np.std(np.mean(means, axis=0))
        assert between > np.mean(np.std(means, axis=0)) / 2  # boards do not average out


def test_a_callback_that_ends_a_run_ends_them_all() -> None:
    found = solve_from_starts(SPOT, 4, iterations=50, callbacks=lambda _: False)
    assert len(found.solutions) == 1
    assert found.solutions[0].stopped_by == "callback"


def test_wrong_arguments_are_refused() -> None:
    with refuses(ConfigError, option="starts", given=1):
        solve_from_starts(SPOT, 1)
    with refuses(ConfigError, option="seed", given=-1):
        solve_from_starts(SPOT, 2, seed=-1)
    with pytest.raises(ConfigError) as caught:
        solve_from_starts(SPOT, 2, target="0.1")
    assert caught.value.option == "target"


def test_needs_count_bytes_and_fall_with_the_target() -> None:
    needs, finer = three_needs(SPOT), three_needs(SPOT, target="0.1%", memory=1000)
    assert needs.memory_bytes == memory_needed(HandsAndGames.of(SPOT))
    assert needs.fits
    assert not finer.fits
    assert finer.iterations > needs.iterations
    assert finer.seconds > needs.seconds
    assert needs.hands == tuple(int(np.count_nonzero(r.weights)) for r in SPOT.ranges)
    assert sum(needs.decisions) == len(solve_three(SPOT, iterations=1).lines())
    json.dumps(needs.to_dict())
