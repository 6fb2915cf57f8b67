"""The reference of the command line, read off the commands' own signatures."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from enum import Enum
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import typer
from typer.models import ArgumentInfo, OptionInfo

from benchmarks.render_tables import markdown_table


def command_reference() -> str:
    """One section per command: what it does, how it is called, its options by groups."""
    from equilibrist.cli.main import application

    return "\n".join(_section(*command) for command in _commands(application(), ""))


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


def _section(name: str, text: str, function: Callable[..., Any]) -> str:
    arguments: list[str] = []
    groups: dict[str, list[tuple[str, str, str]]] = {}
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
            required = parameter.default is inspect.Parameter.empty
            arguments.append(spelling if required else f"[{spelling}]")
        meaning, _, computed = (info.help or "").partition("  [default: ")
        row = (f"`{spelling}`", meaning, _default(parameter.default) or computed.removesuffix("]"))
        groups.setdefault(group, []).append(row)
    options = ["[OPTIONS]"] if groups.keys() - {"Arguments"} else []
    call = " ".join(["equilibrist", name, *arguments, *options])
    parts = [f"## {name}", f"```text\n{call}\n```", _prose(text)]
    order = sorted(groups, key=lambda name: (name != "Arguments", name == "Options"))
    heads = ((group, "meaning", "default") for group in order)
    parts += [markdown_table(head, groups[head[0]]).rstrip() for head in heads]
    return "\n\n".join(parts) + "\n"


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


def _prose(text: str) -> str:
    """Help text as Markdown: paragraphs in one line each, blocks after a backspace verbatim."""
    parts = []
    for part in inspect.cleandoc(text).split("\n\n"):
        if part.startswith("\b"):
            parts.append("```text\n" + part.removeprefix("\b").strip("\n") + "\n```")
        else:
            parts.append(" ".join(part.split()))
    return "\n\n".join(parts)
