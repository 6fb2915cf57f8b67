"""The reference of the command line, read off the commands' own signatures."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import typer
from typer.models import ArgumentInfo, OptionInfo

SHARED_BY = 3
"""Commands that must have an option with the same words before it moves to a shared section."""

SECTIONS = {"many": "General", "hands": "Hands", "spots": "Spots"}

PARAGRAPHS_SAID_ONCE = ("Ctrl-C stops", "The solution stays in your data folder")
SENTENCES_SAID_ONCE = (
    "Ctrl-C stops",
    "With three and more players Ctrl-C stops",
    "With --checkpoint the state of the run is saved",
    "The hand is a file",
    "The spot is a file",
)
"""How paragraphs and sentences begin that the page's introduction has for all commands."""

EXPLAINED_ON = {
    "abstract": "abstraction-report action-abstraction",
    "dominated": "domination",
    "team": "teams",
    "exploit": "exploitation",
    "equilibria": "refinements nash",
    "graft": "grafting",
    "play": "play poker/playing",
    "train": "nets/training",
    "bot play": "bots",
    "bot match": "bots",
    "bot evaluate": "bots",
    "serve": "web/index",
    "desktop install": "web/start",
    "site": "web/site",
    "mcp": "mcp",
    "acpc dealer": "protocols",
    "acpc client": "protocols",
    "hands show": "hand-histories",
    "hands convert": "hand-histories",
    "hands review": "poker/review",
    "bot serve": "protocols",
    "bot challenge": "protocols",
    "range": "poker/ranges",
    "equity": "poker/equity",
    "icm": "poker/tournaments",
    "cards build": "poker/buckets",
    "preflop pushfold": "poker/preflop",
    "preflop multiway": "poker/multiway",
    "preflop buckets": "poker/exact-hands",
    "preflop count": "poker/royal",
    "blueprint train": "poker/blueprint",
    "blueprint evaluate": "poker/blueprint-evaluation",
    "postflop estimate": "poker/spots",
    "postflop convert": "poker/set-ups",
    "postflop batch": "poker/batch",
    "postflop examine": "nets/holdem",
    "postflop sizes": "poker/sizes",
    "postflop dataset": "nets/holdem",
    "postflop train": "nets/holdem",
    "postflop play": "poker/playing",
    "postflop compare": "poker/export",
    "postflop export": "poker/export",
    "postflop mistakes": "poker/off-path",
}
"""Commands that pages explain whole: the reference has the first paragraph of their help alone."""

EXAMPLES = 2
"""Examples that the reference shows of a command; its help has all."""


@dataclass(frozen=True)
class Row:
    """An argument or option as the reference shows it."""

    group: str
    spelling: str
    meaning: str
    default: str

    def line(self) -> str:
        """The row as an item of a list."""
        stop = "" if self.meaning.endswith((".", "?")) else "."
        default = f" Default: {self.default}." if self.default else ""
        return f"- `{self.spelling}`: {_escaped(self.meaning)}{stop}{_escaped(default)}"


@dataclass(frozen=True)
class Command:
    """A command: its name with its group's in front, its help, and its rows in order."""

    name: str
    text: str
    rows: list[Row]

    @property
    def section(self) -> str:
        """The shared section in which a reader looks for its options."""
        group = self.name.partition(" ")[0]
        return {"postflop": "spots", "preflop": "hands", "blueprint": "hands"}.get(group, "many")


def commands_table() -> str:
    """One row per command: its name and the first line of its help."""
    from benchmarks.render_tables import markdown_table
    from equilibrist.cli.main import application

    commands = [_command(*command) for command in _commands(application(), "")]
    rows = [(f"`{command.name}`", command.text.splitlines()[0]) for command in commands]
    return markdown_table(("command", "what it does"), rows)


def command_reference() -> str:
    """The shared options, then a section per command: what it does, how it is called, its options.

    An option that has the same meaning in several commands is described once: in a shared section
    or, if only two have it, at the first of them. The second one names it and links there.
    """
    from equilibrist.cli.main import application

    commands = [_command(*command) for command in _commands(application(), "")]
    homes = _homes(commands)
    shared = [_shared_section(section, homes) for section in SECTIONS]
    return "\n".join(
        ["## Shared options\n", *shared, *(_section(command, homes) for command in commands)]
    )


def _commands(app: typer.Typer, prefix: str) -> Iterator[tuple[str, str, Callable[..., Any]]]:
    """(name, help, function) of every command, those of groups with the group in front."""
    for command in app.registered_commands:
        function = command.callback
        assert function is not None
        name = command.name or function.__name__.replace("_", "-")
        yield prefix + name, command.help or inspect.getdoc(function) or "", function
    for group in app.registered_groups:
        assert group.typer_instance is not None
        yield from _commands(group.typer_instance, f"{prefix}{group.name} ")


def _command(name: str, text: str, function: Callable[..., Any]) -> Command:
    rows = []
    hints = get_type_hints(function, include_extras=True)
    for parameter in inspect.signature(function).parameters.values():
        if hints[parameter.name] is typer.Context:  # Typer's own, not an option
            continue
        kind, *details = get_args(hints[parameter.name])
        info = next(d for d in details if isinstance(d, ArgumentInfo | OptionInfo))
        spelling = _spelling(parameter.name, kind, info)
        group = info.rich_help_panel or "Options"
        if isinstance(info, ArgumentInfo):
            group = "Arguments"
            if parameter.default is not inspect.Parameter.empty:
                spelling = f"[{spelling}]"
        meaning, _, computed = (info.help or "").partition("  [default: ")
        default = _default(parameter.default) or computed.removesuffix("]")
        rows.append(Row(group, spelling, " ".join(meaning.split()), default))
    return Command(name, text, rows)


def _homes(commands: list[Command]) -> dict[Row, str]:
    """Where each row is described: the key of a shared section, or the name of a command."""
    users: dict[Row, list[Command]] = {}
    for command in commands:
        for row in command.rows:
            users.setdefault(row, []).append(command)
    homes = {}
    for row, having in users.items():
        sections = Counter(command.section for command in having)
        shared = len(having) >= SHARED_BY
        homes[row] = sections.most_common(1)[0][0] if shared else having[0].name
    return homes


def _shared_section(section: str, homes: Mapping[Row, str]) -> str:
    rows = [row for row, home in homes.items() if home == section]
    return "\n\n".join([f"### {SECTIONS[section]}", *_lists(rows)]) + "\n"


def _section(command: Command, homes: Mapping[Row, str]) -> str:
    arguments = [row.spelling for row in command.rows if row.group == "Arguments"]
    options = ["[OPTIONS]"] if len(arguments) < len(command.rows) else []
    call = " ".join(["equilibrist", command.name, *arguments, *options])
    own = [row for row in command.rows if homes[row] == command.name]
    first, *further = _prose(command.text)
    if pages := EXPLAINED_ON.get(command.name, "").split():
        first += f" Explained on {' and '.join(map(_link, pages))}."
        further = [text for text in further if text.startswith("```text\nequilibrist ")]
    parts = [f"## {command.name}", f"```text\n{call}\n```", first, *further, *_lists(own)]
    references = _references(command, homes)
    return "\n\n".join([*parts, *references]) + "\n"


def _lists(rows: list[Row]) -> list[str]:
    """A list for each group of rows, arguments first and what has no group last."""
    groups = sorted({row.group: None for row in rows}, key=_order)
    return [
        f"**{group}**\n\n" + "\n".join(row.line() for row in rows if row.group == group)
        for group in groups
    ]


def _order(group: str) -> tuple[bool, bool]:
    return group != "Arguments", group == "Options"


def _references(command: Command, homes: Mapping[Row, str]) -> list[str]:
    """One paragraph that names what is described elsewhere; whole groups by their names."""
    elsewhere: dict[str, list[Row]] = {}
    for row in command.rows:
        if homes[row] != command.name:
            elsewhere.setdefault(homes[row], []).append(row)
    parts = []
    for home, rows in elsewhere.items():
        names = []
        for group in {row.group: None for row in rows}:
            here = [row for row in rows if row.group == group]
            whole = {row for row, place in homes.items() if place == home and row.group == group}
            if home in SECTIONS and len(here) > 2 and set(here) == whole:
                names.append(f"all of *{group}*")
            else:
                names += [f"`{_short(row.spelling)}`" for row in here]
        title = SECTIONS.get(home, home)
        label = title.lower() if home in SECTIONS else f"`{home}`"
        parts.append(f"[{label}](#{title.lower().replace(' ', '-')}): {', '.join(names)}")
    return [f"Shared, {'; '.join(parts)}."] if parts else []


def _short(spelling: str) -> str:
    """The longest name of an option without its value: `--iterations` of `-n, --iterations N`."""
    names = [word.strip(",").partition("/")[0] for word in spelling.split() if word[0] == "-"]
    return max(names, key=len, default=spelling)


def _escaped(text: str) -> str:
    """Help text in a list: what Markdown would take for emphasis or a footnote is escaped."""
    return "".join(
        part if index % 2 else re.sub(r"([*<\[\]])", r"\\\1", part)
        for index, part in enumerate(re.split(r"(`[^`]*`)", text))
    )


def _spelling(name: str, kind: Any, info: ArgumentInfo | OptionInfo) -> str:
    """How it is typed: `GAME`, `--json`, `-n, --iterations N`, `--output average|last`."""
    if isinstance(info, ArgumentInfo):
        return (info.metavar or name).upper() + "..." * (get_origin(kind) is list)
    # In Annotated, Typer's first positional argument is a spelling, stored as the default.
    given = [info.default, *(info.param_decls or ())]
    names = [text for text in given if isinstance(text, str) and text.startswith("-")]
    names = sorted(names or [f"--{name.replace('_', '-')}"], key=len)
    kinds = get_args(kind) if get_origin(kind) is UnionType else (kind,)
    if bool in kinds:
        return ", ".join(names)
    choices = [k for k in kinds if isinstance(k, type) and issubclass(k, Enum)]
    values = "|".join(member.value for k in choices for member in k)
    return f"{', '.join(names)} {info.metavar or values or 'VALUE'}"


def _default(value: object) -> str:
    if value is inspect.Parameter.empty or isinstance(value, bool) or value in (None, "", []):
        return ""
    return f"`{value.value if isinstance(value, Enum) else value}`"


def _link(page: str) -> str:
    """A link to a page, with its title."""
    title = (Path(__file__).parent / f"{page}.md").read_text("utf-8").partition("\n")[0]
    return f"[{title.removeprefix('# ')}](../{page}.md)"


def _prose(text: str) -> list[str]:
    """Help text as Markdown: paragraphs in one line each, blocks after a backspace verbatim."""
    parts = []
    for part in inspect.cleandoc(text).split("\n\n"):
        if part.startswith(PARAGRAPHS_SAID_ONCE):
            continue
        if part.startswith("\b"):
            lines = part.removeprefix("\b").strip("\n").split("\n")
            if lines[0] == "Examples:":
                lines = _few_examples(lines[1:])
            parts.append("```text\n" + "\n".join(lines) + "\n```")
        else:
            sentences = re.split(r"(?<=\.) ", " ".join(part.split()))
            parts.append(" ".join(s for s in sentences if not s.startswith(SENTENCES_SAID_ONCE)))
    return list(filter(None, parts))


def _few_examples(lines: list[str]) -> list[str]:
    """The first examples, each with the lines on which it continues, without indentation."""
    lines = [line.removeprefix("  ") for line in lines]
    begins = [index for index, line in enumerate(lines) if not line.startswith(" ")]
    end = begins[EXAMPLES] if len(begins) > EXAMPLES else len(lines)
    return lines[:end]
