"""Hold'em value networks: what hands are worth when the turn or the river begins."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import MismatchError
from equilibrist.learned.files import NetworkFile
from equilibrist.learned.holdem_values.features import (
    FEATURES,
    hand_values,
    network_inputs,
    num_inputs,
    num_outputs,
)
from equilibrist.learned.holdem_values.hand_grid import BoardHands, HeldHands
from equilibrist.learned.holdem_values.situations import BOARD_CARDS
from equilibrist.learned.holdem_values.street_leaves import NetworkStreet, tables_bytes
from equilibrist.learned.network import Float32Array, Network, new_network
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.poker.postflop.engine.leaves import Leaves, StreetLeaves
from equilibrist.storage.damage import reading_content
from equilibrist.storage.kinds.file_kinds import HOLDEM_NETWORK
from equilibrist.typing import FloatArray, Int32Array

UNIT: Final = "pot"
"""The unit of values: the chips in the middle when the street begins."""
GAME: Final = "hold'em"
_NAME: Final = "values"
"""What the network is called in its file."""
_BOARDS: Final = 64
"""Boards whose tables are kept; on the turn some 6 MB each."""


class HoldemValues:
    """A network that values all hands of both players when a street begins.

    Attributes:
        street: The street that begins: "turn" or "river".
        network: The network.
        made: How it was made: the plan of its dataset, with bet sizes; and its losses.
        path: The file; None if it was made here.
    """

    def __init__(
        self, street: str, network: Network, made: dict[str, Any], path: Path | None = None
    ) -> None:
        self.street, self.network, self.made, self.path = street, network, made, path
        self.unit = UNIT
        self._board = lru_cache(_BOARDS)(BoardHands)
        self._held = lru_cache(_BOARDS)(_held_hands)

    @classmethod
    def untrained(
        cls, street: str, hidden: Sequence[int] = (256, 256, 256), seed: int = 0
    ) -> HoldemValues:
        """A network that is still to be fitted: hands are worth what they win if nobody bets.

        Args:
            street: The street that begins: "turn" or "river".
            hidden: The widths of the hidden layers.
            seed: Fixes the weights of the hidden layers.

        Returns:
            The network, whose outputs are 0.

        Raises:
            ConfigError: An argument is wrong.
        """
        if street not in BOARD_CARDS:
            raise bad_argument("street", street, " or ".join(BOARD_CARDS))
        sizes = (num_inputs(street), *hidden, num_outputs(street))
        return cls(street, new_network(sizes, seed), {})

    def __call__(
        self,
        boards: NDArray[np.integer],
        pot: NDArray[Any],
        stack: NDArray[Any],
        ranges: NDArray[np.floating],
        held: Int32Array | None = None,
    ) -> Float32Array:
        """Value the hands of B situations.

        The value of a hand is what it wins on average over the opponent's whole range, in pots:
        chips at the end of the hand less those behind now, less half the pot, where hands of the
        opponent that share a card with it count as 0. For a sum over the opponent's hands with
        their reach multiply by the pot and by the sum of the opponent's range; for final chips
        less chips behind add half the pot times the reach of the hands that it does not block.

        Args:
            boards: int8[B, 4] for the turn, int8[B, 5] for the river: cards in any order.
            pot: float[B]: chips in the middle.
            stack: float[B]: chips that each player has behind, at least 0.
            ranges: float32[B, 2, 1326]: both players' weights; they need not sum to 1, and weights
                of blocked hands are ignored.
            held: int32[n]: the combos that either player may hold, which take all weights; None for
                all. Fewer take less time.

        Returns:
            float32[B, 2, 1326]: the values; 0 for hands that the board blocks or that are not held.
            The means of both players over their normalised ranges are opposite.

        Raises:
            MismatchError: The boards are those of another street, or the shapes do not fit.
        """
        cards = np.sort(np.asarray(boards), axis=1)
        size, expected = cards.shape[1], BOARD_CARDS[self.street]
        if size != expected:
            raise MismatchError(
                f"a network of the {self.street} values boards of {expected} cards, not of {size}",
                option="boards",
                given=size,
                expected=expected,
            )
        count = len(cards)
        weights = np.asarray(ranges, np.float32)
        if weights.shape != (count, 2, NUM_COMBOS):
            raise MismatchError(
                f"ranges have the shape {weights.shape}; expected {(count, 2, NUM_COMBOS)}",
                option="ranges",
                given=weights.shape,
                expected=(count, 2, NUM_COMBOS),
            )
        ratio = np.asarray(stack, np.float64) / np.asarray(pot, np.float64)
        values = np.zeros((count, 2, NUM_COMBOS), np.float32)
        distinct, which = np.unique(cards, axis=0, return_inverse=True)
        for number, board_cards in enumerate(distinct.tolist()):
            rows = np.flatnonzero(which.ravel() == number)
            board = self._hands_on(tuple(board_cards), held)
            shares = _normalised(weights[rows][:, :, board.hands])
            inputs = network_inputs(board, shares, np.broadcast_to(ratio, (count,))[rows])
            outputs = self.network.predict(inputs)
            hands = hand_values(board, shares, outputs)
            values[rows[:, None, None], np.arange(2)[:, None], board.hands] = hands
        return values

    def _hands_on(self, cards: tuple[int, ...], held: Int32Array | None) -> BoardHands:
        """The hands of a board, or those of them that are held."""
        return self._board(cards) if held is None else self._held(cards, held.tobytes())

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write it to a file, a hold'em value network.

        Args:
            path: The file; an existing one is replaced only if it is such a network.

        Returns:
            The file.

        Raises:
            OutputError: It cannot be written, or another file is there.
        """
        made = {key: value for key, value in self.made.items() if key != "losses"}
        file = NetworkFile(
            networks={_NAME: self.network},
            features=FEATURES,
            game=GAME,
            fingerprint="",
            unit=UNIT,
            losses=self.made.get("losses", {}),
            made={"street": self.street, **made},
        )
        return file.save(path, HOLDEM_NETWORK)


def load_holdem_values(path: str | os.PathLike[str]) -> HoldemValues:
    """Load a hold'em value network.

    Args:
        path: A file that `equilibrist postflop train` wrote.

    Returns:
        The network, which is called with boards, pots, stacks and ranges.

    Raises:
        FileFormatError: It is damaged, or of another kind.
        MismatchError: It has other features, another unit or another shape than this version uses.
    """
    file = NetworkFile.load(path, HOLDEM_NETWORK)
    street = str(file.made.get("street"))
    if street not in BOARD_CARDS:
        raise MismatchError(
            f"{path} is a network of the street {street}; expected turn or river",
            option="street",
            given=street,
            expected="turn, river",
        )
    file.check(features=FEATURES, unit=UNIT, inputs=num_inputs(street), outputs=num_outputs(street))
    made = {**file.made, "losses": dict(file.losses)}
    with reading_content(file.path or path, "a hold'em value network"):
        network = file.networks[_NAME]
    return HoldemValues(street, network, made, file.path)


class NetworkLeaves:
    """A network as the leaf values of a street of a spot (`poker.HoldemLeafValues`).

    Attributes:
        name: What it is called, such as the name of its file.
        identity: The hash of its file; may be empty.
        num_cards: The cards on the boards of its leaves.
    """

    def __init__(self, network: HoldemValues, name: str, identity: str = "") -> None:
        """Take a network.

        Args:
            network: The network.
            name: What it is called.
            identity: The hash of its file.
        """
        self.name, self.identity = name, identity
        self.num_cards = BOARD_CARDS[network.street]
        self._network = network

    def on_street(self, street: StreetLeaves, /) -> NetworkStreet:
        """Prepare for all leaves of a street, as `ValuesStreets.on_street`.

        Args:
            street: The leaves.

        Returns:
            What values them.
        """
        return NetworkStreet(self._network.network, street)

    def kept_bytes(self, boards: NDArray[np.int8], held: tuple[Int32Array, Int32Array], /) -> int:
        """Count the tables of boards, as `KeepsBoards.kept_bytes` says.

        Args:
            boards: int8[B, cards], each once.
            held: The combos of both players.

        Returns:
            Bytes.
        """
        return tables_bytes(boards, held)

    def values(self, leaves: Leaves, ranges: FloatArray, /) -> FloatArray:
        """Value a batch of leaves.

        Args:
            leaves: The leaves.
            ranges: float64[L, 2, 1326].

        Returns:
            float64[L, 2, 1326].
        """
        held = np.union1d(*leaves.held).astype(np.int32)
        values = self._network(leaves.boards, leaves.pots, leaves.stacks, ranges, held)
        return values.astype(np.float64)


def _held_hands(cards: tuple[int, ...], combos: bytes) -> HeldHands:
    return HeldHands(BoardHands(cards), np.frombuffer(combos, np.int32))


def _normalised(ranges: Float32Array) -> Float32Array:
    """Each range with sum 1; all hands alike where there is none."""
    sums = ranges.sum(axis=-1, keepdims=True, dtype=np.float64)
    shares = ranges / np.where(sums > 0, sums, 1.0)
    return np.where(sums > 0, shares, 1.0 / ranges.shape[-1]).astype(np.float32)
