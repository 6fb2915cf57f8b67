"""CFR and CFR-BR over buckets of hands, on all hands and all boards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple, Self, get_args

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import MismatchError
from equilibrist.kernels.exact_holdem.arrays import ANSWER, UPDATE
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.preflop.exact.abstract.percentiles import HandBuckets, row_weights
from equilibrist.poker.preflop.exact.engine import Arrays, Engine
from equilibrist.poker.preflop.exact.measure import ExactMeasure
from equilibrist.poker.preflop.exact.number_layout import matched
from equilibrist.poker.preflop.exact.solver import exact_variant
from equilibrist.solvers.run.stopping import checked_iterations
from equilibrist.solvers.variants.variant import Variant
from equilibrist.typing import FloatArray, Int64Array

Opponent = Literal["abstract", "best response", "all hands"]
OPPONENTS: Final[tuple[Opponent, ...]] = get_args(Opponent)
_PARTS: Final = 64
"""Parts of the boards whose sums are added in order, so that threads change no bit."""


class _Table(NamedTuple):
    """Where the numbers of a player's buckets stand: [slots][buckets] for each street."""

    slots: Int64Array  # [S]
    first: Int64Array  # [S + 1]


class BucketSolver:
    """CFR in which all hands of a bucket share one strategy, measured against all hands.

    With the opponent `abstract` both seats learn over the same buckets, in turn: that is CFR in the
    abstract game. With `best response` each seat learns against an exact best response, which
    tells all hands and boards apart: CFR-BR (Johanson, Bard, Burch and Bowling, AAAI 2012). With
    `all hands` each seat learns against an opponent of its own that learns in turn with it, and
    tells all hands and boards apart as well: where buckets forget nothing, averages end where those
    of CFR-BR do, but in fewer iterations. What is measured is always the gain of best responses in
    the full game.
    """

    def __init__(
        self,
        engine: Engine,
        buckets: HandBuckets,
        opponent: Opponent = "best response",
        algorithm: Variant | str | None = "cfr",
    ) -> None:
        """Allocate.

        Args:
            engine: The engine of the game; its numbers are working memory here.
            buckets: Buckets of its hands.
            opponent: What each seat learns against; see the class.
            algorithm: A variant of CFR that updates in turn and does not predict.

        Raises:
            ConfigError: An argument is wrong.
            MismatchError: The buckets are of another game.
        """
        self.engine, self.buckets = engine, buckets
        if opponent not in OPPONENTS:
            raise bad_argument("opponent", opponent, " or ".join(map(repr, OPPONENTS)))
        self.opponent = opponent
        self.variant = exact_variant(algorithm)
        streets = len(engine.game.dealt)
        if len(buckets.of_row) != len(engine.rows.hand) or len(buckets.counts) != streets:
            raise MismatchError(
                f"the buckets are of {len(buckets.of_row):,} rows, the game has "
                f"{len(engine.rows.hand):,}",
                option="buckets",
                given=len(buckets.of_row),
                expected=len(engine.rows.hand),
            )
        self.iteration = 0
        self._counts = np.array(buckets.counts, np.int64)
        self._bucket = np.ascontiguousarray(buckets.of_row, np.int32)
        weight = row_weights(engine.table, engine.rows)
        self._weight = weight / weight[: int(engine.table.rows[0])].sum()
        self._tables = tuple(self._table(player) for player in (0, 1))
        sizes = [int(table.first[-1]) for table in self._tables]
        self.regrets = tuple(np.zeros(size) for size in sizes)
        self.totals = tuple(np.zeros(size) for size in sizes)
        self._reach = np.zeros(max(array.size for array in engine.regrets), engine.real)
        is_learning = opponent == "all hands"  # the opponents' regrets are those of the engine
        self._instant = np.zeros_like(self._reach) if is_learning else self._reach
        if is_learning:
            for own in engine.regrets:
                own[:] = 0.0
        self._cut = np.unique(np.linspace(0, len(engine.table.rows), _PARTS + 1).astype(np.int64))
        for player in (0, 1):
            self._spread(player, self._matched(player, self.regrets[player]))

    def _table(self, player: int) -> _Table:
        slots = self.engine.betting.slots[player].astype(np.int64)
        return _Table(slots, np.concatenate([[0], np.cumsum(slots * self._counts)]))

    @property
    def num_infosets(self) -> int:
        """Decisions times buckets, of both players."""
        betting = self.engine.betting
        decisions = np.diff(betting.begin.astype(np.int64), axis=1)
        return int((decisions * self._counts).sum())

    def run(self, iterations: int, /) -> Self:
        """Run more iterations, each of both players.

        Args:
            iterations: How many to add.

        Returns:
            The solver itself.

        Raises:
            ConfigError: It is not a whole number from 0.
        """
        count = checked_iterations(iterations)
        for row in self.variant.table(self.iteration + 1, count) if count else ():
            for player in (0, 1):
                self._update(player, row)
            self.iteration += 1
        return self

    def measure(self, *, last: bool = False) -> ExactMeasure:
        """Measure strategies by exact best responses of both players, with all hands.

        Args:
            last: Whether the current strategies are measured in place of the averages.

        Returns:
            Values and gains in big blinds.
        """
        if last:
            return ExactMeasure(self.engine.gains())
        self.play(last=False)
        measured = ExactMeasure(self.engine.gains())
        self.play(last=True)
        return measured

    def play(self, *, last: bool) -> None:
        """Put strategies in place of the average strategies of the engine, for other measures.

        Args:
            last: Whether it is the current ones, which must be there when an iteration begins, or
                the averages.
        """
        for player in (0, 1):
            self._spread(
                player, self._matched(player, (self.regrets if last else self.totals)[player])
            )

    def strategy(self, player: int, *, last: bool = False) -> dict[int, FloatArray]:
        """The strategy of a player at all decisions.

        Args:
            player: The player.
            last: Whether the current one is given in place of the average.

        Returns:
            By node of the tree float64[actions, buckets].
        """
        numbers = self._matched(player, (self.regrets if last else self.totals)[player])
        actions = self.engine.tree.num_children
        return {
            node: numbers[place].reshape(int(actions[node]), -1)
            for node, place in self._places(player)
        }

    def put(self, regrets: Mapping[int, FloatArray], iteration: int) -> None:
        """Continue from other regrets, with averages that begin anew.

        Args:
            regrets: By node float64[actions, buckets], for all decisions of both players.
            iteration: How many iterations count as run.
        """
        self.iteration = iteration
        for player in (0, 1):
            self.totals[player][:] = 0.0
            for node, place in self._places(player):
                self.regrets[player][place] = np.asarray(regrets[node]).ravel()
            self._spread(player, self._matched(player, self.regrets[player]))

    def _places(self, player: int) -> Iterator[tuple[int, slice]]:
        """The decisions of a player, each with the numbers of its actions and buckets."""
        first = self._tables[player].first
        for node, own in self.engine.layout.decisions.items():
            if own.player == player:
                buckets = int(self._counts[own.street])
                start = int(first[own.street]) + own.slot * buckets
                yield node, slice(start, start + own.actions * buckets)

    def _update(self, player: int, row: FloatArray) -> None:
        engine = self.engine
        other = 1 - player
        # The engine's sums hold what both play by buckets.
        current: Arrays = engine.totals
        work: Arrays = engine.regrets
        replies = current
        if self.opponent == "best response":
            # The regrets take those of the player; and the response of the other one, whose own are
            # not needed now.
            engine.apply(ANSWER, other, current, work, work)
            replies = work
        elif self.opponent == "all hands":
            own = self._instant[: work[player].size]
            work, replies = (own, own), engine.regrets
        met = (current[0], replies[1]) if player == 0 else (replies[0], current[1])
        if self.opponent == "all hands" and other < player:
            self._teach(other, met, row)
        reach = self._reach[: work[player].size]
        sums = (reach, reach)
        engine.apply(UPDATE, player, met, work, sums)
        instant = self._gather(player, work[player])
        weight = self._gather(player, reach)
        positive, negative, floor, _, _, decay, share = row.tolist()
        regret, total = self.regrets[player], self.totals[player]
        regret *= np.where(regret > 0.0, positive, negative)
        regret += instant
        np.maximum(regret, floor, out=regret)
        total *= decay
        total += share * weight
        self._spread(player, self._matched(player, regret))
        if self.opponent == "all hands" and other > player:
            self._teach(other, met, row)

    def _teach(self, player: int, met: Arrays, row: FloatArray) -> None:
        """Let an opponent learn with all its hands from what both play."""
        regrets = self.engine.regrets
        unused = self._reach[: regrets[player].size]  # nobody asks for its average
        self.engine.apply(UPDATE, player, met, regrets, (unused, unused), row)

    def _matched(self, player: int, numbers: FloatArray) -> FloatArray:
        """In proportion to the positive numbers of each bucket; alike where there are none."""
        probabilities = np.empty_like(numbers)
        for node, place in self._places(player):
            actions = int(self.engine.tree.num_children[node])
            probabilities[place] = matched(numbers[place].reshape(actions, -1)).ravel()
        return probabilities

    def _spread(self, player: int, table: FloatArray) -> None:
        """Let all hands play by a table of buckets."""
        from equilibrist.kernels.exact_holdem.bucketed import spread

        own, out = self._tables[player], self.engine.totals[player]

        def part(k: int) -> None:
            spread(
                self.engine.boards, player, own.slots, self._counts, own.first, self._bucket,
                self._cut[k], self._cut[k + 1], table, out,
            )  # fmt: skip

        self._in_threads(part)

    def _gather(self, player: int, numbers: NDArray[Any]) -> FloatArray:
        """A table of the sums over the hands of each bucket."""
        from equilibrist.kernels.exact_holdem.bucketed import gather

        own = self._tables[player]
        parts = np.zeros((len(self._cut) - 1, int(own.first[-1])))

        def part(k: int) -> None:
            gather(
                self.engine.boards, player, own.slots, self._counts, own.first, self._bucket,
                self._weight, self._cut[k], self._cut[k + 1], numbers, parts[k],
            )  # fmt: skip

        self._in_threads(part)
        whole: FloatArray = parts.sum(axis=0)
        return whole

    def _in_threads(self, part: Any) -> None:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(self.engine.threads) as pool:
            list(pool.map(part, range(len(self._cut) - 1)))
