"""What full traversals need of an algorithm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, runtime_checkable

from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from equilibrist.tree.compile import GameTree

TRAVERSAL_KERNEL: Final = "equilibrist.kernels.full_traversals.run"
"""The loop of all rules that have none of their own."""


@runtime_checkable
class Rule(Protocol):
    """An algorithm for full traversals: `Variant` and `LocalRule` are such, and whole solvers are.

    `alternating` is the usual order of updates; `keeps` names the arrays, float64[S] in engine
    order, that it remembers beside regrets, strategy and strategy sum. `parallel` says whether
    several threads can share an iteration. `compiled` is the dotted name of its kernel,
    `compiled_for` tells apart rules that share a kernel, which is compiled for each of them.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def alternating(self) -> bool: ...  # noqa: D102
    @property
    def needs_horizon(self) -> bool: ...  # noqa: D102
    @property
    def keeps(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def parallel(self) -> bool: ...  # noqa: D102
    @property
    def compiled(self) -> str: ...  # noqa: D102
    @property
    def compiled_for(self) -> str: ...  # noqa: D102

    def table(self, start: int, count: int, horizon: int | None = None) -> FloatArray:
        """Numbers of iterations start .. start+count-1, one row each; ConfigError if unfit."""
        ...

    def regret_count(self, tree: GameTree) -> int:
        """Regrets that the rule remembers of a game; MemoryBudgetError for too many."""
        ...

    def arrays(self, tree: GameTree) -> tuple[Any, ...]:
        """The arrays of a game that the kernel reads, a NamedTuple."""
        ...

    def kernel(self, kept: Mapping[str, FloatArray]) -> Callable[..., None]:
        """The compiled loop over the rows of a table, see `kernels.full_traversals.run`.

        `kept` are the arrays that `keeps` names; they are updated in place.
        """
        ...

    def probe(self) -> bytes:
        """Distinguishes this rule from others of the same name and numbers; b"" if nothing does."""
        ...


class SimultaneousRule:
    """A rule whose players always update all at once, in a loop of its own for one thread."""

    alternating: ClassVar[bool] = False
    keeps: ClassVar[tuple[str, ...]] = ()
    parallel: ClassVar[bool] = False
    compiled_for: ClassVar[str] = ""

    def probe(self) -> bytes:
        """Nothing: name and table say all."""
        return b""


class OneRegretPerSequence:
    """A rule that remembers one regret of each action at each infoset."""

    def regret_count(self, tree: GameTree) -> int:
        """Say how many regrets it remembers of a game: one per engine sequence.

        Args:
            tree: The compiled game.

        Returns:
            The number of regrets.
        """
        return tree.sequence_form.num_sequences


class TraversalRule(OneRegretPerSequence):
    """A rule whose iterations `kernels.full_traversals.run` runs."""

    keeps: ClassVar[tuple[str, ...]] = ()
    compiled: ClassVar[str] = TRAVERSAL_KERNEL

    @property
    def compiled_for(self) -> str:
        """What else than the game the kernel is compiled for: nothing."""
        return ""

    def arrays(self, tree: GameTree) -> tuple[Any, ...]:
        """Give what its kernel reads of the game: the sequence form.

        Args:
            tree: The compiled game.

        Returns:
            The arrays.
        """
        return tree.sequence_form.arrays

    def memory(self, kept: Mapping[str, FloatArray]) -> Any:
        """Give what the kernel remembers besides regrets, by which it chooses the update.

        Args:
            kept: The arrays of the names in `keeps`.

        Returns:
            None for a variant, which remembers regrets only, or a NamedTuple of the arrays.
        """
        return None

    def kernel(self, kept: Mapping[str, FloatArray]) -> Callable[..., None]:
        """Give what runs one iteration per row of `table`.

        Args:
            kept: The arrays of the names in `keeps`.

        Returns:
            A function of the arrays, the table and the state of the solver, and by name of what
            else is done, see `kernels.full_traversals.run`.
        """
        from equilibrist.kernels.full_traversals import run

        return partial(
            run, memory=self.memory(kept), mixed=None, skipped=None, watched=None, team=None
        )

    def probe(self) -> bytes:
        """Evidence of what a rule computes besides its table: none.

        Returns:
            No bytes.
        """
        return b""
