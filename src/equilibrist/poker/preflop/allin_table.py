"""The showdowns of the 169 hand classes when two players are all-in before the flop."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from equilibrist._jit import module_folder
from equilibrist.errors import ConfigError, OutputError
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import bad_argument, several
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.cards.combos import CLASS_NAMES, CLASS_OF_COMBO, NUM_CLASSES
from equilibrist.poker.equities.multiway import MultiwayEquity, multiway_equity
from equilibrist.poker.preflop.allin_counts import BOARDS, class_pairs
from equilibrist.storage.atomic import write_bytes
from equilibrist.typing import FloatArray, Int64Array

_BUILDER: Final = "equilibrist.poker.preflop.allin_counts"
_WINS: Final = np.dtype("<i8")
_DIGEST: Final = hashlib.sha256().digest_size


def kept_wins() -> Int64Array | None:
    """int64[169, 169]: the wins of `class_wins`; None if no undamaged file has them."""
    file = _file()
    if file is None:
        return None
    try:
        data = file.read_bytes()
    except OSError:
        return None
    digest, content = data[:_DIGEST], data[_DIGEST:]
    whole = len(content) == NUM_CLASSES**2 * _WINS.itemsize
    if not whole or hashlib.sha256(content).digest() != digest:
        return None
    return np.frombuffer(content, _WINS).astype(np.int64).reshape(NUM_CLASSES, NUM_CLASSES)


def keep_wins(wins: Int64Array) -> None:
    """Write them, atomically; a disk that refuses costs only counting them again."""
    file = _file()
    if file is not None:
        content = wins.astype(_WINS).tobytes()
        with suppress(OSError, OutputError):
            file.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(file, hashlib.sha256(content).digest() + content)


def _file() -> Path | None:
    folder = module_folder(_BUILDER)
    return None if folder is None else folder / "allin-wins.bin"


_PLACE: Final = {name: place for place, name in enumerate(CLASS_NAMES)}
CLASS_SIZES: Final[Int64Array] = np.bincount(CLASS_OF_COMBO, minlength=NUM_CLASSES)
"""int64[169]: the hands of each class."""
CLASS_SIZES.flags.writeable = False


@dataclass(frozen=True, eq=False)
class AllInTable:
    """Exact counts for every pair of hand classes, over all boards.

    All arrays are read-only, with classes in the order of `CLASS_NAMES`: the row is the class of
    the player, the column that of the opponent. A showdown is a hand of each class and a board, no
    card twice; suits count.

    Attributes:
        wins: int64[169, 169], the showdowns that the player wins.
        ties: int64[169, 169], the showdowns that are tied.
        pairs: int64[169, 169], the pairs of hands that share no card: the weight with which the
            classes meet. Each pair has 1,712,304 boards.
    """

    wins: Int64Array
    ties: Int64Array
    pairs: Int64Array

    def __repr__(self) -> str:
        return brief_repr(self)

    @classmethod
    def load(
        cls, threads: int | None = None, on_boards: Callable[[int, int], None] | None = None
    ) -> AllInTable:
        """The table: from the cache, or counted over all boards, which takes seconds, and kept.

        Args:
            threads: Threads that count, by default one per processor.
            on_boards: While it is counted, called with the number of boards done and of all.

        Returns:
            The table, the same object for every call of a process.

        Raises:
            ConfigError: `threads` is not such a number.
        """
        count = thread_count(threads)
        if not _LOADED:
            _LOADED.append(_counted(count, on_boards))
        return _LOADED[0]

    @property
    def losses(self) -> Int64Array:
        """int64[169, 169]: the showdowns that the player loses."""
        return self.wins.T

    @property
    def showdowns(self) -> Int64Array:
        """int64[169, 169]: all showdowns, `wins + ties + losses`."""
        return self.wins + self.ties + self.wins.T

    @property
    def equities(self) -> FloatArray:
        """float64[169, 169]: the player's share of the pot, ties split; the exact ratio rounded."""
        equities: FloatArray = (self.wins + self.ties / 2) / self.showdowns
        return equities

    @property
    def against_random(self) -> FloatArray:
        """float64[169]: the share of the pot against a random hand."""
        won = (2 * self.wins + self.ties).sum(axis=1)
        shares: FloatArray = won / (2 * self.showdowns.sum(axis=1))
        return shares

    def equity(self, hand: str, against: str) -> float:
        """The share of the pot that one class wins against another.

        Args:
            hand: The name of a class, such as `AKs`.
            against: The opponent's.

        Returns:
            The share, from 0 to 1; ties are split.

        Raises:
            ConfigError: There is no such class.
        """
        row, column = class_number("hand", hand), class_number("against", against)
        won = 2 * int(self.wins[row, column]) + int(self.ties[row, column])
        return won / (2 * int(self.showdowns[row, column]))

    def multiway(
        self, hands: Sequence[str], *, samples: int = 1_000_000, seed: int = 0
    ) -> MultiwayEquity:
        """The shares of the pot of three to six classes, from sampled deals.

        Args:
            hands: The names of the classes; one may come several times.
            samples: Deals to draw, from 100 to 10^9.
            seed: Their seed.

        Returns:
            The equities with their standard errors and 95 % intervals; exact ones where the deals
            are no more than the samples.

        Raises:
            ConfigError: There is no such class, their number is another, or no deal is possible.
        """
        expected = "three to six classes, such as AA, KK, AKs"
        names_of_classes = list(several("hands", hands, expected))
        if len(names_of_classes) < 3:
            raise bad_argument("hands", names_of_classes, expected)
        names = [CLASS_NAMES[class_number("hands", hand)] for hand in names_of_classes]
        return multiway_equity(names, samples=samples, seed=seed)


def class_number(option: str, name: object) -> int:
    """The number of a class; ConfigError if there is none of that name."""
    if not isinstance(name, str) or name not in _PLACE:
        raise ConfigError(
            f"{name!r} is not a hand class",
            option=option,
            given=name,
            expected="AA, AKs, AKo ... 22",
            remedy="write the higher rank first, with s for suited and o for offsuit hands",
        )
    return _PLACE[name]


_LOADED: Final[list[AllInTable]] = []


def _counted(threads: int, on_boards: Callable[[int, int], None] | None) -> AllInTable:
    wins = kept_wins()
    if wins is None:
        from equilibrist.poker.preflop.allin_counts import class_wins

        wins = class_wins(threads, on_boards)
        keep_wins(wins)
    pairs = class_pairs()
    table = AllInTable(wins, pairs * BOARDS - wins - wins.T, pairs)
    for array in (table.wins, table.ties, table.pairs):
        array.flags.writeable = False
    return table
