"""`HandSolution`: what all solutions of hold'em answer, and lines as they take them."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import instance
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.betting.lines import parse_line
from equilibrist.poker.cards.cards import card_names, card_numbers, parse_cards
from equilibrist.poker.decisions.decision import Decision

_COLUMNS: Final = (
    "line", "seat", "hand", "combos", "reach", "action", "frequency", "ev", "action_ev",
)  # fmt: skip
_MOST_LINES: Final = 12
"""Lines that an error names."""


@runtime_checkable
class Decided(Protocol):
    """What a solution says at a decision: a `Decision`, or a node that has one."""

    @property
    def decision(self) -> Decision:
        """What the hands of the seat to act do."""
        ...


@runtime_checkable
class HandSolution(Protocol):
    """A solution of hold'em: of a spot, of a hand, of push or fold, or a blueprint."""

    @property
    def hand(self) -> Any:
        """What was solved: a `Spot`, a `Hand`, or `PushFold`."""
        ...

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats, in the order of their numbers."""
        ...

    @property
    def measure(self) -> float | None:
        """How far it is from an equilibrium, in the unit of the solution; None if unknown."""
        ...

    def lines(self) -> list[str]:
        """The lines of the decisions that come before any card is dealt.

        Returns:
            The lines, that of the root, which is empty, first.
        """
        ...

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the solution to a file, which `load_result` opens.

        Args:
            path: The file.

        Returns:
            The path.
        """
        ...

    def at(self, line: str = "", board: str | Sequence[int] = "") -> Decided:
        """Look up a decision.

        Args:
            line: The actions before it; cards may stand between the streets.
            board: The public cards, if the line has none.

        Returns:
            The decision, or a node with its decision.

        Raises:
            ConfigError: There is no such decision, or its cards are missing.
            NotationError: No such action is offered, or the line cannot be read.
        """
        ...

    def facts(self) -> dict[str, Any]:
        """Say what was solved, how, and how good it is, without the decisions.

        Returns:
            Plain values, for JSON.
        """
        ...


class LineWithCards(NamedTuple):
    """A line whose cards stand apart."""

    line: str
    board: tuple[int, ...]


def part_line(line: str, board: str | Sequence[int] = "") -> LineWithCards:
    """Part a line from its cards.

    Args:
        line: Actions, such as `R2.5-C|Td9d6h|X` or `R2.5-C|X`.
        board: The public cards, if the line has none.

    Returns:
        The line without cards, and the public cards.

    Raises:
        LineSyntaxError: The line cannot be read.
        CardSyntaxError: The board cannot be read.
        ConfigError: The line has cards, and there is a board, too; or it has no card numbers.
    """
    cards = tuple(card for part in parse_line(line) for card in part.cards)
    if isinstance(board, str):
        public = parse_cards(board) if board else ()
    else:
        public = card_numbers("board", board)
    if not cards:
        return LineWithCards(line, public)
    if public:
        raise ConfigError(
            "the line and the board both have cards",
            option="board",
            given=board if isinstance(board, str) else card_names(board),
            remedy="leave out the board, or the cards of the line",
        )
    return LineWithCards(line_text([part.actions for part in parse_line(line)]), cards)


def written_line(line: str) -> str:
    """A line without cards as `lines` has it: in capitals, without spaces around it.

    Args:
        line: The line, as it was typed.

    Returns:
        The line.

    Raises:
        ConfigError: It is no text.
    """
    return instance("line", line, str, "text, such as 'F-R3'").strip().upper()


def refuse_board(board: str | Sequence[int]) -> None:
    """Raise ConfigError for public cards where all decisions are before the flop."""
    if board:
        raise ConfigError(
            "no board is dealt before the flop",
            option="board",
            given=board if isinstance(board, str) else card_names(board),
            remedy="leave it out",
        )


def unknown_line(line: str, lines: Sequence[str], where: str = "", after: str = "") -> ConfigError:
    """The error for a line that no decision has; it names the first of those that are there.

    Args:
        line: The line.
        lines: The lines of all decisions.
        where: What the decisions have in common, such as ` before the flop`.
        after: What else is said.
    """
    known = ", ".join(text or "the empty one" for text in lines[:_MOST_LINES])
    return ConfigError(
        f"no decision{where} has the line {line!r}",
        option="line",
        given=line,
        remedy=f"lines are {known}.{after}".rstrip("."),
    )


def decisions_csv(decisions: Iterable[Decision]) -> str:
    """Decisions with EVs as CSV: a row for each decision, hand and action."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for node in decisions:
        assert node.ev is not None
        assert node.action_ev is not None
        names = node.names
        for k in node.dealt.tolist():
            for a, code in enumerate(node.codes):
                before = [node.line, node.seat_name, names[k], int(node.combos[k])]
                numbers = (node.strategy[a, k], node.ev[k], node.action_ev[a, k])
                after = [f"{number:z.6g}" for number in numbers]
                writer.writerow([*before, f"{node.reach[k]:.6g}", code, *after])
    return text.getvalue()
