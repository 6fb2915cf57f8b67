"""Codes of what is wrong with hands: each is raised with what its sentence names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import equilibrist
from equilibrist.play.histories.faults import (
    HAND_FAULTS,
    HandError,
    HandFaultCode,
    LeftOut,
    LeftOutCode,
)

SOURCES = Path(equilibrist.__file__).parent
PLACE = re.compile(r"\{(\w+)(?:!r)?\}")


def errors() -> Iterator[tuple[str, ast.Call]]:
    """Where each error of a hand is made."""
    for path in SOURCES.rglob("*.py"):
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)) if "HandError(" in source else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "HandError":
                yield f"{path.relative_to(SOURCES)}:{node.lineno}", node


def test_every_error_has_a_code_and_what_its_sentence_names() -> None:
    raised = set()
    for place, call in errors():
        code = ast.literal_eval(call.args[0])
        raised.add(code)
        assert code in HAND_FAULTS, place
        names = {keyword.arg for keyword in call.keywords}
        wanted = set(PLACE.findall(HAND_FAULTS[code].text))
        assert names == wanted or (None in names and names - {None} <= wanted), place
    assert raised == set(HAND_FAULTS)


def test_kinds_of_faults_are_those_of_left_out_hands() -> None:
    assert set(HAND_FAULTS) == set(get_args(HandFaultCode))
    assert {fault.kind for fault in HAND_FAULTS.values()} == set(get_args(LeftOutCode))


def test_a_hand_is_left_out_with_what_its_error_says() -> None:
    error = HandError("call-amount", 7, player="Bob", amount=3, due=4)
    out = LeftOut.of(2, 5, "99", error)
    assert (out.number, out.line, out.name, out.reason) == (2, 7, "99", f"{error}")
    assert (out.code, out.fault) == ("impossible", "call-amount")
    assert out.values == {"player": "Bob", "amount": "3", "due": "4"}
    assert LeftOut.of(2, 5, "", HandError("cap")).line == 5


def test_what_a_file_says_is_not_repeated_whole() -> None:
    error = HandError("amount-unknown", text="9" * 100_000)
    assert len(error.values["text"]) < 1_000
    assert len(f"{error}") < 1_000
