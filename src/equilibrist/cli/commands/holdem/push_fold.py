"""`equilibrist preflop pushfold`: all-in or fold before the flop."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.text.output import (
    heading,
    note,
    show,
    show_facts,
    show_grid,
    show_json,
    show_table,
    suggest,
    wants_colour,
)
from equilibrist.cli.text.progress import LiveLine
from equilibrist.cli.text.quantities import read_count, read_seconds
from equilibrist.options.option import DISPLAY, FILES, SAMPLING, THREADS

if TYPE_CHECKING:
    from equilibrist.poker.preflop.push_fold_solution import Chart, PushFoldSolution

HELP = """Find who goes all-in before the flop with which hands, and who calls.

Every player goes all-in or folds. Stacks are big blinds, or chips with --blinds, before blinds and
antes are posted; EV is measured against that stack, so that the small blind who folds has -500 mbb
(thousandths of a big blind). Two players are solved exactly, by a linear programme with the exact
equities of all 169 x 169 hand classes; these are counted over all boards when they are first
needed, which takes seconds, and kept.

Three to six players (--seats, or --stacks) are solved by CFR on sampled deals: the first player
goes all-in or folds, the others call or fold, also behind other callers. The result has the 95 %
confidence interval of NashConv, what all seats together could still gain, from deals that the
solver has not seen. Charts list the hands that go all-in more often than not; --csv and --json have
the frequencies.

A grid shows how often a hand goes all-in, in percent; suited hands stand above the diagonal.
--payouts solves a tournament: EV is then a share of the prize pool by the independent chip model
(Malmuth and Harville).

\b
Examples:
  equilibrist preflop pushfold --stack 10
  equilibrist preflop pushfold --stack 5,8,10,15,20
  equilibrist preflop pushfold --stack 1200 --blinds 50/100 --ante 10
  equilibrist preflop pushfold --stack 10 --seats 3 --deals 2e6
  equilibrist preflop pushfold --stacks 10,25 --payouts 50,30,20 --others 15
  equilibrist preflop pushfold --stack 10 --csv chart.csv --draw chart.svg
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
            "A stack for each seat, in the order of posting: small blind, big blind, under the gun "
            "... button.",
            GAME,
        ),
    ] = None,
    seats: Annotated[
        int | None,
        options.whole("--seats", "N", "The number of players, two to six.  [default: 2]", GAME),
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
    deals: Annotated[
        str | None,
        options.optional(
            "--deals",
            "N",
            "With three and more players, play this many deals.  [default: 10, 5, 3 and 2 million "
            "for three to six]",
            SAMPLING,
        ),
    ] = None,
    time: Annotated[
        str | None,
        options.optional(
            "--time", "TIME", "With three and more players, stop playing after this time.", SAMPLING
        ),
    ] = None,
    seed: Annotated[
        int, options.whole("--seed", "N", "Seed of the deals.", SAMPLING, default=True)
    ] = 0,
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
    draw: Annotated[
        Path | None,
        options.file(
            "--draw",
            "FILE",
            "Draw the chart of each decision: chart.svg (or .png) becomes chart-SB.svg, "
            "chart-BB-SB.svg.",
            FILES,
        ),
    ] = None,
    grid: Annotated[
        bool | None,
        options.switch(
            "--grid/--no-grid", "Show the 13x13 grids.  [default: of a single game of two]", DISPLAY
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Solve, print."""
    from equilibrist.poker.preflop.push_fold import push_fold as solve
    from equilibrist.poker.preflop.push_fold_solution import write_charts
    from equilibrist.storage.atomic import check_folder_of

    each = _games(stack, stacks)
    given: dict[str, Any] = {"seats": seats, "seed": seed, "threads": threads}
    if deals is not None:
        given["deals"] = read_count(deals, "deals")
    if time is not None:
        given["seconds"] = read_seconds(time)
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
    if draw is not None:
        _check_drawing(draw, len(each))
    with LiveLine(quiet=json) as live:
        live.stage("solving", aloud=False)

        def counted(boards: int, of: int) -> None:
            live.tell([f"counting all-in showdowns: {boards:,} of {of:,} boards"])

        def played(iteration: int, number: int) -> None:
            live.tell([f"iteration {iteration:,}: {number:,} deals"])

        given |= {"on_boards": counted, "on_deals": played}
        found = [solve(one, **given) for one in each]
    if csv is not None:
        write_charts(csv, found)
    if draw is not None:
        _draw(draw, found[0])
    if json:
        documents = [solution.to_dict() for solution in found]
        show_json(documents[0] if len(found) == 1 else {"solutions": documents})
        return
    two = found[0].game.seats == 2
    if len(found) > 1 and two:
        _show_several(found)
    for solution in found:
        if len(found) == 1 or grid or not two:
            _show(solution, grid=two if grid is None else grid)
    first = found[0].charts[0]
    suggest(f"equilibrist range '{_mostly(first)}' --grid")


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


def _check_drawing(draw: Path, games: int) -> None:
    from equilibrist.errors import ConfigError
    from equilibrist.poker.solutions.grid_pictures import check_picture

    check_picture(draw, "--draw")
    if games > 1:
        raise ConfigError(
            f"--draw draws the charts of one game, and {games} are solved",
            option="--draw",
            given=draw,
            remedy="give one stack",
        )


def _draw(draw: Path, solution: PushFoldSolution) -> None:
    """A picture for each decision that is reached."""
    import numpy as np

    from equilibrist.poker.betting.actions import FOLD, Action, Kind
    from equilibrist.poker.solutions.grid_pictures import draw_grid

    stacks = "/".join(f"{stack:g}" for stack in dict.fromkeys(solution.game.stacks))
    for chart in solution.charts:
        shares = np.array([1.0 - chart.frequencies, chart.frequencies])
        name = "-".join([draw.stem, chart.seat, *chart.against])
        actions = (FOLD, Action(Kind.ALL_IN, max(solution.game.stacks)))
        file = draw.with_name(f"{name}{draw.suffix}")
        draw_grid(
            file, np.ones(len(chart.frequencies)), shares, actions, f"{chart.title}, {stacks}"
        )
        note(f"{chart.title} drawn to {file}")


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
    facts = [
        ("stacks", _by_seat(solution, lambda seat: f"{game.stacks[seat]:g}")),
        ("blinds", "/".join(f"{blind:g}" for blind in game.blinds) + _antes(solution)),
        ("payouts", "/".join(f"{payout:g}" for payout in game.payouts or ())),
        ("others", ", ".join(f"{stack:g}" for stack in game.others)),
        ("EV", _by_seat(solution, lambda seat: value_text(solution, solution.values[seat]))),
        ("std. error", _by_seat(solution, lambda seat: _error_text(solution, seat))),
        ("NashConv", _nash_conv(solution)),
        ("deals", _deals(solution)),
    ]
    show_facts([fact for fact in facts if fact[1]], "")
    if solution.game.seats > 2:
        show()
        _show_decisions(solution)
    if solution.game.seats == 2 or grid:
        for chart in solution.charts:
            show()
            _show_chart(chart, grid=grid)


def _antes(solution: PushFoldSolution) -> str:
    game = solution.game
    parts = [f"ante {game.ante:g}"] if game.ante else []
    parts += [f"big blind ante {game.big_blind_ante:g}"] if game.big_blind_ante else []
    return "".join(f", {part}" for part in parts)


def _by_seat(solution: PushFoldSolution, text: Callable[[int], str]) -> str:
    each = [(solution.game.names[seat], text(seat)) for seat in solution.game.order]
    return ", ".join(f"{name} {said}" for name, said in each if said)


def value_text(solution: PushFoldSolution, value: float) -> str:
    """An EV: mbb, or percent of the prize pool."""
    return f"{1000 * value:+.3f} mbb" if solution.game.unit == "bb" else f"{value:+.4%}"


def _error_text(solution: PushFoldSolution, seat: int) -> str:
    if solution.standard_errors is None:
        return ""
    error = solution.standard_errors[seat]
    return f"{1000 * error:.2g} mbb" if solution.game.unit == "bb" else f"{error:.2%}"


def _nash_conv(solution: PushFoldSolution) -> str:
    """With its unit and where it comes from."""
    scale, unit = (1000, "mbb") if solution.game.unit == "bb" else (100, "% of the prize pool")
    value = f"{scale * max(solution.nash_conv, 0.0):.2g} {unit}"
    if solution.interval is None:
        return f"{value} ({solution.method})"
    low, high = (f"{scale * each:.2g}" for each in solution.interval)
    return f"at most {value} (95 % interval {low} to {high})"


def _deals(solution: PushFoldSolution) -> str:
    if not solution.deals:
        return ""
    again = f"{solution.iterations:,} iterations of CFR; as many to measure"
    return f"{solution.deals:,} sampled, seed {solution.seed} ({again})"


def _mostly(chart: Chart) -> str:
    """The hands that go all-in more often than not."""
    from equilibrist.poker.cards.combos import CLASS_OF_COMBO
    from equilibrist.poker.ranges.range import Range

    return str(Range.from_weights((chart.frequencies > 0.5)[CLASS_OF_COMBO])) or "no hand"


def _show_decisions(solution: PushFoldSolution) -> None:
    """A line for each decision, in the order of acting."""
    rows = [
        (
            chart.seat,
            "+".join(chart.against) or "-",
            f"{chart.reached:.2%}",
            f"{chart.combos / 1326:.2%}",
            _mostly(chart) if chart.reached else "not reached",
        )
        for chart in solution.charts
    ]
    columns = ["seat", "all-in before", "reached", "all-in", "hands, more often than not"]
    show_table(columns, rows, ["left", "left", "right", "right", "left"], fold=True)


def _show_chart(chart: Chart, *, grid: bool) -> None:
    heading(chart.title)
    mixed = ", ".join(f"{hand} {share:.4f}" for hand, share in chart.mixed.items())
    show_facts(
        [
            ("combos", f"{chart.combos:.3f} ({chart.combos / 1326:.2%})"),
            ("mixed", mixed or "none"),
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
    show_table(columns, rows, ["right", "right", "right", "right", "left", "left"])
