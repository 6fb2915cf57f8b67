"""Patterns over keys, in which only `*` and `?` are special."""

from __future__ import annotations

import equilibrist as eq
from equilibrist.grafting import find_blocks
from equilibrist.library.strategy_table import Choice, StrategyTable
from equilibrist.parsing.key_patterns import key_pattern
from equilibrist.play import game_drill
from tests.small_games import Written

KEYS = ("x[1]", "x[2]", "x1", "[!x]")


def matched(*patterns: str) -> list[str]:
    return [key for key in KEYS if key_pattern(*patterns).match(key)]


def test_brackets_stand_for_themselves() -> None:
    assert matched("x[1]") == ["x[1]"]
    assert matched("x[?]") == ["x[1]", "x[2]"]
    assert matched("x*") == ["x[1]", "x[2]", "x1"]
    assert matched("[!x]*", "*1") == ["x1", "[!x]"]
    assert matched("x") == matched("[x]*") == []


def test_keys_with_brackets_are_found_everywhere() -> None:
    deals = {(key, 1 / len(KEYS)): (0, key, {"a": (1.0,), "b": (0.0,)}) for key in KEYS}
    game = Written(("chance", deals), 1)
    strategy = eq.Strategy.uniform(eq.compile_game(game))
    tree = strategy.tree
    (block,) = find_blocks(tree, ["x[1]"])
    assert [tree.infoset_keys[i] for i in block.infosets(0)] == ["x[1]"]
    assert game_drill(game, strategy, "x[?]").keys == ["x[1]", "x[2]"]
    table = StrategyTable.of(strategy)
    chosen = Choice((), "[!x]*", None, None).of(table)
    assert [table.keys[i] for i in chosen] == ["[!x]"]
