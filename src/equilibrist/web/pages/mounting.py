"""NiceGUI below our own application: its pages, files and websocket."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from nicegui import Client, core, ui
from nicegui import app as pages
from nicegui.logging import log

from equilibrist._version import __version__
from equilibrist.web.pages.layout.notices import UnforeseenErrors, on_error
from equilibrist.web.security.addresses import Addresses
from equilibrist.web.services import Services

_ASSETS = f"/assets/{__version__}"
_UNCONNECTED = 5.0
"""Seconds in which a browser connects to its page, where there are as many pages as may be."""
_HEAD = (
    f'<script src="{_ASSETS}/theme.js"></script>\n'
    f'<link rel="stylesheet" href="{_ASSETS}/theme.css">\n'
)


def mount_pages(app: FastAPI, services: Services) -> None:
    """Add the pages to an application."""
    check_origins(services.addresses)
    _add_assets()
    ui.run_with(
        app,
        title="Equilibrist",
        dark=None,
        language="en-US",
        tailwind=False,  # which would build its style sheet in the browser, at every start
        storage_secret=services.folders.secret(),
        show_welcome_message=False,
        # On a busy machine a page answers late: it has four seconds, and ten to come back.
        reconnect_timeout=10.0,
    )


def open_sockets() -> int:
    """Count the pages that are connected, those included that poll in place of a websocket."""
    return len(core.sio.eio.sockets)


def open_pages() -> int:
    """Count the pages that the server keeps: one without a browser is kept for a minute."""
    return len(Client.instances)


def guest_pages() -> int:
    """Count the pages of guests that the server keeps."""
    requests = (getattr(client, "request", None) for client in Client.instances.values())
    return sum(request is not None and request.scope.get("role") == "guest" for request in requests)


def drop_pages() -> None:
    """Drop the pages to which no browser has connected within some seconds."""
    Client.prune_instances(client_age_threshold=_UNCONNECTED)


def check_origins(addresses: Addresses) -> None:
    """Let socket.io take connections from our own pages alone; NiceGUI takes them from any."""

    def is_own(origin: str | None, environ: dict[str, Any]) -> bool:
        return origin is None or addresses.is_own(origin, environ.get("HTTP_HOST"))

    core.sio.eio.cors_allowed_origins = is_own


def _add_assets() -> None:
    """Our script and style sheet in the head of every page, before anything is drawn."""
    if _HEAD in Client.shared_head_html:  # NiceGUI has one application for each process
        return
    pages.add_static_files(_ASSETS, str(files("equilibrist.web") / "assets"))
    log.addFilter(UnforeseenErrors())  # NiceGUI logs all that handlers raise, with a traceback
    pages.on_exception(on_error)
    pages.config.quasar_config["loadingBar"]["skipHijack"] = True  # it has no accessible name
    pages.config.vue_config_script += "window.equilibrist.apply();\n"
    ui.add_head_html(_HEAD, shared=True)
