"""The strategies that commands take: a solution file, or a table, and its game."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    GameSpecError,
    MemoryBudgetError,
    MismatchError,
    UnknownNameError,
)
from equilibrist.options.defaults import UNIFORM
from equilibrist.storage.archive import file_kind
from equilibrist.storage.kinds.file_kinds import (
    GAMES,
    PACKED,
    TABLES,
    TEXT,
    looks_like_file,
    missing_file,
)

if TYPE_CHECKING:
    from equilibrist.game import Game
    from equilibrist.library.limits import Limits
    from equilibrist.results import Result, StoredStrategy
    from equilibrist.results.stored_abstraction import StoredAbstraction
    from equilibrist.results.stored_actions import StoredActions
    from equilibrist.rules.strategy import PackedStrategy
    from equilibrist.storage.tables import TableFile
    from equilibrist.strategy import Strategy
    from equilibrist.tree.compile import GameTree


@dataclass(frozen=True)
class Source:
    """A file with a strategy, or uniform play of a game, where nothing has to be opened.

    At most one of `solution`, `table` and `packed` is not None; none of them for uniform play.

    Attributes:
        path: The file; `UNIFORM` for uniform play.
        game: The string that names its game.
        named_by_file: Whether the file gave that string, not the user.
        solution: What the file of a solution holds.
        table: What a table holds.
        packed: What the file of a strategy without a tree holds.
        by_option: Whether the user named the game with --game, which could be left out.
        note: Called with what a table of a strategy leaves open, a sentence at a time; without it
            these are Python warnings.
    """

    path: Path
    game: str
    named_by_file: bool
    solution: Result[StoredStrategy] | None
    table: TableFile | None
    packed: PackedStrategy | None = None
    by_option: bool = True
    note: Callable[[str], None] | None = None

    @property
    def abstraction(self) -> StoredAbstraction | None:
        """The map of infosets with which a solution was found, if any."""
        return None if self.solution is None else self.solution.abstraction

    @property
    def loaded_from(self) -> str | None:
        """The text that loaded the game of a solution, where it is that of a file."""
        return None if self.solution is None else self.solution.strategy.loaded_from

    @property
    def game_to_name(self) -> str | None:
        """The game that commands on the file must be told to find its rules; None for none.

        Nothing is run to find out: the file of the rules must be where it was.
        """
        if not self.named_by_file:
            return self.game
        texts = (self.loaded_from, None if is_ours(self.game) else self.game)
        return next((text for text in texts if text and has_rules(text)), None)

    @property
    def likely_rules(self) -> str:
        """What a user may try where the file does not lead to its rules."""
        return self.game if self.packed is not None else self.loaded_from or "rules.py:MyGame"

    @property
    def is_loadable(self) -> bool:
        """Whether commands on the file find its rules, where they are told `game_to_name`."""
        is_built_in = self.loaded_from is None and is_ours(self.game)
        return is_built_in or self.game_to_name is not None

    @property
    def actions(self) -> StoredActions | None:
        """The actions with which a solution was found, if some were left out."""
        return None if self.solution is None else self.solution.actions

    def load_game(self) -> Game[Any]:
        """The rules. Python files run only if the user names them, not because a file does."""
        from equilibrist.games import load_game
        from equilibrist.games.spec import parse_spec

        if not self.named_by_file:
            return load_game(self.game)
        fault = f"{self.path} is a strategy of {self.game!r}"
        has_own_rules = self.loaded_from is not None and has_rules(self.loaded_from)
        try:
            if not parse_spec(self.game).path:
                return load_game(self.game)
        except UnknownNameError as error:
            if "(" in self.game or (error.suggestions and not has_own_rules):
                raise ConfigError(
                    f"{fault}: {error}",
                    option="--game",
                    given=self.game,
                    remedy=f"give the game with --game {quote(self.loaded_from or 'GAME')}",
                ) from None
        except GameSpecError as error:
            if "(" in self.game:
                raise ConfigError(
                    f"{fault}: {error}\nGive the game with --game GAME",
                    option="--game",
                    given=self.game,
                ) from None
        raise ConfigError(
            f"{fault}, which is not a built-in game",
            option="--game",
            given=self.game,
            remedy=f"say where its rules are: --game {quote(self.likely_rules)}",
        )

    def compile(self, limits: Limits) -> GameTree:
        """The compiled game; ConfigError if a strategy was found without it as it is too large."""
        try:
            return limits.compile(self.load_game())
        except MemoryBudgetError as error:
            if self.packed is None:
                raise
            raise ConfigError(
                f"{error.problem}. Exact evaluation of {self.path} needs the full tree; estimate "
                "it by play, with --against uniform or another such file",
                option="game",
                given=self.game,
            ) from None

    def strategy(self, tree: GameTree) -> Strategy:
        """The strategy on `tree`; raises MismatchError or UnknownNameError if it is another's."""
        if self.solution is not None:
            if tree.fingerprint != self.solution.strategy.fingerprint:
                raise self._other_game(self.solution.game, tree)
            return self.solution.strategy.on(tree)
        from equilibrist.strategy import Strategy

        if self.table is None and self.packed is None:
            return Strategy.uniform(tree)

        if self.packed is not None:
            try:
                return Strategy.from_packed(tree, self.packed)
            except MismatchError:  # whose remedy is Python's
                raise self._other_game(self.packed.game, tree) from None
        assert self.table is not None
        if self.named_by_file and self.table.fingerprint not in (None, tree.fingerprint):
            raise self._other_game(self.game, tree)
        if self.note is None:
            return Strategy.from_table(tree, self.table)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            strategy = Strategy.from_table(tree, self.table)
        for warning in caught:
            self.note(f"{warning.message}")
        return strategy

    def _other_game(self, own: str, tree: GameTree) -> MismatchError:
        """The error for the strategy of a game `own`, where one of another tree was expected."""
        mine, other = repr(own), repr(tree.name)
        what = "a solution" if self.packed is None else "a strategy"
        fault = f"{self.path} is {what} of {mine}, not of {other}"
        remedy = "name its own rules"
        if self.by_option and is_ours(own):
            remedy = f"leave out --game, or name {mine}"
        elif not self.by_option and self.packed is not None:
            remedy = f"name its own rules, {mine}, in place of {other}"
        elif not self.by_option:
            remedy = f"give a strategy of {other}"
        if self.packed is None:  # whose infosets are named by its rules alone, and may be missing
            remedy += (
                ", or carry it over by name: "
                f"equilibrist export {quote(str(self.path))} TABLE.csv, then give TABLE.csv"
            )
            if self.by_option:
                remedy += f" with --game {quote(self.game)}"
        if mine == other:
            fault = (
                f"{self.path} is {what} of {mine}, but of other rules than those of "
                f"{self.game}, though the name is the same"
            )
            rules = None if self.loaded_from == self.game else self.loaded_from
            remedy = "solve the game again, or name the rules it was solved with"
            if self.by_option:
                remedy += f": --game {quote(rules) if rules else 'GAME'}"
            elif rules:
                remedy += f": {rules}"
        return MismatchError(fault, option="game", given=own, expected=tree.name, remedy=remedy)


def is_ours(game: str) -> bool:
    """Whether a string names a game that comes with Equilibrist."""
    from equilibrist.games import load_game
    from equilibrist.games.spec import parse_spec

    try:
        return not parse_spec(game).path and bool(load_game(game))
    except EquilibristError:
        return False


def naming_game(game: str, file: Path) -> str | None:
    """The game, if a strategy that was written to `file` needs it to be read again; else None."""
    return None if file.suffix.lower() == ".safetensors" and is_ours(game) else game


def has_rules(game: str) -> bool:
    """Whether a string names a game whose rules are at hand; files of Python are not run."""
    from equilibrist.games.spec import parse_spec

    try:
        spec = parse_spec(game)
    except EquilibristError:
        return False
    file = spec.path or (spec.name if spec.foreign in ("efg", "payoffs") else "")
    return Path(file).expanduser().is_file() if file else is_ours(game)


def open_strategy(
    path: Path,
    game: str | None = None,
    *,
    by_option: bool = True,
    note: Callable[[str], None] | None = None,
) -> Source:
    """Open a strategy file. `game` overrides the game it names; a table may name none.

    `UNIFORM` is uniform play of `game`, unless a file is called so.

    `by_option` says that `game` is the value of --game, not an argument of the command; `note` is
    that of `Source`.

    Raises FileFormatError for what cannot be read, ConfigError if the game is unknown.
    """
    if not os.path.exists(path):  # noqa: PTH110 - no error
        if str(path) == UNIFORM and game is not None:
            return Source(path, game, False, None, None, by_option=by_option, note=note)
        raise missing_file(path)
    kind = file_kind(path)
    solution: Result[StoredStrategy] | None = None
    table: TableFile | None = None
    packed: PackedStrategy | None = None
    if kind in TABLES:
        from equilibrist.storage.tables import read_table_file

        table = read_table_file(path)
        named = game or table.game
    elif kind == PACKED:
        from equilibrist.rules.strategy import PackedStrategy

        packed = PackedStrategy.load(path)
        named = game or packed.game
    else:
        from equilibrist.results.result import read_solution

        solution = read_solution(path)
        named = game or solution.game
    if named is None:
        raise ConfigError(
            f"{path} does not say of which game it is",
            option="--game",
            given=path,
            remedy=(
                "say it with --game GAME: a name that `equilibrist games` lists, or rules.py:MyGame"
            ),
        )
    return Source(
        path=path,
        game=named,
        named_by_file=game is None,
        solution=solution,
        table=table,
        packed=packed,
        by_option=by_option,
        note=note,
    )


def is_file(text: str) -> bool:
    """Whether an argument that may be a file or a game is meant as a file.

    Raises FileFormatError where it can only be a file, and there is none.
    """
    path = Path(text)
    if looks_like_file(text) and not os.path.exists(path):  # noqa: PTH110 - no error
        raise missing_file(text)
    kind = file_kind(path)
    if kind in GAMES or not path.is_file():
        return False
    return re.fullmatch(r"\w+", text) is None or (kind is not None and kind != TEXT)


def refuse_game(game: str | None, target: str) -> None:
    """Raise ConfigError where --game is given, and `target` is a game itself."""
    if game is not None:
        raise ConfigError(
            f"--game names the game of a strategy file, and {target!r} is none",
            option="--game",
            given=game,
            remedy="leave out --game",
        )


def matching_rules(source: Source, max_nodes: int, limits: Limits) -> GameTree | None:
    """The compiled game of a solution, if its rules are at hand, unchanged and small enough.

    For rules that the user named, every error is raised.
    """
    if source.solution is not None and source.solution.num_nodes > max_nodes:
        return None
    if not source.named_by_file:
        return limits.compile(source.load_game())
    try:
        tree = limits.at_most(max_nodes).compile(source.load_game())
    except EquilibristError:
        return None
    if source.solution is not None and tree.fingerprint != source.solution.strategy.fingerprint:
        return None
    return tree
