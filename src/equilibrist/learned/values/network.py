"""`ValueNetwork`: a network that says what the hands of both players are worth."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import FileFormatError, MismatchError
from equilibrist.formatting.brief import brief_repr
from equilibrist.learned.files import NetworkFile
from equilibrist.learned.network import Network, zero_sum
from equilibrist.learned.values.region import Region
from equilibrist.learned.values.solver import shares_of
from equilibrist.learned.values.states import FEATURES, FEATURES_VERSION, ValueStates, pair_chances
from equilibrist.search import LeafState, LeafValues, SearchGame, Subgames
from equilibrist.search.leaf_values import HandPair, ask
from equilibrist.storage.kinds.file_kinds import VALUE_NETWORK
from equilibrist.typing import FloatArray, Int64Array

_NAME: Final = "values"
MOST: Final = "most"
STAKE: Final = "stake"
UNITS: Final = (MOST, STAKE)
"""What outputs are in: the most that can be won in the game, or the stake of a public state."""
STAKES: Final = "stakes"
"""The latter as files have it."""


class Predictor(Protocol):
    """What answers in place of a network, row by row."""

    def predict(self, x: NDArray[Any], /) -> NDArray[Any]:
        """Value rows of inputs.

        Args:
            x: float32[n, F].

        Returns:
            float[n, H0 + H1].
        """
        ...


@dataclass(frozen=True, eq=False)
class ValueNetwork:
    """A value function: `LeafValues` for the hands at a public state, whatever the ranges are.

    With ranges that add up to 1, and chance divided by its largest probability of a pair of hands,
    an output is the sum over the other player's hands of chance, range and payoff, counted from
    half of what both earn together and divided by `ValueStates.unit`, or by the stake of the public
    state. What the outputs of both players add up to, weighed by their ranges, is taken off, half
    from each.

    Attributes:
        states: The public states that it knows.
        network: What answers.
        losses: Losses of its training by name.
        made: How it was trained, for people.
        path: Where it was read; None if it was not.
        unit: What its outputs are in: "most" or "stake", as `ValueTraining` has it.
    """

    states: ValueStates
    network: Predictor
    losses: Mapping[str, float] = field(default_factory=dict)
    made: Mapping[str, Any] = field(default_factory=dict)
    path: Path | None = None
    unit: str = MOST

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.states.search.tree.name

    def values(self, classes: Int64Array, ranges: FloatArray) -> FloatArray:
        """Value rows of ranges.

        Args:
            classes: int64[n], the classes of public states.
            ranges: float64[n, H0 + H1], ranges of both players that add up to 1 each, by name.

        Returns:
            float64[n, H0 + H1], what `ranges` weigh adds up to 0.
        """
        answers = self.network.predict(self.states.inputs(classes, ranges))
        answers = np.asarray(answers, dtype=np.float64) * self.states.unit
        if self.unit == STAKE:
            answers = answers * self.states.stake[classes][:, None]
        return zero_sum(ranges, answers)

    def __call__(self, state: LeafState, /) -> HandPair:
        """Value the hands of both players; `LeafValues` describes arguments and result."""
        self.check_game(state.subgame.search)
        leaves = NetworkRegionValues.at(self, state.subgame, 1)
        first, second = leaves(state.ranges[0][:, None], state.ranges[1][:, None])
        half, masses = self.states.search.game.total / 2.0, state.masses
        return HandPair(first[:, 0] + half * masses[0], second[:, 0] + half * masses[1])

    def on(self, region: Region, lanes: int) -> NetworkRegionValues:
        """The values of all leaves of a region.

        Args:
            region: The region.
            lanes: In how many lanes it is solved.
        """
        assert region.leaves is not None
        return NetworkRegionValues.at(self, region.leaves, lanes)

    def check_game(self, search: SearchGame) -> None:
        """Raise MismatchError for another game."""
        if search.tree.fingerprint != self.states.search.tree.fingerprint:
            raise MismatchError(
                f"the values are of {self.game}, the leaves of {search.tree.name}",
                option="values",
                given=self.game,
                expected=search.tree.name,
            )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write a file, atomically; an existing one is replaced only if it is of the same kind.

        Args:
            path: The file.

        Returns:
            The file.

        Raises:
            OutputError: It cannot be written, or another file is there.
        """
        assert isinstance(self.network, Network)
        tree = self.states.search.tree
        file = NetworkFile(
            networks={_NAME: self.network},
            features=features_name(),
            game=tree.name,
            fingerprint=tree.fingerprint,
            unit=unit_name(self.states, self.unit),
            losses=self.losses,
            made=self.made,
        )
        return file.save(path, VALUE_NETWORK)

    @classmethod
    def load(cls, path: str | os.PathLike[str], game: SearchGame | ValueStates) -> ValueNetwork:
        """Read a file.

        Args:
            path: The file.
            game: The game that it is for, or its states.

        Returns:
            The value function.

        Raises:
            FileFormatError: The file is damaged, foreign, of another kind or of a newer format.
            MismatchError: It is of another game, unit or shape, or reads other features.
        """
        file = NetworkFile.load(path, VALUE_NETWORK)
        if _NAME not in file.networks:
            raise FileFormatError(
                f"{path} has no network {_NAME!r}",
                path,
                option="networks",
                given=", ".join(file.networks),
                expected=_NAME,
                remedy="train values anew",
            )
        search = game.search if isinstance(game, ValueStates) else game
        tree = search.tree
        file.check(features=features_name(), game=tree.name, fingerprint=tree.fingerprint)
        states = game if isinstance(game, ValueStates) else ValueStates.of(search)
        unit = STAKE if file.unit == STAKES else MOST
        expected = unit_name(states, unit)
        file.check(unit=expected, inputs=states.num_inputs, outputs=sum(states.num_hands))
        network = file.networks[_NAME]
        return cls(states, network, dict(file.losses), dict(file.made), file.path, unit)


@dataclass(frozen=True, eq=False)
class NetworkRegionValues:
    """What a network says about public states, for K ranges side by side; `RegionValues`.

    Attributes:
        network: The network.
        classes: int64[L * K], the classes of the states, each K times.
        columns: int64[h] of each player: the column of each hand in rows of all names.
        leaf: int64[h] of each player: the state of each hand.
        deals: float64[L], the largest probability with which chance brings a pair of hands.
        lanes: K.
    """

    network: ValueNetwork
    classes: Int64Array
    columns: tuple[Int64Array, Int64Array]
    leaf: tuple[Int64Array, Int64Array]
    deals: FloatArray
    lanes: int

    @classmethod
    def at(cls, network: ValueNetwork, level: Subgames, lanes: int) -> NetworkRegionValues:
        """The values of the roots of subgames.

        Args:
            network: The network.
            level: The subgames.
            lanes: How many ranges there are side by side.
        """
        states = network.states
        classes = states.class_of[np.array(level.nodes)]
        if (classes < 0).any():
            name = level.names[int(np.argmin(classes))]
            raise MismatchError(
                f"{name!r} is not among the public states that values are known of: these come "
                "first on their lines before a decision",
                option="values",
                given=name,
                expected="leaves that are the first public states before a decision",
            )
        first, second = states.hands_at(level)
        return cls(
            network=network,
            classes=np.repeat(classes, lanes),
            columns=(first.name, states.num_hands[0] + second.name),
            leaf=(first.root, second.root),
            deals=pair_chances(level),
            lanes=lanes,
        )

    def __call__(self, first: FloatArray, second: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Value the hands; `RegionValues` describes arguments and result."""
        count, width = len(self.deals), sum(self.network.states.num_hands)
        rows = np.zeros((count, self.lanes, width))
        masses = []
        for ranges, columns, leaf in zip((first, second), self.columns, self.leaf, strict=True):
            rows[leaf, :, columns], mass = shares_of(ranges, leaf, count)
            masses.append(mass)
        values = self.network.values(self.classes, rows.reshape(-1, width))
        values = values.reshape(count, self.lanes, width)
        worth = []
        for player, (columns, leaf) in enumerate(zip(self.columns, self.leaf, strict=True)):
            weight = masses[1 - player] * self.deals[:, None]
            worth.append(values[leaf, :, columns] * weight[leaf])
        return worth[0], worth[1]


@dataclass(frozen=True, eq=False)
class AskedLeaves:
    """Any value function at all leaves of a region, asked leaf by leaf; `RegionValues`.

    Attributes:
        values: The value function.
        region: The region.
        each: What follows on each leaf.
    """

    values: LeafValues
    region: Region
    each: tuple[Subgames, ...]

    @classmethod
    def of(cls, values: LeafValues, region: Region) -> AskedLeaves:
        """The values of a value function for the leaves of a region."""
        assert region.leaves is not None
        nodes = region.leaves.nodes
        return cls(values, region, tuple(Subgames.below(region.search, [n]) for n in nodes))

    def __call__(self, first: FloatArray, second: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Value the hands; `RegionValues` describes arguments and result."""
        worth = (np.zeros_like(first), np.zeros_like(second))
        half = self.region.search.game.total / 2.0
        for number, subgame in enumerate(self.each):
            at = [np.flatnonzero(hands.leaf == number) for hands in self.region.hands]
            for lane in range(first.shape[1]):
                state = LeafState(subgame, HandPair(first[at[0], lane], second[at[1], lane]))
                answer, masses = ask(self.values, state), state.masses
                for player in range(2):
                    worth[player][at[player], lane] = answer[player] - half * masses[player]
        return worth


def features_name() -> str:
    """Name and version of what value networks read, as files have it."""
    return f"{FEATURES}/{FEATURES_VERSION}"


def unit_name(states: ValueStates, unit: str = MOST) -> str:
    """What the outputs of a network are in, as files have it."""
    return STAKES if unit == STAKE else f"{states.unit:g} payoff units"
