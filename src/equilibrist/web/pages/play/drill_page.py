"""The page of a drill: `/drill/NAME`."""

from __future__ import annotations

from typing import Any

from nicegui import run, ui
from starlette.requests import Request
from starlette.responses import Response

from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION
from equilibrist.web.components.playing.boards import PlayBoard, PlayScore
from equilibrist.web.documents.playing.drill import drill_document
from equilibrist.web.pages.layout.frame import frame, renamed
from equilibrist.web.pages.layout.text import Text, heading, paragraph
from equilibrist.web.pages.play.parts import (
    RESPONSE_SECONDS,
    Place,
    add_assets,
    address,
    listen,
    read_number,
    read_seat,
)


@ui.page("/drill/{name}", response_timeout=RESPONSE_SECONDS)
async def drill(
    request: Request,
    name: str,
    line: str = "",
    match: str = "*",
    player: str | None = None,
    drill: str | None = None,
    seed: str | None = None,
    stamp: str = "",
) -> Response | None:
    """A decision of a solution again and again; `drill` is one that is open.

    `stamp` is that of the file in links of tables and drills.
    """
    add_assets()
    with frame(request, f"Drill {name}", "play") as visit:
        if elsewhere := renamed(visit, name, stamp):
            return elsewhere
        is_spot = visit.services.library.entry(name).kind == SPOT_SOLUTION
        with ui.element("div").classes("eq-row") as row:
            heading(f"Drill {name}")
            ui.link("Play", address("play", name))
        about = line if is_spot else match
        _choice(name, about, is_spot=is_spot)
        at = _Open(visit.services, visit.role, name)
        number = read_number("seed", seed)
        await run.io_bound(at.take, about, read_seat(player), drill, number)
        ui.context.client.on_delete(lambda: visit.services.playing.leave(at.name))
        doc = at.document
        with row:
            kind = "study" if is_spot else "explore"
            ui.link("Study", address(kind, name, stamp=doc["stamp"]))
        paragraph(_about(doc)).classes("eq-muted eq-small")
        at.add_note()
        query = {"line": line or None} if is_spot else {"match": match, "player": player}
        with ui.element("div").classes("pl-layout"):
            shown = address("drill", name, **query, drill=at.name)
            board = PlayBoard(doc, shown, drill=True)
            score = PlayScore(doc, drill=True)
        listen(at, board, score, {"choose": at.answer, "next": at.ask})
    return None


class _Open(Place):
    """The drill of a page."""

    def take(self, about: str, player: int | None, drill: str | None, seed: int | None) -> None:
        """Go on with a drill that is open, or begin one.

        Args:
            about: The line or the pattern.
            player: Of a game, whose infosets alone.
            drill: The name of the open one, if any.
            seed: The seed of a new one; None for any.
        """
        self.resume(drill)
        same = (self.document.get("solution"), self.document.get("about"))
        if same != (self._solution, about):
            playing = self._services.playing
            self.name = playing.open_drill(self._solution, self._role, about, player, seed)
            self.look()

    def look(self) -> None:
        """Take down what the drill looks like."""
        with self._services.playing.drill(self.name, self._role) as place:
            self.document = dict(drill_document(self.name, place))

    def answer(self, answer: dict[str, Any]) -> None:
        """Answer as the component says."""
        with self._services.playing.drill(self.name, self._role) as place:
            place.answer(answer["number"], answer["action"])
        self.look()

    def ask(self, _: object = None) -> None:
        """Ask the next question."""
        with self._services.playing.drill(self.name, self._role) as place:
            place.drill.ask()
        self.look()


def _about(doc: dict[str, Any]) -> str:
    if doc["kind"] == "spot":
        where = doc["about"] or "the root"
        return f"{doc['game']}: hands at {where}, drawn with the probabilities of the solution"
    return f"{doc['game']}: infosets {doc['about']}, drawn with the probabilities of the solution"


def _choice(name: str, about: str, *, is_spot: bool) -> None:
    """A field for another line, or another pattern: a plain form, which every browser sends."""
    form = ui.element("form").classes("eq-row").props("method=get")
    form.props["action"] = address("drill", name)
    with form:
        label = "Line of the decision" if is_spot else "Infosets (with * and ?)"
        Text("label", label).props("for=about")
        field = ui.element("input").classes("eq-field eq-mono").props("id=about maxlength=200")
        field.props["name"] = "line" if is_spot else "match"
        field.props["value"] = about
        Text("button", "Start the drill").classes("eq-button")
