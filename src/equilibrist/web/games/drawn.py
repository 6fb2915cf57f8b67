"""The drawn tree of a small game: where its histories stand, and what leads from one to the next.

What a page draws from this is what `equilibrist inspect --draw` writes as SVG.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from equilibrist.drawing import outline
from equilibrist.drawing.layout import Layout, lay_out
from equilibrist.drawing.outline import Outline
from equilibrist.errors import ConfigError
from equilibrist.reference.game_walk import GameWalk
from equilibrist.reference.response import best_response
from equilibrist.web.answers.games import BestResponse, DrawnNode, DrawnSolution, DrawnTree
from equilibrist.web.games.known import MOST_VALUED, KnownGame, too_large
from equilibrist.web.games.solved import SolvedGame

MOST_DRAWN: Final = 1_000
"""Histories in one drawing."""
MOST_ANSWERED: Final = 5_000
"""Histories of a game whose best responses are worked out for a drawing."""
Rows = Mapping[str, Mapping[str, float]]


def drawn_tree(
    game: KnownGame, start: Sequence[str] = (), strategy: Rows | None = None
) -> DrawnTree:
    """The tree below a history.

    Args:
        game: The game.
        start: The actions and outcomes of chance that lead to where the drawing begins.
        strategy: What players do: {infoset: {action: probability}}; None for an unsolved game.

    Returns:
        The tree, with best responses to `strategy`.

    Raises:
        WebError: There are too many histories below.
        UnknownNameError: `start` is not possible.
    """
    try:
        drawn = outline(game.rules, start=start, strategy=strategy, max_nodes=MOST_DRAWN)
    except ConfigError as error:
        if error.option != "max_nodes":
            raise
        raise _too_many(game, start) from None
    layout = lay_out(drawn)
    return {
        "game": game.text,
        "name": game.rules.name,
        "shown_names": game.shown_names,
        "num_players": drawn.num_players,
        "start": list(start),
        "width": layout.width,
        "height": layout.height,
        "nodes": _nodes(drawn, layout),
        "infosets": [
            {"key": key, "player": drawn.nodes[members[0]].player, "nodes": members}
            for key, members in drawn.infosets.items()
        ],
        "best_responses": None if strategy is None else _best_responses(game, strategy),
    }


def drawn_solution(solved: SolvedGame, start: Sequence[str] = ()) -> DrawnSolution:
    """The tree below a history, with the probabilities of a solution.

    Args:
        solved: The solution.
        start: The actions and outcomes of chance that lead to where the drawing begins.

    Returns:
        As `drawn_tree`, with the name of the solution.

    Raises:
        ConflictError: The rules are not at hand, or the strategy was found without a tree.
        WebError: As `drawn_tree`.
    """
    return {"solution": solved.name, **drawn_tree(solved.walkable, start, solved.rows())}


def _too_many(game: KnownGame, start: Sequence[str]) -> Exception:
    if start:
        return too_large(f"what follows {', '.join(start)}", MOST_DRAWN, "draw", None)
    return too_large(game.text, MOST_DRAWN, "draw", game.size(MOST_VALUED))


def _nodes(drawn: Outline, layout: Layout) -> list[DrawnNode]:
    places = zip(drawn.nodes, layout.x, layout.y, _histories(drawn), strict=True)
    return [
        {
            "x": round(x, 1),
            "y": round(y, 1),
            "parent": node.parent,
            "kind": node.kind,
            "player": node.player,
            "infoset": node.infoset,
            "action": node.action,
            "probability": node.probability,
            "payoffs": list(node.payoffs),
            "history": history,
        }
        for node, x, y, history in places
    ]


def _histories(drawn: Outline) -> list[list[str]]:
    """The labels that lead to each node."""
    labels: list[list[str]] = [list(drawn.start)]
    for node in drawn.nodes[1:]:
        labels.append([*labels[node.parent], node.action])
    return labels


def _best_responses(game: KnownGame, strategy: Rows) -> dict[str, BestResponse] | None:
    """By player: what a best response earns, and what it does at each infoset.

    None for a game that is too large for that, and for one whose players forget.
    """
    from equilibrist.errors import EquilibristError

    try:
        tree: GameWalk = game.walk(MOST_ANSWERED, "answer")
    except EquilibristError:
        return None
    profile = {
        key: [strategy[key][label] for label in infoset.actions]
        for key, infoset in tree.infosets.items()
    }
    responses: dict[str, BestResponse] = {}
    for player in range(tree.num_players):
        value, actions = best_response(tree, profile, player)
        named = {key: tree.infosets[key].actions[a] for key, a in actions.items()}
        responses[str(player)] = {"value": value, "actions": named}
    return responses
