"""`equilibrist bot serve`: JSON lines, HTTP in a process of its own, and what is refused."""

from __future__ import annotations

import io
import json
import subprocess
import threading
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, FileFormatError
from tests.cli.command import PROGRAM, Shell
from tests.protocols.acpc.tables import HEADS_UP

PATIENCE = 240.0


@pytest.fixture
def game(tmp_path: Path) -> Path:
    file = tmp_path / "holdem.game"
    file.write_text(HEADS_UP.text())
    return file


def test_json_lines(shell: Shell, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = '{"hole_cards": "AhKh", "line": "R300", "id": 1}\n\nno\n{"hole_cards": "2c2d"}\n'
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    ran = shell(f"bot serve call --game {game} --stdio").ok()
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert [answer.get("action") for answer in answers] == ["C", None, "C"]
    assert answers[0]["id"] == 1


def test_json_lines_about_another_game(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "leduc.safetensors"
    eq.solve("leduc", iterations=10).save(file)
    monkeypatch.setattr("sys.stdin", io.StringIO('{"hole_cards": "Js", "line": "cc/Qs"}\n'))
    answer = json.loads(shell(f"bot serve {file} --stdio").ok().out)
    assert answer["action"] in ("call", "raise")


@pytest.mark.slow
def test_http_in_a_process(game: Path) -> None:
    words = [*PROGRAM, "bot", "serve", "call", "--game", str(game), "--port", "0", "--seed", "1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            address = _first_line(process).split()[2]
            request = Request(
                f"{address}/slumbot/api/new_hand", b"{}", {"content-type": "application/json"}
            )
            with urlopen(request, timeout=PATIENCE) as answer:
                assert json.load(answer)["action"] == "c"
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                raise


def _first_line(process: subprocess.Popen[str]) -> str:
    """The first line that a process prints; kills it where none comes in time."""
    assert process.stdout is not None
    lines: list[str] = []
    reader = threading.Thread(target=lambda: lines.append(process.stdout.readline()), daemon=True)
    reader.start()
    reader.join(PATIENCE)
    if not lines:
        process.kill()
        raise AssertionError("it prints nothing")
    return lines[0]


def test_what_is_refused(shell: Shell, game: Path) -> None:
    shell("bot serve nothing").refused(ConfigError, option="PLAYER")
    shell("bot serve nothing.safetensors").refused(FileFormatError)
    shell(f"bot serve call --game {game} --stdio --port 3").refused(ConfigError, option="--port")
    shell(f"bot serve call --game {game} --port 65536").refused(ConfigError, option="port")
    shell("bot serve call --game none.game").refused(FileFormatError)
