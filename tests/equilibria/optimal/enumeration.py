"""Optimal correlation by the definitions: every joint plan, every trigger, every way to deviate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from scipy.optimize import linprog

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.correlation import Plan, after, plans_from
from equilibrist.reference.game_walk import GameWalk, Node


def payoffs(node: Node, plans: Sequence[Plan]) -> np.ndarray:
    """What everybody gets if these plans are played from a history on."""
    if node.player == TERMINAL:
        return np.array(node.payoffs)
    if node.player == CHANCE:
        below = [payoffs(child, plans) for child in node.children]
        return np.array(node.chance) @ np.array(below)
    return payoffs(node.children[plans[node.player][node.infoset]], plans)


def deviations(
    game: GameWalk, player: int, concept: str, plans: Sequence[Plan]
) -> Iterator[dict[int, Plan]]:
    """Each as {number of the plan that is told: the plan that is played instead}."""
    if concept == "ce":
        yield from ({k: other} for k in range(len(plans)) for other in plans)
        return
    if concept == "nfcce":
        yield from (dict.fromkeys(range(len(plans)), other) for other in plans)
        return
    for key, infoset in game.infosets.items():
        if infoset.player != player:
            continue
        for instead in plans_from(game, player, [key]):
            for action in range(len(infoset.actions)) if concept == "efce" else (None,):
                told = [
                    k for k, plan in enumerate(plans)
                    if key in plan and action in (None, plan[key])
                ]  # fmt: skip
                yield {k: {**plans[k], **instead} for k in told}


def optimum(game: GameWalk, concept: str, weights: Sequence[float]) -> float:
    """The largest weighted sum of payoffs of any equilibrium of the concept."""
    players = range(game.num_players)
    plans = [list(plans_from(game, p, after(game, p, None))) for p in players]
    joint = list(product(*(range(len(own)) for own in plans)))
    known: dict[tuple[tuple[tuple[str, int], ...], ...], np.ndarray] = {}

    def earned(played: Sequence[Plan]) -> np.ndarray:
        key = tuple(tuple(sorted(plan.items())) for plan in played)
        if key not in known:
            known[key] = payoffs(game.root, played)
        return known[key]

    obeyed = [earned([plans[p][k] for p, k in enumerate(cell)]) for cell in joint]
    rows = []
    for player in players:
        for instead in deviations(game, player, concept, plans[player]):
            row = np.zeros(len(joint))
            for column, cell in enumerate(joint):
                if cell[player] in instead:
                    played = [plans[p][k] for p, k in enumerate(cell)]
                    played[player] = instead[cell[player]]
                    row[column] = earned(played)[player] - obeyed[column][player]
            rows.append(row)
    found = linprog(
        -np.array(obeyed) @ np.array(weights),
        A_ub=np.array(rows) if rows else None,
        b_ub=np.zeros(len(rows)) if rows else None,
        A_eq=np.ones((1, len(joint))),
        b_eq=[1.0],
        method="highs",
    )
    assert found.status == 0
    return float(-found.fun)


def number_of_joint_plans(game: GameWalk) -> int:
    """How many columns `optimum` would have."""
    count = 1
    for player in range(game.num_players):
        count *= sum(1 for _ in plans_from(game, player, after(game, player, None)))
    return count
