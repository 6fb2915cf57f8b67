"""Any two solutions side by side: what tells them apart, and where their strategies differ."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import Any, Final, cast

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.library.listing import Entry
from equilibrist.storage.kinds.file_kinds import CHARTS, SOLUTION, SPOT_SOLUTION, THREE_SPOT
from equilibrist.web.answers.solutions import EntryDocument
from equilibrist.web.errors import ConflictError
from equilibrist.web.games.solved import SolvedGame, solved_game
from equilibrist.web.library.answers import (
    ChartDifferences,
    ClassDifference,
    GameDifferences,
    InfosetDifference,
    PartDifference,
    SolutionComparison,
    SpotDifferences,
    WhyNotCompared,
)
from equilibrist.web.services import Services
from equilibrist.web.solutions.documents import is_kept, spot_of
from equilibrist.web.solutions.listing import entry_document

_PARTS: Final = ("kind", "game", "algorithm", "iterations", "measure", "pot", "streets")
_TITLE_PARTS: Final = (
    "board",
    "stack",
    "bets",
    "oop",
    "middle",
    "ip",
    "pot_type",
    "has_locks",
    "has_folded",
    "rake",
    "stacks",
    "ante",
    "big_blind_ante",
    "payouts",
)
_RANGE_PARTS: Final = (("oop_range", "oop"), ("ip_range", "ip"), ("folded", "folded"))
"""Ranges by the part that they are, and the key of spot files."""
_TITLED: Final = frozenset(("board", "pot", "stack", "rake"))
"""Keys of spot files that titles say."""


def solution_comparison(
    services: Services, name: str, other: str, *, line: str = "", board: str = "", count: int = 50
) -> SolutionComparison:
    """Hold two solutions against each other.

    Args:
        services: The services of the server.
        name: The first solution.
        other: The second one.
        line: Of spots, where the street begins whose decisions are compared; of charts, the
            decision.
        board: Of blueprints, the public cards at the decision.
        count: The most hands, classes or infosets that are listed, those that differ most first.

    Raises:
        NotFoundError: There is no such solution.
        ConflictError: A file does not keep the street of the line.
        EquilibristError: The line cannot be played, or a file is damaged.
    """
    entries = services.library.entry(name), services.library.entry(other)
    first, second = (entry_document(entry, services) for entry in entries)
    why = _why_not(*entries)
    spots: SpotDifferences | None = None
    games: GameDifferences | None = None
    charts: ChartDifferences | None = None
    if why is None and entries[0].kind == SPOT_SOLUTION:
        spots = _spots(services, name, entries[1], line, count)
        why = "other-actions" if spots is None else None
    elif why is None and entries[0].kind in CHARTS:
        charts = _charts(services, (name, other), line, board, count)
        why = "other-actions" if charts is None else None
    elif why is None:
        games = _games(services, name, other, count)
        why = "no-table" if games is None else None
    return {
        "first": first,
        "second": second,
        "differences": [*_differences(first, second), *_spot_differences(*entries)],
        "why_not": why,
        "spots": spots,
        "games": games,
        "charts": charts,
    }


def _why_not(first: Entry, second: Entry) -> WhyNotCompared | None:
    """Why the strategies of two files are not compared; None where they are."""
    if first.kind in CHARTS and second.kind in CHARTS:
        return None
    if first.kind != second.kind:
        return "other-kind"
    if first.kind == SPOT_SOLUTION:
        if first.game != second.game:
            return "other-board"
        return None if first.pot == second.pot else "other-pot"
    if first.kind == THREE_SPOT:
        return "three-players"
    if first.kind != SOLUTION:
        return "no-table"
    return None if first.solves == second.solves else "other-game"


def _differences(first: EntryDocument, second: EntryDocument) -> list[PartDifference]:
    """The parts of both that are not equal."""
    named: list[tuple[str, Any, Any]] = [(part, first[part], second[part]) for part in _PARTS]
    titles = first["title"], second["title"]
    named += [(part, titles[0][part], titles[1][part]) for part in _TITLE_PARTS]
    return [{"part": part, "first": a, "second": b} for part, a, b in named if a != b]


def _spot_differences(first: Entry, second: Entry) -> list[PartDifference]:
    """What two spots do not have alike that titles do not say: ranges, and other keys."""
    if (first.kind, second.kind) != (SPOT_SOLUTION, SPOT_SOLUTION):
        return []
    a, b = (tomllib.loads(entry.solves or "") for entry in (first, second))
    named: list[tuple[str, Any, Any]] = [
        (part, a.pop(key, None), b.pop(key, None)) for part, key in _RANGE_PARTS
    ]
    rest = sorted(key for key in (a.keys() | b.keys()) - _TITLED if a.get(key) != b.get(key))
    named += [(f"keys.{key}", a.get(key), b.get(key)) for key in rest]
    return [
        {"part": part, "first": _plain(x), "second": _plain(y)} for part, x, y in named if x != y
    ]


def _plain(value: Any) -> str | None:
    """A value of a spot file as one text: of locks their lines."""
    if isinstance(value, list):
        return "; ".join(
            f"{entry['line'] if isinstance(entry, dict) else entry}" for entry in value
        )
    return None if value is None else str(value)


def _spots(
    services: Services, name: str, other: Entry, line: str, count: int
) -> SpotDifferences | None:
    """What the second solution of a spot does otherwise; None where it has no action of it."""
    from equilibrist.poker.postflop.files.comparison import compare_frequencies

    with services.library.opened_pair(name, other.name) as results:
        solution, against = spot_of(name, results[0]), spot_of(other.name, results[1])
        for solved, called in ((solution, name), (against, other.name)):
            if not is_kept(solved, line):
                raise ConflictError(
                    f"the file of {called} does not keep this street",
                    option="line",
                    given=line,
                    remedy="compare a street that both keep",
                )
        try:
            document = compare_frequencies(solution, against, line=line).to_dict(most=count)
        except ConfigError as error:
            if error.option != "table":
                raise
            return None
    facts = ("unit", "pot", "cost", "compared", "decisions", "hands", "left_out", "different_keys")
    return cast("SpotDifferences", {"line": line, **{fact: document[fact] for fact in facts}})


def _charts(
    services: Services, names: tuple[str, str], line: str, board: str, count: int
) -> ChartDifferences | None:
    """Where two charts differ at a decision; None where they have other actions there."""
    from equilibrist.web.charts.documents import chart_document

    documents = []
    for name in names:  # one after the other: two that wait for each other would wait for ever
        with services.library.charts(name) as file:
            documents.append(chart_document(file.content, line, board))
    first, second = documents
    here, there = (document["way"][-1]["actions"] for document in documents)
    actions = [action["code"] for action in here]
    if actions != [action["code"] for action in there]:
        return None
    rows: list[ClassDifference] = [
        {
            "hand": hand,
            "combos": entry["combos"],
            "reach": entry["reach"],
            "first": entry["strategy"],
            "second": other["strategy"],
            "difference": _moved(entry["strategy"], other["strategy"]),
            "first_ev": entry["ev"],
            "second_ev": other["ev"],
        }
        for hand, entry in first["classes"].items()
        if (other := second["classes"].get(hand)) is not None
    ]
    weights = [row["combos"] * row["reach"] for row in rows]
    cost = [weight * row["difference"] for weight, row in zip(weights, rows, strict=True)]
    order = sorted(range(len(rows)), key=lambda place: -cost[place])
    return {
        "line": first["line"],
        "board": board,
        "seat": first["seat"],
        "actions": actions,
        "names": [action["name"] for action in here],
        "first_frequencies": [action["frequency"] for action in here],
        "second_frequencies": [action["frequency"] for action in there],
        "difference": sum(cost) / sum(weights) if sum(weights) else 0.0,
        "differing": sum(row["difference"] > 0.0 for row in rows),
        "hands": [rows[place] for place in order[:count] if rows[place]["difference"] > 0.0],
    }


def _moved(first: Sequence[float], second: Sequence[float]) -> float:
    """The probability that has to be moved from one mixture to the other."""
    return sum(abs(a - b) for a, b in zip(first, second, strict=True)) / 2.0


def _games(services: Services, name: str, other: str, count: int) -> GameDifferences | None:
    """Where two strategies of one game differ; None where one of them has no table."""
    first, second = solved_game(services, name), solved_game(services, other)
    if first.table is None or second.table is None:
        return None
    places = {key: place for place, key in enumerate(second.table.keys)}
    rows = [
        _row(first, second, place, places[key])
        for place, key in enumerate(first.table.keys)
        if key in places
    ]
    differing = [row for row in rows if row["difference"] > 0.0]
    shown = sorted(differing, key=_weight, reverse=True)
    return {
        "unit": "payoffs",
        "compared": len(rows),
        "differing": len(differing),
        "greatest": max((row["difference"] for row in rows), default=0.0),
        "first_values": _values(services, name),
        "second_values": _values(services, other),
        "shown_names": {} if first.game is None else first.game.shown_names,
        "infosets": shown[:count],
    }


def _weight(row: InfosetDifference) -> float:
    """How much a difference matters: by how often play comes there, where that is known."""
    return row["difference"] * (1.0 if row["reach"] is None else row["reach"])


def _row(first: SolvedGame, second: SolvedGame, place: int, there: int) -> InfosetDifference:
    assert first.table is not None
    assert second.table is not None
    labels = first.table.labels[place]
    mine = dict(zip(labels, map(float, first.table.row(place)), strict=True))
    row = map(float, second.table.row(there))
    others = dict(zip(second.table.labels[there], row, strict=True))
    moved = sum(abs(share - others.get(label, 0.0)) for label, share in mine.items()) / 2.0
    values = first.values
    return {
        "infoset": first.table.keys[place],
        "player": first.table.players[place],
        "reach": None if values is None else float(values.reach[place]),
        "first": mine,
        "second": others,
        "difference": moved,
    }


def _values(services: Services, name: str) -> list[float] | None:
    """The values of a solution by player; None where nothing was measured."""
    with services.library.opened(name) as result:
        values = getattr(result, "values", None)
        if values is None or not np.isfinite(np.asarray(values, dtype=np.float64)).all():
            return None
        return [float(value) for value in values]
