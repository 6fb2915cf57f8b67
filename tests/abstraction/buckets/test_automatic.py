"""Automatic buckets: k-means, lines of play, and what the buckets cost."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from equilibrist.abstraction import make_abstraction
from equilibrist.abstraction.buckets.automatic import automatic_buckets
from equilibrist.abstraction.buckets.kmeans import cluster
from equilibrist.abstraction.buckets.lines import Lines
from equilibrist.abstraction.measures.numbers import Measures
from equilibrist.abstraction.recall import classify_recall
from equilibrist.errors import ConfigError, RecallError
from equilibrist.game_loading import compile_game
from tests.small_games import Written

LEDUC = "leduc(suit_isomorphism=true)"


def cost_of(points: np.ndarray, weights: np.ndarray, labels: np.ndarray) -> float:
    total = 0.0
    for label in set(labels.tolist()):
        inside = labels == label
        mean = np.average(points[inside], axis=0, weights=weights[inside])
        total += float((weights[inside, None] * (points[inside] - mean) ** 2).sum())
    return total


@pytest.mark.by_default(2)
@pytest.mark.parametrize("seed", range(5))
def test_clusters_are_the_best_of_all_partitions(seed: int) -> None:
    """Of few points in three groups, by enumeration of every way to label them."""
    random = np.random.default_rng(seed)
    points = random.normal(size=(7, 2)) + np.array([0, 9, 18])[random.integers(3, size=7)][:, None]
    weights = random.random(7) + 0.1
    found = cluster(points, weights, 3, seed)
    best = min(cost_of(points, weights, np.array(p)) for p in product(range(3), repeat=7))
    assert cost_of(points, weights, found) == pytest.approx(best, abs=1e-9)


def test_few_different_points_are_all_told_apart() -> None:
    points = np.array([[1.0], [2.0], [1.0], [3.0]])
    assert cluster(points, np.ones(4), 3, 0).tolist() == [0, 1, 0, 2]
    assert cluster(points, np.zeros(4), 2, 0).max() == 1
    assert cluster(points, np.ones(4), 1, 0).tolist() == [0, 0, 0, 0]


def test_lines_of_leduc_are_its_betting_lines() -> None:
    tree = compile_game(LEDUC)
    lines = Lines.of(tree)

    def betting(key: str) -> str:
        hand, slash, rest = key.partition("/")
        return hand[1:] + slash + rest[1:]

    pairs = {(betting(k), n) for k, n in zip(tree.infoset_keys, lines.line.tolist(), strict=True)}
    assert len(pairs) == len(set(lines.line.tolist())) == len({text for text, _ in pairs})
    for key, dealt in zip(tree.infoset_keys, lines.dealt.tolist(), strict=True):
        first, slash, second = key.partition("/")
        moves = (second if slash else first).partition(":")[2]
        # A player has decided in this round already if they are behind two moves or more.
        assert dealt == (len(moves) < 2), key


@pytest.mark.parametrize(("k", "infosets"), [(1, 36), (2, 132), (3, 288)])
def test_buckets_of_leduc(k: int, infosets: int) -> None:
    tree = compile_game(LEDUC)
    found = automatic_buckets(tree, k)
    assert found.num_infosets == infosets
    assert all(one.kind == "perfect" for one in classify_recall(found))
    again = automatic_buckets(tree, k)
    assert np.array_equal(found.abstract_of, again.abstract_of)


def test_buckets_by_value_beat_buckets_by_rank() -> None:
    tree = compile_game(LEDUC)
    measures = Measures(tree)
    by_value, by_rank = (
        measures.three_numbers(make_abstraction(tree, spec)) for spec in ("auto(2)", "buckets(2)")
    )
    losses = by_value.representable.exploitability, by_rank.representable.exploitability
    assert losses[0] < 0.6 * losses[1]
    assert losses[1] == pytest.approx(0.310419, abs=1e-6)


def test_suits_share_a_bucket() -> None:
    tree = compile_game("leduc")
    found = make_abstraction(tree, "auto(3)")
    one, other = tree.index("Js:cc/Qs"), tree.index("Jh:cc/Qh")
    assert found.abstract_of[one] == found.abstract_of[other]
    assert found.num_infosets == 288


def test_arguments_of_automatic_buckets() -> None:
    tree = compile_game("kuhn")
    seeded = make_abstraction(tree, "auto(2,seed=3,iterations=0)")
    assert seeded.num_infosets == 8
    for spec in ("auto", "auto(0)", "auto(2,seed=-1)", "auto(2,rounds=3)", "auto(x)"):
        with pytest.raises(ConfigError) as wrong:
            make_abstraction(tree, spec)
        assert wrong.value.option == "abstraction"
    for options in ({"k": 0}, {"k": 1, "seed": -1}, {"k": 1, "iterations": -1}):
        with pytest.raises(ConfigError):
            automatic_buckets(tree, **options)
    with pytest.raises(RecallError):
        automatic_buckets(compile_game("random_tree(seed=3,imperfect_recall=true)"), 2)


@pytest.mark.parametrize("seed", range(6))
def test_buckets_of_random_games_have_perfect_recall(seed: int) -> None:
    tree = compile_game(f"random_tree(seed={seed},depth=7,branching=2,chance=0.5,stop=0.02)")
    for k in (1, 2):
        found = automatic_buckets(tree, k)
        assert all(one.kind == "perfect" for one in classify_recall(found))


def test_a_game_without_decisions_has_no_buckets() -> None:
    assert automatic_buckets(compile_game(Written((3.0, -3.0), 2)), 2).num_infosets == 0
