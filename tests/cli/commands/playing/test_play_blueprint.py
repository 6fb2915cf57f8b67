"""`equilibrist play` of a blueprint: whole hands through scripted input."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest

from equilibrist.errors import ConfigError, FileFormatError, MismatchError
from equilibrist.poker import Hand, build_card_buckets
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.policy import WHOLE, Blueprint
from equilibrist.poker.blueprint.training.train import train_blueprint
from tests.cli.command import Ran, Shell

HAND = Hand(stack=12, bets="50%,100%,a", raises="100%,a", deck="Q")


@pytest.fixture(scope="module")
def blueprints(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("blueprint")
    cards = build_card_buckets(
        "all/6/6/4", folder / "q.safetensors", lowest_rank=10, restarts=1, passes=3, sample=1000,
        threads=1,
    )  # fmt: skip
    train_blueprint(HAND, cards, iterations=4).save(folder / "b.safetensors")
    train_blueprint(HAND, cards, iterations=2, seed=1).save(folder / "c.safetensors")
    other = HAND.replace(stack=6)
    train_blueprint(other, cards, iterations=1).save(folder / "other.safetensors")
    two = AbstractGame(HAND, cards.counts)
    sampled = np.full(two.num_slots, WHOLE // 4, np.uint16)
    record = {"algorithm": "external", "boards": 2000}
    Blueprint(two, cards, sampled, record).save(folder / "sampled.safetensors")
    three = AbstractGame(HAND.replace(seats=3, bets="100%,a", raise_cap=2), cards.counts)
    uniform = np.full(three.num_slots, WHOLE // 4, np.uint16)
    Blueprint(three, cards, uniform).save(folder / "three.safetensors")
    return folder


@pytest.fixture
def play(shell: Shell, blueprints: Path, monkeypatch: pytest.MonkeyPatch):
    def run(options: str, typed: str = "", file: str = "b") -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return shell(f"play {blueprints / file}.safetensors {options}")

    return run


def test_what_a_blueprint_was_trained_on_is_said(play) -> None:
    assert "trained on 2,000 deals" in play("--hands 1", "q\n", "sampled").ok().err
    assert "trained on 16 boards" in play("--hands 1", "q\n").ok().err


@pytest.mark.slow
def test_whole_hands_with_coach_and_score(play, tmp_path: Path) -> None:
    log = tmp_path / "hands.jsonl"
    typed = "ai\n" + "2\n" * 40
    ran = play(f"--coach --show-ai --hands 3 --seed 4 --log {log}", typed).ok()
    assert "coach: a blueprint has no exact values" in ran.err
    assert "(SB)" in ran.out
    assert "(BB)" in ran.out  # the button alternates
    assert ran.out.count("is over:") == 3
    assert "EV (estimate)" in ran.out
    assert "drawn from" in ran.out
    assert "The AI has not acted yet" in ran.out
    assert "the score after 3 hands, in big blinds" in ran.out
    assert "--seed 4 deals the same hands again" in ran.out
    again = play("--coach --show-ai --hands 3 --seed 4", typed).ok()
    assert again.out == ran.out
    header, *hands = map(json.loads, log.read_text("utf-8").splitlines())
    assert header["seats"] == ["you", "AI"]
    assert [sum(hand["payoffs"]) for hand in hands] == [0, 0, 0]
    boards = [sum(m["action"].split()[0] in {"flop", "turn", "river"} for m in h["moves"])
              for h in hands]  # fmt: skip
    assert max(boards) == 5  # to the river


@pytest.mark.slow
def test_bets_off_the_menu_are_mapped_and_said(play) -> None:
    ran = play("--hands 1 --seed 4 --coach", "raise 2.5\n" + "2\n" * 20).ok()
    assert "A bet of 2.50 big blinds, 75.0% of the pot, is mapped to Raise 2 (" in ran.out
    assert ", not the bet of 2.50 big blinds" in ran.out
    refused = play("--hands 1 --seed 4", "raise 13\n2\n" + "2\n" * 20).ok()
    assert "from 2 to 12 big blinds" in refused.out


def test_strategies_play_among_themselves(play, blueprints: Path) -> None:
    ran = play("--seats ai,uniform --hands 20 --quiet --seed 3").ok()
    assert "the score after 20 hands" in ran.out
    play(f"--seats ai,{blueprints / 'c.safetensors'} --hands 2 --quiet").ok()
    play(f"--seats ai,{blueprints / 'other.safetensors'} --hands 2").refused(MismatchError)


def test_three_seats_play_with_ranges_coach_and_bets_off_the_menu(
    play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("equilibrist.poker.blueprint.evaluation.sampled_values.BLOCK", 128)
    log = tmp_path / "hands.jsonl"
    typed = "ai\nraise 3\n" + "2\n" * 20
    options = f"--seats ai,ai,human --coach --show-ai --hands 2 --seed 4 --log {log}"
    ran = play(options, typed, "three").ok()
    assert "you (BTN)" in ran.out
    assert "you (BB)" in ran.out  # the button has moved on
    assert "EV (estimate)" in ran.out
    assert " ± " in ran.out
    assert "A bet of 3.00 big blinds" in ran.out
    assert "is mapped to" in ran.out
    assert "The AI has not acted yet" in ran.out
    header, *hands = map(json.loads, log.read_text("utf-8").splitlines())
    assert header["seats"] == ["AI 1", "AI 2", "you"]
    assert [hand["seats"] for hand in hands] == [[0, 1, 2], [1, 2, 0]]
    assert [sum(hand["payoffs"]) for hand in hands] == pytest.approx([0, 0])
    opened = play("--hands 1 --seed 4 --open", "ai\n" + "2\n" * 20, "three").ok()
    assert "drawn from" in opened.out
    assert "The AI, with its whole range" in opened.out
    play("--seats human,ai", file="three").refused(ConfigError, option="--seats", expected=3)


def test_strategies_whose_card_buckets_have_moved(
    shell: Shell, blueprints: Path, tmp_path: Path
) -> None:
    """Those of `--cards` serve both, where both were trained with them."""
    files = {}
    for name in ("b.safetensors", "c.safetensors"):
        files[name] = tmp_path / name
        files[name].write_bytes((blueprints / name).read_bytes())
    cards = blueprints / "q.safetensors"
    away = cards.rename(blueprints / "away.safetensors")
    try:
        words = f"play {files['b.safetensors']} --seats ai,{files['c.safetensors']} --hands 2"
        shell(f"{words} --quiet --cards {away}").ok()
        (tmp_path / cards.name).write_bytes(away.read_bytes())
        shell(f"{words} --quiet").ok()
    finally:
        away.rename(cards)


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ("--seat oop", "--seat"),
        ("--drill C-X", "--drill"),
        ("--seats human", "--seats"),
        ("--seats ai,ai --coach", "--coach"),
        ("--game kuhn", "--game"),
    ],
)
def test_options_that_do_not_fit(play, options: str, option: str) -> None:
    play(options).refused(ConfigError, option=option)


def test_card_buckets_are_not_played(shell: Shell, blueprints: Path) -> None:
    shell(f"play {blueprints / 'q.safetensors'}").refused(FileFormatError, given="card-buckets")


@pytest.mark.slow
def test_exact_solutions_before_the_flop_are_played(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "pf.safetensors"
    options = "--stack 10 --bets 2x,a --raises a --last-street preflop --iterations 20 --quiet"
    shell(f"preflop solve {options} --out {file}").ok()
    monkeypatch.setattr("sys.stdin", io.StringIO("2\n" * 12))
    ran = shell(f"play {file} --coach --hands 2 --seed 3").ok()
    assert ran.out.count("is over:") == 2
    assert "the solution plays" in ran.out
    assert "big blinds; " in ran.out or "no EV loss" in ran.out
    shell(f"play {file} --seats ai,{file}").refused(ConfigError, option="--seats")
    shell(f"play {file} --seats ai").refused(ConfigError, option="--seats", expected=2)
