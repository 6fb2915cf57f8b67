"""The known equilibria of Kuhn poker as conditions on a strategy.

Players are P1, P2, P3; cards count from 1, as in the papers. All functions take the probability
of betting (or calling) at each infoset of our Kuhn, by its key, and each player's own reach of
that infoset. A condition at an infoset counts by own reach: where their own play never leads, an
equilibrium may do anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["forced", "equation", "bound"]
Bets: TypeAlias = Mapping[str, float]


@dataclass(frozen=True)
class Condition:
    """One line of a family: a forced value, an equation, or an upper bound on `left`.

    `residual` is by how much it fails, weighted by own reach where it is about one infoset.
    """

    formula: str
    kind: Kind
    left: float
    right: float
    residual: float


@dataclass(frozen=True)
class Fit:
    """The member of a family that is nearest to a strategy, and all conditions on it."""

    parameters: Mapping[str, float]
    member: str
    values: tuple[float, ...]
    conditions: tuple[Condition, ...]


def _forced(name: str, value: float, target: float, reach: float) -> Condition:
    return Condition(f"{name} = {target:g}", "forced", value, target, reach * abs(value - target))


def _equal(formula: str, left: float, right: float, reach: float = 1.0) -> Condition:
    return Condition(formula, "equation", left, right, reach * abs(left - right))


def _at_most(formula: str, left: float, right: float, reach: float = 1.0) -> Condition:
    return Condition(formula, "bound", left, right, reach * max(0.0, left - right))


def fit_two_players(bet: Bets, reach: Bets) -> Fit:
    """Kuhn's equilibria: one parameter alpha from 0 to 1/3, the value of P1 is -1/18.

    Harold W. Kuhn, A simplified two-person poker (1950). P1 bets the lowest card alpha of the
    time and the highest 3 alpha, and calls with the middle one alpha + 1/3.
    """
    slopes = [("1", 0.0, 1.0), ("2pb", 1 / 3, 1.0), ("3", 0.0, 3.0)]
    lines = [(reach[key], bet[key] - start, slope) for key, start, slope in slopes]
    alpha = _nearest(lines, 0.0, 1 / 3)
    rules = [
        ("1", "alpha", alpha),
        ("2pb", "alpha + 1/3", alpha + 1 / 3),
        ("3", "3 alpha", 3 * alpha),
        ("1p", "1/3", 1 / 3),
        ("2b", "1/3", 1 / 3),
    ]
    conditions = [
        _equal(f"bet at {key} = {text}", bet[key], target, reach[key])
        for key, text, target in rules
    ]
    never, always = ("1pb", "2", "1b", "2p"), ("3pb", "3p", "3b")
    for keys, target in ((never, 0.0), (always, 1.0)):
        conditions += [_forced(f"bet at {key}", bet[key], target, reach[key]) for key in keys]
    return Fit({"alpha": alpha}, "", (-1 / 18, 1 / 18), tuple(conditions))


def _nearest(lines: Sequence[tuple[float, float, float]], low: float, high: float) -> float:
    """The x in [low, high] with the least greatest weight * |target - slope * x|.

    That function is convex and piecewise linear, so its minimum lies at an end or where two of
    the pieces cross.
    """
    pieces = [(-s * w * k, s * w * y) for w, y, k in lines for s in (1.0, -1.0)]
    candidates = {low, high}
    for i, (slope, start) in enumerate(pieces):
        for other_slope, other_start in pieces[:i]:
            if slope != other_slope:
                candidates.add((other_start - start) / (slope - other_slope))
    inside = [x for x in candidates if low <= x <= high]
    return min(inside, key=lambda x: max(slope * x + start for slope, start in pieces))


SITUATIONS = (
    ("a", ("", "ppb", "pbp", "pbb")),
    ("b", ("p", "b", "ppbp", "ppbb")),
    ("c", ("pp", "pb", "bp", "bb")),
)
"""The letter of each of three players, and what they have seen in situations 1 to 4."""


def fit_three_players(bet: Bets, reach: Bets) -> Fit:
    """The equilibria of three-player Kuhn poker, four cards, ante 1, bet 1.

    Duane Szafron, Richard Gibson and Nathan Sturtevant, A parameterized family of equilibrium
    profiles for three-player Kuhn poker, AAMAS 2013, Table 3. a_jk, b_jk and c_jk are the
    probabilities that P1, P2 and P3 bet or call with card j in situation k, in the order of
    `SITUATIONS`. (The formula of b33 in the running text of section 5 is a misprint.) The family
    is proven to be one of equilibria; whether there are others is open.
    """
    x = {
        f"{letter}{card}{k}": (bet[f"{card}{seen}"], reach[f"{card}{seen}"])
        for letter, lines in SITUATIONS
        for k, seen in enumerate(lines, start=1)
        for card in (1, 2, 3, 4)
    }
    p = {name: value for name, (value, _) in x.items()}
    beta = max(p["b11"], p["b21"])
    member, chosen = _sub_family(p)
    conditions = [
        _forced(f"{letter}{card}{k}", p[f"{letter}{card}{k}"], target, x[f"{letter}{card}{k}"][1])
        for letter, _ in SITUATIONS
        for card, k, target in _FORCED_CARDS
    ]
    conditions += [
        _equal(f"{name} = {text}", p[name], target, x[name][1])
        for name, text, target in _equations(p, beta)
    ]
    conditions += [*_bounds(p, beta), *chosen]
    parameters = {"beta": beta} | {
        name: p[name] for name in ("b11", "b21", "b23", "b32", "c11", "c33", "c34")
    }
    values = (-(1 / 2 + beta) / 24, -1 / 48, (1 + beta) / 24)
    return Fit(parameters, member, values, tuple(conditions))


_FORCED_CARDS = (
    (1, 2, 0.0),
    (1, 3, 0.0),
    (1, 4, 0.0),
    (2, 4, 0.0),
    (4, 2, 1.0),
    (4, 3, 1.0),
    (4, 4, 1.0),
)
"""Card, situation and the only sensible probability of calling, for every player."""


_NEVER = (
    *("a11", "a21", "a22", "a23", "a31", "a32", "a34", "a41"),
    *("b22", "b31", "b34", "c22", "c23", "c31", "c32"),
)
"""What is 0 in every member of the family, beyond the forced values."""


def _equations(p: Mapping[str, float], beta: float) -> list[tuple[str, str, float]]:
    """List the probabilities that are forced: their name, the formula as text, and its value."""
    b11, b21, b23 = p["b11"], p["b21"], p["b23"]
    b33 = 1 / 2 + (b11 + b21) / 2 + beta / 2 - b23 * (1 - b21)
    return [
        *((name, "0", 0.0) for name in _NEVER),
        ("a33", "1/2", 1 / 2),
        ("b33", "1/2 + (b11 + b21)/2 + beta/2 - b23 (1 - b21)", b33),
        ("b41", "2 b11 + 2 b21", 2 * b11 + 2 * b21),
        ("c21", "1/2 - c11", 1 / 2 - p["c11"]),
        ("c41", "1", 1.0),
    ]


def _bounds(p: Mapping[str, float], beta: float) -> list[Condition]:
    b11, b21, b23, b32 = p["b11"], p["b21"], p["b23"], p["b32"]
    c11, c33 = p["c11"], p["c33"]
    slack = 3 / 4 * (b11 + b21) + beta / 4
    share = max(0.0, (b11 - b21) / (2 * (1 - b21))) if b21 < 1.0 else 0.0
    most = min(1 / 2, (2 - b11) / (3 + 2 * b11 + 2 * b21))
    return [
        _at_most("b23 <= max(0, (b11 - b21) / (2 (1 - b21)))", b23, share),
        _at_most("c11 <= min(1/2, (2 - b11) / (3 + 2 b11 + 2 b21))", c11, most),
        _at_most("b32 <= 1/2 + 3/4 (b11 + b21) + beta/4", b32, 1 / 2 + slack),
        _at_most("1/2 - b32 <= c33", 1 / 2 - b32, c33),
        _at_most("c33 <= 1/2 - b32 + 3/4 (b11 + b21) + beta/4", c33, 1 / 2 - b32 + slack),
    ]


def _sub_family(p: Mapping[str, float]) -> tuple[str, list[Condition]]:
    """The sub-family A, B or C that fits best, and its own conditions."""
    b11, b21, b23, c11 = p["b11"], p["b21"], p["b23"], p["c11"]
    quarter = _at_most("b11 <= 1/4", b11, 1 / 4)
    no_b23 = _equal("b23 = 0", b23, 0.0)
    choices = {
        "A": [
            _equal("c11 = 0", c11, 0.0),
            _at_most("b11 <= b21", b11, b21),
            _at_most("b21 <= 1/4", b21, 1 / 4),
            no_b23,
        ],
        "C": [
            _equal("c11 = 1/2", c11, 1 / 2),
            quarter,
            _at_most("b21 <= min(b11, 1/2 - 2 b11)", b21, min(b11, 1 / 2 - 2 * b11)),
        ],
        "B": [_equal("b11 = b21", b11, b21), quarter, no_b23],
    }
    member = min(choices, key=lambda name: max(c.residual for c in choices[name]))
    return member, choices[member]
