"""What a result proves and what it does not, in words."""

from __future__ import annotations

from equilibrist.evaluation import Evaluation
from equilibrist.tree.compile import GameTree


def guarantee(tree: GameTree, evaluation: Evaluation, *, output: str = "average") -> str:
    """Say what the measured numbers prove for this kind of game, and what theory promises."""
    if tree.num_players == 1:
        return (
            f"One player: the strategy is worth {evaluation.gains[0]:.3g} less than the best one, "
            f"measured exactly."
        )
    last = output == "last"
    if evaluation.exploitability is not None:
        promise = (
            "This is the last strategy played, for which no convergence is proven."
            if last
            else "Theory: the average strategies of both players approach a Nash equilibrium."
        )
        return (
            f"Measured by true best responses in the full game: against any opponent each "
            f"player loses at most {max(evaluation.gains[::-1]):.3g} of its value; on average over "
            f"both seats the best opponent gains {evaluation.exploitability:.3g}. {promise}"
        )
    kind = f"{tree.num_players} players" if tree.num_players > 2 else "payoffs without constant sum"
    subject = "" if not last else " (of the averages; this is the last strategy played)"
    return (
        f"With {kind} CFR bounds every player's average regret: the history of play approaches "
        f"a coarse correlated equilibrium{subject}. A Nash equilibrium is not promised. How far "
        f"the strategy is from one was measured by true best responses: NashConv, the sum of what "
        f"the players could still gain, is {evaluation.nash_conv:.3g}."
    )
