"""`equilibrist inspect`: look into a strategy or a game, infoset by infoset, or draw it."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import takes
from equilibrist.cli.inputs.subject import VALUES_LIMIT, Subject
from equilibrist.cli.inputs.walking import Limits
from equilibrist.cli.text.infoset_text import infoset_documents, show_each
from equilibrist.cli.text.output import heading, note, show, show_json
from equilibrist.cli.text.quantities import read_count
from equilibrist.cli.text.strategy_table import StrategyTable
from equilibrist.cli.text.strategy_text import DEFAULT_ROWS, show_strategy
from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.options.option import DISPLAY

FEW = 3
"""So many chosen infosets are shown with everything that is known about them."""

HELP = f"""Look into a strategy or a game: infosets, probabilities, reach, values; or draw the tree.

TARGET is a solution file, a table (.csv, .json, .parquet) or a game. KEYs name infosets; without
any, all are listed ({DEFAULT_ROWS} rows unless --all), or those that --match, --regex and --player
choose.

Reach is the probability that the infoset is reached under this strategy; counterfactual reach is
that probability if its player always plays towards it. A value is the player's expected payoff
given that the infoset is reached; cf value is that times counterfactual reach. They need the rules
and are shown for games of up to {VALUES_LIMIT:,} histories (--values, --no-values).

\b
Examples:
  equilibrist inspect kuhn-dcfr.safetensors 1pb
  equilibrist inspect leduc-dcfr.safetensors --match "K*/J*" --player 0 --all
  equilibrist inspect kuhn --draw kuhn.svg
  equilibrist inspect "kuhn(players=3)" --draw deal.svg --history 1,3,4
  equilibrist inspect kuhn-dcfr.safetensors --draw kuhn.dot --json
"""


_CHOSEN: Final = "Infosets"
_DRAWN: Final = "Drawing"
_MOST_DRAWN: Final = 400
"""Histories of a tree that is drawn, where --max-nodes says nothing else."""


@takes(options.GAME_LIMITS, "limits")
def inspect(
    target: Annotated[
        str,
        options.argument("TARGET", "A solution, a table, or a game."),
    ],
    keys: Annotated[
        list[str] | None,
        options.argument("KEY...", "Infosets to look up."),
    ] = None,
    match: Annotated[
        str | None,
        options.optional(
            "--match", "GLOB", "Only infosets whose whole key matches, with * and ?.", _CHOSEN
        ),
    ] = None,
    regex: Annotated[
        str | None,
        options.optional(
            "--regex",
            "RE",
            "Only infosets whose key contains a match of this regular expression.",
            _CHOSEN,
        ),
    ] = None,
    player: Annotated[
        int | None, options.whole("--player", "N", "Only this player's.", _CHOSEN)
    ] = None,
    all_rows: Annotated[bool, options.switch("--all", "Show all rows.", DISPLAY)] = False,
    values: Annotated[
        bool | None,
        typer.Option(
            "--values/--no-values",
            show_default=False,
            help="Compute reach and values, or not.",
            rich_help_panel=DISPLAY,
        ),
    ] = None,
    game: options.GameOption = None,
    draw: Annotated[
        Path | None,
        options.file("--draw", "FILE", "Draw the tree as .svg or .dot.", _DRAWN),
    ] = None,
    history: Annotated[
        str | None,
        options.optional(
            "--history",
            "MOVES",
            "Draw only what follows these moves from the root, chance included: 1,3,4.",
            _DRAWN,
            short="--deal",
        ),
    ] = None,
    max_nodes: Annotated[
        str | None,
        options.optional(
            "--max-nodes", "N", f"Refuse to draw larger trees.  [default: {_MOST_DRAWN}]", _DRAWN
        ),
    ] = None,
    *,
    limits: dict[str, Any],
    json: options.Json = False,
) -> None:
    """Show infosets, draw the tree, or both."""
    choice = _Choice(tuple(keys or ()), match, regex, player)
    for flag, given in (("--history", history), ("--max-nodes", max_nodes)):
        if given is not None and draw is None:
            raise ConfigError(
                f"{flag} chooses what --draw draws",
                option=flag,
                given=given,
                remedy="give --draw FILE with it",
            )
    subject = Subject.of(target, game, Limits(**limits))
    if draw is not None:
        most = _MOST_DRAWN if max_nodes is None else read_count(max_nodes, "max_nodes")
        count = subject.draw(draw, history, most)
        note(f"{count} histories of {escape_control_chars(subject.name)} drawn to {draw}")
        if choice.is_everything and not (all_rows or json):
            return
    table, values_found = subject.table(values)
    chosen = choice.of(table)
    if json:
        infosets = infoset_documents(table, chosen, values_found)
        show_json({"game": table.game, "file": subject.file, "infosets": infosets})
    elif not chosen:
        note(f"no infoset of {table.game} matches")
    elif choice.keys or (len(chosen) <= FEW and not choice.is_everything):
        show_each(table, chosen, values_found)
    else:
        heading(subject.title)
        show()
        show_strategy(
            table.narrowed(chosen),
            limit=None if all_rows else DEFAULT_ROWS,
            see_all="add --all, or choose with --match, --regex, --player",
            whole=choice.is_everything,
        )


@dataclass(frozen=True)
class _Choice:
    """Which infosets the user wants to see."""

    keys: tuple[str, ...]
    match: str | None
    regex: str | None
    player: int | None

    @property
    def is_everything(self) -> bool:
        return not self.keys and (self.match, self.regex, self.player) == (None, None, None)

    def of(self, table: StrategyTable) -> list[int]:
        """Public numbers of the chosen infosets; UnknownNameError for a key there is not."""
        chosen: Sequence[int] = range(len(table.keys))
        if self.keys:
            known = {key: i for i, key in enumerate(table.keys)}
            for key in self.keys:
                if key not in known:
                    kind = f"infoset of {table.game}"
                    raise UnknownNameError(kind, key, list(table.keys)[:5000], option="infoset")
            chosen = [known[key] for key in self.keys]
        if self.match is not None:
            fits = re.compile(fnmatch.translate(self.match)).match
            chosen = [i for i in chosen if fits(table.keys[i])]
        if self.regex is not None:
            chosen = [i for i in chosen if self._pattern().search(table.keys[i])]
        if self.player is not None:
            if not 0 <= self.player < table.num_players:
                raise ConfigError(
                    f"--player {self.player}: {table.game} has players 0 to "
                    f"{table.num_players - 1}",
                    option="--player",
                    given=self.player,
                )
            chosen = [i for i in chosen if table.players[i] == self.player]
        return list(chosen)

    def _pattern(self) -> re.Pattern[str]:
        try:
            return re.compile(self.regex or "")
        except re.error as error:
            raise ConfigError(
                f"--regex {self.regex!r} is not a regular expression: {error}",
                option="--regex",
                given=self.regex,
            ) from None
