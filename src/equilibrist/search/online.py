"""Search while a hand is played: subgames are solved when play comes to them, and no others.

Every solve starts from the trunk and the earlier solutions on its own path alone. So what is played
does not depend on the hands before, and is the same as if all subgames had been solved beforehand:
`OnlineSearch.offline` does that, and measures the strategy that online play amounts to.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import bad_argument, check_bool
from equilibrist.progress import (
    Callbacks,
    OnProgress,
    PartsReport,
    as_callbacks,
    shows_progress,
)
from equilibrist.search.depth_limit import DepthLimit
from equilibrist.search.gadget_runs import SolvedSeat
from equilibrist.search.leaf_values import LeafValuesLike
from equilibrist.search.methods import SearchMethod
from equilibrist.search.off_menu import leading_moves, off_menu_roots
from equilibrist.search.own_play import Responses
from equilibrist.search.programmes import certain_values
from equilibrist.search.resolved import Resolved
from equilibrist.search.resolving import (
    SUBGAMES,
    GuessedAlternatives,
    Resolver,
    SolvedSoFar,
    check_nested,
    checked_seats,
    steps_of,
)
from equilibrist.search.roots import find_roots, topmost
from equilibrist.search.search_game import SearchGame
from equilibrist.search.subgames import Subgames
from equilibrist.search.values import TrunkValues
from equilibrist.solvers.sampling.samplers import Sampler
from equilibrist.solving.algorithm import Algorithm
from equilibrist.solving.option_groups import Sampling
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.typing import FloatArray


class _Turn(Protocol):
    """A table at which a player is to act."""

    @property
    def infoset(self) -> str: ...


@dataclass(frozen=True, eq=False)
class _Solved:
    """A seat's play below a root: its own, and how long it took."""

    seat: SolvedSeat
    seconds: float


@dataclass(frozen=True, eq=False, repr=False)
class OnlineSearch:
    """A trunk whose play is solved anew below public states when play comes to them.

    It is an agent for sessions and matches, for both seats: at its turn it solves what lies on the
    way and has not been solved yet.

    Attributes:
        trunk: A strategy of the game.
        search: The game.
        roots: The numbers of the public nodes at which play is solved, rising. One may lie below
            another: play is then solved again, from the solution above.
        resolver: How subgames are solved.
        again: Whether a seat's play is solved again at every later public node in which it acts.
        name: What to call the player.
    """

    trunk: Strategy
    search: SearchGame
    roots: tuple[int, ...]
    resolver: Resolver
    again: bool = False
    name: str = "search"
    _solved: dict[tuple[int, int, int | None], _Solved] = field(default_factory=dict)
    _subgames: dict[int, Subgames] = field(default_factory=dict)
    _better: dict[tuple[int, int], Responses] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        trunk: Strategy,
        *,
        roots: str | Sequence[str] | None = None,
        method: str | SearchMethod = "max-margin",
        again: bool = False,
        name: str = "search",
        algorithm: str | Algorithm = "lp",
        iterations: int | None = None,
        sampling: str | Sampler | Sampling | None = None,
        seed: int = 0,
        alternatives: GuessedAlternatives | None = None,
        nested: bool = False,
        leaves: str | Sequence[str] | None = None,
        continuations: Sequence[Strategy | str] = (),
        responses: int = 0,
        values: LeafValuesLike | None = None,
        growth: int = 0,
    ) -> OnlineSearch:
        """Prepare to search; nothing is solved yet.

        Args:
            trunk: A strategy of a game of two players with constant sum and perfect recall, whose
                rules say what is public.
            roots: The public nodes at which play is solved, as `find_roots` takes them; one may lie
                below another. With `nested` they may be left out: then play is solved wherever a
                move is met that the trunk never makes.
            method: How play is chosen, as in `resolve`.
            again: Whether a seat's play is solved again at every later public node in which it
                acts, from the solution before it (continual re-solving).
            name: What to call the player.
            algorithm: What solves subgames: `lp`, or an algorithm for games.
            iterations: Iterations of the algorithm for each gadget game, by default 1,000.
            sampling: What an iteration samples, as `solve` takes it.
            seed: The seed of samplers, the same for every subgame.
            alternatives: A guess of what the opponent may count on, as `resolve` takes it.
            nested: Whether the roots follow on moves that the opponent makes off the menu of the
                trunk, as `resolve` takes it; at each the seat is solved that has to answer.
            leaves: Public nodes below the roots at which solving stops, as `resolve` takes them.
            continuations: What the opponent may choose below the leaves besides the trunk:
                strategies, or labels of actions.
            responses: How many best responses are added to them.
            values: What hands are worth at the leaves, in place of continuations.
            growth: How often the leaf that the seat comes to most is replaced by those below it.

        Returns:
            The player.

        Raises:
            ConfigError: An argument is wrong, or the rules do not say what is public.
            GameError: Histories of one infoset lie in different public nodes.
            UnsupportedError: The game is of another kind.
            RecallError: The game has imperfect recall.
        """
        search = SearchGame.of(checked_strategy(trunk).tree)
        if check_bool("again", again) and check_bool("nested", nested):
            raise ConfigError(
                "moves off the menu are answered once: what follows is solved to the end",
                option="again",
                remedy="leave out `again` or `nested`",
            )
        check_nested(nested=nested, alternatives=alternatives)
        resolver = Resolver.of(
            method, algorithm, iterations, sampling, seed, alternatives, nested=nested
        )
        if roots is None and nested:
            nodes = off_menu_roots(search, trunk)
        elif roots is None:
            raise bad_argument("roots", roots, "public nodes, unless `nested` says which")
        else:
            nodes = find_roots(search.public, roots, disjoint=False)
        if nested:
            _check_answered(search, nodes)
            moves = leading_moves(search, nodes, 0), leading_moves(search, nodes, 1)
            resolver = resolver.barring(moves)
        limit = DepthLimit.at(search, nodes, leaves, continuations, responses, values, growth)
        if limit is not None:
            resolver = resolver.limited(limit)
        return cls(trunk, search, nodes, resolver, again, name)

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def solves(self) -> int:
        """How many subgames have been solved so far, each for one seat."""
        return len(self._solved)

    @property
    def seconds(self) -> float:
        """The time that took, in seconds."""
        return sum(solved.seconds for solved in self._solved.values())

    def stages(self, seat: int) -> tuple[int, ...]:
        """The public nodes at which the play of a seat is solved.

        Args:
            seat: The player, from 0.

        Returns:
            Their numbers, rising, so that nodes above others come before them.
        """
        public = self.search.public
        if self.resolver.nested:
            return tuple(root for root in self.roots if public.mover[root] == 1 - seat)
        if not self.again:
            return self.roots
        acts = np.zeros(len(public), dtype=np.bool_)
        acts[public.node_of_infoset[self.search.tree.infoset_player == seat]] = True
        below = public.below(self.roots) >= 0
        return tuple(sorted({*self.roots, *np.flatnonzero(acts & below).tolist()}))

    def play(self, infoset: int) -> FloatArray:
        """What is played at an infoset, after the solves on the way to it.

        Args:
            infoset: Its public number.

        Returns:
            float64, the probability of each action.
        """
        tree = self.search.tree
        seat = int(tree.infoset_player[infoset])
        node = int(self.search.public.node_of_infoset[infoset])
        actions = tree.actions_of(infoset)
        stage = self._stage_at(node, seat)
        if stage < 0:
            return np.array(self.trunk.probabilities[actions])
        start = self.search.own[seat].start
        hand = None
        if self.resolver.method.order is not None:
            of_infoset = self._below(stage).hands[seat].of_infoset
            own = infoset - int(np.searchsorted(tree.infoset_player, seat))
            hand = int(of_infoset[own])
        behaviour = self._solve(stage, seat, hand).seat.play.behaviour
        return np.array(behaviour[actions.start - start : actions.stop - start])

    def mixture(self, table: _Turn, /) -> Sequence[float]:
        """The probability of each action at the turn of this player.

        Args:
            table: The hand.

        Returns:
            One probability per action.
        """
        return [float(share) for share in self.play(self.search.tree.index(table.infoset))]

    @shows_progress
    def offline(
        self,
        *,
        seats: Sequence[int] | None = None,
        completion: bool = True,
        callbacks: Callbacks | OnProgress | None = None,
        progress: bool | None = None,  # read by shows_progress
    ) -> Resolved:
        """Solve all subgames, and measure the strategy that is played online.

        Args:
            seats: Whose play is replaced, from 0; by default both players'.
            completion: Whether to find the best play below all roots for comparison.
            callbacks: Functions called as subgames are solved, each for one seat.
            progress: Whether a line shows the progress; by default in notebooks and interactive
                sessions.

        Returns:
            The strategy, with exact figures before and after; after Ctrl-C with the subgames so
            far.
        """
        players = checked_seats(seats)
        search = self.search
        probabilities = self.trunk.probabilities.copy()
        done = SolvedSoFar(self.trunk, [0.0, 0.0], [])
        stages = [(seat, stage) for seat in players for stage in self.stages(seat)]
        report = PartsReport(
            as_callbacks(callbacks), self.resolver.method.name, SUBGAMES, len(stages)
        )
        began = time.perf_counter()
        try:
            for number, (seat, stage) in enumerate(stages):
                done.interrupted = not report.goes_on(number)
                if done.interrupted:
                    break
                start = search.own[seat].start
                solved = self._solve(stage, seat).seat
                inside = self._below(stage).seats[seat].own - 1
                probabilities[start + inside] = solved.play.behaviour[inside]
                done.steps += steps_of(solved)
                bound = done.bounds[seat]
                if not self.resolver.is_proven or bound is None:
                    done.bounds[seat] = None
                else:
                    done.bounds[seat] = bound + solved.bound
            if not done.interrupted:
                report.goes_on(len(stages))
        except KeyboardInterrupt:
            if not done.steps:
                raise
            done.interrupted = True
        seconds = time.perf_counter() - began
        done.strategy = Strategy(search.tree, probabilities)
        below = search.public.below(self._topmost())[search.public.node_of_infoset] >= 0
        return self.resolver.measured(
            search,
            self.trunk,
            done,
            seats=players,
            roots=tuple(search.public.names[root] for root in self.roots),
            inside=below,
            seconds=seconds,
            compare=completion,
        )

    def _topmost(self) -> tuple[int, ...]:
        """The roots that lie below no other."""
        return topmost(self.search.public, self.roots)

    def _stage_at(self, node: int, seat: int) -> int:
        """The stage of a seat that a public node is, or that lies next above it; -1 for none."""
        stages = set(self.stages(seat))
        while node >= 0 and node not in stages:
            node = int(self.search.public.parent[node])
        return node

    def _below(self, node: int) -> Subgames:
        if node not in self._subgames:
            self._subgames[node] = Subgames.below(self.search, [node])
        return self._subgames[node]

    def _solve(self, stage: int, seat: int, hand: int | None = None) -> _Solved:
        """The play of a seat once play has come to a stage, by what lies on the way alone.

        With a hand its play alone; None for all hands.
        """
        if (stage, seat, hand) in self._solved:
            return self._solved[stage, seat, hand]
        trunk = self.trunk
        parent = int(self.search.public.parent[stage])
        above = self._stage_at(parent, seat) if parent >= 0 else -1
        if above >= 0:
            probabilities = trunk.probabilities.copy()
            probabilities[self.search.own[seat].flat] = self._solve(above, seat).seat.play.behaviour
            trunk = Strategy(self.search.tree, probabilities)
        # Gifts above an earlier solve are spent: they were shared among all roots of that solve.
        since = above if above >= 0 else None
        began = time.perf_counter()
        resolver = self.resolver
        if resolver.method.gifts == "certain" and not resolver.nested:
            resolver = replace(resolver, better=self._certain(above, seat, trunk))
        solved = resolver.solve(self._below(stage), trunk, seat, since, hand)
        if solved.interrupted:
            raise KeyboardInterrupt
        self._solved[stage, seat, hand] = _Solved(solved, time.perf_counter() - began)
        return self._solved[stage, seat, hand]

    def _certain(self, above: int, seat: int, trunk: Strategy) -> Responses:
        """What the opponent's actions earn, whatever is played below all stages next to a stage."""
        if (above, seat) not in self._better:
            parent, stages = self.search.public.parent.tolist(), self.stages(seat)
            at = {stage: self._stage_at(parent[stage], seat) for stage in stages}
            beside = [stage for stage in stages if at[stage] == above]
            values = TrunkValues.of(Subgames.below(self.search, beside), trunk, seat)
            self._better[above, seat] = certain_values(values)
        return self._better[above, seat]


def _check_answered(search: SearchGame, nodes: Sequence[int]) -> None:
    """Raise ConfigError for a nested root that follows on no move, which nobody would answer."""
    public = search.public
    for node in nodes:
        if public.mover[node] < 0:
            raise ConfigError(
                f"the root {public.names[node]!r} follows on no move of a player",
                option="nested",
                given=public.names[node],
                expected="roots that follow on moves of one player, whom the other answers",
                remedy="name other `roots`, or leave them out",
            )
