"""Reviews of hands as documents: hands as text, judged by solutions of the library."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from equilibrist.errors import EquilibristError
from equilibrist.web.answers.reviews import ReviewDocument
from equilibrist.web.errors import WebError
from equilibrist.web.services import Services

if TYPE_CHECKING:
    from equilibrist.play.histories.played import ReadHands

MOST_HANDS: Final = 1_000
_CALLED: Final = "hands"
"""What the text is called in errors, which name no folder of the server."""


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
    from equilibrist.play.review.review import review_hands, table_hands

    paths = [services.library.path(name) for name in names]
    called = dict(zip(paths, names, strict=True))
    judges = open_judges(paths, within=within, called=called)
    hands, left_out = table_hands(_read(text))
    if len(hands) > MOST_HANDS:
        raise WebError(
            f"there are {len(hands):,} hands; expected at most {MOST_HANDS:,}",
            option="hands",
            given=len(hands),
            expected=MOST_HANDS,
            remedy="review them in parts, or with `equilibrist hands review`",
        )
    review = review_hands(hands, judges, hero=hero, everybody=everybody, left_out=left_out)
    return cast("ReviewDocument", review.to_dict())


def _read(text: str) -> ReadHands:
    """The hands of a text; WebError, without the place of the file that it is read from."""
    from equilibrist.protocols.hand_files import read_hands

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / _CALLED
        file.write_text(text, "utf-8")
        try:
            return read_hands(file)
        except EquilibristError as error:
            fields: Any = {
                name: value.replace(f"{folder}/", "") if isinstance(value, str) else value
                for name, value in vars(error).items()
                if name in ("given", "expected", "place")
            }
            said = error.problem.replace(f"{folder}/", "")
            remedy = "give hand histories of PokerStars or GGPoker, PHH, or Open Hand History"
            raise WebError(said, option="hands", remedy=remedy, **fields) from None
