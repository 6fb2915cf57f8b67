"""A run of every solver class, and all its numbers by their bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.poker.postflop.solution.spot_strategy import SpotStrategy
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.rules.strategy import PackedStrategy
from equilibrist.solvers.full_traversal.best_response_solvers import CFRBR, XFP
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.full_traversal.efr import EFR
from equilibrist.solvers.full_traversal.fsicfr import FSICFR
from equilibrist.solvers.full_traversal.mixed_play import MixedCFR
from equilibrist.solvers.full_traversal.mixing import Trembles
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from equilibrist.solvers.matrix.regret_matching import RegretMatching
from equilibrist.solvers.pruning.partial import PartialCFR
from equilibrist.solvers.pruning.pruned_cfr import PrunedCFR
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.strategy import Strategy

Make = Callable[[], Any]


@cache
def tree(game: Any) -> Any:
    return compile_game(game)


RULES = load_game("rules:liars_dice(sides=3)")
TURN = Spot(board="Td9d6h5h", oop="QQ,JTs,87s", ip="99,A9s,KQs", pot=50, stack=60, bets="70%")
LOCKED = TURN.replace(locks=["X: frequency = Bet 35 40%"])
SOLVERS: dict[str, Make] = {
    "CFR": lambda: CFR(tree("leduc")),
    "CFR, predictive, at once": lambda: CFR(tree("kuhn(players=3)"), "pcfr+", alternating=False),
    "CFR, local rule": lambda: CFR(tree("kuhn"), "hedge"),
    "CFR, planned": lambda: CFR(tree("kuhn"), "hs-dcfr", horizon=10),
    "CFR, quantal responses": lambda: CFR(tree("kuhn"), "qre(alpha=0.2)"),
    "MixedCFR": lambda: MixedCFR(tree("kuhn"), "hedge", Trembles(0.05)),
    "PartialCFR": lambda: PartialCFR(tree("leduc"), "cfr+"),
    "PartialCFR, threshold": lambda: PartialCFR(tree("kuhn"), "hedge", "threshold"),
    "PrunedCFR": lambda: PrunedCFR(tree("leduc"), "lcfr"),
    "PrunedCFR, best responses": lambda: PrunedCFR(tree("kuhn"), "cfr", "best-response(every=2)"),
    "MCCFR": lambda: MCCFR(tree("leduc")),
    "MCCFR, discounts": lambda: MCCFR(tree("kuhn"), "dcfr", sampler="outcome", period=2, seed=3),
    "MCCFR, baselines": lambda: MCCFR(tree("kuhn"), sampler="external(baseline=learned)"),
    "MCCFR, threads": lambda: MCCFR(tree("kuhn"), threads=2, executor="serial", period=2),
    "MCCFR, textbook": lambda: MCCFR(tree("kuhn"), sampler="textbook"),
    "MCCFR, ESCHER": lambda: MCCFR(tree("kuhn"), sampler="escher", averaging="walk"),
    "ImplicitMCCFR": lambda: ImplicitMCCFR(RULES, seed=2),
    "ImplicitMCCFR, threads": lambda: ImplicitMCCFR(
        RULES, "lcfr", sampler="external", threads=2, executor="serial", period=2
    ),
    "ImplicitMCCFR, pure": lambda: ImplicitMCCFR(RULES, sampler="pure"),
    "FSICFR": lambda: FSICFR("dudo(sides=2)", seed=1),
    "XFP": lambda: XFP(tree("kuhn")),
    "CFRBR": lambda: CFRBR(tree("kuhn"), "cfr+"),
    "EFR": lambda: EFR(tree("leduc")),
    "EFR, behavioural": lambda: EFR(tree("kuhn(players=3)"), "bhv"),
    "RegretMatching": lambda: RegretMatching("shapley", seed=4, trace=4),
    "RegretMatching, plus": lambda: RegretMatching("rps", "regret-matching+", sampled=False),
    "SpotSolver": lambda: SpotSolver(TURN),
    "SpotSolver, predictive": lambda: SpotSolver(TURN, "pcfr+", threads=2),
    "SpotSolver, 16 bits": lambda: SpotSolver(TURN, storage="int16"),
    "SpotSolver, frequency": lambda: SpotSolver(LOCKED),
}
each = pytest.mark.parametrize(
    "make", [pytest.param(make, id=name) for name, make in SOLVERS.items()]
)


def leaves(found: Any) -> Iterator[bytes]:
    """All numbers of a state, arrays by their bits."""
    if is_dataclass(found):
        for field in fields(found):
            yield from leaves(getattr(found, field.name))
    elif isinstance(found, np.ndarray):
        yield found.tobytes()
    elif isinstance(found, Mapping):
        for name in sorted(found):
            yield from (name.encode(), *leaves(found[name]))
    elif isinstance(found, (tuple, list)):
        for item in found:
            yield from leaves(item)
    else:
        yield repr(found).encode()


def bits(solver: Any) -> list[bytes]:
    """The state and both strategies."""
    strategies = (solver.average_strategy(), solver.current_strategy())
    return [*leaves(solver.state), *(r.tobytes() for s in strategies for r in rows(s))]


def rows(strategy: Any) -> list[np.ndarray]:
    """The probabilities, one row per infoset or hand."""
    if isinstance(strategy, Strategy):
        return np.split(strategy.probabilities, strategy.tree.action_offset[1:-1])
    if isinstance(strategy, PackedStrategy):
        ends = np.cumsum(strategy.actions)
        return np.split(strategy.probabilities, ends[:-1]) if len(ends) else []
    if isinstance(strategy, SpotStrategy):
        lines = ("", "X", "X-B35", "X-X|2c", "X-X|2d|X", "X-B35-C|Ah|X")
        played = [played_at(strategy, line).T for line in lines]
        return [row for hands in played for row in hands if not np.isnan(row).any()]
    return [np.array(list(by_action.values())) for by_action in strategy]


def played_at(strategy: SpotStrategy, line: str) -> np.ndarray:
    """float64[A, 1326]: the probabilities of all hands."""
    return np.array([*strategy[line].values()])
