"""The options that a browser may give to a solve of a game, and to a race."""

from __future__ import annotations

from typing import Final

from equilibrist.errors import EquilibristError
from equilibrist.options.option import Option, Options
from equilibrist.options.solve_options import COMPARE_RUNS, SHARED_OPTIONS, SOLVE_OPTIONS
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION, THREE_SPOT
from equilibrist.web.answers.games import GameOption
from equilibrist.web.answers.solutions import RunAgain
from equilibrist.web.api.orders import check_game_options
from equilibrist.web.errors import as_requested
from equilibrist.web.games.solved import solved_game
from equilibrist.web.services import Services
from equilibrist.web.setup.sources import form_of_solution
from equilibrist.web.store.games import game_text

_WITHHELD: Final = {"checkpoint_every", "warm_iterations", "executor", "address"} | {
    name for name, option in SOLVE_OPTIONS.items() if option.kind in ("file", "solution")
}
"""Options that name files or other machines, or go with these."""
GAME_OPTIONS: Final[Options] = {
    name: option for name, option in SOLVE_OPTIONS.items() if name not in _WITHHELD
}
RACE_OPTIONS: Final[Options] = {
    **{name: GAME_OPTIONS[name] for name in SHARED_OPTIONS if name not in _WITHHELD},
    "seeds": COMPARE_RUNS["seeds"],
    "side_by_side": COMPARE_RUNS["side_by_side"],
}
"""Options of a race, which all of its algorithms share."""
_HELP: Final = {
    "drop_play": "Whose reach counts for drop_below: chance's alone, or that of all players under "
    "uniform play; cut paths end with what such play earns there."
}
"""What a solve does otherwise in the browser, which has no files."""
_MAIN: Final = ("algorithm", "sampler", "iterations", "target", "seconds")
"""What a form asks first."""


def solve_options() -> list[GameOption]:
    """The options of a solve of a game, what a form asks first in front."""
    names = sorted(GAME_OPTIONS, key=lambda name: name not in _MAIN)
    return [_option(name, GAME_OPTIONS[name]) for name in names]


def _option(name: str, option: Option) -> GameOption:
    return {
        "name": name,
        "kind": option.kind,
        "help": _HELP.get(name) or as_requested(option.help),
        "default": option.default or as_requested(option.default_text),
        "choices": list(option.choices),
        "is_main": name in _MAIN,
    }


def options_again(services: Services, name: str) -> dict[str, str] | None:
    """The options to run a solution again; None where they are not known, or no job may have them.

    Args:
        services: The services of the server.
        name: The name of a solution of a game.

    Returns:
        Options of a solve as texts, with the iterations that were made as the only limit.
    """
    solved = solved_game(services, name)
    with services.library.opened(name) as result:
        config, iterations = dict(result.config), result.iterations
    if not iterations or solved.packed is not None:
        return None
    if any(config.get(option) is not None for option in ("warm_start", "abstraction", "actions")):
        return None
    again = {"iterations": str(iterations)}
    for option in GAME_OPTIONS.keys() - {"iterations", "target", "seconds", "memory", "threads"}:
        value = config.get(option)
        if value is None or str(value) == GAME_OPTIONS[option].default:
            continue
        again[option] = str(value).lower() if isinstance(value, bool) else str(value)
    try:
        check_game_options(again)
    except EquilibristError:  # trained, or by an algorithm in a Python file
        return None
    return again


def run_again(services: Services, name: str) -> RunAgain:
    """What a job takes to make a solution again.

    Args:
        services: The services of the server.
        name: The name of a solution of a game or of a spot.

    Raises:
        NotFoundError: There is no such solution.
        ConflictError: It has charts, which no job makes.
        FileFormatError: It is damaged.
    """
    entry = services.library.entry(name)
    if entry.kind in (SPOT_SOLUTION, THREE_SPOT):
        return {"kind": "spot", "game": None, "options": None,
                "form": form_of_solution(services, name, again=True)}  # fmt: skip
    options = options_again(services, name)
    game = None if entry.game is None else game_text(services.folders.games, entry.game)
    return {"kind": "game", "game": game, "options": options, "form": None}
