"""Details of a run that only one kind of solver has."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from equilibrist.solvers.matrix.lp import LinearSolution
    from equilibrist.solvers.matrix.matching_result import MatchingResult


@dataclass(frozen=True)
class SamplingDetails:
    """What a sampler drew, and how the draws were shared out.

    Attributes:
        sampler: The sampler with its parameters, such as `outcome(epsilon=0.4)`.
        averaging: The average that was taken.
        averaging_every: Iterations between two averages; None where the sampler averages as it
            samples.
        period: Iterations between two discounts, and with threads between two merges.
        seed: The seed of the draws.
        nodes_touched: Histories visited.
        table_bytes: Bytes of all tables that the sampler needs.
        executor: Where the batches ran: serial, threads or ray.
        threads: Batches that ran side by side.
        shared: Whether they ran on one table, which no other run repeats to the bit.
    """

    sampler: str
    averaging: str
    averaging_every: int | None
    period: int
    seed: int
    nodes_touched: int
    table_bytes: int
    executor: str = "serial"
    threads: int = 1
    shared: bool = False


@dataclass(frozen=True)
class StateGraphStats:
    """The state graph of FSICFR, in which histories merge.

    With fewer infosets than the tree in which the strategy is given, recall is imperfect.

    Attributes:
        game: The game that was solved.
        states: Its distinct states.
        infosets: Its infosets.
        nodes_touched: States visited in all iterations.
        histories: Histories for which these states stood.
        seed: The seed of the draws.
    """

    game: str
    states: int
    infosets: int
    nodes_touched: int
    histories: float
    seed: int


@dataclass(frozen=True)
class PrunedTraversals:
    """What full traversals visited with pruning, of what they would have visited without.

    A node is a history in the traversal for one player, chance and terminals included. It is
    visited if every action of the others on the way has a probability above 0, and the traversal
    skips no action of the player's own on the way. All iterations and players are added up.

    Attributes:
        pruning: How traversals were pruned, such as `interval`.
        nodes_touched: Nodes visited.
        nodes_unpruned: Nodes of as many full traversals.
        terminals_touched: Terminal nodes visited.
        terminals_unpruned: Terminal nodes of as many full traversals.
        stored_infosets: With best-response pruning, the infosets that have regrets at the end.
        stored_actions: With best-response pruning, the pairs of infoset and action that have
            regrets at the end.
    """

    pruning: str
    nodes_touched: int
    nodes_unpruned: int
    terminals_touched: int
    terminals_unpruned: int
    stored_infosets: int | None = None
    stored_actions: int | None = None


@dataclass(frozen=True)
class PerturbedPlay:
    """How far a strategy is from equilibrium of the perturbed game that was solved.

    Attributes:
        kind: `trembling`, where every action has a least probability, or `quantal`, where plans
            also earn their dilated entropy.
        parameter: That probability, or what a unit of entropy earns, in payoff units.
        gap: What the players gain in that game by their best responses, added up, in payoff units:
            0 in its equilibrium.
    """

    kind: Literal["trembling", "quantal"]
    parameter: float
    gap: float


Details: TypeAlias = (
    "LinearSolution | MatchingResult | PerturbedPlay | PrunedTraversals | SamplingDetails | "
    "StateGraphStats"
)
"""Details of lp, regret matching, perturbed games, pruning, samplers, or FSICFR."""


def perturbed_document(details: Details | None) -> dict[str, Any]:
    """The part of documents on a perturbed game: nothing, or its fields under `perturbed`."""
    return {"perturbed": asdict(details)} if isinstance(details, PerturbedPlay) else {}


def pruning_document(details: Details | None) -> dict[str, Any]:
    """The part of documents on pruning: nothing, or its fields under `pruning`."""
    return {"pruning": asdict(details)} if isinstance(details, PrunedTraversals) else {}


def sampling_document(details: Details | None) -> dict[str, Any] | None:
    """The part of documents on sampling: its fields, or None."""
    return asdict(details) if isinstance(details, SamplingDetails) else None
