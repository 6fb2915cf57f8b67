"""Guests go everywhere, and are told nowhere in which folders of the server its files lie."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import httpx2
import pytest
from starlette.testclient import TestClient

import equilibrist as eq
from equilibrist._jit.places import cache_root
from equilibrist.games.spec import without_folders
from equilibrist.rules import module
from equilibrist.web.application import make_api
from equilibrist.web.settings import Subject
from equilibrist.web.shell import PAGES
from tests.cli.conftest import GAME
from tests.web.conftest import put
from tests.web.following import ended, started
from tests.web.serving import served
from tests.web.workers.test_uploads import EFG

TOKENS = {"token": "o" * 16, "guest_token": "g" * 16}
OWNER, GUEST = ({"Authorization": f"Bearer {token}"} for token in TOKENS.values())
SECRETS = ("kept apart", "inner folder", "workplace", "homeland", str(cache_root()))
"""Parts of paths that no guest is told."""
NEEDED = {"line": "", "amount": "1", "resolve": "true"}
"""What requests cannot do without."""


@pytest.fixture
def secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with games, in a current folder of which nobody is told either."""
    here = tmp_path / "homeland" / "workplace"
    folder = here / "kept apart" / "inner folder"
    folder.mkdir(parents=True)
    (folder / "coins.efg").write_bytes(EFG)
    (folder / "rules.py").write_text(GAME)
    shutil.copy(Path(module.__file__).parent / "shipped" / "leduc.py", folder / "own.py")
    monkeypatch.chdir(here)
    monkeypatch.setenv("HOME", str(tmp_path / "homeland"))
    return folder


def check(answer: Any) -> None:
    """Fail where an answer tells one of the secrets."""
    told = unquote(answer.text) + repr(dict(answer.headers))
    where = [told[max(0, told.find(part) - 80) :][:160] for part in SECRETS if part in told]
    assert not where, (answer.request.method, unquote(answer.request.url.path), where)


def api_paths() -> list[str]:
    """The paths of all that can be got from the API."""
    operations = make_api().openapi()["paths"]
    return [path for path, operation in operations.items() if "get" in operation]


def page_paths() -> list[str]:
    """The paths of all that a browser can get."""
    return [
        *PAGES,
        "/spot?subject=1",
        "/race?job=x",
        "/api/docs",
        "/api/openapi.json",
        "/enter",
        "/nowhere",
    ]


def filled(path: str, names: dict[str, list[str]]) -> list[str]:
    """A path with everything that may stand in it."""
    if "{" not in path:
        return [path]
    begin, _, rest = path.partition("{")
    parameter, _, rest = rest.partition("}")
    parameter = parameter.removesuffix(":path")
    values = names.get(f"{begin}{parameter}", names.get(parameter))
    assert values, f"say what may stand in {path}"
    return [
        full for value in values for full in filled(f"{begin}{quote(value, safe='')}{rest}", names)
    ]


def jobs_on(client: Any, game: str) -> list[dict[str, Any]]:
    """Jobs of the owner on a game, the last of which fails."""
    options = {"iterations": "5"}
    jobs: list[dict[str, Any]] = [
        {"options": options},
        {"options": options, "algorithms": ["cfr+", "dcfr"]},
        {"options": {**options, "sampler": "external", "explicit_tree": "false"}},
    ]
    return [ended(client, started(client, game=game, **job)) for job in jobs]


def walk(
    client: Any, paths: Iterable[str], game: str, jobs: list[str], solutions: list[str]
) -> int:
    """Get everything as a guest, play all solutions, and ask for a job; how many were played."""
    opened: dict[str, list[str]] = {"tables": ["none"], "drills": ["none"]}
    for solution in solutions:
        for kind, places in opened.items():
            answer = client.post(f"/api/play/{kind}", json={"solution": solution}, headers=GUEST)
            check(answer)
            places += [answer.json()["id"]] if answer.status_code == 201 else []
    refused = client.post("/api/jobs", json={"game": game}, headers=GUEST)
    assert refused.status_code == 403
    check(refused)
    names = {
        "game": [game, "library:none"],
        "algorithm": ["cfr"],
        "sampler": ["external"],
        "number": ["1"],
        "name": [*solutions, "none"],
        "/api/jobs/name": [*jobs, "none"],
        "/runs/name": [*jobs, "none"],
        "/api/play/tables/name": opened["tables"],
        "/api/play/drills/name": opened["drills"],
    }
    for path in [full for pattern in paths for full in filled(pattern, names)]:
        parameters = None if "?" in path else NEEDED
        answer = client.get(path, params=parameters, headers={**GUEST, "Accept": "text/html"})
        assert answer.status_code not in (401, 500), path
        check(answer)
    return len(opened["tables"]) - 1


@pytest.mark.parametrize(
    "typed",
    [
        "efg:HERE/coins.efg",
        "kept apart/inner folder/rules.py:Tiny",
        "rules:kept apart/inner folder/own.py(ranks=3)",
        "kept apart/inner folder/gone.efg",
        "rules:HERE/gone.py",
    ],
)
@pytest.mark.slow
def test_the_api_tells_guests_no_folder(
    make_client: Callable[..., TestClient], secret: Path, typed: str
) -> None:
    text = typed.replace("HERE", str(secret))
    client = make_client(subject=Subject("game", text), **TOKENS)
    client.headers.update(OWNER)
    game = client.get("/api/server", headers=GUEST).json()["subject"]["text"]
    assert game == without_folders(text)
    is_there = "gone" not in text
    job = ended(client, started(client, game=game, options={"iterations": "5"}))
    assert job["is_saved"] is is_there
    solutions = [job["solution"]] if is_there else []
    if is_there:
        put(client, eq.solve(text, iterations=5).save(secret / "s.safetensors"), "elsewhere")
        solutions.append("elsewhere")
    played = walk(client, api_paths(), game, [job["id"]], solutions)
    assert played == len(solutions)


@pytest.mark.slow
def test_pages_tell_guests_no_folder(secret: Path, tmp_path: Path) -> None:
    """A server of the command line, whose current folder, home and data nobody is told."""
    tokens = [f"--{name.replace('_', '-')}={token}" for name, token in TOKENS.items()]
    data = tmp_path / "homeland" / "data"
    with (
        served(data, "kept apart/inner folder/coins.efg", *tokens) as (_, address),
        httpx2.Client(base_url=address, headers=OWNER, timeout=60) as client,
    ):
        jobs = jobs_on(client, "coins.efg")
        solution = str(jobs[0]["solution"])
        paths = [*api_paths(), *page_paths()]
        assert walk(client, paths, "coins.efg", [job["id"] for job in jobs], [solution]) == 1
        shutil.rmtree(secret)
        walk(client, ["/games/{game}", "/api/games/{game}/facts"], "coins.efg", [], [solution])
