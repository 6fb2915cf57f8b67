"""What `export` and `evaluate` do with the file of a blueprint."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equilibrist.cli.text.output import note, suggest, typed
from equilibrist.formatting.amounts import counted

if TYPE_CHECKING:
    from equilibrist.poker.blueprint.policy import Blueprint


def export_blueprint(file: Path, out: Path, written_as: str | None, cards: Path | None) -> None:
    """Write all decisions before the flop as CSV, JSON, or ranges, a line of text each."""
    from equilibrist.cli.text.holdem.decision_files import Decisions, file_format, write_decisions
    from equilibrist.poker.blueprint.policy import Blueprint
    from equilibrist.poker.blueprint.preflop_grids import preflop_csv, preflop_nodes

    form = file_format(out, written_as)
    found = Blueprint.load(file, cards)
    decisions = Decisions(
        csv=lambda: preflop_csv(found)[0],
        document=partial(_document, found),
        ranges=partial(_ranges, found),
        written=f"{counted(len(preflop_nodes(found)), 'decision')} before the flop",
    )
    write_decisions(out, form, decisions)


def _document(found: Blueprint) -> dict[str, Any]:
    from equilibrist.cli.text.holdem.blueprint_text import document
    from equilibrist.poker.blueprint.preflop_grids import preflop_nodes
    from equilibrist.poker.cards.combos import CLASS_NAMES
    from equilibrist.poker.ranges.range import to_digits

    nodes = [
        {
            "line": node.line,
            "seat": node.seat,
            "actions": list(node.actions),
            "total": node.total.tolist(),
            "reach": dict(zip(CLASS_NAMES, to_digits(node.reach, 6).tolist(), strict=True)),
            "hands": dict(zip(CLASS_NAMES, node.frequency.T.round(6).tolist(), strict=True)),
        }
        for node in preflop_nodes(found)
    ]
    return {**document(found), "nodes": nodes}


def _ranges(found: Blueprint) -> dict[str, str]:
    """The hands that take each action before the flop, by line, as `postflop` takes them."""
    from equilibrist.poker.blueprint.lines import ranges_at, reach_of
    from equilibrist.poker.blueprint.preflop_grids import preflop_nodes
    from equilibrist.poker.ranges.range import Range, to_digits

    ranges = {}
    rare = 0
    for node in preflop_nodes(found):
        for label, child in zip(node.actions, found.tree.children(node.node), strict=True):
            weights = to_digits(ranges_at(found, child)[node.seat])
            ranges[f"{node.line}-{label}".lstrip("-")] = str(Range.from_weights(weights))
            rare += reach_of(found, child).is_rare
    if rare:
        note(
            f"warning: the blueprint plays {rare} of these {counted(len(ranges), 'line')} in less "
            "than 1 % of all deals; such ranges are mostly noise of the training"
        )
    return ranges


def evaluate_file(file: Path, cards: Path | None, *, json: bool) -> None:
    """Show what is measured at once: the litmus hands."""
    from equilibrist.cli.commands.holdem.blueprint_evaluate import measure
    from equilibrist.cli.text.holdem.blueprint_text import naming_cards
    from equilibrist.poker.blueprint.policy import Blueprint

    found = Blueprint.load(file, cards)
    measure(found, litmus=True, json=json)
    if json:
        return
    more = f"equilibrist blueprint evaluate {typed(file)}{naming_cards(cards)}"
    if found.hand.seats == 2:
        suggest(f"{more} --exploiter 10m --lbr", f"{more} --card-response")
    else:
        suggest(f"{more} --exploiter 10m")
