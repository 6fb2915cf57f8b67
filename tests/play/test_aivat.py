"""AIVAT against its definition in plain Python, and its mean against exact values."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import MismatchError
from equilibrist.evaluation import expected_values
from equilibrist.game import CHANCE
from equilibrist.games import load_game
from equilibrist.play import Agent, Aivat, Person, Session, StrategyAgent, Table, UniformAgent
from equilibrist.play.agents import PackedAgent
from equilibrist.play.table import Move
from equilibrist.rules.strategy import PackedStrategy
from equilibrist.strategy import Strategy
from tests.refusals import refuses
from tests.small_games import Written
from tests.strategy.random_strategies import random_strategy

GAMES = ["kuhn", "leduc(ranks=2,raise_cap=1)", "kuhn(players=3)", "liars_dice(sides=2)", "bos"]
Hand = tuple[tuple[int, ...], float, tuple[float, ...]]


def mixture(strategy: Strategy, table: Table) -> list[float]:
    if table.player == CHANCE:
        return list(table.chance)
    return list(strategy[table.infoset].values())


def hands(profile: Strategy) -> Iterator[Hand]:
    """Every hand: the moves, how likely they are, what they pay."""
    waiting = [(Table.start(profile.tree.game), 1.0)]
    while waiting:
        table, reach = waiting.pop()
        if table.over:
            yield tuple(move.index for move in table.moves), reach, table.payoffs
            continue
        for index, p in enumerate(mixture(profile, table)):
            waiting.append((table.play(index), reach * p))


def by_definition(values: Strategy, known: dict[int, Strategy]) -> dict[tuple[int, ...], Any]:
    """The paper's estimate of every hand, by walking the rules."""

    def worth(table: Table) -> Any:
        if table.over:
            return np.array(table.payoffs)
        return sum(p * worth(table.play(i)) for i, p in enumerate(mixture(values, table)))

    groups: dict[Any, list[tuple[tuple[int, ...], float, Any]]] = defaultdict(list)
    waiting: list[Any] = [(Table.start(values.tree.game), 0.0, 1.0, ())]
    while waiting:
        table, luck, weight, seen = waiting.pop()
        if table.over:
            moves = tuple(move.index for move in table.moves)
            groups[seen].append((moves, weight, np.array(table.payoffs) + luck))
            continue
        children = [table.play(i) for i in range(len(table.actions))]
        if table.player == CHANCE or table.player in known:
            row = mixture(known.get(table.player, values), table)
            worths = [worth(child) for child in children]
            mean = sum(p * w for p, w in zip(row, worths, strict=True))
            for child, p, w in zip(children, row, worths, strict=True):
                waiting.append((child, luck + mean - w, weight * p, seen))
        else:
            for i, child in enumerate(children):
                waiting.append((child, luck, weight, (*seen, table.infoset, i)))
    found: dict[Any, Any] = {}
    for group in groups.values():
        total = sum(weight for _, weight, _ in group)
        if total == 0.0:  # those known never play so
            continue
        mean = sum(weight * value for _, weight, value in group) / total
        found |= {moves: mean for moves, _, _ in group}
    return found


def subsets(players: int) -> list[tuple[int, ...]]:
    return [s for n in range(players + 1) for s in combinations(range(players), n)]


@pytest.mark.parametrize("name", GAMES)
def test_estimates_are_those_of_the_definition(name: str) -> None:
    tree = eq.compile_game(name)
    values, played = random_strategy(tree, 1), random_strategy(tree, 2)
    for players in subsets(tree.num_players):
        known = dict.fromkeys(players, played)
        aivat = Aivat.of(values, known)
        for moves, expected in by_definition(values, known).items():
            assert aivat.estimate(moves) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", [*GAMES, "leduc(ranks=2)"])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_mean_is_the_exact_value_whatever_the_others_do(name: str, seed: int) -> None:
    """Every hand with its probability: no error but rounding, for chance and every seat."""
    tree = eq.compile_game(name)
    values, played = random_strategy(tree, seed), random_strategy(tree, seed + 10)
    others = random_strategy(tree, seed + 20)
    for players in subsets(tree.num_players):
        profile = others
        for player in players:
            profile = profile.replace(player, played)
        aivat = Aivat.of(values, dict.fromkeys(players, played))
        mean, exact = np.zeros(tree.num_players), np.zeros(tree.num_players)
        for moves, reach, payoffs in hands(profile):
            mean += reach * aivat.estimate(moves)
            exact += reach * np.array(payoffs)
        assert mean == pytest.approx(exact, abs=1e-12)
        assert exact == pytest.approx(expected_values(profile), abs=1e-12)
        if len(players) == tree.num_players:
            assert np.ptp([aivat.estimate(m)[0] for m, _, _ in hands(profile)]) < 1e-12


def test_draws_of_agents_of_unknown_strategy_are_corrected() -> None:
    """The mean is exact, and what an agent seldom does at a price of a million is no surprise."""
    cheap = {"bet": (1, "answer", {"call": (1.0, -1.0), "fold": (-1.0, 1.0)}), "cheat": (-1e6, 1e6)}
    tree = eq.compile_game(Written((0, "first", cheap), 2))
    values = Strategy.uniform(tree)
    seldom = Strategy(tree, np.array([1 - 1e-5, 1e-5, 0.25, 0.75]))
    aivat = Aivat.of(values, {1: seldom})
    found = []
    for moves, reach, payoffs in hands(seldom):
        drawn = Move(0, "first", ("bet", "cheat"), moves[0], (1 - 1e-5, 1e-5))
        estimate = aivat.estimate(moves) + aivat.draw_correction(drawn)
        found.append((reach, estimate[0], payoffs[0]))
    assert sum(reach * estimate for reach, estimate, _ in found) == pytest.approx(
        sum(reach * payoff for reach, _, payoff in found), rel=1e-12
    )
    assert np.ptp([estimate for _, estimate, _ in found]) < 1.0


@pytest.mark.parametrize("name", GAMES[:3])
def test_draws_of_agents_leave_the_mean_as_it_is(name: str) -> None:
    tree = eq.compile_game(name)
    values, profile = random_strategy(tree, 1), random_strategy(tree, 2)
    for players in subsets(tree.num_players):
        aivat = Aivat.of(values, dict.fromkeys(players, profile))
        mean = np.zeros(tree.num_players)
        for moves, reach, _ in hands(profile):
            mean += reach * aivat.estimate(moves)
            table = Table.start(tree.game)
            for index in moves:
                if table.player not in (CHANCE, *players):
                    drawn = tuple(mixture(profile, table))
                    move = Move(table.player, table.infoset, table.actions, index, drawn)
                    mean += reach * aivat.draw_correction(move)
                table = table.play(index)
        assert mean == pytest.approx(expected_values(profile), abs=1e-12)


def test_a_wrong_strategy_for_a_known_seat_would_be_noticed() -> None:
    """The test above can fail: the mean is off if a seat plays otherwise than said."""
    tree = eq.compile_game("kuhn")
    values, played, other = (random_strategy(tree, seed) for seed in range(3))
    aivat = Aivat.of(values, {0: other})
    mean = sum(reach * aivat.estimate(moves)[0] for moves, reach, _ in hands(played))
    assert abs(mean - expected_values(played)[0]) > 0.01


class Forgetful(type(load_game("kuhn"))):  # type: ignore[misc]
    """Nobody remembers a card after their first move."""

    def infoset(self, state: Any, /) -> str:
        key = str(super().infoset(state))
        return "?pb" if key.endswith("pb") else key


def test_imperfect_recall_is_allowed() -> None:
    tree = eq.compile_game(Forgetful())
    profile = random_strategy(tree, 3)
    aivat = Aivat.of(random_strategy(tree, 4), {1: profile})
    pairs = [(r, aivat.estimate(m)[0], payoffs[0]) for m, r, payoffs in hands(profile)]
    assert sum(r * e for r, e, _ in pairs) == pytest.approx(sum(r * p for r, _, p in pairs))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "share"), [("kuhn", 0.1), ("leduc", 0.2)])
def test_the_values_of_a_solution_take_most_of_the_variance(name: str, share: float) -> None:
    tree = eq.compile_game(name)
    solution = eq.solve(name, target=1e-3).strategy
    for known in range(2):
        profile = Strategy.uniform(tree).replace(known, solution)
        aivat = Aivat.of(solution, {known: solution})
        weighed = [(r, payoffs[0], aivat.estimate(m)[0]) for m, r, payoffs in hands(profile)]
        mean = sum(r * paid for r, paid, _ in weighed)
        paid = sum(r * (x - mean) ** 2 for r, x, _ in weighed)
        estimated = sum(r * (x - mean) ** 2 for r, _, x in weighed)
        assert estimated < share * paid


class Unknown:
    """Uniform play that says nothing of itself."""

    name = "unknown"

    def mixture(self, table: Table) -> list[float]:
        return [1.0 / len(table.actions)] * len(table.actions)


@pytest.mark.slow
@pytest.mark.parametrize("alternate", [True, False])
@pytest.mark.parametrize("name", ["kuhn", "leduc", "kuhn(players=3)"])
def test_the_score_by_aivat_is_an_estimate_of_the_same(name: str, alternate: bool) -> None:
    tree = eq.compile_game(name)
    solution = eq.solve(name, iterations=200).strategy
    players = tree.num_players
    seats: list[Agent] = [StrategyAgent(solution), *([Unknown()] * (players - 1))]
    session = Session(tree.game, seats, seed=3, alternate=alternate, values=solution)
    for _ in session.play(3000):
        pass
    places = range(players) if alternate else [0]
    uniform = Strategy.uniform(tree)
    exact = sum(expected_values(uniform.replace(p, solution))[p] for p in places) / len(places)
    score = session.aivat_score
    assert score is not None
    half, plain = score.half_widths[0], session.score.half_widths[0]
    assert half is not None
    assert plain is not None
    assert abs(score.means[0] - exact) <= 2.2 * half
    assert half < 0.75 * plain
    assert math.fsum(score.means) == pytest.approx(0.0, abs=1e-9)


def test_every_hand_of_a_person_counts_by_its_estimate() -> None:
    tree = eq.compile_game("kuhn")
    solution = eq.solve("kuhn", iterations=50).strategy
    session = Session(tree.game, [Person("you"), StrategyAgent(solution)], seed=4, values=solution)
    mine = []
    for hand in range(20):
        turn = session.deal()
        while turn is not None:
            turn = session.choose((hand // 2) % 2)
        record = session.last
        assert record is not None
        me = record.seats.index(0)
        estimates = by_definition(solution, {1 - me: solution})
        mine.append(estimates[tuple(move.index for move in record.moves)][me])
    score = session.aivat_score
    assert score is not None
    assert score.means[0] == pytest.approx(sum(mine) / 20)
    spread = math.sqrt(sum((x - score.means[0]) ** 2 for x in mine) / 19 / 20)
    assert score.half_widths[0] == pytest.approx(2.093024 * spread, rel=1e-6)  # t of 19, 97.5 %


def test_all_kinds_of_strategies_are_known() -> None:
    game: Any = load_game("rules:liars_dice(sides=2)")
    tree = eq.compile_game(game)
    packed = PackedStrategy.uniform(game.rules)
    seats: list[Agent] = [PackedAgent(packed, game), UniformAgent()]
    session = Session(game, seats, alternate=False, values=Strategy.uniform(tree))
    for _ in session.play(5):
        pass
    score = session.aivat_score
    assert score is not None
    assert score.means == pytest.approx(expected_values(Strategy.uniform(tree)), abs=1e-12)


def test_values_of_another_game_are_refused() -> None:
    leduc = Strategy.uniform(eq.compile_game("leduc(ranks=2)"))
    with refuses(MismatchError, option="values", given="leduc(ranks=2)", expected="kuhn"):
        Session(load_game("kuhn"), [UniformAgent(), UniformAgent()], values=leduc)
    with pytest.raises(MismatchError):
        Aivat.of(leduc, {0: Strategy.uniform(eq.compile_game("kuhn"))})
    without = Session(load_game("kuhn"), [UniformAgent(), UniformAgent()])
    assert without.aivat_score is None


@pytest.mark.parametrize(
    ("root", "expected"),
    [
        ((3.0, -3.0), {(): 3.0}),
        (
            ("chance", {("x", 0.5): (0, "a", {"l": (1.0, -1.0)}), ("y", 0.5): (2.0, -2.0)}),
            {(0, 0): 1.5, (1,): 1.5},
        ),
    ],
)
def test_games_without_a_choice(root: Any, expected: dict[tuple[int, ...], float]) -> None:
    strategy = Strategy.uniform(eq.compile_game(Written(root, 2)))
    estimator = Aivat.of(strategy, {0: strategy})
    for moves, value in expected.items():
        assert estimator.estimate(moves).tolist() == pytest.approx([value, -value])
