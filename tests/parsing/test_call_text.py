"""Strings with parameters: games, rules, algorithms and samplers are read by the same rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from equilibrist.errors import EquilibristError, UnknownNameError
from equilibrist.games import load_game
from equilibrist.solvers.sampling.registry import get_sampler
from equilibrist.solvers.variants.registry import get_variant
from tests.refusals import refuses

NAMED: dict[str, tuple[Callable[[str], object], str]] = {
    "game": (load_game, "kuhn"),
    "rules": (load_game, "rules:leduc"),
    "algorithm": (get_variant, "dcfr"),
    "sampler": (get_sampler, "outcome"),
}
OWN = """
import equilibrist as eq
class Mine:
    def __init__(self, size=1): raise ValueError("too small")
ready = {}
"""


def said(kind: str, brackets: str) -> str:
    """What is said of a name with these brackets, without the name and the column."""
    read, name = NAMED[kind]
    with pytest.raises(EquilibristError) as caught:
        read(name + brackets)
    text = str(caught.value).splitlines()[0]
    column = text.partition(" at column ")[2].partition(":")[0]
    what = "game" if kind == "rules" else kind
    whole = f"cannot read the {what} {name + brackets!r} at column {column}: "
    assert text.startswith(whole)
    return f"{int(column) - len(name)} {text.removeprefix(whole)}"


@pytest.mark.parametrize(
    ("brackets", "message"),
    [
        ("(", "2 expected a parameter as key=value, or ')'"),
        ("(x=", "4 expected a value: a number, true, false, a word, 'text' or [a list]"),
        ("(x=1,x=2)", "6 the parameter 'x' is given twice; keep one"),
        ("(x=1))", "6 expected nothing after ')'"),
        ("(x=[1", "4 this list is not closed; add ']' at its end"),
        ("(x=1 2)", "6 expected ',' or ')'"),
        ("(x='a)", "4 this text is not closed; add ' at its end"),
    ],
)
def test_what_cannot_be_read_is_said_alike(brackets: str, message: str) -> None:
    found = {kind: said(kind, brackets) for kind in NAMED}
    if brackets == "(":  # its values may stand without their names
        assert found.pop("algorithm").startswith("2 expected a value")
    assert set(found.values()) == {message}


@pytest.mark.parametrize("kind", ["game", "rules", "algorithm"])
def test_parameters_that_are_not_there_are_said_alike(kind: str) -> None:
    read, name = NAMED[kind]
    owner = "the rules leduc" if kind == "rules" else name
    with refuses(UnknownNameError, option=f"parameter of {owner}", name="zzzz"):
        read(f"{name}(zzzz=1)")


@pytest.mark.parametrize("read", [load_game, get_variant])
@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("Mine(sise=2)", "unknown parameter of own.py:Mine 'sise'; did you mean 'size'?"),
        ("Mine(size=2)", "own.py:Mine raised when called as Mine(size=2): ValueError: too small"),
    ],
)
def test_users_own_are_called_alike(
    read: Callable[[str], object],
    call: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(OWN)
    with pytest.raises(EquilibristError) as caught:
        read(f"own.py:{call}")
    assert str(caught.value).splitlines()[0] == message
