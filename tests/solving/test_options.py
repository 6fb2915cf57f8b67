"""What `solve` takes: games, algorithms, options, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.errors import (
    ConfigError,
    GameSpecError,
    MemoryBudgetError,
    UnknownNameError,
)
from equilibrist.games import load_game
from equilibrist.solvers.variants.registry import VARIANTS
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solving import SolveConfig, solve
from equilibrist.tree.compile import GameTree
from tests.solving.comparing import same


def test_games_come_in_three_forms(kuhn: GameTree) -> None:
    results = [solve(game, iterations=20) for game in ("kuhn", load_game("kuhn"), kuhn)]
    assert same(results[0], results[1])
    assert same(results[0], results[2])
    assert results[2].strategy.tree is kuhn


def test_variants_come_as_objects_and_files(kuhn: GameTree, tmp_path: Path) -> None:
    plain = solve(kuhn, "dcfr(gamma=3)", iterations=20)
    assert plain.algorithm == "dcfr(gamma=3)"
    variant = Variant("mine", VARIANTS["dcfr"].discount, VARIANTS["dcfr"].average)
    assert same(solve(kuhn, variant, iterations=20), solve(kuhn, "dcfr", iterations=20))
    (tmp_path / "my.py").write_text(
        "from equilibrist.solvers.variants.registry import get_variant\n"
        "Mine = get_variant('cfr+')\n"
    )
    mine = solve(kuhn, f"{tmp_path}/my.py:Mine", iterations=20)
    assert same(mine, solve(kuhn, "cfr+", iterations=20))


@pytest.mark.parametrize(
    ("algorithm", "said"),
    [
        ("dcf", "did you mean 'dcfr'"),
        ("lpp", "did you mean 'lp'"),
        ("regret-matchin", "did you mean 'regret-matching'"),
        ("dcfr(gama=1)", "unknown parameter of dcfr 'gama'; did you mean 'gamma'"),
    ],
)
def test_unknown_algorithms_get_suggestions(algorithm: str, said: str) -> None:
    with pytest.raises(UnknownNameError, match=said):
        solve("kuhn", algorithm)


def test_unknown_games_get_suggestions() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'leduc'"):
        solve("leduk")
    with pytest.raises(GameSpecError, match="column"):
        solve("kuhn(")


def test_large_games_are_refused() -> None:
    with pytest.raises(MemoryBudgetError, match="histories"):
        solve("leduc", max_histories=100)
    with pytest.raises(MemoryBudgetError):
        solve("leduc", memory=1000)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no iterations": ({"iterations": 0}, "iterations is 0; give at least 1"),
    "half iterations": ({"iterations": 2.5}, "iterations is 2.5; give a whole number"),
    "too many": ({"iterations": 2**60}, "iterations is .*; give at most"),
    "a yes": ({"iterations": True}, "iterations is True; give a whole number"),
    "zero target": ({"target": 0.0}, "target is 0.0; give more than 0"),
    "negative target": ({"target": -1e-3}, "target is -0.001; give more than 0"),
    "nan": ({"target": float("nan")}, "target is nan; give a finite number"),
    "infinite time": ({"time": float("inf")}, "time is inf; give a finite number"),
    "no time": ({"time": 0}, "time is 0; give more than 0"),
    "text": ({"time": "1h"}, "time is '1h'; give a number"),
    "seed": ({"seed": -1}, "seed is -1; give at least 0"),
    "output": ({"output": "best"}, "output is 'best'; give 'average' or 'last'"),
    "every": ({"checkpoint_every": -1.0}, "checkpoint_every is -1.0; give at least 0"),
    "memory": ({"memory": 0}, "memory is 0; give at least 1"),
    "histories": ({"max_histories": 0}, "max_histories is 0; give at least 1"),
    "no name": ({"out": ""}, "out is ''; expected the name of a file"),
    "null": ({"checkpoint": "a\0"}, "expected the name of a file"),
    "picture": ({"plot": "a.pdf"}, r"plot is 'a.pdf': pictures are written as .svg or .png"),
    "resume": ({"resume": True}, "resume needs to know from which file: give checkpoint"),
    "horizon": ({"algorithm": "hs-dcfr"}, "hs-dcfr plans its schedule .*: give iterations"),
    "horizon and time": ({"algorithm": "hs-pcfr+", "time": 1.0}, "give iterations"),
    "one file": ({"out": "a", "checkpoint": "./a"}, "out and checkpoint are the same file"),
    "old file": ({"checkpoint": "a", "resume": "b", "out": "b"}, "out and resume are the same"),
    "lp iterations": ({"algorithm": "lp", "iterations": 5}, "iterations has no meaning with lp"),
    "lp target": ({"algorithm": "lp", "target": 1e-3}, "target has no meaning with lp"),
    "lp time": ({"algorithm": "lp", "time": 1.0}, "time has no meaning with lp"),
    "lp order": ({"algorithm": "LP", "simultaneous": True}, "simultaneous has no meaning with lp"),
    "lp output": ({"algorithm": "lp", "output": "last"}, "output has no meaning with lp"),
    "lp plot": ({"algorithm": "lp", "plot": "a.svg"}, "plot has no meaning with lp"),
    "lp saves": ({"algorithm": "lp", "checkpoint": "c"}, "checkpoint has no meaning with lp"),
    "rm saves": ({"algorithm": "regret-matching", "checkpoint": "c"}, "has no checkpoints"),
    "rm order": (
        {"algorithm": "regret-matching+", "simultaneous": True},
        r"simultaneous has no meaning with regret-matching\+, which .*updates all players at once",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_options_that_make_no_sense_are_refused(
    kuhn: GameTree, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    options, said = REFUSED[name]
    with pytest.raises(ConfigError, match=said):
        solve(kuhn, **options)
    assert list(tmp_path.iterdir()) == []


def test_all_complaints_come_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        SolveConfig.build(iterations=0, target=-1.0, nonsense=3)
    assert str(caught.value).splitlines() == [
        "iterations is 0; give at least 1",
        "target is -1.0; give more than 0.0",
        "nonsense is 3; give nothing: there is no such option",
    ]


@given(
    st.dictionaries(
        st.sampled_from([f for f in SolveConfig.model_fields if f != "algorithm"]),
        st.one_of(
            st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary(),
            st.lists(st.integers()),
        ),
    )
)  # fmt: skip
def test_nonsense_is_refused_with_one_kind_of_error(options: dict[str, Any]) -> None:
    try:
        config = SolveConfig.build(**options)
    except ConfigError:
        return
    assert config.iterations is None or config.iterations >= 1
    assert config.target is None or config.target > 0.0


def test_numbers_of_numpy_are_numbers(kuhn: GameTree) -> None:
    result = solve(kuhn, iterations=np.int64(9), target=np.float32(1e-9))
    assert result.iterations == 9
    json.dumps(result.to_dict())


def test_a_seed_that_changes_nothing_is_said(kuhn: GameTree) -> None:
    seeded = solve(kuhn, iterations=9, seed=7)
    assert same(seeded, solve(kuhn, iterations=9))
    assert seeded.notes == ("The seed changes nothing: dcfr draws nothing at random.",)
