"""What the pages of a site ask of solved spots, and what answers there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from equilibrist.errors import ConfigError
from equilibrist.web.answers.solutions import OpenedSpot
from equilibrist.web.services import Services
from equilibrist.web.site.packs import Packs, word
from equilibrist.web.solutions.documents import spot_of
from equilibrist.web.solutions.listing import opened_spot
from equilibrist.web.solutions.nodes import node_columns
from equilibrist.web.study.answers import RunoutReport
from equilibrist.web.study.runouts import runouts_document

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.node_place import NodePlace
    from equilibrist.poker.postflop.spot.spot import Spot

MOST_NODES: Final = 5_000
"""Nodes of a spot: each is about 13 kB, compressed, and takes 12 ms."""


@dataclass(frozen=True)
class SitedSpot:
    """A solved spot that fits into a site.

    Attributes:
        name: Its name in the library.
        cards: How many cards are dealt at most.
        lines: The lines of the nodes that are written.
        dealing: Those among them after which cards are dealt whose nodes are written, too.
    """

    name: str
    cards: int
    lines: list[str]
    dealing: list[str]


def fitting_spot(services: Services, name: str, streets: int) -> SitedSpot:
    """What of a spot is written into a site.

    Args:
        services: The services of a server with the solution in its library.
        name: The solution.
        streets: How many streets are written, from the first on, as far as the file keeps them.

    Raises:
        ConfigError: There are too many nodes.
    """
    cards = min(opened_spot(services, name)["kept_cards"], streets - 1)
    with services.library.opened(name) as result:
        spot = spot_of(name, result).spot
    places = [*islice(_places(spot, cards), MOST_NODES + 1)]
    if len(places) > MOST_NODES:
        raise ConfigError(
            f"{name} has more than {MOST_NODES:,} nodes on its first {cards + 1} streets, too many "
            "to write into a site",
            option="streets",
            given=streets,
            expected=f"at most {MOST_NODES:,} nodes",
            remedy=f"write {cards} of them" if cards else "leave it out",
        )
    dealing = [one.line for one in places if one.deals_a_card and len(one.runout) < cards]
    return SitedSpot(name, cards, [one.line for one in places], dealing)


def add_spot(packs: Packs, services: Services, spot: SitedSpot) -> None:
    """Write all that the page of a spot asks: a pack for each board.

    Args:
        packs: Where the documents go.
        services: The services of a server with the solution in its library.
        spot: What is written.

    Raises:
        EquilibristError: The solution cannot be opened, or a file not be written.
    """
    name, place = spot.name, f"solutions/{word(spot.name)}"

    def opened() -> OpenedSpot:
        return {**opened_spot(services, name), "kept_cards": spot.cards}

    packs.add(f"{place}/spot", [({}, opened)])
    with services.library.opened(name) as result:
        solution = spot_of(name, result)
        nodes = (({"line": line}, partial(node_columns, solution, line)) for line in spot.lines)
        packs.add(f"{place}/study", nodes, by=["board"])
    reports = (({"line": line}, partial(_report, services, name, line)) for line in spot.dealing)
    packs.add(f"{place}/runouts", reports, by=["line"])


def _report(services: Services, name: str, line: str) -> RunoutReport:
    return runouts_document(services.library, name, line)


def _places(spot: Spot, cards: int) -> Iterator[NodePlace]:
    """All points of the betting before more than so many cards are dealt."""
    from equilibrist.poker.cards.cards import NUM_CARDS, card_name
    from equilibrist.poker.postflop.solution.spot_strategy import way_to

    waiting = [""]
    while waiting:
        place = way_to(spot, waiting.pop())[-1]
        yield place
        waiting += place.next_lines.values()
        if place.deals_a_card and len(place.runout) < cards:
            held = {*spot.whole_deck.absent, *spot.cards, *place.runout}
            left = (card for card in range(NUM_CARDS) if card not in held)
            waiting += [f"{place.line}|{card_name(card)}" for card in left]
