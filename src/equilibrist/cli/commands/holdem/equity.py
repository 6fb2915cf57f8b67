"""`equilibrist equity`: the equity of two to six ranges."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import (
    Align,
    note,
    show,
    show_facts,
    show_json,
    show_table,
    suggest,
)
from equilibrist.cli.text.progress import LiveLine
from equilibrist.options.option import DISPLAY, SAMPLING
from equilibrist.parsing.quantities import read_count

if TYPE_CHECKING:
    from equilibrist.poker.equities.equity import Equity
    from equilibrist.poker.equities.multiway import MultiwayEquity

HELP = """Compute the equity of two to six ranges of hold'em hands: shares of the pot at showdown.

A RANGE looks like 88+,A5s-A2s,KQo:0.5,AhKh, or names a file, as for `equilibrist range`. Win is the
share of deals that a player wins alone, tie the share that ends in a tie; ties are split, so that
the equity is win and the equity from ties.

Where it takes seconds all deals are enumerated: with two ranges on every flop, turn and river, and
for ranges of hand classes before the flop; with more ranges up to two billion deals. Otherwise
boards are sampled for two ranges, and the result has a 95 % confidence interval; for more ranges
deals are sampled, and the result has standard errors. --exact enumerates all.

With --folded the cards of players who folded are gone (bunching): exactly for one or two of them,
where that takes seconds or with --exact; of more their hands are drawn.

\b
Examples:
  equilibrist equity AA KK
  equilibrist equity "QQ+,AK" "22+,AT+" --board QsJh2h
  equilibrist equity AhKh "QQ:0.5,JJ" --board Ts9s2d --hands
  equilibrist equity AA KK QQ
  equilibrist equity AhKh QQ --deck short
  equilibrist equity 15% 40% --board QsJh2h --folded 22-99,A2s+ --folded 55-TT,A9s+
  equilibrist equity 6max-BTN "QQ+,AK" random --samples 1e7 --seed 7
  equilibrist equity "15%,7h6h:0.5" "40%" --samples 1e6 --seed 7 --json
"""


def equity(
    ranges: Annotated[list[str], options.argument("RANGE", "A range for each player, two to six.")],
    board: Annotated[
        str | None, options.optional("--board", "CARDS", "Three to five cards, as QsJh2h.")
    ] = None,
    dead: Annotated[
        str | None,
        options.optional("--dead", "CARDS", "Cards that are removed from the deck."),
    ] = None,
    deck: Annotated[
        str | None,
        options.optional(
            "--deck",
            "DECK",
            "The lowest rank in the deck, or short: 36 cards, a flush beats a full house, A6789 is "
            "a straight; in short-trips three of a kind beats a straight.  [default: 2]",
        ),
    ] = None,
    folded: Annotated[
        list[str] | None,
        options.optional(
            "--folded",
            "RANGE",
            "The hands with which another player folded; once for each, up to eight.",
        ),
    ] = None,
    samples: Annotated[
        str | None,
        options.optional(
            "--samples",
            "N",
            "Sample this many boards, or deals of more than two ranges.  [default: 50000 boards or "
            "1000000 deals, where enumeration would take long]",
            SAMPLING,
        ),
    ] = None,
    exact: Annotated[
        bool,
        options.switch("--exact", "Enumerate all deals, even where it takes hours.", SAMPLING),
    ] = False,
    seed: Annotated[
        int, options.whole("--seed", "N", "Seed of the sample.", SAMPLING, default=True)
    ] = 0,
    threads: options.Threads = None,
    hands: Annotated[
        bool, options.switch("--hands", "Show the equity of every hand of two ranges.", DISPLAY)
    ] = False,
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet",
            "-q",
            help="Print only numbers: equity, win and tie of each player in percent.",
            rich_help_panel=DISPLAY,
        ),
    ] = False,
    json: options.Json = False,
) -> None:
    """Count, print."""
    from equilibrist.errors import ConfigError
    from equilibrist.poker.cards.cards import card_names
    from equilibrist.poker.equities.players import LEAST_SAMPLES

    drawn = None if samples is None else read_count(samples, "samples", LEAST_SAMPLES)
    if hands and (quiet or len(ranges) > 2):
        raise ConfigError(
            "--hands shows the hands of two ranges, and not with --quiet",
            option="--hands",
            given=len(ranges),
            expected=2,
            remedy="leave out --hands, or give two ranges without --quiet",
        )
    how: Any = {"dead": dead or "", "deck": deck or "2", "samples": drawn, "exact": exact}
    how["folded"] = folded or []
    with LiveLine(quiet=json or quiet) as live:
        live.stage("counting", aloud=False)
        pair, result = _computed(ranges, board or "", {**how, "seed": seed, "threads": threads})
    if json:
        show_json(_document(result, pair, hands=hands))
        return
    if quiet:
        for numbers in zip(result.equities, result.wins, result.ties, strict=True):
            show(" ".join(f"{100 * number:.3f}" for number in numbers))
        return
    if drawn is not None and result.exact:
        counted = "deals" if pair is None else f"{result.boards:,} boards"
        note(f"all {counted} are no more than --samples: the result is exact")
    _show(result, pair)
    if hands and pair is not None:
        _show_hands(result, pair)
    if (
        len(ranges) == 2
        and result.board
        and not (result.dead or result.folded or result.deck.lowest_rank)
    ):
        cards, (oop, ip) = card_names(result.board), ranges
        bets: dict[str, Any] = {"pot": 100, "stack": 300, "bets": "50%"}
        suggest(next_command("postflop solve", board=cards, oop=oop, ip=ip, **bets))
    else:
        suggest(next_command("range", ranges[0], grid=True))


def _computed(
    ranges: list[str], board: str, options: dict[str, Any]
) -> tuple[Equity | None, MultiwayEquity]:
    """The equity of the ranges; of two also with that of their hands."""
    from equilibrist.poker.cards.decks import read_deck
    from equilibrist.poker.equities import equity as equities
    from equilibrist.poker.equities.multiway import as_multiway, multiway_equity
    from equilibrist.poker.ranges.range_files import range_or_file

    deck = options["deck"] = read_deck(options["deck"])
    hand_ranges = [range_or_file(text, deck=deck) for text in ranges]
    options["folded"] = [range_or_file(text, deck=deck) for text in options["folded"]]
    if len(hand_ranges) != 2:
        return None, multiway_equity(hand_ranges, board, **options)
    first, second = hand_ranges
    pair = equities.equity(first, second, board, **options)
    return pair, as_multiway(pair)


def _names(result: MultiwayEquity) -> list[str]:
    return [f"Player {number}" for number, _ in enumerate(result.ranges, 1)]


def _show(result: MultiwayEquity, pair: Equity | None) -> None:
    from equilibrist.poker.cards.cards import card_names

    facts = [("deck", result.deck.words if result.deck.lowest_rank else "")]
    facts += [("board", card_names(result.board, " ")), ("dead", card_names(result.dead, " "))]
    facts += [("folded", str(hand_range)) for hand_range in result.folded]
    facts += [("matchups", "" if result.matchups is None else f"{result.matchups:,.10g}")]
    facts += [("boards", _boards(result)), ("deals", _deals(result))]
    show_facts(facts, "")
    show()
    columns: list[tuple[str, Align, Iterable[str]]] = [
        ("", "left", _names(result)),
        ("equity", "right", _percents(result.equities)),
    ]
    if pair is not None and not result.exact:
        between = [f"{low:.3%} to {high:.3%}" for low, high in _intervals(pair)]
        columns += [("95 % interval", "left", between)]
    elif result.standard_errors is not None:
        columns += [("std. error", "right", _percents(result.standard_errors))]
    columns += [
        ("win", "right", _percents(result.wins)),
        ("tie", "right", _percents(result.ties)),
        ("from ties", "right", _percents(result.from_ties)),
        ("range", "left", map(str, result.ranges)),
    ]
    headings, align, cells = zip(*columns, strict=True)
    show_table(headings, [*zip(*cells, strict=True)], align, fold=True)


def _show_hands(result: MultiwayEquity, pair: Equity) -> None:
    for player, name in enumerate(_names(result)):
        show()
        rows = sorted(_by_hand(pair, player).items(), key=lambda row: -row[1]["equity"])
        show_table(
            [name, "weight", "equity"],
            [(hand, f"{it['weight']:g}", f"{it['equity']:.3%}") for hand, it in rows],
        )


def _percents(shares: Iterable[float]) -> list[str]:
    return [f"{share:.3%}" for share in shares]


def _boards(result: MultiwayEquity) -> str:
    if result.boards is None or (result.exact and len(result.board) == 5):
        return ""
    if result.exact:
        return f"all ({result.boards:,} enumerated)"
    return f"{result.boards:,} sampled, seed {result.seed}"


def _deals(result: MultiwayEquity) -> str:
    """Say how deals of more than two ranges were counted; nothing for two ranges."""
    if len(result.ranges) == 2:
        return ""
    return f"{result.samples:,} sampled, seed {result.seed}" if result.samples else "all (exact)"


def _intervals(pair: Equity) -> list[tuple[float, float]]:
    """The interval of each player, if boards were sampled."""
    if pair.interval is None:
        return []
    low, high = pair.interval
    return [(low, high), (1 - high, 1 - low)]


def _by_hand(pair: Equity, player: int) -> dict[str, dict[str, float]]:
    """Weight and equity by the name of the hand, in the order of `equilibrist range`."""
    import numpy as np

    from equilibrist.poker.cards.combos import combo_name

    shares = (pair.oop_hands, pair.ip_hands)[player]
    weights = pair.ranges[player].weights
    return {
        combo_name(combo): {"weight": float(weights[combo]), "equity": float(shares[combo])}
        for combo in np.flatnonzero(~np.isnan(shares))[::-1]
    }


def _document(result: MultiwayEquity, pair: Equity | None, *, hands: bool) -> dict[str, Any]:
    from equilibrist.poker.cards.cards import card_names

    document: dict[str, Any] = {
        "deck": result.deck.name,
        "board": card_names(result.board) or None,
        "dead": card_names(result.dead) or None,
        "ranges": [str(hand_range) for hand_range in result.ranges],
        "folded": [str(hand_range) for hand_range in result.folded],
        "equity": result.equities,
        "win": result.wins,
        "tie": result.ties,
        "from_ties": result.from_ties,
        "exact": result.exact,
        "standard_errors": result.standard_errors,
        "intervals": (_intervals(pair) or None) if pair is not None else None,
        "boards": result.boards,
        "samples": result.samples,
        "seed": None if result.exact else result.seed,
        "matchups": result.matchups,
    }
    if hands and pair is not None:
        document["hands"] = [_by_hand(pair, player) for player in (0, 1)]
    return document
