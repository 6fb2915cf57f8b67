"""Many traversals of one player, on a strategy that stays as it is."""

from __future__ import annotations

from typing import Any, NamedTuple

from equilibrist._jit import inner_kernel
from equilibrist.kernels.sampling.external import external_traversal
from equilibrist.kernels.sampling.outcome import outcome_traversal
from equilibrist.kernels.traversal.iterations import sampling_kernel


class OnePlayer(NamedTuple):
    """Whose traversals they are, and how they sample.

    An iteration has as many of them as `TreePlay.traversals` says.
    """

    player: int
    sampling: Any  # the setup of the traversal: ExternalSetup, OutcomeSetup


@inner_kernel
def external_walk(setup, play, walk, state):
    """One traversal of external sampling by the player; returns as `external_traversal`."""
    return external_traversal(setup.sampling, play, setup.player, state)


@inner_kernel
def outcome_walk(setup, play, walk, state):
    """One traversal of outcome sampling by the player; returns as `outcome_traversal`."""
    return outcome_traversal(setup.sampling, play, setup.player, state)


external_walks = sampling_kernel(external_walk, "external_walks")
outcome_walks = sampling_kernel(outcome_walk, "outcome_walks")
