"""Sites of files: their documents are those of the API, and other files of a folder stay."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from equilibrist import poker
from equilibrist.errors import ConfigError, FileFormatError, OutputError, UnknownNameError
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.policy import WHOLE, Blueprint
from equilibrist.web.errors import ForbiddenError, WebError
from equilibrist.web.site import charts, questions, spots, writing
from equilibrist.web.site.packs import Packs, key_of
from equilibrist.web.site.writing import write_site
from equilibrist.web.site_command import split_games
from tests.cli.command import Shell
from tests.refusals import refuses
from tests.web.conftest import put

GAME = "rock_paper_scissors"


def index(site: Path) -> Any:
    return json.loads((site / "site.json").read_text("utf-8"))


def documents(site: Path, name: str) -> dict[str, Any]:
    """The answers of a document, by their questions."""
    found: dict[str, Any] = {}
    for pack in index(site)["documents"][name]["packs"].values():
        table = json.loads(gzip.decompress((site / "packs" / f"{pack}.pack").read_bytes()))
        found.update(table)
    return found


@pytest.fixture(scope="module", autouse=True)
def short_lessons() -> Iterator[None]:
    """Two iterations of each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(questions, "ITERATIONS", 2)
        yield


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, kuhn_file: Path) -> Path:
    """A site with a game and a solution, whose game comes along."""
    folder = tmp_path_factory.mktemp("written") / "site"
    facts = write_site(folder, [kuhn_file], [GAME])
    assert facts.games == (GAME, "kuhn")
    assert facts.solutions == ("kuhn",)
    return folder


@pytest.mark.slow
def test_every_document_is_that_of_the_api(site: Path, client: TestClient, kuhn_file: Path) -> None:
    put(client, kuhn_file, "kuhn")
    names = index(site)["documents"]
    asked = 0
    for name in names:
        for key, document in documents(site, name).items():
            pairs = json.loads(key)
            if name.endswith(("/walk", "/tree", "/lesson")) and asked % 7:
                asked += 1  # of very many alike some will do
                continue
            asked += 1
            if name in ("games", "solutions") or name.endswith("/drill"):
                continue
            whole = [["count", "1000"], ["values", "true"], ["state", "true"]]
            params = [*pairs, *whole] if name.endswith("/infosets") else pairs
            answer = client.get(f"/api/{name}", params=[tuple(pair) for pair in params]).json()
            if name == "lessons":
                assert document == answer
                continue
            answer.pop("stamp", None)
            document.pop("stamp", None)
            document.pop("status", None)
            assert document == answer, (name, key)
    assert asked > 300


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The solution of a turn on which everybody checks: a river follows on each card."""
    spot = poker.Spot(board="Ts3h2h5c", oop="AA,QQ", ip="KK,QsJs", pot=100, stack=100, bets="")
    return poker.solve(spot, iterations=2).save(tmp_path_factory.mktemp("spot") / "checked.spot")


@pytest.mark.slow
def test_a_spot_has_a_pack_for_each_board(
    checked: Path, client: TestClient, tmp_path: Path
) -> None:
    facts = write_site(tmp_path / "site", [checked], [])
    assert facts.solutions == ("checked",)
    put(client, checked, "checked")
    names = index(tmp_path / "site")["documents"]
    assert len(names["solutions/checked/study"]["packs"]) == 1 + 48
    nodes = documents(tmp_path / "site", "solutions/checked/study")
    assert len(nodes) == 3 + 3 * 48
    opened = documents(tmp_path / "site", "solutions/checked/spot")["[]"]
    assert (opened["kept_cards"], opened["board"]) == (1, "Ts3h2h5c")
    for line in ("", "X", "X-X", "X-X|8h", "X-X|8d|X", "X-X|As|X-X"):
        answer = client.get("/api/solutions/checked/study", params={"line": line})
        assert nodes[key_of({"line": line})] == answer.json(), line
    (report,) = documents(tmp_path / "site", "solutions/checked/runouts").values()
    answer = client.get("/api/solutions/checked/runouts", params={"line": "X-X"})
    assert report == answer.json()
    assert (tmp_path / "site" / "study" / "checked" / "index.html").is_file()


@pytest.mark.slow
def test_lines_of_later_streets(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flop spot whose rivers are thousands, of which one line is picked."""
    spot = poker.Spot(board="Ts3h2h", oop="AA", ip="KK", pot=100, stack=100, bets="50%")
    flop = poker.solve(spot, iterations=2).save(tmp_path / "flop.spot", keep="all")
    put(client, flop, "flop")
    folder, line = tmp_path / "site", "X-X|8h|X-X|2c"
    write_site(folder, [flop], [], streets=1, lines=[line])
    nodes = documents(folder, "solutions/flop/study")
    first = {key for key in nodes if "|" not in key}
    assert nodes.keys() - first, "those of the line"
    for board in ("X-X|8h|", "X-X|8h|X-X|2c|"):
        asked = [json.loads(key)[0][1] for key in nodes if f'"{board}' in key]
        assert {f"{board}X", f"{board}B50", f"{board}B50-C"} <= set(asked)
    for text in (line, "X-X|8h", "X-X|8h|B50-F", f"{line}|X-B50"):
        answer = client.get("/api/solutions/flop/study", params={"line": text})
        assert nodes[key_of({"line": text})] == answer.json(), text
    assert key_of({"line": "X-X|8c"}) not in nodes
    reports = documents(folder, "solutions/flop/runouts")
    assert set(reports) == {key_of({"line": text}) for text in ("X-X", "X-X|8h|X-X")}
    for wrong in ("X-X|8h|X-X|8h", "B7", "nonsense"):
        with refuses(ConfigError, option="lines", given=wrong):
            write_site(tmp_path / "other", [flop], [], lines=[line, wrong])
    short = poker.solve(spot, iterations=2).save(tmp_path / "short.spot", keep="first-street")
    with refuses(ConfigError, option="lines", given=line):
        write_site(tmp_path / "other", [short], [], lines=[line])
    streets = len(first)
    for most, option in ((streets, "lines"), (streets - 1, "streets")):
        monkeypatch.setattr(spots, "MOST_NODES", most)
        with refuses(ConfigError, option=option):
            write_site(tmp_path / "other", [flop], [], streets=1, lines=[line])
    assert not (tmp_path / "other").exists()


@pytest.mark.slow
def test_drills_have_what_every_answer_is_worth(
    site: Path, checked: Path, client: TestClient, kuhn_file: Path, tmp_path: Path
) -> None:
    put(client, kuhn_file, "kuhn")
    (stored,) = documents(site, "solutions/kuhn/drill").values()
    assert (site / "drill" / "kuhn" / "index.html").is_file()
    begun = client.post("/api/play/drills", json={"solution": "kuhn"}).json()
    assert stored.keys() - {"questions"} == begun.keys()
    for key in ("solution", "kind", "error", "thresholds", "about", "infosets", "score"):
        assert stored[key] == begun[key], key
    found = {one["question"]["scene"]["infoset"]: one for one in stored["questions"]}
    assert len(found) == begun["infosets"] == 12
    for _ in range(5):
        asked = begun["question"]
        one = found[asked["scene"]["infoset"]]
        assert {**one["question"], "number": 0} == {**asked, "number": 0}
        place = f"/api/play/drills/{begun['id']}"
        given = {"number": asked["number"], "action": 1}
        answer = client.post(f"{place}/answer", json=given).json()["answer"]
        kept = dict(one["answers"][1])
        for links in (answer, kept):
            links.update(number=0, study=links["study"].partition("&stamp")[0], drill="")
        assert kept == answer
        begun = client.post(f"{place}/ask").json()
    write_site(tmp_path / "site", [checked], [])
    drills = documents(tmp_path / "site", "solutions/checked/drill")
    assert set(drills) == {key_of({"line": line}) for line in ("", "X")}
    assert len(drills["[]"]["questions"]) == drills["[]"]["infosets"] == 12


def test_blueprints_have_their_charts(client: TestClient, tmp_path: Path) -> None:
    """Before the flop: later ones need a board."""
    hand = poker.Hand(stack=4, bets="a", raises="a", last_street="flop", deck="T")
    made: dict[str, Any] = {"restarts": 1, "passes": 2, "sample": 1000, "threads": 1}
    card_buckets = poker.build_card_buckets(
        "all/5/5/5", tmp_path / "cards.safetensors", lowest_rank=8, **made
    )
    game = AbstractGame(hand, card_buckets.counts)
    blueprint = Blueprint(game, card_buckets, np.full(game.num_slots, WHOLE // 3, np.uint16))
    file = blueprint.save(tmp_path / "bp.safetensors")
    write_site(tmp_path / "site", [file], [])
    put(client, file, "made")
    decisions = documents(tmp_path / "site", "solutions/bp/chart")
    assert len(decisions) > 1
    for key, document in decisions.items():
        asked = dict(json.loads(key))
        assert document == client.get("/api/solutions/made/chart", params=asked).json(), key
        assert document["street"] == "preflop"


@pytest.mark.slow
def test_lessons_come_with_the_games_that_they_lead_to(site: Path, tmp_path: Path) -> None:
    (lessons,) = documents(site, "lessons").values()
    assert len(lessons) == 10
    assert (site / "lessons" / "index.html").is_file()
    write_site(tmp_path / "site", games=["matching_pennies"])
    assert "lessons" not in index(tmp_path / "site")["documents"]
    assert not (tmp_path / "site" / "lessons").exists()


def test_so_many_streets_of_a_spot(checked: Path, tmp_path: Path) -> None:
    write_site(tmp_path / "site", [checked], [], streets=1)
    nodes = documents(tmp_path / "site", "solutions/checked/study")
    assert set(nodes) == {key_of({"line": line}) for line in ("", "X", "X-X")}
    opened = documents(tmp_path / "site", "solutions/checked/spot")["[]"]
    assert opened["kept_cards"] == 0
    assert documents(tmp_path / "site", "solutions/checked/runouts") == {}
    for streets in (0, 4):
        with refuses(ConfigError, option="streets", given=streets):
            write_site(tmp_path / "site", [checked], [], streets=streets)


def test_a_spot_with_too_many_nodes(
    checked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spots, "MOST_NODES", 100)
    with refuses(ConfigError, option="streets", given=2):
        write_site(tmp_path / "site", [checked], [])
    assert not (tmp_path / "site").exists()
    assert write_site(tmp_path / "site", [checked], [], streets=1).num_documents == 9


def test_charts_have_all_their_decisions(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = poker.push_fold((10, 6, 8), deals=1_000).save(tmp_path / "jam.safetensors")
    write_site(tmp_path / "site", [file], [])
    put(client, file, "jam")
    decisions = documents(tmp_path / "site", "solutions/jam/chart")
    assert len(decisions) == 1 + 2 + 3
    for key, document in decisions.items():
        asked = dict(json.loads(key))
        assert document == client.get("/api/solutions/jam/chart", params=asked).json(), key
    (opened,) = documents(tmp_path / "site", "solutions/jam/charts").values()
    assert opened["seats"] == client.get("/api/solutions/jam/charts").json()["seats"]
    assert (tmp_path / "site" / "charts" / "jam" / "index.html").is_file()
    monkeypatch.setattr(charts, "MOST_DECISIONS", 5)
    with refuses(ConfigError, option="solution", given="jam"):
        write_site(tmp_path / "other", [file], [])
    assert not (tmp_path / "other").exists()


def test_lists_have_what_the_site_has(site: Path) -> None:
    games = documents(site, "games")
    assert [game["name"] for game in games["[]"]] == [GAME, "kuhn"]
    assert games['[["sizes","true"]]'][1]["sizes"]["num_nodes"] == 58
    (solutions,) = documents(site, "solutions").values()
    assert [row["name"] for row in solutions["solutions"]] == ["kuhn"]
    assert index(site)["sections"] == ["library", "games", "learn"]


def test_every_page_has_all_that_it_names(site: Path) -> None:
    pages = sorted(path.relative_to(site).as_posix() for path in site.rglob("index.html"))
    assert pages == [
        "drill/kuhn/index.html", "explore/kuhn/index.html", "games/index.html",
        "games/kuhn/index.html", f"games/{GAME}/index.html", "index.html", "learn/index.html",
        "lessons/index.html",
    ]  # fmt: skip
    for page in pages:
        text = (site / page).read_text("utf-8")
        assert 'data-source="files"' in text
        assert "data-role" not in text
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
        assert policy is not None
        assert "unsafe" not in policy[1]
        assert "frame-ancestors" not in policy[1]  # which browsers take from headers alone
        named = re.findall(r'(?:href|src)="([^"]+)"', text)
        assert len(named) > 10
        for name in named:
            assert not name.startswith(("/", "http"))
            assert (site / page).parent.joinpath(name).is_file(), name
    assert list(site.glob("ui/*/lib/*.txt")), "libraries come with their licences"


def test_a_site_is_replaced_and_other_files_stay(site: Path, tmp_path: Path) -> None:
    shutil.copytree(site, tmp_path / "site")
    own = tmp_path / "site" / "CNAME"
    own.write_text("games.example\n")
    before = index(tmp_path / "site")["files"]
    write_site(tmp_path / "site", games=["matching_pennies"])
    after = index(tmp_path / "site")["files"]
    there = {
        path.relative_to(tmp_path / "site").as_posix()
        for path in (tmp_path / "site").rglob("*")
        if path.is_file()
    }
    assert there == {*after, "site.json", "CNAME"}
    assert set(before) - set(after)
    assert not (tmp_path / "site" / "games" / GAME).exists()


def test_an_index_that_was_tampered_with_removes_nothing_elsewhere(
    site: Path, tmp_path: Path
) -> None:
    shutil.copytree(site, tmp_path / "site")
    (tmp_path / "mine.txt").write_text("mine")
    index_file = tmp_path / "site" / "site.json"
    changed = {**index(tmp_path / "site"), "files": ["../mine.txt", str(tmp_path / "mine.txt")]}
    index_file.write_text(json.dumps(changed))
    write_site(tmp_path / "site", games=[])
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "site.json").write_text('{"format": "another"}')
    with refuses(OutputError, option="folder", given="site.json", path=tmp_path):
        write_site(tmp_path, games=[GAME])
    file = tmp_path / "site.json"
    with refuses(OutputError, option="folder", path=file):
        write_site(file, games=[GAME])
    assert [path.name for path in tmp_path.iterdir()] == ["site.json"]


@pytest.mark.parametrize(
    ("games", "kind", "fields"),
    [
        (["nothing"], UnknownNameError, {"given": "nothing"}),
        ([GAME, "leduc(players=3)"], WebError, {"option": "game", "given": "leduc(players=3)"}),
        (["rules.py:Mine"], ForbiddenError, {"option": "game"}),
    ],
)
def test_games_that_do_not_fit(
    tmp_path: Path, games: list[str], kind: Any, fields: dict[str, Any]
) -> None:
    with refuses(kind, **fields):
        write_site(tmp_path / "site", games=games)
    assert not (tmp_path / "site").exists()


def test_solutions_that_do_not_fit(
    tmp_path: Path, kuhn_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "MOST_INFOSETS", 11)
    ranges = tmp_path / "range.txt"
    ranges.write_text("AA,AKs:0.5\n")
    none, notes = tmp_path / "none.safetensors", tmp_path / "notes.safetensors"
    notes.write_text("Dear diary")
    cases: list[tuple[Path, Any, dict[str, Any]]] = [
        (ranges, FileFormatError, {"option": "format", "given": "ranges"}),
        (kuhn_file, ConfigError, {"option": "solution", "given": "kuhn"}),
        (none, FileFormatError, {"path": none}),
        (notes, FileFormatError, {"path": notes}),
    ]
    for file, kind, fields in cases:
        with refuses(kind, **fields):
            write_site(tmp_path / "site", [file], [])
        assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("kuhn( cards = 4 )", "kuhn(cards=4)"),
        ("kuhn(cards=3)", "kuhn(cards=3)"),
        ("leduc(players=2)", "leduc"),
        ("rps", GAME),
        ("Kuhn-Poker", "kuhn"),
    ],
)
def test_games_are_called_as_their_pages_call_them(
    client: TestClient, text: str, name: str
) -> None:
    assert questions.fitting_game(client.services, text) == name  # type: ignore[attr-defined]


def test_what_is_refused_is_a_document(tmp_path: Path) -> None:
    def refuse() -> None:
        raise ConfigError(option="x", given=1, expected="2")

    packs = Packs(tmp_path)
    packs.add("a", [({"b": ["c", "d"]}, refuse), ({"b": "e"}, lambda: {"f": 1})], by=["b"])
    packed = packs.documents["a"]["packs"]
    assert set(packed) == {'[["b","c"]]', '[["b","e"]]'}
    path = tmp_path / f"{packed[key_of({'b': 'c'})]}.pack"
    document = json.loads(gzip.decompress(path.read_bytes()))['[["b","c"],["b","d"]]']
    assert (document["kind"], document["option"], document["status"]) == ("ConfigError", "x", 422)


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("kuhn,leduc", ["kuhn", "leduc"]),
        (" kuhn , leduc(players=2,bets=[1,2]),", ["kuhn", "leduc(players=2,bets=[1,2])"]),
        ("", []),
        ("a),b", ["a)", "b"]),
    ],
)
def test_games_stand_between_commas(text: str, games: list[str]) -> None:
    assert split_games(text) == games


def test_the_command(tmp_path: Path, shell: Shell) -> None:
    shell("solve kuhn --iterations 5 --quiet").ok()
    ran = shell(f"site {tmp_path}/site last last --games '' --json").ok()
    assert ran.json["games"] == ["kuhn"]
    assert ran.json["solutions"] == ["kuhn", "kuhn-2"]
    assert (tmp_path / "site" / "explore" / "kuhn" / "index.html").is_file()
    shell(f"site {tmp_path}/x nothing").refused(FileFormatError)


@pytest.mark.by_default(1)
@pytest.mark.parametrize("files", [{}, {"files": None}, {"files": [5]}])
def test_a_site_with_a_damaged_index_is_replaced(tmp_path: Path, files: dict[str, Any]) -> None:
    (tmp_path / "site.json").write_text(json.dumps({"format": "equilibrist site", **files}))
    (tmp_path / "own.txt").write_text("mine")
    write_site(tmp_path, games=[GAME])
    assert index(tmp_path)["files"]
    assert (tmp_path / "own.txt").read_text() == "mine"


@pytest.mark.by_default(1)
@pytest.mark.parametrize("is_replaced", [False, True])
@pytest.mark.parametrize("broken", ["add_games", "_contents", "_remove"])
def test_a_site_that_was_broken_off_is_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, broken: str, is_replaced: bool
) -> None:
    folder = tmp_path / "site"
    if is_replaced:
        write_site(folder, games=["matching_pennies"])
    before = index(folder) if is_replaced else None

    def breaks(*given: Any) -> Any:
        if broken == "add_games":
            given[0].add("games", [({}, lambda: {"a pack": "that no index lists"})])
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(writing, broken, breaks)
        with pytest.raises(KeyboardInterrupt):
            write_site(folder, games=[GAME])
    if before is not None:
        assert all((folder / name).is_file() for name in before["files"])
        is_shown = index(folder)["documents"] == before["documents"]
        assert is_shown == (broken != "_remove"), "the old one until the new one is whole"
    write_site(folder, games=[GAME])
    there = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert there == {*index(folder)["files"], "site.json"}
    assert "unfinished" not in index(folder)
