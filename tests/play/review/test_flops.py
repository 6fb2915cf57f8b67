"""Flops that are solved for reviews: pot, stacks, bets, ranges, and what comes of a solve."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, RangeSyntaxError
from equilibrist.play.grades import Grade
from equilibrist.play.review import flops
from equilibrist.play.review.decisions import Judgement, Unjudged
from equilibrist.play.review.fitting import Fit
from equilibrist.play.review.flops import FlopJudge, FlopMenu, read_ranges
from equilibrist.play.review.judging import SolutionJudge, Verdict
from equilibrist.play.review.preflop_ranges import THIRD, roles
from equilibrist.play.review.review import review_hands
from equilibrist.play.review.turns import replay_hand, street_root
from equilibrist.poker import PostflopResult, Range, Spot, solve
from equilibrist.poker.blueprint.policy import ranges_at
from equilibrist.poker.cards.combos import CLASS_NAMES, CLASS_OF_COMBO
from equilibrist.poker.cards.hand_ranking import top_classes
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.tree_lines import node_at
from equilibrist.poker.preflop.push_fold.game import PushFold
from tests.play.bots.hands import small_blueprint
from tests.play.review.hands import hands_of, history
from tests.play.solutions.test_charts import pushes
from tests.refusals import refuses

TABLE = {
    "blinds_or_straddles": [0.5, 1, 0, 0, 0, 0],
    "min_bet": 1,
    "starting_stacks": [100, 100, 87.5, 100, 100, 112.3],
}
UNKNOWN = [f"d dh p{place} ????" for place in range(1, 6)]
OPEN = (*UNKNOWN, "d dh p6 AhTh", "p3 f", "p4 f", "p5 f", "p6 cbr 2.5", "p1 f", "p2 cc")
FLOP = ("d db Td7c2h", "p2 cc", "p6 cbr 3.3", "p2 cbr 9", "p6 cc", "d db 5s", "p2 cbr 12", "p6 f")
NARROW = read_ranges("ATs,KK|77,KTs")
SMALL = FlopMenu("50%", "")
ROUGH = float("inf")
"""Whatever a few iterations find will do."""


def single_raised(*actions: str) -> Any:
    return history(*OPEN, *actions, **TABLE)


def never(spot: Spot) -> PostflopResult:
    """A solve that no test should come to."""
    raise AssertionError(spot)


def solver(spots: list[Spot]) -> Callable[[Spot], PostflopResult]:
    def run(spot: Spot) -> PostflopResult:
        spots.append(spot)
        return solve(spot, iterations=4, threads=1)

    return run


def test_pot_stacks_and_bets_are_those_of_the_hand() -> None:
    spots: list[Spot] = []
    judge = FlopJudge(solver(spots), SMALL, (), NARROW, ROUGH)
    hands = hands_of(single_raised(*FLOP), single_raised(*FLOP))
    review = review_hands(hands, [judge])
    (spot,) = spots  # of both hands
    assert (spot.board, spot.pot, spot.stack) == ("Td7c2h", 5.5, 97.5)
    assert spot.added_lines == ("X-B3.3-R9-C|B12",)
    assert (spot.ip, spot.oop) == NARROW
    assert [each.street for each in review.judged] == ["flop", "flop", "turn"] * 2
    assert not any(each.judgement.is_mapped for each in review.judged)
    assert review.reasons == {Unjudged.NOT_COVERED: 2}
    assert "as given" in review.judged[0].judgement.notes[-1]


def test_sizes_that_take_too_long_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raises first, then the bets of the last streets; what no menu makes short is not solved."""
    monkeypatch.setattr(flops, "loaded_bandwidth", lambda: 1e9)
    hands = hands_of(single_raised(*FLOP))
    menus = list(FlopMenu("50%|66%|75%", "3x||").smaller())
    assert [(menu.bets, menu.raises) for menu in menus] == [
        ("50%|66%|75%", "3x||"), ("50%|66%|75%", ""), ("50%|66%|", ""), ("50%||", ""), ("", ""),
    ]  # fmt: skip
    spots: list[Spot] = []

    def take(spot: Spot) -> PostflopResult:
        spots.append(spot)
        raise ConfigError("taken", option="spot")

    menu = FlopMenu("50%|66%|75%", "3x||", seconds=2.0)
    review_hands(hands, [FlopJudge(take, menu, (), NARROW, ROUGH)])
    assert spots[0].bets in {"50%|66%|", "50%||", ""}
    assert not spots[0].raises
    assert spots[0].added_lines
    short = FlopJudge(never, FlopMenu(seconds=1e-6), (), NARROW)
    review = review_hands(hands, [short])
    assert review.reasons == {Unjudged.UNSOLVED: 3, Unjudged.NOT_COVERED: 1}


def test_a_hand_that_the_range_lacks_is_added_with_its_class() -> None:
    judge = FlopJudge(never, SMALL, (), read_ranges("KK,55|77,KT"))
    (hand,) = hands_of(single_raised(*FLOP))
    root = street_root(hand, 1)
    assert root is not None
    spot, _ = judge.spot(hand, root, hand.combos)
    held = spot.ip.weights[np.flatnonzero(CLASS_NAMES.index("ATs") == CLASS_OF_COMBO)]
    assert held.tolist() == pytest.approx([1e-3] * 4)


def roles_in(*actions: str, **fields: Any) -> dict[int, Any]:
    (hand,) = hands_of(history(*UNKNOWN, "d dh p6 AhTh", *actions, **(TABLE | fields)))
    return {seat: tuple(role) for seat, role in roles(replay_hand(hand, hand.combos)).items()}


def test_ranges_of_the_rule_follow_the_play() -> None:
    share = [0.0, *(1 - 2 ** (-1 / k) for k in range(1, 6))]
    button = roles_in("p3 f", "p4 f", "p5 f", "p6 cbr 2.5", "p1 f", "p2 cc")
    assert button[5] == ("raiser", 0.0, pytest.approx(share[2]))
    assert button[1] == ("caller", *map(pytest.approx, (share[2] * THIRD, 2 * share[2])))
    reraised = roles_in("p3 cbr 2.5", "p4 f", "p5 f", "p6 cbr 8", "p1 f", "p2 f", "p3 cc")
    assert reraised[5] == ("3-bettor", 0.0, pytest.approx(share[5] * THIRD))
    assert reraised[2] == ("caller", *map(pytest.approx, (share[5] / 9, share[5] / 3)))
    limped = roles_in("p3 f", "p4 f", "p5 f", "p6 f", "p1 cc", "p2 cc")
    assert limped[0] == ("limper", *map(pytest.approx, (share[1], 1.0)))
    assert limped[1][0] == "checker"
    weights = roles(replay_hand(hands_of(single_raised())[0], [None] * 6))[5].weights
    named = {CLASS_NAMES[k] for k in np.unique(CLASS_OF_COMBO[weights > 0])}
    assert named == {*top_classes(share[2])}


BOTH = Hand(stack=30, bets="50%,100%,a", raises="100%,a")


def test_ranges_of_a_blueprint_are_what_it_brings_to_the_flop() -> None:
    blueprint = small_blueprint(BOTH)
    hand, = hands_of(
        history(
            "d dh p1 AhTh", "d dh p2 ????", "p2 cbr 300", "p1 cc", "d db Td7c2h", "p1 cc",
            starting_stacks=[3000, 3000],
        )
    )  # fmt: skip
    judge = FlopJudge(never, SMALL, [SolutionJudge("b", blueprint)])
    root = street_root(hand, 1)
    assert root is not None
    spot, origin = judge.spot(hand, root, [None, None])
    assert origin == "b"
    wanted = ranges_at(blueprint, node_at(blueprint.tree, "R3-C"))
    for own, weights in zip((spot.ip, spot.oop), wanted, strict=True):
        assert own.weights / own.weights.max() == pytest.approx(weights / weights.max(), abs=2e-3)


def test_what_cannot_be_solved_says_so() -> None:
    def refuse(spot: Spot) -> PostflopResult:
        raise ConfigError("too large", option="memory", given=1)

    review = review_hands(hands_of(single_raised(*FLOP)), [FlopJudge(refuse, SMALL, (), NARROW)])
    assert review.reasons == {Unjudged.UNSOLVED: 3, Unjudged.NOT_COVERED: 1}
    three = history(
        *UNKNOWN, "d dh p6 AhTh", "p3 cbr 2.5", "p4 f", "p5 f", "p6 cc", "p1 f", "p2 cc",
        "d db Ks8c3h", "p2 cc", "p3 cc", "p6 cbr 6", "p2 f", "p3 f", **TABLE,
    )  # fmt: skip
    review = review_hands(hands_of(three), [FlopJudge(refuse, SMALL, (), NARROW)])
    assert review.reasons == {Unjudged.MULTIWAY: 1, Unjudged.NOT_COVERED: 1}


LATE = {"blinds_or_straddles": [50, 100, 0], "starting_stacks": [1000] * 3}
THREE_SEE_IT = (
    "d dh p1 AhTh", "d dh p2 ????", "d dh p3 KcQc", "p3 cc", "p1 cc", "p2 cc", "d db Td7c2h",
    "p1 cc", "p2 cc", "p3 cbr 150", "p1 cc", "p2 f", "d db 5s", "p1 cc", "p3 cbr 300", "p1 f",
)  # fmt: skip


def test_turns_that_two_of_three_see_need_ranges() -> None:
    """Neither given ranges nor the rule say what comes to a turn after three saw the flop."""
    late = history(*THREE_SEE_IT, **LATE)
    review = review_hands(hands_of(late), [FlopJudge(never, SMALL, (), NARROW)], hero="p1")
    assert [each.reason for each in review.decisions] == [
        Unjudged.NOT_COVERED, *[Unjudged.MULTIWAY] * 2, Unjudged.NO_RANGES, Unjudged.NO_RANGES,
    ]  # fmt: skip
    folds = review_hands(hands_of(late), [FlopJudge(never, SMALL)], hero="p3")
    assert folds.reasons[Unjudged.NO_RANGES] == 1


def test_turns_that_two_of_three_see_are_solved_with_ranges_of_a_blueprint() -> None:
    blueprint = small_blueprint(
        Hand(seats=3, stack=10, bets="50%,a", raises="a", raise_cap="1|1|1|1", last_street="turn")
    )
    spots: list[Spot] = []
    source = SolutionJudge("b", blueprint)
    review = review_hands(
        hands_of(history(*THREE_SEE_IT, **LATE)),
        [FlopJudge(solver(spots), SMALL, [source], farthest=ROUGH)],
        hero="p1",
    )
    (spot,) = spots
    assert (spot.board, spot.pot, spot.stack) == ("Td7c2h5s", 600, 750)
    assert spot.added_lines == ("X-B300",)
    assert [each.street for each in review.judged] == ["turn", "turn"]
    assert review.reasons == {Unjudged.NOT_COVERED: 1, Unjudged.MULTIWAY: 2}
    assert review.judged[0].judgement.against == "solved turn"
    wanted = ranges_at(blueprint, node_at(blueprint.tree, "C-C-X|X-X-B1.5-C-F"), spot.cards[:3])
    for own, weights in zip((spot.oop, spot.ip), (wanted[0], wanted[2]), strict=True):
        left = weights * (own.weights > 0.0)
        assert own.weights / own.weights.max() == pytest.approx(left / left.max(), abs=2e-3)


@pytest.mark.slow
def test_a_seat_that_sits_out_folds_where_it_may_check() -> None:
    """The others play on, and their decisions are judged."""
    spots: list[Spot] = []
    sits_out = history(
        "d dh p1 ????", "d dh p2 ????", "d dh p3 KcQc", "p3 cc", "p1 cc", "p2 f", "d db Td7c2h",
        "p1 cbr 150", "p3 cc", "d db 5s", "p1 cc", "p3 cbr 300", "p1 f", **LATE,
    )  # fmt: skip
    review = review_hands(
        hands_of(sits_out),
        [FlopJudge(solver(spots), SMALL, (), read_ranges("22+,ATs+|KQs,22+,A9s+"), ROUGH)],
        everybody=True,
    )
    (spot,) = spots
    assert (spot.pot, spot.stack, spot.added_lines) == (300, 900, ("B150-C|X-B300",))
    assert review.left_out == ()
    assert [each.street for each in review.judged] == ["flop", "turn"]
    charts = SolutionJudge("p", pushes(PushFold((10.0,) * 3)))
    review = review_hands(hands_of(sits_out), [charts], hero="p2")
    assert [each.reason for each in review.decisions] == [Unjudged.NO_CARDS]


def test_flops_without_a_decision_of_the_player_are_not_solved() -> None:
    judge = FlopJudge(never, SMALL, (), NARROW)
    folds = history(*OPEN[:5], "d dh p6 ????", *OPEN[6:], *FLOP, **TABLE)
    review = review_hands(hands_of(folds), [judge], everybody=True)
    assert {*review.reasons} == {Unjudged.NO_CARDS}


def test_a_flop_that_is_hardly_solved_judges_nothing() -> None:
    """One iteration, after which best responses gain most of the pot."""

    def hardly(spot: Spot) -> PostflopResult:
        return solve(spot, iterations=1, threads=1)

    judge = FlopJudge(hardly, SMALL, ranges=read_ranges("ATs,KK,22|77,KTs,A2s"))
    reviewed = review_hands(hands_of(single_raised(*FLOP)), [judge], everybody=True)
    after = [entry for entry in reviewed.decisions if entry.street != "preflop" and entry.cards]
    assert after
    assert {entry.reason for entry in after} == {Unjudged.UNSOLVED}
    assert all(entry.judgement is None for entry in after)


def test_an_interrupted_solve_ends_the_review() -> None:
    def interrupt(_: Spot) -> PostflopResult:
        raise KeyboardInterrupt

    judge = FlopJudge(interrupt, SMALL, (), NARROW)
    review = review_hands(hands_of(single_raised(*FLOP)), [judge])
    assert not review.is_complete


class Answering:
    """A judge that judges the first decision, or is interrupted."""

    name = "judge"

    def __init__(self, judgement: Judgement | None) -> None:
        self.judgement = judgement

    def fit(self, _: Any) -> Fit:
        return Fit(None, distance=float(self.judgement is None))

    def verdicts(self, *_: Any) -> list[Verdict]:
        if self.judgement is None:
            raise KeyboardInterrupt
        return [Verdict(None, Unjudged.OFF_TREE)] * 3 + [Verdict(self.judgement)]


def test_what_was_judged_before_an_interrupt_is_kept() -> None:
    judgement = Judgement("a", "Fold", 1.0, None, 0.0, Grade.BLUNDER, ())
    judges = [Answering(None), Answering(judgement)]
    review = review_hands(hands_of(single_raised(*FLOP)), judges)
    assert not review.is_complete
    assert [each.judgement for each in review.decisions] == [judgement]


def test_ranges_are_two() -> None:
    raiser, caller = read_ranges("6max-BTN | 22+")
    assert (raiser, caller) == (Range("6max-BTN"), Range("22+"))
    with refuses(ConfigError, option="--ranges"):
        read_ranges("AA")
    with refuses(RangeSyntaxError):
        read_ranges("AA|AAo")
