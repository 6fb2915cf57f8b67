"""A shell as that of the command line, and one with stored solutions."""

from __future__ import annotations

import pytest

from tests.cli.command import Shell
from tests.cli.conftest import folder, rules, shell, solution, solutions, solved
from tests.library.solving_lines import TURN

__all__ = ["folder", "rules", "shell", "solution", "solutions", "solved"]


@pytest.fixture
def stored(shell: Shell) -> Shell:
    """A spot as `last`, Kuhn poker as `last-2` and `last-3`, the older one 5 iterations old."""
    for iterations in (5, 50):
        shell(f"solve kuhn -n {iterations} -q").ok()
    shell(f"postflop solve {TURN} --iterations 9 -q").ok()
    return shell
