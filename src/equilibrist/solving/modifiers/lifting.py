"""Solving a merged or a cut game in place of the full one, in which strategies are measured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from equilibrist.abstraction import Abstraction, make_abstraction, merged_tree
from equilibrist.abstraction.cutting import CHANCE, UNIFORM, Cut, cut_improbable
from equilibrist.abstraction.recall import Recall, classify_recall, weakest
from equilibrist.errors import UnsupportedError
from equilibrist.evaluation import Evaluation, evaluate
from equilibrist.parsing.arguments import instance
from equilibrist.results.stored_abstraction import StoredAbstraction
from equilibrist.solving.modifiers.warm_start import find_strategy
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree


@dataclass(frozen=True, eq=False)
class Lifting:
    """A game to solve, and how its strategies are carried to the full game.

    Attributes:
        tree: The full game, where strategies are measured.
        solved: The tree that is solved: the full game's own, or the merged or cut one.
        abstraction: The map; None where nothing is merged on purpose.
        dropped: What was cut off, of the merged game where there is one; None without.
    """

    tree: GameTree
    solved: GameTree
    abstraction: Abstraction | None = None
    dropped: Cut | None = None

    @classmethod
    def of(cls, tree: GameTree, given: str | Abstraction | None) -> Lifting:
        """The merged game, compiled; RecallError if the full game itself lacks perfect recall."""
        if given is None:
            return cls(tree, tree)
        tree.sequence_form  # noqa: B018 - raises RecallError: nothing could be measured
        abstraction = make_abstraction(tree, given)
        return cls(tree, merged_tree(abstraction), abstraction)

    def cut(self, below: float, play: str) -> Lifting:
        """The same without improbable paths.

        `play` is chance, uniform, or a file with a strategy of the full game. Raises ConfigError,
        FileFormatError and MismatchError.
        """
        self.tree.sequence_form  # noqa: B018 - raises RecallError: nothing could be measured
        by: str | Strategy = play
        if play not in (CHANCE, UNIFORM):
            by = find_strategy(play)(self.tree)
            if self.abstraction is not None:
                by = Strategy(self.solved, self.abstraction.restrict(by))
        found = cut_improbable(self.solved, below, by)
        if not found.paths:
            return replace(self, dropped=found)
        return replace(self, solved=found.small, dropped=found)

    @property
    def is_trivial(self) -> bool:
        """Whether the full game itself is solved."""
        return self.solved is self.tree

    @cached_property
    def recall(self) -> tuple[Recall, ...]:
        """What each player remembers in the game that is solved; empty without an abstraction."""
        return () if self.abstraction is None else classify_recall(self.abstraction)

    @property
    def recalls(self) -> bool:
        """Whether all players have perfect recall there, so that the sequence form serves."""
        return self.is_trivial or all(r.kind == "perfect" for r in self.recall)

    def lift(self, strategy: Strategy) -> Strategy:
        """A strategy of the game that is solved, in the full game."""
        if self.dropped is not None and self.dropped.paths:
            strategy = self.dropped.lift(strategy)
        if self.abstraction is None or self.abstraction.is_identity:
            return strategy
        return self.abstraction.lift(strategy)

    def restrict(self, strategy: Strategy) -> Strategy:
        """A lifted strategy in the game that is solved."""
        if self.abstraction is not None and not self.abstraction.is_identity:
            strategy = Strategy(merged_tree(self.abstraction), self.abstraction.restrict(strategy))
        if self.dropped is not None and self.dropped.paths:
            strategy = self.dropped.restrict(strategy)
        return strategy

    @property
    def kind(self) -> str:
        """What the game that is solved is called."""
        if self.dropped is None or not self.dropped.paths:
            return "abstract game"
        return "game that was cut"

    def evaluate(self, strategy: Strategy) -> Evaluation:
        """Measure it in the full game, by best responses that may tell everything apart."""
        return evaluate(self.lift(strategy))

    def require_recall(self, algorithm: str) -> None:
        """UnsupportedError where the algorithm needs perfect recall, and a player forgets."""
        if self.recalls:
            return
        worst = weakest(self.recall)
        raise UnsupportedError(
            f"{algorithm} needs perfect recall; in the abstraction player {worst.player} has "
            f"{worst.words}, as at {worst.infoset!r}",
            option="algorithm",
            given=algorithm,
            expected="cfr, cfr+, dcfr or another variant of CFR, or a sampler",
            remedy="use cfr, cfr+, dcfr or another variant, or a sampler",
        )

    def refuse_trembles(self, tremble: float | None) -> None:
        """UnsupportedError for trembles where a player forgets."""
        if tremble is not None and not self.recalls:
            worst = weakest(self.recall)
            raise UnsupportedError(
                f"trembles need perfect recall; in the abstraction player {worst.player} has "
                f"{worst.words}, as at {worst.infoset!r}",
                option="tremble",
                given=tremble,
                remedy="leave out `tremble`, or use an abstraction with perfect recall",
            )

    def stored(self) -> StoredAbstraction | None:
        """What a result keeps of the abstraction."""
        if self.abstraction is None:
            return None
        kinds = tuple(recall.kind for recall in self.recall)
        return StoredAbstraction.of(self.abstraction, kinds)

    def notes(self) -> list[str]:
        """What must be said of the abstraction, and of what was cut."""
        return [*self._said_of_merging(), *self._said_of_cutting()]

    def _said_of_cutting(self) -> list[str]:
        found = self.dropped
        if found is None:
            return []
        if not found.paths:
            return [f"No path has a reach below {found.below:g}: nothing was cut."]
        reach = "chance's reach" if found.by == CHANCE else f"reach under {found.by} play"
        if found.by not in (CHANCE, UNIFORM):
            reach = "reach under the given strategy"
        said = (
            f"{found.paths:,} path{'s' * (found.paths != 1)} of {reach} below {found.below:g} "
            f"{'were' if found.paths != 1 else 'was'} cut off: "
            f"{found.small.num_nodes:,} of {found.tree.num_nodes:,} histories and "
            f"{found.small.num_infosets:,} of {found.tree.num_infosets:,} infosets are left."
        )
        if found.loss_bound is None:
            return [f"{said} Such play gets to one of them with probability {found.mass:.3g}."]
        said += (
            f" Play gets to one of them with probability {found.mass:.3g} at most, which adds at "
            f"most {found.loss_bound:.3g} to NashConv (a bound, not a measurement)."
        )
        return [said]

    def _said_of_merging(self) -> list[str]:
        found = self.abstraction
        if found is None:
            return []
        full, small = self.tree.num_infosets, found.num_infosets
        said = f"Abstraction {found.name}: {small:,} abstract infosets stand for {full:,}"
        worst = weakest(self.recall)
        if worst.kind == "perfect":
            return [f"{said}, with perfect recall."]
        return [f"{said}; player {worst.player} has {worst.words}."]


def made_already(given: str | Abstraction | None) -> Abstraction | None:
    """An abstraction that is not a text; ConfigError for anything else."""
    if given is None or isinstance(given, str):
        return None
    return instance(
        "abstraction", given, Abstraction, "a text such as 'cards(JQ.K)', or an Abstraction"
    )
