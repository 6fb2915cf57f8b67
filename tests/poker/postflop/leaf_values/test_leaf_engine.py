"""One street over leaf values: against the whole spot with later streets locked, each iterate.

And leaves that are checked down against sums over all hands and cards, written down anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, MemoryBudgetError, MismatchError, UnsupportedError
from equilibrist.kernels.poker.postflop_arrays import ACTION
from equilibrist.poker.cards.cards import NUM_CARDS, parse_cards
from equilibrist.poker.cards.combos import COMBO_MASKS, NUM_COMBOS
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.engine.holdem_game import holdem_game
from equilibrist.poker.postflop.engine.leaf_engine import LeafEngine
from equilibrist.poker.postflop.engine.leaves import HoldemLeafValues, Leaves, ValuesOfArrays
from equilibrist.poker.postflop.leaf_values.check_down import CheckDown
from equilibrist.poker.postflop.leaf_values.fixed_strategy import FixedStrategies
from equilibrist.poker.postflop.solving.leaf_solver import LeafSolver
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.solving.variants import SPOT_VARIANT
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.typing import FloatArray
from tests.refusals import refuses

TURN = Spot(
    board="Td9d6hQc", oop="AA,TT,KQs,A5s,87s", ip="KK,99,QJs,AJs,54s,AA:0.3", pot=200, stack=300,
    bets="60%", raises="a",
)  # fmt: skip
FLOP = TURN.replace(board="Td9c6h", oop="AcAd,TcTs,KhQh,8s7s", ip="KcKs,QdJd,Ac5c,5s4s:0.5")
ITERATIONS = 12


def locked_below(solver: SpotSolver) -> dict[int, Callable[[tuple[int, ...]], FloatArray]]:
    """Locks of all decisions of later streets at the average strategies of a solver."""
    layout = solver.engine.layout
    tree, strategies = layout.game.tree, solver.engine.arena.strategies()

    def lock(node: int) -> Callable[[tuple[int, ...]], FloatArray]:
        (place,) = np.flatnonzero(layout.betting.node == node)
        player, actions = int(tree.player[node]), int(tree.num_children[node])

        def fixed(cards: tuple[int, ...]) -> FloatArray:
            board = layout.path(cards)[-1]
            shares = np.full((actions, len(layout.game.weights[player])), np.nan)
            shares[:, layout.table.held(board)[player]] = strategies(int(place), board)
            return shares

        return fixed

    later = (tree.kind == ACTION) & (tree.street > solver.spot.first_street)
    return {node: lock(node) for node in np.flatnonzero(later).tolist()}


def root_numbers(engine: Any, name: str) -> list[Any]:
    """The numbers of both players on the first board."""
    boards, betting = engine.layout.table.boards, engine.layout.betting
    numbers = []
    for player in (0, 1):
        start = int(boards.arena[player, 0])
        size = int(betting.rows[player, 0]) * int(boards.width[player, 0])
        numbers.append(getattr(engine.arena.store, name)[start : start + size])
    return numbers


@pytest.mark.parametrize("spot", [TURN, pytest.param(FLOP, marks=pytest.mark.slow)])
def test_iterates_are_those_of_the_whole_spot(spot: Spot) -> None:
    solver = SpotSolver(spot, storage="float64", isomorphism=False, threads=1).run(5)
    over_leaves = LeafEngine(spot, solver.engine.game, FixedStrategies(solver))
    locked = replace(solver.engine.game, locks=locked_below(solver))
    whole = Engine(locked, "float64", threads=1)
    for row in solver.variant.table(1, ITERATIONS):
        whole.run(row[None])
        over_leaves.run(row[None])
        for name in ("regret", "total"):
            pairs = zip(root_numbers(whole, name), root_numbers(over_leaves, name), strict=True)
            for there, here in pairs:
                largest = np.abs(there).max()
                np.testing.assert_allclose(here, there, rtol=0, atol=1e-12 * largest)
    for player in (0, 1):
        assert over_leaves.expected(player) == pytest.approx(whole.expected(player), rel=1e-12)
    assert over_leaves.estimated_gain() == pytest.approx(whole.mean_gain(), rel=1e-9)


@pytest.mark.parametrize("board", ["Td9d6h", "Td9d6d5d"])
def test_suit_images_of_cards_are_valued_once(board: str) -> None:
    spot = TURN.replace(board=board)
    num_cards = len(spot.cards) + 1
    engines = [
        LeafEngine(spot, holdem_game(spot, isomorphism=once), CheckDown(num_cards))
        for once in (True, False)
    ]
    for engine in engines:
        engine.run(SPOT_VARIANT.table(1, 6))
    assert engines[0].num_leaves < engines[1].num_leaves
    for name in ("regret", "total"):
        pairs = zip(*(root_numbers(engine, name) for engine in engines), strict=True)
        for once, every in pairs:
            np.testing.assert_allclose(once, every, rtol=0, atol=1e-11 * np.abs(every).max())


def checked_down(spot: Spot, reach: list[FloatArray], player: int, pot: float, paid: float) -> Any:
    """float64[1326]: what hands win if nobody bets any more: hand by hand, card by card."""
    free = [card for card in range(NUM_CARDS) if card not in spot.cards]
    to_come = 5 - len(spot.cards)
    won = np.zeros(NUM_COMBOS)
    own, theirs = np.flatnonzero(spot.ranges[player].weights), np.flatnonzero(reach[1 - player])
    for cards in combinations(free, to_come):
        strength = combo_strengths((*spot.cards, *cards)).astype(np.int64)
        mask = sum(1 << card for card in cards)
        for hand in own[(COMBO_MASKS[own] & np.uint64(mask)) == 0]:
            there = theirs[
                ((COMBO_MASKS[theirs] & np.uint64(mask)) == 0)
                & ((COMBO_MASKS[theirs] & COMBO_MASKS[hand]) == 0)
            ]
            share = (np.sign(strength[hand] - strength[there]) + 1) / 2
            won[hand] += reach[1 - player][there] @ (pot * share - paid)
    boards = 1.0
    for number in range(to_come):
        boards *= (NUM_CARDS - len(spot.cards) - 4 - number) / (number + 1)
    return won / boards


@pytest.mark.slow
def test_lines_are_worth_what_hands_win_checked_down() -> None:
    """Leaves, over all cards that neither hand blocks; and lines that are all-in before that."""
    spot = FLOP.replace(oop="AcAd,8s7s", ip="KcKs,Ac5c")
    engine = LeafEngine(spot, holdem_game(spot), CheckDown())
    lines = engine._lines
    assert 0 < lines.are_leaves.sum() < len(lines.nodes)
    drawn = np.random.default_rng(3)
    combos = [np.flatnonzero(held.weights) for held in spot.ranges]
    reach = [drawn.random((len(lines.nodes), len(held))) for held in combos]
    for rows in reach:  # hands that play elsewhere are valued, too: regrets need what they miss
        rows[:, 0] = 0.0
    for player in (0, 1):
        values = engine.line_values(player, reach)
        for line in (0, int(np.flatnonzero(~lines.are_leaves)[0])):
            whole = [np.zeros(NUM_COMBOS), np.zeros(NUM_COMBOS)]
            for who in (0, 1):
                whole[who][combos[who]] = reach[who][line]
            wanted = checked_down(spot, whole, player, lines.pots[line], lines.paid[line])
            np.testing.assert_allclose(values[line], wanted[combos[player]], rtol=1e-10, atol=1e-9)


class Recording:
    """Leaf values that keep what they were asked."""

    name, identity, num_cards = "recording", "", 5

    def __init__(self) -> None:
        self.asked: list[tuple[Leaves, FloatArray]] = []

    def values(self, leaves: Leaves, ranges: FloatArray, /) -> FloatArray:
        self.asked.append((leaves, ranges))
        return np.zeros(ranges.shape)


def test_leaves_are_asked_once_per_update_with_ranges_that_add_up_to_one() -> None:
    recording = Recording()
    assert isinstance(recording, HoldemLeafValues)
    solver = LeafSolver(TURN, recording)
    recording.asked.clear()  # once, so that kernels are ready
    solver.run(3)
    assert len(recording.asked) == 6
    assert solver.engine.queries == sum(len(leaves.pots) for leaves, _ in recording.asked)
    for leaves, ranges in recording.asked:
        assert leaves.boards.shape == (len(ranges), 5)
        assert set(leaves.boards[:, :4].ravel().tolist()) == {*parse_cards(TURN.board)}
        np.testing.assert_allclose(ranges.sum(axis=2), 1.0)
        blocked = (COMBO_MASKS[None] >> leaves.boards[:, 4:].astype(np.uint64)) & np.uint64(1)
        assert not ranges.sum(axis=1)[blocked == 1].any()
        np.testing.assert_allclose(leaves.pots + 2 * leaves.stacks, 200 + 2 * 300)
        assert (leaves.stacks > 0).all()


def test_what_is_refused() -> None:
    with refuses(MismatchError, option="values", given=4, expected=5):
        LeafSolver(TURN, CheckDown())
    with refuses(UnsupportedError, option="values", given="Td9d6hQc2s"):
        LeafSolver(TURN.replace(board="Td9d6hQc2s"), CheckDown(6))
    with refuses(UnsupportedError, option="rake", given=0.05):
        LeafSolver(TURN.replace(rake=0.05), CheckDown(5))
    with refuses(UnsupportedError, option="locks"):
        LeafSolver(TURN.replace(locks=[": frequency = Check 50%"]), CheckDown(5))
    with refuses(UnsupportedError, option="locks", given="X-X|"):
        LeafSolver(TURN.replace(locks=["X-X|: Check 50%"]), CheckDown(5))
    with refuses(ConfigError, option="isomorphism", given=True, expected=False):
        FixedStrategies(SpotSolver(TURN.replace(board="Td9d6d5d"), threads=1))
    for broken in (lambda *_: np.zeros((1, 2, 3)), lambda *asked: np.full(asked[3].shape, np.nan)):
        with refuses(MismatchError, option="values"):
            LeafSolver(TURN, ValuesOfArrays(broken, "broken", num_cards=5)).run(1)


def test_leaves_are_valued_once_before_the_clock_of_a_run_starts() -> None:
    """So that what values them is compiled by then."""
    asked = []

    class Counted(CheckDown):
        def values(self, leaves: Leaves, ranges: FloatArray, /) -> FloatArray:
            asked.append(len(ranges))
            return super().values(leaves, ranges)

    solver = LeafSolver(TURN, Counted(5))
    assert asked
    assert solver.engine.queries == 0
    assert solver.iteration == 0


def test_leaves_whose_card_blocks_all_hands_of_a_player_are_not_asked() -> None:
    """Neither has a range there that would add up to 1."""
    recording = Recording()
    solver = LeafSolver(TURN.replace(oop="AsKs,As8s"), recording).run(2)
    ace = parse_cards("As")[0]
    assert recording.asked
    for leaves, ranges in recording.asked:
        assert ace not in leaves.boards[:, 4]
        np.testing.assert_allclose(ranges.sum(axis=2), 1.0)
    for player in (0, 1):
        assert np.isfinite(solver.engine.values(player)).all()


def test_what_leaf_values_keep_of_boards_is_counted_and_limited() -> None:
    values = CheckDown(5)
    solver = LeafSolver(TURN, values)
    without = LeafSolver(TURN, Recording()).memory_bytes
    kept = solver.run(1).memory_bytes - without
    there = [values._shares(tuple(board), *held) for board, held in asked_boards(solver)]
    assert kept == sum(array.nbytes for arrays in there for array in arrays)
    needed = solver.memory_bytes
    LeafSolver(TURN, values, memory=needed)
    with refuses(MemoryBudgetError, option="memory", given=needed - 1, expected=needed):
        LeafSolver(TURN, values, memory=needed - 1)


def asked_boards(solver: LeafSolver) -> list[tuple[list[int], tuple[bytes, bytes]]]:
    """The boards of all leaves, with the combos that are held, as check-down keeps them."""
    combos = [np.flatnonzero(held.weights).astype(np.int32) for held in solver.spot.ranges]
    held = combos[0].tobytes(), combos[1].tobytes()
    return [(board, held) for board in solver.engine._boards.tolist()]
