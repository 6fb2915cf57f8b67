"""The game that most of these tests solve, compiled once per file."""

from __future__ import annotations

import pytest

from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.tree.compile import GameTree


@pytest.fixture(scope="module")
def kuhn() -> GameTree:
    return compile_game(load_game("kuhn"))
