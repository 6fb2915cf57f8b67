"""`Blueprint`: a trained strategy of a whole hand, its decisions, its ranges, and its file."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from math import comb
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import ConfigError, EquilibristError, FileFormatError
from equilibrist.formatting.amounts import counted
from equilibrist.parsing.arguments import whole_number
from equilibrist.poker.blueprint.abstract_game import AbstractGame, check_cards
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import (
    CLASS_NAMES,
    FIRST_CARD,
    NUM_COMBOS,
    SECOND_CARD,
    dealt_hands,
)
from equilibrist.poker.decisions.decision import Decision
from equilibrist.poker.decisions.solution import part_line, refuse_board
from equilibrist.poker.hands.betting_tree import BettingTree
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.rules import STREET_NAMES
from equilibrist.poker.hands.state import DECISION
from equilibrist.poker.hands.stored import read_stored_hand, stored_hand
from equilibrist.poker.hands.tree_lines import node_at, path_to
from equilibrist.poker.ranges.range import Range, to_digits
from equilibrist.storage.archive import fingerprint_of, write_archive
from equilibrist.storage.kinds.file_kinds import BLUEPRINT
from equilibrist.storage.mapped_archive import MappedArchive
from equilibrist.storage.versions import versions
from equilibrist.typing import FloatArray, UInt16Array

WHOLE: Final = 65_535
"""What stands for probability 1 in a file."""
_CHECKED: Final = 1 << 28
"""Bytes up to which loading checks all of a file against its checksums: a quarter of a second. Of
larger files each part is, when it is used."""
_STRATEGY: Final = "strategy"
_BOARD_SIZES: Final = (0, 3, 4, 5)
_COLUMNS: Final = ("line", "seat", "hand", "combos", "reach", "action", "frequency")
_BY_TRAINING: Final = ("discount", "storage", "lanes", "pruning", "workers", "evaluated")
"""What the records of some trainings have; documents of the others have null."""
RARE: Final = 0.01
"""Below this share of all deals a line was hardly trained, and its ranges are mostly noise."""


class LineReach(NamedTuple):
    """How often a blueprint plays a line before the flop."""

    line: float
    """The share of all deals after which it is played. With more than two seats hands count as if
    they shared no cards."""
    seats: tuple[float, ...]
    """By seat, the share of its hands that take its actions on the line."""

    @property
    def is_rare(self) -> bool:
        """Whether the line is played so rarely that its ranges are mostly noise of training."""
        return self.line < RARE


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
        probabilities = stored.reshape(actions, buckets).astype(np.float32)
        probabilities /= np.maximum(probabilities.sum(axis=0), np.float32(1.0))
        return probabilities

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
        by_hand = by_bucket[:, np.where(dealt, row, 0)]
        by_hand[:, ~dealt] = 0.0
        return by_hand

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats, in the order of posting."""
        return self.hand.rules.seat_words

    @property
    def measure(self) -> None:
        """None: a blueprint does not know how good it is; `evaluate_blueprint` measures it."""
        return None

    def lines(self) -> list[str]:
        """The lines of the decisions before the flop.

        Returns:
            The lines, that of the root, which is empty, first.
        """
        return [*map(self.tree.line, self._before_the_flop)]

    def at(self, line: str = "", board: str | Sequence[int] = "") -> Decision:
        """Look up a decision.

        Args:
            line: The actions before it, such as `R2.5-C|X`, or with cards `R2.5-C|Td9d6h|X`.
            board: The public cards, if the line has none: as a text or as numbers.

        Returns:
            The decision, by combo; a blueprint has no EVs of its own.

        Raises:
            NotationError: The line is not offered.
            ConfigError: Nobody acts there, or the board is missing, too short, or before the flop.
            FileFormatError: The file, or that of the card buckets, is damaged there.
        """
        betting, cards = part_line(line, board)
        node = node_at(self.tree, betting)
        if not self.tree.street[node]:
            refuse_board(cards)
        return self.decision_at(node, cards)

    def decision_at(self, node: int, board: Sequence[int] = ()) -> Decision:
        """The decision of a node of the tree.

        Args:
            node: The decision.
            board: The public cards; none before the flop.

        Returns:
            The decision, by combo.

        Raises:
            ConfigError: The node is not a decision, or the board is too short.
            FileFormatError: The file, or that of the card buckets, is damaged there.
        """
        strategy = self.probabilities(node, board).astype(np.float64)
        seat = int(self.tree.player[node])
        return Decision(
            line=self.tree.line(node),
            seat=seat,
            seat_name=self.seats[seat],
            street=STREET_NAMES[self.tree.street[node]],
            actions=self.tree.moves(node),
            combos=np.where(strategy.sum(axis=0) > 0, 1.0, 0.0),
            reach=ranges_at(self, node, board)[seat],
            strategy=strategy,
            board=tuple(board),
        )

    def nodes(self) -> Iterator[Decision]:
        """Go through the decisions before the flop.

        Yields:
            The decisions in the order of the tree, by class.
        """
        for node in self._before_the_flop:
            yield self.decision_at(node).by_class()

    @property
    def _before_the_flop(self) -> list[int]:
        tree = self.tree
        return np.flatnonzero((tree.kind == DECISION) & (tree.street == 0)).tolist()

    def facts(self) -> dict[str, Any]:
        """Say what was trained, and how, without the strategy.

        Returns:
            Plain values, for JSON.
        """
        return {
            "hand": self.hand.name,
            "buckets": list(self.game.buckets),
            "cards": self.cards.hash,
            "infosets": self.game.num_infosets,
            "slots": self.game.num_slots,
            **dict.fromkeys(_BY_TRAINING),
            **self.record,
        }

    def to_dict(self) -> dict[str, Any]:
        """The decisions before the flop for JSON.

        Returns:
            `facts`, and the decisions as `nodes`, by class.
        """
        nodes = [
            {
                "line": node.line,
                "seat": node.seat,
                "actions": list(node.codes),
                "total": node.frequencies.tolist(),
                "reach": dict(zip(CLASS_NAMES, to_digits(node.reach, 6).tolist(), strict=True)),
                "hands": dict(zip(CLASS_NAMES, node.strategy.T.round(6).tolist(), strict=True)),
            }
            for node in self.nodes()
        ]
        return {**self.facts(), "nodes": nodes}

    def to_csv(self) -> str:
        """The decisions before the flop as CSV.

        Returns:
            A row for each decision, hand class and action.
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(_COLUMNS)
        for node in self.nodes():
            for k in node.dealt.tolist():
                before = [node.line, node.seat, CLASS_NAMES[k], int(node.combos[k])]
                before.append(f"{node.reach[k]:.6g}")
                for code, share in zip(node.codes, node.strategy[:, k], strict=True):
                    writer.writerow([*before, code, f"{share:.6g}"])
        return text.getvalue()

    def ranges(self) -> dict[str, str]:
        """The hands that take each action before the flop.

        Returns:
            By line with the action, ranges as `postflop` takes them.
        """
        texts = {}
        for node in self._before_the_flop:
            for child in self.tree.children(node):
                weights = to_digits(ranges_at(self, child)[self.tree.player[node]])
                name = f"{self.tree.line(node)}-{self.tree.label(child)}".lstrip("-")
                texts[name] = str(Range.from_weights(weights))
        return texts

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the blueprint to a file, atomically; `load_result` opens it.

        Args:
            path: The file, `b.safetensors`.

        Returns:
            The path.

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
        return write_archive(path, BLUEPRINT, header, {_STRATEGY: self._strategy}, in_parts=True)

    def fingerprint(self) -> str:
        """Tell blueprints apart by their hand, their card buckets and their strategy.

        Returns:
            The same digits for the same blueprint, wherever it and its buckets are kept.

        Raises:
            FileFormatError: The file that it was loaded from is damaged.
        """
        header = {
            "hand": stored_hand(self.hand),
            "buckets": list(self.game.buckets),
            "cards": self.cards.hash,
        }
        return fingerprint_of(header, {_STRATEGY: self.stored})

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
        archive = MappedArchive(path, BLUEPRINT)
        header = archive.header
        if archive.num_bytes <= _CHECKED:
            archive.check()
        try:
            hand = read_stored_hand(header["hand"])
            buckets = tuple(int(count) for count in header["buckets"])
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
        blueprint = cls(game, card_buckets_of(archive.path, cards, wanted), strategy, record)
        blueprint._archive = archive
        return blueprint


def board_of_street(board: Sequence[int], street: int) -> Sequence[int]:
    """The public cards of a street; raises ConfigError if there are fewer."""
    size = _BOARD_SIZES[street]
    if len(board) < size:
        raise ConfigError(
            f"the board has {counted(len(board), 'card')}, and the street {size}",
            option="board",
            given=len(board),
            expected=f"at least {size} cards",
            remedy="give the board of the street",
        )
    return board[:size]


def card_buckets_of(
    path: Path,
    cards: CardBuckets | str | os.PathLike[str] | None,
    wanted: Mapping[str, str],
) -> CardBuckets:
    """The card buckets with a `hash`: those given, those at their `path`, or beside `path`.

    Raises FileFormatError where there are none, or those given are others.
    """
    if cards is not None:
        cards = cards if isinstance(cards, CardBuckets) else CardBuckets.load(cards)
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
    for file in (place, path.parent / place.name):
        if file.is_file():
            try:
                cards = CardBuckets.load(file)
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


def ranges_at(blueprint: Blueprint, node: int, board: Sequence[int] = ()) -> FloatArray:
    """The ranges of the seats at a node: the probability that a seat with a hand plays to it.

    Args:
        blueprint: The blueprint.
        node: The node.
        board: The public cards, at least those of the decisions on the way.

    Returns:
        float64[S, 1326] by seat and hand; 0 for hands that the board blocks or the deck lacks.

    Raises:
        ConfigError: The board is too short.
    """
    dealt = dealt_hands(board, blueprint.hand.rules.lowest_rank)
    reach = np.ones((blueprint.hand.seats, NUM_COMBOS))
    for decision, action in path_to(blueprint.tree, node):
        seat = int(blueprint.tree.player[decision])
        reach[seat] *= blueprint.probabilities(decision, board)[action]
    reach_of_dealt: FloatArray = np.where(dealt, reach, 0.0)
    return reach_of_dealt


def reach_of(blueprint: Blueprint, node: int) -> LineReach:
    """Compute how often a blueprint plays to a node before the flop, or to the first on it.

    Args:
        blueprint: The blueprint.
        node: The node.

    Returns:
        The shares of all deals and of each seat's hands.

    Raises:
        ConfigError: A decision on the way is after the flop.
    """
    held = ranges_at(blueprint, node)
    dealt = dealt_hands((), blueprint.hand.rules.lowest_rank)
    hands = int(dealt.sum())
    seats = tuple(float(weights.sum()) / hands for weights in held)
    if len(seats) > 2:
        return LineReach(float(np.prod(seats)), seats)
    ours, theirs = held
    by_card = np.bincount(FIRST_CARD, theirs, NUM_CARDS)
    by_card += np.bincount(SECOND_CARD, theirs, NUM_CARDS)
    met = theirs.sum() - by_card[FIRST_CARD] - by_card[SECOND_CARD] + theirs
    left = NUM_CARDS - 4 * blueprint.hand.rules.lowest_rank - 2
    return LineReach(float(ours @ met) / (hands * comb(left, 2)), seats)
