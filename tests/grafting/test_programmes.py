"""Grafts by linear programmes: published figures, plans by enumeration, laws on random games."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

import equilibrist as eq
from equilibrist.abstraction import Abstraction, make_abstraction, three_numbers
from equilibrist.errors import ConfigError, MismatchError, RecallError, UnsupportedError
from equilibrist.game import CHANCE
from equilibrist.games import load_game
from equilibrist.grafting import Grafted, find_blocks, graft
from equilibrist.grafting.blocks import infosets_above
from equilibrist.reference import walk
from tests.exploitation.pure_plans import pure, worth
from tests.grafting.closed_blocks import closed_blocks
from tests.grafting.leduc_base import BLOCKS, base, leduc
from tests.refusals import refuses, unchecked
from tests.slow_cases import slow
from tests.strategy.random_strategies import random_strategy

EXACT = 1e-9


def losses(strategy: eq.Strategy, value: float) -> list[float]:
    """What a best response wins from each seat beyond the value of the game."""
    best = eq.evaluate(strategy).best_response_values
    return [value + best[1], best[0] - value]


def outside_is_kept(found: Grafted, blocks: Sequence[str]) -> bool:
    tree = found.base.tree
    inside = np.logical_or.reduce([block.inside for block in find_blocks(tree, blocks)])
    rows = np.repeat(~inside, np.diff(tree.action_offset))
    return bool((found.strategy.probabilities[rows] == found.base.probabilities[rows]).all())


# Leduc with the base of the build sheet; figures that hang on a vertex are left out.


def test_single_grafts_of_leduc() -> None:
    found = graft(base(), BLOCKS, method="independent")
    assert found.before == pytest.approx((0.29475, 0.28510), abs=6e-6)
    after = {(step.block, step.player): step.after for step in found.steps}
    assert len(after) == 10
    gained = {
        ("*:cc/*", 0): 0.19084,
        ("*:rrc/*", 0): 0.29398,
        ("*:cc/*", 1): 0.24973,
        ("*:crrc/*", 1): 0.26723,
    }
    for (block, player), figure in after.items():
        expected = gained.get((block, player), (0.29475, 0.28510)[player])
        assert figure == pytest.approx(expected, abs=6e-6), (block, player)
    assert all(step.num_infosets == 27 for step in found.steps)


def test_independent_grafts_of_leduc_lose_what_one_gained() -> None:
    found = graft(base(), BLOCKS, method="independent")
    assert found.after == pytest.approx(losses(found.strategy, -0.085606424078), abs=EXACT)
    assert found.worse_than_single(1)
    best = found.best_single(1)
    assert best is not None
    assert best.block == "*:cc/*"
    assert not found.guaranteed


def test_sequential_and_joint_grafts_of_leduc() -> None:
    one, joint = graft(base(), BLOCKS), graft(base(), BLOCKS, method="joint")
    assert joint.after == pytest.approx((0.08620, 0.08961), abs=6e-6)
    assert joint.seats == (0, 1)
    for player in (0, 1):
        own = [step for step in one.steps if step.player == player]
        figures = [own[0].before] + [step.after if step.taken else step.before for step in own]
        assert all(b <= a for a, b in zip(figures, figures[1:], strict=False))
        assert joint.after[player] <= one.after[player] <= own[0].after <= own[0].before
    assert one.guaranteed
    assert one.best_single(0) is None
    for found in (one, joint):
        assert outside_is_kept(found, BLOCKS)
        assert found.after == pytest.approx(losses(found.strategy, -0.085606424078), abs=EXACT)
        assert found.evaluation == eq.evaluate(found.strategy)
        assert found.evaluation.exploitability == pytest.approx(sum(found.after) / 2, abs=EXACT)


def test_static_experts_of_leduc_are_worse_than_the_base() -> None:
    found = graft(base(), BLOCKS, method="static")
    assert found.worse_than_base(0)
    assert found.worse_than_base(1)
    assert found.after_keeping is not None
    assert sum(found.after_keeping) < sum(found.before)
    assert {step.undecided for step in found.steps} == {0, 27}
    assert outside_is_kept(found, BLOCKS)


@pytest.mark.parametrize(
    ("spec", "exploitability"),
    [("cards(JQ.K)", 0.310419), ("cards(JQ.K,pair)", 0.169719), ("none", 0.0)],
)
def test_grafts_of_the_whole_game(spec: str, exploitability: float) -> None:
    """They are the least exploitable of all strategies that the abstraction can represent."""
    found = graft(eq.Strategy.uniform(leduc()), ["*"], abstraction=spec)
    assert found.evaluation.exploitability == pytest.approx(exploitability, abs=6e-7)
    merged = make_abstraction(leduc(), spec)
    merged.restrict(found.strategy)  # plays merged infosets alike
    assert found.after == pytest.approx(
        three_numbers(leduc(), merged).representable.losses, abs=1e-8
    )


# Enumeration of plans, by recursion over histories


def maximin(payoff: Any) -> float:
    """The value of a matrix game to the player of the rows."""
    rows, columns = payoff.shape
    below = np.column_stack([-payoff.T, np.ones(columns)])
    cost = np.append(np.zeros(rows), -1.0)
    sums = np.append(np.ones(rows), 0.0).reshape(1, -1)
    bounds = [(0.0, None)] * rows + [(None, None)]
    found = linprog(cost, below, np.zeros(columns), sums, [1.0], bounds=bounds, method="highs")
    assert found.status == 0
    return float(-found.fun)


def plans_inside(tree: eq.GameTree, groups: list[list[str]]) -> list[dict[str, list[float]]]:
    """Pure plans at some infosets; those of a group are played alike."""
    widths = [len(tree.action_labels[tree.index(group[0])]) for group in groups]
    return [
        {
            key: [float(a == action) for a in range(width)]
            for group, action, width in zip(groups, actions, widths, strict=True)
            for key in group
        }
        for actions in product(*map(range, widths))
    ]


def rows_of(strategy: eq.Strategy) -> dict[str, list[float]]:
    return {key: list(row.values()) for key, row in strategy.to_dict().items()}


def by_enumeration(
    base: eq.Strategy, game: str, player: int, groups: list[list[str]], *, static: list[str] | None
) -> tuple[float, Any]:
    """What a graft guarantees, and a function: what another strategy guarantees.

    `static` are the opponent's infosets of the block where the rest is the base's; None leaves the
    opponent free.
    """
    found = walk(load_game(game))
    rows = rows_of(base)
    if static is None:
        columns = pure(found, 1 - player)
    else:
        columns = plans_inside(base.tree, [[key] for key in static])
    plans = plans_inside(base.tree, groups)
    payoff = [[worth(found.root, {**rows, **x, **y}, player) for y in columns] for x in plans]

    def guarantee(strategy: eq.Strategy) -> float:
        own = rows_of(strategy)
        return min(worth(found.root, {**own, **y}, player) for y in columns)

    return maximin(np.array(payoff)), guarantee


def met(node: Any, rows: dict[str, list[float]], player: int, free: set[str]) -> set[str]:
    """The player's infosets to which chance and the opponent may come.

    The opponent plays `rows`, and anything at the infosets of `free`.
    """
    here = {node.infoset} if node.player == player else set()
    for k, child in enumerate(node.children):
        if node.player == CHANCE and node.chance[k] == 0.0:
            continue
        if node.player == 1 - player and node.infoset not in free and rows[node.infoset][k] == 0.0:
            continue
        here |= met(child, rows, player, free)
    return here


SMALL = "random_tree(seed={seed},depth=5,branching=2,chance=0.3,forced=0.1)"


@pytest.mark.parametrize(
    "game",
    [
        "kuhn",
        *(SMALL.format(seed=n) for n in (2, 5)),
        *(slow(SMALL.format(seed=n)) for n in (1, 3, 4, 9, 11, 12)),
    ],
)
def test_a_graft_is_what_enumeration_finds(game: str) -> None:
    tree = eq.compile_game(game)
    checked = 0
    for seed in range(4):
        strategy = random_strategy(tree, seed)
        (pattern, *_) = closed_blocks(tree, seed, 1, share=0.4)
        (block,) = find_blocks(tree, [pattern])
        inside = [[tree.infoset_keys[i] for i in block.infosets(p)] for p in (0, 1)]
        for method in ("independent", "static"):
            found = graft(strategy, [pattern], method=method)
            for player in found.seats:
                groups = [[key] for key in inside[player]]
                static = inside[1 - player] if method == "static" else None
                value, guarantee = by_enumeration(strategy, game, player, groups, static=static)
                assert guarantee(found.strategy.replace(1 - player, strategy)) == pytest.approx(
                    value, abs=1e-8
                )
                checked += 1
            if method == "static":
                rows, root = rows_of(strategy), walk(load_game(game)).root
                for step in found.steps:
                    theirs = set(inside[1 - step.player])
                    never = set(inside[step.player]) - met(root, rows, step.player, theirs)
                    assert step.undecided == len(never)
                    for key in never:
                        assert len(set(found.strategy[key].values())) == 1
    assert checked >= 8


def test_merged_infosets_may_have_different_pasts_outside() -> None:
    """With jack and queen merged after pass and bet, but not before: LP against enumeration."""
    tree = eq.compile_game("kuhn")
    merged = Abstraction.from_keys(tree, {"1pb": "low", "2pb": "low"})
    for seed in range(5):
        strategy = random_strategy(tree, seed)
        found = graft(strategy, ["*pb"], abstraction=merged, seats=[0], method="independent")
        value, _ = by_enumeration(strategy, "kuhn", 0, [["1pb", "2pb"], ["3pb"]], static=None)
        (step,) = found.steps
        assert -1 / 18 - step.after == pytest.approx(value, abs=1e-9)
        alike = [key for key in ("1pb", "2pb") if strategy[key[0]]["pass"] > 0.0]
        assert len({tuple(found.strategy[key].items()) for key in alike}) <= 1


def test_play_stays_where_a_player_never_comes() -> None:
    tree = eq.compile_game("kuhn")
    rows = eq.Strategy.uniform(tree).to_dict() | {"1": {"pass": 0.0, "bet": 1.0}}
    strategy = eq.Strategy.from_dict(tree, rows | {"1pb": {"pass": 0.3, "bet": 0.7}})
    for iterations in (None, 50):
        found = graft(strategy, ["*pb"], seats=[0], method="joint", iterations=iterations)
        assert found.steps[0].taken
        assert found.strategy["1pb"] == {"pass": 0.3, "bet": 0.7}
        assert found.strategy["3pb"] != strategy["3pb"]


# Laws


@pytest.mark.parametrize("seed", [*range(5), *map(slow, range(5, 20))])
def test_grafts_in_random_games_never_worsen_the_base(seed: int) -> None:
    tree = eq.compile_game(f"random_tree(seed={seed},depth=7,chance=0.3,stop=0.05)")
    strategy = random_strategy(tree, seed)
    blocks = closed_blocks(tree, seed, 3)
    one, joint, alone = (
        graft(strategy, blocks, method=way) for way in ("sequential", "joint", "independent")
    )
    scale = tree.payoff_range
    for step in alone.steps:  # nothing leaves these out
        assert step.after <= step.before + EXACT * scale
        assert joint.after[step.player] <= step.after + EXACT * scale
    for player in one.seats:
        assert joint.after[player] <= one.after[player] + EXACT * scale
        assert -EXACT * scale <= one.after[player] <= one.before[player]
    assert one.evaluation.nash_conv <= one.base_evaluation.nash_conv + EXACT * scale
    for found in (one, joint, alone):
        assert outside_is_kept(found, blocks)
    for step in one.steps:
        assert step.after <= step.before + EXACT * scale


def test_a_graft_that_gains_nothing_leaves_the_bits() -> None:
    tree = eq.compile_game("kuhn")
    optimal = eq.solve("kuhn", "lp").strategy
    found = graft(optimal, ["*b", "*p"])
    np.testing.assert_array_equal(found.strategy.probabilities, optimal.probabilities)
    assert found.strategy.tree is optimal.tree
    assert found.after == pytest.approx((0.0, 0.0), abs=1e-9)
    one = graft(random_strategy(tree, 1), ["*b"], seats=[1])
    assert one.seats == (1,)
    assert one.before[0] == one.after[0]
    mine = np.repeat(tree.infoset_player == 0, np.diff(tree.action_offset))
    np.testing.assert_array_equal(one.strategy.probabilities[mine], one.base.probabilities[mine])


def test_each_block_has_its_abstraction() -> None:
    both = graft(base(), BLOCKS[:2], abstraction=["cards(JQ.K)", "none"], method="independent")
    first = graft(base(), BLOCKS[:1], abstraction="cards(JQ.K)", method="independent")
    second = graft(base(), BLOCKS[1:2], method="independent")
    assert [step.after for step in both.steps] == pytest.approx(
        [step.after for step in (*first.steps, *second.steps)], abs=1e-9
    )
    coarse = make_abstraction(leduc(), "cards(JQ.K)")
    given = graft(base(), BLOCKS[:1], abstraction=coarse, method="independent")
    assert given.steps == first.steps
    # A coarse block cannot represent the base: grafted alone it may lose, and is left out.
    left = graft(base(), BLOCKS[:1], abstraction=coarse)
    assert [step.taken for step in left.steps] == [step.after < step.before for step in left.steps]
    assert not all(step.taken for step in left.steps)


def test_what_is_refused() -> None:
    tree = eq.compile_game("kuhn")
    uniform = eq.Strategy.uniform(tree)
    with refuses(ConfigError, option="strategy", given=tree):
        graft(unchecked(tree), ["*b"])
    with refuses(ConfigError, option="method", given="best"):
        graft(uniform, ["*b"], method=unchecked("best"))
    with refuses(ConfigError, option="seat", given=2):
        graft(uniform, ["*b"], seats=[2])
    with refuses(ConfigError, option="seat", given=1):
        graft(uniform, ["*b"], seats=[1, 1])
    with refuses(ConfigError, option="seats", given=[]):
        graft(uniform, ["*b"], seats=[])
    with refuses(ConfigError, option="iterations", given=0):
        graft(uniform, ["*b"], iterations=0)
    with refuses(ConfigError, option="abstraction", given=3, expected=2):
        graft(uniform, ["*b", "*p"], abstraction=["none", "none", "none"])
    with refuses(ConfigError, option="abstraction", given=5):
        graft(uniform, ["*b"], abstraction=unchecked(5))
    with refuses(MismatchError, option="abstraction"):
        graft(uniform, ["*b"], abstraction=make_abstraction(leduc(), "none"))
    forgetful = Abstraction.from_keys(tree, {"1": "one", "1pb": "one"})
    with refuses(UnsupportedError, option="abstraction", given="1pb"):
        graft(uniform, ["*"], abstraction=forgetful)


def test_games_too_large_for_linear_programmes() -> None:
    tree = eq.compile_game("liars_dice(sides=5)")
    assert tree.num_sequences > 5000
    uniform = eq.Strategy.uniform(tree)
    with refuses(UnsupportedError, option="sequences", given=tree.num_sequences, expected=5000):
        graft(uniform, ["*"])


def test_games_in_which_players_forget() -> None:
    tree = eq.compile_game("random_tree(seed=3,imperfect_recall=true)")
    with pytest.raises(RecallError):
        graft(eq.Strategy.uniform(tree), ["*"])


def test_the_infosets_above_come_first() -> None:
    """What finds plans relies on it."""
    for name in ("kuhn", "leduc", "random_tree(seed=4,depth=7)", "liars_dice(sides=3)"):
        tree = eq.compile_game(name)
        assert (infosets_above(tree) < np.arange(tree.num_infosets)).all()
