"""The page on which a solution is chosen to be played: `/play`."""

from __future__ import annotations

from nicegui import ui
from starlette.requests import Request

from equilibrist.web.pages.layout.frame import frame
from equilibrist.web.pages.layout.text import Text, heading, paragraph, scrolled
from equilibrist.web.pages.play.parts import address
from equilibrist.web.store.games import game_text
from equilibrist.web.store.opening import PLAYED, SOLUTIONS


@ui.page("/play")
def choose(request: Request) -> None:
    """List what can be played."""
    with frame(request, "Play", "play") as visit:
        heading("Play")
        paragraph(
            "Play hands against a solution of the library, or drill one of its decisions. The "
            "solution draws its actions from its strategy, and the coach shows the EV loss of "
            "each of your choices."
        )
        entries = [one for one in visit.services.library.entries() if one.kind in PLAYED]
        if not entries:
            paragraph("No solution is stored yet. Solve a game or a spot first.")
            ui.link("Games", "/games")
            ui.link("Hold'em", "/spot")
            return
        with scrolled("Solutions"), ui.element("table").classes("eq-table"):
            with ui.element("thead"), ui.element("tr"):
                for label in ("Solution", "Of", "Play", "Drill"):
                    Text("th", label).props("scope=col")
            with ui.element("tbody"):
                for entry in entries:
                    with ui.element("tr"):
                        Text("td", entry.name)
                        Text("td", game_text(visit.services.folders.games, entry.game or ""))
                        for kind, text in (("play", "Play"), ("drill", "Drill")):
                            with ui.element("td"):
                                if kind == "drill" and entry.kind not in SOLUTIONS:
                                    continue
                                link = ui.link(text, address(kind, entry.name))
                                link.props["aria-label"] = f"{text} {entry.name}"
