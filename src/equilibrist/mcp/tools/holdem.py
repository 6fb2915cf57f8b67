"""Tools for hold'em beside solving: equities, and what a spot needs."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Final, cast

from pydantic import Field

from equilibrist.mcp.tool import Arguments, Document, Tool
from equilibrist.mcp.tools.solving import SpotArguments
from equilibrist.mcp.tools.spots import spot_for
from equilibrist.mcp.workspace import Workspace
from equilibrist.poker.postflop.spot.fields import RUN_OPTIONS
from equilibrist.web.api.orders import read_options
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.setup.estimates import estimated, fitting

if TYPE_CHECKING:
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.web.answers.spots import SpotEstimate

_SAMPLES: Final = 1_000_000
"""The most samples of an equity."""


class EquityArguments(Arguments):
    """Ranges against each other."""

    ranges: list[str] = Field(
        min_length=2, max_length=6, description="Two to six ranges, as AKs,QQ+ or AhKh."
    )
    board: str = Field("", description="No card, or 3 to 5, as QsJh2h.")
    dead: str = Field("", description="Cards that nobody holds.")
    deck: str = Field(
        "2", description="The lowest rank in the deck, or short or short-trips (36 cards)."
    )
    folded: list[str] = Field(
        default=[], max_length=8, description="The hands with which other players folded, for each."
    )
    samples: int | None = Field(
        None, ge=100, le=_SAMPLES, description="Sample this many, unless enumerating takes fewer."
    )
    seed: int = Field(0, ge=0, description="The seed of the samples.")


def equity(workspace: Workspace, given: EquityArguments) -> Document:  # noqa: ARG001
    """The equities of ranges without betting."""
    load_engine()
    from equilibrist.poker import multiway_equity

    result = multiway_equity(
        given.ranges,
        given.board,
        dead=given.dead,
        deck=given.deck,
        folded=given.folded,
        samples=given.samples,
        seed=given.seed,
    )
    return {
        "unit": "shares of the pot without further betting, in the order of the ranges",
        "equities": result.equities,
        "wins": result.wins,
        "ties": result.ties,
        "exact": result.exact,
        "intervals_95": result.intervals,
        "boards": result.boards,
        "samples": result.samples,
    }


async def estimate_spot(workspace: Workspace, given: SpotArguments) -> Document:
    """What solving a spot takes."""
    spot_input, note = await spot_for(workspace, given)
    options = read_options({**given.options, **given.limits}, RUN_OPTIONS)

    def estimate() -> Document:
        load_engine()
        limit = workspace.services.jobs.memory
        document: Document = {**estimated(spot_input.read(), options, limit)}
        del document["reductions"]
        return {"units": "bytes, seconds", **document, "note_on_file": note}

    document = await asyncio.to_thread(estimate)
    if not document["fits"]:
        estimated_spot = cast("SpotEstimate", document)
        document["what_fits"] = await _what_fits(spot_input.read(), estimated_spot, given.wait)
    return document


async def _what_fits(spot: Spot, document: SpotEstimate, seconds: float) -> list[Document]:
    """The first changes that are found in some seconds with which a spot fits into memory."""
    changes: list[Document] = []
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds), aclosing(fitting(spot, document)) as search:
            async for change in search:
                changes.append({**change})
                if len(changes) == _MOST_CHANGES:
                    break
    return changes


_MOST_CHANGES: Final = 3
TOOLS = (
    Tool(
        "equity",
        "Compute the equities of two to six ranges without betting, exactly or by sampling.",
        EquityArguments,
        equity,
    ),
    Tool(
        "estimate_spot",
        "Estimate memory (bytes) and time (seconds) that solving a spot takes, and what makes it "
        "fit (searched for `wait` seconds); takes the arguments of solve_spot.",
        SpotArguments,
        estimate_spot,
    ),
)
