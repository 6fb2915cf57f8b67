"""`equilibrist bot challenge` against a double in this process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, FileFormatError, PeerError
from equilibrist.protocols.challenge import servers
from equilibrist.protocols.challenge.hands import HEADS_UP
from tests.cli.command import Shell
from tests.protocols.challenge.test_hands import Double


@pytest.fixture(autouse=True)
def double(monkeypatch: pytest.MonkeyPatch) -> Double:
    made = Double()
    monkeypatch.setattr(servers, "poster", lambda *_arguments, **_options: made)
    return made


@pytest.mark.slow
def test_hands_with_a_log(shell: Shell, tmp_path: Path) -> None:
    log = tmp_path / "s.log"
    ran = shell(f"bot challenge http://double call --hands 5 --log {log} -q").ok()
    assert ran.out.startswith("SCORE:")
    ran = shell(f"bot challenge http://double call --hands 8 --log {log} --json").ok()
    assert ran.json["hands"] == 3
    lines = log.read_text().splitlines()
    assert len(lines) == 1 + 2 * 8
    assert lines[-2].startswith("# without luck 7 ")
    assert ran.json["aivat"]["corrected_by"] == "hands"
    assert ran.json["players"][0]["name"] == "call"


@pytest.mark.slow
def test_a_log_of_another_challenge_is_refused(shell: Shell, tmp_path: Path) -> None:
    log, game = tmp_path / "s.log", tmp_path / "other.game"
    shell(f"bot challenge http://name:secret@double call --hands 2 --log {log} -q").ok()
    text = log.read_text()
    assert "secret" not in text
    shorter = replace(HEADS_UP, stacks=(10000, 10000))
    game.write_text(shorter.text())
    for others in ("http://other call", "http://double raise", f"http://double call --game {game}"):
        ran = shell(f"bot challenge {others} --hands 4 --log {log} -q")
        ran.refused(FileFormatError, option="log", given=text.splitlines()[0])
    assert log.read_text() == text
    shell(f"bot challenge http://double/ call --hands 3 --log {log} -q").ok()


def test_a_log_that_is_complete(shell: Shell, tmp_path: Path) -> None:
    call = f"bot challenge http://double call --hands 2 --log {tmp_path / 's.log'} --json"
    shell(call).ok()
    assert shell(call).ok().json["hands"] == 0


def test_what_is_refused(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell("bot challenge http://double nobody").refused(ConfigError, option="PLAYER")

    def gone(_call: str, _document: object) -> object:
        raise PeerError("it is gone", "it", option="server")

    monkeypatch.setattr(servers, "poster", lambda *_arguments, **_options: gone)
    shell("bot challenge http://double call").refused(PeerError, option="server")
    monkeypatch.undo()
    shell("bot challenge ftp://double call").refused(ConfigError, option="url")
