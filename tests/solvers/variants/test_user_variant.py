"""Variants from users' files: the ways that work, and one clear error for each that does not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import ConfigError, EquilibristError, UnknownNameError
from equilibrist.solvers.variants.registry import VARIANTS, get_variant, load_rule
from equilibrist.solvers.variants.variant import Variant
from tests.refusals import refuses

HEAD = "from equilibrist.solvers.variants.variant import Coefficients, Variant\n"
GOOD = (
    HEAD
    + '''
from dataclasses import dataclass
import numpy as np
from equilibrist.solvers.variants.schedules import PowerAverage, PowerDiscount

@dataclass(frozen=True)
class Warm:
    """Plain sums for ten iterations, then discounts."""
    start: int = 10
    def __call__(self, t, horizon):
        return np.where(t <= self.start, 1.0, (t - 1) / t), 1.0

instance = Variant("ready", PowerDiscount(1.2, 0.0), PowerAverage(3.0))
unnamed = Variant(average=PowerAverage(3.0))
def function(): return Variant("made", discount=Warm())
def planned():
    from equilibrist.solvers.variants.registry import get_variant
    return get_variant("hs-dcfr")
class Sub(Variant):
    def coefficients(self, t, horizon=None):
        return Coefficients(1, 1, 0, 1, 0, 1, t)
def needs(x): return instance
def wrong(): return 3
def broken(): raise RuntimeError("no luck")
def leaves(): raise SystemExit("I am off")
class Quits(Variant):
    def coefficients(self, t, horizon=None):
        raise SystemExit("enough")
def stop(t, horizon):
    raise SystemExit("stop it")
stopping = Variant(discount=stop)
number = 3
class Late(Variant):
    def coefficients(self, t, horizon=None):
        return Coefficients(1 / (t - 77) if t > 76 else 1, 1, 0, 1, 0, 1, 1)
class Short(Variant):
    def coefficients(self, t, horizon=None):
        return (1, 1, 0, 1, 0, 1)
class Negative(Variant):
    def coefficients(self, t, horizon=None):
        return Coefficients(1, 1, 0, 1, 0, 20 - t, 1)
'''
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(GOOD)
    return path


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("instance", "ready"),
        ("unnamed", "unnamed"),
        ("function", "made"),
        ("planned", "hs-dcfr"),
        ("Sub", "Sub"),
    ],
)
def test_ways_that_work(file: Path, name: str, called: str) -> None:
    variant = get_variant(f"{file}:{name}")
    assert isinstance(variant, Variant)
    assert variant.name == called


def test_what_was_written_is_what_runs(file: Path) -> None:
    made = load_rule(f"{file}:function").table(1, 20)
    assert made[:10, 0].tolist() == [1.0] * 10
    assert made[10, 0] == 10 / 11
    assert load_rule(f"{file}:Sub").table(3, 2)[:, 6].tolist() == [3.0, 4.0]
    assert load_rule(f"{file}:planned") == VARIANTS["hs-dcfr"]


@pytest.mark.parametrize(
    ("name", "said", "fields"),
    [
        ("nothing", "", dict(option="nothing")),
        ("instanse", "'instance'", dict(option="instanse")),
        ("number", "", dict(option="number", given=3)),
        ("wrong", "wrong()", dict(option="wrong", given=3)),
        ("needs", "mine.py:needs(x=...)", dict(option="x")),
        ("broken", "no luck", dict(option="broken", given="RuntimeError")),
        ("Late", "", dict(option="coefficients", given="ZeroDivisionError", place="t = 77")),
        ("leaves", "leaves(): SystemExit: I am off", dict(option="leaves", given="SystemExit")),
        (
            "Quits",
            "SystemExit: enough",
            dict(option="coefficients", given="SystemExit", place="t = 1"),
        ),
        ("stopping", "SystemExit: stop it", dict(option="stop", given="SystemExit")),
        (
            "Short",
            "",
            dict(option="coefficients", given=6, expected=7, place="t = 1"),
        ),
        ("Negative", "", dict(option="decay", given=-1.0, place="t = 21")),
    ],
)
def test_ways_that_do_not(file: Path, name: str, said: str, fields: dict[str, Any]) -> None:
    with refuses(ConfigError, **fields) as raised:
        load_rule(f"{file}:{name}")
    assert said in str(raised.value)


def test_files_that_do_not(tmp_path: Path, file: Path) -> None:
    absent = f"{tmp_path}/absent.py"
    with refuses(ConfigError, option="file", given=absent) as raised:
        load_rule(f"{absent}:X")
    assert raised.value.remedy == f"give the path from the current folder, {Path.cwd()}"
    named = f"name the variant that is meant, as {file}:Name"
    with refuses(ConfigError, option="algorithm", given=file, remedy=named) as raised:
        load_rule(str(file))
    assert f"{file} defines " in str(raised.value)
    assert {"instance", "function", "Sub"} <= {*re.findall(r"\w+", str(raised.value))}
    bad = tmp_path / "bad.py"
    bad.write_text("x = (\n")
    with refuses(ConfigError, option="file", given="SyntaxError", place=str(bad)):
        load_rule(f"{bad}:X")
    bad.write_text("\n\nimport nonsense_that_is_not_there\n")
    with refuses(ConfigError, option="file", given="ModuleNotFoundError") as raised:
        load_rule(f"{bad}:X")
    assert "bad.py:3" in str(raised.value)


def test_the_users_line_is_shown(file: Path) -> None:
    with refuses(ConfigError, option="broken", given="RuntimeError") as raised:
        load_rule(f"{file}:broken")
    assert re.search(r"mine\.py:\d+, in broken: .*no luck", str(raised.value))


PARAMETERS = (
    HEAD
    + """
from equilibrist.solvers.variants.schedules import PowerAverage
from equilibrist.solvers.variants.registry import VARIANTS

def make(gamma, floor=0.0, word="x"):
    return Variant("made", average=PowerAverage(gamma), floor=floor)
def shared(a=1): return VARIANTS["dcfr"]
def anything(**options): return Variant("any", average=PowerAverage(options.get("gamma", 1)))
def fails(a=1): raise ValueError(f"not {a}")
class Sub(Variant):
    def __init__(self, weight=2.0):
        super().__init__(average=PowerAverage(weight), floor=0.0)
instance = Variant("ready")
"""
)


@pytest.fixture
def makers(tmp_path: Path) -> Path:
    path = tmp_path / "makers.py"
    path.write_text(PARAMETERS)
    return path


@pytest.mark.parametrize(
    ("call", "called", "weight"),
    [
        ("make(gamma=3)", "make(gamma=3)", 8.0),
        ("make( word = 'two words', gamma = 3.0 )", "make(gamma=3,word='two words')", 8.0),
        ("make(floor=0,gamma=0.5)", "make(gamma=0.5)", 2**0.5),
        ("Sub(weight=3)", "Sub(weight=3)", 8.0),
        ("Sub(weight=2)", "Sub", 4.0),
        ("Sub()", "Sub", 4.0),
        ("shared(a=2)", "shared(a=2)", 4.0),
        ("anything(gamma=3)", "anything(gamma=3)", 8.0),
    ],
)
def test_parameters(makers: Path, call: str, called: str, weight: float) -> None:
    variant = get_variant(f"{makers}:{call}")
    assert variant.name == called
    second = variant.table(2, 1)[0]
    assert second[6] / second[5] == pytest.approx(weight) or call.startswith("shared")
    again = get_variant(f"{makers}:{called}")
    assert (again.name, again.table(1, 9).tolist()) == (called, variant.table(1, 9).tolist())
    assert VARIANTS["dcfr"].name == "dcfr"


@pytest.mark.parametrize(
    ("call", "error", "fields"),
    [
        ("make(gama=3)", UnknownNameError, dict(name="gama", suggestions=("gamma",))),
        ("make()", ConfigError, dict(option="gamma")),
        ("make(gamma=3,gamma=4)", ConfigError, dict(option="algorithm", place=14)),
        ("make(3)", ConfigError, dict(option="algorithm", place=6)),
        ("make(gamma=x)", ConfigError, dict(option="make", given="AttributeError")),
        ("instance(a=1)", ConfigError, dict(option="a", remedy="leave out a")),
        ("fails(a=2)", ConfigError, dict(option="fails", given="ValueError")),
        ("shared(b=2)", UnknownNameError, dict(name="b", suggestions=())),
    ],
)
def test_parameters_that_do_not_fit(
    makers: Path, call: str, error: type[EquilibristError], fields: dict[str, Any]
) -> None:
    if "place" in fields:  # a column of the call, which follows the file's name
        fields = {**fields, "place": f"column {len(f'{makers}:') + fields['place']}"}
    with refuses(error, **fields):
        get_variant(f"{makers}:{call}")
