"""What the hands of an opponent are worth at the roots of subgames, against a trunk.

In formulas p is the seat that is re-solved, o the other one, j a hand of o's at a root, C the
probability of chance's moves, r own reach as played. Counterfactual values hold C and r_p, but not
o's own reach, and are not divided by anything.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from equilibrist.formatting.brief import brief_repr
from equilibrist.search.own_play import Responses
from equilibrist.search.seat_rows import SeatRows
from equilibrist.search.subgames import Subgames
from equilibrist.strategy import Strategy
from equilibrist.typing import BoolArray, FloatArray, Int64Array


@dataclass(frozen=True, eq=False)
class TrunkValues:
    """A trunk seen from the roots, when one seat is re-solved; H hands of o's at G roots.

    Attributes:
        subgames: The subgames.
        player: p, the seat that is re-solved.
        probabilities: float64[Q], the trunk.
        plan: float64[n], own reach of p's sequences, as played.
        opponent_plan: float64, that of o's.
        weight: float64[H], w_j: the sum of C r_p over the root histories with this hand; o's reach
            is not in it.
        total: float64[G], k: the sum of the weights at each root.
    """

    subgames: Subgames
    player: int
    probabilities: FloatArray
    plan: FloatArray
    opponent_plan: FloatArray
    weight: FloatArray
    total: FloatArray

    @classmethod
    def of(cls, subgames: Subgames, trunk: Strategy, player: int) -> TrunkValues:
        """The reaches of a trunk.

        Args:
            subgames: The subgames.
            trunk: A strategy of the game.
            player: p, from 0.

        Returns:
            The trunk at the roots.
        """
        search = subgames.search
        plan = search.own[player].reach(trunk.probabilities)
        hands = subgames.hands[1 - player]
        mass = subgames.chance * plan[search.sequence[subgames.start, player]]
        weight = np.zeros(len(hands))
        np.add.at(weight, hands.of_start, mass)
        total = np.zeros(len(subgames))
        np.add.at(total, hands.root, weight)
        return cls(
            subgames=subgames,
            player=player,
            probabilities=trunk.probabilities,
            plan=plan,
            opponent_plan=search.own[1 - player].reach(trunk.probabilities),
            weight=weight,
            total=total,
        )

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def seat_rows(self) -> SeatRows:
        """What p may choose below the roots, and o answer."""
        return self.subgames.seats[self.player]

    @property
    def reach(self) -> FloatArray:
        """float64[H], r_o: how o plays to each root with each hand."""
        return self.opponent_plan[self.subgames.hands[1 - self.player].sequence]

    @cached_property
    def best(self) -> FloatArray:
        """float64[H]: o's counterfactual best-response values (CBV), in units of the programmes."""
        return self.against(self.plan)

    @cached_property
    def expected(self) -> FloatArray:
        """float64[H]: o's counterfactual values if it plays the trunk (CFV), in those units."""
        return self._values(self.plan, as_played=True)

    def against(self, plan: FloatArray) -> FloatArray:
        """What o's best responses to a plan are worth with each hand.

        Args:
            plan: float64[n], a plan of p's that is the trunk's above the roots.

        Returns:
            float64[H], in units of the programmes.
        """
        return self._values(plan, as_played=False)

    def _values(self, plan: FloatArray, *, as_played: bool) -> FloatArray:
        rows = self.seat_rows
        own = self.subgames.search.own[1 - self.player]
        earned = rows.payoff @ plan
        size = len(rows.sequences)
        at_end = np.zeros(own.plans.size)
        at_end[rows.sequences] = earned[:size]
        values = own.expected(at_end, self.probabilities) if as_played else own.best(at_end)
        first = rows.hand_of >= 0
        below = np.bincount(
            rows.hand_of[first], values.infoset[rows.infosets[first]], len(self.weight)
        )
        return np.asarray(earned[size:] + below)

    def payoffs(self, values: FloatArray) -> FloatArray:
        """Values of hands in payoff units.

        Args:
            values: float64[H], in units of the programmes.

        Returns:
            float64[H].
        """
        game = self.subgames.search.game
        return values * game.scale + game.base(1 - self.player) * self.weight

    def units(self, payoffs: FloatArray) -> FloatArray:
        """Values of hands in units of the programmes.

        Args:
            payoffs: float64[H], in payoff units.

        Returns:
            float64[H].
        """
        game = self.subgames.search.game
        return (payoffs - game.base(1 - self.player) * self.weight) / game.scale

    @cached_property
    def _whole_game(self) -> Responses:
        """O's best response to the trunk in the whole game."""
        search, other = self.subgames.search, 1 - self.player
        return search.own[other].best(search.earned(other, self.plan))

    @cached_property
    def _mass(self) -> FloatArray:
        """float64[J]: the sum of C r_p over the histories of each infoset of o."""
        return self.subgames.search.mass(1 - self.player, self.plan)

    def before_leads(self) -> TrunkValues:
        """The trunk at roots that follow on moves of o's off the menu.

        Returns:
            The same, but that o comes to each root as it does to the decision before it.
        """
        plans = self.subgames.search.own[1 - self.player].plans
        plan = self.opponent_plan.copy()
        leads = np.unique(self.subgames.hands[1 - self.player].sequence)
        leads = leads[leads > 0]
        plan[leads] = plan[plans.parent[plans.infoset[leads - 1]]]
        return replace(self, opponent_plan=plan)

    def menu(self, barred: Int64Array | None = None) -> FloatArray:
        """What o earns without the moves that lead to the roots, by best responses.

        At the decision before each root: of other moves the best, and no such move later either; a
        share of it where chance or p divide that decision among several roots.

        Args:
            barred: Further sequences of o's that count as such moves; None for none.

        Returns:
            float64[H], in units of the programmes; -infinity where o has no other move.
        """
        search, other = self.subgames.search, 1 - self.player
        own, leads = search.own[other], self.subgames.hands[other].sequence
        earned = search.earned(other, self.plan)
        earned[leads] = -np.inf
        if barred is not None:
            earned[barred] = -np.inf
        infoset = own.plans.infoset[np.maximum(leads - 1, 0)]
        mass = self._mass[infoset]
        share = self.weight / np.where(mass > 0.0, mass, 1.0)
        worth = np.where(leads > 0, own.best(earned).infoset[infoset], -np.inf)
        return np.where(share > 0.0, worth * np.where(share > 0.0, share, 1.0), 0.0)

    def gifts(
        self, *, split: bool = True, since: int | None = None, better: Responses | None = None
    ) -> FloatArray:
        """What o gave away on the way to each root, by o's own view, with each hand.

        At an earlier decision of o's with action a towards the root, the gift is what the best
        action would earn more. Chance and p divide it among the roots below in proportion to the
        weights of o's hand there; o's own later choices do not.

        Args:
            split: Whether each root takes its share alone. With the whole gift at each of several
                roots they are safe one after the other only.
            since: The public node at which the trunk's play was solved before, so that gifts above
                it are spent; None for none.
            better: What o's other actions count for in place of their values in the trunk, as
                `with_hands_worth` finds it; None for these.

        Returns:
            float64[H], in units of the programmes, at least 0.
        """
        hands = self.subgames.hands[1 - self.player]
        plans = self.subgames.search.own[1 - self.player].plans
        values = self._whole_game
        hand, sequence = self._on_way()
        infoset = plans.infoset[sequence - 1]
        if split:
            mass = self._mass[infoset]
        else:  # a root has the gift once, however many hands the opponent may get on the way there
            _, pair = np.unique(hands.root[hand] * plans.size + sequence, return_inverse=True)
            pair = pair.reshape(-1)
            mass = np.asarray(np.bincount(pair, self.weight[hand])[pair], dtype=np.float64)
        share = np.where(mass > 0.0, self.weight[hand] / np.where(mass > 0.0, mass, 1.0), 0.0)
        worth = (values if better is None else better).infoset[infoset]
        gift = np.maximum(worth - values.sequence[sequence], 0.0) * share
        counted = self._unspent(since)[infoset]
        shared = np.bincount(hand[counted], gift[counted], len(self.weight))
        return np.asarray(shared, dtype=np.float64)

    def with_hands_worth(self, worth: FloatArray) -> Responses:
        """Respond as well as can be in the whole game where hands at the roots have given values.

        Args:
            worth: float64[H], in units of the programmes.

        Returns:
            O's values above the roots.
        """
        search, other, rows = self.subgames.search, 1 - self.player, self.seat_rows
        earned = search.earned(other, self.plan)
        earned[rows.sequences] = 0.0
        at_once = (rows.payoff @ self.plan)[len(rows.sequences) :]
        np.add.at(earned, self.subgames.hands[other].sequence, worth - at_once)
        return search.own[other].best(earned)

    def _on_way(self) -> tuple[Int64Array, Int64Array]:
        """Each hand with each of o's sequences on the way to its root: int64, and int64."""
        other = 1 - self.player
        plans = self.subgames.search.own[other].plans
        sequence = self.subgames.hands[other].sequence
        hand = np.arange(len(sequence))
        pairs = []
        while len(hand := hand[sequence > 0]):
            sequence = sequence[sequence > 0]
            pairs.append((hand, sequence))
            sequence = plans.parent[plans.infoset[sequence - 1]]
        none = np.zeros(0, dtype=np.int64)
        hands, sequences = zip((none, none), *pairs, strict=True)
        return np.concatenate(hands), np.concatenate(sequences)

    def _unspent(self, since: int | None) -> BoolArray:
        """bool[J]: which infosets of o's lie in a public node or below it; None for all."""
        search, other = self.subgames.search, 1 - self.player
        node = search.public.node_of_infoset[search.tree.infoset_player == other]
        if since is None:
            return np.ones(len(node), dtype=np.bool_)
        unspent: BoolArray = search.public.below([since])[node] >= 0
        return unspent
