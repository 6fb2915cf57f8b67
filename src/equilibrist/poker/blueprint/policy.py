"""`Blueprint`: a trained strategy of a whole hand, and its file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import ConfigError, EquilibristError, FileFormatError
from equilibrist.parsing.arguments import whole_number
from equilibrist.poker.blueprint.abstract_game import AbstractGame, check_cards
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.hands.betting_tree import BettingTree
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.state import DECISION
from equilibrist.poker.hands.stored import read_stored_hand, stored_hand
from equilibrist.storage.archive import write_archive
from equilibrist.storage.mapped_archive import MappedArchive
from equilibrist.storage.versions import versions
from equilibrist.typing import UInt16Array

KIND: Final = "blueprint"
WHOLE: Final = 65_535
"""What stands for probability 1 in a file."""
_CHECKED: Final = 1 << 28
"""Bytes up to which loading checks all of a file against its checksums: a quarter of a second. Of
larger files each part is, when it is used."""
_STRATEGY: Final = "strategy"
_BOARD_SIZES: Final = (0, 3, 4, 5)


class Blueprint:
    """A strategy of all seats of a whole hand, over card buckets.

    Args:
        game: The abstract game.
        cards: Its card buckets.
        strategy: uint16[slots], the probabilities times 65,535, as `AbstractGame.layout` has them.
        record: What is known of the training, as JSON has it.

    Attributes:
        game: The abstract game.
        cards: Its card buckets.
        record: What is known of the training.

    Raises:
        ConfigError: The card buckets are of another deck, or have other numbers.
    """

    def __init__(
        self,
        game: AbstractGame,
        cards: CardBuckets,
        strategy: UInt16Array,
        record: Mapping[str, Any] | None = None,
    ) -> None:
        check_cards(game.hand, cards)
        self.game, self.cards = game, cards
        self.record: dict[str, Any] = dict(record or {})
        self._strategy = strategy
        self._archive: MappedArchive | None = None

    @property
    def hand(self) -> Hand:
        """The hand: its rules and its bet sizes."""
        return self.game.hand

    @property
    def tree(self) -> BettingTree:
        """The betting tree."""
        return self.game.tree

    @property
    def stored(self) -> UInt16Array:
        """uint16[slots]: the probabilities times 65,535, as `AbstractGame.layout` has them.

        Raises:
            FileFormatError: The file is damaged.
        """
        if self._archive is not None:
            self._archive.check()
        return self._strategy

    def bucket_probabilities(self, node: int) -> NDArray[np.float32]:
        """The strategy at a decision, by bucket.

        Args:
            node: A decision of the tree.

        Returns:
            float32[A, K]: the probability of each action for each bucket of the street.

        Raises:
            ConfigError: The node is not a decision.
            FileFormatError: The file is damaged there.
        """
        whole_number("node", node, 0, self.tree.num_nodes - 1)
        if self.tree.kind[node] != DECISION:
            raise ConfigError(
                f"nobody acts after {self.tree.line(node) or 'the start'}",
                option="node",
                given=node,
                expected="a node where a seat acts",
                remedy="give a line that ends before a decision",
            )
        actions, buckets = self.game.shape(node)
        begin = int(self.game.layout.slot[node])
        end = begin + actions * buckets
        stored = (
            self._strategy[begin:end]
            if self._archive is None
            else self._archive.read(_STRATEGY, begin, end)
        )
        found = stored.reshape(actions, buckets).astype(np.float32)
        found /= np.maximum(found.sum(axis=0), np.float32(1.0))
        return found

    def probabilities(self, node: int, board: Sequence[int]) -> NDArray[np.float32]:
        """The strategy at a decision for every hand on a board.

        Args:
            node: A decision of the tree.
            board: The public cards; those of later streets are ignored.

        Returns:
            float32[A, 1326]: the probability of each action, in the order of the children; 0 for
            hands that the board blocks or the deck lacks.

        Raises:
            ConfigError: The node is not a decision, or the board is too short for its street.
            FileFormatError: The file, or that of the card buckets, is damaged there.
        """
        by_bucket = self.bucket_probabilities(node)
        row = self.cards.row(board_of_street(board, int(self.tree.street[node])))
        dealt = row < by_bucket.shape[1]
        if row.dtype.kind == "i":
            dealt &= row >= 0
        found = by_bucket[:, np.where(dealt, row, 0)]
        found[:, ~dealt] = 0.0
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the blueprint to a file, atomically.

        Args:
            path: The file, `b.safetensors`.

        Raises:
            OutputError: It cannot be written.
            FileFormatError: The file that it was loaded from is damaged.
        """
        if self._archive is not None:
            self._archive.check()
        header = {
            "hand": stored_hand(self.hand),
            "buckets": list(self.game.buckets),
            "cards": {"hash": self.cards.hash, "path": str(Path(self.cards.path).resolve())},
            "record": self.record,
            "versions": versions(),
        }
        write_archive(path, KIND, header, {_STRATEGY: self._strategy}, in_parts=True)

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], cards: CardBuckets | str | os.PathLike[str] | None = None
    ) -> Self:
        """Map a file into memory.

        Always checked are its size, its header, and the type and shape of its strategy. A strategy
        of up to 256 MB is checked against its checksums at once, a larger one part by part, when it
        is used.

        Args:
            path: The file, as `save` or `blueprint train` writes it.
            cards: Its card buckets, or their file; None for the file that it was trained with,
                at its old place or beside the blueprint.

        Returns:
            The blueprint.

        Raises:
            FileFormatError: The file is missing, damaged or of another kind, or the card buckets
                are not those that it was trained with.
        """
        archive = MappedArchive(path, KIND)
        header = archive.header
        if archive.num_bytes <= _CHECKED:
            archive.check()
        try:
            hand = read_stored_hand(header["hand"])
            buckets = tuple(int(each) for each in header["buckets"])
            wanted = {key: str(header["cards"][key]) for key in ("hash", "path")}
            record = dict(header["record"])
            game = AbstractGame(hand, buckets)
            strategy = archive.view(_STRATEGY)
            if strategy.shape != (game.num_slots,) or strategy.dtype != np.uint16:
                raise ValueError(f"its strategy has the shape {strategy.shape}, {strategy.dtype}")
        except (KeyError, TypeError, ValueError, EquilibristError) as error:
            raise FileFormatError(
                f"{archive.path} has no blueprint that can be read: {error}",
                archive.path,
                option="header",
                remedy="train it again",
            ) from None
        found = cls(game, card_buckets_of(archive.path, cards, wanted), strategy, record)
        found._archive = archive
        return found


def board_of_street(board: Sequence[int], street: int) -> Sequence[int]:
    """The public cards of a street; raises ConfigError if there are fewer."""
    size = _BOARD_SIZES[street]
    if len(board) < size:
        raise ConfigError(
            f"the board has {len(board)} cards, and the street {size}",
            option="board",
            given=len(board),
            expected=f"at least {size} cards",
            remedy="give the board of the street",
        )
    return board[:size]


def card_buckets_of(
    path: Path,
    given: CardBuckets | str | os.PathLike[str] | None,
    wanted: Mapping[str, str],
) -> CardBuckets:
    """The card buckets with a `hash`: those given, those at their `path`, or beside `path`.

    Raises FileFormatError where there are none, or those given are others.
    """
    if given is not None:
        cards = given if isinstance(given, CardBuckets) else CardBuckets.load(given)
        if cards.hash != wanted["hash"]:
            raise _other_cards(path, cards, wanted)
        return cards
    place = Path(wanted["path"])
    failure = FileFormatError(
        f"the card buckets of {path} are not at {place}",
        path,
        option="cards",
        given=str(place),
        remedy=f"put {place.name} beside {path.name}, or name it with `cards`",
    )
    for each in (place, path.parent / place.name):
        if each.is_file():
            try:
                cards = CardBuckets.load(each)
            except FileFormatError as error:
                failure = error
                continue
            if cards.hash == wanted["hash"]:
                return cards
            failure = _other_cards(path, cards, wanted)
    raise failure


def _other_cards(path: Path, cards: CardBuckets, wanted: Mapping[str, str]) -> FileFormatError:
    return FileFormatError(
        f"{path} was trained with other card buckets than {cards.path}",
        path,
        option="cards",
        given=cards.hash,
        expected=wanted["hash"],
        remedy="name the card buckets that it was trained with, with `cards`",
    )
