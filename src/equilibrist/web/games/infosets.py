"""The table of infosets of a solution: searched, sorted and cut into pages on the server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import numpy as np

from equilibrist.errors import UnknownNameError
from equilibrist.library.strategy_table import Choice, StrategyTable, infoset_documents
from equilibrist.typing import FloatArray
from equilibrist.web.answers.games import (
    FamilyFacts,
    InfosetDocument,
    InfosetPage,
    SolvedGameFacts,
)
from equilibrist.web.errors import TooLargeError, WebError
from equilibrist.web.games.known import OwnNames
from equilibrist.web.games.solved import SolvedGame, solved_game
from equilibrist.web.games.tables import is_solved_table
from equilibrist.web.services import Services
from equilibrist.web.solutions.documents import present_solution, run_document

ORDERS: Final = (
    "infoset",
    "player",
    "histories",
    "reach",
    "counterfactual_reach",
    "value",
    "cf_value",
    "regret",
    "mixing",
)
"""What the table can be sorted by; `mixing` is the entropy of the average strategy."""

_MOST_ROWS: Final = 50_000
"""Infosets in one table that is saved as a file."""


def solution_facts(services: Services, name: str, stamp: str = "") -> SolvedGameFacts:
    """Describe a solution, and what is known of its infosets.

    Args:
        services: The services of the server.
        name: The solution.
        stamp: That of its file when a link to it was made; see `present_solution`.

    Raises:
        NotFoundError: There is no such solution, or it has been replaced since.
        ConflictError: It is the solution of a spot.
        FileFormatError: It is damaged.
    """
    name, is_later = present_solution(services, name, stamp)
    own = services.library.stamp(name)
    solved = solved_game(services, name)
    state = solved.state
    names = OwnNames() if solved.game is None else solved.game.own_names
    entry = services.library.entry(name)
    return {
        "name": solved.name,
        "stamp": own,
        "is_later": is_later,
        "run": run_document(name, services.jobs),
        "player_names": list(names.players),
        "game": None if solved.game is None else solved.game.text,
        "title": solved.title,
        "game_title": names.title,
        "shown_names": {} if solved.game is None else solved.game.shown_names,
        "num_players": _players(solved),
        "algorithm": solved.algorithm,
        "iterations": solved.iterations,
        "values": entry.values,
        "measure": entry.measure,
        "measure_name": entry.measure_name,
        "family": _family(services, name),
        "num_infosets": _count(solved),
        "is_sortable": solved.table is not None,
        "is_table": is_solved_table(solved),
        "has_values": solved.tree is not None,
        "why_no_values": solved.why,
        "state_iteration": None if state is None else state.iteration,
        "why_no_state": solved.why_no_state,
        "job": None if solved.job is None else solved.job.id,
    }


def _family(services: Services, name: str) -> FamilyFacts | None:
    """The published family of a strategy; None where it is in none, or its file does not say."""
    with services.library.opened(name) as result:
        family = getattr(result, "family", None)
    if family is None:
        return None
    return {
        "name": family["name"],
        "source": family["source"],
        "parameters": family["parameters"],
    }


def infoset_table(
    solved: SolvedGame,
    *,
    match: str | None = None,
    player: int | None = None,
    keys: Sequence[str] = (),
    order: str | None = None,
    descending: bool = False,
    start: int = 0,
    count: int = 100,
    values: bool = True,
    state: bool = True,
) -> InfosetPage:
    """A page of the infosets that fit.

    Args:
        solved: The solution.
        match: What their whole keys match, with * and ?.
        player: Whose they are.
        keys: Only these.
        order: What they are sorted by, one of `ORDERS`; None for the order of the game.
        descending: Whether the largest come first.
        start: The first row.
        count: How many rows.
        values: Whether reach and values are told, where they are known.
        state: Whether current strategy and regrets are told; else they are left out.

    Returns:
        The page.

    Raises:
        WebError: There is no such order, or what it sorts by is not known.
        UnknownNameError: There is no such infoset.
        ConfigError: There is no such player.
    """
    choice = Choice(tuple(keys), match or None, None, player)
    if solved.table is None:
        return _packed_page(solved, choice, order, start, count, state=state)
    table = solved.table
    try:
        chosen = choice.of(table)
    except UnknownNameError as error:
        error.option = "key"  # as the request calls it
        raise
    if order is not None:
        chosen = _sorted(solved, table, chosen, order, descending)
    page = chosen[start : start + count]
    documents = infoset_documents(table, page, solved.values if values else None)
    if state:
        for document, i in zip(documents, page, strict=True):
            document.update(_state(solved, table, i))
    return _page(len(chosen), start, documents)


def all_infosets(
    solved: SolvedGame,
    *,
    match: str | None = None,
    player: int | None = None,
    keys: Sequence[str] = (),
    order: str | None = None,
    descending: bool = False,
) -> list[InfosetDocument]:
    """All infosets that fit, with all that is known of them.

    Args:
        solved: The solution.
        match: As of `infoset_table`.
        player: As of `infoset_table`.
        keys: As of `infoset_table`.
        order: As of `infoset_table`.
        descending: As of `infoset_table`.

    Raises:
        TooLargeError: There are more than a server writes into one table.
        EquilibristError: What `infoset_table` raises.
    """
    page = infoset_table(
        solved,
        match=match,
        player=player,
        keys=keys,
        order=order,
        descending=descending,
        count=_MOST_ROWS,
    )
    if page["total"] > _MOST_ROWS:
        raise TooLargeError(
            f"{page['total']:,} infosets fit; a table has at most {_MOST_ROWS:,}",
            option="match",
            given=page["total"],
            expected=_MOST_ROWS,
            remedy="narrow it down, or download the file and use `equilibrist export`",
        )
    return page["infosets"]


def _state(solved: SolvedGame, table: StrategyTable, i: int) -> dict[str, Any]:
    """Current strategy and regrets of an infoset."""
    state = solved.state
    if state is None:
        return {"current": None, "regrets": None}
    part = slice(table.offset[i], table.offset[i + 1])
    return {
        "current": dict(zip(table.labels[i], state.current[part].tolist(), strict=True)),
        "regrets": dict(zip(table.labels[i], state.regret[part].tolist(), strict=True)),
    }


def _packed_page(
    solved: SolvedGame,
    choice: Choice,
    order: str | None,
    start: int,
    count: int,
    *,
    state: bool,
) -> InfosetPage:
    """The rows of a strategy without a tree, in the order of their packed keys."""
    assert solved.packed is not None
    rows = solved.packed.named_rows
    if order not in (None, "infoset"):
        raise _unknown(order)
    if choice.keys:
        table, total = choice.rows_by_key(rows), len(choice.keys)
    else:
        chosen = choice.of_rows(rows)
        table, total = StrategyTable.of_rows(rows, chosen[start : start + count]), len(chosen)
    documents = infoset_documents(table, range(len(table.keys)), None)
    if state:
        for document in documents:
            document.update(current=None, regrets=None)
    return _page(total, start, documents)


def _page(total: int, start: int, documents: list[dict[str, Any]]) -> InfosetPage:
    infosets = cast("list[InfosetDocument]", documents)
    return {"total": total, "start": start, "infosets": infosets}


def _sorted(
    solved: SolvedGame,
    table: StrategyTable,
    chosen: Sequence[int],
    order: str,
    descending: bool,
) -> list[int]:
    if order not in ORDERS:
        raise UnknownNameError("order", order, list(ORDERS), option="order")
    if order == "infoset":
        return sorted(chosen, key=lambda i: table.keys[i], reverse=descending)
    if order == "player":
        return sorted(chosen, key=lambda i: table.players[i] or 0, reverse=descending)
    numbers = _numbers(solved, table, order)
    if numbers is None:
        raise _unknown(order)
    part = numbers[list(chosen)] if len(chosen) else numbers[:0]
    ranks = np.argsort(-part if descending else part, kind="stable")
    return [chosen[k] for k in ranks]


def _numbers(solved: SolvedGame, table: StrategyTable, order: str) -> FloatArray | None:
    """The number of each infoset to sort by; nan, which comes last, where there is none."""
    values, state = solved.values, solved.state
    if order == "mixing":
        return _each(table, np.asarray(table.probabilities, dtype=np.float64), _entropy)
    if order == "regret":
        return None if state is None else _each(table, state.regret, np.max)
    if values is None:
        return None
    if order == "value":
        reach = values.counterfactual_reach
        safe = np.where(reach > 0.0, reach, 1.0)
        return np.where(reach > 0.0, values.cf_value / safe, np.nan)
    numbers: FloatArray = np.asarray(getattr(values, order), dtype=np.float64)
    return numbers


def _each(
    table: StrategyTable, flat: FloatArray, number: Callable[[FloatArray], Any]
) -> FloatArray:
    parts = zip(table.offset, table.offset[1:], strict=False)
    return np.array([number(flat[low:high]) for low, high in parts], dtype=np.float64)


def _entropy(row: FloatArray) -> float:
    positive = row[row > 0.0]
    return float(-(positive * np.log(positive)).sum())


def _count(solved: SolvedGame) -> int:
    if solved.packed is not None:
        return solved.packed.num_infosets
    assert solved.table is not None
    return len(solved.table.keys)


def _unknown(order: str | None) -> WebError:
    return WebError(
        f"this solution has no {order} to sort by",
        option="order",
        given=order,
        remedy="sort by something else",
    )


def _players(solved: SolvedGame) -> int:
    """Count the players; 0 where nobody knows."""
    if solved.table is not None:
        return solved.table.num_players
    return 0 if solved.game is None else solved.game.rules.num_players
