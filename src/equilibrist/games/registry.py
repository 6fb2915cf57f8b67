"""The registry of games: from a game string to a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from equilibrist.errors import GameSpecError, UnknownNameError
from equilibrist.formatting.documents import document
from equilibrist.game import Game
from equilibrist.games.library.classics import (
    BattleOfTheSexes,
    BiasedRockPaperScissors,
    Chicken,
    Coordination,
    Gibson,
    HawkDove,
    MatchingPennies,
    PenaltyKick,
    PrisonersDilemma,
    RockPaperScissors,
    Shapley,
    StagHunt,
)
from equilibrist.games.library.dudo import Dudo
from equilibrist.games.library.goofspiel import Goofspiel
from equilibrist.games.library.kuhn import Kuhn
from equilibrist.games.library.kuhn_bets import KuhnBets
from equilibrist.games.library.leduc import Leduc
from equilibrist.games.library.liar_die import LiarDie
from equilibrist.games.library.liars_dice import LiarsDice
from equilibrist.games.library.matrix import MatrixGame
from equilibrist.games.library.random_tree import RandomTree
from equilibrist.games.library.sheriff import Sheriff
from equilibrist.games.library.textbook_tables import (
    BeautyContest,
    ColonelBlotto,
    Morra,
    TravelersDilemma,
    VolunteersDilemma,
)
from equilibrist.games.library.textbook_trees import (
    Centipede,
    Chsh,
    EntryDeterrence,
    ExtendedShapley,
    GreenwaldSarfati,
    OutsideOption,
    Signalling,
    Ultimatum,
)
from equilibrist.games.parameters import REQUIRED, NamedGame, Parameter
from equilibrist.games.spec import Spec, parse_spec, refuse_file
from equilibrist.games.user_games import load_user_game
from equilibrist.parsing.call_text import check_names

GAMES: tuple[type[NamedGame], ...] = (
    Kuhn,
    KuhnBets,
    Leduc,
    LiarsDice,
    Dudo,
    LiarDie,
    Goofspiel,
    RockPaperScissors,
    BiasedRockPaperScissors,
    MatchingPennies,
    BattleOfTheSexes,
    Shapley,
    Chicken,
    Gibson,
    PrisonersDilemma,
    StagHunt,
    HawkDove,
    Coordination,
    PenaltyKick,
    ColonelBlotto,
    Morra,
    TravelersDilemma,
    VolunteersDilemma,
    BeautyContest,
    EntryDeterrence,
    Centipede,
    Ultimatum,
    Signalling,
    ExtendedShapley,
    GreenwaldSarfati,
    OutsideOption,
    Chsh,
    Sheriff,
    MatrixGame,
    RandomTree,
)


@dataclass(frozen=True)
class GameInfo:
    """A game that comes with Equilibrist.

    Attributes:
        name: Its name in game strings.
        summary: What it is, in a line.
        parameters: What can be set in brackets.
        aliases: Other names.
    """

    name: str
    summary: str
    parameters: tuple[Parameter, ...]
    aliases: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Describe the game as plain texts, numbers and lists.

        Returns:
            What `equilibrist games --json` prints of it.
        """
        return document(self, "name summary aliases parameters")


def list_games() -> list[GameInfo]:
    """List the games that come with Equilibrist.

    Returns:
        One entry per game.
    """
    return [GameInfo(g.game_name, g.summary, g.parameters(), g.aliases) for g in GAMES]


def load_game(spec: str, **params: Any) -> Game[Any]:
    """Make the game that a text names.

    Args:
        spec: `name`, `name(key=value,...)`, or `path/rules.py:MyGame` with or without parameters
            for a class, function or game of your own (`path/rules.py` if the file has one), or
            `rules:name` or `rules:path/my_rules.py` for rules that can be sampled without a tree
            (`equilibrist.rules`).
            `openspiel:NAME(...)` is a game of OpenSpiel's, `path/file.efg` a file of Gambit's,
            `path/table.csv` (or .nfg, .npy, .txt, ...) a payoff table.
        params: Further parameters.

    Returns:
        The game.

    Raises:
        GameSpecError: The text cannot be read, a value is out of range, or a file fails.
        UnknownNameError: There is no such game or parameter.
        ConfigError: OpenSpiel is not installed.
    """
    parsed = parse_spec(spec)
    if parsed.foreign:
        return _from_elsewhere(parsed, params)
    for name, value in params.items():
        if name in parsed.params:
            raise GameSpecError(
                f"the parameter {name!r} is given both in {spec!r} and as a keyword",
                spec,
                parsed.positions[name],
                option=name,
                given=value,
                remedy="keep one",
            )
    values = {**parsed.params, **params}
    if parsed.is_rules:
        from equilibrist.rules.game import rules_game
        from equilibrist.rules.module import load_rules

        return rules_game(load_rules(parsed.name, **values))
    if parsed.path:
        return load_user_game(parsed, values)
    game = _named(parsed)
    declared = {p.name: p for p in game.parameters()}
    check_names(game.game_name, values, list(declared))
    missing = [n for n, p in declared.items() if p.default is REQUIRED and n not in values]
    if missing:
        raise GameSpecError(
            f"{game.game_name} needs the parameter {missing[0]!r} ({declared[missing[0]].doc})",
            spec,
            option=missing[0],
            remedy=f"for instance {game.summary.rpartition(' ')[2]}",
        )
    loaded: Any = game(**{declared[name].attribute: value for name, value in values.items()})
    return loaded  # type: ignore[no-any-return]


def _from_elsewhere(spec: Spec, params: dict[str, Any]) -> Game[Any]:
    if params:
        raise GameSpecError(
            f"{spec.text!r} takes no keyword parameters",
            spec.text,
            option=next(iter(params)),
            remedy=(
                "write them in its brackets, as in openspiel:kuhn_poker(players=3)"
                if spec.foreign == "openspiel"
                else "leave them out: the file defines the game"
            ),
        )
    if spec.foreign == "openspiel":
        from equilibrist.games.openspiel import load_openspiel_game

        return load_openspiel_game(spec.name)
    if spec.foreign == "payoffs":
        from equilibrist.games.payoffs import load_payoffs

        return load_payoffs(spec.name)
    from equilibrist.games.efg.game import load_efg

    return load_efg(spec.name)


def _named(spec: Spec) -> type[NamedGame]:
    wanted = spec.name.lower().replace("-", "_")
    for game in GAMES:
        if wanted == game.game_name or wanted in game.aliases:
            return game
    refuse_file(spec.text)
    known = [name for game in GAMES for name in (game.game_name, *game.aliases)]
    raise UnknownNameError(
        "game", wanted, known, "(`equilibrist games` lists them; your own is rules.py:MyGame)"
    )
