"""What action abstractions cost: exact figures, and what must hold for all of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equilibrist.abstraction import ActionNumbers, action_numbers, make_action_abstraction
from equilibrist.errors import ConfigError, GameSpecError, UnknownNameError, UnsupportedError
from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.tree.compile import build_tree
from tests.abstraction.actions.two_bets import TwoBets
from tests.refusals import refuses
from tests.slow_cases import examples

LOSSES = {  # seat 0 and seat 1 by the least exploitable abstract equilibrium
    (3, "down"): (0.055556, 0.055556),
    (3, "up"): (0.0, 0.0),
    (3, "half"): (0.0, 0.0),
    (3, "pseudo-harmonic"): (0.0, 0.0),
    (13, "down"): (0.043397, 0.068462),
    (13, "up"): (0.039231, 0.134102),
    (13, "half"): (0.002692, 0.005641),
    (13, "pseudo-harmonic"): (0.000449, 0.001795),
}
VALUES = {
    3: (-1 / 18, -1 / 18),
    5: (-0.066667, -0.064848),
    13: (-0.058718, -0.056923),
}


@pytest.fixture(scope="module")
def numbers() -> dict[int, ActionNumbers]:
    return {
        cards: action_numbers(
            make_action_abstraction(compile_game(f"kuhn_bets(cards={cards})"), "bets=1,3")
        )
        for cards in VALUES
    }


@pytest.mark.parametrize("cards", VALUES)
def test_values(numbers: dict[int, ActionNumbers], cards: int) -> None:
    found = numbers[cards]
    assert (found.value, found.restricted_value) == pytest.approx(VALUES[cards], abs=5.1e-7)
    assert found.missing == {}


@pytest.mark.parametrize(("cards", "mapping"), LOSSES)
def test_losses(numbers: dict[int, ActionNumbers], cards: int, mapping: str) -> None:
    table = {one.mapping: one for one in numbers[cards].translations}
    equilibrium = table[mapping].equilibrium
    assert equilibrium.losses == pytest.approx(LOSSES[cards, mapping], abs=5.1e-7)
    assert equilibrium.exploitability == pytest.approx(sum(equilibrium.losses) / 2)
    assert evaluate(equilibrium.strategy).exploitability == pytest.approx(
        equilibrium.exploitability, abs=1e-9
    )
    # A bet of 2 is as near to 1 as to 3.
    assert table["nearest"].equilibrium.losses == pytest.approx(
        table["down"].equilibrium.losses, abs=1e-9
    )


TWICE = {"pseudo-harmonic": 0.0, "half": 1 / 63, "nearest": 5 / 18, "down": 5 / 18, "up": 29 / 126}
"""Player 1's loss where bets are met twice; player 0, who meets none, loses 1/126."""


def test_bets_that_are_met_twice() -> None:
    found = action_numbers(make_action_abstraction(build_tree(TwoBets()), "bets=1,3"))
    losses = {one.mapping: one.equilibrium.losses for one in found.translations}
    for name, loss in TWICE.items():
        assert losses[name] == pytest.approx((1 / 126, loss), abs=1e-7)


def test_nothing_left_out_costs_nothing() -> None:
    found = action_numbers(make_action_abstraction(compile_game("kuhn_bets"), "all"), ["half"])
    assert found.value == pytest.approx(found.restricted_value)
    assert found.translations[0].equilibrium.losses == pytest.approx((0.0, 0.0), abs=1e-7)


@settings(max_examples=examples(40, few=6))
@given(
    st.sets(st.sampled_from((1, 2, 3, 4)), min_size=1, max_size=3),
    st.sampled_from(("facts", "fractions")),
)
def test_no_equilibrium_loses_less_than_the_least_exploitable_strategy(
    sizes: set[int], told: str
) -> None:
    tree = build_tree(TwoBets(3, (1, 2, 3, 4), told))
    text = "bets=" + ",".join(map(str, sorted(sizes)))
    found = action_numbers(make_action_abstraction(tree, text), ["pseudo-harmonic", "up"])
    for one in found.translations:
        for loss, least in zip(one.equilibrium.losses, one.representable.losses, strict=True):
            assert loss >= least - 1e-7
            assert least >= -1e-7
    # Player 0 faces no bets: what they can play is the same, however bets are translated.
    assert found.translations[0].representable.losses[0] == pytest.approx(
        found.translations[1].representable.losses[0], abs=1e-7
    )


def test_what_is_refused() -> None:
    actions = make_action_abstraction(compile_game("kuhn_bets"), "bets=1,3")
    with refuses(ConfigError, option="mappings"):
        action_numbers(actions, "half")
    with refuses(UnknownNameError, option="translate", given="harmonic"):
        action_numbers(actions, ["harmonic"])
    untold = make_action_abstraction(build_tree(TwoBets(told="nothing")), "bets=1,3")
    with refuses(GameSpecError, option="translate"):
        action_numbers(untold, ["pseudo-harmonic"])
    found = action_numbers(untold)
    assert [*found.missing] == ["pseudo-harmonic"]
    assert [one.mapping for one in found.translations] == ["nearest", "half", "down", "up"]
    sheriff = make_action_abstraction(compile_game("sheriff"), "offer=0,3")
    with refuses(UnsupportedError, option="game", given="sheriff"):
        action_numbers(sheriff)
    sizes = ",".join(map(str, range(1, 301)))
    large = compile_game(f"kuhn_bets(sizes=[{sizes}])")
    with refuses(UnsupportedError, option="sequences", given=large.num_sequences, expected=5_000):
        action_numbers(make_action_abstraction(large, "bets=1,3"))
