"""Reviews of hands as documents: hands as text, judged by solutions of the library."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic import BaseModel, ConfigDict, Field

from equilibrist.formatting.amounts import counted
from equilibrist.options.defaults import FLOP_BETS, FLOP_RAISES, STACKS_WITHIN
from equilibrist.poker.postflop.spot.fields import RUN_OPTIONS
from equilibrist.storage.plain_file import read_plain_file
from equilibrist.web.api.bounds import check_texts
from equilibrist.web.api.orders import Value, check_spot_options, read_options
from equilibrist.web.errors import ConflictError, NotFoundError, WebError
from equilibrist.web.jobs.job import Job
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.reviews.answers import ReviewDocument, ReviewedHand, ReviewedStep
from equilibrist.web.services import Services
from equilibrist.web.workers.reviewing import REVIEW_FILE, hands_text, table_hands_of

if TYPE_CHECKING:
    from pathlib import Path

    from equilibrist.play.review.table_hands import TableHand

MOST_HANDS: Final = 1_000
_LIMITS: Final = {"target": "1%", "seconds": "60"}
"""Limits of each solve that a request does not set."""


class ReviewInput(BaseModel):
    """Hands, and what they are reviewed against."""

    model_config = ConfigDict(extra="forbid")

    hands: str = Field(
        description="The hands as text: of PokerStars or GGPoker, PHH, Open Hand History, or a log "
        "of play."
    )
    against: list[str] = Field(min_length=1, max_length=50, description="Names of solutions.")
    hero: str | None = Field(None, description="The player whose decisions are judged.")
    everybody: bool = Field(False, description="Judge all players whose cards are known.")
    stacks_within: float = Field(
        STACKS_WITHIN, ge=1.0, le=100.0, description="By which factor stacks may differ."
    )


class SolvedReviewInput(ReviewInput):
    """A review as a job, which may solve what two players come to and nothing else judges."""

    against: list[str] = Field(
        default_factory=list, max_length=50, description="Names of solutions."
    )
    solve: bool = Field(True, description="Solve flops that two players see.")
    keep: bool = Field(False, description="Keep what is solved in the library, but for its rivers.")
    ranges: str | None = Field(
        None, description="Ranges of who raised last before the flop, and who called: 22+|QQ-77."
    )
    bets: str = Field(FLOP_BETS, description="Bet sizes beside those of the hand.")
    raises: str = Field(FLOP_RAISES, description="Raise sizes.")


def review_document(
    services: Services,
    text: str,
    names: Sequence[str],
    *,
    hero: str | None,
    everybody: bool,
    within: float,
) -> ReviewDocument:
    """Review hands, as `equilibrist hands review --json` prints it.

    Args:
        services: The services of the server.
        text: The hands: histories, or a log of play.
        names: Solutions of the library.
        hero: The player whose decisions are judged.
        everybody: Whether those of all are.
        within: By which factor stacks may differ from those of a solution.

    Raises:
        WebError: The text holds no hands, or too many.
        NotFoundError: There is no such solution.
        EquilibristError: A solution is none of hold'em, or there is no such player.
    """
    from equilibrist.library.judges import open_judges
    from equilibrist.play.review.review import review_hands

    paths = [services.library.path(name) for name in names]
    called = dict(zip(paths, names, strict=True))
    judges = open_judges(paths, within=within, called=called)
    hands, left_out = _few_hands(text)
    review = review_hands(hands, judges, hero=hero, everybody=everybody, left_out=left_out)
    return cast("ReviewDocument", review.to_dict())


def review_job(
    services: Services, body: SolvedReviewInput, options: Mapping[str, Value | None]
) -> Job:
    """Make the job of a review, checked as far as it can be before its first hand.

    Args:
        services: The services of the server.
        body: The review.
        options: Options of its solves, as those of a spot.

    Raises:
        WebError: The text holds no hands, or too many; nothing is given to review against.
        NotFoundError: There is no such solution.
        EquilibristError: Ranges, sizes or options are wrong.
    """
    load_engine()
    from equilibrist.play.review.review import check_hero

    if not body.against and not body.solve:
        raise WebError(
            "nothing is given to review the hands against",
            option="against",
            remedy="name solutions, or give `solve`: true",
        )
    for name in body.against:
        _check_judge(name, services.library.path(name))
    hands, left_out = _few_hands(body.hands)
    if body.hero is not None:
        check_hero(hands, body.hero)
    _check_sizes(body)
    read = read_options({**_LIMITS, **options}, RUN_OPTIONS)
    memory = check_spot_options(read).get("memory") or services.jobs.memory // 2
    return Job(
        id=services.jobs.new_id(),
        kind="review",
        game=counted(len(hands) + len(left_out), "hand"),
        options={**read, "memory": str(memory)},
        solution="",
        memory_bytes=memory,
        created=time.time(),
        review=body.model_dump(exclude={"hands"}),  # which are in a file of their own
        has_parts=False,
    )


def job_review(services: Services, name: str) -> ReviewDocument:
    """Get the review that a job has made.

    Args:
        services: The services of the server.
        name: The name of the job.

    Raises:
        NotFoundError: There is no such job.
        ConflictError: It is no review, or has not ended.
    """
    job = services.jobs.get(name)
    file = services.jobs.folder_of(job.id) / REVIEW_FILE
    if job.kind != "review" or not file.is_file():
        raise ConflictError(
            "the job has no review" if job.kind != "review" else "the review has not ended",
            option="job",
            given=job.state,
            remedy="follow it until it has ended",
        )
    document = cast("ReviewDocument", json.loads(read_plain_file(file, most=None)))
    for decision in document["decisions"]:
        if (against := decision["against"]) is not None:
            decision["against"] = job.renamed.get(against, against)
    for hand in document["left_out"]:
        hand.setdefault("code", "unreadable")  # reviews of before have no codes
        hand.setdefault("fault", "other")
        hand.setdefault("values", {"detail": hand["reason"]})
    return document


def reviewed_hand(services: Services, name: str, hand: str, player: str = "") -> ReviewedHand:
    """A hand of a review, action by action, as it lay on the table.

    Args:
        services: The services of the server.
        name: The name of the job.
        hand: What the hand is called.
        player: At whose seat it is looked at; by default whose hand it is.

    Raises:
        NotFoundError: There is no such job, hand or player.
        ConflictError: The job is no review.
    """
    load_engine()
    from equilibrist.play.hands.game import TableState
    from equilibrist.play.review.turns import replay_hand, street_name
    from equilibrist.web.play.scene import hand_scene

    job = services.jobs.get(name)
    if job.review is None:
        raise ConflictError("the job has no review", option="job", given=job.kind)
    text = hands_text(services.jobs.folder_of(job.id))
    played = next((each for each in _read_once(text) if each.name == hand), None)
    if played is None:
        raise NotFoundError(
            f"the review has no hand {hand[:80]!r}",
            option="hand",
            given=hand[:80],
            remedy="name a hand of its decisions",
        )
    if player and player not in played.players:
        raise NotFoundError(
            f"nobody in the hand is called {player[:80]!r}",
            option="player",
            given=player[:80],
            expected=", ".join(played.players),
        )
    seat = played.players.index(player) if player else played.hero or 0
    combos = tuple(-1 if combo is None else combo for combo in played.combos)
    game, steps = played.game, list[ReviewedStep]()
    for turn in replay_hand(played, played.combos).turns:
        state = TableState(combos, turn.played.board, turn.played.state)
        scene = hand_scene(game, state, seat, reveal=True, names=played.players)
        steps.append(
            {
                "player": played.players[turn.seat],
                "position": played.positions[turn.seat],
                "street": street_name(turn.street),
                "line": turn.played.text,
                "played": str(turn.action),
                "scene": scene,
            }
        )
    return {"hand": played.name, "player": played.players[seat], "steps": steps}


@lru_cache(maxsize=4)
def _read_once(text: str) -> list[TableHand]:
    """The hands of a text, as its reader goes from one to the next."""
    return table_hands_of(text)[0]


def _check_judge(name: str, path: Path) -> None:
    """Refuse a solution that judges no hands of hold'em, such as that of another game."""
    from equilibrist.library.judges import COMMAND
    from equilibrist.library.kinds import TAKEN
    from equilibrist.storage.archive import file_kind
    from equilibrist.storage.kinds.file_kinds import words_of

    kind = file_kind(path)
    if kind not in TAKEN[COMMAND]:
        what = words_of(kind) if kind else "another file"
        raise WebError(
            f"{name} is {what}, and judges no hands of hold'em",
            option="against",
            given=name,
            expected="solutions of spots or of hands, charts, or blueprints",
            remedy="leave it out",
        )


def _check_sizes(body: SolvedReviewInput) -> None:
    """Raise what a solve would raise for these ranges and sizes."""
    from equilibrist.play.review.flops import read_ranges
    from equilibrist.poker.postflop.spot.spot import Spot

    parts = dict(zip(("oop", "ip"), (body.ranges or "").split("|"), strict=False))
    check_texts({**parts, "bets": body.bets, "raises": body.raises})
    if body.ranges is not None:
        read_ranges(body.ranges)
    Spot(board="Ts7c2h", oop="AA", ip="KK", pot=10, stack=100, bets=body.bets, raises=body.raises)


def _few_hands(text: str) -> tuple[list[Any], list[Any]]:
    """The hands of a text that can be reviewed, and the others; WebError for too many.

    The text may have tens of thousands, whose replay would take minutes: the first that is too
    many ends it.
    """
    from equilibrist.play.histories.played import TooManyHandsError

    try:
        return table_hands_of(text, MOST_HANDS)
    except TooManyHandsError as error:
        raise WebError(
            error.problem,
            option="hands",
            expected=error.expected,
            place=error.place,
            remedy="review them in parts, or with `equilibrist hands review`",
        ) from None
