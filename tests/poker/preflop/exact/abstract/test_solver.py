"""CFR and CFR-BR over buckets of hands against the solvers of compiled games, hand by hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import comb

import numpy as np
import pytest

from equilibrist.abstraction import Abstraction, classify_recall, merged_tree
from equilibrist.errors import ConfigError, MismatchError, UnsupportedError
from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.poker.cards.combos import COMBO_MASKS
from equilibrist.poker.preflop.exact.abstract.percentiles import (
    hand_strength,
    percentile_buckets,
    row_weights,
)
from equilibrist.poker.preflop.exact.abstract.solver import OPPONENTS, BucketSolver, Opponent
from equilibrist.poker.preflop.exact.boards import free_hands, strengths_on
from equilibrist.poker.preflop.exact.engine import Engine
from equilibrist.poker.preflop.exact.number_layout import matched
from equilibrist.solvers.full_traversal.abstract_cfr_br import AbstractCFRBR
from equilibrist.solvers.full_traversal.history_cfr import HistoryCFR
from equilibrist.solvers.full_traversal.public_order import PublicOrderSolver
from equilibrist.solvers.run.state import SolverState
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray
from tests.poker.preflop.exact.plain_holdem import PlainHoldem
from tests.poker.preflop.exact.test_engine import limit, places_of
from tests.refusals import refuses, unchecked

pytestmark = pytest.mark.slow

GAMES = {"one-card": ((0, 1), 11, 1), "flop": ((0, 3), 11, 0)}
CUTS: dict[str, tuple[tuple[int | str, ...], bool]] = {
    "nested": ((2, 3), True),
    "forgetful": ((4, 2), False),
    "all first": (("all", 3), False),
}


@cache
def plain(name: str) -> GameTree:
    return compile_game(PlainHoldem(limit(*GAMES[name])))


def engine_of(name: str, threads: int = 1) -> Engine:
    return Engine(limit(*GAMES[name]), threads, np.float64)


class Twins:
    """The buckets on the engine, and the same merging of the plain game, in one random state."""

    def __init__(self, name: str, cut: str, opponent: Opponent, variant: str = "cfr") -> None:
        self.engine, tree = engine_of(name), plain(name)
        counts, nested = CUTS[cut]
        self.buckets = percentile_buckets(self.engine, counts, nested=nested)
        self.solver = BucketSolver(self.engine, self.buckets, opponent, variant)
        keys, self.bucket = {}, {}
        for key, (board, node, row, _) in places_of(self.engine, tree).items():
            bucket = int(self.buckets.of_row[int(self.engine.rows.first[board]) + row])
            keys[key] = f"{node}|{bucket}"
            self.bucket[keys[key]] = node, bucket
        self.abstraction = Abstraction.from_keys(tree, keys)
        merged = merged_tree(self.abstraction)
        self.core: PublicOrderSolver
        if opponent == "abstract":
            self.core = HistoryCFR(merged, variant)
        else:
            self.core = AbstractCFRBR(merged, tree, self.abstraction.action_of, variant)
        cards = 52 - 4 * self.engine.game.rules.lowest_rank
        self.scale = comb(cards - 2, 2)

    def randomise(self) -> None:
        """Random large regrets: everything is played, so that no response is a tie."""
        generator = np.random.default_rng(3)
        regrets = {
            node: generator.uniform(2e3, 4e3, shape) for node, shape in self.shapes().items()
        }
        tree = self.core.tree
        rows = [
            regrets[node][:, bucket] if key in self.bucket else np.zeros(len(labels))
            for key, labels in zip(tree.infoset_keys, tree.action_labels, strict=True)
            for node, bucket in [self.bucket.get(key, (0, 0))]
        ]
        flat = np.concatenate(rows)
        played = np.concatenate([matched(row[:, None])[:, 0] for row in rows])
        state = SolverState(flat / self.scale, played, np.zeros_like(flat), 4, {})
        self.core.restore(state)
        self.solver.put(regrets, iteration=4)

    def shapes(self) -> Mapping[int, tuple[int, int]]:
        both = self.solver.strategy(0) | self.solver.strategy(1)
        return {node: (rows.shape[0], rows.shape[1]) for node, rows in both.items()}

    def distance(self) -> float:
        """The largest difference of the strategies."""
        found = 0.0
        for last in (False, True):
            both = self.solver.strategy(0, last=last) | self.solver.strategy(1, last=last)
            theirs = self.core.current_strategy() if last else self.core.average_strategy()
            for key, (node, bucket) in self.bucket.items():
                row = np.array(list(theirs[key].values()))
                found = max(found, float(np.abs(row - both[node][:, bucket]).max()))
        return found


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["abstract", "best response"])
@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("name", GAMES)
def test_iterations_are_those_of_the_core(name: str, cut: str, opponent: Opponent) -> None:
    twins = Twins(name, cut, opponent, "cfr+" if cut == "nested" else "cfr")
    twins.randomise()
    for _ in range(3):
        twins.solver.run(1)
        twins.core.run(1)
        assert twins.distance() < 1e-8
    lifted = twins.abstraction.lift(twins.core.average_strategy())
    wanted = evaluate(lifted)
    measured = twins.solver.measure()
    assert measured.values == pytest.approx(wanted.values, abs=1e-8)
    assert measured.nash_conv == pytest.approx(wanted.nash_conv, abs=1e-8)
    last = twins.solver.measure(last=True)
    wanted = evaluate(twins.abstraction.lift(twins.core.current_strategy()))
    assert last.nash_conv == pytest.approx(wanted.nash_conv, abs=1e-8)


@pytest.mark.parametrize(("cut", "variant"), [("nested", "cfr"), ("forgetful", "cfr+")])
def test_an_opponent_with_all_hands_is_a_seat_that_merges_nothing(cut: str, variant: str) -> None:
    """Two plain games, in each of which one seat alone has buckets."""
    engine, tree = engine_of("flop"), plain("flop")
    counts, nested = CUTS[cut]
    buckets = percentile_buckets(engine, counts, nested=nested)
    solver = BucketSolver(engine, buckets, "all hands", variant)
    places = places_of(engine, tree).items()
    cores = []
    for seat in (0, 1):
        keys = {
            key: f"{node}|{int(buckets.of_row[int(engine.rows.first[board]) + row])}"
            for key, (board, node, row, _) in places
            if engine.tree.player[node] == seat
        }
        merged = merged_tree(Abstraction.from_keys(tree, keys))
        cores.append((HistoryCFR(merged, variant), sorted(set(keys.values()))))
    for _ in range(4):
        solver.run(1)
        for seat, (core, names) in enumerate(cores):
            core.run(1)
            for last in (False, True):
                played = solver.strategy(seat, last=last)
                theirs = core.current_strategy() if last else core.average_strategy()
                for name in names:
                    node, bucket = map(int, name.split("|"))
                    row = np.array([*theirs[name].values()])
                    np.testing.assert_allclose(played[node][:, bucket], row, atol=1e-8)


@pytest.mark.slow
def test_threads_change_no_bit() -> None:
    tables: list[list[FloatArray]] = []
    for threads in (1, 3):
        engine = Engine(limit((0, 3), 10, 0), threads)
        buckets = percentile_buckets(engine, (3, 4), nested=True)
        tables.append([])
        for opponent in OPPONENTS:
            solver = BucketSolver(engine, buckets, opponent).run(3)
            assert solver.iteration == 3
            tables[-1] += [*solver.regrets, *solver.totals]
    for one, other in zip(*tables, strict=True):
        assert one.tobytes() == other.tobytes()


def test_strengths_are_equities() -> None:
    """Against a random hand; before the board a mean over boards, so that all hands have a half."""
    engine = engine_of("flop")
    rows, table = engine.rows, engine.table
    strength = hand_strength(table, rows, engine.game.rules.lowest_rank)
    board = len(table.cards) - 1
    shown = strengths_on(table.cards[board])
    others = np.flatnonzero(free_hands(table.cards[board], engine.game.rules.lowest_rank))
    first = int(rows.first[board])
    for row in range(first, first + int(table.rows[board])):
        hand = int(rows.hand[row])
        met = [k for k in others.tolist() if not COMBO_MASKS[k] & COMBO_MASKS[hand]]
        won = [(1.0 + np.sign(shown[hand] - shown[k])) / 2.0 for k in met]
        assert strength[row] == pytest.approx(np.mean(won), abs=1e-12)
    weight = row_weights(table, rows)
    street = np.repeat(table.street, np.diff([*rows.first, len(rows.hand)]))
    for own in (street == 0, street == 1):
        assert weight[own] @ strength[own] / weight[own].sum() == pytest.approx(0.5, abs=1e-12)


def test_percentiles_have_equal_shares() -> None:
    engine = Engine(limit((0, 3), 8, 0))
    weight = row_weights(engine.table, engine.rows)
    street = np.repeat(engine.table.street, np.diff([*engine.rows.first, len(weight)]))
    for counts, nested, wanted in (((5, 5), True, (5, 25)), (("all", 40), False, (25, 40))):
        buckets = percentile_buckets(engine, counts, nested=nested)
        assert buckets.counts == wanted
        flop = street == 1
        shares = np.bincount(buckets.of_row[flop], weight[flop], wanted[1])
        # Of 20 cards many hands are equally strong, and hands of one strength stay together.
        assert shares.max() < 4.0 * shares.mean()
        fifth = wanted[1] // 5
        parts = [shares[k : k + fifth].sum() for k in range(0, wanted[1], fifth)]
        assert max(parts) < 1.5 * min(parts)


def test_what_has_no_percentiles_is_refused() -> None:
    engine = engine_of("one-card")
    for counts in ((5,), (5, 5, 5), (0, 5), (5, "all")):
        with refuses(ConfigError, option="counts", given=counts):
            percentile_buckets(engine, counts, nested=False)
    to_come = Engine(limit((0, 1, 1), 11, 0, last=1))
    with refuses(UnsupportedError, option="last_street"):
        percentile_buckets(to_come, (2, 2), nested=True)
    buckets = percentile_buckets(engine, (2, 2), nested=True)
    with refuses(MismatchError, option="buckets"):
        BucketSolver(engine_of("flop"), buckets)
    with refuses(ConfigError, option="opponent", given="nobody"):
        BucketSolver(engine, buckets, unchecked("nobody"))
    with refuses(ConfigError, option="algorithm"):
        BucketSolver(engine, buckets, algorithm="pcfr+")


@pytest.mark.parametrize("cut", CUTS)
def test_nested_buckets_forget_nothing(cut: str) -> None:
    twins = Twins("one-card", cut, "best response")
    kinds = {recall.kind for recall in classify_recall(twins.abstraction)}
    assert (kinds == {"perfect"}) == CUTS[cut][1]
