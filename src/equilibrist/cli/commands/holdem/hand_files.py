"""Files of solved hands, charts and blueprints: what `inspect`, `evaluate` and `export` do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from equilibrist.cli.text.holdem.decision_text import (
    file_format,
    show_decision,
    show_hands,
    write_decisions,
)
from equilibrist.cli.text.holdem.push_fold_text import show_chart, show_charts
from equilibrist.cli.text.holdem.solution_text import show_exact, show_multiway
from equilibrist.cli.text.output import note, show, show_json
from equilibrist.formatting.amounts import counted
from equilibrist.library.kinds import open_saved
from equilibrist.storage.kinds.file_kinds import BLUEPRINT, PREFLOP_SOLUTION, PUSH_FOLD

if TYPE_CHECKING:
    from equilibrist.poker.preflop.push_fold.solution import PushFoldSolution


def inspect_hands(file: Path, line: str, hands: str, *, draw: Path | None, json: bool) -> None:
    """Show a solution and a decision of it, single hands there, or draw its grid.

    Args:
        file: The file.
        line: The line of the decision.
        hands: A range of hands; empty for all.
        draw: The picture.
        json: Whether a document is printed.
    """
    from equilibrist.poker.decisions.grid_pictures import check_picture

    if draw is not None:
        check_picture(draw, "--draw")
    kind, solution = open_saved(file)
    if kind == PUSH_FOLD and not (solution.charts or line or hands or draw):  # nobody decides
        show_json(solution.to_dict()) if json else show_charts(solution, grid=False)
        return
    decision, valued, scale = solution.at(line), "EV", 1.0
    title = f"{decision.seat_name} after {decision.line or 'the deal'}"
    if kind == PUSH_FOLD:
        title = solution.title(decision)
        valued, scale = ("gain", 1.0) if solution.game.unit == "bb" else ("% gain", 100.0)
    if draw is not None and kind == PREFLOP_SOLUTION:
        decision.draw(draw)
        note(f"the grid at {decision.line or 'the root'} drawn to {draw}")
    elif draw is not None:
        decision.draw(draw, title)
        note(f"the grid of {title} drawn to {draw}")
    if hands:
        show_hands(decision, hands, title, valued=valued, scale=scale, as_json=json)
    elif kind == PUSH_FOLD:
        _show_pushes(solution, line, json=json)
    elif kind == PREFLOP_SOLUTION:
        if json:
            show_json(decision.to_dict())
            return
        show_exact(solution)
        show_decision(decision)
    elif json:
        show_json(solution.to_dict(line))
    else:
        show_multiway(solution)
        show_decision(decision)


def _show_pushes(solution: PushFoldSolution, line: str, *, json: bool) -> None:
    """All charts, or that after a line of letters."""
    if json:
        show_json(solution.chart_document(solution.at(line)) if line else solution.to_dict())
    elif line:
        show_chart(solution, solution.at(line), grid=True)
    else:
        show_charts(solution, grid=True)


def evaluate_hands(file: Path, *, json: bool) -> None:
    """Show what the run measured at its end; strategies of all streets are measured again.

    Args:
        file: The file.
        json: Whether a document is printed.
    """
    kind, solution = open_saved(file)
    again = None
    if kind == PREFLOP_SOLUTION and solution.kept is not None:
        again = 1000.0 * solution.measure_again().exploitability
    if json:
        show_json(solution.facts() | ({} if again is None else {"kept_exploitability_mbb": again}))
    elif kind == PUSH_FOLD:
        show_charts(solution, grid=False)
    elif kind == PREFLOP_SOLUTION:
        show_exact(solution)
        if again is not None:
            show(f"measured again, with the strategies of all streets as kept: {again:.3g} mbb")
    else:
        show_multiway(solution)


def export_hands(
    file: Path, out: Path, written_as: str | None, *, cards: Path | None = None
) -> None:
    """Write all decisions before the flop as CSV, JSON, or ranges, a line of text each.

    Args:
        file: The file.
        out: The file to write.
        written_as: Its format, where its name does not say it.
        cards: The card buckets of a blueprint, if they are elsewhere now.
    """
    form = file_format(out, written_as)
    kind, solution = open_saved(file, cards)
    written = counted(len(solution.lines()), "node" if kind == PREFLOP_SOLUTION else "decision") + (
        " before the flop" if kind == BLUEPRINT else ""
    )
    if kind == BLUEPRINT and form == "txt":
        _warn_if_rare(solution)
    write_decisions(out, form, solution, written)


def _warn_if_rare(blueprint: Any) -> None:
    """Say how many lines a blueprint hardly ever plays."""
    from equilibrist.poker.blueprint.policy import reach_of
    from equilibrist.poker.hands.tree_lines import node_at

    tree = blueprint.tree
    ends = [end for line in blueprint.lines() for end in tree.children(node_at(tree, line))]
    rare = sum(reach_of(blueprint, end).is_rare for end in ends)
    if rare:
        note(
            f"warning: the blueprint plays {rare} of these {counted(len(ends), 'line')} in less "
            "than 1 % of all deals; such ranges are mostly noise of the training"
        )
