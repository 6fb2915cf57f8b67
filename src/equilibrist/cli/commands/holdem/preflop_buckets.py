"""`equilibrist preflop buckets`: what merging hands costs, measured with all hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from equilibrist.cli.commands.holdem.hand_input import HandFile, hand_of
from equilibrist.cli.inputs import options, start_time
from equilibrist.cli.inputs.parameters import takes, with_options
from equilibrist.cli.inputs.signals import terminate_like_interrupt
from equilibrist.cli.inputs.start_time import note_overrun
from equilibrist.cli.text.output import show, show_json, show_table
from equilibrist.cli.text.progress import LiveLine
from equilibrist.options.option import ALGORITHM, DISPLAY, STOPPING, declare, shared
from equilibrist.options.solve_options import HOLDEM_RUN_OPTIONS
from equilibrist.poker.hands.fields import EXACT_HAND_OPTIONS
from equilibrist.progress import Callbacks, timed

_BUCKETS: Final = "Buckets"
_OPPONENTS: Final = {
    "abstract": "abstract",
    "best-response": "best response",
    "all-hands": "all hands",
}


@dataclass(frozen=True)
class BucketRun:
    """What is merged, and how it is played; None for what was not typed."""

    buckets: str = declare(
        "text",
        _BUCKETS,
        "Parts into which hands are cut on each street: 5/5, or all/570.",
        metavar="N/N",
        default="5/5",
    )
    forgetful: bool = declare(
        "switch", _BUCKETS, "Cut each street anew, not within the buckets of the street before."
    )
    opponent: str = declare(
        "choice",
        ALGORITHM,
        "Whom each seat learns against: an exact best response (CFR-BR), the other seat, or "
        "an opponent that learns with all hands.",
        choices=tuple(_OPPONENTS),
        default="best-response",
    )
    algorithm: str | None = shared(
        HOLDEM_RUN_OPTIONS["algorithm"],
        help="A variant of CFR that updates in turn: cfr, cfr+, dcfr.",
        default_text="cfr",
        flags=("--algorithm", "-a"),
    )
    iterations: int | None = declare(
        "count",
        STOPPING,
        "Stop after this many iterations.",
        default_text="100, without --time",
        flags=("--iterations", "-n"),
    )
    seconds: float | None = shared(HOLDEM_RUN_OPTIONS["seconds"])
    threads: int | None = shared(HOLDEM_RUN_OPTIONS["threads"])
    memory: int | None = shared(HOLDEM_RUN_OPTIONS["memory"])
    lbr: bool = declare("switch", DISPLAY, "Value local best responses to the averages, too.")
    json: bool = shared(options.JSON)
    quiet: bool = shared(options.QUIET)


HELP: Final = """Merge hands into percentiles, learn to play so, and measure it with all hands.

Hands are sorted on each street by their expected equity at the showdown against a random hand, and
cut into parts that are dealt equally often. All hands of a bucket share a strategy. It is learnt by
CFR-BR, in which each seat meets exact best responses that tell all hands and boards apart, or, with
--opponent abstract, by CFR in which both seats see buckets only. With --opponent all-hands each
seat meets an opponent that learns as well, and tells all hands apart: with -a cfr+ it takes fewer
iterations than CFR-BR. Exploitability is that in the hand without buckets, exact, of the average
and of the last strategies, in mbb (thousandths of a big blind) a hand. The board must be shown down
after the last betting.

\b
Examples:
  equilibrist preflop buckets --stack 100 --limit limit --fixed-bets 1/1 --board 3 -n 50
  equilibrist preflop buckets hand.toml --buckets all/570 --forgetful --opponent abstract
  equilibrist preflop buckets hand.toml --buckets 5/5 --lbr --json
"""


@takes(EXACT_HAND_OPTIONS, "hand")
@with_options
def measure_buckets(file: HandFile = None, *, hand: dict[str, Any], run: BucketRun) -> None:
    """Learn, measure, print."""
    from equilibrist.poker.preflop.exact.abstract.report import bucket_report

    spec = hand_of(file, hand)
    with LiveLine(quiet=run.quiet or run.json) as live, terminate_like_interrupt():
        report = bucket_report(
            spec,
            run.buckets,
            nested=not run.forgetful,
            opponent=_OPPONENTS[run.opponent],  # type: ignore[arg-type] # a choice
            algorithm=run.algorithm or "cfr",
            iterations=run.iterations,
            seconds=run.seconds,
            local=run.lbr,
            threads=run.threads,
            memory=run.memory,
            callbacks=timed(Callbacks(on_stage=live.stage), start_time.STARTED),
        )
    note_overrun(run.seconds, report.trace[-1].iteration)
    if run.json:
        show_json(report.to_dict())
        return
    show(f"{report.buckets}: {report.infosets:,} infosets")
    show(f"{report.algorithm}, each seat against the {_met(report.opponent)}")
    show()
    rows = [
        [f"{point.iteration:,}", f"{point.average:.1f}", f"{point.last:.1f}"]
        for point in report.trace
    ]
    show_table(("iterations", "average", "last"), rows)
    show()
    show("Exploitability in mbb a hand, by best responses that tell all hands apart.")
    if report.local is not None:
        first, second = report.local
        mean = 0.5 * (first + second)
        show(f"Local best responses gain {mean:.1f} mbb a hand: a lower bound.")


def _met(opponent: str) -> str:
    return {
        "abstract": "other",
        "best response": "exact best response",
        "all hands": "opponent that learns with all hands",
    }[opponent]
