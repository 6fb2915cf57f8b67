"""Microseconds of a deal of external sampling, beside OpenSpiel's on the same rules.

    python benchmarks/blueprint/external_speed.py c.safetensors    # two minutes; 52 cards

The rules are the same: no-limit hold'em with bets and raises of the pot and all-in, which OpenSpiel
calls `universal_poker` with FCPA betting. Before anything is timed the decisions of both betting
trees are counted by street and must agree. A deal is traversed once for every seat, regrets and
average strategies included; OpenSpiel draws new cards for each seat's traversal.

    Equilibrist   ExternalTrainer without pruning, in rounds of 20,000 deals on each thread: drawing
                  cards, looking up their buckets and merging the threads are in the time
    OpenSpiel     ExternalSamplingMCCFRSolver.run_iteration(), one thread; it has no other

What differs: OpenSpiel has no buckets. Its information sets are all hands and boards, kept by their
text in a hash table, most of which it meets for the first time, and its payoffs evaluate the hands
at each showdown. Ours are found by a number, and the strength of a hand is looked up once a deal.
So the ratio is that of two programs at the same traversal of the same tree, not of two loops.

A traversal visits the more nodes the less the others fold. Ours are counted (decisions and ends).
OpenSpiel does not count; its nodes are those expected where all others play uniformly, as they do
in information sets that are new, and the ratio per node is an estimate.
"""

from __future__ import annotations

import re
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
import pyspiel

from benchmarks.record import write_record

ROUNDS = 5
WARM = 3
"""Rounds of ours, and as many hundred iterations of OpenSpiel's, before any is timed."""
COLUMNS = (
    "seats",
    "stack, bb",
    "decisions",
    "one thread",
    "two threads: times faster",
    "OpenSpiel",
    "OpenSpiel / ours",
    "range",
    "nodes a deal",
    "OpenSpiel's nodes",
    "per node",
)


@dataclass(frozen=True)
class Case:
    """Seats, their stacks in big blinds, and the iterations of OpenSpiel's that are timed."""

    seats: int
    stack: int
    iterations: int


CASES = (Case(2, 20, 3000), Case(3, 10, 2000), Case(6, 4, 1000))


def peer_game(case: Case) -> pyspiel.Game:
    """The rules in OpenSpiel's notation; with two seats its seat 0 is the big blind."""
    blinds = ["100", "50"] if case.seats == 2 else ["50", "100", *["0"] * (case.seats - 2)]
    first = "2 1 1 1" if case.seats == 2 else "3 1 1 1"
    return pyspiel.load_game(
        f"universal_poker(betting=nolimit,bettingAbstraction=fcpa,numPlayers={case.seats},"
        f"numRounds=4,blind={' '.join(blinds)},firstPlayer={first},numSuits=4,numRanks=13,"
        "numHoleCards=2,numBoardCards=0 3 1 1,"
        f"stack={' '.join([str(100 * case.stack)] * case.seats)})"
    )


def peer_decisions(game: pyspiel.Game) -> tuple[int, ...]:
    """Decisions of OpenSpiel's betting tree by street, below one deal of the cards."""
    found, waiting = [0] * 4, [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_terminal():
            continue
        actions = state.legal_actions()
        if state.is_chance_node():
            actions = actions[:1]
        else:
            text = state.information_state_string(state.current_player())
            street = re.search(r"Round (\d)", text)
            assert street is not None, text
            found[int(street[1])] += 1
        waiting += [state.child(action) for action in actions]
    return tuple(found)


def uniform_nodes(tree: Any) -> float:
    """Decisions and ends that a deal is expected to visit if the others play uniformly."""
    from equilibrist.poker.hands.state import DEAL, DECISION

    seats = tree.stake.shape[1]
    reach = np.ones((tree.num_nodes, seats))
    for node in range(1, tree.num_nodes):
        parent = tree.parent[node]
        reach[node] = reach[parent]
        if tree.kind[parent] == DECISION:
            others = np.arange(seats) != tree.player[parent]
            reach[node, others] /= tree.num_children[parent]
    return float(reach[tree.kind != DEAL].sum())


def ours_on(case: Case, cards: Any, lanes: int) -> Any:
    """A trainer on so many threads."""
    from equilibrist.poker import Hand
    from equilibrist.poker.blueprint.abstract_game import AbstractGame
    from equilibrist.poker.blueprint.training.external import ExternalTrainer

    hand = Hand(seats=case.seats, stack=case.stack, bets="100%,a", raises="100%,a")
    game = AbstractGame(hand, cards.counts)
    return ExternalTrainer(game, cards, lanes=lanes, threads=lanes, pruning=None, seed=1)


def timed(trainer: Any) -> tuple[float, float, float]:
    """Microseconds of a deal over a round, on the clock and of the processor, and nodes."""
    boards, visits = trainer.boards, trainer.visits
    begun, worked = time.perf_counter(), time.process_time()
    trainer.run(1)
    passed, worked = time.perf_counter() - begun, time.process_time() - worked
    deals = trainer.boards - boards
    return 1e6 * passed / deals, 1e6 * worked / deals, (trainer.visits - visits) / deals


def compare(case: Case, cards: Any) -> dict[str, list[float]]:
    """Microseconds of a deal by program and round, taken in turn."""
    game = peer_game(case)
    one, two = (ours_on(case, cards, lanes) for lanes in (1, 2))
    decisions = hand_decisions(one)
    assert decisions == peer_decisions(game), "the betting trees differ"
    theirs = pyspiel.ExternalSamplingMCCFRSolver(game, seed=1)
    one.run(WARM)
    two.run(WARM)
    for _ in range(100 * WARM):
        theirs.run_iteration()
    found: dict[str, list[float]] = {
        name: [] for name in ("nodes", "ours", "OpenSpiel", "one, clock", "two, clock")
    }
    for _ in range(ROUNDS):
        begun = time.process_time()
        for _ in range(case.iterations):
            theirs.run_iteration()
        found["OpenSpiel"].append(1e6 * (time.process_time() - begun) / case.iterations)
        clock, processor, nodes = timed(one)
        found["one, clock"].append(clock)
        found["ours"].append(processor)
        found["nodes"].append(nodes)
        found["two, clock"].append(timed(two)[0])
    return found


def hand_decisions(trainer: Any) -> tuple[int, ...]:
    """Decisions of our betting tree by street."""
    return tuple(trainer.game.hand.size().decisions)


def main() -> None:
    """Measure and write the record."""
    from equilibrist.poker import CardBuckets
    from equilibrist.poker.hands.state import DECISION

    cards = CardBuckets.load(sys.argv[1])
    rows, raw = [], {}
    for case in CASES:
        found = compare(case, cards)
        raw[f"{case.seats} seats"] = found
        middle = {name: statistics.median(values) for name, values in found.items()}
        faster = [a / b for a, b in zip(found["one, clock"], found["two, clock"], strict=True)]
        ratios = [a / b for a, b in zip(found["OpenSpiel"], found["ours"], strict=True)]
        tree = ours_on(case, cards, 1).game.tree
        uniform = uniform_nodes(tree)
        rows.append(
            [
                case.seats, case.stack, int((tree.kind == DECISION).sum()),
                middle["ours"], statistics.median(faster),
                middle["OpenSpiel"], statistics.median(ratios),
                f"{min(ratios):.1f}-{max(ratios):.1f}",
                round(middle["nodes"], 1), round(uniform, 1),
                statistics.median(ratios) * middle["nodes"] / uniform,
            ]
        )  # fmt: skip
        print(rows[-1], flush=True)
    write_record(
        "external_speed",
        "Processor microseconds of a deal on one thread, traversed once for every seat, with pot "
        f"and all-in and {'/'.join(map(str, cards.counts))} buckets; OpenSpiel C++ on the same "
        "betting tree; and how many times faster two threads are by the clock. Medians of "
        f"{ROUNDS} rounds in turn. OpenSpiel's nodes are those expected against uniform play, so "
        "that the ratio per node is an estimate.",
        "python benchmarks/blueprint/external_speed.py c.safetensors",
        COLUMNS,
        rows,
        packages=("numpy", "numba", "open-spiel"),
        cases=[case.__dict__ for case in CASES],
        microseconds=raw,
    )


if __name__ == "__main__":
    main()
