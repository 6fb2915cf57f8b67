"""Known families of equilibria: recognised by game and strategy, claimed for nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from equilibrist.evaluation import describe, evaluate
from equilibrist.evaluation.kuhn_families import SITUATIONS
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.matrix.lp import solve_lp
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from tests.altered_games import Altered, Repaid, Reseated

F = Fraction


@cache
def tree_of(spec: str) -> GameTree:
    return compile_game(load_game(spec))


def kuhn_strategy(bets: Mapping[str, F | float], spec: str = "kuhn") -> Strategy:
    table = {key: {"pass": float(1 - p), "bet": float(p)} for key, p in bets.items()}
    return Strategy.from_dict(tree_of(spec), table)


def two_player_member(alpha: F) -> dict[str, F]:
    """Kuhn's family, written down from the paper."""
    third = F(1, 3)
    first = {"1": alpha, "1pb": F(0), "2": F(0), "2pb": alpha + third, "3": 3 * alpha, "3pb": F(1)}
    second = {"1p": third, "1b": F(0), "2p": F(0), "2b": third, "3p": F(1), "3b": F(1)}
    return first | second


def three_player_member(
    b11: F,
    b21: F,
    c11: F,
    *,
    b23: F | int = 0,
    b32: F | int = 0,
    c33: F | None = None,
    c34: F | int = 0,
) -> dict[str, F | int]:
    """Table 3 of Szafron, Gibson and Sturtevant in exact numbers, by our infoset keys."""
    beta = max(b11, b21)
    names: dict[str, F | int] = {
        f"{letter}{j}{k}": F(0) for letter in "abc" for j in range(1, 5) for k in range(1, 5)
    }
    for letter in "abc":
        for k in (2, 3, 4):
            names[f"{letter}4{k}"] = F(1)
    names |= {"a33": F(1, 2), "b11": b11, "b21": b21, "b23": b23, "b32": b32}
    names["b33"] = F(1, 2) + (b11 + b21) / 2 + beta / 2 - b23 * (1 - b21)
    names |= {"b41": 2 * b11 + 2 * b21, "c11": c11, "c21": F(1, 2) - c11, "c41": F(1)}
    names |= {"c33": F(1, 2) - b32 if c33 is None else c33, "c34": c34}
    seen = dict(SITUATIONS)
    return {f"{n[1]}{seen[n[0]][int(n[2]) - 1]}": value for n, value in names.items()}


MEMBERS = {
    "A": three_player_member(F(0), F(0), F(0)),
    "A, b21 at its most": three_player_member(F(1, 10), F(1, 4), F(0), b32=F(1, 5), c34=F(1)),
    "B": three_player_member(F(1, 5), F(1, 5), F(1, 4), b32=F(1, 3), c33=F(1, 3)),
    "C": three_player_member(F(1, 5), F(1, 10), F(1, 2), b23=F(1, 18), b32=F(1, 4), c34=F(1, 2)),
    "C, b11 at its most": three_player_member(F(1, 4), F(0), F(1, 2), b23=F(1, 8), c33=F(3, 4)),
}


@pytest.mark.parametrize("name", MEMBERS)
def test_members_of_the_three_player_family_are_equilibria(name: str) -> None:
    strategy = kuhn_strategy(MEMBERS[name], "kuhn(players=3)")
    evaluation = evaluate(strategy)
    assert max(evaluation.gains) < 1e-12
    report = describe(strategy)
    assert report is not None
    assert report.max_residual < 1e-12
    assert report.member == name[0]
    beta = max(MEMBERS[name]["1p"], MEMBERS[name]["2p"])
    assert report.parameters["beta"] == pytest.approx(float(beta))
    u = -(F(1, 2) + beta) / 24, F(-1, 48), (1 + beta) / 24
    assert evaluation.values == pytest.approx([float(x) for x in u], abs=1e-15)
    assert report.family_values == pytest.approx([float(x) for x in u], abs=1e-15)


@pytest.mark.parametrize(
    ("key", "change"),
    [("1ppb", 0.1), ("3pbp", 0.1), ("3ppbp", -0.1), ("4p", 0.1), ("1pp", 0.1), ("3bp", -0.3)],
)
def test_leaving_the_family_is_noticed_and_costs(key: str, change: float) -> None:
    """One condition of each kind broken: forced, a33, b33, b41, c21, and a bound on c33."""
    bets = dict(MEMBERS["B"]) | {key: float(MEMBERS["B"][key]) + change}
    strategy = kuhn_strategy(bets, "kuhn(players=3)")
    assert describe(strategy) is None
    report = describe(strategy, tolerance=1.0)
    assert report is not None
    assert 0.05 < report.max_residual <= abs(change) + 1e-12
    assert evaluate(strategy).nash_conv > 1e-4


def test_b33_without_its_last_term_is_not_an_equilibrium() -> None:
    bets: dict[str, F | float] = dict(MEMBERS["C"])
    bets["3ppbp"] = F(1, 2) + (bets["1p"] + bets["2p"]) / 2 + bets["1p"] / 2
    assert evaluate(kuhn_strategy(bets, "kuhn(players=3)")).nash_conv > 1e-3


@cache
def solved_three_player_kuhn():
    return CFR(tree_of("kuhn(players=3)"), "dcfr", alternating=True).run(5000).average_strategy()


def test_dcfr_finds_the_family_of_three_player_kuhn() -> None:
    strategy = solved_three_player_kuhn()
    evaluation = evaluate(strategy)
    assert evaluation.nash_conv < 1e-6
    assert evaluation.values[1] == pytest.approx(-1 / 48, abs=1e-5)
    assert -1 / 32 - 1e-6 < evaluation.values[0] < -1 / 48 + 1e-6
    report = describe(strategy)
    assert report is not None
    forced = [c for c in report.conditions if c.kind == "forced"]
    assert len(forced) == 21
    assert all(abs(c.left - c.right) < 1e-6 for c in forced)
    equations = [c for c in report.conditions if c.kind == "equation"]
    assert len(equations) == 20 + sum(c.formula.startswith("c11 =") for c in equations)
    assert all(abs(c.left - c.right) < 1e-4 for c in equations)
    assert report.residual("bound") < 1e-4
    assert report.max_residual < 1e-4
    assert report.values == pytest.approx(report.family_values, abs=1e-6)


def test_too_few_iterations_miss_the_family() -> None:
    early = CFR(tree_of("kuhn(players=3)"), "dcfr").run(20).average_strategy()
    assert describe(early) is None
    assert describe(early, tolerance=1.0).max_residual > 0.05


@pytest.mark.parametrize("alpha", [F(0), F(1, 10), F(1, 4), F(1, 3)])
def test_members_of_the_two_player_family(alpha: F) -> None:
    strategy = kuhn_strategy(two_player_member(alpha))
    evaluation = evaluate(strategy)
    assert evaluation.nash_conv < 1e-15
    assert evaluation.values == pytest.approx([-1 / 18, 1 / 18], abs=1e-15)
    report = describe(strategy)
    assert report is not None
    assert report.parameters == {"alpha": pytest.approx(float(alpha), abs=1e-12)}
    assert report.max_residual < 1e-12
    assert report.family_values == (-1 / 18, 1 / 18)


def test_alpha_above_a_third_is_no_member() -> None:
    bets = two_player_member(F(1, 3)) | {"1": F(2, 5), "2pb": F(11, 15)}
    report = describe(kuhn_strategy(bets), tolerance=1.0)
    assert report.parameters["alpha"] <= 1 / 3
    assert report.max_residual > 0.05


def test_the_nearest_alpha_is_found() -> None:
    """alpha 0.2, then the king's bet off by 0.04: the least greatest deviation is a quarter."""
    bets = {key: float(p) for key, p in two_player_member(F(1, 5)).items()}
    report = describe(kuhn_strategy(bets | {"3": 0.64}))
    assert report.parameters["alpha"] == pytest.approx(0.21)
    assert report.max_residual == pytest.approx(0.01)


def test_an_unreached_infoset_does_not_count() -> None:
    """With alpha = 1/3 the king always bets, so the strategy after a pass is irrelevant."""
    bets = two_player_member(F(1, 3)) | {"3pb": F(1, 2)}
    assert describe(kuhn_strategy(bets)).max_residual < 1e-12
    bets = two_player_member(F(1, 5)) | {"3pb": F(1, 2)}
    assert describe(kuhn_strategy(bets)) is None


@pytest.mark.parametrize("algorithm", ["cfr+", "dcfr", "pdcfr+"])
def test_solvers_end_in_kuhns_family(algorithm: str) -> None:
    report = describe(CFR(tree_of("kuhn"), algorithm).run(2000).average_strategy())
    assert report is not None
    assert report.max_residual < 5e-3
    assert 0 <= report.parameters["alpha"] <= 1 / 3
    assert report.values[0] == pytest.approx(-1 / 18, abs=1e-4)


def test_the_linear_programme_ends_in_kuhns_family() -> None:
    assert describe(solve_lp(tree_of("kuhn")).strategy).max_residual < 1e-9


def test_uniform_play_is_in_no_family() -> None:
    for spec in ("kuhn", "kuhn(players=3)"):
        assert describe(Strategy.uniform(tree_of(spec))) is None


class Renamed(Altered):
    def infoset(self, state, /) -> str:
        return "infoset " + self.game.infoset(state)

    def actions(self, state, /) -> tuple[str, ...]:
        return tuple("~" + label for label in self.game.actions(state))


def test_names_do_not_matter() -> None:
    tree = compile_game(Renamed(load_game("kuhn"), "somebody's own Kuhn"))
    report = describe(CFR(tree, "dcfr").run(1000).average_strategy())
    assert report is not None
    assert report.name == "two-player Kuhn poker"


@pytest.mark.parametrize(
    "game",
    [
        load_game("kuhn(players=3,ante=2)"),
        load_game("kuhn(players=3,cards=5)"),
        load_game("kuhn(players=4)"),
        load_game("kuhn(bet=2)"),
        load_game("kuhn(cards=4)"),
        load_game("leduc"),
        load_game("matching_pennies"),
        Repaid(load_game("kuhn"), 2.0),
        Repaid(load_game("kuhn(players=3)"), 1.0, 0.001),
        Reseated(load_game("kuhn(players=3)"), [1, 2, 0]),
    ],
    ids=lambda game: game.name,
)
def test_no_other_game_has_a_family(game) -> None:
    strategy = CFR(compile_game(game), "dcfr").run(300).average_strategy()
    assert describe(strategy, tolerance=10.0) is None


def test_a_same_looking_game_with_other_chances_has_no_family() -> None:
    class Loaded(Altered):
        def chance(self, state, /) -> Sequence[float]:
            return (0.5, 0.25, 0.25) if not state[0] else self.game.chance(state)

    tree = compile_game(Loaded(load_game("kuhn"), "loaded"))
    assert describe(Strategy.uniform(tree), tolerance=10.0) is None


def test_reports_print_and_serialise() -> None:
    report = describe(solved_three_player_kuhn())
    text = str(report)
    assert "three-player Kuhn" in text
    assert "beta = " in text
    assert "sub-family" in text
    assert "Szafron" in text
    document = json.loads(json.dumps(report.to_dict()))
    assert document["max_residual"] == report.max_residual
    assert len(document["conditions"]) == len(report.conditions)
    assert "alpha = 0.2" in str(describe(kuhn_strategy(two_player_member(F(1, 5)))))


def test_the_report_measures_what_the_strategy_does() -> None:
    strategy = solved_three_player_kuhn()
    report = describe(strategy)
    evaluation = evaluate(strategy)
    assert report.values == evaluation.values
    assert report.nash_conv == evaluation.nash_conv
    assert np.isfinite(report.max_residual)
