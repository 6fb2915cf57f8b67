"""The betting of a hand as match states write it: `cr300c/cc/r900f`.

Letters are f, c and r; a raise of no-limit games is followed by the seat's total of the whole hand.
Streets are separated by slashes; where nobody can act any more, the slashes of the streets that are
dealt out follow.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from equilibrist.errors import LineSyntaxError
from equilibrist.poker.hands.betting import called, deal, folded, legal, raised, start
from equilibrist.poker.hands.state import DEAL, DECISION, FOLDED, HandState
from equilibrist.protocols.acpc.rules import AcpcRules

FOLD: Final = "f"
CALL: Final = "c"
RAISE: Final = "r"
_ACTION: Final = re.compile(r"([fcr])(\d{0,18})", re.ASCII)
_MOST_CACHED: Final = 4096


class AcpcAction(NamedTuple):
    """An action: `f`, `c` (check or call) or `r`.

    Attributes:
        kind: Its letter.
        size: Of a raise of no-limit games, the total of the seat in the hand, in chips.
    """

    kind: str
    size: int | None = None

    def __str__(self) -> str:
        return self.kind if self.size is None else f"{self.kind}{self.size}"

    @classmethod
    def parse(cls, text: str) -> AcpcAction | None:
        """Read an action.

        Args:
            text: The action, such as `r300`.

        Returns:
            The action; None where the text is none.
        """
        match = _ACTION.fullmatch(text)
        if match is None or (match[2] and match[1] != RAISE):
            return None
        return cls(match[1], int(match[2]) if match[2] else None)


PASSIVE: Final = AcpcAction(CALL)
"""What a bad or illegal action becomes."""


class Choices(NamedTuple):
    """What the position to act may do. Sizes are totals of the hand.

    Attributes:
        can_fold: Whether it may fold: only with something to call.
        to_call: The chips that a call adds; 0 for a check.
        can_raise: Whether it may raise.
        least: The smallest raise; 0 where it may not raise.
        most: The largest raise, all-in in no-limit games.
    """

    can_fold: bool
    to_call: int
    can_raise: bool
    least: int
    most: int


class Betting(NamedTuple):
    """The betting of a hand up to a point.

    Attributes:
        rules: The rules.
        state: The state of the betting: a decision, or the end of the hand.
        text: The same as match states write it.
    """

    rules: AcpcRules
    state: HandState
    text: str

    @classmethod
    def start(cls, rules: AcpcRules) -> Betting:
        """The betting after the blinds.

        Args:
            rules: The rules.

        Returns:
            The betting; its hand is over where the blinds are all chips.
        """
        return _started(rules)

    @classmethod
    def parse(cls, rules: AcpcRules, text: str) -> Betting:
        """Read the betting of a match state.

        Args:
            rules: The rules.
            text: Such as `cr300c/`.

        Returns:
            The betting.

        Raises:
            LineSyntaxError: It cannot be read, or the rules do not allow it; has the position.
        """
        return _parsed(rules, text)

    @property
    def is_over(self) -> bool:
        """Whether nobody acts any more."""
        return self.state.kind != DECISION

    @property
    def is_folded(self) -> bool:
        """Whether all but one have folded."""
        return self.state.kind == FOLDED

    @property
    def street(self) -> int:
        """The street, 0 before the flop; of a hand that came to a showdown the last one."""
        if self.is_over and not self.is_folded:
            return len(self.rules.board) - 1
        return self.state.street

    @property
    def player(self) -> int:
        """The position to act; -1 where the hand is over."""
        return self.state.player

    @property
    def board_cards(self) -> int:
        """How many board cards are out."""
        return sum(self.rules.board[: self.street + 1])

    @property
    def earlier_streets(self) -> int:
        """What the position to act put in on earlier streets."""
        return self.state.stakes[self.player] - self.state.bets[self.player]

    def choices(self) -> Choices:
        """Find what the position to act may do.

        Returns:
            The legal actions.
        """
        can, before = legal(self.rules, self.state), self.earlier_streets
        if not can.most:
            return Choices(can.fold, can.call, can_raise=False, least=0, most=0)
        return Choices(can.fold, can.call, True, before + can.least, before + can.most)

    def fixed(self, action: AcpcAction | None) -> tuple[AcpcAction, str]:
        """Make an action legal as the dealer does: sizes are clamped, all else becomes a call.

        Args:
            action: The action; None for what is none.

        Returns:
            The legal action, and what was wrong with the given one; empty if nothing was.
        """
        if action is None:
            return PASSIVE, "not an action"
        can = self.choices()
        if action.kind == CALL:
            return PASSIVE, ""
        if action.kind == FOLD:
            return (action, "") if can.can_fold else (PASSIVE, "a fold with nothing to call")
        if not can.can_raise:
            return PASSIVE, "no raise is allowed"
        if self.rules.limit == "limit":
            is_plain = action.size is None
            return (action, "") if is_plain else (PASSIVE, "limit raises have no size")
        if action.size is None:
            return PASSIVE, "a raise without a size"
        size = min(max(action.size, can.least), can.most)
        if size == action.size:
            return action, ""
        return AcpcAction(RAISE, size), f"a raise must be to {can.least} to {can.most}"

    def play(self, action: AcpcAction) -> Betting:
        """The betting after a legal action.

        Args:
            action: The action.

        Returns:
            The betting; the next street has begun where this one is over.

        Raises:
            LineSyntaxError: The action is not legal, or the hand is over.
        """
        if self.is_over:
            raise self._error(f"{action} comes after the end of the hand", str(action))
        legal_action, problem = self.fixed(action)
        if problem:
            raise self._error(f"{action} is not legal: {problem}", str(action))
        state, rules = self.state, self.rules
        if action.kind == FOLD:
            moved = folded(rules, state)
        elif action.kind == CALL:
            moved = called(rules, state)
        else:
            total = self._raise_total(legal_action)
            moved = raised(rules, state, total - self.earlier_streets)
        return _settled(rules, moved, f"{self.text}{legal_action}")

    def _raise_total(self, action: AcpcAction) -> int:
        return self.choices().least if action.size is None else action.size

    def _error(self, problem: str, given: str) -> LineSyntaxError:
        return LineSyntaxError(
            problem, self.text + given, len(self.text), option="betting", given=given
        )


def _settled(rules: AcpcRules, state: HandState, text: str) -> Betting:
    """Begin the next street, or append the slashes of streets that are dealt out."""
    while state.kind == DEAL:
        state = deal(rules, state)
        text += "/"
    if state.kind not in (DECISION, FOLDED):
        text += "/" * (len(rules.board) - 1 - state.street)
    return Betting(rules, state, text)


@lru_cache(maxsize=64)
def _started(rules: AcpcRules) -> Betting:
    return _settled(rules, start(rules), "")


@lru_cache(maxsize=_MOST_CACHED)
def _parsed(rules: AcpcRules, text: str) -> Betting:
    betting = _started(rules)
    while betting.text != text:
        place = len(betting.text)
        match = _ACTION.match(text, place)
        action = None if match is None else AcpcAction.parse(match[0])
        if match is None or action is None or not text.startswith(betting.text):
            raise LineSyntaxError(
                "no action begins here",
                text,
                place,
                option="betting",
                given=text[place : place + 20],
            )
        before, betting = betting, betting.play(action)
        written = betting.text[place:]
        if not text.startswith(written, place):
            raise LineSyntaxError(
                f"expected {written!r} here",
                text,
                len(before.text),
                option="betting",
                given=text[place : place + len(written)],
                expected=written,
            )
    return betting
