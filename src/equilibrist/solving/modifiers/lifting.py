"""Solving a merged or a cut game in place of the full one, in which strategies are measured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from equilibrist.abstraction import (
    Abstraction,
    Translation,
    make_abstraction,
    make_action_abstraction,
    merged_tree,
)
from equilibrist.abstraction.cutting import CHANCE, UNIFORM, Cut, cut_improbable
from equilibrist.abstraction.recall import Recall, classify_recall, weakest
from equilibrist.errors import MismatchError, UnknownNameError, UnsupportedError
from equilibrist.evaluation import Evaluation, evaluate
from equilibrist.options.defaults import TRANSLATION
from equilibrist.parsing.arguments import instance
from equilibrist.results.stored_abstraction import StoredAbstraction
from equilibrist.results.stored_actions import StoredActions
from equilibrist.solving.modifiers.warm_start import find_strategy
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree


@dataclass(frozen=True, eq=False)
class Lifting:
    """A game to solve, and how its strategies are carried to the full game.

    Attributes:
        tree: The full game, where strategies are measured.
        solved: The tree that is solved: the full game's own, or what is left of it: actions
            are left out, then infosets merged, then paths cut.
        abstraction: The map, of the game with the actions that are kept; None where nothing is
            merged on purpose.
        translation: How the others' actions are taken that the solved game lacks; None where none
            is left out on purpose.
        whole: The map of the full game.
        dropped: What was cut off, of the merged game where there is one; None without.
    """

    tree: GameTree
    solved: GameTree
    abstraction: Abstraction | None = None
    translation: Translation | None = None
    whole: Abstraction | None = None
    dropped: Cut | None = None

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

    def cut(self, below: float, play: str) -> Lifting:
        """Cut improbable paths off the game that is solved.

        `play` is chance, uniform, or a file with a strategy of the full game. Raises ConfigError,
        FileFormatError and MismatchError.
        """
        self.tree.sequence_form  # noqa: B018 - raises RecallError: nothing could be measured
        by: str | Strategy = play
        if play not in (CHANCE, UNIFORM):
            by = self._play_in(play)
            if self.abstraction is not None:
                by = Strategy(self.solved, self.abstraction.restrict(by))
        game_cut = cut_improbable(self.solved, below, by)
        if not game_cut.paths:
            return replace(self, dropped=game_cut)
        return replace(self, solved=game_cut.small, dropped=game_cut)

    def _play_in(self, file: str) -> Strategy:
        """The strategy in a file; MismatchError if it is one of another game."""
        strategy_of = find_strategy(file)
        try:
            return strategy_of(self.tree)
        except (MismatchError, UnknownNameError) as error:
            known = isinstance(error, MismatchError) and error.option == "game"
            why = f"is one of {error.given}" if known else f"does not fit: {error}"
            raise MismatchError(
                f"the strategy in {file}, by which {self.tree.name} is cut, {why}",
                option="drop_play",
                given=file,
                expected=self.tree.name,
                remedy="take the strategy of a solution of this game, or chance or uniform",
            ) from None

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

    def require_recall(
        self, what: str, *, option: str, value: object, remedy: str, expected: str | None = None
    ) -> None:
        """UnsupportedError where a player forgets in the game that is solved.

        `what` needs perfect recall, as "lp needs"; `value` of `option` asks for it.
        """
        if self.recalls:
            return
        worst = weakest(self.recall)
        raise UnsupportedError(
            f"{what} perfect recall; in the abstraction player {worst.player} has {worst.words}, "
            f"as at {worst.infoset!r}",
            option=option,
            given=value,
            expected=expected,
            remedy=remedy,
        )

    def stored(self) -> StoredAbstraction | None:
        """Store what a result keeps of the abstraction."""
        if self.whole is None:
            return None
        kinds = tuple(recall.kind for recall in self.recall)
        return StoredAbstraction.of(self.whole, kinds)

    def stored_actions(self) -> StoredActions | None:
        """Store what a result keeps of the actions that were left out."""
        return None if self.translation is None else StoredActions.of(self.translation)

    def notes(self) -> list[str]:
        """Note the actions left out, the abstraction, and the paths cut off, for a report."""
        return [*self._translation_notes(), *self._merging_notes(), *self._cutting_notes()]

    def _cutting_notes(self) -> list[str]:
        dropped = self.dropped
        if dropped is None:
            return []
        if not dropped.paths:
            return [f"No path has a reach below {dropped.below:g}: nothing was cut."]
        reach = "chance's reach" if dropped.by == CHANCE else f"reach under {dropped.by} play"
        if dropped.by not in (CHANCE, UNIFORM):
            reach = "reach under the given strategy"
        note = (
            f"{dropped.paths:,} path{'s' * (dropped.paths != 1)} of {reach} below "
            f"{dropped.below:g} {'were' if dropped.paths != 1 else 'was'} cut off: "
            f"{dropped.small.num_nodes:,} of {dropped.tree.num_nodes:,} histories and "
            f"{dropped.small.num_infosets:,} of {dropped.tree.num_infosets:,} infosets are left."
        )
        if dropped.loss_bound is None:
            return [f"{note} Such play gets to one of them with probability {dropped.mass:.3g}."]
        note += (
            f" Play gets to one of them with probability {dropped.mass:.3g} at most, which adds at "
            f"most {dropped.loss_bound:.3g} to NashConv (a bound, not a measurement)."
        )
        return [note]

    def _translation_notes(self) -> list[str]:
        return [] if self.translation is None else [_actions_note(self.translation)]

    def _merging_notes(self) -> list[str]:
        abstraction = self.abstraction
        if abstraction is None:
            return []
        full, small = abstraction.tree.num_infosets, abstraction.num_infosets
        note = f"Abstraction {abstraction.name}: {small:,} abstract infosets stand for {full:,}"
        worst = weakest(self.recall)
        if worst.kind == "perfect":
            return [f"{note}, with perfect recall."]
        return [f"{note}; player {worst.player} has {worst.words}."]


def _translation(tree: GameTree, actions: str | Translation, mapping: str | None) -> Translation:
    """Read what is left out and how it is translated; MismatchError for that of another game."""
    if isinstance(actions, Translation):
        make_action_abstraction(tree, actions.actions)
        return actions
    return Translation(make_action_abstraction(tree, actions), mapping or TRANSLATION)


def _within(whole: Abstraction, translation: Translation) -> Abstraction:
    """Restrict a map of infosets to the game without the actions left out.

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


def translation_object(actions: str | Translation | None) -> Translation | None:
    """`actions` where it is a Translation, None for a text; ConfigError for anything else."""
    if actions is None or isinstance(actions, str):
        return None
    return instance("actions", actions, Translation, "a text such as 'bets=1,3', or a Translation")


def abstraction_object(abstraction: str | Abstraction | None) -> Abstraction | None:
    """`abstraction` where it is an Abstraction, None for a text; ConfigError otherwise."""
    if abstraction is None or isinstance(abstraction, str):
        return None
    return instance(
        "abstraction", abstraction, Abstraction, "a text such as 'cards(JQ.K)', or an Abstraction"
    )
