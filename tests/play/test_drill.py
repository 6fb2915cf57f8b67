"""Drills: hands by their probability at the node, answers graded by the coach."""

from __future__ import annotations

from collections import Counter

import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, LineSyntaxError
from equilibrist.evaluation.infosets import infoset_reach
from equilibrist.play import Drill, Grade, SolutionCoach, game_drill, spot_drill
from equilibrist.poker.cards.combos import parse_combo
from tests.play.spots.test_game import RIVER, solved
from tests.refusals import refuses


@pytest.mark.slow
def test_hands_of_a_spot_come_as_often_as_at_the_node() -> None:
    solution = solved(RIVER)
    drill = spot_drill(solution, "B50", seed=3)
    values = solution.at("B50").values
    weight = values.weight[1] * values.matchups[1]
    asked = Counter(drill.ask().infoset for _ in range(3000))
    total = weight.sum()
    for key, seen in asked.items():
        share = weight[parse_combo(key.partition(":")[0])] / total
        assert seen / 3000 == pytest.approx(share, abs=0.04), key
    assert {key.partition(":")[2] for key in asked} == {"B50"}


def test_answers_are_those_of_the_coach() -> None:
    solution = solved(RIVER)
    drill = spot_drill(solution, "", seed=1)
    for _ in range(30):
        question = drill.ask()
        assert question.player == 0
        assert question.actions == ("Check", "Bet 50", "All-in 97.5")
        given = drill.answer(1)
        assert given.advice == SolutionCoach(solution).advise(question.infoset, 1)
        assert given.judgement is not None
        assert given.judgement.stake.amount == 100
    assert drill.answers == drill.grades.choices == 30
    assert drill.grades.losses.means[0] > 0
    losses = [one.judgement.share for one in drill.worst if one.judgement is not None]
    assert losses == sorted(losses, reverse=True)
    assert 0 < len(losses) <= 10


def test_infosets_of_a_game_come_as_often_as_they_are_reached() -> None:
    solution = eq.solve("kuhn", iterations=500)
    game, strategy = eq.load_game("kuhn"), solution.strategy
    drill = game_drill(game, strategy, "*b", seed=5)
    reach = dict(zip(strategy.tree.infoset_keys, infoset_reach(strategy), strict=True))
    reach = {key: r for key, r in reach.items() if key.endswith("b")}
    asked = Counter(drill.ask().infoset for _ in range(3000))
    for key, r in reach.items():
        assert asked[key] / 3000 == pytest.approx(r / sum(reach.values()), abs=0.04), key
    only = game_drill(game, strategy, "3b")
    assert only.ask().words[1][0] == "call"
    given = only.answer(0)
    assert given.judgement is not None
    assert given.judgement.grade is Grade.BLUNDER  # the king folds
    assert given.judgement.ev_loss == pytest.approx(3.0)
    assert game_drill(game, strategy, "*b", player=0).ask().player == 0
    for _ in range(20):
        question = game_drill(game, strategy, seed=1).ask()
        assert question.player == (len(question.infoset) == 2)  # 1b is player 1's, 1pb player 0's


def test_a_question_is_answered_once() -> None:
    drill: Drill = spot_drill(solved(RIVER))
    with refuses(ConfigError, option="answer"):
        drill.answer(0)
    drill.ask()
    with refuses(ConfigError, option="action", given=3):
        drill.answer(3)
    drill.answer(0)
    with refuses(ConfigError, option="answer"):
        drill.answer(0)


def test_what_cannot_be_drilled() -> None:
    solution = solved(RIVER)
    with refuses(LineSyntaxError):
        spot_drill(solution, "B51")
    with refuses(ConfigError, option="line"):
        spot_drill(solution, "X-X")
    kuhn = eq.solve("kuhn", iterations=5)
    for player in (-1, 2):
        with refuses(ConfigError, option="player", given=player, expected="a number from 0 to 1"):
            game_drill(eq.load_game("kuhn"), kuhn.strategy, player=player)
    with refuses(ConfigError, option="pattern", given="z*"):
        game_drill(eq.load_game("kuhn"), kuhn.strategy, "z*")


@pytest.mark.parametrize("penalty", [1e4, 1e6, 1e12])
@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_losses_are_held_against_the_payoffs_that_play_meets(penalty: float, unit: float) -> None:
    """A penalty that the solution never pays makes no other loss small."""
    game = eq.load_game(f"matrix(payoffs={[[0.0], [-unit], [-penalty * unit]]})")
    solution = eq.solve(game)
    drill = game_drill(game, solution.strategy, error=solution.measure)
    for action, grade in ((0, Grade.BEST), (1, Grade.BLUNDER), (2, Grade.BLUNDER)):
        while drill.ask().infoset != "row":
            drill.answer(0)
        judged = drill.answer(action).judgement
        assert judged is not None
        assert judged.grade is grade
        assert judged.stake.amount == unit
        assert judged.stake.name == drill.stake_name == "scale of payoffs in play"
