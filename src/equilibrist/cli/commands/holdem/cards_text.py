"""Card buckets on the screen: a file, and a hand in its bucket."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from equilibrist.cli.text.output import first_left, heading, show, show_facts, show_json, show_table
from equilibrist.formatting.amounts import bytes_text
from equilibrist.storage.kinds.file_kinds import CARDS

if TYPE_CHECKING:
    from equilibrist.poker.buckets.card_buckets import CardBuckets, StreetFacts
    from equilibrist.poker.buckets.hand_report import HandReport

_BARS: Final = " ▁▂▃▄▅▆▇█"
_FEW: Final = 12
"""Mates that are shown unless all are wanted."""
_UNITS: Final = {
    "histogram": ("{:.2f} bins", "bins"),
    "potential": ("{:.2f} bins", "bins"),
    "equity": ("{:.2%} equity", "equity"),
    "quantile": ("{:.2%} equity", "equity"),
    "ochs": ("{:.2%} a group", "equity against a group"),
}
"""The distance of a kind as it is printed, and its unit."""


def show_file(cards: CardBuckets, *, json: bool) -> None:
    """Print what a file of buckets holds, street by street."""
    streets = [cards.facts(street) for street in range(4)]
    deck = 52 - 4 * cards.lowest_rank
    if json:
        show_json(
            {
                "file": str(cards.path),
                "kind": CARDS,
                "hash": cards.hash,
                "deck": deck,
                "seed": cards.header["spec"]["seed"],
                "streets": [_street_document(facts) for facts in streets],
            }
        )
        return
    heading(f"{cards.path}: card buckets")
    show_facts(
        [
            ("deck", f"{deck} cards"),
            ("size", bytes_text(cards.path.stat().st_size)),
            ("seed", str(cards.header["spec"]["seed"])),
            ("hash", cards.hash),
        ]
    )
    show()
    columns = ["street", "kind", "buckets", "smallest", "median", "largest", "distance", "spread"]
    align = first_left(len(columns))
    align[1] = "left"
    show_table(columns, [_street_row(facts) for facts in streets], align)
    show()
    show("Sizes are shares of all deals of the street. Distance is that of a hand from the centre")
    show("of its bucket: mean EMD in bins of 2 % equity, or the root mean square of the equity")
    show("(ochs: of those against the groups). Spread, the root mean square of a hand's equity")
    show("from the mean of its bucket, compares all kinds.")


def show_hand(report: HandReport, title: str, *, every: bool) -> None:
    """Print a hand in its bucket."""
    heading(
        f"{title}: bucket {report.bucket} of {report.buckets:,} ({report.street}, {report.kind})"
    )
    facts = [
        ("equity", "" if report.equity is None else f"{report.equity:.2%}"),
        ("bucket", f"{report.bucket_equity:.2%} mean equity, {report.share:.3%} of all deals"),
    ]
    if report.histogram:
        facts.append(("rivers", f"|{sparkline(report.histogram)}| by equity, 0 to 100 %"))
    show_facts(facts)
    show()
    what = "classes" if report.street == "preflop" else "hands on this board"
    if not report.mates:
        show(f"No other {what} in this bucket")
        return
    kept = report.mates if every else report.mates[:_FEW]
    show(f"{len(report.mates)} other {what} in this bucket:")
    rows = [(name, "-" if equity is None else f"{equity:.2%}") for name, equity in kept]
    show_table(["hand", "equity"], rows)
    if len(kept) < len(report.mates):
        show(f"  ... {len(report.mates) - len(kept)} more; --all shows them")


def sparkline(shares: tuple[float, ...]) -> str:
    """A bar for each share, the highest for the largest; a share above 0 always has a bar."""
    most = max(shares)
    return "".join(_BARS[int(np.ceil(8 * share / most))] for share in shares)


def hand_document(report: HandReport) -> dict[str, Any]:
    """The report as JSON has it."""
    mates = [{"hand": name, "equity": equity} for name, equity in report.mates]
    return {**asdict(report), "histogram": list(report.histogram) or None, "mates": mates}


def _street_row(facts: StreetFacts) -> list[str]:
    sizes = facts.size / facts.size.sum()
    shares = [f"{share:.3%}" for share in (sizes.min(), np.median(sizes), sizes.max())]
    far = "-" if facts.distance is None else _UNITS[facts.kind][0].format(facts.distance)
    spread = "-" if facts.spread is None else f"{facts.spread:.2%}"
    return [facts.street, facts.kind, f"{facts.buckets:,}", *shares, far, spread]


def _street_document(facts: StreetFacts) -> dict[str, Any]:
    few = facts.buckets <= 10_000  # documents of millions of numbers serve nobody
    return {
        "street": facts.street,
        "kind": facts.kind,
        "buckets": facts.buckets,
        "distance": facts.distance,
        "distance_unit": None if facts.distance is None else _UNITS[facts.kind][1],
        "equity_spread": facts.spread,
        "shares": (facts.size / facts.size.sum()).tolist() if few else None,
        "equities": facts.equity.tolist() if few else None,
    }
