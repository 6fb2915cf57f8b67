"""States that the histories of a tree share: as few as can be, the same play, the same learning."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, cast

import pytest

from equilibrist.abstraction import make_abstraction, merged_tree
from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.evaluation import evaluate
from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.game_loading import compile_game
from equilibrist.reference.fixed_strategy import FixedStrategies
from equilibrist.solvers.full_traversal.fsicfr import FSICFR
from equilibrist.tree.compile import GameTree
from equilibrist.tree.shared_states import share_states
from equilibrist.tree.state_graph import StateGraph
from tests.refusals import refuses
from tests.solvers.sampling.stream_draws import key_of, mix

_MASK, _GAMMA = (1 << 64) - 1, 0x9E3779B97F4A7C15
GAMES = [
    ("kuhn", "none"),
    ("kuhn", "cards(JQ.K)"),
    ("kuhn", "0:memory(last=0)"),
    ("liars_dice(sides=3)", "none"),
    ("liars_dice(sides=3)", "memory(last=1)"),
    ("liars_dice(sides=3)", "0:memory(last=1);1:none"),
    ("leduc(suit_isomorphism=true)", "memory(last=1)"),
]


def merged(name: str, spec: str) -> GameTree:
    return merged_tree(make_abstraction(compile_game(name), spec))


def futures(tree: GameTree) -> set[str]:
    """What may happen from each history on, written out; equal futures are equal texts."""
    game, found = tree.game, set()
    names = dict(zip(compile_game(game).infoset_keys, abstract_keys(tree), strict=True))

    def text(state: Any) -> str:
        player = game.player(state)
        if player == TERMINAL:
            said = f"pays {[float(u) for u in game.payoffs(state)]}"
        else:
            what = list(game.chance(state)) if player == CHANCE else names[game.infoset(state)]
            below = [text(game.next(state, k)) for k in range(len(game.actions(state)))]
            said = f"({player} {what} {below})"
        found.add(said)
        return said

    text(game.initial_state())
    return found


def abstract_keys(tree: GameTree) -> list[str]:
    """For each infoset of the full game its name in the merged tree."""
    full = compile_game(tree.game)
    keys = [""] * full.num_infosets
    pairs = zip(full.walk.infoset.tolist(), tree.walk.infoset.tolist(), strict=True)
    for whole, small in pairs:
        if whole >= 0:
            keys[full.public_of_walk[whole]] = tree.walk.keys[small]
    return keys


@pytest.mark.parametrize(("name", "spec"), GAMES)
def test_as_few_states_as_there_are_futures(name: str, spec: str) -> None:
    tree = merged(name, spec)
    graph = share_states(tree)
    assert graph.num_states == len(futures(tree))
    for number, (first, _, count, _) in enumerate(graph.arrays.node.tolist()):
        assert (graph.arrays.child[first : first + count] > number).all()
    full = compile_game(name)
    places = graph.places_in(full)  # walks both side by side, and refuses other moves
    assert places.shape == full.action_offset[-1:]
    for i, key in enumerate(abstract_keys(tree)):
        own = graph.infoset_keys.index(key)
        assert places[full.action_offset[i]] == graph.action_offset[own]


class Numbered:
    """A state graph as a game: states are their numbers."""

    def __init__(self, graph: StateGraph) -> None:
        self.graph, self.name, self.num_players = graph, "numbered", 2
        self.rows = graph.arrays.node.tolist()
        self.child = graph.arrays.child.tolist()
        offset = graph.action_offset.tolist()
        self.keys = dict(zip(offset, graph.infoset_keys, strict=False))

    def initial_state(self) -> int:
        return 0

    def player(self, state: int) -> int:
        return int(self.rows[state][3])

    def actions(self, state: int) -> tuple[str, ...]:
        return tuple(map(str, range(self.rows[state][2])))

    def next(self, state: int, action_index: int) -> int:
        return int(self.child[self.rows[state][0] + action_index])

    def payoffs(self, state: int) -> tuple[float, ...]:
        return tuple(self.graph.arrays.payoff[self.rows[state][1]])

    def infoset(self, state: int) -> str:
        return self.keys[self.rows[state][1]]


def stream(key: int, number: int) -> int:
    return mix(key ^ mix((number * _GAMMA) & _MASK))


@pytest.mark.parametrize(("name", "spec"), [GAMES[1], GAMES[2], GAMES[4], GAMES[5]])
def test_two_passes_add_up_to_all_histories(name: str, spec: str) -> None:
    """Iterate by iterate on the same draws, against every history walked on its own."""
    tree = merged(name, spec)
    graph = share_states(tree)
    solver, oracle = (
        FSICFR(graph, seed=3, tree=tree),
        FixedStrategies(cast(Game[Any], Numbered(graph))),
    )
    sums = graph.arrays.chance_cumulative.tolist()
    for t in range(1, 21):

        def outcome(state: int, t: int = t) -> int:
            u = (mix(stream(stream(key_of(3), t), state)) >> 11) * 2.0**-53
            _, base, count, _ = graph.arrays.node[state].tolist()
            return bisect_right(sums[base : base + count], u)

        oracle.iterate(outcome)
        state = solver.run(1).state
        for key, first in zip(graph.infoset_keys, graph.action_offset, strict=False):
            wanted = oracle.regret.get(key, [])
            at = slice(first, first + len(wanted))
            assert state.regret[at] == pytest.approx(wanted, abs=1e-12)
            sums_wanted = oracle.strategy_sum.get(key, [])
            assert state.strategy_sum[at] == pytest.approx(sums_wanted, abs=1e-11)
    assert len(oracle.regret) >= 2


@pytest.mark.parametrize(
    ("sides", "last", "infosets", "nodes"),
    [(3, 1, 36, 45), (3, 2, 96, 85), (3, 3, 156, 115), (4, 1, 64, 75), (4, 2, 232, 187)],
)
def test_sizes_of_dudo_with_a_short_memory(
    sides: int, last: int, infosets: int, nodes: int
) -> None:
    """Liar's dice with one die each is Dudo, whose states forget by themselves."""
    tree = merged(f"liars_dice(sides={sides})", f"memory(last={last})")
    solver = FSICFR(share_states(tree), tree=tree)
    dudo = FSICFR(f"dudo(sides={sides},memory={last})")
    assert len(solver.graph.infoset_keys) == len(dudo.graph.infoset_keys) == infosets
    assert solver.nodes_per_iteration == dudo.nodes_per_iteration == nodes


def test_histories_meet_without_loss_where_nothing_is_merged() -> None:
    tree = compile_game("liars_dice(sides=3)")
    graph = share_states(tree)
    assert graph.num_states < tree.num_nodes / 2
    solver = FSICFR(graph, seed=1, tree=tree).run(20_000)
    found = evaluate(solver.average_strategy())
    assert found.exploitability is not None
    assert found.exploitability < 0.004
    assert found.values[0] == pytest.approx(1 / 9, abs=0.006)


def test_what_is_refused() -> None:
    three = compile_game("kuhn(players=3)")
    with refuses(UnsupportedError, option="num_players", given=3):
        FSICFR(share_states(three), tree=three)
    sexes = compile_game("battle_of_the_sexes")
    with refuses(UnsupportedError, option="payoffs"):
        FSICFR(share_states(sexes), tree=sexes)
    with refuses(ConfigError, option="tree"):
        FSICFR(share_states(compile_game("kuhn")))
