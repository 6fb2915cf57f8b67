"""Decisions of hold'em on the screen and in files: frequencies, 13 x 13 grids, single hands."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Protocol

from equilibrist.cli.text.output import (
    heading,
    note,
    show,
    show_exactly,
    show_grid,
    show_json,
    show_table,
)
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import chips, percent
from equilibrist.storage.tables import write_table_file

if TYPE_CHECKING:
    from equilibrist.poker.decisions.decision import Decision

_FORMATS: Final = ("csv", "json", "txt")


def show_decision(
    decision: Decision, *, grid: bool = True, unit: str = "big blinds", note: str = ""
) -> None:
    """Print how often actions are taken, and with `grid` a grid of each and one of EVs.

    Args:
        decision: The decision.
        grid: Whether the grids are printed.
        unit: What EVs are counted in.
        note: What is said below the heading.
    """
    reached = decision.reached
    often = "" if reached is None else f", which {reached:.2%} of hands reach"
    show()
    heading(f"{decision.seat_name} {decision.place}{often}")
    if note:
        show(note)
    rows = [
        [code, f"{100 * share:.1f}%"]
        for code, share in zip(decision.codes, decision.frequencies, strict=True)
    ]
    show_table(["action", "frequency"], rows)
    if not grid:
        return
    for k, code in enumerate(decision.codes):
        show()
        show(f"{code}, in percent of each hand")
        show_grid(_grid_text(decision, 100.0 * decision.strategy[k], "{:.0f}"))
    if decision.ev is not None:
        show()
        show(f"EV in {unit}")
        show_grid(_grid_text(decision, decision.ev, "{:+z.2f}"))


def _grid_text(decision: Decision, numbers: Any, form: str) -> str:
    """A 13 x 13 grid of numbers by class; those not dealt, or that never get here, have a dot."""
    from equilibrist.poker.cards.cards import RANKS

    held = (decision.reach >= 1e-3) & (decision.combos > 0) & (numbers == numbers)
    cells = [
        form.format(number) if there else "." for number, there in zip(numbers, held, strict=True)
    ]
    width = max(map(len, cells)) + 1
    ranks = RANKS[::-1]
    lines = ["  " + "".join(rank.rjust(width) for rank in ranks)]
    for row, rank in enumerate(ranks):
        begin = len(ranks) * row
        shown = "".join(cell.rjust(width) for cell in cells[begin : begin + len(ranks)])
        lines.append(f"{rank} {shown}")
    return "\n".join(lines)


def show_hands(
    decision: Decision,
    hands: str,
    title: str,
    *,
    valued: str = "EV",
    scale: float = 1.0,
    as_json: bool,
    absent: Mapping[int, str] = MappingProxyType({}),
) -> None:
    """Print what single hands do; raises ConfigError for those that the deck does not have.

    Args:
        decision: The decision.
        hands: A range, such as `AhKh,77+`.
        title: Who decides where.
        valued: What the values of actions are called.
        scale: What they are multiplied with.
        as_json: Whether it is printed as a document.
        absent: What stands in place of reach and frequencies of hands that do not get here, by
            their columns.
    """
    assert decision.action_ev is not None
    columns, codes, names = decision.columns_of(hands), decision.codes, decision.names
    values = scale * decision.action_ev
    if as_json:
        rows = [
            {
                "hand": names[k],
                "reach": float(decision.reach[k]),
                "strategy": dict(zip(codes, decision.strategy[:, k].tolist(), strict=True)),
                valued.lower(): {
                    code: value if value == value else None
                    for code, value in zip(codes, values[:, k].tolist(), strict=True)
                },
            }
            for k in columns
        ]
        show_json({"decision": title, "hands": rows})
        return
    heading(title)
    table = [
        [
            names[k],
            absent.get(k, percent(float(decision.reach[k]), 1)),
            *("-" if k in absent else percent(share, 1) for share in decision.strategy[:, k]),
            *(chips(float(value)) for value in values[:, k]),
        ]
        for k in columns
    ]
    show_table(["hand", "reach", *codes, *(f"{valued} {code}" for code in codes)], table)


class Exported(Protocol):
    """A solution whose decisions before the flop are written to files."""

    def to_csv(self) -> str:
        """A row for each decision, hand class and action."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """A document."""
        ...

    def ranges(self) -> Mapping[str, str]:
        """The hands that take each action, by the line with the action, or by another title."""
        ...


def file_format(out: Path, written_as: str | None, what: str = "decisions before the flop") -> str:
    """The format of a file, asked for or by its name; raises ConfigError for an unknown one.

    Args:
        out: The file.
        written_as: The format that was asked for.
        what: What is written.
    """
    form = out.suffix.lower().removeprefix(".") if written_as is None else written_as
    if form not in _FORMATS:
        raise ConfigError(
            f"{what} are not written as {form}" if form else f"the format of {out} is not known",
            option="--format",
            given=form or out.name,
            expected=", ".join(_FORMATS),
            remedy="use a name that ends in .csv, .json or, for ranges, .txt, or give --format",
        )
    return form


def write_decisions(out: Path, form: str, solution: Exported, written: str) -> None:
    """Write a file in a format of `file_format`, or print it where it is named `-`.

    Args:
        out: The file.
        form: The format.
        solution: Whose decisions are written.
        written: What is said to have been written: `12 decisions`.
    """
    if form == "csv":
        text = solution.to_csv()
    elif form == "json":
        text = json.dumps(solution.to_dict(), indent=1) + "\n"
    else:
        text = "".join(f"{title}\t{hands}\n" for title, hands in solution.ranges().items())
    if str(out) == "-":
        show_exactly(text.removesuffix("\n"))
        return
    write_table_file(out, f".{form}", text)
    note(f"{written} written to {out}")
