"""A game that can be searched: two players, constant sum, and what everybody sees."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from equilibrist.abstraction.measures.plans import TwoPlayerGame
from equilibrist.formatting.brief import brief_repr
from equilibrist.grafting.programmes import Programmes
from equilibrist.search.moves import Moves
from equilibrist.search.own_play import OwnPlay
from equilibrist.search.public_tree import PublicTree
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray, Int64Array


@dataclass(frozen=True, eq=False)
class SearchGame:
    """A game of two players with constant sum that says what is public.

    Attributes:
        public: Its public tree.
        game: Its payoffs over sequences.
        own: The sequences of both players.
    """

    public: PublicTree
    game: TwoPlayerGame
    own: tuple[OwnPlay, OwnPlay]

    @classmethod
    def of(cls, tree: GameTree) -> SearchGame:
        """Lay out a compiled game.

        Args:
            tree: The game.

        Returns:
            The game, laid out.

        Raises:
            ConfigError: The rules do not say what is public.
            GameError: Histories of one infoset lie in different public nodes.
            UnsupportedError: There are not two players, or the sum of payoffs varies.
            RecallError: The game has imperfect recall.
        """
        game = TwoPlayerGame.of(tree)
        return cls(PublicTree.of(tree), game, (OwnPlay.of(game, 0), OwnPlay.of(game, 1)))

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def tree(self) -> GameTree:
        """The compiled game."""
        return self.game.tree

    @cached_property
    def programmes(self) -> Programmes:
        """The linear programmes of the whole game, for its value and the best completions.

        UnsupportedError above 5,000 sequences.
        """
        return Programmes.of(self.tree)

    @cached_property
    def value(self) -> float:
        """The value of the game to seat 0, in payoff units, by a linear programme."""
        return self.programmes.value(0)

    @cached_property
    def moves(self) -> Moves:
        """The histories as rules ask for them."""
        return Moves.of(self.public.levels)

    @cached_property
    def sequence(self) -> Int64Array:
        """int64[N, 2]: each player's last sequence at each history, 0 for the empty one."""
        own = self.public.pasts.own
        starts = np.array([play.start for play in self.own])
        return np.where(own < 0, 0, own - starts + 1)

    def earned(self, player: int, plan: FloatArray) -> FloatArray:
        """What each sequence of a player earns where it ends the own play against a plan.

        Args:
            player: Whose sequences.
            plan: The other player's plan, float64.

        Returns:
            float64[n], chance and the plan included, above the base and in units of `game.scale`.
        """
        payoff = self.game.payoff
        return np.asarray(payoff @ plan if player == 0 else -(payoff.T @ plan))

    def mass(self, player: int, plan: FloatArray) -> FloatArray:
        """How likely chance and a plan of the other player come to a player's infosets.

        Args:
            player: Whose infosets.
            plan: The other player's plan, float64.

        Returns:
            float64[J], the sum of both over the histories of each infoset.
        """
        infoset = self.public.levels.infoset
        begin = int(np.searchsorted(self.tree.infoset_player, player))
        count = len(self.own[player].plans.parent)
        here = np.flatnonzero((infoset >= begin) & (infoset < begin + count))
        mass = self.public.pasts.chance[here] * plan[self.sequence[here, 1 - player]]
        summed = np.zeros(count)
        np.add.at(summed, infoset[here] - begin, mass)
        return summed
