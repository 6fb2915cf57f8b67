"""What a result proves and what it does not, in words."""

from __future__ import annotations

from equilibrist.evaluation import Evaluation
from equilibrist.solving.config import EXACT, MATCHING
from equilibrist.tree.compile import GameTree


def guarantee(tree: GameTree, evaluation: Evaluation, algorithm: str, output: str) -> str:
    """Say what the measured numbers prove for this kind of game, and what theory promises."""
    if tree.num_players == 1:
        return (
            f"One player: measured exactly, the strategy earns {evaluation.nash_conv:.3g} less "
            f"than the best one."
        )
    if evaluation.exploitability is None:
        return _without_promise(tree, evaluation, algorithm, output)
    proof = (
        f"Measured by true best responses in the full game: whatever player 1 does, player 0 gets "
        f"at least {-evaluation.best_response_values[1] + _total(tree):.6g}; whatever player 0 "
        f"does, player 1 gets at least {-evaluation.best_response_values[0] + _total(tree):.6g}. "
        f"The two add up to {evaluation.nash_conv:.3g} less than what there is to share."
    )
    if algorithm in EXACT:
        return f"{proof} An equilibrium up to floating point, found by linear programming."
    if output == "last":
        return f"{proof} Theory promises convergence for the average; this is the last strategy."
    return f"{proof} Theory: the average strategies approach a Nash equilibrium."


def _total(tree: GameTree) -> float:
    total = tree.constant_sum
    assert total is not None
    return total


def _without_promise(tree: GameTree, evaluation: Evaluation, algorithm: str, output: str) -> str:
    players = tree.num_players
    kind = f"{players} players" if players > 2 else "payoffs that do not add up to a constant"
    method = "regret matching" if algorithm in MATCHING else "CFR"
    last = " The strategy is the last one played." if output == "last" else ""
    return (
        f"With {kind}, {method} promises that nobody regrets much on average over the iterations: "
        f"the history of play approaches a coarse correlated equilibrium. It does not promise a "
        f"Nash equilibrium. How far the strategy is from one was measured by true best responses: "
        f"NashConv, the sum of what each player alone could still gain, is "
        f"{evaluation.nash_conv:.3g}.{last}"
    )
