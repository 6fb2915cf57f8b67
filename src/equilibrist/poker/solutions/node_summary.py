"""The summary of a node as text: place, totals, actions with their lines."""

from __future__ import annotations

from equilibrist.formatting.amounts import chips, percent
from equilibrist.poker.cards.cards import NUM_CARDS, card_name, parse_cards
from equilibrist.poker.solutions.node import Node
from equilibrist.poker.spots.fields import SEATS


def summary(node: Node, *, by_combos: bool = False) -> list[str]:
    """The lines of the summary; frequencies by matchups, unless `by_combos`."""
    to_call = f", {node.to_call:,} to call" if node.to_call else ""
    lines = [
        f"{node.line or 'root'}: {node.what}",
        f"{node.street} {node.board}, pot {node.pot:,}{to_call}",
        *_resolved_note(node),
        "",
    ]
    totals = [
        (percent(equity, 2), chips(ev), percent(eqr, 1))
        for equity, ev, eqr in zip(*node.totals, strict=True)
    ]
    wide = [
        max(least, *map(len, each))
        for least, each in zip((8, 11, 8), zip(*totals, strict=True), strict=True)
    ]
    for seat, row in zip(("", *SEATS), (("equity", "EV", "EQR"), *totals), strict=True):
        acts = " (acts)" if node.player is not None and seat == SEATS[node.player] else ""
        figures = " ".join(f"{text:>{width}}" for text, width in zip(row, wide, strict=True))
        lines.append(f"{seat.upper() + acts:<10}{figures}")
    if node.player is not None:
        taken = node.frequency_by_combos if by_combos else node.frequency
        width = max(9, *map(len, taken))
        how = f"frequency ({'by combos' if by_combos else 'adjusted for card removal'})"
        lines += ["", f"{'action':<{width}}  {how}{'EV':>12}  line"]
        evs, after = node.ev_by_action, node.next_lines
        lines += [
            f"{action:<{width}}  {percent(share, 1):>{len(how)}} {chips(evs[action]):>11}"
            f"  {after[action]}"
            for action, share in taken.items()
        ]
    elif node.deals_a_card:
        free = max(set(range(NUM_CARDS)).difference(parse_cards(node.board)))
        lines += ["", f"next line: {node.line}|{card_name(free)}, or with any other card"]
    return lines


def _resolved_note(node: Node) -> list[str]:
    """A note if the street was re-solved."""
    if node.resolved is None:
        return []
    return [f"not in the file: re-solved, {node.measure_name} {node.resolved:.3g} chips"]
