"""`equilibrist hands review`: text, JSON and CSV, folders, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, FileFormatError, OutputError
from tests.cli.command import Shell
from tests.play.review.hands import history, on_river, text_of
from tests.play.review.test_review import PUSHES, river


@pytest.fixture
def session(shell: Shell) -> Shell:
    hands = [
        on_river("p1 cc", "p2 cbr 100", "p1 f"),
        history("d dh p1 AcAd", "d dh p2 7h2d", "p2 cbr 1000", "p1 f"),
    ]
    Path("hands.phhs").write_text(text_of(hands))
    Path("library").mkdir()
    river().save("library/river.spot")
    PUSHES.save("library/chart.safetensors")
    Path("library/notes.txt").write_text("my notes\n")
    return shell


def test_a_folder_gives_each_hand_the_solution_that_fits(session: Shell) -> None:
    ran = session("hands review hands.phhs --against library --csv review.csv").ok()
    assert ran.out.startswith("2 hands, decisions of p2, p1")
    assert "worst decisions (" in ran.out
    document = json.loads(session("hands review hands.phhs --against library --json").ok().out)
    judged = {(each["hand"], each["against"]) for each in document["decisions"] if each["best"]}
    assert judged == {("1", "river.spot"), ("2", "chart.safetensors")}
    assert document["decisions"][0]["hand"] == "1"
    assert document["total"]["loss_bb"] == pytest.approx(
        sum(total["loss_bb"] for total in document["by_street"].values())
    )
    assert len(Path("review.csv").read_text().splitlines()) == 1 + len(document["decisions"])
    session("inspect review.csv").refused(FileFormatError, given="hand-review")
    only = session("hands review hands.phhs --against library --hero p2 --worst 1").ok().out
    assert "decisions of p2" in only


def test_what_cannot_be_judged_is_said_first_where_nothing_is(session: Shell) -> None:
    out = session("hands review hands.phhs --against library/river.spot --hero p2").ok().out
    assert "no decision could be judged" not in out
    Path("one.phh").write_text(history("d dh p1 AcAd", "d dh p2 7h2d", "p2 f").dumps())
    out = session("hands review one.phh --against library/river.spot").ok().out
    assert "no decision could be judged" in out
    assert "the solution begins on the river" in out


def test_wrong_options_and_files_are_refused(session: Shell) -> None:
    session("hands review hands.phhs").refused(ConfigError, option="--against")
    ranges = "--ranges 'AA|KK'"
    session(f"hands review hands.phhs --against library {ranges}").refused(
        ConfigError, option="--ranges"
    )
    session("hands review hands.phhs --solve --ranges AA").refused(ConfigError, option="--ranges")
    command = "hands review hands.phhs --against library"
    session(f"{command} --hero p1 --all").refused(ConfigError, option="--all")
    session(f"{command} --hero Eve").refused(ConfigError, option="hero", given="Eve")
    session(f"{command} --stacks-within 0.5").refused(ConfigError, option="--stacks-within")
    Path("empty").mkdir()
    session("hands review hands.phhs --against empty").refused(ConfigError, option="--against")
    session("hands review hands.phhs --against hands.phhs").refused(FileFormatError)
    session("hands review library/river.spot --against library").refused(FileFormatError)
    Path("other.csv").write_text("a,b\n")
    session(f"{command} --csv other.csv").refused(OutputError, option="--csv")


@pytest.mark.slow
def test_flops_are_solved_within_limits(session: Shell) -> None:
    limits = "--iterations 20 --bets a --raises '' --threads 1 --ranges 'AA,KK|QQ,AK' -q --json"
    document = session(f"hands review hands.phhs --solve {limits}").ok().json
    judged = [each for each in document["decisions"] if each["best"]]
    assert {each["street"] for each in judged} == {"flop", "turn", "river"}
    assert {each["against"] for each in judged} == {"solved flop"}
    both = session(f"hands review hands.phhs --against library --solve {limits}").ok().json
    judged_by = {(each["street"], each["against"]) for each in both["decisions"] if each["best"]}
    assert judged_by == {
        ("preflop", "chart.safetensors"),
        ("flop", "solved flop"),
        ("turn", "solved flop"),
        ("river", "river.spot"),
    }
    assert all("ranges: as given" in each["notes"][-1] for each in judged)


def test_spots_are_solved_for_the_first_hand_that_fits(session: Shell) -> None:
    Path("river.toml").write_text(river().spot.to_toml())
    command = "hands review hands.phhs --against river.toml --iterations 300 --target 0.001% --json"
    document = session(command).ok().json
    saved = session("hands review hands.phhs --against library/river.spot --json").ok().json
    assert document["total"]["loss"] == pytest.approx(saved["total"]["loss"], abs=0.05)
    Path("other.toml").write_text(river().spot.replace(board="AsAh2d3c9s", oop="QQ").to_toml())
    document = session("hands review hands.phhs --against other.toml --json").ok().json
    assert document["total"]["judged"] == 0
