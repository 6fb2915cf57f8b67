"""Matches between bots: duplicate deals, seats that rotate, AIVAT, and a log that goes on."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Any, Final

import numpy as np

from equilibrist.errors import ConfigError, FileFormatError, MismatchError
from equilibrist.evaluation import Estimate, Match
from equilibrist.evaluation.duplicates import until_interrupted
from equilibrist.parsing.arguments import check_bool, file_name, instance, whole_number
from equilibrist.play.appended_file import LINES, AppendedFile, WholeLines
from equilibrist.play.bots.betting import HandBetting
from equilibrist.play.bots.bot import Bot
from equilibrist.play.bots.deals import HandDealer, HandPlayer
from equilibrist.play.bots.luck import Luck
from equilibrist.play.hands.game import HandGame
from equilibrist.poker.hands.hand import Hand
from equilibrist.progress import Callbacks, OnProgress, as_callbacks
from equilibrist.typing import FloatArray

MBB: Final = 1000.0
_TWO: Final = 2


class BotMatch:
    """Hands of hold'em between two bots.

    The first bot takes one seat and the second all others. A duplicate deal is played once for each
    seat of the first bot, with the same cards; else the first bot takes the next seat with every
    deal. Bets are what the bots make of them: no menu binds the table.

    With two seats `aivat` takes out the luck of the cards, and of what both bots drew. Both tell
    their mixtures, a search as well; see `luck`.

    Args:
        hand: The hand at the table.
        first: A bot.
        second: The other.
        seed: The seed of the deals; bots have their own.
        duplicate: Whether deals are played once for each seat.
        aivat: Whether the luck is taken out, too.

    Raises:
        ConfigError: An argument is invalid; `aivat` is for two seats.
    """

    def __init__(
        self,
        hand: Hand,
        first: HandPlayer,
        second: HandPlayer,
        *,
        seed: int = 0,
        duplicate: bool = True,
        aivat: bool = False,
    ) -> None:
        """Seat the bots; the class describes the arguments."""
        self.hand = instance("hand", hand, Hand, "a Hand")
        self.seed = whole_number("seed", seed, 0)
        self.duplicate = check_bool("duplicate", duplicate)
        if check_bool("aivat", aivat) and hand.seats != _TWO:
            raise ConfigError(
                "AIVAT of hands is for two seats",
                option="aivat",
                given=hand.seats,
                expected=_TWO,
                remedy="leave it out",
            )
        self._dealer = HandDealer(hand, HandBetting(HandGame(hand)))
        self._luck = Luck(hand.rules) if aivat else None
        self._first = first
        self._others = [copy(second) for _ in range(hand.seats - 1)]

    @property
    def games(self) -> int:
        """How many hands a deal is."""
        return self.hand.seats if self.duplicate else 1

    def deal(self, number: int) -> list[float]:
        """Play a deal.

        Args:
            number: Its number, from 0; the same number has the same cards.

        Returns:
            What the first bot won in a hand on average, in thousandths of a big blind; with AIVAT
            behind it the same without luck.
        """
        spawned = np.random.SeedSequence(self.seed, spawn_key=(number,))
        cards = self._dealer.deal(np.random.default_rng(spawned))
        seats = range(self.hand.seats) if self.duplicate else [number % self.hand.seats]
        won, lucky = 0.0, 0.0
        for seat in seats:
            players = [*self._others[:seat], self._first, *self._others[seat:]]
            hand = self._dealer.play(cards, players, number)
            won += hand.won[seat]
            if self._luck is not None:
                lucky += self._luck.of(hand) * (1.0 if seat == 0 else -1.0)
        unit = MBB / (self.hand.rules.big_blind * self.games)
        row = [unit * won]
        return row if self._luck is None else [*row, unit * (won - lucky)]

    def play(
        self,
        deals: int,
        *,
        log: str | os.PathLike[str] | None = None,
        callbacks: Callbacks | OnProgress | None = None,
    ) -> Match:
        """Play deals, from where a log ends on.

        Args:
            deals: How many in all, at least 2.
            log: A file to which every deal is written when it is over: what was played is kept if
                the process is killed. One that exists is continued.
            callbacks: Functions called as deals are played.

        Returns:
            What the first bot wins in a hand, in thousandths of a big blind, with its interval over
            deals, and the same by AIVAT. After Ctrl-C they are of fewer deals.

        Raises:
            ConfigError: For fewer than 2 deals, or a log whose name is that of another format.
            MismatchError: The log is of another match.
            FileFormatError: The log is none.
            OutputError: It cannot be written.
            KeyboardInterrupt: Ctrl-C, before two deals were played.
        """
        whole_number("deals", deals, 2, 10**12)
        kept = None if log is None else self._open(log)
        rows = [] if kept is None else kept.rows[:deals]
        sums = np.zeros((2, 2 if self._luck is not None else 1))
        for row in rows:
            sums += _powers(row)
        before = len(rows)

        def played(start: int, sums: FloatArray) -> FloatArray:
            if start < before:
                return sums
            row = self.deal(start)
            if kept is not None:
                kept.add(start, row)
            added: FloatArray = sums + _powers(row)
            return added

        try:
            done, sums = until_interrupted(played, sums, deals, 1, as_callbacks(callbacks))
        finally:
            if kept is not None:
                kept.close()
        done = max(done, before)
        payoff, *without_luck = (Estimate.of_sums(done, *row) for row in sums.T.tolist())
        return Match(
            payoff.mean,
            payoff.half_width,
            done,
            self.seed,
            without_luck[0] if without_luck else None,
            interrupted=done < deals,
        )

    def _open(self, log: str | os.PathLike[str]) -> _MatchLog:
        """Open the log of this match; raises as `play`."""
        path = file_name("log", log)
        if path.suffix.lower() not in LINES:
            raise ConfigError(
                f"a log of a match is JSON lines, and {path} ends in {path.suffix}",
                option="log",
                given=str(path),
                expected=".jsonl",
                remedy="name a file that ends in .jsonl; `equilibrist bot play --log` writes hands",
            )
        return _MatchLog(path, self._facts())

    def _facts(self) -> dict[str, Any]:
        """What a log is of."""
        return {
            "match": self.hand.name,
            "first": repr(self._first),
            "second": repr(self._others[0]),
            "seed": self.seed,
            "duplicate": self.duplicate,
            "aivat": self._luck is not None,
            **_identity("first", self._first),
            **_identity("second", self._others[0]),
        }


def _identity(name: str, bot: HandPlayer) -> dict[str, Any]:
    """What a bot plays, by keys that begin with a name; nothing of what is no `Bot`."""
    identity = bot.identity() if isinstance(bot, Bot) else {}
    return {f"{name}_{key}": value for key, value in identity.items()}


def _powers(row: Sequence[float]) -> FloatArray:
    """float64[2, n]: numbers, and their squares."""
    numbers = np.array(row)
    return np.stack([numbers, np.square(numbers)])


class _MatchLog:
    """A log of deals: a line that says of what match, and a line for each deal.

    Args:
        path: The file.
        facts: What the match is.
    """

    def __init__(self, path: Path, facts: dict[str, Any]) -> None:
        self._file = AppendedFile(path)
        found = WholeLines.read(path, "log")
        header = json.dumps(facts) + "\n"
        if not found.lines and header.encode().startswith(found.rest):
            found.cut(path)  # the process was killed in the header, if there is anything
            self.rows = list[list[float]]()
            self._file.append(header)
            return
        self.rows = _read(path, found.lines, facts)
        found.cut(path)

    def add(self, number: int, row: Sequence[float]) -> None:
        """Write a deal."""
        self._file.append(json.dumps({"deal": number, "won": list(row)}) + "\n")

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _read(path: Path, lines: Sequence[str], facts: dict[str, Any]) -> list[list[float]]:
    """The deals of a log; FileFormatError and MismatchError where it is none of this match."""
    try:
        header, *deals = map(json.loads, lines)
        rows = [[float(number) for number in deal["won"]] for deal in deals]
        numbers = [deal["deal"] for deal in deals]
        if not isinstance(header, dict) or "match" not in header:
            raise ValueError("no match")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise FileFormatError(
            f"{path} is no log of a match",
            path,
            option="log",
            given=f"{error}",
            remedy="name a new file",
        ) from None
    for key, value in facts.items():
        if header.get(key) != value:
            raise MismatchError(
                f"{path} is the log of another match: its {key} is {header.get(key)}",
                option=key,
                given=header.get(key),
                expected=value,
                remedy="name a new file, or give the options of that match",
            )
    if numbers != [*range(len(numbers))] or any(len(row) != 1 + facts["aivat"] for row in rows):
        raise FileFormatError(
            f"{path} lacks deals", path, option="log", given=len(rows), remedy="name a new file"
        )
    return rows
