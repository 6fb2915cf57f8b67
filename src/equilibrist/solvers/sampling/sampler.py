"""What all samplers share: the tables they work on, and the protocol they follow."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, cast, runtime_checkable

import numpy as np

from equilibrist.reference.draws import Draws
from equilibrist.reference.game_walk import Node
from equilibrist.reference.sampling.addition import Addition, Profile, TablesByInfoset
from equilibrist.reference.sampling.choices import Choice, Choose, NodeView
from equilibrist.reference.sampling.weighted import weighted_sampling
from equilibrist.solvers.sampling.formulas import WEIGHTED_SAMPLER, SamplerFormulas
from equilibrist.solvers.variants.variant import Variant
from equilibrist.tree.compile import GameTree
from equilibrist.tree.forms.history_tree import HistoryTree
from equilibrist.typing import FloatArray, Int64Array

if TYPE_CHECKING:
    from equilibrist.kernels.traversal.steps import TreePlay

Made = TypeVar("Made")
Kernel = Callable[..., Any]
"""What `equilibrist.kernels.traversal.iterations.sampling_kernel` makes."""
Setup = Any
"""NamedTuple: the parameters and the scratch space of such a kernel."""


class Scratch:
    """Makes the arrays that a traversal writes, and counts their numbers.

    A path has `levels` levels, and at each a row of up to `width` actions.
    """

    def __init__(self, levels: int, width: int, make: Callable[..., np.ndarray] = np.zeros) -> None:
        """`make` takes a shape and a type, as `numpy.zeros` does."""
        self.width = max(width, 1)
        self.numbers = 0
        self._levels, self._make = levels, make

    def array(self, *shape: int, kind: type = np.float64) -> np.ndarray:
        """An array of that shape."""
        self.numbers += math.prod(shape)
        return self._make(shape, dtype=kind)

    def level(self, kind: type = np.float64) -> np.ndarray:
        """One number per level."""
        return self.array(self._levels, kind=kind)

    def whole_level(self) -> Int64Array:
        """One whole number per level."""
        return self.level(np.int64)

    def columns(self, columns: int) -> np.ndarray:
        """Several numbers per level: an array of shape [levels, columns]."""
        return self.array(self._levels, columns)

    def rows(self, kind: type = np.float64) -> np.ndarray:
        """One row of actions per level, one after another."""
        return self.array(self._levels * self.width, kind=kind)


@dataclass(frozen=True, eq=False)
class Tables:
    """What kernels read and update: float64[Q] in public flat order, and scratch.

    `key` is the uint64 from which all streams come; `touched`, int64[1], counts visited nodes.
    """

    tree: HistoryTree
    key: np.uint64
    regret: FloatArray
    strategy_sum: FloatArray
    touched: Int64Array = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    kept: dict[str, np.ndarray] = field(default_factory=dict)
    """What the sampler itself keeps between iterations (`keep`), by name; saved with a run."""

    def keep(self, name: str, shape: int | tuple[int, ...], dtype: type = np.float64) -> np.ndarray:
        """The array that the sampler keeps under that name, zeros at first: baselines, clocks."""
        if name not in self.kept:
            self.kept[name] = np.zeros(shape, dtype=dtype)
        return self.kept[name]

    cache: dict[str, Any] = field(default_factory=dict)
    """What a sampler works out once from the tree (`once`), by name; not saved."""

    def once(self, name: str, make: Callable[[], Made]) -> Made:
        """Call `make` the first time only; later calls return what it returned."""
        if name not in self.cache:
            self.cache[name] = make()
        return cast("Made", self.cache[name])

    def scratch(self) -> Scratch:
        """For the levels of the tree, and one more."""
        return Scratch(self.tree.depth + 1, self.tree.max_actions)

    def play(self) -> TreePlay:
        """The tree, the tables, and scratch, as kernels take them."""
        from equilibrist.kernels.traversal.steps import TreePlay

        arrays = self.tree.arrays
        nodes = self.scratch().whole_level()
        return TreePlay(arrays, arrays.payoff.shape[1], self.regret, self.strategy_sum, nodes)

    def run(
        self, kernel: Kernel, setup: Setup, start: int, count: int, play: TreePlay | None = None
    ) -> None:
        """Run iterations start .. start+count-1 of a sampler."""
        progress = np.array([start, 0, 0, 0], dtype=np.int64)
        kernel(setup, self.play() if play is None else play, start + count - 1, self.key, progress)
        self.touched[0] += progress[3]


@runtime_checkable
class Sampler(Protocol):
    """One way to sample: a name, what it is good for, and a kernel."""

    name: ClassVar[str]
    summary: ClassVar[str]
    paper: ClassVar[str]
    averagings: ClassVar[tuple[str, ...]]
    """The averages that its kernel takes on the way, the usual one first."""
    recalling: ClassVar[tuple[str, ...]]
    """Which of `averagings` need perfect recall."""
    pending: ClassVar[tuple[str, ...]]
    """Names of kept arrays that count in the average: discounted when it is."""

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """Run iterations start .. start+count-1 on `tables`.

        `averaging` is one of `averagings` and `weight` what an iteration counts in it; with
        weight 0 the strategy sum is left alone.
        """
        ...

    def check(self, tree: GameTree, variant: Variant) -> None:
        """ConfigError if it cannot run on that game or with that variant, with the reason."""
        ...

    def flushed(self, tables: Tables, averaging: str, tree: GameTree) -> FloatArray:
        """The strategy sums as they are when all that is pending is added; `tables` stay."""
        ...


class PlainSampler(Sampler, Protocol):
    """A sampler with a form in plain Python: see `FitsAll`."""

    all_learn: ClassVar[bool]
    estimate: ClassVar[str]
    average_share: ClassVar[str]
    formulas: ClassVar[SamplerFormulas]

    def traverse(
        self,
        root: Node,
        traverser: int,
        profile: Profile,
        draws: Draws,
        tables: TablesByInfoset,
        *,
        averaging: str = ...,
        record: bool = ...,
    ) -> Addition:
        """Run one traversal."""
        ...


def histories_for(tree: GameTree, sampler: Sampler) -> HistoryTree:
    """The tree that a sampler walks: that of the game, or as its method `lay_out` prepares it."""
    lay_out: Callable[[GameTree], HistoryTree] | None = getattr(sampler, "lay_out", None)
    return tree.history_tree if lay_out is None else lay_out(tree)


class FitsAll:
    """Samplers that run on every game and with every variant that sampling allows.

    Their averages have nothing pending and do without recall. `choose` and `traverse` are the same
    sampler in plain Python, to read, to check and to watch: by default external sampling.
    """

    recalling: ClassVar[tuple[str, ...]] = ()
    pending: ClassVar[tuple[str, ...]] = ()
    formulas: ClassVar[SamplerFormulas] = WEIGHTED_SAMPLER
    """What it calculates, for people."""
    estimate: ClassVar[str] = "weighted"
    """How own actions are valued: see `weighted_sampling`."""
    average_share: ClassVar[str] = "others"
    """What a visit counts in the average: see `weighted_sampling`."""
    all_learn: ClassVar[bool] = False
    """Whether an iteration is one traversal, from which all players learn."""

    def choose(self, node: NodeView) -> Choice:
        """Say which children of a history are walked.

        Args:
            node: The history. Return what its methods `one`, `each`, `some`, `all` and `blocks`
                make.

        Returns:
            The choice.
        """
        return node.all() if node.is_own else node.one()

    def chooser(self, root: Node) -> Choose:
        """Give what decides during one traversal: `choose`.

        Args:
            root: The initial history.

        Returns:
            What is asked at every history that is not the end.
        """
        return self.choose

    def traverse(
        self,
        root: Node,
        traverser: int,
        profile: Profile,
        draws: Draws,
        tables: TablesByInfoset,
        *,
        averaging: str = "stochastic",
        record: bool = True,
    ) -> Addition:
        """Run one traversal in plain Python.

        Args:
            root: The initial history.
            traverser: Whose regrets are added.
            profile: What everybody plays.
            draws: Where all draws must come from.
            tables: Cumulative regrets and strategy sums as the traversal begins.
            averaging: `own-reach`, where the traverser decides, or any other: where the others do.
            record: Whether the steps are kept; a run needs none.

        Returns:
            What the traversal adds.

        Raises:
            ConfigError: `choose` decides what cannot be weighted.
        """
        return weighted_sampling(
            root,
            traverser,
            profile,
            draws,
            self.chooser(root),
            tables,
            estimate=self.estimate,
            own_average=averaging == "own-reach",
            average_share=self.average_share,
            record=record,
        )

    def check(self, tree: GameTree, variant: Variant) -> None:
        """Refuse nothing.

        Args:
            tree: The compiled game.
            variant: The variant.
        """

    def flushed(self, tables: Tables, averaging: str, tree: GameTree) -> FloatArray:
        """Give the strategy sums with all that is pending, which is nothing.

        Args:
            tables: What kernels update.
            averaging: The average.
            tree: The compiled game.

        Returns:
            float64[Q] in public order.
        """
        return tables.strategy_sum
