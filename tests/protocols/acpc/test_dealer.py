"""The dealer: bad answers, old states, time limits, rotation, duplicates, logs, resumed matches."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.errors import ConfigError, FileFormatError, PeerError
from equilibrist.play.bots.fixed import FIXED
from equilibrist.protocols.acpc.client import Client, Player
from equilibrist.protocols.acpc.dealer import (
    Dealer,
    MatchResult,
    MatchSettings,
    Seat,
    TimeLimits,
    deal_cards,
)
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.log import MatchLog, read_log
from equilibrist.protocols.acpc.players import FixedPlayer
from equilibrist.protocols.acpc.rules import rules_of
from equilibrist.protocols.acpc.transactions import TransactionLog
from tests.protocols.acpc.random_hands import RandomPlayer
from tests.protocols.acpc.tables import (
    GAMES,
    HEADS_UP,
    LIMIT,
    SIX,
    LocalSeat,
    ScriptedSeat,
    always_call,
)
from tests.refusals import refuses


def local(definition: GameDefinition, player: Player) -> LocalSeat:
    return LocalSeat(Client(rules_of(definition), player))


def scripted(
    respond: Callable[[str], list[str]], hands: int = 1, **settings
) -> tuple[MatchResult, list[str], list[str]]:
    """A heads-up match of a script against calling: the result, the warnings, what it saw.

    The script answers the states at which its position is to act.
    """
    caller = Client(rules_of(HEADS_UP), always_call)
    script = ScriptedSeat(lambda line: respond(line) if caller.answer(line) is not None else [])
    warnings: list[str] = []
    seats: list[Seat] = [script, local(HEADS_UP, always_call)]
    dealer = Dealer(MatchSettings(HEADS_UP, hands, **settings), seats, warn=warnings.append)
    return dealer.run(), warnings, script.seen


def betting_of(line: str) -> str:
    return line.split(":")[3]


@pytest.mark.parametrize("name", GAMES)
def test_fixed_opponents_play_without_a_warning(name: str) -> None:
    definition = GAMES[name]
    words = [*FIXED] * 2
    seats = [local(definition, FixedPlayer(words[k], k)) for k in range(definition.seats)]
    settings = MatchSettings(definition, 20 * definition.seats, seed=2, duplicate=True)
    result = Dealer(settings, seats).run()
    assert result.warnings == 0
    assert sum(result.scores) == 0
    assert all(seat.client.record.warnings == [] for seat in seats)
    assert all(seat.client.record.hands == settings.hands for seat in seats)
    assert [seat.client.record.won for seat in seats] == list(result.scores)


@pytest.mark.parametrize(
    ("answer", "played"),
    [
        (":r300", "r300"),
        (":c", "c"),
        (":r1", "r200"),
        (":r999999", "r20000"),
        (":x", "c"),
        (":", "c"),
        ("", "c"),
        (":r", "c"),
        (":fold", "c"),
        (":c extra", "c"),
        (":r300:r300", "c"),
    ],
)
def test_a_bad_action_becomes_a_call_and_sizes_are_clamped(answer: str, played: str) -> None:
    # Hand 1: the first player has position 1, and opens.
    result, warnings, seen = scripted(
        lambda line: [line + (answer if betting_of(line) == "" else ":c")], hands=2
    )
    opened = next(line for line in seen if line.split(":")[2] == "1" and betting_of(line))
    assert betting_of(opened) == played
    is_legal = answer in (":r300", ":c")
    assert bool(result.warnings) != is_legal
    assert len(warnings) == result.warnings


def test_a_fold_with_nothing_to_call_is_a_check() -> None:
    _, warnings, seen = scripted(lambda line: [f"{line}:f"], hands=1)
    assert betting_of(seen[-1]) == "cc/cc/cc/cc"
    assert len(warnings) == 4


def test_old_states_are_ignored_and_comments_skipped() -> None:
    first: list[str] = []

    def respond(line: str) -> list[str]:
        first.append(line)
        others = [f"{old}:r20000" for old in first[:-1]]
        return ["# a comment", "; another", "", *others, "garbage", f"{line}:c"]

    result, warnings, seen = scripted(respond)
    assert betting_of(seen[-1]) == "cc/cc/cc/cc"
    assert result.warnings == len(warnings) == 1 + 2 + 3 + 4


@given(st.lists(st.text(max_size=30), max_size=3), st.text(max_size=8))
def test_fuzzed_answers_get_the_rule_of_the_dealer(lines: list[str], action: str) -> None:
    def respond(line: str) -> list[str]:
        return [*lines, f"{line}:{action}", f"{line}:c"]

    result, _, seen = scripted(respond, hands=2)
    assert result.hands == 2
    assert sum(result.scores) == 0
    assert betting_of(seen[-1]).count("/") in (0, 1, 2, 3)


class ListeningSeat(LocalSeat):
    """Keeps what it is sent."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self.lines: list[str] = []

    def send(self, line: str) -> None:
        self.lines.append(line)
        super().send(line)


def test_every_position_sees_every_action_and_the_end() -> None:
    seats = [ListeningSeat(Client(rules_of(HEADS_UP), always_call)) for _ in range(2)]
    Dealer(MatchSettings(HEADS_UP, 1), seats).run()
    sent = [seat.lines for seat in seats]
    assert [betting_of(line) for line in sent[0]] == [betting_of(line) for line in sent[1]]
    assert len(sent[0]) == 9
    assert sent[0][0].split(":")[1] == "0"
    assert "|" in sent[0][-1]
    assert sent[0][-1].split(":")[4] == sent[1][-1].split(":")[4]


def test_seats_rotate_unless_fixed(tmp_path: Path) -> None:
    for fixed, order in ((False, ["Alice", "Bob", "Alice"]), (True, ["Alice"] * 3)):
        settings = MatchSettings(HEADS_UP, 3, names=("Alice", "Bob"), fixed_seats=fixed)
        with MatchLog(tmp_path / f"{fixed}.log") as log:
            Dealer(settings, [local(HEADS_UP, always_call) for _ in range(2)], log).run()
        record = read_log(tmp_path / f"{fixed}.log", rules_of(HEADS_UP))
        assert [hand.names[0] for hand in record.hands] == order
        assert record.score.startswith("SCORE:")


def test_the_score_is_in_the_order_of_the_players(tmp_path: Path) -> None:
    settings = MatchSettings(HEADS_UP, 2, names=("Folder", "Bettor"))
    with MatchLog(tmp_path / "m.log") as log:
        seats = [local(HEADS_UP, FixedPlayer(word)) for word in ("fold", "all-in")]
        result = Dealer(settings, seats, log).run()
    assert result.score_line == "SCORE:-150|150:Folder|Bettor"
    assert (tmp_path / "m.log").read_text().splitlines()[-1] == result.score_line


def test_duplicate_deals_are_played_in_each_rotation() -> None:
    settings = MatchSettings(SIX, 12, seed=4, duplicate=True)
    deals = [deal_cards(settings, hand) for hand in range(12)]
    assert deals[:6] == [deals[0]] * 6
    assert deals[6:] == [deals[6]] * 6
    assert deals[0] != deals[6]
    seats = [local(SIX, always_call) for _ in range(6)]
    result = Dealer(settings, seats).run()
    assert result.scores == (Fraction(0),) * 6  # alike players win nothing
    assert result.mbb(0) == (0.0, 0.0)


def test_deals_depend_on_seed_and_number_alone() -> None:
    one = [deal_cards(MatchSettings(SIX, 5, seed=1), hand) for hand in range(5)]
    assert one == [deal_cards(MatchSettings(SIX, 500, seed=1), hand) for hand in range(5)]
    assert one[0] != deal_cards(MatchSettings(SIX, 5, seed=2), 0)
    cards = [card for hole in one[0].holes for card in hole] + list(one[0].board)
    assert len(set(cards)) == 17


@pytest.mark.parametrize(
    ("option", "settings"),
    [
        ("hands", {"hands": 0}),
        ("hands", {"hands": 3, "duplicate": True}),
        ("fixed_seats", {"hands": 2, "duplicate": True, "fixed_seats": True}),
        ("names", {"hands": 2, "names": ("a",)}),
        ("names", {"hands": 2, "names": ("a", "a")}),
        ("names", {"hands": 2, "names": ("a", "b:c")}),
        ("seed", {"hands": 2, "seed": -1}),
    ],
)
def test_settings_that_are_none(option: str, settings: dict[str, Any]) -> None:
    with refuses(ConfigError, option=option):
        MatchSettings(HEADS_UP, **settings)


class Clock:
    """A clock that a seat moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class SlowSeat(LocalSeat):
    """Takes some seconds for each answer; waits no longer than it may."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        super().__init__(Client(rules_of(HEADS_UP), always_call))
        self._clock, self._seconds = clock, seconds

    def receive(self, seconds: float) -> str:
        if self._seconds > seconds:
            self._clock.now += seconds
            raise TimeoutError
        self._clock.now += self._seconds
        return super().receive(seconds)


@pytest.mark.parametrize(
    ("limits", "hand"),
    [
        (TimeLimits(response=1.0), 0),
        (TimeLimits(hand=7.0), 0),
        (TimeLimits(per_hand=2.0), 2),
        (TimeLimits(), None),
    ],
)
def test_time_limits(limits: TimeLimits, hand: int | None, tmp_path: Path) -> None:
    clock = Clock()
    seats = [SlowSeat(clock, 2.0), local(HEADS_UP, always_call)]
    settings = MatchSettings(HEADS_UP, 10, limits=limits, names=("Slow", "Fast"))
    log = MatchLog(tmp_path / "m.log")
    dealer = Dealer(settings, seats, log, clock=clock)
    if hand is None:
        with refuses(PeerError, peer="Slow"):
            MatchSettings(HEADS_UP, 10)
            Dealer(
                MatchSettings(HEADS_UP, 10, limits=TimeLimits(response=0.5), names=("Slow", "F")),
                seats,
                clock=clock,
            ).run()
    else:
        with refuses(PeerError, peer="Slow", place=f"hand {hand}"), log:
            dealer.run()
        if hand:
            assert len(read_log(tmp_path / "m.log", rules_of(HEADS_UP)).hands) == hand


class LeavingSeat(LocalSeat):
    """Is gone after some answers."""

    def __init__(self, answers: int, seed: int = 0, definition: GameDefinition = HEADS_UP) -> None:
        super().__init__(Client(rules_of(definition), RandomPlayer(seed)))
        self._left = answers

    def receive(self, seconds: float) -> str:
        self._left -= 1
        if self._left < 0:
            raise PeerError("it closed the connection", "it")
        return super().receive(seconds)


@pytest.mark.parametrize("answers", [0, 1, 7, 19])
def test_a_match_that_was_broken_off_goes_on_to_the_same_end(answers: int, tmp_path: Path) -> None:
    settings = MatchSettings(HEADS_UP, 20, seed=3, duplicate=True)

    def seats() -> list[LocalSeat]:
        return [local(HEADS_UP, FixedPlayer("all-in")), local(HEADS_UP, always_call)]

    whole = tmp_path / "whole.log"
    with MatchLog(whole) as log:
        expected = Dealer(settings, seats(), log).run()
    path, actions = tmp_path / "m.log", tmp_path / "m.tlog"
    first = seats()
    first[1] = LeavingSeat(answers)
    first[1].client = Client(rules_of(HEADS_UP), always_call)
    with (
        refuses(PeerError, peer="player2"),
        MatchLog(path) as log,
        TransactionLog(actions) as transactions,
    ):
        Dealer(settings, first, log, transactions).run()
    so_far = len(path.read_text().splitlines()) if path.exists() else 0
    with (
        MatchLog(path, appends=True) as log,
        TransactionLog(actions, appends=True) as transactions,
    ):
        assert log.first_hand == so_far
        result = Dealer(settings, seats(), log, transactions).run()
    assert result == expected
    assert path.read_text() == whole.read_text()


def test_half_a_line_of_a_crash_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "m.tlog"
    path.write_text("c 0 1.000000 2.000000\nr300 0 3.0000")
    with TransactionLog(path, appends=True) as transactions:
        assert [str(entry) for entry in transactions.past] == ["c 0 1.000000 2.000000"]
    assert path.read_text() == "c 0 1.000000 2.000000\n"


STATE_LINE = "STATE:0:f:2c3c|4c5c:1|-1:we|Zo\u00eb\n".encode()


@pytest.mark.parametrize("kind", [TransactionLog, MatchLog])
@pytest.mark.parametrize(
    "content",
    [
        b"no newline at all",
        b"a letter\nof two lines",
        b"\x00\n\x01\xff a file of weights",
        STATE_LINE + b"a letter\nSTATE:1:",
        b"c 0 1.000000 2.000000\na letter\nc 0",
        (STATE_LINE + b"STATE").decode().encode("utf-16"),
        (STATE_LINE + b"STATE").decode().encode("utf-16-le"),
    ],
)
def test_a_file_that_is_no_log_keeps_every_byte(
    kind: type[TransactionLog] | type[MatchLog], content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(FileFormatError):
        kind(path, appends=True)
    assert path.read_bytes() == content


def test_the_log_of_another_heading_keeps_every_byte(tmp_path: Path) -> None:
    path = tmp_path / "m.log"
    content = b"# one match\n" + STATE_LINE + b"STATE:1"
    path.write_bytes(content)
    with refuses(FileFormatError, option="log", given="# one match", expected="# another"):
        MatchLog(path, appends=True, heading="# another\n# times")
    assert path.read_bytes() == content
    with MatchLog(path, appends=True, heading="# one match\n# times") as log:
        assert log.first_hand == 1
    assert path.read_bytes() == b"# one match\n" + STATE_LINE


@pytest.mark.parametrize("mark", [b"", "\ufeff".encode()])
def test_a_crash_within_a_letter(mark: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.log"
    path.write_bytes(mark + STATE_LINE + STATE_LINE[:-2])  # ends within the last letter
    with MatchLog(path, appends=True) as log:
        assert log.first_hand == 1
    assert path.read_bytes() == mark + STATE_LINE


@pytest.mark.parametrize(
    ("kind", "rest"), [(TransactionLog, b"r300 0 17"), (MatchLog, b"STATE:0:cr3"), (MatchLog, b"S")]
)
def test_a_first_line_that_was_cut_off(
    kind: type[TransactionLog] | type[MatchLog], rest: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "m"
    path.write_bytes(rest)
    with kind(path, appends=True):
        assert path.read_bytes() == b""


def test_files_of_another_match_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.tlog"
    seats = [local(HEADS_UP, always_call) for _ in range(2)]
    for text in ("f 1 1.000000 2.000000\n", "r20001 0 1.000000 2.000000\n"):
        path.write_text(text)
        with (
            refuses(FileFormatError, option="transactions", given=text.strip()),
            TransactionLog(path, appends=True) as transactions,
        ):
            Dealer(MatchSettings(HEADS_UP, 1), seats, None, transactions).run()
    for text in ("x 1 1.0 2.0\n", "c 1 1.000000\n", "\x00\n"):
        path.write_text(text)
        with refuses(FileFormatError, option="transactions"):
            TransactionLog(path, appends=True)
    path.write_text("c 0 1.000000 2.000000\n" * 50)
    with (
        refuses(FileFormatError, option="transactions"),
        TransactionLog(path, appends=True) as transactions,
    ):
        Dealer(MatchSettings(LIMIT, 1), seats, None, transactions).run()
    for kind in (TransactionLog, MatchLog):
        with refuses(ConfigError):
            kind(path)


def test_a_log_that_does_not_fit_the_transactions(tmp_path: Path) -> None:
    settings = MatchSettings(HEADS_UP, 5)
    with MatchLog(tmp_path / "m.log") as log:
        Dealer(settings, [local(HEADS_UP, always_call) for _ in range(2)], log).run()
    with refuses(ConfigError, option="log"):
        MatchLog(tmp_path / "m.log", appends=True)
    hands = (tmp_path / "m.log").read_text().splitlines(keepends=True)[:3]
    (tmp_path / "m.log").write_text("".join(hands))
    with (
        MatchLog(tmp_path / "m.log", appends=True) as log,
        refuses(FileFormatError, option="transactions", given=3, expected=0),
    ):
        Dealer(settings, [local(HEADS_UP, always_call) for _ in range(2)], log).run()
    assert (tmp_path / "m.log").read_text() == "".join(hands)


def test_logs_that_are_none_of_the_game(tmp_path: Path) -> None:
    path = tmp_path / "m.log"
    for line in (
        "STATE:0:cc/cc/cc:2c2d|3c3d/4c5c6c/7c:0|0:a|b",
        "STATE:0:f:2c2d|2c3d:50|-50:a|b",
        "STATE:0:f:2c2d|2h3d:50:a|b",
        "STATE:0:f:2c2d|2h3d:50|x:a|b",
        "STATE:0:f:2c2d|2h3d:50|-50:a",
        "STATE:x:f:2c2d|2h3d:50|-50:a|b",
        "HAND:0",
    ):
        path.write_text(f"# fine\n{line}\n")
        with pytest.raises(FileFormatError) as caught:
            read_log(path, rules_of(HEADS_UP))
        assert f"{caught.value.place}".startswith(f"{path}, line 2")


@pytest.mark.parametrize("line", ["", "# a comment"])
def test_comments_and_empty_lines_do_not_stop_the_clock(line: str) -> None:
    now = 0.0

    class Flooding:
        def send(self, line: str) -> None:
            pass

        def receive(self, seconds: float) -> str:
            nonlocal now
            now += 0.25
            assert now < 100.0, "the limit has passed long ago"
            return line

    limits = TimeLimits(response=1.0)
    settings = MatchSettings(HEADS_UP, 1, limits=limits)
    dealer = Dealer(settings, [Flooding(), Flooding()], clock=lambda: now)
    with refuses(PeerError, option="player"):
        dealer.run()
    assert now <= limits.response + 0.5
