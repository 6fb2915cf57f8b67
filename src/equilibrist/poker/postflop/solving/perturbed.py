"""Runs whose play comes to every node: what they take, and how a quantal run cools down."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.kernels.poker.postflop_arrays import DEPTH, STEP, TEMPERATURE
from equilibrist.parsing.arguments import bad_argument, finite_number
from equilibrist.poker.betting.street_tree import ACTION
from equilibrist.poker.postflop.engine.perturbation import Perturbation
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.solvers.variants.variant import Coefficients, Variant
from equilibrist.typing import FloatArray

_PACE: Final = 5.0
"""EVs are averaged with weights t^(_PACE - 1)."""
_COOLING: Final = 0.5
"""The temperature, as a share of the pot, is at least so many steps: with longer steps players turn
in circles around the equilibrium. 0.35 still converges on shallow spots, not on deep ones."""
_LEAST_TREMBLE: Final = 1e-9
"""In single precision three of them in a row are still more than nothing."""
_MOST_TREMBLING: Final = 0.999
"""The share of play that trembles may take: what is learnt is divided by the rest."""
_LEAST_QUANTAL: Final = 1e-6
"""Cooling to it takes 2.5 million iterations."""
_DEPTH: Final = float(np.log(1e5))
"""Logits of the worst actions: they are played at least 1e-5 times as often as the best one, so
that single precision suffices for the EVs behind seven of them in a row."""

_TREMBLING: Final = 1.3
_RESPONDING: Final = 2.1
"""How many times as long as plain ones their iterations take, in
`benchmarks/poker/perturbed_speed.py`."""


@dataclass(frozen=True)
class LogitResponses(Variant):
    """How a quantal run averages EVs, and its temperature, in place of the seven coefficients.

    Attributes:
        temperature: What it ends with, as a share of the pot at a decision.
    """

    name: str = "quantal"
    temperature: float = 0.02

    @property
    def iterations_to_cool(self) -> int:
        """The iteration from which on the temperature is the one that was asked for."""
        return max(1, math.ceil(_PACE * _COOLING / self.temperature - _PACE + 1.0))

    @property
    def predicts(self) -> bool:
        """Nothing is predicted."""
        return False

    def table(self, start: int, count: int, horizon: int | None = None) -> FloatArray:
        """Lay out the numbers of several iterations.

        Args:
            start: The first iteration, from 1.
            count: How many iterations.
            horizon: Not used.

        Returns:
            float64[count, 7], columns STEP, TEMPERATURE and DEPTH.
        """
        t = np.arange(start, start + count, dtype=np.float64)
        rows = np.zeros((count, len(Coefficients._fields)))
        rows[:, STEP] = _PACE / (t + _PACE - 1.0)
        rows[:, TEMPERATURE] = np.maximum(self.temperature, _COOLING * rows[:, STEP])
        rows[:, DEPTH] = _DEPTH
        return rows

    def temperature_at(self, iteration: int) -> float:
        """The temperature of an iteration.

        Args:
            iteration: Its number, from 1.

        Returns:
            A share of the pot at a decision.
        """
        return float(self.table(max(iteration, 1), 1)[0, TEMPERATURE])


def perturbation_of(
    spot: Spot,
    tremble: float | None,
    quantal: float | None,
    storage: Storage,
    algorithm: Variant | str | None,
) -> Perturbation | None:
    """What a run is perturbed by; None for a plain one.

    Args:
        spot: The spot.
        tremble: The least probability of every action.
        quantal: The temperature of logit responses, as a share of the pot.
        storage: How numbers are held.
        algorithm: The algorithm that was asked for.

    Returns:
        The perturbation.

    Raises:
        ConfigError: A number is out of range, or other options do not go with it.
        UnsupportedError: The spot has what quantal runs do not solve.
    """
    check_perturbation(tremble, quantal, storage, algorithm)
    if tremble is not None:
        tree = spot.betting.tree
        check_trembles(tremble, int(tree.num_children[tree.kind == ACTION].max(initial=1)))
        return Perturbation("tremble", float(tremble))
    if quantal is None:
        return None
    if spot.folded:
        raise UnsupportedError(
            "logit responses are not solved behind folded ranges",
            option="quantal",
            given=quantal,
            remedy="leave out folded, or use tremble",
        )
    if any(node.has_frequency_locks for node in spot.locked_nodes):
        raise UnsupportedError(
            "logit responses are not solved with locked frequencies",
            option="quantal",
            given=quantal,
            remedy="lock strategies instead, or use tremble",
        )
    return Perturbation("quantal", float(quantal))


class Cost(NamedTuple):
    """What a run takes beside regrets and strategy sums: what checks and estimates both go by."""

    predicts: bool
    """Whether a third number per entry is kept: what is matched, or played with trembles."""
    responds: bool
    """Whether strategies are logit responses, whose terminal nodes are in float64."""
    slower: float
    """How many times as long as a plain one an iteration takes, roughly."""

    @classmethod
    def of(cls, variant: Variant, tremble: float | None, quantal: float | None) -> Cost:
        """The cost of a run.

        Args:
            variant: Its variant; that of a quantal run is not used.
            tremble: The least probability of every action.
            quantal: The temperature of logit responses.
        """
        if quantal is not None:
            return cls(predicts=False, responds=True, slower=_RESPONDING)
        trembles = tremble is not None
        return cls(
            predicts=variant.predicts or trembles,
            responds=False,
            slower=_TREMBLING if trembles else 1.0,
        )


def iterations_needed(quantal: float | None) -> int:
    """How many iterations a run takes at least that no limit ends.

    Args:
        quantal: The temperature of its logit responses; None for other runs.

    Returns:
        Twice as many as cooling takes, so that the last ones forget it; 1 for other runs.
    """
    if quantal is None or not _LEAST_QUANTAL <= quantal <= 1.0:  # refused elsewhere
        return 1
    return 2 * LogitResponses(temperature=quantal).iterations_to_cool


def check_trembles(tremble: float, most: int) -> None:
    """Raise ConfigError where trembles leave nothing of play.

    Args:
        tremble: The least probability of every action.
        most: The most actions at a decision.
    """
    if tremble * most > _MOST_TREMBLING:
        raise bad_argument(
            "tremble",
            tremble,
            f"at most {_MOST_TREMBLING / most:g}, as there are up to {most} actions",
        )


def check_perturbation(
    tremble: float | None,
    quantal: float | None,
    storage: Storage,
    algorithm: Variant | str | None,
) -> None:
    """Raise what a run on any spot would raise; arguments as in `perturbation_of`."""
    if tremble is None and quantal is None:
        return
    if tremble is not None and quantal is not None:
        raise ConfigError(
            "trembles and logit responses both keep play alive everywhere",
            option="tremble",
            given=tremble,
            remedy="leave out tremble or quantal",
        )
    name = "tremble" if quantal is None else "quantal"
    if tremble is not None and not _LEAST_TREMBLE <= finite_number("tremble", tremble) < 1.0:
        raise bad_argument(
            "tremble", tremble, f"a probability of at least {_LEAST_TREMBLE:g} and below 1"
        )
    if quantal is not None and not _LEAST_QUANTAL <= finite_number("quantal", quantal) <= 1.0:
        raise bad_argument("quantal", quantal, f"from {_LEAST_QUANTAL:g} to 1, a share of the pot")
    if storage == "int16":
        raise ConfigError(
            f"{name} has play that is too rare for 16 bits",
            option="storage",
            given=storage,
            expected="float32 or float64",
            remedy="leave out storage",
        )
    if quantal is not None and algorithm is not None:
        raise ConfigError(
            "logit responses have an algorithm of their own",
            option="algorithm",
            given=algorithm if isinstance(algorithm, str) else algorithm.name,
            remedy="leave out algorithm or quantal",
        )
