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
from equilibrist.solving import GameLimits, solve
from equilibrist.solving.config import SolveConfig
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses, unchecked
from tests.solve_options import grouped
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
    ("algorithm", "fields"),
    [
        ("dcf", dict(option="algorithm", name="dcf", suggestions=("dcfr", "ddcfr", "dcfr+"))),
        ("lpp", dict(option="algorithm", name="lpp", suggestions=("lp",))),
        (
            "regret-matchin",
            dict(
                option="algorithm",
                name="regret-matchin",
                suggestions=("regret-matching", "regret-matching+"),
            ),
        ),
        ("dcfr(gama=1)", dict(option="parameter of dcfr", name="gama", suggestions=("gamma",))),
    ],
)
def test_unknown_algorithms_get_suggestions(algorithm: str, fields: dict[str, Any]) -> None:
    with refuses(UnknownNameError, **fields):
        solve("kuhn", algorithm)


def test_unknown_games_get_suggestions() -> None:
    with refuses(
        UnknownNameError, option="game", name="leduk", suggestions=("leduc", "leduc_poker")
    ):
        solve("leduk")
    with refuses(GameSpecError, position=5):
        solve("kuhn(")


def test_large_games_are_refused() -> None:
    with refuses(MemoryBudgetError, option="max_histories", given=100, histories=1024):
        solve("leduc", limits=GameLimits(max_histories=100))
    with refuses(MemoryBudgetError, option="memory", given=1000):
        solve("leduc", memory=1000)


REFUSED: dict[str, tuple[dict[str, Any], str, Any]] = {
    "no iterations": ({"iterations": 0}, "iterations", 0),
    "half iterations": ({"iterations": 2.5}, "iterations", 2.5),
    "too many": ({"iterations": 2**60}, "iterations", 2**60),
    "a yes": ({"iterations": True}, "iterations", True),
    "zero target": ({"target": 0.0}, "target", 0.0),
    "negative target": ({"target": -1e-3}, "target", -0.001),
    "nan": ({"target": float("nan")}, "target", float("nan")),
    "target beyond all floats": ({"target": 10**400}, "target", 10**400),
    "infinite time": ({"seconds": float("inf")}, "seconds", float("inf")),
    "no time": ({"seconds": 0}, "seconds", 0),
    "text": ({"seconds": "1h"}, "seconds", "1h"),
    "seed": ({"seed": -1}, "seed", -1),
    "output": ({"output": "best"}, "output", "best"),
    "every": ({"checkpoint_every": -1.0}, "checkpoint_every", -1.0),
    "every alone": ({"checkpoint_every": 5.0}, "checkpoint_every", 5.0),
    "lp every": ({"algorithm": "lp", "checkpoint_every": 5.0}, "checkpoint_every", 5.0),
    "memory": ({"memory": 0}, "memory", 0),
    "histories": ({"max_histories": 0}, "max_histories", 0),
    "no name": ({"out": ""}, "out", ""),
    "null": ({"checkpoint": "a\0"}, "checkpoint", "a\x00"),
    "picture": ({"plot": "a.pdf"}, "plot", "a.pdf"),
    "resume": ({"resume": True}, "resume", True),
    "horizon": ({"algorithm": "hs-dcfr"}, "iterations", None),
    "horizon and time": ({"algorithm": "hs-pcfr+", "seconds": 1.0}, "iterations", None),
    "one file": ({"out": "a", "checkpoint": "./a"}, "checkpoint", "a"),
    "old file": ({"checkpoint": "a", "resume": "b", "out": "b"}, "resume", "b"),
    "lp iterations": ({"algorithm": "lp", "iterations": 5}, "iterations", 5),
    "lp target": ({"algorithm": "lp", "target": 1e-3}, "target", 0.001),
    "lp time": ({"algorithm": "lp", "seconds": 1.0}, "seconds", 1.0),
    "lp order": ({"algorithm": "LP", "alternating": False}, "alternating", False),
    "lp output": ({"algorithm": "lp", "output": "last"}, "output", "last"),
    "lp plot": ({"algorithm": "lp", "plot": "a.svg"}, "plot", "a.svg"),
    "lp saves": ({"algorithm": "lp", "checkpoint": "c"}, "checkpoint", "c"),
    "rm saves": ({"algorithm": "regret-matching", "checkpoint": "c"}, "checkpoint", "c"),
    "rm order": ({"algorithm": "regret-matching+", "alternating": True}, "alternating", True),
}


@pytest.mark.parametrize("name", REFUSED)
def test_options_that_make_no_sense_are_refused(
    kuhn: GameTree, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    options, option, given = REFUSED[name]
    with refuses(ConfigError, option=option, given=given):
        solve(kuhn, **grouped(options))
    assert list(tmp_path.iterdir()) == []


def test_all_complaints_come_at_once() -> None:
    with refuses(ConfigError, option="iterations", given=0) as caught:
        SolveConfig.build(iterations=0, target=-1.0, nonsense=3)
    others = [(error.option, error.given) for error in caught.value.others]
    assert others == [("target", -1.0), ("nonsense", 3)]
    assert len(str(caught.value).splitlines()) == 3


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
    result = solve(kuhn, iterations=unchecked(np.int64(9)), target=unchecked(np.float32(1e-9)))
    assert result.iterations == 9
    json.dumps(result.to_dict())


def test_a_seed_that_changes_nothing_is_said(kuhn: GameTree) -> None:
    seeded = solve(kuhn, iterations=9, seed=7)
    assert same(seeded, solve(kuhn, iterations=9))
    assert seeded.notes == ("The seed changes nothing: dcfr draws nothing at random.",)
