"""What the pages of a site ask of charts before the flop, and what answers there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from equilibrist.errors import ConfigError, EquilibristError
from equilibrist.web.charts.documents import chart_document, opened_charts
from equilibrist.web.services import Services
from equilibrist.web.site.packs import Packs, word

if TYPE_CHECKING:
    from equilibrist.library.kinds import ChartFile

MOST_DECISIONS: Final = 500
"""Decisions of a file, which lie in one pack: each is about 3 kB, compressed."""


@dataclass(frozen=True)
class SitedCharts:
    """Charts that fit into a site.

    Attributes:
        name: The name of their file in the library.
        decisions: The document of each decision, by its line.
    """

    name: str
    decisions: dict[str, Any]


def fitting_charts(services: Services, name: str) -> SitedCharts:
    """All decisions of charts.

    Args:
        services: The services of a server with the file in its library.
        name: Its name there.

    Raises:
        ConfigError: There are too many.
    """
    with services.library.charts(name) as file:
        decisions = dict(islice(_decisions(file.content), MOST_DECISIONS + 1))
    if len(decisions) > MOST_DECISIONS:
        raise ConfigError(
            f"{name} has more than {MOST_DECISIONS:,} decisions, too many to write into a site",
            option="solution",
            given=name,
            expected=f"at most {MOST_DECISIONS:,} decisions",
            remedy="leave it out",
        )
    return SitedCharts(name, decisions)


def add_charts(packs: Packs, services: Services, charts: SitedCharts) -> None:
    """Write all that the page of charts asks.

    Args:
        packs: Where the documents go.
        services: The services of a server with the file in its library.
        charts: What is written.

    Raises:
        EquilibristError: The file cannot be opened, or a pack not be written.
    """
    place = f"solutions/{word(charts.name)}"
    packs.add(f"{place}/charts", [({}, partial(opened_charts, services, charts.name))])
    answers = charts.decisions.items()
    packs.add(f"{place}/chart", (({"line": line}, partial(_same, one)) for line, one in answers))


def _same(document: Any) -> Any:
    return document


def _decisions(content: ChartFile) -> Iterator[tuple[str, Any]]:
    """The decisions before the flop, the first one first; those that need a board are left out."""
    waiting = [""]
    while waiting:
        line = waiting.pop(0)
        try:
            document = chart_document(content, line)
        except EquilibristError:
            continue
        yield line, document
        actions = document["way"][-1]["actions"]
        waiting += [action["line"] for action in actions if action["line"] is not None]
