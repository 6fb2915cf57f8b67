"""Command lines that go on from the one that runs, with the options that both take.

A line under `Next:` must run, and decide the same as what the user has just run. So it is built
from the command line that runs: what was typed of the options that the next command takes, too, is
carried over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.cli.text.output import typed

if TYPE_CHECKING:
    from equilibrist.game import Game

WRITTEN: Final = frozenset(
    {
        "best_response", "checkpoint", "checkpoint_every", "csv", "draw", "keep", "log", "out",
        "out_option", "plot", "resume", "save_device",
    }
)  # fmt: skip
"""Options on files that a command writes: the next command does not write them again."""
_RUNNING: Final[ContextVar[Any]] = ContextVar("running")


@contextmanager
def running(context: Any) -> Iterator[None]:
    """Within it, `next_command` goes on from the command of this context of Typer's."""
    token = _RUNNING.set(context)
    try:
        yield
    finally:
        _RUNNING.reset(token)


def next_command(
    command: str, *arguments: object, without: Collection[str] = (), **options: object
) -> str:
    """Write a command that goes on from the one that runs.

    What was typed of an option is carried over if the next command has an option of that name and
    form, unless it names a file that is written (`WRITTEN`). So are arguments where none is given.

    Args:
        command: The next command, such as `postflop solve`.
        arguments: Its arguments: files, stored solutions by their paths, or words.
        without: Names of options that are not carried over.
        options: Options of the next command by name, in place of what was typed: None or False
            leaves one out, True is a switch, a list is given value by value.

    Returns:
        The line, quoted for a shell.

    Raises:
        KeyError: The next command has no option of a name in `options`.
    """
    context = _RUNNING.get()
    taken = {taker.name: taker for taker in _named(context.find_root().command, command).params}
    given = {
        own.name: context.params[own.name]
        for own in context.command.params
        if own.name not in WRITTEN.union(without)
        and own.name in context.params
        and _is_typed(context, own.name)
        and _form(own) == _form(taken.get(own.name))
    } | options
    words, places = [], [typed(_text(argument)) for argument in arguments]
    for name, taker in taken.items():
        value = given.pop(name, None)
        if taker.param_type_name == "option":
            words += _option_words(taker, value)
        elif value is not None and not arguments:
            places += [typed(_text(part)) for part in _parts(value)]
    if given:
        raise KeyError(f"`{command}` has no option {', '.join(given)}")
    if any(place.startswith("-") and place != "-" for place in places):
        return " ".join(["equilibrist", command, *words, "--", *places])
    return " ".join(["equilibrist", command, *places, *words])


def after_spot(
    file: object, *, for_prizes: bool, without: Collection[str] = (), **options: object
) -> list[str]:
    """Write the commands that go on from the solution of a spot.

    Args:
        file: The solution.
        for_prizes: Whether the spot is played for prizes, which cannot be played against.
        without: Names of options that are not carried over.
        options: Options of `postflop browse`, see `next_command`.

    Returns:
        The lines.
    """
    browse = next_command("postflop browse", file, without=without, **options)
    play = [] if for_prizes else [next_command("play", file, coach=True, without=without)]
    return [browse, *play]


def _named(commands: Any, words: str) -> Any:
    """The command that is called by these words."""
    for word in words.split():
        commands = commands.get_command(None, word)
    return commands


def _is_typed(context: Any, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _form(parameter: Any) -> tuple[object, ...] | None:
    """What tells apart options of one name: a list, a switch, a text; None for no parameter."""
    if parameter is None:
        return None
    return (
        parameter.param_type_name,
        parameter.multiple or parameter.nargs != 1,
        getattr(parameter, "is_flag", False),
    )


def _option_words(option: Any, value: object) -> list[str]:
    """An option as it is typed, in its longest spelling; nothing for None, and for no switch."""
    flag = max(option.opts, key=len)
    if value is None:
        return []
    if isinstance(value, bool):
        flags = option.opts if value else option.secondary_opts
        return [max(flags, key=len)] if flags else []
    return [word for part in _parts(value) for word in (flag, typed(_text(part)))]


def _parts(value: object) -> Sequence[object]:
    """The values of an option or an argument that may be given several times."""
    return value if isinstance(value, list | tuple) else [value]


def _text(value: object) -> str:
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def new_file(name: str) -> str:
    """A name for a file that the next command writes: this one, or `name-2` if there is one."""
    first = Path(name)
    names = (first.with_stem(f"{first.stem}-{number}") for number in count(2))
    return str(next(path for path in chain((first,), names) if not path.exists()))


def solve_command(game: str, rules: Game[Any], *, is_constant_sum: bool) -> str | None:
    """Write the command that solves a game, for which not every algorithm may be fit.

    Args:
        game: What the user typed for it.
        rules: The game.
        is_constant_sum: Whether its payoffs have a constant sum.

    Returns:
        The line; for two players who forget it names the one algorithm that solves such games.
        None for other players who forget, whom no algorithm takes.
    """
    from equilibrist.tree.walk.protocol import recalls

    if recalls(rules):
        return next_command("solve", game)
    if rules.num_players != 2 or not is_constant_sum:
        return None
    return next_command("solve", game, algorithm="fsicfr")
