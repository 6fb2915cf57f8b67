"""CFR on two-player poker in decimals of any length: what a run would be without rounding.

Payoffs must be whole numbers and chance probabilities fractions of whole cards. Written apart from
the library: its own recursion, its own formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any, NamedTuple

from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.reference.game_walk import Node, walk

ZERO, ONE = Decimal(0), Decimal(1)
Table = dict[str, list[Decimal]]


class Rule(NamedTuple):
    """The factors of iteration t (t - 1 is given), a floor of zero, and the prediction's share."""

    positive: Callable[[Decimal], Decimal]
    negative: Callable[[Decimal], Decimal]
    decay: Callable[[Decimal], Decimal]
    floor: bool
    share: Callable[[], Decimal] | None


def _one(_: Decimal) -> Decimal:
    return ONE


RULES = {
    "cfr": Rule(_one, _one, _one, False, None),
    "cfr+": Rule(_one, _one, lambda x: x / (x + 1), True, None),
    "dcfr": Rule(
        lambda x: x * x.sqrt() / (x * x.sqrt() + 1),
        lambda _: ONE / 2,
        lambda x: (x / (x + 1)) ** 2,
        False,
        None,
    ),
    "pcfr+": Rule(_one, _one, lambda x: (x / (x + 1)) ** 2, True, lambda: ONE),
    "sapcfr+": Rule(_one, _one, lambda x: (x / (x + 1)) ** 2, True, lambda: ONE / 3),
}


class ExactCFR:
    """Alternating full-tree CFR in decimals of the context's precision."""

    def __init__(self, game: Game[Any], rule: Rule) -> None:
        nodes = walk(game)
        self.infosets = nodes.infosets
        self.rule = rule
        self.iteration = 0
        self.players: list[int] = []
        self.keys: list[str] = []
        self.children: list[list[int]] = []
        self.chance: list[list[Decimal]] = []
        self.payoffs: list[list[Decimal]] = []
        self._add(nodes.root)
        self.regret = self._filled(lambda n: ZERO)
        self.sums = self._filled(lambda n: ZERO)
        self.strategy = self._filled(lambda n: ONE / n)

    def _filled(self, value: Callable[[int], Decimal]) -> Table:
        counts = {key: len(i.actions) for key, i in self.infosets.items()}
        return {key: [value(n)] * n for key, n in counts.items()}

    def _add(self, node: Node) -> int:
        me = len(self.players)
        self.players.append(node.player)
        self.keys.append(node.infoset)
        self.chance.append([_exact(p) for p in node.chance])
        self.payoffs.append([Decimal(int(u)) for u in node.payoffs])
        assert all(u == int(u) for u in node.payoffs)
        self.children.append([])
        self.children[me] += [self._add(child) for child in node.children]
        return me

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            x = Decimal(self.iteration)
            self.iteration += 1
            for player in (0, 1):
                self._update(player, x)

    def _update(self, player: int, x: Decimal) -> None:
        own, others = self._reach(player)
        value: list[Decimal] = [ZERO] * len(self.players)
        instant = {k: [ZERO] * len(row) for k, row in self.regret.items()}
        for h in range(len(self.players) - 1, -1, -1):
            acting, children = self.players[h], self.children[h]
            if acting == TERMINAL:
                value[h] = self.payoffs[h][player]
                continue
            weights = self.chance[h] if acting == CHANCE else self.strategy[self.keys[h]]
            value[h] = sum((p * value[c] for p, c in zip(weights, children, strict=True)), ZERO)
            if acting == player:
                row = instant[self.keys[h]]
                for a, c in enumerate(children):
                    row[a] += others[h] * (value[c] - value[h])
        reach = {k: own[h] for h, k in enumerate(self.keys) if self.players[h] == player}
        for key, at in reach.items():
            self._fold(key, instant[key], at, x)

    def _reach(self, player: int) -> tuple[list[Decimal], list[Decimal]]:
        own, others = [ONE] * len(self.players), [ONE] * len(self.players)
        for h, acting in enumerate(self.players):
            if acting == TERMINAL:
                continue
            weights = self.chance[h] if acting == CHANCE else self.strategy[self.keys[h]]
            for p, c in zip(weights, self.children[h], strict=True):
                own[c] = own[h] * p if acting == player else own[h]
                others[c] = others[h] if acting == player else others[h] * p
        return own, others

    def _fold(self, key: str, instant: list[Decimal], reach: Decimal, x: Decimal) -> None:
        rule, regret, sums, strategy = (
            self.rule,
            self.regret[key],
            self.sums[key],
            self.strategy[key],
        )
        positive, negative, decay = rule.positive(x), rule.negative(x), rule.decay(x)
        for a, r in enumerate(instant):
            total = regret[a] * (positive if regret[a] > 0 else negative) + r
            regret[a] = max(total, ZERO) if rule.floor else total
            sums[a] = decay * sums[a] + reach * strategy[a]
        ahead = regret
        if rule.share is not None:
            ahead = [q + rule.share() * r for q, r in zip(regret, instant, strict=True)]
        self.strategy[key] = _matched(ahead)

    def average(self) -> dict[str, dict[str, float]]:
        return {
            key: dict(zip(self.infosets[key].actions, map(float, _matched(row)), strict=True))
            for key, row in self.sums.items()
        }


def _matched(row: list[Decimal]) -> list[Decimal]:
    positive = [max(q, ZERO) for q in row]
    total = sum(positive, ZERO)
    return [q / total for q in positive] if total > 0 else [ONE / len(row)] * len(row)


def _exact(probability: float) -> Decimal:
    fraction = Fraction(probability).limit_denominator(1000)
    assert abs(float(fraction) - probability) < 1e-15
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)


def averages(
    game: Game[Any], algorithm: str, iterations: tuple[int, ...], digits: int
) -> Iterator[dict[str, dict[str, float]]]:
    """The average strategies after so many iterations (ascending), in `digits` digits."""
    with localcontext() as context:
        context.prec = digits
        solver = ExactCFR(game, RULES[algorithm])
        for t in iterations:
            solver.run(t - solver.iteration)
            yield solver.average()
