"""Translated strategies: against play by the rules, where bets are met once and twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.abstraction import Translation, make_action_abstraction, pseudo_harmonic
from equilibrist.abstraction.actions.mappings import between
from equilibrist.errors import ConfigError, GameSpecError, MismatchError, UnsupportedError
from equilibrist.evaluation import evaluate
from equilibrist.game import TERMINAL
from equilibrist.game_loading import compile_game
from equilibrist.strategy import Strategy
from equilibrist.tree import GameTree
from equilibrist.tree.compile import build_tree
from tests.abstraction.actions.two_bets import TwoBets, value_of_play
from tests.refusals import refuses, unchecked


def drawn(tree: GameTree, seed: int) -> Strategy:
    """A random strategy; a third of its actions are never played."""
    random = np.random.default_rng(seed)
    values = random.random(int(tree.action_offset[-1])) * (
        random.random(int(tree.action_offset[-1])) < 2 / 3
    )
    counts = np.diff(tree.action_offset)
    total = np.add.reduceat(values, tree.action_offset[:-1])
    values += np.repeat(total == 0.0, counts)
    total = np.add.reduceat(values, tree.action_offset[:-1])
    return Strategy(tree, values / np.repeat(total, counts))


def sizes(label: str, staked: float) -> float:
    return float(label[4:]) / (2 * staked)


def by_formula(kept: tuple[str, ...], mapping: str) -> Any:
    """The shares of a bet in TwoBets, written out for itself."""
    numbers = sorted(float(label[4:]) for label in kept)

    def shares(state: Any, label: str, believed: Any) -> Mapping[str, float]:
        if label in (*kept, "fold", "call"):
            return {label: 1.0}
        pots = [
            2.0 + 2 * sum(float(move[4:]) for move in moves if move[0] == "b")
            for moves in (state[1], believed[1])
        ]
        x = float(label[4:]) / pots[0]
        known = [number / pots[1] for number in numbers]
        if x <= known[0] or x >= known[-1]:
            return {f"bet {numbers[0] if x <= known[0] else numbers[-1]:g}": 1.0}
        k = max(i for i, size in enumerate(known) if size <= x)
        a, b = known[k], known[k + 1]
        f = {
            "half": 0.5 if x > a else 1.0,
            "pseudo-harmonic": (b - x) * (1 + a) / ((b - a) * (1 + x)),
            "nearest": 1.0 if x - a <= b - x else 0.0,
            "down": 1.0,
            "up": 0.0 if x > a else 1.0,
        }[mapping]
        return {f"bet {numbers[k]:g}": f, f"bet {numbers[k + 1]:g}": 1.0 - f}

    return shares


@given(
    st.integers(0, 10_000),
    st.sets(st.sampled_from((1, 2, 3, 5)), min_size=1),
    st.sampled_from(("pseudo-harmonic", "nearest", "half", "down", "up")),
    st.sampled_from(("facts", "fractions")),
)
def test_a_translated_strategy_earns_what_its_player_earns(
    seed: int, kept: set[int], mapping: str, told: str
) -> None:
    """Against random opponents, exactly what play by the rules gives, with bets met twice."""
    game = TwoBets(3, (1, 2, 3, 5), told)
    tree = build_tree(game)
    actions = make_action_abstraction(tree, "bets=" + ",".join(map(str, kept)))
    translation = Translation(actions, mapping)
    small = drawn(actions.restricted, seed)
    lifted = translation.lift(small)
    others = drawn(tree, seed + 1)
    shares = by_formula(tuple(f"bet {size}" for size in kept), mapping)
    for seat in range(2):
        profile = others.replace(seat, lifted)
        expected = value_of_play(game, seat, small.__getitem__, others.__getitem__, shares)
        assert evaluate(profile).values[seat] == pytest.approx(expected, abs=1e-12)
    assert np.array_equal(translation.restrict(lifted).probabilities, small.probabilities)


def test_mixing_the_probabilities_at_infosets_is_something_else() -> None:
    """A player who calls a bet of 1 and folds to 3 has called 2 only if they took it for 1."""
    tree = build_tree(TwoBets())
    actions = make_action_abstraction(tree, "bets=1,3")
    small = actions.restricted
    table = {key: Strategy.uniform(small)[key] for key in small.infoset_keys}
    for key in small.infoset_keys:
        if key.endswith(("/bet 1", "bet 1,call,bet 1")):
            table[key] = {"fold": 0.0, "call": 1.0}
        elif key.endswith("/bet 3"):
            table[key] = {"fold": 0.9, "call": 0.1}
        elif "bet 3,call" in key and not key.endswith("call"):
            table[key] = {"fold": 1.0, "call": 0.0}
    strategy = Strategy.from_dict(small, table)
    translation = Translation(actions, "half")
    lifted = translation.lift(strategy)
    # Taken for 1 with 1/2, and then called; for 3 with 1/2, and then called in one case of ten.
    assert lifted["0/bet 2"]["call"] == pytest.approx(0.55)
    # The second bet of 1 is called by who took the first for 1: 0.5 of the 0.55 who are still here.
    assert lifted["0/bet 2,call,bet 1"]["call"] == pytest.approx(0.5 / 0.55)
    weights = translation.believed(tree.index("0/bet 2,call,bet 1"))
    by_draws = {tree.infoset_keys[i]: weight for i, weight in weights.items()}
    assert by_draws == {"0/bet 1,call,bet 1": 0.5, "0/bet 3,call,bet 1": 0.5}


def test_where_own_play_never_leads() -> None:
    """Unreached infosets are played by the draws alone, and uniformly where no line leads."""
    tree = build_tree(TwoBets())
    actions = make_action_abstraction(tree, "0:all;1:without=fold")
    translation = Translation(actions, "half")
    lifted = translation.lift(Strategy.uniform(actions.restricted))
    assert lifted["1/bet 2"] == {"fold": 0.0, "call": 1.0}
    kept = make_action_abstraction(tree, "bets=1,3")
    folder = Strategy.from_dict(
        kept.restricted,
        {
            key: {label: float(label in ("fold", "bet 1")) for label in labels}
            for key, labels in zip(
                kept.restricted.infoset_keys, kept.restricted.action_labels, strict=True
            )
        },
    )
    lifted = Translation(kept, "half").lift(folder)
    assert lifted["1/bet 2,call,bet 3"] == {"fold": 1.0, "call": 0.0}  # reached by nobody
    assert lifted["1/bet 2,call"] == pytest.approx({f"bet {k}": 1 / 3 for k in (1, 2, 3)})
    assert Translation(kept, "half").believed(tree.index("1/bet 2,call")) == {}


def test_pseudo_harmonic() -> None:
    assert pseudo_harmonic(1.0, 0.5, 1.5) == 0.375
    assert (pseudo_harmonic(0.5, 0.5, 1.5), pseudo_harmonic(1.5, 0.5, 1.5)) == (1.0, 0.0)
    for x in np.linspace(0.5, 1.5, 11):  # who calls y with 1 / (1 + y) calls x so often, too
        f = pseudo_harmonic(float(x), 0.5, 1.5)
        assert f / 1.5 + (1 - f) / 2.5 == pytest.approx(1 / (1 + x))
    for bad in ((0.4, 0.5, 1.5), (1.6, 0.5, 1.5), (1.0, 1.0, 1.0)):
        with refuses(ConfigError, option="size"):
            pseudo_harmonic(*bad)
    with refuses(ConfigError, option="larger", given="3"):
        pseudo_harmonic(1.0, 0.5, unchecked("3"))


def test_bets_beyond_all_kept_ones() -> None:
    kept = (None, 0.5, 1.5)
    assert between(0.1, kept, pseudo_harmonic) == {1: 1.0}
    assert between(7.0, kept, pseudo_harmonic) == {2: 1.0}
    assert between(0.5, kept, lambda *_: 0.5) == {1: 1.0}
    assert between(1.0, kept, pseudo_harmonic) == {1: 0.375, 2: 0.625}
    assert between(1.0, (None, None), pseudo_harmonic) == {}


@pytest.mark.parametrize(
    ("mapping", "shares"),
    [
        ("pseudo-harmonic", {"bet 1": 0.375, "bet 3": 0.625}),
        ("Pseudo_Harmonic", {"bet 1": 0.375, "bet 3": 0.625}),
        ("nearest", {"bet 1": 1.0}),
        ("half", {"bet 1": 0.5, "bet 3": 0.5}),
        ("down", {"bet 1": 1.0}),
        ("up", {"bet 3": 1.0}),
    ],
)
def test_what_kuhn_poker_takes_a_bet_of_two_for(mapping: str, shares: dict[str, float]) -> None:
    actions = make_action_abstraction(compile_game("kuhn_bets"), "bets=1,3")
    taken = Translation(actions, mapping).taken
    assert len(taken) == 6  # three cards, two lines
    assert {one.action for one in taken} == {"bet 2"}
    assert all(one.shares == shares for one in taken)


def test_hidden_actions_need_no_translation() -> None:
    """The sheriff sees no load, and translates none."""
    tree = compile_game("sheriff")
    translation = Translation(make_action_abstraction(tree, "load=0,3"), "half")
    for i in np.flatnonzero(tree.infoset_player == 1).tolist():
        assert translation.believed(i) == {i: 1.0}
    assert translation.believed(tree.index("smuggler/2:0n")) == {}


def test_a_translation_must_not_depend_on_what_is_hidden() -> None:
    def by_card(label: str, kept: tuple[str, ...], facts: Mapping[str, Any]) -> str:
        return kept[1] if facts["key"] == "1" else kept[-1]

    actions = make_action_abstraction(compile_game("kuhn_bets"), "bets=1,3")
    with refuses(UnsupportedError, option="translate", given="3:b2"):
        Translation(actions, by_card)


def test_a_line_may_end_before_the_game_does() -> None:
    """Nothing is known of play that goes on where the abstract game is over."""

    class AllIn(TwoBets):
        def player(self, state: Any, /) -> int:
            return TERMINAL if state[1][:2] == ("bet 3", "call") else super().player(state)

    actions = make_action_abstraction(build_tree(AllIn()), "0:without=bet 2;1:all")
    with refuses(UnsupportedError, option="translate", given="bet 2, call", expected="bet 3, call"):
        Translation(actions, "up")
    Translation(actions, "down")


def test_games_that_do_not_tell_the_pot() -> None:
    actions = make_action_abstraction(build_tree(TwoBets(told="nothing")), "bets=1,3")
    with refuses(GameSpecError, option="translate", place="infoset '0/bet 1,call'"):
        Translation(actions)
    by_numbers = Translation(actions, "half")
    assert {tuple(one.shares.values()) for one in by_numbers.taken} == {(0.5, 0.5)}


@pytest.mark.parametrize("pot", ["nothing", "0", None, -2])
def test_a_bad_pot(pot: Any) -> None:
    class Odd(TwoBets):
        def _facts(self, key: str) -> dict[str, Any]:
            return {"pot": pot}

    actions = make_action_abstraction(build_tree(Odd()), "bets=1,3")
    with refuses(GameSpecError, option="translate", given=pot):
        Translation(actions)


@pytest.mark.parametrize("fractions", [[1.0], [None, -1.0, 2.0], 3, ["a", "b", "c"]])
def test_bad_fractions(fractions: Any) -> None:
    class Odd(TwoBets):
        def _fractions(self, key: str, labels: tuple[str, ...]) -> Any:
            return fractions

    actions = make_action_abstraction(build_tree(Odd(told="fractions")), "bets=1,3")
    with refuses(GameSpecError, option="translate", given=fractions):
        Translation(actions)


def test_unsized_actions_cannot_be_translated_by_size() -> None:
    actions = make_action_abstraction(compile_game("kuhn"), "0:without=bet")
    with refuses(UnsupportedError, option="translate", given="bet"):
        Translation(actions, "nearest")
    taken = Translation(actions, lambda label, kept, facts: "pass").taken
    assert {(one.action, *one.shares) for one in taken} == {("bet", "pass")}


def test_a_strategy_of_another_game() -> None:
    tree = compile_game("kuhn_bets")
    translation = Translation(make_action_abstraction(tree, "bets=1,3"))
    with refuses(MismatchError, option="strategy"):
        translation.lift(Strategy.uniform(tree))
