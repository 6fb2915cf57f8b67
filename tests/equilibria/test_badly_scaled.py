"""Programmes on payoffs beside penalties, in other units, and with offsets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from equilibrist.abstraction.abstraction import Abstraction
from equilibrist.abstraction.measures.numbers import three_numbers
from equilibrist.equilibria import correlated, team_maxmin
from equilibrist.equilibria.nash.solving import NOTHING, nash_equilibria
from equilibrist.equilibria.selection import select_against, select_by_entropy
from equilibrist.errors import UnsupportedError
from equilibrist.exploitation import (
    ObservedPlay,
    data_biased_response,
    restricted_nash_response,
    safe_best_response,
)
from equilibrist.game import Game
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from tests.altered_games import Forbidding, Repaid, WithOnePayoff
from tests.equilibria.test_selection import dilated_entropy
from tests.refusals import check_error
from tests.slow_cases import slow
from tests.small_games import Written

SCALES = ((1e-12, 0.0), (1e12, 0.0), (1.0, 1e4), (1.0, 1e8))


def chicken(crash: float) -> Written:
    """Aumann's game: both yield for 6 each, or one dares for 7 and 2; both daring costs `crash`."""
    pays = {"dare": {"dare": (-crash, -crash), "yield": (7.0, 2.0)}}
    pays["yield"] = {"dare": (2.0, 7.0), "yield": (6.0, 6.0)}
    tree = {own: (1, "column", ends) for own, ends in pays.items()}
    return Written((0, "row", tree), 2, "chicken")


def legal_uniform(tree: GameTree, illegal: str = "illegal") -> Strategy:
    """Every legal action alike, nothing that is illegal."""
    rows = []
    for labels in tree.action_labels:
        legal = [float(label != illegal) for label in labels]
        rows += [one / sum(legal) for one in legal]
    return Strategy(tree, np.array(rows))


def _entropy(tree: GameTree, unit: float) -> tuple[list[float], list[float], float]:
    evaluation = select_by_entropy(tree).evaluation
    return [evaluation.values[0]], [], evaluation.nash_conv


def _against(tree: GameTree, unit: float) -> tuple[list[float], list[float], float]:
    found: Any = select_against(legal_uniform(tree))
    return [found.evaluation.values[0], *found.wins], [], found.evaluation.nash_conv


def _safe(tree: GameTree, unit: float) -> tuple[list[float], list[float], float]:
    found = safe_best_response(legal_uniform(tree), 0, 0.1 * unit)
    return [found.game_value, found.win], [], max(found.exploitability - 0.1 * unit, 0.0)


def _restricted(tree: GameTree, unit: float) -> tuple[list[float], list[float], float]:
    found = restricted_nash_response(legal_uniform(tree), 1, 0.5)
    return [found.game_value, (found.win + found.guarantee) / 2], [], 0.0


def _numbers(tree: GameTree, unit: float) -> tuple[list[float], list[float], float]:
    found = three_numbers(tree, Abstraction.identity(tree))
    losses = [found.equilibrium.exploitability, found.representable.exploitability]
    return [found.value, found.abstract_value], losses, 0.0


def _team(tree: GameTree, unit: float) -> tuple[list[float], list[float], float]:
    found = team_maxmin(tree, 0)
    return [found.value / 2, found.bound / 2], [], found.duality_gap


Measure = Callable[[GameTree, float], tuple[list[float], list[float], float]]
MEASURES: dict[str, tuple[Measure, int]] = {
    "entropy": (_entropy, 2),
    "against": (_against, 2),
    "safe": (_safe, 2),
    "restricted": (_restricted, 2),
    "numbers": (_numbers, 2),
    "team": (_team, 3),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("penalty", [1e6, 1e7, 1e9, 1e12])
def test_penalties_that_nobody_pays(name: str, penalty: float) -> None:
    measure, players = MEASURES[name]
    told = 0
    for seed in range(4):
        game = load_game(f"random_tree(seed={seed},players={players},depth=3)")
        values, losses, _ = measure(compile_game(game), 1.0)
        try:
            found = measure(compile_game(Forbidding(game, penalty)), 1.0)
        except UnsupportedError as refusal:
            if refusal.option != "payoffs":
                raise
            continue
        told += 1
        tolerance = 1e-7 + 4e-15 * penalty
        assert found[0] == pytest.approx(values, abs=tolerance)
        assert found[1] == pytest.approx(losses, abs=tolerance)
        assert found[2] <= tolerance
    assert told >= 2


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize(("scale", "shift"), SCALES)
def test_scaled_and_shifted_copies(name: str, scale: float, shift: float) -> None:
    measure, players = MEASURES[name]
    game = load_game(f"random_tree(seed=3,players={players},depth=4)")
    values, losses, _ = measure(compile_game(game), 1.0)
    found = measure(compile_game(Repaid(game, scale, shift)), scale)
    tolerance = 1e-7 * scale + 1e-15 * shift
    assert found[0] == pytest.approx([value * scale + shift for value in values], abs=tolerance)
    assert found[1] == pytest.approx([loss * scale for loss in losses], abs=tolerance)
    assert found[2] <= tolerance


@pytest.mark.parametrize("shift", [1e5, 1e8])
def test_kuhn_poker_for_stacks(shift: float) -> None:
    tree = compile_game(Repaid(load_game("kuhn"), 1.0, shift))
    for found in (select_by_entropy(tree), select_against(Strategy.uniform(tree))):
        assert found.evaluation.values[0] == pytest.approx(shift - 1 / 18, abs=1e-15 * shift)
        assert found.evaluation.nash_conv <= 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["plain", "stacks", "penalty"])
def test_leduc_beside_other_payoffs(kind: str) -> None:
    """Of its equilibria the ones that win most against uniform play, and with stacks entropy's."""
    game = load_game("leduc(suit_isomorphism=true)")
    shift, rounding = (1e5, 1e-9) if kind == "stacks" else (0.0, 1e-7)
    paid = Forbidding(game, 1e7) if kind == "penalty" else Repaid(game, 1.0, shift)
    tree = compile_game(paid)
    found = [select_against(legal_uniform(tree))]
    assert found[0].wins == pytest.approx((shift + 0.6220798, shift + 0.8708549), abs=1e-4)
    if kind == "stacks":
        found.append(select_by_entropy(tree))
    for one in found:
        assert one.evaluation.values[0] == pytest.approx(shift - 0.0856064241, abs=rounding)
        assert one.evaluation.nash_conv <= rounding


@pytest.mark.parametrize("concept", ["ce", "efce", "efcce", "cce"])
@pytest.mark.parametrize(("scale", "shift"), SCALES)
@pytest.mark.by_default(6)
def test_correlation_in_other_units(concept: str, scale: float, shift: float) -> None:
    for seed in range(4):
        game = load_game(f"random_tree(seed={seed},depth=3,zero_sum=false)")
        for objective in ("welfare", "fair"):
            plain = correlated(compile_game(game), concept, objective=objective)
            other = compile_game(Repaid(game, scale, (shift, -shift)))
            found = correlated(other, concept, objective=objective)
            assert max(found.gap.players) <= 1e-8 * scale + 1e-15 * abs(shift)
            if objective == "welfare":
                assert found.optimum / scale == pytest.approx(plain.optimum, abs=1e-7)


@pytest.mark.parametrize("crash", [1e3, 1e7, 1e9, 1e12])
def test_nobody_is_told_to_crash(crash: float) -> None:
    """Whoever is told to yield must expect a crash from daring now and then.

    Let both yield with probability a, and each dare alone with b: 6 a + 2 b >= 7 a - crash b, or
    b >= a / (crash + 2), where a + 2 b = 1. So b = 1 / (crash + 4), and welfare is 12 a + 18 b.
    """
    tree = compile_game(chicken(crash))
    for concept in ("ce", "efce"):
        found = correlated(tree, concept)
        assert max(found.gap.players) <= 1e-9 + 1e-16 * crash
        dares = 1.0 / (crash + 4.0)
        assert found.optimum == pytest.approx(12.0 - 6.0 * dares, rel=1e-14)


def test_small_payoffs_do_not_ease_an_equilibrium() -> None:
    """What an abstract equilibrium may fall short of is a share of the payoffs."""
    game = load_game("kuhn_bets(cards=5)")
    tree = compile_game(game)
    abstraction = Abstraction.from_keys(
        tree,
        [
            f"{k.replace('2', '1')} {p}"
            for k, p in zip(tree.infoset_keys, tree.infoset_player.tolist(), strict=True)
        ],
    )
    plain = three_numbers(tree, abstraction).equilibrium.exploitability
    assert plain > 0.0
    for scale in (1e-12, 1e-6, 1e-3, 1e6, 1e12):
        small = compile_game(Repaid(game, scale))
        found = three_numbers(small, Abstraction(small, abstraction.abstract_of))
        assert found.equilibrium.exploitability / scale == pytest.approx(plain, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("scale", "shift"), [(1e9, 0.0), (1e-12, 0.0), (1e12, 0.0), (1.0, 1e8)])
def test_gambit_finds_equilibria_in_any_unit(scale: float, shift: float) -> None:
    game = load_game("matrix(payoffs=[[[2,1],[0,0]],[[0,0],[1,2]]])")
    tree = compile_game(Repaid(game, scale, shift))
    plain = nash_equilibria(compile_game(game), "gambit-enummixed")
    found = nash_equilibria(tree, "gambit-enummixed")
    assert len(found.equilibria) == len(plain.equilibria) > 1
    assert found.claim == plain.claim


@pytest.mark.parametrize("method", [slow("gambit-enummixed"), slow("gambit-lcp"), "lemke-howson"])
def test_what_chance_never_does_sets_no_unit(method: str) -> None:
    """Matching pennies for a millionth, and 1e9 behind an outcome of probability 0."""
    coins = {"h": (1e-6, -1e-6), "t": (-1e-6, 1e-6)}
    other = {"h": (-1e-6, 1e-6), "t": (1e-6, -1e-6)}
    both = {"h": (1, "guess", coins), "t": (1, "guess", other)}
    never = {"h": (1e9, -1e9), "t": (5.0, -5.0)}
    root = {("never", 0.0): (0, "hide", never), ("always", 1.0): (0, "hide", both)}
    (one,) = nash_equilibria(compile_game(Written(("chance", root), 2)), method).equilibria
    assert one.evaluation.values == pytest.approx((0.0, 0.0), abs=1e-18)
    assert one.strategy.probabilities == pytest.approx(0.5)


@pytest.mark.slow
def test_gambit_goes_on_where_its_enumeration_finds_nothing() -> None:
    """A crash of 1e12 behind half of chance, so that nobody enters."""
    stay, step = (0.75, -0.75), (-1.0, 1.0)
    calm = {"enter": (1, "answer", {"a": (3.0, -3.0), "b": step}), "stay": stay}
    wild = {"enter": (1, "answer", {"a": (-1e12, 1e12), "b": step}), "stay": stay}
    root = {("calm", 0.5): (0, "first", calm), ("wild", 0.5): (0, "first", wild)}
    tree = compile_game(Written(("chance", root), 2))
    assert not nash_equilibria(tree, "gambit-enummixed").equilibria
    (one,) = nash_equilibria(tree, "gambit").equilibria
    assert one.evaluation.values == pytest.approx((0.75, -0.75))


def test_who_finds_nothing_claims_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from equilibrist.equilibria.nash import solving
    from equilibrist.equilibria.nash.candidates import Candidates

    nothing = Candidates("a method", "these are all", ())
    monkeypatch.setitem(solving.METHODS, "gambit-lcp", lambda _: nothing)
    assert nash_equilibria(compile_game(load_game("kuhn")), "gambit-lcp").claim == NOTHING


def test_payoffs_that_cancel_out_are_no_objective() -> None:
    late = {
        "a": (1, "late", {"l": (3.0, -3.0, 0.0), "r": (1.0, -4.0, 3.0)}),
        "b": (2, "b", {"l": (0.0, -1.0, 1.0), "r": (-2.0, -5.0, 7.0)}),
        "c": (
            "chance",
            {
                ("l", 1 / 8): (3.0, 1.0, -4.0),
                ("m", 0.5): (3.0, 1.0, -4.0),
                ("r", 3 / 8): (-5.0, -1.0, 6.0),
            },
        ),
    }
    first = {
        "l": (1, "after l", {"l": (-1.0, -2.0, 3.0), "r": (1.0, -4.0, 3.0)}),
        "r": ("chance", {("l", 3 / 7): (-3.0, 0.0, 3.0), ("r", 4 / 7): (-4.0, -3.0, 7.0)}),
    }
    last = {
        "a": (0, "a", {"l": (-4.0, -4.0, 8.0), "m": (-1.0, 3.0, -2.0), "r": (3.0, -4.0, 1.0)}),
        "b": ("chance", {("l", 0.25): (-2.0, -3.0, 5.0), ("r", 0.75): (-5.0, 5.0, 0.0)}),
        "c": (2, "c", {"l": (-2.0, -3.0, 5.0), "r": (-2.0, 5.0, -3.0)}),
    }
    late = {key: late[key] for key in ("c", "b", "a")}
    root = {
        ("x", 2 / 9): (1, "x", late),
        ("y", 4 / 9): (0, "y", first),
        ("z", 3 / 9): (2, "z", last),
    }
    tree = compile_game(Forbidding(Written(("chance", root), 3), 300.0))
    found = correlated(tree, "cce")
    assert found.optimum == pytest.approx(0.0, abs=1e-9)
    assert found.gap.total == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("penalty", [1e9, 1e12, 1e15])
@pytest.mark.parametrize("seed", [1, 17, 24])
def test_entropy_beside_penalties(seed: int, penalty: float) -> None:
    """What is forbidden changes nothing: the same entropy, and the same value."""
    game = load_game(f"random_tree(seed={seed},depth={3 + seed % 2})")
    plain = select_by_entropy(compile_game(game))
    found = select_by_entropy(compile_game(Forbidding(game, penalty)))
    tolerance = 1e-7 + 4e-15 * penalty
    assert found.evaluation.values[0] == pytest.approx(plain.evaluation.values[0], abs=tolerance)
    assert found.evaluation.nash_conv <= tolerance
    for player in (0, 1):
        most = dilated_entropy(plain.strategy, player)
        assert dilated_entropy(found.strategy, player) == pytest.approx(most, abs=1e-5)


@pytest.mark.parametrize(
    ("end", "payoff", "may_refuse"),
    [(0, -1e8, False), (3, 1e7, False), (22, 1e12, True)],
)
def test_entropy_beside_one_payoff(end: int, payoff: float, may_refuse: bool) -> None:
    """The same entropy as beside a smaller payoff, or none.

    At ends 3 and 22 a player may only do what ends there with a probability of one in so many, as
    a threat; an equilibrium without it is another one, with more entropy.
    """

    def entropies(payoff: float) -> list[float]:
        game: Game[Any] = load_game("kuhn")
        for player, paid in enumerate((payoff, -payoff)):
            game = WithOnePayoff(game, end, player, paid)
        chosen = select_by_entropy(compile_game(game)).strategy
        return [dilated_entropy(chosen, player) for player in (0, 1)]

    try:
        found = entropies(payoff)
    except UnsupportedError as refusal:
        check_error(refusal, UnsupportedError, option="payoffs", given=[-payoff, payoff])
        assert may_refuse
    else:
        assert found == pytest.approx(entropies(np.copysign(1e5, payoff)), abs=1e-3)


@pytest.mark.parametrize("offset", [1e4, 1e8])
@pytest.mark.parametrize("penalty", [1e6, 1e9, 1e12])
def test_stacks_beside_penalties(penalty: float, offset: float) -> None:
    """Matching pennies with a forbidden third action, stacks added: worth the stacks."""
    rows = [[1.0, 0.0, penalty], [-1.0, 2.0, penalty], [-penalty, -penalty, 0.0]]
    paid = np.array(rows) - 0.5
    tables = [(sign * paid + offset).tolist() for sign in (1.0, -1.0)]
    tree = compile_game(load_game(f"matrix(payoffs={tables})"))
    tolerance = 1e-6 + 4e-15 * (penalty + offset)
    for found in (select_by_entropy(tree), select_against(legal_uniform(tree, "2"))):
        assert found.evaluation.nash_conv <= tolerance
        assert found.evaluation.values[0] == pytest.approx(offset, abs=tolerance)
    for concept in ("ce", "cce"):
        device = correlated(tree, concept)
        assert max(device.gap.players) <= tolerance
        assert device.values == pytest.approx([offset, offset], abs=tolerance)


def unavoidable_gift(penalty: float) -> GameTree:
    """Player 1 is paid a third of the penalty by uniform play, and otherwise plays for units."""
    pay = {k: (float(k), -float(k)) for k in (-9, -6, -3, -1, 0, 1, 3, 5, 7)}
    gift, theirs = (-penalty, penalty), (penalty - 2.0, 2.0 - penalty)
    late = (1, "late", {"a": pay[3], "b": pay[0], "illegal": theirs})
    luck = ("chance", {("x", 0.6): pay[-1], ("y", 0.4): pay[-6]})
    left = (0, "left", {"a": late, "b": luck, "illegal": gift})
    last = (1, "last", {"a": pay[-3], "b": pay[5], "c": pay[7]})
    luck = ("chance", {("x", 0.8): pay[-9], ("y", 0.2): pay[1]})
    right = (0, "right", {"a": last, "b": luck})
    root = (1, "root", {"a": left, "b": right, "illegal": theirs})
    return compile_game(Written(root, 2, "unavoidable_gift"))


@pytest.mark.parametrize("penalty", [1e9, 1e10])
def test_compromises_beside_a_gift(penalty: float) -> None:
    """Neither tolerances nor slack are bought by the gift, which counts as a penalty."""
    tree = unavoidable_gift(penalty)
    uniform = Strategy.uniform(tree)
    tolerance = 16.0 * tree.rounding
    found = restricted_nash_response(uniform, 1, 0.5)
    assert found.win == pytest.approx(penalty / 3.0 + 1.0, abs=tolerance)
    assert found.guarantee == pytest.approx(0.0, abs=tolerance)
    safe = safe_best_response(uniform, 1, 0.0)
    assert safe.win == pytest.approx(5.0, abs=tolerance)
    selected: Any = select_against(uniform)
    assert selected.wins[1] == pytest.approx(5.0, abs=tolerance)


def test_a_biased_game_promises_what_its_plan_guarantees() -> None:
    """Player 1 is seen to give the penalty away with 0.24, and holds player 0 to -3 with 0.68."""
    tree = unavoidable_gift(1e10)
    counts = {"root": {"illegal": 3.0, "a": 1.0}, "late": {"b": 30.0}}
    found = data_biased_response(ObservedPlay.from_dict(tree, counts), 0)
    expected = 0.24 * (1e10 - 2.0) - 0.68 * 3.0
    assert found.bound == pytest.approx(expected, abs=16.0 * tree.rounding)
