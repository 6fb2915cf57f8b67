"""The components as elements of pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nicegui import ui


class _GamesElement(ui.element, esm={"equilibrist-games": "shared"}):
    """What all of them need: the modules that they share."""


class GameList(_GamesElement, component="game_list.js"):
    """The games, with search and upload.

    Args:
        owner: Whether the visitor may upload and delete.
    """

    def __init__(self, owner: bool) -> None:
        super().__init__()
        self._props["owner"] = owner


class GamePage(_GamesElement, component="game_page.js"):
    """One game, and a form to solve it.

    Args:
        name: The game without parameters.
        info: What the registry says of it; None for games that are not in it.
        given: Its parameters in the address, as texts.
        further: The less common options of a solve: name, kind, help, default, choices.
        owner: Whether the visitor may solve.
    """

    def __init__(
        self,
        name: str,
        info: Mapping[str, Any] | None,
        values: Mapping[str, str],
        further: Sequence[Mapping[str, Any]],
        owner: bool,
    ) -> None:
        super().__init__()
        self._props.update(name=name, info=info, given=values, further=further, owner=owner)


class Explore(_GamesElement, component="explore.js"):
    """A solution of a game: infosets, histories, tree.

    Args:
        facts: What is known of the solution.
        stamp: That of its file (`Library.stamp`): what takes its name later is not shown.
        options: How it can be run again; None where nobody knows.
        owner: Whether the visitor may do that.
    """

    def __init__(
        self, facts: Mapping[str, Any], stamp: str, options: Mapping[str, Any] | None, owner: bool
    ) -> None:
        super().__init__()
        self._props.update(facts=facts, stamp=stamp, options=options, owner=owner)


class Race(_GamesElement, component="race.js"):
    """Algorithms that race on one game.

    Args:
        owner: Whether the visitor may start and stop races.
    """

    def __init__(self, owner: bool) -> None:
        super().__init__()
        self._props["owner"] = owner
