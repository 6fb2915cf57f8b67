"""Setups: spots that are kept by name."""

from __future__ import annotations

from fastapi import APIRouter

from equilibrist.web.api.answers import Document, Found
from equilibrist.web.documents.orders import SpotGiven

router = APIRouter(prefix="/setups", tags=["Hold'em"])


@router.get("")
def listed(found: Found) -> list[str]:
    """Their names."""
    return found.setups.names()


@router.get("/{name}")
def show(name: str, found: Found) -> Document:
    """The text of one, as a spot file."""
    return {"name": name, "spot": found.setups.get(name)}


@router.put("/{name}")
def put(name: str, given: SpotGiven, found: Found) -> Document:
    """Keep a spot under a name; that of the same name is replaced."""
    text = given.read().to_toml()
    found.setups.put(name, text)
    return {"name": name, "spot": text}


@router.delete("/{name}")
def delete(name: str, found: Found) -> Document:
    """Forget one."""
    found.setups.delete(name)
    return {"deleted": name}
