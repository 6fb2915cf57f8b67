"""Opening a solution of the library to play against it, as far as who asks may."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.errors import (
    EquilibristError,
    MemoryBudgetError,
    MismatchError,
    UnknownNameError,
)
from equilibrist.library.opponents import (
    Opponent,
    Player,
    game_opponent,
    holdem_opponent,
    packed_opponent,
)
from equilibrist.storage.kinds.file_kinds import (
    CHARTS,
    PACKED,
    PREFLOP_SOLUTION,
    SPOT_SOLUTION,
    THREE_SPOT,
)
from equilibrist.web.errors import ConflictError, ForbiddenError
from equilibrist.web.playing.hands_process import (
    HandsProcess,
    RemoteAgent,
    RemoteCoach,
    RemoteRanges,
)
from equilibrist.web.security.sessions import Role
from equilibrist.web.security.short_names import without_folders
from equilibrist.web.security.texts import is_shipped
from equilibrist.web.settings import Settings
from equilibrist.web.store.games import file_of_game, game_text, shown_game
from equilibrist.web.store.library import Library, file_stamp
from equilibrist.web.store.parsed import parsed_game

if TYPE_CHECKING:
    from equilibrist.game import Game


def open_opponent(
    name: str, library: Library, games: Path, settings: Settings, role: Role | None
) -> Opponent:
    """Open a solution to play against it, which may take a while.

    Raises NotFoundError, FileFormatError, ForbiddenError for rules that a request may not run and
    for guests where streets would have to be re-solved, and ConflictError for games too large.

    Args:
        name: The name of the solution.
        library: Where it is.
        games: The folder of uploaded games.
        settings: How the server was started.
        role: Who asks.

    Returns:
        The opponent.
    """
    if library.entry(name).kind == THREE_SPOT:
        raise ConflictError(
            f"{name} is a spot of three players, which is played on the command line",
            option="name",
            given=name,
            expected="a solution of two players, of a hand or of a game",
            remedy="type `equilibrist play FILE`, or study its nodes here",
        )
    opened = library.shared(name)
    with opened.lock:
        kind, result = opened.kind, opened.result
        if kind in CHARTS or kind == SPOT_SOLUTION:
            if role != "owner" and kind in _SOLVING:
                _SOLVING[kind](name, result)
            player = _elsewhere(library.path(name), result) if kind == PREFLOP_SOLUTION else None
            opponent = holdem_opponent(name, kind, result, player)
        else:
            opponent = _of_game(name, kind, result, games, settings)
    return replace(opponent, lock=opened.lock, stamp=opened.stamp)


def _elsewhere(path: Path, solution: Any) -> Player | None:
    """A process that solves the flops of an exact solution, where there is betting on them.

    Raises WebError where it says that it cannot.
    """
    if not solution.game.final_street:
        return None
    process = HandsProcess(path)
    return Player(partial(RemoteAgent, process), RemoteCoach(process), RemoteRanges(process))


def _check_streets(name: str, solution: Any) -> None:
    if solution.keep != "all":
        raise ForbiddenError(
            f"{name} does not keep all streets, and guests may not have them re-solved",
            option="token",
            given="guest",
            expected="owner",
            remedy="play a solution that was saved with all streets",
        )


def _check_flops(name: str, solution: Any) -> None:
    if solution.game.final_street:
        raise ForbiddenError(
            f"{name} has betting after the flop, and guests may not have flops solved",
            option="token",
            given="guest",
            expected="owner",
            remedy="play a solution whose betting ends before the flop, or a blueprint",
        )


_SOLVING: Final[dict[str, Callable[[str, Any], None]]] = {
    SPOT_SOLUTION: _check_streets,
    PREFLOP_SOLUTION: _check_flops,
}
"""What refuses guests what cannot be played without solving, by the kind of the file."""


def _of_game(name: str, kind: str, result: Any, games: Path, settings: Settings) -> Opponent:
    """The solution of a game whose rules a request may run: of one name there may be several."""
    shown, has_others = game_text(games, result.game), False
    for game, file in _games_of(result.game, games, settings):
        stamp = "" if file is None else file_stamp(file) or ""
        try:
            if kind == PACKED:
                result.strategy.rules_of(game)
                opponent = packed_opponent(name, result, game)
            else:
                opponent = _compiled(name, result, game, settings)
        except MismatchError:
            has_others = True
        else:
            return replace(opponent, game_file=file, game_stamp=stamp)
    named = Path(without_folders(result.game)).name
    if has_others:
        raise ConflictError(
            f"{name} is a solution of other rules than those of {shown} here",
            option="game",
            given=shown,
            expected="the rules that were solved",
            remedy="delete the uploaded game of that name, and upload the one that was solved"
            if file_of_game(games, named) is not None
            else "start the server with the rules that were solved",
        )
    raise ForbiddenError(
        f"{name} is a solution of {shown!r}, which is not a game that a browser may load",
        option="game",
        given=shown,
        expected="a game that comes with Equilibrist, or one that was uploaded",
        remedy=f"upload {named}, or start the server with it"
        if named.lower().endswith(".efg")
        else "start the server with the rules, or play it on the command line",
    )


def _compiled(name: str, result: Any, game: Game[Any], settings: Settings) -> Opponent:
    from equilibrist.game_loading import compile_game

    most = settings.limits.histories
    try:
        tree = compile_game(game, max_histories=most)
    except MemoryBudgetError:
        raise ConflictError(
            f"{game.name} has more than {most:,} histories, too many to be played here",
            option="name",
            given=name,
            expected=most,
            remedy="play it on the command line, with `equilibrist play`",
        ) from None
    return game_opponent(name, result, game, tree)


def _games_of(
    text: str, games: Path, settings: Settings
) -> Iterator[tuple[Game[Any], Path | None]]:
    """The games of that name whose rules a request may run, and the file of an uploaded one."""
    from equilibrist.games import load_game

    subject, shown = settings.subject, without_folders(text)
    if subject is not None and subject.kind == "game":
        try:
            game = shown_game(load_game(subject.text))
        except EquilibristError:  # its file has changed, or is gone
            if shown == subject.name:
                raise
        else:
            if shown in (subject.name, game.name):
                yield game, None
    if is_shipped(text):
        with suppress(UnknownNameError):  # in its form alone, as the class of a user's is
            yield load_game(text), None
    file = file_of_game(games, shown)
    if file is not None:
        yield parsed_game(file), file
