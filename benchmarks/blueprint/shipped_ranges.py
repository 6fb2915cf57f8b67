"""The ranges of a solution before the flop, as the text that comes with Equilibrist.

    equilibrist blueprint train --stack 20 --bets "100%,a" --raises "100%,a" --cards c.safetensors \
        --time 22m --threads 1 -o b.safetensors
    equilibrist blueprint evaluate b.safetensors --exploiter 6m --threads 1 --json > evaluation.json
    python benchmarks/blueprint/shipped_ranges.py NAME b.safetensors evaluation.json

    equilibrist preflop multiway --seats 6 --stack 20 --bets "2.2x,a" --raises a --time 24m \
        -o six.safetensors
    python benchmarks/blueprint/shipped_ranges.py NAME six.safetensors

writes `src/equilibrist/library/range_files/NAME.toml`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from equilibrist import load_result
from equilibrist.errors import EquilibristError
from equilibrist.library.blueprint_ranges import FOLDER
from equilibrist.play.solutions.reading import solution_game
from equilibrist.poker.blueprint import Blueprint
from equilibrist.poker.cards.combos import CLASS_NAMES
from equilibrist.poker.decisions.decision import Decision
from equilibrist.poker.preflop.multiway.solution import MultiwaySolution

LEAST_SHARE = 0.02
"""Decisions to which fewer deals come are left out."""
LEAST_COMBOS = 2.0
"""Actions that fewer combos take are left out."""
LEAST_WEIGHT = 0.03
"""Hands that take an action less often are left out of its range."""


def decisions(
    solution: Blueprint | MultiwaySolution, line: str = "", share: float = 1.0
) -> list[Decision]:
    """The decisions before the flop to which play comes, the first one first."""
    try:
        node = solution.at(line)
    except EquilibristError:  # the betting is over
        return []
    decision: Decision = getattr(node, "decision", node)
    found = [decision]
    for action, frequency in zip(decision.actions, decision.frequencies, strict=True):
        if share * frequency >= LEAST_SHARE:
            after = f"{line}-{action.code}" if line else action.code
            found += decisions(solution, after, share * float(frequency))
    return found


def range_text(decision: Decision, action: int) -> str:
    """The hands that take an action, with the weights with which they do, from 0.03 on."""
    by_class = decision.by_class()
    weights = np.round(by_class.reach * by_class.strategy[action], 2)
    parts = [
        name if weight >= 1.0 - LEAST_WEIGHT else f"{name}:{weight:g}"
        for name, weight in zip(CLASS_NAMES, weights.tolist(), strict=True)
        if weight >= LEAST_WEIGHT
    ]
    return ",".join(parts)


def text(name: str, solution: Blueprint | MultiwaySolution, evaluation: Path | None) -> str:
    """The file: how the ranges were made, what can be won against them, and the ranges."""
    game = solution_game(solution)
    lines = [
        f'name = "{name}"',
        f"hand = '{game.name}'",
        f"seats = {json.dumps(list(game.seat_names))}",
        f"stack = {solution.hand.stack:g}",
        *(
            trained(solution, evaluation)
            if isinstance(solution, Blueprint) and evaluation is not None
            else measured(solution)
        ),
    ]
    for decision in decisions(solution):
        for number, action in enumerate(decision.actions):
            hands = range_text(decision, number)
            if action.code != "F" and decision.count(number) >= LEAST_COMBOS:
                lines += ["", "[[ranges]]", f"seat = {decision.seat}", f'line = "{decision.line}"']
                lines += [f'action = "{action.code}"', f'range = "{hands}"']
    return "\n".join(lines) + "\n"


def trained(blueprint: Blueprint, evaluation: Path) -> list[str]:
    """How a blueprint was made, and what its exploiters gain."""
    record, gain = blueprint.record, json.loads(evaluation.read_text())["exploiter"]["gain"]
    low, high = (gain["mean"] + sign * gain["half_width"] for sign in (-1, 1))
    return [
        'method = "blueprint"',
        f'buckets = "{"/".join(map(str, blueprint.game.buckets))}"',
        f"samples = {record.get('boards') or record['deals']}",
        f"minutes = {record['seconds'] / 60:.0f}",
        f"seed = {record['seed']}",
        f"gain_mbb = {gain['mean']:.1f}",
        f"gain_interval_mbb = [{low:.1f}, {high:.1f}]",
    ]


def measured(solution: Any) -> list[str]:
    """How a hand with betting before the flop was solved, and what best responses gain."""
    mean = 1000.0 / len(solution.seats)
    low, high = (mean * bound for bound in solution.interval)
    return [
        'method = "multiway"',
        'buckets = ""',
        f"samples = {solution.deals}",
        f"minutes = {solution.seconds / 60:.0f}",
        f"seed = {solution.seed}",
        f"gain_mbb = {mean * solution.nash_conv:.1f}",
        f"gain_interval_mbb = [{low:.1f}, {high:.1f}]",
        f"gains_mbb = [{', '.join(f'{1000.0 * gain:.1f}' for gain in solution.gains)}]",
    ]


if __name__ == "__main__":
    NAME, FILE, *EVALUATION = sys.argv[1:]
    found = load_result(FILE)
    assert isinstance(found, Blueprint | MultiwaySolution)
    file = Path(EVALUATION[0]) if EVALUATION else None
    (FOLDER / f"{NAME}.toml").write_text(text(NAME, found, file))
