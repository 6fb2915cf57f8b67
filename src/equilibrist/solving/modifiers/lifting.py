"""Solving with an abstraction: the game that is solved, and the one in which it is measured."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from equilibrist.abstraction import (
    Abstraction,
    Translation,
    make_abstraction,
    make_action_abstraction,
    merged_tree,
)
from equilibrist.abstraction.actions.mappings import DEFAULT
from equilibrist.abstraction.recall import Recall, classify_recall, weakest
from equilibrist.errors import UnsupportedError
from equilibrist.evaluation import Evaluation, evaluate
from equilibrist.parsing.arguments import instance
from equilibrist.results.stored_abstraction import StoredAbstraction
from equilibrist.results.stored_actions import StoredActions
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree


@dataclass(frozen=True, eq=False)
class Lifting:
    """A game to solve, and how its strategies are carried to the full game.

    Attributes:
        tree: The full game, where strategies are measured.
        solved: The tree that is solved: the full game's own, the merged one, or the one without the
            actions that were left out.
        abstraction: The map, of the game with the actions that are kept; None where nothing is
            merged on purpose.
        translation: How the others' actions are taken that the solved game lacks; None where none
            is left out on purpose.
        whole: The map of the full game.
    """

    tree: GameTree
    solved: GameTree
    abstraction: Abstraction | None = None
    translation: Translation | None = None
    whole: Abstraction | None = None

    @classmethod
    def of(
        cls,
        tree: GameTree,
        abstraction: str | Abstraction | None = None,
        actions: str | Translation | None = None,
        mapping: str | None = None,
    ) -> Lifting:
        """The game that is left, compiled: without the actions left out, and then merged.

        RecallError if the full game itself lacks perfect recall.
        """
        if abstraction is None and actions is None:
            return cls(tree, tree)
        tree.sequence_form  # noqa: B018 - raises RecallError: nothing could be measured
        translation = None if actions is None else _translation(tree, actions, mapping)
        left = tree if translation is None else translation.actions.restricted
        if abstraction is None:
            return cls(tree, left, translation=translation)
        whole = make_abstraction(tree, abstraction)
        merged = whole if translation is None else _within(whole, translation)
        return cls(tree, merged_tree(merged), merged, translation, whole)

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
        if self.abstraction is not None and not self.abstraction.is_identity:
            strategy = self.abstraction.lift(strategy)
        if self.translation is not None and not self.translation.is_identity:
            strategy = self.translation.lift(strategy)
        return strategy

    def restrict(self, strategy: Strategy) -> Strategy:
        """The strategy of the game that is solved, of one that was lifted."""
        if self.translation is not None and not self.translation.is_identity:
            strategy = self.translation.restrict(strategy)
        if self.abstraction is not None and not self.abstraction.is_identity:
            strategy = Strategy(self.solved, self.abstraction.restrict(strategy))
        return strategy

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
        if self.whole is None:
            return None
        kinds = tuple(recall.kind for recall in self.recall)
        return StoredAbstraction.of(self.whole, kinds)

    def stored_actions(self) -> StoredActions | None:
        """What a result keeps of the actions that were left out."""
        return None if self.translation is None else StoredActions.of(self.translation)

    def notes(self) -> list[str]:
        """What must be said of the abstraction."""
        notes = [] if self.translation is None else [_actions_note(self.translation)]
        found = self.abstraction
        if found is None:
            return notes
        full, small = found.tree.num_infosets, found.num_infosets
        said = f"Abstraction {found.name}: {small:,} abstract infosets stand for {full:,}"
        worst = weakest(self.recall)
        if worst.kind == "perfect":
            return [*notes, f"{said}, with perfect recall."]
        return [*notes, f"{said}; player {worst.player} has {worst.words}."]


def _translation(tree: GameTree, given: str | Translation, mapping: str | None) -> Translation:
    """What is left out and how it is translated; MismatchError for that of another game."""
    if isinstance(given, Translation):
        make_action_abstraction(tree, given.actions)
        return given
    return Translation(make_action_abstraction(tree, given), mapping or DEFAULT)


def _within(whole: Abstraction, translation: Translation) -> Abstraction:
    """The same map of the game without the actions left out.

    ConfigError where merged infosets keep different actions.
    """
    kept = translation.actions.infoset
    names = [whole.keys[k] for k in whole.abstract_of.tolist()]
    return Abstraction(
        translation.actions.restricted,
        whole.abstract_of[kept],
        keys=[names[i] for i in kept.tolist()],
        name=whole.name,
    )


def _actions_note(translation: Translation) -> str:
    actions = translation.actions
    small, full = actions.restricted.num_nodes, actions.tree.num_nodes
    if actions.is_identity:
        return f"Action abstraction {actions.name}: every action is kept."
    return (
        f"Action abstraction {actions.name}: the abstract game has {small:,} of {full:,} "
        f"histories; in the full game others' actions that it lacks are translated "
        f"({translation.name})."
    )


def made_actions(given: str | Translation | None) -> Translation | None:
    """A translation that is not a text; ConfigError for anything else."""
    if given is None or isinstance(given, str):
        return None
    return instance("actions", given, Translation, "a text such as 'bets=1,3', or a Translation")


def made_already(given: str | Abstraction | None) -> Abstraction | None:
    """An abstraction that is not a text; ConfigError for anything else."""
    if given is None or isinstance(given, str):
        return None
    return instance(
        "abstraction", given, Abstraction, "a text such as 'cards(JQ.K)', or an Abstraction"
    )
