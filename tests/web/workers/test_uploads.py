"""Uploads: read in a process of their own, kept only if they are whole, and never unpickled."""

from __future__ import annotations

import asyncio
import io
import pickle
import shutil
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import equilibrist as eq
from equilibrist.errors import EquilibristError, FileFormatError
from equilibrist.game_loading import compile_game
from equilibrist.games.efg.game import load_efg
from equilibrist.storage.archive import open_archive
from equilibrist.storage.kinds.file_kinds import CHECKPOINT, EMPTY, GAME, SOLUTION
from equilibrist.storage.kinds.file_kinds import SPOT as SPOT_KIND
from equilibrist.web.application import guarded, make_api
from equilibrist.web.errors import ConflictError, NotFoundError, WebError
from equilibrist.web.services import Services
from equilibrist.web.settings import Settings
from equilibrist.web.store import parsed
from equilibrist.web.store.parsed import parsed_game
from equilibrist.web.workers import process
from equilibrist.web.workers.order import ReadOrder
from equilibrist.web.workers.process import Worker, read_file
from equilibrist.web.workers.reading import read
from tests.refusals import refuses
from tests.web.conftest import SPOT, put
from tests.web.following import ended, started

EFG = b"""EFG 2 R "Matching <b>pennies</b>" { "Row" "Column" }
p "" 1 1 "" { "H" "T" } 0
p "" 2 1 "" { "H" "T" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { -1 1 }
p "" 2 1 "" { "H" "T" } 0
t "" 3 "" { -1 1 }
t "" 4 "" { 1 -1 }
"""
ODD = """EFG 2 R "Odd \u00e9" { "A" "" } "a comment"
c "" 1 "deal" { "x" 1/3 "y" 0.25 "x" 5/12 } 0
p "" 1 1 "top" { "L" "" } 1 "o" { 1/7 -1e3 }
t "" 2 "" { 0.1 2/3 }
t "" 0
p "" 1 1 0
t "" 0
t "" 2
p "" 2 1 "top" { "L" "L" } 0
t "" 3 "" { 1 1 }
t "" 3
"""
MEMORY = 8 * 10**9


class Payload:
    """What runs when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (str(self.path), "w")


def _refused(path: Path, kind: str = "solution") -> None:
    with pytest.raises(EquilibristError):
        read(ReadOrder(kind, str(path), MEMORY))


def test_a_game_is_uploaded_solved_and_deleted(client: TestClient) -> None:
    answer = client.put("/api/uploads/pennies.efg", content=EFG)
    assert answer.status_code == 201, answer.text
    assert answer.json()["name"] == "library:pennies"
    assert answer.json()["sizes"]["num_terminals"] == 4
    assert client.get("/api/games").json()[-1]["name"] == "library:pennies"
    assert client.get("/api/games/library:pennies").json()["sizes"]["num_players"] == 2
    options = {"iterations": 50}
    job = ended(client, started(client, game="library:pennies", options=options))
    assert job["state"] == "done", job["error"]
    shown = client.get(f"/api/solutions/{job['solution']}/infosets").json()
    assert shown["total"] == 2
    facts = client.services.folders.games / "broken.json"  # type: ignore[attr-defined]
    for content in (b'{"sizes": 3}', b"[1]", b"\xff"):
        facts.with_suffix(".efg").write_bytes(EFG)
        facts.write_bytes(content)
        assert client.get("/api/games/library:broken/facts").status_code == 404
        assert client.get("/api/games").json()[-1]["name"] == "library:pennies"
        facts.unlink()
        facts.with_suffix(".efg").unlink()
    assert client.delete("/api/games/library:pennies").status_code == 200
    assert client.get("/api/games/library:pennies").status_code == 404
    folders = client.services.folders  # type: ignore[attr-defined]
    assert [*folders.games.iterdir(), *folders.arriving.iterdir()] == []
    assert (
        client.post(f"/api/jobs/{job['id']}/continue", json={"iterations": 60}).status_code == 404
    )


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("My table.csv", b",C,D\nC,(3,3),(0,5)\nD,(5,0),(1,1)\n"),
        ("My table.nfg", b'NFG 1 R "PD" { "a" "b" } { { "C" "D" } { "C" "D" } }\n3 3 5 0 0 5 1 1'),
    ],
)
def test_payoff_tables_are_games(client: TestClient, file: str, content: bytes) -> None:
    answer = client.put(f"/api/uploads/{file}", content=content)
    assert answer.status_code == 201, answer.text
    assert answer.json()["name"] == "library:My-table"
    table = client.get("/api/games/library:My-table/matrix").json()
    assert (table["rows"], table["payoffs"][0]) == (["C", "D"], [[3, 3], [0, 5]])
    folders = client.services.folders  # type: ignore[attr-defined]
    assert [*folders.arriving.iterdir()] == []
    for wrong in (b"1,2\n3", b"", b"infoset,pass\n1,1\n", EFG):
        refused = client.put(f"/api/uploads/{file}", content=wrong)
        assert refused.status_code == 422, wrong
        assert str(folders.root) not in refused.text
        assert refused.json()["remedy"]
    assert [*folders.arriving.iterdir()] == []


def test_a_file_may_have_any_name(client: TestClient, tmp_path: Path) -> None:
    """As browsers call a second download; solutions of the file find the game."""
    path = tmp_path / "Große Pfennige (1).efg"
    path.write_bytes(EFG)
    solution = eq.solve(str(path), iterations=5).save(tmp_path / "Lösung 1.safetensors")
    names = []
    for file in (path, solution):
        answer = client.put(f"/api/uploads/{file.name}", content=file.read_bytes())
        assert answer.status_code == 201, answer.text
        names.append(answer.json()["name"])
    assert names == ["library:Grosse-Pfennige-1", "Losung-1"]
    facts = client.get("/api/solutions/Losung-1/facts").json()
    assert (facts["game"], facts["has_values"]) == ("library:Grosse-Pfennige-1", True)
    refused = client.put("/api/uploads/con.efg", content=EFG)
    assert (refused.status_code, refused.json()["option"]) == (422, "name")


OTHER = EFG.replace(b"{ 1 -1 }", b"{ 3 -3 }")


@pytest.mark.slow
def test_a_game_of_a_name_that_is_taken_gets_another_name(client: TestClient) -> None:
    def put_game(content: bytes) -> str:
        answer = client.put("/api/uploads/game.efg", content=content)
        assert answer.status_code == 201, answer.text
        assert answer.json()["sizes"]["game"] == answer.json()["name"]
        return str(answer.json()["name"])

    assert put_game(EFG) == "library:game"
    job = ended(client, started(client, game="library:game", options={"iterations": 50}))
    contents = [OTHER, EFG, OTHER, EFG.replace(b"pennies", b"dimes")]
    names = ["library:game-2", "library:game", "library:game-2", "library:game-3"]
    assert [put_game(content) for content in contents] == names
    facts = client.get(f"/api/solutions/{job['solution']}/facts").json()
    assert (facts["game"], facts["has_values"]) == ("library:game", True)  # its own
    assert client.delete("/api/games/library:game").status_code == 200
    for content, name in ((OTHER[:-1], "library:game-4"), (EFG + b"\n", "library:game")):
        assert put_game(content) == name  # the solution stays one of its own game
    facts = client.get(f"/api/solutions/{job['solution']}/facts").json()
    assert (facts["game"], facts["has_values"]) == ("library:game", True)


@pytest.mark.slow
def test_a_copy_of_the_data_folder_works_elsewhere(
    make_client: Callable[..., TestClient], tmp_path: Path
) -> None:
    client = make_client()
    assert client.put("/api/uploads/pennies.efg", content=EFG).status_code == 201
    job = ended(client, started(client, game="library:pennies", options={"iterations": 50}))
    race = started(client, game="library:pennies", algorithms=["cfr"], options={"iterations": 9})
    race = ended(client, race)
    assert (job["error"], race["error"]) == (None, None)
    answers = [client.get(f"/api/{what}").text for what in ("solutions", "games", "jobs")]
    answers.append(client.get(f"/api/solutions/{job['solution']}").text)
    answers.append(client.get("/api/games/library:pennies").text)
    answers.append(client.get(f"/api/solutions/{job['solution']}/file").content.decode("latin-1"))
    assert not [one for one in answers if str(tmp_path) in one]
    assert client.get("/api/solutions").json()["solutions"][0]["game"] == "library:pennies"
    (tmp_path / "data").rename(tmp_path / "moved")
    shutil.copytree(tmp_path / "moved", tmp_path / "data" / "copy")
    settings = Settings(data=tmp_path / "data" / "copy")
    moved = Services.of(settings)
    app = guarded(make_api(), moved)
    with TestClient(app, base_url="http://127.0.0.1:8137") as other:
        name = f"/api/solutions/{job['solution']}"
        shown = other.get(f"{name}/infosets?values=true").json()["infosets"]
        assert all(one["value"] is not None for one in shown)
        assert other.get(f"{name}/tree").status_code == 200
        table = other.post("/api/play/tables", json={"solution": job["solution"]})
        assert table.status_code == 201, table.text


def test_the_server_never_parses_what_was_uploaded(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert client.put("/api/uploads/pennies.efg", content=EFG).status_code == 201
    games = client.services.folders.games  # type: ignore[attr-defined]
    solved = eq.solve(str(games / "pennies.efg"), iterations=50)
    put(client, solved.save(tmp_path / "solved.safetensors"), "solved")

    def parse(*_: object) -> None:
        raise AssertionError("the server parses an upload")

    monkeypatch.setattr("equilibrist.games.efg.game.parse_efg", parse)
    game, solution = "/api/games/library:pennies", "/api/solutions/solved"
    paths = [f"{game}/{what}" for what in ("facts", "walk?move=H", "tree", "lesson")]
    paths += [f"{solution}/{what}" for what in ("infosets?values=true", "walk?move=H", "tree")]
    for path in (game, "/api/games", *paths):
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.text)
    table = client.post("/api/play/tables", json={"solution": "solved"})
    assert table.status_code == 201, table.text


def test_a_parsed_game_is_the_game(tmp_path: Path) -> None:
    path = tmp_path / "odd.efg"
    path.write_text(ODD, encoding="utf-8")
    read(ReadOrder("game", str(path), MEMORY))
    ours, expected = parsed_game(path), load_efg(str(path))
    assert ours.file == expected.file  # fractions, names, places
    ours_tree, tree = (compile_game(game) for game in (ours, expected))
    assert ours_tree.fingerprint == tree.fingerprint


def test_a_game_that_is_too_large_to_walk_says_so(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "large.efg"
    path.write_bytes(EFG)
    monkeypatch.setattr(parsed, "MOST_NODES", 3)
    read(ReadOrder("game", str(path), MEMORY))
    with pytest.raises(ConflictError) as refused:
        parsed_game(path)
    assert refused.value.option == "game"
    path.with_suffix(parsed.TREE).unlink()
    with pytest.raises(NotFoundError):
        parsed_game(path)


def test_a_pickle_is_refused_and_not_run(client: TestClient, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    content = pickle.dumps(Payload(ran))
    answer = client.put("/api/uploads/evil.safetensors", content=content)
    assert (answer.status_code, answer.json()["option"]) == (422, "file")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as inner:  # as PyTorch and NumPy save
        inner.writestr("archive/data.pkl", content)
    for name, whole in (("plain", content), ("zip", archive.getvalue())):
        path = tmp_path / f"{name}.safetensors"
        path.write_bytes(whole)
        _refused(path)
    assert not ran.exists()
    folders = client.services.folders  # type: ignore[attr-defined]
    assert [*folders.library.iterdir(), *folders.arriving.iterdir()] == []


def test_solutions_are_read_whole(kuhn_file: Path, spot_file: Path, tmp_path: Path) -> None:
    assert read(ReadOrder("solution", str(kuhn_file), MEMORY))["stem"] == "kuhn-dcfr"
    assert read(ReadOrder("solution", str(spot_file), MEMORY))["kind"] == "spot-solution"
    for file in (kuhn_file, spot_file):
        whole = file.read_bytes()
        broken = [whole[:-10], whole[: len(whole) // 2], b"", whole[:8]]
        flipped = bytearray(whole)
        flipped[-5] ^= 255
        for number, content in enumerate([*broken, bytes(flipped)]):
            path = tmp_path / f"{number}.safetensors"
            path.write_bytes(content)
            _refused(path)
    cut = tmp_path / "cut.safetensors"
    cut.write_bytes(kuhn_file.read_bytes()[:-10])
    with pytest.raises(FileFormatError) as read_by_commands:
        open_archive(cut, "solution")
    with refuses(FileFormatError, given=read_by_commands.value.given, option="file"):
        read(ReadOrder("solution", str(cut), MEMORY))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not a game",
        b"\xff\xfe\x00",
        EFG[:60],
        EFG.replace(b"{ 1 -1 }", b"{ 1 }"),
        b"(" * 10**5,
    ],
)
def test_broken_games_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.efg"
    path.write_bytes(content)
    _refused(path, "game")


@pytest.mark.parametrize(
    ("content", "name", "kind", "remedy"),
    [
        ("spot", "x.efg", SPOT_KIND, "/spot"),
        ("spot", "x.safetensors", SPOT_KIND, "/spot"),
        ("solved", "x.efg", SOLUTION, ".safetensors"),
        ("state", "x.efg", CHECKPOINT, "`equilibrist solve GAME --resume FILE`"),
        ("state", "x.safetensors", CHECKPOINT, "`equilibrist solve GAME --resume FILE`"),
        ("game", "x.spot", GAME, ".efg"),
        ("nothing", "x.efg", EMPTY, ""),
    ],
)
def test_a_file_of_another_kind_is_refused_with_what_to_do(
    client: TestClient, tmp_path: Path, content: str, name: str, kind: str, remedy: str
) -> None:
    solved, state = tmp_path / "kuhn.safetensors", tmp_path / "kuhn.ckpt"
    if content in ("solved", "state"):
        eq.solve("kuhn", iterations=2, files=eq.Files(checkpoint=state)).save(solved)
    given = {
        "spot": lambda: SPOT.to_toml().encode(),
        "solved": solved.read_bytes,
        "state": state.read_bytes,
        "game": lambda: EFG,
        "nothing": lambda: b"",
    }[content]()
    answer = client.put(f"/api/uploads/{name}", content=given)
    document = answer.json()
    fields = (answer.status_code, document["option"], document["given"])
    assert fields == (422, "file", kind)
    assert document["remedy"]
    assert remedy in document["remedy"]
    assert "the file" not in document["remedy"]


def test_a_folder_that_was_removed_by_hand_is_made_again(client: TestClient) -> None:
    client.services.folders.arriving.rmdir()  # type: ignore[attr-defined]
    answer = client.put("/api/uploads/x.efg", content=b"EFG 2")
    assert (answer.status_code, answer.json()["option"]) == (422, "file")


def test_only_files_of_known_kinds_are_taken(client: TestClient) -> None:
    for name in ("rules.py", "run.ckpt", "table.csv", "evil.pkl", "evil", ".efg", "a b.efg"):
        answer = client.put(f"/api/uploads/{name}", content=b"x")
        assert answer.status_code in (404, 422), name
    for name in ("spot.toml", "ranges.json"):
        answer = client.put(f"/api/uploads/{name}", content=b"x")
        assert (answer.status_code, "/spot" in answer.json()["remedy"]) == (422, True)


def test_what_has_read_a_file_is_not_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The event loop would warn of a process whose exit status it has not got."""
    killed: list[Worker] = []
    monkeypatch.setattr(Worker, "kill", lambda worker: killed.append(worker))
    monkeypatch.setattr(process, "_ENDING", 60.0)
    path = tmp_path / "pennies.efg"
    for content in (EFG, b"EFG 2"):
        path.write_bytes(content)
        with suppress(EquilibristError):
            asyncio.run(_read_for(path, 60.0))
    assert killed == []


async def _read_for(path: Path, seconds: float) -> None:
    await read_file(ReadOrder("game", str(path), MEMORY), seconds)


def test_reading_that_takes_too_long_ends(tmp_path: Path) -> None:
    path = tmp_path / "slow.efg"
    path.write_bytes(EFG)
    with pytest.raises(WebError) as refused:
        asyncio.run(_read_for(path, 0.01))
    assert (refused.value.status, refused.value.option) == (413, "file")


def test_reading_may_take_so_much_memory_and_no_more(kuhn_file: Path) -> None:
    import resource

    limit = resource.getrlimit(resource.RLIMIT_DATA)
    with pytest.raises(WebError):
        asyncio.run(read_file(ReadOrder("solution", str(kuhn_file), 40 << 20), 60.0))
    assert resource.getrlimit(resource.RLIMIT_DATA) == limit


def test_what_is_wrong_with_a_file_does_not_say_where_it_lies(
    client: TestClient, tmp_path: Path
) -> None:
    answer = client.put("/api/uploads/game.efg", content=b"\xff\xfe")
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("the file")
    assert str(tmp_path) not in answer.text
