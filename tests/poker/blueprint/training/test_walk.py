"""The walk of a board against a slow one with all pairs of hands, and the update of a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.kernels.blueprint.arrays import BOTH, Sums
from equilibrist.kernels.blueprint.updates import update_nodes, update_small_nodes
from equilibrist.poker import Hand, build_card_buckets
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.training.blocks import build_blocks
from equilibrist.poker.blueprint.training.trainer import DCFR, LINEAR, Trainer, decisions
from equilibrist.poker.blueprint.training.walker import Walker
from equilibrist.poker.cards.combos import NUM_COMBOS
from tests.poker.blueprint.oracle import BoardOracle, random_strategy

BOARDS = np.array([[32, 37, 42, 47, 49], [51, 50, 33, 34, 35], [48, 44, 40, 36, 32]], np.uint8)
"""Rainbow; two tens, two aces and a third ten; five of a suit, of which the board is a flush."""


def sums_of(game):
    return Sums(np.zeros(game.num_slots, np.float32), np.zeros(game.num_infosets, np.float32))


def some_missing(game, seed):
    """A random strategy without many of its actions, so that hands and whole blocks are missing."""
    strategy = random_strategy(game, seed)
    strategy[np.random.default_rng(seed).random(len(strategy)) < 0.6] = 0
    return strategy


@pytest.mark.parametrize("strategy", [random_strategy, some_missing])
def test_walk_is_that_of_matrices(game, cards, strategy):
    sigma = strategy(game, 1)
    walker = Walker(game, cards)
    sums = sums_of(game)
    won = walker.walk(walker.look_up(BOARDS), sigma, walker.known(sigma), BOTH, sums)
    known = [BoardOracle(game, cards, board, sigma) for board in BOARDS]
    for row, one in zip(won, known, strict=True):
        assert row == pytest.approx([sum(one.won[p]) / walker.pairs for p in (0, 1)], abs=1e-5)
        assert row.sum() == pytest.approx(0, abs=1e-5)
    value, reach = sum(one.value for one in known), sum(one.reach for one in known)
    assert np.abs(value).max() > 100
    np.testing.assert_allclose(sums.value, value, atol=2e-5 * np.abs(value).max())
    np.testing.assert_allclose(sums.reach, reach, atol=1e-3)


@pytest.mark.slow
def test_walk_of_many_terminal_nodes_and_few_hands_in_a_bucket(cards, tmp_path):
    """Blocks of several groups, of up to 32 nodes, and more buckets than a board leaves hands."""
    lossless = build_card_buckets(
        "all/20/all/10", tmp_path / "c.safetensors", lowest_rank=8, restarts=1, passes=2,
        sample=1000, threads=1,
    )  # fmt: skip
    hand = Hand(stack=14, bets="50%,100%,a", raises="100%,a", raise_cap=2, deck="T")
    for buckets, boards in ((cards, BOARDS[:1]), (lossless, BOARDS[1:2])):
        game = AbstractGame(hand, buckets.counts)
        sigma = some_missing(game, 6)
        walker = Walker(game, buckets)
        blocks = walker.schedule.blocks
        sizes = np.diff(blocks.ends_begin)
        for least, most in ((1, 8), (9, 16), (17, 32)):  # the widths of the lanes
            assert ((least <= sizes) & (sizes <= most)).any()
        assert sizes.max() == 32
        assert np.diff(blocks.groups).max() > 1
        sums = sums_of(game)
        won = walker.walk(walker.look_up(boards), sigma, walker.known(sigma), BOTH, sums)
        known = [BoardOracle(game, buckets, board, sigma) for board in boards]
        value, reach = sum(one.value for one in known), sum(one.reach for one in known)
        np.testing.assert_allclose(sums.value, value, atol=2e-5 * np.abs(value).max())
        np.testing.assert_allclose(sums.reach, reach, atol=1e-3)
        for row, one in zip(won, known, strict=True):
            assert row == pytest.approx([sum(one.won[p]) / walker.pairs for p in (0, 1)], abs=1e-5)
    assert max(lossless.counts) > 1326


@pytest.mark.parametrize("street", [0, 1])
def test_values_that_are_known_before_a_walk(game, cards, street):
    """Those at the ends up to a street, as before the flop in 52 cards, with all that follows."""
    sigma = some_missing(game, 3)
    walker = Walker(game, cards)
    walker.schedule = build_blocks(game, street)
    nodes = walker.schedule.blocks.known
    assert len(nodes) == len(set(nodes)) > street
    board = BOARDS[1:2]
    oracle = KnownOracle(game, cards, board[0], sigma)
    known = np.full((len(nodes), 2, NUM_COMBOS), np.nan, np.float32)
    known[:, :, oracle.hands] = [oracle.found[node] for node in nodes.tolist()]
    sums = sums_of(game)
    won = walker.walk(walker.look_up(board), sigma, known, BOTH, sums)
    assert won[0] == pytest.approx([sum(one) / walker.pairs for one in oracle.won], abs=1e-5)
    atol = 2e-5 * np.abs(oracle.value).max()
    np.testing.assert_allclose(sums.value, oracle.value, atol=atol)
    np.testing.assert_allclose(sums.reach, oracle.reach, atol=1e-3)


class KnownOracle(BoardOracle):
    """Keeps the values of all hands of both seats by node."""

    found: dict[int, Any]

    def walk(self, node, reach):
        self.__dict__.setdefault("found", {})[node] = found = super().walk(node, reach)
        return found


@pytest.mark.parametrize("player", [0, 1])
def test_one_player_adds_alone(game, cards, player):
    sigma = random_strategy(game, 2)
    walker = Walker(game, cards)
    both, one = sums_of(game), sums_of(game)
    walker.walk(walker.look_up(BOARDS), sigma, walker.known(sigma), BOTH, both)
    walker.walk(walker.look_up(BOARDS), sigma, walker.known(sigma), 1 << player, one)
    own = np.zeros(game.num_slots, bool)
    for node in decisions(game, 1 << player):
        begin, size = game.layout.slot[node], np.prod(game.shape(node))
        own[begin : begin + size] = True
    assert 0 < own.sum() < len(own)
    np.testing.assert_array_equal(one.value, np.where(own, both.value, 0))


def test_values_alone_are_those_of_a_walk_that_adds(game, cards):
    sigma = some_missing(game, 2)
    walker = Walker(game, cards)
    sums, none = sums_of(game), Sums(np.zeros(1, np.float32), np.zeros(1, np.float32))
    known = walker.known(sigma)
    drawn = walker.look_up(BOARDS)
    wanted = walker.walk(drawn, sigma, known, BOTH, sums)
    np.testing.assert_array_equal(walker.walk(drawn, sigma, known, 0, none, BOTH), wanted)
    for player in (0, 1):
        bit = 1 << player
        for found in (
            walker.walk(drawn, sigma, known, bit, sums_of(game)),
            walker.walk(drawn, sigma, known, 0, none, bit),
        ):
            np.testing.assert_array_equal(found[:, player], wanted[:, player])
            assert not found[:, 1 - player].any()


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
    blocks = build_blocks(game).blocks
    update_nodes(
        blocks, nodes, regret, average, sigma, value, reach, factors,
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


def small_update(game, stored, scale, sigma, value, reach, factors, draw):
    """Regrets, averages, scales and strategies after an update in 16 bits; nothing is changed."""
    regret, average, scale, sigma, value, reach = (
        array.copy() for array in (*stored, scale, sigma, value, reach)
    )
    blocks, most = build_blocks(game).blocks, max(game.buckets)
    update_small_nodes(
        blocks, decisions(game, BOTH), regret, average, scale, draw, sigma, value, reach, factors,
        np.zeros(most, np.float32), *np.zeros((2, most * int(blocks.actions.max())), np.float32),
    )  # fmt: skip
    return regret, average, scale, sigma


def test_update_in_16_bits_rounds_to_either_side(game):
    random = np.random.default_rng(4)
    stored = (
        random.integers(-32767, 32768, game.num_slots).astype(np.int16),
        random.integers(0, 65536, game.num_slots).astype(np.uint16),
    )
    scale = random.random((2, game.tree.num_nodes)).astype(np.float32) / 1000
    sigma = random_strategy(game, 4)
    value = random.normal(size=(2, game.num_slots)).astype(np.float32)
    reach = random.random((2, game.num_infosets)).astype(np.float32)
    factors = np.array([0.9, 0.5, 0.7], np.float32)
    nodes = decisions(game, BOTH)
    slots = np.zeros(game.num_slots, np.int64)  # the node of each slot
    for node in nodes:
        begin = game.layout.slot[node]
        slots[begin : begin + np.prod(game.shape(node))] = node
    exact = [each * scale[k, slots] for k, each in enumerate(stored)]
    played = sigma.copy()
    update_nodes(
        build_blocks(game).blocks, nodes, exact[0], exact[1], played, value.copy(), reach.copy(),
        factors, np.zeros(max(game.buckets), np.float32),
    )  # fmt: skip
    means = np.zeros((2, game.num_slots))
    draws = 400
    for draw in range(draws):
        *found, new, chosen = small_update(game, stored, scale, sigma, value, reach, factors, draw)
        np.testing.assert_array_equal(chosen, played)  # from numbers that are not rounded yet
        for k in range(2):
            number = found[k] * new[k, slots].astype(np.float64)
            assert (np.abs(number - exact[k]) <= 1.01 * new[k, slots]).all()
            means[k] += number / draws
    for k in range(2):  # a rounded number is off by at most half a step on average
        off = (means[k] - exact[k]) / new[k, slots]
        assert np.abs(off).max() < 6 * 0.5 / draws**0.5
        assert abs(off.mean()) < 6 * 0.5 / (draws * len(off)) ** 0.5
        assert np.unique(found[k]).size > 1000


@pytest.mark.slow
def test_rounding_of_large_numbers_is_right_on_average(game):
    """A sum with a random number would be rounded up more often than down in float32."""
    stored = (np.zeros(game.num_slots, np.int16), np.zeros(game.num_slots, np.uint16))
    stored[0][:] = np.where(np.arange(game.num_slots) % 2, 20_000, -20_000)
    rest = np.ones(game.num_slots, bool)
    rest[game.layout.slot[decisions(game, BOTH)]] = False
    stored[0][~rest] = 32767  # the largest, so that the scale stays
    scale = np.ones((2, game.tree.num_nodes), np.float32)
    value = np.where(rest, np.float32(0.25), np.float32(0))[None]
    sigma = np.zeros(game.num_slots, np.float32)  # so that values are regrets
    reach = np.zeros((1, game.num_infosets), np.float32)
    total, draws = 0.0, 3000
    for draw in range(draws):
        regret, _, new, _ = small_update(
            game, stored, scale, sigma, value, reach, np.ones(3, np.float32), draw
        )
        off = (regret - stored[0])[rest]
        assert set(off.tolist()) <= {0, 1}
        total += off.mean() / draws
    assert (new[0, decisions(game, BOTH)] == 1).all()
    assert total == pytest.approx(0.25, abs=4 * 0.44 / (draws * rest.sum()) ** 0.5)


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_numbers_that_are_not_finite_stay_so(game, wrong):
    none = (np.zeros(game.num_slots, np.int16), np.zeros(game.num_slots, np.uint16))
    sigma, node = random_strategy(game, 5), decisions(game, BOTH)[3]
    value = np.ones((1, game.num_slots), np.float32)
    reach = np.ones((1, game.num_infosets), np.float32)
    scale = np.zeros((2, game.tree.num_nodes), np.float32)
    value[0, game.layout.slot[node]] = wrong
    for draw in (1, 2):
        *none, scale, _ = small_update(
            game, none, scale, sigma, value, reach, np.ones(3, np.float32), draw
        )
        assert np.isnan(scale[0, node])
        assert np.isfinite(np.delete(scale, node, axis=1)).all()
        value[0, game.layout.slot[node]] = 1


def test_numbers_of_nothing_are_stored_as_nothing(game):
    none = (np.zeros(game.num_slots, np.int16), np.zeros(game.num_slots, np.uint16))
    sigma = random_strategy(game, 5)
    value = np.zeros((1, game.num_slots), np.float32)
    reach = np.zeros((1, game.num_infosets), np.float32)
    scale = np.ones((2, game.tree.num_nodes), np.float32)
    regret, average, new, _ = small_update(
        game, none, scale, sigma, value, reach, np.ones(3, np.float32), 1
    )
    assert not regret.any()
    assert not average.any()
    assert not new[:, decisions(game, BOTH)].any()


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


@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_same_bits_on_any_number_of_threads(game, cards, storage):
    one, two = (
        Trainer(game, cards, batch=12, threads=threads, storage=storage).run(3)
        for threads in (1, 3)
    )
    for name, array in one.arrays().items():
        np.testing.assert_array_equal(array, two.arrays()[name])
    assert one.regret.any()
