"""Optimal correlated equilibria of small games, by linear programmes."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import numpy as np

from equilibrist.equilibria.concepts import CE, CONCEPTS, Concept, correlation_concept
from equilibrist.equilibria.device import CorrelationDevice
from equilibrist.equilibria.optimal.deviations import Deviations
from equilibrist.equilibria.optimal.objectives import Objective, objective_named
from equilibrist.equilibria.optimal.peeling import ZERO, peel
from equilibrist.equilibria.optimal.plan_span import (
    MOST_COLUMNS,
    count_joint_plans,
    joint_plans,
    plan_span,
    profiles_of,
)
from equilibrist.equilibria.optimal.programme import Optimum, solve
from equilibrist.equilibria.optimal.relevant_pairs import (
    MOST_PAIRS,
    Connections,
    RelevantPairs,
    refuse_private_chance,
)
from equilibrist.errors import EquilibristError, UnsupportedError
from equilibrist.evaluation.correlation import Gap
from equilibrist.evaluation.sequences import Sequences
from equilibrist.options.defaults import CONCEPT, OBJECTIVE, PROGRAMME
from equilibrist.parsing.arguments import bad_argument
from equilibrist.solvers.matrix.highs import PROVEN
from equilibrist.solvers.matrix.payoffs import refuse_payoffs, refuse_rare_chance
from equilibrist.tree.compile import ROUNDING, GameTree, checked_tree
from equilibrist.tree.payoff_scale import payoff_spreads
from equilibrist.typing import FloatArray

METHODS: Final = ("lp", "plans", "pairs")
_LEAST: Final = 1e-10
"""Joint plans of less probability are what the solver leaves of 0."""
_MEASURED: Final = 1e-6
"""The largest gap of an optimum, as a share of what the player's payoffs are about, and the largest
difference from what the programme promised, as a share of what play meets."""
_EXACT: Final = 1e-9
"""Gaps beyond this share are more than a solver leaves where payoffs are of like size."""
_MOST_INFOSETS: Final = 5_000
"""The most infosets of which it is found out which lie on one path."""


@dataclass(frozen=True)
class Correlated:
    """An optimal correlated equilibrium.

    Attributes:
        concept: ce, efce, efcce or nfcce.
        objective: What was maximised: welfare, fair, player:I, min:I or min:welfare.
        optimum: The value of the objective, in payoff units.
        values: Each player's expected payoff when all follow the recommendations.
        device: A device that attains it. Its profiles are pure strategies.
        gap: The gap of the device, measured from its strategies and not by the linear programme.
        method: plans, if the unknowns were the probabilities of joint plans; pairs, if they were
            those of relevant pairs, of which the device was then composed.
        rows: Constraints of the linear programme.
        columns: Its unknowns.
    """

    concept: str
    objective: str
    optimum: float
    values: tuple[float, ...]
    device: CorrelationDevice
    gap: Gap
    method: str
    rows: int
    columns: int


def correlated(
    tree: GameTree,
    concept: str = CONCEPT,
    *,
    objective: str = OBJECTIVE,
    method: str = PROGRAMME,
) -> Correlated:
    """Find a correlated equilibrium that is best for an objective.

    Args:
        tree: A compiled game of perfect recall with any number of players.
        concept: `ce` (correlated equilibrium), `efce`, `efcce`, or `cce` (also `nfcce`).
        objective: `welfare` (the sum of payoffs), `fair` (the least of them), `player:I` (that of
            player I, from 0), or `min:I` and `min:welfare` for as little as possible.
        method: `plans` takes all games with up to 200,000 joint reduced plans; `pairs` games of
            two players without private chance with as many relevant pairs, for all concepts but
            ce; `lp` takes pairs where it can, and plans where rounding spoils them.

    Returns:
        The equilibrium: values, a device, and the gap of that device.

    Raises:
        UnsupportedError: The game is too large, or not one for `pairs`, or its payoffs differ by
            too many orders of magnitude, or chance does something too rarely.
        RecallError: A player forgets their own past.
        UnknownNameError: There is no such concept or objective.
        ConfigError: Another argument is invalid.
    """
    chosen = correlation_concept(concept)
    wanted = objective_named(objective, checked_tree(tree).num_players)
    if method not in METHODS:
        raise bad_argument("method", method, f"one of {', '.join(METHODS)}")
    sequences = Sequences.of(tree)
    connections = None if method == "plans" else _connections(sequences, chosen, method)
    try:
        return _measured(sequences, connections, chosen, wanted)
    except UnsupportedError as error:
        has_plans = connections is not None and count_joint_plans(sequences) <= MOST_COLUMNS
        if has_plans and method == "lp":
            with suppress(UnsupportedError):
                return _measured(sequences, None, chosen, wanted)
        refuse_rare_chance(tree, sequences.leaf_chance, error)
        raise


def _measured(
    sequences: Sequences, connections: Connections | None, chosen: Concept, wanted: Objective
) -> Correlated:
    """Solve the programme over plans or, with `connections`, pairs, and measure what it found."""
    tree = sequences.tree
    best = _Attempt.of(sequences, connections, chosen, wanted, PROVEN)
    if best.share > _EXACT:  # beside penalties of one player another one's gap counts as rounding
        attempts = [best, *_refined(sequences, connections, chosen, wanted)]
        best = min(attempts, key=_share_of)
    optimum, device, gap = best.optimum, best.device, best.gap
    if best.share > _MEASURED:
        refuse_payoffs(tree, max(gap.players))
    attained = wanted.maximised(np.array(gap.values))
    counted = np.asarray(wanted.weights or np.ones_like(best.rounding)) != 0.0
    rounding = float(best.rounding[counted].max())
    if abs(attained - optimum.value) > max(_MEASURED * optimum.met_by_objective, rounding):
        refuse_payoffs(tree, attained, promised=optimum.value)
    return Correlated(
        concept=chosen.name,
        objective=wanted.name,
        optimum=wanted.value(np.array(gap.values)),
        values=gap.values,
        device=device,
        gap=gap,
        method="plans" if connections is None else "pairs",
        rows=optimum.rows,
        columns=optimum.columns,
    )


@dataclass(frozen=True)
class _Attempt:
    """A solution of the programme, and what best deviations find.

    Attributes:
        optimum: The solution.
        device: Its device.
        gap: The gap of the device.
        rounding: float64[P], what rounding may leave in gaps and values, in payoff units.
        share: The largest gap as a share of what the player's payoffs are about, of most payoffs
            and of their own value, and of no more than play meets; 0 if it is rounding.
    """

    optimum: Optimum
    device: CorrelationDevice
    gap: Gap
    rounding: FloatArray
    share: float

    @classmethod
    def of(
        cls,
        sequences: Sequences,
        connections: Connections | None,
        concept: Concept,
        objective: Objective,
        proven: float,
    ) -> _Attempt:
        if connections is None:
            optimum, device = _over_plans(sequences, concept, objective, proven)
        else:
            optimum, device = _over_pairs(connections, concept, objective, proven)
        gap = device.gaps(concept)
        tree, values = sequences.tree, np.array(gap.values)
        rounding = 16.0 * np.maximum(ROUNDING * tree.payoff_sizes, np.spacing(np.abs(values)))
        spreads = payoff_spreads(tree.walk.possible_payoffs())
        about = np.maximum(spreads, np.abs(values - sequences.centre))
        about = np.minimum(about, optimum.met)
        gaps = np.array(gap.players)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.where(gaps > rounding, gaps / about, 0.0)
        return cls(optimum, device, gap, rounding, float(shares.max()))


def _share_of(attempt: _Attempt) -> float:
    return attempt.share


def _refined(
    sequences: Sequences, connections: Connections | None, concept: Concept, objective: Objective
) -> list[_Attempt]:
    """The attempt with a programme that is refined until nothing but rounding is left."""
    try:
        return [_Attempt.of(sequences, connections, concept, objective, 0.0)]
    except EquilibristError:
        return []


def _connections(sequences: Sequences, concept: Concept, method: str) -> Connections | None:
    """Find the connections that relevant pairs need; None where plans are to be used."""
    tree = sequences.tree
    fits = concept.name in CONCEPTS and tree.num_players == 2
    small = tree.num_infosets <= _MOST_INFOSETS
    if method == "lp" and not (fits and small):
        return None
    if concept is CE:
        raise bad_argument("method", method, "plans for the concept ce")
    if not fits:
        raise UnsupportedError(
            f"relevant pairs are of two players; {tree.name} has {tree.num_players}",
            option="method",
            given="pairs",
            expected="plans",
            remedy="use the method plans",
        )
    if not small:
        raise UnsupportedError(
            f"{tree.name} has {tree.num_infosets:,} infosets; relevant pairs take up to "
            f"{_MOST_INFOSETS:,}",
            option="infosets",
            given=tree.num_infosets,
            expected=_MOST_INFOSETS,
            remedy="take a smaller variant of the game",
        )
    connections = Connections.of(sequences)
    if method == "lp":
        if connections.num_pairs > MOST_PAIRS:  # looking for a triangle would take long
            return None if count_joint_plans(sequences) <= MOST_COLUMNS else connections
        return connections if connections.triangle is None else None
    refuse_private_chance(connections)
    return connections


def _over_plans(
    sequences: Sequences, concept: Concept, objective: Objective, proven: float
) -> tuple[Optimum, CorrelationDevice]:
    plans = joint_plans(sequences)
    deviations = Deviations(sequences, concept.name, plans)
    optimum = solve(deviations, objective, plan_span(deviations, plans), proven)
    least = min(_LEAST, 10.0 * optimum.negligible)
    weights, profiles = profiles_of(plans, optimum.x, least)
    return optimum, CorrelationDevice(sequences.tree, weights, profiles)


def _over_pairs(
    connections: Connections, concept: Concept, objective: Objective, proven: float
) -> tuple[Optimum, CorrelationDevice]:
    pairs = RelevantPairs.of(connections)
    deviations = Deviations(connections.sequences, concept.name, [])
    optimum = solve(deviations, objective, pairs.span(deviations), proven)
    weights, profiles = peel(pairs, optimum.x, min(ZERO, 10.0 * optimum.negligible))
    return optimum, CorrelationDevice(connections.sequences.tree, weights, profiles)
