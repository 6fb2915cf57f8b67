"""A review in a process of its own: `equilibrist hands review`, with its solves."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from equilibrist.errors import EquilibristError, OutputError
from equilibrist.library.names import SUFFIX
from equilibrist.play.appended_file import AppendedFile, WholeLines
from equilibrist.storage.atomic import write_bytes
from equilibrist.storage.plain_file import read_text_file
from equilibrist.web.errors import WebError
from equilibrist.web.workers.order import Events, SolveOrder, folder_of
from equilibrist.web.workers.solving import Commands, alone

if TYPE_CHECKING:
    from equilibrist.play.histories.faults import LeftOut
    from equilibrist.play.review.review import ReviewedHand
    from equilibrist.play.review.table_hands import TableHand
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.solution.spot_file import Keep
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.progress import Progress

_WHOLE_BOARD: Final = 5
REVIEW_FILE: Final = "review.json"
HANDS_FILE: Final = "hands.txt"
"""The text of the hands, in the folder of the job."""
_CALLED: Final = "hands"
"""What the text is called in errors, which name no folder of the server."""
_REMEDY: Final = "give hand histories of PokerStars or GGPoker, PHH, or Open Hand History"
_Read = TypeVar("_Read")


def review(order: SolveOrder, events: Events) -> None:
    """Review hands, write the document to the folder of the job, and send how it ended.

    What is said of each hand is written at once, so that a review that is resumed goes on from
    there. When told to stop, the review is that of the hands so far.

    Args:
        order: The review.
        events: Where its progress is sent.

    Raises:
        EquilibristError: What a review raises.
    """
    from equilibrist.library.judges import open_judges
    from equilibrist.play.review.flops import FlopMenu
    from equilibrist.play.review.review import review_hands
    from equilibrist.poker.postflop.solving.spot_run import SpotRun
    from equilibrist.poker.postflop.spot.fields import RUN_OPTIONS
    from equilibrist.progress import Callbacks

    given = order.review
    assert given is not None
    commands = Commands()
    run = SpotRun.read({name: order.options.get(name) for name in RUN_OPTIONS})
    limits = run.options
    menu = FlopMenu(given["bets"], given["raises"], limits.get("seconds"), limits.get("threads"))
    where, judged, saved = "", 0, 0

    def goes_on(_progress: Progress) -> bool:
        return commands.received is None

    def solve(spot: Spot) -> PostflopResult:
        events.send("stage", text=f"{where}, solving {spot.board}", done=judged, total=len(hands))
        result = run.solve(spot, callbacks=Callbacks(goes_on))
        check()
        return kept(result) if given["keep"] else result

    def kept(result: PostflopResult) -> PostflopResult:
        nonlocal saved
        name = f"{kept_name(folder_of(order).name)}{saved + 1}{SUFFIX}"
        keep: Keep = "all" if len(result.spot.cards) == _WHOLE_BOARD else "no-rivers"
        try:
            file = result.save(Path(given["library"]) / name, keep)
        except OutputError:  # the disk is full: the review goes on without it
            return result
        saved += 1
        return replace(result, solution_file=file)

    def check() -> None:
        if commands.received is not None:
            raise KeyboardInterrupt

    def tell(number: int, hand: TableHand) -> None:
        nonlocal where, judged
        check()
        where = f"hand {number + 1:,} of {len(hands):,}: {hand.name}"
        judged = number
        events.send("stage", text=where, done=judged, total=len(hands))

    with alone(folder_of(order)):
        paths = [Path(name) for name in given["files"]]
        judges = open_judges(
            paths,
            within=given["stacks_within"],
            solve=solve,
            called=dict(zip(paths, given["against"], strict=True)),
            flops=menu if given["solve"] else None,
            ranges=given["ranges"],
        )
        hands, left_out = table_hands_of(hands_text(folder_of(order)))
        checkpoint = Path(order.checkpoint)
        earlier = _reviewed_before(checkpoint, hands)
        saved = _most_saved(earlier, kept_name(folder_of(order).name))
        with AppendedFile(checkpoint) as lines:
            reviewed = review_hands(
                hands,
                judges,
                hero=given["hero"],
                everybody=given["everybody"],
                left_out=left_out,
                on_hand=tell,
                earlier=earlier,
                on_reviewed=lambda hand: lines.append(f"{hand.to_line()}\n"),
            )
        content = json.dumps(reviewed.to_dict(), allow_nan=False).encode()
        write_bytes(folder_of(order) / REVIEW_FILE, content)
        if reviewed.is_complete:
            with suppress(OSError):
                checkpoint.unlink()
    events.send(
        "end",
        command=None if reviewed.is_complete else commands.received,
        stopped_by=None,
        is_saved=False,
        note=None,
    )


def hands_text(folder: Path) -> str:
    """The text of the hands of a review.

    Args:
        folder: The folder of its job.

    Raises:
        FileFormatError: It is gone, or cannot be read.
    """
    return read_text_file(folder / HANDS_FILE, most=None, option="hands")


def kept_name(job: str) -> str:
    """How the names of the solutions begin that the review of a job has kept; a number follows."""
    return f"review-{job}-"


def _reviewed_before(checkpoint: Path, hands: Sequence[TableHand]) -> list[ReviewedHand]:
    """What an earlier process has said of the first hands; lines that do not fit are cut off."""
    from equilibrist.play.review.review import ReviewedHand

    found = WholeLines.read(checkpoint, "checkpoint")
    found.cut(checkpoint)
    earlier, size = list[ReviewedHand](), 0
    for line, hand in zip(found.lines, hands, strict=False):
        try:
            reviewed = ReviewedHand.from_line(line)
        except (ValueError, KeyError, TypeError):
            break
        if reviewed.name != hand.name:
            break
        earlier.append(reviewed)
        size += len(line.encode()) + 1
    if size < found.size:
        os.truncate(checkpoint, size)
    return earlier


def _most_saved(earlier: Sequence[ReviewedHand], prefix: str) -> int:
    """The largest number of a solution that an earlier process has kept; 0 for none."""
    names = {
        decision.judgement.against
        for hand in earlier
        for decision in hand.decisions
        if decision.judgement is not None
    }
    kept = (re.fullmatch(rf"{re.escape(prefix)}(\d+)", name) for name in names)
    return max((int(match[1]) for match in kept if match is not None), default=0)


def table_hands_of(text: str, most: int | None = None) -> tuple[list[TableHand], list[LeftOut]]:
    """Read the hands of a text that can be reviewed.

    Args:
        text: A hand history, or a log of play.
        most: Hands that it may have; None for any number.

    Returns:
        The hands, and those that are left out.

    Raises:
        WebError: The text holds no hands; names no folder of the server.
        TooManyHandsError: It has more; those after them are not read.
    """
    from equilibrist.play.review.review import table_hands
    from equilibrist.protocols.hand_files import read_hands

    return table_hands(
        read_pasted(text, lambda file: read_hands(file, most=most), "hands", _REMEDY)
    )


def read_pasted(
    text: str, read: Callable[[Path], _Read], option: str | None = None, remedy: str | None = None
) -> _Read:
    """Read a text by what reads files.

    Args:
        text: The text.
        read: Reads a file.
        option: What is at fault where the text cannot be read; None for what `read` says.
        remedy: What to do then; None for what `read` says.

    Returns:
        What `read` returns.

    Raises:
        WebError: It cannot be read; names no folder of the server.
        TooManyHandsError: It has more hands than `read` takes.
    """
    from equilibrist.play.histories.played import TooManyHandsError

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / _CALLED
        file.write_text(text, "utf-8", newline="")
        try:
            return read(file)
        except TooManyHandsError:  # which says it of the text
            raise
        except EquilibristError as error:
            fields: Any = {
                name: value.replace(f"{folder}/", "") if isinstance(value, str) else value
                for name, value in vars(error).items()
                if name in ("option", "given", "expected", "place", "remedy")
            }
            fields |= {} if option is None else {"option": option}
            fields |= {} if remedy is None else {"remedy": remedy}
            raise WebError(error.problem.replace(f"{folder}/", ""), **fields) from None
