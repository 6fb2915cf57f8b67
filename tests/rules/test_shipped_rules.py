"""The shipped rules are those of the games of the same names, and their keys pack infosets."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from equilibrist.errors import ConfigError, GameSpecError
from equilibrist.game import TERMINAL
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.rules.game import RulesGame
from equilibrist.rules.module import load_rules
from equilibrist.solvers.sampling.mccfr import MCCFR
from tests.refusals import refuses

DOWN = "points_order=descending"
UP = "points_order=ascending"
POINTS = "returns_type=total_points"
DIFFERENCE = "returns_type=point_difference"
SAME = [
    ("liars_dice(sides=2)", "liars_dice(sides=2)"),
    ("liars_dice(sides=4)", "liars_dice(sides=4)"),
    ("liars_dice(dice=2,sides=2)", "liars_dice(dice=2,sides=2)"),
    ("liars_dice(players=3,sides=2)", "liars_dice(players=3,sides=2)"),
    ("leduc", "leduc"),
    ("leduc(ranks=2,suits=3,raise_cap=1)", "leduc(ranks=2,suits=3,raise_cap=1)"),
    ("leduc(ante=3,bet=1,second_bet=5,raise_cap=3)", "leduc(ante=3,bets=[1,5],raise_cap=3)"),
    ("leduc(players=3,ranks=2,raise_cap=1)", "leduc(players=3,ranks=2,raise_cap=1)"),
    ("goofspiel", f"goofspiel(imp_info=true,{DOWN})"),
    ("goofspiel(imp_info=0)", f"goofspiel({DOWN})"),
    ("goofspiel(cards=3,order=0)", "goofspiel(cards=3,imp_info=true)"),
    ("goofspiel(cards=3,order=0,imp_info=0)", "goofspiel(cards=3)"),
    ("goofspiel(order=1,returns=1)", f"goofspiel(imp_info=true,{UP},{DIFFERENCE})"),
    (
        "goofspiel(cards=3,players=3,returns=2)",
        f"goofspiel(cards=3,players=3,imp_info=true,{DOWN},{POINTS})",
    ),
    ("goofspiel(cards=3,players=3,imp_info=0)", f"goofspiel(cards=3,players=3,{DOWN})"),
]


def rules_game(spec: str) -> RulesGame:
    game = load_game(f"rules:{spec}")
    assert isinstance(game, RulesGame)
    return game


@pytest.mark.by_default(2)
@pytest.mark.parametrize(("rules", "game"), SAME)
def test_the_compiled_games_are_the_same(rules: str, game: str) -> None:
    """Histories, infosets, labels, chance and payoffs: all of it, in the same order."""
    ours, theirs = compile_game(rules_game(rules)), compile_game(load_game(game))
    assert ours.infoset_keys == theirs.infoset_keys
    assert ours.action_labels == theirs.action_labels
    assert np.array_equal(ours.walk.payoff, theirs.walk.payoff)
    assert ours.fingerprint == theirs.fingerprint


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    ("rules", "game"), [pair for pair in SAME if pair[0].startswith(("leduc", "liars"))]
)
def test_what_is_public_is_the_same(rules: str, game: str) -> None:
    ours, theirs = compile_game(rules_game(rules)), compile_game(load_game(game))
    assert ours.walk.public_event is not None
    assert theirs.walk.public_event is not None
    assert np.array_equal(ours.walk.public_event, theirs.walk.public_event)
    assert ours.walk.event_state is not None
    assert theirs.walk.event_state is not None
    assert np.array_equal(ours.walk.event_state, theirs.walk.event_state)


@pytest.mark.parametrize("game", ["leduc", "leduc(players=3,ranks=2,raise_cap=1)"])
def test_public_chance_sampling_finds_the_same(game: str) -> None:
    """On rules as on the game of the same name, bit for bit."""
    ours, theirs = (
        MCCFR(compile_game(load_game(spec)), sampler="public-chance", seed=3).run(20).state
        for spec in (f"rules:{game}", game)
    )
    assert np.array_equal(ours.regret, theirs.regret)
    assert np.array_equal(ours.strategy_sum, theirs.strategy_sum)
    assert ours.nodes_touched == theirs.nodes_touched
    with refuses(ConfigError, option="public_state"):
        MCCFR("rules:goofspiel", sampler="public-chance")


@pytest.mark.by_default(2)
@pytest.mark.parametrize("rules", [rules for rules, _ in SAME])
def test_infosets_and_packed_keys_go_together(rules: str) -> None:
    game = rules_game(rules)
    pairs = set()
    owners: dict[tuple[int, int], int] = {}
    waiting = [game.initial_state()]
    while waiting:
        state = waiting.pop()
        player = game.player(state)
        if player == TERMINAL:
            continue
        if player >= 0:
            pairs.add((game.infoset(state), game.packed(state)))
            assert owners.setdefault(game.packed(state), player) == player
        waiting += [game.next(state, a) for a in range(len(game.actions(state)))]
    assert set(Counter(text for text, _ in pairs).values()) == {1}
    assert set(Counter(packed for _, packed in pairs).values()) == {1}
    assert dict(pairs) == game.packed_keys()


LARGE = [
    "liars_dice(dice=2,sides=6)",
    "goofspiel(cards=8)",
    "leduc(players=3)",
    "leduc(ranks=5,suits=3)",
]


@pytest.mark.by_default(1)
@pytest.mark.parametrize("rules", LARGE)
def test_keys_of_the_large_games_are_read_back(rules: str) -> None:
    """Along random play: one text per key, and one key per text."""
    game = rules_game(rules)
    generator = np.random.default_rng(1)
    by_text: dict[str, tuple[int, int]] = {}
    by_key: dict[tuple[int, int], tuple[str, int]] = {}
    for _ in range(2000):
        state = game.initial_state()
        moves = 0
        while (player := game.player(state)) != TERMINAL:
            if player >= 0:
                text, packed = game.infoset(state), game.packed(state)
                assert by_text.setdefault(text, packed) == packed
                assert by_key.setdefault(packed, (text, player)) == (text, player)
                assert len(game.actions(state)) <= game.rules.max_actions
            state = game.next(state, int(generator.integers(len(game.actions(state)))))
            moves += 1
        assert moves <= game.rules.max_moves
        assert abs(sum(game.payoffs(state))) < 1e-12
    assert len(by_text) > 500


@pytest.mark.parametrize(
    ("module", "parameter", "others", "smallest", "largest"),
    [
        ("liars_dice", "dice", {}, 1, 5),
        ("liars_dice", "dice", {"sides": 2}, 1, 8),
        ("liars_dice", "sides", {}, 2, 31),
        ("liars_dice", "players", {"sides": 2}, 2, 10),
        ("goofspiel", "cards", {}, 2, 13),
        ("goofspiel", "cards", {"imp_info": 0}, 2, 16),
        ("goofspiel", "cards", {"imp_info": 0, "order": 0}, 2, 10),
        ("goofspiel", "players", {"cards": 2}, 2, 10),
        ("goofspiel", "order", {}, -1, 1),
        ("goofspiel", "returns", {}, 0, 2),
        ("goofspiel", "imp_info", {}, 0, 1),
        ("leduc", "players", {}, 2, 10),
        ("leduc", "ranks", {"suits": 4}, 0, 13),
        ("leduc", "suits", {}, 1, 4),
        ("leduc", "raise_cap", {}, 0, 27),
        ("leduc", "ante", {}, 0, None),
        ("leduc", "bet", {}, 1, None),
        ("leduc", "second_bet", {}, 1, None),
    ],
)
def test_what_cannot_be_packed_or_makes_no_sense_is_refused(
    module: str, parameter: str, others: dict[str, int], smallest: int, largest: int | None
) -> None:
    load_rules(module, **{parameter: smallest}, **others)
    refused = [smallest - 1]
    if largest is not None:
        load_rules(module, **{parameter: largest}, **others)
        refused.append(largest + 1)
    for value in refused:
        with refuses(GameSpecError, option="fits"):
            load_rules(module, **{parameter: value}, **others)
