"""What full traversals need of an algorithm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from equilibrist.tree.compile import GameTree


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

    def kernel(
        self, kept: Mapping[str, FloatArray], *, shared: bool = False
    ) -> Callable[..., None]:
        """The compiled loop over the rows of a table, see `kernels.sequence_form.cfr.run`.

        `kept` are the arrays that `keeps` names; they are updated in place. `shared` asks for what
        several threads run together: see `kernels.sequence_form.shared.run`.
        """
        ...

    def probe(self) -> bytes:
        """Distinguishes this rule from others of the same name and numbers; b"" if nothing does."""
        ...


class SimultaneousRule:
    """A rule whose players always update all at once; there is no other order."""

    alternating: ClassVar[bool] = False


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
