"""Setups: spots that are kept by name."""

from __future__ import annotations

from fastapi import APIRouter

from equilibrist.web.api.answers import Document, RequestServices
from equilibrist.web.documents.orders import SpotGiven

router = APIRouter(prefix="/setups", tags=["Hold'em"])


@router.get("")
def listed(services: RequestServices) -> list[str]:
    """The names of the saved setups."""
    return services.setups.names()


@router.get("/{name}")
def show(name: str, services: RequestServices) -> Document:
    """A saved setup, as the text of a spot file."""
    return {"name": name, "spot": services.setups.get(name)}


@router.put("/{name}")
def put(name: str, given: SpotGiven, services: RequestServices) -> Document:
    """Save a spot under a name; one of the same name is replaced."""
    text = given.read().to_toml()
    services.setups.put(name, text)
    return {"name": name, "spot": text}


@router.delete("/{name}")
def delete(name: str, services: RequestServices) -> Document:
    """Delete a saved setup."""
    services.setups.delete(name)
    return {"deleted": name}
