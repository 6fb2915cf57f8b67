"""NashConv after equal iterations of Monte Carlo CFR, ours and OpenSpiel's, over many seeds.

    python benchmarks/peers/sampling_quality.py

OpenSpiel's own evaluator measures its averages, ours measures ours; both are exact. z is the
difference of the means in standard errors of that difference.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import pyspiel

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.solvers import MCCFR

SEEDS = 30


@dataclass(frozen=True)
class Case:
    """What to run on both sides, and how often."""

    spec: str
    openspiel: str
    sampler: str
    averaging: str
    iterations: int


LEDUC = ("leduc", "leduc_poker")
KUHN = ("kuhn", "kuhn_poker")
DICE = ("liars_dice(sides=4)", "liars_dice(numdice=1,dice_sides=4)")
CASES = (
    Case(*KUHN, "external", "stochastic", 10_000),
    Case(*LEDUC, "external", "stochastic", 1_000),
    Case(*LEDUC, "external", "stochastic", 10_000),
    Case(*DICE, "external", "stochastic", 3_000),
    Case(*KUHN, "outcome", "openspiel", 10_000),
    Case(*KUHN, "outcome", "stochastic", 10_000),
    Case(*LEDUC, "outcome", "openspiel", 100_000),
    Case(*LEDUC, "outcome", "stochastic", 100_000),
    Case(*LEDUC, "outcome", "lazy", 100_000),
    Case(*DICE, "outcome", "openspiel", 30_000),
    Case(*DICE, "outcome", "stochastic", 30_000),
    Case(*DICE, "outcome", "lazy", 30_000),
)


def decisions(state: pyspiel.State, seen: dict[str, pyspiel.State]) -> Iterator[pyspiel.State]:
    """One state of every infoset below `state`."""
    if state.is_terminal():
        return
    if not state.is_chance_node():
        key = state.information_state_string()
        if key not in seen:
            seen[key] = state
            yield state
    for action in state.legal_actions():
        yield from decisions(state.child(action), seen)


def theirs(case: Case, game: pyspiel.Game, states: list[pyspiel.State], seed: int) -> float:
    """NashConv of OpenSpiel's average."""
    if case.sampler == "external":
        solver = pyspiel.ExternalSamplingMCCFRSolver(game, seed=seed)
    else:
        solver = pyspiel.OutcomeSamplingMCCFRSolver(game, epsilon=0.6, seed=seed)
    for _ in range(case.iterations):
        solver.run_iteration()
    average = solver.average_policy()
    # The average refuses infosets that were never visited when it is asked by their strings.
    table = {
        state.information_state_string(): list(average.action_probabilities(state).items())
        for state in states
    }
    return float(pyspiel.nash_conv(game, pyspiel.TabularPolicy(table)))


def ours(case: Case, tree: eq.GameTree, seed: int) -> float:
    """NashConv of our average."""
    solver = MCCFR(tree, "cfr", sampler=case.sampler, averaging=case.averaging, seed=seed)
    return float(eq.nash_conv(solver.run(case.iterations).average_strategy()))


def main() -> None:
    """Run all cases and write the record."""
    rows, raw = [], []
    known: dict[tuple[str, str, int], list[float]] = {}
    for case in CASES:
        tree = eq.compile_game(eq.load_game(case.spec))
        game = pyspiel.load_game(case.openspiel)
        states = list(decisions(game.new_initial_state(), {}))
        run = (case.spec, case.sampler, case.iterations)
        if run not in known:
            known[run] = [theirs(case, game, states, seed) for seed in range(1, SEEDS + 1)]
        peer = known[run]
        mine = [ours(case, tree, seed) for seed in range(1, SEEDS + 1)]
        error = (statistics.variance(peer) / SEEDS + statistics.variance(mine) / SEEDS) ** 0.5
        apart = (statistics.mean(mine) - statistics.mean(peer)) / error
        rows.append(
            [
                case.spec,
                case.sampler,
                case.averaging,
                case.iterations,
                statistics.mean(mine),
                statistics.mean(peer),
                f"{apart:+.1f}",
            ]
        )
        raw.append({"case": case.__dict__, "ours": mine, "theirs": peer})
        print(rows[-1], flush=True)
    write_record(
        "sampling_quality",
        f"Mean NashConv over {SEEDS} seeds after equal iterations of MCCFR with vanilla CFR; z "
        f"below -3 means that Equilibrist is significantly better, above 3 significantly worse.",
        "python benchmarks/peers/sampling_quality.py",
        ["game", "sampler", "our average", "iterations", "Equilibrist", "OpenSpiel", "z"],
        rows,
        packages=("numpy", "numba", "open-spiel"),
        seeds=SEEDS,
        samples=raw,
    )


if __name__ == "__main__":
    main()
