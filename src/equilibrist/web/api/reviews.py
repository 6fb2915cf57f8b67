"""Reviews of played hands against solutions of the library."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from equilibrist.options.defaults import STACKS_WITHIN
from equilibrist.web.answers.answer import Answer
from equilibrist.web.answers.reviews import ReviewDocument
from equilibrist.web.api.answers import TURN, RequestServices

router = APIRouter(prefix="/reviews", tags=["Hold'em"])


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


@router.post("", dependencies=[TURN])
def review(body: ReviewInput, services: RequestServices) -> Answer[ReviewDocument]:
    """Judge every decision of hands, as `equilibrist hands review --json` prints it.

    Decisions come with the worst first; those that could not be judged have a `reason`.
    """
    from equilibrist.web.documents.reviews import review_document

    return review_document(
        services,
        body.hands,
        body.against,
        hero=body.hero,
        everybody=body.everybody,
        within=body.stacks_within,
    )
