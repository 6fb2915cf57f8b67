"""Whole hands in PHH: PokerKit replays every hand to the same chips."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pokerkit import HandHistory

from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.play import (
    HandGame,
    HandRecord,
    Move,
    Person,
    PhhLog,
    Session,
    SpotGame,
    Table,
    UniformAgent,
    hand_history,
)
from equilibrist.play.hands.push_fold import PushFoldGame
from equilibrist.poker import Hand, PushFold
from tests.play.spots.test_game import RIVER
from tests.refusals import refuses

SIZES: dict[str, Any] = {"bets": "50%,a", "raises": "100%,a"}
HANDS = {
    "two": Hand(stacks="15/40", **SIZES),
    "two, antes": Hand(stack=20, ante=0.12, **SIZES),
    "two, ante of the big blind": Hand(stack=20, ante=1, ante_kind="big-blind", **SIZES),
    "two, no blinds": Hand(stack=1000, blinds="0/0", ante=50, fixed_bets="100/100", **SIZES),
    "two, an ante and no blinds": Hand(
        stacks="1000/700",
        blinds="0/0",
        ante=50,
        ante_kind="big-blind",
        fixed_bets="100/200",
        **SIZES,
    ),
    "four, an ante and no blinds": Hand(
        stack=1000, seats=4, blinds="0/0", ante=50, fixed_bets="300/100", **SIZES
    ),
    "six": Hand(stacks="500/1200/3000/800/150/2000", seats=6, blinds="50/100", ante=10, **SIZES),
    "straddles": Hand(stack=3000, seats=5, blinds="50/100", straddle="200/400", **SIZES),
    "cents": Hand(stack="12.35", seats=4, blinds="0.05/0.1", **SIZES),
    "every amount": Hand(stack=20, seats=4, blinds="1/2"),
    "limit": Hand(stack=700, seats=3, blinds="50/100", limit="limit", fixed_bets="100/200"),
    "up to the flop": Hand(stack=15, seats=3, last_street="flop", **SIZES),
    "before the flop": Hand(stack=15, seats=3, last_street="preflop", **SIZES),
    "up to the turn": Hand(stack=15, unit=0.1, last_street="turn", **SIZES),
    "two, a short small blind": Hand(stacks="0.3/40", **SIZES),
    "two, a short big blind": Hand(stacks="20/0.8", **SIZES),
    "two, short of the ante": Hand(stacks="20/0.2", ante=0.5, **SIZES),
    "three, a big blind short of its ante": Hand(
        seats=3, stacks="20/0.7/9", ante=1, ante_kind="big-blind", **SIZES
    ),
    "five, short of antes and blinds": Hand(seats=5, stacks="0.6/0.9/0.2/7/9", ante=0.5, **SIZES),
    "four, no blind is left": Hand(seats=4, stacks="0.3/0.5/9/7", ante=0.5, **SIZES),
    "no raise after a short all-in": Hand(
        seats=4, stacks="20/1.71/9/20", first_short_all_in_reopens=False, **SIZES
    ),
    "six plus": Hand(stack=10, seats=4, ante=0.1, deck="short", **SIZES),
    "short deck": Hand(stack=10, deck="6", suits=3, **SIZES),
}


def played(hand: Hand, seed: int = 3) -> Session:
    return Session(HandGame(hand), [UniformAgent(f"s{k}") for k in range(hand.seats)], seed=seed)


def replayed(hand: Hand, hands: int) -> int:
    """The boards that were dealt in full; AssertionError where PokerKit has other stacks."""
    session: Any = played(hand)
    boards = 0
    names = [seat.name for seat in session.seats]
    for record in session.play(hands):
        history = HandHistory.loads(hand_history(session.game, record, names).dumps())
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
@pytest.mark.by_default(10)
def test_pokerkit_ends_with_the_same_chips(hand: Hand) -> None:
    assert replayed(hand, 25) > 0


@pytest.mark.slow
@pytest.mark.parametrize("hand", HANDS.values(), ids=HANDS)
def test_pokerkit_ends_many_hands_with_the_same_chips(hand: Hand) -> None:
    assert replayed(hand, 100) > 4


@pytest.mark.parametrize("in_chips", [True, False])
def test_stacks_of_a_tournament_are_chips(in_chips: bool) -> None:
    """Payoffs are shares of the prize pool, which no history has."""
    stacks, blinds = ((1000, 600, 2500), (50, 100)) if in_chips else ((10, 6, 25), (0.5, 1))
    pushes = PushFold(stacks, blinds, payouts=(50, 30, 20), others=(15 * blinds[1],))
    session: Any = Session(PushFoldGame(pushes), [UniformAgent(f"s{k}") for k in range(3)], seed=4)
    showdowns = 0
    for record in session.play(40):
        history = HandHistory.loads(hand_history(session.game, record, ["a", "b", "c"]).dumps())
        final = list(history)[-1]
        assert final.stacks == history.finishing_stacks
        assert sum(final.stacks) == sum(history.starting_stacks)
        assert min(final.stacks) >= 0
        assert "prize" not in str(history.user_defined_fields)
        showdowns += sum(map(len, final.board_cards)) == 5
    assert showdowns > 3


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
    """The big blind is p1; what is over before the river is checked through, seats are shown.

    EV losses are in the unit of the amounts, as 0.25 big blinds are 25.
    """
    hand = Hand(stack=20, bets="2.5x,a|50%,a", raises="a", last_street="flop")
    labels = ("SB AhKh", "BB 7d7c", "R2.5", "C", "flop Td", "flop 2s", "flop 9h", "X", "B2.5", "C")
    assert told(hand, *labels, "turn 3c", "river 4c") == [
        "d dh p1 7d7c", "d dh p2 AhKh",
        "p2 cbr 250 # EV loss 25", "p1 cc # EV loss 25", "d db Td9h2s",
        "p1 cc # EV loss 25", "p2 cbr 250 # EV loss 25", "p1 cc # EV loss 25",
        "d db 3c", "p1 cc", "p2 cc", "d db 4c", "p1 cc", "p2 cc",
        "p1 sm 7d7c", "p2 sm AhKh",
    ]  # fmt: skip


SHORT = Hand(stacks="3000/3000/3000/400/500/550", seats=6, blinds="50/100", bets="3x,a", raises="a")
SHORT_LINE = ("R300", "A400", "A500", "A550", "F", "C", "A3000", "F")


def dealt(hand: Hand, *labels: str) -> HandRecord:
    """A hand with the first cards that are free."""
    game = HandGame(hand)
    table = Table.start(game)
    left = list(labels)
    while not table.over:
        index = table.actions.index(left.pop(0)) if table.player >= 0 else 0
        table = table.play(index)
    assert not left
    return HandRecord(7, tuple(range(hand.seats)), table.moves, table.payoffs)


def test_a_hand_that_pokerkit_does_not_allow_is_left_out(tmp_path: Path) -> None:
    """PokerKit forgets short all-ins that add up to a full raise."""
    record = dealt(SHORT, *SHORT_LINE)
    session = played(SHORT)
    names = [seat.name for seat in session.seats]
    with refuses(UnsupportedError, option="record", given="p3 cbr 3000"):
        hand_history(HandGame(SHORT), record, names)
    path = tmp_path / "hands.phhs"
    with PhhLog(path) as log:
        log.begin(session)
        first, second = session.play(2)
        for one in (first, record, second):
            log.add(one)
    text = path.read_text("utf-8")
    assert "# Hand 7 is left out." in text
    assert len(list(HandHistory.loads_all(text))) == 2
    assert "\n[2]\n" in text


def test_any_names_and_numbers(tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs"
    names = ["it's\na \x01", "x'''y\\ é \""]
    session = Session(HandGame(HANDS["two"]), [UniformAgent(name) for name in names], seed=3)
    for hands in (2, 2):
        with PhhLog(path) as log:
            log.begin(session)
            for record in session.play(hands):
                log.add(record)
        if "[3]" not in path.read_text("utf-8"):  # the first hand is taken out of the file
            path.write_text("[2]" + path.read_text("utf-8").partition("[2]")[2], "utf-8")
    text = path.read_text("utf-8")
    assert [line for line in text.splitlines() if line.startswith("[")] == ["[2]", "[3]", "[4]"]
    first = next(iter(HandHistory.loads_all(text)))
    assert sorted(first.players or []) == ["it's\\na \\x01", "x''y\\ é \""]


def test_spots_and_whole_hands_in_one_log(tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs"
    spot = Session(SpotGame(RIVER), [UniformAgent("a"), UniformAgent("b")], seed=1)
    for session in (spot, played(HANDS["six"]), spot):
        with PhhLog(path) as log:
            log.begin(session)
            for record in session.play(2):
                log.add(record)
    read = list(HandHistory.loads_all(path.read_text("utf-8")))
    assert [len(one.starting_stacks) for one in read] == [2, 2, 6, 6, 2, 2]
    assert not any(list(one)[-1].status for one in read)


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
        {"blinds": "50/50", "stack": 1000},
        {"board": "3"},
        {"hole_cards": 1},
    ],
    ids=str,
)
def test_what_phh_does_not_have(tmp_path: Path, keys: dict[str, Any]) -> None:
    game = HandGame(Hand(**{"stack": 20, **keys}))
    session = Session(game, [Person(f"{k}") for k in range(game.num_players)])
    path = tmp_path / "hands.phhs"
    with PhhLog(path) as log, refuses(ConfigError, option="log", given=str(path)):
        log.begin(session)
    assert not path.exists()
    with refuses(ConfigError, option="game", given=game.name):
        hand_history(game, HandRecord(1, (0, 1), (), (0.0, 0.0)), ["a", "b"])


def test_a_hand_of_another_game() -> None:
    two, six = HandGame(HANDS["two"]), HandGame(HANDS["six"])
    with refuses(ConfigError, option="record"):
        hand_history(six, HandRecord(1, (0, 1), (), (0.0, 0.0)), ["a", "b"])
    with refuses(ConfigError, option="names"):
        hand_history(two, HandRecord(1, (0, 1), (), (0.0, 0.0)), ["a"])
    other = dealt(Hand(stack=20, bets="2x,3x,4x,5x,a"), "R5", "F")
    with refuses(ConfigError, option="record"):
        hand_history(two, other, ["a", "b"])
