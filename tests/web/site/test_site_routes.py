"""The site of files that pages save: that of the command line, as an archive."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from equilibrist.web.site import questions
from equilibrist.web.site.writing import write_site
from tests.web.conftest import put


@pytest.fixture(autouse=True)
def short_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    """One iteration of each."""
    monkeypatch.setattr(questions, "ITERATIONS", 1)
    monkeypatch.setattr(questions, "SAMPLED", 1)


@pytest.mark.slow
def test_the_archive_has_the_files_of_the_command(
    client: TestClient, kuhn_file: Path, tmp_path: Path
) -> None:
    put(client, kuhn_file, "kuhn")
    body = {"solutions": ["kuhn"], "games": ["rock_paper_scissors"]}
    answer = client.post("/api/site", json=body)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/zip"
    write_site(tmp_path / "site", [kuhn_file], ["rock_paper_scissors"])
    written = [path for path in (tmp_path / "site").rglob("*") if path.is_file()]
    with zipfile.ZipFile(BytesIO(answer.content)) as archive:
        names = set(archive.namelist())
        index = json.loads(archive.read("site/site.json"))
    expected = {path.relative_to(tmp_path).as_posix() for path in written}
    assert len(names) == len(expected)  # names of packs are of the times of files, too
    assert {name for name in names ^ expected if not name.endswith(".pack")} == set()
    assert "explore/kuhn/index.html" in index["files"]


@pytest.mark.parametrize(
    ("body", "status", "option"),
    [
        ({"games": ["nothing"]}, 422, "game"),
        ({"solutions": ["nothing"]}, 404, "name"),
        ({"games": ["kuhn"], "streets": 4}, 422, "streets"),
        ({"games": ["liars_dice"]}, 422, "game"),
        ({"games": ["library:nothing"]}, 404, "game"),
        ({}, 422, "solutions"),
    ],
)
def test_what_is_refused(
    client: TestClient, body: dict[str, object], status: int, option: str
) -> None:
    answer = client.post("/api/site", json=body)
    assert (answer.status_code, answer.json()["option"]) == (status, option), answer.text


def test_guests_save_none(make_client: Callable[..., TestClient]) -> None:
    client = make_client(token="o" * 20, guest_token="g" * 20)
    headers = {"Authorization": f"Bearer {'g' * 20}"}
    answer = client.post("/api/site", json={"games": ["kuhn"]}, headers=headers)
    assert answer.status_code == 403
