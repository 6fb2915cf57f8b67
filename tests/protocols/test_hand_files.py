"""Files of played hands, opened whatever they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from equilibrist.errors import FileFormatError, UnsupportedError
from equilibrist.play import HandGame, Person, PhhLog, Session, SpotGame, UniformAgent
from equilibrist.play.hand_log import log_text
from equilibrist.play.histories.played import TooManyHandsError
from equilibrist.poker import Hand
from equilibrist.protocols.acpc.histories import hand_history
from equilibrist.protocols.acpc.log import named_game
from equilibrist.protocols.converting import convert_hands
from equilibrist.protocols.hand_files import picked_hands, read_hands
from tests.play.histories.test_hands import HANDS
from tests.play.histories.test_spots import SPOTS
from tests.protocols.acpc.tables import SIX
from tests.protocols.acpc.test_histories import logged
from tests.refusals import refuses

GAMES = {
    **{
        name: HandGame(HANDS[name]) for name in ("two, antes", "six", "straddles", "cents", "limit")
    },
    **{name: SpotGame(spot) for name, spot in SPOTS.items()},
}
PHH = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = ['d dh p1 ????', 'd dh p2 AhKh', 'p2 cbr 6', 'p1 f']
"""


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_both_logs_of_ours_have_the_same_hands(game: HandGame | SpotGame, tmp_path: Path) -> None:
    seats = [UniformAgent("you" if k == 0 else f"s{k}") for k in range(game.num_players)]
    session = Session(game, seats, seed=3)
    records = list(session.play(6))
    (tmp_path / "a.txt").write_text(log_text(session, records))
    with PhhLog(tmp_path / "a.phhs") as log:
        log.begin(session)
        for record in records:
            log.add(record)
    lines, tables = read_hands(tmp_path / "a.txt"), read_hands(tmp_path / "a.phhs")
    assert (lines.form, tables.form) == ("jsonl", "phh")
    assert lines.left_out == tables.left_out == ()
    for number, (one, other) in enumerate(zip(lines.hands, tables.hands, strict=True), 1):
        assert (one.number, one.line) == (number, number + 1)
        assert one.hero == other.hero == one.players.index("you")
        assert one.cards == other.cards
        assert all(one.cards)
        assert one.is_over
        for field in ("actions", "antes", "blinds_or_straddles", "players", "hand"):
            assert getattr(one.history, field) == getattr(other.history, field)
        for field in ("starting_stacks", "finishing_stacks"):
            amounts = [map(float, getattr(hand.history, field)) for hand in (one, other)]
            assert list(amounts[0]) == pytest.approx(list(amounts[1]))


def test_hands_of_other_games_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    royal = HandGame(Hand.named("royal"))
    session = Session(royal, [UniformAgent("one"), Person("you")], seed=1)
    path.write_text(log_text(session, list(Session(royal, [UniformAgent("one")] * 2).play(2))))
    read = read_hands(path)
    assert read.hands == ()
    assert [(out.number, out.line) for out in read.left_out] == [(1, 2), (2, 3)]


def test_a_match_log_needs_its_game(tmp_path: Path) -> None:
    log, game = tmp_path / "m.txt", tmp_path / "m.game"
    hands = [logged(SIX, hand, hand) for hand in range(5)]
    rows = [f"{hand}\n" for hand in hands]
    log.write_text(f"# a match\n{rows[0]}\nSTATE:9:nonsense\n{''.join(rows[1:])}")
    with refuses(FileFormatError, option="game", given=str(game)):
        read_hands(log)
    SIX.save(game)
    for read in (read_hands(log), read_hands(log, game)):
        assert [hand.line for hand in read.hands] == [2, 5, 6, 7, 8]
        assert [hand.history for hand in read.hands] == [hand_history(SIX, hand) for hand in hands]
        assert [(out.number, out.line, out.name) for out in read.left_out] == [(2, 4, "9")]


def test_the_head_of_a_match_log_names_its_game(tmp_path: Path) -> None:
    """As dealers write it: the names of the players, of the file, hands and seed."""
    log, game = tmp_path / "m.log", tmp_path / "six players.game"
    SIX.save(game)
    for names in ("A/B", "ann (x)/b c"):
        for tail in ("5 0", "5 0 duplicate\n# --t_response 1 --t_hand 1"):
            log.write_text(
                f"# name/game/hands/seed {names} {game.name} {tail}\n{logged(SIX, 1, 1)}\n"
            )
            assert len(read_hands(log).hands) == 1
    log.write_text(f"# name/game/hands/seed m other.game 5 0\n{logged(SIX, 1, 1)}\n")
    with refuses(FileFormatError, option="game", given=str(tmp_path / "other.game")):
        read_hands(log)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_match_log_in_any_encoding_names_its_game(encoding: str, tmp_path: Path) -> None:
    SIX.save(tmp_path / "six.game")
    text = f"# name/game/hands/seed m six.game 5 0\n{logged(SIX, 1, 1)}\n"
    (tmp_path / "match.log").write_text(text, encoding)
    assert len(read_hands(tmp_path / "match.log").hands) == 1


def test_of_a_match_log_the_first_line_alone_names_its_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not a byte behind the longest head there may be is read for it."""
    log = tmp_path / "match.log"
    log.write_text(f"# name/game/hands/seed m six.game 5 0\n{'# a comment' * 100_000}\n")
    monkeypatch.setattr(Path, "read_bytes", lambda _: pytest.fail("the whole log is read"))
    assert named_game(log) == "six.game"
    log.write_text("no head\n# name/game/hands/seed m six.game 5 0\n")
    assert named_game(log) == ""


@pytest.mark.parametrize("named", ["{}/secret.game", "../secret.game", "..\\secret.game", ".."])
def test_a_match_log_has_no_file_elsewhere_read(named: str, tmp_path: Path) -> None:
    """Of a file that somebody sent not even the error shows what another file holds."""
    (tmp_path / "secret.game").write_text("password\n")
    log = tmp_path / "sent" / "m.log"
    log.parent.mkdir()
    log.write_text(f"# name/game/hands/seed m {named.format(tmp_path)} 5 0\n{logged(SIX, 1, 1)}\n")
    with pytest.raises(FileFormatError) as caught:
        read_hands(log)
    assert "password" not in str(caught.value)
    SIX.save(log.with_name("secret.game"))
    if "secret" in named:
        assert len(read_hands(log).hands) == 1


def test_a_log_without_hands_has_none_to_pick(tmp_path: Path) -> None:
    """As it is before the first hand is over."""
    path = tmp_path / "a.jsonl"
    path.write_text(log_text(Session(HandGame(Hand.named("royal")), [UniformAgent("one")] * 2), []))
    read = read_hands(path)
    assert (read.hands, read.left_out) == ((), ())
    with refuses(UnsupportedError, option="hands", given=str(path)) as caught:
        picked_hands(read, path, None)
    assert "Python" not in str(caught.value)


@pytest.mark.parametrize("name", ["one.phh", "one.txt", "one.toml"])
def test_one_hand(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + PHH.replace("\n", "\r\n").encode())
    (hand,) = read_hands(tmp_path / name).hands
    assert (hand.line, hand.hero, hand.cards, hand.players) == (1, 1, ("", "AhKh"), ("p1", "p2"))


def test_damaged_hands_cost_no_others(tmp_path: Path) -> None:
    path = tmp_path / "many.phhs"
    bad = {
        "variant = 'NT'": "variant = 'XX'",
        "p2 cbr 6": "p1 cbr 6",
        "AhKh": "AhAh",
        "min_bet = 2": "",
        "antes = [0, 0]": "antes = ['x', 0]",
        "[200, 200]": "[200, 200",
    }
    texts = [PHH, *(PHH.replace(old, new) for old, new in bad.items()), PHH]
    path.write_text("".join(f"[{k}]\n{text}\n" for k, text in enumerate(texts, 1)))
    read = read_hands(path)
    assert [hand.number for hand in read.hands] == [1, 8]
    assert [hand.line for hand in read.hands] == [1, 57]
    assert [out.number for out in read.left_out] == [2, 3, 4, 5, 6, 7]
    assert [out.line for out in read.left_out] == [9, 17, 25, 33, 41, 55]


def test_files_without_hands(tmp_path: Path) -> None:
    path = tmp_path / "x.phh"
    path.write_text("variant = 'NT'\nantes = [0,\n\nactions = 3 4")
    with refuses(FileFormatError, option="hands", place="line 4"):
        read_hands(path)
    path.write_text("[1]\nx = 3\n[other]\ny = 4")
    assert len(read_hands(path).left_out) == 2
    path = tmp_path / "x.txt"
    path.write_text("AA,KK")
    with refuses(FileFormatError, option="hands", given="ranges"):
        read_hands(path)
    with refuses(FileFormatError, option="file"):
        read_hands(tmp_path / "none.phhs")
    with refuses(FileFormatError, option="hands", given="Is a directory"):
        read_hands(tmp_path)
    with refuses(FileFormatError, given="/dev/null"):
        read_hands("/dev/null")


@pytest.mark.parametrize("action", ["probabilities 5", "Bet five", "Bet", "check"])
def test_damaged_actions_of_our_logs_are_left_out(action: str, tmp_path: Path) -> None:
    game = SpotGame(next(iter(SPOTS.values())))
    session = Session(game, [UniformAgent("you"), UniformAgent("s1")], seed=3)
    lines = log_text(session, list(session.play(4))).splitlines()
    row = next(k for k, line in enumerate(lines) if k and '"action": "Bet ' in line)
    document = json.loads(lines[row])
    move = next(move for move in document["moves"] if move["action"].startswith("Bet "))
    move["action"] = action
    lines[row] = json.dumps(document)
    (tmp_path / "a.jsonl").write_text("\n".join(lines) + "\n")
    read = read_hands(tmp_path / "a.jsonl")
    assert [out.line for out in read.left_out] == [row + 1]
    assert len(read.hands) == 3


OMAHA = """[1]
variant = 'PO'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = ['d dh p1 {}', 'd dh p2 ????????', 'p2 f']
"""


@pytest.mark.parametrize(
    ("cards", "is_read"),
    [("AhKhQdJd", True), ("AhKh", False), ("AhKhQd", False), ("Ah', 'd dh p1 KhQdJd", True)],
)
def test_hole_cards_are_as_many_as_the_variant_has(
    cards: str, is_read: bool, tmp_path: Path
) -> None:
    """What is read can be written as a text, and be read of that again."""
    path = tmp_path / "a.phhs"
    path.write_text(OMAHA.format(cards))
    read = read_hands(path)
    assert (len(read.hands), len(read.left_out)) == (is_read, not is_read)
    if is_read:
        convert_hands(path, tmp_path / "a.txt")
        assert read_hands(tmp_path / "a.txt").hands[0].cards == read.hands[0].cards
    else:
        assert "hole cards" in read.left_out[0].reason
        with refuses(UnsupportedError, option="hands"):
            convert_hands(path, tmp_path / "a.txt")


@pytest.mark.parametrize("form", ["phhs", "jsonl", "ohh", "txt", "log"])
def test_a_file_with_too_many_hands_is_refused_at_the_first_of_them(
    form: str, tmp_path: Path
) -> None:
    (tmp_path / "a.phhs").write_text("".join(f"[{k}]\n{PHH}\n" for k in range(1, 7)))
    path = tmp_path / f"a.{form}"
    if form != "phhs":
        convert_hands(tmp_path / "a.phhs", path)
    assert len(read_hands(path, most=6).hands) == 6
    with refuses(TooManyHandsError, option="hands") as refusal:
        read_hands(path, most=4)
    line = int(str(refusal.value.place).removeprefix("line "))
    begins = path.read_text().splitlines()[line - 1]
    assert begins.startswith(("[5]", "{", "PokerStars Hand #5", "STATE:4", "STATE:5")), begins
