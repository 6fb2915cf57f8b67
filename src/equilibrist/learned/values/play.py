"""Rows from play: walks through solves whose leaves a network values (ReBeL).

A walk begins at the start of the game. The region down to the next leaves is solved; an iterate is
drawn, and a leaf by its play, in which one player explores. There the walk goes on, with the ranges
of the iterate, until the game ends. Each solve gives a row: the state with its ranges, and means
of the values of hands over the iterates.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from equilibrist.learned.values.network import NetworkRegionValues, ValueNetwork
from equilibrist.learned.values.solver import BeliefSolver
from equilibrist.learned.values.states import LevelHands, ValueStates
from equilibrist.learned.values.targets import ClassSolver, ValueRows
from equilibrist.search import Subgames
from equilibrist.solvers.variants.families import lcfr
from equilibrist.typing import FloatArray, Int64Array

EXPLORING: Final = 0.25
"""How likely the player who explores takes an action at random."""


class WalkedPlay:
    """Walks of a game in which all play is solved as it comes."""

    def __init__(self, states: ValueStates, depth: int, iterations: int) -> None:
        """Prepare.

        Args:
            states: The public states of the game.
            depth: How deep solves look ahead.
            iterations: The iterations of each solve.
        """
        self.states, self.depth, self.iterations = states, depth, iterations
        self._solvers: dict[int, ClassSolver] = {}
        self._hands: dict[tuple[int, ...], tuple[LevelHands, LevelHands]] = {}

    def _solver(self, number: int) -> ClassSolver:
        if number not in self._solvers:
            self._solvers[number] = ClassSolver.of(self.states, number, self.depth)
        return self._solvers[number]

    def rows(
        self,
        network: ValueNetwork,
        walks: int,
        random: np.random.Generator,
        *,
        every_iterate: bool = False,
    ) -> list[ValueRows]:
        """Walk, and collect rows.

        Args:
            network: What values leaves.
            walks: How many walks.
            random: Draws.
            every_iterate: Whether every iterate of the solve before gives a row, too: its ranges,
                and what the final play of the solve is worth for them (TurboReBeL).

        Returns:
            Rows of all solves.
        """
        first = int(self.states.class_of[0])
        begun = np.zeros((walks, sum(self.states.num_hands)))
        for columns in self._solver(first).columns:
            begun[:, columns] = 1.0 / len(columns)
        waiting = [(first, begun, np.zeros((walks, 0, begun.shape[1])))]
        rows: list[ValueRows] = []
        while waiting:
            coming: dict[int, list[tuple[FloatArray, FloatArray]]] = {}
            for number, ranges, history in waiting:
                rows += self._solved(
                    network, number, ranges, history, random, coming, every_iterate
                )
            waiting = [
                (number, np.array([each[0] for each in found]), np.array([e[1] for e in found]))
                for number, found in sorted(coming.items())
            ]
        return rows

    def _solved(
        self,
        network: ValueNetwork,
        number: int,
        ranges: FloatArray,
        history: FloatArray,
        random: np.random.Generator,
        coming: dict[int, list[tuple[FloatArray, FloatArray]]],
        every_iterate: bool,
    ) -> list[ValueRows]:
        """Solve states of a class, and note in `coming` where walks go on."""
        here = self._solver(number)
        region, lanes = here.region, len(ranges)
        leaves = None
        if region.leaves is not None:
            leaves = NetworkRegionValues.at(network, region.leaves, lanes)
        chosen: Int64Array = random.integers(1, self.iterations + 1, size=(1, lanes))
        solver = BeliefSolver(
            region,
            here.lanes(ranges),
            leaves,
            variant=lcfr(),
            alternating=True,
            chosen=chosen,
        )
        reaches = []
        if every_iterate and region.leaves is not None:
            for _ in range(self.iterations):
                reaches.append(solver.reach_of(solver.strategy))
                solver.run(1)
        else:
            solver.run(self.iterations)
        rows = [here.rows(ranges, solver.mean_values())]
        if history.shape[1]:
            rows.append(self._for_iterates(network, here, solver.average(), history))
        if region.leaves is not None:
            self._go_on(here, solver, reaches, random, coming)
        return rows

    def _for_iterates(
        self,
        network: ValueNetwork,
        here: ClassSolver,
        average: list[FloatArray],
        history: FloatArray,
    ) -> ValueRows:
        """What final play is worth for the ranges of the iterates of the solve before."""
        lanes, count, wide = history.shape
        ranges = history.reshape(lanes * count, wide)
        leaves = None
        if here.region.leaves is not None:
            leaves = NetworkRegionValues.at(network, here.region.leaves, len(ranges))
        solver = BeliefSolver(here.region, here.lanes(ranges), leaves, variant=lcfr())
        played = [np.repeat(strategy, count, axis=1) for strategy in average]
        return here.rows(ranges, solver.values_of(played))

    def _go_on(
        self,
        here: ClassSolver,
        solver: BeliefSolver,
        reaches: list[tuple[FloatArray, FloatArray]],
        random: np.random.Generator,
        coming: dict[int, list[tuple[FloatArray, FloatArray]]],
    ) -> None:
        """Draw the leaf of each walk."""
        region, kept = here.region, solver.kept
        assert region.leaves is not None
        lanes = int(kept[0].shape[1])
        explorer = random.integers(0, 2, size=lanes)
        blunt = []
        for player in range(2):
            even = region.uniform[player][:, None]
            mix = EXPLORING * (explorer == player)
            blunt.append(kept[player] + mix * (even - kept[player]))
        own, other = solver.reach_of(blunt)
        level = region.leaves
        first, second = (hands.of_start for hands in level.hands)
        mass = np.zeros((len(level), lanes))
        np.add.at(mass, level.root, level.chance[:, None] * own[first] * other[second])
        start = region.subgames
        begins = solver.root_ranges()
        pairs: FloatArray = begins[0][start.hands[0].of_start] * begins[1][start.hands[1].of_start]
        total: FloatArray = np.asarray(start.chance @ pairs)
        at_leaf = solver.reach_of(kept)
        classes = self.states.class_of[np.array(level.nodes)]
        draws = random.uniform(size=lanes)
        for lane in range(lanes):
            place = int(np.searchsorted(np.cumsum(mass[:, lane]), draws[lane] * total[lane]))
            if place >= len(level):  # the game ended before
                continue
            row = self._by_name(level, place, at_leaf, lane)
            if row is None:
                continue
            past = [self._by_name(level, place, reach, lane) for reach in reaches]
            known = [each for each in past if each is not None]
            history = np.zeros((len(reaches), len(row)))
            history[:] = row  # iterates that do not come there repeat the one that was drawn
            if known:
                history[-len(known) :] = known
            coming.setdefault(int(classes[place]), []).append((row, history))

    def _by_name(
        self, level: Subgames, place: int, reach: tuple[FloatArray, FloatArray], lane: int
    ) -> FloatArray | None:
        """The ranges at a leaf that add up to 1, by name; None where somebody does not come."""
        row = np.zeros(sum(self.states.num_hands))
        shift = 0
        if level.nodes not in self._hands:
            self._hands[level.nodes] = self.states.hands_at(level)
        for player, hands in enumerate(self._hands[level.nodes]):
            here = np.flatnonzero(hands.root == place)
            comes = reach[player][here, lane]
            mass = comes.sum()
            if not mass > 0.0:
                return None
            row[shift + hands.name[here]] = comes / mass
            shift += self.states.num_hands[player]
        return row
