"""CorrelationDevice: a mixture of strategy profiles, from which a mediator recommends."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from equilibrist.equilibria.concepts import CE, Concept, correlation_concept
from equilibrist.equilibria.gaps import GapMeter
from equilibrist.equilibria.plan_gaps import correlated_gap
from equilibrist.errors import (
    ConfigError,
    FileFormatError,
    GameSpecError,
    MismatchError,
    UnknownNameError,
)
from equilibrist.evaluation.correlation import Gap
from equilibrist.formatting.brief import brief_repr
from equilibrist.game_loading import compile_game
from equilibrist.parsing.arguments import bad_argument, instance, whole_number
from equilibrist.storage.archive import read_archive, write_archive
from equilibrist.storage.damage import damaged
from equilibrist.storage.kinds.file_kinds import DEVICE
from equilibrist.storage.versions import versions
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.tree.probabilities import checked_probabilities
from equilibrist.typing import FloatArray

_TOLERANCE: Final = 1e-9
"""The tolerance within which weights must add up to 1."""


@dataclass(frozen=True, eq=False)
class CorrelationDevice:
    """A distribution over strategy profiles of a game.

    A mediator draws a profile, tells nobody which, and recommends to each player on arrival at an
    infoset what the profile plays there. Only the players who follow all recommendations play the
    mixture; it is not the product of the players' average strategies.

    Attributes:
        tree: The compiled game.
        weights: float64[K], probabilities of the profiles.
        strategies: float64[K, Q]: the profiles' behavioural strategies, in public order.

    Raises:
        ConfigError: The weights are no probabilities, or a row is no strategy.
        MismatchError: The rows are those of another game, or not as many as the weights.
    """

    tree: GameTree
    weights: FloatArray
    strategies: FloatArray

    def __post_init__(self) -> None:
        """Copy and check the arrays."""
        checked_tree(self.tree)
        weights = _checked_weights(self.weights)
        rows = [checked_probabilities(self.tree, row) for row in _rows(self.strategies)]
        if len(rows) != len(weights):
            raise MismatchError(
                f"the strategies are {len(rows)}, and their weights {len(weights)}",
                option="weights",
                given=len(weights),
                expected=len(rows),
                remedy="give one weight for each strategy",
            )
        strategies = np.stack(rows)
        for name, array in (("weights", weights), ("strategies", strategies)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @classmethod
    def of(cls, profiles: Iterable[Strategy], weights: Any = None) -> CorrelationDevice:
        """The mixture of profiles of one game.

        Args:
            profiles: The profiles, all on the same tree.
            weights: Their weights, scaled to add up to 1; by default all alike.

        Returns:
            The device.

        Raises:
            ConfigError: There is no profile, or the weights are no weights.
            MismatchError: A profile is of another game, or there are more or fewer weights.
        """
        rows = list(profiles)
        if not rows:
            raise bad_argument("profiles", rows, "at least one strategy")
        tree = rows[0].tree
        for profile in rows:
            if profile.tree is not tree and profile.tree.fingerprint != tree.fingerprint:
                raise MismatchError(
                    f"one profile is of {profile.tree.name}, another of {tree.name}",
                    option="profiles",
                    given=profile.tree.name,
                    expected=tree.name,
                )
        numbers = np.ones(len(rows)) if weights is None else _weights(weights)
        total = float(numbers.sum())
        if not 0.0 < total < np.inf:
            raise bad_argument("weights", weights, "numbers of at least 0 with a sum above 0")
        return cls(tree, numbers / total, np.stack([profile.probabilities for profile in rows]))

    def __len__(self) -> int:
        """The number of profiles."""
        return len(self.weights)

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return int(self.weights.nbytes + self.strategies.nbytes)

    def profile(self, index: int) -> Strategy:
        """Get a profile that the device may draw.

        Args:
            index: Its number, from 0.

        Returns:
            The profile.

        Raises:
            ConfigError: There is none of that number.
        """
        number = whole_number("index", index, 0, len(self) - 1)
        return Strategy(self.tree, self.strategies[number])

    @property
    def values(self) -> tuple[float, ...]:
        """Each player's expected payoff when all follow the recommendations."""
        from equilibrist.evaluation import expected_values

        drawn = np.flatnonzero(self.weights)
        payoffs = [expected_values(self.profile(int(k))) for k in drawn]
        return tuple((self.weights[drawn] @ np.array(payoffs)).tolist())

    def gaps(self, concept: str | Concept = "efce", *, memory: int | None = None) -> Gap:
        """Measure how far the device is from equilibrium.

        Args:
            concept: `efce`, `efcce` or `nfcce` (also `cce`); `ce` for devices of pure strategies.
            memory: The most bytes that measuring may take; by default half of the machine's.

        Returns:
            The gap of each player, their sum, and the largest single trigger.

        Raises:
            UnknownNameError: There is no such concept.
            RecallError: A player forgets their own past.
            MemoryBudgetError: Measuring would take more.
            UnsupportedError: For ce, if a profile mixes actions.
        """
        wanted = correlation_concept(concept)
        if wanted is CE:
            return correlated_gap(self.tree, self.weights, self.strategies)
        meter = GapMeter(self.tree, wanted, memory=memory)
        for weight, row in zip(self.weights.tolist(), self.strategies, strict=True):
            meter.add_engine(weight, meter.form.to_engine(row))
        return meter.gaps()

    def recommend(self, rng: np.random.Generator) -> Recommendations:
        """Draw a profile, and with it the recommendations of one play.

        Args:
            rng: The source of randomness.

        Returns:
            What a mediator tells players on arrival.

        Raises:
            ConfigError: It is no generator of NumPy.
        """
        wanted = "a generator, such as numpy.random.default_rng(1)"
        instance("rng", rng, np.random.Generator, wanted)
        drawn = int(rng.choice(len(self), p=self.weights / self.weights.sum()))
        return Recommendations(self, drawn, rng)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write a file, atomically. An earlier device is replaced, any other file is not.

        Args:
            path: The file.

        Returns:
            Its path.

        Raises:
            OutputError: It cannot be written.
        """
        header = {
            "game": self.tree.name,
            "fingerprint": self.tree.fingerprint,
            "versions": versions(),
        }
        arrays = {"weights": self.weights, "strategies": self.strategies}
        return write_archive(path, DEVICE, header, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str], tree: GameTree | None = None) -> CorrelationDevice:
        """Read a file that `save` wrote.

        Args:
            path: The file.
            tree: The compiled game; by default the game that the file names is compiled.

        Returns:
            The device.

        Raises:
            FileFormatError: The file is damaged, foreign, of another kind or of a newer format.
            MismatchError: The game is another one than that of the file.
            ConfigError: No tree was given, and the game is not found by its name.
        """
        header, arrays = read_archive(path, DEVICE)
        try:
            game, fingerprint = str(header["game"]), str(header["fingerprint"])
            weights, strategies = arrays["weights"], arrays["strategies"]
        except KeyError as error:
            raise damaged(path, "a whole device", error) from None
        tree = _game_of(path, game) if tree is None else checked_tree(tree)
        if tree.fingerprint != fingerprint:
            raise MismatchError(
                f"{path} is a device of {game}, with other rules than those of {tree.name} here",
                option="game",
                given=tree.name,
                expected=game,
                place=str(path),
                remedy="give the game that it was made for",
            )
        try:
            return cls(tree, weights, strategies)
        except (ConfigError, MismatchError) as error:
            raise damaged(path, "a whole device", error) from None

    def __repr__(self) -> str:
        return f"CorrelationDevice({self.tree.name!r}, profiles={len(self):,})"


@dataclass(eq=False)
class Recommendations:
    """What a mediator recommends in one play: `at` gives it on arrival.

    Attributes:
        device: The device.
        drawn: The number of the profile that was drawn, which no player is told.
        rng: Draws among the actions of a profile that mixes.
        recommended: What was recommended so far: the index of the action by public infoset.
    """

    device: CorrelationDevice
    drawn: int
    rng: np.random.Generator
    recommended: dict[int, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        return brief_repr(self)

    def at(self, infoset: str | int) -> str:
        """The recommendation at an infoset; asked again, it is the same.

        Args:
            infoset: Its key, or its public number.

        Returns:
            The label of the action.

        Raises:
            UnknownNameError: There is no such infoset.
            ConfigError: There is none of that number.
        """
        tree = self.device.tree
        number = tree.index(infoset) if isinstance(infoset, str) else infoset
        row = self.device.strategies[self.drawn][tree.actions_of(number)]
        if number not in self.recommended:
            self.recommended[number] = int(self.rng.choice(len(row), p=row / row.sum()))
        return tree.action_labels[number][self.recommended[number]]


def _game_of(path: str | os.PathLike[str], game: str) -> GameTree:
    """The compiled game of a file; ConfigError where its rules are not found by their name."""
    try:
        return compile_game(game)
    except (GameSpecError, UnknownNameError, FileFormatError) as error:
        raise ConfigError(
            f"{path} is a device of {game!r}, whose rules are not found by that name: {error}",
            option="game",
            given=game,
            place=str(path),
            remedy="give the game that it was made for (`equilibrist inspect` has --game)",
        ) from None


def _weights(value: Any) -> FloatArray:
    """A copy, float64[K], of numbers of at least 0."""
    expected = "a list of numbers of at least 0"
    try:
        weights = np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise bad_argument("weights", value, expected) from None
    if weights.ndim != 1 or not len(weights) or not np.all(weights >= 0.0):
        raise bad_argument("weights", value, expected)
    return weights


def _checked_weights(value: Any) -> FloatArray:
    weights = _weights(value)
    total = float(weights.sum())
    if not abs(total - 1.0) <= _TOLERANCE:
        raise ConfigError(
            f"the weights add up to {total:g}; expected 1",
            option="weights",
            given=total,
            expected=1,
            remedy="divide them by their sum",
        )
    return weights


def _rows(value: Any) -> FloatArray:
    try:
        rows = np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise bad_argument("strategies", value, "an array of numbers, [K, Q]") from None
    if rows.ndim != 2:
        raise bad_argument("strategies", value, "an array of two dimensions, [K, Q]")
    return rows
