"""Bets off the menu of a hand: online and offline, kernel and plain recursion, exact figures."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from equilibrist.errors import ConfigError, MemoryBudgetError, MismatchError, UnsupportedError
from equilibrist.kernels.exact_holdem.arrays import BEST
from equilibrist.play.nested_hands import play_nested
from equilibrist.poker import ExactStrategy, Hand, solve_preflop
from equilibrist.poker.hands.betting_tree import DECISION
from equilibrist.poker.preflop.exact.engine import Engine
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.size import exact_size
from equilibrist.progress import Progress
from equilibrist.search.holdem.frame_solver import come_to
from equilibrist.search.holdem.nested import FLOP_MEMORY, NestedHand, NestedSearch
from tests.slow_cases import slow_but

SMALL = "royal(bets=all,stack=8,deck=K)"
SHALLOW = "royal(bets=all,stack=6,deck=K)"
DEEP = "royal(bets=all,stack=12,deck=Q)"
MENU = "100%,a"


@cache
def trunk(name: str, iterations: int = 60, menu: str = MENU) -> ExactStrategy:
    hand = Hand.named(name, bets=menu, raises=menu)
    kept = solve_preflop(hand, "dcfr", iterations=iterations, keep_flops=32, threads=1).kept
    assert kept is not None
    return kept


@cache
def full(name: str) -> ExactGame:
    return ExactGame.of(Hand.named(name))


def search(
    name: str = SMALL,
    method: str = "resolve",
    iterations: int = 30,
    flop_memory: int = FLOP_MEMORY,
) -> NestedSearch:
    return NestedSearch(
        trunk(name), full(name), method, iterations=iterations, flop_memory=flop_memory
    )


@cache
def offline(name: str, method: str, iterations: int) -> NestedHand:
    return search(name, method, iterations).offline(bits=32)


def frames_of(found: NestedSearch, seat: int) -> list[tuple[int, int]]:
    """The whole game's decisions that a seat meets behind a bet off the menu, with streets."""
    streets = found.full.tree.street
    return [
        (node, int(streets[node]))
        for node, (number, _) in found.frames[seat].place.items()
        if number
    ]


def test_the_same_bits_online_as_offline() -> None:
    """Solved alone on the way, or beside all others of the street beforehand."""
    strategy = offline(SHALLOW, "resolve", 10).strategy
    online = search(SHALLOW, iterations=10)
    boards = len(online.trunk.layout.table.cards)
    checked = 0
    for seat in (0, 1):
        for node, street in frames_of(online, seat)[::3]:
            board = boards - 1 if street else 0
            played = online.probabilities(node, board)
            stored = (1.0 / played.max(axis=0) * played).astype(np.float32)
            span = strategy.numbers[seat][strategy.layout.span(board, seat)]
            kept = strategy.layout.numbers_at(span, board, node)
            np.testing.assert_array_equal(stored, kept.astype(np.float32))
            checked += street
    assert checked > 1


@pytest.mark.parametrize("method", slow_but(["resolve"], ["resolve", "max-margin", "unsafe"]))
def test_values_of_the_kernel_and_of_a_plain_recursion(method: str) -> None:
    found = search(method=method)
    unit = float(found.full.big_blind)
    for seat in (0, 1):
        engine = found._menu_engine
        rows = int(found.trunk.layout.table.rows[0])
        top = found._come_to(seat, 0, 0, 0)
        np.testing.assert_allclose(top.value, engine.values(BEST)[1 - seat][:rows], atol=1e-9)
        for street in (0, 1):
            frame = found.frames[seat].at(street)[-1]
            board = len(found.trunk.layout.table.cards) - 1 if street else 0
            found._ensure(seat, frame.number, board)
            solved = found._solved[seat, frame.number, board]
            below = None if street else solved.below(frame.number)
            comes = come_to(
                frame.tree,
                0,
                seat,
                solved.play(frame.number, board),
                solved.start_of(frame.number),
                found._tables_on(board),
                unit,
                below,
            )
            at = [each.number for each in solved.game.frames].index(frame.number)
            np.testing.assert_allclose(solved.worth[at], comes[0].value, atol=1e-6)


def test_bets_that_gain_nothing() -> None:
    """The menu loses nothing by its own bets here: its exploitability is all that is left."""
    own = trunk(SHALLOW).measure(threads=1).nash_conv
    result = offline(SHALLOW, "resolve", 100)
    assert result.before.nash_conv > 500 * own
    assert result.after.nash_conv == pytest.approx(own, abs=5e-6)
    assert result.subgames > 0
    assert not result.interrupted


@pytest.mark.slow
def test_bets_that_gain_something() -> None:
    """Safe methods lose a small part of what translation loses, and unsafe ones more than it."""
    losses = {
        method: offline(DEEP, method, 100).after.nash_conv
        for method in ("resolve", "max-margin", "constrained", "unsafe")
    }
    before = offline(DEEP, "resolve", 100).before.nash_conv
    assert losses["resolve"] < 0.05 * before
    assert losses["max-margin"] < 0.1 * before
    assert losses["constrained"] < before
    assert losses["resolve"] == min(losses.values())


def test_ctrl_c_keeps_the_boards_that_are_done() -> None:
    def interrupt(progress: Progress) -> bool:
        return progress.iteration < 3

    stopped = search().offline(bits=32, callbacks=interrupt)
    whole = offline(SMALL, "resolve", 30)
    assert stopped.interrupted
    assert stopped.subgames < whole.subgames
    assert stopped.before.best_values == whole.before.best_values
    assert stopped.after.nash_conv > whole.after.nash_conv


def test_hands_against_any_bet() -> None:
    seen: list[Progress] = []
    played = play_nested(search(), 12, seed=3, callbacks=seen.append)
    assert played.score.hands == 12
    assert played.solves > 0
    assert played.decisions >= 6
    assert 0.0 < played.mean_seconds <= played.most_seconds
    assert [progress.iteration for progress in seen] == [*range(12)]
    assert play_nested(search(), 12, seed=3).score == played.score


def test_bad_arguments() -> None:
    for method in ("reach", "estimate-resolve"):
        with pytest.raises(ConfigError) as refused:
            search(method=method)
        assert refused.value.option == "method"
    with pytest.raises(MismatchError):
        NestedSearch(trunk(SMALL), full(DEEP))
    narrow = ExactGame.of(Hand.named(SMALL, bets="50%", raises="50%"))
    with pytest.raises(MismatchError) as mismatch:
        NestedSearch(trunk(SMALL), narrow)
    assert mismatch.value.option == "trunk"
    turn = {"board": (3, 1), "bets": "a", "raises": "a"}
    kept = solve_preflop(Hand.named(SMALL, **turn), iterations=1, keep_flops=32, threads=1).kept
    assert kept is not None
    with pytest.raises(UnsupportedError) as unsupported:
        NestedSearch(kept, kept.game)
    assert unsupported.value.option == "game"
    found = search()
    met = set(found.frames[0].place) | set(found.frames[1].place)
    tree = found.full.tree
    other = next(k for k in range(tree.num_nodes) if k not in met and tree.player[k] >= 0)
    with pytest.raises(ConfigError) as nowhere:
        found.probabilities(other, 0)
    assert nowhere.value.option == "node"


def test_an_engine_is_one_of_the_whole_game() -> None:
    found = search(SHALLOW)
    with pytest.raises(ConfigError) as none:
        found.offline(engine="engine")  # type: ignore[arg-type]
    assert none.value.option == "engine"
    with pytest.raises(MismatchError) as other:
        found.offline(engine=Engine(found.menu))
    assert other.value.option == "engine"


def test_memory_counts_all_that_grows_with_the_boards() -> None:
    found = search(SHALLOW)
    kept = search(SHALLOW, iterations=1)
    kept.offline()
    engines = {id(solved): solved.engine for key, solved in kept._solved.items() if not key[2]}
    for seat in (0, 1):
        early = found.frames[seat].at(0)
        slots = sum(int(frame.actions.sum()) for frame in early)
        own = [kept._solved[seat, frame.number, 0] for frame in early]
        trees = {id(solved): solved.engine.tree for solved in own}.values()
        above = [tree.kind[tree.parent[tree.parent >= 0]] for tree in trees]
        assert slots == sum(int((kind == DECISION).sum()) for kind in above)
    assert not any(key[2] for key in [*kept._solved, *kept._comes])
    assert not kept._kept
    assert kept._tables.keys() <= {0}
    alone = exact_size(found.full).num_bytes
    for is_offline in (True, False):
        with pytest.raises(MemoryBudgetError) as refused:
            found.check_fits(1, is_offline=is_offline)
        needed = int(str(refused.value.expected))
        found.check_fits(needed, is_offline=is_offline)
        numbers = sum(engine.totals[0].nbytes for engine in engines.values())
        assert needed > numbers + (alone if is_offline else exact_size(found.menu).num_bytes)


def test_flops_that_were_met_longest_ago_are_forgotten() -> None:
    """What is played does not depend on it, and what is kept is in the estimate."""
    narrow, wide = search(iterations=3, flop_memory=0), search(iterations=3)
    late = {frame.number for frame in wide.frames[0].at(1)}
    node = next(node for node, (number, _) in wide.frames[0].place.items() if number in late)
    boards = range(1, 4)
    played = {board: wide.probabilities(node, board) for board in boards}
    assert {key[2] for key in wide._solved} >= {*boards}
    for board in (*boards, 1):
        np.testing.assert_array_equal(narrow.probabilities(node, board), played[board])
        for kept in (narrow._solved, narrow._comes):
            assert {key[2] for key in kept} <= {0, board}
        assert narrow._tables.keys() <= {0, board}
    room = sum(wide._kept[board] for board in (2, 3))
    assert all(wide._kept[board] > 0 for board in boards)
    two = search(iterations=3, flop_memory=room)
    for board in (2, 1, 2, 3):
        two.probabilities(node, board)
    assert [*two._kept] == [2, 3]
    needed = []
    for found in (narrow, wide):
        with pytest.raises(MemoryBudgetError) as refused:
            found.check_fits(1, is_offline=False)
        needed.append(int(str(refused.value.expected)))
    assert 0 < needed[1] - needed[0] <= wide.flop_memory
    with pytest.raises(ConfigError) as wrong:
        search(flop_memory=-1)
    assert wrong.value.option == "flop_memory"


def test_the_largest_flop_counts_beside_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    found = search(iterations=1, flop_memory=0)
    board = 1 + int(found._table.rows[1:].argmax())
    streets = found.full.tree.street
    for seat in (0, 1):
        for node in found.frames[seat].place:
            if streets[node]:
                found.probabilities(node, board)
    needed = []
    for largest in (found._flop_bytes, lambda *_, **__: 0):
        monkeypatch.setattr(found, "_flop_bytes", largest)
        with pytest.raises(MemoryBudgetError) as refused:
            found.check_fits(1, is_offline=False)
        needed.append(int(str(refused.value.expected)))
    kept = found._kept[board]
    assert kept <= needed[0] - needed[1] < 3 * kept
