"""What the pages of a site ask of solved spots, and what answers there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final

from equilibrist.errors import ConfigError, LineSyntaxError
from equilibrist.formatting.amounts import counted
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

    @property
    def begun(self) -> list[str]:
        """The lines before any card is dealt."""
        return [line for line in self.lines if "|" not in line]


def fitting_spot(
    services: Services, name: str, streets: int, lines: Sequence[str] = ()
) -> SitedSpot:
    """What of a spot is written into a site.

    Args:
        services: The services of a server with the solution in its library.
        name: The solution.
        streets: How many streets are written, from the first on, as far as the file keeps them.
        lines: Lines with cards of later streets: all betting on these boards is written, too. Those
            that are none of this spot are passed over.

    Raises:
        ConfigError: There are too many nodes, or the file does not keep a street of a line.
    """
    kept = opened_spot(services, name)["kept_cards"]
    cards = min(kept, streets - 1)
    with services.library.opened(name) as result:
        spot = spot_of(name, result).spot
    found = {place.line: place for place in islice(_places(spot, cards), MOST_NODES + 1)}
    of_streets = len(found)
    for line in lines:
        way = _way(spot, line)
        if way and len(way[-1].runout) > kept:
            raise ConfigError(
                f"{name} does not keep the street of {line}",
                option="lines",
                given=line,
                expected=f"lines with at most {counted(kept, 'card')} dealt",
                remedy="solve the spot again, and save it with all streets",
            )
        found |= {place.line: place for place in _beyond(spot, way, cards)}
    places = [*found.values()]
    if len(places) > MOST_NODES >= of_streets:
        raise ConfigError(
            f"{name} has {of_streets:,} nodes on its first {cards + 1} streets, and with those of "
            f"the lines more than {MOST_NODES:,}, too many to write into a site",
            option="lines",
            given=", ".join(lines),
            expected=f"at most {MOST_NODES:,} nodes",
            remedy="give fewer lines, or fewer streets",
        )
    if len(places) > MOST_NODES:
        raise ConfigError(
            f"{name} has more than {MOST_NODES:,} nodes on its first {cards + 1} streets, too many "
            "to write into a site",
            option="streets",
            given=streets,
            expected=f"at most {MOST_NODES:,} nodes",
            remedy=f"write {cards} of them" if cards else "leave it out",
        )
    after = {_without_card(one.line) for one in places if one.runout}
    dealing = [one.line for one in places if one.deals_a_card and one.line in after]
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


def check_lines(services: Services, names: Sequence[str], lines: Sequence[str]) -> None:
    """Refuse lines that are those of no spot of a site.

    Args:
        services: The services of a server with the solutions in its library.
        names: The spots.
        lines: The lines.

    Raises:
        ConfigError: A line is played in none of the spots.
    """
    spots = []
    for name in names:
        with services.library.opened(name) as result:
            spots.append(spot_of(name, result).spot)
    for line in lines:
        if not any(_way(spot, line) for spot in spots):
            raise ConfigError(
                f"{line!r} is a line of none of the spots",
                option="lines",
                given=line,
                expected="lines with their cards, such as X-X|8h|X-X|2c",
                remedy="give lines of a SOLUTION that is a spot, with commas between them",
            )


def _way(spot: Spot, line: str) -> list[NodePlace]:
    """The places to a line; none where it is no line of the spot."""
    from equilibrist.poker.postflop.solution.spot_strategy import way_to

    try:
        return way_to(spot, line)
    except (ConfigError, LineSyntaxError):
        return []


def _beyond(spot: Spot, way: Sequence[NodePlace], cards: int) -> Iterator[NodePlace]:
    """All betting on the boards of a way, after more than so many cards."""
    for before, place in pairwise(way):
        if len(place.runout) > max(cards, len(before.runout)):
            yield from _betting(spot, place)


def _betting(spot: Spot, first: NodePlace) -> Iterator[NodePlace]:
    """A place and all that follow before another card is dealt."""
    from equilibrist.poker.postflop.solution.spot_strategy import way_to

    waiting = [first]
    while waiting:
        place = waiting.pop()
        yield place
        waiting += [way_to(spot, line)[-1] for line in place.next_lines.values()]


def _without_card(line: str) -> str:
    """The line after which the last card of a line was dealt."""
    *streets, _, _ = line.split("|")
    return "|".join(streets)


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
