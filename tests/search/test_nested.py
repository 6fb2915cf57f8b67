"""A bet off the menu: the subgame after it, solved with the bet's own size."""

from __future__ import annotations

from functools import cache

import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError
from equilibrist.search import Resolved, SearchGame, resolve
from tests.search.pot_bets import PotBets
from tests.search.trunks import LEDUC, trunk
from tests.slow_cases import slow_but

VALUE = -0.125983429
KEEPING = ["resolve", "max-margin", "max-margin(scale=raw)", "constrained"]
SHARES = [0.25, 0.75, 2.0]
"""Of the pot: below the menu, inside it, above it."""


@cache
def wide(seat: int, share: float) -> SearchGame:
    """The game in which a seat may open with so many pots, too."""
    return SearchGame.of(eq.compile_game(PotBets((seat, share))))


@cache
def menu_play(algorithm: str) -> eq.Strategy:
    """A strategy of the game of the menu alone."""
    tree = eq.compile_game(PotBets())
    if algorithm == "lp":
        return eq.solve(tree, "lp").strategy
    return eq.solve(tree, algorithm, iterations=1_000).strategy


def widened(tree: eq.GameTree, narrow: eq.Strategy) -> eq.Strategy:
    """The menu's play in a wider game: the bet is never made, what follows on it is uniform."""
    probabilities = eq.Strategy.uniform(tree).probabilities.copy()
    for number, key in enumerate(tree.infoset_keys):
        if key in narrow:
            row = narrow[key]
            labels = tree.action_labels[number]
            probabilities[tree.actions_of(number)] = [row.get(label, 0.0) for label in labels]
    return eq.Strategy(tree, probabilities)


def answered(share: float, method: str, algorithm: str = "lp") -> list[Resolved]:
    """Both seats' answers to the other's bet."""
    return [
        resolve(
            widened(wide(1 - seat, share).tree, menu_play(algorithm)),
            roots="??:x" if seat == 1 else "??:cx",
            method=method,
            seats=[seat],
            nested=True,
        )
        for seat in range(2)
    ]


def loss(share: float, method: str, algorithm: str = "lp") -> float:
    """The mean loss of both seats."""
    found = answered(share, method, algorithm)
    return sum(found[seat].after[seat] for seat in range(2)) / 2


def test_the_game_of_the_menu() -> None:
    tree = eq.compile_game(PotBets())
    assert tree.num_infosets == 840
    uniform = eq.evaluate(eq.Strategy.uniform(tree))
    assert uniform.exploitability == pytest.approx(5.570833333, abs=1e-9)
    evaluation = eq.solve(tree, "lp").evaluation
    assert evaluation is not None
    assert evaluation.values[0] == pytest.approx(VALUE, abs=1e-9)


@pytest.mark.parametrize("share", slow_but([2.0], SHARES))
def test_values_of_the_wider_games(share: float) -> None:
    """Twice the pot is worth something to the seat that acts last; nothing else is."""
    values = [wide(seat, share).value for seat in range(2)]
    last = -0.156702152 if share == 2.0 else VALUE
    assert values == pytest.approx([VALUE, last], abs=1e-9)


@pytest.mark.parametrize("share", slow_but([0.75], [0.25, 0.75]))
@pytest.mark.parametrize(
    "method", ["resolve", "max-margin", "max-margin(scale=raw)", "constrained"]
)
def test_a_bet_worth_nothing_gains_nothing(share: float, method: str) -> None:
    assert loss(share, method) == pytest.approx(0.0, abs=1e-9)


def test_unsafe_answers_lose() -> None:
    assert loss(0.75, "unsafe") > 0.01


def test_a_bet_that_is_worth_something() -> None:
    """Nothing keeps the alternatives; the least sum of excesses is best, and margins are not."""
    assert loss(2.0, "resolve") == pytest.approx(0.0062, abs=6e-5)
    assert loss(2.0, "max-margin") == pytest.approx(0.0175, abs=6e-5)
    found = answered(2.0, "constrained")
    assert found[0].after[0] == pytest.approx(found[0].completion[0], abs=1e-9)
    assert found[0].bound == (None, 0.0)
    step = found[0].steps[0]
    assert step.margin is not None
    assert step.margin < 0.0


@pytest.mark.slow
def test_a_trunk_that_is_no_equilibrium() -> None:
    """Safe answers leave it as exploitable as it is on the menu."""
    exploitability = eq.evaluate(menu_play("cfr+")).exploitability
    for share in (0.25, 0.75):
        for method in ("resolve", "max-margin", "constrained"):
            assert loss(share, method, "cfr+") == pytest.approx(exploitability, rel=0.2)


def test_roots_that_follow_on_no_move_of_the_opponent() -> None:
    strategy = trunk(LEDUC, "uniform")
    for roots, seats in (("??:c", [0]), ("??:", [0]), ("??:c", [0, 1])):
        with pytest.raises(ConfigError) as refused:
            resolve(strategy, roots=roots, seats=seats, nested=True)
        assert refused.value.option == "nested"
    with pytest.raises(ConfigError) as refused:
        resolve(
            strategy,
            roots="??:c",
            seats=[1],
            nested=True,
            alternatives=lambda values: values.weight,
        )
    assert refused.value.option == "alternatives"
