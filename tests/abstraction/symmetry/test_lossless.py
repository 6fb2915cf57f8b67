"""Symmetries: found, given, checked, and what merging by them costs: nothing."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from equilibrist.abstraction import Abstraction, merged_tree
from equilibrist.abstraction.measures.numbers import Measures
from equilibrist.abstraction.symmetry.automorphism import fault
from equilibrist.abstraction.symmetry.colours import first_colours, infoset_colours, refined
from equilibrist.abstraction.symmetry.lossless import find_lossless, lossless_of
from equilibrist.abstraction.symmetry.named_symmetries import read_symmetry, symmetry_by_names
from equilibrist.abstraction.symmetry.shape import Shape
from equilibrist.errors import ConfigError, RecallError
from equilibrist.evaluation import evaluate
from equilibrist.game import Game
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.strategy import Strategy
from equilibrist.tree import GameTree
from tests.altered_games import Altered
from tests.forbidding_games import Forbidding


@pytest.fixture(scope="module")
def leduc() -> GameTree:
    return compile_game("leduc")


def without_suits(key: str) -> str:
    return key.replace("s", "").replace("h", "")


def test_suits_of_leduc_are_merged_and_nothing_else(leduc: GameTree) -> None:
    found = find_lossless(leduc)
    assert (leduc.num_infosets, found.abstraction.num_infosets) == (936, 288)
    assert found.undecided == ()
    seats = leduc.infoset_player.tolist()
    told = [f"{p} {without_suits(k)}" for p, k in zip(seats, leduc.infoset_keys, strict=True)]
    by_rank = Abstraction.from_keys(leduc, told)
    assert np.array_equal(found.abstraction.abstract_of, by_rank.abstract_of)
    for image in found.generators:
        assert fault(Shape.of(leduc), image) is None


def test_the_reduction_of_leduc_loses_nothing(leduc: GameTree) -> None:
    measures = Measures(leduc)
    found = measures.three_numbers(find_lossless(leduc).abstraction)
    assert found.value == pytest.approx(-0.085606424078, abs=1e-11)
    assert found.abstract_value == pytest.approx(found.value, abs=1e-10)
    assert found.equilibrium.exploitability < 1e-9
    assert evaluate(found.equilibrium.strategy).nash_conv < 2e-9


@pytest.mark.parametrize("game", ["kuhn", "kuhn(players=3)", "leduc(suit_isomorphism=true)"])
def test_nothing_merges_where_nothing_is_alike(game: str) -> None:
    tree = compile_game(game)
    found = find_lossless(tree)
    assert found.abstraction.is_identity
    assert found.generators == ()


def test_other_decks_reduce_to_ranks() -> None:
    for game in ("leduc(suits=3,raise_cap=1", "leduc(ranks=4,raise_cap=1"):
        reduced = find_lossless(compile_game(f"{game})")).abstraction
        by_rank = compile_game(f"{game},suit_isomorphism=true)")
        assert reduced.num_infosets == by_rank.num_infosets


def test_two_ranks_alone_are_alike() -> None:
    """Only a pair wins: without one both hold the other rank, and split."""
    by_rank = compile_game("leduc(ranks=2,suits=3,raise_cap=1,suit_isomorphism=true)")
    reduced = find_lossless(compile_game("leduc(ranks=2,suits=3,raise_cap=1)")).abstraction
    assert 2 * reduced.num_infosets == by_rank.num_infosets


def test_best_responses_to_symmetric_play_gain_as_much_as_in_the_merged_game() -> None:
    """With three players, in whose equilibria nothing is a linear programme."""
    tree = compile_game("leduc(players=3,ranks=2,raise_cap=1)")
    abstraction = find_lossless(tree).abstraction
    assert abstraction.num_infosets < tree.num_infosets
    merged = merged_tree(abstraction)
    drawn = np.random.default_rng(0).random(abstraction.num_actions)
    starts, counts = abstraction.action_offset[:-1], np.diff(abstraction.action_offset)
    play = Strategy(merged, drawn / np.repeat(np.add.reduceat(drawn, starts), counts))
    lifted = evaluate(abstraction.lift(play))
    assert lifted.values == pytest.approx(evaluate(play).values, abs=1e-12)
    assert lifted.gains == pytest.approx(evaluate(play).gains, abs=1e-12)


def all_symmetries(tree: GameTree) -> set[tuple[int, ...]]:
    """Every symmetry as images of infosets, by trying all maps of the children of chance."""
    shape = Shape.of(tree)

    def below(node: int, there: int) -> list[dict[int, int]]:
        if shape.kind[node] != shape.kind[there] or shape.count[node] != shape.count[there]:
            return []
        mine = shape.children[shape.first[node] : shape.first[node] + shape.count[node]].tolist()
        other = shape.children[shape.first[there] : shape.first[there] + shape.count[there]]
        orders = [tuple(range(len(mine)))]
        if shape.infoset[node] == -2:
            orders = list(permutations(range(len(mine))))
        found = []
        for order in orders:
            parts: list[dict[int, int]] = [{node: there}]
            for child, place in zip(mine, order, strict=True):
                images = below(child, int(other[place]))
                parts = [{**part, **image} for part in parts for image in images]
            found += parts
        return found

    members = [np.flatnonzero(shape.infoset == i) for i in range(tree.num_infosets)]
    whole = {frozenset(nodes.tolist()): i for i, nodes in enumerate(members)}
    found = set()
    for one in below(0, 0):
        images = [frozenset(one[n] for n in nodes.tolist()) for nodes in members]
        if all(nodes in whole for nodes in images):
            found.add(tuple(whole[nodes] for nodes in images))
    return found


def coin_games() -> list[Game[Any]]:
    return [load_game(f"random_tree(seed={n},depth=4,branching=2,chance=0.6)") for n in range(8)]


@pytest.mark.parametrize("number", range(8))
def test_orbits_are_those_of_all_symmetries(number: int) -> None:
    """By enumeration, on games with payoffs of few kinds, so that some are symmetric."""
    tree = compile_game(Rounded(coin_games()[number]))
    every = all_symmetries(tree)
    found = find_lossless(tree).abstraction.abstract_of
    for i in range(tree.num_infosets):
        orbit = {images[i] for images in every}
        assert orbit == set(np.flatnonzero(found == found[i]).tolist())


class Rounded(Altered):
    """Payoffs are -1, 0 or 1, outcomes equally likely, and signals depend on the depth."""

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game, "rounded")

    def payoffs(self, state: Any, /) -> tuple[float, ...]:
        first = round(self.game.payoffs(state)[0])
        return (first, -first)

    def chance(self, state: Any, /) -> tuple[float, ...]:
        count = len(self.game.actions(state))
        return (1 / count,) * count


class Perturbed(Altered):
    """Leduc in which holding one card pays player 0 something more, or less."""

    def __init__(self, game: Game[Any], delta: float) -> None:
        super().__init__(game, "perturbed")
        self.delta = delta

    def payoffs(self, state: Any, /) -> tuple[float, ...]:
        cards, line = state
        sign = (1 if len(line) % 2 else -1) * (cards[0] == 1)
        first = self.game.payoffs(state)[0] + sign * self.delta
        return (first, -first)


@pytest.mark.slow
@pytest.mark.parametrize("delta", [0.01, 0.2])
def test_merging_what_differs_by_delta_costs_at_most_twice_that(
    leduc: GameTree, delta: float
) -> None:
    merged = find_lossless(leduc).abstraction
    tree = compile_game(Perturbed(leduc.game, delta))
    assert find_lossless(tree).abstraction.num_infosets > merged.num_infosets
    found = Measures(tree).three_numbers(Abstraction(tree, merged.abstract_of))
    assert 0.0 < found.equilibrium.exploitability <= 2 * delta


def test_symmetries_by_name(leduc: GameTree) -> None:
    suits = [symmetry_by_names(leduc, read_symmetry(t)) for t in ("Js=Jh", "Qs=Qh", "Ks=Kh")]
    assert lossless_of(leduc, suits).abstraction.num_infosets == 288
    both = symmetry_by_names(leduc, read_symmetry("Js=Jh,Qs=Qh"))
    assert np.array_equal(both, suits[0][suits[1]])
    few = lossless_of(leduc, suits[:1]).abstraction
    assert 288 < few.num_infosets < 936


def test_what_is_no_symmetry_is_refused(leduc: GameTree) -> None:
    with pytest.raises(ConfigError) as ranks:
        symmetry_by_names(leduc, read_symmetry("Js=Qs"))
    assert (ranks.value.option, ranks.value.given) == ("symmetry", "Js=Qs")
    assert ranks.value.place is not None
    with pytest.raises(ConfigError) as unknown:
        symmetry_by_names(leduc, {"Js": "As", "As": "Js"})
    assert unknown.value.given == "As"
    for text in ("", "Js", "Js=", "Js=Jh=Qs", "Js=Jh,Jh=Qs"):
        with pytest.raises(ConfigError) as form:
            read_symmetry(text)
        assert form.value.option == "symmetry"
    image = np.arange(leduc.num_nodes)
    image[[5, 6]] = image[[6, 5]]
    with pytest.raises(ConfigError) as moved:
        lossless_of(leduc, [image])
    assert moved.value.option == "symmetry"
    with pytest.raises(RecallError):
        find_lossless(compile_game("random_tree(seed=3,imperfect_recall=true)"))
    with pytest.raises(ConfigError) as effort:
        find_lossless(leduc, effort=0)
    assert effort.value.option == "effort"


def test_a_map_that_splits_an_infoset_is_no_symmetry(leduc: GameTree) -> None:
    """Player 1's queens change places where player 0 holds one of the jacks, and not elsewhere."""
    shape = Shape.of(leduc)
    jack = int(shape.children[0])
    queens = [int(n) for n in shape.children[shape.first[jack] :][1:3]]
    size = queens[1] - queens[0]
    image = np.arange(leduc.num_nodes)
    one, other = (slice(start, start + size) for start in queens)
    image[one], image[other] = image[other].copy(), image[one].copy()
    wrong = fault(shape, image)
    assert wrong is not None
    assert "Q" in leduc.infoset_keys[int(shape.infoset[wrong[1]])]
    one_rank = symmetry_by_names(leduc, {"Qs": "Qh", "Qh": "Qs"})
    assert fault(shape, one_rank) is None


def test_a_search_that_stops_early_merges_only_what_it_proved(leduc: GameTree) -> None:
    found = find_lossless(leduc, effort=3 * leduc.num_nodes)
    assert found.undecided
    assert 288 < found.abstraction.num_infosets < 936


def test_j_and_q_have_different_colours(leduc: GameTree) -> None:
    shape = Shape.of(leduc)
    colours = infoset_colours(shape, refined(shape, first_colours(shape)))
    assert colours[leduc.index("Js")] == colours[leduc.index("Jh")]
    assert colours[leduc.index("Js")] != colours[leduc.index("Qs")]
    unpaid = Shape.of(leduc, payoffs=False)
    colours = infoset_colours(unpaid, refined(unpaid, first_colours(unpaid)))
    assert colours[leduc.index("Js")] == colours[leduc.index("Qs")]


@pytest.mark.parametrize("penalty", [1e3, 1e9, 1e12])
@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_a_penalty_makes_no_other_payoffs_alike(game: str, penalty: float) -> None:
    plain = find_lossless(compile_game(game)).abstraction
    found = find_lossless(compile_game(Forbidding(game, penalty, paid=True))).abstraction
    assert list(found.keys) == list(plain.keys)
