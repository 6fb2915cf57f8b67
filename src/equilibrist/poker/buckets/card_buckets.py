"""`CardBuckets`: a file of card buckets, mapped into memory, and the look-up of hands in it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import ConfigError, FileFormatError
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import whole_number
from equilibrist.poker.buckets.spec import BOARD_SIZES, STREETS
from equilibrist.poker.cards.canonical_boards import board_places, canonical_boards
from equilibrist.poker.cards.cards import NUM_CARDS, card_names, refuse_outside_deck
from equilibrist.poker.cards.combos import NUM_COMBOS, combo_name
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES
from equilibrist.storage.archive import write_archive
from equilibrist.storage.kinds.file_kinds import CARDS
from equilibrist.storage.mapped_archive import MappedArchive
from equilibrist.typing import FloatArray, Int64Array, UInt16Array


class StreetFacts(NamedTuple):
    """Read the facts of the buckets of a street."""

    street: str
    """preflop, flop, turn or river."""
    kind: str
    """How they were made: histogram, potential, equity, quantile, ochs or lossless."""
    buckets: int
    """How many there are."""
    size: Int64Array
    """int64[K]: the deals of each, pairs of a board as a set of cards and a hand."""
    equity: FloatArray
    """float64[K]: the mean equity of each against a random hand."""
    distance: float | None
    """How far a hand is from the centre of its bucket: the mean EMD in bins of 1/50 of the equity
    (histogram), that of greedy transport between the next street's buckets (potential), the root
    mean square of the equity (equity, quantile) or of the equities against the groups of opponents'
    hands (ochs); None without clusters."""
    spread: float | None
    """The root mean square of a hand's equity from the mean of its bucket: comparable between all
    kinds and streets; None without clusters."""
    centres: UInt16Array
    """uint16[K, D]: the centres; uint16[0, 0] where there are none."""

    def __repr__(self) -> str:
        return brief_repr(self)


class CardBuckets:
    """Card buckets of the four streets.

    A board of any order and suits is looked up at the canonical board of which it is an image, in
    a row with the bucket of each of the 1,326 hands there. Training takes whole rows by `row`, play
    single hands by `lookup`: both read the same.

    Args:
        archive: The mapped file; `load` opens one by its name.

    Attributes:
        counts: Buckets on the four streets.
        kinds: The kind of each street.
        lowest_rank: The lowest rank in the deck, 0 for 52 cards.
        hash: What identifies the buckets: a digest of all rows.
        header: What the file says of itself.

    Raises:
        FileFormatError: The file has no card buckets that can be read.
    """

    def __init__(self, archive: MappedArchive) -> None:
        self._archive = archive
        self.header: Mapping[str, Any] = archive.header
        try:
            spec = archive.header["spec"]
            self.counts: tuple[int, ...] = tuple(map(int, archive.header["counts"]))
            self.kinds: tuple[str, ...] = tuple(map(str, spec["kinds"]))
            self.lowest_rank = int(spec["lowest_rank"])
            self.hash = str(archive.header["hash"])
            self._distance, self._spread = archive.header["distance"], archive.header["spread"]
            self._rows = [archive.view(name) for name in STREETS]
            for rows, size in zip(self._rows, BOARD_SIZES, strict=True):
                if rows.shape != (_boards(size, self.lowest_rank), NUM_COMBOS):
                    raise ValueError(f"its rows have the shape {rows.shape}")
        except (KeyError, TypeError, ValueError, ConfigError) as error:
            raise FileFormatError(
                f"{archive.path} has no card buckets that can be read: {error}",
                archive.path,
                option="header",
                remedy="build it again",
            ) from None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Map a file into memory; rows are read when they are asked for.

        Args:
            path: The file, as `build_card_buckets` writes it.

        Returns:
            The buckets.

        Raises:
            FileFormatError: The file is missing, damaged, or of another kind.
        """
        return cls(MappedArchive(path, CARDS))

    @property
    def path(self) -> Path:
        """The file."""
        return self._archive.path

    def rows(self, street: int) -> NDArray[Any]:
        """The rows of a street, mapped: what kernels read, without a check of numbers.

        The first call checks the file against its checksums, and every call that it is unchanged.

        Args:
            street: 0 before the flop, 1 on it, 2 on the turn, 3 on the river.

        Returns:
            uint16[B, 1326] by canonical board and hand (int32 for more than 65,535 buckets),
            read-only; 65535, or -1, where the hand is not dealt. Before the flop B is 1.

        Raises:
            FileFormatError: The file is damaged.
        """
        self.check()
        return self._rows[whole_number("street", street, 0, 3)]

    def row(self, board: Sequence[int]) -> NDArray[Any]:
        """The bucket of every hand on a board.

        Args:
            board: No card, or three to five distinct cards of the deck, in any order.

        Returns:
            uint16[1326] or int32[1326], in the numbers of the hands as they are dealt.

        Raises:
            ConfigError: This is not a board of the deck.
            FileFormatError: The file is damaged there.
        """
        cards = self._checked(board)
        street = BOARD_SIZES.index(len(cards))
        if not street:
            whole: NDArray[Any] = self._archive.read(STREETS[0])[0]
            return whole
        place = board_places(np.array([cards]), self.lowest_rank)
        at = int(place.board[0])
        canonical_row: NDArray[Any] = self._archive.read(STREETS[street], at, at + 1)[0]
        mapped: NDArray[Any] = canonical_row[COMBO_IMAGES[place.permutation[0]]]
        return mapped

    def lookup(self, board: Sequence[int], hand: int) -> int:
        """The bucket of a hand on a board.

        Args:
            board: As for `row`.
            hand: The number of the hand, 0 to 1,325.

        Returns:
            The bucket, from 0.

        Raises:
            ConfigError: This is not a board of the deck, or the hand cannot be dealt on it.
            FileFormatError: The file is damaged there.
        """
        whole_number("hand", hand, 0, NUM_COMBOS - 1)
        row = self.row(board)
        bucket = int(row[hand])
        if bucket == no_bucket(row):
            raise ConfigError(
                f"{combo_name(hand)} is not dealt on {card_names(board) or 'this deck'}",
                option="hand",
                given=combo_name(hand),
                expected="two cards of the deck that are not on the board",
                remedy="give other cards",
            )
        return bucket

    def facts(self, street: int) -> StreetFacts:
        """Read the facts of the buckets of a street.

        Args:
            street: 0 before the flop, 1 on it, 2 on the turn, 3 on the river.

        Returns:
            Kind, sizes, equities, distance and centres.
        """
        whole_number("street", street, 0, 3)
        name = STREETS[street]
        return StreetFacts(
            street=name,
            kind=self.kinds[street],
            buckets=self.counts[street],
            size=self._archive.read(f"{name}_size"),
            equity=self._archive.read(f"{name}_equity"),
            distance=self._distance[street],
            spread=self._spread[street],
            centres=self._archive.read(f"{name}_centres"),
        )

    def check(self) -> None:
        """Check the whole file against its checksums, once, and that nobody has written to it.

        Raises:
            FileFormatError: It is damaged, or was changed since it was opened.
        """
        self._archive.check()

    def __repr__(self) -> str:
        counts = "/".join(map(str, self.counts))
        return f"CardBuckets({counts}, {'/'.join(self.kinds)}, hash {self.hash[:8]})"

    def _checked(self, board: Sequence[int]) -> list[int]:
        cards = [whole_number("board", card, 0, NUM_CARDS - 1) for card in board]
        refuse_outside_deck("board", cards, self.lowest_rank)
        if len(cards) not in BOARD_SIZES or len(set(cards)) < len(cards):
            raise ConfigError(
                f"the board is {card_names(cards)}",
                option="board",
                given=card_names(cards),
                expected="no card, or three to five distinct cards",
                remedy="give no card, or three to five distinct cards",
            )
        return cards


def no_bucket(rows: NDArray[Any]) -> int:
    """The number that stands in rows for a hand that is not dealt."""
    return 65_535 if rows.dtype == np.uint16 else -1


def hash_of(rows: Sequence[NDArray[Any]]) -> str:
    """The digest of the rows of all streets."""
    digest = hashlib.blake2b(digest_size=16)
    for name, some in zip(STREETS, rows, strict=True):
        digest.update(f"{name} {some.dtype.str} {some.shape}".encode())
        digest.update(np.ascontiguousarray(some).data.cast("B"))
    return digest.hexdigest()


def write_card_buckets(
    path: str | os.PathLike[str],
    spec: Mapping[str, Any],
    streets: Sequence[Any],
) -> None:
    """Write the `StreetBuckets` of the four streets atomically; raises OutputError."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, street in zip(STREETS, streets, strict=True):
        arrays |= {
            name: street.rows,
            f"{name}_size": street.size,
            f"{name}_equity": street.equity,
            f"{name}_centres": street.centres,
        }
    header = {
        "spec": dict(spec),
        "counts": [len(street.size) for street in streets],
        "distance": [street.distance for street in streets],
        "spread": [street.spread for street in streets],
        "hash": hash_of([street.rows for street in streets]),
    }
    write_archive(path, CARDS, header, arrays, in_parts=True)


def _boards(size: int, lowest_rank: int) -> int:
    return len(canonical_boards(size, lowest_rank).cards) if size else 1
