"""What a strategy loses after a mistake: at nodes that play comes to only by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from equilibrist.errors import UnsupportedError
from equilibrist.parsing.arguments import instance, real_number, whole_number
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.betting.bet_sizes import STREETS
from equilibrist.poker.betting.public_tree import PublicTree, node_line
from equilibrist.poker.betting.street_tree import ACTION, CHANCE
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.engine.node_rows import BoardRows
from equilibrist.poker.postflop.files.evaluation import solved_engine
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.value_unit import refuse_prizes
from equilibrist.typing import FloatArray

BELOW: Final = 0.005
"""Actions that a range takes more seldom are mistakes."""
BOARDS: Final = 12
"""Boards of each later street that are looked at."""
_STEPS: Final = 32_767
_LEAST: Final = 1e-4
"""Decisions to which play comes more seldom are left out."""


class Mistake(NamedTuple):
    """One mistake, and what follows it. Losses are in percent of the pot after it.

    Attributes:
        line: The actions and cards up to the mistake, which is its last action.
        seat: Who makes it: `oop` or `ip`.
        street: `flop`, `turn` or `river`.
        weight: How probable it is that one random mistake is this one, within the table.
        frequency: How often the range takes that action.
        pot: The pot after it, what was bet included, in chips.
        loss: What the other player's strategy loses from there on, compared with a best response,
            if hands make the mistake as often as their strategy does, relative to each other; all
            alike if none ever does.
        loss_alike: The same, if all hands that come to the decision make it alike.
        own_loss: What the strategy of the player who erred loses from there on.
    """

    line: str
    seat: str
    street: str
    weight: float
    frequency: float
    pot: float
    loss: float
    loss_alike: float
    own_loss: float


class LossDistribution(NamedTuple):
    """Losses of all mistakes on a street, by their weights, in percent of the pot after them.

    Attributes:
        street: The street, or `all`.
        mistakes: How many mistakes.
        mean: The mean.
        median: The median.
        percentile_95: The loss that 95 % of mistakes do not exceed.
        most: The largest.
        mean_alike: The mean, if all hands make a mistake alike.
        own_mean: The mean of what the players lose who erred.
    """

    street: str
    mistakes: int
    mean: float
    median: float
    percentile_95: float
    most: float
    mean_alike: float
    own_mean: float


@dataclass(frozen=True)
class MistakeReport:
    """What a strategy loses after mistakes.

    Attributes:
        mistakes: All mistakes, the most probable first.
        below: Actions that a range takes more seldom than this share count as mistakes.
        boards: Boards of each later street that were looked at, at most.
    """

    mistakes: tuple[Mistake, ...]
    below: float
    boards: int

    @property
    def summary(self) -> tuple[LossDistribution, ...]:
        """The losses of each street that has mistakes, then of all together."""
        rows = [
            _distribution(street, [one for one in self.mistakes if one.street == street])
            for street in STREETS
            if any(one.street == street for one in self.mistakes)
        ]
        return (*rows, *([_distribution("all", self.mistakes)] if rows else []))


def measure_mistakes(
    solution: PostflopResult,
    *,
    below: float = BELOW,
    boards: int = BOARDS,
    threads: int | None = None,
    memory: int | None = None,
    on_board: Callable[[int, int], None] | None = None,
) -> MistakeReport:
    """Measure what the strategies of a solution lose after one mistake.

    A mistake is an action that the range of a player takes more seldom than `below` at a decision
    to which play comes, and after which somebody still decides. The hands that make it are those of
    the strategy, however seldom they do; for `loss_alike` all that come to the decision, alike.
    Then play goes on by the strategies. What the other player could gain from there on by a best
    response is the loss. Decisions count by the probability that play comes to them, and the
    mistakes of a decision alike. Decisions with locks, and those to which play comes less often
    than once in 10,000 times, are left out.

    On later streets some boards are looked at, evenly spread.

    Args:
        solution: What `solve`, `resume` or `load_result` returned, with all streets.
        below: The share of a range, up to which an action is a mistake.
        boards: The most boards of each later street.
        threads: The threads that measure, by default one for each processor.
        memory: The most bytes that measuring may take, by default half of the machine's memory.
        on_board: Told how many boards are done, and how many there are.

    Returns:
        The mistakes, with a summary.

    Raises:
        ConfigError: An argument is wrong.
        UnsupportedError: The solution does not keep all streets, or was solved with locked
            frequencies, or over leaf values.
        MemoryBudgetError: It does not fit into `memory`.
    """
    instance("solution", solution, PostflopResult, "a PostflopResult of poker.solve")
    real_number("below", below, 0.0, 1.0)
    whole_number("boards", boards, 1)
    refuse_prizes(solution.spot, "a report on mistakes")
    if solution.leaf_values is not None:
        raise UnsupportedError(
            "a solution over leaf values has no strategies of later streets",
            option="solution",
            remedy="solve the spot without leaf values",
        )
    engine = solved_engine(solution, threads=thread_count(threads), memory=memory)
    try:
        paths = list(_paths(engine, boards))
        rows: list[_Row] = []
        for done, (path, weight) in enumerate(paths):
            if on_board is not None:
                on_board(done, len(paths))
            rows += _BoardMistakes(engine, path, weight).rows(below)
    finally:
        engine.traversal.team.release()
    total = sum(row.weight for row in rows)
    spot, tree = solution.spot, solution.tree
    first = len(spot.cards) - 3
    dealt = engine.game.dealt
    made = [
        Mistake(
            line=_line(tree, row.node, dealt[row.board].cards),
            seat=SEATS[row.player],
            street=STREETS[first + dealt[row.board].street],
            weight=row.weight / total,
            frequency=row.frequency,
            pot=row.pot / tree.scale.per_chip,
            loss=100 * row.loss / row.pot,
            loss_alike=100 * row.loss_alike / row.pot,
            own_loss=100 * row.own_loss / row.pot,
        )
        for row in rows
    ]
    made.sort(key=lambda one: -one.weight)
    return MistakeReport(tuple(made), below, boards)


class _Row(NamedTuple):
    """A mistake in the units of the engine, with its weight among all."""

    node: int
    board: int
    player: int
    weight: float
    frequency: float
    pot: float
    loss: float
    loss_alike: float
    own_loss: float


class _BoardMistakes:
    """The mistakes on one board."""

    def __init__(self, engine: Engine, path: list[int], weight: float) -> None:
        self._engine, self._path, self._weight = engine, path, weight
        self._board = path[-1]
        self._rows: BoardRows = engine.reader.on_board(engine.game.dealt[self._board].cards)
        program, nodes = engine.layout.betting.program, engine.layout.betting.program.nodes
        street = engine.game.dealt[self._board].street
        self._places = [
            place
            for place in range(nodes[street], nodes[street + 1])
            if program.kind[place] == ACTION
        ]

    def rows(self, below: float) -> Iterator[_Row]:
        """All mistakes at decisions to which play comes."""
        engine = self._engine
        betting, tree = engine.layout.betting, engine.game.tree
        for place in self._places:
            node = int(betting.node[place])
            player, first = int(tree.player[node]), int(tree.first_child[node])
            at = self._rows.at([node])
            met, weight = at.matchups[player][0], at.weight[player][0]
            pairs = weight * met
            come = float(pairs.sum()) / engine.total
            if come < _LEAST or self._is_locked(place, player):
                continue
            taken = (at.strategy[0] * pairs).sum(axis=1) / pairs.sum()
            errors = [
                action
                for action, share in enumerate(taken.tolist())
                if share < below and _goes_on(tree, first + action)
            ]
            kept = self._saved(place, player)
            for action in errors:
                share = _relative(at.strategy[0][action], pairs)
                other = 1 - player
                try:
                    self._err(kept, player, action, share)
                    loss = self._loss(first + action, other, at.weight[other][0], pairs @ share)
                    reach = at.weight[player][0] * share
                    own = self._loss(first + action, player, reach, pairs @ share)
                    self._err(kept, player, action, np.ones(len(share)))
                    alike = self._loss(first + action, other, at.weight[other][0], pairs.sum())
                finally:
                    self._put_back(kept)
                yield _Row(
                    node=first + action,
                    board=self._board,
                    player=player,
                    weight=self._weight * come / len(errors),
                    frequency=float(taken[action]),
                    pot=float(tree.pot[0] + tree.paid[first + action].sum()),
                    loss=loss,
                    loss_alike=alike,
                    own_loss=own,
                )

    def _loss(self, node: int, player: int, weight: FloatArray, pairs: float) -> float:
        """What a player's strategy loses from a node on, in units per pair of hands."""
        played, best = (
            self._engine.reader.values_at(node, self._path, player, best=best)
            for best in (False, True)
        )
        return max(float(weight @ (best - played)) / pairs, 0.0)

    def _is_locked(self, place: int, player: int) -> bool:
        arena, layout = self._engine.arena, self._engine.layout
        if arena.locks is None:
            return False
        first = int(layout.table.boards.decisions[player, self._board])
        return bool(arena.locks.start[first + int(layout.betting.program.decision[place])] >= 0)

    def _saved(self, place: int, player: int) -> tuple[slice, Any, int, float]:
        """Where a decision stands in the strategy sums, and what stands there."""
        layout, store = self._engine.layout, self._engine.arena.store
        program, boards = layout.betting.program, layout.table.boards
        width = int(boards.width[player, self._board])
        start = int(boards.arena[player, self._board]) + int(program.row[place]) * width
        where = slice(start, start + int(program.count[place]) * width)
        scale = int(boards.decisions[player, self._board]) + int(program.decision[place])
        scale = scale if self._engine.arena.storage == "int16" else 0
        return where, store.total[where].copy(), scale, float(store.total_scale[scale])

    def _err(
        self, kept: tuple[slice, Any, int, float], player: int, action: int, share: FloatArray
    ) -> None:
        """Let each hand take an action with such a probability at the decision that was `kept`."""
        arena = self._engine.arena
        width = int(self._engine.layout.table.boards.width[player, self._board])
        sums = np.zeros(kept[1].size).reshape(-1, width)
        sums[action, : len(share)] = share
        sums[action - 1, : len(share)] = 1.0 - share
        if arena.storage == "int16":
            sums = np.round(sums * _STEPS)
            arena.store.total_scale[kept[2]] = 1.0 / _STEPS
        arena.store.total[kept[0]] = sums.ravel()

    def _put_back(self, kept: tuple[slice, Any, int, float]) -> None:
        store = self._engine.arena.store
        store.total[kept[0]] = kept[1]
        store.total_scale[kept[2]] = kept[3]


def _relative(played: FloatArray, pairs: FloatArray) -> FloatArray:
    """float64[n]: how often hands take an action, 1 for the most frequent one; all alike if none.

    Hands that meet no hand of the opponent do not count.
    """
    most = float(played[pairs > 0.0].max(initial=0.0))
    return np.minimum(played / most, 1.0) if most > 0.0 else np.ones(len(played))


def _goes_on(tree: PublicTree, node: int) -> bool:
    """Whether anybody still decides anything after a node."""
    while tree.kind[node] == CHANCE:
        node = int(tree.first_child[node])
    return bool(tree.kind[node] == ACTION)


def _paths(engine: Engine, most: int) -> Iterator[tuple[list[int], float]]:
    """Boards as the paths to them, and how many deals of their street each stands for, as shares.

    Of each later street at most so many, evenly spread over all deals.
    """
    dealt = engine.game.dealt
    copies = [1.0] * len(dealt)
    for number, board in enumerate(dealt):
        if board.parent >= 0:
            copies[number] = copies[board.parent] * (1 + len(board.images)) * board.chance
    for street in range(engine.game.streets):
        numbers = [n for n, board in enumerate(dealt) if board.street == street]
        ends = np.cumsum([copies[n] for n in numbers])
        if len(numbers) <= most:
            chosen = {n: copies[n] for n in numbers}
        else:
            marks = (np.arange(most) + 0.5) * ends[-1] / most
            chosen = {}
            for place in np.searchsorted(ends, marks).tolist():
                chosen[numbers[place]] = chosen.get(numbers[place], 0.0) + ends[-1] / most
        for number, weight in chosen.items():
            yield engine.layout.path(dealt[number].cards), float(weight)


def _line(tree: PublicTree, node: int, cards: tuple[int, ...]) -> str:
    """A line with its cards."""
    return line_text(node_line(tree, node), [[card] for card in cards])


def _distribution(street: str, made: Sequence[Mistake]) -> LossDistribution:
    losses = np.array([one.loss for one in made])
    weights = np.array([one.weight for one in made])
    order = np.argsort(losses, kind="stable")
    reached = np.cumsum(weights[order]) / weights.sum()

    def quantile(share: float) -> float:
        return float(losses[order][min(int(np.searchsorted(reached, share)), len(made) - 1)])

    return LossDistribution(
        street=street,
        mistakes=len(made),
        mean=float(losses @ weights / weights.sum()),
        median=quantile(0.5),
        percentile_95=quantile(0.95),
        most=float(losses.max()),
        mean_alike=float(np.array([one.loss_alike for one in made]) @ weights / weights.sum()),
        own_mean=float(np.array([one.own_loss for one in made]) @ weights / weights.sum()),
    )
