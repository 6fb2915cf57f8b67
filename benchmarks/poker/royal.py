"""No-limit royal hold'em with every bet: how far it is solved, and what bet menus lose in it.

    python benchmarks/poker/royal.py menus               # menus by mappings, in the whole game
    python benchmarks/poker/royal.py target --checkpoint royal.ckpt --out royal.safetensors
    python benchmarks/poker/royal.py storage --out royal.safetensors

All take --game cut, for a cut with four ranks and 10 chips that is solved in seconds, or --game
deep, for one with three ranks and all 20 chips, in minutes; their records are others.

`menus` solves the game with each menu of bets to a twentieth of an mbb, or for 2,000 iterations,
plays the solution in the game with every bet by each mapping, and measures what best responses gain
there. Nothing is drawn at random.

`target` solves the game with every bet, resumes its checkpoint if there is one, and may be killed.
It ends at 0.2 mbb of NashConv or after an hour. Its record has the value of the game with the
interval that the gains prove, and the opening strategy. `storage` measures what it costs to keep
that solution with 16 bits an action. 6 GB of memory.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record
from equilibrist import load_result
from equilibrist.abstraction.actions.mappings import MAPPINGS
from equilibrist.formatting.amounts import bytes_text, seconds_text
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.preflop.exact.engine import Engine
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.menu_translation import MenuTranslation
from equilibrist.poker.preflop.exact.solution import PreflopSolution
from equilibrist.poker.preflop.exact.solving import solve_preflop
from equilibrist.poker.preflop.exact.strategy import ExactStrategy

COMMAND = "python benchmarks/poker/royal.py"
GAMES = {
    "royal": "royal(bets=all)",
    "cut": "royal(bets=all,stack=10,deck=J)",
    "deep": "royal(bets=all,deck=Q)",
}
ALGORITHM = "dcfr"
"""The least exploitable after 1,000 iterations of those tried on cuts of 12 cards."""
MENUS = {
    "all-in before the flop alone": ("a|none", "a|none"),
    "all-in": ("a", "a"),
    "pot, all-in": ("100%,a", "100%,a"),
    "half pot, all-in": ("50%,a", "50%,a"),
    "half pot, pot, all-in": ("50%,100%,a", "50%,100%,a"),
    "third, two thirds, pot, two pots, all-in": ("33%,67%,100%,200%,a",) * 2,
    "every first bet; raises: pot, all-in": ("all", "100%,a"),
}
"""Bets and raises."""
TARGET = "target --checkpoint royal.ckpt --out royal.safetensors"
ASKED = ("pseudo-harmonic", "nearest", "half")
"""The mappings of the whole game, in which each takes half a minute; cuts have all."""
PRECISE = "0.025mbb"
"""Exploitability of menus in their own game."""
MOST_ITERATIONS = 2000
HOUR = 3600.0


def record_name(game: str, what: str) -> str:
    """The name of a record."""
    return f"royal_{what}" if game == "royal" else f"royal_{game}_{what}"


def command(game: str, words: str) -> str:
    """The command that writes a record again."""
    return f"{COMMAND} {words}" + ("" if game == "royal" else f" --game {game}")


def menus(game: str, threads: int | None) -> None:
    """What the solution of each menu loses in the game with every bet."""
    name = GAMES[game]
    full = ExactGame.of(Hand.named(name))
    engine = Engine(full, threads or 1)
    mappings = ASKED if game == "royal" else tuple(MAPPINGS)
    rows: list[list[object]] = []
    for title, (bets, raises) in MENUS.items():
        hand = Hand.named(name, bets=bets, raises=raises)
        start = time.perf_counter()
        solution = solve_preflop(
            hand,
            ALGORITHM,
            target=PRECISE,
            iterations=MOST_ITERATIONS,
            threads=threads,
            keep_flops=32,
            progress=False,
        )
        assert solution.kept is not None
        row: list[object] = [title, f"{sum(solution.game.size.actions):,}", solution.exploitability]
        exploitability = None
        for mapping in mappings:
            if exploitability is None or "," in bets + raises:  # else there is nothing to choose
                translation = MenuTranslation(solution.game, full, mapping)
                lifted = translation.lift(solution.kept, engine.layout)
                exploitability = lifted.measure(engine=engine).exploitability
                assert exploitability is not None
            row.append(1000 * exploitability)
            print(title, mapping, row[-1], flush=True)
        print(row, seconds_text(time.perf_counter() - start), flush=True)
        rows.append(row)
        write_record(
            record_name(game, "menus"),
            f"{name}: exploitability in mbb a hand, exact: of the solution of each menu in its own "
            "game, and in the game with every bet, by mapping.",
            command(game, "menus"),
            ["menu", "actions", "own game", *mappings],
            rows,
            algorithm=ALGORITHM,
            menus=MENUS,
        )


def target(game: str, arguments: argparse.Namespace) -> None:
    """Solve the game with every bet, with the time that it took."""
    checkpoint = arguments.checkpoint
    options: dict[str, Any] = {"checkpoint_every": 600.0, "threads": arguments.threads}
    if checkpoint is not None:
        options["resume" if checkpoint.exists() else "checkpoint"] = checkpoint
    solution = solve_preflop(
        Hand.named(GAMES[game]),
        ALGORITHM,
        target="0.1mbb",
        seconds=arguments.seconds,
        keep_flops=16,
        progress=True,
        callbacks=lambda p: print(
            f"{p.iteration} {2000 * (p.measure or 0):.4f} {p.seconds:.0f} s", flush=True
        ),
        **options,
    )
    if arguments.out is not None:
        solution.save(arguments.out)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    rows = [
        [f"{point.iteration:,}", 2000 * (point.exploitability or 0.0), f"{point.seconds:.0f}"]
        for point in solution.trace
        if point.iteration < solution.iterations
        and (point.iteration in (10, 50, 100) or point.iteration % 200 == 0)
    ]
    rows.append([f"{solution.iterations:,}", solution.nash_conv, f"{solution.seconds:.0f}"])
    write_record(
        record_name(game, "target"),
        f"{GAMES[game]}, {ALGORITHM}: NashConv in mbb a hand by iterations "
        f"and seconds, measuring included; {bytes_text(peak)} at the peak.",
        command(game, TARGET),
        ["iterations", "NashConv", "seconds"],
        rows,
        threads=arguments.threads,
    )
    opening(game, solution)


def opening(game: str, solution: PreflopSolution) -> None:
    """The value of the game, and what the small blind does first."""
    root = solution.at()
    low, high = (1000 * bound for bound in solution.value_interval)
    names = root.names
    fold = root.codes.index("F")
    chosen = [a for a in range(len(root.codes)) if a == fold or root.frequencies[a] > 1e-3]
    rows: list[list[object]] = [
        ["all hands", *(f"{100 * root.frequencies[a]:.2f}" for a in chosen)]
    ]
    rows += [
        [names[k], *(f"{100 * root.strategy[a, k]:.1f}" for a in chosen)]
        for k in root.dealt.tolist()
        if root.strategy[fold, k] < 0.999
    ]
    write_record(
        record_name(game, "opening"),
        f"{GAMES[game]}: the small blind's first action in percent, without hands that fold "
        "and actions that no hand takes (0.1 % or less). The game "
        f"is worth {low:.2f} to {high:.2f} mbb to the small blind, proven by both best responses.",
        command(game, TARGET),
        ["hand", *(root.codes[a] for a in chosen)],
        rows,
        nash_conv=solution.nash_conv,
        iterations=solution.iterations,
    )


def storage(game: str, path: Path, threads: int | None) -> None:
    """What rounding to 16 bits costs, from a solution that was kept with 32 or 16 bits."""
    start = time.perf_counter()
    solution = load_result(path)
    assert isinstance(solution, PreflopSolution)
    assert solution.kept is not None
    opened = time.perf_counter() - start
    start = time.perf_counter()
    solution.at("R4-C|AsKsQs|X")
    looked_up = time.perf_counter() - start
    engine = Engine(solution.game, threads or 1)
    measured = solution.kept.measure(engine=engine)
    rows: list[list[object]] = [
        ["solution", solution.nash_conv, ""],
        ["kept", 1000 * measured.nash_conv, bytes_text(solution.kept.num_bytes)],
    ]
    for bits in (16, 8, 4):
        rounded = _rounded(solution.kept, engine, bits)
        rows.append([f"{bits} bits", 1000 * rounded.measure(engine=engine).nash_conv, ""])
    write_record(
        record_name(game, "storage"),
        f"{GAMES[game]}: NashConv in mbb of strategies as they are kept. The file is "
        f"opened in {opened:.1f} s, a decision of a flop looked up in {looked_up:.2f} s.",
        command(game, "storage --out royal.safetensors"),
        ["strategies", "NashConv", "bytes"],
        rows,
    )


def _rounded(kept: ExactStrategy, engine: Engine, bits: int) -> ExactStrategy:
    """The strategy with fewer digits in each number."""
    layout = engine.layout
    copy = ExactStrategy.empty(kept.game, layout, 16)
    steps = 2**bits - 1
    for seat in (0, 1):
        for board in range(len(layout.table.cards)):
            numbers = kept.numbers[seat][layout.span(board, seat)].astype(float)
            whole = (numbers * (steps / 65535)).round()
            copy.put(seat, board, layout.by_slot(whole, board, seat))
    return copy


def main() -> None:
    """Run what is named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=["menus", "target", "storage"])
    parser.add_argument("--game", choices=list(GAMES), default="royal")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--seconds", type=float, default=HOUR)
    parser.add_argument("--checkpoint", type=Path)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    if arguments.part == "menus":
        menus(arguments.game, arguments.threads)
    elif arguments.part == "target":
        target(arguments.game, arguments)
    else:
        storage(arguments.game, arguments.out, arguments.threads)


if __name__ == "__main__":
    main()
