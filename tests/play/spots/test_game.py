"""Spots as games: the deal, the rules, and play by a solution, held against exact expectation."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist import load_result
from equilibrist.errors import ConfigError, LineSyntaxError, MismatchError
from equilibrist.evaluation import evaluate
from equilibrist.game import CHANCE
from equilibrist.play import (
    Adviser,
    Agent,
    Coach,
    HandLog,
    Person,
    Session,
    SolutionAgent,
    SolutionCoach,
    SpotGame,
    Table,
    UniformAgent,
    read_log,
)
from equilibrist.poker import PostflopResult, Spot, solve
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import FIRST_CARD, SECOND_CARD, combo_name, parse_combo
from tests.refusals import refuses, unchecked

RIVER = Spot(
    board="Ts3h2h5c9s", oop="AA,QQ:0.5,AhKh", ip="KK,QJs,AhQd:0.25", pot=100, stack=97.5,
    bets="50%,a", raises="a", rake=0.05, rake_cap=7,
)  # fmt: skip
TURN = RIVER.replace(
    board="Ts3h2h5c", bets="50%", stack=60, oop="AcAd,QhQs:0.5", ip="KcKd,AhQd:0.25"
)
SIXES = "7h6h,7d6d,7c6c"
SYMMETRIC = Spot(
    board="Ts3s2s9s",
    oop=f"AhAd,AhAc,AdAc,{SIXES}",
    ip=f"QhQd:0.5,QhQc:0.5,QdQc:0.5,{SIXES}",
    pot=7,
    stack=9.5,
    bets="a",
    rake=0.1,
)
"""Hearts, diamonds and clubs are alike, and equal hands tie."""
LOCKED = RIVER.replace(locks=["B50: KK = Call 100%", "X: QJs = Check 40%, Bet 50 60%"])
FLOP = Spot(
    board="Ts3h2h", oop="22+,AKs,72o:0.25", ip="A2s+,KQo:0.5,TT", pot=6.5, stack=40, bets="75%"
)


@cache
def solved(spot: Spot) -> PostflopResult:
    return solve(spot, iterations=150, threads=1)


def cards_of(combo: int) -> set[int]:
    return {int(FIRST_CARD[combo]), int(SECOND_CARD[combo])}


def joint(spot: Spot) -> dict[tuple[str, str], float]:
    """The probability of each pair of hands, from the definition."""
    board = set(parse_cards(spot.board))
    weights = {}
    held = [
        [(c, w) for c, w in enumerate(r.weights.tolist()) if w and not cards_of(c) & board]
        for r in (spot.oop, spot.ip)
    ]
    for (first, v), (second, w) in product(*held):
        if not cards_of(first) & cards_of(second):
            weights[combo_name(first), combo_name(second)] = v * w
    total = sum(weights.values())
    return {pair: weight / total for pair, weight in weights.items()}


def dealt(record: Any) -> tuple[str, str]:
    first, second = (move.action.split()[1] for move in record.moves[:2])
    return first, second


@pytest.mark.parametrize("spot", [RIVER, TURN, FLOP], ids=["river", "turn", "flop"])
def test_pairs_of_hands_have_the_probabilities_of_the_ranges(spot: Spot) -> None:
    start = Table.start(SpotGame(spot))
    found = {}
    for first, p in enumerate(start.chance):
        table = start.play(first)
        hand = start.actions[first].removeprefix("OOP ")
        for label, q in zip(table.actions, table.chance, strict=True):
            found[hand, label.removeprefix("IP ")] = p * q
    expected = joint(spot)
    assert found.keys() == expected.keys()
    assert [*found.values()] == pytest.approx([expected[pair] for pair in found], rel=1e-12)


@pytest.mark.slow
def test_a_session_deals_by_these_probabilities() -> None:
    spot = RIVER.replace(oop="AcAd,QhQs:0.5", ip="KcKd,QcJc,AhQd:0.25", bets="", raises="")
    session = Session(SpotGame(spot), [UniformAgent("A"), UniformAgent("B")], seed=11)
    hands = 2500
    counted = Counter(dealt(record) for record in session.play(hands))
    expected = joint(spot)
    assert counted.keys() == expected.keys()
    chi_square = sum((counted[k] - hands * p) ** 2 / (hands * p) for k, p in expected.items())
    degrees = len(expected) - 1
    assert degrees == 5
    assert 0.5 < chi_square < 20.5  # 99.9 % of a chi square of 5 degrees is below 20.5


def test_cards_are_dealt_uniformly_from_those_that_are_left() -> None:
    game = SpotGame(FLOP.replace(bets=""))
    session = Session(game, [UniformAgent("A"), UniformAgent("B")], seed=5)
    counted: Counter[str] = Counter()
    for record in session.play(1000):
        turn, river = (m for m in record.moves[2:] if m.player == CHANCE)
        assert turn.probabilities == (1 / 45,) * 45
        assert river.probabilities == (1 / 44,) * 44
        counted[turn.action.split()[1][0]] += 1
    assert set(counted) == set("23456789TJQKA")
    assert min(counted["4"], counted["8"]) > 50  # 4 cards of 45 that few hold: up to 89


@given(seed=st.integers(0, 10**6), choices=st.lists(st.integers(0, 3), min_size=20, max_size=20))
def test_no_card_comes_twice(seed: int, choices: list[int]) -> None:
    generator = np.random.default_rng(seed)
    table, chosen = Table.start(SpotGame(FLOP)), iter(choices)
    while not table.over:
        if table.player == CHANCE:
            table = table.draw(table.chance, generator)
        else:
            table = table.play(next(chosen) % len(table.actions))
    names = FLOP.board + "".join(m.action.split()[1] for m in table.moves if m.player == CHANCE)
    cards = parse_cards(names)
    assert len(cards) == len(set(cards)) in (7, 8, 9)
    assert sum(table.payoffs) == pytest.approx(FLOP.pot)


def strategy_of(solution: PostflopResult) -> eq.Strategy:
    """The solution as a strategy of the compiled game, row by row as the agent plays."""
    tree = eq.compile_game(SpotGame(solution.spot))
    look_up = cache(solution.strategy.__getitem__)
    rows = {}
    for i, key in enumerate(tree.infoset_keys):
        hand, line = key.split(":")
        found = look_up(line)
        combo = parse_combo(hand)
        rows[key] = {word: float(found[word][combo]) for word in tree.action_labels[i]}
    return eq.Strategy.from_dict(tree, rows)


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    "spot", [RIVER, TURN, SYMMETRIC, LOCKED], ids=["river", "turn", "symmetric", "locked"]
)
def test_the_expected_score_of_the_solution_is_its_ev(spot: Spot) -> None:
    """By enumeration of all deals: rake, cap, ties, all-ins and folded suits are right."""
    solution = solved(spot)
    found = evaluate(strategy_of(solution))
    assert found.values == pytest.approx(solution.ev, abs=2e-4)
    if spot.locks:
        assert sum(found.gains) / 2 == pytest.approx(solution.unlocked_mean_gain, abs=2e-4)
    else:
        assert sum(found.gains) / 2 == pytest.approx(solution.mean_gain, abs=2e-4)


@pytest.mark.slow
def test_a_long_session_comes_near_the_ev() -> None:
    solution = solved(RIVER)
    seats = [SolutionAgent(solution, "A"), SolutionAgent(solution, "B")]
    session = Session(SpotGame(RIVER), seats, seed=8, alternate=False)
    actions = Counter(r.moves[2].action for r in session.play(3000))
    score = session.score
    for seat in (0, 1):
        low, high = score.interval(seat) or (0.0, 0.0)
        assert low < solution.ev[seat] < high
        assert high - low < 10
    for action, share in solution.at().frequency.items():
        assert actions[action] / 3000 == pytest.approx(share, abs=0.03)


def test_the_rules_have_no_problem() -> None:
    report = eq.check_game(SpotGame(RIVER))
    assert not report.problems
    assert report.complete
    assert report.perfect_recall


@pytest.mark.parametrize(
    ("spot", "hands", "moves", "payoffs"),
    [
        (RIVER, "AsAd KdKc", "Check, Check", (95, 0)),  # rake 5
        (RIVER, "AsAd KdKc", "Bet 50, Call", (143, -50)),  # 10 of 200, but at most 7
        (RIVER, "AsAd KdKc", "Bet 50, Fold", (95, 0)),  # the bet was not called
        (RIVER, "AsAd KdKc", "Check, Bet 50, Fold", (0, 95)),
        (RIVER, "AsAd KdKc", "Bet 50, All-in 97.5, Call", (190.5, -97.5)),
        (RIVER, "QhQc QdJd", "Check, Bet 50, All-in 97.5, Fold", (143, -50)),
        (SYMMETRIC, "7h6h 7d6d", "All-in 9.5, Call, river 4h", (2.2, 2.2)),  # (26 - 2.6) / 2 - 9.5
        (SYMMETRIC, "AhAd QhQc", "All-in 9.5, Call, river Qd", (-9.5, 13.9)),
        (SYMMETRIC, "AhAd 7c6c", "Check, Check, river 4h, Check, Check", (6.3, 0)),
        (SYMMETRIC, "AhAd 7c6c", "Check, Check, river 4h, Check, All-in 9.5, Fold", (0, 6.3)),
    ],
)
def test_payoffs(spot: Spot, hands: str, moves: str, payoffs: tuple[float, float]) -> None:
    table = Table.start(SpotGame(spot))
    for seat, hand in zip(("OOP", "IP"), hands.split(), strict=True):
        table = table.play(f"{seat} {hand}")
    for move in moves.split(", "):
        assert not table.over
        table = table.play(move)
    assert table.over
    assert table.payoffs == pytest.approx(payoffs)


def test_an_infoset_in_words() -> None:
    table = Table.start(SpotGame(TURN)).play("OOP QsQh").play("IP KdKc")
    for move in ("Check", "B50", "Call", "river 8h", "X"):
        table = table.play(move)
    assert table.infoset == "KdKc:X-B50-C|8h|X"
    assert table.facts == (
        ("your hand", "KdKc"),
        ("board", "Ts3h2h5c8h"),
        ("pot", "200"),
        ("to call", ""),
        ("behind", "OOP 10, IP 10 (you)"),
        ("moves", "OOP Check, IP Bet 50, OOP Call; river 8h: OOP Check"),
    )
    assert table.words == (("Check", "X"), ("All-in 10", "A10"))
    after = table.play("A10")
    assert dict(after.facts)["to call"] == "10"
    assert dict(after.facts)["pot"] == "210"
    assert dict(after.facts)["behind"] == "OOP 10 (you), IP 0"


@pytest.mark.parametrize("spot", [RIVER, TURN, LOCKED], ids=["river", "turn", "locked"])
def test_the_coach_shows_the_evs_of_the_node(spot: Spot) -> None:
    solution = solved(spot)
    coach = SolutionCoach(solution)
    assert isinstance(coach, Adviser)
    tree = eq.compile_game(SpotGame(spot))
    for i, key in [*enumerate(tree.infoset_keys)][:: 1 + len(tree.infoset_keys) // 40]:
        hand, line = key.split(":")
        node, combo = solution.at(line), parse_combo(hand)
        advice = coach.advise(key, 0)
        assert advice.actions == tree.action_labels[i] == tuple(map(str, node.actions))
        assert advice.mixture == pytest.approx(node.values.strategy[:, combo], abs=1e-6)
        assert advice.values == tuple(node.values.action_ev[:, combo].tolist())
        assert advice.ev_loss == max(advice.values) - advice.values[0]


def test_where_the_opponent_never_comes_there_is_no_ev() -> None:
    solution = solved(RIVER.replace(locks=[": Check 100%"]))
    advice = SolutionCoach(solution).advise("KsKd:B50", 1)
    assert advice.values is None
    assert advice.ev_loss is None
    assert sum(advice.mixture) == pytest.approx(1)


def test_a_session_with_the_coach() -> None:
    solution = solved(RIVER)
    seats: list[Person | Agent] = [Person("you"), SolutionAgent(solution)]
    session = Session(SpotGame(RIVER), seats, seed=2, coach=SolutionCoach(solution))
    turn = session.deal()
    losses = []
    while turn is not None:
        assert session.table is not None
        assert turn.infoset == session.table.infoset
        turn = session.choose(0)
        assert session.advice is not None
        losses.append(session.advice.ev_loss)
    assert session.last is not None
    assert [m.ev_loss for m in session.last.moves if m.ev_loss is not None] == losses
    assert session.last.payoffs_by_seat() == session.score.totals


def test_streets_that_the_file_lacks_are_played_as_they_are_solved_again(tmp_path: Path) -> None:
    solved(TURN).save(tmp_path / "turn.spot", keep="first-street")
    solution = load_result(tmp_path / "turn.spot", threads=1)
    agent, coach = SolutionAgent(solution), SolutionCoach(solution)
    table = Table.start(SpotGame(TURN)).play("OOP AdAc").play("IP KdKc")
    for move in ("Check", "Check", "river 8h"):
        table = table.play(move)
    node = solution.at("X-X|8h")
    assert node.resolved is not None
    combo = parse_combo("AdAc")
    assert agent.mixture(table) == pytest.approx(node.values.strategy[:, combo], abs=1e-9)
    assert coach.advise(table.infoset, 0).values == tuple(node.values.action_ev[:, combo].tolist())


def test_a_hand_that_was_not_solved_again_plays_uniformly(tmp_path: Path) -> None:
    """The solution never bets the turn: after a bet it says nothing of the river."""
    never = TURN.replace(locks=[": Check 100%"], bets="25%", raises="")
    solve(never, iterations=20, threads=1).save(tmp_path / "turn.spot", keep="first-street")
    solution = load_result(tmp_path / "turn.spot", threads=1)
    table = Table.start(SpotGame(never)).play("OOP AdAc").play("IP KdKc")
    for move in ("Bet 25", "Call", "river 8h", "Check"):
        if table.player != CHANCE:
            assert sum(SolutionAgent(solution).mixture(table)) == pytest.approx(1)
        table = table.play(move)
    assert SolutionAgent(solution).mixture(table) == [0.5, 0.5]
    assert SolutionCoach(solution).advise(table.infoset, 0).values is None


def test_a_log_can_be_played_again(tmp_path: Path) -> None:
    game = SpotGame(FLOP)
    session = Session(game, [UniformAgent("A"), UniformAgent("B")], seed=3)
    with HandLog(tmp_path / "hands.jsonl") as log:
        log.begin(session)
        for record in session.play(5):
            log.add(record)
    assert (tmp_path / "hands.jsonl").stat().st_size < 20_000
    (logged,) = read_log(tmp_path / "hands.jsonl")
    assert logged.game == game.name == "holdem(board=Ts3h2h,pot=6.5,stack=40)"
    for hand in logged.hands:
        assert hand.replay(game).payoffs == hand.payoffs


def test_refusals() -> None:
    solution = solved(RIVER)
    with refuses(ConfigError, option="spot"):
        SpotGame(unchecked("river.toml"))
    for made in (SolutionAgent, SolutionCoach):
        with refuses(ConfigError, option="solution"):
            made(unchecked(RIVER))
    with refuses(ConfigError, option="infoset", given="AhAd"):
        SolutionCoach(solution).advise("AhAd", 0)
    with refuses(ConfigError, option="infoset", given="AhXd:X"):
        SolutionCoach(solution).advise("AhXd:X", 0)
    with refuses(LineSyntaxError, option="line", given="B51"):
        SolutionCoach(solution).advise("AhAd:B51", 0)
    with refuses(ConfigError, option="chosen", given=3):
        SolutionCoach(solution).advise("AhAd:", 3)
    other = Table.start(SpotGame(RIVER.replace(bets="50%", raises="")))
    table = other.play("OOP AsAd").play("IP KdKc")
    with refuses(MismatchError, option="actions"):
        SolutionAgent(solution).mixture(table)
    with refuses(ConfigError, option="strategy"):
        Coach(unchecked(solution.strategy))
