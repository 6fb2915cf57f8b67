"""`equilibrist blueprint show` and `export`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.text.output import heading, note, show, show_grid, show_json, show_table
from equilibrist.errors import ConfigError
from equilibrist.options.option import DISPLAY, FILES

if TYPE_CHECKING:
    from equilibrist.poker.blueprint.policy import Blueprint, LineReach

SHOW: Final = """Show the strategy of a blueprint at a decision.

--line has the actions to it, streets separated by bars: "R2.5-C|X". Before the flop there is a grid
for each action: how often each hand takes it, in percent; suited hands stand above the diagonal.
After the flop --board has the public cards, and --hand a hand; without a board there is a row for
each bucket. The line may have the cards itself: "R2.5-C|Td9d6h|X". --draw draws the grid as .svg or
.png.

\b
Examples:
  equilibrist blueprint show b.safetensors
  equilibrist blueprint show b.safetensors --line R2.5
  equilibrist blueprint show b.safetensors --line "C-X" --board Td9d6h --hand AhKh
  equilibrist blueprint show b.safetensors --draw opening.svg
"""
EXPORT: Final = """Write the strategies before the flop as CSV, or the ranges of a line.

--csv has a row for each decision before the flop, hand class and action. --line prints what the
seats hold after a line, as ranges that `postflop solve` reads, and how often the blueprint plays
the line: ranges of one that it plays in less than 1 % of all deals are mostly noise of the
training.

\b
Examples:
  equilibrist blueprint export b.safetensors --csv preflop.csv
  equilibrist blueprint export b.safetensors --line "R2.5-C"
"""

File = Annotated[Path, options.argument("BLUEPRINT", "The file.")]
Line = Annotated[
    str | None,
    options.optional("--line", "LINE", "The actions to the decision.  [default: none]", DISPLAY),
]


def show_node(
    file: File,
    line: Line = None,
    board: Annotated[
        str | None, options.optional("--board", "CARDS", "The public cards: Td9d6h.", DISPLAY)
    ] = None,
    hand: Annotated[
        str | None,
        options.optional(
            "--hand", "HAND", "Show these hands, with buckets: AhKh or AKs,77.", DISPLAY
        ),
    ] = None,
    draw: Annotated[
        Path | None,
        options.file("--draw", "FILE", "Draw the grid as .svg or .png.", DISPLAY),
    ] = None,
    cards: options.MovedCards = None,
    json: options.Json = False,
) -> None:
    """Show a decision."""
    from equilibrist.cli.text.holdem.blueprint_text import show_record
    from equilibrist.poker.blueprint.policy import Blueprint
    from equilibrist.poker.cards.cards import parse_board, refuse_outside_deck
    from equilibrist.poker.decisions.grid_pictures import check_picture
    from equilibrist.poker.decisions.solution import part_line
    from equilibrist.poker.hands.tree_lines import node_at

    if draw is not None:
        check_picture(draw, "--draw")
    blueprint = Blueprint.load(file, cards)
    betting, dealt = part_line(line or "")
    node = node_at(blueprint.tree, betting)
    if board is not None and dealt:
        raise ConfigError(
            "--line and --board both have cards",
            option="--board",
            given=board,
            remedy="leave out --board, or the cards of the line",
        )
    public = parse_board(board) if board is not None else dealt
    blueprint.bucket_probabilities(node)  # refuses the end of a hand before anything is printed
    if public and not blueprint.tree.street[node]:
        raise ConfigError(
            "no board is dealt before the flop",
            option="--board",
            given=board or line,
            remedy="leave it out, or give a --line to a later street",
        )
    refuse_outside_deck("board", public, blueprint.hand.rules.lowest_rank)
    if hand is not None:
        _combos(blueprint, public, hand)
    if draw is not None:
        blueprint.decision_at(node, public).draw(draw)
        note(f"the grid at {blueprint.tree.line(node) or 'the root'} drawn to {draw}")
    if json:
        show_json({**blueprint.facts(), **_node_document(blueprint, node, public, hand)})
        return
    if line is None:
        show_record(blueprint)
        show()
    if hand is not None:
        _show_hands(blueprint, node, public, hand)
    elif public or blueprint.tree.street[node] == 0:
        _show_classes(blueprint, node, public)
    else:
        _show_buckets(blueprint, node)


def inspect_blueprint(
    file: Path,
    line: str,
    hands: str,
    *,
    cards: Path | None = None,
    draw: Path | None,
    json: bool,
) -> None:
    """Do what `inspect` does: show how it was trained, and a decision or hands at it."""
    show_node(file, line or None, hand=hands or None, draw=draw, cards=cards, json=json)


def export(
    file: File,
    csv: Annotated[
        Path | None,
        options.file("--csv", "FILE", "Write all decisions before the flop to FILE.", FILES),
    ] = None,
    line: Line = None,
    cards: options.MovedCards = None,
    json: options.Json = False,
) -> None:
    """Write a file, or print ranges."""
    from equilibrist.cli.commands.holdem.hand_input import check_csv
    from equilibrist.cli.text.holdem.blueprint_text import reach_text, share_text, warn_if_rare
    from equilibrist.poker.blueprint.policy import Blueprint
    from equilibrist.storage.tables import write_table_file

    if (csv is None) == (line is None):
        raise ConfigError(
            "nothing says what to export" if csv is None else "--csv and --line exclude each other",
            option="--csv",
            expected="--csv FILE, or --line LINE",
            remedy="give one of them",
        )
    check_csv(csv)
    blueprint = Blueprint.load(file, cards)
    if csv is not None:
        text = blueprint.to_csv()
        write_table_file(csv, ".csv", text)
        rows = text.count("\n") - 1
        if json:
            show_json({"file": str(csv), "rows": rows})
        else:
            note(f"{rows:,} rows in {csv}")
        return
    ranges, reach = _ranges(blueprint, line or "")
    warn_if_rare(line or "", reach, blueprint.seats)
    if json:
        names = [name.replace(" ", "_") for name in blueprint.seats]
        shares = {"line": reach.line, **dict(zip(names, reach.seats, strict=True))}
        show_json({"line": line, "reach": shares, **dict(zip(names, ranges, strict=True))})
        return
    for seat, share, text in zip(blueprint.seats, reach.seats, ranges, strict=True):
        heading(f"{seat}, {share_text(share)} of its hands")
        show(text or "no hand")
    show(f"{line or 'the deal'} is {reach_text(reach, blueprint.seats)}")


def _ranges(blueprint: Blueprint, line: str) -> tuple[list[str], LineReach]:
    """The ranges of the seats after a line, and how often it is played."""
    from equilibrist.poker.blueprint.policy import ranges_at, reach_of
    from equilibrist.poker.hands.tree_lines import node_at
    from equilibrist.poker.ranges.range import Range, to_digits

    node = node_at(blueprint.tree, line)
    if blueprint.tree.street[node] > 1 or (
        blueprint.tree.street[node] == 1 and "|" in blueprint.tree.line(node).rstrip("|")
    ):
        raise ConfigError(
            "ranges are exported where the flop begins, or before",
            option="--line",
            given=line,
            remedy="give the actions before the flop",
        )
    ranges = [str(Range.from_weights(to_digits(held))) for held in ranges_at(blueprint, node)]
    return ranges, reach_of(blueprint, node)


def _codes(blueprint: Blueprint, node: int) -> list[str]:
    return [action.code for action in blueprint.tree.moves(node)]


def _place(blueprint: Blueprint, node: int) -> str:
    line = blueprint.tree.line(node) or "the deal"
    return f"after {line} the {blueprint.seats[blueprint.tree.player[node]]} acts"


def _combos(blueprint: Blueprint, board: tuple[int, ...], hands: str) -> list[int]:
    """The combos of a text such as `AhKh` or `AKs,77` that the board leaves."""
    from equilibrist.poker.cards.combos import dealt_hands
    from equilibrist.poker.ranges.range import Range

    held = Range(hands).weights > 0
    combos = (held & dealt_hands(board, blueprint.cards.lowest_rank)).nonzero()[0].tolist()
    if not combos:
        raise ConfigError(
            f"no hand of {hands} is dealt here",
            option="hand",
            given=hands,
            remedy="give hands that the deck has and the board leaves, such as AhKh or 77",
        )
    return combos


def _show_hands(blueprint: Blueprint, node: int, board: tuple[int, ...], hands: str) -> None:
    """A row for each hand: its bucket, and what it does."""
    from equilibrist.poker.cards.combos import combo_name

    chances = blueprint.probabilities(node, board)
    row = _buckets(blueprint, node, board)
    combos = _combos(blueprint, board, hands)
    if len(combos) == 1:
        (combo,) = combos
        heading(f"{combo_name(combo)}, bucket {row[combo]}: {_place(blueprint, node)}")
        rows = [
            [code, f"{100 * chance:.1f} %"]
            for code, chance in zip(_codes(blueprint, node), chances[:, combo], strict=True)
        ]
        show_table(("action", "frequency"), rows)
        return
    heading(_place(blueprint, node))
    table = [
        [combo_name(c), str(row[c]), *(f"{100 * chance:.1f} %" for chance in chances[:, c])]
        for c in combos
    ]
    show_table(("hand", "bucket", *_codes(blueprint, node)), table)


def _buckets(blueprint: Blueprint, node: int, board: tuple[int, ...]) -> Any:
    from equilibrist.poker.blueprint.policy import board_of_street

    return blueprint.cards.row(board_of_street(board, int(blueprint.tree.street[node])))


def _show_classes(blueprint: Blueprint, node: int, board: tuple[int, ...]) -> None:
    from equilibrist.poker.ranges.grid import plain

    decision = blueprint.decision_at(node, board).by_class()
    heading(_place(blueprint, node))
    for code, shares, total in zip(
        decision.codes, decision.strategy, decision.frequencies, strict=True
    ):
        show()
        show(f"{code}: {100 * total:.1f} %")
        show_grid(plain(shares.reshape(13, 13).round(4)))


def _show_buckets(blueprint: Blueprint, node: int) -> None:
    heading(_place(blueprint, node))
    street = int(blueprint.tree.street[node])
    equity = blueprint.cards.facts(street).equity
    chances = blueprint.bucket_probabilities(node)
    order = equity.argsort()
    rows = [
        [str(k), f"{100 * equity[k]:.1f} %", *(f"{100 * chance:.1f} %" for chance in chances[:, k])]
        for k in order.tolist()
    ]
    show_table(("bucket", "equity", *_codes(blueprint, node)), rows)


def _node_document(
    blueprint: Blueprint, node: int, board: tuple[int, ...], hand: str | None
) -> dict[str, Any]:
    from equilibrist.poker.cards.combos import CLASS_NAMES, combo_name

    document: dict[str, Any] = {
        "line": blueprint.tree.line(node),
        "seat": int(blueprint.tree.player[node]),
        "actions": _codes(blueprint, node),
    }
    street = int(blueprint.tree.street[node])
    if street and not board and hand is None:
        return {**document, "buckets": blueprint.bucket_probabilities(node).T.round(6).tolist()}
    chances = blueprint.probabilities(node, board).round(6)
    hands: dict[str, Any]
    if hand is not None:
        row = _buckets(blueprint, node, board)
        hands = {
            combo_name(combo): {
                "bucket": int(row[combo]),
                "frequencies": chances[:, combo].tolist(),
            }
            for combo in _combos(blueprint, board, hand)
        }
    elif not street:
        decision = blueprint.decision_at(node).by_class()
        document["total"] = decision.frequencies.tolist()
        by_class = decision.strategy.T.round(6).tolist()
        hands = dict(zip(CLASS_NAMES, by_class, strict=True))
    else:
        dealt = blueprint.decision_at(node, board).dealt.tolist()
        hands = {combo_name(combo): chances[:, combo].tolist() for combo in dealt}
    return {**document, "hands": hands}
