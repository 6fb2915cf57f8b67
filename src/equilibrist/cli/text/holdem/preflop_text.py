"""Solved hands on the screen and in files: how they were solved, and 13 x 13 grids of nodes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from equilibrist.cli.text.holdem.class_rows import ClassRows
from equilibrist.cli.text.output import (
    heading,
    note,
    show,
    show_grid,
    show_json,
    show_table,
)
from equilibrist.cli.text.quantities import seconds_text
from equilibrist.cli.text.result_text import ENDINGS
from equilibrist.formatting.amounts import bytes_text, counted

if TYPE_CHECKING:
    from equilibrist.poker.preflop.exact.solution import PreflopNode, PreflopSolution
    from equilibrist.poker.preflop.multiway.solution import MultiwayNode


def show_solution(solution: PreflopSolution) -> None:
    """Print how the hand was solved, and how good the result is."""
    game = solution.game
    count = counted(solution.iterations, "iteration")
    missed = solution.target is not None and solution.exploitability > solution.target
    warning = f"not converged to {solution.target:g} mbb: " if missed else ""
    ending = ENDINGS[solution.stopped_by]
    heading(f"{game.name}: {warning}{count} in {seconds_text(solution.seconds)}; {ending}")
    show(
        f"exploitability {solution.exploitability:.3g} mbb (NashConv {solution.nash_conv:.4g}), "
        f"small blind {1000 * solution.values[0]:+z.4g} mbb, "
        f"memory {bytes_text(solution.memory_bytes)}"
    )
    if solution.advice:
        show(solution.advice)
    if game.flops is not None:
        show(f"on {game.flops:,} drawn flops; on all of them it is not measured")


def show_hands(node: PreflopNode) -> None:
    """Print a node: frequencies of its actions, and a grid of each and of EV."""
    where = f"after {node.line}" if node.line else "at the start"
    show()
    heading(f"{node.seat_name} {where}")
    rows = [
        [code, f"{100 * share:.1f}%"]
        for code, share in zip(node.actions, node.frequencies, strict=True)
    ]
    show_table(["action", "frequency"], rows)
    for k, code in enumerate(node.actions):
        show()
        show(f"{code}, in percent of each hand")
        show_grid(grid_text(node, 100.0 * node.strategy[k], "{:.0f}"))
    show()
    show("EV in big blinds")
    show_grid(grid_text(node, node.ev, "{:+z.2f}"))


def grid_text(node: PreflopNode | MultiwayNode, numbers: Any, form: str) -> str:
    """A 13 x 13 grid of numbers; hands that are not dealt, or never get here, have a dot."""
    from equilibrist.poker.cards.cards import RANKS

    by_name = dict(zip(node.names, zip(numbers, node.reach, strict=True), strict=True))
    ranks = RANKS[::-1]
    cells = []
    for row, high in enumerate(ranks):
        line = []
        for column, other in enumerate(ranks):
            pair = high + other if row <= column else other + high
            name = pair + ("" if row == column else "s" if row < column else "o")
            number, reach = by_name.get(name, (float("nan"), 0.0))
            line.append("." if reach < 1e-3 or number != number else form.format(number))
        cells.append(line)
    width = max(len(cell) for line in cells for cell in line) + 1
    head = "  " + "".join(rank.rjust(width) for rank in ranks)
    body = (
        f"{rank} " + "".join(cell.rjust(width) for cell in line)
        for rank, line in zip(ranks, cells, strict=True)
    )
    return "\n".join([head, *body])


def inspect_hand(file: Path, line: str, hands: str = "", *, draw: Path | None, json: bool) -> None:
    """Show a saved solution and a node of it, or draw its grid."""
    from equilibrist.poker.postflop.solution.grid_pictures import check_picture
    from equilibrist.poker.preflop.exact.files import load_preflop

    if draw is not None:
        check_picture(draw, "--draw")
    solution = load_preflop(file)
    node = solution.at(line)
    if draw is not None:
        node.draw(draw)
        note(f"the grid at {node.line or 'the root'} drawn to {draw}")
    if hands:
        ClassRows.of_node(node).show(hands, json=json)
        return
    if json:
        show_json(node.to_dict())
        return
    show_solution(solution)
    show_hands(node)


def evaluate_hand(file: Path, *, json: bool) -> None:
    """Show what the run measured at its end: the file has no strategies after the flop."""
    from equilibrist.poker.preflop.exact.files import load_preflop

    solution = load_preflop(file)
    if json:
        document = solution.to_dict()
        del document["nodes"]
        show_json(document)
        return
    show_solution(solution)


def export_hand(file: Path, out: Path, written_as: str | None) -> None:
    """Write all nodes before the flop as CSV, JSON, or ranges, a line of text each."""
    from equilibrist.cli.text.holdem.decision_files import Decisions, file_format, write_decisions
    from equilibrist.poker.preflop.exact.files import load_preflop

    form = file_format(out, written_as)
    found = load_preflop(file)
    count = counted(len(found.lines()), "node")
    write_decisions(out, form, Decisions(found.to_csv, found.to_dict, found.ranges, count))
