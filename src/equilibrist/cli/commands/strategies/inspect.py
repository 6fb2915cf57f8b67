"""`equilibrist inspect`: look into a strategy or a game, infoset by infoset, or draw it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shlex import split
from typing import TYPE_CHECKING, Annotated, Any, Final

from equilibrist.cli.commands.holdem.files import HOLDEM, handle
from equilibrist.cli.completion import values as completed
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.walking import ReportOptions
from equilibrist.cli.text.infoset_text import show_each, show_rows
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import heading, note, show, show_facts, show_json, suggest
from equilibrist.cli.text.result_text import losses_text, network_lines
from equilibrist.cli.text.strategy_text import DEFAULT_ROWS, show_strategy
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted_histories, measure_text, seconds_text
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.library.kinds import kind_for, refuse_cards, refuse_options
from equilibrist.library.strategy_table import Choice, StrategyTable, infoset_documents
from equilibrist.library.subject import VALUES_LIMIT, Subject
from equilibrist.options.option import DISPLAY, by_flag, declare, shared
from equilibrist.storage.archive import kind_of
from equilibrist.storage.kinds.file_kinds import (
    CARDS,
    CHECKPOINTS,
    DEVICE,
    HOLDEM_CHECKPOINT,
    HOLDEM_NETWORK,
    VALUE_NETWORK,
    words_of,
)

if TYPE_CHECKING:
    from equilibrist.rules.named_rows import NamedRows


FEW = 3
"""So many chosen infosets are shown with everything that is known about them."""

HELP = f"""Look into a strategy or a game: infosets, probabilities, reach, values; or draw the tree.

KEYs name infosets, as they are shown or as files have them (Jpb or 1pb of Kuhn poker). Without any,
all are listed ({DEFAULT_ROWS} rows unless --all), or those that --match, --regex and --player
choose.

Reach is the probability that the infoset is reached under this strategy; counterfactual reach is
that probability if its player always plays towards it. A value is the player's expected payoff
given that the infoset is reached; cf value is that times counterfactual reach. They need the rules
and are shown for games of up to {VALUES_LIMIT:,} histories (--values, --no-values).

A strategy that was sampled without a tree is shown from its file, without its rules: the infosets
in the order of their packed keys. Only --values walks its game.

For a solved hold'em spot it shows the spot, the exploitability and a node: the root, or that of
--line. KEYs are then hands, such as AhKh or 77+. It does the same for spots of three players,
blueprints, exact solutions and charts; of push or fold a line has a letter for each seat that
decided before: F folded, A went all-in or called. For a checkpoint it shows the run and the command
that resumes it, for card buckets and networks what they are: of a network its game or street,
layers, features, and losses.

\b
Examples:
  equilibrist inspect last Jpb
  equilibrist inspect last-2 --match "K*/J*" --player 0 --all
  equilibrist inspect dice.safetensors 13/1-2
  equilibrist inspect kuhn --draw kuhn.svg
  equilibrist inspect "kuhn(players=3)" --draw deal.svg --history 1,3,4
  equilibrist inspect last --draw kuhn.dot --json
  equilibrist inspect out.spot --line "X-B50"
  equilibrist inspect b.safetensors AhKh --line "R2.5-C|Td9d6h|X"
  equilibrist inspect chart.safetensors --line F-A --draw call.svg
  equilibrist inspect run.ckpt
  equilibrist inspect turn.safetensors
  equilibrist inspect play.device
"""


_CHOSEN: Final = "Infosets"
_DRAWN: Final = "Drawing"
_CHOOSING: Final = ("match", "regex", "player", "all_rows", "history", "max_nodes")
"""Options on which infosets are listed or drawn, which say nothing of one that is named."""
_OF_GAMES: Final = ("match", "regex", "player", "all_rows", "values", "history", "max_nodes")
"""Options on infosets, for which there are none where a file is shown whole, or of hold'em."""
_MOST_DRAWN: Final = 400
"""Histories of a tree that is drawn, where --max-nodes says nothing else."""


@dataclass(frozen=True)
class InspectOptions:
    """Which infosets are shown or drawn, and how; None for what was not typed."""

    match: str | None = declare(
        "text", _CHOSEN, "Only infosets whose whole key matches, with * and ?.", metavar="GLOB"
    )
    regex: str | None = declare(
        "text",
        _CHOSEN,
        "Only infosets whose key contains a match of this regular expression.",
        metavar="RE",
    )
    player: int | None = declare("whole number", _CHOSEN, "Only this player's.")
    all_rows: bool = declare("switch", DISPLAY, "Show all rows.", flags=("--all",))
    values: bool | None = declare(
        "switch", DISPLAY, "Compute reach and values, or not.", flags=("--values/--no-values",)
    )
    line: str | None = declare(
        "text", _CHOSEN, "The node of a spot.", metavar="LINE", default_text="the root"
    )
    game: str | None = shared(options.GAME)
    draw: Path | None = declare(
        "file",
        _DRAWN,
        "Draw the tree as .svg, .png, .pdf or .dot; of a spot or a hand the grid as .svg.",
    )
    history: str | None = declare(
        "text",
        _DRAWN,
        "Draw only what follows these moves from the root, chance included: 1,3,4.",
        metavar="MOVES",
        flags=("--history", "--deal"),
    )
    max_nodes: int | None = declare(
        "count", _DRAWN, "Refuse to draw larger trees.", default_text=f"{_MOST_DRAWN}"
    )
    cards: Path | None = shared(options.MOVED_CARDS)

    @property
    def limit(self) -> int | None:
        """The most rows that are listed; None for all."""
        return None if self.all_rows else DEFAULT_ROWS

    def check(self, target: str) -> None:
        """ConfigError for options of spots, and of drawings where nothing is drawn."""
        if self.line:
            raise ConfigError(
                f"--line names a node of a solved spot, and {target} is not one",
                option="--line",
                given=self.line,
                remedy="name infosets by their keys",
            )
        for flag, value in by_flag(self, "history", "max_nodes").items():
            if value is not None and self.draw is None:
                raise ConfigError(
                    f"{flag} chooses what --draw draws",
                    option=flag,
                    given=value,
                    remedy="give --draw FILE with it",
                )


@with_options
def inspect(
    target: Annotated[
        str,
        options.word_argument(
            "TARGET",
            "A solution (a file, or last, last-2, ...), a table, checkpoint, network or device, or "
            "a game.",
            completed.games_or_solutions,
        ),
    ],
    chosen: InspectOptions,
    walk: ReportOptions,
    keys: Annotated[list[str] | None, options.argument("KEY...", "Infosets to look up.")] = None,
) -> None:
    """Show infosets, draw the tree, or both."""
    kind = kind_for("inspect", target)
    refuse_cards(target, kind, chosen.cards)
    if kind == DEVICE:
        _show_device(Path(target), keys or [], chosen, walk)
        return
    if kind is not None and (kind in HOLDEM or kind in _WHOLE):
        _show_file(target, kind, keys or [], chosen, json=walk.json)
        return
    choice = Choice(tuple(keys or ()), chosen.match, chosen.regex, chosen.player)
    chosen.check(target)
    subject = Subject.of(target, chosen.game, walk.limits, note)
    if chosen.draw is not None:
        most = _MOST_DRAWN if chosen.max_nodes is None else chosen.max_nodes
        count = subject.draw(chosen.draw, chosen.history, most)
        name = escape_control_chars(subject.name)
        note(f"{counted_histories(count)} of {name} drawn to {chosen.draw}")
        if choice.is_everything and not (chosen.all_rows or walk.json):
            _suggest(subject)
            return
    rows = subject.packed_rows(chosen.values)
    if rows is not None:
        _show_packed(subject, rows, choice, limit=chosen.limit, json=walk.json)
    else:
        _show_table(subject, choice, chosen, json=walk.json)


def _show_file(
    target: str, kind: str, keys: list[str], chosen: InspectOptions, *, json: bool
) -> None:
    """Show a file of hold'em, or one that is shown whole."""
    refuse_options(target, kind, by_flag(chosen, *_OF_GAMES, "game"))
    line, draw, cards = chosen.line or "", chosen.draw, chosen.cards
    if kind in HOLDEM:
        hands = ",".join(keys)
        handle("inspect", kind, Path(target), line, hands, draw=draw, cards=cards, json=json)
    else:
        refuse_options(target, kind, {"KEY": keys, **by_flag(chosen, "line", "draw")})
        _WHOLE[kind](Path(target), json=json)


def _show_table(subject: Subject, choice: Choice, chosen: InspectOptions, *, json: bool) -> None:
    """Show the infosets of a game or of a strategy for its tree."""
    table, values = subject.table(chosen.values)
    places = choice.of(table)
    networks = subject.networks
    if json:
        infosets = infoset_documents(table, places, values)
        document = {"game": table.game, "file": subject.file, "infosets": infosets}
        show_json(document if networks is None else {**document, "networks": networks.to_dict()})
    elif not places:
        note(f"no infoset of {table.game} matches")
    elif choice.keys or (len(places) <= FEW and not choice.is_everything):
        show_each(table, places, values)
        _suggest(subject)
    else:
        heading(subject.title)
        if networks is not None:
            show_facts(network_lines(networks.to_dict()))
        show()
        show_strategy(
            table.narrowed(places),
            limit=chosen.limit,
            see_all="add --all, or choose with --match, --regex, --player",
            whole=choice.is_everything,
        )
        _suggest(subject, table.shown(places[0]))


def _suggest(subject: Subject, key: str | None = None) -> None:
    """Print what may be typed next: to see an infoset if there is a `key`, else to play.

    Of a game without a strategy it is how to find one.
    """
    source = subject.source
    if source is None:
        # `check` has seen all payoffs, which say what solves a game whose players forget.
        command = "check" if subject.forgets else "solve"
        suggest(next_command(command, subject.target))
        return
    name, game = source.path, source.game_to_name
    if key is not None:
        suggest(next_command("inspect", name, key, game=game, without=_CHOOSING))
    elif not source.is_loadable:  # nor does the file say where its rules are
        suggest(next_command("inspect", name, without=_CHOOSING))
    elif source.packed is not None:
        suggest(next_command("match", name, "uniform", game=game))
    else:
        suggest(next_command("play", name, coach=True, game=game))


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


def _show_device(file: Path, keys: list[str], chosen: InspectOptions, walk: ReportOptions) -> None:
    """Show a device whole, of the game that it names or of that of --game."""
    from equilibrist.cli.text.device_text import device_gaps, show_device
    from equilibrist.equilibria import CorrelationDevice
    from equilibrist.games import load_game

    unused = by_flag(chosen, *_OF_GAMES, "line", "draw")
    refuse_options(file, DEVICE, {"KEY": keys, **unused})
    tree = None if chosen.game is None else walk.limits.compile(load_game(chosen.game))
    device = CorrelationDevice.load(file, tree)
    show_device(device, device_gaps(device), file, json=walk.json)


def _show_cards(file: Path, *, json: bool) -> None:
    from equilibrist.cli.commands.holdem.cards_text import show_file
    from equilibrist.poker.buckets.card_buckets import CardBuckets

    show_file(CardBuckets.load(file), json=json)


def _show_run(file: Path, *, json: bool) -> None:
    """Print the facts of a saved run."""
    from equilibrist.library.saved_runs import run_facts

    facts = run_facts(file)
    if json:
        show_json(facts)
        return
    heading(f"{facts['file']}: {words_of(facts['kind'])}")
    measure, measured_at = facts["measure"], facts["measured_at"]
    method = facts["algorithm"]
    if facts.get("sampler"):
        method += f" with {facts['sampler']} sampling"
    pairs = [
        ("game", facts["game"]),
        ("algorithm", method),
        ("seed", "" if facts.get("seed") is None else str(facts["seed"])),
        ("storage", facts.get("storage") or ""),
        ("iteration", f"{facts['iteration']:,}"),
        (facts.get("drawn", ""), f"{facts['boards']:,}" if "boards" in facts else ""),
        ("time", seconds_text(facts["seconds"])),
        ("measured", "" if measure is None else f"{measure_text(measure)} at {measured_at:,}"),
        ("features", facts.get("features") or ""),
        ("losses", losses_text(facts.get("losses", {}))),
    ]
    show_facts(pairs)
    if facts.get("spot"):
        show()
        show(facts["spot"].rstrip())
    if not _lacks_rules(facts):
        suggest(facts["resume"])


def _show_networks(file: Path, *, json: bool) -> None:
    """Print what a file of networks says of them."""
    from equilibrist.learned.files import NetworkFile
    from equilibrist.library.sources import has_rules

    kind = str(kind_of(file))
    facts = {"file": str(file), "kind": kind, **NetworkFile.load(file, kind).to_dict()}
    if json:
        show_json(facts)
        return
    heading(f"{file}: {words_of(kind)}")
    made = {k: v for k, v in facts["made"].items() if isinstance(v, str | int | float)}
    street = made.pop("street", "")
    pairs = [("game", facts["game"]), ("street", street), *network_lines(facts)]
    show_facts([*pairs, ("made", ", ".join(f"{name} {value}" for name, value in made.items()))])
    if kind == VALUE_NETWORK and has_rules(facts["game"]):
        suggest(next_command("resolve", facts["game"], values=str(file)))


def _lacks_rules(facts: Mapping[str, Any]) -> bool:
    """Whether the command that resumes a run would not find its game."""
    from equilibrist.library.sources import has_rules

    words = split(facts["resume"])
    return words[1] == "solve" and not has_rules(words[2])


_NETWORKS: Final = (VALUE_NETWORK, HOLDEM_NETWORK, HOLDEM_CHECKPOINT)
_WHOLE: Final = {
    CARDS: _show_cards,
    **dict.fromkeys(CHECKPOINTS, _show_run),
    **dict.fromkeys(_NETWORKS, _show_networks),
}
"""What shows files that are shown whole, by their kind."""
