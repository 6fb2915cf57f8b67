"""Setups: spots that are kept by name."""

from __future__ import annotations

from fastapi import APIRouter

from equilibrist.web.api.answers import Document, Found
from equilibrist.web.documents.orders import SpotGiven

router = APIRouter(prefix="/setups", tags=["Hold'em"])


@router.get("")
def listed(found: Found) -> list[str]:
    """The names of the saved setups."""
    return found.setups.names()


@router.get("/{name}")
def show(name: str, found: Found) -> Document:
    """A saved setup, as the text of a spot file."""
    return {"name": name, "spot": found.setups.get(name)}


@router.put("/{name}")
def put(name: str, given: SpotGiven, found: Found) -> Document:
    """Save a spot under a name; one of the same name is replaced."""
    text = given.read().to_toml()
    found.setups.put(name, text)
    return {"name": name, "spot": text}


@router.delete("/{name}")
def delete(name: str, found: Found) -> Document:
    """Delete a saved setup."""
    found.setups.delete(name)
    return {"deleted": name}
