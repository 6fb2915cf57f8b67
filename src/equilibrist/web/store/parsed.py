"""Uploaded games after they have been parsed: what a worker writes, and what the server reads.

Parsing an .efg is work, and its text comes from anywhere; so a process of its own does it, once.
The server reads the result, a document of JSON with the nodes of the game.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.storage.atomic import write_bytes
from equilibrist.web.errors import ConflictError, NotFoundError

if TYPE_CHECKING:
    from equilibrist.games.efg.game import EfgGame
    from equilibrist.games.efg.parser import EfgFile

TREE: Final = ".tree"
"""How the names of these files end."""
MOST_NODES: Final = 100_000
"""Nodes of a game that the server holds; a larger one can be solved, but not walked."""


def write_parsed(path: Path, file: EfgFile) -> None:
    """Write a parsed game; of one with more than `MOST_NODES` nodes only their number.

    Args:
        path: The file to write.
        file: The parsed game.

    Raises:
        OutputError: It cannot be written.
    """
    content = json.dumps(parsed_document(file), separators=(",", ":"))
    write_bytes(path, content.encode())


def parsed_document(file: EfgFile) -> dict[str, Any]:
    """The content of an .efg as a document of JSON; `game_of` makes the game from it.

    Args:
        file: What was parsed.

    Returns:
        `num_nodes`, and unless there are too many `title`, `comment`, `players`, `moves` (number,
        name, labels and odds), `payoffs`, and `nodes`: player, move, payoffs and children, with the
        places of moves and payoffs in their lists. Numbers are texts of fractions, which are exact.
    """
    if len(file.nodes) > MOST_NODES:
        return {"num_nodes": len(file.nodes)}
    moves: dict[Any, int] = {}
    payoffs: dict[tuple[Fraction, ...], int] = {}
    nodes = []
    for node in file.nodes:
        move = None if node.move is None else moves.setdefault(node.move, len(moves))
        paid = payoffs.setdefault(node.payoffs, len(payoffs))
        nodes.append([node.player, move, paid, node.children])
    return {
        "num_nodes": len(nodes),
        "title": file.title,
        "comment": file.comment,
        "players": list(file.players),
        "moves": [[m.number, m.name, list(m.labels), _texts(m.odds), m.place] for m in moves],
        "payoffs": [_texts(row) for row in payoffs],
        "nodes": nodes,
    }


def parsed_game(path: Path) -> EfgGame:
    """The game of an uploaded file that a worker has parsed.

    Args:
        path: The .efg, beside which the parsed game lies.

    Raises:
        NotFoundError: There is none.
        ConflictError: It has more nodes than a server holds.
    """
    try:
        document: dict[str, Any] = json.loads(path.with_suffix(TREE).read_bytes())
        count = int(document["num_nodes"])
        game = game_of(document, path.name) if "nodes" in document else None
    except (OSError, ValueError, TypeError, LookupError, ArithmeticError, RecursionError):
        raise NotFoundError(
            f"the game {path.stem!r} was stored by another version",
            option="game",
            given=path.stem,
            remedy="upload it again",
        ) from None
    if game is None:
        raise ConflictError(
            f"the game has {count:,} nodes, too many to look at here",
            option="game",
            given=path.stem,
            expected=f"at most {MOST_NODES:,}",
            remedy="solve it, or open it on the command line",
        )
    return game


def game_of(document: dict[str, Any], name: str) -> EfgGame:
    """Make a game from a document of `parsed_document`.

    Args:
        document: The document.
        name: The name of the .efg file.
    """
    from equilibrist.games.efg.game import EfgGame
    from equilibrist.games.efg.parser import EfgFile, EfgNode, Move

    moves = [
        Move(number, called, tuple(labels), _fractions(odds), place)
        for number, called, labels, odds, place in document["moves"]
    ]
    payoffs = [_fractions(row) for row in document["payoffs"]]
    nodes = [
        EfgNode(player, None if move is None else moves[move], payoffs[paid], children)
        for player, move, paid, children in document["nodes"]
    ]
    players = tuple(document["players"])
    return EfgGame(name, EfgFile(document["title"], document["comment"], players, nodes))


def _texts(numbers: tuple[Fraction, ...]) -> list[str]:
    return [*map(str, numbers)]


def _fractions(texts: list[str]) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, texts))
