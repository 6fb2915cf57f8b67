"""Two checkouts in turns: this one can prepare the cases, and turns are counted right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks import checkout_cases, two_checkouts
from benchmarks.checkout_cases import CASES
from benchmarks.two_checkouts import (
    PROCESSES,
    Checkout,
    Timed,
    by_kind,
    in_turn,
    play,
    prepare,
    rows_of,
)


@pytest.mark.parametrize(
    "case",
    [
        "cfr, kuhn cfr+",
        "sampling, kuhn external",
        "sampling, leduc outcome, lazy average",
        "without a tree, leduc external",
        "spot, turn int16, 2 threads",
        "build, turn spot",
    ],
)
def test_a_case_of_each_part_is_prepared(case: str) -> None:
    """Classes and options are found by name, which a change of names may break."""
    assert CASES[case]().units >= 1


def test_every_part_of_the_comparison_has_cases() -> None:
    parts = {case.split(",")[0] for case in (*CASES, *PROCESSES)}
    assert parts == {"start", "build", "cfr", "sampling", "without a tree", "spot"}


def test_a_case_runs_and_prints_its_result() -> None:
    results = []
    for steps in (3, 3, 4):
        prepared = CASES["cfr, kuhn cfr+"]()
        prepared.run(steps)
        results.append(prepared.result())
    assert results[0] == results[1] != results[2]


def test_a_name_that_no_checkout_has_is_said() -> None:
    with pytest.raises(LookupError, match=r"none of NoSuchSolver.*checkout_cases\.py"):
        checkout_cases.found("NoSuchSolver")
    with pytest.raises(LookupError, match="no parameter algorithm or variant"):
        checkout_cases.made(lambda game: game, "kuhn", algorithm_or_variant="cfr")


class Pretended(Checkout):
    """A checkout whose steps take the given times."""

    def __init__(self, label: str, taken: Callable[[int], float]) -> None:
        super().__init__(label, Path(), "", Path())
        self.taken = taken

    def ask(self, *command: Any) -> Any:
        if command[0] == "time":
            seconds = self.taken(command[1])
            return [seconds, 2 * seconds]
        return 10 if command[0] == "prepare" else "the same"


def told(*seconds: float) -> Callable[[int], float]:
    """Turns that take so long, after one that loads kernels and does not count."""
    left = [0.0, *seconds]
    return lambda count: left.pop(0)


def test_turns_alternate_and_the_best_of_each_counts() -> None:
    old, new = Pretended("old", told(5.0, 3.0, 4.0)), Pretended("new", told(9.0, 1.5, 7.0))
    assert [each.label for each in in_turn([old, new], 3)] == [
        "old", "new", "new", "old", "old", "new",
    ]  # fmt: skip
    timed = Timed(steps=3)
    play("a case", timed, [old, new], "")
    assert timed.seconds == {"old": [0.1], "new": [0.05]}
    assert timed.ratios == [0.5]
    assert not timed.different
    ((name, *numbers),) = rows_of({"a case": timed})
    assert name == "a case"
    assert numbers == pytest.approx([1e5, 5e4, 0.5, 0.5, 0.5])


def test_results_that_differ_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = Pretended("old", told(1.0, 1.0, 1.0)), Pretended("new", told(1.0, 1.0, 1.0))
    answer = new.ask
    monkeypatch.setattr(new, "ask", lambda *c: "another" if c[0] == "finish" else answer(*c))
    timed = Timed()
    play("a case", timed, [old, new], "")
    assert timed.different


@pytest.mark.parametrize(("step", "turns"), [(1e-6, 3), (0.03, 3), (0.5, 2), (5.0, 1)])
def test_steps_are_counted_until_a_turn_is_long_enough(step: float, turns: int) -> None:
    old, new = (Pretended(label, lambda count: step * count) for label in ("old", "new"))
    timed = Timed()
    prepare("a case", timed, [old, new], "")
    assert timed.turns == turns
    assert two_checkouts.TURN / 2 <= step * timed.steps <= max(step, 2 * two_checkouts.TURN)


def test_a_record_sums_up_the_cases_of_a_kind() -> None:
    rows = [["cfr, a", 9, 9, 0.5, 0, 0], ["spot", 1, 1, 1.0, 0, 0], ["cfr, b", 9, 9, 1.5, 0, 0]]
    assert by_kind(rows) == [["cfr", 2, 1.0, 0.5, 1.5], ["spot", 1, 1.0, 1.0, 1.0]]
