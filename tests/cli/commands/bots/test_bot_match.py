"""`equilibrist bot match`: tables, fixed opponents, figures, and a log that goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, MismatchError
from equilibrist.poker import push_fold
from tests.cli.command import Shell


def test_two_blueprints_play_duplicate_deals(shell: Shell, bot_files: Path) -> None:
    names = " ".join(f"{bot_files / name}.safetensors" for name in "bc")
    ran = shell(f"bot match {names} --hands 60 --duplicate --aivat --seed 3 --json").ok()
    document = ran.json
    assert (document["hands"], document["deals"], document["duplicate"]) == (60, 30, True)
    assert document["aivat"]["half_width"] < document["half_width"]
    assert document["stopped_by"] is None
    again = shell(f"bot match {names} --hands 60 --duplicate --aivat --seed 3").ok()
    assert f"A wins {document['mean']:+.1f} mbb per hand" in again.out
    assert "AIVAT:" in again.out


def test_fixed_opponents_play_at_a_table_that_is_named(
    shell: Shell, bot_files: Path, tmp_path: Path
) -> None:
    file = bot_files / "b.safetensors"
    for rule in ("fold", "call", "raise", "random", "all-in"):
        ran = shell(f"bot match {file} {rule} --hands 20 --json").ok()
        assert (ran.json["hands"], ran.json["second"]) == (20, rule)
    (tmp_path / "deep.toml").write_text('stack = 40\ndeck = "Q"\n')
    deep = shell(f"bot match {file} raise --hands 20 --table {tmp_path / 'deep.toml'} --json").ok()
    assert deep.json["game"] == "hand(stack=40,deck=Q)"
    shell("bot match call fold --hands 20").refused(ConfigError, option="--table")


def test_a_log_goes_on(shell: Shell, bot_files: Path, tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"
    command = f"bot match {bot_files / 'b.safetensors'} call --json"
    whole = shell(f"{command} --hands 30").ok()
    shell(f"{command} --hands 10 --log {log}").ok()
    assert shell(f"{command} --hands 30 --log {log}").ok().json == whole.json
    shell(f"{command} --hands 30 --seed 1 --log {log}").refused(MismatchError, option="first")


def test_bots_of_other_seats_than_the_table_are_named(shell: Shell, tmp_path: Path) -> None:
    two, three = (tmp_path / f"{name}.safetensors" for name in ("two", "three"))
    push_fold(5).save(two)
    push_fold(5, seats=3, deals=1_000).save(three)
    (tmp_path / "three.toml").write_text("seats = 3\nstack = 5\n")
    for words, option, given in (
        (f"{two} {three}", "B", 3),
        (f"{three} {two}", "B", 2),
        (f"{two} call --table {tmp_path / 'three.toml'}", "--table", 2),
    ):
        shell(f"bot match {words} --hands 10").refused(
            ConfigError, option=option, given=given, expected=5 - given
        )


def test_a_bot_knows_the_cards_of_the_table(shell: Shell, bot_files: Path, tmp_path: Path) -> None:
    (tmp_path / "whole.toml").write_text("stack = 5\n")
    words = f"{bot_files / 'b.safetensors'} call --table {tmp_path / 'whole.toml'}"
    shell(f"bot match {words}").refused(ConfigError, option="--table", expected="2")


def test_a_log_is_not_called_what_it_is_not(shell: Shell, tmp_path: Path) -> None:
    push_fold(5).save(tmp_path / "two.safetensors")
    for name in ("match.phhs", "match.csv"):
        line = f"bot match {tmp_path / 'two.safetensors'} call --log {tmp_path / name}"
        shell(line).refused(ConfigError, option="log", expected=".jsonl")
        assert not (tmp_path / name).exists()


@pytest.mark.parametrize(
    ("words", "option"),
    [("nobody call", "A"), ("{b} call --time 5", "--time"), ("{b} call --hands 1", "hands")],
)
def test_what_cannot_be_played_is_refused(
    shell: Shell, bot_files: Path, words: str, option: str
) -> None:
    command = f"bot match {words.format(b=bot_files / 'b.safetensors')}"
    shell(command).refused(ConfigError, option=option)
