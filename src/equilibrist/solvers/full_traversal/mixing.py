"""What may be mixed into play: trembles, given play at infosets, and restricted opponents."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from equilibrist.errors import MismatchError, UnsupportedError
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import bad_argument, real_number, whole_number
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray


@dataclass(frozen=True)
class Trembles:
    """Every action of every infoset is played with at least a probability.

    Attributes:
        epsilon: That probability, from 0; its product with the number of actions is at most 1.

    Raises:
        ConfigError: It is not from 0 to 1.
    """

    epsilon: float

    def __post_init__(self) -> None:
        """Refuse what is no probability."""
        real_number("tremble", self.epsilon, 0.0, 1.0)

    def mixture(self, tree: GameTree) -> tuple[FloatArray, FloatArray]:
        """Shares of uniform play at each infoset, and that play.

        Args:
            tree: The compiled game.

        Returns:
            Shares, float64[I], and what they go to, float64[Q], in public order.

        Raises:
            ConfigError: The trembles are too large for the game.
        """
        widths = np.diff(tree.action_offset)
        most = int(widths.max(initial=1))
        if self.epsilon * most > 1.0:
            raise bad_argument(
                "tremble",
                self.epsilon,
                f"at most {1.0 / most:g}, as some infosets have {most} actions",
            )
        return widths * self.epsilon, np.repeat(1.0 / widths, widths)

    @property
    def text(self) -> str:
        """What it is, as part of a name."""
        return f"tremble={self.epsilon:g}"


@dataclass(frozen=True, eq=False)
class Mixture:
    """What is given is played with a probability of its own at each infoset.

    Attributes:
        strategy: A profile, which is mixed in.
        share: float64[I], in public order, the probability of that play: 1 locks an infoset,
            0 leaves it free.

    Raises:
        ConfigError: A share is not from 0 to 1, or `strategy` is not a Strategy.
    """

    strategy: Strategy
    share: FloatArray

    def __repr__(self) -> str:
        return brief_repr(self)

    def __post_init__(self) -> None:
        """Refuse shares that are no probabilities."""
        count = checked_strategy(self.strategy).tree.num_infosets
        share = np.array(self.share, dtype=np.float64)
        if share.shape != (count,) or not ((share >= 0.0) & (share <= 1.0)).all():
            raise bad_argument("share", self.share, f"{count} probabilities, one per infoset")
        share.flags.writeable = False
        object.__setattr__(self, "share", share)

    @classmethod
    def lock(cls, tree: GameTree, rows: Mapping[str, Mapping[str, float]]) -> Mixture:
        """Some infosets are played as given, all others are free.

        Args:
            tree: The compiled game.
            rows: {infoset: {action: probability}}; actions left out get 0.

        Returns:
            The mixture.

        Raises:
            UnknownNameError: The game lacks an infoset or an action.
            ConfigError: The probabilities of an infoset do not add up to 1.
        """
        share = np.zeros(tree.num_infosets)
        for key in rows:
            share[tree.index(key)] = 1.0
        whole = Strategy.uniform(tree).to_dict() | {key: dict(row) for key, row in rows.items()}
        return cls(Strategy.from_dict(tree, whole), share)

    def mixture(self, tree: GameTree) -> tuple[FloatArray, FloatArray]:
        """Shares of the strategy at each infoset, and its probabilities.

        Args:
            tree: The compiled game.

        Returns:
            Shares, float64[I], and what they go to, float64[Q], in public order.

        Raises:
            MismatchError: What is given is a strategy of another game.
        """
        _check_same_game(self.strategy, tree)
        return self.share, self.strategy.probabilities

    @property
    def text(self) -> str:
        """What it is, as part of a name."""
        return f"mixture={_digest(self.share, self.strategy.probabilities)}"


@dataclass(frozen=True, eq=False)
class RestrictedOpponent:
    """One player learns against an opponent who plays a given plan with some probability.

    The coin is tossed once per game, and only two players can see it so: plans mix linearly, their
    products do not.

    Attributes:
        seat: Who learns against it, 0 or 1; the other player learns as ever.
        strategy: The plan, a profile whose other player counts.
        share: Its probability.

    Raises:
        UnsupportedError: The game does not have two players.
        ConfigError: `seat` or `share` is out of range, or `strategy` is not a Strategy.
    """

    seat: int
    strategy: Strategy
    share: float

    def __post_init__(self) -> None:
        """Refuse games of other numbers of players, and numbers out of range."""
        tree = checked_strategy(self.strategy).tree
        if tree.num_players != 2:
            raise UnsupportedError(
                f"a restricted opponent is one of two players; {tree.name} has {tree.num_players}",
                option="num_players",
                given=tree.num_players,
                expected=2,
            )
        whole_number("seat", self.seat, 0, 1)
        real_number("share", self.share, 0.0, 1.0)

    def mixture(self, tree: GameTree) -> tuple[FloatArray, FloatArray]:
        """Nothing is mixed in infoset by infoset.

        Args:
            tree: The compiled game.

        Returns:
            Shares, float64[I], and what they go to, float64[Q], in public order.

        Raises:
            MismatchError: What is given is a strategy of another game.
        """
        _check_same_game(self.strategy, tree)
        return np.zeros(tree.num_infosets), self.strategy.probabilities

    @property
    def text(self) -> str:
        """What it is, as part of a name."""
        seat_and_share = np.array([self.seat, self.share])
        return f"restricted={_digest(seat_and_share, self.strategy.probabilities)}"


Hook = Trembles | Mixture | RestrictedOpponent
"""What can be mixed into play."""


def _check_same_game(strategy: Strategy, tree: GameTree) -> None:
    if strategy.tree is not tree and strategy.tree.fingerprint != tree.fingerprint:
        raise MismatchError(
            f"what is given is a strategy of {strategy.tree.name}, and {tree.name} is solved",
            option="game",
            given=strategy.tree.name,
            expected=tree.name,
        )


def _digest(*arrays: FloatArray) -> str:
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]
