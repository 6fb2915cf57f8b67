"""`equilibrist equity`: the equity of two ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from equilibrist.cli.inputs import options
from equilibrist.cli.text.output import Align, note, show, show_facts, show_json, show_table
from equilibrist.cli.text.progress import LiveLine
from equilibrist.cli.text.quantities import read_count
from equilibrist.options.option import DISPLAY, SAMPLING, THREADS

if TYPE_CHECKING:
    from equilibrist.poker.equities.equity import Equity

HELP = """Compute the equity of two ranges of hold'em hands: their shares of the pot at showdown.

OOP and IP look like 88+,A5s-A2s,KQo:0.5,AhKh, as for `equilibrist range`. Ties are split. Where it
takes seconds all boards are enumerated: on every flop, turn and river, and for ranges of hand
classes before the flop. Otherwise boards are sampled, and the result has a 95 % confidence
interval; --exact enumerates all boards.

\b
Examples:
  equilibrist equity AA KK
  equilibrist equity "QQ+,AK" "22+,AT+" --board QsJh2h
  equilibrist equity AhKh "QQ:0.5,JJ" --board Ts9s2d --hands
  equilibrist equity "15%,7h6h:0.5" "40%" --samples 1e6 --seed 7 --json
"""


def equity(
    oop: Annotated[str, options.argument("OOP", "The range of one player.")],
    ip: Annotated[str, options.argument("IP", "The range of the other.")],
    board: Annotated[
        str | None, options.optional("--board", "CARDS", "Three to five cards, as QsJh2h.")
    ] = None,
    dead: Annotated[
        str | None,
        options.optional("--dead", "CARDS", "Cards that are removed from the deck."),
    ] = None,
    samples: Annotated[
        str | None,
        options.optional(
            "--samples",
            "N",
            "Sample this many boards.  [default: 50000, where enumeration would take long]",
            SAMPLING,
        ),
    ] = None,
    exact: Annotated[
        bool,
        options.switch("--exact", "Enumerate all boards, however long it takes.", SAMPLING),
    ] = False,
    seed: Annotated[
        int, options.whole("--seed", "N", "Seed of the sample.", SAMPLING, default=True)
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
    hands: Annotated[
        bool, options.switch("--hands", "Show the equity of every hand.", DISPLAY)
    ] = False,
    json: options.Json = False,
) -> None:
    """Count, print."""
    drawn = None if samples is None else read_count(samples, "samples")
    with LiveLine(quiet=json) as live:
        live.stage("counting", aloud=False)
        from equilibrist.poker.equities import equity as equities

        found = equities.equity(
            oop,
            ip,
            board or "",
            dead=dead or "",
            samples=drawn,
            exact=exact,
            seed=seed,
            threads=threads,
        )
    if json:
        show_json(_document(found, hands=hands))
        return
    if drawn is not None and found.exact:
        note(f"all {found.boards:,} boards are no more than --samples: the result is exact")
    _show(found)
    if hands:
        for name, player in (("OOP", 0), ("IP", 1)):
            show()
            rows = sorted(_by_hand(found, player).items(), key=lambda row: -row[1]["equity"])
            show_table(
                [name, "weight", "equity"],
                [(hand, f"{it['weight']:g}", f"{it['equity']:.3%}") for hand, it in rows],
            )


def _show(found: Equity) -> None:
    from equilibrist.poker.cards.cards import card_names

    facts = [("board", card_names(found.board, " ")), ("dead", card_names(found.dead, " "))]
    facts += [("matchups", f"{found.matchups:,.10g}"), ("boards", _boards(found))]
    show_facts(facts, "")
    show()
    sides = zip(("OOP", "IP"), found.ranges, (found.oop, found.ip), _intervals(found), strict=True)
    rows = [
        (name, f"{share:.3%}", *(f"{low:.3%} to {high:.3%}" for low, high in between), str(given))
        for name, given, share, between in sides
    ]
    columns = ["", "equity", *([] if found.exact else ["95 % interval"]), "range"]
    align: list[Align] = ["left", "right", "left", "left"]
    show_table(columns, rows, align[: len(columns)], fold=True)


def _boards(found: Equity) -> str:
    if found.exact:
        return f"all ({found.boards:,} enumerated)" if len(found.board) < 5 else ""
    return f"{found.boards:,} sampled, seed {found.seed}"


def _intervals(found: Equity) -> list[list[tuple[float, float]]]:
    """For each player: the interval, if there is one."""
    if found.interval is None:
        return [[], []]
    low, high = found.interval
    return [[(low, high)], [(1 - high, 1 - low)]]


def _by_hand(found: Equity, player: int) -> dict[str, dict[str, float]]:
    """Weight and equity by the name of the hand, in the order of `equilibrist range`."""
    import numpy as np

    from equilibrist.poker.cards.combos import combo_name

    shares = (found.oop_hands, found.ip_hands)[player]
    weights = found.ranges[player].weights
    return {
        combo_name(combo): {"weight": float(weights[combo]), "equity": float(shares[combo])}
        for combo in np.flatnonzero(~np.isnan(shares))[::-1]
    }


def _document(found: Equity, *, hands: bool) -> dict[str, Any]:
    from equilibrist.poker.cards.cards import card_names

    document: dict[str, Any] = {
        "board": card_names(found.board) or None,
        "dead": card_names(found.dead) or None,
        "ranges": [str(given) for given in found.ranges],
        "equity": [found.oop, found.ip],
        "exact": found.exact,
        "intervals": None if found.exact else [between[0] for between in _intervals(found)],
        "boards": found.boards,
        "seed": None if found.exact else found.seed,
        "matchups": found.matchups,
    }
    if hands:
        document["hands"] = [_by_hand(found, player) for player in (0, 1)]
    return document
