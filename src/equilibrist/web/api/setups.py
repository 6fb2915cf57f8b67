"""Setups: spots that are kept by name."""

from __future__ import annotations

from fastapi import APIRouter

from equilibrist.web.answers.answer import Answer, Deleted
from equilibrist.web.answers.holdem import Setup
from equilibrist.web.api.answers import RequestServices
from equilibrist.web.documents.orders import SpotInput

router = APIRouter(prefix="/setups", tags=["Hold'em"])


@router.get("")
def listed(services: RequestServices) -> list[str]:
    """The names of the saved setups."""
    return services.setups.names()


@router.get("/{name}")
def show(name: str, services: RequestServices) -> Answer[Setup]:
    """A saved setup, as the text of a spot file."""
    return {"name": name, "spot": services.setups.get(name)}


@router.put("/{name}")
def put(name: str, body: SpotInput, services: RequestServices) -> Answer[Setup]:
    """Save a spot under a name; one of the same name is replaced."""
    text = body.read().to_toml()
    services.setups.put(name, text)
    return {"name": name, "spot": text}


@router.delete("/{name}")
def delete(name: str, services: RequestServices) -> Answer[Deleted]:
    """Delete a saved setup."""
    services.setups.delete(name)
    return {"deleted": name}
