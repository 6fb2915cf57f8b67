"""Methods of re-solving by what they leave of a trunk's exploitability, and their time.

    python benchmarks/search/methods.py          # Leduc and liar's dice, five minutes
    python benchmarks/search/methods.py holdem   # a cut of flop hold'em, two minutes

Every trunk is kept above the roots. Below them both seats' play is replaced, once, or (`again`) at
every later public node in which the seat acts. Exploitability is exact: half of NashConv. Subgames
are solved by linear programmes; the time is that of one root for one seat, the trunk's values
there included. Flop hold'em has limit betting with one bet and one raise on each of two streets,
eight cards of two suits, and a flop of one card.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.poker import Hand
from equilibrist.search import METHODS, OnlineSearch, Subgames, resolve

LEDUC = "leduc(suit_isomorphism=true)"
DICE = "liars_dice(sides=4)"
FLOP_HOLDEM = Hand(
    stack=100, limit="limit", fixed_bets="1/1", raise_cap=1, board="1", deck="J", suits=2
)
COARSE = "cards(JQ.K,pair)"
HOLDEM_NOTE = (
    " Flop hold'em with limit betting, one bet and one raise a street, eight cards of two suits, "
    "and a flop of one card, below which play is solved anew."
)
TIMED = 12
"""Roots whose time is taken, at most."""


class Case(NamedTuple):
    """A trunk, and where it is re-solved."""

    heading: str
    game: str | Hand
    trunk: str
    roots: str


CASES = (
    Case("Leduc, second round spoiled", LEDUC, "spoiled", "after chance"),
    Case("Leduc, jack and queen alike", LEDUC, "coarse", "after chance"),
    Case("Leduc, jack and queen alike, before the board", LEDUC, "coarse", "before chance"),
    Case("Leduc, 30 iterations of CFR", LEDUC, "cfr", "before chance"),
    Case("Liar's dice, 30 iterations of CFR", DICE, "cfr", "after move 1"),
    Case("Liar's dice, spoiled after two bids", DICE, "spoiled", "after move 2"),
)
HOLDEM_CASES = (
    Case("30 iterations of CFR", FLOP_HOLDEM, "cfr", "after chance"),
    Case("100 iterations of CFR+", FLOP_HOLDEM, "cfr+", "after chance"),
)
ITERATIONS = {"cfr": 30, "cfr+": 100}
"""Of trunks by their algorithm."""


def trunk_of(case: Case) -> eq.Strategy:
    """The trunk of a case.

    Spoiled: an equilibrium, mixed below the roots with as much play drawn at random.
    """
    game = case.game.game() if isinstance(case.game, Hand) else case.game
    tree = eq.compile_game(game)
    if case.trunk == "coarse":
        return eq.solve(tree, "cfr+", iterations=1000, abstraction=COARSE).strategy
    if case.trunk in ITERATIONS:
        return eq.solve(tree, case.trunk, iterations=ITERATIONS[case.trunk]).strategy
    strategy = eq.solve(tree, "lp").strategy
    counts = np.diff(tree.action_offset)
    draws = np.random.default_rng(1).exponential(size=int(counts.sum()))
    draws /= np.repeat(np.add.reduceat(draws, tree.action_offset[:-1]), counts)
    share = 0.5 * np.repeat(Subgames.of(tree, case.roots).inside, counts)
    return eq.Strategy(tree, (1.0 - share) * strategy.probabilities + share * draws)


def main() -> None:
    """Re-solve all trunks of a kind by all methods, print, record.

    In hold'em play is solved once, and by no method that solves hands one by one: those take hours.
    """
    is_holdem = "holdem" in sys.argv[1:]
    cases = HOLDEM_CASES if is_holdem else CASES
    specs = [name for name in METHODS if name != "one-step"] + ["one-step"]
    specs = [name for name in specs if METHODS[name].order is None or not is_holdem]
    rows: dict[str, list[object]] = {"trunk": []}
    raw = {}
    seconds: dict[str, list[float]] = {}
    for case in cases:
        trunk = trunk_of(case)
        subgames = Subgames.of(trunk.tree, case.roots)
        completion = 0.0
        for spec in specs:
            result = resolve(trunk, roots=subgames, method=spec, completion=spec == specs[0])
            if spec == specs[0]:
                rows["trunk"].append(sum(result.before) / 2)
                completion = sum(value for value in result.completion if value is not None) / 2
            rows.setdefault(spec, []).append(sum(result.after) / 2)
            raw[f"{case.heading}, {spec}"] = [result.before, result.after]
            if not is_holdem:
                online = OnlineSearch.of(trunk, roots=case.roots, method=spec, again=True)
                again = online.offline(completion=False)
                rows.setdefault(f"{spec}, again", []).append(sum(again.after) / 2)
                raw[f"{case.heading}, {spec}"].append(again.after)
            picked = np.linspace(0, len(subgames.nodes) - 1, min(TIMED, len(subgames.nodes)))
            for place in picked.astype(int).tolist():
                alone = Subgames.below(subgames.search, [subgames.nodes[place]])
                for seat in (0, 1):
                    one = resolve(trunk, roots=alone, method=spec, seats=[seat], completion=False)
                    seconds.setdefault(spec, []).append(one.seconds)
            print(case.heading, spec, rows[spec][-1], flush=True)
        if not is_holdem:  # whose best completion is a programme too large
            rows.setdefault("best completion", []).append(round(completion, 9))
    table = [
        [name, *values, f"{1000 * median(seconds[name]):.1f}" if name in seconds else "-"]
        for name, values in sorted(rows.items(), key=lambda row: row[0] == "best completion")
    ]
    write_record(
        "search_methods_holdem" if is_holdem else "search_methods",
        "Exploitability after re-solving, in payoff units; medians of milliseconds for one root."
        + HOLDEM_NOTE * is_holdem,
        "python benchmarks/search/methods.py" + " holdem" * is_holdem,
        ["method", *(case.heading for case in cases), "ms"],
        table,
        packages=("numpy", "numba", "scipy"),
        by_seat=raw,
    )


if __name__ == "__main__":
    main()
