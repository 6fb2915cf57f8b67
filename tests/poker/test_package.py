"""What `equilibrist.poker` offers, and what importing it costs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import equilibrist.poker as poker
from tests.test_package import modules_after


def test_public_names_load_and_are_seen_by_type_checkers() -> None:
    for name in poker.__all__:
        assert getattr(poker, name).__doc__
        assert name in dir(poker)
    tree = ast.parse(Path(str(poker.__file__)).read_text("utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {
        alias.asname: statement.module
        for statement in block.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
    assert seen == poker._PUBLIC


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = poker.no_such_name


def test_names_are_loaded_on_first_use_and_without_the_compiler() -> None:
    assert "numpy" not in modules_after("import equilibrist.poker")
    loaded = modules_after("from equilibrist.poker import BettingRules, Range; Range('22+')")
    assert "numba" not in loaded
    assert "rich" not in loaded
