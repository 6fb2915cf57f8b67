"""`equilibrist hands show` and `convert`: files of hands, whoever wrote them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from pokerkit import HandHistory

from equilibrist.errors import ConfigError, FileFormatError, UnsupportedError
from tests.cli.command import Shell
from tests.play.histories.test_sessions import pokerkit_samples
from tests.play.histories.test_site_texts import SAMPLES


@pytest.fixture(autouse=True)
def files(folder: Path) -> None:
    for name in ("pokerstars", "ggpoker"):
        shutil.copy(SAMPLES / f"{name}.txt", folder / f"{name}.txt")


def test_hands_are_shown(shell: Shell) -> None:
    ran = shell("hands show pokerstars.txt").ok()
    assert ran.out.count("hand ") == 6
    assert "left out hand 5, line 151" in ran.err
    assert "BB mucks" in ran.out
    ran = shell("hands show ggpoker.txt --hand 2").ok()
    assert "SB raises to 1,250 (all-in), BB calls 1,170" in ran.out
    assert ran.err == ""
    assert shell("hands show ggpoker.txt --hand TM987").ok().out == ran.out


def test_the_document_has_the_hands_and_what_was_left_out(shell: Shell) -> None:
    document = shell("hands show pokerstars.txt --json").ok().json
    assert document["form"] == "pokerstars"
    assert [hand["number"] for hand in document["hands"]] == [1, 2, 3, 4, 6, 7]
    assert [(out["number"], out["line"]) for out in document["left_out"]] == [(5, 151)]
    first = document["hands"][0]
    assert (first["hero"], first["board"], first["rake"]) == ("D", "Ac3d4s", 0.01)
    assert first["date"] == "2022-12-31T08:05:09"
    hero = first["players"][2]
    assert hero == {
        "player": "p3",
        "name": "D",
        "position": "HJ",
        "seat": 4,
        "stack": 2,
        "cards": "AhAd",
        "folded": None,
        "paid": 0.09,
        "collected": 0.2,
        "won": 0.11,
    }
    raised = {"player": "D", "action": "raises", "amount": 0.08, "all_in": False}
    assert first["streets"][0]["actions"][0] == raised
    assert sum(player["won"] for player in first["players"]) == pytest.approx(-0.01)
    one = shell("hands show pokerstars.txt --hand 3 --json").ok().json
    assert [hand["line"] for hand in one["hands"]] == [76]


def test_hands_that_cannot_be_shown(shell: Shell, folder: Path) -> None:
    shell("hands show pokerstars.txt --hand 9").refused(ConfigError, option="hand", given="9")
    shell("hands show pokerstars.txt --hand 5").refused(
        UnsupportedError, option="hand", given="5", place="line 151"
    )
    (folder / "cut.txt").write_text((SAMPLES / "ggpoker.txt").read_text()[:700])
    shell("hands show cut.txt").refused(UnsupportedError, option="hands", place="line 27")
    (folder / "w.txt").write_text("Winamax Poker - CashGame - HandId: #1 - Holdem no limit\n")
    shell("hands show w.txt").refused(FileFormatError, option="hands", path="w.txt")
    shell("hands show none.txt").refused(FileFormatError, option="file")


def test_draw_games_are_left_out(shell: Shell, folder: Path) -> None:
    (folder / "badugi.phh").write_text(pokerkit_samples()["FB"])
    shell("hands show badugi.phh").refused(UnsupportedError, option="hands", place="line 1")
    shell("hands show badugi.phh --hand 1").refused(UnsupportedError, option="hand", given="1")


def test_a_session_becomes_phh(shell: Shell, folder: Path) -> None:
    """Several hands are of PHHS, as PHH has one a file; no other file is written."""
    ran = shell("hands convert pokerstars.txt --to phh").ok()
    assert "wrote 6 hands to pokerstars.phhs" in ran.err
    with (folder / "pokerstars.phhs").open("rb") as file:
        hands = list(HandHistory.load_all(file))
    assert len(hands) == 6
    assert not any(list(hand)[-1].status for hand in hands)
    shell("hands convert pokerstars.txt one.phh").refused(ConfigError, option="target")
    assert not (folder / "one.phh").exists()


@pytest.mark.parametrize("form", ["phhs", "ohh", "jsonl", "pokerstars", "ggpoker"])
def test_other_forms_show_the_same(shell: Shell, folder: Path, form: str) -> None:
    shell(f"hands convert ggpoker.txt --to {form} x.out").ok()
    documents = [
        shell(f"hands show {name} --hand 2 --json").ok().json["hands"][0]
        for name in ("ggpoker.txt", "x.out")
    ]
    for name in ("streets", "showdown", "board", "rake", "posts"):
        assert documents[0][name] == documents[1][name], name
    if form == "jsonl":
        first = json.loads((folder / "x.out").read_text().splitlines()[0])
        assert first["phh"]["variant"] == "NT"


def test_forms_that_are_none(shell: Shell) -> None:
    shell("hands convert ggpoker.txt").refused(ConfigError, option="to")
    shell("hands convert ggpoker.txt --to xml").refused(ConfigError, option="to", given="xml")
    shell("hands convert ggpoker.txt x.doc").refused(ConfigError, option="target")
    shell("hands convert ggpoker.txt --to pokerstars").refused(
        ConfigError, option="target", given="ggpoker.txt"
    )
    shell("hands convert ggpoker.txt --to acpc").refused(UnsupportedError, option="hands")
