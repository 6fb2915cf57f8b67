"""Solutions through the API: the documents of the command line, and names that stay inside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import equilibrist as eq
from equilibrist import load_result
from equilibrist.web.settings import Subject
from tests.cli.command import Shell
from tests.cli.conftest import GAME
from tests.web.conftest import put
from tests.web.workers.test_uploads import EFG


@pytest.fixture
def library(client: TestClient, kuhn_file: Path, spot_file: Path) -> TestClient:
    put(client, kuhn_file, "kuhn")
    put(client, spot_file, "turn")
    return client


def test_the_library(library: TestClient, kuhn_file: Path) -> None:
    found = {one["name"]: one for one in library.get("/api/solutions").json()["solutions"]}
    assert (found["kuhn"]["game"], found["kuhn"]["iterations"]) == ("kuhn", 20)
    assert (found["turn"]["game"], found["turn"]["pot"]) == ("Ts3h2h5c", 100)
    file = library.get("/api/solutions/kuhn/file")
    assert file.content == kuhn_file.read_bytes()
    assert file.headers["cache-control"] == "no-store"
    assert library.delete("/api/solutions/kuhn").json() == {"deleted": "kuhn"}
    assert library.get("/api/solutions/kuhn").status_code == 404
    assert library.delete("/api/solutions/kuhn").status_code == 404


def test_infosets_are_those_of_inspect(library: TestClient, shell: Shell, kuhn_file: Path) -> None:
    for query, line in (
        ("values=true", ""),
        ("values=true&match=3*&player=1", "--match '3*' --player 1"),
        ("values=true&match=K*&player=1", "--match '3*' --player 1"),
        ("match=K*", "--match '3*' --no-values"),
        ("values=true&key=3b&key=1", "3b 1"),
        ("values=true&key=Kb&key=J", "3b 1"),
        ("", "--no-values"),
    ):
        shown = library.get(f"/api/solutions/kuhn/infosets?{query}").json()
        printed = shell(f"inspect {kuhn_file} {line} --json").ok().json
        assert shown["infosets"] == printed["infosets"], query
        assert shown["total"] == len(printed["infosets"])
    page = library.get("/api/solutions/kuhn/infosets?start=2&count=3").json()
    assert (page["total"], len(page["infosets"])) == (12, 3)


@pytest.mark.parametrize("line", ["", "X-B50", "X-B50-C|8h"])
def test_nodes_are_those_of_show(
    library: TestClient, shell: Shell, spot_file: Path, line: str
) -> None:
    shown = library.get("/api/solutions/turn/node", params={"line": line}).json()
    assert shown == shell(f"postflop show {spot_file} --line '{line}' --json").ok().json


def test_runouts_are_those_of_report(library: TestClient, shell: Shell, spot_file: Path) -> None:
    shown = library.get("/api/solutions/turn/runouts", params={"line": "X-X"}).json()
    assert shown == shell(f"postflop report {spot_file} --line X-X --json").ok().json


def test_wrong_questions(library: TestClient) -> None:
    for path, status in (
        ("kuhn/node", 409),
        ("turn/infosets", 409),
        ("turn/node?line=X-B51", 422),
        ("turn/runouts?line=X", 422),
        ("turn/runouts?line=X-X|8h|X", 422),
        ("turn/runouts?line=X-X|8h|X-X", 422),
        ("kuhn/infosets?key=none", 422),
        ("none", 404),
        ("last-3", 404),
    ):
        answer = library.get(f"/api/solutions/{path}")
        assert answer.status_code == status, path
        assert answer.json()["error"]


@pytest.mark.slow
def test_a_street_that_is_not_kept(make_client: Any, spot_file: Path, tmp_path: Path) -> None:
    less = load_result(spot_file).save(tmp_path / "less.safetensors", "first-street")
    client = make_client(token="o" * 16, guest_token="g" * 16)
    put(client, less, "less")
    path = "/api/solutions/less/node?line=X-X|8h"
    owner, guest = ({"Authorization": f"Bearer {who * 16}"} for who in "og")
    assert client.get(path, headers=owner).status_code == 409
    for line, status in (("X-X", 409), ("X", 422), ("X-X|8h|X-X", 422)):  # are there cards to come?
        reported = client.get(f"/api/solutions/less/runouts?line={line}", headers=owner)
        assert (reported.status_code, reported.json()["option"]) == (status, "line")
    assert client.get(f"{path}&resolve=true", headers=guest).status_code == 403
    assert client.get("/api/solutions/less/node?line=X", headers=guest).status_code == 200
    solved = client.get(f"{path}&resolve=true", headers=owner).json()
    assert solved["node"]["board"] == "Ts3h2h5c8h"


@pytest.mark.parametrize(
    "name", ["..", "..%2fsecret", "%2e%2e%2fsecret", "%2fetc%2fpasswd", "a%00b"]
)
def test_no_request_leads_out_of_the_library(client: TestClient, name: str) -> None:
    folders = client.services.folders  # type: ignore[attr-defined]
    secret = folders.root / "secret.safetensors"
    secret.write_bytes(b"secret")
    for path in (
        f"solutions/{name}",
        f"solutions/{name}/file",
        f"jobs/{name}",
        f"games/library:{name}",
    ):
        assert client.get(f"/api/{path}").status_code in (403, 404, 422), path
        assert client.delete(f"/api/{path}").status_code in (403, 404, 405, 422), path
    assert client.put(f"/api/uploads/{name}.efg", content=b"EFG").status_code in (404, 422)
    assert secret.read_bytes() == b"secret"


@pytest.mark.parametrize("ending", ["json", "txt", "MD", "tex"])
def test_texts_with_payoff_tables_are_sent_to_their_page(client: TestClient, ending: str) -> None:
    answer = client.put(f"/api/uploads/pd.{ending}", content=b"[[1, -1], [-1, 1]]")
    assert (answer.status_code, answer.json()["option"]) == (422, "file")
    assert "/payoffs" in answer.json()["remedy"]


def test_a_damaged_file_is_listed_and_refused(client: TestClient, kuhn_file: Path) -> None:
    put(client, kuhn_file, "cut")
    path = client.services.library.path("cut")  # type: ignore[attr-defined]
    path.write_bytes(path.read_bytes()[:-40])
    answer = client.get("/api/solutions/cut")
    assert (answer.status_code, answer.json()["kind"]) == (422, "FileFormatError")
    path.write_bytes(b"\x80\x04nonsense")
    assert client.get("/api/solutions").json()["solutions"][0]["kind"] is None


def test_a_folder_in_the_library_is_no_solution(client: TestClient, kuhn_file: Path) -> None:
    put(client, kuhn_file, "kuhn")
    (client.services.library.folder / "folder.safetensors").mkdir()  # type: ignore[attr-defined]
    assert [one["name"] for one in client.get("/api/solutions").json()["solutions"]] == ["kuhn"]


def test_rules_that_a_file_names_are_not_run(client: TestClient, tmp_path: Path) -> None:
    """A solution may say that it is of rules.py:Game; looking at it must not load them."""
    ran = tmp_path / "ran"
    rules = tmp_path / "rules.py"
    rules.write_text(GAME)
    result = eq.solve(f"{rules}:Tiny", iterations=5)
    put(client, result.save(tmp_path / "tiny.safetensors"), "tiny")
    rules.write_text(f"open({str(ran)!r}, 'w').close()\n{GAME}")
    shown = client.get("/api/solutions/tiny/infosets?values=true").json()
    assert shown["total"] == 2
    assert client.get("/api/solutions/tiny").status_code == 200
    assert not ran.exists()


def test_games_that_a_file_names_are_not_read(client: TestClient, tmp_path: Path) -> None:
    """Nor is the .efg that a solution says it is of: only what comes with Equilibrist is walked."""
    file = tmp_path / "pennies.efg"
    file.write_bytes(EFG)
    put(client, eq.solve(str(file), iterations=5).save(tmp_path / "p.safetensors"), "pennies")
    shown = client.get("/api/solutions/pennies/infosets?values=true").json()
    assert [one["reach"] for one in shown["infosets"]] == [None, None]


def test_the_solution_that_the_server_was_started_with(make_client: Any, kuhn_file: Path) -> None:
    client = make_client(subject=Subject("solution", "my.safetensors", path=kuhn_file))
    assert client.get("/api/server").json()["subject"]["text"] == "my.safetensors"
    assert client.get("/api/solutions").json()["solutions"][0]["name"] == "given"
    assert client.get("/api/solutions/given/infosets").json()["total"] == 12
    assert client.delete("/api/solutions/given").status_code == 409
    assert kuhn_file.exists()
    assert str(kuhn_file) not in client.get("/api/solutions").text
    assert str(kuhn_file) not in client.get("/api/solutions/given").text


def test_no_folder_of_a_run_is_told(make_client: Any, tmp_path: Path) -> None:
    """Neither where it was resumed from, nor where the game of its solution lies."""
    secret = tmp_path / "kept apart"
    secret.mkdir()
    state, rules = secret / "run.ckpt", secret / "own.efg"
    rules.write_bytes(EFG)
    out = secret / "out.safetensors"
    eq.solve("kuhn", iterations=5, files=eq.Files(checkpoint=state))
    eq.solve("kuhn", iterations=9, files=eq.Files(resume=state, out=out))
    client = make_client(token="o" * 16, guest_token="g" * 16)
    put(client, out, "kuhn")
    other = secret / "other.safetensors"
    eq.solve(str(rules), iterations=5, files=eq.Files(out=other))
    put(client, other, "own")
    guest = {"Authorization": f"Bearer {'g' * 16}"}
    answer = client.get("/api/solutions/kuhn", headers=guest)
    assert "Resumed from run.ckpt at iteration 5." in answer.text
    assert "kept apart" not in answer.text
    refused = client.post("/api/play/tables", json={"solution": "own"}, headers=guest)
    assert refused.status_code == 403
    assert "kept apart" not in refused.text
    assert refused.json()["given"] == "own.efg"


def test_the_strategy_by_which_a_game_was_cut_has_no_folder(
    make_client: Any, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file was named from the folder in which the command ran."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kept-apart").mkdir()
    rough, cut = "kept-apart/rough.safetensors", "kept-apart/cut.safetensors"
    shell(f"solve kuhn --iterations 5 --out {rough}").ok()
    shell(f"solve kuhn --iterations 5 --drop-below 0.01 --drop-play {rough} --out {cut}").ok()
    client = make_client(token="o" * 16, guest_token="g" * 16)
    put(client, Path(cut), "cut")
    guest = {"Authorization": f"Bearer {'g' * 16}"}
    assert b"rough.safetensors" in client.get("/api/solutions/cut/file", headers=guest).content
    for path in ("/api/solutions/cut", "/api/solutions/cut/file"):
        assert b"kept-apart" not in client.get(path, headers=guest).content


@pytest.mark.parametrize(
    ("kind", "text", "name"),
    [
        ("game", "kuhn(players=3)", "kuhn(players=3)"),
        ("game", "rules:leduc(ranks=4)", "rules:leduc(ranks=4)"),
        ("game", "/a b/c.efg", "c.efg"),
        ("game", "efg:a(b)/c", "efg:c"),
        ("game", "~/a/r.py:Game(n=1/2,m='x/y')", "r.py:Game(n=1/2,m='x/y')"),
        ("game", "a/r.py", "r.py"),
        ("game", "rules:a/r.py(n=2)", "rules:r.py(n=2)"),
        ("game", "openspiel:efg_game(filename=/a/b.efg)", "openspiel:efg_game(filename=b.efg)"),
        ("spot", "a/spot.toml", "spot.toml"),
        ("solution", "/a/s.safetensors", "s.safetensors"),
        ("solution", "last", "last"),
    ],
)
def test_what_the_server_was_started_with_is_called_by_its_file(
    make_client: Any, kind: str, text: str, name: str
) -> None:
    client = make_client(subject=Subject(kind, text))
    assert client.get("/api/server").json()["subject"]["text"] == name
