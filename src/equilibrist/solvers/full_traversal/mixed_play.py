"""CFR in which players play a mixture of what they learn and of what is given.

One hook serves trembles, locks, biased data and restricted opponents: see
`kernels.sequence_form.mixed_play`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.game import Game
from equilibrist.parsing.arguments import bad_argument
from equilibrist.rules.module import Rules
from equilibrist.solvers.full_traversal.base import FullTraversals
from equilibrist.solvers.full_traversal.mixing import Hook, RestrictedOpponent
from equilibrist.solvers.run.fingerprint import RunFingerprint
from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.local_rules import CompiledRule
from equilibrist.solvers.variants.registry import as_rule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solvers.variants.wrapped_rule import WrappedRule
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray


@dataclass(frozen=True, eq=False)
class MixedRule(WrappedRule):
    """A rule of full traversals, and what is mixed into the play that it learns.

    Attributes:
        rule: A variant of CFR, or a compiled local rule.
        hook: What is mixed in.

    Raises:
        ConfigError: The rule is of another kind.
    """

    kind: ClassVar[str] = "mixed"

    hook: Hook

    def __post_init__(self) -> None:
        """Refuse rules whose update runs in Python, or over whole plans."""
        if not isinstance(self.rule, Variant | CompiledRule):
            raise ConfigError(
                f"{self.rule.name} learns by itself, and nothing can be mixed into its play",
                option="algorithm",
                given=self.rule.name,
                remedy="use a variant of CFR, such as cfr+ or dcfr",
            )

    def mixing(self, tree: GameTree) -> tuple[FloatArray, FloatArray]:
        """Shares of what is learnt, and what is added to them; float64[S] each, engine order."""
        share, mixed_in = self.hook.mixture(tree)
        form = tree.sequence_form
        per_action = np.repeat(share, np.diff(tree.action_offset))
        keep, add = form.to_engine(1.0 - per_action), form.to_engine(per_action * mixed_in)
        is_played = np.zeros(form.num_sequences, dtype=np.bool_)
        is_played[form.sequence_of_public[~form.public_forced]] = True
        return np.where(is_played, keep, 1.0), np.where(is_played, add, 0.0)

    def arrays(self, tree: GameTree) -> tuple[Any, ...]:
        """The arrays that the kernel reads: the sequence form and the mixture."""
        from equilibrist.kernels.sequence_form.mixed_play import MixedArrays

        form = tree.sequence_form
        size = form.num_sequences
        keep, add = self.mixing(tree)
        viewer, seen_keep, seen_add = -1, np.ones(size), np.zeros(size)
        if isinstance(self.hook, RestrictedOpponent):
            viewer = self.hook.seat
            plan = form.reach(form.to_engine(self.hook.strategy.probabilities))
            seen_keep[:], seen_add = 1.0 - self.hook.share, self.hook.share * plan
        widest = int(form.arrays.group_size.max(initial=1))
        return MixedArrays(
            form=form.arrays,
            keep=keep,
            add=add,
            viewer=np.array([viewer]),
            seen_keep=seen_keep,
            seen_add=seen_add,
            played=np.ones(size),
            seen=np.ones(size),
            effective=np.zeros(widest),
        )

    def probe(self) -> bytes:
        """The rule's own answers, and what is mixed in."""
        return self.rule.probe() + self.hook.text.encode()


class MixedCFR(FullTraversals):
    """CFR by full traversals in which play is mixed with what is given.

    Regrets are those of what is learnt; values and averages are those of what is played, and all
    strategies that it gives are as played.
    """

    variant: Any

    def __init__(
        self,
        game: GameTree | Game[Any] | Rules | str,
        algorithm: MixedRule | Variant | LocalRule | str = "dcfr",
        hook: Hook | None = None,
        *,
        alternating: bool | None = None,
        horizon: int | None = None,
        threads: int | None = None,
    ) -> None:
        """Prepare to solve a game.

        Args:
            game: A compiled game, or a game, its rules or its name, which is compiled first.
            algorithm: A variant or a local rule, or its name; or both it and the hook.
            hook: Trembles, a Mixture or a RestrictedOpponent.
            alternating: Whether players update in turn; by default as the algorithm says.
            horizon: The planned number of iterations, for algorithms that need it.
            threads: One thread works in any case.

        Raises:
            ConfigError: A parameter is out of range.
            MismatchError: What is given belongs to another game.
            RecallError: A player forgets their own past.
        """
        rule = algorithm
        if not isinstance(rule, MixedRule):
            if hook is None:
                raise bad_argument("hook", hook, "Trembles, a Mixture or a RestrictedOpponent")
            rule = MixedRule(as_rule(rule), hook)
        super().__init__(game, rule, alternating=alternating, horizon=horizon, threads=threads)
        self._keep, self._add = rule.mixing(self.tree)

    def _fingerprint(self, output: str) -> RunFingerprint:
        fingerprint = super()._fingerprint(output)
        return fingerprint.model_copy(update={"mixed": self.variant.hook.text})

    def average_behaviour(self) -> FloatArray:
        """The average of what was played, in engine order.

        Returns:
            float64[S], probabilities; where play never got by own moves, what would be played by
            who has learnt nothing.
        """
        behaviour = super().average_behaviour()
        for _, own in self._unreached():
            behaviour[own] = self._keep[own] / len(own) + self._add[own]
        return behaviour

    def _unreached(self) -> list[tuple[int, list[int]]]:
        return [
            (parent, own)
            for player in range(self._form.num_players)
            for parent, own in self._form.infosets_of(player)
            if self._strategy_sum[own].sum() == 0.0
        ]

    def current_behaviour(self) -> FloatArray:
        """The behaviour of the next iteration, mixture included, in engine order.

        Returns:
            float64[S], probabilities; a copy.
        """
        return self._keep * self._behaviour + self._add

    def current_strategy(self) -> Strategy:
        """Give what the next iteration plays.

        Returns:
            A copy.
        """
        return Strategy(self.tree, self._form.to_public(self.current_behaviour()))
