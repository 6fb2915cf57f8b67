"""GapMeter: how far a mixture of strategy profiles is from correlated equilibrium."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from equilibrist.equilibria.concepts import CONCEPTS, Concept, concept_named
from equilibrist.errors import ConfigError, MemoryBudgetError, MismatchError
from equilibrist.evaluation.correlation import Gap, Trigger
from equilibrist.formatting.amounts import bytes_text
from equilibrist.parsing.arguments import bad_argument, finite_number, optional_whole_number
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.tree.own_plans import OwnPlans, TriggerArrays, own_plans
from equilibrist.tree.probabilities import checked_probabilities
from equilibrist.tree.walk.budget import default_memory
from equilibrist.typing import FloatArray, Int64Array


class GapSums(NamedTuple):
    """Sums over iterates, in units of `numbers[0]`: see `kernels.deviations.gaps`.

    Attributes:
        numbers: float64[2]: what the sums are to be multiplied by, and the weight of all iterates.
        sums: float64[block sizes]: what each trigger's own sequences would have paid.
        obeyed: float64[J]: what obeying paid at each trigger.
        root_sums: float64[M]: what each own sequence would have paid from the beginning.
        root_obeyed: float64[2 P]: what obeying paid each player after their first choice, then what
            the ends of play without any choice of theirs paid.
    """

    numbers: FloatArray
    sums: FloatArray
    obeyed: FloatArray
    root_sums: FloatArray
    root_obeyed: FloatArray


class GapMeter:
    """Adds up what deviations from a mixture of profiles would have paid.

    A mediator draws one of the profiles that were added, in proportion to their weights, and
    recommends what it plays, action by action. The figures are exact for games of any number of
    players with perfect recall, and for profiles of behavioural strategies.

    Celli, Marchesi, Farina, Gatti, No-regret learning dynamics for extensive-form correlated
    equilibrium (NeurIPS 2020); Farina, Bianchi, Sandholm, Coarse correlation in extensive-form
    games (AAAI 2020).
    """

    def __init__(
        self,
        tree: GameTree,
        concept: str | Concept = "efce",
        *,
        memory: int | None = None,
    ) -> None:
        """Prepare to add profiles.

        Args:
            tree: The compiled game.
            concept: The finest concept to measure: efce measures efcce and nfcce too, efcce also
                nfcce.
            memory: The most bytes that the sums may take; by default half of the machine's.

        Raises:
            RecallError: A player forgets their own past.
            MemoryBudgetError: The sums would take more; nothing has been allocated.
            UnknownNameError: There is no such concept.
        """
        self.tree = checked_tree(tree)
        self.concept = concept_named(concept)
        self.form = tree.sequence_form
        self.plans: OwnPlans = own_plans(tree)
        make = {"efce": self.plans.by_action, "efcce": self.plans.by_infoset}
        self.triggers: TriggerArrays = make.get(self.concept.name, self.plans.none)()
        optional_whole_number("memory", memory, 1)
        self._refuse_large(default_memory() if memory is None else memory)
        places, infosets = len(self.plans.arrays.sequence), len(self.plans.infoset)
        self.sums = GapSums(
            np.array([1.0, 0.0]),
            np.zeros(int(self.triggers.block[-1])),
            np.zeros(len(self.triggers.infoset)),
            np.zeros(places),
            np.zeros(2 * tree.num_players),
        )
        self.scratch = np.zeros(places), np.zeros(places + infosets)
        """float64[M] and float64[M + K], for kernels."""
        self._passes = np.zeros(self.form.num_sequences), self.form.scratch()

    def _refuse_large(self, memory: int) -> None:
        places, triggers = len(self.plans.arrays.sequence), len(self.triggers.infoset)
        need = 8 * (int(self.triggers.block[-1]) + triggers + 3 * places)
        if need > memory:
            raise MemoryBudgetError(
                f"measuring {self.concept.name} on {self.tree.name} takes {bytes_text(need)}: one "
                f"number for each trigger and each own sequence at or below it",
                self.tree.num_nodes,
                self.tree.num_nodes,
                option="memory",
                given=memory,
                expected=need,
                remedy="raise `memory`, or measure a coarser concept: nfcce takes the least",
            )

    @property
    def nbytes(self) -> int:
        """Bytes of the sums."""
        return sum(int(array.nbytes) for array in self.sums)

    @property
    def weight(self) -> float:
        """The weight of all profiles so far."""
        return float(self.sums.numbers[1])

    def add(self, weight: float, behaviour: Strategy | FloatArray) -> None:
        """Add one profile to the mixture.

        Args:
            weight: Its weight, at least 0.
            behaviour: A strategy of all players, or its probabilities, float64[Q] in public order.

        Raises:
            MismatchError: The strategy is of another game.
            ConfigError: The weight is negative or not finite, or these are no probabilities.
        """
        if finite_number("weight", weight) < 0.0:
            raise bad_argument("weight", weight, "a number of at least 0")
        if isinstance(behaviour, Strategy):
            theirs = behaviour.tree
            if theirs is not self.tree and theirs.fingerprint != self.tree.fingerprint:
                raise MismatchError(
                    f"the strategy is one of {theirs.name}, the meter of {self.tree.name}",
                    option="behaviour",
                    given=theirs.name,
                    expected=self.tree.name,
                )
            probabilities = behaviour.probabilities
        else:
            probabilities = checked_probabilities(self.tree, behaviour)
        self.add_engine(float(weight), self.form.to_engine(probabilities))

    def add_engine(self, weight: float, behaviour: FloatArray, decay: float = 1.0) -> None:
        """Add one profile in engine order, unchecked.

        Args:
            weight: Its weight.
            behaviour: float64[S], one probability per engine sequence.
            decay: What the weights of earlier profiles are multiplied by.
        """
        from equilibrist.kernels.deviations.gaps import add_play

        add_play(self.form.arrays, self.compiled, behaviour, decay, weight, *self._passes)

    @property
    def name(self) -> str:
        """What it measures, for runs that are resumed."""
        return self.concept.name

    @property
    def compiled(self) -> tuple[Any, ...]:
        """The arrays in which `kernels.full_traversals.run` notes what is played."""
        from equilibrist.kernels.deviations.gaps import WatchedArrays

        return WatchedArrays(self.plans.arrays, self.triggers, *self.scratch, self.sums)

    def watch(self, weight: float, behaviour: FloatArray, decay: float) -> None:
        """Take the profile of an iteration, as `FullTraversals.watch` gives it.

        Args:
            weight: Its weight.
            behaviour: float64[S], in engine order.
            decay: What the weights of earlier ones are multiplied by.
        """
        self.add_engine(weight, behaviour, decay)

    def gaps(self, concept: str | Concept | None = None) -> Gap:
        """Measure how far the mixture is from equilibrium.

        Args:
            concept: The one of the meter, by default, or a coarser one.

        Returns:
            The gap of each player, their sum, and the largest single trigger.

        Raises:
            ConfigError: Nothing has been added, or the concept is finer than the meter's.
        """
        wanted = self.concept if concept is None else concept_named(concept)
        order = list(CONCEPTS)
        if order.index(wanted.name) < order.index(self.concept.name):
            raise ConfigError(
                f"a meter of {self.concept.name} cannot tell {wanted.name}, which is finer",
                option="concept",
                given=wanted.name,
                expected=self.concept.name,
                remedy=f"use GapMeter(tree, {wanted.name!r})",
            )
        if self.weight <= 0.0:
            raise ConfigError(
                "no profile with a positive weight has been added",
                option="weight",
                given=self.weight,
                expected="more than 0",
                remedy="add one",
            )
        if wanted.name == "nfcce":
            return self._root_gap()
        return self._gap_by_action() if wanted.name == "efce" else self._gap_by_infoset()

    def _root_gap(self) -> Gap:
        from equilibrist.kernels.deviations.gaps import root_gains

        gains = np.empty(self.tree.num_players)
        paid = self.scratch[0]
        root_gains(self.plans.arrays, self.sums.root_sums, self.sums.root_obeyed, paid, gains)
        gains *= self._unit
        choosing = np.diff(self.plans.arrays.infoset_offset) > 0
        largest = None
        if choosing.any():
            best = int(np.argmax(np.where(choosing, gains, -np.inf)))
            largest = Trigger(best, None, None, float(gains[best]))
        return self._gap("nfcce", gains, largest)

    def _gap_by_infoset(self) -> Gap:
        from equilibrist.kernels.deviations.gaps import gap_by_infoset

        gains = self._infoset_gains()
        largest = self._largest(gains, self.plans.infoset, None, gains)
        best = np.zeros(len(gains))
        gap_by_infoset(self.plans.arrays, gains, best)
        return self._gap("efcce", self._by_player(best), largest)

    def _gap_by_action(self) -> Gap:
        from equilibrist.kernels.deviations.gaps import gap_by_action

        plans = self.plans
        gains = self._gains(np.arange(len(self.triggers.infoset) + 1))
        infoset = plans.infoset[self.triggers.infoset]
        action = np.arange(len(gains)) - plans.arrays.first[self.triggers.infoset]
        above = self._infoset_gains() if plans.forced else gains
        largest = self._largest(gains, infoset, action, above)
        best = np.zeros(len(plans.infoset))
        gap_by_action(plans.arrays, gains, best)
        return self._gap("efce", self._by_player(best), largest)

    @property
    def _unit(self) -> float:
        """What turns sums over iterates into a mean."""
        return float(self.sums.numbers[0] / self.sums.numbers[1])

    def _infoset_gains(self) -> FloatArray:
        """The gain of each infoset, before its recommendation is seen."""
        a = self.plans.arrays
        if self.concept.name == "efcce":
            return self._gains(np.arange(len(a.first) + 1))
        return self._gains(np.append(a.first, len(a.sequence)))

    def _gains(self, begin: Int64Array) -> FloatArray:
        from equilibrist.kernels.deviations.gaps import trigger_gains

        gains = np.empty(len(begin) - 1)
        sums, obeyed = self.sums.sums, self.sums.obeyed
        paid = self.scratch[0]
        trigger_gains(self.plans.arrays, self.triggers, begin, sums, obeyed, paid, gains)
        return gains * self._unit

    def _largest(
        self,
        gains: FloatArray,
        infoset: Int64Array,
        action: Int64Array | None,
        infoset_gains: FloatArray,
    ) -> Trigger | None:
        """The trigger that gains most; one with a single action gains what those below it do."""
        tree = self.tree
        candidates: list[tuple[float, int, int]] = []
        if len(gains):
            best = int(np.argmax(gains))
            candidates.append((float(gains[best]), int(infoset[best]), best))
        candidates += [
            (float(infoset_gains[ks].sum()), i, -1) for i, ks in self.plans.forced if len(ks)
        ]
        if not candidates:
            return None
        gain, i, best = max(candidates, key=lambda item: item[0])
        label = None
        if action is not None:
            label = tree.action_labels[i][0 if best < 0 else int(action[best])]
        return Trigger(int(tree.infoset_player[i]), tree.infoset_keys[i], label, gain)

    def _by_player(self, best: FloatArray) -> FloatArray:
        """The sum over each player's first infosets."""
        a = self.plans.arrays
        first = np.where(a.above < 0, best, 0.0)
        low, high = a.infoset_offset[:-1], a.infoset_offset[1:]
        return np.array([first[i:j].sum() for i, j in zip(low, high, strict=True)])

    def _gap(self, concept: str, gains: FloatArray, largest: Trigger | None) -> Gap:
        total, values = float(gains.sum()), self.values
        return Gap(concept, tuple(gains.tolist()), total, largest, values)

    @property
    def values(self) -> tuple[float, ...]:
        """What each player gets if all follow the recommendations; NaN before the first profile."""
        paid = self.sums.root_obeyed.reshape(2, -1).sum(axis=0) * self._unit
        return tuple((paid + self.form.payoff_offset).tolist())

    def state(self) -> dict[str, FloatArray]:
        """A copy of all sums, for checkpoints; `restore` takes it.

        Returns:
            Arrays by name.
        """
        return {name: array.copy() for name, array in self.sums._asdict().items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a state.

        Args:
            state: The `state` of a meter of the same game and concept.

        Raises:
            MismatchError: It is of another game or concept.
        """
        for name, array in self.sums._asdict().items():
            stored = state.get(name)
            if not isinstance(stored, np.ndarray) or stored.shape != array.shape:
                raise MismatchError(
                    f"the sums of the meter are not those of {self.concept.name} on "
                    f"{self.tree.name}",
                    option=name,
                    given=None if stored is None else stored.shape,
                    expected=array.shape,
                )
            array[:] = stored
