"""Locked frequencies of whole ranges: linear programmes, closed forms, files, what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist import load_result
from equilibrist.errors import ConfigError, LockSyntaxError
from equilibrist.game_loading import compile_game
from equilibrist.poker import estimate, solve
from equilibrist.poker.cards.cards import card_mask, parse_card
from equilibrist.poker.cards.combos import parse_combo, without_cards
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.engine.holdem_game import holdem_game
from equilibrist.poker.postflop.solving.run import FREQUENCY_TOLERANCE
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.solving.spot_runs import resume
from equilibrist.poker.postflop.spot.fields import STORAGES, Storage
from equilibrist.poker.postflop.spot.lock import Lock
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.postflop.spot.subgame import subgame_at
from equilibrist.poker.ranges.range import Range
from equilibrist.solvers.matrix.lp import _Programme
from equilibrist.solvers.matrix.payoffs import PayoffEntries
from equilibrist.tree.compile import GameTree
from tests.poker.postflop.engine.engine_games import run
from tests.poker.postflop.engine.spot_game import SpotGame
from tests.poker.postflop.solution.made_up import result_of
from tests.poker.postflop.solving.test_truth import ALIKE, after
from tests.refusals import refuses
from tests.slow_cases import slow_unless

JAM = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="a")
RIVER = Spot(
    board="2s3h9d6cKc",
    oop="QQ,K9s,AKs,T9s,54s:0.5,QJs",
    ip="99,KQs:0.25,A9s,T8s,JTs",
    pot=100,
    stack=200,
    bets="50%, a",
    raises="a",
)


def wanted(tree: GameTree, spot: Spot, line: str, shares: Mapping[str, float]) -> list[Any]:
    """Per action with a frequency: how each sequence of the player counts, which must sum to 0.

    Weights of hands are those of the range: what others hold makes no difference.
    """
    state, _ = spot.rules().follow(line)
    held = spot.ranges[state.player]
    form = tree.sequence_form
    low, high = form.arrays.sequence_offset[state.player : state.player + 2].tolist()
    parent = {own[0]: before for before, own in form.infosets_of(state.player)}
    rows = []
    for action, share in shares.items():
        row = np.zeros(high - low)
        for number, key in enumerate(tree.infoset_keys):
            hand, _, place = key.partition(" ")
            if tree.infoset_player[number] != state.player or place.split() != f"{state}".split():
                continue
            weight = float(held.weights[parse_combo(hand)])
            first = int(tree.action_offset[number])
            own = form.sequence_of_public[first : first + len(tree.action_labels[number])].tolist()
            row[own[tree.action_labels[number].index(action)] - low] += weight
            row[parent[own[0]] - low] -= share * weight
        assert row.any()
        rows.append(row)
    return rows


def constrained_value(spot: Spot, line: str, shares: Mapping[str, float]) -> float:
    """The EV of OOP where the player who acts at a line must take actions with frequencies."""
    from scipy.sparse import csr_array, hstack, vstack

    tree = compile_game(SpotGame(spot))
    form = tree.sequence_form
    sizes = np.diff(form.arrays.sequence_offset).tolist()
    rows, columns, payoff = form.payoff_entries()
    offset = float(form.payoff_offset[0]) / 100.0
    entries = PayoffEntries(rows, columns, payoff / 100.0, offset)
    programme = _Programme.build(tree, sizes, entries)
    extra = np.array(wanted(tree, spot, line, shares))
    if spot.rules().follow(line)[0].player == 0:
        padded = np.pad(extra, ((0, 0), (0, len(programme.cost) - sizes[0])))
        programme = replace(
            programme,
            equal=vstack([programme.equal, csr_array(padded)], format="csr"),
            right=np.pad(programme.right, (0, len(extra))),
        )
    else:  # of the other player, a multiplier each
        nothing = csr_array((programme.equal.shape[0], len(extra)))
        programme = replace(
            programme,
            cost=np.pad(programme.cost, (0, len(extra))),
            below=hstack([programme.below, csr_array(extra.T)], format="csr"),
            equal=hstack([programme.equal, nothing], format="csr"),
        )
    result = programme.solve("simplex")
    assert result.status == 0, result.message
    return float(-result.fun) * 100.0


CASES = [
    ("", {"Bet 50": 0.3}),
    ("", {"Check": 0.05}),
    ("", {"Check": 0.2, "Bet 50": 0.55}),
    ("X", {"All-in 200": 0.4}),
    ("B50", {"Fold": 0.2}),
    ("X-B50", {"Fold": 0.7}),
    ("X-B50", {"All-in 200": 0.25}),
]
"""Of RIVER, of both players, with and without play of their own before."""


def text_of(line: str, shares: Mapping[str, float]) -> str:
    return f"{line}: frequency = " + ", ".join(
        f"{action} {share}" for action, share in shares.items()
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "variant"),
    slow_unless(
        lambda case, variant: variant is None or case in CASES[2:4], CASES, [None, "dcfr-restarts"]
    ),
)
def test_the_linear_programme_agrees(
    case: tuple[str, dict[str, float]], variant: str | None
) -> None:
    line, shares = case
    spot = RIVER.replace(locks=[text_of(line, shares)])
    solver = SpotSolver(spot, algorithm=variant)
    solver.run(500)
    exploitability, missed = solver.mean_gain(), solver.frequency_error()
    assert exploitability < 0.1
    assert missed < 0.002
    value = solver.engine.expected(0)
    assert value == pytest.approx(
        constrained_value(RIVER, line, shares), abs=2 * exploitability + 0.05
    )
    node = result_of(spot, solver.values).at(line)
    found = node.frequency_by_combos
    comes = node.values.weight[0 if line in ("", "X-B50") else 1].sum()
    for action, share in shares.items():
        # reach vanishes where the lock loses, if the average drops early play by restarting
        if variant is None and shares == {"Fold": 0.7}:
            assert 0 < comes < 1e-5
        else:
            assert np.isnan(found[action]) or found[action] == pytest.approx(share, abs=0.002)
    # the frequencies bind: to be free is worth something
    assert solver.mean_gain(unlocked=True) > exploitability + 0.2


@pytest.mark.parametrize("storage", STORAGES)
def test_a_closed_form(storage: Storage) -> None:
    """OOP may bet 60 % of aces and queens, which would like to bet 75 %.

    Kings are kept indifferent as long as one bet of three is a bluff: 80 % of aces and 40 % of
    queens. They call a third, so that aces and queens lose as much by betting one way or the other:
    aces 100 / 3 less than before, queens as much more. OOP wins 70.
    """
    solution = after(JAM.replace(locks=[": frequency = All-in 60%"]), 500, storage=storage)
    aces, queens = np.flatnonzero(Range("AA").weights), np.flatnonzero(Range("QQ").weights)
    played = solution.at("").values.strategy[1]
    assert played[aces].mean() == pytest.approx(0.8, abs=0.01)
    assert played[queens].mean() == pytest.approx(0.4, abs=0.01)
    assert solution.ev[0] == pytest.approx(70, abs=0.25)
    assert solution.at("A").frequency["Call"] == pytest.approx(1 / 3, abs=0.02)
    most = after(JAM.replace(locks=[": frequency = All-in 90%"]), 500, storage=storage)
    played = most.at("").values.strategy[1]
    assert played[aces] == pytest.approx(1, abs=0.01)
    assert played[queens].mean() == pytest.approx(0.8, abs=0.01)
    assert most.ev[0] == pytest.approx(60, abs=0.25)


def test_hands_and_frequencies_together() -> None:
    """Half of the aces bet, whatever it costs; so queens fill up the range."""
    spot = JAM.replace(locks=[": AA = All-in 50%; frequency = All-in 75%"])
    solution = solve(spot, target="0.1%")
    assert solution.stopped_by == "target"
    assert solution.frequency_error is not None
    assert solution.frequency_error <= FREQUENCY_TOLERANCE
    played = solution.at("").values.strategy[1]
    assert played[np.flatnonzero(Range("AA").weights)] == pytest.approx(0.5, abs=1e-6)
    queens = played[np.flatnonzero(Range("QQ").weights)]
    assert queens.mean() == pytest.approx(1.0, abs=0.011)
    document = solution.to_dict()
    assert document["locks"] == [": AA = All-in 0.5; frequency = All-in 0.75"]
    assert document["frequency_error"] == round(solution.frequency_error, 6)
    free = solve(JAM, iterations=5)
    assert free.frequency_error is None
    assert free.to_dict()["frequency_error"] is None


def test_a_target_waits_for_the_frequency() -> None:
    """Exploitability alone is small long before."""
    spot = JAM.replace(locks=[": frequency = All-in 60%"])
    told = []

    def report(progress: Any) -> None:
        told.append((progress.measure_percent, progress.frequency_error))

    solution = solve(spot, target="50%", callbacks=report)
    assert solution.stopped_by == "target"
    assert solution.frequency_error <= FREQUENCY_TOLERANCE
    assert any(share < 50 and missed > FREQUENCY_TOLERANCE for share, missed in told)


TURN = ALIKE.replace(
    locks=[
        "X: frequency = Check 40%",
        "X-X|Ah: frequency = Check 100%",
        "X-X|: frequency = Check 70%",
    ]
)


@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_every_runout_has_its_frequency(storage: Storage) -> None:
    solution = after(TURN, 400, storage=storage)
    solver = SpotSolver(TURN, storage=storage)
    solver.run(400)
    assert solver.frequency_error() < 0.005
    assert len(solver.engine.arena.target_frequencies) == 1 + sum(
        board.street == 1 for board in solver.engine.layout.table.dealt
    )
    for card in ("2c", "2s", "Kd"):
        node = solution.at(f"X-X|{card}")
        assert node.frequency_by_combos["Check"] == pytest.approx(0.7, abs=0.02)
    ace = solution.at("X-X|Ah").frequency_by_combos["Check"]
    assert ace == pytest.approx(1, abs=0.01)
    assert solution.at("X").frequency_by_combos["Check"] == pytest.approx(0.4, abs=0.02)


@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_threads_change_no_bit(storage: Storage) -> None:
    game = holdem_game(TURN)
    engines = [Engine(game, storage, threads=threads) for threads in (1, 3)]
    for engine in engines:
        run(engine, "dcfr", 7)
        assert engine.frequency_error() == engines[0].frequency_error() > 0
        assert engine.mean_gain() == engines[0].mean_gain()
    for ours, others in zip(*(engine.arena.arrays for engine in engines), strict=True):
        np.testing.assert_array_equal(ours, others)


def test_isomorphism_changes_nothing() -> None:
    assert len(TURN.symmetries) == 2
    alone, together = (after(TURN, 2, isomorphism=on) for on in (False, True))
    for line in ("", "X", "X-X|2c", "X-X|2s", "X-X|Ah", "B35-C|2s"):
        pairs = zip(alone.at(line).values, together.at(line).values, strict=True)
        for apart, alike in pairs:
            np.testing.assert_allclose(alike, apart, rtol=1e-3, atol=5e-3)
    one = TURN.replace(locks=["X-X|2c: frequency = Check 70%"])
    assert len(one.symmetries) == 1
    both = one.replace(locks=[*one.locks, "X-X|2s: frequency = Check 70%"])
    assert len(both.symmetries) == 2
    assert len(both.replace(locks=[*one.locks, "X-X|2s: frequency = Check 60%"]).symmetries) == 1


def test_cuts_and_measurements_change_no_bit() -> None:
    solvers = [SpotSolver(TURN) for _ in range(2)]
    solvers[0].run(20)
    for _ in range(4):
        solvers[1].run(5)
        assert solvers[1].mean_gain() > 0
        assert solvers[1].frequency_error() > 0
    assert solvers[0].frequency_error() == solvers[1].frequency_error()
    for ours, others in zip(*(each.engine.arena.arrays for each in solvers), strict=True):
        np.testing.assert_array_equal(ours, others)


def test_runs_go_on(tmp_path: Path) -> None:
    solve(TURN, iterations=20, checkpoint=tmp_path / "run")
    again, whole = resume(tmp_path / "run", iterations=40), solve(TURN, iterations=40)
    assert again.spot == whole.spot
    assert again.exploitability == whole.exploitability
    assert again.frequency_error == whole.frequency_error


def test_solutions_keep_them(tmp_path: Path) -> None:
    solution = solve(TURN, iterations=200)
    for keep in ("all", "no-rivers"):
        solution.save(tmp_path / keep, keep)
        loaded = load_result(tmp_path / keep)
        assert loaded.spot == TURN
        assert loaded.frequency_error == solution.frequency_error
        for line in ("X", "X-X|2c"):
            found = loaded.at(line).frequency_by_combos["Check"]
            assert found == pytest.approx(0.4 if line == "X" else 0.7, abs=0.02)


def test_frequencies_of_a_later_street() -> None:
    """A range that comes may be too poor in what is free: then the nearest that is possible."""
    locks = ["X-X|: QQ = Check 1; frequency = Check 40%", "B35-C|: frequency = Check 30%"]
    spot = ALIKE.replace(locks=locks)
    state, _ = spot.rules().follow("X-X|")
    weight = np.array([Range("QQ,JTs:0.5").weights, spot.ip.weights])
    found = subgame_at(spot, state.line, (parse_card("2c"),), weight)
    assert found
    (lock,) = found.locks
    assert lock.line == ""
    shares = dict(lock.frequency)
    (share,) = shares.values()
    left = without_cards(card_mask([*ALIKE.cards, parse_card("2c")]))
    queens, tens = (np.count_nonzero(left & (Range(hand).weights > 0)) for hand in ("QQ", "JTs"))
    assert share == pytest.approx(queens / (queens + tens / 2), abs=1e-6)
    solve(found, iterations=2)


def test_estimates_count_them() -> None:
    for spot in (TURN, RIVER.replace(locks=[": frequency = Bet 50 30%"])):
        solver = SpotSolver(spot)
        solver.run(1)
        assert solver.memory_bytes <= estimate(spot).memory_bytes() <= 1.3 * solver.memory_bytes


def test_frequencies_tell_locks_apart() -> None:
    lock = Lock("B50", {"KK": {"Call": 1}}, frequency={"Fold": 0.25})
    other = Lock("B50", {"KK": {"Call": 1}}, frequency={"Fold": 0.125})
    assert lock != other
    assert lock.without_frequency() == other.without_frequency() == Lock.parse("B50: KK = Call 1")


def test_files_come_back(tmp_path: Path) -> None:
    spot = RIVER.replace(
        locks=[
            Lock("", {"QQ": {"Check": 0.5}}, frequency={"Bet 50": 0.25, "Check": 0.5}),
            "B50: frequency = Fold 20%",
        ]
    )
    file = tmp_path / "spot.toml"
    file.write_text(spot.to_toml())
    assert 'frequency = { "Bet 50" = 0.25, Check = 0.5 }' in spot.to_toml()
    assert Spot.from_toml(file) == spot
    assert Spot(**spot.model_dump()) == spot


B50, ROOT = "the lock at B50", "the lock at the root"
ONCE = "give it once"
MOST = "give shares that sum to at most 1"
HERE = "Fold, Call, All-in 200"
ROOM = "remove the frequency, or leave more hands free"
REST = "leave one out; it gets the rest"
ACTIONS = 'actions and shares, such as {"Call": 1}'
SUCH = 'give one, such as {"Fold": 0.25}'
BOTH = "X-B50: QQ = F .3; F .4; frequency = Fold 45%"


@pytest.mark.parametrize(
    ("lock", "option", "given", "expected", "place", "remedy"),
    [
        ("B50: frequency =", "lock", "", None, "column 17", None),
        ("B50: frequency = Fold", "lock", "", None, "column 22", None),
        ("B50: frequency = Fold .7, Call .7", "shares", 1.4, None, "frequency", MOST),
        ("B50: frequency = F .1; frequency = C .1", "frequency", None, None, B50, ONCE),
        ("B50: frequency = F .1, F .2", "action", "Fold", None, B50, ONCE),
        ("B50: frequency = R150 .1", "action", "Raise 150", HERE, B50, None),
        ("B50: frequency = F .2, C .2, A .2", "shares", 0.2 * 3, 1, B50, REST),
        ({"line": "B50", "frequency": {}}, "frequency", None, None, "locks", SUCH),
        ({"line": "B50", "frequency": 0.3}, "frequency", 0.3, ACTIONS, "locks", None),
        ({"line": "B50", "frequency": {"F": 2}}, "share", 2, "a number from 0 to 1", "locks", None),
        (": QQ = Check 1; frequency = Bet 50 90%", "frequency", 0.9, "0 to 0.7", ROOT, ROOM),
        (": Bet 50 10%; frequency = Bet 50 90%", "frequency", 0.9, "0.1 to 0.1", ROOT, ROOM),
        (BOTH, "frequency", 0.45, "0.3 to 0.4", "the lock at X-B50", ROOM),
    ],
)
def test_what_is_refused(
    lock: Any, option: str, given: Any, expected: Any, place: str, remedy: str | None
) -> None:
    kind = LockSyntaxError if option == "lock" else ConfigError
    fields = {"given": given, "expected": expected, "place": place, "remedy": remedy}
    with refuses(kind, option=option, **fields):
        RIVER.replace(locks=[lock])


def test_nobody_comes() -> None:
    turn = ALIKE.replace(oop="QhQc", board="Td9d6h5s")
    with refuses(ConfigError, option="hands", place="the lock at X-X|Qh"):
        turn.replace(locks=["X-X|Qh: frequency = Check 40%"])
