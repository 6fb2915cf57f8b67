"""Heads-up hands by calls like those of Slumbot: a new hand, then an action a call.

Actions are `k` (check), `c`, `f` and `b` with the total of the *street*; streets are separated by
slashes. The client is position 0, the big blind, in the first hand of a session, and the positions
change from hand to hand.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from threading import Lock
from typing import Any, Final

from equilibrist.errors import ConfigError, LineSyntaxError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.cards.cards import card_name
from equilibrist.protocols.acpc.betting import CALL, FOLD, AcpcAction, Betting
from equilibrist.protocols.acpc.client import Player
from equilibrist.protocols.acpc.dealer import MatchSettings, deal_cards
from equilibrist.protocols.acpc.game_definition import LIMIT, GameDefinition
from equilibrist.protocols.acpc.match_state import MOST_HANDS, Deal, MatchState, seen_by
from equilibrist.protocols.acpc.rules import rules_of
from equilibrist.protocols.acpc.values import values
from equilibrist.protocols.slumbot_notation import BET, CHECK, read_increment, slumbot_text

_MOST_SESSIONS: Final = 1000


@dataclass
class _Session:
    """The hands of a client."""

    settings: MatchSettings
    player: Player
    hand: int = -1
    betting: Betting | None = None
    cards: Deal | None = None
    hands_over: int = 0
    total: Fraction = Fraction(0)

    @property
    def client(self) -> int:
        """The position of the client."""
        return _client_position(self.hand)


class SlumbotTables:
    """Plays hands with any number of clients at once.

    Args:
        definition: The game, of two seats.
        make: Makes what plays, with a seed.
        seed: The seed of cards and draws; None for one that nobody knows.
        lock: Held while a bot acts; all who read one solution share it. None for its own.

    Raises:
        ConfigError: The game has more seats, or limits.
    """

    def __init__(
        self,
        definition: GameDefinition,
        make: Callable[[int], Player],
        seed: int | None = None,
        *,
        lock: Lock | None = None,
    ) -> None:
        """Open the tables; the class describes the arguments."""
        if definition.seats != 2 or definition.betting == LIMIT:
            raise ConfigError(
                "these calls are for no-limit hands of two seats",
                option="game",
                given=definition.seats,
                expected=2,
            )
        self._definition, self._make, self._seed = definition, make, seed
        self._sessions: OrderedDict[str, _Session] = OrderedDict()
        self._opened = 0
        self._lock = lock or Lock()

    def new_hand(self, token: str | None = None) -> dict[str, Any]:
        """Deal a hand.

        Args:
            token: The token of the last answer; None begins a session.

        Returns:
            The state of the hand, once the client is to act or the hand is over.

        Raises:
            ConfigError: There is no such session, or its last hand is not over.
        """
        with self._lock:
            if token is None:
                token, session = self._open()
            else:
                session = self._session(token)
            if session.betting is not None and not session.betting.is_over:
                raise ConfigError(
                    "the last hand is not over",
                    option="token",
                    remedy="act, or begin another session without a token",
                )
            hand = session.hand + 1
            cards = deal_cards(session.settings, hand)
            start = Betting.start(rules_of(self._definition))
            betting = _answered(session.player, hand, start, cards)
            session.hand, session.cards, session.betting = hand, cards, betting
            return _shown(token, session, "")

    def act(self, token: str, incr: str) -> dict[str, Any]:
        """Take an action of the client.

        Args:
            token: The token of the last answer.
            incr: The action: k, c, f, or b with the total of the street.

        Returns:
            The state of the hand, once the client is to act or the hand is over.

        Raises:
            ConfigError: There is no such session, or no hand; the action is not legal.
        """
        with self._lock:
            session = self._session(token)
            betting, cards = session.betting, session.cards
            if betting is None or cards is None or betting.player != session.client:
                raise ConfigError("no hand is played", option="token", remedy="ask for a new hand")
            old = slumbot_text(betting)
            played = betting.play(_read(betting, incr))
            session.betting = _answered(session.player, session.hand, played, cards)
            return _shown(token, session, old)

    def _open(self) -> tuple[str, _Session]:
        token = secrets.token_urlsafe(16)
        seed = secrets.randbits(64) if self._seed is None else self._seed + self._opened
        self._opened += 1
        settings = MatchSettings(self._definition, MOST_HANDS, seed)
        session = _Session(settings, self._make(seed))
        self._sessions[token] = session
        while len(self._sessions) > _MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return token, session

    def _session(self, token: str) -> _Session:
        session = self._sessions.get(token)
        if session is None:
            raise ConfigError(
                "there is no such session",
                option="token",
                given=token[:100],
                remedy="begin one by a new hand without a token",
            )
        self._sessions.move_to_end(token)
        return session


def _answered(player: Player, hand: int, betting: Betting, cards: Deal) -> Betting:
    """The betting after the bot has acted as long as it is its turn."""
    bot = 1 - _client_position(hand)
    while betting.player == bot:
        chosen = player(MatchState(bot, hand, betting, seen_by(betting, cards, bot)))
        betting = betting.play(betting.fixed(chosen)[0])
    return betting


def _shown(token: str, session: _Session, old: str) -> dict[str, Any]:
    """Show the hand, and count it once it is over."""
    betting, cards, client = session.betting, session.cards, session.client
    assert betting is not None
    assert cards is not None
    document: dict[str, Any] = {
        "token": token,
        "old_action": old,
        "action": slumbot_text(betting),
        "client_pos": client,
        "hole_cards": [*map(card_name, cards.holes[client])],
        "board": [*map(card_name, cards.board[: betting.board_cards])],
        "winnings": None,
    }
    if betting.is_over:
        won = values(betting, cards)[client]
        session.hands_over += 1
        session.total += won
        document["winnings"] = _number(won)
        document["bot_hole_cards"] = [*map(card_name, cards.holes[1 - client])]
    document["session_num_hands"] = session.hands_over
    document["session_total"] = _number(session.total)
    return document


def _client_position(hand: int) -> int:
    """The position of the client in a hand of its session: the positions change every hand."""
    return hand % 2


def _number(value: Fraction) -> float:
    return value.numerator if value.denominator == 1 else float(value)


def _read(betting: Betting, incr: str) -> AcpcAction:
    """An action of the client; ConfigError for one that is not legal."""
    action = read_increment(betting, incr)
    with suppress(LineSyntaxError):
        if action is not None:
            betting.play(action)
            return action
    can, before = betting.choices(), betting.earlier_streets
    words = [FOLD, CALL] if can.can_fold else [CHECK]
    if can.can_raise:
        words.append(f"{BET}{can.least - before} to {BET}{can.most - before}")
    raise bad_argument("incr", incr[:100], ", ".join(words))
