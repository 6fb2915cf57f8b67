"""The summary of a node as text: place, totals, actions with their lines."""

from __future__ import annotations

from equilibrist.formatting.amounts import chips, percent
from equilibrist.poker.cards.cards import NUM_CARDS, card_name, parse_cards
from equilibrist.poker.postflop.solution.node_aggregates import NodeMeans
from equilibrist.poker.postflop.solution.node_place import NodePlace
from equilibrist.poker.postflop.spot.fields import SEATS


def summary(place: NodePlace, means: NodeMeans, note: str, *, by_combos: bool) -> list[str]:
    """The lines of the summary; frequencies by matchups, unless `by_combos`.

    `means` are the `node_means` of the node; `note` is said below its place, if not empty.
    """
    to_call = f", {place.to_call:,} to call" if place.to_call else ""
    lines = [
        f"{place.line or 'root'}: {place.what}",
        f"{place.street} {place.board}, pot {place.pot:,}{to_call}",
        *([note] if note else []),
        "",
    ]
    totals = [
        (percent(equity, 2), chips(ev), percent(eqr, 1))
        for equity, ev, eqr in zip(*means.totals, strict=True)
    ]
    wide = [
        max(least, *map(len, each))
        for least, each in zip((8, 11, 8), zip(*totals, strict=True), strict=True)
    ]
    for seat, row in zip(("", *SEATS), (("equity", "EV", "EQR"), *totals), strict=True):
        acts = " (acts)" if place.player is not None and seat == SEATS[place.player] else ""
        figures = " ".join(f"{text:>{width}}" for text, width in zip(row, wide, strict=True))
        lines.append(f"{seat.upper() + acts:<10}{figures}")
    if place.player is not None:
        frequency = means.frequency_by_combos if by_combos else means.frequency
        width = max(9, *(len(str(action)) for action in place.actions))
        how = f"frequency ({'by combos' if by_combos else 'adjusted for card removal'})"
        lines += ["", f"{'action':<{width}}  {how}{'EV':>12}  line"]
        rows = zip(place.next_lines.items(), frequency, means.action_ev, strict=True)
        lines += [
            f"{action:<{width}}  {percent(share, 1):>{len(how)}} {chips(ev):>11}  {line}"
            for (action, line), share, ev in rows
        ]
    elif place.deals_a_card:
        free = max(set(range(NUM_CARDS)).difference(parse_cards(place.board)))
        lines += ["", f"next line: {place.line}|{card_name(free)}, or with any other card"]
    return lines
