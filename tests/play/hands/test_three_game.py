"""A spot of three at a table: deals from three ranges, side pots, rake, and what hands win."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.play import Bot, Session, SolutionAgent, SolutionCoach, Table
from equilibrist.play.hands.game import TableState
from equilibrist.play.hands.three import ThreeGame
from equilibrist.play.solutions.players import SolutionRanges
from equilibrist.play.solutions.reading import solution_game
from equilibrist.poker import ThreeNode, ThreeSolution, ThreeSpot, solve_three
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import COMBO_MASKS, combo_name
from equilibrist.poker.hands.betting import after, start
from equilibrist.poker.hands.state import FOLDED

TINY = ThreeSpot(
    board="Qs9h5d3cJs",
    oop="AsKs,9c9d:0.5,7h6h",
    middle="AsAh,QhJh,KdTd:0.25",
    ip="AsKs,KhTh,2c2d",
    pot=20,
    stacks=[30, 8, 50],
    bets="50%, a",
    raises="a",
    rake=0.05,
    rake_cap=2,
)
"""Ranges that block each other, a tie of KdTd and KhTh, stacks that differ, and rake with a cap."""


@cache
def solved(spot: ThreeSpot = TINY) -> ThreeSolution:
    return solve_three(spot, iterations=25)


def expected(game: ThreeGame, mixture: Any, state: TableState | None = None) -> np.ndarray:
    """What the seats win on average, by the rules of the game and the mixtures of who acts."""
    state = game.initial_state() if state is None else state
    player = game.player(state)
    if player == TERMINAL:
        return np.array(game.payoffs(state))
    shares = game.chance(state) if player == CHANCE else mixture(game.infoset(state))
    assert sum(shares) == pytest.approx(1.0)
    return sum(
        share * expected(game, mixture, game.next(state, k))
        for k, share in enumerate(shares)
        if share
    )


@pytest.mark.parametrize("changes", [{}, {"rake": 0.0}, {"stacks": [0, 40, 15]}])
def test_hands_at_the_table_win_what_the_solution_says(changes: dict[str, Any]) -> None:
    """Every deal and every line, by the rules of the table alone."""
    keys = {key: getattr(TINY, key) for key in type(TINY).model_fields}
    solution = solved(ThreeSpot(**{**keys, **changes}))
    game = ThreeGame(solution.spot)
    won = expected(game, SolutionAgent(solution).mixture_at)
    assert won == pytest.approx(solution.values, abs=1e-9)
    if not solution.spot.rake:
        assert sum(won) == pytest.approx(solution.spot.pot)


def test_every_end_of_the_betting_is_paid_as_the_rules_have_it() -> None:
    """Side pots by who can win each chip, counted chip by chip, for all orders of the hands."""
    game = ThreeGame(TINY)
    ends = list(_ends(game))
    assert {betting.kind == FOLDED for betting in ends} == {True, False}
    for betting in ends:
        paid = [a - b for a, b in zip(betting.stakes, TINY.dead_money, strict=True)]
        live = [seat for seat in range(3) if betting.is_live(seat)]
        for strengths in ([1, 2, 3], [3, 2, 1], [2, 2, 1], [1, 1, 1], [1, 3, 3]):
            won = [-float(chips) for chips in paid]
            for chip in range(-sum(TINY.dead_money), max(paid)):  # dead money below the bets
                givers = 1 if chip < 0 else sum(chips > chip for chips in paid)
                able = [seat for seat in live if chip < 0 or paid[seat] > chip]
                best = max(strengths[seat] for seat in able)
                winners = [seat for seat in able if strengths[seat] == best]
                for seat in winners:
                    won[seat] += givers / len(winners)
            pot = betting.pot
            kept = 1.0 - min(0.05 * pot, 2.0) / pot
            raked = [(w + p) * kept - p for w, p in zip(won, paid, strict=True)]
            compared = None if betting.kind == FOLDED else strengths
            if compared is not None or len(live) == 1:
                assert game.settled(betting, compared) == pytest.approx(raked)


def _ends(game: ThreeGame, betting: Any = None) -> Any:
    betting = start(game.rules) if betting is None else betting
    if betting.kind:
        yield betting
        return
    for action in game.legal(TableState((), (), betting)):
        yield from _ends(game, after(game.rules, betting, action))


def test_hands_that_block_each_other_are_never_dealt_together() -> None:
    game, dealt = ThreeGame(TINY), dict[tuple[int, ...], float]()

    def deal(state: TableState, chance: float) -> None:
        if len(state.hands) == 3:
            dealt[state.hands] = chance
            return
        for k, share in enumerate(game.chance(state)):
            deal(game.next(state, k), chance * share)

    deal(game.initial_state(), 1.0)
    weights = {
        (i, j, k): a * b * c
        for i, a in enumerate(TINY.ranges[0].weights) if a
        for j, b in enumerate(TINY.ranges[1].weights) if b
        for k, c in enumerate(TINY.ranges[2].weights)
        if c and not COMBO_MASKS[i] & COMBO_MASKS[j] | (COMBO_MASKS[i] | COMBO_MASKS[j])
        & COMBO_MASKS[k]
    }  # fmt: skip
    assert dealt.keys() == weights.keys()
    total = sum(weights.values())
    for hands, chance in dealt.items():
        assert chance == pytest.approx(weights[hands] / total)


def test_the_coach_prices_choices_by_the_solution() -> None:
    solution = solved()
    coach, decision = SolutionCoach(solution), solution.at("X-X")
    assert coach.is_exact
    assert decision.action_ev is not None
    for combo in np.flatnonzero(decision.combos).tolist():
        evs = decision.action_ev[:, combo]
        for chosen in range(len(decision.actions)):
            advice = coach.advise(f"{combo_name(combo)}:X-X", chosen)
            assert advice.values == pytest.approx(evs)
            assert advice.ev_loss == pytest.approx(evs.max() - evs[chosen])


def test_ranges_are_weighed_by_what_both_others_hold() -> None:
    """What IP may face at X-X: the mixture of MID over all deals with the own hand, by brute force.

    OOP's range after its check counts, with every pair of hands that it blocks.
    """
    solution = solved()
    game = ThreeGame(solution.spot)
    own = int(np.flatnonzero(TINY.ranges[2].weights)[1])
    first, second = solution.at(), solution.at("X")
    mixtures = SolutionRanges(solution).mixtures(f"{combo_name(own)}:X-X")
    assert [mixture.player for mixture in mixtures] == [0, 1]
    free = COMBO_MASKS & COMBO_MASKS[own] == 0
    checked = first.reach * first.strategy[0] * free
    weights = np.zeros(len(free))
    for combo in np.flatnonzero(second.reach * free):
        left = checked[COMBO_MASKS & COMBO_MASKS[combo] == 0].sum()
        weights[combo] = second.reach[combo] * left
    shares = second.strategy @ weights
    assert mixtures[1].probabilities == pytest.approx(shares / shares.sum())
    assert mixtures[1].taken == "X"
    opened = np.array([
        first.reach[c] * sum(
            TINY.ranges[1].weights[d]
            for d in np.flatnonzero(TINY.ranges[1].weights * free)
            if not COMBO_MASKS[c] & COMBO_MASKS[d]
        ) if free[c] else 0.0
        for c in range(len(free))
    ])  # fmt: skip
    shares = first.strategy @ opened
    assert mixtures[0].probabilities == pytest.approx(shares / shares.sum())
    assert game.seat_names == ("OOP", "MID", "IP")


def test_bots_play_the_solution_and_bets_of_any_size_are_mapped() -> None:
    solution = solved()
    agent, bot = SolutionAgent(solution), Bot(solution)
    session = Session(ThreeGame(TINY), [bot, agent, Bot(solution, seed=3)], seed=5)
    for record in session.play(40):
        pot = TINY.pot - min(0.05 * TINY.pot, 2)
        assert sum(record.payoffs) <= pot + 1e-9
    table = Table.start(ThreeGame(TINY)).play("OOP AsKs").play("MID QhJh").play("IP 2d2c")
    assert bot.mixture(table) == pytest.approx(agent.mixture(table))
    limits = ThreeGame(TINY).bet_limits("AsKs:")
    assert limits is not None
    assert (limits.least, limits.most, limits.pot) == (1, 30, 20)
    answer = bot.act("2d2c", "X-X", seconds=None)
    assert answer.action in {"X", "B10", "A30"}


def test_infosets_in_words() -> None:
    game = solution_game(solved())
    assert isinstance(game, ThreeGame)
    facts = dict(game.infoset_facts("KhTh:X-A8"))
    assert facts["board"] == "Qs9h5d3cJs"
    assert facts["pot"] == "28"
    assert facts["to call"] == "8"
    assert facts["behind"] == "OOP 30, MID 0, IP 50 (you)"
    assert facts["moves"] == "OOP Check, MID All-in 8"


@pytest.mark.slow
def test_a_turn_is_played_over_all_its_rivers() -> None:
    """Every deal, river and line, by the rules of the table alone."""
    spot = ThreeSpot(
        board="Qs9h5d3c", oop="AsKs,7h6h", middle="AcAh", ip="KhTh,AsKs", pot=20,
        stacks=[6, 3, 9], bets="a", rake=0.05,
    )  # fmt: skip
    solution = solve_three(spot, iterations=10, threads=1)
    game = ThreeGame(spot)
    won = expected(game, SolutionAgent(solution).mixture_at)
    assert won == pytest.approx(solution.values, abs=1e-6)
    assert game.street_names == ("turn", "river")
    state = game.initial_state()
    while game.player(state) == CHANCE:
        state = game.next(state, 0)
    for _ in range(3):
        state = game.next(state, 0)
    assert game.player(state) == CHANCE
    assert len(game.actions(state)) == 42
    assert game.actions(state)[0].startswith("river ")
    river = game.next(state, 3)
    assert game.infoset(river).count("|") == 1
    mixtures = SolutionRanges(solution).mixtures(game.infoset(river))
    assert [mixture.player for mixture in mixtures] == [1, 2]


def test_points_of_a_turn_have_its_cards() -> None:
    spot = ThreeSpot(
        board="Qs9h5d3c", oop="AsKs,7h6h,22", middle="AcAh,JJ", ip="KhTh,88", pot=20,
        stacks=[60, 30, 90], bets="50%", raises="a",
    )  # fmt: skip
    solution = solve_three(spot, iterations=10, threads=1)
    open_street = ThreeNode(solution, "X-X-X")
    assert (open_street.deals_a_card, open_street.player, open_street.actions) == (True, None, ())
    assert open_street.what == "a card comes"
    river = ThreeNode(solution, "X-X-X|8h")
    assert (river.line, river.board, river.player) == ("X-X-X|8h", "Qs9h5d3c8h", 0)
    assert river.line_before == "X-X-X"
    bet = ThreeNode(solution, river.next_lines["Bet 10"])
    assert bet.line == "X-X-X|8h|B10"
    assert bet.line_before == "X-X-X|8h"
    assert bet.reached == pytest.approx(solution.at(bet.line).reached)
    for seat in range(3):
        total = _dealt(spot, "8h")
        assert bet.matchups(seat).sum() / total == pytest.approx(bet.reached)
    ended = ThreeNode(solution, "X-X-X|8h|X-X-X")
    assert ended.what == "showdown"
    assert 0.0 < ended.reached <= ThreeNode(solution, "X-X-X|8h").reached


def _dealt(spot: ThreeSpot, river: str) -> float:
    """The weight of the deals that a river leaves."""
    card, total = 1 << parse_cards(river)[0], 0.0
    held = [
        [(w, int(m)) for w, m in zip(r.weights, COMBO_MASKS.tolist(), strict=True) if w]
        for r in spot.ranges
    ]
    for a, first in held[0]:
        for b, second in held[1]:
            for c, third in held[2]:
                free = not (first & second or (first | second) & third)
                total += a * b * c * (free and not (first | second | third) & card)
    return total
