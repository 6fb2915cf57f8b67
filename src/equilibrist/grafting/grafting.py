"""Grafting: new play in blocks of a base strategy, measured in the full game.

Kevin Waugh, Nolan Bard and Michael Bowling, "Strategy grafting in extensive games", NIPS 2009,
replace a player's play in a block by that of a finer solution in which the play outside is the
base's and the opponent is free. Richard Gibson and Duane Szafron, "On strategy stitching in large
extensive form multiplayer games", NIPS 2011, stitch static experts: solutions of a block that all
players come to as the base does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from equilibrist.abstraction.abstraction import Abstraction
from equilibrist.abstraction.measures.numbers import LARGEST
from equilibrist.abstraction.spec import make_abstraction
from equilibrist.errors import ConfigError
from equilibrist.evaluation.response import Evaluation, evaluate
from equilibrist.grafting.blocks import Block, find_blocks, joined
from equilibrist.grafting.grafted import METHODS, Grafted, GraftStep, Measure, Method
from equilibrist.grafting.locked import LockedRuns
from equilibrist.grafting.programmes import Programmes, replaced
from equilibrist.options.defaults import SUBSTITUTE_ITERATIONS
from equilibrist.parsing.arguments import (
    bad_argument,
    optional_whole_number,
    several,
    whole_number,
)
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import Int64Array

_SPECS = "an abstraction for all blocks, or one for each"


def graft(
    base: Strategy,
    blocks: Sequence[str],
    *,
    abstraction: str | Abstraction | Sequence[str | Abstraction] = "none",
    method: Method = "sequential",
    seats: Sequence[int] | None = None,
    iterations: int | None = None,
) -> Grafted:
    """Replace the play of a base strategy in blocks of the game, and measure what that does.

    A graft of a player keeps the base outside a block and chooses the best play inside against
    opponents who are free everywhere. For two players with constant sum it is one linear programme
    and never makes the player more exploitable, as long as the block's abstraction can represent
    the base. Grafts are combined in one of four ways:

    - `sequential`: each is found on top of those before it. Only grafts that lower the figure are
      taken.
    - `joint`: all blocks are free at the same time.
    - `independent`: each is found on the base, then all are joined. They may lose what one gained.
    - `static`: all players, opponents too, come to a block as the base does, and the equilibrium
      play inside is taken. It may be worse than the base.

    With more than two players or without constant sum CFR+ with the play outside locked finds the
    grafts; no guarantee is known for them.

    Args:
        base: A profile of a game of perfect recall.
        blocks: Patterns over the keys of infosets, one text per block (`find_blocks`).
        abstraction: What may be told apart inside the blocks, as `make_abstraction` takes it; one
            for all blocks or one for each. Infosets are merged within their block only.
        method: How the grafts are combined.
        seats: Whose play is replaced, from 0; by default all players'.
        iterations: Iterations of CFR+ for each graft; None for linear programmes where they serve,
            else 1,000 iterations.

    Returns:
        The new strategy, with the figures of every step; after Ctrl-C with the grafts so far.

    Raises:
        ConfigError: A pattern matches nothing, or a set that is not closed downwards, or blocks
            overlap; or another argument is wrong.
        UnsupportedError: The game has more than 5,000 sequences (without `iterations`), or a player
            forgets inside a block.
        RecallError: The game has imperfect recall.
        KeyboardInterrupt: Ctrl-C, before the first graft was found.
    """
    tree = checked_strategy(base).tree
    if method not in METHODS:
        raise bad_argument("method", method, " or ".join(map(repr, METHODS)))
    chosen = _seats(tree, seats)
    count = optional_whole_number("iterations", iterations, 1)
    chosen_blocks = find_blocks(tree, blocks, seats=None if method == "static" else chosen)
    groups = _groups(tree, chosen_blocks, abstraction)
    work = _Grafting.on(base, count)
    if method == "sequential":
        return work.sequential(chosen_blocks, groups, chosen)
    if method == "joint":
        return work.sequential((joined(chosen_blocks),), groups, chosen, joint=True)
    return work.independent(chosen_blocks, groups, chosen, method)


def _seats(tree: GameTree, seats: Sequence[int] | None) -> tuple[int, ...]:
    if seats is None:
        return tuple(range(tree.num_players))
    numbers = several("seats", seats, "the numbers of players")
    chosen = tuple(whole_number("seat", seat, 0, tree.num_players - 1) for seat in numbers)
    if not chosen:
        raise bad_argument("seats", seats, "one or more players")
    repeated = [seat for seat in chosen if chosen.count(seat) > 1]
    if repeated:
        raise bad_argument("seat", repeated[0], "each player once", remedy="give it once")
    return tuple(sorted(chosen))


def _groups(
    tree: GameTree,
    blocks: Sequence[Block],
    abstraction: str | Abstraction | Sequence[str | Abstraction],
) -> Int64Array:
    """int64[I]: infosets of a block with equal numbers are played alike."""
    specs = (
        [abstraction]
        if isinstance(abstraction, str | Abstraction)
        else several("abstraction", abstraction, _SPECS)
    )
    if len(specs) not in (1, len(blocks)):
        raise ConfigError(
            f"{len(specs)} abstractions are given for {len(blocks)} blocks",
            option="abstraction",
            given=len(specs),
            expected=len(blocks),
            remedy="give one for all blocks, or one for each",
        )
    known: dict[int | str, Abstraction] = {}
    groups = np.zeros(tree.num_infosets, dtype=np.int64)
    for number, block in enumerate(blocks):
        spec = specs[number % len(specs)]
        name = spec if isinstance(spec, str) else id(spec)
        if name not in known:
            known[name] = make_abstraction(tree, spec)
        numbers = number * tree.num_infosets + known[name].abstract_of
        groups[block.inside] = numbers[block.inside]
    return groups


class _Turn(NamedTuple):
    """One graft to be made.

    Attributes:
        block: The block.
        player: Whose play in it is replaced.
        infosets: int64, the player's infosets in the block, at least one.
    """

    block: Block
    player: int
    infosets: Int64Array


def _turns(blocks: Sequence[Block], seats: Sequence[int]) -> Iterator[_Turn]:
    """The grafts in order: block by block, of each the players who move in it."""
    for block in blocks:
        for player in seats:
            own = block.infosets(player)
            if len(own):
                yield _Turn(block, player, own)


class _Stage(NamedTuple):
    """The strategy after a graft, its evaluation (or that of the graft alone), and the graft.

    `kept` has the base's play where every action is as good as any other.
    """

    strategy: Strategy
    evaluation: Evaluation
    kept: Strategy | None = None
    step: GraftStep | None = None


@dataclass(frozen=True, eq=False)
class _Grafting:
    """The base with its figures, and what finds grafts."""

    base: Strategy
    evaluation: Evaluation
    finder: Programmes | LockedRuns
    measure: Measure
    value: tuple[float, float] | None
    iterations: int | None

    @classmethod
    def on(cls, base: Strategy, iterations: int | None) -> _Grafting:
        tree = base.tree
        duel = tree.num_players == 2 and tree.is_constant_sum
        finder: Programmes | LockedRuns
        value: tuple[float, float] | None = None
        measure: Measure = "NashConv"
        exact = duel and iterations is None
        if duel:
            measure = "best response"
            if exact or tree.num_sequences <= LARGEST:
                programmes = Programmes.of(tree)
                first = programmes.value(0)
                value, measure = (first, programmes.game.total - first), "exploitability"
        if exact:
            finder = programmes
        else:
            iterations = SUBSTITUTE_ITERATIONS if iterations is None else iterations
            finder = LockedRuns(tree, iterations)
        return cls(base, evaluate(base), finder, measure, value, iterations)

    def figures(self, evaluation: Evaluation) -> tuple[float, ...]:
        """The figure of each seat."""
        if self.measure == "NashConv":
            return (evaluation.nash_conv,) * len(evaluation.values)
        answers = evaluation.best_response_values
        if self.value is None:
            return answers[1], answers[0]
        total = sum(self.value)
        return tuple(self.value[p] - (total - answers[1 - p]) for p in range(2))

    def sequential(
        self,
        blocks: Sequence[Block],
        groups: Int64Array,
        seats: Sequence[int],
        *,
        joint: bool = False,
    ) -> Grafted:
        """Each graft on top of those before it; those that gain nothing are left out."""
        done = [_Stage(self.base, self.evaluation)]
        interrupted = False
        try:
            for block, player, own in _turns(blocks, seats):
                now, evaluation = done[-1].strategy, done[-1].evaluation
                candidate = self.finder.graft(now, player, block.inside, groups)
                measured = evaluate(candidate)
                before, after = (self.figures(e)[player] for e in (evaluation, measured))
                taken = after < before
                step = GraftStep(block.name, player, len(own), before, after, taken)
                current = (candidate, measured) if taken else (now, evaluation)
                done.append(_Stage(*current, step=step))
        except KeyboardInterrupt:
            if len(done) == 1:
                raise
            interrupted = True
        method: Method = "joint" if joint else "sequential"
        last = done[-1]
        return self._result(last.strategy, last.evaluation, method, done, interrupted=interrupted)

    def independent(
        self, blocks: Sequence[Block], groups: Int64Array, seats: Sequence[int], method: Method
    ) -> Grafted:
        """Each graft on the base, then all joined; static experts, too."""
        before = self.figures(self.evaluation)
        done = [_Stage(self.base, self.evaluation, kept=self.base)]
        interrupted = False
        try:
            for block, player, own in _turns(blocks, seats):
                inside = np.zeros(len(block.inside), dtype=np.bool_)
                inside[own] = True
                open_ = np.zeros_like(inside)
                if method == "static":
                    grafted, open_ = self.finder.static(self.base, player, block.inside, groups)
                else:
                    grafted = self.finder.graft(self.base, player, block.inside, groups)
                alone = evaluate(grafted)
                after, number = self.figures(alone)[player], int(open_.sum())
                step = GraftStep(block.name, player, len(own), before[player], after, True, number)
                now = replaced(done[-1].strategy, grafted, inside)
                kept = replaced(done[-1].kept or self.base, grafted, inside & ~open_)
                done.append(_Stage(now, alone, kept, step))
        except KeyboardInterrupt:
            if len(done) == 1:
                raise
            interrupted = True
        now, kept = done[-1].strategy, done[-1].kept or self.base
        keeping = self.figures(evaluate(kept)) if method == "static" else None
        return self._result(now, evaluate(now), method, done, keeping, interrupted=interrupted)

    def _result(
        self,
        now: Strategy,
        evaluation: Evaluation,
        method: Method,
        done: Sequence[_Stage],
        keeping: tuple[float, ...] | None = None,
        *,
        interrupted: bool,
    ) -> Grafted:
        return Grafted(
            base=self.base,
            strategy=now,
            method=method,
            measure=self.measure,
            steps=tuple(stage.step for stage in done if stage.step is not None),
            before=self.figures(self.evaluation),
            after=self.figures(evaluation),
            base_evaluation=self.evaluation,
            evaluation=evaluation,
            iterations=self.iterations,
            after_keeping=keeping,
            interrupted=interrupted,
        )
