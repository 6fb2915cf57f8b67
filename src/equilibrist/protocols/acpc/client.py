"""The client: takes a seat at a dealer, and answers whenever its position is to act.

What plays is one callable from a match state to an action. Whatever comes over the line, the client
does not fall over, and whatever the callable answers, it sends a legal action.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Protocol, TypeAlias

from equilibrist.errors import EquilibristError, PeerError
from equilibrist.protocols.acpc.betting import PASSIVE, AcpcAction
from equilibrist.protocols.acpc.match_state import COMMENTS, MatchState
from equilibrist.protocols.acpc.rules import AcpcRules
from equilibrist.protocols.acpc.values import values

Player: TypeAlias = Callable[[MatchState], AcpcAction]
"""Chooses an action at a match state whose position is to act. It sees its own cards alone."""


_KEPT_WARNINGS: Final = 100


class Line(Protocol):
    """A connection to a dealer."""

    def send(self, line: str) -> None:
        """Send a line.

        Args:
            line: The line, without its end.
        """
        ...

    def receive(self, seconds: float | None = None) -> str:
        """Wait for a line.

        Args:
            seconds: How long to wait; None for ever.

        Returns:
            The line.
        """
        ...


@dataclass
class ClientRecord:
    """What a client has seen of a match.

    Attributes:
        hands: Hands that were seen to their end.
        won: Chips won in the hands whose result the own cards, and those shown, tell.
        actions: Actions sent.
        warnings: What was wrong with messages or with the player's answers, a sentence each, of the
            first hundred times.
        warning_count: How often something was wrong.
        is_whole: Whether the connection ended between two hands.
    """

    hands: int = 0
    won: Fraction = Fraction(0)
    actions: int = 0
    warnings: list[str] = field(default_factory=list)
    warning_count: int = 0
    is_whole: bool = True


class Client:
    """Plays a seat until the dealer closes the connection.

    Args:
        rules: The rules of the game.
        player: What plays.
        warn: Called with a sentence about what was wrong.
    """

    def __init__(
        self,
        rules: AcpcRules,
        player: Player,
        warn: Callable[[str], None] = lambda _text: None,
    ) -> None:
        """Take a player; the class describes the arguments."""
        self._rules, self._player, self._warn = rules, player, warn
        self.record = ClientRecord()
        self._last_over = -1

    def run(self, line: Line, seconds: float | None = None) -> ClientRecord:
        """Play until the dealer is gone.

        Args:
            line: The connection.
            seconds: How long to wait for a message; None for ever.

        Returns:
            What was seen.

        Raises:
            PeerError: The dealer was gone in the middle of a hand, or sent nothing for too long.
        """
        while True:
            try:
                text = line.receive(seconds)
            except TimeoutError:
                raise self._left("the dealer sent nothing for too long") from None
            except PeerError as error:
                if self.record.is_whole:
                    return self.record
                raise self._left(f"the dealer is gone: {error}") from None
            answer = self.answer(text)
            if answer is not None:
                try:
                    line.send(answer)
                except PeerError as error:
                    raise self._left(f"the dealer is gone: {error}") from None
                self.record.actions += 1

    def answer(self, text: str) -> str | None:
        """Answer a message.

        Args:
            text: The message.

        Returns:
            What to send; None where the position is not to act, or the message is no match state.
        """
        if text.startswith(COMMENTS) or not text.strip():
            return None
        try:
            state = MatchState.parse(self._rules, text)
        except EquilibristError as error:
            self._complain(f"ignored {text[:200]!r}: {error}")
            return None
        if state.betting.is_over:
            self._end(state)
            return None
        self.record.is_whole = False
        if not state.is_to_act:
            return None
        return f"{text}:{self._chosen(state)}"

    def _chosen(self, state: MatchState) -> AcpcAction:
        """The action of the player, made legal; a call where it fails."""
        try:
            action = self._player(state)
        except Exception as error:  # a player must not lose the seat by a mistake of its own
            self._complain(f"called, as the player failed at {state}: {error!r}")
            return PASSIVE
        legal, problem = state.betting.fixed(action)
        if problem:
            self._complain(f"{action} became {legal} at {state}: {problem}")
        return legal

    def _end(self, state: MatchState) -> None:
        self.record.is_whole = True
        if state.hand == self._last_over:
            return
        self._last_over = state.hand
        self.record.hands += 1
        with suppress(EquilibristError, IndexError, ValueError):
            live = [state.betting.state.is_live(seat) for seat in range(self._rules.seats)]
            own = state.cards.holes[state.position]
            holes = tuple(
                cards or own if not is_live or state.betting.is_folded else cards
                for cards, is_live in zip(state.cards.holes, live, strict=True)
            )
            self.record.won += values(state.betting, state.cards._replace(holes=holes))[
                state.position
            ]

    def _complain(self, text: str) -> None:
        self.record.warning_count += 1
        if len(self.record.warnings) < _KEPT_WARNINGS:
            self.record.warnings.append(text)
        self._warn(text)

    def _left(self, reason: str) -> PeerError:
        return PeerError(
            f"{reason}, after {self.record.hands} whole hands",
            "the dealer",
            option="connection",
            given=reason,
            place=f"hand {self.record.hands}",
        )
