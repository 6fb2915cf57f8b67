"""`equilibrist postflop compare`: a solution against frequencies, or against another solution."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.signals import terminate_like_interrupt
from equilibrist.cli.postflop.run_options import progress_texts, say_stage
from equilibrist.cli.postflop.show import solution_of
from equilibrist.cli.text.output import heading, note, show, show_exactly, show_json, show_table
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import chips, counted, measure_text, percent
from equilibrist.library.kinds import kind_for
from equilibrist.options.option import DISPLAY
from equilibrist.storage.archive import file_kind
from equilibrist.storage.kinds.file_kinds import BATCH, SPOT_SOLUTION

if TYPE_CHECKING:
    from equilibrist.poker.postflop.files.comparison import HandDifference, TableComparison
    from equilibrist.progress import Progress

HELP = """Compare a solved spot with notes, another program's frequencies, or another solution.

TABLE is in CSV, with a row for each hand and a column for each action (hand,Check,Bet 30), a row
for each action of a hand (hand,action,share), or as `postflop export` writes it. A column line has
the decision, else --line; a column ev the EV of the hand in chips. Shares are probabilities or
percent; bets are named by chips (Bet 30, B30), by their share of the pot (50%), or, where there is
one, as Bet.

TABLE may be another solution (a file, last-2, or the folder of a batch) with the same board and
pot, whose ranges, bets, rake and locks may differ: all decisions of a street are compared, combo by
combo, from --line on.

For each hand: the frequencies of both, their difference (the probability that has to be moved), the
loss (in chips, what the table's mixture earns less than that of the solution, where everything else
is the solution's) and the cost, the loss times how often the hand comes there. The greatest cost
comes first. What is not compared is named. What a whole strategy loses to a best response,
`postflop examine` measures.

\b
Examples:
  equilibrist postflop compare last notes.csv
  equilibrist postflop compare out.spot notes.csv --line X-B30 --sort difference
  equilibrist postflop compare out.spot frequencies.csv --csv > differences.csv
  equilibrist postflop compare study notes.csv --board QsJh2h --json
  equilibrist postflop compare last last-2
"""

_MOST_LEFT_OUT: Final = 5
_MOST_DECISIONS: Final = 12


def compare(
    file: Annotated[
        Path,
        options.solution_argument(
            "SOLUTION", "The solution of a spot: a file, or last, last-2, ..."
        ),
    ],
    table: Annotated[
        Path,
        options.solution_argument("TABLE", "The table of frequencies, or another solution."),
    ],
    line: Annotated[
        str,
        options.optional(
            "--line",
            "LINE",
            "The decision of rows without one; of another solution where to begin.  [default: the "
            "root]",
            short="-l",
        ),
    ] = "",
    board: Annotated[
        str | None,
        options.optional(
            "--board", "BOARD", "The board, of folders of batches that keep solutions."
        ),
    ] = None,
    sort: Annotated[
        str,
        options.valued(
            "--sort", "KEY", "cost, loss, difference, ev (the difference of EVs) or frequency.",
            DISPLAY,
        ),
    ] = "cost",
    top: Annotated[
        int, options.whole("--top", "N", "Print this many hands.", DISPLAY, default=True)
    ] = 20,
    csv: Annotated[bool, options.switch("--csv", "Print all hands as CSV.", DISPLAY)] = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:  # fmt: skip
    """Compare, print."""
    from equilibrist.parsing.arguments import whole_number
    from equilibrist.poker.postflop.files.comparison import compare_frequencies
    from equilibrist.poker.postflop.files.frequency_tables import read_frequencies
    from equilibrist.poker.postflop.files.runout_report import csv_text
    from equilibrist.poker.postflop.files.storage import load_spot
    from equilibrist.poker.postflop.solving.cold_kernels import cold_for_any_spot

    if csv and json:
        raise ConfigError(
            "--csv and --json are two forms of the same", option="--csv", remedy="leave out one"
        )
    whole_number("top", top, 1)
    paths = _solutions(file, table, board)
    noted = read_frequencies(table) if len(paths) == 1 else None

    def tell(progress: Progress) -> None:
        live.tell([f"re-solving  {text}" for text in progress_texts(progress)])

    with LiveLine(quiet=quiet) as live, terminate_like_interrupt():
        say_stage(live, f"reading {file}", cold_for_any_spot())
        solution, *others = (load_spot(path, callbacks=tell) for path in paths)
        compared = compare_frequencies(
            solution,
            others[0] if noted is None else noted,
            line=line,
            on_decision=lambda done, count: live.tell([f"decision {done + 1:,} of {count:,}"]),
        )
    rows = compared.rows(sort)
    if json:
        show_json(compared.to_dict(sort))
    elif csv:
        show_exactly(csv_text(rows).removesuffix("\n"))
    else:
        _show(compared, sort, top)
    for entry in compared.left_out[:_MOST_LEFT_OUT]:
        place = f"line {entry.number}" if entry.number else entry.line or "root"
        note(f"{table}, {place}, {entry.hand} left out: {entry.reason}")
    if (more := len(compared.left_out) - _MOST_LEFT_OUT) > 0:
        note(f"and {counted(more, 'more hand' if noted is not None else 'more reason')} left out")


def _solutions(file: Path, table: Path, board: str | None) -> list[Path]:
    """The file of the solution, and that of the other one where there is one, also in folders."""
    first = kind_for("postflop compare", file)
    kind = file_kind(table)
    if kind not in (SPOT_SOLUTION, BATCH):
        return [solution_of(file, first, board)]
    if BATCH not in (first, kind):
        return [solution_of(file, first, board), table]
    return [
        solution_of(path, its, board if its == BATCH else None)
        for path, its in ((file, first), (table, kind))
    ]


def _show(compared: TableComparison, sort: str, top: int) -> None:
    """Print the decisions, then the hands."""
    solution = compared.solution
    pot = solution.spot.pot
    cost = sum(hand.cost for hand in compared.hands)
    other = compared.other
    heading(
        f"{solution.spot.board}: {counted(len(compared.hands), 'hand')} at "
        f"{counted(len(compared.decisions), 'decision')} cost {measure_text(cost)} chips a deal "
        f"({percent(cost / pot, 2)} of the pot); {solution.measure_name} of the solution "
        f"{percent(solution.mean_gain_percent / 100, 2)}"
        + ("" if other is None else f", of the other {percent(other.mean_gain_percent / 100, 2)}")
    )
    if other is not None:
        evs = zip(solution.seats, other.ev, solution.ev, strict=True)
        show(
            "EV at the root: "
            + ", ".join(f"{seat} {chips(its, pot)} ({chips(own, pot)})" for seat, its, own in evs)
        )
        if compared.different_keys:
            show(f"the spots differ in {', '.join(compared.different_keys)}")
    show()
    show_table(
        ["decision", "player", "hands", "covered", "difference", "loss", "cost", "actions"],
        [
            (
                decision.line or "root",
                decision.player.upper(),
                f"{decision.hands:,}",
                percent(decision.covered, 1),
                percent(decision.difference, 1),
                measure_text(decision.loss),
                measure_text(decision.cost),
                _mixtures(decision.noted, decision.solved),
            )
            for decision in compared.decisions[:_MOST_DECISIONS]
        ],
        indent="",
    )
    more = len(compared.decisions) - _MOST_DECISIONS
    if more > 0:
        show(f"and {counted(more, 'more decision')}")
    show()
    hands = compared.sorted_by(sort)
    if other is not None:
        hands = _together(hands, sort)
    has_ev = any(hand.noted_ev is not None for hand in hands)
    columns = ["hand", "decision", "frequency", "difference", "loss", "cost", "EV"]
    show_table(
        [*columns, *(["EV noted"] if has_ev else []), "actions"],
        [
            (
                hand.hand,
                hand.line or "root",
                percent(hand.frequency, 2),
                percent(hand.difference, 1),
                measure_text(hand.loss),
                measure_text(hand.cost),
                chips(hand.ev, pot),
                *(["" if hand.noted_ev is None else chips(hand.noted_ev, pot)] if has_ev else []),
                _mixtures(hand.noted, hand.solved),
            )
            for hand in hands[:top]
        ],
        indent="",
    )
    more = len(hands) - top
    if more > 0:
        show(f"and {counted(more, 'more hand')} (--top, --csv)")


def _together(hands: Iterable[HandDifference], order: str) -> list[HandDifference]:
    """Combos of a class that are played alike in one row, such as `AA x6`, in their order."""
    from equilibrist.poker.cards.combos import CLASS_NAMES, CLASS_OF_COMBO, parse_combo

    rows: dict[tuple[object, ...], list[HandDifference]] = {}
    for hand in hands:
        name = CLASS_NAMES[CLASS_OF_COMBO[parse_combo(hand.hand)]]
        shares = (round(share, 3) for share in (*hand.noted.values(), *hand.solved.values()))
        key = (hand.line, name, measure_text(hand.loss), round(hand.ev, 2), *shares)
        rows.setdefault(key, []).append(hand)
    merged = [
        alike[0]._replace(
            hand=alike[0].hand if len(alike) == 1 else f"{key[1]} x{len(alike)}",
            frequency=sum(hand.frequency for hand in alike),
            cost=sum(hand.cost for hand in alike),
        )
        for key, alike in rows.items()
    ]
    summed = order in ("cost", "frequency")
    return sorted(merged, key=lambda row: -getattr(row, order)) if summed else merged


def _mixtures(noted: Mapping[str, float], solved: Mapping[str, float]) -> str:
    """The frequencies of the table and of the solution, such as `Check 20% (35%)`."""
    return ", ".join(
        f"{name} {percent(noted[name], 0)} ({percent(solved[name], 0)})" for name in solved
    )
