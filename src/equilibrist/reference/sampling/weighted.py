"""The walk of all samplers that only decide what is drawn: the weights are the walk's.

A sampler says at every history with what probability q each child is walked. What is found there
counts 1/q times, so that values are right on average; regrets count the others' reach over the
probability with which the sample came to the history, so that their expectation is the full
counterfactual regret. External, outcome, chance, average-strategy and robust sampling are
such samplers, and probing and pure CFR with another estimate of own actions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from equilibrist.errors import ConfigError
from equilibrist.formatting.escaping import repr_short
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.draws import Draws
from equilibrist.reference.game_walk import Node
from equilibrist.reference.matching import mean
from equilibrist.reference.sampling.addition import Addition, Profile, Step, TablesByInfoset
from equilibrist.reference.sampling.choices import Choice, Choose, NodeView

ESTIMATES = ("weighted", "probed", "pure")
"""How own actions are valued: what was walked over q and 0 for the rest; what was walked as it is
and one play to the end for the rest; or all walked, and compared with one that is drawn."""
SHARES = ("chance", "others", "own")
"""What a visit counts in the average: own reach times that of chance over the probability of the
sample; the reach of all but the traverser over that probability, where another player decides, as
samplers were published: the same with two players, biased with more; or own reach alone."""


def weighted_sampling(
    root: Node,
    traverser: int,
    profile: Profile,
    draws: Draws,
    choose: Choose,
    tables: TablesByInfoset | None = None,
    *,
    estimate: str = "weighted",
    own_average: bool = False,
    average_share: str = "chance",
    record: bool = True,
) -> Addition:
    """Walk what `choose` decides, and weight it so that regrets and averages are unbiased.

    A visit adds its player's own reach times strategy to the average, times chance's reach, over
    the probability with which the sample came there. Visits where the others decide are right on
    average with two players, and with more if all their actions are walked; those where the
    traverser decides are if the sample can come to every history, also where the others never play.

    Args:
        root: The initial history.
        traverser: Whose regrets are added.
        profile: What everybody plays.
        draws: Where draws come from.
        choose: Decides at every history that is not the end.
        tables: What `choose` may look at; by default zeros.
        estimate: One of `ESTIMATES`.
        own_average: Whether the average is taken where the traverser decides.
        average_share: One of `SHARES`.
        record: Whether the steps are kept; a run needs none.

    Returns:
        What the traversal adds.

    Raises:
        ConfigError: `choose` decides what cannot be weighted; as `NodeView`'s methods.
    """
    walk = _Walk(traverser, profile, draws, choose, tables, estimate, own_average, record)
    walk.average_share = average_share
    walk.utility(root, (1.0,) * players_of(root), 1.0, 1.0)
    return walk.added


def players_of(node: Node) -> int:
    """The number of players of a game, from any of its histories."""
    while node.player != TERMINAL:
        node = node.children[0]
    return len(node.payoffs)


class _Walk:
    """One traversal and what it has added so far."""

    def __init__(
        self,
        traverser: int,
        profile: Profile,
        draws: Draws,
        choose: Choose,
        tables: TablesByInfoset | None,
        estimate: str,
        own_average: bool,
        record: bool,
    ) -> None:
        self.traverser, self.profile, self.draws = traverser, profile, draws
        self.choose, self.tables = choose, tables
        self.probes, self.pure = estimate == "probed", estimate == "pure"
        self.own_average, self.record = own_average, record
        self.average_share = "chance"
        self.added = Addition()
        self.blocks: dict[str, str] = {}
        self.sharing: dict[str, tuple[Choice, set[tuple[str, ...]]]] = {}

    def utility(self, node: Node, reach: tuple[float, ...], chance: float, sampled: float) -> float:
        """Estimate the traverser's utility of a history.

        Args:
            node: The history.
            reach: By player the product of that player's own probabilities so far.
            chance: The product of chance's.
            sampled: The probability with which the sample comes here.

        Returns:
            The estimate, in payoff units.
        """
        player, traverser, record = node.player, self.traverser, self.record
        self.added.visited += 1
        if player == TERMINAL:
            if record:
                value = node.payoffs[traverser]
                self.added.steps.append(Step(node, (), "end", (), (), value=value))
            return node.payoffs[traverser]
        if self._counts_nothing(reach):
            return 0.0
        strategy: Sequence[float] = node.chance if player == CHANCE else self.profile[node.infoset]
        view = self._view(node, strategy)
        choice = self.choose(view)
        if type(choice) is not Choice or len(choice.chances) != len(strategy):
            raise _unfit(choice, node)
        if not choice.checked:
            choice = view.check(choice)
        step = Step(node, strategy, choice.kind, choice.chances, ())
        if record:
            self.added.steps.append(step)
        if player != CHANCE and (player == traverser) == self.own_average:
            self._average(step, self._average_weight(player, reach, chance, sampled))
        if choice.shared:
            self._refuse_other_blocks(choice, node)
        # As published, the action of comparison is drawn first.
        if self.pure and player == traverser:
            step.compared = self.draws.action(strategy)
        walked = choice.draw(self.draws, is_chance=player == CHANCE, blocks=self.blocks)
        step.walked = walked
        if self.pure and player not in (CHANCE, traverser):
            step.average = [float(k == walked[0]) for k in range(len(strategy))]
            self.added.add_strategy(node.infoset, step.average)
        values = self._values(step, choice, reach, chance, sampled)
        value = mean(strategy, values) if step.compared is None else values[step.compared]
        step.values, step.value = values, value
        if player == traverser:
            weight = chance / sampled
            for other, probability in enumerate(reach):
                if other != traverser:
                    weight *= probability
            step.regret = [weight * (u - value) for u in values]
            self.added.add_regret(node.infoset, step.regret)
        return value

    def _counts_nothing(self, reach: tuple[float, ...]) -> bool:
        """Whether what lies below adds zeros: who is averaged or regretted against never plays."""
        if self.own_average and reach[self.traverser] > 0.0:
            return False
        others = [p for player, p in enumerate(reach) if player != self.traverser]
        return bool(others) and not any(others)

    def _values(
        self,
        step: Step,
        choice: Choice,
        reach: tuple[float, ...],
        chance: float,
        sampled: float,
    ) -> list[float]:
        """Estimate what each child is worth, walking those that were drawn."""
        node, strategy = step.node, step.strategy
        player, chances = node.player, choice.chances
        probing = self.probes and player == self.traverser
        walked = {*step.walked}
        values, probed = [], []
        for k, child in enumerate(node.children):
            if k in walked:
                q, p = chances[k], strategy[k]
                below = reach
                if player != CHANCE:
                    below = (*reach[:player], reach[player] * p, *reach[player + 1 :])
                deal = chance * p if player == CHANCE else chance
                found = self.utility(child, below, deal, sampled * q)
                values.append(found if probing else found / q)
            elif probing:
                probed.append(k)
                values.append(self._probe(child))
            else:
                values.append(0.0)
        step.probed = probed
        return values

    def _refuse_other_blocks(self, choice: Choice, node: Node) -> None:
        """ConfigError where histories share a draw of blocks and do not have the same ones."""
        first, places = self.sharing.setdefault(choice.shared, (choice, set()))
        odds, others = choice.odds or {}, first.odds or {}
        are_same = odds is others or (
            odds.keys() == others.keys()
            and all(math.isclose(odds[k], others[k], rel_tol=1e-9, abs_tol=1e-12) for k in odds)
        )
        above = any(node.history[:k] in places for k in range(len(node.history)))
        places.add(node.history)
        if are_same and not above:
            return
        place = "/".join(node.history) or "the start"
        what = "one below another shares it" if above else "other blocks share it"
        raise ConfigError(
            f"blocks at {place} are shared as {choice.shared!r}, but {what}",
            option="blocks",
            given=choice.shared,
            expected="the same blocks with the same probabilities, none of them below another",
            place=place,
            remedy="share another text where blocks differ or one lies below another, or none",
        )

    def _average_weight(
        self, player: int, reach: tuple[float, ...], chance: float, sampled: float
    ) -> float:
        """What a visit counts in the average: see `SHARES`."""
        if self.average_share == "own":
            return reach[player]
        if self.average_share == "others" and not self.own_average:
            others = math.prod(p for i, p in enumerate(reach) if i != self.traverser)
            return others * chance / sampled
        return reach[player] * chance / sampled

    def _probe(self, node: Node) -> float:
        """Play on to the end by the current strategies."""
        while node.player != TERMINAL:
            self.added.visited += 1
            if node.player == CHANCE:
                node = node.children[self.draws.outcome(node.chance)]
            else:
                node = node.children[self.draws.action(self.profile[node.infoset])]
        self.added.visited += 1
        return node.payoffs[self.traverser]

    def _average(self, step: Step, weight: float) -> None:
        if self.pure:
            return
        step.average_weight = weight
        step.average = [weight * p for p in step.strategy]
        self.added.add_strategy(step.node.infoset, step.average)

    def _view(self, node: Node, strategy: Sequence[float]) -> NodeView:
        tables = self.tables
        zeros = () if node.player == CHANCE else (0.0,) * len(strategy)
        return NodeView(
            player=node.player,
            traverser=self.traverser,
            strategy=strategy,
            infoset=node.infoset,
            actions=node.actions,
            history=node.history,
            iteration=1 if tables is None else tables.iteration,
            regret=zeros if tables is None or not zeros else tables.regret[node.infoset],
            strategy_sum=zeros
            if tables is None or not zeros
            else tables.strategy_sum[node.infoset],
        )


def _unfit(choice: object, node: Node) -> ConfigError:
    """What is said of an answer of `choose` that is no choice among these children."""
    place = "/".join(node.history) or "the start"
    if type(choice) is not Choice:
        return ConfigError(
            f"choose gave {repr_short(choice)} of type {type(choice).__name__}, after {place}",
            option="choose",
            given=choice,
            expected="a choice",
            place=place,
            remedy="return node.one(), node.each(chances), node.some(k), node.all() or "
            "node.blocks(events)",
        )
    return ConfigError(
        f"choose gave a choice of {len(choice.chances)} children, where there are "
        f"{len(node.children)}, after {place}",
        option="choose",
        given=len(choice.chances),
        expected=len(node.children),
        place=place,
        remedy="return a choice that was made with this node",
    )
