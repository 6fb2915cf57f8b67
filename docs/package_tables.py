"""Tables of the documentation that the package itself provides: its algorithms and its games.

`python benchmarks/render_tables.py` writes them into the pages, and a test compares.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.render_tables import markdown_table


def algorithms_table() -> str:
    """One row per variant of the engine."""
    from equilibrist.solvers.variants import VARIANTS

    columns = ("algorithm", "what it does", "when to use it", "paper")
    rows = [(f"`{name}`", v.summary, v.when, v.paper) for name, v in VARIANTS.items()]
    return markdown_table(columns, rows)


def formulas_table() -> str:
    """The update and the average of each variant, as formulas."""
    from equilibrist.solvers.variants import VARIANTS

    rows = [(f"`{name}`", f"`{v.update}`", v.averaging) for name, v in VARIANTS.items()]
    return markdown_table(("algorithm", "regrets and next strategy", "weight in the average"), rows)


def games_table() -> str:
    """One row per built-in game, with its parameters and their defaults."""
    from equilibrist.games import list_games
    from equilibrist.games.parameters import REQUIRED
    from equilibrist.games.spec import format_value

    def default(p: Any) -> str:
        if p.default_text:
            return f"`{p.name}`: {p.doc} ({p.default_text})"
        if p.default == REQUIRED:
            return f"`{p.name}`: {p.doc} (must be given)"
        return f"`{p.name}={format_value(p.default)}`: {p.doc}"

    def parameters(info: Any) -> str:
        return "; ".join(default(p) for p in info.parameters) or "none"

    rows = [(f"`{info.name}`", info.summary, parameters(info)) for info in list_games()]
    return markdown_table(("game", "what it is", "parameters and defaults"), rows)


def commands_reference() -> str:
    """One section per command: what it does, how it is called, its arguments and options."""
    import typer

    from equilibrist.cli.main import app

    root: Any = typer.main.get_command(app)
    return "\n".join(_command(command, name) for name, command in root.commands.items())


def _command(command: Any, path: str) -> str:
    """The section of one command, and of the commands below it."""
    if hasattr(command, "commands"):
        below = "\n".join(_command(c, f"{path} {name}") for name, c in command.commands.items())
        return f"## {path}\n\n{_paragraphs(command.help)}\n\n{below}"
    names = [
        p.make_metavar(command.make_context(path, [], resilient_parsing=True))
        for p in command.params
        if p.param_type_name == "argument"
    ]
    call = " ".join(["equilibrist", path, *names, "[OPTIONS]"])
    rows = [(_spelling(p), p.help or "", _default(p)) for p in command.params if not _hidden(p)]
    table = markdown_table(("argument or option", "meaning", "default"), rows)
    return f"## {path}\n\n{_paragraphs(command.help)}\n\n```text\n{call}\n```\n\n{table}"


def _paragraphs(text: str | None) -> str:
    """Help text as Markdown: lines that belong together in one paragraph each."""
    return "\n\n".join(" ".join(part.split()) for part in (text or "").split("\n\n"))


def _hidden(parameter: Any) -> bool:
    return bool(getattr(parameter, "hidden", False)) or parameter.name == "help"


def _spelling(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{parameter.metavar or parameter.name.upper()}`"
    names = ", ".join(f"`{name}`" for name in [*parameter.opts, *parameter.secondary_opts])
    metavar = "" if parameter.is_flag else f" {parameter.metavar or parameter.type.name.upper()}"
    return names + metavar


def _default(parameter: Any) -> str:
    value = parameter.default
    if value is None or value is False or parameter.required or callable(value):
        return ""
    return f"`{value}`"


FROM_PACKAGE: dict[str, Callable[[], str]] = {
    "algorithms": algorithms_table,
    "formulas": formulas_table,
    "commands": commands_reference,
    "games": games_table,
}
