"""The bounds that the regrets of a run without a tree give, against what they bound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.evaluation import nash_conv
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.solvers.implicit.infoset_table import new_table
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from equilibrist.solvers.implicit.regret_bound import total_weight
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solvers.variants.registry import get_variant
from equilibrist.solvers.variants.schedules import PowerAverage
from equilibrist.solvers.variants.variant import Variant
from equilibrist.strategy import Strategy
from tests.slow_cases import slow_but
from tests.solvers.implicit.deviations import Deviations
from tests.solvers.implicit.implicit_runs import LARGE, SMALL, contents, same_state

SAMPLERS = [
    "external",
    "external(prune=0.5)",
    "outcome",
    "outcome(epsilon=0.2)",
    "chance",
    "average-strategy",
    "robust(k=1)",
    "probing(k=1)",
    "pure",
]
THREE = "rules:leduc(players=3,ranks=2,raise_cap=1)"


def test_the_bound_nash_conv_bounds_nash_conv() -> None:
    game = load_game(SMALL)
    solver = ImplicitMCCFR(game).run(3000)
    largest = [max(0.0, *regrets) for regrets, _ in contents(solver).values()]
    bound = solver.bound_nash_conv()
    assert bound == pytest.approx(sum(largest) / 3000, rel=1e-12)
    tree = compile_game(game)
    measured = nash_conv(Strategy.from_packed(tree, solver.average_strategy()))
    assert 0.0 < measured < bound < 20 * measured
    outcome = ImplicitMCCFR(game, sampler="outcome").run(30_000)
    measured = nash_conv(Strategy.from_packed(tree, outcome.average_strategy()))
    bound = outcome.bound_nash_conv()
    assert bound is not None
    assert 0.0 < measured < bound < 20 * measured


@pytest.mark.parametrize("variant", ["lcfr", "dcfr(alpha=1,beta=0,gamma=1)"])
def test_the_bound_with_discounts_that_the_average_shares(variant: str) -> None:
    """Regrets of period t of T count t / T, and so does the average; of 2,950 iterations, 50 are
    of a period that has not ended."""
    game = load_game(SMALL)
    solver = ImplicitMCCFR(game, variant, period=100, seed=4).run(2950)
    weights = sum(100 * t / 30 for t in range(1, 30)) + 50
    largest = [max(0.0, *regrets) for regrets, _ in contents(solver).values()]
    bound = solver.bound_nash_conv()
    assert bound == pytest.approx(sum(largest) / weights, rel=1e-9)
    measured = nash_conv(Strategy.from_packed(compile_game(game), solver.average_strategy()))
    assert 0.0 < measured < bound < 20 * measured


def test_the_bound_is_a_sum_of_weighted_regrets() -> None:
    """In blocks and one by one; weights do not grow with the number of periods."""
    for variant, iterations, period in [("lcfr", 12_345, 1), ("cfr", 54_321, 10)]:
        rows = get_variant(variant).table(1, -(-iterations // period))
        total = 0.0
        for k, positive in enumerate(rows[:, 0].tolist()):
            total = total * positive + min(period, iterations - k * period)
        found = total_weight(get_variant(variant), iterations, period)
        assert found == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize("variant", ["cfr", "lcfr"])
def test_with_two_players_both_bounds_are_one(variant: str) -> None:
    solver = ImplicitMCCFR(SMALL, algorithm=variant, period=3).run(40)
    assert solver.bound_cce_gap() == solver.bound_nash_conv()
    assert solver.bound_cce_gap() is not None


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["cfr", "lcfr", "dcfr"])
def test_more_players_have_a_coarse_correlated_bound(variant: str) -> None:
    """The regrets' own weights count, whatever the average does."""
    game = "rules:leduc(players=3,ranks=2)"
    solver = ImplicitMCCFR(game, algorithm=variant, period=10).run(40)
    assert solver.bound_nash_conv() is None
    total = 0.0
    for positive in solver.variant.table(1, 4)[:, 0].tolist():
        total = total * positive + 10
    tree = MCCFR(game, variant, sampler="external", period=10).run(40)
    rows = np.split(tree.state.regret, tree.tree.action_offset[1:-1])
    largest = sum(max(0.0, row.max()) for row in rows)
    assert solver.bound_cce_gap() == pytest.approx(largest / total, rel=1e-9)
    assert ImplicitMCCFR(game).bound_cce_gap() is None


def test_why_there_is_no_bound() -> None:
    full = ImplicitMCCFR(LARGE, threads=2, executor="serial", memory=1_000_000).run(60)
    delayed = Variant("late", average=PowerAverage(1.0))
    for solver, reason in [
        (ImplicitMCCFR(SMALL), "before the first iteration"),
        (ImplicitMCCFR("rules:leduc(players=3,ranks=2)").run(5), "with 3 players"),
        (ImplicitMCCFR(SMALL, averaging="walk").run(5), "taken every 64 iterations only"),
        (ImplicitMCCFR(SMALL, "dcfr", period=2).run(5), "dcfr weights regrets differently"),
        (ImplicitMCCFR(SMALL, "dcfr(alpha=1,beta=2,gamma=1)", period=2).run(5), "differently"),
        (ImplicitMCCFR(SMALL, delayed, period=2).run(5), "late weights regrets differently"),
        (full, "the play of threads at infosets without a row"),
    ]:
        assert solver.bound_nash_conv() is None
        assert reason in solver.why_no_bound()
    assert full.is_full
    assert ImplicitMCCFR(SMALL).run(1).why_no_bound() == ""
    assert ImplicitMCCFR(SMALL, averaging="walk", averaging_every=1).run(1).why_no_bound() == ""


def closed(solver: ImplicitMCCFR, slots: int) -> ImplicitMCCFR:
    """`solver` with an empty table that takes rows in two thirds of its slots, and no more."""
    widest = solver.rules.max_actions
    solver.table = new_table(slots, 1 + widest * slots, widest)
    solver.table.used[2] = 1
    return solver


@pytest.mark.by_default(1)
@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("game", slow_but([SMALL], [SMALL, "rules:leduc", THREE]))
def test_what_is_not_stored_is_the_largest_regret_of_each_visit(game: str, sampler: str) -> None:
    """Of the last traverser's, who meets the same zeros in a table that takes all and in none."""
    some = 0
    for t in range(1, 21):
        runs = [ImplicitMCCFR(game, sampler=sampler, averaging="walk", averaging_every=10**9)]
        runs.append(closed(ImplicitMCCFR(runs[0].rules, sampler=sampler, averaging="walk"), 1))
        for run in runs:
            run.walks = None
            run.progress[:] = (t, run.rules.num_players - 1, 987_654_321 * t, 0)
            run.advance(t, 0.0)
        expected = sum(max(0.0, *regrets) for regrets, _ in contents(runs[0]).values())
        assert not contents(runs[1])
        assert runs[1].table.pool[0, 0] == pytest.approx(expected, rel=1e-12, abs=1e-12)
        some += expected > 0.0
        assert runs[1].bound_unstored_share() == (expected > 0.0)
    assert some > 5


@pytest.mark.by_default(1)
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_what_is_not_stored_below_infosets_that_have_learned(sampler: str) -> None:
    """Of the last traverser's: eleven infosets have a row, and one action of theirs is good."""
    game = load_game(SMALL)
    few, whole = (
        ImplicitMCCFR(game, sampler=sampler, averaging="walk", averaging_every=10**9)
        for _ in range(2)
    )
    for run in (closed(few, 16), whole):
        run.walks = None
        run.advance(20, 0.0)
    kept = contents(few).keys()
    assert len(kept) == 11
    found = []
    for t in range(21, 421):
        for run in (few, whole):
            run.table.pool[:] = 0.0
            for key in kept:
                row = _row(run, key)
                run.table.pool[0, row] = -5.0
                run.table.pool[0, row.start + t % (row.stop - row.start)] = 1.0
            run.progress[:] = (t, 1, 987_654_321 * t, 0)
            run.advance(t, 0.0)
        below = [max(0.0, *row) for key, (row, _) in contents(whole).items() if key not in kept]
        assert few.table.pool[0, 0] == pytest.approx(sum(below), rel=1e-12, abs=1e-12)
        found.append(max(below))
    assert sum(largest > 0.0 for largest in found) > 50
    if "prune" in sampler:  # some are found from a poor action down
        assert max(found) > 10.0


def _row(solver: ImplicitMCCFR, key: tuple[int, int]) -> slice:
    """Where the numbers of that infoset stand."""
    table = solver.table
    slot = np.flatnonzero((table.high == key[0]) & (table.low == key[1]) & (table.row != -1))[0]
    place, actions = divmod(int(table.row[slot]), 1 << 16)
    return slice(place, place + actions)


@pytest.mark.slow
@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("variant", ["cfr", "lcfr"])
def test_a_full_table_bounds_nash_conv(sampler: str, variant: str) -> None:
    """Of 96 infosets 42 have a row; the others are played uniformly, in the average as well."""
    if sampler == "pure" and variant == "lcfr":
        variant = "cfr"
    game = load_game(SMALL)
    averaging = "walk" if sampler == "average-strategy" else None
    every = None if averaging is None else 1
    solver = ImplicitMCCFR(
        game, variant, sampler=sampler, averaging=averaging, averaging_every=every, period=100
    )
    closed(solver, 64).run(2000)
    assert solver.num_infosets == 43
    measured = nash_conv(Strategy.from_packed(compile_game(game), solver.average_strategy()))
    bound = solver.bound_nash_conv()
    assert bound is not None
    assert 0.0 < measured < bound
    assert solver.bound_cce_gap() == bound
    rows = sum(max(0.0, *regrets) for regrets, _ in contents(solver).values())
    total = total_weight(solver.variant, 2000, 100)
    assert total is not None
    assert rows * solver.unit / total == pytest.approx(
        bound * (1.0 - solver.bound_unstored_share())
    )
    assert 0.0 < solver.bound_unstored_share() < 1.0


def test_the_share_without_a_row_stays_and_is_checkpointed(tmp_path: Path) -> None:
    """It is discounted as regrets are; a table that may grow again has lost part of its average."""
    first = closed(ImplicitMCCFR(SMALL, "lcfr", period=100, memory=1_000_000), 64).run(500)
    before = float(first.table.pool[0, 0])
    first.checkpoint(tmp_path / "run")
    again = ImplicitMCCFR(SMALL, "lcfr", period=100, memory=1_000_000).resume(tmp_path / "run")
    assert again.bound_nash_conv() == first.bound_nash_conv() is not None
    assert same_state(first.run(100), again.run(100))
    more = ImplicitMCCFR(SMALL, "lcfr", period=100, memory=2_000_000).resume(tmp_path / "run")
    assert not more.is_full
    assert more.why_no_bound().startswith("the average lacks the play of infosets that had no row")
    assert more.table.pool[0, 0] == before
    more.run(100)
    assert more.num_infosets > 43
    assert len(more.table.row) > 64
    assert more.table.pool[0, 0] == pytest.approx(before * 5 / 6, rel=1e-12)
    assert more.bound_nash_conv() is None
    assert more.bound_cce_gap() is not None
    more.checkpoint(tmp_path / "run")
    for memory in (2_000_000, 3_000_000):
        last = ImplicitMCCFR(SMALL, "lcfr", period=100, memory=memory).resume(tmp_path / "run")
        assert last.has_reopened


def test_discounts_of_what_is_not_stored() -> None:
    """LCFR's regrets of period t of 3 count t / 3: so does what is not stored."""
    sums = []
    for variant in ("cfr", "lcfr"):
        solver = closed(ImplicitMCCFR(SMALL, variant, period=100), 1)
        sums.append([float(solver.run(100).table.pool[0, 0]) for _ in range(3)])
    parts = np.diff([0.0, *sums[0]])
    assert sums[1][2] == pytest.approx(parts @ [1 / 3, 2 / 3, 1.0], rel=1e-12)


@pytest.mark.parametrize("executor", ["serial", "threads"])
def test_threads_add_what_is_not_stored(executor: str) -> None:
    """With no row anywhere nothing is learned: threads add to what one thread adds."""
    options: dict[str, Any] = {"period": 100, "seed": 5}
    one = closed(ImplicitMCCFR(SMALL, **options), 1).run(400)
    two = closed(ImplicitMCCFR(SMALL, threads=2, executor=executor, **options), 1).run(400)
    two.close()
    assert one.bound_cce_gap() == pytest.approx(two.bound_cce_gap(), rel=1e-12)
    assert two.bound_nash_conv() is None
    assert two.bound_unstored_share() == 1.0


def test_a_merge_counts_what_a_full_table_does_not_take() -> None:
    """The regrets of rows that only one thread's table has, where the merged one is closed."""
    into = closed(ImplicitMCCFR(SMALL), 1)
    base_numbers = int(into.table.used[1])
    gained = ImplicitMCCFR(SMALL).run(50)
    expected = sum(max(0.0, *regrets) for regrets, _ in contents(gained).values())
    gained.table.pool[0, 0] = 7.0
    into.merge(gained, base_numbers, 2)
    assert into.table.pool[0, 0] == pytest.approx((expected + 7.0) / 2, rel=1e-12)


ONE_SHOT = '''
"""Three players choose one of two or three sides, unseen; any payoffs."""

import numpy as np

PARAMETERS = {}


def state_size(g):
    return 4


def num_players(g):
    return 3


def max_actions(g):
    return 3


def max_moves(g):
    return 3


def start(g, s):
    s[:] = 0


def player(g, s):
    return s[3] if s[3] < 3 else -2


def num_actions(g, s):
    return 3 if s[3] == 1 else 2


def apply(g, s, a):
    s[s[3]] = a
    s[3] += 1


def payoff(g, s, p):
    x = 7 * s[0] + 3 * s[1] + 5 * s[2] + 4 * s[0] * s[1] + 3 * p * p * s[2]
    return float(x * (p + 2) % 11)


def key(g, s, out):
    out[0] = np.uint64(s[3])
    out[1] = np.uint64(0)
'''


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["cfr", "lcfr", "dcfr"])
def test_the_coarse_bound_is_the_gap_of_one_shot_games(tmp_path: Path, variant: str) -> None:
    """Without chance, chance sampling is CFR itself: with one infoset each the sum is the gap."""
    path = tmp_path / "one_shot.py"
    path.write_text(ONE_SHOT, "utf-8")
    solver = ImplicitMCCFR(f"rules:{path}", variant, sampler="chance", period=1)
    history = Deviations(solver)
    for t in range(1, 51):
        history.play(solver.variant.coefficients(t).positive if t > 1 else 1.0)
    gains = history.gains()
    regrets = sorted(max(0.0, *row) for row, _ in contents(solver).values())
    total = total_weight(solver.variant, 50, 1, averaged=False)
    assert total is not None
    if variant != "dcfr":  # which discounts negative regrets more
        assert regrets == pytest.approx(sorted(max(0.0, g) * total for g in gains), abs=1e-9)
    bound = solver.bound_cce_gap()
    assert bound is not None
    assert max(gains) > 1e-3
    assert sum(gains) <= bound + 1e-9


@pytest.mark.slow
def test_averages_taken_before_the_update_are_one_iteration_late(tmp_path: Path) -> None:
    """Player 0's play of the first iteration is in the average, and player 1 never meets it."""
    text = ONE_SHOT
    for old, new in {
        "def num_players(g):\n    return 3": "def num_players(g):\n    return 2",
        "s[3] if s[3] < 3": "s[3] if s[3] < 2",
        "    x = 7 * s[0] + 3 * s[1] + 5 * s[2] + 4 * s[0] * s[1] + 3 * p * p * s[2]\n": "",
        "float(x * (p + 2) % 11)": "(2.0 if s[0] == 0 else 1.0 - s[1]) * (1 - 2 * p)",
    }.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    path = tmp_path / "late.py"
    path.write_text(text, "utf-8")
    game = load_game(f"rules:{path}")
    solver = ImplicitMCCFR(game, sampler="chance").run(10)
    assert solver.bound_nash_conv() == pytest.approx(0.1)
    measured = nash_conv(Strategy.from_packed(compile_game(game), solver.average_strategy()))
    assert measured == pytest.approx(0.15)  # at most 3 / 10 more: payoffs are from -1 to 2


@pytest.mark.by_default(1)
@pytest.mark.parametrize("slots", [64, 2048])
@pytest.mark.parametrize("sampler", ["external", "chance", "outcome(epsilon=0.6)"])
def test_the_coarse_bound_bounds_the_gap_of_the_play(sampler: str, slots: int) -> None:
    """Three players, 912 infosets: a table for all, and one for 43 of them."""
    averaging = None if sampler == "chance" else "walk"
    solver = ImplicitMCCFR(THREE, sampler=sampler, averaging=averaging, seed=3)
    closed(solver, slots)
    history = Deviations(solver)
    for _ in range(300):
        history.play()
    gap = sum(history.gains())
    bound = solver.bound_cce_gap()
    assert bound is not None
    assert solver.num_infosets == 43 if slots == 64 else 500 < solver.num_infosets <= 912
    assert 0.0 < gap < bound < 100 * gap
    assert (solver.bound_unstored_share() > 0.5) == (slots == 64)
    if slots == 64:  # and the rows alone do not bound it
        assert (1.0 - solver.bound_unstored_share()) * bound < gap
