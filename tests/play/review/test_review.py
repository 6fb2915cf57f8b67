"""Reviews: losses by independent code, what is mapped, what is not judged and why, totals."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, OutputError
from equilibrist.play import PhhLog, Session, SpotGame, UniformAgent
from equilibrist.play.hand_log import HandLog
from equilibrist.play.histories.own_logs import read_own_log
from equilibrist.play.histories.phh import read_phh
from equilibrist.play.review.decisions import COLUMNS, ReviewedDecision, Unjudged
from equilibrist.play.review.fitting import SpotFitting
from equilibrist.play.review.judging import SolutionJudge
from equilibrist.play.review.review import Review, review_hands, table_hands, write_review_csv
from equilibrist.poker import PostflopResult, Spot, combo_strengths, solve
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import COMBO_MASKS, combo_name, parse_combo
from equilibrist.poker.preflop.push_fold.game import PushFold
from tests.play.review.hands import DEEP, hands_of, history, on_river, text_of
from tests.play.solutions.test_charts import pushes
from tests.refusals import refuses

RIVER = Spot(
    board="Ks7h2d3c9s", oop="AA,KQs,76s", ip="KK,QQ,JTs,A5s", pot=200, stack=400, bets="50%,a"
)
PUSHES = pushes(PushFold((10.0, 10.0)), SB="AA KK", BB="AA")
"""Classes in order gain from -1 to 2 big blinds by all-in."""


@cache
def river() -> PostflopResult:
    return solve(RIVER, iterations=300, threads=1)


def reviewed(*histories: Any, solution: Any = None, **options: Any) -> Review:
    judge = SolutionJudge("solution", river() if solution is None else solution)
    return review_hands(hands_of(*histories), [judge], **options)


def last(*histories: Any, **options: Any) -> ReviewedDecision:
    return reviewed(*histories, **options).decisions[-1]


def call_value(hand: str, bet: float) -> float:
    """What a call of a bet on the river wins beyond a fold, from the frequencies of IP alone."""
    strategy = river().at("X").decision
    k = strategy.codes.index(f"B{bet:g}")
    weights = strategy.reach * strategy.strategy[k]
    weights = weights * (COMBO_MASKS & COMBO_MASKS[parse_combo(hand)] == 0)
    strengths = combo_strengths(parse_cards(RIVER.board))
    own = strengths[parse_combo(hand)]
    share = np.where(own > strengths, 1.0, np.where(own == strengths, 0.5, 0.0))
    equity = float((weights * share).sum() / weights.sum())
    return equity * (RIVER.pot + 2 * bet) - bet


@pytest.mark.parametrize(("others", "all_chips"), [((), 20.0), ((4.0,), 24.0)])
def test_losses_of_prizes_are_in_chips_at_their_average_worth(
    others: tuple[float, ...], all_chips: float
) -> None:
    """Where the winner takes all, a percent of the prizes is a percent of the chips."""
    hands = [
        history("d dh p1 AcAd", "d dh p2 7h2d", "p2 cbr 1000", "p1 cc"),
        history("d dh p1 AcAd", "d dh p2 AhAs", "p2 f"),
        history("d dh p1 7h2d", "d dh p2 AhAs", "p2 cbr 1000", "p1 cc"),
    ]
    game = PushFold((10.0, 10.0), payouts=(3.0,), others=others)
    of_prizes = pushes(game, 1 / all_chips, SB="AA KK", BB="AA")
    chips = reviewed(*hands, solution=PUSHES, everybody=True).judged
    prizes = reviewed(*hands, solution=of_prizes, everybody=True).judged
    assert len(chips) == len(prizes) == 5
    for one, other in zip(chips, prizes, strict=True):
        assert one.judgement is not None
        assert other.judgement is not None
        assert other.loss == pytest.approx(one.loss)
        assert other.judgement.grade == one.judgement.grade
        assert other.row()["prize_loss"] == pytest.approx((one.loss_bb or 0.0) / all_chips * 100)
        assert one.row()["prize_loss"] is None


@pytest.mark.parametrize("hand", ["AdAc", "KhQh", "7c6c"])
def test_a_loss_on_the_river_is_that_of_independent_code(hand: str) -> None:
    gain = call_value(hand, 100)
    fold = last(on_river("p1 cc", "p2 cbr 100", "p1 f", oop=hand))
    call = last(on_river("p1 cc", "p2 cbr 100", "p1 cc", "p1 sm -", "p2 sm -", oop=hand))
    assert fold.loss == pytest.approx(max(gain, 0.0), abs=1e-3)
    assert call.loss == pytest.approx(max(-gain, 0.0), abs=1e-3)
    assert fold.loss_bb == pytest.approx(fold.loss / 2)
    assert fold.loss_percent == pytest.approx(100 * fold.loss / 300)


def test_what_the_solution_plays_often_loses_nothing() -> None:
    root = river().at().decision
    share = root.reach * root.combos / (root.reach * root.combos).sum()
    for combo in np.flatnonzero(root.reach * root.combos).tolist():
        for k, code in enumerate(root.codes):
            if root.strategy[k, combo] < 0.05:
                continue
            move = "p1 cc" if code == "X" else f"p1 cbr {code[1:]}"
            decision = reviewed(on_river(move, oop=combo_name(combo), ip="????")).decisions
            first = next(
                each for each in decision if (each.street, each.position) == ("river", "BB")
            )
            assert first.judgement is not None
            assert first.judgement.frequency == pytest.approx(root.strategy[k, combo], abs=1e-6)
            # What the hand gives up is a part of what the best response gains.
            assert share[combo] * root.strategy[k, combo] * first.loss <= 2 * river().mean_gain
            losses = [action.loss for action in first.judgement.actions]
            assert min(losses) == 0.0


def test_all_in_or_fold_loses_the_gain_of_the_chart() -> None:
    gains = dict(zip(PUSHES.charts[0].names, np.linspace(-1.0, 2.0, 169).tolist(), strict=True))
    worse = last(history("d dh p1 AcAd", "d dh p2 7h2d", "p2 cbr 1000"), solution=PUSHES)
    assert worse.loss_bb == pytest.approx(max(0.0, -gains["72o"]))
    assert (worse.played, worse.judgement.frequency) == ("All-in 1000", 0.0)
    fold = last(history("d dh p1 AcAd", "d dh p2 KhKd", "p2 f"), solution=PUSHES)
    assert fold.loss_bb == pytest.approx(max(0.0, gains["KK"]))
    assert fold.loss == pytest.approx(100 * fold.loss_bb)


def test_other_suits_are_the_same_spot() -> None:
    moves = ("p1 cc", "p2 cbr 100", "p1 f")
    suits = str.maketrans("cdhs", "shdc")
    usual = on_river(*moves, oop="KhQh", ip="QdQc")
    actions = [
        f"{' '.join(words[:-1])} {words[-1].translate(suits)}"
        if words[0] == "d"
        else " ".join(words)
        for words in (action.split() for action in usual.actions)
    ]
    other = history(*actions, **DEEP)
    one, two = last(usual), last(other)
    assert two.loss == pytest.approx(one.loss)
    assert two.cards == "KdQd"


def test_a_bet_between_two_of_the_menu_is_worth_their_mean() -> None:
    hands = [last(on_river("p1 cc", f"p2 cbr {bet}", ip="QdQc")) for bet in (100, 130, 400)]
    small, between, large = (each.judgement for each in hands)
    share = (2.0 - 0.65) * 1.5 / (1.5 * 1.65)  # of the pseudo-harmonic mapping
    assert between.loss == pytest.approx(share * small.loss + (1 - share) * large.loss)
    frequency = share * small.frequency + (1 - share) * large.frequency
    assert between.frequency == pytest.approx(frequency)
    assert between.is_mapped
    assert not small.is_mapped


def test_amounts_are_shares_of_the_pot_at_the_table() -> None:
    moves: tuple[str, ...] = (
        "p2 cbr 20",
        "p1 cc",
        "d db 2dKs7h",
        "p1 cc",
        "p2 cbr 60",
        "p1 cc",
        "d db 3c",
    )
    moves += ("p1 cc", "p2 cbr 120", "p1 cc", "d db 9s", "p1 cc", "p2 cbr 200", "p1 f")
    deal = ("d dh p1 AdAc", "d dh p2 KdKc")
    twice = history(
        *deal, *moves, blinds_or_straddles=[2, 4], min_bet=4, starting_stacks=[1000, 1000]
    )
    usual = last(on_river("p1 cc", "p2 cbr 100", "p1 f"))
    assert last(twice).loss == pytest.approx(2 * usual.loss)
    assert last(twice).loss_bb == pytest.approx(usual.loss_bb)


SIX = {"starting_stacks": [500] * 3, "blinds_or_straddles": [1, 2, 0], "min_bet": 2}
NOT_JUDGED = {
    "another board": (
        [*on_river("p1 cc").actions[:-2], "d db 9d", "p1 cc"],
        DEEP,
        "another-board",
    ),
    "no river": (["d dh p1 AdAc", "d dh p2 KdKc", "p2 f"], DEEP, "not-covered"),
    "no cards": (["d dh p1 ????", *on_river("p1 cc").actions[1:]], DEEP, "no-cards"),
    "deep": (on_river("p1 cc").actions, DEEP | {"starting_stacks": [2000, 2000]}, "stacks"),
    "not in the range": (
        ["d dh p1 5d4d", *on_river("p1 cc").actions[1:]],
        DEEP,
        "not-in-range",
    ),
    "three players": (
        [
            "d dh p1 AdAc", "d dh p2 KdKc", "d dh p3 QdQc", "p3 cbr 10", "p1 cc", "p2 cc",
            "d db 2dKs7h", "p1 cc", "p2 cc", "p3 cc", "d db 3c", "p1 cc", "p2 cc", "p3 cc",
            "d db 9s", "p1 cc", "p2 cc", "p3 cbr 30",
        ],
        SIX,
        "multiway",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", NOT_JUDGED)
def test_what_is_not_judged_says_why(case: str) -> None:
    actions, fields, reason = NOT_JUDGED[case]
    decision = last(history(*actions, **fields), everybody=True)
    assert (decision.judgement, decision.reason) == (None, Unjudged(reason))
    assert decision.why
    assert decision.loss is None


def test_bets_like_none_of_a_chart_are_not_judged() -> None:
    hand = history("d dh p1 AcAd", "d dh p2 KhKd", "p2 cbr 300", "p1 cbr 1000", "p2 f")
    assert reviewed(hand, solution=PUSHES).reasons == {Unjudged.OFF_TREE: 3}
    limp = history("d dh p1 AcAd", "d dh p2 KhKd", "p2 cc", "p1 cc")
    assert [each.reason for each in reviewed(limp, solution=PUSHES).decisions] == [
        Unjudged.OFF_TREE,
        Unjudged.OFF_TREE,
    ]


NINE = {
    "starting_stacks": [1000, 1000, *[3000] * 7],
    "blinds_or_straddles": [50, 100, *[0] * 7],
}
NINE_DEALT = [*(f"d dh p{place} ????" for place in range(3, 10)), "d dh p1 7h2d", "d dh p2 AdAc"]
FOLDS = [f"p{place} f" for place in range(3, 10)]


def test_seats_that_fold_first_are_left_out_of_hands_with_more_seats() -> None:
    nine = history(*NINE_DEALT, *FOLDS, "p1 cbr 1000", "p2 f", **NINE)
    two = history("d dh p1 AdAc", "d dh p2 7h2d", "p2 cbr 1000", "p1 f")
    judged = reviewed(nine, solution=PUSHES, everybody=True).judged
    wanted = reviewed(two, solution=PUSHES).judged
    assert [each.loss for each in judged] == [each.loss for each in wanted]
    assert [each.position for each in judged] == ["SB", "BB"]
    assert [each.line for each in judged] == ["F-F-F-F-F-F-F", "F-F-F-F-F-F-F-A1000"]
    limped = history(*NINE_DEALT, "p3 cc", *FOLDS[1:], "p1 cbr 1000", "p2 f", "p3 f", **NINE)
    reasons = reviewed(limped, solution=PUSHES, hero="p1").reasons
    assert reasons == {Unjudged.OTHER_GAME: 1}


def test_three_seats_of_six_are_those_of_a_chart_of_three() -> None:
    chart = pushes(PushFold((10.0, 10.0, 10.0)), BTN="KK", SB="AA KK", BB="QQ")
    dealt = [*(f"d dh p{place} ????" for place in (3, 4, 5)), "d dh p6 KhKd", "d dh p1 7h2d"]
    six = {"starting_stacks": [1000] * 6, "blinds_or_straddles": [50, 100, 0, 0, 0, 0]}
    moves = ["p3 f", "p4 f", "p5 f", "p6 cbr 1000", "p1 f", "p2 f"]
    hand = history(*dealt, "d dh p2 ????", *moves, **six)
    button, small = reviewed(hand, solution=chart).judged
    assert (button.position, button.judgement.frequency) == ("BTN", 1.0)
    assert (small.position, small.judgement.frequency) == ("SB", 1.0)


def test_a_decision_after_what_opponents_never_do_is_not_judged() -> None:
    hand = on_river("p1 cbr 400", "p2 f", oop="AdAc", ip="JcTc")
    assert last(hand).reason is Unjudged.UNREACHED


def test_hands_of_other_games_are_left_out_with_their_line() -> None:
    omaha = history("d dh p1 AcAdKcKd", variant="PO")
    good = history("d dh p1 AcAd", "d dh p2 KhKd", "p2 f")
    hands, left_out = table_hands(read_phh(text_of([omaha, good])))
    assert [hand.name for hand in hands] == ["2"]
    assert [(entry.number, entry.line) for entry in left_out] == [(1, 1)]


def test_the_player_is_the_one_whose_cards_are_dealt() -> None:
    names = {"players": ["Ann", "Bob"]}
    alone = history("d dh p1 AcAd", "d dh p2 ????", "p2 cbr 1000", "p1 cc", "p2 sm KhKd", **names)
    review = reviewed(alone, solution=PUSHES)
    assert (review.players, [each.position for each in review.decisions]) == (("Ann",), ["BB"])
    both = reviewed(alone, solution=PUSHES, everybody=True)
    assert [each.player for each in both.decisions] == ["Bob", "Ann"]
    assert both.decisions[0].cards == "KhKd"
    bob = reviewed(alone, solution=PUSHES, hero="Bob")
    assert [each.player for each in bob.decisions] == ["Bob"]
    with refuses(ConfigError, option="hero", given="Eve"):
        reviewed(alone, solution=PUSHES, hero="Eve")


def some_hands() -> list[Any]:
    return [
        on_river("p1 cc", "p2 cbr 130", "p1 f"),
        on_river("p1 cbr 100", "p2 cc", "p1 sm -", "p2 sm -", oop="KhQh", ip="QdQc"),
        on_river("p1 cc", "p2 cc", "p1 sm -", "p2 sm -", oop="7c6c", ip="JcTc"),
        history("d dh p1 AcAd", "d dh p2 KhKd", "p2 f"),
    ]


def test_totals_add_up() -> None:
    review = reviewed(*some_hands())
    total = review.total
    assert total.decisions == len(review.judged) > 3
    for groups in (review.by_street, review.by_position, review.by_player):
        for k in range(len(total)):
            assert sum(each[k] for each in groups.values()) == pytest.approx(total[k])
    assert total.unjudged == sum(review.reasons.values())
    assert total.decisions + total.unjudged == len(review.decisions)
    assert sum(review.grades.values()) == total.decisions
    losses = [each.loss_bb or 0.0 for each in review.worst]
    assert losses == sorted(losses, reverse=True)
    assert sum(losses) == pytest.approx(total.loss_bb)
    document = review.to_dict()
    assert [each["loss_bb"] for each in document["decisions"][: len(losses)]] == losses
    assert len(document["decisions"]) == len(review.decisions)


def test_tables_have_a_row_for_each_decision_and_replace_only_reviews(tmp_path: Path) -> None:
    review = reviewed(*some_hands())
    lines = review.to_csv().splitlines()
    assert lines[0] == ",".join(COLUMNS)
    assert len(lines) == 1 + len(review.decisions)
    path = tmp_path / "review.csv"
    write_review_csv(review, path)
    write_review_csv(review, path)
    path.write_text("hand,cards\n1,AcAd\n")
    with refuses(OutputError, option="file"):
        write_review_csv(review, path)


def test_an_interrupt_ends_with_the_hands_before_it() -> None:
    def stop(number: int, _: Any) -> None:
        if number == 2:
            raise KeyboardInterrupt

    review = reviewed(*some_hands(), on_hand=stop)
    assert not review.is_complete
    assert {each.hand for each in review.decisions} == {"1", "2"}


@pytest.mark.parametrize("form", ["phhs", "jsonl"])
def test_hands_of_a_short_deck_are_those_of_spots_with_that_deck(form: str, tmp_path: Path) -> None:
    spot = Spot(
        board="Th9h9c", oop="AhKh,QhJh", ip="TT,AdAc", pot=10, stack=30, bets="a", deck="short"
    )
    session = Session(SpotGame(spot), [UniformAgent("one"), UniformAgent("two")], seed=1)
    file = tmp_path / f"hands.{form}"
    with (PhhLog if form == "phhs" else HandLog)(file) as log:
        log.begin(session)
        for record in session.play(3):
            log.add(record)
    played = read_phh(file.read_text()) if form == "phhs" else read_own_log(file)
    hands, left_out = table_hands(played)
    assert (len(hands), left_out) == (3, [])
    for hand in hands:
        assert hand.hand.deck == "short"
        assert SpotFitting(spot).fit(hand).reason is None
        for deck in ("2", "6", "short-trips"):
            fit = SpotFitting(spot.replace(deck=deck)).fit(hand)
            assert fit.reason is Unjudged.OTHER_GAME
