"""Decisions drawn from solutions: as play comes to them, and as hard as they are wanted."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import equilibrist as eq
from equilibrist import poker
from equilibrist.evaluation.infosets import infoset_reach
from equilibrist.play.decisions import CLEAR, GameDecisions, SpotDecisions, Wanted
from equilibrist.play.solutions.players import SolutionCoach
from equilibrist.poker import PostflopResult
from equilibrist.poker.cards.combos import parse_combo
from tests.web.conftest import SPOT

DRAWN = 10


@pytest.fixture(scope="module")
def solution() -> PostflopResult:
    return poker.solve(SPOT, iterations=30)


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(),
        Wanted(difficulty="clear"),
        Wanted(difficulty="mixed"),
        Wanted(players=frozenset({1}), streets=frozenset({"river"})),
        Wanted(streets=frozenset({"turn"}), first=True),
    ],
    ids=str,
)
def test_decisions_of_a_spot_are_of_the_kind_that_is_wanted(
    solution: PostflopResult, wanted: Wanted
) -> None:
    """Every one has EVs, and hands that are there."""
    decisions, coach = SpotDecisions(solution), SolutionCoach(solution)
    generator, seen = np.random.default_rng(3), Counter[str]()
    for _ in range(DRAWN):
        drawn = decisions.draw(wanted, generator)
        assert drawn is not None
        assert decisions.at(drawn.infoset) == drawn
        advice = coach.advise(drawn.infoset, 0)
        assert advice.actions == drawn.actions
        assert advice.values is not None
        assert wanted.has_player(drawn.player)
        assert wanted.streets is None or drawn.street in wanted.streets
        if wanted.difficulty != "any":
            assert (max(advice.mixture) >= CLEAR) is (wanted.difficulty == "clear")
        line = drawn.infoset.partition(":")[2]
        if wanted.first:
            assert "-" not in line
        hand = parse_combo(drawn.infoset.partition(":")[0])
        assert solution.spot.ranges[drawn.player].weights[hand] > 0
        seen[line.partition("|")[2][:2]] += 1
    if wanted.streets == frozenset({"river"}):
        assert len(seen) > 3  # many rivers


@pytest.mark.slow
def test_hands_of_the_first_decision_are_as_likely_as_in_the_range(
    solution: PostflopResult,
) -> None:
    """AA of SPOT has 6 combos, QQ has 6, and the river decisions are left out."""
    decisions, generator = SpotDecisions(solution), np.random.default_rng(1)
    wanted = Wanted(players=frozenset({0}), streets=frozenset({"turn"}), first=True)
    counts = Counter[str]()
    for _ in range(200):
        drawn = decisions.draw(wanted, generator)
        assert drawn is not None
        assert drawn.infoset.endswith(":")
        counts[drawn.infoset[0]] += 1
    node = solution.at()
    weights = np.nan_to_num(node.values.weight[0] * node.values.matchups[0])
    aces = [combo for combo in np.flatnonzero(weights) if poker.combo_name(int(combo))[0] == "A"]
    share = weights[aces].sum() / weights.sum()
    assert abs(counts["A"] / 200 - share) < 4 * np.sqrt(share * (1 - share) / 200)


def test_a_spot_that_keeps_its_first_street_has_decisions_of_that_one(
    solution: PostflopResult, tmp_path
) -> None:
    file = solution.save(tmp_path / "turn.safetensors", keep="first-street")
    kept = eq.load_result(file)
    assert isinstance(kept, PostflopResult)
    decisions, generator = SpotDecisions(kept), np.random.default_rng(1)
    for _ in range(10):
        drawn = decisions.draw(Wanted(), generator)
        assert drawn is not None
        assert drawn.street == "turn"
    assert decisions.draw(Wanted(streets=frozenset({"river"})), generator) is None


def test_decisions_of_a_game_are_as_likely_as_its_infosets() -> None:
    strategy = eq.solve("kuhn", iterations=200).strategy
    decisions, generator = GameDecisions(strategy), np.random.default_rng(2)
    counts = Counter[str]()
    for _ in range(600):
        drawn = decisions.draw(Wanted(players=frozenset({1})), generator)
        assert drawn is not None
        assert (drawn.player, drawn.street) == (1, None)
        counts[drawn.infoset] += 1
    reach = infoset_reach(strategy)
    own = np.flatnonzero(strategy.tree.infoset_player == 1)
    for infoset in own.tolist():
        share = reach[infoset] / reach[own].sum()
        found = counts[strategy.tree.infoset_keys[infoset]] / 600
        assert abs(found - share) < 4.5 * np.sqrt(share * (1 - share) / 600)
    for difficulty in ("clear", "mixed"):
        drawn = decisions.draw(Wanted(difficulty=difficulty), generator)
        assert drawn is not None
        at = strategy.tree.actions_of(strategy.tree.index(drawn.infoset))
        assert (strategy.probabilities[at].max() >= CLEAR) == (difficulty == "clear")
    assert decisions.draw(Wanted(streets=frozenset({"flop"})), generator) is None
