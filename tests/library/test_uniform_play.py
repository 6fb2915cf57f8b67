"""Uniform play in place of the file of a strategy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import FileFormatError
from equilibrist.library.sources import open_strategy
from equilibrist.solving.modifiers.warm_start import find_strategy
from equilibrist.strategy import Strategy
from tests.cli.command import Shell

UNIFORM = Path("uniform")


def test_uniform_play_is_a_strategy_of_any_game() -> None:
    tree = eq.compile_game("leduc")
    for found in (open_strategy(UNIFORM, "leduc").strategy(tree), find_strategy("uniform")(tree)):
        assert np.array_equal(found.probabilities, Strategy.uniform(tree).probabilities)
    with pytest.raises(FileFormatError):
        open_strategy(UNIFORM)


def test_a_file_of_that_name_is_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    UNIFORM.write_text("not a strategy")
    for opened in (lambda: open_strategy(UNIFORM, "kuhn"), lambda: find_strategy("uniform")):
        with pytest.raises(FileFormatError):
            opened()


@pytest.mark.parametrize(
    "line",
    [
        "solve kuhn --warm-start uniform -n 150",
        "resolve kuhn --trunk uniform --gadget unsafe",
        "play kuhn --strategy uniform --seats ai,ai --hands 2",
        "evaluate uniform --game kuhn",
        "inspect uniform --game kuhn",
    ],
)
def test_commands_take_it(shell: Shell, line: str) -> None:
    shell(line).ok()
