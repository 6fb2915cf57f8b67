"""Hands as games and as compiled rules: against the core's games, and against each other."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from equilibrist import Strategy, check_game, compile_game, load_game, nash_conv, solve
from equilibrist.errors import GameError, UnsupportedError
from equilibrist.game import TERMINAL
from equilibrist.poker.cards.evaluator import hand_strengths
from equilibrist.poker.hands.game import HoldemGame, combination
from equilibrist.poker.hands.hand import Hand
from equilibrist.rules.game import rules_game
from equilibrist.rules.infoset_names import names_by_rules
from equilibrist.rules.shipped.holdem_strengths import five_cards_value
from tests.refusals import refuses
from tests.slow_cases import slow

KUHN = Hand(
    seats=3, stack=10, blinds="0/0", ante=1, limit="limit", fixed_bets="1/1", raise_cap=0,
    deck="J", suits=1, hole_cards=1, board="",
)  # fmt: skip
LEDUC = Hand(
    stack=100, blinds="0/0", ante=1, unit=0.1, limit="limit", fixed_bets="2/4", raise_cap=1,
    deck="Q", suits=2, hole_cards=1, board="1",
)  # fmt: skip
SMALL = [
    KUHN,
    LEDUC.replace(raise_cap=0),
    Hand(
        stacks="9/4", blinds="0.5/1", ante="0.1", deck="A", hole_cards=1, board="1",
        bets="2.5x|75%", raises="100%,a", raise_cap=1,
    ),
    Hand(
        seats=3, stacks="12/8/11", blinds="1/2", ante=0.5, ante_kind="big-blind", deck="A",
        hole_cards=1, board="", limit="pot-limit", bets="100%", raises="100%,a", raise_cap=1,
    ),
    Hand(
        seats=4, stacks="4/6/8/10", blinds="1/2", straddle=4, deck="K", suits=2, hole_cards=1,
        board="", bets="a", raises="a", short_all_in_reopens=True,
    ),
    Hand(  # the small blind and the button are short of the ante, the big blind of the blind
        seats=4, stacks="0.5/1.5/9/0.7", blinds="1/2", ante=1, deck="K", suits=2, hole_cards=1,
        board="", bets="2.5x,a", raises="a",
    ),
    Hand(  # antes leave nobody a blind; a multiple is of the big blind that was to be posted
        seats=4, stacks="1/0.5/9/7", blinds="1/2", ante=1, deck="K", suits=2, hole_cards=1,
        board="", bets="2.5x,a", raises="a",
    ),
    Hand(
        seats=3, stacks="40/120/171", blinds="50/100", deck="K", suits=2, hole_cards=1,
        board="1", bets="a", raises="a", first_short_all_in_reopens=False,
    ),
]  # fmt: skip
SHORT = [
    Hand(stacks="0.3/9", bets="50%,a", raises="100%,a", raise_cap=1),
    Hand(stacks="9/0.7", bets="50%,a", raises="100%,a", raise_cap=1),
    Hand(stacks="0.3/0.8", ante=0.5, bets="50%,a", raises="100%,a"),
    Hand(seats=3, stacks="20/0.7/3", ante=1, ante_kind="big-blind", bets="100%", raises="a",
         raise_cap=1, board="3"),
    Hand(seats=3, stacks="0.2/0.4/7", limit="limit", ante=0.3, raise_cap=1, board="3"),
    Hand(seats=4, stacks="1.71/2.4/20/20", bets="2x,a|a", raises="100%,a", raise_cap=0,
         board="3", first_short_all_in_reopens=False),
]  # fmt: skip
LARGE = [
    Hand(stacks="100/80", bets="2.5x,a|50%,100%|50%,100%|50%", raises="100%,a", raise_cap=2),
    Hand(stack=100, limit="limit"),
    Hand(seats=3, stack=30, limit="limit", blinds="5/10", ante=2),
    Hand(
        seats=4, stacks="9/3.4/10/2", straddle=2, ante=1, ante_kind="big-blind", board="3",
        bets="50%,a|50%", raises="100%,a", raise_cap=0,
    ),
    Hand(
        seats=3, stacks="20/7/3", limit="pot-limit", board="3", bets="100%", raises="a",
        raise_cap=1,
    ),
]  # fmt: skip


def _lockstep(ours: Any, theirs: Any, names: bool = False) -> tuple[int, dict[str, str]]:
    """Walk two games at once; how many histories they have, and their infosets."""
    keys: dict[str, str] = {}
    waiting, histories = [(ours.initial_state(), theirs.initial_state())], 0
    while waiting:
        state, other = waiting.pop()
        histories += 1
        player = ours.player(state)
        assert player == theirs.player(other)
        if player == TERMINAL:
            assert tuple(ours.payoffs(state)) == tuple(theirs.payoffs(other))
            continue
        if player >= 0:
            key = theirs.infoset(other)
            assert keys.setdefault(ours.infoset(state), key) == key
            if names:
                assert ours.infoset(state) == key
        count = len(ours.actions(state))
        labels = tuple(theirs.actions(other))
        assert tuple(ours.actions(state)) == labels if names else count == len(labels)
        waiting += [(ours.next(state, k), theirs.next(other, k)) for k in range(count)]
    assert len(set(keys.values())) == len(keys)
    return histories, keys


@pytest.mark.parametrize(
    ("hand", "spec"),
    [
        (KUHN, "kuhn(players=3)"),
        (LEDUC, "leduc"),
        (LEDUC.replace(seats=3, raise_cap=0, deck="K"), "leduc(players=3,ranks=2,raise_cap=1)"),
        slow(LEDUC.replace(seats=3, raise_cap=0), "leduc(players=3,ranks=3,raise_cap=1)"),
        slow(LEDUC.replace(seats=3, deck="K"), "leduc(players=3,ranks=2)"),
    ],
)
def test_small_games_as_hands_are_the_cores(hand: Hand, spec: str) -> None:
    core = load_game(spec)
    _lockstep(hand.game(), core)
    ours, theirs = compile_game(hand.game()), compile_game(core)
    assert (ours.num_nodes, ours.num_infosets) == (theirs.num_nodes, theirs.num_infosets)
    uniform = nash_conv(Strategy.uniform(ours))
    assert uniform == pytest.approx(nash_conv(Strategy.uniform(theirs)), abs=1e-12)
    assert uniform > 0.1


@pytest.mark.slow
def test_solved_hands_have_the_cores_nash_conv() -> None:
    small = LEDUC.replace(seats=3, raise_cap=0, deck="K"), "leduc(players=3,ranks=2,raise_cap=1)"
    for hand, spec in ((KUHN, "kuhn(players=3)"), (LEDUC, "leduc"), small):
        ours = solve(hand.game(), "cfr+", iterations=30)
        theirs = solve(spec, "cfr+", iterations=30)
        assert ours.evaluation.nash_conv == pytest.approx(theirs.evaluation.nash_conv, abs=1e-9)


@pytest.mark.parametrize("hand", SMALL[:3])
def test_hands_are_valid_games(hand: Hand) -> None:
    report = check_game(hand.game())
    assert not report.problems


@pytest.mark.by_default(1)
@pytest.mark.parametrize("hand", SMALL, ids=lambda hand: hand.name)
def test_compiled_rules_are_the_game_history_by_history(hand: Hand) -> None:
    compiled = rules_game(hand.compiled())
    histories, keys = _lockstep(hand.game(), compiled, names=True)
    assert histories > 100
    assert len(set(compiled.packed_keys().values())) == len(keys)


@pytest.mark.parametrize("hand", [*LARGE, *SHORT], ids=lambda hand: hand.name)
def test_compiled_rules_are_the_game_on_random_hands(hand: Hand) -> None:
    ours, theirs = hand.game(), rules_game(hand.compiled())
    names = names_by_rules(theirs.rules)
    for seed in range(8):
        chance, state, other = random.Random(seed), ours.initial_state(), theirs.initial_state()
        while (player := ours.player(state)) != TERMINAL:
            assert player == theirs.player(other)
            count = len(ours.actions(state)) if player >= 0 else len(ours.chance(state))
            if player >= 0:
                assert ours.actions(state) == theirs.actions(other)
                assert ours.infoset(state) == theirs.infoset(other)
                read, _ = names.read(*theirs.packed(other), count)
                assert read == ours.infoset(state)
            action = chance.randrange(count)
            state, other = ours.next(state, action), theirs.next(other, action)
        assert theirs.player(other) == TERMINAL
        assert ours.payoffs(state) == theirs.payoffs(other)


@pytest.mark.parametrize("moves", [("F",), ("A10", "C"), ("C", "X", "X", "A9", "C")])
def test_keys_after_which_nobody_acts_are_refused(moves: tuple[str, ...]) -> None:
    game = rules_game(Hand(stack=10, bets="a", raises="a", raise_cap=1).compiled())
    state = game.initial_state()
    key = (0, 0)
    while moves:
        player = game.player(state)
        if player >= 0:
            key = game.packed(state)
            action = game.actions(state).index(moves[0])
            moves = moves[1:]
        else:
            action = 0
        state = game.next(state, action)
    names = names_by_rules(game.rules)
    names.read(*key)
    with refuses(GameError, kind="exception"):
        names.read(key[0], game.packed(state)[1])


def test_compiled_strengths_order_hands_as_the_evaluator() -> None:
    generator = np.random.default_rng(5)
    for size in (5, 6, 7):
        hands = np.array([generator.permutation(52)[:size] for _ in range(1500)])
        few = np.array([generator.permutation(20)[:size] for _ in range(1500)])
        hands = np.concatenate([hands, few])  # straight flushes and four of a kind among them
        values = [
            five_cards_value(
                sum(1 << 4 * (c >> 2) for c in row),
                sum(1 << (13 * (c & 3) + (c >> 2)) for c in row),
            )
            for row in hands.tolist()
        ]
        exact = hand_strengths(hands)
        assert exact.max() > 7452  # a straight flush
        order = np.argsort(exact, kind="stable")
        ours = np.array(values)[order]
        assert ((np.diff(ours) > 0) == (np.diff(exact[order].astype(int)) > 0)).all()
        assert (np.diff(ours) >= 0).all()


@pytest.mark.slow  # compiles a sampler
def test_sampling_without_a_tree_solves_a_hand() -> None:
    rules = KUHN.replace(seats=2, deck="Q").compiled()
    result = solve(rules.name, sampling="external", iterations=50_000, explicit_tree=False, seed=1)
    tree = compile_game(rules_game(rules))
    assert tree.num_infosets == 12
    assert nash_conv(Strategy.from_packed(tree, result.strategy)) < 0.02


def test_combinations_are_numbered_as_python_lists_them() -> None:
    items = [2, 3, 5, 8, 9, 11]
    for size in (1, 2, 3):
        listed = list(combinations(items, size))
        assert [combination(items, size, number) for number in range(len(listed))] == listed


def test_free_amounts_are_all_legal_ones() -> None:
    game = Hand(stack=4, blinds="1/2").game()
    state = game.initial_state()
    for _ in range(2):
        state = game.next(state, 0)
    assert game.actions(state) == ("F", "C", "A4")
    deep = Hand(stack=10, blinds="1/2").game()
    assert isinstance(deep, HoldemGame)
    state = deep.next(deep.next(deep.initial_state(), 0), 0)
    assert deep.actions(state) == ("F", "C", *(f"R{n}" for n in range(4, 10)), "A10")


def test_hands_beyond_the_compiled_rules_are_refused() -> None:
    with refuses(UnsupportedError, option="bets"):
        Hand(stack=10).compiled()
    with refuses(UnsupportedError, option="sizes", given="3e"):
        Hand(stack=10, bets="3e").compiled()
    with refuses(UnsupportedError, option="sizes", given=5):
        Hand(stack=10, bets="10%,20%,30%,40%,a").compiled()
    with refuses(UnsupportedError, option="raise_cap"):
        Hand(seats=6, stack=100, limit="limit").compiled()
