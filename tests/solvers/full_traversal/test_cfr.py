"""The fast engine against the plain recursion, iterate by iterate; and the solver's own manners.

Random games are jittered: where two actions are worth exactly the same, rounding decides, and two
correct programs go different ways from there. For the same reason three-player Kuhn, which is
full of such ties when all start from the uniform strategy, starts from random states.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, MismatchError, RecallError
from equilibrist.game import Game
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference.game_walk import GameWalk, walk
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.variants.registry import VARIANTS, get_variant
from equilibrist.tree.compile import GameTree
from tests.altered_games import Jittered, WithImpossibleChances
from tests.oracle import HORIZON, Pair
from tests.papers.mutations import with_vanilla_coefficients, without_one_ingredient
from tests.refusals import refuses
from tests.slow_cases import slow_unless

RANDOM = {
    "one player": "random_tree(seed=1,players=1,depth=6,zero_sum=false)",
    "two players": "random_tree(seed=2,depth=6,branching=4)",
    "general sum": "random_tree(seed=3,depth=7,zero_sum=false)",
    "three players": "random_tree(seed=4,players=3,depth=7,zero_sum=false)",
    "four players": "random_tree(seed=5,players=4,depth=8,zero_sum=false)",
    "many actions": "random_tree(seed=6,depth=4,branching=11,stop=0,signals=3,forced=0.3)",
    "mostly forced": "random_tree(seed=8,players=3,depth=9,forced=0.6,zero_sum=false,stop=0)",
    "much chance": "random_tree(seed=9,depth=7,chance=0.6,stop=0.02)",
}
GAMES = ("kuhn", "kuhn(players=3)", "leduc", *RANDOM, "impossible chances")
BOTH_ORDERS = pytest.mark.parametrize(
    "alternating", [True, False], ids=["alternating", "simultaneous"]
)


@cache
def compiled(name: str) -> tuple[GameTree, GameWalk]:
    game: Game[Any]
    if name == "impossible chances":
        game = WithImpossibleChances(Jittered(load_game(RANDOM["much chance"])))
    elif name in RANDOM:
        game = Jittered(load_game(RANDOM[name]))
    else:
        game = load_game(name)
    return compile_game(game), walk(game)


def pair_on(name: str, variant, alternating: bool) -> Pair:
    tree, nodes = compiled(name)
    return Pair(tree.game, nodes, variant, alternating, tree)


@pytest.mark.drawn(60)
@pytest.mark.by_default(8)
@BOTH_ORDERS
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=list(VARIANTS))
@pytest.mark.parametrize("game", GAMES)
def test_one_iteration_from_one_random_state(game: str, variant, alternating: bool) -> None:
    for seed in range(1 if game == "leduc" else 3):
        pair = pair_on(game, variant, alternating)
        pair.randomise(seed, iteration=7 * seed)
        assert pair.distance() == 0.0
        pair.run(1)
        assert pair.distance() < 1e-12


def is_soon_walked(game: str, variant: str) -> bool:
    """All of them are compared after one iteration."""
    if game == "leduc":
        return variant == "dcfr"
    return game in ("kuhn(players=3)", "impossible chances") or variant in ("cfr", "pcfr+")


@pytest.mark.drawn(40)
@pytest.mark.by_default(8)
@pytest.mark.parametrize(("game", "variant"), slow_unless(is_soon_walked, GAMES, VARIANTS))
def test_twenty_iterations(game: str, variant: str) -> None:
    """In one order of updates, by turns: every variant plays some games in each."""
    alternating = (GAMES.index(game) + list(VARIANTS).index(variant)) % 2 == 0
    pair = pair_on(game, VARIANTS[variant], alternating)
    if game == "kuhn(players=3)":
        pair.randomise(seed=11, iteration=0)
    pair.run(20)
    assert pair.distance() < 1e-9
    average = pair.engine.average_strategy().to_dict()
    for key, row in pair.reference.average_strategy().items():
        assert list(average[key].values()) == pytest.approx(row, abs=1e-9)


@BOTH_ORDERS
@pytest.mark.parametrize("name", VARIANTS)
def test_vanilla_coefficients_part_from_the_reference(name: str, alternating: bool) -> None:
    """The comparison above would notice an engine that ran plain CFR instead."""
    pair = pair_on("kuhn", VARIANTS[name], alternating)
    pair.engine = CFR(pair.tree, with_vanilla_coefficients(VARIANTS[name]), alternating=alternating)
    pair.run(20)
    assert pair.distance() > 1e-3


@pytest.mark.parametrize("name", VARIANTS)
def test_every_ingredient_of_a_variant_shows_in_the_comparison(name: str) -> None:
    for part, spoilt in without_one_ingredient(VARIANTS[name]):
        pair = pair_on("kuhn", VARIANTS[name], True)
        pair.engine = CFR(pair.tree, spoilt, alternating=True, horizon=HORIZON)
        pair.run(20)
        assert pair.distance() > 1e-6, f"{part} does not count"


def test_the_update_order_shows() -> None:
    tree, _ = compiled("kuhn")
    one, other = (CFR(tree, "cfr", alternating=a).run(3).state for a in (True, False))
    assert np.abs(one.regret - other.regret).max() > 1e-3


@pytest.mark.parametrize("name", VARIANTS)
def test_chunks_do_not_change_a_bit(name: str) -> None:
    tree, _ = compiled("kuhn")
    whole = CFR(tree, name, horizon=HORIZON).run(50).state
    parts = CFR(tree, name, horizon=HORIZON)
    for count in (1, 0, 2, 17, 30):
        parts.run(count)
    assert same_bits(whole, parts.state)


def test_long_runs_are_split_without_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, _ = compiled("kuhn")
    whole = CFR(tree, "dcfr").run(100).state
    monkeypatch.setattr(CFR, "_table_rows", 7)
    assert same_bits(whole, CFR(tree, "dcfr").run(100).state)


@pytest.mark.parametrize("name", ["cfr", "dcfr", "pdcfr+", "hs-dcfr"])
def test_a_restored_state_continues_with_the_same_bits(name: str) -> None:
    tree, _ = compiled("three players")
    whole = CFR(tree, name, horizon=HORIZON).run(40)
    first = CFR(tree, name, horizon=HORIZON).run(13)
    second = CFR(tree, name, horizon=HORIZON).restore(first.state)
    first.run(5)  # the state was a copy
    assert second.iteration == 13
    assert same_bits(whole.state, second.run(27).state)


def test_a_state_can_be_restored_more_than_once() -> None:
    """Running on from a state must not change the state."""
    tree, _ = compiled("kuhn")
    state = CFR(tree, "dcfr").run(5).state
    runs = [CFR(tree, "dcfr").restore(state).run(5).state for _ in range(2)]
    assert same_bits(*runs)


def same_bits(one, other) -> bool:
    return one.iteration == other.iteration and all(
        getattr(one, name).tobytes() == getattr(other, name).tobytes()
        for name in ("regret", "behaviour", "strategy_sum")
    )


def test_the_first_iteration_plays_the_uniform_strategy() -> None:
    tree, _ = compiled("leduc")
    solver = CFR(tree, "dcfr").run(1)
    for row in solver.average_strategy().to_dict().values():
        assert list(row.values()) == pytest.approx([1 / len(row)] * len(row))


def test_before_the_first_iteration_everything_is_uniform() -> None:
    tree, _ = compiled("two players")
    solver = CFR(tree)
    assert solver.iteration == 0
    for strategy in (solver.average_strategy(), solver.current_strategy()):
        for row in strategy.to_dict().values():
            assert set(row.values()) == {1 / len(row)}


def test_results_are_copies() -> None:
    tree, _ = compiled("kuhn")
    solver = CFR(tree, "cfr+").run(5)
    average = solver.average_strategy().probabilities.copy()
    kept = solver.average_strategy(), solver.current_behaviour(), solver.state
    before = [kept[0].probabilities.copy(), kept[1].copy(), kept[2].regret.copy()]
    solver.run(5)
    after = [kept[0].probabilities, kept[1], kept[2].regret]
    assert all(np.array_equal(b, a) for b, a in zip(before, after, strict=True))
    assert not np.array_equal(average, solver.average_strategy().probabilities)


def test_regrets_by_name() -> None:
    """After one uniform iteration: the regrets of Kuhn's second decision as worked out by hand."""
    tree, _ = compiled("kuhn")
    solver = CFR(tree, "cfr", alternating=False).run(1)
    assert solver.regrets()["1pb"] == pytest.approx({"pass": 1 / 12, "bet": -1 / 12}, abs=1e-15)


def test_forced_infosets_have_no_regret() -> None:
    tree, _ = compiled("mostly forced")
    solver = CFR(tree, "dcfr").run(10)
    forced = [k for k, a in zip(tree.infoset_keys, tree.action_labels, strict=True) if len(a) == 1]
    assert forced
    for key in forced:
        assert set(solver.regrets()[key].values()) == {0.0}
        assert set(solver.average_strategy()[key].values()) == {1.0}


def test_a_game_is_compiled_on_the_way() -> None:
    assert CFR(load_game("kuhn"), get_variant("cfr+")).tree.num_nodes == 58


def test_schedules_need_a_horizon() -> None:
    tree, _ = compiled("kuhn")
    with refuses(ConfigError, option="horizon"):
        CFR(tree, "hs-dcfr")
    with refuses(ConfigError, option="horizon", given=10, expected=11):
        CFR(tree, "hs-dcfr", horizon=10).run(11)


def test_negative_iterations_are_refused() -> None:
    with refuses(ConfigError, option="iterations", given=-1):
        CFR(compiled("kuhn")[0]).run(-1)


def test_a_state_of_another_game_is_refused() -> None:
    state = CFR(compiled("kuhn")[0]).run(1).state
    with refuses(MismatchError, option="game", given="kuhn", expected="leduc"):
        CFR(compiled("leduc")[0]).restore(state)
    unknown = replace(state, identity=None)
    with refuses(MismatchError, option="regret", given="(26,)", expected="(2272,)"):
        CFR(compiled("leduc")[0]).restore(unknown)


def test_imperfect_recall_is_refused() -> None:
    game = load_game("random_tree(seed=3,depth=6,imperfect_recall=true)")
    with pytest.raises(RecallError):
        CFR(game)
