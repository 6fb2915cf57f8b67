"""What the classic mistakes of averaging with t - c_I cost.

    python benchmarks/solvers/averaging_mistakes.py

Outcome sampling with the usual epsilon of 0.6. An average changes no draw and no regret, so that
with the same seed all averages are of the same strategies, and are compared pair by pair. Right
averages are the package's; the mistakes are made here, by one kernel that takes all of them along
the package's trajectories.
"""

from __future__ import annotations

import hashlib
import statistics
import sys
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist._jit import bound_kernel, inner_kernel
from equilibrist.kernels.primitives.regret_matching import draw_action, match_regrets
from equilibrist.kernels.primitives.rng import advance, stream, uniform
from equilibrist.kernels.traversal.exploring import (
    INVERSE,
    PLAYED,
    chance_of_action,
    explore,
    update_regrets,
)
from equilibrist.kernels.traversal.outcome_averages import count_the_rest
from equilibrist.kernels.tree.nodes import (
    BASE,
    CHANCE,
    CHILDREN,
    FIRST,
    PLAYER,
    TERMINAL,
    pick_outcome,
)
from equilibrist.solvers import MCCFR

EPSILON = 0.6
SEEDS = 8
CASES = (
    ("kuhn", 1_000_000, "Kuhn, 1 million"),
    ("liars_dice(sides=3)", 1_000_000, "liar's dice 1x3, 1 million"),
    ("leduc", 3_000, "Leduc, 3 thousand"),
    ("leduc", 3_000_000, "Leduc, 3 million"),
)
PACKAGE = {
    "lazy: exact": "lazy",
    "stochastic": "stochastic",
    "optimistic: t - c_I": "optimistic",
    "strategy only": "strategy",
    "OpenSpiel's": "openspiel",
}
EXACT = "lazy: exact"


@dataclass(frozen=True)
class Rule:
    """How t - c_I is done: right as it stands."""

    at_traverser: bool = False
    without_reach: bool = False
    divided: bool = False
    shared_clock: bool = False
    after_update: bool = False
    two_counters: bool = False
    flushed: bool = True


AT_TRAVERSER, WITHOUT_REACH, DIVIDED, SHARED_CLOCK, AFTER_UPDATE, TWO_COUNTERS = range(6)
"""Columns of `rules`: the fields of `Rule`, but for the last."""
WIDTH = 3
OWN_REACH, SAMPLED = range(2)

MISTAKES = {
    "(a) divided by q as well": Rule(divided=True),
    "(b) one shared clock": Rule(shared_clock=True),
    "(c) at the traverser's nodes": Rule(at_traverser=True),
    "(c, a) there, divided by q": Rule(at_traverser=True, divided=True),
    "(c, d) there, without own reach": Rule(at_traverser=True, without_reach=True),
    "(c, e) there, strategy after the update": Rule(at_traverser=True, after_update=True),
    "(f) two counters": Rule(two_counters=True),
    "(g) no flush": Rule(flushed=False),
}


@inner_kernel
def take_averages(tree, t, traverser, where, reached, strategy, regret, rules, after, sums, seen):
    """Average one trajectory, whose decisions are `where`, by every rule; t counts iterations."""
    players = tree.payoff.shape[1]
    for k in range(where.shape[0]):
        base = np.uintp(tree.node[where[k], BASE])
        actions = np.uintp(tree.node[where[k], CHILDREN])
        traversing = tree.node[where[k], PLAYER] == traverser
        match_regrets(regret, base, actions, after, np.uintp(0))
        for m in range(rules.shape[0]):
            if traversing != rules[m, AT_TRAVERSER]:
                if rules[m, SHARED_CLOCK]:
                    seen[m, base] = t
                continue
            share = (players * t if rules[m, TWO_COUNTERS] else t) - seen[m, base]
            seen[m, base] = t
            if not rules[m, WITHOUT_REACH]:
                share *= reached[k, OWN_REACH]
            if rules[m, DIVIDED]:
                share /= reached[k, SAMPLED]
            for a in range(actions):
                sums[m, base + a] += share * (
                    after[a] if rules[m, AFTER_UPDATE] else strategy[k, a]
                )


def sample(
    tree,
    iterations,
    key,  # uint64
    rules,  # bool[M, 6]
    regret,  # float64[Q], public flat order
    sums,  # float64[M, Q]
    seen,  # float64[M, Q], at an infoset's first action: c_I
    levels,
    widest,
):
    """Outcome sampling as the package does it, and the averages of all rules."""
    players = tree.payoff.shape[1]
    path_node, path_action = np.zeros(levels, np.int64), np.zeros(levels, np.int64)
    path, where = np.zeros((levels, WIDTH)), np.zeros(levels, np.int64)
    reached, strategy = np.zeros((levels, 2)), np.zeros((levels, widest))
    after, own_reach = np.zeros(widest), np.ones(players)
    for t in range(1, iterations + 1):
        state = stream(key, np.uint64(t))
        for traverser in range(players):
            node, depth, decisions = np.uintp(0), np.uintp(0), 0
            inverse, q = 1.0, 1.0
            own_reach[:] = 1.0
            while tree.node[node, PLAYER] != TERMINAL:
                player = tree.node[node, PLAYER]
                state = advance(state)
                u = uniform(state)
                base = np.uintp(tree.node[node, BASE])
                first = np.uintp(tree.node[node, FIRST])
                if player == CHANCE:
                    node = pick_outcome(tree, node, u)
                    q *= tree.chance_probability[base + node - first]
                    continue
                actions = np.uintp(tree.node[node, CHILDREN])
                where[decisions] = node
                reached[decisions, OWN_REACH] = own_reach[player]
                reached[decisions, SAMPLED] = q
                match_regrets(regret, base, actions, strategy[decisions], np.uintp(0))
                decisions += 1
                if player == traverser:
                    chosen = explore(regret, base, actions, EPSILON, u, path, depth, inverse)
                    path_node[depth], path_action[depth] = node, chosen
                    inverse *= path[depth, INVERSE]
                    q /= path[depth, INVERSE]
                    own_reach[player] *= path[depth, PLAYED]
                    depth += np.uintp(1)
                else:
                    chosen = draw_action(regret, base, actions, u)
                    played = chance_of_action(regret, base, actions, chosen)
                    q *= played
                    own_reach[player] *= played
                node = first + chosen
            value = tree.payoff[np.uintp(tree.node[node, BASE]), np.uintp(traverser)]
            while depth > 0:
                depth -= np.uintp(1)
                base = np.uintp(tree.node[path_node[depth], BASE])
                actions = np.uintp(tree.node[path_node[depth], CHILDREN])
                chosen = np.uintp(path_action[depth])
                value = update_regrets(regret, base, actions, chosen, path, depth, value)
            now = np.float64(t)
            way = where[:decisions]
            take_averages(
                tree, now, traverser, way, reached, strategy, regret, rules, after, sums, seen
            )


compiled = bound_kernel(sample, hashlib.sha256(Path(__file__).read_bytes()).hexdigest())


def run_rules(tree: eq.GameTree, rules: list[Rule], iterations: int, seed: int) -> Any:
    """Regrets, float64[Q], and settled strategy sums per rule, float64[M, Q]."""
    form, arrays = tree.sequence_form, tree.history_tree.arrays
    size, widest = int(tree.action_offset[-1]), tree.history_tree.max_actions
    key = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
    regret, sums = np.zeros(size), np.zeros((len(rules), size))
    seen = np.zeros_like(sums)
    flags = np.array([astuple(rule)[:-1] for rule in rules])
    levels = tree.history_tree.depth + 1
    compiled(arrays, iterations, key, flags, regret, sums, seen, levels, widest)
    for m, rule in enumerate(rules):
        if rule.flushed:
            now = float(iterations * (tree.num_players if rule.two_counters else 1))
            reach, strategy = np.ones(form.num_sequences), np.zeros(widest)
            order = (tree.action_offset, form.public_parent, form.sequence_of_public)
            count_the_rest(*order, now, regret, seen[m], sums[m], reach, strategy)
    return regret, sums


def measure(tree: eq.GameTree, iterations: int, seed: int) -> dict[str, float]:
    """NashConv of every average after so many iterations."""
    found = {}
    for name, averaging in PACKAGE.items():
        solver = MCCFR(tree, sampler="outcome", averaging=averaging, seed=seed).run(iterations)
        found[name] = eq.nash_conv(solver.average_strategy())
    regret, sums = run_rules(tree, list(MISTAKES.values()), iterations, seed)
    if not np.array_equal(regret, solver.state.regret):
        raise SystemExit("the mistakes were not made along the package's trajectories")
    plain = MCCFR(tree, sampler="outcome", averaging="stochastic", seed=seed)
    for name, row in zip(MISTAKES, sums, strict=True):
        plain.restore(replace(plain.state, strategy_sum=row))
        found[name] = eq.nash_conv(plain.average_strategy())
    return found


def cell(runs: list[dict[str, float]], name: str) -> str:
    """Mean NashConv, and by how much it is above that of the exact average."""
    mean = statistics.mean(run[name] for run in runs)
    if name == EXACT:
        return f"{mean:.3g}"
    above = [run[name] - run[EXACT] for run in runs]
    percent = 100.0 / statistics.mean(run[EXACT] for run in runs)
    more, error = statistics.mean(above) * percent, statistics.stdev(above) * percent
    places = 0 if abs(more) >= 20 else 1
    return f"{mean:.3g} ({more:+.{places}f} ± {error / len(above) ** 0.5:.{places}f} %)"


def main() -> None:
    """Measure every case and write the record."""
    raw = {}
    for spec, iterations, title in CASES:
        tree = eq.compile_game(spec)
        raw[title] = [measure(tree, iterations, seed) for seed in range(SEEDS)]
        print(title, {name: cell(raw[title], name) for name in raw[title][0]}, flush=True)
    write_record(
        "averaging_mistakes",
        f"NashConv of outcome sampling after the given number of iterations, means of {SEEDS} "
        f"seeds. In brackets: the relative difference from the exact average of the same run, and "
        f"its standard error.",
        "python benchmarks/solvers/averaging_mistakes.py",
        ["average", *raw],
        [[name, *(cell(runs, name) for runs in raw.values())] for name in (*PACKAGE, *MISTAKES)],
        epsilon=EPSILON,
        nash_conv=raw,
    )


if __name__ == "__main__":
    main()
