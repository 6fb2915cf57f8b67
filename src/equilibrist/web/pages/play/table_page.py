"""The page of a table: `/play/NAME`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from nicegui import run, ui
from starlette.requests import Request

from equilibrist.errors import EquilibristError
from equilibrist.web.components.playing.boards import CoachSwitch, PlayBoard, PlayScore
from equilibrist.web.documents.playing.ranges import ranges_document
from equilibrist.web.documents.playing.table import bet_document, hand_document, table_document
from equilibrist.web.errors import ConflictError
from equilibrist.web.pages.layout.frame import frame
from equilibrist.web.pages.layout.text import heading, paragraph
from equilibrist.web.pages.play.parts import (
    RESPONSE_SECONDS,
    Place,
    add_assets,
    address,
    listen,
    read_number,
    read_seat,
    seat_name,
    segments,
)


@ui.page("/play/{name}", response_timeout=RESPONSE_SECONDS)
async def play(
    request: Request,
    name: str,
    seat: str | None = None,
    table: str | None = None,
    hand: str | None = None,
    seed: str | None = None,
) -> None:
    """A table against a solution; `table` is one that is open, `hand` a hand to be replayed."""
    add_assets()
    with frame(request, f"Play {name}", "play") as visit:
        at = _Seat(visit.services, visit.role, name)
        await run.io_bound(at.take, read_seat(seat), table, read_number("seed", seed))
        ui.context.client.on_delete(lambda: visit.services.playing.leave(at.name))
        doc = at.document
        _head(doc)
        at.add_note()
        with ui.element("div").classes("pl-layout"):
            board = PlayBoard(doc, at.address)
            score = PlayScore(doc, downloads=at.downloads)
        _listen(at, board, score)
        if (number := read_number("hand", hand)) is not None:
            board.show_replay(await run.io_bound(at.hand, number))


class _Seat(Place):
    """The table of a page."""

    def take(self, seat: int | None, table: str | None, seed: int | None) -> None:
        """Sit down at a table that is open, or at a new one.

        Args:
            seat: The person's seat at a new table; None for all in turn.
            table: The name of the open one, if any.
            seed: The seed of a new one; None for a secret one.
        """
        self.resume(table)
        if self.document.get("solution") != self._solution:
            playing = self._services.playing
            self.name = playing.open_table(self._solution, self._role, seat, seed)
            self.look()

    def look(self) -> None:
        """Take down what the table looks like."""
        with self._services.playing.table(self.name, self._role) as table:
            self.document = dict(table_document(self.name, table))

    @property
    def address(self) -> str:
        """The address of the page that comes back to this table."""
        seat, is_spot = self.document["seat"], self.document["kind"] == "spot"
        called = None if seat is None else seat_name(seat, is_spot=is_spot)
        return address("play", self._solution, seat=called, table=self.name)

    @property
    def downloads(self) -> list[dict[str, str]]:
        """The hands as files."""
        path = f"/api/play/tables/{self.name}/hands"
        files = [{"name": "JSON lines", "href": f"{path}.jsonl"}]
        if self.document["has_histories"]:
            files.append({"name": "PHH", "href": f"{path}.phhs"})
        return files

    def choose(self, choice: dict[str, Any]) -> None:
        """Play what the component says."""
        hand, move, action = (choice.get(key) for key in ("hand", "move", "action"))
        amount = choice.get("amount")
        with self._services.playing.table(self.name, self._role) as table:
            table.choose(hand, move, action, amount)  # type: ignore[arg-type]
        self.look()

    def deal(self, _: object = None) -> None:
        """Begin the next hand."""
        with self._services.playing.table(self.name, self._role) as table:
            table.deal()
        self.look()

    def reveal(self, shown: object) -> None:
        """Show or hide the AI's cards during hands."""
        with self._services.playing.table(self.name, self._role) as table:
            table.reveal(shown=shown is True)
        self.look()

    def ranges(self) -> dict[str, Any]:
        """Mix the AI's actions in this hand over its whole range."""
        with self._services.playing.table(self.name, self._role) as table:
            return dict(ranges_document(table))

    def quote(self, amount: float) -> dict[str, Any]:
        """Map a bet before it is made; ConflictError where none is possible any more."""
        with self._services.playing.table(self.name, self._role) as table:
            return dict(bet_document(table, amount))

    def hand(self, number: int) -> dict[str, Any]:
        """A hand that is over."""
        with self._services.playing.table(self.name, self._role) as table:
            return dict(hand_document(table, table.hand(number)))


def _head(doc: dict[str, Any]) -> None:
    name, is_spot = doc["solution"], doc["kind"] == "spot"
    with ui.element("div").classes("eq-row"):
        heading(f"Play {name}")
        CoachSwitch()
        is_hand = doc["kind"] == "hand"
        if not is_hand:
            ui.link("Drill", address("drill", name))
        kind = "study" if is_spot else "charts" if is_hand else "explore"
        ui.link("Study", address(kind, name, stamp=doc["stamp"]))
    paragraph(doc["game"]).classes("eq-muted eq-small")
    seats = [("in turn", address("play", name), doc["seat"] is None)]
    for seat in range(doc["players"]):
        called = seat_name(seat, is_spot=is_spot)
        text = called.upper() if is_spot else f"player {seat}"
        if is_hand:
            text = doc["seat_names"][seat]
        seats.append((text, address("play", name, seat=called), doc["seat"] == seat))
    segments("Your seat", seats)


def _listen(at: _Seat, board: PlayBoard, score: PlayScore) -> None:
    async def quote(event: Any) -> None:
        with suppress(EquilibristError):  # the turn is over; the component checks amounts itself
            quoted = await run.io_bound(at.quote, event.args)
            if quoted is not None:
                board.show_quote(quoted)

    async def ranges(_event: Any) -> None:
        with suppress(ConflictError):  # the hand is over, and all of it shown
            mixtures = await run.io_bound(at.ranges)
            if mixtures is not None:  # the server ends
                board.show_ranges(mixtures)

    async def replay(event: Any) -> None:
        number = event.args
        board.show_replay(None if number is None else await run.io_bound(at.hand, number))

    changes: dict[str, Callable[[Any], None]]
    changes = {"choose": at.choose, "bet": at.choose, "next": at.deal, "reveal": at.reveal}
    listen(at, board, score, changes, {"quote": quote, "ranges": ranges, "replay": replay})
