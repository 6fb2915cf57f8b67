"""The scale of payoffs: what play can meet, not the largest number in the tree."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from equilibrist import Strategy, compile_game, load_game, solve
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.game_loading import check_game
from equilibrist.tree.compile import GameTree
from equilibrist.tree.payoff_scale import PayoffScale, payoff_centres, payoff_spreads

RPS = [[0, -1, 2], [1, 0, -1], [-1, 1, 0]]
"""Worth 1/12 to the first player."""


def forbidding(penalty: float, unit: float = 1.0, offset: float = 0.0) -> GameTree:
    """`RPS` with a fourth action for both, which costs a penalty unless both take it."""
    rows = [[*row, penalty] for row in RPS] + [[-penalty] * 3 + [0]]
    first = [[unit * x + offset for x in row] for row in rows]
    second = [[-unit * x + offset for x in row] for row in rows]
    return compile_game(load_game(f"matrix(payoffs={[first, second]})"))


def only_ordinary(tree: GameTree) -> np.ndarray:
    """The first three actions, alike, for both players."""
    return np.array([1 / 3, 1 / 3, 1 / 3, 0.0] * 2)


@pytest.mark.parametrize(
    "game",
    [
        "kuhn",
        "leduc",
        "rps",
        "chicken",
        "gibson",
        "battle_of_the_sexes",
        "goofspiel(cards=4)",
        "kuhn(players=3)",
        "matrix(payoffs=[[0,1],[-1,0]])",
        "matrix(payoffs=[[[2,0],[1,1]],[[1,3],[2,2]]])",  # of players with other ranges
        "matrix(payoffs=[[[100,40],[0,10]],[[1,0],[3,2]]])",
    ],
)
def test_in_ordinary_games_it_is_the_range_of_payoffs(game: str) -> None:
    tree = compile_game(load_game(game))
    assert PayoffScale(tree).is_ordinary
    for play in (Strategy.uniform(tree), Strategy.first_action(tree)):
        assert PayoffScale(tree).at(play.probabilities) == tree.payoff_range


@pytest.mark.parametrize("penalty", [14, 20, 30, 1e3, 1e6, 1e9, 1e12])
@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_penalties_count_as_long_as_they_are_paid(penalty: float, unit: float) -> None:
    tree = forbidding(penalty, unit)
    scale = PayoffScale(tree)
    assert scale.least == pytest.approx(3 * unit)
    assert scale.at(only_ordinary(tree)) == pytest.approx(3 * unit)
    assert scale.at(Strategy.uniform(tree).probabilities) == tree.payoff_range
    some = only_ordinary(tree)
    some[:4] = [0.3333, 0.3333, 0.3333, 0.0001]
    lost = 1e-4 * penalty * unit  # what the player expects to pay
    assert scale.at(some) >= lost


@pytest.mark.parametrize("penalty", [14, 20, 30, 100])
def test_the_default_stop_beside_penalties(penalty: float) -> None:
    """A game worth 1/12, solved to 1e-4 of the payoffs from -1 to 2 that play meets."""
    result = solve(forbidding(penalty))
    assert result.evaluation.exploitability <= 3e-4


def test_payoffs_behind_chance_of_zero_do_not_count(tmp_path: Path) -> None:
    """Not for their range, for their sum, nor for rounding errors."""
    file = tmp_path / "never.efg"
    file.write_text(
        'EFG 2 R "never" { "A" "B" }\n'
        'p "" 1 1 "" { "l" "r" } 0\n'
        'c "" 1 "" { "rain" 1 "never" 0 } 0\n'
        't "" 1 "" { 1 -1 }\n'
        't "" 2 "" { 1000000000000 7 }\n'
        't "" 3 "" { -2 2 }\n'
    )
    tree = compile_game(load_game(str(file)))
    assert tree.payoff_range == 3.0
    assert PayoffScale(tree).is_ordinary
    assert tree.min_payoff.tolist() == [-2.0, -1.0]
    assert tree.max_payoff.tolist() == [1.0, 2.0]
    assert tree.constant_sum == 0.0
    assert tree.rounding < 1e-14


@pytest.mark.parametrize("penalty", [1e3, 1e9, 1e12])
def test_a_penalty_hides_no_sum_of_payoffs(penalty: float) -> None:
    """The penalty is paid to the other player; other payoffs are of no constant sum."""
    first, second = [[1, 0, penalty], [-penalty] * 3], [[1, 3, -penalty], [penalty] * 3]
    tree = compile_game(load_game(f"matrix(payoffs={[first, second]})"))
    assert tree.constant_sum is None
    assert not check_game(tree.game).is_constant_sum


def test_an_offset_changes_nothing() -> None:
    tree = forbidding(1e4, offset=1e6)
    assert PayoffScale(tree).at(only_ordinary(tree)) == pytest.approx(3.0)


@pytest.mark.parametrize("penalty", [1e6, 1e9, 1e12])
@pytest.mark.parametrize("offset", [0.0, 1e4, 1e8])
def test_penalties_change_no_spread_however_many(penalty: float, offset: float) -> None:
    """7 of 16 payoffs are penalties, or gained from those of others."""
    walk = forbidding(penalty, offset=offset).walk
    assert payoff_spreads(walk.payoff) == pytest.approx([3.0, 3.0])
    centres = payoff_centres(walk.payoff, np.ones(len(walk.payoff), dtype=np.bool_))
    assert np.abs(centres - offset).max() <= 2.0 if offset else not centres.any()


def test_payoffs_that_chance_may_add_do_not_count() -> None:
    """A coin that is tossed first pays 0 or 1e6, whatever is played afterwards."""
    tree = compile_game(_Bonus())
    assert tree.payoff_range == 1e6 + 3
    uniform = Strategy.uniform(tree).probabilities
    assert PayoffScale(tree).at(uniform) == pytest.approx(3.0)


def test_a_rare_catastrophe_that_is_risked_counts() -> None:
    """What chance may do after a decision is a risk that is taken."""
    tree = compile_game(load_game("matrix(payoffs=[[0],[-400],[-1000000]])"))
    assert PayoffScale(tree).at(np.array([1.0, 0.0, 0.0, 1.0])) == 400.0
    assert PayoffScale(tree).at(np.array([0.0, 0.5, 0.5, 1.0])) == 1e6


class _Bonus:
    """Chance pays the first player 0 or 1,000,000; then both choose one of two numbers."""

    name = "bonus"
    num_players = 2

    def initial_state(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...]) -> int:
        return (CHANCE, 0, 1, TERMINAL)[len(state)]

    def actions(self, state: tuple[int, ...]) -> tuple[str, ...]:
        return ("0", "1")

    def chance(self, state: tuple[int, ...]) -> tuple[float, ...]:
        return (0.5, 0.5)

    def next(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def payoffs(self, state: tuple[int, ...]) -> tuple[float, ...]:
        bonus, first, second = state
        won = ((2, -1), (-1, 1))[first][second] + 1e6 * bonus
        return won, -won

    def infoset(self, state: tuple[int, ...]) -> str:
        return f"{len(state)}"
