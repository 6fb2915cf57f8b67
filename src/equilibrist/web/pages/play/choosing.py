"""The page on which a solution is chosen to be played: `/play`."""

from __future__ import annotations

from functools import partial
from typing import Final

from nicegui import ui
from starlette.requests import Request

from equilibrist.library.kinds import SOLUTIONS
from equilibrist.web.documents.jobs import new_job
from equilibrist.web.documents.library import measured, played_entries
from equilibrist.web.pages.layout.buttons import Button, SingleStart
from equilibrist.web.pages.layout.frame import Visit, frame
from equilibrist.web.pages.layout.text import Text, heading, paragraph, scrolled
from equilibrist.web.pages.play.parts import address
from equilibrist.web.store.games import game_text

FIRST_GAMES: Final = {
    "kuhn": "Kuhn poker",
    "leduc": "Leduc hold'em",
    "rock_paper_scissors": "rock-paper-scissors",
}
"""Games that are solved within seconds, by name, for those who have no solution yet."""


@ui.page("/play")
def choose(request: Request) -> None:
    """List what can be played."""
    with frame(request, "Play", "play") as visit:
        heading("Play")
        paragraph(
            "Play hands against a solution of the library, or drill one of its decisions. The "
            "solution draws its actions from its strategy, and the coach shows the EV loss of "
            "each of your choices. Of several solutions of a game the best is first."
        )
        entries = played_entries(visit.services)
        if not entries:
            _First(visit).show()
            return
        with scrolled("Solutions"), ui.element("table").classes("eq-table"):
            with ui.element("thead"), ui.element("tr"):
                for label in ("Solution", "Of", "Measured", "Play", "Drill"):
                    Text("th", label).props("scope=col")
            with ui.element("tbody"):
                for entry in entries:
                    with ui.element("tr"):
                        Text("td", entry.name)
                        Text("td", game_text(visit.services.folders.games, entry.game or ""))
                        Text("td", measured(entry))
                        for kind, text in (("play", "Play"), ("drill", "Drill")):
                            with ui.element("td"):
                                if kind == "drill" and entry.kind not in SOLUTIONS:
                                    continue
                                link = ui.link(text, address(kind, entry.name))
                                link.props["aria-label"] = f"{text} {entry.name}"


class _First:
    """The way to a first solution, on the page of an empty library.

    Args:
        visit: Who has opened the page.
    """

    def __init__(self, visit: Visit) -> None:
        self._visit, self._start = visit, SingleStart()

    def show(self) -> None:
        """Offer the owner to solve a small game; guests are told who can."""
        if not self._visit.is_owner:
            paragraph(
                "No solution is stored yet. Only the owner of this server can solve games; what "
                "has been solved can then be played here."
            )
            return
        paragraph(
            "No solution is stored yet. Solve one of these games, which takes seconds; the page of "
            "the run then has a link to play it."
        )
        with ui.element("div").classes("eq-row"):
            for game, called in FIRST_GAMES.items():
                Button(f"Solve and play {called}", partial(self._solve, game), is_main=True)
        with ui.element("div").classes("eq-row"):
            Text("span", "Or solve something else:").classes("eq-muted")
            ui.link("Games", "/games")
            ui.link("Hold'em", "/spot")

    async def _solve(self, game: str) -> None:
        """Start the solve that the page of the game starts, once, however often it is clicked."""
        self._visit.check_owner("solve")
        await self._start.run(partial(self._started, game))

    async def _started(self, game: str) -> None:
        services = self._visit.services
        job, source = await services.work.run(new_job, services, game=game, options={})
        services.jobs.add(job, source)
        ui.navigate.to(f"/runs/{job.id}")
