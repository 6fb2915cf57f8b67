"""Gambit's format of games in normal form (.nfg), read strictly: every error has its place.

The format is that of Gambit's documentation, "The strategic game (.nfg) file format", in both its
forms: with the payoffs of all joint strategies in a row, the strategies of player 1 changing
fastest, or with named outcomes and the number of one for each joint strategy, 0 for none.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod

from equilibrist.games.efg.cursor import Cursor

_MOST_CELLS = 2_000_000
"""Joint strategies of a file; their payoffs are read as Python objects."""


@dataclass(frozen=True)
class NfgFile:
    """The content of a file.

    Attributes:
        title: The title.
        comment: The comment, possibly empty.
        players: The names of the players.
        strategies: The names of each player's strategies.
        payoffs: Those of all players for each joint strategy, player 1's changing fastest.
    """

    title: str
    comment: str
    players: tuple[str, ...]
    strategies: tuple[tuple[str, ...], ...]
    payoffs: tuple[tuple[Fraction, ...], ...]


def parse_nfg(text: str, path: str) -> NfgFile:
    """The game in the text of the file at `path`.

    Raises GameSpecError with line and column for any violation of the format.
    """
    return _Parser(text, path).read()


class _Parser(Cursor):
    """A cursor over the text."""

    def read(self) -> NfgFile:
        title = self.opening("NFG", "1")
        strategies = self.strategies()
        comment = self.quoted("a comment") if self.peek() == '"' else ""
        cells = prod(map(len, strategies))
        if cells > _MOST_CELLS:
            self.fail(
                f"expected at most {_MOST_CELLS:,} joint strategies, got {cells:,}",
                remedy="leave out strategies, or write the game as a tree (.efg)",
            )
        payoffs = self.by_outcomes(cells) if self.peek() == "{" else self.in_a_row(cells)
        if self.peek():
            self.fail(
                "expected the end of the file: every joint strategy has its payoffs",
                remedy="remove what follows, or correct the numbers of strategies",
            )
        return NfgFile(title, comment, self.players, strategies, payoffs)

    def strategies(self) -> tuple[tuple[str, ...], ...]:
        """Each player's strategies: their names in braces, or how many there are."""
        self.mark("{", "the players' strategies in braces")
        strategies: list[tuple[str, ...]] = []
        while self.peek() != "}":
            number = len(strategies) + 1
            if self.peek() == "{":
                names = tuple(self.texts(f"the strategies of player {number}"))
            else:
                count = self.integer(f"how many strategies player {number} has")
                if count > _MOST_CELLS:
                    self.fail(
                        f"expected at most {_MOST_CELLS:,} strategies",
                        self.last,
                        remedy="leave out strategies, or write the game as a tree (.efg)",
                    )
                names = tuple(str(k) for k in range(1, count + 1))
            if not names:
                self.fail(
                    f"player {number} has no strategies; expected at least one",
                    remedy="name one, or give a number from 1 on",
                )
            strategies.append(names)
        if len(strategies) != len(self.players):
            self.fail(
                f"expected the strategies of {len(self.players)} players, got those of "
                f"{len(strategies)}",
                remedy="give names or a number for each player",
            )
        self.at += 1
        return tuple(strategies)

    def in_a_row(self, cells: int) -> tuple[tuple[Fraction, ...], ...]:
        count = len(self.players)
        payoffs: list[tuple[Fraction, ...]] = []
        for _ in range(cells):
            paid = []
            for player in range(count):
                self.skip_comma()
                if not self.peek():
                    self.fail(
                        f"the file ends after {len(payoffs) * count + player} payoffs; expected "
                        f"{cells * count}, one for each player and joint strategy",
                        remedy="add the payoffs that are missing, or correct the numbers of "
                        "strategies",
                    )
                paid.append(self.number("a payoff")[1])
            payoffs.append(tuple(paid))
        self.skip_comma()
        return tuple(payoffs)

    def by_outcomes(self, cells: int) -> tuple[tuple[Fraction, ...], ...]:
        self.mark("{", "the outcomes in braces")
        outcomes = [(Fraction(0),) * len(self.players)]
        while self.peek() != "}":
            self.mark("{", "an outcome in braces, or }")
            if self.peek() == '"':
                self.quoted("the name of the outcome")
            outcomes.append(self.payoffs(is_open=True))
        self.at += 1
        payoffs = []
        for cell in range(cells):
            if not self.peek():
                self.fail(
                    f"the file ends after {cell} outcomes; expected {cells}, one for each joint "
                    "strategy",
                    remedy="add the outcomes that are missing, or correct the numbers of "
                    "strategies",
                )
            number = self.integer("the number of an outcome, 0 for none")
            if number >= len(outcomes):
                self.fail(
                    f"there is no outcome {number}; expected at most {len(outcomes) - 1}",
                    self.last,
                    remedy="correct the number, or add the outcome in the braces above",
                )
            payoffs.append(outcomes[number])
            self.skip_comma()
        return tuple(payoffs)
