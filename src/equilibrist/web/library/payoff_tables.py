"""Payoff tables that are typed or pasted in the browser, and the games that they become."""

from __future__ import annotations

import math
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, StrictFloat

from equilibrist.errors import EquilibristError
from equilibrist.games.payoffs import PayoffGame, read_payoff_text
from equilibrist.web.answers.games import PayoffTableDocument
from equilibrist.web.errors import WebError

MOST_ACTIONS: Final = 30
"""Rows, and columns, of a table that is edited; larger ones are files."""
_LONGEST_LABEL: Final = 60
_LONGEST_TEXT: Final = 200_000


class PayoffText(BaseModel):
    """The text of a payoff table."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(
        max_length=_LONGEST_TEXT,
        description="A table in any form that files of payoffs have: CSV, a spreadsheet's cells, "
        "Markdown, LaTeX, .nfg, JSON, Python, ...",
    )


class PayoffTableInput(BaseModel):
    """A payoff table for two players."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field("", max_length=120, description="What the game is called.")
    players: list[str] = Field(
        default_factory=list, description="The names of the row and of the column player."
    )
    rows: list[str] = Field(description="The actions of the row player.")
    columns: list[str] = Field(description="The actions of the column player.")
    payoffs: list[list[list[StrictFloat]]] = Field(
        description="payoffs[row][column]: those of both players, or of the row player alone, "
        "whose opponent then gets the opposite."
    )

    def game(self) -> PayoffGame:
        """The game of the table.

        Raises:
            WebError: A label, a row or a cell does not fit; its place is such as
                `payoffs[1][0][1]`, `rows[2]` or `columns[0]`.
        """
        self._check_labels("rows", self.rows)
        self._check_labels("columns", self.columns)
        if len(self.payoffs) != len(self.rows):
            raise _refused("payoffs", len(self.payoffs), f"{len(self.rows)} rows", "payoffs")
        for i, row in enumerate(self.payoffs):
            if len(row) != len(self.columns):
                wanted = f"{len(self.columns)} cells"
                raise _refused("payoffs", len(row), wanted, f"payoffs[{i}]")
            for k, cell in enumerate(row):
                place = f"payoffs[{i}][{k}]"
                if len(cell) not in (1, 2):
                    raise _refused("payoffs", len(cell), "the payoffs of two players", place)
                for player, payoff in enumerate(cell):
                    if not math.isfinite(payoff):
                        raise _refused("payoffs", payoff, "a number", f"{place}[{player}]")
        tables = tuple(
            tuple(tuple(_paid(cell, player) for cell in row) for row in self.payoffs)
            for player in (0, 1)
        )
        names = [name.strip() for name in self.players]
        if len(names) not in (0, 2) or any(len(name) > _LONGEST_LABEL for name in names):
            raise _refused("players", names, "two names, or none", "players")
        for p, name in enumerate(names):
            _check_signs("players", name, f"players[{p}]")
        labels = tuple(
            tuple(label.strip() for label in labels) for labels in (self.rows, self.columns)
        )
        title = " ".join(self.title.split()) or "payoff table"
        _check_signs("title", title, "title")
        return PayoffGame(
            tables,
            labels,
            path=title,
            title=title,
            players=tuple(names) if names and all(names) else ("Row", "Column"),
        )

    def _check_labels(self, option: str, labels: list[str]) -> None:
        if not 1 <= len(labels) <= MOST_ACTIONS:
            raise _refused(option, len(labels), f"1 to {MOST_ACTIONS} of them", option)
        seen: set[str] = set()
        for k, label in enumerate(map(str.strip, labels)):
            place = f"{option}[{k}]"
            if not label or len(label) > _LONGEST_LABEL:
                wanted = f"a name of 1 to {_LONGEST_LABEL} characters"
                raise _refused(option, label[:_LONGEST_LABEL], wanted, place)
            if label in seen:
                raise _refused(option, label, "different names", place)
            _check_signs(option, label, place)
            seen.add(label)


def read_table(text: str) -> PayoffTableDocument:
    """Read a table that was pasted.

    Args:
        text: The table.

    Returns:
        The table as it is edited.

    Raises:
        FileFormatError: It is none; the error has line and column.
        GameSpecError: The payoffs or labels do not fit together.
        WebError: It is not one of two players, or too large to be edited.
    """
    game = read_payoff_text(text)
    if game.num_players != 2:
        raise _refused("players", game.num_players, "a table of two players", "payoffs")
    rows, columns = ([*labels] for labels in game.action_labels())
    for option, labels in (("rows", rows), ("columns", columns)):
        if len(labels) > MOST_ACTIONS:
            raise _refused(option, len(labels), f"at most {MOST_ACTIONS} of them", option)
    payoffs = [
        [[float(paid) for paid in game.payoffs((i, k))] for k in range(len(columns))]
        for i in range(len(rows))
    ]
    return {
        "title": game.title if game.title != game.path else "",
        "players": list(game.players),
        "rows": rows,
        "columns": columns,
        "payoffs": payoffs,
        "is_zero_sum": all(sum(cell) == 0 for row in payoffs for cell in row),
    }


def _paid(cell: list[float], player: int) -> float:
    if len(cell) == 2:
        return cell[player]
    return cell[0] if player == 0 else 0.0 - cell[0]


def _check_signs(option: str, name: str, place: str) -> None:
    """Raise WebError for a name that files of games cannot hold, or that breaks lines."""
    if not name.isprintable():
        raise _refused(option, name, "a name without line ends and control characters", place)
    if name.endswith("\\"):
        raise _refused(option, name, "a name without a backslash at its end", place)


def _refused(option: str, given: object, expected: str, place: str) -> EquilibristError:
    return WebError(
        f"{place}: expected {expected}, got {given!r}",
        option=option,
        given=given,
        expected=expected,
        place=place,
        remedy=f"give {expected}",
    )
