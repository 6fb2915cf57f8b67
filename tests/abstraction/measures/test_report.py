"""Reports: bounds, one seat only, and what is measured where there is no linear programme."""

from __future__ import annotations

import json

import numpy as np
import pytest

from equilibrist.abstraction import Abstraction, make_abstraction
from equilibrist.abstraction.measures.bounds import symmetry_bound
from equilibrist.abstraction.measures.numbers import Measures
from equilibrist.abstraction.measures.report import report, seat_only
from equilibrist.errors import ConfigError, MismatchError, RecallError
from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.tree import GameTree

SWAP = {"J": "Q", "Q": "J", "K": "K"}


@pytest.fixture(scope="module")
def leduc() -> GameTree:
    return compile_game("leduc(suit_isomorphism=true)")


def swapped(key: str) -> str:
    hand, slash, rest = key.partition("/")
    return SWAP[hand[0]] + hand[1:] + slash + (SWAP[rest[0]] + rest[1:] if rest else "")


def test_bound_where_payoffs_alone_tell_jack_and_queen_apart(leduc: GameTree) -> None:
    merged = Abstraction.from_keys(leduc, [min(k, swapped(k)) for k in leduc.infoset_keys])
    bound = symmetry_bound(merged)
    assert bound is not None
    found = Measures(leduc).three_numbers(merged)
    assert bound.exploitability is not None
    assert 0.0 < found.equilibrium.exploitability <= bound.exploitability
    assert all(
        loss <= gain for loss, gain in zip(found.equilibrium.losses, bound.gains, strict=True)
    )
    # J and Q are told apart by payoffs at a showdown with K on the board alone: 2/15 of the deals,
    # of which the winner wins 13 at most, and the other loses as much: the middle is 0.
    assert bound.differences == pytest.approx((13 * 2 / 15,) * 2, abs=1e-12)


def test_bound_is_zero_without_loss_and_unknown_without_maps(leduc: GameTree) -> None:
    lossless = symmetry_bound(make_abstraction(compile_game("leduc"), "symmetry"))
    assert lossless is not None
    assert lossless.exploitability == 0.0
    assert symmetry_bound(make_abstraction(leduc, "cards(JQ.K,pair)")) is None


@pytest.mark.parametrize("delta", [0.05, 0.5])
def test_bound_of_a_small_difference(delta: float) -> None:
    """A little more for one jack costs at most the bound, and that is at most 2 delta."""
    from tests.abstraction.symmetry.test_lossless import Perturbed

    full = compile_game("leduc")
    tree = compile_game(Perturbed(full.game, delta))
    merged = Abstraction(tree, make_abstraction(full, "symmetry").abstract_of)
    found = report(tree, merged)
    assert found.bound is not None
    assert found.bound.exploitability is not None
    assert found.numbers is not None
    assert found.numbers.equilibrium.exploitability <= found.bound.exploitability <= 2 * delta


def test_bound_holds_with_three_players() -> None:
    """Three players: what CFR+ found gains no more than bounded, up to its own gains."""
    tree = compile_game("kuhn(players=3)")
    merged = make_abstraction(tree, "auto(1)")
    found = report(tree, merged)
    assert found.bound is not None
    assert found.bound.exploitability is None
    assert found.solved is not None
    for gain, most in zip(found.solved.evaluation.gains, found.bound.gains, strict=True):
        assert gain <= most + 1e-3


def test_one_seat_only(leduc: GameTree) -> None:
    both = make_abstraction(leduc, "cards(JQ.K,pair)")
    named = make_abstraction(leduc, "0:cards(JQ.K,pair)")
    only = seat_only(both, 0)
    assert np.array_equal(only.abstract_of, named.abstract_of)
    assert only.sizes() == ((144, 66), (144, 144))
    with pytest.raises(ConfigError) as seat:
        seat_only(both, 2)
    assert seat.value.option == "seat"


def test_report_of_least_numbers(leduc: GameTree) -> None:
    found = report(leduc, make_abstraction(leduc, "cards(JQ.K,pair)"))
    document = json.loads(json.dumps(found.to_dict()))
    assert document["measured_only"] is False
    assert document["numbers"]["equilibrium"]["exploitability"] == pytest.approx(0.489769, abs=1e-6)
    assert document["solved"] is None


def test_players_who_forget_are_measured(leduc: GameTree) -> None:
    found = report(leduc, make_abstraction(leduc, "memory(last=1)"), iterations=200)
    assert found.numbers is None
    assert found.solved is not None
    assert found.one_sided is not None
    for measured in (found.solved, found.one_sided):
        again = evaluate(measured.strategy)
        assert measured.evaluation.exploitability == again.exploitability
    assert found.to_dict()["measured_only"] is True


def test_what_cfr_finds_comes_close_to_the_least(
    leduc: GameTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the linear programme serves as well: one seat against an opponent who knows all."""
    abstraction = make_abstraction(leduc, "cards(JQ.K,pair)")
    least = Measures(leduc).three_numbers(abstraction)
    monkeypatch.setattr("equilibrist.abstraction.measures.report.LARGEST", 100)
    found = report(leduc, abstraction, iterations=2_000)
    assert found.numbers is None
    assert found.one_sided is not None
    assert found.solved is not None
    measured = found.one_sided.evaluation.exploitability
    assert measured == pytest.approx(least.representable.exploitability, abs=2e-3)
    assert measured >= least.representable.exploitability - 1e-9
    solved = found.solved.evaluation.exploitability
    assert solved is not None
    assert solved >= least.equilibrium.exploitability - 2e-3


def test_what_no_report_is_made_of(leduc: GameTree) -> None:
    with pytest.raises(MismatchError):
        report(leduc, Abstraction.identity(compile_game("kuhn")))
    with pytest.raises(ConfigError) as iterations:
        report(leduc, Abstraction.identity(leduc), iterations=0)
    assert iterations.value.option == "iterations"
    forgetful = compile_game("random_tree(seed=3,imperfect_recall=true)")
    with pytest.raises(RecallError):
        report(forgetful, Abstraction.identity(forgetful))
