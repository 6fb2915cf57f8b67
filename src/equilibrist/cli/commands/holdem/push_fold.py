"""`equilibrist preflop pushfold`: all-in or fold before the flop."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.text.output import (
    heading,
    show,
    show_facts,
    show_grid,
    show_json,
    show_table,
    suggest,
    wants_colour,
)
from equilibrist.cli.text.progress import LiveLine
from equilibrist.options.option import DISPLAY, FILES, THREADS

if TYPE_CHECKING:
    from equilibrist.poker.preflop.push_fold_solution import Chart, PushFoldSolution

HELP = """Find who goes all-in before the flop with which hands, and who calls.

Every player goes all-in or folds. Stacks are big blinds, or chips with --blinds, before blinds and
antes are posted; EV is measured against that stack, so that the small blind who folds has -500 mbb
(thousandths of a big blind). Two players are solved exactly, by a linear programme with the exact
equities of all 169 x 169 hand classes; these are counted over all boards when they are first
needed, which takes seconds, and kept.

A grid shows how often a hand goes all-in, in percent; suited hands stand above the diagonal.
--payouts solves a tournament: EV is then a share of the prize pool by the independent chip model
(Malmuth and Harville).

\b
Examples:
  equilibrist preflop pushfold --stack 10
  equilibrist preflop pushfold --stack 5,8,10,15,20
  equilibrist preflop pushfold --stack 1200 --blinds 50/100 --ante 10
  equilibrist preflop pushfold --stacks 10,25 --payouts 50,30,20 --others 15
  equilibrist preflop pushfold --stack 10 --csv chart.csv
"""
GAME: Final = "Game"


def push_fold(
    stack: Annotated[
        str | None,
        options.optional(
            "--stack",
            "BB",
            "The stack of every seat; 5,10,20 solves one game after the other.",
            GAME,
        ),
    ] = None,
    stacks: Annotated[
        str | None,
        options.optional(
            "--stacks",
            "LIST",
            "A stack for each seat, in the order of posting: small blind, big blind.",
            GAME,
        ),
    ] = None,
    blinds: Annotated[
        str | None,
        options.optional("--blinds", "SMALL/BIG", "The blinds, in chips.  [default: 0.5/1]", GAME),
    ] = None,
    ante: Annotated[
        str | None, options.optional("--ante", "CHIPS", "What every seat posts besides.", GAME)
    ] = None,
    big_blind_ante: Annotated[
        str | None,
        options.optional(
            "--big-blind-ante", "CHIPS", "What the big blind posts as an ante for all.", GAME
        ),
    ] = None,
    payouts: Annotated[
        str | None,
        options.optional(
            "--payouts", "LIST", "Payouts of a tournament, the first place first: 50,30,20.", GAME
        ),
    ] = None,
    others: Annotated[
        str | None,
        options.optional(
            "--others",
            "LIST",
            "With --payouts, the stacks of players who are not in the hand.",
            GAME,
        ),
    ] = None,
    threads: Annotated[
        int | None,
        options.whole(
            "--threads",
            "N",
            "Work with this many threads; the result is the same.  [default: one per processor]",
            THREADS,
        ),
    ] = None,
    csv: Annotated[
        Path | None,
        options.file("--csv", "FILE", "Write the charts to FILE, a row per hand class.", FILES),
    ] = None,
    grid: Annotated[
        bool | None,
        options.switch(
            "--grid/--no-grid", "Show the 13x13 grids.  [default: of a single game]", DISPLAY
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Solve, print."""
    from equilibrist.poker.preflop.push_fold import push_fold as solve
    from equilibrist.poker.preflop.push_fold_solution import write_charts
    from equilibrist.storage.atomic import check_folder_of

    each = _games(stack, stacks)
    given: dict[str, Any] = {"threads": threads}
    if blinds is not None:
        given["blinds"] = tuple(_numbers("blinds", blinds, "/"))
    for name, text in (("ante", ante), ("big_blind_ante", big_blind_ante)):
        if text is not None:
            (given[name],) = _numbers(name, text, None)
    for name, text in (("payouts", payouts), ("others", others)):
        if text is not None:
            given[name] = _numbers(name, text, ",")
    if csv is not None:
        check_folder_of(csv)
    with LiveLine(quiet=json) as live:
        live.stage("loading the all-in table", aloud=False)

        def counted(boards: int, of: int) -> None:
            live.tell([f"counting all-in showdowns: {boards:,} of {of:,} boards"])

        found = [solve(one, on_boards=counted, **given) for one in each]
    if csv is not None:
        write_charts(csv, found)
    if json:
        documents = [solution.to_dict() for solution in found]
        show_json(documents[0] if len(found) == 1 else {"solutions": documents})
        return
    if len(found) > 1:
        _show_several(found)
    for solution in found:
        if len(found) == 1 or grid:
            _show(solution, grid=grid is not False)
    first = found[0].charts[0]
    suggest(f"equilibrist range '{first.range}' --grid")


def _games(stack: str | None, stacks: str | None) -> list[Any]:
    """What `push_fold` takes as a stack, for each game."""
    from equilibrist.errors import ConfigError

    if (stack is None) == (stacks is None):
        raise ConfigError(
            "the stacks are missing"
            if stack is None
            else "--stack and --stacks exclude each other",
            option="stack",
            expected="a stack for all seats, or one for each",
            remedy="give --stack 10, or --stacks 10,25 with a stack for each seat",
        )
    if stack is not None:
        return _numbers("stack", stack, ",")
    assert stacks is not None
    return [_numbers("stacks", stacks, ",")]


def _numbers(name: str, text: str, separator: str | None) -> list[float]:
    """The numbers of an option; ConfigError with its name."""
    from equilibrist.parsing.arguments import bad_argument

    example = {"/": "two numbers, such as 50/100", ",": "numbers, such as 10,25"}
    parts = [text] if separator is None else text.split(separator)
    try:
        return [float(part) for part in parts]
    except ValueError:
        raise bad_argument(name, text, example.get(separator or "", "a number")) from None


def _show(solution: PushFoldSolution, *, grid: bool) -> None:
    game = solution.game
    show_facts(
        [
            ("stacks", _by_seat(solution, lambda seat: f"{game.stacks[seat]:g}")),
            ("blinds", "/".join(f"{blind:g}" for blind in game.blinds) + _antes(solution)),
            ("payouts", "/".join(f"{payout:g}" for payout in game.payouts or ())),
            ("others", ", ".join(f"{stack:g}" for stack in game.others)),
            ("EV", _by_seat(solution, lambda seat: value_text(solution, solution.values[seat]))),
            ("NashConv", f"{_nash_conv(solution)} ({solution.method})"),
        ],
        "",
    )
    for chart in solution.charts:
        show()
        _show_chart(chart, grid=grid)


def _antes(solution: PushFoldSolution) -> str:
    game = solution.game
    parts = [f"ante {game.ante:g}"] if game.ante else []
    parts += [f"big blind ante {game.big_blind_ante:g}"] if game.big_blind_ante else []
    return "".join(f", {part}" for part in parts)


def _by_seat(solution: PushFoldSolution, text: Callable[[int], str]) -> str:
    order = solution.game.order
    return ", ".join(f"{solution.game.names[seat]} {text(seat)}" for seat in order)


def value_text(solution: PushFoldSolution, value: float) -> str:
    """An EV: mbb, or percent of the prize pool."""
    return f"{1000 * value:+.3f} mbb" if solution.game.unit == "bb" else f"{value:+.4%}"


def _nash_conv(solution: PushFoldSolution) -> str:
    value = max(solution.nash_conv, 0.0)
    if solution.game.unit == "bb":
        return f"{1000 * value:.2g} mbb"
    return f"{100 * value:.2g} % of the prize pool"


def _show_chart(chart: Chart, *, grid: bool) -> None:
    heading(chart.title)
    mixed = ", ".join(f"{hand} {share:.4f}" for hand, share in chart.mixed.items())
    show_facts(
        [
            ("combos", f"{chart.combos:.3f} ({chart.combos / 1326:.2%})"),
            ("mixed", mixed),
            ("range", str(chart.range) or "no hand"),
        ]
    )
    if grid:
        show()
        wants = wants_colour(sys.stdout)
        show_grid(chart.range.__rich__() if wants else chart.range.grid())


def _show_several(found: list[PushFoldSolution]) -> None:
    """A line for each game of two players."""
    unit = "mbb" if found[0].game.unit == "bb" else "% of pool"
    scale = 1000 if found[0].game.unit == "bb" else 100
    rows = []
    for solution in found:
        push, call = solution.charts
        mixed = [f"{hand} {share:.4f}" for hand, share in push.mixed.items()]
        answers = [f"{hand} {share:.4f}" for hand, share in call.mixed.items()]
        rows.append(
            (
                f"{solution.game.stacks[0]:g}",
                f"{scale * solution.values[0]:.4f}",
                f"{push.combos:.3f}",
                f"{call.combos:.3f}",
                " ".join(mixed) or "-",
                " ".join(answers) or "-",
            )
        )
    columns = ["stack", f"SB {unit}", "SB pushes", "BB calls", "SB mixes", "BB mixes"]
    show_table(columns, rows, ["right"] * 4 + ["left"] * 2)
