"""Tools that say what there is to solve, and how."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from functools import cache
from typing import Any

from pydantic import Field

from equilibrist.mcp.tool import Arguments, Document, Tool
from equilibrist.mcp.tools.games import game_for
from equilibrist.mcp.workspace import Workspace
from equilibrist.web.games.catalogue import all_games, game_facts
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.security.texts import check_call


class GamesArguments(Arguments):
    """What is asked about games."""

    game: str | None = Field(
        None,
        description="A game with its parameters, as kuhn or leduc(players=3), or a file of the "
        "folder, for its size.",
    )


class AlgorithmsArguments(Arguments):
    """What is asked about algorithms."""

    algorithm: str | None = Field(
        None, description="One of them, with parameters if any, as dcfr(gamma=3), in full."
    )


async def list_games(workspace: Workspace, given: GamesArguments) -> Document:
    """The games, or one of them with its size."""
    if given.game is not None:
        game = await game_for(workspace, given.game)
        facts = await asyncio.to_thread(game_facts, workspace.services, game)
        return {
            "game": facts["text"],
            "summary": facts.get("summary"),
            "parameters": _parameters(facts.get("parameters")),
            "sizes": facts["sizes"],
        }
    games = await asyncio.to_thread(all_games, workspace.services, sizes=False)
    return {
        "games": [
            {
                "name": game["name"],
                "summary": game.get("summary"),
                "parameters": _parameters(game.get("parameters")),
            }
            for game in games
        ]
    }


def _parameters(parameters: Any) -> Any:
    """Names of parameters with their defaults alone."""
    if isinstance(parameters, list):
        return {row["name"]: row.get("default") for row in parameters if isinstance(row, dict)}
    return parameters


def list_algorithms(workspace: Workspace, given: AlgorithmsArguments) -> Document:  # noqa: ARG001
    """The algorithms and samplers, or one algorithm in full."""
    load_engine()
    if given.algorithm is not None:
        from equilibrist.solvers.catalogue import algorithm_info
        from equilibrist.solving.algorithm import get_algorithm

        check_call("algorithm", given.algorithm)
        return asdict(algorithm_info(get_algorithm(given.algorithm)))
    return _algorithms()


@cache
def _algorithms() -> Document:
    from equilibrist.solvers import catalogue

    return {
        "algorithms": {info.name: info.summary for info in catalogue.list_algorithms()},
        "samplers": {info.name: info.summary for info in catalogue.list_samplers()},
    }


TOOLS = (
    Tool(
        "list_games",
        "List the games that `solve_game` takes, or say how large one of them is: histories, "
        "infosets, players.",
        GamesArguments,
        list_games,
    ),
    Tool(
        "list_algorithms",
        "List the algorithms and samplers of `solve_game`, or say all about one algorithm.",
        AlgorithmsArguments,
        list_algorithms,
    ),
)
