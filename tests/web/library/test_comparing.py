"""Any two solutions side by side, and what it takes to make one again."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from starlette.testclient import TestClient

import equilibrist as eq
from equilibrist import poker
from equilibrist.poker.postflop.files.comparison import LeftOutCode, compare_frequencies
from equilibrist.poker.postflop.files.storage import load_spot
from equilibrist.web.library.answers import UncomparedHand
from equilibrist.web.shell import FOLDER
from tests.web.conftest import SPOT, put
from tests.web.javascript import catalogue_of
from tests.web.scripted import ScriptedWorker


@pytest.fixture(scope="module")
def other_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Other solutions: of the same spot for longer, of another board, pot and game."""
    folder = tmp_path_factory.mktemp("others")
    spots = {
        "longer": (SPOT, 20),
        "board": (SPOT.replace(board="Ts3h2h5d"), 2),
        "pot": (SPOT.replace(pot=120), 2),
        "bets": (SPOT.replace(bets="75%"), 2),
        "ranges": (SPOT.replace(oop="AA,77"), 2),
        "wider": (SPOT.replace(bets="50%,75%"), 2),
    }
    files = {
        name: poker.solve(spot, iterations=count).save(folder / f"{name}.safetensors")
        for name, (spot, count) in spots.items()
    }
    for name, game, count in (("kuhn2", "kuhn", 3), ("three", "kuhn(players=3)", 2)):
        files[name] = eq.solve(game, iterations=count).save(folder / f"{name}.safetensors")
    return files


@pytest.fixture
def library(
    client: TestClient, kuhn_file: Path, spot_file: Path, other_files: dict[str, Path]
) -> TestClient:
    for name, file in {"turn": spot_file, "kuhn": kuhn_file, **other_files}.items():
        put(client, file, name)
    return client


def compared(client: TestClient, name: str, other: str, **query: Any) -> Any:
    answer = client.get(f"/api/solutions/{name}/compare", params={"other": other, **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_spots_differ_as_the_command_says(
    library: TestClient, spot_file: Path, other_files: dict[str, Path]
) -> None:
    document = compared(library, "turn", "longer", count=3)
    expected = compare_frequencies(load_spot(spot_file), load_spot(other_files["longer"]))
    assert document["spots"]["cost"] == pytest.approx(expected.to_dict()["cost"])
    assert document["spots"]["compared"] == len(expected.hands)
    assert len(document["spots"]["hands"]) == 3
    assert (document["why_not"], document["games"]) == (None, None)
    parts = {row["part"]: (row["first"], row["second"]) for row in document["differences"]}
    assert parts["iterations"] == (10, 20)
    assert "board" not in parts


def test_games_differ_infoset_by_infoset(library: TestClient) -> None:
    document = compared(library, "kuhn", "kuhn2")["games"]
    assert (document["compared"], len(document["first_values"])) == (12, 2)
    rows = document["infosets"]
    for row in rows:
        moved = sum(abs(row["first"][a] - row["second"][a]) for a in row["first"]) / 2
        assert row["difference"] == pytest.approx(moved)
    weights = [row["difference"] * row["reach"] for row in rows]
    assert weights == sorted(weights, reverse=True)
    assert document["greatest"] == max(row["difference"] for row in rows)
    assert document["shown_names"]["1pb"] == "Jpb"
    same = compared(library, "kuhn", "kuhn")["games"]
    assert (same["differing"], same["infosets"], same["greatest"]) == (0, [], 0.0)


@pytest.mark.parametrize(
    ("name", "other", "why"),
    [
        ("turn", "kuhn", "other-kind"),
        ("turn", "board", "other-board"),
        ("turn", "pot", "other-pot"),
        ("turn", "bets", "other-actions"),
        ("kuhn", "three", "other-game"),
    ],
)
def test_what_is_not_compared_says_why(
    library: TestClient, name: str, other: str, why: str
) -> None:
    document = compared(library, name, other)
    assert (document["why_not"], document["spots"], document["games"]) == (why, None, None)
    assert document["differences"]


PREFIX = "compare.left-out.why."


def reasons(language: str) -> dict[str, str]:
    forms = catalogue_of((FOLDER / f"texts/{language}.js").read_text("utf-8"))
    return {
        key.removeprefix(PREFIX): texts[-1]
        for key, texts in forms.items()
        if key.startswith(PREFIX)
    }


def test_what_is_left_out_has_codes_that_pages_say(library: TestClient) -> None:
    for language in ("en", "zh"):
        assert set(reasons(language)) == set(get_args(LeftOutCode))
    assert get_type_hints(UncomparedHand)["code"] == LeftOutCode
    left_out = compared(library, "turn", "wider")["spots"]["left_out"]
    assert all(entry["hand"] == f"{entry['hands']} hands" for entry in left_out)
    assert {entry["code"] for entry in left_out} == {"action", "line"}
    root, line = left_out[0], next(entry for entry in left_out if entry["code"] == "line")
    assert (root["line"], root["action"], root["actions"]) == ("", "Bet 75", ["Check", "Bet 50"])
    assert (line["action"], line["actions"]) == ("B75", [])
    said = reasons("en")["action"].format(action="Bet 75", actions="Check, Bet 50")
    assert said == root["reason"]


def test_ranges_and_other_keys_of_spots_tell_them_apart(library: TestClient) -> None:
    def parts(other: str) -> dict[str, tuple[Any, Any]]:
        rows = compared(library, "turn", other)["differences"]
        return {row["part"]: (row["first"], row["second"]) for row in rows}

    ranges = {"oop_range", "ip_range", "folded"}
    assert parts("ranges")["oop_range"] == (str(SPOT.oop), "AA,77")
    assert not {part for part in parts("longer") if part in ranges or part.startswith("keys.")}
    assert parts("bets")["keys.bets"][0] == SPOT.bets


@pytest.mark.parametrize(
    ("query", "status", "option"),
    [
        ({"other": "nosuch"}, 404, "name"),
        ({}, 422, "other"),
        ({"other": "longer", "line": "nonsense"}, 422, None),
        ({"other": "longer", "count": 0}, 422, "count"),
    ],
)
def test_comparisons_that_are_none(
    library: TestClient, query: dict[str, Any], status: int, option: str | None
) -> None:
    answer = library.get("/api/solutions/turn/compare", params=query)
    assert answer.status_code == status
    if option is not None:
        assert answer.json()["option"] == option


def test_a_solution_is_made_again(library: TestClient, workers: list[ScriptedWorker]) -> None:
    game = library.get("/api/solutions/kuhn/again").json()
    assert (game["kind"], game["game"], game["form"]) == ("game", "kuhn", None)
    assert game["options"]["iterations"] == "20"
    job = library.post("/api/jobs", json={"game": game["game"], "options": game["options"]})
    assert job.status_code == 201, job.text
    spot = library.get("/api/solutions/turn/again").json()
    assert (spot["kind"], spot["options"]) == ("spot", None)
    checked = library.post("/api/setup/check", json={"form": spot["form"]}).json()
    assert checked["spot"] == SPOT.to_toml()
    assert checked["errors"] == []
    run = {key: spot["form"][key] for key in ("iterations", "target", "seconds", "storage")}
    assert run == {"iterations": "10", "target": "", "seconds": "", "storage": "float32"}
    assert library.get("/api/solutions/nosuch/again").status_code == 404
