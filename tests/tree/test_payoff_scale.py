"""The scale of payoffs: what play can meet, not the largest number in the tree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist import Strategy, compile_game, load_game, solve
from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.game_loading import check_game
from equilibrist.tree.compile import GameTree
from equilibrist.tree.payoff_scale import PayoffScale, payoff_centres, payoff_spreads
from tests.altered_games import Altered

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


class Staked(Altered):
    """A game before which chance deals stacks, large ones mostly; one of them never."""

    _STACKS = ((0.0, 0.0), (1e6, 2e6), (3e6, -1e6), (1e9, 1e9))
    _CHANCE = (0.5, 0.3, 0.2, 0.0)

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game, "stacks")

    def initial_state(self) -> tuple[Any, int | None]:
        return self.game.initial_state(), None

    def player(self, state: Any, /) -> int:
        return CHANCE if state[1] is None else self.game.player(state[0])

    def actions(self, state: Any, /) -> Sequence[str]:
        return ("a", "b", "c", "d") if state[1] is None else self.game.actions(state[0])

    def chance(self, state: Any, /) -> Sequence[float]:
        return self._CHANCE if state[1] is None else self.game.chance(state[0])

    def next(self, state: Any, action_index: int, /) -> tuple[Any, int]:
        if state[1] is None:
            return state[0], action_index
        return self.game.next(state[0], action_index), state[1]

    def payoffs(self, state: Any, /) -> tuple[float, ...]:
        stacks = self._STACKS[state[1]]
        return tuple(u + s for u, s in zip(self.game.payoffs(state[0]), stacks, strict=True))

    def infoset(self, state: Any, /) -> str:
        return self.game.infoset(state[0])


def walked(tree: GameTree, strategy: Strategy) -> list[tuple[float, tuple[float, ...], object]]:
    """The ends that play comes to, from the rules alone.

    Returns:
        Their probability and payoffs, and the history from which on somebody decides.
    """
    game, ends = tree.game, []
    waiting: list[tuple[Any, float, tuple[int, ...], object]] = [
        (game.initial_state(), 1.0, (), ())
    ]
    while waiting:
        state, chance, path, decided = waiting.pop()
        player = game.player(state)
        if player == TERMINAL:
            ends.append((chance, tuple(game.payoffs(state)), decided or path))
            continue
        if player == CHANCE:
            probabilities = list(game.chance(state))
        else:
            infoset = tree.index(game.infoset(state))
            probabilities = strategy.probabilities[tree.actions_of(infoset)].tolist()
            decided = decided or ("from", *path)
        for action, probability in enumerate(probabilities):
            if probability > 0.0:
                below = game.next(state, action)
                waiting.append((below, chance * probability, (*path, action), decided))
    return ends


@pytest.mark.parametrize("base", ["kuhn", "matrix(payoffs=[[0,-1,2],[1,0,-1],[-1,1,0]])"])
@pytest.mark.parametrize("play", [Strategy.uniform, Strategy.first_action])
def test_stacks_that_chance_deals_are_told_apart_from_what_is_played_for(
    base: str, play: Callable[[GameTree], Strategy]
) -> None:
    """What is said to lie within some width does, in a walk through all ends that play meets."""
    tree = compile_game(Staked(load_game(base)))
    strategy = play(tree)
    ends = walked(tree, strategy)
    whole = [np.ptp([paid[p] for _, paid, _ in ends]) for p in (0, 1)]
    assert max(whole) >= 3e6
    expected: dict[object, np.ndarray] = defaultdict(lambda: np.zeros(3))
    for chance, paid, start in ends:
        expected[start] += chance * np.array([1.0, *paid])
    centred = [np.array(p) - expected[s][1:] / expected[s][0] for _, p, s in ends]
    in_play = PayoffScale(tree).in_play(strategy.probabilities)
    assert in_play.is_centred
    assert in_play.outside == pytest.approx(0.0, abs=1e-12)
    assert in_play.width == pytest.approx(np.ptp(centred, axis=0).max(), abs=1e-8)
    assert in_play.width <= in_play.scale * (1.0 + 1e-9)


def test_what_is_expected_of_far_payoffs_is_told() -> None:
    tree = forbidding(1e6)
    some = only_ordinary(tree)
    some[:4] = [0.333, 0.333, 0.333, 0.001]
    in_play = PayoffScale(tree).in_play(some)
    ends = walked(tree, Strategy(tree, some))
    near = [paid[0] for _, paid, _ in ends if abs(paid[0]) < 10.0]
    assert in_play.width == np.ptp(near) == 3.0
    assert not in_play.is_centred
    away = [chance * (abs(paid[0]) - 1.0) for chance, paid, _ in ends if abs(paid[0]) > 10.0]
    assert in_play.outside == pytest.approx(2.0 * sum(away), rel=1e-5)


@pytest.mark.parametrize("bonus", [0.0, 1e6])
def test_a_note_says_within_how_much_payoffs_lie(bonus: float) -> None:
    """Beside a bonus of chance, and beside a penalty that nobody pays."""
    game = _Bonus() if bonus else forbidding(1e6).game
    result = solve(game)
    in_play = PayoffScale(result.strategy.tree).in_play(result.strategy.probabilities)
    assert in_play.is_centred == bool(bonus)
    note = result.notes[-1]
    assert f"within {in_play.width:g} of each other" in note
    assert ("first moves of chance" in note) == bool(bonus)


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


@pytest.mark.parametrize("penalty", [1e9, 1e12, 1e15])
@pytest.mark.parametrize("offset", [0.0, 5.0])
def test_units_are_those_of_the_payoffs_in_play(penalty: float, offset: float) -> None:
    """Values are as large as they are; 0 is small beside the payoffs in play, not beside others."""
    unit = 1e-6
    tree = forbidding(penalty, unit, offset)
    units = PayoffScale(tree).units()
    assert units.payoff(0, offset) == pytest.approx(3 * unit)
    assert units.gain(1, 1e-3 * unit) == pytest.approx(3 * unit)
    assert units.total([1.0, 1.0], 2 * offset) == pytest.approx(3 * unit)
    assert units.mean(offset + 40 * unit) == pytest.approx(40 * unit)
    met = PayoffScale(tree).units(Strategy.uniform(tree).probabilities)
    assert met.payoff(0, offset) > 1e-2 * penalty * unit
