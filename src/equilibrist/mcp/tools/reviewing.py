"""The tool that reviews played hands against solutions."""

from __future__ import annotations

import asyncio
import secrets
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydantic import Field

from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted
from equilibrist.mcp.progress import Notice, notices
from equilibrist.mcp.tool import MOST_WAIT, Arguments, Document, Tool
from equilibrist.mcp.workspace import Workspace, path_in
from equilibrist.options.defaults import FLOP_BETS, FLOP_RAISES, STACKS_WITHIN
from equilibrist.storage.atomic import failures, write_bytes
from equilibrist.web.errors import ConflictError, NotFoundError
from equilibrist.web.numba_loading import load_engine

if TYPE_CHECKING:
    from equilibrist.play.review.review import Review
    from equilibrist.play.review.table_hands import TableHand
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.progress import Progress

MOST_WORST: Final = 40
_LEFT_OUT: Final = 5
_KEPT: Final = 20
"""Reviews that have ended and can be asked for again; their tables stay."""
_SHOWN: Final = (
    "hand", "player", "position", "street", "cards", "board", "line", "played", "best", "loss",
    "loss_bb", "loss_percent", "frequency", "grade", "pot", "against", "notes",
)  # fmt: skip


class ReviewArguments(Arguments):
    """Hands, what they are judged by, and how long the tool waits."""

    file: str | None = Field(
        None,
        description="Hand histories in the folder: PokerStars or GGPoker text, PHH, Open Hand "
        "History, match logs, logs of play.",
    )
    against: list[str] = Field(
        default_factory=list,
        description="What they are judged by: solutions of spots, blueprints, charts, spots "
        "(solved first), by name or file, or folders of them.",
    )
    hero: str | None = Field(None, description="The player; by default whose cards are told.")
    everybody: bool = Field(False, description="Judge all players whose cards are known.")
    solve: bool = Field(
        False, description="Solve flops that two players see, for hands that nothing else judges."
    )
    ranges: str | None = Field(
        None, description="With solve: ranges of who raised last before the flop | of who called."
    )
    bets: str = Field(FLOP_BETS, description="With solve: bet sizes beside those of the hand.")
    raises: str = Field(FLOP_RAISES, description="With solve: raise sizes.")
    target: str = Field("1%", description="Stop a solve at this exploitability.")
    seconds_per_spot: float = Field(30.0, gt=0, description="Stop a solve after this long.")
    worst: int = Field(10, ge=0, le=MOST_WORST, description="Decisions to list, the worst first.")
    wait: float = Field(
        15.0, ge=0, le=MOST_WAIT, description="Seconds to wait; a longer review goes on."
    )
    review: str | None = Field(None, description="The id of a review that goes on, in place of all")
    stop: bool = Field(False, description="End the review of `review` with the hands so far.")


@dataclass
class RunningReview:
    """A review in a thread of its own.

    Attributes:
        name: Its id.
        task: What ends with the review.
        stopping: Set where it is to end with the hands so far.
        hands: How many hands there are.
        done: How many were judged.
        stage: What it does now.
    """

    name: str
    stopping: threading.Event
    task: asyncio.Task[Review] | None = None
    hands: int = 0
    done: int = 0
    stage: str = "reading"

    async def end(self) -> None:
        """End it with the hands so far."""
        self.stopping.set()
        if self.task is not None:
            await asyncio.gather(self.task, return_exceptions=True)

    def check(self) -> None:
        """Raise KeyboardInterrupt where it is to end."""
        if self.stopping.is_set():
            raise KeyboardInterrupt


async def review_hands(workspace: Workspace, given: ReviewArguments) -> Document:
    """Start a review, or go on waiting for one."""
    if given.review is None:
        running = _begun(workspace, given)
    elif given.review in workspace.reviews:
        running = workspace.reviews[given.review]
    else:
        raise NotFoundError(
            f"there is no review {given.review!r}",
            option="review",
            given=given.review,
            expected=", ".join(workspace.reviews) or None,
            remedy="start it again: reviews end with the server",
        )
    if given.stop:
        running.stopping.set()
    assert running.task is not None
    try:
        async with notices(lambda _: Notice(running.done, running.hands or None, running.stage)):
            done, _ = await asyncio.wait([running.task], timeout=given.wait)
    except asyncio.CancelledError:
        if given.review is None:  # the client has never been told of this review
            running.stopping.set()
        raise
    if not done:
        return {
            "review": running.name,
            "state": "running",
            "stage": running.stage,
            "hands": running.hands,
            "judged": running.done,
            "next": "call `review_hands` with this `review`, and `stop` to end it",
        }
    return await asyncio.to_thread(_document, workspace, running, given.worst)


def _begun(workspace: Workspace, given: ReviewArguments) -> RunningReview:
    """Start a review; raises ConfigError for arguments that lack something."""
    if given.file is None:
        raise ConfigError(
            "no hands are given", option="file", remedy="give `file`, a file of hand histories"
        )
    if not given.against and not given.solve:
        raise ConfigError(
            "nothing is given to review the hands against",
            option="against",
            remedy="give `against`: solutions, spots or a folder of them; or `solve`: true",
        )
    file = workspace.path(given.file, "file")
    sources = [_source(workspace, text) for text in given.against]
    _make_room(workspace)
    running = RunningReview(secrets.token_hex(4), threading.Event())
    running.task = asyncio.create_task(asyncio.to_thread(_reviewed, given, file, sources, running))
    workspace.reviews[running.name] = running
    return running


def _make_room(workspace: Workspace) -> None:
    """Forget the oldest reviews that have ended; ConflictError where as many run as may."""
    ended, going = list[str](), list[str]()
    for name, review in workspace.reviews.items():
        is_done = review.task is not None and review.task.done()
        (ended if is_done else going).append(name)
    most = workspace.services.settings.limits.running
    if len(going) >= most:
        raise ConflictError(
            f"{counted(len(going), 'review')} at the same time is the limit",
            option="review",
            given=len(going),
            expected=f"at most {most}",
            remedy=f"wait for {going[0]}, or end it with `stop`: its `review` is the argument",
        )
    for name in ended[: max(0, len(ended) - _KEPT)]:
        del workspace.reviews[name]


def _source(workspace: Workspace, text: str) -> Path:
    """A solution of the library, or a file or a folder."""
    path = path_in(workspace.folder, text, "against")
    return path if path.is_dir() else workspace.solution_or_file(text, "against")


def _reviewed(
    given: ReviewArguments, file: Path, sources: list[Path], running: RunningReview
) -> Review:
    """Review hands, in a thread; ConflictError where it is ended before the first of them."""
    try:
        return _review(given, file, sources, running)
    except KeyboardInterrupt:  # which would end the server
        raise ConflictError(
            "the review was ended before it came to a hand", option="review", given=running.name
        ) from None


def _review(
    given: ReviewArguments, file: Path, sources: list[Path], running: RunningReview
) -> Review:
    load_engine()
    from equilibrist.library.judges import open_judges
    from equilibrist.play.review.flops import FlopMenu
    from equilibrist.play.review.review import review_hands as review
    from equilibrist.play.review.review import table_hands
    from equilibrist.poker.postflop.solving.spot_run import SpotRun
    from equilibrist.progress import Callbacks
    from equilibrist.protocols.hand_files import read_hands

    def solve(spot: Spot) -> PostflopResult:
        running.check()
        running.stage = f"solving {spot.board}"
        limits = {"target": given.target, "seconds": given.seconds_per_spot}

        def goes_on(_progress: Progress) -> None:
            running.check()

        return SpotRun(limits).solve(spot, callbacks=Callbacks(goes_on))

    def tell(number: int, hand: TableHand) -> None:
        running.check()
        running.done, running.stage = number, f"judging {hand.name}"

    judges = open_judges(
        sources,
        within=STACKS_WITHIN,
        solve=solve,
        flops=FlopMenu(given.bets, given.raises) if given.solve else None,
        ranges=given.ranges,
    )
    hands, left_out = table_hands(read_hands(file))
    running.hands = len(hands)
    return review(
        hands, judges, hero=given.hero, everybody=given.everybody, left_out=left_out, on_hand=tell
    )


def _document(workspace: Workspace, running: RunningReview, worst: int) -> Document:
    """A review that has ended in short; all decisions are in a table."""
    assert running.task is not None
    review = running.task.result()
    table = workspace.services.folders.root / "reviews" / f"{running.name}.csv"
    with failures(table):
        table.parent.mkdir(exist_ok=True)
    write_bytes(table, review.to_csv().encode())
    document = review.to_dict()
    listed = [decision.row() for decision in review.worst[:worst]]
    return {
        "review": running.name,
        "state": "done" if review.is_complete else "stopped",
        "units": "loss in chips, loss_bb in big blinds, loss_percent of the pot; frequency is how "
        "often the solution plays it",
        **{name: document[name] for name in ("hands", "players", "total", "by_street")},
        **{name: document[name] for name in ("by_position", "grades", "unjudged")},
        "first_of_each": _first_of_each(review),
        "worst": [{name: row[name] for name in _SHOWN if row[name] != ""} for row in listed],
        "lost_anything": len(review.worst),
        "left_out": document["left_out"][:_LEFT_OUT],
        "left_out_in_all": len(document["left_out"]),
        "table": workspace.shown(table),
    }


def _first_of_each(review: Review) -> Document:
    """The first decision of each reason for not judging, with what was in the way."""
    first: Document = {}
    for decision in review.decisions:
        if decision.reason is not None:
            where = f"hand {decision.hand}, {decision.position} {decision.street}"
            first.setdefault(str(decision.reason), f"{where}: {decision.why}")
    return first


TOOLS = (
    Tool(
        "review_hands",
        "Judge every decision of played hands against solutions, the worst first: what it lost, "
        "the best action, what could not be judged and why; totals by street and position. All "
        "decisions go to a table (CSV).",
        ReviewArguments,
        review_hands,
        reads_only=False,
    ),
)
