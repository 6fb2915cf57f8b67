"""Play mixed with what is given: against plain recursion, against CFR, and what it converges to."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.equilibria import trembling_gap
from equilibrist.errors import (
    CheckpointError,
    ConfigError,
    MismatchError,
    UnknownNameError,
    UnsupportedError,
)
from equilibrist.evaluation import expected_values
from equilibrist.exploitation import ObservedPlay
from equilibrist.reference import walk
from equilibrist.reference.traversals.mixed_play import ReferenceMixedCFR
from equilibrist.solvers import CFR
from equilibrist.solvers.full_traversal.mixed_play import MixedCFR
from equilibrist.solvers.full_traversal.mixing import Mixture, RestrictedOpponent, Trembles
from equilibrist.solvers.matrix.worst_case import Duel, Restriction
from equilibrist.solvers.variants.registry import VARIANTS
from tests.refusals import refuses
from tests.solve_options import grouped
from tests.strategy.random_strategies import random_strategy

GAMES = (
    "kuhn",
    "kuhn(players=3)",
    "random_tree(seed=2,depth=6,branching=4)",
    "random_tree(seed=5,players=3,depth=6,zero_sum=false)",
)
BOTH_ORDERS = pytest.mark.parametrize("alternating", [True, False])


@cache
def tree_of(name: str) -> eq.GameTree:
    return eq.compile_game(name)


def rows_of(strategy: eq.Strategy) -> dict[str, list[float]]:
    return {key: list(row.values()) for key, row in strategy.to_dict().items()}


def distance(solver: MixedCFR, oracle: ReferenceMixedCFR) -> float:
    """The largest difference of regrets, strategy sums and what is played next."""
    tree, form = solver.tree, solver.tree.sequence_form
    state, worst = solver.state, 0.0
    current = solver.current_strategy()
    for i, key in enumerate(tree.infoset_keys):
        place = tree.actions_of(i)
        if form.public_forced[place].all():
            continue
        engine = form.sequence_of_public[place]
        for mine, theirs in (
            (state.regret[engine], oracle.regret[key]),
            (state.strategy_sum[engine], oracle.strategy_sum[key]),
            (current.probabilities[place], oracle.played(key)),
        ):
            worst = max(worst, float(np.abs(mine - np.array(theirs)).max()))
    return worst


@pytest.mark.drawn(20)
@pytest.mark.by_default(7)
@BOTH_ORDERS
@pytest.mark.parametrize("variant", ["cfr", "cfr+", "dcfr", "pcfr+"])
@pytest.mark.parametrize("name", GAMES)
def test_it_agrees_with_plain_recursion(name: str, variant: str, alternating: bool) -> None:
    tree = tree_of(name)
    given = random_strategy(tree, 3)
    share = np.random.default_rng(1).choice([0.0, 0.3, 0.8, 1.0], tree.num_infosets)
    solver = MixedCFR(tree, variant, Mixture(given, share), alternating=alternating)
    oracle = ReferenceMixedCFR(
        walk(tree.game),
        VARIANTS[variant],
        dict(zip(tree.infoset_keys, share.tolist(), strict=True)),
        rows_of(given),
        alternating=alternating,
    )
    for count, bound in ((1, 1e-12), (19, 1e-9)):
        solver.run(count)
        oracle.run(count)
        assert distance(solver, oracle) < bound


@BOTH_ORDERS
@pytest.mark.parametrize("seat", [0, 1])
def test_a_restricted_opponent_agrees_with_plain_recursion(seat: int, alternating: bool) -> None:
    for name in ("kuhn", "random_tree(seed=2,depth=6,branching=4)"):
        tree = tree_of(name)
        given = random_strategy(tree, 5)
        hook = RestrictedOpponent(seat, given, 0.3)
        solver = MixedCFR(tree, "cfr+", hook, alternating=alternating)
        oracle = ReferenceMixedCFR(
            walk(tree.game),
            VARIANTS["cfr+"],
            {},
            {},
            viewer=seat,
            restricted=rows_of(given),
            viewed=0.3,
            alternating=alternating,
        )
        for count, bound in ((1, 1e-12), (19, 1e-9)):
            solver.run(count)
            oracle.run(count)
            assert distance(solver, oracle) < bound


@pytest.mark.drawn(12)
@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    "algorithm", ["cfr", "dcfr", "pcfr+", "hedge", "omd", "apcfr+", "bu-pcfr+"]
)
@pytest.mark.parametrize("name", GAMES)
def test_nothing_mixed_in_is_cfr(name: str, algorithm: str) -> None:
    tree = tree_of(name)
    nothing = Mixture(eq.Strategy.uniform(tree), np.zeros(tree.num_infosets))
    mixed, plain = MixedCFR(tree, algorithm, nothing).run(25), CFR(tree, algorithm).run(25)
    for field in ("regret", "behaviour", "strategy_sum"):
        assert np.abs(getattr(mixed.state, field) - getattr(plain.state, field)).max() < 1e-12


def test_trembles_find_the_equilibrium_of_the_trembling_game() -> None:
    found = MixedCFR(tree_of("kuhn"), "cfr+", Trembles(1e-3)).run(20_000).average_strategy()
    assert expected_values(found)[0] == pytest.approx(-0.055278, abs=1e-6)
    assert found["1"]["bet"] == pytest.approx(0.999 / 3, abs=1e-3)
    assert found["2pb"]["bet"] == pytest.approx(1.999 / 3, abs=1e-3)
    assert min(found.probabilities) >= 1e-3 - 1e-15
    assert trembling_gap(found, 1e-3) < 1e-5


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["hedge", "omd", "apcfr+"])
def test_local_rules_find_it_too(algorithm: str) -> None:
    found = MixedCFR(tree_of("kuhn"), algorithm, Trembles(1e-2)).run(2000).average_strategy()
    assert 0.0 <= trembling_gap(found, 1e-2) + 1e-12 < 1e-3


def test_a_lock_is_kept_and_the_others_answer_it() -> None:
    tree = tree_of("kuhn")
    rows = {"1": {"bet": 1.0}, "2pb": {"pass": 0.25, "bet": 0.75}, "3b": {"pass": 1.0}}
    solver = MixedCFR(tree, "cfr+", Mixture.lock(tree, rows)).run(3000)
    for strategy in (solver.average_strategy(), solver.current_strategy()):
        for key, row in rows.items():
            assert strategy[key] == pytest.approx({"pass": 0.0, "bet": 0.0} | row, abs=1e-12)
    duel = Duel(tree)
    best = duel.best_plan(0, own=_locked(duel, 0, rows), other=_locked(duel, 1, rows))
    assert expected_values(solver.average_strategy())[0] == pytest.approx(best.guarantee, abs=1e-4)


def _locked(duel: Duel, player: int, rows: dict[str, dict[str, float]]) -> Restriction:
    tree = duel.tree
    least = np.zeros(int(tree.action_offset[-1]))
    for key, row in rows.items():
        i = tree.index(key)
        for a, label in enumerate(tree.action_labels[i]):
            least[tree.actions_of(i)][a] = row.get(label, 0.0)
    low, high = duel.offset[player], duel.offset[player + 1]
    engine = duel.form.to_engine(least)[low:high]
    engine[0] = 0.0  # the empty sequence
    return Restriction(engine, np.zeros(high - low))


def test_unreached_infosets_are_mixed_as_well() -> None:
    """A lock below a move that is never made is given back as it was given."""
    tree = tree_of("kuhn")
    rows = {"1": {"bet": 1.0}, "1pb": {"pass": 0.3, "bet": 0.7}}
    found = MixedCFR(tree, "cfr+", Mixture.lock(tree, rows)).run(10).average_strategy()
    assert found["1pb"] == pytest.approx(rows["1pb"])


def test_a_biased_opponent_is_found_like_the_linear_programme() -> None:
    tree = tree_of("kuhn")
    observed = ObservedPlay.from_dict(tree, {"1p": {"bet": 9, "pass": 1}, "2b": {"bet": 5}})
    hook = Mixture(observed.strategy(), observed.confidence(0.9))
    found = MixedCFR(tree, "cfr+", hook).run(5000).average_strategy()
    model = {k: found[k] for k in ("1p", "2b")}
    assert model["1p"]["bet"] >= 0.9 * 0.9 - 1e-12
    assert model["2b"]["bet"] >= 0.45 - 1e-12


def test_checkpoints_know_what_is_mixed_in(tmp_path: Path) -> None:
    file = tmp_path / "run.ckpt"
    straight = eq.solve(
        "kuhn", "cfr+", traversal=eq.Traversal(tremble=0.01), iterations=40
    ).strategy
    eq.solve(
        "kuhn",
        "cfr+",
        traversal=eq.Traversal(tremble=0.01),
        iterations=15,
        files=eq.Files(checkpoint=file),
    )
    again = eq.solve(
        "kuhn",
        "cfr+",
        traversal=eq.Traversal(tremble=0.01),
        iterations=40,
        files=eq.Files(resume=file),
    ).strategy
    assert again.probabilities.tobytes() == straight.probabilities.tobytes()
    with refuses(CheckpointError, option="mixed", given="tremble=0.01", expected="tremble=0.02"):
        eq.solve(
            "kuhn",
            "cfr+",
            traversal=eq.Traversal(tremble=0.02),
            iterations=50,
            files=eq.Files(resume=file),
        )
    with refuses(CheckpointError, option="mixed", given="tremble=0.01", expected=None):
        eq.solve("kuhn", "cfr+", iterations=50, files=eq.Files(resume=file))


def test_solve_says_what_trembles_did() -> None:
    result = eq.solve("kuhn", "cfr+", traversal=eq.Traversal(tremble=1e-3), iterations=500)
    assert result.config["tremble"] == 1e-3
    assert min(result.strategy.probabilities) >= 1e-3 - 1e-15
    three = eq.solve("kuhn(players=3)", traversal=eq.Traversal(tremble=1e-2), iterations=50)
    assert min(three.strategy.probabilities) >= 1e-2 - 1e-15


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        (dict(tremble=0.6), dict(option="tremble", given=0.6)),
        (dict(tremble=0.0), dict(option="tremble", given=0.0)),
        (dict(tremble=1e-3, algorithm="qre"), dict(option="algorithm", given="qre")),
        (dict(tremble=1e-3, algorithm="xfp"), dict(option="tremble", given=1e-3)),
        (dict(tremble=1e-3, algorithm="lp"), dict(option="tremble", given=1e-3)),
        (dict(tremble=1e-3, sampler="external"), dict(option="tremble", given=1e-3)),
    ],
)
def test_bad_trembles(options: dict[str, Any], fields: dict[str, Any]) -> None:
    with refuses(ConfigError, **fields):
        eq.solve("kuhn", **grouped(options))


def test_bad_hooks() -> None:
    kuhn, three = tree_of("kuhn"), tree_of("kuhn(players=3)")
    uniform = eq.Strategy.uniform(kuhn)
    with refuses(ConfigError, option="share"):
        Mixture(uniform, np.full(12, -0.1))
    with refuses(ConfigError, option="share"):
        Mixture(uniform, np.zeros(5))
    with refuses(UnknownNameError, option="infoset", name="9"):
        Mixture.lock(kuhn, {"9": {"bet": 1.0}})
    with refuses(UnsupportedError, option="num_players", given=3):
        RestrictedOpponent(0, eq.Strategy.uniform(three), 0.5)
    with refuses(ConfigError, option="seat", given=2):
        RestrictedOpponent(2, uniform, 0.5)
    with refuses(ConfigError, option="share", given=1.5):
        RestrictedOpponent(0, uniform, 1.5)
    with refuses(MismatchError, option="game", given="kuhn"):
        MixedCFR(tree_of("leduc"), "cfr", RestrictedOpponent(0, uniform, 0.5))
    with refuses(ConfigError, option="hook"):
        MixedCFR("kuhn", "cfr")
