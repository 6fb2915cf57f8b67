"""What a run plays now: current strategy and regrets, from its newest checkpoint."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from equilibrist.errors import EquilibristError
from equilibrist.solvers.run.checkpoint import Checkpoint
from equilibrist.solvers.run.state import SamplingState, SolverState, in_proportion
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray


@dataclass(frozen=True, eq=False)
class RunState:
    """The state of a run.

    Attributes:
        iteration: After so many iterations.
        regret: float64[Q] in public order: cumulative regrets, as the algorithm keeps them.
        current: float64[Q]: what is played in the next iteration.
    """

    iteration: int
    regret: FloatArray
    current: FloatArray


def run_state(path: Path, tree: GameTree) -> tuple[RunState | None, str | None]:
    """The state in a checkpoint, or why there is none.

    Args:
        path: The checkpoint.
        tree: The game.

    Returns:
        The state and None, or None and the reason.
    """
    try:
        saved = Checkpoint(path)
        if saved.identity.fingerprint != tree.fingerprint:
            return None, "the run works on another game than the one that is shown"
        return _read(saved.state, tree)
    except EquilibristError as error:
        return None, str(error)


def _read(state: SolverState | SamplingState, tree: GameTree) -> tuple[RunState | None, str | None]:
    if isinstance(state, SamplingState):
        if len(state.regret) != int(tree.action_offset[-1]):
            return None, _OTHER
        current = in_proportion(np.maximum(state.regret, 0.0), tree.action_offset)
        return RunState(state.iteration, state.regret, current), None
    form = tree.sequence_form
    if len(state.regret) != form.num_sequences or len(state.behaviour) != form.num_sequences:
        return None, _OTHER
    # Where there is one action nothing is regretted; `to_public` says 1 there, as of strategies.
    regret = np.where(form.public_forced, 0.0, form.to_public(state.regret))
    return RunState(state.iteration, regret, form.to_public(state.behaviour)), None


_OTHER: Final = "the algorithm keeps no regret for each action of the whole game"
