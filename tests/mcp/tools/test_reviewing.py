"""Hands reviewed by the tool: the worst first, reviews that go on, and what is refused."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from mcp import Client

from equilibrist.mcp.tools import reviewing
from tests.mcp.asking import Ask, answer, serving
from tests.play.review.hands import history, on_river, text_of
from tests.play.review.test_review import PUSHES, river


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EQUILIBRIST_DATA_DIR", str(tmp_path / "own"))
    folder = tmp_path / "folder"
    (folder / "library").mkdir(parents=True)
    hands = [
        on_river("p1 cc", "p2 cbr 100", "p1 f"),
        history("d dh p1 AcAd", "d dh p2 7h2d", "p2 cbr 1000", "p1 f"),
    ]
    (folder / "hands.phhs").write_text(text_of(hands))
    river().save(folder / "library" / "river.spot")
    PUSHES.save(folder / "library" / "chart.safetensors")
    return folder


def test_the_worst_decisions_come_first(folder: Path) -> None:
    told = answer(folder, "review_hands", file="hands.phhs", against=["library"], worst=2, wait=40)
    assert told["state"] == "done"
    assert told["hands"] == 2
    assert "big blinds" in told["units"]
    losses = [row["loss_bb"] for row in told["worst"]]
    assert losses == sorted(losses, reverse=True)
    assert told["lost_anything"] >= len(losses) == 2
    assert told["worst"][0]["best"]
    judged, unjudged = told["total"]["judged"], told["total"]["unjudged"]
    table = (folder / told["table"]).read_text().splitlines()
    assert len(table) == 1 + judged + unjudged
    one = ["library/river.spot"]
    only = answer(folder, "review_hands", file="hands.phhs", against=one, wait=40)
    assert only["total"]["judged"] < judged
    assert sum(only["unjudged"].values()) == only["total"]["unjudged"]
    assert {*only["first_of_each"]} == {*only["unjudged"]}
    assert all(text.startswith("hand ") for text in only["first_of_each"].values())


def test_a_long_review_goes_on_and_can_be_ended(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = threading.Event()
    check = reviewing.RunningReview.check

    def waiting(running: reviewing.RunningReview) -> None:
        goes_on.wait(20)
        check(running)

    monkeypatch.setattr(reviewing.RunningReview, "check", waiting)

    async def script(ask: Ask, _client: Client) -> None:
        given = {"file": "hands.phhs", "against": ["library"]}
        begun = await ask("review_hands", **given, wait=0.3)
        assert begun["state"] == "running"
        await ask("list_games")
        await ask("review_hands", **given, wait=0)
        refused = await ask("review_hands", fails=True, **given)
        assert (refused["kind"], refused["option"]) == ("ConflictError", "review")
        assert begun["review"] in refused["remedy"]
        ended = await ask("review_hands", review=begun["review"], stop=True, wait=0)
        assert ended["state"] == "running"
        goes_on.set()
        ended = await ask("review_hands", review=begun["review"], wait=20)
        assert ended["state"] == "stopped"

    serving(folder, script)


@pytest.mark.parametrize(("given", "kind", "option"), [
    ({}, "ConfigError", "file"),
    ({"file": "hands.phhs"}, "ConfigError", "against"),
    ({"file": "lost.txt", "against": ["library"]}, "FileFormatError", "file"),
    ({"file": "hands.phhs", "against": ["../x"]}, "ForbiddenError", "against"),
    ({"file": "hands.phhs", "against": ["library"], "hero": "Eve"}, "ConfigError", "hero"),
    ({"file": "library/river.spot", "against": ["library"]}, "FileFormatError", "hands"),
    ({"file": "hands.phhs", "solve": True, "ranges": "AA"}, "ConfigError", "ranges"),
    ({"review": "none"}, "NotFoundError", "review"),
])  # fmt: skip
def test_what_is_refused(given: dict[str, object], kind: str, option: str, folder: Path) -> None:
    error = answer(folder, "review_hands", fails=True, wait=40, **given)
    assert (error["kind"], error["option"]) == (kind, option), error
