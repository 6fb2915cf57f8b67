"""Best correlated equilibria where chance does something so rarely that rounding hides it."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.equilibria import correlated
from equilibrist.equilibria.optimal import correlated as programmes
from equilibrist.errors import UnsupportedError
from equilibrist.game_loading import compile_game
from equilibrist.games.efg.game import load_efg
from equilibrist.tree.compile import GameTree

RARE = """EFG 2 R "what chance does once in a million" { "P0" "P1" }
c "" 1 "" { "o0" 999999/1000000 "o1" 1/1000000 } 0
p "" 1 1 "i0_1" { "a0" "a1" } 0
p "" 2 1 "i1_1" { "a0" "a1" "a2" } 0
t "" 1 "" { 8, -2 }
t "" 2 "" { -2, -9 }
t "" 3 "" { -7, 2 }
c "" 2 "" { "o0" 999999/1000000 "o1" 1/1000000 } 0
t "" 4 "" { 7, -4 }
t "" 5 "" { 2, -7 }
c "" 3 "" { "o0" 999999/1000000 "o1" 1/1000000 } 0
c "" 4 "" { "o0" 999999/1000000 "o1" 1/1000000 } 0
t "" 6 "" { 7, -8 }
t "" 7 "" { 4, -9 }
p "" 2 2 "i1_2" { "a0" "a1" } 0
t "" 8 "" { 4, 9 }
t "" 9 "" { 2, -4 }
"""


@pytest.fixture
def tree(tmp_path: Path) -> GameTree:
    path = tmp_path / "rare.efg"
    path.write_text(RARE)
    return compile_game(load_efg(str(path)))


def test_plans_take_the_place_of_pairs(tree: GameTree) -> None:
    """P0 may always take a1, and what P1 does makes a0 worth no more."""
    best = correlated(tree, "cce", objective="min:0")
    rare = 1e-6
    after_a1 = 7 * (1 - rare) + 2 * rare
    otherwise = (1 - rare) * (7 * (1 - rare) + 4 * rare) + rare * 4
    assert best.method == "plans"
    assert best.optimum == pytest.approx((1 - rare) * after_a1 + rare * otherwise, abs=1e-11)
    assert best.gap.total <= 1e-9


def test_what_is_rare_is_named(tree: GameTree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programmes, "MOST_COLUMNS", 1)
    with pytest.raises(UnsupportedError) as refused:
        correlated(tree, "cce", objective="min:0")
    assert (refused.value.option, refused.value.given) == ("chance", pytest.approx(1e-12))
