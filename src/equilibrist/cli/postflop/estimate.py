"""`equilibrist postflop estimate`: what a spot needs, before anything is allocated."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import takes
from equilibrist.cli.postflop.run_options import warn_of
from equilibrist.cli.postflop.spot_options import takes_spot
from equilibrist.cli.postflop.three import estimate_three
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import note, show, show_facts, show_json, show_table, suggest
from equilibrist.cli.text.progress import LiveLine, ProcessorWait
from equilibrist.formatting.amounts import bytes_text, seconds_text
from equilibrist.options.option import choose
from equilibrist.poker.postflop.spot.fields import RUN_OPTIONS

if TYPE_CHECKING:
    from equilibrist.poker.postflop.estimate.reductions import Reduction
    from equilibrist.poker.postflop.estimate.size import SpotSize
    from equilibrist.poker.postflop.solving.needs import SpotNeeds
    from equilibrist.poker.postflop.spot.fields import Storage as Stored
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.poker.three_players.spot import ThreeSpot

HELP = """Estimate the memory and the time that a spot needs, before anything is allocated.

The spot is a file, or options, or both: options override the keys of the file. Sizes are one list
for all streets, or three for flop, turn and river separated by bars. Where the spot does not fit
into --memory, reductions that make it fit are listed, those that keep most of it first.

Bytes are overestimated by a few percent at most. The time is a rough estimate, within a factor of
two or three on a machine that has no other work: the iterations that other spots took to --target,
at the memory bandwidth of this machine. While `postflop solve` runs, its live line has the
remaining time at the speed that it measures. A spot fits where `postflop solve` takes it: what
--algorithm, --tremble and --quantal keep beside regrets and strategies is counted.

Of a spot file with three ranges the bytes are within a twentieth from some megabytes on, and the
time of a river is that of one thread.

\b
Examples:
  equilibrist postflop estimate spot.toml
  equilibrist postflop estimate spot.toml --bets "33%, 75%" --memory 8GB
  equilibrist postflop estimate spot.toml --target 0.1% --threads 2 --storage int16
  equilibrist postflop estimate three.toml --target 0.1%
  equilibrist postflop estimate --board Td9d6hQc --oop "66+,A8s+,A5s-A4s,AJo+" \\
      --ip "QQ-22,AQs-A2s" --pot 200 --stack 900 --bets "60%, e, a" --raises 2.5x
"""

_SHOWN_SECONDS: Final = 1.0
"""The least that folded ranges take where that is told."""
MOST_SHOWN: Final = 8
"""Reductions that are listed."""
_WORDS: Final[dict[Stored, str]] = {"float32": "float32", "int16": "16 bits", "float64": "float64"}
_RUN: Final = choose(
    RUN_OPTIONS,
    ("target", "algorithm", "storage", "tremble", "quantal", "threads", "memory"),
    target="Estimate the time to this exploitability: 0.3% of the pot, or 0.5c in chips.",
    memory="The limit, for instance 500MB or 8GB.",
)


@takes(_RUN, "run", Spot=object, ThreeSpot=object)
def _estimate(
    spot: Spot | ThreeSpot,
    run: dict[str, Any],
    quiet: options.Quiet = False,
    json: options.Json = False,
) -> None:
    """Count nodes and bytes, and estimate seconds."""
    from equilibrist.poker.postflop.solving.needs import spot_needs
    from equilibrist.poker.three_players.spot import ThreeSpot

    if isinstance(spot, ThreeSpot):
        estimate_three(spot, run, json=json)
        return

    def tried(reductions: Iterable[Reduction]) -> list[Reduction]:
        with LiveLine(quiet=quiet or json) as live:
            live.stage("trying reductions", aloud=False)
            return list(reductions)

    memory, wait = run["memory"], ProcessorWait()
    warn_of(spot)
    needs = spot_needs(spot, **run, reduce=tried)
    if json:
        show_json(needs.to_dict())
        return
    size, stored, memory_by_storage, count = (
        needs.size,
        needs.storage,
        needs.memory_bytes,
        needs.threads,
    )
    estimated, target, limit = needs.run, needs.target, needs.limit
    symmetric = f", {size.symmetries} suit symmetries" if size.symmetries > 1 else ""
    whose = " (half of this machine's memory)" if memory is None else ""
    fits = "the spot fits" if needs.fits else f"the spot does not fit in {_WORDS[stored]}"
    seconds = seconds_text(float(f"{estimated.seconds:.2g}"))
    count_text = f"{estimated.iterations:,} iterations"
    threads_text = "one thread" if count == 1 else f"{count:,} threads"
    show_facts(
        [
            ("board", spot.board + symmetric),
            ("pot, stack", f"{spot.pot:,} and {spot.stack:,} chips"),
            ("hands", f"{size.hands[0]:,} out of position, {size.hands[1]:,} in position"),
            ("decisions", f"{size.action_nodes:,}"),
            ("memory", f"{bytes_text(memory_by_storage['float32'])} in float32"),
            ("", f"{bytes_text(memory_by_storage['int16'])} in 16 bits"),
            *(
                [("", f"{bytes_text(memory_by_storage['float64'])} in float64")]
                if stored == "float64"
                else []
            ),
            *_long_run(needs),
            ("of which", f"{bytes_text(size.overhead.total(count))} are tables and working memory"),
            ("limit", f"{bytes_text(limit)}{whose}: {fits}"),
            ("time", f"about {seconds} to {target}, {threads_text}, {count_text}"),
            *_folded(estimated.folded_seconds),
        ],
        "",
    )
    if (busy := wait.text(0.0, "a solve")) is not None:
        note(busy)
    show()
    _show_streets(size, stored)
    if not needs.fits:
        show()
        _show_ways_to_fit(needs)
    else:
        suggest(next_command("postflop solve", target=target.replace(" ", "")))


_estimate.takes_three = True  # type: ignore[attr-defined]
estimate = takes_spot(_estimate)


def _long_run(needs: SpotNeeds) -> list[tuple[str, str]]:
    """The row on what a run takes that goes on in float64."""
    from equilibrist.poker.postflop.spot.fields import NARROW_ITERATIONS

    stored, most = needs.storage, needs.most_bytes
    if most == needs.memory_bytes[stored]:
        return []
    words = f"from iteration {NARROW_ITERATIONS[stored] + 1:,} on, which is in float64"
    return [("", f"{bytes_text(most)} {words}")]


def _folded(seconds: float) -> list[tuple[str, str]]:
    """The row on what folded ranges take besides."""
    if seconds < _SHOWN_SECONDS:
        return []
    about = seconds_text(float(f"{seconds:.2g}"))
    return [("", f"and about {about} to weigh hands by what folded ranges leave of them")]


def _show_streets(size: SpotSize, stored: Stored) -> None:
    show_table(
        ("street", "boards", "solved", "decisions on each", "entries", _WORDS[stored]),
        [
            (
                street.street,
                f"{street.all_boards:,}",
                f"{street.boards:,}",
                f"{street.betting_nodes:,}",
                f"{street.entries:,}",
                bytes_text(street.solver_state_bytes(stored)),
            )
            for street in size.streets
        ],
        indent="",
    )


def _show_ways_to_fit(needs: SpotNeeds) -> None:
    """Print what makes a spot fit."""
    from equilibrist.poker.postflop.spot.fields import NARROW_ITERATIONS

    stored = needs.storage
    before = needs.memory_bytes[stored]
    if before <= needs.limit:
        show(f"it fits with --iterations {NARROW_ITERATIONS[stored]}, or fewer")
    else:
        _show_reductions(needs.reductions, before, stored)


def _show_reductions(reductions: Sequence[Reduction], before: int, stored: Stored) -> None:
    if not reductions:
        show("no reduction found that fits: give fewer sizes, a raise cap or more memory")
        return
    rows = [
        (
            " + ".join(reduction.changes),
            bytes_text(reduction.num_bytes),
            f"{100 * (1 - reduction.num_bytes / before):.0f} %",
            " ".join(_options(reduction, stored)),
        )
        for reduction in reductions[:MOST_SHOWN]
    ]
    show_table(
        ("what fits", "memory", "saves", "options"),
        rows,
        ("left", "right", "right", "left"),
        indent="",
        fold=True,
    )


def _options(reduction: Reduction, stored: Stored) -> Iterator[str]:
    for key, value in reduction.keys.items():
        yield f"--{key.replace('_', '-')} {shlex.quote(str(value))}"
    if reduction.storage != stored:
        yield f"--storage {reduction.storage}"
