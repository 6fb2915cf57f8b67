"""Values and best responses against figures worked out elsewhere, and against brute force."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equilibrist.errors import MismatchError, UnsupportedError
from equilibrist.games import load_game
from equilibrist.reference.game_walk import GameWalk, walk
from equilibrist.reference.response import (
    best_response,
    best_response_value,
    expected_values,
    exploitability,
    nash_conv,
)
from tests.refusals import refuses


def uniform(tree: GameWalk) -> dict[str, list[float]]:
    return {k: [1 / len(i.actions)] * len(i.actions) for k, i in tree.infosets.items()}


def passing(table: dict[str, float]) -> dict[str, list[float]]:
    return {key: [p, 1.0 - p] for key, p in table.items()}


def betting(table: dict[str, float]) -> dict[str, list[float]]:
    return {key: [1.0 - p, p] for key, p in table.items()}


def test_uniform_kuhn() -> None:
    tree = walk(load_game("kuhn"))
    profile = uniform(tree)
    assert nash_conv(tree, profile) == pytest.approx(11 / 12, abs=1e-15)
    assert best_response_value(tree, profile, 0) == pytest.approx(0.5, abs=1e-15)
    assert best_response_value(tree, profile, 1) == pytest.approx(5 / 12, abs=1e-15)
    always_pass = passing(dict.fromkeys(tree.infosets, 1.0))
    assert nash_conv(tree, always_pass) == 2.0


def test_uniform_leduc() -> None:
    tree = walk(load_game("leduc"))
    assert nash_conv(tree, uniform(tree)) == pytest.approx(4.747222222222222, abs=1e-12)
    first = {k: [1.0] + [0.0] * (len(i.actions) - 1) for k, i in tree.infosets.items()}
    assert nash_conv(tree, first) == pytest.approx(2.0, abs=1e-12)


def test_uniform_three_player_kuhn() -> None:
    tree = walk(load_game("kuhn(players=3)"))
    profile = uniform(tree)
    assert expected_values(tree, profile) == pytest.approx([15 / 64, -3 / 64, -3 / 16])
    responses = [best_response_value(tree, profile, i) for i in range(3)]
    assert responses == pytest.approx([25 / 32, 31 / 48, 61 / 96])
    assert nash_conv(tree, profile) == pytest.approx(33 / 16)


@pytest.mark.parametrize("alpha", [0.0, 0.1, 0.25, 1 / 3])
def test_kuhn_equilibria(alpha: float) -> None:
    """The whole family, value -1/18: Kuhn 1950."""
    third = 1 / 3
    bets = {"1": alpha, "2": 0.0, "3": 3 * alpha, "1pb": 0.0, "2pb": alpha + third, "3pb": 1.0}
    bets |= {"1p": third, "2p": 0.0, "3p": 1.0, "1b": 0.0, "2b": third, "3b": 1.0}
    game = load_game("kuhn")
    assert expected_values(game, betting(bets)) == pytest.approx([-1 / 18, 1 / 18], abs=1e-15)
    assert nash_conv(game, betting(bets)) == pytest.approx(0.0, abs=1e-15)
    spoilt = betting({**bets, "2pb": alpha + 0.2})
    assert nash_conv(game, spoilt) > 0.01


def test_a_three_player_equilibrium() -> None:
    """Szafron, Gibson and Sturtevant 2013 with beta = 0: values -1/48, -1/48, 1/24."""
    bets = dict.fromkeys(walk(load_game("kuhn(players=3)")).infosets, 0.0)
    for facing_bet in ("pbp", "pbb", "ppb", "b", "ppbp", "ppbb", "pb", "bp", "bb"):
        bets["4" + facing_bet] = 1.0
    bets |= {"3pbp": 0.5, "3ppbp": 0.5, "3b": 0.25, "3bp": 0.25, "3bb": 0.7, "2pp": 0.5, "4pp": 1.0}
    game = load_game("kuhn(players=3)")
    values = expected_values(game, betting(bets))
    assert values == pytest.approx([-1 / 48, -1 / 48, 1 / 24], abs=1e-15)
    assert nash_conv(game, betting(bets)) == pytest.approx(0.0, abs=1e-15)
    assert nash_conv(game, betting({**bets, "3bp": 0.35})) > 0.001
    with refuses(UnsupportedError, option="num_players", given=3):
        exploitability(game, betting(bets))


HEADER = ("1", "1b", "1p", "1pb", "2", "2b", "2p", "2pb", "3", "3b", "3p", "3pb")
TABLES = {
    "A": """
        0.8574384003665548 0.999985067494923 0.660594597675478 0.9999911732218897
        0.9997037628675545 0.6618884775698471 0.9999699762812622 0.5291090066614956
        0.5781543746887431 3.0112318949682314e-05 1.5056159474841157e-05 1.2844892512449064e-05
    """,
    "B": """
        0.9005897997728478 0.9999998499623105 0.6660743153746168 0.999999916728828
        0.9999943092803633 0.6667338506314542 0.9999989492266308 0.5656811999441647
        0.7008390070018635 1.498520660404049e-07 1.498520660404049e-07 1.0708730371989468e-07
    """,
    "C": """
        0.8273490325307964 0.999998499111474 0.6667986655056403 0.9999990919856274
        0.9999405784977654 0.6643358318791153 0.9999801511805928 0.4941674200495377
        0.4823765523726862 1.5010912933702802e-06 1.5010912933702802e-06 1.555232740630912e-06
    """,
    "D": """
        0.834303037809882 0.9999984955709609 0.6659521147790602 0.9999991023431777
        0.9999750183896345 0.662709856181752 0.9999927129173443 0.5039222434922419
        0.5037166880570191 1.5008164441456152e-06 1.5008164441456152e-06 1.4874700238643287e-06
    """,
}
MEASURED = {"A": 1.851e-3, "B": 2.472e-4, "C": 2.420e-4, "D": 8.819e-4}


@pytest.mark.parametrize("name", TABLES)
def test_strategy_tables_of_the_tutorials(name: str) -> None:
    table = dict(zip(HEADER, map(float, TABLES[name].split()), strict=True))
    expected = MEASURED[name]
    assert exploitability(load_game("kuhn"), passing(table)) == pytest.approx(expected, abs=5e-7)


def test_outcome_sampling_table() -> None:
    numbers = (0.805, 0.97, 0.68, 0.97, 0.97, 0.56, 0.94, 0.47, 0.422, 0.03, 0.03, 0.03)
    profile = passing(dict(zip(HEADER, numbers, strict=True)))
    game = load_game("kuhn")
    assert exploitability(game, profile) == pytest.approx(1.866e-2, abs=5e-6)
    assert expected_values(game, profile)[0] == pytest.approx(-0.0507, abs=5e-5)


def brute_force(tree: GameWalk, profile: dict[str, list[float]], player: int) -> float:
    """The best of all pure strategies, each evaluated as a profile."""
    own = [k for k, i in tree.infosets.items() if i.player == player]
    best = float("-inf")
    for pure in product(*(range(len(tree.infosets[k].actions)) for k in own)):
        rows = {
            key: [float(a == b) for b in range(len(tree.infosets[key].actions))]
            for key, a in zip(own, pure, strict=True)
        }
        best = max(best, expected_values(tree, {**profile, **rows})[player])
    return best


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), players=st.integers(1, 3), data=st.data())
def test_best_response_is_the_best_pure_strategy(seed, players, data) -> None:
    tree = walk(load_game(f"random_tree(seed={seed},players={players},depth=4,zero_sum=false)"))
    profile = {}
    for key, infoset in tree.infosets.items():
        n = len(infoset.actions)
        row = data.draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))
        profile[key] = [x / sum(row) for x in row] if sum(row) else [1 / n] * n
    for player in range(players):
        sizes = [len(i.actions) for i in tree.infosets.values() if i.player == player]
        product_of_sizes = 1
        for size in sizes:
            product_of_sizes *= size
        if product_of_sizes > 3000:
            continue
        value, choice = best_response(tree, profile, player)
        assert value == pytest.approx(brute_force(tree, profile, player), abs=1e-12)
        assert set(choice) == {k for k, i in tree.infosets.items() if i.player == player}
        rows = {
            key: [float(a == b) for b in range(len(tree.infosets[key].actions))]
            for key, a in choice.items()
        }
        assert expected_values(tree, {**profile, **rows})[player] == pytest.approx(value, abs=1e-12)


def test_profiles_that_do_not_fit() -> None:
    tree = walk(load_game("kuhn"))
    profile = uniform(tree)
    with refuses(MismatchError, option="infoset", given="2p"):
        expected_values(tree, {**profile, "2p": [0.2, 0.3, 0.5]})
    del profile["3pb"]
    with refuses(MismatchError, option="infoset", given="3pb"):
        nash_conv(tree, profile)


def test_exploitability_needs_a_constant_sum() -> None:
    game = load_game("battle_of_the_sexes")
    with refuses(UnsupportedError, option="num_players", given=2):
        exploitability(game, uniform(walk(game)))
