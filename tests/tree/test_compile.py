"""The compiled game: counts, order, fingerprint, and games of every odd shape."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import RecallError, UnknownNameError, UnsupportedError
from equilibrist.evaluation import evaluate
from equilibrist.game import TERMINAL
from equilibrist.game_loading import check_game, compile_game
from equilibrist.games import load_game
from equilibrist.reference.response import exploitability as textbook_exploitability
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.strategy import Strategy
from tests.altered_games import Altered, Hooked, Repaid, Reseated, WithImpossibleChances
from tests.refusals import refuses
from tests.small_games import Chain, Written

# (nodes, infosets, sequences, terminals) where the sources give them
SIZES = {
    "kuhn": (58, 12, 26, 30),
    "kuhn(players=3)": (None, 48, None, 24 * 13),
    "kuhn(players=4)": (None, 160, None, 120 * 33),
    "leduc": (9457, 936, 2186, 5520),
    "leduc(suit_isomorphism=true)": (None, 288, 674, None),
    "liars_dice(sides=3)": (1147, 192, None, 567),
    "liars_dice(sides=4)": (8181, 1024, None, 4080),
    "liars_dice(sides=5)": (51181, 5120, None, 25575),
    "liars_dice(sides=6)": (294883, 24576, 49142, 147420),
    "goofspiel(cards=3,imp_info=true,points_order=descending)": (67, 16, None, None),
    "goofspiel(cards=4,imp_info=true,points_order=descending)": (1077, 162, None, None),
    "goofspiel(cards=5,imp_info=true,points_order=descending)": (26931, 2124, None, None),
}


@pytest.mark.parametrize("spec", SIZES)
def test_sizes(spec: str) -> None:
    tree = compile_game(load_game(spec))
    measured = (tree.num_nodes, tree.num_infosets, tree.num_sequences, tree.num_terminals)
    for have, want in zip(measured, SIZES[spec], strict=True):
        assert want is None or have == want


def test_public_order_is_by_player_then_by_first_visit() -> None:
    tree = compile_game(load_game("kuhn"))
    assert tree.infoset_keys[:6] == ("1", "1pb", "2", "2pb", "3", "3pb")
    assert set(tree.infoset_keys[6:]) == {"1p", "1b", "2p", "2b", "3p", "3b"}
    assert tree.infoset_player.tolist() == [0] * 6 + [1] * 6
    assert tree.action_offset.tolist() == list(range(0, 26, 2))
    assert set(tree.action_labels) == {("pass", "bet")}
    for i, key in enumerate(tree.infoset_keys):
        assert tree.index(key) == i
        assert tree.actions_of(i) == slice(2 * i, 2 * i + 2)


def test_the_permutation_to_public_order() -> None:
    tree = compile_game(load_game("leduc"))
    for by_visit, key in enumerate(tree.walk.keys):
        assert tree.infoset_keys[tree.public_of_walk[by_visit]] == key


def test_payoffs_and_depth() -> None:
    tree = compile_game(Repaid(load_game("kuhn"), 1.0, [0.5, 0.0]))
    assert tree.min_payoff.tolist() == [-1.5, -2.0]
    assert tree.max_payoff.tolist() == [2.5, 2.0]
    assert tree.payoff_range == 4.0
    assert tree.constant_sum == 0.5
    assert tree.depth == 5
    assert not compile_game(load_game("shapley")).is_constant_sum
    assert compile_game(load_game("kuhn(players=3)")).constant_sum == 0.0


def test_a_sum_that_is_constant_but_for_rounding_is_constant() -> None:
    plain = load_game("kuhn")
    rounded = Hooked(plain, payoffs=lambda s: tuple(u * 0.1 + 1 / 3 for u in plain.payoffs(s)))
    assert compile_game(rounded).constant_sum == pytest.approx(2 / 3)
    off = Hooked(plain, payoffs=lambda s: (plain.payoffs(s)[0], -plain.payoffs(s)[0] * 0.9999999))
    assert compile_game(off).constant_sum is None


@pytest.mark.parametrize("scale", [1e-10, 1.0, 1e10])
@pytest.mark.parametrize(
    ("payoffs", "constant"),
    [
        (((1.0, 2.0), (3.0, 1.0)), None),
        (((1.0, 2.0), (3.0, 3.0)), None),
        (((1.0, 2.0), (2.0, 1.0)), 3.0),
        (((1.0, 0.1 + 0.2), (1.1, 0.2)), 1.3),
        (((3.0, -3.0), (3.0, -3.0 + 1e-6)), None),
        (((3.0, -3.0), (3.0, -3.0 + 1e-10)), 0.0),
    ],
)
def test_constant_sum_is_one_rule_in_any_unit(payoffs, constant, scale) -> None:
    """The compiled game, the check of the rules and the textbook agree, whatever the unit."""
    first, second = ((scale * a, scale * b) for a, b in payoffs)
    game = Written((0, "only", {"x": first, "y": second}), 2)
    tree, report = compile_game(game), check_game(game)
    assert tree.is_constant_sum == report.is_constant_sum == (constant is not None)
    profile = {"only": [0.5, 0.5]}
    if constant is None:
        assert tree.constant_sum is report.constant_sum is None
        with pytest.raises(UnsupportedError):
            textbook_exploitability(game, profile)
    else:
        wanted = pytest.approx(scale * constant, abs=1e-9 * scale)
        assert tree.constant_sum == wanted
        assert report.constant_sum == wanted
        assert textbook_exploitability(game, profile) >= 0.0


def test_arrays_are_read_only_and_payoffs_are_copies() -> None:
    tree = compile_game(load_game("kuhn"))
    walk = (getattr(tree.walk, field.name) for field in fields(tree.walk))
    columns = [column for column in walk if isinstance(column, np.ndarray)]
    assert len(columns) == 8
    own = (tree.infoset_player, tree.action_offset, tree.public_of_walk)
    for array in (*own, *columns, *tree.sequence_form.arrays):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    tree.min_payoff[:] = 99.0
    assert tree.min_payoff.tolist() == [-2.0, -2.0]


def test_unknown_infosets_come_with_suggestions() -> None:
    with refuses(
        UnknownNameError, option="infoset", name="1pbb", suggestions=("1pb", "1p", "1b")
    ) as caught:
        compile_game(load_game("kuhn")).index("1pbb")
    assert "1pb" in caught.value.suggestions


def test_bytes_grow_with_the_sequence_form() -> None:
    tree = compile_game(load_game("leduc"))
    before = tree.nbytes
    assert before > 0
    assert tree.nbytes == before
    form = tree.sequence_form
    assert tree.nbytes == before + form.nbytes > before


def test_names() -> None:
    tree = compile_game(load_game("kuhn(players=3)"))
    assert tree.name == "kuhn(players=3)"
    assert repr(tree) == (
        "GameTree('kuhn(players=3)', players=3, histories=617, infosets=48, sequences=99)"
    )


class Marked(Altered):
    """Other names for infosets or actions."""

    def __init__(self, game, key: str = "", label: str = "") -> None:
        super().__init__(game, "marked")
        self.marks = key, label

    def infoset(self, state, /) -> str:
        return self.game.infoset(state) + self.marks[0]

    def actions(self, state, /) -> tuple[str, ...]:
        return tuple(a + self.marks[1] for a in self.game.actions(state))


def test_fingerprints_tell_games_apart() -> None:
    kuhn = load_game("kuhn")
    print_of_kuhn = compile_game(kuhn).fingerprint
    assert compile_game(load_game("kuhn(ante=1)")).fingerprint == print_of_kuhn
    assert compile_game(Repaid(kuhn, 1.0)).fingerprint == print_of_kuhn
    others = [
        Repaid(kuhn, 1.0 + 1e-15),
        Repaid(kuhn, -1.0),
        Reseated(kuhn, [0, 1]),
        Reseated(kuhn, [1, 0]),
        WithImpossibleChances(kuhn),
        Marked(kuhn, key="x"),
        Marked(kuhn, label="x"),
        Hooked(
            kuhn,
            chance=lambda s: (
                (0.5, 0.25, 0.25)[: len(kuhn.chance(s))] if len(kuhn.chance(s)) == 3 else (0.5, 0.5)
            ),
        ),
        load_game("kuhn(cards=4)"),
        load_game("kuhn(players=3)"),
    ]
    prints = {compile_game(game).fingerprint for game in others}
    assert print_of_kuhn not in prints
    assert len(prints) == len(others)


# --- odd shapes -------------------------------------------------------------------------------


def solved(game, algorithm: str = "dcfr"):
    tree = compile_game(game)
    solver = CFR(tree, algorithm).run(200)
    return tree, evaluate(solver.average_strategy())


def test_a_game_that_is_over_at_once() -> None:
    tree, evaluation = solved(Written((3.0, -3.0), 2))
    assert (tree.num_nodes, tree.num_terminals, tree.num_infosets, tree.depth) == (1, 1, 0, 0)
    assert tree.num_sequences == 2
    assert evaluation.values == (3.0, -3.0)
    assert evaluation.nash_conv == 0.0
    assert Strategy.uniform(tree).to_dict() == {}


def test_a_game_of_chance_only() -> None:
    coin = ("chance", {("heads", 0.25): (4.0,), ("tails", 0.75): (0.0,)})
    tree, evaluation = solved(Written(coin, 1))
    assert tree.num_infosets == 0
    assert evaluation.values == (1.0,)
    assert evaluation.gains == (0.0,)


def test_one_player_finds_the_best_way() -> None:
    shop = (0, "shop", {"a": (1.0,), "b": (0, "aisle", {"c": (2.0,), "d": (5.0,)}), "e": (3.0,)})
    tree, evaluation = solved(Written(shop, 1))
    assert tree.constant_sum is None
    assert evaluation.values[0] == pytest.approx(5.0, abs=1e-3)
    assert evaluation.best_response_values == (5.0,)


def test_a_player_who_never_moves() -> None:
    """Players 0 and 2 of three sit and watch."""
    table = (1, "only", {"a": (1.0, 2.0, 3.0), "b": (4.0, 5.0, 6.0)})
    tree, evaluation = solved(Written(table, 3))
    assert tree.num_infosets == 1
    assert tree.num_sequences == 5
    assert evaluation.values == pytest.approx((4.0, 5.0, 6.0), abs=1e-3)
    assert evaluation.gains[0] == evaluation.gains[2] == 0.0


def test_nothing_but_forced_moves() -> None:
    line = (0, "x", {"go": (1, "y", {"go": (0, "z", {"go": (2.5, -2.5)})})})
    tree, evaluation = solved(Written(line, 2))
    assert tree.num_infosets == 3
    assert evaluation.values == (2.5, -2.5)
    assert CFR(tree).run(3).average_strategy()["z"] == {"go": 1.0}


def test_forced_moves_between_choices() -> None:
    """A forced move above and below a choice, which is seen by the other player."""

    def after(x: float, y: float):
        return (0, f"then {x}", {"go": (1, "answer", {"l": (x, -x), "r": (y, -y)})})

    root = (0, "start", {"go": (0, "choice", {"a": after(1.0, -1.0), "b": after(-2.0, 2.0)})})
    _, evaluation = solved(Written(root, 2))
    assert evaluation.exploitability < 4e-3
    assert evaluation.values[0] == pytest.approx(0.0, abs=4e-3)


@pytest.mark.parametrize("length", [1, 63, 64, 65, 5000])
def test_deep_chains(length: int) -> None:
    """Depths around the height at which the stack of the build is enlarged."""
    tree = compile_game(Chain(length))
    assert tree.depth == length
    assert tree.num_nodes == 2 * length + 1
    answer = evaluate(Strategy.uniform(tree))
    assert answer.best_response_values == (float(length),)
    assert answer.values[0] == pytest.approx(1.0 - 0.5**length, abs=1e-12)


def test_outcomes_of_probability_zero() -> None:
    root = (
        "chance",
        {
            ("never", 0.0): (0, "unreachable", {"a": (9.0, -9.0), "b": (8.0, -8.0)}),
            ("always", 1.0): (0, "real", {"a": (1.0, -1.0), "b": (0.0, 0.0)}),
        },
    )
    tree, evaluation = solved(Written(root, 2))
    assert tree.num_infosets == 2
    assert evaluation.values[0] == pytest.approx(1.0, abs=1e-3)
    assert evaluation.best_response_values[0] == 1.0
    never = CFR(tree).run(50).average_strategy()["unreachable"]
    assert never == {"a": 0.5, "b": 0.5}


def test_payoffs_that_are_all_zero() -> None:
    tree, evaluation = solved(Repaid(load_game("leduc"), 0.0))
    assert evaluation.values == (0.0, 0.0)
    assert evaluation.nash_conv == 0.0
    assert tree.payoff_range == 0.0


def test_a_hundred_actions() -> None:
    wide = (
        0,
        "wide",
        {f"a{k}": (1, "answer", {"x": (k / 7, -k / 7), "y": (-k / 9, k / 9)}) for k in range(100)},
    )
    _, evaluation = solved(Written(wide, 2), "cfr+")
    assert evaluation.exploitability < 0.1


def test_many_players() -> None:
    players = 9
    node: tuple[Any, ...] = tuple(float(p) for p in range(players))
    for p in reversed(range(players)):
        other = tuple(u + (q == p) for q, u in enumerate(range(players)))
        node = (p, f"p{p}", {"a": node, "b": tuple(float(u) for u in other)})
    tree, evaluation = solved(Written(node, players))
    assert tree.num_players == players
    assert len(evaluation.values) == players
    assert evaluation.values[0] == pytest.approx(1.0, abs=1e-2)


# --- perfect recall ---------------------------------------------------------------------------


def test_a_forgotten_action_is_reported_with_its_history() -> None:
    def later(x: float):
        return (0, "forgetful", {"l": (x, -x), "r": (0.0, 0.0)})

    tree = compile_game(Written((0, "first", {"a": later(1.0), "b": later(2.0)}), 2))
    assert tree.num_infosets == 2
    with refuses(RecallError, infoset="forgetful") as caught:
        _ = tree.sequence_form
    assert caught.value.infoset == "forgetful"
    assert caught.value.history == ("b",)


def test_a_forgotten_observation_is_reported() -> None:
    """The player saw the coin, moved, and does not know any more what they saw."""
    later = (0, "forgetful", {"l": (1.0,), "r": (0.0,)})
    root = (
        "chance",
        {
            ("heads", 0.5): (0, "saw heads", {"a": later, "b": (0.0,)}),
            ("tails", 0.5): (0, "saw tails", {"a": later, "b": (0.0,)}),
        },
    )
    with pytest.raises(RecallError) as caught:
        CFR(Written(root, 1))
    assert caught.value.infoset == "forgetful"
    assert caught.value.history == ("tails", "a")


def test_an_infoset_that_meets_itself_on_one_path_is_imperfect_recall() -> None:
    """The absent-minded driver."""
    root = (0, "junction", {"exit": (0.0,), "on": (0, "junction", {"exit": (4.0,), "on": (1.0,)})})
    with pytest.raises(RecallError) as caught:
        CFR(Written(root, 1))
    assert caught.value.history == ("on",)


def test_a_forgotten_forced_move_is_imperfect_recall() -> None:
    """Whether a forced move was made is part of the past too."""
    later = (0, "later", {"l": (1.0,), "r": (0.0,)})
    root = ("chance", {("x", 0.5): (0, "forced", {"go": later}), ("y", 0.5): later})
    with pytest.raises(RecallError):
        CFR(Written(root, 1))


def test_not_knowing_the_other_players_moves_is_perfect_recall() -> None:
    answer = (1, "answer", {"l": (1.0, -1.0), "r": (-1.0, 1.0)})
    tree = compile_game(Written((0, "hidden", {"a": answer, "b": answer}), 2))
    assert tree.sequence_form.num_players == 2


def test_numpy_numbers_are_numbers() -> None:
    plain = load_game("kuhn")
    game = Hooked(
        plain,
        player=lambda s: np.int64(plain.player(s)) if plain.player(s) != TERMINAL else np.int8(-2),
        payoffs=lambda s: np.array(plain.payoffs(s)),
    )
    assert compile_game(game).fingerprint == compile_game(plain).fingerprint
