"""Games of the reference solver as the engine takes them."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from equilibrist.poker.betting.public_tree import PublicTree
from equilibrist.poker.postflop.engine.board_layout import SolvedBoard
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.engine.vector_game import VectorGame
from equilibrist.reference.postflop import Strategies
from equilibrist.reference.public_game import Place, PublicGame
from equilibrist.solvers.variants.registry import VARIANTS


def vector_game(game: PublicGame, streets: int, constant_sum: float | None = None) -> VectorGame:
    """Every card of the deck is dealt, one by one."""
    dealt = [SolvedBoard(-1, 0, ())]
    for number, before in enumerate(dealt):  # grows on the way
        if before.street + 1 < streets:
            chance = game.deal_probability(before.cards)
            dealt += [
                SolvedBoard(number, before.street + 1, (*before.cards, card), chance)
                for card in game.deals(before.cards)
            ]
    return VectorGame(
        cast(PublicTree, game.nodes),
        streets,
        (game.hands[0].astype(np.int32), game.hands[1].astype(np.int32)),
        game.weights,
        tuple(dealt),
        game.strengths,
        constant_sum,
    )


def run(engine: Engine, variant: str, iterations: int, **settings: Any) -> None:
    engine.run(VARIANTS[variant].table(1, iterations), **settings)


def averages(engine: Engine) -> Strategies:
    """float64[A, H] per place; NaN for hands that a dealt card takes away."""
    found: dict[Place, Any] = {}
    program = engine.layout.betting.program
    for board, dealt in enumerate(engine.game.dealt):
        for place in range(program.nodes[dealt.street], program.nodes[dealt.street + 1]):
            if program.kind[place] == 0:
                player = int(program.player[place])
                table = np.full((program.count[place], len(engine.game.weights[player])), np.nan)
                table[:, engine.layout.table.held(board)[player]] = engine.arena.strategy(
                    place, board
                )
                found[int(engine.layout.betting.node[place]), dealt.cards] = table
    return found
