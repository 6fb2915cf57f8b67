"""Local best responses by enumeration of all histories.

Viliam Lisy and Michael Bowling, Equilibrium approximation quality of current no-limit poker bots,
AAAI 2017 workshop: an action is judged as if nobody bet after it but for the next opponent, who
answers by the given strategy.
"""

from __future__ import annotations

from equilibrist._jit import kernel
from equilibrist.kernels.tree.nodes import BASE, CHANCE, CHILDREN, FIRST, PLAYER, TERMINAL


@kernel
def judge_actions(
    node, chance_probability, payoff, behaviour, passive, player, others, checked, answered, out
):
    """What each action of a player is worth by such a look ahead, summed over histories.

    Args:
        node: int32[N, 4] of `HistoryArrays`.
        chance_probability: float64, of `HistoryArrays`.
        payoff: float64[L, P].
        behaviour: float64[Q], the strategy, public order.
        passive: int32[Q]: at the first action of each infoset the number of the passive one.
        player: Who responds.
        others: Scratch, float64[N]: reach of chance and the others.
        checked: Scratch, float64[N]: payoffs if all are passive from here on.
        answered: Scratch, float64[N]: payoffs if all are but the next opponent.
        out: float64[Q], added to at the player's actions.
    """
    others[0] = 1.0
    for n in range(node.shape[0]):
        mover = node[n, PLAYER]
        for a in range(node[n, CHILDREN]):
            factor = 1.0
            if mover == CHANCE:
                factor = chance_probability[node[n, BASE] + a]
            elif mover != player:
                factor = behaviour[node[n, BASE] + a]
            others[node[n, FIRST] + a] = others[n] * factor
    for back in range(node.shape[0]):
        n = node.shape[0] - 1 - back
        mover, first, base = node[n, PLAYER], node[n, FIRST], node[n, BASE]
        if mover == TERMINAL:
            checked[n] = answered[n] = payoff[base, player]
        elif mover == CHANCE:
            checked[n] = answered[n] = 0.0
            for a in range(node[n, CHILDREN]):
                checked[n] += chance_probability[base + a] * checked[first + a]
                answered[n] += chance_probability[base + a] * answered[first + a]
        else:
            still = first + passive[base]
            checked[n] = checked[still]
            answered[n] = answered[still]
            if mover == player:
                for a in range(node[n, CHILDREN]):
                    seen = checked if first + a == still else answered
                    out[base + a] += others[n] * seen[first + a]
                continue
            answered[n] = 0.0
            for a in range(node[n, CHILDREN]):
                ends = node[first + a, PLAYER] == TERMINAL
                answered[n] += behaviour[base + a] * checked[first + a if ends else still]


@kernel
def choose_best(offset, infosets, worth, out_behaviour):
    """Play the best action (the first of equals) at each of `infosets`; all float64[Q]."""
    for k in range(infosets.shape[0]):
        low, high = offset[infosets[k]], offset[infosets[k] + 1]
        best = low
        for s in range(low, high):
            out_behaviour[s] = 0.0
            if worth[s] > worth[best]:
                best = s
        out_behaviour[best] = 1.0
