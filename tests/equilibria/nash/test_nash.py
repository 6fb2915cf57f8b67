"""Nash equilibria of small games against those known by hand, and methods against each other."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from equilibrist.equilibria import NashEquilibria, nash_equilibria
from equilibrist.equilibria.nash import gambit, solving
from equilibrist.equilibria.nash.candidates import Candidates
from equilibrist.errors import ConfigError, RecallError, UnknownNameError, UnsupportedError
from equilibrist.game import TERMINAL
from equilibrist.game_loading import compile_game
from equilibrist.games.library.matrix import MatrixGame
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses
from tests.slow_cases import slow
from tests.small_games import Written

# QuantEcon compiles its support enumeration in every process anew, for ten seconds.
COMPLETE = ("support-enumeration", "gambit-enummixed", "gambit-enumpoly")


def rows(found: NashEquilibria) -> list[list[float]]:
    """The probabilities of all equilibria, in an order of their own."""
    return sorted(
        [round(float(p), 9) + 0.0 for p in one.strategy.probabilities] for one in found.equilibria
    )


def near(found: NashEquilibria, expected: list[list[float]]) -> None:
    assert found.rejected == 0
    assert np.array(rows(found)) == pytest.approx(np.array(sorted(expected)), abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("method", COMPLETE)
def test_the_classics(method: str) -> None:
    chicken: list[list[float]] = [[1, 0, 0, 1], [0, 1, 1, 0], [1 / 3, 2 / 3, 1 / 3, 2 / 3]]
    near(nash_equilibria(compile_game("chicken"), method), chicken)
    sexes: list[list[float]] = [[1, 0, 1, 0], [0, 1, 0, 1], [0.6, 0.4, 0.4, 0.6]]
    near(nash_equilibria(compile_game("battle_of_the_sexes"), method), sexes)
    near(nash_equilibria(compile_game("shapley"), method), [[1 / 3] * 6])


def test_lemke_howson_finds_what_paths_lead_to() -> None:
    """In 2x2 coordination paths lead to the pure equilibria alone."""
    near(nash_equilibria(compile_game("chicken"), "lemke-howson"), [[1, 0, 0, 1], [0, 1, 1, 0]])
    near(nash_equilibria(compile_game("shapley"), "lemke-howson"), [[1 / 3] * 6])


def random_table(seed: int) -> GameTree:
    rng = np.random.default_rng(seed)
    return compile_game(MatrixGame.from_tables(rng.integers(-99, 99, (2, 3, 4)).tolist()))


@pytest.mark.slow
@pytest.mark.parametrize("other", [slow("support-enumeration"), "gambit-enumpoly"])
@pytest.mark.parametrize("seed", range(6))
def test_methods_agree_on_random_tables(seed: int, other: str) -> None:
    """Wilson: a game that is not degenerate has an odd number of equilibria."""
    tree = random_table(seed)
    enumerated = nash_equilibria(tree, "gambit-enummixed")
    assert len(enumerated.equilibria) % 2 == 1
    near(nash_equilibria(tree, other), rows(enumerated))
    every = rows(enumerated)
    for row in rows(nash_equilibria(tree, "lemke-howson")):
        assert min(np.abs(np.array(row) - np.array(one)).max() for one in every) < 1e-8


def entry_game() -> GameTree:
    """A firm enters or not; the incumbent fights, and both lose, or shares."""
    answers = {"fight": (-1.0, -1.0), "share": (1.0, 1.0)}
    root = (0, "entrant", {"in": (1, "incumbent", answers), "out": (0.0, 2.0)})
    return compile_game(Written(root, 2, "entry"))


@pytest.mark.slow
def test_a_tree_with_a_component_of_equilibria() -> None:
    """Whoever fights with 1/2 or more keeps the entrant out: its ends are extreme equilibria."""
    tree = entry_game()
    extreme: list[list[float]] = [[1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 0.5, 0.5]]
    near(nash_equilibria(tree, "gambit-enummixed"), extreme)
    near(nash_equilibria(tree, "gambit"), extreme)
    assert [one.evaluation.values for one in nash_equilibria(tree).equilibria] == [
        (1.0, 1.0),
        (0.0, 2.0),
        (0.0, 2.0),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "method", ["lemke-howson", *map(slow, ("support-enumeration", "gambit-lcp")), "gambit-enumpoly"]
)
def test_what_other_methods_find_in_it(method: str) -> None:
    found = nash_equilibria(entry_game(), method)
    assert found.equilibria
    for row in rows(found):
        kept_out = np.allclose(row[:2], [0, 1]) and row[2] >= 0.5 - 1e-9
        assert kept_out or np.allclose(row, [1, 0, 0, 1])


@pytest.mark.slow
def test_kuhn_is_found_on_its_sequences() -> None:
    """It has constant sum: all equilibria have the value -1/18, in Kuhn's family."""
    found = nash_equilibria(compile_game("kuhn"), "gambit")
    assert len(found.equilibria) == 1
    one = found.equilibria[0]
    assert one.evaluation.values == pytest.approx((-1 / 18, 1 / 18), abs=1e-12)
    alpha = one.strategy["1"]["bet"]
    assert one.strategy["3"]["bet"] == pytest.approx(3 * alpha, abs=1e-9)
    assert one.strategy["2b"]["bet"] == pytest.approx(1 / 3, abs=1e-9)


def volunteers() -> GameTree:
    """Three people gain 2 if one of them pays 1."""
    payoffs = np.zeros((3, 2, 2, 2))
    for cell in np.ndindex(2, 2, 2):  # 0 volunteers
        for player in range(3):
            payoffs[(player, *cell)] = 2.0 * (0 in cell) - 1.0 * (cell[player] == 0)
    return compile_game(MatrixGame.from_tables(payoffs.tolist()))


@pytest.mark.slow
def test_three_players_with_an_irrational_equilibrium() -> None:
    """One pays (3), two mix and the third never pays (3), all mix (1)."""
    free = 0.5**0.5
    expected: list[list[float]] = [[1, 0, 0, 1, 0, 1], [0, 1, 1, 0, 0, 1], [0, 1, 0, 1, 1, 0]]
    half = (0.5, 0.5)
    expected += [[*half, *half, 0, 1], [*half, 0, 1, *half], [0, 1, *half, *half]]
    expected += [[1 - free, free] * 3]
    near(nash_equilibria(volunteers()), expected)


def test_a_wrong_equilibrium_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def lies(tree: GameTree) -> Candidates:
        right = Strategy(tree, np.array([0.6, 0.4, 0.4, 0.6]))
        return Candidates("lies", "none", (Strategy.uniform(tree), right))

    monkeypatch.setitem(solving.METHODS, "gambit", lies)
    found = nash_equilibria(compile_game("battle_of_the_sexes"), "gambit")
    assert (len(found.equilibria), found.rejected) == (1, 1)
    assert found.tolerance == pytest.approx(3e-8)
    assert found.equilibria[0].strategy["row"]["bach"] == 0.6


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    kuhn, three = compile_game("kuhn"), compile_game("kuhn(players=3)")
    with refuses(UnknownNameError, option="method"):
        nash_equilibria(kuhn, "simplex")
    for method in ("lemke-howson", "support-enumeration", "gambit-enummixed", "gambit-lcp"):
        with refuses(UnsupportedError, option="num_players", given=3, expected=2):
            nash_equilibria(three, method)
    with refuses(UnsupportedError, option="supports", given="about 10^23", expected=20_000):
        nash_equilibria(three, "gambit")
    with refuses(UnsupportedError, option="bases"):
        nash_equilibria(kuhn, "gambit-enummixed")
    with refuses(UnsupportedError, option="supports", expected=5_000_000):
        nash_equilibria(kuhn, "support-enumeration")
    leduc = compile_game("leduc(suit_isomorphism=true)")
    with refuses(UnsupportedError, option="plans", expected=400):
        nash_equilibria(leduc, "lemke-howson")
    forgets = {
        "l": (0, "again", {"l": (1.0,), "r": (0.0,)}),
        "r": (0, "again", {"l": (0.0,), "r": (1.0,)}),
    }
    tree = compile_game(Written((0, "first", forgets), 1))
    with refuses(RecallError, kind="recall"):
        nash_equilibria(tree, "gambit-enumpoly")
    for package, method in (("quantecon", "lemke-howson"), ("pygambit", "gambit")):
        monkeypatch.setitem(sys.modules, package, None)
        with refuses(ConfigError, option="package", given=package):
            nash_equilibria(compile_game("chicken"), method)


@pytest.mark.parametrize("penalty", [1e3, 1e6, 1e9])
def test_no_gain_is_called_rounding_for_a_penalty(penalty: float) -> None:
    """Rock, paper, scissors of unequal stakes, with an action that costs a penalty."""
    rows = [[0, -1, 2, penalty], [1, 0, -1, penalty], [-1, 1, 0, penalty], [-penalty] * 3 + [0]]
    found = nash_equilibria(compile_game(f"matrix(payoffs={rows})"), "lemke-howson")
    assert found.equilibria
    assert found.tolerance < 1e-5
    for one in found.equilibria:
        assert max(one.evaluation.gains) <= found.tolerance
        assert one.evaluation.values[0] == pytest.approx(1 / 12, abs=1e-5)


class Forced:
    """Three players move 300 times without a choice, and once with one."""

    name, num_players = "forced", 3

    def initial_state(self) -> tuple[int, tuple[int, ...]]:
        return (0, ())

    def player(self, state: tuple[int, tuple[int, ...]], /) -> int:
        step, moved = state
        return TERMINAL if len(moved) == 3 else step % 3 if step < 300 else len(moved)

    def actions(self, state: tuple[int, tuple[int, ...]], /) -> tuple[str, ...]:
        return ("on",) if state[0] < 300 else ("a", "b")

    def chance(self, state: tuple[int, tuple[int, ...]], /) -> tuple[float, ...]:
        return ()

    def next(
        self, state: tuple[int, tuple[int, ...]], action_index: int, /
    ) -> tuple[int, tuple[int, ...]]:
        step, moved = state
        return (step + 1, ()) if step < 300 else (step, (*moved, action_index))

    def payoffs(self, state: tuple[int, tuple[int, ...]], /) -> tuple[float, ...]:
        first, second, third = state[1]
        return (float(first == second), float(second == third), float(third != first))

    def infoset(self, state: tuple[int, tuple[int, ...]], /) -> str:
        step, moved = state
        return f"forced {step}" if step < 300 else f"choice of {len(moved)}"


@pytest.mark.slow
def test_forced_moves_are_kept_from_gambit(monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not come to an end with them; equilibria still say what is played at each."""
    given: list[str] = []
    lines = gambit._lines

    def noted(asked: dict[str, str], name: str) -> Iterator[dict[str, Any]]:
        given.append(asked["efg"])
        return lines(asked, name)

    monkeypatch.setattr(gambit, "_lines", noted)
    tree = compile_game(Forced())
    found = nash_equilibria(tree, "gambit")
    assert "forced" not in given[0].partition("\n")[2]
    (half,) = [one.strategy for one in found.equilibria]
    for key, row in half.to_dict().items():
        assert list(row.values()) == pytest.approx([1.0] if "forced" in key else [0.5, 0.5])


def test_a_game_without_any_choice_needs_no_gambit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gambit, "_lines", None)
    (only,) = nash_equilibria(compile_game(Written((1.0, 2.0), 2)), "gambit").equilibria
    assert only.evaluation.values == (1.0, 2.0)


@pytest.mark.slow
def test_a_part_of_the_extreme_equilibria_is_not_called_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole, lines = nash_equilibria(compile_game("chicken"), "gambit-enummixed"), gambit._lines

    def cut(asked: dict[str, str], name: str) -> Iterator[dict[str, Any]]:
        for line in lines(asked, name):
            is_found = "profile" in line
            yield line
            if is_found:
                raise KeyboardInterrupt

    monkeypatch.setattr(gambit, "_lines", cut)
    found = nash_equilibria(compile_game("chicken"), "gambit-enummixed")
    assert (len(whole.equilibria), len(found.equilibria)) == (3, 1)
    assert (whole.interrupted, found.interrupted) == (False, True)
    assert "all extreme" in whole.claim
    assert "all extreme" not in found.claim


@pytest.mark.slow
@pytest.mark.parametrize("profiles", [0, 1])
def test_gambit_is_killed_with_whoever_waits(
    monkeypatch: pytest.MonkeyPatch, profiles: int
) -> None:
    """A table on which it works for minutes: Ctrl-C ends it, and leaves what it has found."""
    begun: list[subprocess.Popen[str]] = []
    lines = gambit._lines

    class Noted(subprocess.Popen[str]):
        def __init__(self, *arguments: Any, **keywords: Any) -> None:
            super().__init__(*arguments, **keywords)
            begun.append(self)

    def pressing(asked: dict[str, str], name: str) -> Iterator[dict[str, Any]]:
        for k, line in enumerate(lines(asked, name)):
            yield line
            if k == profiles:  # while it waits for the next line
                threading.Timer(0.2, signal.pthread_kill, (main, signal.SIGINT)).start()

    main = threading.main_thread().ident
    monkeypatch.setattr(subprocess, "Popen", Noted)
    monkeypatch.setattr(gambit, "_lines", pressing)
    payoffs = np.random.default_rng(0).integers(0, 9, size=(5, 3, 3, 3, 3, 3))
    tree = compile_game(f"matrix(payoffs={payoffs.tolist()})".replace(" ", ""))
    try:
        found = nash_equilibria(tree, "gambit")
    except KeyboardInterrupt:
        assert profiles == 0
    else:
        assert found.interrupted
        assert found.equilibria
        assert "may be others" in found.claim
    assert begun[0].poll() is not None
