"""Dominated sequences: against the plans that play them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.evaluation import dominated_plans, dominated_sequences
from equilibrist.evaluation.plans import enumerate_plans
from equilibrist.evaluation.sequences import Sequences
from equilibrist.game_loading import compile_game
from tests.refusals import refuses


def test_only_dominated_plans_play_s() -> None:
    (found,) = dominated_sequences(compile_game("outside_option")).sequences
    assert (found.player, found.infoset, found.action, found.round) == (0, "row", "S", 1)
    assert found.margin == pytest.approx(1.0)


def test_kuhn_has_none() -> None:
    """Where the card never comes, or the others never bet, any action is a best reply."""
    assert dominated_sequences(compile_game("kuhn")).sequences == ()


def test_by_a_mixture() -> None:
    (found,) = dominated_sequences(compile_game("matrix(payoffs=[[3,0],[0,3],[1,1]])")).sequences
    assert (found.infoset, found.action) == ("row", "2")
    assert found.margin == pytest.approx(0.5)


@pytest.mark.parametrize("seed", range(16))
def test_round_one_against_all_plans(seed: int) -> None:
    shape = "depth=4,branching=2,zero_sum=false,stop=0.05"
    tree = compile_game(f"random_tree(seed={seed},{shape})")
    sequences = Sequences.of(tree)
    gone: dict[int, list[Any]] = {p: [] for p in (0, 1)}
    for one in dominated_plans(tree).plans:
        if one.round == 1:
            gone[one.player].append((one.plan, one.margin))
    wanted: dict[tuple[str, str], float] = {}
    for player in (0, 1):
        plans = enumerate_plans(sequences, player)
        margins = {tuple(plan.items()): margin for plan, margin in gone[player]}
        for i in sequences.infosets(player):
            for a, label in enumerate(tree.action_labels[i]):
                playing = np.flatnonzero(plans.reaching(np.array([tree.action_offset[i] + a])))
                lost: list[Any] = [
                    margins.get(tuple(plans.actions(int(k)).items())) for k in playing
                ]
                above = sequences.above[i]
                if all(margin is not None for margin in lost):
                    follows = above >= 0 and _name(tree, int(above)) in wanted
                    wanted[tree.infoset_keys[i], label] = np.nan if follows else min(lost)
    found = {
        (d.infoset, d.action): d.margin for d in dominated_sequences(tree).sequences if d.round == 1
    }
    assert found == pytest.approx({k: m for k, m in wanted.items() if m == m}, abs=1e-6)


def _name(tree: object, sequence: int) -> tuple[str, str]:
    offset = tree.action_offset  # type: ignore[attr-defined]
    i = int(np.searchsorted(offset, sequence, side="right")) - 1
    label = tree.action_labels[i][sequence - int(offset[i])]  # type: ignore[attr-defined]
    return tree.infoset_keys[i], label  # type: ignore[attr-defined]


def test_what_is_refused() -> None:
    with refuses(UnsupportedError, option="players", given=3, expected=2):
        dominated_sequences(compile_game("chsh"))
    tree = compile_game("kuhn")
    with refuses(UnsupportedError, option="sequences", given=24, expected=23):
        dominated_sequences(tree, max_sequences=23)
    with refuses(ConfigError, option="max_sequences", given=0):
        dominated_sequences(tree, max_sequences=0)
