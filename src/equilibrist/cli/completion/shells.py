"""`--install-completion` and `--show-completion`, with the shell that runs, or one by name."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

import typer

from equilibrist.cli.text.output import show, show_exactly
from equilibrist.errors import ConfigError

PROGRAM: Final = "equilibrist"
VARIABLE: Final = "_EQUILIBRIST_COMPLETE"
"""Set by the scripts of shells when they ask for the words that may follow."""
SHELLS: Final = ("bash", "zsh", "fish", "powershell", "pwsh")
_SPECIAL: Final = re.compile(r"[^\w@%+=:,./-]")
"""Characters that may mean something to bash."""
_SPECIAL_IN_QUOTES: Final = re.compile(r'["$`\\]')
"""The same between double quotation marks."""
_FLAGS: Final = ("--install-completion", "--show-completion")


def is_asked() -> bool:
    """Whether a shell asks for words, not a user for a command."""
    if VARIABLE not in os.environ:
        return False
    _typer().completion_init()
    bash: Any = import_module("typer._completion_classes").BashComplete
    bash.format_completion = _for_bash
    return True


def _for_bash(_: object, item: Any) -> str:
    """A word as bash inserts it, quoted, which Typer leaves out.

    Where the user has begun the word with a quotation mark, it continues that quotation.
    """
    words = os.environ.get("COMP_WORDS", "").split("\n")  # as Typer's script joins them
    number = int(os.environ.get("COMP_CWORD", "-1"))
    typed = words[number] if 0 <= number < len(words) else ""
    value = str(item.value)
    if typed.startswith("'"):
        return value.replace("'", r"'\''")
    special = _SPECIAL_IN_QUOTES if typed.startswith('"') else _SPECIAL
    return special.sub(r"\\\g<0>", value)


def _typer() -> Any:
    """Typer's module of that, whose names are not typed as public ones."""
    return import_module("typer.completion")


def with_shell(words: Sequence[str]) -> list[str]:
    """The words of a command line with the shell that runs, where it is not named.

    Raises ConfigError where none is found, as in a container, or it is another one.
    """
    if not words or words[0] not in _FLAGS:
        return [*words]
    flag, *rest = words
    shell = rest[0] if rest else _running()
    if shell not in SHELLS:
        what = f"there is no completion for {shell}" if shell else "cannot tell which shell runs"
        raise ConfigError(
            what,
            option=flag,
            given=shell,
            expected=", ".join(SHELLS),
            remedy=(
                f"name one of {', '.join(SHELLS)}: `equilibrist --show-completion bash` prints the "
                "script"
            ),
        )
    return [flag, shell, *rest[1:]]


def _running() -> str | None:
    from shellingham import detect_shell

    try:
        return str(detect_shell()[0])
    except OSError:  # no shell, or no list of processes
        return None


def _install(shell: str | None) -> None:
    if shell is None:
        return
    name, path = _typer().install(shell=shell, prog_name=PROGRAM, complete_var=VARIABLE)
    show(f"completion for {name} is in {path}; it works in every shell that you start from now on")
    raise typer.Exit


def _show(shell: str | None) -> None:
    if shell is None:
        return
    show_exactly(
        _typer().get_completion_script(prog_name=PROGRAM, complete_var=VARIABLE, shell=shell)
    )
    raise typer.Exit


def _option(flag: str, callback: Any, help_text: str) -> Any:
    return typer.Option(
        flag,
        metavar="[SHELL]",
        callback=callback,
        is_eager=True,
        show_default=False,
        autocompletion=lambda: [*SHELLS],
        help=help_text,
    )


INSTALL: Final = _option(
    "--install-completion", _install, "Switch on tab completion, for the shell that runs."
)
SHOW: Final = _option(
    "--show-completion", _show, "Print the script that --install-completion installs."
)
