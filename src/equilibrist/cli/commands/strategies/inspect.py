"""`equilibrist inspect`: look into a strategy or a game, infoset by infoset, or draw it."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from equilibrist.cli.completion import values as completed
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.dispatch.accepted_files import kind_for, refuse_cards, refuse_options
from equilibrist.cli.inputs.parameters import takes
from equilibrist.cli.inputs.subject import VALUES_LIMIT, Subject
from equilibrist.cli.inputs.walking import Limits
from equilibrist.cli.text.infoset_text import infoset_documents, show_each, show_rows
from equilibrist.cli.text.output import heading, note, show, show_json, suggest, typed
from equilibrist.cli.text.quantities import read_count
from equilibrist.cli.text.strategy_table import StrategyTable
from equilibrist.cli.text.strategy_text import DEFAULT_ROWS, show_strategy
from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.formatting.amounts import counted_histories
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.options.option import DISPLAY
from equilibrist.storage.kinds.file_kinds import (
    BLUEPRINT,
    CARDS,
    CHARTS,
    CHECKPOINTS,
    DEVICE,
    PREFLOP_SOLUTION,
    SPOT_SOLUTION,
    words_of,
)

if TYPE_CHECKING:
    from equilibrist.rules.named_rows import NamedRows


FEW = 3
"""So many chosen infosets are shown with everything that is known about them."""

HELP = f"""Look into a strategy or a game: infosets, probabilities, reach, values; or draw the tree.

TARGET is a solution (a file, or a stored one: last, last-2), a table (.csv, .json, .parquet) or a
game. KEYs name infosets; without any, all are listed ({DEFAULT_ROWS} rows unless --all), or those
that --match, --regex and --player choose.

Reach is the probability that the infoset is reached under this strategy; counterfactual reach is
that probability if its player always plays towards it. A value is the player's expected payoff
given that the infoset is reached; cf value is that times counterfactual reach. They need the rules
and are shown for games of up to {VALUES_LIMIT:,} histories (--values, --no-values).

A strategy that was sampled without a tree is shown from its file, without its rules: the infosets
in the order of their packed keys. Only --values walks its game.

For a solved hold'em spot it shows the spot, the exploitability and a node: the root, or that of
--line. KEYs are then hands, such as AhKh or 77+. It does the same for blueprints, exact solutions
and charts; of push or fold a line has a letter for each seat that has acted, F folded or A all-in.
For a checkpoint it shows the run and the command that resumes it. For card buckets it shows what
they are.

\b
Examples:
  equilibrist inspect last 1pb
  equilibrist inspect last-2 --match "K*/J*" --player 0 --all
  equilibrist inspect dice.safetensors 13/1-2
  equilibrist inspect kuhn --draw kuhn.svg
  equilibrist inspect "kuhn(players=3)" --draw deal.svg --history 1,3,4
  equilibrist inspect last --draw kuhn.dot --json
  equilibrist inspect out.spot --line "X-B50"
  equilibrist inspect b.safetensors AhKh --line "R2.5-C|Td9d6h|X"
  equilibrist inspect chart.safetensors --line F-A --draw call.svg
  equilibrist inspect run.ckpt
  equilibrist inspect play.device
"""


_CHOSEN: Final = "Infosets"
_DRAWN: Final = "Drawing"
_MOST_DRAWN: Final = 400
"""Histories of a tree that is drawn, where --max-nodes says nothing else."""


@takes(options.WALK_OPTIONS, "limits")
def inspect(
    target: Annotated[
        str,
        options.word_argument(
            "TARGET",
            "A solution (a file, or last, last-2, ...), a table, checkpoint or device, or a game.",
            completed.games_or_solutions,
        ),
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
    line: Annotated[
        str,
        options.optional("--line", "LINE", "The node of a spot.  [default: the root]", _CHOSEN),
    ] = "",
    game: options.GameOption = None,
    draw: Annotated[
        Path | None,
        options.file(
            "--draw",
            "FILE",
            "Draw the tree as .svg, .png, .pdf or .dot; of a spot or a hand the grid as .svg.",
            _DRAWN,
        ),
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
    cards: options.MovedCards = None,
    *,
    limits: dict[str, Any],
    json: options.Json = False,
) -> None:
    """Show infosets, draw the tree, or both."""
    kind = kind_for("inspect", target)
    refuse_cards(target, kind, cards)
    if kind in (SPOT_SOLUTION, PREFLOP_SOLUTION, BLUEPRINT, *CHARTS, DEVICE, CARDS, *CHECKPOINTS):
        unused = {"--match": match, "--regex": regex, "--player": player, "--all": all_rows}
        unused |= {"--values": values, "--game": game, "--history": history}
        refuse_options(target, kind, {**unused, "--max-nodes": max_nodes})
    if kind == SPOT_SOLUTION:
        from equilibrist.cli.postflop.show import inspect_spot

        inspect_spot(Path(target), line, ",".join(keys or ()), draw=draw, json=json)
        return
    if kind in (PREFLOP_SOLUTION, *CHARTS):
        from equilibrist.cli.commands.strategies.hand_files import inspect_hands

        inspect_hands(Path(target), kind, line, ",".join(keys or ()), draw=draw, json=json)
        return
    if kind == BLUEPRINT:
        from equilibrist.cli.commands.holdem.blueprint_show import show_node

        hands = ",".join(keys or ()) or None
        show_node(Path(target), line or None, hand=hands, draw=draw, cards=cards, json=json)
        return
    if kind in (DEVICE, CARDS, *CHECKPOINTS):
        refuse_options(target, kind, {"KEY": keys, "--line": line, "--draw": draw})
        inspect_whole(Path(target), kind, json=json)
        return
    if line:
        raise ConfigError(
            f"--line names a node of a solved spot, and {target} is not one",
            option="--line",
            given=line,
            remedy="name infosets by their keys",
        )
    choice = Choice(tuple(keys or ()), match, regex, player)
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
        note(f"{counted_histories(count)} of {escape_control_chars(subject.name)} drawn to {draw}")
        if choice.is_everything and not (all_rows or json):
            _suggest(subject)
            return
    rows = subject.packed_rows(values)
    if rows is not None:
        _show_packed(subject, rows, choice, limit=None if all_rows else DEFAULT_ROWS, json=json)
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
        _suggest(subject)
    else:
        heading(subject.title)
        show()
        show_strategy(
            table.narrowed(chosen),
            limit=None if all_rows else DEFAULT_ROWS,
            see_all="add --all, or choose with --match, --regex, --player",
            whole=choice.is_everything,
        )
        _suggest(subject, table.keys[chosen[0]])


def _suggest(subject: Subject, key: str | None = None) -> None:
    """Print what may be typed next: to see an infoset if there is a `key`, else to play.

    Of a game without a strategy it is how to find one.
    """
    source = subject.source
    if source is None:
        suggest(f"equilibrist solve {typed(subject.target)}")
        return
    name, game = typed(source.path), source.game_option
    if key is not None:
        suggest(f"equilibrist inspect {name} {quote(key)}" + (game or ""))
    elif game is None:  # nor does the file say where its rules are
        suggest(f"equilibrist inspect {name}")
    elif source.packed is not None:
        suggest(f"equilibrist match {name} uniform{game}")
    else:
        suggest(f"equilibrist play {name} --coach{game}")


def _show_packed(
    subject: Subject, rows: NamedRows, choice: Choice, *, limit: int | None, json: bool
) -> None:
    """Show infosets of a strategy that was found without a tree; its game is not walked."""
    if choice.keys:
        table = choice.rows_by_key(rows)
        if json:
            _show_documents(subject, table)
        else:
            show_each(table, range(len(table.keys)), None)
            for key in choice.keys:
                if not rows.has(key):
                    show(f"{key} is not in the file: it is played uniformly")
            _suggest(subject)
        return
    chosen = choice.of_rows(rows)
    if json:
        _show_documents(subject, StrategyTable.of_rows(rows, chosen))
    elif not chosen:
        note(f"no infoset of {rows.game} matches")
    elif len(chosen) <= FEW and not choice.is_everything:
        show_each(StrategyTable.of_rows(rows, chosen), range(len(chosen)), None)
        _suggest(subject)
    else:
        heading(subject.title)
        if not rows.are_named:
            show(
                "Infosets are packed keys and actions are numbers: names need rules with unpack(), "
                "given by --game"
            )
        show()
        show_rows(rows, chosen, limit, "add --all, or choose with --match, --regex, --player")
        _suggest(subject, rows.name(chosen[0]))


def _show_documents(subject: Subject, table: StrategyTable) -> None:
    infosets = infoset_documents(table, range(len(table.keys)), None)
    show_json({"game": table.game, "file": subject.file, "infosets": infosets})


@dataclass(frozen=True)
class Choice:
    """Which infosets the user wants to see."""

    keys: tuple[str, ...]
    match: str | None
    regex: str | None
    player: int | None

    @property
    def is_everything(self) -> bool:
        """Whether nothing was chosen."""
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
        if self.player is not None:
            self._check_player(table.game, table.num_players)
            chosen = [i for i in chosen if table.players[i] == self.player]
        return [i for i in chosen if self._fits(table.keys[i])]

    def of_rows(self, rows: NamedRows) -> Sequence[int]:
        """The same for rows of a strategy without a tree, by everything but keys."""
        chosen: Sequence[int] = range(len(rows))
        if self.player is not None:
            if rows.players is None:
                raise ConfigError(
                    f"packed keys of {rows.game} do not tell which player acts",
                    option="--player",
                    given=self.player,
                    remedy="give rules with unpack() by --game, or leave it out",
                )
            self._check_player(rows.game, int(rows.players.max(initial=-1)) + 1)
            chosen = rows.of_player(self.player)
        if self.match is None and self.regex is None:
            return chosen
        return [i for i in chosen if self._fits(rows.name(i))]

    def rows_by_key(self, rows: NamedRows) -> StrategyTable:
        """The infosets with the chosen keys, uniform play where they have no row."""
        found = [rows.behaviour(key) for key in self.keys]
        return StrategyTable(
            rows.game,
            0,
            self.keys,
            [rows.player(key) for key in self.keys],
            [tuple(strategy) for strategy in found],
            [0, *accumulate(map(len, found))],
            [x for strategy in found for x in strategy.values()],
        )

    def _check_player(self, game: str, num_players: int) -> None:
        assert self.player is not None
        if not 0 <= self.player < num_players:
            raise ConfigError(
                f"--player {self.player}: {game} has players 0 to {num_players - 1}",
                option="--player",
                given=self.player,
                expected=f"0 to {num_players - 1}",
            )

    def _fits(self, key: str) -> bool:
        if self.match is not None and self._glob.match(key) is None:
            return False
        return self.regex is None or self._pattern.search(key) is not None

    @cached_property
    def _glob(self) -> re.Pattern[str]:
        return re.compile(fnmatch.translate(self.match or "*"))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        try:
            return re.compile(self.regex or "")
        except re.error as error:
            raise ConfigError(
                f"--regex {self.regex!r} is not a regular expression: {error}",
                option="--regex",
                given=self.regex,
                remedy="use --match with * and ?, or put a backslash before special characters",
            ) from None


def inspect_whole(file: Path, kind: str, *, json: bool) -> None:
    """Show a correlation device, card buckets or the checkpoint of a run."""
    if kind == DEVICE:
        from equilibrist.cli.text.device_text import device_gaps, show_device
        from equilibrist.equilibria import CorrelationDevice

        device = CorrelationDevice.load(file)
        show_device(device, device_gaps(device), file, json=json)
    elif kind == CARDS:
        from equilibrist.cli.commands.holdem.cards_text import show_file
        from equilibrist.poker.buckets.card_buckets import CardBuckets

        show_file(CardBuckets.load(file), json=json)
    else:
        from equilibrist.cli.inputs.dispatch.saved_runs import run_facts, show_run

        show_run(run_facts(file, kind), words_of(kind), json=json)
