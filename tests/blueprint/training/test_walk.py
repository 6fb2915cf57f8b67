"""The walk of a board against a slow one with all pairs of hands, and the update of a batch."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.blueprint.training.discount import DCFR, LINEAR
from equilibrist.blueprint.training.schedule import build_schedule
from equilibrist.blueprint.training.trainer import Trainer, Walker, decisions
from equilibrist.kernels.blueprint.arrays import BOTH, Sums
from equilibrist.kernels.blueprint.updates import update_nodes
from tests.blueprint.oracle import BoardOracle, random_strategy

BOARDS = np.array([[32, 37, 42, 47, 49], [51, 50, 33, 34, 35], [48, 44, 40, 36, 32]], np.uint8)
"""Rainbow; two tens, two aces and a third ten; five of a suit, of which the board is a flush."""


def sums_of(game):
    return Sums(np.zeros(game.num_slots, np.float32), np.zeros(game.num_infosets, np.float32))


@pytest.mark.parametrize("chunk_nodes", [1, 12, 100_000])
def test_walk_is_that_of_matrices(game, cards, chunk_nodes):
    sigma = random_strategy(game, 1)
    walker = Walker(game, cards, chunk_nodes)
    sums = sums_of(game)
    won = walker.walk(BOARDS, sigma, walker.known(sigma), BOTH, sums)
    known = [BoardOracle(game, cards, board, sigma) for board in BOARDS]
    for row, one in zip(won, known, strict=True):
        assert row == pytest.approx([sum(one.won[p]) / walker.pairs for p in (0, 1)], abs=1e-5)
        assert row.sum() == pytest.approx(0, abs=1e-5)
    value, reach = sum(one.value for one in known), sum(one.reach for one in known)
    assert np.abs(value).max() > 100
    np.testing.assert_allclose(sums.value, value, atol=2e-3)
    np.testing.assert_allclose(sums.reach, reach, atol=1e-3)


@pytest.mark.parametrize("player", [0, 1])
def test_one_player_adds_alone(game, cards, player):
    sigma = random_strategy(game, 2)
    walker = Walker(game, cards)
    both, one = sums_of(game), sums_of(game)
    walker.walk(BOARDS, sigma, walker.known(sigma), BOTH, both)
    walker.walk(BOARDS, sigma, walker.known(sigma), 1 << player, one)
    own = np.zeros(game.num_slots, bool)
    for node in decisions(game, 1 << player):
        begin, size = game.layout.slot[node], np.prod(game.shape(node))
        own[begin : begin + size] = True
    assert 0 < own.sum() < len(own)
    np.testing.assert_array_equal(one.value, np.where(own, both.value, 0))


def test_update_is_regret_matching(game):
    random = np.random.default_rng(3)
    sigma = random_strategy(game, 3)
    before = random.normal(size=(2, game.num_slots)).astype(np.float32)
    regret, average = before[0].copy(), np.abs(before[1])
    value = random.normal(size=(3, game.num_slots)).astype(np.float32)
    reach = random.random((3, game.num_infosets)).astype(np.float32)
    given, own = value.sum(0), reach.sum(0)
    factors = np.array([0.9, 0.5, 0.7], np.float32)
    old = sigma.copy()
    nodes = decisions(game, BOTH)
    betting = build_schedule(game).betting
    update_nodes(
        betting, nodes, regret, average, sigma, value, reach, factors,
        np.zeros(max(game.buckets), np.float32),
    )  # fmt: skip
    assert not value.any()
    assert not reach.any()
    for node in nodes:
        shape = game.shape(node)
        cut = slice(game.layout.slot[node], game.layout.slot[node] + shape[0] * shape[1])
        state = slice(game.layout.state[node], game.layout.state[node] + shape[1])
        played, known = old[cut].reshape(shape), before[0][cut].reshape(shape)
        gained = given[cut].reshape(shape)
        wanted = known * np.where(known > 0, 0.9, 0.5) + gained - (played * gained).sum(0)
        np.testing.assert_allclose(regret[cut].reshape(shape), wanted, rtol=1e-4, atol=1e-5)
        positive = np.maximum(regret[cut].reshape(shape), 0)
        total = positive.sum(0)
        uniform = np.full(shape, 1 / shape[0])
        strategy = np.where(total > 0, positive / np.where(total > 0, total, 1), uniform)
        np.testing.assert_allclose(sigma[cut].reshape(shape), strategy, rtol=1e-5)
        sums = 0.7 * np.abs(before[1][cut]).reshape(shape) + played * own[state]
        np.testing.assert_allclose(average[cut].reshape(shape), sums, rtol=1e-4)


def test_linear_discount_weighs_iterations_in_turn():
    sums, wanted = 0.0, 0.0
    for t in range(1, 8):
        sums = sums * float(LINEAR.factors(t)[0]) + t
        wanted += t * t
        assert sums * t == pytest.approx(wanted)


def test_default_discount_is_that_of_dcfr():
    assert DCFR.factors(1).tolist() == [0, 0, 0]
    fifth = [8 / 9, 1 / 2, (4 / 5) ** 2]  # 4 to the power of 1.5 is 8
    assert DCFR.factors(5).tolist() == pytest.approx(fifth)


def test_same_bits_on_any_number_of_threads(game, cards):
    one, two = (Trainer(game, cards, batch=12, threads=threads).run(3) for threads in (1, 3))
    for name, array in one.arrays().items():
        np.testing.assert_array_equal(array, two.arrays()[name])
    assert one.regret.any()
