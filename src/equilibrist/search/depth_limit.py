"""Depth limits: play is solved down to some public nodes, the leaves, and not below them.

Below a leaf p goes on as a blueprint does, and o chooses one of several continuations for each of
its hands. One value per leaf is not enough: an opponent who adapts there would be left out. Or a
value function says what both players' hands are worth there, for the ranges of each iteration.

A limit may grow, one-sidedly: only where the seat that is solved goes are leaves replaced by what
follows on them, wherever the opponent would go.

Noam Brown, Tuomas Sandholm and Brandon Amos, "Depth-limited solving for imperfect-information
games", NeurIPS 2018.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.evaluation.response import best_response
from equilibrist.parsing.arguments import bad_argument, several, whole_number
from equilibrist.search.knowledge import Scope
from equilibrist.search.leaf_values import (
    LEAF_VALUES,
    HistoryValues,
    LeafValuesLike,
    checked_values,
    payoffs_of,
)
from equilibrist.search.programmes import solve_by_programme
from equilibrist.search.roots import find_roots
from equilibrist.search.search_game import SearchGame
from equilibrist.search.seat_rows import Answers, SeatRows, inside_of
from equilibrist.search.seat_task import NEGLIGIBLE, SeatPlay, SeatTask
from equilibrist.search.subgames import Subgames
from equilibrist.search.valued_play import solve_with_values
from equilibrist.solvers.variants.variant import Variant
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.typing import BoolArray, FloatArray

Task: TypeAlias = Callable[[SeatRows], SeatTask]
FONDNESS: Final = 10.0
"""How much more a continuation plays the action that it is fonder of, before shares add up to 1."""


def limited_rows(
    subgames: Subgames,
    leaves: Subgames,
    player: int,
    blueprint: Strategy,
    continuations: Sequence[Strategy | FloatArray],
    scope: Scope | None = None,
) -> SeatRows:
    """The rows of a seat whose play is chosen above the leaves alone.

    Args:
        subgames: The subgames.
        leaves: What lies below the leaves, all of which are below the roots.
        player: p.
        blueprint: What p plays below the leaves.
        continuations: What o may choose to play below them, one or more; or what the root histories
            below the leaves are worth to seat 0 with that choice, float64, in payoff units.
        scope: The part of a root that one hand of p's is solved with; None for all.

    Returns:
        The rows. Choices of continuations come after o's choices above the leaves.

    Raises:
        ConfigError: A leaf is not below a root.
    """
    search, other = subgames.search, 1 - player
    public, hands = search.public, subgames.hands[other]
    root_of_leaf = public.below(subgames.nodes)[list(leaves.nodes)]
    if (root_of_leaf < 0).any():
        name = leaves.names[int(np.argmax(root_of_leaf < 0))]
        raise ConfigError(
            f"the leaf {name!r} does not lie below a root", option="leaves", given=name
        )
    above = subgames.inside if scope is None else scope.inside(subgames)
    above = above & ~leaves.inside
    starts = np.ones(len(subgames.start), dtype=np.bool_) if scope is None else scope.starts
    top = subgames.root_histories(leaves.start)
    mine, theirs = inside_of(search, above, player), inside_of(search, above, other)
    size, ways = len(theirs.sequences), len(continuations)
    choices = leaves.hands[other]
    total = size + ways * len(choices)  # o's ways: sequences, then continuations of each hand

    ends = ~np.isin(subgames.leaves.place, leaves.leaves.place) & starts[subgames.leaves.start]
    at, own_end = subgames.leaves.start[ends], subgames.leaves.sequence[ends]
    row = theirs.row[own_end[:, other]]
    sign = 1.0 if other == 0 else -1.0
    earned = [sign * subgames.leaves.value[ends]]
    rows = [np.where(row >= 0, row, total + hands.of_start[at])]
    columns = [own_end[:, player]]
    met = starts[top]
    deep = leaves.leaves.kept(met[leaves.leaves.start])
    kept = sign * deep.value * _below(leaves, player, blueprint)[deep.sequence[:, player]]
    for number, continuation in enumerate(continuations):
        if not isinstance(continuation, Strategy):
            worth = (continuation - search.game.offset) / search.game.scale
            earned.append((sign * leaves.chance * worth)[met])
            rows.append((size + ways * choices.of_start + number)[met])
            columns.append(search.sequence[leaves.start[met], player])
            continue
        earned.append(kept * _below(leaves, other, continuation)[deep.sequence[:, other]])
        rows.append(size + ways * choices.of_start[deep.start] + number)
        columns.append(search.sequence[leaves.start[deep.start], player])

    # A choice of continuations follows on o's last sequence, or on its hand at the root.
    first = np.unique(choices.of_start, return_index=True)[1]
    hand = hands.of_start[top[first]]
    last = theirs.row[choices.sequence]
    before = theirs.row[theirs.parent]
    own_hand = hands.of_infoset[theirs.infosets]
    answers = Answers(
        infosets=theirs.infosets,
        sequences=theirs.sequences,
        owner=np.concatenate(
            [theirs.owner, len(theirs.infosets) + np.repeat(np.arange(len(choices)), ways)]
        ),
        hand_of=np.where(before < 0, own_hand, -1),
        leads_to=np.concatenate(
            [
                np.where(before < 0, total + own_hand, before),
                np.where(last < 0, total + hand, last),
            ]
        ),
        root=np.concatenate([hands.root[own_hand], root_of_leaf[choices.root]]),
    )
    payoff = (np.concatenate(earned), np.concatenate(rows), np.concatenate(columns))
    plans = search.own[player].plans
    return SeatRows.assembled(player, mine, subgames.hands, answers, payoff, plans.size)


def _below(leaves: Subgames, player: int, strategy: Strategy) -> FloatArray:
    """float64[n]: the product of a player's probabilities from the leaves on."""
    counts = np.diff(strategy.tree.action_offset)
    inside = np.repeat(leaves.inside, counts)
    return leaves.search.own[player].reach(np.where(inside, strategy.probabilities, 1.0))


def biased(blueprint: Strategy, word: str, factor: float, inside: BoolArray) -> Strategy:
    """A blueprint that is fonder of one action.

    Args:
        blueprint: The strategy.
        word: The label of the action.
        factor: What its probability is multiplied by, before those of an infoset add up to 1 again.
        inside: bool[I], the infosets at which it is.

    Returns:
        The strategy.
    """
    tree = blueprint.tree
    labels = [label for actions in tree.action_labels for label in actions]
    counts = np.diff(tree.action_offset)
    fond = np.array([label == word for label in labels]) & np.repeat(inside, counts)
    weights = np.where(fond, factor, 1.0) * blueprint.probabilities
    totals = np.add.reduceat(weights, tree.action_offset[:-1])
    return Strategy(tree, weights / np.repeat(totals, counts))


@dataclass(frozen=True, eq=False)
class DepthLimit:
    """Where play is not solved any more, and what goes on there.

    Attributes:
        leaves: What lies below the leaves.
        continuations: What o may choose below them besides the blueprint: strategies, or labels of
            actions that the blueprint is then fonder of.
        responses: How many best responses of o's are added to them, each to the solution with those
            before it. Half a dozen are usually all that matter.
        values: What hands are worth at the leaves, in place of continuations; None for these.
        growth: How often the leaf of each root that the seat comes to most is replaced by those
            that follow on it, and the roots are solved again.
    """

    leaves: Subgames
    continuations: tuple[Strategy | str, ...] = ()
    responses: int = 0
    values: LeafValuesLike | None = None
    growth: int = 0

    @classmethod
    def at(
        cls,
        search: SearchGame,
        roots: Sequence[int],
        leaves: str | Sequence[str] | None,
        continuations: Sequence[Strategy | str] = (),
        responses: int = 0,
        values: LeafValuesLike | None = None,
        growth: int = 0,
    ) -> DepthLimit | None:
        """The limit that arguments of `resolve` of these names describe; None without leaves.

        Args:
            search: The game.
            roots: Numbers of public nodes, below which all leaves have to lie.
            leaves: As `resolve` takes them, like the others.
            continuations: What the opponent may choose there.
            responses: How many best responses are added.
            values: What hands are worth there.
            growth: How often leaves are replaced.

        Raises:
            ConfigError: An argument is wrong, or has no meaning without leaves.
            UnknownNameError: There is no such value function.
        """
        if leaves is not None:
            limit = cls.of(search, leaves, continuations, responses, values, growth)
            limit.check_below(roots)
            return limit
        listed = several("continuations", continuations, "strategies of the game, or actions")
        options: dict[str, Any] = {
            "continuations": tuple(listed) or None,
            "responses": whole_number("responses", responses, 0) or None,
            "values": values,
            "growth": whole_number("growth", growth, 0) or None,
        }
        for option, given in options.items():
            if given is not None:
                raise ConfigError(
                    f"{option} says how play goes on at leaves, and there are none",
                    option=option,
                    given=given,
                    remedy=f"give `leaves`, or leave out `{option}`",
                )
        return None

    @classmethod
    def of(
        cls,
        search: SearchGame,
        leaves: str | Sequence[str],
        continuations: Sequence[Strategy | str] = (),
        responses: int = 0,
        values: LeafValuesLike | None = None,
        growth: int = 0,
    ) -> DepthLimit:
        """Check the arguments of `resolve` of these names; ConfigError or UnknownNameError."""
        listed = several("continuations", continuations, "strategies of the game, or actions")
        labels = {label for actions in search.tree.action_labels for label in actions}
        for strategy in listed:
            if isinstance(strategy, str):
                if strategy not in labels:
                    raise bad_argument(
                        "continuations", strategy, "actions among " + ", ".join(sorted(labels))
                    )
            elif checked_strategy(strategy).tree.fingerprint != search.tree.fingerprint:
                raise bad_argument("continuations", strategy, "strategies of the game")
        count = whole_number("responses", responses, 0)
        if values is not None:
            values = checked_values(values)
            for option, given in (("continuations", len(listed)), ("responses", count)):
                if given:
                    raise ConfigError(
                        f"{option} have no meaning with a value function, which stands for them",
                        option=option,
                        given=given,
                        remedy=f"leave out `values` or `{option}`",
                    )
        nodes = find_roots(search.public, leaves, option="leaves")
        below = Subgames.below(search, nodes)
        return cls(below, tuple(listed), count, values, whole_number("growth", growth, 0))

    @property
    def is_linear(self) -> bool:
        """Whether linear programmes can solve down to the leaves: values do not go by ranges."""
        return self.values in (None, "zero", "trunk") or isinstance(self.values, HistoryValues)

    def check_below(self, roots: Sequence[int]) -> None:
        """Raise ConfigError for a leaf that does not lie below any of some roots.

        Args:
            roots: Numbers of public nodes; one may lie below another.
        """
        below = self.leaves.search.public.parent
        for leaf, name in zip(self.leaves.nodes, self.leaves.names, strict=True):
            node = leaf
            while node >= 0 and node not in roots:
                node = int(below[node])
            if node < 0:
                raise ConfigError(
                    f"the leaf {name!r} does not lie below a root", option="leaves", given=name
                )

    def within(self, subgames: Subgames) -> Subgames | None:
        """What lies below the leaves in some of the subgames.

        Args:
            subgames: The subgames.

        Returns:
            The same for those leaves that lie below their roots; None if none does.
        """
        is_below = subgames.search.public.below(subgames.nodes) >= 0
        nodes = [node for node in self.leaves.nodes if is_below[node]]
        if len(nodes) == len(self.leaves.nodes):
            return self.leaves
        return Subgames.below(subgames.search, nodes) if nodes else None

    def solve(
        self,
        subgames: Subgames,
        blueprint: Strategy,
        player: int,
        task: Task,
        runs: tuple[Variant, int] | None = None,
        scope: Scope | None = None,
    ) -> tuple[SeatTask, SeatPlay]:
        """Solve for one seat.

        Args:
            subgames: The subgames; leaves that do not lie in them do not count.
            blueprint: What is played below the leaves.
            player: The seat.
            task: From the rows of the seat, what is asked of it.
            runs: The variant of CFR that solves gadget games, and its iterations; None for linear
                programmes.
            scope: The part of a root that one hand of the seat is solved with; None for all.

        Returns:
            The last task, and its play.
        """
        leaves = self.within(subgames)
        if leaves is None:
            raise ConfigError("no leaf lies below these roots", option="leaves")
        solved = self._at(leaves, subgames, blueprint, player, task, runs, scope)
        for _ in range(self.growth):
            grown = _grown(subgames, leaves, player, solved[1].plan, scope)
            if grown.nodes == leaves.nodes:
                break
            leaves = grown
            solved = self._at(leaves, subgames, blueprint, player, task, runs, scope)
        return solved

    def _at(
        self,
        leaves: Subgames,
        subgames: Subgames,
        blueprint: Strategy,
        player: int,
        task: Task,
        runs: tuple[Variant, int] | None,
        scope: Scope | None,
    ) -> tuple[SeatTask, SeatPlay]:
        """Solve down to some leaves."""

        def rows(continuations: Sequence[Strategy | FloatArray]) -> SeatRows:
            return limited_rows(subgames, leaves, player, blueprint, continuations, scope)

        values = self.values
        if isinstance(values, str):
            values = LEAF_VALUES[values](blueprint)
        if runs is not None:
            assert values is not None
            asked = task(rows([blueprint]))
            return asked, solve_with_values(asked, leaves, values, *runs)
        if isinstance(values, HistoryValues):
            asked = task(rows([payoffs_of(values, leaves)]))
            return asked, solve_by_programme(asked)
        known: list[Strategy | FloatArray] = [blueprint]
        for given in self.continuations:
            if isinstance(given, str):
                known.append(biased(blueprint, given, FONDNESS, leaves.inside))
            else:
                known.append(given)
        own = subgames.search.own[player]
        for count in range(self.responses + 1):
            asked = task(rows(known))
            play = solve_by_programme(asked)
            if count < self.responses:
                probabilities = blueprint.probabilities.copy()
                probabilities[own.flat] = play.behaviour
                answer = best_response(Strategy(blueprint.tree, probabilities), 1 - player)
                known.append(answer.strategy)
        return asked, play


def _grown(
    subgames: Subgames, leaves: Subgames, player: int, plan: FloatArray, scope: Scope | None
) -> Subgames:
    """Leaves of which one below each root is replaced by those that follow on it.

    It is the one to which chance and the seat come most, wherever the opponent goes; leaves to
    which the seat does not come are kept. Where nobody moves any more there is no leaf.
    """
    search, public = subgames.search, subgames.search.public
    mass = leaves.chance * plan[search.sequence[leaves.start, player]]
    if scope is not None:
        mass *= scope.starts[subgames.root_histories(leaves.start)]
    weight = np.bincount(leaves.root, mass, len(leaves))
    root = public.below(subgames.nodes)[list(leaves.nodes)]
    moved: BoolArray = np.asarray(public.acts_below.any(axis=1))
    nodes = set(leaves.nodes)
    for number in range(len(subgames)):
        here = np.flatnonzero(root == number)
        if len(here) and weight[here].max() > NEGLIGIBLE * weight[here].sum():
            leaf = leaves.nodes[int(here[np.argmax(weight[here])])]
            nodes.remove(leaf)
            nodes.update(node for node in public.children(leaf) if moved[node])
    return Subgames.below(search, sorted(nodes))
