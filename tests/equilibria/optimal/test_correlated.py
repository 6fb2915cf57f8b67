"""Optimal correlation: published figures, the definitions, and one method against the other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.equilibria import CorrelationDevice, correlated
from equilibrist.errors import ConfigError, RecallError, UnknownNameError, UnsupportedError
from equilibrist.game import TERMINAL
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference import correlation as reference
from equilibrist.reference.game_walk import walk
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from tests.equilibria.optimal.optima import ALL, SHERIFF, solved
from tests.equilibria.optimal.vonstengel_forges import FORMULA
from tests.refusals import refuses, unchecked
from tests.slow_cases import slow
from tests.small_games import Written

# Of each: the concepts, the objective, and both players' payoffs, or None where they may vary.
FIGURES = [
    ("chicken", ALL, "welfare", (5.25, 5.25), 10.5),
    ("chicken", ALL, "min:welfare", (3.6, 3.6), 7.2),
    ("bos", ALL, "welfare", None, 5.0),
    ("bos", ALL, "min:welfare", (1.2, 1.2), 2.4),
    ("bos", ALL, "fair", (2.5, 2.5), 2.5),
    ("shapley", ("ce",), "min:0", (1 / 3, None), 1 / 3),
    ("shapley", ("ce",), "player:0", (1 / 2, None), 1 / 2),
    ("shapley", ("cce",), "min:0", (1 / 3, None), 1 / 3),
    ("shapley", ("cce",), "player:0", (2 / 3, None), 2 / 3),
    ("shapley", ("ce", "cce"), "min:welfare", None, 2 / 3),
    ("shapley", ("ce", "cce"), "welfare", None, 1.0),
    ("gibson", ("ce", "cce"), "min:0", (2 / 3, 0), 2 / 3),
    ("gibson", ("ce", "cce"), "player:0", (2, 0), 2.0),
    ("signalling", ("ce",), "player:0", (0, 6), 0.0),
    ("signalling", ("ce",), "player:1", (0, 6), 6.0),
    ("signalling", ("ce",), "min:1", (0, 6), 6.0),
    ("signalling", ("efce", "efcce"), "player:0", (4, 6), 4.0),
    ("signalling", ("efce", "efcce"), "player:1", (3.5, 6.5), 6.5),
    ("signalling", ("cce",), "player:1", (2.5, 7.5), 7.5),
    (SHERIFF, ("ce", "efce", "efcce"), "welfare", (0.75, 0), 0.75),
    (SHERIFF, ("cce",), "welfare", (0.75, 0.375), 1.125),
    (SHERIFF, ("cce",), "player:0", (0.84, 0.24), 0.84),
    ("sheriff", ("efce",), "welfare", (0.75, 0), 0.75),
    ("sheriff", ("efcce",), "welfare", (0.75, 0.3), 1.05),
    ("sheriff", ("efcce",), "player:0", (1, None), 1.0),
    ("sheriff", ("cce",), "welfare", (0.75, 0.375), 1.125),
    ("kuhn", ALL, "player:0", (-1 / 18, 1 / 18), -1 / 18),
    ("kuhn", ALL, "min:0", (-1 / 18, 1 / 18), -1 / 18),
]
CASES = [
    pytest.param(spec, concept, *rest, id=f"{spec}-{concept}-{rest[0]}")
    for spec, concepts, *rest in FIGURES
    for concept in concepts
]


@pytest.mark.by_default(4)
@pytest.mark.parametrize(("spec", "concept", "objective", "payoffs", "best"), CASES)
def test_figures(
    spec: str, concept: str, objective: str, payoffs: tuple[float | None, ...] | None, best: float
) -> None:
    found = solved(spec, concept, objective)
    assert found.optimum == pytest.approx(best, abs=1e-8)
    for value, wanted in zip(found.values, payoffs or (), strict=False):
        assert wanted is None or value == pytest.approx(wanted, abs=1e-8)


@pytest.mark.parametrize("concept", ["ce", "efce", "cce"])
def test_an_unsatisfiable_formula(concept: str) -> None:
    tree = compile_game(FORMULA)
    assert solved(tree, concept, "player:0").optimum == pytest.approx(2 / 3, abs=1e-9)
    assert solved(tree, concept, "min:0").optimum == pytest.approx(1 / 2, abs=1e-9)


def test_the_device_of_chicken() -> None:
    found = solved("chicken", "ce", "welfare")
    table = {
        tuple(int(np.argmax(row[k : k + 2])) for k in (0, 2)): weight
        for weight, row in zip(found.device.weights, found.device.strategies, strict=True)
    }
    assert table == pytest.approx({(0, 1): 0.25, (1, 0): 0.25, (1, 1): 0.5}, abs=1e-9)


def plain(device: CorrelationDevice) -> reference.Device:
    found = []
    for k, weight in enumerate(device.weights.tolist()):
        table = device.profile(k).to_dict()
        found.append((weight, {key: list(row.values()) for key, row in table.items()}))
    return found


@pytest.mark.parametrize("concept", ["efce", "efcce", "nfcce"])
@pytest.mark.parametrize("spec", ["signalling", SHERIFF, "extended_shapley", "kuhn"])
def test_devices_by_an_independent_recursion(spec: str, concept: str) -> None:
    """Gap and payoffs of the device, from the rules; the linear programme is not asked."""
    found = solved(spec, concept, "fair")
    game, profiles = walk(load_game(spec)), plain(found.device)
    for player in range(2):
        gains = reference.gains(game, profiles, player, concept)
        assert reference.gap(game, gains, player) <= 1e-8
        value = sum(w * reference._value(game.root, player, row) for w, row in profiles)
        assert value == pytest.approx(found.values[player], abs=1e-9)


def test_a_device_that_a_single_plan_breaks() -> None:
    """Greenwald and Sarfati's: gaps by hand."""
    first = compile_game("greenwald_sarfati")
    second = compile_game("greenwald_sarfati(example=2)")

    def profile(tree: GameTree, row: str, column: str, left: str, right: str) -> Strategy:
        moves = {"row": row, "column": column, "left": left, "right": right}
        return Strategy.from_dict(
            tree,
            {
                key: {a: float(a == moves[key]) for a in labels}
                for key, labels in zip(tree.infoset_keys, tree.action_labels, strict=True)
            },
        )

    device = CorrelationDevice.of(
        [profile(first, "L", "A", "l", "l"), profile(first, "L", "B", "l", "r")]
    )
    assert device.gaps("efce").total == pytest.approx(1.0, abs=1e-12)
    assert device.gaps("efcce").total == pytest.approx(1.0, abs=1e-12)
    device = CorrelationDevice.of(
        [
            profile(second, "L", "A", "l", "l"),
            profile(second, "L", "B", "l", "r"),
            profile(second, "L", "B", "r", "r"),
        ],
        [0.5, 0.25, 0.25],
    )
    assert device.gaps("efce").total == pytest.approx(0.0, abs=1e-12)
    assert device.gaps("ce").players == pytest.approx((0.5, 0.0), abs=1e-12)
    # The plans that gain are those from which player 0 learns that B was recommended.
    assert device.gaps("ce").largest.gain == pytest.approx(0.25, abs=1e-12)


def test_gibsons_device() -> None:
    """Coarse correlated, but no correlated equilibrium (OpenSpiel tests the same figures)."""
    tree = compile_game("gibson")
    cells = [((1, 0, 0), (1, 0)), ((0, 1, 0), (0, 1)), ((0, 0, 1), (0, 1))]
    rows = np.array([[*row, *column] for row, column in cells], dtype=np.float64)
    device = CorrelationDevice(tree, np.array([0.5, 0.25, 0.25]), rows)
    # The best row without being told is B: 1, and following pays 1.25.
    assert device.gaps("cce").players == pytest.approx((-0.25, 0.0), abs=1e-12)
    assert device.gaps("ce").total == pytest.approx(0.25, abs=1e-12)


def test_products_of_averages_are_no_equilibrium() -> None:
    """Shapley's game: the players' average strategies lose what the device had."""
    found = solved("shapley", "cce", "player:0")
    mean = Strategy(found.device.tree, found.device.weights @ found.device.strategies)
    product = CorrelationDevice.of([mean])
    assert found.device.gaps("cce").total <= 1e-9
    assert product.gaps("cce").total > 0.05


def test_three_players() -> None:
    """Majority of three: correlation can share what each equilibrium gives to two of them."""
    coin = np.zeros((3, 2, 2, 2))
    for cell in np.ndindex(2, 2, 2):
        for p in range(3):
            coin[(p, *cell)] = 3.0 if sum(cell) in (1, 2) and cell.count(cell[p]) == 2 else 0.0
    from equilibrist.games import MatrixGame

    found = solved(compile_game(MatrixGame.from_tables(coin.tolist())), "ce", "fair")
    assert found.method == "plans"
    assert found.values == pytest.approx([2.0] * 3, abs=1e-8)


def test_a_player_who_never_acts_and_one_alone() -> None:
    never = compile_game(Written((0, "a", {"l": (1.0, 5.0), "r": (0.0, 9.0)}), 2))
    assert solved(never, "efce", "player:1").values == pytest.approx((1, 5))
    alone = compile_game(Written((0, "a", {"l": (1.0,), "r": (3.0,)}), 1))
    for concept in ALL:
        assert solved(alone, concept, "min:0").values == pytest.approx((3,))
    nobody = compile_game(Written(("chance", {("h", 0.5): (1.0, 0.0), ("t", 0.5): (0.0, 3.0)}), 2))
    assert solved(nobody, "efce", "fair").values == pytest.approx((0.5, 1.5))


def test_equal_payoffs_everywhere() -> None:
    flat = compile_game(Written((0, "a", {"l": (2.0, 2.0), "r": (2.0, 2.0)}), 2))
    assert solved(flat, "ce", "welfare").values == pytest.approx((2, 2))


def wide(actions: int) -> GameTree:
    from equilibrist.games import MatrixGame

    return compile_game(MatrixGame.from_tables([np.eye(actions).tolist()] * 2))


def forgetful() -> GameTree:
    again = {x: (0, "b", dict.fromkeys("lr", (1.0, 0.0))) for x in "lr"}
    return compile_game(Written((0, "a", again), 2, "forgetful"))


@pytest.mark.parametrize(
    ("call", "kind", "fields"),
    [
        (lambda: correlated(compile_game("leduc"), "efce"), UnsupportedError,
         {"option": "plans", "expected": 200_000}),
        (lambda: correlated(compile_game("kuhn(players=3)"), "cce"), UnsupportedError,
         {"option": "plans", "given": 6_561 * 10_000 * 65_536}),
        (lambda: correlated(compile_game("sheriff"), "ce"), UnsupportedError,
         {"option": "plans", "given": 256 * 2**20}),
        (lambda: correlated(compile_game("signalling"), method="pairs"), UnsupportedError,
         {"option": "method", "given": "pairs", "expected": "plans"}),
        (lambda: correlated(compile_game("kuhn"), method="pairs"), UnsupportedError,
         {"option": "method", "given": "pairs"}),
        (lambda: correlated(compile_game("chicken"), "ce", method="pairs"), ConfigError,
         {"option": "method", "given": "pairs"}),
        (lambda: correlated(compile_game("kuhn(players=3)"), method="pairs"), UnsupportedError,
         {"option": "method", "expected": "plans"}),
        (lambda: correlated(wide(300), "ce"), UnsupportedError,
         {"option": "entries", "given": 2 * 300**3, "expected": 3_000_000}),
        (lambda: correlated(compile_game("chicken"), "nash"), UnknownNameError,
         {"option": "concept", "given": "nash"}),
        (lambda: correlated(compile_game("chicken"), objective="player:2"), UnknownNameError,
         {"option": "objective", "given": "player:2"}),
        (lambda: correlated(compile_game("chicken"), objective=unchecked(1)), ConfigError,
         {"option": "objective", "given": 1}),
        (lambda: correlated(compile_game("chicken"), method="guess"), ConfigError,
         {"option": "method", "given": "guess"}),
        (lambda: correlated(unchecked("chicken")), ConfigError, {"option": "tree"}),
        (lambda: correlated(forgetful()), RecallError, {"infoset": "b"}),
    ],
)  # fmt: skip
def test_what_is_refused(
    call: Callable[[], object], kind: type[Any], fields: dict[str, object]
) -> None:
    with refuses(kind, **fields):
        call()


def test_mixed_profiles_have_no_plan_to_tell() -> None:
    tree = compile_game("kuhn")
    device = CorrelationDevice.of([Strategy.uniform(tree)])
    with refuses(UnsupportedError, option="concept", given="ce"):
        device.gaps("ce")
    assert device.gaps("cce").total > 0


def test_devices_are_saved_and_read(tmp_path: Path) -> None:
    found = solved(SHERIFF, "efce", "welfare")
    path = found.device.save(tmp_path / "device.safetensors")
    again = CorrelationDevice.load(path)
    assert again.values == pytest.approx(found.values, abs=1e-12)
    assert again.gaps("efce") == found.gap


@pytest.mark.parametrize("rounds", [slow(3)])
def test_a_larger_bargain(rounds: int) -> None:
    found = solved(f"sheriff(rounds={rounds})", "cce", "welfare")
    assert found.optimum == pytest.approx(1.125, abs=1e-6)


def test_a_misspelt_concept_suggests_the_finest_too() -> None:
    with pytest.raises(UnknownNameError) as caught:
        correlated(compile_game("chicken"), "ce.")
    assert caught.value.suggestions[0] == "ce"


class Procession:
    """Player 0 says where to go; then both players go there, without a choice, for a long time."""

    name, num_players, length = "procession", 2, 700

    def initial_state(self) -> tuple[int, int]:
        return (0, 0)

    def player(self, state: tuple[int, int], /) -> int:
        return state[1] % 2 if state[1] <= self.length else TERMINAL

    def actions(self, state: tuple[int, int], /) -> tuple[str, ...]:
        return ("left", "right") if state[1] == 0 else ("on",)

    def chance(self, state: tuple[int, int], /) -> tuple[float, ...]:
        return ()

    def next(self, state: tuple[int, int], action_index: int, /) -> tuple[int, int]:
        return (action_index if state[1] == 0 else state[0], state[1] + 1)

    def payoffs(self, state: tuple[int, int], /) -> tuple[float, ...]:
        return (1.0, 2.0) if state[0] == 0 else (2.0, 0.0)

    def infoset(self, state: tuple[int, int], /) -> str:
        return str(state)


@pytest.mark.slow
def test_few_plans_are_taken_where_pairs_are_too_many() -> None:
    """Two joint plans, and some 245,000 pairs of sequences that lie on one path."""
    tree = compile_game(Procession())
    found = correlated(tree, "efce")
    assert found.method == "plans"
    assert found.values == (2.0, 0.0)
    with refuses(UnsupportedError, option="pairs", expected=200_000):
        correlated(tree, "efce", method="pairs")
