"""Reviews of played hands against solutions of the library."""

from __future__ import annotations

from fastapi import APIRouter

from equilibrist.web.answers.answer import Answer
from equilibrist.web.api.answers import TURN, RequestServices
from equilibrist.web.reviews.answers import ReviewDocument
from equilibrist.web.reviews.documents import ReviewInput

router = APIRouter(prefix="/reviews", tags=["Hold'em"])


@router.post("", dependencies=[TURN])
def review(body: ReviewInput, services: RequestServices) -> Answer[ReviewDocument]:
    """Judge every decision of hands, as `equilibrist hands review --json` prints it.

    Decisions come with the worst first; those that could not be judged have a `reason`.
    """
    from equilibrist.web.reviews.documents import review_document

    return review_document(
        services,
        body.hands,
        body.against,
        hero=body.hero,
        everybody=body.everybody,
        within=body.stacks_within,
    )
