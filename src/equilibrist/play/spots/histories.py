"""Hands of a spot in the poker hand history format (PHH), through PokerKit (extra `phh`).

Juho Kim, "Recording and Describing Poker Hands", IEEE Conference on Games 2024. A hand of a spot
begins in the middle: what lies in the pot is written as the antes of both players, half each, and
the streets before the root are checked through. The player out of position is p1. A comment behind
an action is its EV loss.

PHH has no rake: `_rake` names it, and `finishing_stacks` has what is left to the players.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from equilibrist.errors import ConfigError, FileFormatError
from equilibrist.parsing.arguments import bad_argument, file_name
from equilibrist.play.appended_file import AppendedFile
from equilibrist.play.session import HandRecord, Session
from equilibrist.play.spots.game import HandState, SpotGame
from equilibrist.poker.betting.actions import Action, Kind
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.combos import combo_name
from equilibrist.storage.archive import check_writable
from equilibrist.storage.plain_file import cannot_read

SUFFIX = ".phhs"
"""The suffix of a file of several hands."""


def import_notation() -> Any:
    """The module `pokerkit.notation`; ConfigError that names the extra if it is missing."""
    try:
        from pokerkit import notation
    except ImportError as error:
        raise ConfigError(
            f"hand histories need {error.name}, which is not installed",
            option="package",
            given=error.name,
            remedy='pip install "equilibrist[phh]"',
        ) from None
    return notation


def hand_history(game: SpotGame, record: HandRecord, names: Sequence[str]) -> Any:
    """A hand as PokerKit's `HandHistory`.

    Args:
        game: The spot.
        record: The hand.
        names: The names of the seats.

    Returns:
        A `pokerkit.HandHistory`.

    Raises:
        ConfigError: PokerKit is not installed, or the hand is none of this spot.
    """
    notation = import_notation()
    if len(record.seats) != game.num_players:
        raise bad_argument("record", record.seats, "a hand of two players")
    spot = game.spot
    stack = _number(spot.stack) + _half(spot.pot)
    finishing = [_number(spot.stack) + _number(payoff) for payoff in record.payoffs]
    about: dict[str, Any] = {
        "variant": "NT",
        "antes": [_half(spot.pot)] * 2,
        "blinds_or_straddles": [0, 0],
        "min_bet": _number(spot.min_bet),
        "starting_stacks": [_plain(stack)] * 2,
        "players": [names[seat] for seat in record.seats],
        "hand": record.hand,
        "finishing_stacks": [_plain(left) for left in finishing],
        "user_defined_fields": {"_game": game.name, "_rake": _rake(spot.rake, spot.rake_cap)},
    }
    state = notation.HandHistory(**about, actions=[]).create_state()
    actions = []
    for action in _actions(game, record, state):
        if state.can_burn_card():
            state.burn_card("??")
        notation.parse_action(state, action)
        actions.append(action)
    return notation.HandHistory(**about, actions=actions)


def _actions(game: SpotGame, record: HandRecord, state: Any) -> Iterator[str]:
    """The actions one by one; each must be played in `state` before the next is asked for."""
    at = game.initial_state()
    for move in record.moves:
        before, at = at, game.next(at, move.index)
        if len(before.hands) < game.num_players:
            if len(at.hands) == game.num_players:
                yield from _opening(game, at)
        elif len(at.runout) > len(before.runout):
            yield from _shown(at, state)
            yield f"d db {card_names(at.runout[-1:])}"
        else:
            remark = f" # EV loss {move.ev_loss:.4g}" if move.ev_loss else ""
            yield f"p{before.betting.player + 1} {_code(at.betting.line[-1][-1])}{remark}"
    yield from _shown(at, state)


def _opening(game: SpotGame, state: HandState) -> Iterator[str]:
    """The deal of hands and board, and checks on the streets before the root."""
    for player, combo in enumerate(state.hands):
        yield f"d dh p{player + 1} {combo_name(combo)}"
    cards = game.spot.cards
    for dealt in (cards[:3], cards[3:4], cards[4:5]):
        if dealt:
            yield from ("p1 cc", "p2 cc", f"d db {card_names(dealt)}")


def _shown(at: HandState, state: Any) -> Iterator[str]:
    """Both hands are shown, in the order of the rules, where a showdown is due."""
    while state.showdown_index is not None:
        player = state.showdown_index
        yield f"p{player + 1} sm {combo_name(at.hands[player])}"


def _code(action: Action) -> str:
    if action.kind is Kind.FOLD:
        return "f"
    return f"cbr {_number(action.amount)}" if action.amount else "cc"


def _rake(rate: float, cap: float | None) -> str:
    return f"{rate:g}" if cap is None else f"{rate:g}, at most {cap:g}"


def _number(amount: float) -> int | Decimal:
    return _plain(Decimal(f"{amount:.10g}"))


def _half(amount: float) -> int | Decimal:
    return _plain(Decimal(f"{amount:.10g}") / 2)


def _plain(amount: int | Decimal) -> int | Decimal:
    return int(amount) if amount == int(amount) else amount


class PhhLog(AppendedFile):
    """Appends the hands of sessions to a file of hand histories (PHHS); a context manager.

    Every hand is one write to the end of the file. An existing file is added to.

    Args:
        path: The file.

    Raises:
        ConfigError: PokerKit is not installed.
        FileFormatError: The file is none of hand histories.
        OutputError: The file cannot be written.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._hands = check_phh_log(path)
        self._session: Session | None = None
        super().__init__(path)

    def begin(self, session: Session) -> None:
        """Take down whose hands follow.

        Args:
            session: The session.

        Raises:
            ConfigError: It is none of a spot.
        """
        if not isinstance(session.game, SpotGame):
            raise ConfigError(
                f"PHH is for hold'em hands, and {session.game.name} is not a spot",
                option="log",
                given=str(self.path),
                remedy="name a file that ends in .jsonl",
            )
        self._session = session

    def add(self, record: HandRecord) -> None:
        """Write a hand.

        Args:
            record: A hand of the session.

        Raises:
            OutputError: The file cannot be written.
        """
        session = self._session
        assert session is not None
        assert isinstance(session.game, SpotGame)
        names = [seat.name for seat in session.seats]
        self._hands += 1
        self.append(numbered(self._hands, hand_history(session.game, record, names)))


def numbered(number: int, history: Any) -> str:
    """A hand as a table of a file of several.

    Args:
        number: Its number in the file, from 1.
        history: The hand, a `pokerkit.HandHistory`.

    Returns:
        The text in TOML.
    """
    return f"[{number}]\n{history.dumps()}\n"


def check_phh_log(path: str | os.PathLike[str]) -> int:
    """Check that a `PhhLog` can extend or create a file.

    Args:
        path: The file.

    Returns:
        How many hands it has.

    Raises:
        ConfigError: PokerKit is not installed.
        FileFormatError: The file is none of hand histories.
        OutputError: The file cannot be written.
    """
    notation = import_notation()
    file = Path(file_name("log", path))
    check_writable(file)
    if not file.is_file() or not file.stat().st_size:
        return 0
    try:
        return len(list(notation.HandHistory.loads_all(file.read_text("utf-8"))))
    except OSError as error:
        raise cannot_read(file, error, "log") from None
    except Exception:  # whatever PokerKit and its parser of TOML raise
        raise FileFormatError(
            f"{file} is not a file of hand histories",
            file,
            option="log",
            given=str(file),
            expected="PHHS, one numbered table a hand",
            remedy="name a new file",
        ) from None
