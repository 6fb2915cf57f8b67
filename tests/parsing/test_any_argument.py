"""Every public name, called with anything: one of our errors, or an answer, never a leak."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist.solvers import CFR
from tests.parsing.public_calls import (
    CALLS,
    DICE,
    KUHN,
    RULES,
    UNIFORM,
    WRITES,
    Call,
    packed,
    solved,
)


@cache
def rubbish() -> tuple[Any, ...]:
    return (
        None, 42, -1, 1.5, 1.0, float("nan"), float("inf"), float("-inf"), True, 10**30, "", "0",
        "x", "\0", b"x", [], {}, (), [[None]], {"1": None}, {"a": {"b": 1}}, {3: {}}, object(), int,
        Path("x"), np.float64(2.0), np.zeros(3), np.array(["a"]), RULES, KUHN, UNIFORM, solved(),
        CFR(KUHN), DICE, packed(),
    )  # fmt: skip


def answers(call: Call, value: object) -> None:
    """Call it; any error must be one of ours and say something."""
    said = "an answer, not an error"
    try:
        call(value)
    except eq.EquilibristError as error:
        said = str(error)
    assert len(said) > 10


def takes_functions(name: str) -> bool:
    return name.rsplit(maxsplit=1)[-1] in ("callbacks", "on_stage", "on_walk", "progress")


@pytest.mark.parametrize("name", CALLS)
def test_rubbish_is_refused_by_one_of_our_errors(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for value in rubbish():
        if not (takes_functions(name) and callable(value)):  # a user's function fails as it fails
            answers(CALLS[name], value)


@pytest.mark.parametrize("name", WRITES)
def test_file_names_that_are_none(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for value in rubbish():
        answers(WRITES[name], value)


@given(
    st.sampled_from([name for name in CALLS if not name.startswith("solve ")]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=6,
    ),
)
def test_nothing_leaks_whatever_is_given(name: str, value: object) -> None:
    answers(CALLS[name], value)
