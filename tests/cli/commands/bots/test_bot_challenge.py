"""`equilibrist bot challenge` against a double in this process."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, PeerError
from equilibrist.protocols import challenge
from tests.cli.command import Shell
from tests.protocols.test_challenge import Double


@pytest.fixture(autouse=True)
def double(monkeypatch: pytest.MonkeyPatch) -> Double:
    made = Double()
    monkeypatch.setattr(challenge, "poster", lambda *_arguments: made)
    return made


def test_hands_with_a_log(shell: Shell, tmp_path: Path) -> None:
    log = tmp_path / "s.log"
    ran = shell(f"bot challenge http://double call --hands 5 --log {log} -q").ok()
    assert ran.out.startswith("SCORE:")
    ran = shell(f"bot challenge http://double call --hands 8 --log {log} --json").ok()
    assert ran.json["hands"] == 3
    assert len(log.read_text().splitlines()) == 8
    assert ran.json["players"][0]["name"] == "call"


def test_what_is_refused(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell("bot challenge http://double nobody").refused(ConfigError, option="PLAYER")

    def gone(_call: str, _document: object) -> object:
        raise PeerError("it is gone", "it", option="server")

    monkeypatch.setattr(challenge, "poster", lambda *_arguments: gone)
    shell("bot challenge http://double call").refused(PeerError, option="server")
    monkeypatch.undo()
    shell("bot challenge ftp://double call").refused(ConfigError, option="url")
