"""`equilibrist serve`: ports, tokens, subjects, and a server as a process."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import ConfigError, EquilibristError
from equilibrist.poker import setup_text
from equilibrist.web.command import subject_of
from equilibrist.web.server import free_socket, with_tokens
from equilibrist.web.settings import LOOPBACK, Settings, Subject
from equilibrist.web.store.folders import DataFolders
from tests.cli.command import PROGRAM, Shell
from tests.cli.conftest import GAME
from tests.refusals import refuses
from tests.web.conftest import SPOT, THREE
from tests.web.serving import served


def test_a_taken_port_gives_way_to_the_next() -> None:
    notes: list[str] = []
    with free_socket(LOOPBACK, 0, 0, notes.append) as first:
        taken = first.getsockname()[1]
        with free_socket(LOOPBACK, None, taken, notes.append) as second:
            port = second.getsockname()[1]
        assert taken < port < taken + 50
        assert notes == [f"port {taken} is taken; this server listens on {port}"]
        with pytest.raises(ConfigError) as refused:
            free_socket(LOOPBACK, taken, taken, notes.append)
    assert (refused.value.option, refused.value.given) == ("port", taken)


def test_where_all_ports_are_taken_the_host_is_not_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equilibrist.web.server._TRIED", 1)
    with free_socket(LOOPBACK, 0, 0, print) as first:
        taken = first.getsockname()[1]
        with refuses(ConfigError, option="port", given=taken):
            free_socket(LOOPBACK, None, taken, print)


@pytest.mark.parametrize(
    ("host", "port", "option"),
    [
        (LOOPBACK, 70_000, "port"),
        ("203.0.113.7", None, "host"),
        ("203.0.113.7", 8998, "host"),
        (f"{'x' * 70}.example", 8998, "host"),
    ],
)
def test_where_nobody_can_listen(host: str, port: int | None, option: str) -> None:
    with pytest.raises(ConfigError) as refused:
        free_socket(host, port, 8137, print)
    assert refused.value.option == option


def test_it_listens_on_loopback_by_default() -> None:
    assert Settings(Path()).host == "127.0.0.1"
    with free_socket(Settings(Path()).host, 0, 0, print) as found:
        assert found.getsockname()[0] == "127.0.0.1"


def test_tokens_are_made_where_others_can_reach_the_server(tmp_path: Path) -> None:
    assert with_tokens(Settings(tmp_path)).token is None
    for host in ("0.0.0.0", "192.168.1.5", "::"):
        tokens = {with_tokens(Settings(tmp_path, host=host)).token for _ in range(2)}
        assert len(tokens) == 2
        assert all(token is not None and len(token) >= 32 for token in tokens)
    with_guests = with_tokens(Settings(tmp_path, guest_token="new"))
    assert with_guests.token
    assert with_guests.guest_token not in (None, "new", with_guests.token)


@pytest.mark.parametrize(
    "tokens",
    [
        {"token": "short"},
        {"guest_token": "short"},
        {"token": "x" * 20, "guest_token": "x" * 20},
        {"token": "größer-als-sechzehn-zeichen"},  # programs encode it in different ways
        {"guest_token": "ends in a space, twenty "},
    ],
)
def test_tokens_that_could_be_guessed_or_not_sent_are_refused(
    tmp_path: Path, tokens: dict[str, Any]
) -> None:
    with pytest.raises(ConfigError) as refused:
        with_tokens(Settings(tmp_path, **tokens))
    assert refused.value.option in tokens
    assert refused.value.remedy


def test_subjects(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kuhn_file: Path,
    spot_file: Path,
    three_file: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("spot.toml").write_text(SPOT.to_toml())
    Path("rules.py").write_text(GAME)
    assert subject_of("spot.toml") == Subject("spot", "spot.toml", spot=SPOT.to_toml())
    Path("tree.txt").write_text(setup_text(SPOT, "pio"))
    assert subject_of("tree.txt") == Subject("spot", "tree.txt", spot=SPOT.to_toml())
    Path("three.toml").write_text(THREE.to_toml())
    assert subject_of("three.toml") == Subject("spot", "three.toml", spot=THREE.to_toml())
    assert subject_of("kuhn(players=3)") == Subject("game", "kuhn(players=3)")
    assert subject_of("rules.py:Tiny").kind == "game"
    for file in (kuhn_file, spot_file, three_file):
        assert subject_of(str(file)).path == file
    for wrong in ("kuhm", "none.toml", "rules.py:None", "none.efg", "last"):
        with pytest.raises((EquilibristError, OSError)):
            subject_of(wrong)


def test_what_is_wrong_is_said_before_a_server_starts(shell: Shell) -> None:
    shell("serve kuhm --no-browser").one_error()
    shell("serve --port 99999 --no-browser").refused(ConfigError, option="port")
    shell("serve --name http://study.example/ --no-browser").refused(ConfigError, option="name")
    shell("serve --jobs none").refused(ConfigError, option="jobs")


def _ask(address: str, data: object = None, token: str | None = None) -> object:
    headers = {"Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    content = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(address, content, headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def test_only_tokens_that_were_made_are_printed(tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "token": "token-token-token-token",
        "guest_token": "guest-guest-guest-guest",
    }
    assert with_tokens(Settings(tmp_path, **given)).printed == set()
    assert with_tokens(Settings(tmp_path, token=given["token"], guest_token="new")).printed == {
        "guest_token"
    }
    assert with_tokens(Settings(tmp_path, guest_token=given["guest_token"])).printed == {"token"}
    assert with_tokens(Settings(tmp_path, host="0.0.0.0")).printed == {"token"}


@pytest.mark.slow
def test_a_server_keeps_the_tokens_that_it_was_given_and_saves_what_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, guest = "token-token-token-token", "guest-guest-guest-guest"
    monkeypatch.setenv("EQUILIBRIST_TOKEN", token)
    monkeypatch.setenv("EQUILIBRIST_GUEST_TOKEN", guest)
    options = {"iterations": 10**7, "target": 1e-12}
    with served(tmp_path) as (process, address):
        assert process.stdout is not None
        assert process.stdout.readline().split()[-1] == f"{address}/enter"  # with no code
        with pytest.raises(urllib.error.HTTPError) as refused:
            _ask(f"{address}/api/version")
        assert refused.value.code == 401
        refused.value.close()
        job = _ask(f"{address}/api/jobs", {"game": "leduc", "options": options}, token)
        name = job["id"]
        for line in _lines(f"{address}/api/jobs/{name}/events", token):
            found = json.loads(line)
            if found["can_resume"] and found["progress"]:
                break
        process.send_signal(signal.SIGTERM)
        printed = process.stdout.read()
        assert process.wait(30) == 0
    assert "#" not in printed
    assert token not in printed
    assert guest not in printed
    record = json.loads((tmp_path / "jobs" / name / "job.json").read_text())
    assert (record["state"], record["can_resume"]) == ("interrupted", True)
    assert record["error"] is None  # it ended in order, and has saved
    assert (tmp_path / "library" / f"{record['solution']}.safetensors").exists()


def test_a_link_that_signs_in_is_printed_where_a_token_was_made(tmp_path: Path) -> None:
    with served(tmp_path, "--guest-token", "new") as (process, address):
        assert process.stdout is not None
        link = process.stdout.readline().split()[-1]
        assert re.fullmatch(rf"{address}/enter#\S{{32}}", link)


def test_a_data_folder_has_one_server(tmp_path: Path) -> None:
    folders = DataFolders(tmp_path)
    with folders.held():
        for address in (None, "http://127.0.0.1:8137", "file:///etc/passwd\n"):
            if address is not None:
                folders.announce(address)
            with refuses(ConfigError, option="data", given=tmp_path) as refused, folders.held():
                pass
            is_told = (address or "-") in str(refused.value.remedy)
            assert is_told is (address == "http://127.0.0.1:8137")
        with DataFolders(tmp_path / "another").held():
            pass
    with folders.held():  # the first has ended
        pass


@pytest.mark.slow
def test_a_second_server_says_where_the_first_is(tmp_path: Path) -> None:
    command = [*PROGRAM, "serve", "--no-browser", "--port", "0"]
    environment = {**os.environ, "EQUILIBRIST_DATA_DIR": str(tmp_path)}
    with served(tmp_path) as (process, address):
        second = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert second.returncode == 2
        assert address in second.stderr
        assert _ask(f"{address}/api/jobs")["jobs"] == []
        process.kill()
        process.wait()
    with served(tmp_path) as (_, address):  # one that was killed holds nothing
        assert _ask(f"{address}/api/version")


@pytest.mark.slow  # two servers and two workers
def test_a_run_outlives_no_server_and_is_found_by_the_next(tmp_path: Path) -> None:
    """A server that is killed says nothing to its workers: they notice, save and end."""
    options = {"iterations": 10**7, "target": 1e-12}
    with served(tmp_path) as (process, address):
        job = _ask(f"{address}/api/jobs", {"game": "leduc", "options": options})
        path = f"/api/jobs/{job['id']}"
        for line in _lines(f"{address}{path}/events", ""):
            if json.loads(line)["can_resume"]:
                break
        process.kill()
    with served(tmp_path) as (_, address):
        found = _ask(f"{address}{path}")
        assert (found["state"], found["can_resume"]) == ("interrupted", True)
        for _ in range(300):  # until the first worker has ended
            _ask(f"{address}{path}/resume", {})
            *_, last = _lines(f"{address}{path}/events", "", most=20)
            newest = json.loads(last)
            if newest["state"] == "running":
                break
            assert newest["error"]["kind"] == "CheckpointError"
            time.sleep(0.1)
        assert newest["progress"] is not None
        _ask(f"{address}{path}/stop", {})


def _lines(address: str, token: str, most: int = 10**9) -> Iterator[str]:
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request) as stream:
        for line in stream:
            if line.startswith(b"data: "):
                yield line.removeprefix(b"data: ").decode()
                most -= 1
            if not most:
                return


def test_without_the_extra_it_says_what_to_install() -> None:
    """As if FastAPI were not there."""
    code = (
        "import sys; sys.modules['fastapi'] = None\n"
        "from equilibrist.cli.main import run\n"
        "sys.exit(run(['serve', '--no-browser']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert 'pip install "equilibrist[web]"' in done.stderr


def test_a_port_that_is_open_is_closed_again() -> None:
    with free_socket(LOOPBACK, 0, 0, print) as found:
        port = found.getsockname()[1]
    with socket.socket() as probe:
        assert probe.connect_ex((LOOPBACK, port)) != 0
