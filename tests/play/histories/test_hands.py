"""Whole hands in PHH: PokerKit replays every hand to the same chips."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pokerkit import HandHistory

from equilibrist.errors import ConfigError
from equilibrist.play import (
    HandGame,
    HandRecord,
    Move,
    Person,
    PhhLog,
    Session,
    Table,
    UniformAgent,
    hand_history,
)
from equilibrist.poker import Hand
from tests.refusals import refuses

SIZES: dict[str, Any] = {"bets": "50%,a", "raises": "100%,a"}
HANDS = {
    "two": Hand(stacks="15/40", **SIZES),
    "two, antes": Hand(stack=20, ante=0.12, **SIZES),
    "two, ante of the big blind": Hand(stack=20, ante=1, ante_kind="big-blind", **SIZES),
    "two, no blinds": Hand(stack=1000, blinds="0/0", ante=50, fixed_bets="100/100", **SIZES),
    "six": Hand(stacks="500/1200/3000/800/150/2000", seats=6, blinds="50/100", ante=10, **SIZES),
    "straddles": Hand(stack=3000, seats=5, blinds="50/100", straddle="200/400", **SIZES),
    "cents": Hand(stack="12.35", seats=4, blinds="0.05/0.1", **SIZES),
    "every amount": Hand(stack=20, seats=4, blinds="1/2"),
    "limit": Hand(stack=700, seats=3, blinds="50/100", limit="limit", fixed_bets="100/200"),
    "up to the flop": Hand(stack=15, seats=3, last_street="flop", **SIZES),
    "short deck": Hand(stack=10, deck="6", **SIZES),
}


def played(hand: Hand, seed: int = 3) -> Session:
    return Session(HandGame(hand), [UniformAgent(f"s{k}") for k in range(hand.seats)], seed=seed)


def replayed(hand: Hand, hands: int) -> int:
    """The boards that were dealt in full; AssertionError where PokerKit has other stacks."""
    session, boards = played(hand), 0
    names = [seat.name for seat in session.seats]
    for record in session.play(hands):
        history = HandHistory.loads(hand_history(session.game, record, names).dumps())  # type: ignore[arg-type]
        final = list(history)[-1]
        assert not final.status, "the hand is not over"
        assert final.stacks == history.finishing_stacks
        scale = hand.rules.scale
        won = [s - b for s, b in zip(final.stacks, history.starting_stacks, strict=True)]
        assert history.players is not None
        for name, each in zip(history.players, won, strict=True):
            player = record.seats.index(names.index(name))
            assert scale.chips(each) == pytest.approx(record.payoffs[player])
        boards += sum(map(len, final.board_cards)) == 5
    return boards


@pytest.mark.parametrize("hand", HANDS.values(), ids=HANDS)
def test_pokerkit_ends_with_the_same_chips(hand: Hand) -> None:
    assert replayed(hand, 25) > 0


@pytest.mark.slow
@pytest.mark.parametrize("hand", HANDS.values(), ids=HANDS)
def test_pokerkit_ends_many_hands_with_the_same_chips(hand: Hand) -> None:
    assert replayed(hand, 250) > 10


def told(hand: Hand, *labels: str) -> list[str]:
    """The actions of a hand in PHH."""
    game = HandGame(hand)
    table = Table.start(game)
    for label in labels:
        table = table.play(table.actions.index(label))
    moves = tuple(
        Move(
            move.player,
            move.infoset,
            move.actions,
            move.index,
            ev_loss=0.25 if move.infoset else None,
        )
        for move in table.moves
    )
    record = HandRecord(1, tuple(range(hand.seats)), moves, (0.0,) * hand.seats)
    return list(hand_history(game, record, ["you", "AI", "C"][: hand.seats]).actions)


def test_actions_of_a_hand() -> None:
    """The big blind is p1; what is over before the river is checked through, seats are shown."""
    hand = Hand(stack=20, bets="2.5x,a|50%,a", raises="a", last_street="flop")
    labels = ("SB AhKh", "BB 7d7c", "R2.5", "C", "flop Td", "flop 2s", "flop 9h", "X", "B2.5", "C")
    assert told(hand, *labels, "turn 3c", "river 4c") == [
        "d dh p1 7d7c", "d dh p2 AhKh",
        "p2 cbr 250 # EV loss 0.25", "p1 cc # EV loss 0.25", "d db Td9h2s",
        "p1 cc # EV loss 0.25", "p2 cbr 250 # EV loss 0.25", "p1 cc # EV loss 0.25",
        "d db 3c", "p1 cc", "p2 cc", "d db 4c", "p1 cc", "p2 cc",
        "p1 sm 7d7c", "p2 sm AhKh",
    ]  # fmt: skip


def test_the_log_and_its_fields(tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs"
    session = played(HANDS["two"])
    with PhhLog(path) as log:
        log.begin(session)
        for record in session.play(3):
            log.add(record)
    first, second, _ = HandHistory.loads_all(path.read_text())
    assert (first.starting_stacks, second.starting_stacks) == ([4000, 1500], [4000, 1500])
    assert (first.players, second.players) == (["s1", "s0"], ["s0", "s1"])
    assert first.user_defined_fields["_unit"] == "0.01 big blinds"
    assert (first.variant, first.min_bet, first.blinds_or_straddles) == ("NT", 100, [50, 100])


@pytest.mark.parametrize(
    "keys",
    [
        {"limit": "pot-limit"},
        {"seats": 3, "short_all_in_reopens": True},
        {"limit": "limit", "raise_cap": 4},
        {"board": "3"},
        {"hole_cards": 1},
    ],
    ids=str,
)
def test_what_phh_does_not_have(tmp_path: Path, keys: dict[str, Any]) -> None:
    game = HandGame(Hand(stack=20, **keys))
    session = Session(game, [Person(f"{k}") for k in range(game.num_players)])
    path = tmp_path / "hands.phhs"
    with PhhLog(path) as log, refuses(ConfigError, option="log", given=str(path)):
        log.begin(session)
    assert not path.exists()
    with refuses(ConfigError, option="game"):
        hand_history(game, HandRecord(1, (0, 1), (), (0.0, 0.0)), ["a", "b"])


def test_a_hand_of_other_seats() -> None:
    game = HandGame(HANDS["six"])
    with refuses(ConfigError, option="record"):
        hand_history(game, HandRecord(1, (0, 1), (), (0.0, 0.0)), ["a", "b"])
