"""NiceGUI below our own application: its pages, files and websocket."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from nicegui import core, ui

from equilibrist.web.pages import start  # noqa: F401 - which registers the page
from equilibrist.web.security.addresses import Addresses
from equilibrist.web.services import Services


def mount_pages(app: FastAPI, services: Services) -> None:
    """Add the pages to an application."""
    check_origins(services.addresses)
    ui.run_with(
        app,
        title="Equilibrist",
        dark=None,
        storage_secret=services.places.secret(),
        show_welcome_message=False,
    )


def check_origins(addresses: Addresses) -> None:
    """Let socket.io take connections from our own pages alone; NiceGUI takes them from any."""

    def is_own(origin: str | None, environ: dict[str, Any]) -> bool:
        return origin is None or addresses.is_own(origin, environ.get("HTTP_HOST"))

    core.sio.eio.cors_allowed_origins = is_own
