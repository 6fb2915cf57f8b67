"""Spots of files: of a played hand from the first street on that two players play alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, NamedTuple

from equilibrist.errors import ConfigError, EquilibristError, FileFormatError, UnknownNameError
from equilibrist.parsing.arguments import file_name
from equilibrist.play.histories.amounts import exact
from equilibrist.play.histories.played import RAKE, PlayedHand, ReadHands
from equilibrist.poker.betting.bet_sizes import STREETS
from equilibrist.poker.cards.cards import parse_board
from equilibrist.poker.postflop.setups.files import read_setup, split_name
from equilibrist.poker.postflop.setups.set_up import Omission, Settings, SetUp
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.protocols.hand_files import read_hands
from equilibrist.storage.archive import file_kind
from equilibrist.storage.kinds.file_kinds import PLAYED

_NO_LIMIT: Final = "NT"
_NAMES: Final = {3: "flop", 4: "turn", 5: "river"}
_SHOWN: Final = 5
"""Names of hands that are shown where one must be chosen."""


class _Root(NamedTuple):
    """Where two players are alone."""

    players: tuple[int, int]
    """Who is out of position and in position, as indices of the hand."""
    board: str
    pot: Decimal
    stack: Decimal


def read_spot(path: str | os.PathLike[str], **changes: Any) -> SetUp:
    """Read a spot from any file that has one: a spot file, another solver's, or a played hand.

    Args:
        path: The file; FILE#NAME for one of several configurations or hands.
        **changes: Keys of the spot that override those of the file, or that it lacks.

    Returns:
        The spot, and what it does not have of the file.

    Raises:
        FileFormatError: The file cannot be read; as `read_setup` and `hand_setup`.
        ConfigError: A value is invalid or missing; as `read_setup` and `hand_setup`.
    """
    file, _ = split_name(file_name("path", path))
    return (hand_setup if file_kind(file) in PLAYED else read_setup)(path, **changes)


def hand_setup(
    path: str | os.PathLike[str], name: str | int | None = None, **changes: Any
) -> SetUp:
    """Read a played hand as a spot.

    The spot begins with the first street from the flop on that two players play alone. Board, pot
    and stack are those of the hand, and its bets are added to the sizes, so that its line is one of
    the tree. With a `board` of more cards the spot begins on its street, with the pot, stack and
    bets of the hand there. Ranges are not in a hand.

    Args:
        path: A file of hands, of any kind that `read_hands` reads; FILE#NUMBER for one of several.
        name: The number of the hand in the file, or what it is called; it may be left out where
            there is a single hand.
        **changes: Keys of the spot: `oop` and `ip`, and perhaps others.

    Returns:
        The spot, and what it does not have of the hand.

    Raises:
        ConfigError: A range is missing, the file has several hands, or no two players play a street
            of this one alone.
        UnknownNameError: There is no hand of this name.
        FileFormatError: The file cannot be read, or this hand of it.
    """
    file, after = split_name(file_name("path", path))
    hand = _chosen(read_hands(file), file, after if name is None else str(name))
    called = f"{file}, hand {hand.name}"
    history = hand.history
    if history.variant != _NO_LIMIT:
        raise ConfigError(
            f"{called} is no hand of no-limit hold'em",
            option="variant",
            given=str(history.variant),
            expected=_NO_LIMIT,
            place=called,
        )
    first, line = _read(hand, called)
    root = first
    cards = _cards_of(changes.get("board"))
    if cards > len(root.board) // 2:
        root, line = _read(hand, called, cards)
    for seat, player in zip(SEATS, root.players, strict=True):
        if changes.get(seat) is None:
            raise ConfigError(
                f"{seat} is missing: {called} does not say the range of {hand.players[player]}",
                option=seat,
                place=called,
                remedy=f"give it with --{seat}, a range or a file",
            )
    settings = Settings(Path(called), f"hand {hand.name}")
    settings.keys |= {"board": root.board}
    for key, amount in (("pot", root.pot), ("stack", root.stack), ("min_bet", history.min_bet)):
        settings.read_chips(key, f"{amount}")
    if line:
        settings.keys["added_lines"] = (line,)
    settings.omissions += _beyond(hand, first, root, cards)
    return settings.finished(changes)


def _cards_of(board: object) -> int:
    """How many cards a board has that is given; 0 for none, and for what is none."""
    try:
        return len(parse_board(board)) if isinstance(board, str) else 0
    except EquilibristError:  # which the spot names
        return 0


def _beyond(hand: PlayedHand, first: _Root, root: _Root, cards: int) -> Iterator[Omission]:
    """What a spot does not have of a hand.

    Args:
        hand: The hand.
        first: Where two players are alone in it first.
        root: Where the spot begins.
        cards: How many cards a given board has; 0 without one.
    """
    for player in root.players:
        if hand.cards[player]:
            shown = {"player": hand.players[player], "cards": hand.cards[player]}
            yield Omission("hand-cards", shown)
    if len(first.board) // 2 > len(STREETS):
        yield Omission("hand-streets", {})
    came = _NAMES[len(root.board) // 2]
    if root != first:
        yield Omission("hand-streets-before", {"street": came})
    if cards > len(root.board) // 2:
        yield Omission("hand-bets", {"street": _NAMES[cards], "last": came})
    fields = hand.history.user_defined_fields or {}
    if str(fields.get(RAKE) or "0") not in ("0", "0.0"):
        yield Omission("hand-rake", {})


def _chosen(read: ReadHands, file: Path, name: str | None) -> PlayedHand:
    """The hand of a number or a name, or the only one."""
    for skipped in read.left_out:
        if name in (str(skipped.number), skipped.name) or (name is None and not read.hands):
            raise FileFormatError(
                f"{file}: {skipped}",
                file,
                option="hand",
                given=skipped.name or str(skipped.number),
                place=f"{file}, line {skipped.line}",
                remedy="give another hand",
            )
    by_name = {hand.name: hand for hand in reversed(read.hands)}
    by_name |= {str(hand.number): hand for hand in read.hands}
    if name is not None:
        if name.removeprefix("#") in by_name:
            return by_name[name.removeprefix("#")]
        raise UnknownNameError("hand", name, [*by_name], option="hand", place=str(file))
    if len(read.hands) != 1:
        some = ", ".join(f"{file}#{hand.number}" for hand in read.hands[:_SHOWN])
        raise ConfigError(
            f"{file} has {len(read.hands):,} hands",
            option="hand",
            given=len(read.hands),
            expected="one hand",
            place=str(file),
            remedy=f"name one by its number, as in {some}" if some else "give another file",
        )
    return read.hands[0]


def _read(hand: PlayedHand, called: str, cards: int = 0) -> tuple[_Root, str]:
    """The root of the spot, and the line that was played from there to its last bet.

    The root has at least so many board cards; where the hand ends before, it is the last street
    that two players play alone, without a line.
    """
    root: _Root | None = None
    steps: list[str] = []
    put, before = [Decimal(0), Decimal(0)], Decimal(0)
    for state, words in hand.history.state_actions:
        action = (words or "").split("#")[0].split()
        if action[:2] == ["d", "db"] and (root is None or len(root.board) // 2 < cards):
            root = _root_of(state) or root
            steps, put, before = [], [Decimal(0), Decimal(0)], Decimal(0)
        elif action[:2] == ["d", "db"]:
            before, put = before + max(put), [Decimal(0), Decimal(0)]
            steps.append("|")
        elif root is not None and action[1:2] and action[1] in ("cc", "cbr", "f"):
            player = root.players.index(int(action[0][1:]) - 1)
            all_in = root.stack - before
            if action[1] == "f":
                steps.append("F")
            elif action[1] == "cc":
                steps.append("C" if put[player] < max(put) else "X")
                put[player] = max(put)
            else:
                total = min(Decimal(action[2]), all_in)
                code = "R" if max(put) else "B"
                steps.append("A" if total == all_in else f"{code}{total.normalize():f}")
                put[player] = total
    if root is None:
        raise ConfigError(
            f"{called} has no street after the flop that two players play alone",
            option="hand",
            given=hand.name,
            expected="a flop, turn or river with two players who can bet",
            place=called,
            remedy="give another hand",
        )
    if len(root.board) // 2 < cards:
        return root, ""
    while steps and steps[-1] in ("X", "C", "F", "|"):
        steps.pop()
    return root, "-".join(steps).replace("-|-", "|")


def _root_of(state: Any) -> _Root | None:
    """The root, if two players are left and can bet."""
    left = [player for player, is_in in enumerate(state.statuses) if is_in]
    if len(left) != 2 or state.actor_index is None:
        return None
    first = state.actor_index
    players = (first, next(player for player in left if player != first))
    stack = min(exact(state.stacks[player]) for player in players)
    cards = "".join(repr(card) for card in state.get_board_cards(0))
    return _Root(players, cards, exact(state.total_pot_amount), stack)
