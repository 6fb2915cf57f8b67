"""Optima over relevant pairs, over plans, and by the definitions: on random and shipped games."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from equilibrist.evaluation.plans import count_plans
from equilibrist.evaluation.sequences import Sequences
from equilibrist.game import Game
from equilibrist.game_loading import compile_game
from equilibrist.games.efg.game import load_efg
from equilibrist.games.efg.writer import efg_text
from equilibrist.games.library.random_tree import RandomTree
from equilibrist.reference.game_walk import walk
from equilibrist.tree.compile import GameTree
from tests.equilibria.optimal.enumeration import number_of_joint_plans, optimum
from tests.equilibria.optimal.optima import ALL, SHERIFF, solved
from tests.equilibria.optimal.vonstengel_forges import CIRCULAR_ENDS, circular
from tests.slow_cases import examples
from tests.small_games import Written


def small(game: Game[Any], most: int = 500) -> GameTree:
    """The compiled game, if it has few joint plans."""
    tree = compile_game(game)
    sequences = Sequences.of(tree)
    joint = np.prod([float(count_plans(sequences, p)) for p in range(tree.num_players)])
    assume(1 < joint <= most)
    assume(all(len(sequences.infosets(p)) for p in range(tree.num_players)))
    return tree


def random_games(chance: float | None = None) -> st.SearchStrategy[Game[Any]]:
    def build(seed: int, players: int, depth: int, share: float) -> Game[Any]:
        return RandomTree(
            seed=seed, players=players, depth=depth, branching=3, signals=2, zero_sum=False,
            chance_share=share if chance is None else chance, forced=0.1, stop=0.2,
        )  # fmt: skip

    return st.builds(
        build,
        st.integers(0, 2**32),
        st.integers(2, 3) if chance is None else st.just(2),
        st.integers(2, 4),
        st.sampled_from([0.0, 0.3]),
    )


@pytest.mark.slow
@given(game=random_games(), player=st.integers(0, 1))
@settings(max_examples=examples(80))
def test_sets_grow_and_so_do_optima(
    tmp_path_factory: pytest.TempPathFactory, game: Game[Any], player: int
) -> None:
    """CE within EFCE within EFCCE within NFCCE, on .efg files; every device passes the coarser."""
    tree = small(game, 2_000)
    path = tmp_path_factory.mktemp("efg") / "game.efg"
    path.write_text(efg_text(game), encoding="utf-8")
    tree = compile_game(load_efg(str(path)))
    found = [solved(tree, concept, f"player:{player}") for concept in ALL]
    for one, other in pairwise(found):
        assert one.optimum <= other.optimum + 1e-7
    for rank, one in enumerate(found):
        for concept in ALL[rank:]:
            assert max(one.device.gaps(concept).players) <= 1e-8


@pytest.mark.slow
@given(game=random_games(), concept=st.sampled_from(ALL), weights=st.permutations([2, 1, -1]))
@settings(max_examples=examples(60, few=20))
def test_optima_by_the_definitions(game: Game[Any], concept: str, weights: list[int]) -> None:
    tree = small(game, 150)
    count = tree.num_players
    whole = walk(game)
    assert number_of_joint_plans(whole) <= 150
    name = "nfcce" if concept == "cce" else concept
    for objective, sign in (("player:0", 1.0), ("min:0", -1.0)):
        wanted = optimum(whole, name, [sign, *[0.0] * (count - 1)])
        assert solved(tree, concept, objective).optimum == pytest.approx(sign * wanted, abs=1e-7)
    wanted = optimum(whole, name, [1.0] * count)
    assert solved(tree, concept, "welfare").optimum == pytest.approx(wanted, abs=1e-7)


@pytest.mark.slow
@given(game=random_games(), concept=st.sampled_from(ALL[1:]))
@settings(max_examples=examples(100))
def test_pairs_and_plans_agree(game: Game[Any], concept: str) -> None:
    """Wherever pairs are used: the test for triangles lets no relaxation pass."""
    tree = small(game, 3_000)
    assume(tree.num_players == 2)
    for objective in ("player:0", "fair"):
        one = solved(tree, concept, objective)
        other = solved(tree, concept, objective, method="plans")
        assert one.optimum == pytest.approx(other.optimum, abs=1e-7)


@pytest.mark.parametrize("concept", ALL[1:])
@pytest.mark.parametrize("spec", ["chicken", "extended_shapley", SHERIFF, "greenwald_sarfati"])
def test_pairs_and_plans_agree_on_shipped_games(spec: str, concept: str) -> None:
    for objective in ("welfare", "min:1"):
        pairs = solved(spec, concept, objective, method="pairs")
        plans = solved(spec, concept, objective, method="plans")
        assert (pairs.method, plans.method) == ("pairs", "plans")
        assert pairs.optimum == pytest.approx(plans.optimum, abs=1e-8)


@given(
    ends=st.lists(
        st.tuples(st.integers(-9, 9), st.integers(-9, 9)),
        min_size=CIRCULAR_ENDS, max_size=CIRCULAR_ENDS,
    ),
    concept=st.sampled_from(ALL[1:]),
)  # fmt: skip
@settings(max_examples=examples(100))
def test_infosets_in_a_circle(ends: list[tuple[int, int]], concept: str) -> None:
    tree = compile_game(circular([tuple(map(float, end)) for end in ends]))
    pairs = solved(tree, concept, "fair", method="pairs")
    plans = solved(tree, concept, "fair", method="plans")
    assert pairs.optimum == pytest.approx(plans.optimum, abs=1e-7)


@pytest.mark.slow
@given(
    st.integers(2, 3).flatmap(
        lambda n: st.lists(st.integers(-5, 5), min_size=n * 2**n, max_size=n * 2**n)
    )
)
@settings(max_examples=examples(40))
def test_two_actions_each_cannot_tell_concepts_apart(entries: list[int]) -> None:
    players = 2 if len(entries) == 8 else 3
    tables = np.array(entries).reshape(players, *[2] * players)
    from equilibrist.games import MatrixGame

    tree = compile_game(MatrixGame.from_tables(tables.tolist()))
    optima = [solved(tree, concept, "welfare").optimum for concept in ALL]
    assert optima == pytest.approx([optima[0]] * 4, abs=1e-8)


def test_public_chance_leaves_pairs_exact() -> None:
    """A coin that both see, then one of two games of different size."""
    chicken = (0, "row h", {
        a: (1, "column h", {b: (7.0 * (a < b) + 2.0 * (a > b) + 6.0 * (a == b == "s"),
                                7.0 * (a > b) + 2.0 * (a < b) + 6.0 * (a == b == "s"))
                            for b in "ds"})
        for a in "ds"
    })  # fmt: skip
    hands = "rps"
    shapley = (0, "row t", {
        a: (1, "column t", {b: (float((i - j) % 3 == 1), float((j - i) % 3 == 1))
                            for j, b in enumerate(hands)})
        for i, a in enumerate(hands)
    })  # fmt: skip
    game = Written(("chance", {("h", 0.25): chicken, ("t", 0.75): shapley}), 2, "coin")
    tree = compile_game(game)
    for concept in ALL[1:]:
        for objective in ("welfare", "player:0", "min:1"):
            pairs = solved(tree, concept, objective, method="pairs")
            plans = solved(tree, concept, objective, method="plans")
            assert pairs.optimum == pytest.approx(plans.optimum, abs=1e-8)
    assert solved(tree, "efce", "welfare").method == "pairs"
    assert solved(tree, "efce", "welfare").optimum == pytest.approx(0.25 * 10.5 + 0.75 * 1.0)
