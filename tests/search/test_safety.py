"""What no safe method may do: raise a seat's loss. Trunks near an equilibrium show it best."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.evaluation import best_response
from equilibrist.games import load_game
from equilibrist.search import Resolved, Subgames, TrunkValues, resolve
from tests.altered_games import Repaid
from tests.search.trunks import (
    DICE,
    LEDUC,
    ROOTS,
    ROUNDING,
    SAFE,
    playable,
    search_game,
    subgames,
    trunk,
)
from tests.slow_cases import slow_unless

NEAR = [
    *(f"{name} {count}" for name in ("cfr", "cfr+", "dcfr", "pcfr+") for count in (100, 300, 1000)),
    *(f"noise {share}" for share in (0.003, 0.01, 0.03)),
    "lp",
]
OTHERS = ["uniform", "pure", "texture", "noise 0.2", "random 1", "random 2"]
BY_DEFAULT = {"cfr+ 300", "noise 0.01", "dcfr 1000", "lp", "pure"}
TRUNKS = playable(
    slow_unless(
        lambda roots, kind: kind in BY_DEFAULT and roots in ("fifteen", "one bid", "two bids"),
        ROOTS,
        [*NEAR, *OTHERS],
    )
)


def solved(roots: str, kind: str, method: str, *, completion: bool = False) -> Resolved:
    found = subgames(roots)
    return resolve(trunk(ROOTS[roots][0], kind), roots=found, method=method, completion=completion)


def rises(found: Resolved) -> list[float]:
    """By how much the opponent's best response to each seat rose."""
    before = found.trunk_evaluation.best_response_values
    after = found.evaluation.best_response_values
    return [after[1 - seat] - before[1 - seat] for seat in range(2)]


@pytest.mark.drawn(16)
@pytest.mark.by_default(3)
@pytest.mark.parametrize(("roots", "kind"), TRUNKS)
def test_no_safe_method_raises_a_loss(roots: str, kind: str) -> None:
    margins: dict[str, list[float]] = {}
    for method in SAFE:
        found = solved(roots, kind, method)
        assert max(rises(found)) <= ROUNDING, method
        assert found.bound == (0.0, 0.0)
        margins[method] = [step.margin for step in found.steps if step.margin is not None]
        assert min(margins[method], default=0.0) >= -1e-7, method
        for step in found.steps:
            for hand in step.hands:
                assert hand.gift >= 0.0
                assert hand.after <= hand.alternative + 1e-8
    by_gifts = (margins[name] for name in ("reach", "reach-certain", "max-margin"))
    for reach, certain, plain in zip(*by_gifts, strict=True):
        assert reach >= certain - 1e-7
        assert certain >= plain - 1e-7


@pytest.mark.drawn(16)
@pytest.mark.parametrize(("roots", "kind"), TRUNKS)
def test_resolve_reaches_the_sum_of_the_alternatives(roots: str, kind: str) -> None:
    for step in solved(roots, kind, "resolve").steps:
        if step.objective is not None:
            total = sum(hand.alternative for hand in step.hands)
            assert step.objective == pytest.approx(total, abs=1e-9)


@pytest.mark.drawn(16)
@pytest.mark.parametrize(("roots", "kind"), TRUNKS)
def test_constrained_lies_between_unsafe_and_the_trunk(roots: str, kind: str) -> None:
    """In what the opponent's range earns."""
    unsafe, constrained = (solved(roots, kind, method) for method in ("unsafe", "constrained"))
    for least, step in zip(unsafe.steps, constrained.steps, strict=True):
        if step.objective is None or least.objective is None:
            continue
        kept = sum(hand.reach * hand.before for hand in step.hands)
        assert least.objective - 1e-8 <= step.objective <= kept + 1e-8


@pytest.mark.drawn(14)
@pytest.mark.parametrize(
    ("roots", "kind"),
    slow_unless(
        lambda roots, kind: (roots, kind) in {("five", "cfr+ 300"), ("one bid", "noise 0.03")},
        ROOTS,
        [*NEAR, "uniform", "noise 0.2"],
    ),
)
def test_no_method_beats_the_best_completion(roots: str, kind: str) -> None:
    for method in (*SAFE, "unsafe", "estimate-resolve", "estimate-max-margin"):
        found = solved(roots, kind, method, completion=True)
        for seat in range(2):
            least = found.completion[seat]
            assert least is not None
            assert found.after[seat] >= least - ROUNDING, method
            assert least <= found.before[seat] + ROUNDING


@pytest.mark.parametrize("roots", ROOTS)
@pytest.mark.parametrize("kind", ["lp", "cfr+ 100", "uniform", "noise 0.2"])
def test_values_agree_with_best_responses_of_the_whole_game(roots: str, kind: str) -> None:
    """What hands are worth, weighed with own reach of a best responder who comes to all roots."""
    game = ROOTS[roots][0]
    found, strategy = subgames(roots), trunk(game, kind)
    for seat in range(2):
        values = TrunkValues.of(found, strategy, seat)
        best = best_response(strategy, 1 - seat)
        search = found.search
        plan = search.own[1 - seat].reach(best.strategy.probabilities)
        coming = plan[found.hands[1 - seat].sequence]
        met = TrunkValues.of(found, best.strategy, seat)
        # With its best response o earns at a root what it is worth, where it comes.
        assert coming * met.expected == pytest.approx(coming * values.best, abs=1e-12)
        assert (values.expected <= values.best + 1e-15).all()


def test_the_equilibrium_is_an_optimum_of_every_unsafe_subgame() -> None:
    """Although another optimum may be exploitable."""
    found = solved("fifteen", "lp", "unsafe")
    for step in found.steps:
        if step.objective is not None:
            kept = sum(hand.reach * hand.before for hand in step.hands)
            assert step.objective == pytest.approx(kept, abs=1e-12)
    assert np.mean(found.after) > 0.02


def test_a_root_before_all_moves_is_the_whole_game() -> None:
    """Re-solved with full ranges it ends at an equilibrium."""
    for game, root in ((LEDUC, "??:"), (DICE, "??")):
        for method in ("unsafe", "constrained"):
            found = resolve(trunk(game, "uniform"), roots=root, method=method)
            assert found.after == pytest.approx((0.0, 0.0), abs=1e-9)


OTHER_GAMES = [
    ("goofspiel(cards=3)", "after move 1"),  # bids that nobody sees before both are made
    ("goofspiel(cards=4,imp_info=true)", "after move 1"),
    ("goofspiel(cards=4,imp_info=true,points_order=random)", "after chance 2"),
    ("kuhn_bets", "after move 1"),
    ("dudo(sides=3)", "after move 2"),
    ("liar_die(sides=4)", "after move 1"),  # rolls that one player sees, below the roots as well
    ("liar_die(sides=4)", "after move 2"),
    ("liars_dice(dice=[2,1],sides=2)", "after move 1"),
]


@pytest.mark.parametrize(
    ("where", "kind"),
    slow_unless(
        lambda where, kind: kind == "cfr 30" and "imp_info" not in where[0],
        OTHER_GAMES,
        ["uniform", "cfr 30", "cfr+ 300"],
    ),
)
def test_games_of_all_kinds(where: tuple[str, str], kind: str) -> None:
    game, roots = where
    found = Subgames.of(search_game(game), roots)
    strategy = trunk(game, kind)
    for method in SAFE:
        result = resolve(strategy, roots=found, method=method, completion=False)
        assert max(rises(result)) <= ROUNDING, method
    quick = resolve(
        strategy, roots=found, method="resolve", algorithm="cfr+", iterations=20, completion=False
    )
    for seat, risen in enumerate(rises(quick)):
        bound = quick.bound[seat]
        assert bound is not None
        assert risen <= bound + 1e-12


class Shifted(Repaid):
    """A thousandth of all chips, and 1,000 more for seat 0, as public as the game is."""

    def public_state(self, state: Any, /) -> str:
        rules: Any = self.game
        return str(rules.public_state(state))


@pytest.mark.by_default(3)
@pytest.mark.parametrize("method", ["max-margin", "resolve", "reach", "unsafe"])
@pytest.mark.parametrize("algorithm", ["lp", "cfr+"])
def test_payoffs_in_other_units(method: str, algorithm: str) -> None:
    """Figures are those of the game as it is, in its unit."""
    plain = trunk(LEDUC, "noise 0.2")
    tree = eq.compile_game(Shifted(load_game(LEDUC), 1e-3, (1_000.0, 0.0)))
    shifted = eq.Strategy(tree, plain.probabilities)
    options: dict[str, Any] = {"roots": "before chance", "method": method, "algorithm": algorithm}
    one, other = resolve(plain, **options), resolve(shifted, **options)
    for seat in range(2):
        assert other.before[seat] == pytest.approx(one.before[seat] / 1_000, abs=1e-11)
        if method != "resolve":
            assert other.after[seat] == pytest.approx(one.after[seat] / 1_000, abs=1e-6)
        assert other.after[seat] <= other.before[seat] + 1e-9 or method == "unsafe"
    for step, scaled in zip(one.steps, other.steps, strict=True):
        for hand, small in zip(step.hands, scaled.hands, strict=True):
            base = 1_000.0 * hand.weight * (step.seat == 1)
            for name in ("alternative", "before"):
                wanted = getattr(hand, name) / 1_000 + base
                assert getattr(small, name) == pytest.approx(wanted, abs=1e-9)
