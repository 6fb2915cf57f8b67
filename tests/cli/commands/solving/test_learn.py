"""`equilibrist learn`, through a pipe and at a terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from equilibrist.cli.commands.solving import learn
from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    FileFormatError,
    UnknownNameError,
)
from tests.cli.command import Shell


def test_a_pipe_gets_all_pages(shell: Shell) -> None:
    out = shell("learn kuhn").ok().out
    assert out.count("Infoset ") == 12
    assert "R(pass)    0 + 1/12 = 1/12" in out
    assert "NashConv" in out


def test_infosets_and_iterations_may_be_chosen(shell: Shell) -> None:
    out = shell("learn kuhn -a cfr+ -n 3 -i 1pb -i 2b --simultaneous").ok().out
    assert out.startswith("Iteration 3, all players from one profile")
    assert out.count("Infoset ") == 2


def test_at_a_terminal_q_ends_the_lesson(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["", "q"])
    monkeypatch.setattr(learn, "_at_a_terminal", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _prompt: next(answers))
    assert shell("learn kuhn").ok().out.count("Infoset ") == 1


def test_the_end_of_input_ends_the_lesson(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(_prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr(learn, "_at_a_terminal", lambda: True)
    monkeypatch.setattr("builtins.input", ended)
    assert "Infoset" not in shell("learn kuhn").ok().out


@pytest.mark.parametrize(
    ("arguments", "kind", "fields"),
    [
        ("khun", UnknownNameError, dict(option="game", name="khun")),
        ("kuhn -i 9", UnknownNameError, dict(option="infoset", name="9")),
        ("kuhn -a lp", ConfigError, dict(option="--algorithm", given="lp")),
        ("kuhn -n 0", ConfigError, dict(option="iteration", given="0")),
        ("leduc -n 529", ConfigError, dict(option="--iteration", given=529)),
        (
            "'liars_dice(sides=5,dice=2)'",
            ConfigError,
            dict(option="game", given="liars_dice(sides=5,dice=2)"),
        ),
    ],
)
def test_bad_input_ends_with_2_and_a_remedy(
    shell: Shell, arguments: str, kind: type[EquilibristError], fields: dict[str, Any]
) -> None:
    shell(f"learn {arguments}").refused(kind, **fields)


def test_it_starts_where_it_is_told_to(shell: Shell) -> None:
    first = shell("learn rps --start first").ok().out
    assert "rock 0, paper 1, scissors -1" in first
    assert shell("learn rps --start uniform").ok().out == shell("learn rps").ok().out
    Path("rock.json").write_text(
        '{"row": {"rock": 1, "paper": 0, "scissors": 0}, '
        '"column": {"rock": 1, "paper": 0, "scissors": 0}}'
    )
    assert shell("learn rps --start rock.json").ok().out == first
    shell("learn kuhn --start rock.json").refused(UnknownNameError, name="row")
    shell("learn kuhn --start gone.json").refused(FileFormatError, option="file")
