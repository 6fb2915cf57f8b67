"""Public functions of poker and play name the argument that is wrong, whatever is passed."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist import play, poker
from equilibrist.errors import ConfigError, EquilibristError
from equilibrist.play.bets import BetLimits, mapped_within
from equilibrist.play.solutions.reading import solution_game
from equilibrist.play.spots.bets import bet_limits, map_bet
from equilibrist.play.words import facts_of
from equilibrist.poker.betting.bet_size_parser import sizes_text
from equilibrist.poker.betting.public_tree import find_node, node_actions, node_line, public_tree
from equilibrist.poker.cards.combos import without_cards
from equilibrist.poker.cards.isomorphism import next_deals, representative, symmetries
from equilibrist.poker.hands.betting_tree import betting_tree, count_nodes
from equilibrist.poker.postflop.estimate.reductions import check_fits
from equilibrist.poker.tournaments.icm import icm
from tests.refusals import refuses

WRONG: list[Any] = [
    None, 3, -1, 0.5, float("nan"), "zzz", "", b"x", [], [1, 2], ["AA"], {}, {"a": 1}, object(),
    np.zeros(3), np.zeros((2, 2, 2)), True, (1,), lambda: 0,
]  # fmt: skip
SPOT = poker.Spot(board="Ts3h2h5c9s", oop="AA", ip="KK", pot=100, stack=100, bets="a")
RULES = poker.Hand(stack=4, blinds="1/2", bets="a").rules
KUHN = eq.load_game("kuhn")
BOARD = (0, 5, 10)
GIVEN: dict[str, dict[str, Any]] = {
    "betting_tree": {"rules": RULES, "menu": None, "most_nodes": 10_000},
    "card_names": {"cards": [1, 2], "separator": ""},
    "check_fits": {"spot": SPOT, "memory": 10**9},
    "count_nodes": {"rules": RULES, "menu": None, "most_states": 1000},
    "equity": {"oop": "AA", "ip": "KK", "board": "Ts3h2h5c9s", "dead": ""},
    "find_node": {"tree": public_tree(SPOT.rules()), "line": ()},
    "tournament_values": {
        "stacks": [3, 2, 1],
        "payouts": [2, 1],
        "names": ["a", "b", "c"],
        "leave": 1,
        "samples": 10,
        "seed": 3,
    },
    "icm": {"stacks": [[3, 1]], "payouts": [2, 1], "before": [2, 2]},
    "multiway_equity": {"ranges": ["AA", "KK", "QQ"], "board": "Ts3h2h5c9s"},
    "next_deals": {"board": BOARD, "group": np.array([0])},
    "node_actions": {"tree": public_tree(SPOT.rules()), "node": 0},
    "node_line": {"tree": public_tree(SPOT.rules()), "node": 0},
    "representative": {"board": BOARD, "group": np.array([0]), "runout": (20,)},
    "symmetries": {"board": BOARD, "ranges": [np.zeros(1326)]},
    "action_words": {"game": KUHN, "key": "1", "labels": ("pass", "bet")},
    "mapped_within": {"limits": BetLimits(1, 10, 1, 0, 10, {0: 5.0}), "amount": 5},
    "judge": {"advice": play.Advice("1", ("pass",), 0, (1.0,), (1.0,)), "stake": None},
}


INSIDE: tuple[Callable[..., Any], ...] = (
    betting_tree, bet_limits, check_fits, count_nodes, facts_of, find_node, map_bet, mapped_within,
    next_deals, node_actions, node_line, representative, sizes_text, solution_game, symmetries,
    without_cards,
)  # fmt: skip
"""Functions that check their arguments, though no package lists them."""


def functions() -> list[tuple[str, Callable[..., Any]]]:
    """The public functions of both packages and those of the inside, by name."""
    listed = [getattr(package, name) for package in (poker, play) for name in package.__all__]
    return [(call.__name__, call) for call in (*listed, *INSIDE) if inspect.isfunction(call)]


def fault(call: Callable[..., Any], *given: Any, **named: Any) -> str | None:
    """The kind of error that is none of ours, or None."""
    try:
        call(*given, **named)
    except (EquilibristError, OSError):
        return None
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def test_no_function_ends_in_an_error_of_its_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = {}
    for name, call in functions():
        needed = [p for p in inspect.signature(call).parameters.values() if p.default is p.empty]
        places = [p for p in needed if p.kind not in (p.KEYWORD_ONLY, p.VAR_KEYWORD)]
        names = [p.name for p in needed if p.kind is p.KEYWORD_ONLY]
        for wrong in WRONG if needed else ():
            said = fault(call, *[wrong] * len(places), **dict.fromkeys(names, wrong))
            if said is not None:
                found[name, repr(wrong)] = said
    assert found == {}


def test_no_argument_ends_in_an_error_of_the_inside() -> None:
    by_name = dict(functions())
    found = {}
    for name, given in GIVEN.items():
        assert fault(by_name[name], **given) is None
        for key in given:
            for wrong in WRONG:
                said = fault(by_name[name], **{**given, key: wrong})
                if said is not None and not said.startswith("KeyError"):
                    found[name, key, repr(wrong)] = said
    assert found == {}


@pytest.mark.parametrize(
    ("call", "given", "option"),
    [
        (poker.class_combos, ["AKs"], "hand_class"),
        (poker.class_combos, [169], "hand_class"),
        (poker.class_combos, [-1], "hand_class"),
        (poker.class_combos, [True], "hand_class"),
        (poker.combo_strengths, ["QsJh2h5c9s"], "board"),
        (poker.combo_strengths, [[0, 1, 52]], "board"),
        (poker.combo_strengths, [[0, 1, 1]], "board"),
        (poker.combo_strengths, [[0, 1, -1]], "board"),
        (poker.hand_strength, ["QsJh2h5c9s"], "cards"),
        (poker.hand_strength, [[0, 1, 2, 3, True]], "cards"),
        (poker.card_name, [-1], "card"),
        (poker.card_name, [52], "card"),
        (poker.card_name, [True], "card"),
        (poker.combo_name, [-1], "combo"),
        (poker.combo_name, [1326], "combo"),
        (poker.card_names, [[60]], "card"),
        (without_cards, [-1], "mask"),
        (without_cards, [1 << 52], "mask"),
        (without_cards, [0.5], "mask"),
        (poker.category, [True], "strength"),
        (symmetries, [(0, 0, 1), []], "board"),
        (symmetries, [(0, 1, 2), [np.zeros(5)]], "ranges"),
        (next_deals, [(0, 1, 2), [24]], "group"),
        (poker.smaller_spots, [SPOT, -1], "memory"),
        (poker.HoldemGame, ["kuhn"], "rules"),
        (lambda payouts: poker.push_fold(10, payouts=payouts), [3], "payouts"),
        (lambda blinds: poker.push_fold(10, blinds=blinds), [0.5], "blinds"),
        (lambda others: poker.push_fold(10, others=others), [5], "others"),
        (lambda seats: play.Session(KUHN, seats), [None], "seats"),
        (poker.Range("AA").without, [3], "cards"),
        (poker.Range("AA").without, [[52]], "cards"),
        (poker.Range("AA").to, [None], "dialect"),
        (poker.Hand.from_toml, [None], "path"),
        (poker.Spot.from_toml, [3], "path"),
        (poker.PushFold((10, 10)).values, [[2]], "all_in"),
        (representative, [BOARD, [0], (5,)], "runout"),
        (representative, [BOARD, [0], (20, 20)], "runout"),
        (representative, [BOARD, [0], (20, 21, 22)], "runout"),
        (lambda *given: poker.SpotSolver(SPOT).values(*given), [0, (1,)], "runout"),
        (lambda *given: poker.SpotSolver(SPOT).values(*given), [99, ()], "node"),
        (lambda *given: poker.SpotSolver(SPOT).values(*given), [True, ()], "node"),
        (lambda *given: poker.SpotSolver(SPOT).on_board(*given), [(1,)], "runout"),
        (lambda nodes: poker.SpotSolver(SPOT).on_board(())(nodes), [[99]], "node"),
        (lambda hand: poker.AllInTable.load().equity(hand, "AA"), [[]], "hand"),
        (lambda hands: poker.AllInTable.load().multiway(hands), [None], "hands"),
        (lambda hands: poker.AllInTable.load().multiway(hands), ["AKs"], "hands"),
        (lambda hands: poker.AllInTable.load().multiway(hands), [["AA", "KK", []]], "hands"),
        (poker.PushFold((10, 10)).values, [0], "all_in"),
        (poker.PushFold((10, 10)).next_turn, [3, ()], "turn"),
        (betting_tree(RULES, None).label, [-1], "node"),
        (betting_tree(RULES, None).line, ["R2"], "node"),
        (betting_tree(RULES, None).children, [10**6], "node"),
        (play.Table.start(KUHN).draw, [[0.5], np.random.default_rng(1)], "probabilities"),
        (play.Table.start(KUHN).draw, [[1, 0, 0], 7], "generator"),
        (facts_of, [None, 0, "1"], "game"),
        (play.judge, [3, None], "advice"),
    ],
)
def test_what_was_accepted_in_silence_is_refused(
    call: Callable[..., Any], given: list[Any], option: str
) -> None:
    with refuses(ConfigError, option=option):
        call(*given)


@pytest.mark.parametrize(
    ("given", "option"),
    [
        (([[1, 2], [1]], [1]), "stacks"),
        ((5, [1]), "stacks"),
        (([], []), "stacks"),
        (([10, -5], [60, 40]), "stacks"),
        (([10, float("nan")], [60, 40]), "stacks"),
        ((["a", "b"], [60, 40]), "stacks"),
        (([True, False], [60, 40]), "stacks"),
        (([10, 5], [60, 30, 10]), "payouts"),
        (([10, 5], [60, -40]), "payouts"),
        (([10, 5], [[60, 40]]), "payouts"),
        (([10, 5], 60), "payouts"),
        (([1] * 9000, [1] * 9000), "payouts"),
        (([10, 5], [60, 40], [1, 2, 3]), "before"),
        (([10, 5], [60, 40], [1, -2]), "before"),
    ],
)
def test_stacks_that_have_no_worth(given: tuple[Any, ...], option: str) -> None:
    with refuses(ConfigError, option=option):
        icm(*given)


def test_stacks_in_any_form_are_worth_the_same() -> None:
    expected = [60 * 2 / 3 + 40 / 3, 60 / 3 + 40 * 2 / 3]
    for stacks in ([10, 5], (10.0, 5.0), np.array([10, 5]), np.array([10, 5], np.float32)):
        found = icm(stacks, [60, 40])
        assert found.shape == (2,)
        assert found.tolist() == pytest.approx(expected)
    assert icm([[10, 5], [0, 15]], [60, 40])[1].tolist() == [40, 60]


@pytest.mark.parametrize("least", [1e-300, 1e-17, 1e-15, 1e-9])
def test_a_stack_that_is_nearly_nothing_comes_last(least: float) -> None:
    found = icm([least, 1, 1], [3, 2, 1])
    assert found.tolist() == pytest.approx([1, 2.5, 2.5], abs=1e-8)
    assert found.sum() == pytest.approx(6, abs=1e-14)


def test_payouts_of_nothing_are_named() -> None:
    with refuses(ConfigError, option="payouts", expected="a first payout above 0"):
        poker.push_fold(10, payouts=[0, 0])
