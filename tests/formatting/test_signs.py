"""Numbers that are rounded to 0 have no sign, whoever writes them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import equilibrist
from equilibrist.formatting.amounts import measure_text, value_text

SIGNED = re.compile(r"\+(?!z)[^}]*(?:\.|[fge%])")
"""A format with a sign and without `z`, which would write -0.00."""
ROOT = Path(equilibrist.__file__).parent
EXCEPT = {"solvers/variants/schedules.py"}
"""A slope that is written as it is, with all its digits."""


def formats(tree: ast.AST) -> list[str]:
    """The formats of numbers in f-strings and in texts for `str.format`."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            found.append(ast.unparse(node.format_spec)[2:-1])
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found += re.findall(r"\{:([^{}]+)\}", node.value)
    return found


@pytest.mark.slow
def test_signed_formats_drop_the_sign_of_zero() -> None:
    wrong = {}
    for path in sorted(ROOT.rglob("*.py")):
        signed = [form for form in formats(ast.parse(path.read_text())) if SIGNED.match(form)]
        if signed and str(path.relative_to(ROOT)) not in EXCEPT:
            wrong[str(path.relative_to(ROOT))] = signed
    assert wrong == {}


def test_zeros_have_no_sign() -> None:
    assert measure_text(-0.0) == "0"
    assert value_text(-1e-17) == "0.000000"
    assert value_text(-1e-5, 1e6) == "-0.000010"
