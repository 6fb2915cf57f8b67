"""Runs on whole hands of hold'em: the forms of their kinds, and what a run needs."""

from __future__ import annotations

from fastapi import APIRouter

from equilibrist.web.answers.answer import Answer
from equilibrist.web.api.answers import TURN, RequestServices
from equilibrist.web.hands.answers import CardBucketsFacts, HandEstimate, HandForm
from equilibrist.web.hands.documents import (
    HandJobInput,
    card_buckets,
    hand_estimate,
    hand_forms,
)

router = APIRouter(prefix="/hands", tags=["Hold'em"])


@router.get("")
def forms() -> Answer[list[HandForm]]:
    """The kinds of runs on whole hands, with the fields of their forms."""
    return hand_forms()


@router.get("/cards", dependencies=[TURN])
def cards(services: RequestServices) -> Answer[list[CardBucketsFacts]]:
    """The card buckets of the library, on which blueprints are trained, newest first."""
    return card_buckets(services)


@router.post("/estimate", dependencies=[TURN])
def estimate(body: HandJobInput, services: RequestServices) -> Answer[HandEstimate]:
    """What a run needs, before it is started with the same body by `POST /api/jobs`."""
    return hand_estimate(services, body.hand, body.options)
