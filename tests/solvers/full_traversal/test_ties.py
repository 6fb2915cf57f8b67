"""How ties between best responses break: the recursion of fictitious play as it is written down.

In floating-point numbers, summed as a depth-first walk goes, it is what OpenSpiel does, and `XFP`
must agree however many ties there are. In fractions ties are true ones, and the run is another.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference.game_walk import GameWalk, Node, walk
from equilibrist.reference.response import nash_conv
from equilibrist.solvers.full_traversal.best_response_solvers import XFP

Number = Callable[[Any], Any]


def exact(x: float) -> Fraction:
    return Fraction(x).limit_denominator(1000)


def best_replies(game: GameWalk, profile: dict[str, list[Any]], player: int, number: Number) -> Any:
    """One action per infoset of `player`, the first of equals."""
    histories: dict[str, list[tuple[Node, Any]]] = {}
    choice: dict[str, int] = {}

    def weights(node: Node) -> list[Any]:
        chance = [number(p) for p in node.chance]
        return chance if node.player == CHANCE else profile[node.infoset]

    def visit(node: Node, moves: tuple[Any, ...]) -> None:
        if node.player == player:
            reach = number(1.0)
            for p in reversed(moves):
                reach = reach * p
            histories.setdefault(node.infoset, []).append((node, reach))
        own = [number(1.0)] * len(node.children)
        odds = own if node.player == player else weights(node) if node.children else []
        for p, child in zip(odds, node.children, strict=True):
            visit(child, (*moves, p))

    def value(node: Node) -> Any:
        if node.player == TERMINAL:
            return number(node.payoffs[player])
        if node.player == player:
            return value(node.children[best(node.infoset)])
        return added(weights(node), [value(child) for child in node.children])

    def best(key: str) -> int:
        if key not in choice:
            nodes, reach = zip(*histories[key], strict=True)
            worth = [
                added(reach, [value(n.children[a]) for n in nodes])
                for a in range(len(game.infosets[key].actions))
            ]
            choice[key] = worth.index(max(worth))
        return choice[key]

    def added(left: Any, right: Any) -> Any:
        total = number(0.0)
        for x, y in zip(left, right, strict=True):
            total = total + x * y
        return total

    visit(game.root, ())
    return {key: best(key) for key in histories}


def fictitious_play(name: str, iterations: int, number: Number) -> tuple[float, dict[str, Any]]:
    """NashConv of the average after that many iterations, and the average."""
    game = walk(load_game(name))
    average = {
        key: [number(1.0) / len(infoset.actions)] * len(infoset.actions)
        for key, infoset in game.infosets.items()
    }
    for t in range(1, iterations + 1):
        chosen: dict[str, int] = {}
        for player in range(game.num_players):
            chosen |= best_replies(game, average, player, number)
        step = number(1.0) / (t + 1)
        moved = {}
        for key, infoset in game.infosets.items():
            reach, whole = number(1.0), number(1.0)
            for before, a in infoset.path:
                reach, whole = reach * average[before][a], whole * (chosen[before] == a)
            moved[key] = [
                p + step * whole * ((chosen[key] == a) - p) / ((1 - step) * reach + step * whole)
                for a, p in enumerate(average[key])
            ]
        average = moved
    return nash_conv(game, {k: [float(p) for p in v] for k, v in average.items()}), average


@pytest.mark.parametrize("name", ["kuhn", "liars_dice(sides=3)", "random_tree(seed=2,depth=6)"])
def test_all_ties_break_as_in_the_recursion(name: str) -> None:
    _, average = fictitious_play(name, 20, float)
    tree = compile_game(load_game(name))
    ours = XFP(tree).run(20).average_strategy().to_dict()
    for key, row in average.items():
        assert list(ours[key].values()) == pytest.approx(row, abs=1e-14)


def test_fractions_go_another_way() -> None:
    """Figures that the documentation states: rounding decides what fictitious play plays."""
    assert fictitious_play("kuhn", 20, exact)[0] == pytest.approx(1 / 12)
    assert fictitious_play("kuhn", 20, float)[0] == pytest.approx(0.0912698412698415)
