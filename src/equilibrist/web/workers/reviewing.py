"""A review in a process of its own: `equilibrist hands review`, with its solves."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.errors import EquilibristError, OutputError
from equilibrist.library.names import SUFFIX
from equilibrist.storage.atomic import write_bytes
from equilibrist.web.errors import WebError
from equilibrist.web.workers.order import Events, SolveOrder, folder_of
from equilibrist.web.workers.solving import Commands, alone

if TYPE_CHECKING:
    from equilibrist.play.histories.played import LeftOut
    from equilibrist.play.review.table_hands import TableHand
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.solution.spot_file import Keep
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.progress import Progress

_WHOLE_BOARD: Final = 5
REVIEW_FILE: Final = "review.json"
_CALLED: Final = "hands"
"""What the text is called in errors, which name no folder of the server."""


def review(order: SolveOrder, events: Events) -> None:
    """Review hands, write the document to the folder of the job, and send how it ended.

    When told to stop, the review is that of the hands so far.

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
        name = f"review-{folder_of(order).name}-{saved + 1}{SUFFIX}"
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
        hands, left_out = table_hands_of(given["hands"])
        reviewed = review_hands(
            hands,
            judges,
            hero=given["hero"],
            everybody=given["everybody"],
            left_out=left_out,
            on_hand=tell,
        )
        content = json.dumps(reviewed.to_dict(), allow_nan=False).encode()
        write_bytes(folder_of(order) / REVIEW_FILE, content)
    events.send(
        "end",
        command=None if reviewed.is_complete else commands.received,
        stopped_by=None,
        is_saved=False,
        note=None,
    )


def table_hands_of(text: str) -> tuple[list[TableHand], list[LeftOut]]:
    """Read the hands of a text that can be reviewed.

    Args:
        text: A hand history, or a log of play.

    Returns:
        The hands, and those that are left out.

    Raises:
        WebError: The text holds no hands; names no folder of the server.
    """
    from equilibrist.play.review.review import table_hands
    from equilibrist.protocols.hand_files import read_hands

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / _CALLED
        file.write_text(text, "utf-8", newline="")
        try:
            return table_hands(read_hands(file))
        except EquilibristError as error:
            fields: Any = {
                name: value.replace(f"{folder}/", "") if isinstance(value, str) else value
                for name, value in vars(error).items()
                if name in ("given", "expected", "place")
            }
            said = error.problem.replace(f"{folder}/", "")
            remedy = "give hand histories of PokerStars or GGPoker, PHH, or Open Hand History"
            raise WebError(said, option="hands", remedy=remedy, **fields) from None
