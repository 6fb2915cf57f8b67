"""Game strings: `name`, `name(key=value,...)`, `rules.py:Class(key=value)`.

The name of the class may be left out where the file has one game.
`rules:name(key=value)` and `rules:my_rules.py(key=value)` name a module of `equilibrist.rules`.
`openspiel:NAME(...)` is a game of OpenSpiel in OpenSpiel's own notation, `file.efg` (or
`efg:file.efg`) a file of Gambit's, `table.csv`, `table.nfg`, `table.npy` (or `payoffs:table`) a
payoff table. `equilibrist.parsing.call_text` says which values there are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Unpack

from equilibrist.errors import EquilibristError, Fields, FileFormatError, GameSpecError
from equilibrist.game import METHODS
from equilibrist.parsing.call_text import Reader, Value, unreadable_game
from equilibrist.parsing.user_code import names_with_methods, public_names, refuse_unreadable
from equilibrist.storage.archive import described, file_kind, folder_error
from equilibrist.storage.kinds.file_kinds import (
    CSV,
    GAME,
    GAMES,
    TEXT,
    game_argument,
    looks_like_file,
    place_in,
)
from equilibrist.storage.plain_file import read_text_file

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_RULES = re.compile(r"\s*rules:\s*(?P<name>[^()]*?)\s*(?=\(|\Z)")
_FOREIGN = re.compile(r"\s*(?P<kind>openspiel|efg|payoffs):\s*(?P<name>.*?)\s*", re.DOTALL)
_EFG = re.compile(r"\s*(?P<name>[^\s].*\.efg)\s*", re.DOTALL | re.IGNORECASE)
_USER = re.compile(r"(?P<path>.+?\.py):(?P<name>[A-Za-z_][A-Za-z0-9_]*)?", re.DOTALL)
_BARE = re.compile(r"\s*(?P<path>[^()]*\.py)\s*:?\s*(?P<parameters>\(.*\))?\s*", re.DOTALL)
"""A Python file without the name of what is meant in it."""
_FOLDERS = re.compile(r".*[\\/]", re.DOTALL)
_IN_PARAMETERS = re.compile(r"(?<=[=(,])[^=(,]*[\\/]")
_METHODS = ("initial_state", "next", "payoffs", "infoset")
"""By these methods a class is taken for a game, where the user has not said which one it is."""
_PAYOFFS: Final = tuple(kind for kind in GAMES if kind != GAME)
_EXAMPLES: Final = {
    "openspiel": "openspiel:kuhn_poker",
    "efg": "efg:file.efg",
    "payoffs": "payoffs:table.csv",
}
_NAME_A_GAME: Final = "name a game; `equilibrist games` lists them"
"""The remedy for a file of another program where a game was expected."""


@dataclass(frozen=True)
class Spec:
    """A game string taken apart; `path` is empty for the games that come with Equilibrist.

    `is_rules`: a rules module is meant; its path is its name, too. `foreign` is `openspiel`, `efg`
    or `payoffs` for what comes from elsewhere; its name is then all that stands behind the colon.
    """

    text: str
    name: str
    path: str = ""
    is_rules: bool = False
    foreign: str = ""
    params: dict[str, Value] = field(default_factory=dict)
    positions: dict[str, int] = field(default_factory=dict)
    """The column in `text` at which each parameter's name starts."""


def parse_spec(
    text: str,
    kind: str = "game",
    error: Callable[[str, str, int], EquilibristError] = unreadable_game,
) -> Spec:
    """Take a game string apart, or one for something else (`kind`) that users' files define.

    Raises what `error` makes, with the offending column and the remedy.
    """
    is_file = kind == "game" and looks_like_file(text)
    if is_file or (kind == "game" and f"{text}".endswith(".py")):
        with suppress(OSError, ValueError):  # such as a name that is too long
            if holds_payoffs(Path(text).expanduser()):
                return Spec(text, text, foreign="payoffs")
    if is_file:
        refuse_file(text)
        raise GameSpecError(
            f"there is no file {text}, nor a game of that name",
            text,
            0,
            option="file",
            given=text,
            remedy="check the name, and the folder that you are in; `equilibrist games` lists the "
            "games",
        )
    try:
        return _parsed(text, kind, error)
    except GameSpecError:
        if kind == "game":
            refuse_file(text)
        raise


def holds_payoffs(path: Path) -> bool:
    """Whether a file can be read as a payoff table.

    Its kind does not always say so: a table with labels may look like that of a strategy.
    """
    from equilibrist.storage.table_forms.payoffs import is_payoff_text

    kind = file_kind(path)
    if kind != CSV:
        return kind in _PAYOFFS
    try:
        return is_payoff_text(read_text_file(path), may_be_strategy=True)
    except FileFormatError:
        return False


def _is_payoff_table(path: Path) -> bool:
    """Whether payoffs can be read from a text, of a single row or column, too."""
    from equilibrist.storage.table_forms.payoffs import read_payoffs

    try:
        read_payoffs(read_text_file(path), path)
    except FileFormatError:
        return False
    return True


def file_in(text: str) -> slice | None:
    """Where the file stands in a game string; None where it names none.

    Nothing is read: the file need not exist, nor the text be a game at all.

    Args:
        text: The game string.
    """
    foreign = _FOREIGN.fullmatch(text)
    if foreign is not None and foreign["kind"] == "openspiel":
        return None
    rules = _RULES.match(text)
    if rules is not None and not rules["name"].endswith(".py"):
        return None
    for match, group in (
        (foreign, "name"),
        (_EFG.fullmatch(text), "name"),
        (rules, "name"),
        (_USER.match(text), "path"),
        (_BARE.fullmatch(text), "path"),
    ):
        if match is not None:
            return slice(*match.span(group))
    return slice(0, len(text)) if looks_like_file(text) else None


def without_folders(text: str) -> str:
    """A game string in which a file has its name alone: `rules.py:MyGame` of `a/rules.py:MyGame`.

    Args:
        text: The game string.
    """
    file = file_in(text)
    if file is not None:
        return f"{text[: file.start]}{_FOLDERS.sub('', text[file])}{text[file.stop :]}"
    if text.lstrip().startswith("openspiel:"):  # whose parameters may name files
        return _IN_PARAMETERS.sub("", text)
    return text


def refuse_file(text: object) -> None:
    """Raise GameSpecError if a text that names no game is the name of a file or a folder."""
    if not isinstance(text, str) or not text.strip():
        return
    with suppress(OSError, ValueError):
        path = Path(text)
        if not path.exists():
            return
        kind, description = file_kind(path), described(path, _NAME_A_GAME)
        if kind == GAME and path.suffix.lower() in (".py", ".efg"):
            return
        if description is None and path.is_dir():
            found = folder_error(path, "a game", GAMES)
            raise GameSpecError(found.problem, option="game", given=text, remedy=found.remedy)
        if description is None:
            description = "a file that cannot be read", None
        problem, remedy = f"{text} is not a game, but {description[0]}", description[1]
        if kind == GAME:
            problem = f"{text} is a game of Gambit's, but its name does not end in .efg"
        if kind in GAMES:
            remedy = f"write {game_argument(path, kind)}"
        if kind == CSV or (kind == TEXT and _is_payoff_table(path)):
            remedy = f"if it is a table of payoffs, write payoffs:{path}"
        place = None if kind is None else place_in(path, kind)
        raise GameSpecError(problem, option="game", given=text, place=place, remedy=remedy)


def _parsed(text: str, kind: str, error: Callable[[str, str, int], EquilibristError]) -> Spec:
    if not isinstance(text, str):
        raise GameSpecError(
            f"a game is named by a string such as 'kuhn', got {text!r}",
            option="game",
            given=text,
            expected="a text, such as 'kuhn'",
        )
    foreign = _foreign(text, kind)
    if foreign is not None:
        return foreign
    rules = _RULES.match(text)
    user = _USER.match(text) if rules is None else None
    bare = _BARE.fullmatch(text) if rules is None else None
    only = None if bare is None else _only_game(bare["path"], text, bare.end("path"))
    prefix = rules or user
    start = 0 if prefix is None else prefix.end()
    if bare is not None:
        start = bare.end() if bare["parameters"] is None else bare.start("parameters")
    reader = Reader(text, kind, error, start)
    if rules is not None:
        name = rules["name"]
        if not name:
            reader.fail("expected rules, as in rules:liars_dice or rules:my_rules.py")
        path = name if name.endswith(".py") else ""
    elif bare is not None and only is not None:
        path, name = bare["path"], only
    elif user is not None:
        if user["name"] is None:
            reader.fail("expected the name of a class, function or game, as in rules.py:MyGame")
        path, name = user["path"], user["name"]
    else:
        path, name = "", reader.take(_NAME, "expected the name of a game, such as kuhn or leduc")
    params, positions = reader.parameters()
    return Spec(text, name, path, rules is not None, "", params, positions)


def _foreign(text: str, kind: str) -> Spec | None:
    """A game of OpenSpiel's or a file of Gambit's, None for everything else."""
    if kind != "game":
        return None
    file = _EFG.fullmatch(text)
    foreign = _FOREIGN.fullmatch(text)
    if foreign is not None and not foreign["name"]:
        example = _EXAMPLES[foreign["kind"]]
        raise GameSpecError(
            f"{text!r} names no game",
            text,
            len(text),
            option="game",
            given=text,
            remedy=f"write for instance {example}",
        )
    if foreign is not None:
        return Spec(text, foreign["name"], foreign=foreign["kind"])
    return None if file is None else Spec(text, file["name"], foreign="efg")


def _only_game(path: str, text: str, position: int) -> str:
    """The name of the only game in a Python file; GameSpecError if there is none, or another."""

    def fail(message: str, **fields: Unpack[Fields]) -> GameSpecError:
        return GameSpecError(message, text, **fields)

    file = Path(path).expanduser()
    games: tuple[str, ...] = ()
    if not os.path.isfile(file):  # noqa: PTH113 - no error
        problem = f"the file {path!r} does not exist"
        remedy = f"give the path of a Python file, from the current folder, {Path.cwd()}"
    else:
        games = names_with_methods(path, _METHODS, "equilibrist.games")
        names = public_names(path)
        if len(games or names) == 1:
            return (games or names)[0]
        if games:
            problem = f"{path} has several games"
            remedy = f"choose one: {', '.join(f'{path}:{name}' for name in games)}"
        elif {"start", "apply", "key"} <= set(names):
            problem = f"{path} looks like a rules module"
            remedy = f"write rules:{path}"
        else:
            if not names:
                refuse_unreadable(path, fail)
            what = f"it defines {', '.join(names[:20])}" if names else "it defines nothing"
            problem = f"nothing in {path} looks like a game: {what}"
            remedy = (
                f"if one of these is or makes a game, name it: {path}:{names[0]}"
                if names
                else f"define a class with the methods {', '.join(METHODS)}"
            )
    raise GameSpecError(
        problem, text, position, option="game", given=text, expected=games or None, remedy=remedy
    )
