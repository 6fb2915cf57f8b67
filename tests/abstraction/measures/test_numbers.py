"""The three numbers of abstractions of Leduc and of random games."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from equilibrist.abstraction import Abstraction
from equilibrist.abstraction.measures.numbers import Measures, three_numbers
from equilibrist.errors import ConfigError, MismatchError, RecallError, UnsupportedError
from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.tree import GameTree
from tests.altered_games import Repaid

VALUE = -0.085606424078
TABLE = {  # cards, and what is seen of the board: infosets, value, equilibrium, representable
    ("JQK", "bucket"): (36, 0.0, 1.350000, 0.985732),
    ("J.QK", "bucket"): (132, 0.0, 0.537302, 0.325004),
    ("JQ.K", "bucket"): (132, -0.050000, 0.658333, 0.310419),
    ("JK.Q", "bucket"): (132, -0.047028, 1.551003, 0.686345),
    ("JQK", "pair"): (66, -0.094815, 1.141281, 0.399752),
    ("J.QK", "pair"): (132, -0.107353, 0.738923, 0.217874),
    ("JQ.K", "pair"): (132, -0.107431, 0.489769, 0.169719),
    ("J.Q.K", "pair"): (198, -0.110122, 0.639515, 0.107658),
}


@pytest.fixture(scope="module")
def measures() -> Measures:
    return Measures(compile_game("leduc(suit_isomorphism=true)"))


def grouped(tree: GameTree, cards: str, board: str, seats: tuple[int, ...] = (0, 1)) -> Abstraction:
    """Cards in groups, and of the board its group, or whether it pairs."""
    group = {card: text for text in cards.split(".") for card in text}
    keys = []
    for player, key in zip(tree.infoset_player.tolist(), tree.infoset_keys, strict=True):
        hand, _, rest = key.partition("/")
        seen = ""
        if rest:
            seen = group[rest[0]] if board == "bucket" else str(rest[0] == key[0])
        mine = f"{group[key[0]]}{hand[1:]}/{seen}{rest[1:]}"
        keys.append(f"{player} {mine if player in seats else key}")
    return Abstraction.from_keys(tree, keys)


@pytest.mark.by_default(2)
@pytest.mark.parametrize(("cards", "board"), TABLE)
def test_three_numbers_of_leduc(measures: Measures, cards: str, board: str) -> None:
    infosets, value, equilibrium, representable = TABLE[cards, board]
    abstraction = grouped(measures.tree, cards, board)
    found = measures.three_numbers(abstraction)
    assert abstraction.num_infosets == infosets
    assert found.value == pytest.approx(VALUE, abs=1e-11)
    assert found.abstract_value == pytest.approx(value, abs=5.1e-7)
    assert found.equilibrium.exploitability == pytest.approx(equilibrium, abs=5.1e-7)
    assert found.representable.exploitability == pytest.approx(representable, abs=5.1e-7)
    exact = measures.three_numbers(abstraction, slack=0.0)
    assert exact.equilibrium.exploitability == pytest.approx(equilibrium, abs=5e-6)
    for lifted in (found.equilibrium, found.representable, exact.equilibrium):
        evaluation = evaluate(lifted.strategy)
        assert lifted.exploitability == pytest.approx(evaluation.nash_conv / 2, abs=1e-9)


def test_slack_is_what_an_equilibrium_may_guarantee_less(measures: Measures) -> None:
    """In the abstract game, best responses to the least exploitable equilibrium win nothing."""
    abstraction = grouped(measures.tree, "J.Q.K", "pair")
    exact = measures.three_numbers(abstraction, slack=0.0).equilibrium.exploitability
    assert exact == pytest.approx(0.6395185, abs=5e-7)
    eased = [measures.three_numbers(abstraction, slack=s) for s in (1e-6, 1e-3, 10.0)]
    losses = [exact, *(found.equilibrium.exploitability for found in eased)]
    assert all(later < earlier for earlier, later in pairwise(losses))
    assert losses[-1] == pytest.approx(eased[0].representable.exploitability, abs=1e-9)


def test_more_information_may_be_more_exploitable(measures: Measures) -> None:
    """Both refinements, of which the second number gets worse and the third better."""
    for coarse, fine, digits in (
        (("JQ.K", "pair"), ("J.Q.K", "pair"), (0.490, 0.640)),
        (("JQK", "bucket"), ("JK.Q", "bucket"), (1.350, 1.551)),
    ):
        one, two = (
            measures.three_numbers(grouped(measures.tree, *spec)) for spec in (coarse, fine)
        )
        found = (one.equilibrium.exploitability, two.equilibrium.exploitability)
        assert found == pytest.approx(digits, abs=5.1e-4)
        assert two.representable.exploitability < one.representable.exploitability


@pytest.mark.parametrize(("opponent", "loss"), [("J.Q.K", 0.9677), ("JQ.K", 0.5826), (None, 0.0)])
def test_full_own_play_against_an_abstract_opponent(
    measures: Measures, opponent: str | None, loss: float
) -> None:
    tree = measures.tree
    identity = Abstraction.identity(tree)
    abstraction = grouped(tree, opponent, "pair", (1,)) if opponent else identity
    found = measures.three_numbers(abstraction)
    assert found.equilibrium.losses[0] == pytest.approx(loss, abs=5.1e-5)
    assert found.representable.losses[0] == pytest.approx(0.0, abs=1e-9)


def test_abstract_own_play_against_a_full_opponent(measures: Measures) -> None:
    """The equilibrium of the one-sided game is the least exploitable representable strategy."""
    for cards, loss in (("JQK", 0.4387), ("JQ.K", 0.1380), ("J.Q.K", 0.1105)):
        found = measures.three_numbers(grouped(measures.tree, cards, "pair", (0,)))
        assert found.representable.losses[0] == pytest.approx(loss, abs=5.1e-5)
        assert found.equilibrium.losses[0] == pytest.approx(loss, abs=5.1e-5)
        assert found.abstract_value == pytest.approx(VALUE - found.equilibrium.losses[0], abs=1e-9)
    found = measures.three_numbers(Abstraction.identity(measures.tree))
    assert found.representable.losses == pytest.approx((0.0, 0.0), abs=1e-9)


def coarser(
    measures: Measures, abstraction: Abstraction, random: np.random.Generator
) -> Abstraction | None:
    """One random merge more, with perfect recall; None if every merge would forget."""
    groups = range(abstraction.num_infosets)
    labels, owner = abstraction.action_labels, abstraction.infoset_player
    pairs = [(i, j) for i in groups for j in range(i) if labels[i] == labels[j]]
    random.shuffle(pairs)
    for i, j in pairs:
        if owner[i] == owner[j]:
            merged = np.where(abstraction.abstract_of == j, i, abstraction.abstract_of)
            one = Abstraction(abstraction.tree, merged)
            if all(measures.game.plans(p, one) is not None for p in range(2)):
                return one
    return None


CHAINS = [
    ("kuhn", 0),
    ("leduc(ranks=2,raise_cap=1)", 0),
    *((f"random_tree(seed={n},depth=7,branching=2,chance=0.5,stop=0.02)", n) for n in (1, 3, 6, 7)),
]


@pytest.mark.by_default(1)
@pytest.mark.parametrize(("game", "seed"), CHAINS)
def test_refinement_never_worsens_the_representable_strategy(game: str, seed: int) -> None:
    """Along random chains of merges; and no abstract equilibrium is less exploitable."""
    random = np.random.default_rng(seed)
    measures = Measures(compile_game(game))
    abstraction: Abstraction | None = Abstraction.identity(measures.tree)
    found: list[Any] = []
    while abstraction is not None and len(found) < 15:
        numbers = measures.three_numbers(abstraction)
        found.append(numbers.representable.exploitability)
        assert numbers.equilibrium.exploitability >= found[-1] - 1e-9
        abstraction = coarser(measures, abstraction, random)
    assert all(fine <= coarse + 1e-9 for fine, coarse in pairwise(found))
    assert len(set(np.round(found, 6))) >= 3


def test_payoffs_that_add_up_to_another_number(measures: Measures) -> None:
    abstraction = grouped(measures.tree, "JQ.K", "pair")
    tree = compile_game(Repaid(load_game("leduc(suit_isomorphism=true)"), 3.0, (100.0, -7.0)))
    plain = measures.three_numbers(abstraction)
    found = three_numbers(tree, Abstraction(tree, abstraction.abstract_of))
    assert found.value == pytest.approx(100 + 3 * VALUE, abs=1e-8)
    assert found.abstract_value == pytest.approx(100 + 3 * plain.abstract_value, abs=1e-8)
    for mine, other in (
        (found.equilibrium, plain.equilibrium),
        (found.representable, plain.representable),
    ):
        assert mine.losses == pytest.approx([3 * loss for loss in other.losses], abs=1e-5)


def test_what_has_no_three_numbers(measures: Measures) -> None:
    with pytest.raises(UnsupportedError) as players:
        Measures(compile_game("kuhn(players=3)"))
    assert (players.value.option, players.value.given) == ("game", "kuhn(players=3)")
    with pytest.raises(UnsupportedError) as size:
        Measures(compile_game("leduc(ranks=6,suit_isomorphism=true,raise_cap=3)"))
    assert (size.value.option, size.value.expected) == ("sequences", 5_000)
    with pytest.raises(RecallError):
        Measures(compile_game("random_tree(seed=3,imperfect_recall=true)"))
    tree = measures.tree
    lines = [
        f"{player} {key.partition('/')[2] or key}"
        for player, key in zip(tree.infoset_player.tolist(), tree.infoset_keys, strict=True)
    ]
    with pytest.raises(UnsupportedError) as forgets:
        measures.three_numbers(Abstraction.from_keys(tree, lines))
    assert (forgets.value.option, forgets.value.given) == ("abstraction", 0)
    with pytest.raises(MismatchError):
        measures.three_numbers(Abstraction.identity(compile_game("kuhn")))
    with pytest.raises(ConfigError) as slack:
        measures.three_numbers(Abstraction.identity(tree), slack=-1.0)
    assert slack.value.option == "slack"
