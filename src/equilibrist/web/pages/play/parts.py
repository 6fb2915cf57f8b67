"""What the pages of tables and drills share: script and style, seats, places, handlers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from nicegui import run, ui

from equilibrist._version import __version__
from equilibrist.errors import EquilibristError
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.web.components.playing.boards import PlayBoard, PlayScore
from equilibrist.web.errors import ConflictError, NotFoundError, WebError
from equilibrist.web.pages.layout.notices import show_error
from equilibrist.web.pages.layout.text import Text, paragraph, style_sheet
from equilibrist.web.security.sessions import Role
from equilibrist.web.services import Services

Handler = Callable[[Any], Awaitable[None]]
RESPONSE_SECONDS = 120.0
"""How long a solution may take to open: a large game is compiled, kernels perhaps, too."""


def add_assets() -> None:
    """Put script and style sheet of the components into the page."""
    style_sheet("play.css")
    ui.add_head_html(f'<script src="/assets/{__version__}/play.js"></script>')


def address(kind: str, name: str, **query: object) -> str:
    """The address of a page, without what is None.

    Args:
        kind: `play`, `drill`, `study` or `explore`.
        name: The solution.
        query: What stands behind the question mark.

    Returns:
        A path, with a query.
    """
    parameters = {key: value for key, value in query.items() if value is not None}
    return f"/{kind}/{quote(name)}" + (f"?{urlencode(parameters)}" if parameters else "")


def seat_name(seat: int, *, is_spot: bool) -> str:
    """Name a seat in an address: `oop`, `ip`, or its number.

    Args:
        seat: Its number, from 0 on.
        is_spot: Whether it is a seat of a spot.

    Returns:
        The name.
    """
    return SEATS[seat] if is_spot else str(seat)


def read_seat(text: str | None) -> int | None:
    """The seat that an address names; raises WebError."""
    if text is None or text == "":
        return None
    if text in SEATS:
        return SEATS.index(text)
    if text.isdecimal() and len(text) < 4:
        return int(text)
    raise WebError(
        f"{text!r} is not a seat",
        option="seat",
        given=text,
        expected="oop, ip, or a number from 0 on",
    )


def read_number(option: str, text: str | None) -> int | None:
    """The number that an address has for an option; raises WebError.

    Args:
        option: What it is.
        text: What the address says.

    Returns:
        The number; None where it says nothing.
    """
    if not text:
        return None
    if text.isdecimal() and len(text) < 20:
        return int(text)
    raise WebError(
        f"{text[:120]!r} is not a {option}",
        option=option,
        given=text[:120],
        expected="a number from 0 on",
    )


def segments(label: str, choices: list[tuple[str, str, bool]]) -> None:
    """Links of which one is current: (text, address, whether it is that).

    Args:
        label: What is chosen.
        choices: What there is to choose from.
    """
    with ui.element("nav").classes("eq-row").props(f'aria-label="{label}"'):
        Text("span", f"{label}:").classes("eq-muted")
        for text, target, is_current in choices:
            link = ui.link(text, target)
            if is_current:
                link.props('aria-current="page"').classes("eq-current")


class Place(ABC):
    """A table or a drill that is open, as the handlers of its page use it, in threads.

    Attributes:
        name: The name that it is open under; empty before `take`.
        document: What it looked like last.
        note: Says which file is gone, once `add_note` has put it into the page.
    """

    def __init__(self, services: Services, role: Role | None, solution: str) -> None:
        self._services, self._role, self._solution = services, role, solution
        self.name, self.document = "", dict[str, Any]()
        self.note: Text | None = None

    @abstractmethod
    def look(self) -> None:
        """Take down what it looks like."""

    def add_note(self) -> None:
        """Put into the page what says that the file of the solution or of its game is gone."""
        self.note = paragraph("").props("role=status")
        self.show_gone()

    def show_gone(self) -> None:
        """Say whether a file is gone."""
        if self.note is not None:
            gone = self.document["gone"] or ""
            self.note.text = gone[:1].upper() + gone[1:] + "." * bool(gone)
            self.note.set_visibility(bool(gone))

    def resume(self, name: str | None) -> None:
        """Go on with what is open under a name, unless it was cleared meanwhile."""
        if name is None:
            return
        try:
            self.name = name
            self.look()
        except NotFoundError:
            self.document = {}


def listen(
    at: Place,
    board: PlayBoard,
    score: PlayScore,
    changes: Mapping[str, Callable[[Any], None]],
    others: Mapping[str, Handler] | None = None,
) -> None:
    """Answer the events of a board.

    Args:
        at: The table or drill.
        board: Its board.
        score: Its score.
        changes: By event, what changes the place; called in a thread, and shown then.
        others: By event, handlers that change nothing.
    """

    def show() -> None:
        at.show_gone()
        board.show(at.document)
        score.show(at.document)

    async def look() -> None:
        await run.io_bound(at.look)
        show()

    def changing(change: Callable[[Any], None]) -> Handler:
        async def handle(event: Any) -> None:
            await run.io_bound(change, event.args)
            show()

        return handle

    handlers = {event: changing(change) for event, change in changes.items()}
    for event, handle in {**handlers, **(others or {})}.items():
        board.on(event, _answering(board, handle, look))


def _answering(board: PlayBoard, handle: Handler, look: Callable[[], Awaitable[None]]) -> Handler:
    """A handler whose errors are shown, and after which the next choice can be made.

    What was done meanwhile in another window is shown then, by `look`.
    """

    async def answer(event: Any) -> None:
        try:
            await handle(event)
        except EquilibristError as error:
            show_error(error)
            if isinstance(error, ConflictError):
                await look()
            board.answered()

    return answer
