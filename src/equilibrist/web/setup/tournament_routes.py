"""Tournaments: what stacks are worth."""

from __future__ import annotations

from fastapi import APIRouter

from equilibrist.web.answers.answer import Answer
from equilibrist.web.api.answers import TURN
from equilibrist.web.setup.answers import TournamentDocument
from equilibrist.web.setup.tournaments import TournamentInput, tournament_document

router = APIRouter(prefix="/icm", tags=["Hold'em"])


@router.post("", dependencies=[TURN])
def icm(body: TournamentInput) -> Answer[TournamentDocument]:
    """Say what stacks are worth by the independent chip model, as `equilibrist icm --json`."""
    return tournament_document(body)
