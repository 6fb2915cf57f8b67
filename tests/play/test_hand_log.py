"""Logs: what was written is played again to the same payoffs, whatever happened in between."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist.errors import FileFormatError, MismatchError, OutputError
from equilibrist.play import HandLog, Person, Session, StrategyAgent, UniformAgent, read_log
from tests.refusals import refuses
from tests.slow_cases import examples
from tests.strategy.random_strategies import random_strategy


def logged(path: Path, name: str, hands: int, seed: int = 0) -> Session:
    tree = eq.compile_game(name)
    agents = [
        StrategyAgent(random_strategy(tree, p), f"agent {p}") for p in range(tree.num_players)
    ]
    session = Session(tree.game, agents, seed=seed)
    with HandLog(path) as log:
        log.begin(session)
        for record in session.play(hands):
            log.add(record)
    return session


@pytest.mark.parametrize(
    "name", ["leduc", "kuhn(players=3)", "goofspiel(cards=3,imp_info=true)", "random_tree(seed=3)"]
)
def test_logged_hands_replay_to_the_same_payoffs(tmp_path: Path, name: str) -> None:
    path = tmp_path / "hands.jsonl"
    session = logged(path, name, 40)
    (found,) = read_log(path)
    game = eq.load_game(found.game)
    totals = [0.0] * len(found.seats)
    for hand in found.hands:
        table = hand.replay(game)
        for seat, payoff in zip(hand.seats, table.payoffs, strict=True):
            totals[seat] += payoff
    assert [hand.hand for hand in found.hands] == list(range(1, 41))
    assert totals == pytest.approx(session.score.totals)
    assert found.seats == tuple(seat.name for seat in session.seats)
    assert (found.seed, found.alternate) == (0, True)


def test_sessions_are_added_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    logged(path, "kuhn", 3)
    before = path.read_bytes()
    logged(path, "leduc", 2, seed=5)
    assert path.read_bytes().startswith(before)
    assert [(s.game, len(s.hands), s.seed) for s in read_log(path)] == [
        ("kuhn", 3, 0),
        ("leduc", 2, 5),
    ]


def test_every_hand_is_there_once_it_is_over(tmp_path: Path) -> None:
    """Without closing: what a killed program leaves behind."""
    path = tmp_path / "hands.jsonl"
    session = Session(eq.load_game("kuhn"), [Person("you"), UniformAgent()])
    log = HandLog(path)
    log.begin(session)
    for number in range(1, 4):
        turn = session.deal()
        while turn is not None:
            turn = session.choose("bet")
        assert session.last is not None
        log.add(session.last)
        assert len(read_log(path)[0].hands) == number
    log.close()
    log.close()


@pytest.mark.parametrize("cut", [1, 2, 20, 150])
def test_a_line_that_was_cut_off_costs_no_other(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "hands.jsonl"
    logged(path, "kuhn", 3)
    path.write_bytes(path.read_bytes()[:-cut])
    whole = 3 if cut == 1 else 2
    assert len(read_log(path)[0].hands) == whole
    logged(path, "kuhn", 2)
    assert [len(s.hands) for s in read_log(path)] == [whole, 2]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize(
    ("line", "change", "fields"),
    [
        (0, {"version": 3}, dict(option="version", given=3)),
        (0, {"format": "other"}, dict(option="format", given="other")),
        (0, {"seed": "x"}, dict(option="seed", given="x", place="line 1")),
        (1, {"payoffs": "1"}, dict(option="payoffs", given="1", place="line 2")),
        (1, {"hand": 0}, dict(option="hand", given=0, place="line 2")),
        (1, {"more": 1}, dict(option="more", given=1, place="line 2")),
        (1, {"moves": [{"player": 0}]}, dict(option="moves.0.infoset", place="line 2")),
    ],
)
def test_what_is_no_log_is_refused_with_its_line(
    tmp_path: Path, line: int, change: dict[str, Any], fields: dict[str, Any]
) -> None:
    path = tmp_path / "hands.jsonl"
    logged(path, "kuhn", 2)
    rows = lines(path)
    rows[line] |= change
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")
    before = path.read_bytes()
    with refuses(FileFormatError, **fields):
        read_log(path)
    with refuses(FileFormatError, **fields):
        HandLog(path)
    assert path.read_bytes() == before


def test_logs_of_version_1_are_read_and_added_to(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    logged(path, "kuhn", 2)
    rows = lines(path)
    rows[0]["version"] = 1
    for hand in rows[1:]:
        for move in hand["moves"]:
            move["given_up"] = move.pop("ev_loss")
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")
    (old,) = read_log(path)
    logged(path, "kuhn", 2)
    assert [session.hands for session in read_log(path)] == [old.hands] * 2


@pytest.mark.parametrize(
    "text", ["notes\n", '{"hand": 1}\n', "[1]\n", "3\n", "\x00\n", '{"format": 3}\n', "[" * 100_000]
)
def test_other_files_stay_as_they_are(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(FileFormatError):
        HandLog(path)
    assert path.read_text() == text


def test_a_broken_line_in_the_middle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    logged(path, "kuhn", 3)
    rows = path.read_text().splitlines()
    rows[2] = rows[2][:-5]
    path.write_text("\n".join(rows) + "\n")
    with refuses(FileFormatError, option="line", place="line 3"):
        read_log(path)


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    with refuses(OutputError, option="folder"):
        HandLog(tmp_path / "no" / "hands.jsonl")
    with pytest.raises(OutputError):
        HandLog(tmp_path)
    with pytest.raises(FileFormatError):
        read_log(tmp_path / "none.jsonl")
    log = HandLog("/dev/full")
    with refuses(OutputError, option="log", given="No space left on device"):
        log.begin(Session(eq.load_game("kuhn"), [UniformAgent(), UniformAgent()]))
    log.close()


def test_hands_of_other_rules_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    logged(path, "kuhn", 20)
    (found,) = read_log(path)
    with refuses(MismatchError, option="action", given="3"):
        found.hands[0].replay(eq.load_game("leduc"))
    with refuses(MismatchError, option="payoffs"):
        found.hands[0].replay(eq.load_game("kuhn(bet=2,ante=2)"))


@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.integers(0, 10_000), st.integers(0, 20), st.binary(max_size=6)), max_size=4
    )
)
def test_damaged_logs_are_read_or_refused(
    tmp_path: Path, damage: list[tuple[int, int, bytes]]
) -> None:
    """Bytes cut out and put in anywhere: a log, or a FileFormatError that leaves it as it was."""
    source, path = tmp_path / "whole.jsonl", tmp_path / "damaged.jsonl"
    if not source.exists():
        logged(source, "kuhn", 3)
    data = source.read_bytes()
    for at, cut, put in damage:
        at %= len(data) + 1
        data = data[:at] + put + data[at + cut :]
    path.write_bytes(data)
    try:
        sessions = read_log(path)
    except FileFormatError:
        with pytest.raises(FileFormatError):
            HandLog(path)
        assert path.read_bytes() == data
        return
    for hand in (hand for session in sessions for hand in session.hands):
        with contextlib.suppress(MismatchError):
            hand.replay(eq.load_game("kuhn"))
