"""Lines of PioSOLVER's UPI, `0 0 50 150`, as lines of a spot, `X-X|B50-R150`, and back.

Each number is what the player who acts has put in since before the root, OOP first. A number that
repeats the player's own is a check, one that equals the opponent's a call. The betting tree is
built of such lines: checks, calls and folds are there without being named.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Final

from equilibrist.errors import ConfigError, FileFormatError
from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.betting.bet_sizes import STREETS
from equilibrist.poker.betting.chips import amount_of
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import BettingState, Phase
from equilibrist.poker.postflop.setups.set_up import bad_setting, read_number

_CENTS: Final = 100
MOST_LINES: Final = 20_000
"""The most lines that are read or written."""


def added_lines(
    file: Path,
    lines: Iterable[tuple[int, str]],
    invested: Fraction,
    total: Fraction,
    first_street: int,
) -> tuple[str, ...]:
    """The lines whose actions a spot adds; those that begin others are left out.

    Args:
        file: The file, for errors.
        lines: Line numbers from 1 and the numbers of the lines as text.
        invested: What each player has put in before the root.
        total: What each player has in all, that included.
        first_street: The street of the root, 0 the flop.

    Returns:
        The lines in the order of the file.

    Raises:
        FileFormatError: A line cannot be played; the error has its number.
    """
    read: list[tuple[str, ...]] = []
    for number, text in lines:
        if len(read) == MOST_LINES:
            raise FileFormatError(
                f"{file} has more than {MOST_LINES:,} lines of betting",
                file,
                option="add_line",
                given=number,
                expected=f"at most {MOST_LINES:,} lines",
                place=f"{file}, line {number}, add_line",
                remedy="give fewer lines",
            )
        amounts = [read_number(piece) for piece in text.replace(",", " ").split()]
        if not amounts or None in amounts:
            raise bad_setting(file, number, "add_line", text, "numbers of chips, as 0 0 50 150")
        steps = _Steps(file, number, text, invested, total, first_street)
        for amount in amounts:
            steps.take(Fraction(amount or 0))
        read.append(steps.actions())
    whole = {steps for steps in read if steps}
    begun = {steps[:length] for steps in whole for length in range(1, len(steps))}
    return tuple(
        "-".join(steps).replace("-|-", "|")
        for steps in dict.fromkeys(read)
        if steps in whole - begun
    )


def upi_lines(rules: BettingRules) -> list[str]:
    """All lines of a betting to their ends, without folds.

    Args:
        rules: The rules, whose unit is a chip.

    Returns:
        What the player who acts has put in since the root, after each action.

    Raises:
        ConfigError: The betting has too many lines.
    """
    lines: list[str] = []
    open_lines: list[tuple[BettingState, tuple[int, ...], int]] = [(rules.root(), (), 0)]
    while open_lines:
        state, amounts, before = open_lines.pop()
        if state.phase is Phase.DEAL:
            open_lines.append((rules.deal(state), amounts, before + max(state.bets)))
        elif state.phase is not Phase.DECISION:
            lines.append(" ".join(map(str, amounts)))
        else:
            for action in reversed(rules.actions(state)):
                if action.kind is Kind.FOLD:
                    continue
                total = round(action.amount) if action.amount else max(state.bets)
                following = (rules.next(state, action), (*amounts, before + total), before)
                open_lines.append(following)
        if len(lines) > MOST_LINES:
            raise ConfigError(
                f"the betting has more than {MOST_LINES:,} lines",
                option="bets",
                given=len(lines),
                expected=f"at most {MOST_LINES:,} lines",
                remedy="give fewer sizes, or a raise cap",
            )
    return lines


class _Steps:
    """A line that is being read."""

    def __init__(
        self,
        file: Path,
        number: int,
        text: str,
        invested: Fraction,
        total: Fraction,
        first_street: int,
    ) -> None:
        self.file, self.number, self.text = file, number, text
        self.total = total
        self.street = first_street
        self.put = [invested, invested]
        self.before = invested
        """What each player had put in before the street."""
        self.last_raise = Fraction(0)
        """The last bet or raise above what was faced."""
        self.player = 0
        self.steps: list[str] = []
        self.is_over = False

    def actions(self) -> tuple[str, ...]:
        """The actions and bars up to the last bet; all else is there without being named."""
        steps = list(self.steps)
        while steps and steps[-1] in ("X", "C", "F", "|"):
            steps.pop()
        return tuple(steps)

    def take(self, amount: Fraction) -> None:
        """Take what the player who acts has put in after the action."""
        own, facing = self.put[self.player], max(self.put)
        if self.is_over:
            raise self._wrong(amount, "the hand is over")
        if amount < own or own < amount < facing:
            raise self._wrong(amount, f"expected at least {_chips(max(own, facing))}")
        if amount > self.total:
            raise self._wrong(amount, f"the stack is {_chips(self.total)}")
        if amount == own < facing:
            self.steps.append("F")
            self.is_over = True
        elif amount == facing:
            self.steps.append("C" if own < facing else "X")
            self.put[self.player] = amount
            if own < facing or self.player == 1:
                self._end_street()
            else:
                self.player = 1
        else:
            if amount < min(facing + self.last_raise, self.total):
                least = _chips(facing + self.last_raise)
                raise self._wrong(amount, f"the smallest raise is to {least}")
            self.last_raise = amount - facing
            if amount == self.total:
                self.steps.append("A")
            else:
                code = "R" if facing > self.before else "B"
                self.steps.append(f"{code}{_chips(amount - self.before)}")
            self.put[self.player] = amount
            self.player = 1 - self.player

    def _end_street(self) -> None:
        self.before, self.player = self.put[0], 0
        self.last_raise = Fraction(0)
        self.street += 1
        if self.street == len(STREETS) or self.before == self.total:
            self.is_over = True
        else:
            self.steps.append("|")

    def _wrong(self, amount: Fraction, why: str) -> FileFormatError:
        place = f"{self.file}, line {self.number}, add_line"
        return FileFormatError(
            f"{place}: {_chips(amount)} is not possible behind {'-'.join(self.steps) or 'the root'}"
            f": {why}",
            self.file,
            option="add_line",
            given=self.text,
            expected="what the player who acts has put in, as 0 0 50 150",
            place=place,
        )


def _chips(amount: Fraction) -> str:
    if (_CENTS * amount).denominator == 1:
        return str(amount_of(amount))
    return str(float(amount))
