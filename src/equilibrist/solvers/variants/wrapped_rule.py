"""Rules of full traversals that do something else besides what a rule inside them learns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.rule import TraversalRule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray


@dataclass(frozen=True, eq=False)
class WrappedRule(TraversalRule):
    """A rule of full traversals around another one, which learns; one thread runs it.

    Attributes:
        rule: A variant of CFR, or a compiled local rule.
    """

    parallel: ClassVar[bool] = False
    kind: ClassVar[str]
    """What is done besides: the name of that argument of `kernels.full_traversals.run`."""

    rule: Variant | LocalRule

    @property
    def compiled_for(self) -> str:
        """What is done besides, and the rule, whose memory is an argument of the kernel."""
        return f"{self.kind}-{self.rule.compiled_for}"

    @property
    def name(self) -> str:
        """Name of the wrapped rule; what is done besides stands in results in words of its own."""
        return self.rule.name

    @property
    def alternating(self) -> bool:
        """Whether players update in turn, by default."""
        return self.rule.alternating

    @property
    def needs_horizon(self) -> bool:
        """Whether the number of iterations must be known before the first one."""
        return self.rule.needs_horizon

    @property
    def keeps(self) -> tuple[str, ...]:  # type: ignore[override]
        """The arrays that the rule remembers."""
        return self.rule.keeps

    def regret_count(self, tree: GameTree) -> int:
        """Regrets that the wrapped rule keeps of `tree`, one per engine sequence as a rule."""
        return self.rule.regret_count(tree)

    def table(self, start: int, count: int, horizon: int | None = None) -> FloatArray:
        """The wrapped rule's numbers for iterations start to start + count - 1, a row each.

        float64[count, 7] for a variant, float64[count, 3 + own numbers] for a local rule.
        """
        return self.rule.table(start, count, horizon)

    def memory(self, kept: Mapping[str, FloatArray]) -> Any:
        """What the kernel remembers for the wrapped rule, by which it chooses the update."""
        return self.rule.memory(kept)

    def kernel(self, kept: Mapping[str, FloatArray]) -> Callable[..., None]:
        """The compiled loop of the wrapped rule, with what is done besides."""
        run = super().kernel(kept)

        def run_with(arrays: Any, *state: Any) -> None:
            run(arrays.form, *state, **{self.kind: arrays})

        return run_with
