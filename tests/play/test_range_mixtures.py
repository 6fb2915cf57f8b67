"""What opponents do with all that they may hold: held against sums over all histories."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import UnknownNameError
from equilibrist.game import CHANCE
from equilibrist.play import SolutionAgent, SpotGame, Table
from equilibrist.play.range_mixtures import RangeMixture, StrategyRanges
from equilibrist.play.solutions.players import SolutionRanges
from equilibrist.poker import Spot, solve
from equilibrist.strategy import Strategy


def random_strategy(game: str, seed: int = 3) -> Strategy:
    tree = eq.compile_game(game)
    generator = np.random.default_rng(seed)
    weights = generator.random(int(tree.action_offset[-1])) + 0.05
    sums = np.add.reduceat(weights, tree.action_offset[:-1])
    return Strategy(tree, weights / np.repeat(sums, np.diff(tree.action_offset)))


def by_hand(strategy: Strategy, infoset: str) -> list[dict[str, float]]:
    """The mean of the opponents' rows, decision by decision, from all histories of the game.

    Every history counts once for each decision, by its probability if the player of the infoset
    takes every action.
    """
    found: dict[int, dict[tuple[str, ...], tuple[float, dict[str, float]]]] = defaultdict(dict)

    def walk(table: Table, weight: float, seen: list[tuple[float, Table]]) -> None:
        if table.over:
            return
        if table.player != CHANCE and table.infoset == infoset:
            others = [one for one in seen if one[1].player != table.player]
            for number, (reach, at) in enumerate(others):
                path = tuple(move.action for move in at.moves)
                found[number][path] = (reach, dict(strategy[at.infoset]))
        for k, label in enumerate(table.actions):
            if table.player == CHANCE:
                walk(table.play(k), weight * table.chance[k], seen)
            else:
                share = 1.0 if table.player == player else strategy[table.infoset][label]
                walk(table.play(k), weight * share, [*seen, (weight, table)])

    tree = strategy.tree
    player = int(tree.infoset_player[tree.index(infoset)])
    walk(Table.start(tree.game), 1.0, [])
    means = []
    for number in sorted(found):
        total = sum(reach for reach, _ in found[number].values())
        mean: dict[str, float] = defaultdict(float)
        for reach, row in found[number].values():
            for label, share in row.items():
                mean[label] += reach * share / total
        means.append(dict(mean))
    return means


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "infosets"),
    [
        ("kuhn", ("1", "1p", "2b", "3pb")),
        ("kuhn(players=3)", ("2", "3b", "4pp", "1ppb", "2pbb")),
        ("leduc(ranks=2)", None),
    ],
)
def test_the_means_are_those_of_all_histories(game: str, infosets: tuple[str, ...] | None) -> None:
    strategy = random_strategy(game)
    ranges = StrategyRanges(strategy)
    for infoset in infosets or strategy.tree.infoset_keys[::7]:
        expected, found = by_hand(strategy, infoset), ranges.mixtures(infoset)
        assert len(found) == len(expected)
        for one, mean in zip(found, expected, strict=True):
            assert one.probabilities is not None
            assert dict(zip(one.actions, one.probabilities, strict=True)) == pytest.approx(mean)


def test_a_bet_of_kuhn_poker() -> None:
    """Who holds the jack and faces a bet thinks of a queen and a king, equally likely."""
    strategy = random_strategy("kuhn")
    (found,) = StrategyRanges(strategy).mixtures("1b")
    assert (found.player, found.taken, found.holdings, found.where) == (0, "bet", 2, "")
    assert found.words == ("pass", "bet")
    assert found.probabilities is not None
    expected = (strategy["2"]["bet"] + strategy["3"]["bet"]) / 2
    assert found.probabilities[1] == pytest.approx(expected)
    assert StrategyRanges(strategy).mixtures("1") == ()


def test_an_action_that_nobody_saw_is_not_told() -> None:
    strategy = random_strategy("rock_paper_scissors")
    tree = strategy.tree
    second = next(k for k in tree.infoset_keys if tree.infoset_player[tree.index(k)] == 1)
    (found,) = StrategyRanges(strategy).mixtures(second)
    first = next(k for k in tree.infoset_keys if tree.infoset_player[tree.index(k)] == 0)
    assert found.taken is None
    assert found.probabilities == pytest.approx(tuple(strategy[first].values()))


def test_what_the_strategy_never_does_and_what_is_not_there() -> None:
    tree = eq.compile_game("kuhn(players=3)")
    rows = np.zeros(int(tree.action_offset[-1]))
    rows[tree.action_offset[:-1]] = 1.0  # everybody passes
    ranges = StrategyRanges(Strategy(tree, rows))
    first, second = ranges.mixtures("2bp")
    assert first.probabilities == (1.0, 0.0)
    assert first.taken == "bet"
    assert second.probabilities is None  # nobody ever answers the bet
    with pytest.raises(UnknownNameError):
        ranges.mixtures("9")


def test_a_spot_is_its_compiled_game() -> None:
    """The same strategy on the compiled game of a spot has the same means."""
    spot = Spot(
        board="Ts3h2h5c9s", oop="AA,QQ:0.5", ip="KK,QJs", pot=100, stack=100, bets="50%", raises="a"
    )
    solution = solve(spot, iterations=15)
    tree = eq.compile_game(SpotGame(spot))
    agent, table = SolutionAgent(solution), Table.start(SpotGame(spot))
    rows = np.zeros(int(tree.action_offset[-1]))

    def walk(table: Table) -> None:
        if table.over:
            return
        if table.player != CHANCE:
            rows[tree.actions_of(tree.index(table.infoset))] = agent.mixture(table)
        for k in range(len(table.actions)):
            walk(table.play(k))

    walk(table)
    exact, ranges = StrategyRanges(Strategy(tree, rows)), SolutionRanges(solution)
    compared = 0
    for infoset in tree.infoset_keys:
        found, expected = ranges.mixtures(infoset), exact.mixtures(infoset)
        assert [one.taken for one in found] == [one.taken for one in expected]
        for one, other in zip(found, expected, strict=True):
            assert one.actions == other.actions
            if other.probabilities is not None:
                assert one.probabilities == pytest.approx(other.probabilities, abs=2e-6)
                compared += len(one.where) > 0
    assert compared > 20


def test_a_range_of_a_spot_leaves_out_blocked_hands() -> None:
    spot = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK,AKs", pot=100, stack=100, bets="50%")
    solution = solve(spot, iterations=5)
    (found,) = SolutionRanges(solution).mixtures("AhKh:B50")
    assert isinstance(found, RangeMixture)
    assert (found.where, found.taken, found.holdings) == ("", "Bet 50", 3 + 6)
    (after,) = SolutionRanges(solution).mixtures("AcAd:X-B50")
    assert (after.where, after.taken) == ("X", "Bet 50")
