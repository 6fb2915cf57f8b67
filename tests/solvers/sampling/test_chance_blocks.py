"""Blocks of chance: exact expectations, one player's card, what users name, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import CheckpointError, ConfigError
from equilibrist.evaluation import evaluate
from equilibrist.game import CHANCE
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference.draws import every_run
from equilibrist.reference.game_walk import GameWalk, Node, walk
from equilibrist.reference.sampling import Addition, block_sampling, chance_sampling
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.implicit.samplers import needs_no_tree
from equilibrist.solvers.run.state import SamplingState
from equilibrist.solvers.sampling.chance import Chance
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solvers.sampling.registry import get_sampler, sampler_spec
from equilibrist.solving import solve
from equilibrist.tree.chance_blocks import blocks_of_player
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses, unchecked
from tests.solve_options import grouped
from tests.solvers.sampling.exact_expectation import (
    counterfactual_regrets,
    expected_addition,
    own_reach,
    profile_with_zeros,
)
from tests.solvers.sampling.stream_draws import reference_run

SMALL = (
    "kuhn",
    "kuhn(players=3)",
    "leduc(ranks=3,suits=1)",
    "random_tree(seed=5,depth=5,branching=2,chance=0.5)",
    "random_tree(seed=9,depth=6,branching=2,chance=0.4)",
)
EventOf = Callable[[Node, int], str]


def seen_by(root: Node, player: int) -> EventOf:
    """What a player sees of an outcome: their next infosets, joined where they overlap."""
    names: dict[tuple[tuple[str, ...], int], str] = {}
    depth_of: dict[tuple[str, ...], int] = {}

    def next_infosets(node: Node) -> set[str]:
        if node.player == player:
            return {node.infoset}
        return set().union(*map(next_infosets, node.children))

    levels: dict[int, list[tuple[Node, int, set[str]]]] = {}

    def collect(node: Node, depth: int) -> None:
        depth_of[node.history] = depth
        if node.player == CHANCE:
            for k, child in enumerate(node.children):
                blind = {f"nothing at {node.history}"}
                levels.setdefault(depth, []).append((node, k, next_infosets(child) or blind))
        for child in node.children:
            collect(child, depth + (node.player == CHANCE))

    collect(root, 0)
    for outcomes in levels.values():
        for node, k, facts in outcomes:
            known, grown = set(facts), True
            while grown:
                sets = [other for _, _, other in outcomes if other & known]
                grown = not set().union(*sets) <= known
                known = known.union(*sets)
            names[node.history, k] = min(known)
    return lambda node, k: names[node.history, k]


def suited(history: tuple[str, ...], outcome: str) -> str:
    """Odd and even outcomes, whatever they are."""
    return f"{sum(map(ord, outcome)) % 2}"


def by_name(node: Node, k: int) -> str:
    return suited(node.history, node.actions[k])


def both(name: str, blocks: str) -> tuple[GameWalk, EventOf]:
    game = walk(load_game(name))
    return game, by_name if blocks == "names" else seen_by(game.root, int(blocks))


@pytest.mark.parametrize("blocks", ["0", "1", "names"])
@pytest.mark.parametrize("name", SMALL)
def test_expectations_are_exact(name: str, blocks: str) -> None:
    """Regrets are the full ones on average; strategies count by own reach and a constant."""
    game, event_of = both(name, blocks)
    constants: list[dict[str, float]] = []
    for seed in (0, 1):
        profile = profile_with_zeros(game, seed)
        reach = own_reach(game, profile)
        found = {}
        for player in range(game.num_players):
            sample = partial(block_sampling, game.root, player, profile, event_of=event_of)
            regret, strategy_sum, total = expected_addition(sample)
            assert total == pytest.approx(1.0, abs=1e-12)
            for key, row in counterfactual_regrets(game, player, profile).items():
                assert regret.get(key, [0.0] * len(row)) == pytest.approx(row, abs=1e-12)
            for key, row in strategy_sum.items():
                if reach[key] > 0.0:
                    found[key] = sum(row) / reach[key]
                    wanted = [found[key] * reach[key] * p for p in profile[key]]
                    assert row == pytest.approx(wanted, abs=1e-12)
        constants.append(found)
    shared = constants[0].keys() & constants[1].keys()
    assert shared
    for key in shared:
        assert constants[0][key] == pytest.approx(constants[1][key], abs=1e-12)


@pytest.mark.parametrize("player", [0, 1])
def test_three_blocks_of_kuhn(player: int) -> None:
    """One player's card is a block: three blocks, each drawn with 1/3, two deals in each."""
    game = walk(load_game("kuhn"))
    event_of = seen_by(game.root, player)
    profile = {key: [0.5, 0.5] for key in game.infosets}
    sample = partial(block_sampling, game.root, 0, profile, event_of=event_of)
    runs = list(every_run(sample))
    assert [probability for probability, _ in runs] == pytest.approx([1 / 3] * 3)
    for _, added in runs:
        mine = {key[0] for key in added.strategy_sum}
        assert len(mine) == (1 if player == 0 else 2)
    events = blocks_of_player(compile_game("kuhn"), player)
    widths = np.diff(events.first).tolist()
    assert sorted(widths) == ([1, 1, 1, 3] if player == 0 else [1, 3])
    tree = compile_game("kuhn")
    solver = MCCFR(tree, sampler=f"chance(blocks=player:{player})", seed=2).run(1)
    most = 2 * (1 + (1 if player == 0 else 3) + 2 * 9)  # some are reached by no one in the second
    assert most - 2 * 9 <= solver.nodes_touched <= most


@pytest.mark.parametrize("name", SMALL)
def test_the_kernel_adds_what_the_recursion_adds(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "names.py").write_text(
        "def suited(history, outcome):\n    return f'{sum(map(ord, outcome)) % 2}'\n"
    )
    monkeypatch.chdir(tmp_path)
    tree = compile_game(name)
    for blocks in ("player:0", "player:1", "names.py:suited"):
        game, event_of = both(name, blocks[-1] if blocks.startswith("player") else "names")
        # One iteration with the same draws adds the same, event by event.
        solver = MCCFR(tree, sampler=Chance(blocks=blocks), seed=4)
        profile = {key: [1.0 / len(i.actions)] * len(i.actions) for key, i in game.infosets.items()}
        found = {}
        for player in range(game.num_players):
            sample = partial(block_sampling, game.root, player, profile, event_of=event_of)
            found[player] = [added for _, added in every_run(sample)]
        state = solver.run(1).state
        for player, runs in found.items():
            mine = np.flatnonzero(tree.infoset_player == player).tolist()
            assert any(
                all(
                    same(state, tree, i, key, added, regrets=player == 0)
                    for i, key in ((i, tree.infoset_keys[i]) for i in mine)
                )
                for added in runs
            )


def same(
    state: SamplingState, tree: GameTree, i: int, key: str, added: Addition, *, regrets: bool
) -> bool:
    """Whether an infoset has what a traversal of the recursion added.

    Regrets are compared for the first traverser: the others meet a strategy that has changed.
    """
    actions = tree.actions_of(i)
    nothing = [0.0] * len(tree.action_labels[i])
    sums = added.strategy_sum.get(key, nothing)
    wanted = added.regret.get(key, nothing)
    alike = state.strategy_sum[actions].tolist() == pytest.approx(sums, abs=1e-9)
    return alike and (not regrets or state.regret[actions].tolist() == pytest.approx(wanted))


@pytest.mark.slow
def test_many_kernel_runs_have_the_expected_mean() -> None:
    """The first iterations of many seeds against the exact expectation, player by player."""
    tree, game = compile_game("kuhn"), walk(load_game("kuhn"))
    profile = {key: [0.5, 0.5] for key in game.infosets}
    wanted = counterfactual_regrets(game, 0, profile)
    total = np.zeros(tree.action_offset[-1])
    for seed in range(600):
        total += MCCFR(tree, sampler="chance(blocks=player:1)", seed=seed).run(1).state.regret
    for key, row in wanted.items():
        mean = total[tree.actions_of(tree.index(key))] / 600
        assert mean == pytest.approx(row, abs=0.08)


@pytest.mark.parametrize("game", ["rps", "liars_dice(sides=2)"])
def test_where_one_event_is_all_it_is_cfr(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "all.py").write_text("def one(history, outcome):\n    return 'all'\n")
    monkeypatch.chdir(tmp_path)
    tree = compile_game(game)
    sampled = MCCFR(tree, sampler=Chance(blocks="all.py:one"), seed=1).run(20)
    assert sampled.averaging == "own-reach"
    full = CFR(tree, "cfr", alternating=True).run(20)
    average = sampled.average_strategy().probabilities
    assert average == pytest.approx(full.average_strategy().probabilities, abs=1e-12)


def test_as_many_names_as_outcomes_is_chance_sampling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "every.py").write_text(
        "def each(history, outcome):\n    return '/'.join((*history, outcome))\n"
    )
    monkeypatch.chdir(tmp_path)
    regret, strategy_sum = reference_run("kuhn", chance_sampling, 30, seed=4)
    tree = compile_game("kuhn")
    state = MCCFR(tree, sampler="chance(blocks=every.py:each)", seed=4).run(30).state
    for i, key in enumerate(tree.infoset_keys):
        assert state.regret[tree.actions_of(i)].tolist() == pytest.approx(regret[key], abs=1e-9)
        assert state.strategy_sum[tree.actions_of(i)].tolist() == pytest.approx(strategy_sum[key])


@pytest.mark.parametrize("blocks", ["player:0", "player:1"])
def test_the_average_approaches_equilibrium(blocks: str) -> None:
    solver = MCCFR("kuhn", sampler=Chance(blocks=blocks), seed=1).run(20_000)
    found = evaluate(solver.average_strategy())
    assert found.nash_conv < 0.03
    assert found.values[0] == pytest.approx(-1 / 18, abs=0.005)


def test_pruning_and_threads_go_with_blocks() -> None:
    pruned = MCCFR("leduc", sampler="chance(blocks=player:1,prune=50)", seed=1).run(200)
    assert evaluate(pruned.average_strategy()).nash_conv < 3.0
    one = MCCFR("kuhn", sampler="chance(blocks=player:1)", seed=3, threads=2, period=100)
    other = MCCFR(
        "kuhn", sampler="chance(blocks=player:1)", seed=3, threads=2, period=100, executor="serial"
    )
    assert one.run(500).state.regret.tobytes() == other.run(500).state.regret.tobytes()


def test_texts() -> None:
    sampler = get_sampler("chance(blocks=player:1)")
    assert sampler == Chance(blocks="player:1")
    assert sampler_spec(sampler) == "chance(blocks=player:1)"
    far = Chance(blocks="../my rules/blocks.py:name_of")
    assert get_sampler(sampler_spec(far)) == far
    assert not needs_no_tree(sampler)
    assert needs_no_tree(Chance())


def test_what_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("player", "player:x", "card", "", 3, True):
        with refuses(ConfigError, option="blocks", given=wrong):
            Chance(blocks=unchecked(wrong))
    with refuses(ConfigError, option="blocks", given="player:2"):
        MCCFR("kuhn", sampler="chance(blocks=player:2)")
    with refuses(ConfigError, option="blocks"):
        MCCFR("kuhn", sampler="chance(blocks=absent.py:name)")
    (tmp_path / "bad.py").write_text(
        "number = 3\ndef wrong(h, o):\n    return 3\ndef fails(h, o):\n    return h[9]\n"
    )
    monkeypatch.chdir(tmp_path)
    for name, given in (("number", 3), ("wrong", 3), ("fails", "IndexError")):
        with refuses(ConfigError, option="blocks", given=given):
            MCCFR("kuhn", sampler=f"chance(blocks=bad.py:{name})")


def test_only_the_solved_game_is_asked(tmp_path: Path) -> None:
    """Kernels are tried on another game, which must not meet a user's function or its seats."""
    file = tmp_path / "of_leduc.py"
    file.write_text(
        "def name_of(history, outcome):\n    return {'J': 'j', 'Q': 'q', 'K': 'k'}[outcome[0]]\n"
    )
    leduc = solve("leduc", "cfr", sampling=f"chance(blocks='{file}:name_of')", iterations=3)
    assert leduc.iterations == 3
    with refuses(
        ConfigError, option="blocks", expected="player:0 to player:1 in rock_paper_scissors"
    ):
        solve("rps", "cfr", sampling="chance(blocks=player:2)", iterations=3)
    four = solve("kuhn(players=4)", "cfr", sampling="chance(blocks=player:3)", iterations=1)
    assert four.iterations == 1


def test_leduc_draws_own_card_and_board() -> None:
    """Seat 0 sees 6 cards, and per line and own card a board of 5: of the other's card nothing."""
    events = blocks_of_player(compile_game("leduc"), 0)
    widths = sorted(np.diff(events.first).tolist())
    assert widths == [1] * 6 + [5] * (6 * 5) + [6]


def test_a_checkpoint_is_not_resumed_with_other_blocks_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = Path("mine.py")
    given: dict[str, Any] = {"sampler": "chance(blocks=mine.py:name)", "seed": 3}
    given |= {"checkpoint": "run.ckpt"}
    blocks.write_text("def name(history, outcome):\n    return outcome\n")
    solve("kuhn", "cfr", iterations=10, **grouped(given))
    blocks.write_text("# The same, in other words.\ndef name(history, card):\n    return card\n")
    assert solve("kuhn", "cfr", iterations=20, **grouped(given, resume=True)).iterations == 20
    blocks.write_text("def name(history, outcome):\n    return 'all'\n")
    with refuses(CheckpointError, option="blocks"):
        solve("kuhn", "cfr", iterations=30, **grouped(given, resume=True))
