"""Steps by rules stand in for those on a tree."""

from __future__ import annotations

import inspect

import pytest

from equilibrist._jit import choices_of
from equilibrist.kernels.implicit import steps as by_rules
from equilibrist.kernels.traversal import steps as on_tree


@pytest.mark.parametrize("name", on_tree.STEPS)
def test_both_take_the_same_arguments(name: str) -> None:
    here, there = getattr(on_tree, name), getattr(by_rules, name)
    assert here is not there
    if choices_of(here) is not None:
        assert choices_of(here).keys() == choices_of(there).keys()
        return
    assert inspect.signature(here) == inspect.signature(there)
