"""The entry point: the commands in one application, and the handling of errors.

Exit codes: 0 done, 1 the checked rules have problems, 2 an error the message explains,
70 a bug in Equilibrist, 130 interrupted, 141 the reader of standard output closed the pipe.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache as cached
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TextIO

import typer

from equilibrist._extensions import extensions
from equilibrist._version import __version__
from equilibrist.cli.completion import shells
from equilibrist.cli.inputs.flags import as_typed
from equilibrist.cli.inputs.removed_options import as_spelt, instead, respelt
from equilibrist.cli.inputs.signals import terminate_like_interrupt
from equilibrist.cli.text.command_table import Entry, LazyCommands
from equilibrist.cli.text.output import (
    ReaderGoneError,
    complain,
    flush,
    names_for_files,
    note,
    quietly,
    results_alone,
    show,
)
from equilibrist.errors import ConfigError, EquilibristError, FileFormatError
from equilibrist.library.names import is_name
from equilibrist.storage.plain_file import OtherEncodingWarning

if TYPE_CHECKING:  # the modules of ENTRIES: import contracts see imports, not names
    from equilibrist.cli.commands.bots import bot  # noqa: F401
    from equilibrist.cli.commands.games import check, games  # noqa: F401
    from equilibrist.cli.commands.holdem import blueprint, cards, equity, icm, preflop, ranges  # noqa: F401
    from equilibrist.cli.commands.maintenance import cache  # noqa: F401
    from equilibrist.cli.commands.playing import acpc, hands, match, play  # noqa: F401
    from equilibrist.cli.commands.solving import algorithms, compare, learn, samplers, solve, train  # noqa: F401
    from equilibrist.cli.commands.strategies import evaluate, export, inspect, last  # noqa: F401
    from equilibrist.cli.commands.theory import (  # noqa: F401
        abstract,
        correlate,
        dominated,
        equilibria,
        exploit,
        graft,
        resolve,
        team,
        train_values,
    )
    from equilibrist.cli.postflop import app as postflop  # noqa: F401

OK = 0
BAD_INPUT = 2
BUG = 70
INTERRUPTED = 130
READER_GONE = 141

_USAGE_ERRORS: tuple[type[Exception], ...] = tuple(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)

_EXTRA: Final = re.compile(r"Got unexpected extra argument(?:\(s\)|s)? \((.*)\)", re.DOTALL)

_app = typer.Typer(
    name="equilibrist",
    help="Solve games of imperfect information, and measure how good the strategies are.",
    epilog="Start with:  equilibrist solve kuhn",
    no_args_is_help=True,
    cls=LazyCommands,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        show(f"equilibrist {__version__}")
        raise typer.Exit


@_app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
    debug: Annotated[
        bool,
        typer.Option(
            "--debug",
            help="Show tracebacks of errors, as EQUILIBRIST_DEBUG=1 does; it may stand anywhere.",
        ),
    ] = False,
    install_completion: Annotated[str | None, shells.INSTALL] = None,
    show_completion: Annotated[str | None, shells.SHOW] = None,
) -> None:
    """Options of all commands."""


_LISTED: Final = {
    "Solve games": (
        ("solve", "commands.solving.solve", "Find a strategy and measure how good it is."),
        ("compare", "commands.solving.compare", "Compare algorithms on one game."),
        ("algorithms", "commands.solving.algorithms", "List the algorithms, or show one."),
        ("samplers", "commands.solving.samplers", "List the samplers, or show one."),
        ("train", "commands.solving.train", "Train networks, and measure what they play."),
        ("learn", "commands.solving.learn", "Walk through one iteration, number by number."),
    ),
    "Games": (
        ("games", "commands.games.games", "List the games; parameters and sizes of one."),
        ("check", "commands.games.check", "Find errors in rules of a game, or in a sampler."),
    ),
    "Strategies": (
        ("evaluate", "commands.strategies.evaluate", "Measure exactly how good a strategy is."),
        ("inspect", "commands.strategies.inspect", "Look up infosets; draw a small tree."),
        ("export", "commands.strategies.export", "Write a solution as a table, a game as .efg."),
        ("last", "commands.strategies.last", "List the solutions that were stored last."),
    ),
    "Theory": (
        ("abstract", "commands.theory.abstract", "Merge infosets, and measure what that costs."),
        ("correlate", "commands.theory.correlate", "Find the best correlated equilibrium."),
        ("dominated", "commands.theory.dominated", "List dominated actions or plans by rounds."),
        ("team", "commands.theory.team", "Find the best joint play of a team."),
        ("exploit", "commands.theory.exploit", "Win against an opponent, at a limited risk."),
        ("equilibria", "commands.theory.equilibria", "Select or list a game's equilibria."),
        ("graft", "commands.theory.graft", "Replace a strategy's play in parts of the game."),
        ("resolve", "commands.theory.resolve", "Solve parts of a strategy anew, with guarantees."),
        (
            "train-values",
            "commands.theory.train_values:train_values",
            "Train what public states are worth.",
        ),
    ),
    "Play": (
        ("play", "commands.playing.play", "Play against the solution, or let strategies play."),
        ("match", "commands.playing.match", "Play two strategies against each other."),
        ("bot", "commands.bots.bot:app", "Bots that think at the table: play, measure them."),
    ),
    "Hold'em": (
        ("range", "commands.holdem.ranges:range_", "Read a range of hands, show it, convert it."),
        ("equity", "commands.holdem.equity", "Compute the equity of two to six ranges of hands."),
        ("icm", "commands.holdem.icm", "Say what the stacks of a tournament are worth."),
        ("cards", "commands.holdem.cards:app", "Merge hands into buckets, and look them up."),
        ("preflop", "commands.holdem.preflop:app", "Before the flop: push-or-fold charts."),
        ("blueprint", "commands.holdem.blueprint:app", "Strategies of whole hands: train, show."),
        ("postflop", "postflop.app:app", "Spots from the flop on: solve, look up, export, report."),
        ("acpc", "commands.playing.acpc:app", "Matches against other programs: dealer, client."),
        ("hands", "commands.playing.hands:app", "Files of played hands: show, convert, review."),
    ),
    "Maintenance": (
        ("cache", "commands.maintenance.cache:app", "Show, warm or clear the compiled kernels."),
    ),
}
_ABOVE: Final = "Hold'em"
"""Before this heading stand the commands of packages above this one."""


def _entries() -> Iterator[Entry]:
    for heading, listed in _LISTED.items():
        if heading == _ABOVE:
            for name, placed in extensions("commands").items():
                yield Entry(name, *placed)
        for name, place, short_help in listed:
            yield Entry(name, heading, f"equilibrist.cli.{place}", short_help)


ENTRIES: Final = [*_entries()]
"""All commands, in the order of the help."""


def application() -> typer.Typer:
    """An application with all commands, all of them imported, for what describes them."""
    whole = typer.Typer(add_completion=False, rich_markup_mode=None)
    for entry in ENTRIES:
        entry.register(whole)
    return whole


@cached
def _command_line() -> Any:
    """The commands, each of which is built when it is first called: all of them take 20 ms."""
    group: Any = typer.main.get_command(_app)
    group.add_entries(ENTRIES)
    return group


def run(arguments: Sequence[str]) -> int:
    """Run one command line (without the program's name) and return its exit code."""
    words = list(arguments) or ["--help"]
    debug = os.environ.get("EQUILIBRIST_DEBUG", "0") not in {"", "0"}
    if "--debug" in words:
        debug = True
        words = [word for word in words if word != "--debug"]
    _survive_any_encoding()
    with names_for_files():
        return _code(words, debug=debug)


def _code(typed: Sequence[str], *, debug: bool) -> int:
    """Run it, explain what went wrong, and return the exit code."""
    words = respelt(typed)
    asked = shells.is_asked()
    try:
        words = shells.with_shell(words)
        with ExitStack() as stack:
            if "--json" in words:
                stack.enter_context(results_alone())
            if not {"-q", "--quiet"}.isdisjoint(words):
                stack.enter_context(quietly())
            stack.enter_context(terminate_like_interrupt())
            stack.enter_context(_noted_warnings())
            code = _command_line().main(args=words, prog_name="equilibrist", standalone_mode=False)
            flush()
        return code if isinstance(code, int) else OK
    except SystemExit:  # Typer ends so where nobody reads its help any more
        return READER_GONE
    except (Exception, KeyboardInterrupt) as error:
        if debug:
            traceback.print_exc()
        if asked:  # a shell, which shows what it gets in the line that is typed
            return BUG
        return _explained(error, typed)


@contextmanager
def _noted_warnings() -> Iterator[None]:
    """Within it, what the library warns of a file is a note, without the line of its code."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", OtherEncodingWarning)
        show_warning = warnings.showwarning

        def tell(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if issubclass(category, OtherEncodingWarning):
                note(f"{message}")
            else:
                show_warning(message, category, filename, lineno, file, line)

        warnings.showwarning = tell
        yield


def _explained(error: BaseException, words: Sequence[str]) -> int:
    """Tell the user what went wrong with the words that were typed; return the exit code."""
    typed, words = words, respelt(words)
    if isinstance(error, ConfigError):
        complain(as_spelt(as_typed(str(error), _command_line(), words), typed))
        return BAD_INPUT
    if isinstance(error, EquilibristError):
        complain(as_typed(str(error), _command_line(), words, leading=False))
        if isinstance(error, FileFormatError) and any(map(is_name, words)):
            note("`equilibrist last` lists the stored solutions.")
        return BAD_INPUT
    if isinstance(error, _USAGE_ERRORS):
        other = _another_kind(error)
        return _usage(error, words) if other is None else _explained(other, typed)
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        complain("interrupted")
        return INTERRUPTED
    if isinstance(error, ReaderGoneError):
        return READER_GONE
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        complain(reason if error.filename is None else f"{error.filename}: {reason}")
        return BAD_INPUT
    if isinstance(error, MemoryError):
        complain("out of memory; choose a smaller game, or set --memory to stop earlier")
        return BAD_INPUT
    complain(
        f"{type(error).__name__}: {error}\n"
        "This is a bug in Equilibrist, not in what you typed. Please report it with the command "
        "and the traceback that EQUILIBRIST_DEBUG=1 shows."
    )
    return BUG


def _another_kind(error: Exception) -> FileFormatError | None:
    """The error for a file that a command does not take, whose options are of no matter then.

    Typer has read the arguments where one of the options is missing or wrong.
    """
    from equilibrist.library.kinds import TAKEN, kind_for

    context: Any = getattr(error, "ctx", None)
    command = "" if context is None else context.command_path.partition(" ")[2]
    for parameter in context.command.params if command in TAKEN else ():
        value = context.params.get(parameter.name)
        if parameter.param_type_name == "argument" and isinstance(value, str | Path):
            try:
                kind_for(command, value)
            except FileFormatError as other:
                return other
    return None


def _usage(error: Exception, words: Sequence[str]) -> int:
    message = getattr(error, "format_message", error.__str__)()
    flag = getattr(error, "option_name", "")
    if (today := instead(flag, words)) is not None:
        message = f"option {flag} was removed; write {today}"
    if (extra := _EXTRA.fullmatch(message)) is not None:
        message = f"{message}; {_quoted(extra[1], words)}"
    complain(message.replace(": Value error, ", ": "))
    context = getattr(error, "ctx", None)
    if context is not None:
        note(f"Try '{context.command_path} --help'.")
    return BAD_INPUT


def _quoted(extra: str, words: Sequence[str]) -> str:
    """What may be done about arguments that are too many, `extra`: blanks take them apart."""
    count = len(extra.split(" "))
    for end in range(count + 1, len(words) + 1):
        taken = words[end - count - 1 : end]
        if " ".join(taken[1:]) == extra and not any(word.startswith("-") for word in taken):
            return f"what has blanks needs quotes, as in {shlex.quote(' '.join(taken))}"
    return "leave them out, or put quotes around what has blanks"


def _survive_any_encoding() -> None:
    """Let a character that the terminal's encoding lacks be escaped instead of raise."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
