"""`solve` with an abstraction: what is solved, what is measured where, and what files carry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist import Result, load_result, solve
from equilibrist.abstraction import make_abstraction
from equilibrist.abstraction.merging import merged_tree
from equilibrist.errors import ConfigError, MismatchError, UnsupportedError
from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.reference.response import best_response_value, expected_values
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.full_traversal.history_cfr import HistoryCFR
from equilibrist.solving import Files
from tests.refusals import refuses, unchecked
from tests.solve_options import grouped

GAME = "leduc(suit_isomorphism=true)"
LEDUC = compile_game(GAME)
FIGURES = {
    "cards(JQ.K,pair)": (0.48896, 5e-6),
    "cards(J.Q.K,pair)": (0.64359, 5e-5),
    "cards(JQK)": (2.35878, 5e-6),
}
"""Exploitability after 2,000 iterations of CFR+, and how exactly; more information, more of it.

The second hangs on rounding: regrets that are 0 but for it decide which actions are played.
"""


@pytest.mark.parametrize("spec", FIGURES)
def test_figures_of_cfr_plus(spec: str) -> None:
    figure, exactly = FIGURES[spec]
    result = solve(LEDUC, "cfr+", iterations=2000, abstraction=spec)
    assert result.exploitability == pytest.approx(figure, abs=exactly)
    assert result.abstraction is not None
    assert result.abstraction.recall == ("perfect", "perfect")


def test_the_order_of_sums_moves_the_fifth_digit_at_most() -> None:
    """The same iterations, added up history by history."""
    abstraction = make_abstraction(LEDUC, "cards(J.Q.K,pair)")
    tree = merged_tree(abstraction)
    ends = [
        evaluate(abstraction.lift(kind(tree, "cfr+").run(2000).average_strategy())).exploitability
        for kind in (CFR, HistoryCFR)
    ]
    assert ends == pytest.approx([0.64359, 0.64359], abs=5e-5)


ONE_SIDED = {"cards(JQK,pair)": 0.4387, "cards(JQ.K,pair)": 0.1380, "cards(J.Q.K,pair)": 0.1105}
VALUE = -0.085606424078


@pytest.mark.parametrize("spec", ONE_SIDED)
def test_against_a_full_opponent_refinement_helps(spec: str) -> None:
    """Seat 0's loss is that of its least exploitable strategy, whichever equilibrium is found."""
    result = solve(LEDUC, "lp", abstraction=f"0:{spec};1:none")
    assert result.evaluation is not None
    loss = VALUE + result.evaluation.best_response_values[1]
    assert loss == pytest.approx(ONE_SIDED[spec], abs=5e-5)


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    ("spec", "algorithm"),
    [
        ("cards(JQ.K,pair)", "cfr+"),
        ("memory(last=1)", "dcfr"),
        ("0:cards(JQ.K);1:none", "lp"),
        ("0:none;1:memory(last=2)", "cfr"),
    ],
)
def test_the_lifted_strategy_is_measured_by_code_that_knows_no_abstraction(
    tmp_path: Path, spec: str, algorithm: str
) -> None:
    """From the file's own arrays: abstract rows, looked up by the map, in plain recursion."""
    limit = None if algorithm == "lp" else 50
    path = tmp_path / "found.safetensors"
    result = solve(LEDUC, algorithm, iterations=limit, abstraction=spec, files=Files(out=path))
    loaded = Result.load(path)
    stored = loaded.abstraction
    assert stored is not None
    rows: dict[str, list[float]] = {}
    for i, key in enumerate(loaded.strategy):
        row = list(loaded.strategy[key].values())
        assert rows.setdefault(stored.key_of(i), row) == row
    profile = {key: rows[stored.key_of(i)] for i, key in enumerate(loaded.strategy)}
    values = expected_values(LEDUC.game, profile)
    best = [best_response_value(LEDUC.game, profile, p) for p in (0, 1)]
    np.testing.assert_allclose(result.values, values, atol=1e-10)
    gains = [b - v for b, v in zip(best, values, strict=True)]
    np.testing.assert_allclose(result.gains, gains, atol=1e-10)
    assert len(rows) == make_abstraction(LEDUC, spec).num_infosets


@pytest.mark.parametrize(
    "options",
    [
        {"algorithm": "dcfr", "iterations": 30},
        {"algorithm": "apcfr+", "iterations": 30},
        {"algorithm": "lp"},
        {"sampler": "external", "iterations": 500, "seed": 4},
    ],
)
def test_merging_nothing_gives_the_bits_of_no_abstraction(options: dict[str, Any]) -> None:
    plain = solve(LEDUC, **grouped(options))
    for spec in ("none", "cards(J.Q.K)", "memory(last=9)"):
        found = solve(LEDUC, **grouped(options, abstraction=spec))
        assert np.array_equal(found.strategy.probabilities, plain.strategy.probabilities)
        assert found.evaluation == plain.evaluation


def test_a_file_carries_the_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's function is not needed again."""
    monkeypatch.chdir(tmp_path)
    rules = tmp_path / "rules.py"
    rules.write_text("def merge(key, player, facts):\n    return key.replace('J', 'Q')\n")
    path = tmp_path / "found.safetensors"
    result = solve(LEDUC, "cfr", iterations=5, abstraction="rules.py:merge", files=Files(out=path))
    rules.unlink()
    loaded = load_result(path)
    assert loaded.abstraction is not None
    assert loaded.abstraction.name == "rules.py:merge"
    assert loaded.abstraction.num_infosets == 132
    assert loaded.evaluation == result.evaluation
    back = loaded.abstraction.on(LEDUC)
    strategy = loaded.strategy.on(LEDUC)
    assert np.array_equal(back.lift(back.restrict(strategy)).probabilities, strategy.probabilities)
    assert evaluate(strategy) == result.evaluation
    document = loaded.to_dict()
    assert document["abstraction"] == {
        "name": "rules.py:merge",
        "recall": ["perfect", "perfect"],
        "num_infosets": 132,
    }
    assert json.loads(json.dumps(document))["config"]["abstraction"] == "rules.py:merge"
    assert loaded.save(tmp_path / "again.safetensors").read_bytes() == path.read_bytes()


def test_results_without_an_abstraction_have_none(tmp_path: Path) -> None:
    path = tmp_path / "plain.safetensors"
    assert solve("kuhn", iterations=1, files=Files(out=path)).abstraction is None
    assert Result.load(path).abstraction is None


def test_an_abstraction_object_is_taken_as_it_is() -> None:
    made = make_abstraction(LEDUC, "cards(JQ.K)")
    mine = solve(LEDUC, "cfr", iterations=3, abstraction=made)
    theirs = solve(GAME, "cfr", iterations=3, abstraction="cards(JQ.K)")
    assert np.array_equal(mine.strategy.probabilities, theirs.strategy.probabilities)
    with refuses(MismatchError, option="abstraction", given=GAME, expected="kuhn"):
        solve("kuhn", iterations=1, abstraction=made)
    with refuses(ConfigError, option="abstraction", given=3):
        solve("kuhn", iterations=1, abstraction=unchecked(3))


def test_samplers_forget_too() -> None:
    result = solve(
        LEDUC, sampling="external", iterations=2000, seed=1, abstraction="memory(last=1)"
    )
    again = solve(LEDUC, sampling="external", iterations=2000, seed=1, abstraction="memory(last=1)")
    assert np.array_equal(result.strategy.probabilities, again.strategy.probabilities)
    assert result.exploitability is not None
    assert 0.5 < result.exploitability < 2.3


@pytest.mark.parametrize("spec", ["cards(JQ.K,pair)", "memory(last=1)"])
def test_resuming_gives_the_bits_of_one_run(tmp_path: Path, spec: str) -> None:
    save = tmp_path / "run.ckpt"
    whole = solve(LEDUC, "cfr+", iterations=20, abstraction=spec)
    solve(LEDUC, "cfr+", iterations=8, abstraction=spec, files=Files(checkpoint=save))
    resumed = solve(LEDUC, "cfr+", iterations=20, abstraction=spec, files=Files(resume=save))
    assert np.array_equal(resumed.strategy.probabilities, whole.strategy.probabilities)


def test_the_report_says_what_is_measured_where() -> None:
    perfect = solve("kuhn", "lp", abstraction="cards(JQ.K)")
    assert perfect.notes == (
        "Abstraction cards(JQ.K): 8 abstract infosets stand for 12, with perfect recall.",
    )
    assert "full game" in perfect.guarantee
    assert "approach a Nash equilibrium." not in perfect.guarantee
    forgetful = solve("kuhn", iterations=10, abstraction="1:memory(last=0)")
    assert forgetful.abstraction is not None
    assert forgetful.abstraction.recall == ("perfect", "perfect")
    blind = solve("kuhn", iterations=10, abstraction="0:memory(last=0)")
    assert blind.abstraction is not None
    assert blind.abstraction.recall == ("absent-minded", "perfect")
    assert "no convergence theorem" in blind.guarantee


@pytest.mark.parametrize(
    ("options", "kind", "fields"),
    [
        ({"algorithm": "lp"}, UnsupportedError, {"option": "algorithm", "given": "lp"}),
        ({"algorithm": "apcfr+"}, UnsupportedError, {"option": "algorithm", "given": "apcfr+"}),
        ({"algorithm": "xfp"}, UnsupportedError, {"option": "algorithm", "given": "xfp"}),
        (
            {"algorithm": "regret-matching"},
            ConfigError,
            {"option": "abstraction", "given": "memory(last=0)"},
        ),
        ({"warm_start": "last.safetensors"}, ConfigError, {"option": "warm_start"}),
    ],
)
def test_what_makes_no_sense(
    options: dict[str, Any], kind: type[ConfigError], fields: dict[str, object]
) -> None:
    with refuses(kind, **fields):
        solve("kuhn", **grouped(options, abstraction="memory(last=0)"))


@pytest.mark.slow
def test_a_game_of_imperfect_recall_cannot_be_measured() -> None:
    with refuses(ConfigError, option="abstraction", given="none"):
        solve("liar_die(memory=1)", "cfr", iterations=1, abstraction="none")
