"""`equilibrist postflop mistakes`: what a solved spot loses at nodes reached by a mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from equilibrist.cli.inputs import options
from equilibrist.cli.postflop.run_options import solving
from equilibrist.cli.text.output import first_left, heading, show, show_json, show_table
from equilibrist.cli.text.progress import LiveLine
from equilibrist.formatting.amounts import percent
from equilibrist.options.option import DISPLAY
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.poker.postflop.solving.spot_run import SpotRun

if TYPE_CHECKING:
    from equilibrist.poker.postflop.files.mistakes import MistakeReport
    from equilibrist.poker.postflop.spot.spot import Spot

HELP = """Measure what a solved spot loses at nodes that play comes to only by a mistake.

An equilibrium says next to nothing about what follows an action that it never takes. A mistake is
an action that a range takes less often than --below at a decision to which play comes, if somebody
still decides after it. The hands that make it are those of the solution, however seldom they do;
for "mean alike" all that come to the decision. Then both players go on by their strategies. The
loss is what the other player could gain from there on by a best response, in percent of the pot
after the mistake; the last column is the same for the player who erred. One mistake is drawn:
decisions count by the probability that play comes to them, the mistakes of a decision alike.

A saved solution (a file, or a stored one: last, last-2) is not solved again; it must keep all
streets. On the turn and the river of a spot that begins earlier, --boards boards are looked at.
`--tremble` and `--quantal` solve spots so that little is lost there.

\b
Examples:
  equilibrist postflop mistakes last
  equilibrist postflop mistakes spot.toml --target 0.1% --quantal 0.002
  equilibrist postflop mistakes spot.toml --tremble 0.001 --boards 48 --worst 20
"""


def mistakes(
    spot: Spot,
    run: SpotRun,
    *,
    below: Annotated[
        str,
        options.valued(
            "--below", "SHARE", "Actions that a range takes more seldom are mistakes.", DISPLAY
        ),
    ] = "0.5%",
    boards: Annotated[
        int, options.whole("--boards", "N", "Boards of each later street.", DISPLAY, default=True)
    ] = 12,
    worst: Annotated[
        int,
        options.whole(
            "--worst", "N", "Mistakes to list, those that cost most.", DISPLAY, default=True
        ),
    ] = 10,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Solve, measure, print."""
    from equilibrist.poker.postflop.files.mistakes import measure_mistakes
    from equilibrist.poker.text_span import read_share

    whole_number("worst", worst, 0)
    try:
        share = read_share(below)
    except ValueError:
        raise bad_argument("below", below, "a share such as 0.5% or 0.005") from None
    with solving(spot, run, quiet=quiet) as solution:
        with LiveLine(quiet=quiet) as live:

            def tell(done: int, count: int) -> None:
                live.tell([f"measuring mistakes on board {done + 1} of {count}"])

            limits = {name: run.options.get(name) for name in ("threads", "memory")}
            report = measure_mistakes(solution, below=share, boards=boards, on_board=tell, **limits)
        if json:
            rows = [row._asdict() for row in report.mistakes]
            summary = [row._asdict() for row in report.summary]
            facts = {"below": report.below, "boards": report.boards, "unit": "percent of the pot"}
            show_json({**solution.facts(), **facts, "summary": summary, "mistakes": rows})
        else:
            heading(
                f"{spot.board}: {solution.measure_name} {solution.mean_gain_percent:.3g}% of the "
                "pot; losses after a mistake, in percent of the pot there"
            )
            _show(report, worst)


def _show(report: MistakeReport, worst: int) -> None:
    if not report.mistakes:
        show(f"every action is taken by at least {percent(report.below, 2)} of the range")
        return
    columns = [
        "street", "mistakes", "mean", "median", "95%", "most", "mean alike", "mean of who erred",
    ]  # fmt: skip
    show_table(
        columns,
        [
            (
                row.street,
                f"{row.mistakes:,}",
                *(f"{loss:.3f}" for loss in row[2:]),
            )
            for row in report.summary
        ],
        first_left(len(columns)),
        indent="",
    )
    listed = sorted(report.mistakes, key=lambda one: -one.loss)[:worst]
    if listed:
        show()
        heads = ["mistake", "by", "taken", "probability", "loss"]
        show_table(
            heads,
            [
                (
                    one.line,
                    one.seat.upper(),
                    percent(one.frequency, 3),
                    percent(one.weight, 2),
                    f"{one.loss:.3f}",
                )
                for one in listed
            ],
            first_left(len(heads)),
            indent="",
        )
