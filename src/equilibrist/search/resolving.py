"""Re-solving: the play of a trunk below public states replaced, and what that changes exactly."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from equilibrist.abstraction.measures.numbers import LARGEST
from equilibrist.errors import ConfigError, MismatchError
from equilibrist.evaluation.response import Evaluation, evaluate
from equilibrist.options.defaults import SUBSTITUTE_ITERATIONS
from equilibrist.parsing.arguments import (
    bad_argument,
    check_bool,
    optional_whole_number,
    several,
    whole_number,
)
from equilibrist.progress import (
    Callbacks,
    OnProgress,
    PartsReport,
    as_callbacks,
    shows_progress,
)
from equilibrist.search.depth_limit import DepthLimit
from equilibrist.search.gadget_runs import GadgetRuns, SolvedSeat, solve_by_gadgets
from equilibrist.search.knowledge import Scope
from equilibrist.search.leaf_values import LeafValuesLike
from equilibrist.search.methods import SearchMethod, get_search_method
from equilibrist.search.mirror_step import solve_by_step
from equilibrist.search.own_play import Responses
from equilibrist.search.programmes import certain_values, solve_by_programme, task_of
from equilibrist.search.resolved import HandValues, Resolved, RootStep
from equilibrist.search.roots import find_roots, topmost
from equilibrist.search.search_game import SearchGame
from equilibrist.search.seat_rows import SeatRows
from equilibrist.search.seat_task import SeatPlay, SeatTask
from equilibrist.search.subgames import Subgames
from equilibrist.search.values import TrunkValues
from equilibrist.solvers.sampling.samplers import Sampler
from equilibrist.solvers.variants.registry import as_variant
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solving.algorithm import Algorithm
from equilibrist.solving.option_groups import Sampling
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import BoolArray, FloatArray, Int64Array

CLOSED_FORM: Final = "closed form"
"""What solves methods that need no algorithm."""
GuessedAlternatives = Callable[[TrunkValues], FloatArray]
"""From a trunk at the roots, what the opponent may count on with each hand, in payoff units."""

SUBGAMES: Final = "subgames"
"""What progress counts: a subgame once for each seat."""


@shows_progress
def resolve(
    trunk: Strategy,
    *,
    roots: str | Sequence[str] | Subgames,
    method: str | SearchMethod = "max-margin",
    seats: Sequence[int] | None = None,
    algorithm: str | Algorithm = "lp",
    iterations: int | None = None,
    sampling: str | Sampler | Sampling | None = None,
    seed: int = 0,
    alternatives: GuessedAlternatives | None = None,
    in_turn: bool = False,
    nested: bool = False,
    leaves: str | Sequence[str] | None = None,
    continuations: Sequence[Strategy | str] = (),
    responses: int = 0,
    values: LeafValuesLike | None = None,
    growth: int = 0,
    completion: bool = True,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
) -> Resolved:
    """Replace the play of a trunk below public states by that of subgames, one seat at a time.

    A seat's play below the roots is chosen for its own reach as the trunk plays, against an
    opponent who is free. The other seat's does not depend on it, so that both are replaced at once.

    Args:
        trunk: A strategy of a game of two players with constant sum and perfect recall, whose rules
            say what is public.
        roots: Public nodes: `before chance`, `after chance`, `after move 2`, or patterns of names
            (`find_roots`); or subgames that are laid out, which saves time with many trunks.
        method: How play is chosen: the name of a method, perhaps with parameters, as in
            `max-margin(scale=raw)`.
        seats: Whose play is replaced, from 0; by default both players'.
        algorithm: `lp` for linear programmes over all roots of a seat, which are exact; else any
            algorithm that `solve` takes for games, which solves a gadget game for each root.
        iterations: Iterations of the algorithm for each gadget game, by default 1,000.
        sampling: What an iteration samples, as `solve` takes it.
        seed: The seed of samplers.
        alternatives: A function that guesses what the opponent may count on, in place of what the
            trunk proves: from the trunk at the roots, one value for each hand. There is no
            guarantee then.
        in_turn: Whether roots are re-solved one after the other, each on top of those before it. So
            roots may lie inside others, and whole gifts are safe. Methods that solve each hand by
            itself solve hands so, too.
        nested: Whether the roots follow on moves that the opponent makes off the menu: its
            alternatives are its other moves, and it comes as it does to the decision before. What
            the trunk plays below does not matter.
        leaves: Public nodes below the roots at which solving stops: the seat goes on as the trunk
            does, and the opponent chooses a continuation for each hand. By default there are none.
        continuations: What the opponent may choose below the leaves besides the trunk: strategies,
            or labels of actions that the trunk is then fonder of.
        responses: How many best responses are added to them, each to the play found before it.
        values: What hands are worth at the leaves, in place of continuations: a value function,
            asked in each iteration of the algorithm about the ranges that it has come to; or
            `zero`, `trunk` (both go on as the trunk does), or `equilibrium` (exact for all ranges).
            Linear programmes take those that do not go by ranges.
        growth: How often the leaf below each root that the seat comes to most is replaced by those
            that follow on it, and all is solved again.
        completion: Whether to find the best play below all roots at once for comparison, and the
            value of the game, where the game has no more than 5,000 sequences.
        callbacks: Functions called as subgames are solved; a linear programme over all roots of a
            seat counts as one.
        progress: Whether a line shows the progress; by default in notebooks and interactive
            sessions.

    Returns:
        The new strategy, with exact figures before and after; after Ctrl-C with the roots so far.

    Raises:
        ConfigError: An argument is wrong, or the rules do not say what is public.
        GameError: Histories of one infoset lie in different public nodes.
        UnsupportedError: The game is of another kind.
        MismatchError: The subgames are of another game.
        RecallError: The game has imperfect recall.
        EquilibristError: A linear programme did not come to an end.
        KeyboardInterrupt: Ctrl-C, before anything was re-solved.
    """
    tree = checked_strategy(trunk).tree
    chosen = get_search_method(method)
    players = checked_seats(seats)
    check_bool("completion", completion)
    check_bool("in_turn", in_turn)
    check_nested(nested=nested, alternatives=alternatives)
    if alternatives is not None and not chosen.uses_alternatives:
        raise ConfigError(
            f"alternatives have no meaning with {chosen.name}",
            option="alternatives",
            place=chosen.name,
            remedy="choose another method, such as resolve",
        )
    resolver = Resolver.of(
        chosen,
        algorithm,
        iterations,
        sampling,
        seed,
        alternatives,
        in_turn=in_turn,
        nested=nested,
    )
    parts = _parts(tree, roots, in_turn=in_turn)
    nodes = [node for part in parts for node in part.nodes]
    search = parts[0].search
    limit = DepthLimit.at(search, nodes, leaves, continuations, responses, values, growth)
    if limit is not None:
        resolver = resolver.limited(limit)
    inside = np.logical_or.reduce([part.inside for part in parts])
    began = time.perf_counter()
    done = resolver.run(parts, trunk, players, as_callbacks(callbacks))
    seconds = time.perf_counter() - began
    return resolver.measured(
        parts[0].search,
        trunk,
        done,
        seats=players,
        roots=tuple(name for part in parts for name in part.names),
        inside=inside,
        seconds=seconds,
        compare=completion,
    )


@dataclass
class SolvedSoFar:
    """What has been re-solved so far; `bounds` is one figure for each seat."""

    strategy: Strategy
    bounds: list[float | None]
    steps: list[RootStep]
    interrupted: bool = False


@dataclass(frozen=True)
class Resolver:
    """How roots are re-solved.

    Attributes:
        method: The method.
        runs: How gadget games are solved; None for linear programmes.
        alternatives: A guess of what the opponent may count on; None for what the trunk proves.
        in_turn: Whether roots are solved one on top of the other.
        nested: Whether the roots follow on moves of the opponent's off the menu.
        limit: Where solving stops; None for nowhere.
        better: What the opponent's actions earn for certain, for gifts that are; None to find it
            from the roots that are solved together.
    """

    method: SearchMethod
    runs: GadgetRuns | None = None
    alternatives: GuessedAlternatives | None = None
    in_turn: bool = False
    nested: bool = False
    limit: DepthLimit | None = None
    better: Responses | None = None

    @classmethod
    def of(
        cls,
        method: str | SearchMethod,
        algorithm: str | Algorithm = "lp",
        iterations: int | None = None,
        sampling: str | Sampler | Sampling | None = None,
        seed: int = 0,
        alternatives: GuessedAlternatives | None = None,
        *,
        in_turn: bool = False,
        nested: bool = False,
    ) -> Resolver:
        """Check the arguments of `resolve` of these names; ConfigError or UnknownNameError."""
        chosen = get_search_method(method)
        if not chosen.has_gadget and algorithm != "lp":
            raise ConfigError(
                f"{chosen.name} is a closed form, which no algorithm solves",
                option="algorithm",
                given=algorithm,
                place=chosen.name,
                remedy="leave out the algorithm",
            )
        if nested and not chosen.has_gadget:
            raise ConfigError(
                f"{chosen.name} needs play after moves off the menu, which the trunk lacks",
                option="nested",
                place=chosen.name,
                remedy="choose another method, such as resolve",
            )
        return cls(
            method=chosen,
            runs=_runs(algorithm, iterations, sampling, seed),
            alternatives=_menu if nested else alternatives,
            in_turn=in_turn,
            nested=nested,
        )

    @property
    def is_proven(self) -> bool:
        """Whether losses can rise by no more than the gaps of gadget games."""
        method = self.method
        if self.in_turn:
            # Whole gifts are safe, and so are hands one on top of the other if each is solved with
            # all others fixed; from order 2 on it counts on hands whose solution nobody plays.
            is_alone = method.frozen and method.order == 1
            method = replace(method, gifts="split", order=None if is_alone else method.order)
        return method.is_safe and self.alternatives is None and self.limit is None

    @property
    def algorithm(self) -> str:
        """The name of what solves subgames."""
        if not self.method.has_gadget:
            return CLOSED_FORM
        return "lp" if self.runs is None else self.runs.name

    def limited(self, limit: DepthLimit) -> Resolver:
        """The same with a depth limit; ConfigError with gadget games, which have none."""
        if not self.method.has_gadget:
            raise ConfigError(
                f"{self.method.name} has no leaves: it looks at what the trunk earns to the end",
                option="leaves",
                place=self.method.name,
                remedy="leave out `leaves`, or choose another method",
            )
        if self.runs is not None and limit.values is None:
            raise ConfigError(
                "continuations at a depth limit need linear programmes",
                option="leaves",
                place=self.runs.name,
                remedy="leave out `leaves` or the algorithm, or give `values`",
            )
        if self.runs is None and not limit.is_linear:
            raise ConfigError(
                "linear programmes cannot ask a value function that goes by ranges",
                option="values",
                remedy="give an algorithm, such as algorithm='cfr+'",
            )
        if self.runs is not None and self.runs.sampling is not None:
            raise ConfigError(
                "value functions are asked in full traversals",
                option="sampling",
                given=self.runs.sampling,
                remedy="leave out `sampling`",
            )
        if self.runs is not None:
            self._rule()
        return replace(self, limit=limit)

    def _rule(self) -> Variant:
        """The variant of CFR that solves gadget games."""
        assert self.runs is not None
        algorithm = self.runs.algorithm
        if isinstance(algorithm, Variant):
            return algorithm
        return as_variant(algorithm if isinstance(algorithm, str) else algorithm.name)

    def barring(self, moves: tuple[Int64Array, Int64Array]) -> Resolver:
        """The same where further moves of each player are off the menu, by own sequence."""
        return replace(self, alternatives=partial(_menu, barred=moves))

    def run(
        self,
        parts: Sequence[Subgames],
        trunk: Strategy,
        seats: Sequence[int],
        callbacks: Callbacks,
    ) -> SolvedSoFar:
        """Re-solve subgames, one part on top of the other; Ctrl-C keeps what is done."""
        done, solved = SolvedSoFar(trunk, [0.0, 0.0], []), 0
        certain = self._certain_in_turn(parts, trunk, seats)
        total = len(seats) * sum(map(len, parts))
        report = PartsReport(callbacks, self.method.name, SUBGAMES, total)
        try:
            for part in parts:
                before = done.strategy
                for seat in seats:
                    done.interrupted = not report.goes_on(solved)
                    if not done.interrupted:
                        resolver = replace(self, better=certain.get(seat, self.better))
                        resolver._seat(part, before, seat, done)
                        solved += len(part)
                    if done.interrupted:
                        return done
            report.goes_on(solved)
        except KeyboardInterrupt:
            if not done.steps:
                raise
            done.interrupted = True
        return done

    def _certain_in_turn(
        self, parts: Sequence[Subgames], trunk: Strategy, seats: Sequence[int]
    ) -> dict[int, Responses]:
        """By seat, what its opponent earns whatever the seat plays below the roots of all parts.

        Parts that are solved later change what follows on the opponent's other moves: gifts are
        certain only if they count all of them.
        """
        if len(parts) < 2 or self.method.gifts != "certain" or self.alternatives is not None:
            return {}
        search = parts[0].search
        nodes = topmost(search.public, [node for part in parts for node in part.nodes])
        whole = Subgames.below(search, nodes)
        return {seat: certain_values(TrunkValues.of(whole, trunk, seat)) for seat in seats}

    def solve(
        self,
        subgames: Subgames,
        trunk: Strategy,
        seat: int,
        since: int | None = None,
        hand: int | None = None,
    ) -> SolvedSeat:
        """Re-solve one seat below all roots.

        Args:
            subgames: The subgames.
            trunk: A strategy of the game.
            seat: The player.
            since: The public node above at which the trunk's play was solved before; None for none.
            hand: Of a method that solves each hand of the seat by itself, the only one that is
                solved; None for all.

        Returns:
            The seat's play.
        """
        if self.method.order is None:
            return self._part(subgames, trunk, seat, since)
        return self._by_hand(subgames, trunk, seat, since, hand)

    def _by_hand(
        self, subgames: Subgames, trunk: Strategy, seat: int, since: int | None, hand: int | None
    ) -> SolvedSeat:
        """Re-solve hands of a seat, each by what it knows; in turn on top of those before it."""
        own, held = subgames.search.own[seat], subgames.hands[seat].of_infoset
        order, frozen = self.method.order, self.method.frozen
        assert order is not None
        task = self._task(subgames, trunk, seat, since)
        below = trunk
        probabilities = trunk.probabilities.copy()
        gaps: dict[int, float] = {}
        bound, interrupted = 0.0, False
        chosen = np.unique(held[held >= 0]).tolist() if hand is None else [hand]
        for number in chosen:
            scope = Scope.of(subgames, seat, number, order, frozen=frozen)
            part = self._part(subgames, below, seat, since, scope)
            here = own.start + np.flatnonzero(np.repeat(held == number, own.plans.actions))
            probabilities[here] = part.play.behaviour[here - own.start]
            for root, gap in part.gaps.items():
                gaps[root] = max(gap, gaps.get(root, 0.0))
            bound += part.bound
            if self.in_turn:
                below = Strategy(trunk.tree, probabilities)
            if interrupted := part.interrupted:
                break
        if interrupted:
            task = task.at_roots(gaps)
        play = SeatPlay(own.reach(probabilities), probabilities[own.flat])
        return SolvedSeat(task, play, gaps, bound, interrupted)

    def _task(
        self,
        subgames: Subgames,
        trunk: Strategy,
        seat: int,
        since: int | None,
        scope: Scope | None = None,
        rows: SeatRows | None = None,
    ) -> SeatTask:
        """What is asked of a seat."""
        values = TrunkValues.of(subgames, trunk, seat)
        if self.nested:
            values = values.before_leads()
        guess = None
        if self.alternatives is not None:
            guess = _guess(values, self.method, self.alternatives)
        return task_of(values, self.method, guess, since, rows, scope, self.better)

    def _part(
        self,
        subgames: Subgames,
        trunk: Strategy,
        seat: int,
        since: int | None,
        scope: Scope | None = None,
    ) -> SolvedSeat:
        """Re-solve one seat, all of it or in the scope of a hand."""
        if self.limit is not None and self.limit.within(subgames) is not None:

            def asked(rows: SeatRows) -> SeatTask:
                return self._task(subgames, trunk, seat, since, scope, rows)

            runs = None if self.runs is None else (self._rule(), self.runs.iterations)
            solved = SolvedSeat(*self.limit.solve(subgames, trunk, seat, asked, runs, scope))
        else:
            task = self._task(subgames, trunk, seat, since, scope)
            if not self.method.has_gadget:
                solved = SolvedSeat(task, solve_by_step(task))
            elif self.runs is None:
                solved = SolvedSeat(task, solve_by_programme(task))
            else:
                solved = solve_by_gadgets(task, self.runs)
        if not self.method.purify:
            return solved
        play = solved.play.purified(solved.task, self.method.purify)
        return replace(solved, play=play)

    def measured(
        self,
        search: SearchGame,
        trunk: Strategy,
        done: SolvedSoFar,
        *,
        seats: tuple[int, ...],
        roots: tuple[str, ...],
        inside: BoolArray,
        seconds: float,
        compare: bool,
    ) -> Resolved:
        """Measure what re-solving changed, by best responses.

        Args:
            search: The game.
            trunk: The strategy before.
            done: What was solved.
            seats: Whose play was replaced.
            roots: The names of the roots.
            inside: bool[I], the infosets of both players below the roots.
            seconds: How long solving took.
            compare: Whether to find the best completion where the game is small enough.

        Returns:
            The result.
        """
        first, last = evaluate(trunk), evaluate(done.strategy)
        known = compare and search.tree.num_sequences <= LARGEST
        figures = _Figures(search, known=known)
        return Resolved(
            trunk=trunk,
            strategy=done.strategy,
            method=self.method,
            roots=roots,
            seats=seats,
            measure="exploitability" if figures.known else "best response",
            before=figures.both(first),
            after=figures.both(last),
            completion=figures.best(trunk, inside, seats),
            bound=(done.bounds[0], done.bounds[1]),
            steps=tuple(done.steps),
            in_turn=self.in_turn,
            algorithm=self.algorithm,
            iterations=None if self.runs is None else self.runs.iterations,
            interrupted=done.interrupted,
            trunk_evaluation=first,
            evaluation=last,
            seconds=seconds,
        )

    def _seat(self, subgames: Subgames, trunk: Strategy, seat: int, done: SolvedSoFar) -> None:
        """Re-solve one seat on top of a trunk."""
        solved = self.solve(subgames, trunk, seat)
        bound = done.bounds[seat]
        done.bounds[seat] = None
        if self.is_proven and bound is not None:
            done.bounds[seat] = bound + solved.bound
        done.steps += steps_of(solved)
        probabilities = done.strategy.probabilities.copy()
        probabilities[subgames.search.own[seat].flat] = solved.play.behaviour
        done.strategy = Strategy(trunk.tree, probabilities)
        done.interrupted = solved.interrupted


def _parts(
    tree: GameTree, roots: str | Sequence[str] | Subgames, *, in_turn: bool
) -> list[Subgames]:
    """The subgames that are solved together: all, or with `in_turn` one by one."""
    if not isinstance(roots, Subgames):
        search = SearchGame.of(tree)
        nodes = find_roots(search.public, roots, disjoint=not in_turn)
        groups = [[node] for node in nodes] if in_turn else [nodes]
        return [Subgames.below(search, group) for group in groups]
    if roots.search.tree is not tree and roots.search.tree.fingerprint != tree.fingerprint:
        raise MismatchError(
            f"the subgames are of {roots.search.tree.name}, the trunk of {tree.name}",
            option="roots",
            given=roots.search.tree.name,
            expected=tree.name,
        )
    if in_turn:
        return [Subgames.below(roots.search, [node]) for node in roots.nodes]
    return [roots]


def _runs(
    algorithm: str | Algorithm,
    iterations: int | None,
    sampling: str | Sampler | Sampling | None,
    seed: int,
) -> GadgetRuns | None:
    """How gadget games are solved; None for linear programmes."""
    count = optional_whole_number("iterations", iterations, 1)
    if algorithm == "lp":
        for option, value in (("iterations", iterations), ("sampling", sampling)):
            if value is not None:
                raise ConfigError(
                    f"{option} has no meaning with linear programmes",
                    option=option,
                    given=value,
                    remedy="give an algorithm, such as algorithm='cfr+'",
                )
        return None
    return GadgetRuns(algorithm, SUBSTITUTE_ITERATIONS if count is None else count, sampling, seed)


def check_nested(*, nested: bool, alternatives: GuessedAlternatives | None) -> None:
    """Raise ConfigError for alternatives at nested roots."""
    if check_bool("nested", nested) and alternatives is not None:
        raise ConfigError(
            "alternatives have no meaning at nested roots, where they are the other moves",
            option="alternatives",
            remedy="leave out `nested` or `alternatives`",
        )


def checked_seats(seats: Sequence[int] | None) -> tuple[int, ...]:
    """The players whose play is replaced, in order; ConfigError."""
    if seats is None:
        return (0, 1)
    numbers = several("seats", seats, "the numbers of players")
    chosen = tuple(whole_number("seat", seat, 0, 1) for seat in numbers)
    if not chosen or len(set(chosen)) < len(chosen):
        raise bad_argument("seats", seats, "one or both players, each once")
    return tuple(sorted(chosen))


def _menu(
    values: TrunkValues, barred: tuple[Int64Array | None, Int64Array | None] = (None, None)
) -> FloatArray:
    """The alternatives at nested roots; `barred` are further moves off the menu of each player."""
    menu = values.menu(barred[1 - values.player])
    met = values.weight > 0.0
    if np.isinf(menu[met]).any():
        hands = values.subgames.hands[1 - values.player]
        root = int(hands.root[met & np.isinf(menu)][0])
        raise ConfigError(
            f"the root {values.subgames.names[root]!r} follows on no move of player "
            f"{1 - values.player}, or on its only one",
            option="nested",
            given=values.subgames.names[root],
            expected="roots that follow on moves of the opponent's, who has others",
            remedy="give `seats`: the player who answers the move",
        )
    return values.payoffs(menu)


def _guess(
    values: TrunkValues, method: SearchMethod, alternatives: GuessedAlternatives
) -> FloatArray:
    """The alternatives of a guess, in units of the programmes."""
    guessed = np.asarray(alternatives(values), dtype=np.float64)
    count = len(values.weight)
    is_given = guessed.shape == (count,) and not np.isnan(guessed).any()
    if not is_given or (method.goal != "excess" and np.isinf(guessed).any()):
        finite = "" if method.goal == "excess" else "finite "
        raise bad_argument(
            "alternatives",
            guessed.tolist(),
            f"a function that gives {count} {finite}numbers, one for each hand",
        )
    return values.units(guessed)


def steps_of(solved: SolvedSeat) -> list[RootStep]:
    """What re-solving one seat did at each root."""
    task = solved.task
    values, method, subgames = task.trunk, task.method, task.trunk.subgames
    hands = subgames.hands[1 - values.player]
    after = values.against(solved.play.plan)
    columns = {
        "weight": values.weight,
        "reach": values.reach,
        "alternative": values.payoffs(task.alternatives),
        "gift": task.gifts * subgames.search.game.scale,
        "before": values.payoffs(values.best),
        "after": values.payoffs(after),
    }
    lead = columns["alternative"] - columns["after"]
    steps = []
    for root, name in enumerate(subgames.names):
        here = hands.at(root)
        objective = margin = None
        if task.solved[root]:
            met = here[task.counted[here]]
            unit = values.weight[met] if method.scale == "normalised" else 1.0
            margin = float((lead[met] / unit).min())
            if method.goal == "range":
                objective = float((columns["reach"] * columns["after"])[here].sum())
            elif method.goal == "excess":
                either = np.maximum(columns["alternative"], columns["after"])
                objective = float((task.deals * either)[here].sum())
            elif method.goal == "margin":
                objective = margin
        shown = tuple(
            HandValues(hands.labels[j], **{key: float(c[j]) for key, c in columns.items()})
            for j in here.tolist()
        )
        total = float(values.total[root])
        gap = solved.gaps.get(root)
        steps.append(RootStep(name, values.player, total, objective, margin, gap, shown))
    return steps


@dataclass(frozen=True)
class _Figures:
    """What seats lose against best responses, or what these earn if the value is not known."""

    search: SearchGame
    known: bool

    def both(self, evaluation: Evaluation) -> tuple[float, float]:
        """The figures of both seats."""
        return self._of(evaluation, 0), self._of(evaluation, 1)

    def best(
        self, trunk: Strategy, inside: BoolArray, seats: Sequence[int]
    ) -> tuple[float | None, float | None]:
        """The figures of the best completions of a trunk, with all infosets `inside` open."""
        least: list[float | None] = [None, None]
        apart = np.arange(len(inside))
        for seat in seats if self.known else ():
            own = inside & (self.search.tree.infoset_player == seat)
            completed = trunk
            if own.any():
                completed = self.search.programmes.graft(trunk, seat, inside, apart)
            least[seat] = self._of(evaluate(completed), seat)
        return least[0], least[1]

    def _of(self, evaluation: Evaluation, seat: int) -> float:
        answer = evaluation.best_response_values[1 - seat]
        if not self.known:
            return answer
        total, value = self.search.game.total, self.search.value
        return (value if seat == 0 else total - value) - (total - answer)
