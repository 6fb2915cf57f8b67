"""Tools that look into solutions: what is stored, nodes, infosets, how good a strategy is."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic import Field

from equilibrist.errors import ConfigError
from equilibrist.library.kinds import WITHOUT_TABLES
from equilibrist.mcp.convergence import CHIPS, OF_CHARTS, PAYOFFS, convergence_of
from equilibrist.mcp.tool import Arguments, Document, NothingArguments, Tool
from equilibrist.mcp.tools.games import game_for
from equilibrist.mcp.workspace import Workspace
from equilibrist.options.defaults import UNIFORM
from equilibrist.poker.cards.combos import CLASS_NAMES, CLASS_OF_COMBO
from equilibrist.poker.postflop.solution.node_aggregates import ev_digits, json_number
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.solution.tree_files.tree_filter import wanted_hands
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.value_unit import refuse_prizes
from equilibrist.storage.archive import file_kind, kind_of
from equilibrist.storage.kinds.file_kinds import CHARTS, SOLUTION, SPOT_SOLUTION, TABLES
from equilibrist.web.charts.documents import chart_document, charts_facts
from equilibrist.web.errors import ConflictError
from equilibrist.web.games.infosets import ORDERS, infoset_table
from equilibrist.web.games.known import known_game
from equilibrist.web.games.solved import solved_game
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.solutions.documents import is_kept, spot_of
from equilibrist.web.solutions.listing import entry_document
from equilibrist.web.store.games import game_text

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.node import Node
    from equilibrist.strategy import Strategy
    from equilibrist.tree.compile import GameTree

MOST_HANDS: Final = 60
"""Hands in one answer."""
MOST_ROWS: Final = 100
"""Infosets in one answer."""
_MOST_LISTED: Final = 60
"""Solutions in one answer."""
_STRATEGIES: Final = "a solution, or a table of a strategy in the folder"
_DIGITS: Final = 12
"""Decimals of what strategies earn against each other: what is smaller is rounding."""
_HISTORIES: Final = 5_000_000
"""The most histories of a game that is walked to evaluate a strategy."""


class LookUpArguments(Arguments):
    """A place in a solution."""

    solution: str = Field(description="Its name (list_solutions), or a file in the folder.")
    line: str = Field(
        "",
        description="Of hold'em, the node: actions between hyphens (X check, C call, F fold, B94 "
        "bet 94, R260 raise to 260, A all-in), cards between bars: X-B94-C|8h|X. Empty: the root.",
    )
    board: str = Field("", description="Of a blueprint after the flop, the public cards.")
    hands: str | None = Field(
        None, description="Of hold'em, list these hands of who acts: AKs,77,AhKh, or all."
    )
    resolve: bool = Field(
        False, description="Of a spot, solve a street that the file does not keep, for a while."
    )
    match: str | None = Field(None, description="Of a game, infosets like this, with * and ?.")
    player: int | None = Field(None, ge=0, description="Of a game, infosets of this player.")
    order: str | None = Field(
        None, description=f"Of a game, sort infosets by one of {', '.join(ORDERS)}."
    )
    count: int = Field(20, ge=1, le=MOST_ROWS, description="Rows, at most.")
    start: int = Field(0, ge=0, description="The first row.")


class EvaluateArguments(Arguments):
    """A strategy."""

    strategy: str = Field(
        description="A solution, or a table of a strategy in the folder: CSV with the columns "
        "infoset, action, probability, or JSON {infoset: {action: probability}}."
    )
    game: str | None = Field(None, description="The game of a table, which names none.")


class PairArguments(Arguments):
    """Two strategies of a game."""

    first: str = Field(description="A solution, a table of a strategy in the folder, or uniform.")
    second: str = Field(description="The other one.")
    game: str | None = Field(None, description="The game, where no file names it.")


class TableArguments(Arguments):
    """A table of frequencies, and the solution of the spot."""

    solution: str = Field(description="The solution of a spot: its name, or a file in the folder.")
    table: str = Field(
        description="A CSV in the folder: hand, and a column for each action (hand,Check,Bet 50); "
        "or line,hand,action,share. A column ev is compared, too. Or another solution, on the same "
        "board with the same pot."
    )
    line: str = Field(
        "",
        description="The decision of rows that name none; of another solution where to begin.",
    )
    count: int = Field(10, ge=1, le=MOST_HANDS, description="Hands to list, the worst first.")


def list_solutions(workspace: Workspace, given: NothingArguments) -> Document:  # noqa: ARG001
    """The solutions in the library and in the folder."""
    rows: list[Document] = []
    for entry in workspace.services.library.entries():
        if entry.kind in WITHOUT_TABLES:  # no tool looks them up
            continue
        document = dict(entry_document(entry, workspace.services))
        document["file"] = workspace.shown(entry.path)
        document["unit"] = _unit_of(entry.kind)
        rows.append(document)
    return {"solutions": rows[:_MOST_LISTED], "more": max(0, len(rows) - _MOST_LISTED)}


def _unit_of(kind: str | None) -> str:
    """The unit of the measure of a listed solution."""
    if kind in CHARTS:
        return OF_CHARTS
    return CHIPS if kind == SPOT_SOLUTION else PAYOFFS


def solution_document(workspace: Workspace, name: str) -> Document:
    """What is told of a solution as a whole.

    Args:
        workspace: The folder.
        name: The solution.
    """
    library = workspace.services.library
    with library.opened(name) as result:
        document: Document = {
            "file": workspace.shown(library.path(name)),
            "algorithm": result.algorithm,
            "convergence": convergence_of(result),
        }
        if isinstance(result, PostflopResult):
            refuse_prizes(result.spot, "this tool")
            return {**document, "root": node_document(result.at())}
        document["values"] = {"unit": PAYOFFS, "by_player": _values(result)}
        document["infosets"] = result.num_infosets
        if result.notes:
            document["notes"] = [*result.notes]
        return document


def _values(result: Any) -> list[float] | None:
    evaluation = result.evaluation
    return None if evaluation is None else [*evaluation.values]


async def look_up(workspace: Workspace, given: LookUpArguments) -> Document:
    """A node of a spot, or infosets of a game."""
    library = workspace.services.library
    path = library.path(given.solution)
    kind = kind_of(path)
    if kind in CHARTS:
        return await asyncio.to_thread(_chart, workspace, given)
    if kind != SPOT_SOLUTION:
        return await asyncio.to_thread(_infosets, workspace, given)
    if given.resolve:
        await workspace.services.streets.ensure(given.solution, given.line)
    return await asyncio.to_thread(_node, workspace, given)


def _infosets(workspace: Workspace, given: LookUpArguments) -> Document:
    solved = solved_game(workspace.services, given.solution)
    page = infoset_table(
        solved,
        match=given.match,
        player=given.player,
        order=given.order,
        descending=given.order not in (None, "infoset", "player"),
        start=given.start,
        count=given.count,
        values=True,
        state=False,
    )
    rows = page["infosets"]
    return {
        "game": solved.title,
        "unit": PAYOFFS,
        "total": page["total"],
        "start": page["start"],
        "infosets": rows,
        "why_no_values": solved.why,
    }


def _chart(workspace: Workspace, given: LookUpArguments) -> Document:
    """A decision of hands from the first card on."""
    with workspace.services.library.charts(given.solution) as file:
        facts = charts_facts(file)
        chart = chart_document(file.content, given.line, given.board)
    here = chart["way"][-1]
    document: Document = {
        "kind": facts["kind"],
        "title": facts["title"],
        "facts": dict(facts["facts"]),
        "line": chart["line"],
        "seat": chart["seat"],
        "street": chart["street"],
        "actions": [
            {
                "action": action["name"],
                "frequency": action["frequency"],
                "range": text,
                "line": action["line"],
            }
            for action, text in zip(here["actions"], chart["ranges"], strict=True)
        ],
    }
    if given.hands is None:
        return document
    names = list(chart["classes"])
    if given.hands.strip().lower() != "all":
        held = wanted_hands(given.hands).weights > 0
        wanted = {CLASS_NAMES[k] for k in CLASS_OF_COMBO[held].tolist()}
        names = [name for name in names if name in wanted]
    page = names[given.start : given.start + min(given.count, MOST_HANDS)]
    return {
        **document,
        "ev_is": facts["ev"],
        "hands": [{"hand": name, **chart["classes"][name]} for name in page],
        "total": len(names),
        "start": given.start,
    }


def _node(workspace: Workspace, given: LookUpArguments) -> Document:
    with workspace.services.library.opened(given.solution) as result:
        solution = spot_of(given.solution, result)
        if not given.resolve and not is_kept(solution, given.line):
            raise ConflictError(
                "the file does not keep this street",
                option="line",
                given=given.line,
                remedy="give `resolve`: true, which solves it for the ranges that come there",
            )
        node = solution.at(given.line)
        document = node_document(node)
        convergence = convergence_of(solution)
        document["convergence"] = {
            name: convergence[name]
            for name in ("iterations", "measure", "value", "unit", "percent_of_pot", "target_met")
        }
        if given.hands is not None:
            document |= _hands(node, given)
        return document


def node_document(node: Node) -> Document:
    """A node in short: figures of both players, and what who acts does.

    Args:
        node: The node.
    """
    acts = None if node.player is None else SEATS[node.player]
    return {
        "line": node.line,
        "board": node.board,
        "pot": node.pot,
        "unit": CHIPS,
        "acts": acts,
        **node.totals_document(),
        "order_of_pairs": "oop, ip",
        "actions": [
            {
                "action": name,
                "frequency": node.frequency[name],
                "ev": json_number(node.ev_by_action[name], ev_digits(node.pot)),
                "line": line,
            }
            for name, line in node.next_lines.items()
        ]
        if acts is not None
        else None,
        "resolved_to_chips": node.resolved,
        "next": None if acts is not None else _what_follows(node),
    }


def _what_follows(node: Node) -> str:
    if node.deals_a_card:
        return f"a card is dealt: add it to the line, as {node.line}|8h"
    return "the hand ends here"


def _hands(node: Node, given: LookUpArguments) -> Document:
    """Hands of who acts, each with its strategy and EV in chips."""
    if node.player is None:
        raise ConfigError(
            "nobody acts there, so hands have no strategy",
            option="hands",
            given=given.hands,
            remedy="look up a line after which a player acts",
        )
    text = f"{given.hands}".strip()
    only = None if text.lower() == "all" else wanted_hands(text).weights > 0
    hands = node.to_dict(only)["hands"]
    rows = [{"hand": hand, **figures} for hand, figures in hands.items()]
    page = rows[given.start : given.start + min(given.count, MOST_HANDS)]
    return {"hands": page, "total": len(rows), "start": given.start}


async def evaluate(workspace: Workspace, given: EvaluateArguments) -> Document:
    """Values, best responses and exploitability of a strategy."""
    library = workspace.services.library
    path = workspace.solution_or_file(given.strategy, "strategy")
    kind = file_kind(path)
    if kind == SPOT_SOLUTION:
        with library.opened(given.strategy) as result:
            return {"strategy": given.strategy, "convergence": convergence_of(result)}
    if kind in CHARTS:
        with library.charts(given.strategy) as file:
            facts = charts_facts(file)
        named = {name: facts[name] for name in ("kind", "title", "seats")}
        return {"strategy": given.strategy, **named, "facts": dict(facts["facts"])}
    if kind not in (SOLUTION, *TABLES):
        raise ConflictError(
            f"{given.strategy} is neither a solution nor a table of a strategy",
            option="strategy",
            given=kind,
            expected=_STRATEGIES,
            remedy=f"give {_STRATEGIES}",
        )
    game = await _game_for(workspace, given.game, path)
    return await asyncio.to_thread(_evaluated, workspace, given.strategy, path, game)


async def compare_strategies(workspace: Workspace, given: PairArguments) -> Document:
    """What two strategies of a game earn against each other, exactly."""
    words = (given.first, given.second)
    paths = [None if word == UNIFORM else _strategy_file(workspace, word) for word in words]
    path = next((path for path in paths if path is not None), None)
    if path is None and given.game is None:
        raise ConfigError(
            "uniform play is one of any game", option="game", remedy="give `game`, too"
        )
    game = await _game_for(workspace, given.game, path)
    return await asyncio.to_thread(_matched, workspace, words, paths, game)


def _strategy_file(workspace: Workspace, text: str) -> Path:
    """The file of a strategy of a game; ConflictError for one of another kind."""
    path = workspace.solution_or_file(text, "strategy")
    kind = file_kind(path)
    if kind not in (SOLUTION, *TABLES):
        raise ConflictError(
            f"{text} is neither a solution of a game nor a table of a strategy",
            option="strategy",
            given=kind,
            expected=_STRATEGIES,
            remedy="compare it with `equilibrist match` on the command line"
            if kind in (SPOT_SOLUTION, *CHARTS)
            else f"give {_STRATEGIES}",
        )
    return path


async def _game_for(workspace: Workspace, text: str | None, path: Path | None) -> str:
    """The game that is given, or that a file names, as documents name it."""
    if text is None:
        assert path is not None
        text = await asyncio.to_thread(_game_of, workspace, path)
    return await game_for(workspace, text)


def _matched(
    workspace: Workspace, words: tuple[str, str], paths: list[Path | None], game: str
) -> Document:
    """What two strategies earn against each other in all seats."""
    load_engine()
    from equilibrist.play.match import match_exactly
    from equilibrist.strategy import Strategy

    known = known_game(workspace.services, game)
    tree = known.tree(_HISTORIES, "evaluate")
    notes: list[str] = []
    first, second = (
        Strategy.uniform(tree) if path is None else _strategy_of(workspace, path, game, tree, notes)
        for path in paths
    )
    match = match_exactly(first, second)
    return {
        "game": known.text,
        "first": words[0],
        "second": words[1],
        "unit": PAYOFFS,
        "exact": True,
        "first_earns": round(match.mean, _DIGITS),
        "second_earns": round(match.second_mean, _DIGITS),
        "to_beat": round(match.even, _DIGITS),
        "meaning": "means per hand over the seats that the first plays, the second in all others; "
        "to_beat is what a seat earns where the second plays all",
        "first_by_seat": [row[seat] for seat, row in enumerate(match.values)],
        "notes": notes or None,
    }


def _strategy_of(
    workspace: Workspace, path: Path, game: str, tree: GameTree, notes: list[str]
) -> Strategy:
    """The strategy in a file on a tree; what a table leaves open is added to `notes`."""
    from equilibrist.library.sources import open_strategy

    def note(text: str) -> None:
        notes.append(text.replace(f"{workspace.folder}/", ""))

    return open_strategy(path, game, note=note).strategy(tree)


def _game_of(workspace: Workspace, path: Path) -> str:
    """The game that a file names; ConfigError where it names none."""
    from equilibrist.library.sources import open_strategy

    try:
        named = open_strategy(path).game
    except ConfigError as error:
        if error.option != "--game":
            raise
        raise ConfigError(
            f"{path.name} does not say of which game it is",
            option="game",
            remedy="give `game`, one that `list_games` lists",
        ) from None
    return game_text(workspace.services.folders.games, named)


def _evaluated(workspace: Workspace, name: str, path: Path, game: str) -> Document:
    """The measures of a strategy in a game."""
    load_engine()
    from equilibrist.evaluation import evaluate as measure

    known = known_game(workspace.services, game)
    tree = known.tree(_HISTORIES, "evaluate")
    notes: list[str] = []
    evaluation = measure(_strategy_of(workspace, path, game, tree, notes))
    return {
        "strategy": name,
        "game": known.text,
        "unit": PAYOFFS,
        "values": evaluation.values,
        "best_response_values": evaluation.best_response_values,
        "gains": evaluation.gains,
        "measure": evaluation.measure_name,
        "value": evaluation.nash_conv
        if evaluation.exploitability is None
        else evaluation.exploitability,
        "nash_conv": evaluation.nash_conv,
        "rounding": evaluation.rounding,
        "notes": notes or None,
    }


def compare_frequencies(workspace: Workspace, given: TableArguments) -> Document:
    """A table of frequencies against a solved spot."""
    from equilibrist.poker.postflop.files.comparison import compare_frequencies as compare
    from equilibrist.poker.postflop.files.storage import load_spot

    library = workspace.services.library
    other = workspace.solution_or_file(given.table, "table")
    is_solved = kind_of(other) == SPOT_SOLUTION
    with library.opened(given.solution) as result:
        solution = spot_of(given.solution, result)
        # Not that of the library: two that wait for each other's solution would wait for ever.
        table = load_spot(other) if is_solved else other
        document = compare(solution, table, line=given.line).to_dict(most=given.count)
        convergence = convergence_of(solution)
        of_other = convergence_of(table) if isinstance(table, PostflopResult) else None
    facts = ("unit", "pot", "cost", "compared", "decisions", "hands")
    left_out = document["left_out"]
    return {
        "solution": given.solution,
        **{name: document[name] for name in facts},
        "cost_is": "chips per deal that the table's play costs, one decision at a time",
        "left_out": left_out[:5],
        "left_out_in_all": len(left_out),
        "convergence": convergence,
        "convergence_of_other": of_other,
        "different_keys": document.get("different_keys"),
    }


TOOLS = (
    Tool(
        "list_solutions",
        "List the solutions in the library and in the folder, the newest first, each with its "
        "measure.",
        NothingArguments,
        list_solutions,
    ),
    Tool(
        "look_up",
        "Look into a solution. Of a spot a node: equity, EV (chips) and EQR of both players, "
        "frequency and EV of each action, and hands on request. Of charts and blueprints a "
        "decision: frequencies and ranges. Of a game infosets: strategy, reach and values.",
        LookUpArguments,
        look_up,
    ),
    Tool(
        "evaluate",
        "Measure a strategy of a game by exact best responses: values, gains, exploitability in "
        "payoff units. Of a solved spot: what its run measured.",
        EvaluateArguments,
        evaluate,
    ),
    Tool(
        "compare_strategies",
        "Let two strategies of a game play each other in all seats: what the first earns more, "
        "exact, in payoff units.",
        PairArguments,
        compare_strategies,
    ),
    Tool(
        "compare_frequencies",
        "Hold notes, another program's frequencies (CSV) or another solution against a solved "
        "spot: where and by how much they differ, and what that costs in chips, the worst first.",
        TableArguments,
        compare_frequencies,
    ),
)
