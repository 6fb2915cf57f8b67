"""Which environments stay, and how an extra is added to those that do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.storage.installation import install_command, lasting_command, runner_of

SETTINGS = "home = /usr/bin\n{}version_info = 3.12.1\n"


class Distribution:
    """What is recorded of an installation."""

    def __init__(self, text: str | None) -> None:
        self.text = text

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return self.text


@pytest.mark.parametrize(
    ("folder", "tagged", "by_uv", "runner"),
    [
        ("home/.cache/uv/archive-v0/t6ZU", "home/.cache/uv", True, "uvx"),
        ("elsewhere/uv/archive-v0/t6ZU", "elsewhere/uv", True, "uvx"),
        ("AppData/Local/uv/cache/archive-v0/t6ZU", None, True, "uvx"),
        ("home/.cache/pipx/1a2b", None, False, "pipx"),
        ("home/.local/pipx/.cache/1a2b", None, False, "pipx"),
        ("home/.local/pipx/.cache/1a2b", None, True, "pipx"),  # made with uv
        ("Library/Caches/pipx/1a2b", None, False, "pipx"),
        ("AppData/Local/pipx/Cache/1a2b", None, False, "pipx"),
        ("home/project/.venv", "home/project/.venv", True, None),  # tagged by `uv venv`
        ("home/.local/share/uv/tools/equilibrist", None, True, None),
        ("home/.local/share/pipx/venvs/equilibrist", None, False, None),
        ("home/.cache/mine", None, False, None),
        ("usr", None, False, None),
    ],
)
def test_which_environments_stay(
    tmp_path: Path, folder: str, tagged: str | None, by_uv: bool, runner: str | None
) -> None:
    environment = tmp_path / folder
    environment.mkdir(parents=True)
    (environment / "pyvenv.cfg").write_text(SETTINGS.format("uv = 0.9.1\n" if by_uv else ""))
    if tagged is not None:
        (tmp_path / tagged / "CACHEDIR.TAG").touch()
    assert runner_of(environment) == runner
    command = install_command("web", environment)
    begins = {"uvx": 'uvx --from "', "pipx": 'pipx run --spec "', None: 'pip install "'}
    assert command.startswith(begins[runner])
    assert "[web]" in command


@pytest.mark.parametrize(
    ("recorded", "requirement"),
    [
        ('{"url": "file:///home/me/my%20games", "dir_info": {}}', "/home/me/my games[web]"),
        ('{"url": "file:///here/equilibrist.whl"}', "/here/equilibrist.whl[web]"),
        (
            '{"url": "https://example.org/e.zip", "archive_info": {}}',
            "equilibrist[web] @ https://example.org/e.zip",
        ),
        (
            '{"url": "https://example.org/e", "vcs_info": {"vcs": "git", "commit_id": "1a2b"}}',
            "equilibrist[web] @ git+https://example.org/e",
        ),
        (
            '{"url": "file:///here/e", "vcs_info": {"vcs": "git", "commit_id": "1a2b"}}',
            "equilibrist[web] @ git+file:///here/e",
        ),
        *((other, "equilibrist[web]") for other in (None, "", "[]", "{}", "not json")),
    ],
)
def test_an_extra_is_asked_for_where_the_program_came_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: str | None, requirement: str
) -> None:
    monkeypatch.setattr("importlib.metadata.distribution", lambda name: Distribution(recorded))
    environment = tmp_path / ".cache" / "pipx" / "1a2b"
    assert install_command("web", environment) == f'pipx run --spec "{requirement}" equilibrist'
    assert lasting_command("web", "uvx") == f'uv tool install "{requirement}"'
