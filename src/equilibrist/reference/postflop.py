"""CFR on a public tree with vectors of private hands: the reference of the hold'em engine.

In poker everything but the private hands is public. So the tree has one node per line of betting
and cards on the table, and what a walk carries is a vector with a number per private hand: down
the tree how likely a player comes here with each hand, and up the tree what each hand is worth.

A walk for the player who updates carries `own` and `other`, the reaches of both players. A deal
multiplies both with 0 where a hand holds the card, and `other` with how likely the card is. At an
end with the matrices of who beats whom, win, tie, loss [own hands, other's hands], the values of
all own hands are one product

    (wins * win + ties * tie + losses * loss) @ other

which is counterfactual: not divided by how likely the other player is here. At a node of the other
player values are summed over the actions, whose probabilities are in `other` already; at an own
node each hand is an infoset of its own, and the player chooses. Three ways of choosing make three
algorithms: by regret matching, with an update (CFR); by a fixed strategy (expected values); and the
best action of each hand (best responses).

Michael Johanson, Kevin Waugh, Michael Bowling and Martin Zinkevich, Accelerating best response
calculation in large extensive games, IJCAI 2011. Everything here is dense, in float64, and deals
every card: it is for small games, and for checking faster programs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from equilibrist.reference.cfr import Coefficients, Rule
from equilibrist.reference.public_game import ACTION, CHANCE, FOLD, SHOWDOWN, Place, PublicGame
from equilibrist.typing import FloatArray

Strategies: TypeAlias = Mapping[Place, FloatArray]
"""float64[A, H] at each place where a player acts: what each hand does, how likely."""
_Choose: TypeAlias = Callable[[Place, FloatArray, FloatArray], FloatArray]
"""From an own place, the values of the actions [A, H] and the own reach [H] to the values [H]."""


def shared(weights: FloatArray, fixed: FloatArray) -> FloatArray:
    """Probabilities float64[A, H]: those that are `fixed`, and the rest in proportion to weights.

    `fixed` is NaN where an action is free. Negative weights count as 0; where all do, the free
    actions are alike. Without fixed numbers and with regrets for weights, this is regret matching.
    """
    free = np.isnan(fixed)
    positive = np.where(free, np.maximum(weights, 0.0), 0.0)
    total = positive.sum(axis=0)
    alike = free / np.maximum(free.sum(axis=0), 1)
    shares = np.where(total > 0.0, positive / np.where(total > 0.0, total, 1.0), alike)
    return np.where(free, _rest(fixed) * shares, fixed)


def _rest(fixed: FloatArray) -> FloatArray:
    """float64[H]: what the fixed probabilities leave to the free actions."""
    return np.asarray(1.0 - np.nansum(fixed, axis=0))


class PublicCFR:
    """CFR with alternating updates, player 0 first, on a public game.

    `rule` gives the coefficients as to `equilibrist.reference.ReferenceCFR`. With `weighted`
    the average strategy is weighted by the own reach, as the theory says; without, a place's
    strategies count alike even where the player does not come with a hand.

    `locks` fix probabilities: float64[A, H] per place with NaN where free, a hand's fixed ones at
    most 1 in sum. What they leave is shared by regret matching among the free actions, whose
    regrets are measured against their own mean.

    `regret`, `strategy` (what is played next) and `strategy_sum` hold float64[A, H] per place.
    """

    def __init__(
        self,
        game: PublicGame,
        rule: Rule,
        weighted: bool = False,
        locks: Strategies | None = None,
        horizon: int | None = None,
    ) -> None:
        self.game = game
        self.rule = rule
        self.weighted = weighted
        self.horizon = horizon
        self.iteration = 0
        self.fixed: dict[Place, FloatArray] = {}
        self._add_places((0, ()))
        self.regret = {place: np.zeros_like(fixed) for place, fixed in self.fixed.items()}
        self.strategy_sum = {place: np.zeros_like(fixed) for place, fixed in self.fixed.items()}
        self.fixed |= locks or {}
        self.strategy = self.average()  # of nothing: all free actions alike

    def _add_places(self, place: Place) -> None:
        nodes, node = self.game.nodes, place[0]
        if nodes.kind[node] == ACTION:
            hands = len(self.game.hands[nodes.player[node]])
            self.fixed[place] = np.full((int(nodes.num_children[node]), hands), np.nan)
        for below in self.game.below(place):
            self._add_places(below)

    def run(self, iterations: int) -> None:
        """Play so many more iterations."""
        for _ in range(iterations):
            self.iteration += 1
            numbers = self.rule.coefficients(self.iteration, self.horizon)
            for player in (0, 1):
                values_of(self.game, player, self.strategy, partial(self._learn, numbers))

    def average(self) -> dict[Place, FloatArray]:
        """The average strategies; free actions alike where a hand has no weight yet."""
        return {place: shared(sums, self.fixed[place]) for place, sums in self.strategy_sum.items()}

    def _learn(
        self, c: Coefficients, place: Place, values: FloatArray, own: FloatArray
    ) -> FloatArray:
        """Add the instantaneous regrets, update the strategy, return the values of the old one."""
        sigma, fixed, regret = self.strategy[place], self.fixed[place], self.regret[place]
        free, rest = np.isnan(fixed), _rest(fixed)
        shares = np.where(free, sigma, 0.0) / np.where(rest > 0.0, rest, 1.0)
        mean = (shares * values).sum(axis=0)
        instant = np.where(free, values - mean, 0.0)
        reach = own if self.weighted else 1.0
        self.strategy_sum[place] = c.decay * self.strategy_sum[place] + c.weight * reach * sigma
        regret = np.where(regret > 0.0, c.positive, c.negative) * regret
        self.regret[place] = regret = np.maximum(regret + instant, c.floor)
        self.strategy[place] = shared(c.lookahead * regret + c.prediction * instant, fixed)
        return np.asarray((sigma * values).sum(axis=0))


def values_of(
    game: PublicGame,
    player: int,
    strategies: Strategies,
    choose: _Choose,
    start: Place = (0, ()),
    reaches: tuple[FloatArray, FloatArray] | None = None,
) -> FloatArray:
    """float64[H]: the counterfactual values of the player's hands from a place on.

    The other player follows `strategies`, and this one `choose`s. `reaches` are the weights of
    both players' hands there, where the root's `own` reach is 1 for all.
    """
    nodes = game.nodes

    def visit(place: Place, own: FloatArray, other: FloatArray) -> FloatArray:
        node, dealt = place
        kind, mover, below = nodes.kind[node], nodes.player[node], game.below(place)
        if kind == FOLD:
            payoff = nodes.payoffs[node, 2 if mover == player else 0]
            return np.asarray(payoff * (game.meet(player, dealt) @ other))
        if kind == SHOWDOWN:
            win, tie, loss = nodes.payoffs[node]
            wins, ties, losses = game.showdown(player, dealt)
            return np.asarray((win * wins + tie * ties + loss * losses) @ other)
        if kind == CHANCE:
            total, chance = np.zeros(len(own)), game.deal_probability(dealt)
            for child in below:
                free, others_free = (~game.holds(p, child[1][-1]) for p in (player, 1 - player))
                total += free * visit(child, own * free, other * others_free * chance)
            return total
        sigma = strategies[place]
        if mover != player:
            parts = [visit(b, own, other * p) for b, p in zip(below, sigma, strict=True)]
            return np.asarray(np.sum(parts, axis=0))
        rows = [visit(b, own * p, other) for b, p in zip(below, sigma, strict=True)]
        return choose(place, np.array(rows), own)

    if reaches is None:
        reaches = np.ones(len(game.hands[player])), game.weights[1 - player]
    return visit(start, *reaches)


def expected_values(
    game: PublicGame,
    player: int,
    strategies: Strategies,
    start: Place = (0, ()),
    reaches: tuple[FloatArray, FloatArray] | None = None,
) -> FloatArray:
    """float64[H]: `values_of` where both players follow `strategies`."""

    def follow(place: Place, values: FloatArray, _: FloatArray) -> FloatArray:
        return np.asarray((strategies[place] * values).sum(axis=0))

    return values_of(game, player, strategies, follow, start, reaches)


def best_response_values(
    game: PublicGame, player: int, strategies: Strategies, locks: Strategies | None = None
) -> FloatArray:
    """float64[H]: `values_of` the root for who knows the other's strategy and keeps to `locks`."""

    def best(place: Place, values: FloatArray, _: FloatArray) -> FloatArray:
        if locks is None or place not in locks:
            return np.asarray(values.max(axis=0))
        fixed = locks[place]
        free = np.isnan(fixed)
        top = np.where(free.any(axis=0), np.where(free, values, -np.inf).max(axis=0), 0.0)
        return np.asarray(np.where(free, 0.0, fixed * values).sum(axis=0) + _rest(fixed) * top)

    return values_of(game, player, strategies, best)


class PlaceValues(NamedTuple):
    """What both players hold and expect at a place; pairs, player 0 first."""

    weight: tuple[FloatArray, FloatArray]
    """float64[H]: weight in the range times own reach; 0 for hands with a card on the table."""
    matchups: tuple[FloatArray, FloatArray]
    """float64[H]: the weight of the opponent's unblocked hands, 0 for hands with a card on
    the table."""
    ev: tuple[FloatArray, FloatArray]
    """float64[H]: the expected payoff of the hand, also where its own reach is 0; NaN where it is
    not in the range, holds a card on the table or blocks all of the opponent's hands."""

    def mean(self, player: int) -> float:
        """The payoff that a player expects before the hands are known."""
        paired = self.weight[player] * self.matchups[player]
        return float(np.nansum(paired * self.ev[player]) / paired.sum())


def values_at(game: PublicGame, strategies: Strategies, place: Place = (0, ())) -> PlaceValues:
    """The values at a place where both players follow `strategies`; payoffs count from the root."""
    node, dealt = place
    reach = [weights.copy() for weights in game.weights]
    for player in (0, 1):
        for card in dealt:
            reach[player][game.holds(player, card)] = 0.0
    possible = [weights > 0.0 for weights in reach]
    nodes = game.nodes
    while nodes.parent[node] >= 0:
        parent = int(nodes.parent[node])
        if nodes.kind[parent] == ACTION:
            before = dealt[: int(nodes.street[parent] - nodes.street[0])]
            action = node - int(nodes.first_child[parent])
            reach[int(nodes.player[parent])] *= strategies[parent, before][action]
        node = parent
    matchups = [
        possible[player] * (game.meet(player, dealt) @ reach[1 - player]) for player in (0, 1)
    ]
    ev = []
    for player in (0, 1):
        reaches = reach[player], reach[1 - player]
        values = expected_values(game, player, strategies, place, reaches)
        known = matchups[player] > 0.0
        ev.append(np.where(known, values / np.where(known, matchups[player], 1.0), np.nan))
    return PlaceValues((reach[0], reach[1]), (matchups[0], matchups[1]), (ev[0], ev[1]))


def exploitability(
    game: PublicGame, strategies: Strategies, locks: Strategies | None = None
) -> float:
    """The mean over both players of what a best response gains, in payoffs.

    With rake, too, it is 0 in equilibrium and nowhere else.
    """
    gains = 0.0
    for player in (0, 1):
        best = best_response_values(game, player, strategies, locks)
        gain = best - expected_values(game, player, strategies)
        gains += float(game.weights[player] @ gain)
    pairs = float(game.weights[0] @ game.meet(0) @ game.weights[1])
    return gains / pairs / 2.0
