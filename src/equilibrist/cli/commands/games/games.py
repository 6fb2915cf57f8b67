"""`equilibrist games`: which games there are, their parameters and how large they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from equilibrist.cli.completion import values
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.walking import GameLimits
from equilibrist.cli.text.output import heading, note, show, show_facts, show_json, show_table
from equilibrist.library.game_facts import (
    ESTIMATE,
    LIST_LIMIT,
    SIZE_LIMIT,
    default_sizes,
    game_document,
    game_facts,
)
from equilibrist.options.option import DISPLAY, LIMITS
from equilibrist.parsing.quantities import read_count

if TYPE_CHECKING:
    from equilibrist.games import GameInfo
    from equilibrist.library.limits import Limits

_COUNTS = {
    "num_nodes": "histories",
    "num_terminals": "terminal histories",
    "num_infosets": "infosets",
    "num_sequences": "sequences",
}

HELP = f"""List the games, or show one: parameters with their ranges, and sizes.

GAME is {options.GAME_FORMS}:
`openspiel:` takes OpenSpiel's own names, file.efg is a file of Gambit's. Of a game with more than
{SIZE_LIMIT:,} histories only an estimate of the sizes is given (--max-histories raises the limit).

\b
Examples:
  equilibrist games
  equilibrist games --sizes
  equilibrist games leduc
  equilibrist games "leduc(players=3)" --max-histories 2e6
  equilibrist games rules.py:MyGame --json
  equilibrist games "openspiel:kuhn_poker(players=3)"
"""


def games(
    game: Annotated[
        str | None,
        options.argument("GAME", "Show this one in detail.", values.games),
    ] = None,
    max_histories: Annotated[
        str | None,
        options.optional(
            "--max-histories",
            "N",
            f"Count no further than this.  [default: {SIZE_LIMIT}; of all games {LIST_LIMIT}]",
            LIMITS,
        ),
    ] = None,
    max_depth: options.MaxDepth = options.MAX_DEPTH,
    sizes: Annotated[
        bool,
        options.switch(
            "--sizes",
            "Also list histories, infosets and sequences of all games, with default parameters.",
            DISPLAY,
        ),
    ] = False,
    quiet: options.Quiet = False,
    json: options.Json = False,
) -> None:
    """List all games, or show one."""
    limit = LIST_LIMIT if game is None else SIZE_LIMIT
    histories = limit if max_histories is None else read_count(max_histories, "max_histories")
    limits = GameLimits(histories, None, read_count(max_depth, "max_depth")).reported()
    if game is None:
        _list_all(json, limits if sizes else None)
        return
    _show_one(game, limits, json, quiet=quiet)


def _list_all(json: bool, limits: Limits | None) -> None:
    """List the games; with `limits`, with their sizes."""
    from equilibrist.games import list_games
    from equilibrist.rules.module import SHIPPED

    games = list_games()
    sizes = {} if limits is None else {info.name: default_sizes(info, limits) for info in games}
    if json:
        extras = ({"sizes": sizes[info.name]} if sizes else {} for info in games)
        show_json([info.to_dict() | extra for info, extra in zip(games, extras, strict=True)])
        return
    width = max(len(info.name) for info in games)
    for info in games:
        facts = [(info.name, info.summary), ("", _brief_parameters(info))]
        if sizes:
            facts.append(("", _brief_sizes(sizes[info.name])))
        show_facts(facts, "", width)
    show()
    if not sizes:
        show("With histories, infosets and sequences of each:  equilibrist games --sizes")
    show('More about one:  equilibrist games leduc      Solve it:  equilibrist solve "leduc"')
    show("Parameters go in brackets, quoted for the shell:  equilibrist solve 'kuhn(players=3)'")
    show("A game of your own:  equilibrist solve rules.py:MyGame")
    show("Games of OpenSpiel and of Gambit:  openspiel:leduc_poker      game.efg")
    show(f"Rules that can be sampled without a tree:  {', '.join(f'rules:{n}' for n in SHIPPED)}")


def _show_one(spec: str, limits: Limits, json: bool, *, quiet: bool) -> None:
    from equilibrist.games.spec import parse_spec

    if json:
        document = game_document(spec, limits)
        if not quiet:
            _note_estimate(document["sizes"], limits)
        show_json(document)
        return
    if parse_spec(spec).is_rules:
        _show_rules(spec)
    info, sizes = game_facts(spec, limits)
    if not quiet:
        _note_estimate(sizes, limits)
    if info is not None:
        _show_info(info)
        show()
    if sizes is None:
        assert info is not None
        show("Sizes depend on the parameters; give them, for instance:")
        show(f"  equilibrist games '{info.summary.rpartition(' ')[2]}'")
        return
    heading(f"Sizes of {sizes['game']}")
    show_facts(_size_facts(sizes))


def _note_estimate(sizes: dict[str, Any] | None, limits: Limits) -> None:
    """Say why sizes are an estimate, if they are."""
    if sizes is not None and ESTIMATE in sizes:
        note(f"more than {limits.max_histories:,} histories; --max-histories counts further")


def _show_rules(spec: str) -> None:
    from equilibrist.games import load_game
    from equilibrist.rules.game import RulesGame

    game = load_game(spec)
    assert isinstance(game, RulesGame)
    module = game.rules.module
    heading(f"{spec}: {(module.__doc__ or 'no description').strip().splitlines()[0]}")
    values = zip(getattr(module, "PARAMETERS", {}), game.rules.g.tolist(), strict=True)
    show("  parameters: " + (", ".join(f"{name}={value}" for name, value in values) or "none"))
    show()


def _show_info(info: GameInfo) -> None:
    heading(f"{info.name}: {info.summary}")
    if info.aliases:
        show(f"  also called {', '.join(info.aliases)}")
    show()
    if not info.parameters:
        show("  no parameters")
        return
    rows = [[p.name, p.written_default, p.expected, p.doc] for p in info.parameters]
    show_table(["parameter", "default", "allowed", "meaning"], rows, ["left"] * 4, fold=True)


def _brief_sizes(sizes: dict[str, Any] | None) -> str:
    if sizes is None:
        return "sizes depend on the parameters"
    if ESTIMATE in sizes:
        return f"about {sizes[ESTIMATE]:.2g} histories (an estimate)"
    counts = (f"{sizes[key]:,} {words}" for key, words in _COUNTS.items())
    return ", ".join(counts)


def _size_facts(sizes: dict[str, Any]) -> list[tuple[str, str]]:
    facts = [("players", f"{sizes['num_players']}")]
    if ESTIMATE in sizes:
        return [*facts, ("histories", f"about {sizes[ESTIMATE]:.3g} (an estimate)")]
    facts += [(words, f"{sizes[key]:,}") for key, words in _COUNTS.items()]
    total = sizes["constant_sum"]
    facts.append(("sum of payoffs", "varies" if total is None else f"{total:g}"))
    ranges = zip(sizes["min_payoff"], sizes["max_payoff"], strict=True)
    for player, (low, high) in enumerate(ranges):
        facts.append((f"payoffs of player {player}", f"{low:g} to {high:g}"))
    return facts


def _brief_parameters(info: GameInfo) -> str:
    return ", ".join(f"{p.name}={p.written_default}" for p in info.parameters)
