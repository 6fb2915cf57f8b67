"""The textbook recursion over arrays, operation for operation as in the authors' programs.

Regrets near zero decide between a pure and a uniform strategy, so the last bit of a sum can
reach the third digit of a figure in some hundred iterations, and the order of the additions
belongs to the published number. This runner keeps that order: depth first, chance and actions
from left to right, histories of an infoset in order of their visit. It has the bits of
`ReferenceCFR` (a test says so) and is compiled, so that every figure can be met to its last digit.

Two variants were published in another arithmetic than Equilibrist's seven numbers:
Linear CFR as sums R + t * r, S + t * own * sigma, and SAPCFR+ with r / 3, not r * (1/3).
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.game_walk import GameWalk, Node
from equilibrist.reference.matching import regret_matching
from equilibrist.solvers.variants.registry import VARIANTS
from equilibrist.solvers.variants.variant import Variant


class PublishedArithmetic:
    """Alternating full-tree CFR; same interface as `ReferenceCFR` where tests need it."""

    def __init__(self, game: GameWalk, variant: Variant, horizon: int | None = None) -> None:
        self.game = game
        self.variant = variant
        self.horizon = horizon
        self.iteration = 0
        self.keys = list(game.infosets)
        sizes = [len(game.infosets[key].actions) for key in self.keys]
        self.offset = np.concatenate([[0], np.cumsum(sizes)])
        self.owner = np.array([game.infosets[key].player for key in self.keys])
        self.regret = np.zeros(self.offset[-1])
        self.strategy_sum = np.zeros(self.offset[-1])
        self.strategy = np.repeat(1.0 / np.array(sizes, dtype=float), sizes)
        self.arrays = _arrays(game)

    def run(self, iterations: int) -> None:
        table = self.variant.table(self.iteration + 1, iterations, self.horizon).copy()
        table[:, 4] = [1.0 / x if x else math.inf for x in table[:, 4]]
        _run(
            *self.arrays,
            self.offset,
            self.owner,
            self.game.num_players,
            self.iteration,
            table,
            self.variant == VARIANTS["lcfr"],
            self.regret,
            self.strategy,
            self.strategy_sum,
        )
        self.iteration += iterations

    def average_strategy(self) -> dict[str, list[float]]:
        pairs = zip(self.keys, self.offset[:-1], self.offset[1:], strict=True)
        return {key: regret_matching(self.strategy_sum[a:b].tolist()) for key, a, b in pairs}


def _arrays(game: GameWalk) -> tuple[Any, ...]:
    """Nodes in preorder: player, infoset, first child, child list, chance, payoffs."""
    nodes: list[Node] = []
    children: list[list[int]] = []

    def visit(node: Node) -> int:
        me = len(nodes)
        nodes.append(node)
        children.append([])
        for child in node.children:
            children[me].append(visit(child))
        return me

    visit(game.root)
    number = {key: i for i, key in enumerate(game.infosets)}
    counts = [len(c) for c in children]
    chance = [
        p for n in nodes for p in (n.chance if n.player == CHANCE else (0.0,) * len(n.children))
    ]
    return (
        np.array([n.player for n in nodes]),
        np.array([number.get(n.infoset, -1) for n in nodes]),
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        np.array([c for row in children for c in row], dtype=np.int64),
        np.array(chance, dtype=np.float64),
        np.array([n.payoffs or (0.0,) * game.num_players for n in nodes]),
    )


@numba.njit
def _run(
    player,
    infoset,
    first,
    child,
    chance,
    payoff,
    offset,
    owner,
    players,
    done,
    table,
    as_sums,
    regret,
    strategy,
    strategy_sum,
):
    n = len(player)
    own, others, value = np.empty(n), np.empty(n), np.empty(n)
    instant = np.empty(len(regret))
    reach = np.empty(len(owner))
    for k in range(len(table)):
        t = float(done + k + 1)
        for i in range(players):
            own[0] = others[0] = 1.0
            for h in range(n):
                for e in range(first[h], first[h + 1]):
                    c = child[e]
                    if player[h] == CHANCE:
                        own[c], others[c] = own[h], others[h] * chance[e]
                    else:
                        p = strategy[offset[infoset[h]] + e - first[h]]
                        mine = player[h] == i
                        own[c] = own[h] * p if mine else own[h]
                        others[c] = others[h] if mine else others[h] * p
            for h in range(n - 1, -1, -1):
                if player[h] == TERMINAL:
                    value[h] = payoff[h, i]
                    continue
                total = 0.0
                for e in range(first[h], first[h + 1]):
                    if player[h] == CHANCE:
                        total += chance[e] * value[child[e]]
                    else:
                        total += strategy[offset[infoset[h]] + e - first[h]] * value[child[e]]
                value[h] = total
            instant[:] = 0.0
            for h in range(n):
                if player[h] == i:
                    reach[infoset[h]] = own[h]
                    for e in range(first[h], first[h + 1]):
                        a = offset[infoset[h]] + e - first[h]
                        instant[a] += others[h] * (value[child[e]] - value[h])
            for j in range(len(owner)):
                if owner[j] == i:
                    row = slice(offset[j], offset[j + 1])
                    _update(
                        table[k],
                        t if as_sums else 0.0,
                        regret[row],
                        strategy[row],
                        strategy_sum[row],
                        instant[row],
                        reach[j],
                    )


@numba.njit
def _update(c, t, regret, strategy, strategy_sum, instant, reach):
    """One infoset; c[4] holds 1 / prediction. With t > 0, Linear CFR in sums."""
    total = 0.0
    positive = np.empty(len(regret))
    for a in range(len(regret)):
        if t > 0.0:
            regret[a] += t * instant[a]
            strategy_sum[a] += t * reach * strategy[a]
            positive[a] = max(regret[a], 0.0)
        else:
            old = regret[a] * (c[0] if regret[a] > 0.0 else c[1])
            regret[a] = max(old + instant[a], c[2])
            strategy_sum[a] = c[5] * strategy_sum[a] + c[6] * reach * strategy[a]
            positive[a] = max(c[3] * regret[a] + instant[a] / c[4], 0.0)
        total += positive[a]
    for a in range(len(regret)):
        strategy[a] = positive[a] / total if total > 0.0 else 1.0 / len(regret)
