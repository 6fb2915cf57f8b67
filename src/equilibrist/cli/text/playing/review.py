"""A review of hands on the screen: totals, the worst decisions, and what could not be judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from equilibrist.cli.text.output import heading, show, show_table
from equilibrist.formatting.amounts import counted

if TYPE_CHECKING:
    from equilibrist.play.review.decisions import ReviewedDecision
    from equilibrist.play.review.review import Review, Total

_REASONS: Final = {
    "unreadable": "their play breaks the rules",
    "no-cards": "the cards of the player are not known",
    "another-game": "the solutions are of another game",
    "multiway": "more than two players see the street",
    "another-board": "the solutions are of another board",
    "not-covered": "the solutions begin later, or end earlier",
    "stacks": "stacks are too far from those of the solutions",
    "off-tree": "the solutions have nothing like the play",
    "not-in-range": "the solutions do not bring the hand there",
    "unreached": "the solutions hardly ever come there",
    "unsolved": "the spot was not solved",
    "no-ranges": "nothing says what ranges come to the turn or river",
}
"""Why decisions were not judged, in words."""
_WIDEST: Final = 40
"""Columns of a line of play; of longer ones the end is shown."""


def show_review(review: Review, most: int) -> None:
    """Print a review.

    Args:
        review: The review.
        most: How many of the worst decisions are listed.
    """
    total = review.total
    hands, players = counted(review.hands, "hand"), ", ".join(review.players) or "nobody"
    ending = "" if review.is_complete else " (stopped early)"
    heading(f"{hands}, decisions of {players}{ending}")
    if total.decisions:
        mean = total.loss_bb / total.decisions
        show(
            f"{counted(total.decisions, 'decision')} judged: {total.loss_bb:.4g} bb lost, "
            f"{mean:.3g} bb a decision, {total.pot_share / total.decisions:.3g}% of the pot"
        )
        grades = [f"{count} {grade}" for grade, count in review.grades.items() if count]
        show(f"grades: {', '.join(grades)}")
        if any(
            entry.judgement and entry.judgement.prize_loss is not None for entry in review.judged
        ):
            show("losses of prizes: 1% of the prize pool counts as 1% of all chips in play")
    else:
        show("no decision could be judged")
    if total.decisions:
        show()
        _show_totals("street", review.by_street)
        show()
        _show_totals("position", review.by_position)
        if len(review.players) > 1:
            show()
            _show_totals("player", review.by_player)
        _show_worst(review.worst, most)
    if review.reasons:
        show()
        heading(f"not judged: {counted(total.unjudged, 'decision')}")
        show_table(
            ("decisions", "why"),
            [(f"{count:,}", _REASONS[str(reason)]) for reason, count in review.reasons.items()],
            ("right", "left"),
            fold=True,
        )
        if not total.decisions:
            _show_first_reasons(review)


def _show_totals(name: str, totals: Mapping[str, Total]) -> None:
    show_table(
        (name, "judged", "not judged", "loss (bb)", "% of pot"),
        [
            (
                key,
                f"{total.decisions:,}",
                f"{total.unjudged:,}",
                f"{total.loss_bb:.3f}",
                f"{total.pot_share / total.decisions:.2f}" if total.decisions else "",
            )
            for key, total in totals.items()
        ],
    )


def _show_worst(worst: list[ReviewedDecision], most: int) -> None:
    shown = worst[:most]
    if not shown:
        return
    show()
    heading(f"worst decisions ({len(shown):,} of {len(worst):,} with a loss)")
    has_notes = any(entry.judgement and entry.judgement.notes for entry in shown)
    columns = ["hand", "seat", "street", "cards", "board", "line", "played", "best"]
    columns += ["loss (bb)", "% of pot", "in solution"]
    sides = ["left"] * 8 + ["right"] * 3
    rows = [_row(entry) for entry in shown]
    if has_notes:
        columns.append("notes")
        sides.append("left")
        rows = [
            [*row, "; ".join(entry.judgement.notes if entry.judgement else ())]
            for row, entry in zip(rows, shown, strict=True)
        ]
    show_table(columns, rows, sides, fold=has_notes)  # type: ignore[arg-type]


def _row(entry: ReviewedDecision) -> list[str]:
    judged = entry.judgement
    assert judged is not None
    error = "" if not judged.error else f" ± {judged.error / entry.big_blind:.2g}"
    return [
        entry.hand,
        entry.position,
        entry.street,
        entry.cards,
        entry.board,
        entry.line if len(entry.line) <= _WIDEST else f"...{entry.line[-_WIDEST:]}",
        entry.played,
        judged.best,
        f"{entry.loss_bb:.3f}{error}",
        f"{entry.loss_percent:.2f}",
        f"{100 * judged.frequency:.1f}%",
    ]


def _show_first_reasons(review: Review) -> None:
    """What is in the way of the first decision of each reason."""
    seen = set()
    for entry in review.decisions:
        if entry.reason is not None and entry.reason not in seen:
            seen.add(entry.reason)
            show(f"  hand {entry.hand}, {entry.position} {entry.street}: {entry.why}")
