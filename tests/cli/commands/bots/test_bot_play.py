"""`equilibrist bot play`: people at the table of `play`, against bots and fixed opponents."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, FileFormatError, UnknownNameError
from equilibrist.search import StreetSearch
from tests.cli.command import Shell


def test_a_person_plays_a_bot(
    shell: Shell, bot_files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("2\n" * 30))
    ran = shell(f"bot play {bot_files / 'b.safetensors'} --hands 2 --seed 4 --show-ai").ok()
    assert "Score after 2 hands" in ran.out


def test_bots_and_fixed_opponents_play_each_other(shell: Shell, bot_files: Path) -> None:
    file = bot_files / "b.safetensors"
    for rule in ("fold", "call", "raise", "random", "all-in"):
        options = f"--seats ai,{rule} --hands 20 --seed 1 --quiet"
        first, again = (
            shell(f"{command} {file} {options}").ok() for command in ("bot play", "play")
        )
        assert first.out == again.out  # the table, and the bots, are the same
        assert f"{rule} " in first.out


def test_what_bots_do_not_play_is_refused(shell: Shell, bot_files: Path, tmp_path: Path) -> None:
    file = bot_files / "b.safetensors"
    shell(f"bot play {file} --search no").refused(UnknownNameError, option="--search")
    shell(f"bot play {file} --time 5").refused(ConfigError, option="--time")
    eq.solve("kuhn", iterations=3).save(tmp_path / "kuhn.safetensors")
    shell(f"bot play {tmp_path / 'kuhn.safetensors'}").refused(FileFormatError, option="format")


@pytest.mark.slow
def test_a_bot_thinks_about_streets(
    shell: Shell, bot_files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = list[Any]()
    search = StreetSearch.search

    def counted(self: StreetSearch, *question: Any) -> Any:
        answers.append(search(self, *question))
        return answers[-1]

    monkeypatch.setattr(StreetSearch, "search", counted)
    options = "--seats ai,call --hands 6 --seed 2 --quiet --search street --time 1s"
    shell(f"bot play {bot_files / 'b.safetensors'} {options}").ok()
    assert any(answer is not None for answer in answers)
