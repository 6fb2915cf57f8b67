"""`equilibrist export`: a solution as CSV, JSON or Parquet, a game as .efg or in normal form."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equilibrist.cli.commands.holdem.files import HOLDEM, handle
from equilibrist.cli.completion import values
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.strategy_files import only_out
from equilibrist.cli.inputs.walking import WalkOptions
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import note, show_exactly, suggest
from equilibrist.errors import ConfigError, MismatchError
from equilibrist.formatting.amounts import counted, counted_histories
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.library.kinds import kind_for, refuse_cards, refuse_options
from equilibrist.storage.kinds.file_kinds import INCOMPLETE, PACKED, SOLUTION, another_kind

if TYPE_CHECKING:
    from equilibrist.game import Game
    from equilibrist.library.limits import Limits
    from equilibrist.results import ImplicitResult

HELP = """Write a solution as CSV, JSON or Parquet, or a game as a file of Gambit's (.efg).

CSV and Parquet (extra pandas) have the columns player, infoset, action, probability. JSON is the
document that `solve --json` prints. All of them keep every digit, and `evaluate` reads them.
Of a strategy that was sampled without a tree they list the infosets in its file.
OUT may be - for standard output; --format then selects the format.

For a solved hold'em spot it writes the tree, like `postflop export`: OUT.json, OUT.jsonl, OUT.csv
or OUT.parquet. For a spot of three players it writes the decisions, for a blueprint, an exact
solution or charts those before the flop: OUT.csv, OUT.json, or as ranges OUT.txt, a line for each
action.

OUT.efg is written from a game, or from the game of a solution, and is itself a game:
`solve OUT.efg`.

--normal-form reduced writes the payoffs of all reduced plans of a game: as .nfg (Gambit's format),
as .csv with a line per cell, or as .json with the payoffs as matrix(payoffs=...) takes them. A
reduced plan says what its player does at the infosets that their own actions reach. Up to a million
cells are written.

\b
Examples:
  equilibrist export last leduc.csv
  equilibrist export last leduc.json
  equilibrist export last - --format csv | head
  equilibrist export "kuhn(players=3)" kuhn3.efg
  equilibrist export kuhn kuhn.nfg --normal-form reduced
  equilibrist export out.spot tree.jsonl
  equilibrist export b.safetensors preflop.csv
"""


class Format(StrEnum):
    """What to write."""

    csv = "csv"
    json = "json"
    efg = "efg"
    nfg = "nfg"
    txt = "txt"


class NormalForm(StrEnum):
    """The normal form of a game that is exported."""

    reduced = "reduced"


@with_options
def export(
    file: Annotated[
        Path,
        options.solution_argument(
            "FILE",
            "The solution: a file, or last, last-2, ...; for .efg also a game.",
            values.games_or_solutions,
        ),
    ],
    out: Annotated[
        Path | None,
        options.file_argument("OUT", "OUT.csv, .json, .parquet, .efg, .nfg or .txt, or -."),
    ] = None,
    out_option: Annotated[Path | None, options.out("The same as OUT.")] = None,
    written_as: Annotated[
        Format | None,
        typer.Option(
            "--format",
            show_default=False,
            help="The format, where the suffix of OUT does not say it; txt is for ranges.",
        ),
    ] = None,
    normal_form: Annotated[
        NormalForm | None,
        typer.Option(
            "--normal-form",
            show_default=False,
            help="Write the normal form of a game instead: the payoffs of all plans.",
        ),
    ] = None,
    cards: options.MovedCards = None,
    *,
    walk: WalkOptions,
) -> None:
    """Write the strategy of a solution file, or a game, in another format."""
    kind_for("export", file)  # what a file is comes before what is missing
    _export(file, only_out(out, out_option), written_as, normal_form, cards, walk)


def _export(
    file: Path,
    out: Path,
    written_as: Format | None,
    normal_form: NormalForm | None,
    cards: Path | None,
    walk: WalkOptions,
) -> None:
    from equilibrist.cli.inputs.strategy_files import check_target
    from equilibrist.storage.tables import SUFFIXES, write_table_file

    file_kind = kind_for("export", file)
    refuse_cards(file, file_kind, cards)
    if file_kind in HOLDEM:
        refuse_options(file, file_kind, {"--normal-form": normal_form})
        form = None if written_as is None else written_as.value
        handle("export", file_kind, file, out, form, cards=cards)
        return
    kind = f".{written_as.value}" if written_as is not None else out.suffix.lower()
    if normal_form is not None:
        _export_normal_form(file, out, kind, walk.limits)
        return
    if kind == ".nfg":
        raise ConfigError(
            f"{out} is the name of a normal form, and a game is written as .efg",
            option="--normal-form",
            given=None,
            expected="reduced",
            remedy="give --normal-form reduced",
        )
    if kind not in (*SUFFIXES, ".efg"):
        raise ConfigError(
            f"{out}: unknown file format" if kind != ".txt" else f"{file} has no ranges to write",
            option="--format",
            given=out.name,
            remedy="use a name that ends in .csv, .json, .parquet or .efg, or give --format",
        )
    if str(out) != "-":
        check_target(out, file, kind)
    if file_kind == INCOMPLETE:
        raise another_kind(file, INCOMPLETE, SOLUTION)
    if kind != ".efg" and file.suffix.lower() in SUFFIXES and file.exists():
        raise ConfigError(
            f"{file} is a table, and solution files (.safetensors) are exported",
            option="file",
            given=file.name,
            remedy=f"in Python: Strategy.from_file(tree, {str(file)!r}).save({str(out)!r})",
        )
    game = _rules(f"{file}", walk.limits) if kind == ".efg" else None
    if game is not None:
        text, what = _game(game, walk.limits)
    elif (packed := _packed(file)) is not None:
        _write_packed(packed, out, kind)
        return
    elif kind == ".parquet":
        note(f"{_exported(file, out)} written to {out}")
        _suggest(file, out, kind, game)
        return
    else:
        text, what = _strategy(file, kind)
    if str(out) == "-":
        show_exactly(text.removesuffix("\n"))
        return
    write_table_file(out, kind, text)
    note(f"{what} written to {out}")
    _suggest(file, out, kind, game)


def _suggest(file: Path, out: Path, kind: str, game: Game[Any] | None) -> None:
    """Print what reads the file of a game or the table that was written."""
    from equilibrist.library.sources import open_strategy
    from equilibrist.tree.walk.protocol import recalls

    if out.suffix.lower() != kind:  # by which it would be recognised
        return
    if game is not None:
        # A file cannot say that players forget on purpose: no algorithm takes such a game.
        suggest(next_command("solve" if recalls(game) else "inspect", out))
        return
    source = open_strategy(file)
    name = source.game_to_name
    if name is None and kind != ".json":  # a document says its game, other tables do not
        name = _game_of(file)
    if source.is_loadable:
        suggest(next_command("evaluate", out, game=name))


def _game_of(file: Path) -> str:
    """The game that a solution is of, from the header of its file alone."""
    from equilibrist.storage.archive import header_of, kind_of, open_archive

    return str(header_of(file, open_archive(file, kind_of(file) or "")[0])["game"])


def _export_normal_form(file: Path, out: Path, kind: str, limits: Limits) -> None:
    """Write the reduced normal form of a game, or of the game of a strategy file."""
    from equilibrist.cli.inputs.strategy_files import check_target
    from equilibrist.evaluation import reduced_normal_form
    from equilibrist.interop.normal_form_files import FORMATS, normal_form_text
    from equilibrist.storage.tables import write_table_file

    if kind not in FORMATS:
        raise ConfigError(
            f"{out}: normal forms are written as .nfg, .csv or .json",
            option="--format",
            given=out.name,
            expected=", ".join(FORMATS),
            remedy="use a name that ends so, or give --format",
        )
    if str(out) != "-":
        check_target(out, file, kind)
    form = reduced_normal_form(limits.compile(_rules(f"{file}", limits)))
    text = normal_form_text(form, kind)
    if str(out) == "-":
        show_exactly(text.removesuffix("\n"))
        return
    write_table_file(out, kind, text)
    sizes = " x ".join(f"{len(actions):,}" for actions in form.actions)
    note(f"{sizes} plans of {escape_control_chars(form.name)} written to {out}")


def _packed(file: Path) -> ImplicitResult | None:
    """The strategy in a file, if it was found without a tree."""
    from equilibrist.results.implicit import read_implicit
    from equilibrist.storage.archive import kind_of

    return read_implicit(file) if kind_of(file) == PACKED else None


def _write_packed(result: ImplicitResult, out: Path, kind: str) -> None:
    """Write its table, piece by piece where the format allows it."""
    rows = result.strategy.named_rows
    if str(out) == "-":
        pieces = rows.csv_pieces() if kind == ".csv" else [rows.json_text(result.to_dict())]
        for text in pieces:
            show_exactly(text.removesuffix("\n"))
        return
    result.export(out)
    note(f"{counted(len(rows), 'infoset')} of {escape_control_chars(result.game)} written to {out}")


def _exported(file: Path, out: Path) -> str:
    """Write the table of a solution as Parquet, and say what it is."""
    from equilibrist.results.result import read_solution

    solution = read_solution(file)
    solution.export(out)
    return f"{counted(solution.num_infosets, 'infoset')} of {escape_control_chars(solution.game)}"


def _strategy(file: Path, kind: str) -> tuple[str, str]:
    """The table of a solution, and what it is."""
    from equilibrist.results.result import read_solution

    solution = read_solution(file)
    what = f"{counted(solution.num_infosets, 'infoset')} of {escape_control_chars(solution.game)}"
    return solution.strategy.table_text(kind, solution.to_dict), what


def _game(game: Game[Any], limits: Limits) -> tuple[str, str]:
    """The text of a game, and what it is."""
    from equilibrist.games.efg.writer import efg_text

    tree = limits.compile(game)
    what = f"{counted_histories(tree.num_nodes)} of {escape_control_chars(tree.name)}"
    return efg_text(game), what


def _rules(word: str, limits: Limits) -> Game[Any]:
    """A game, or that of a strategy file; ConfigError where the file does not lead to its rules."""
    from equilibrist.games import load_game
    from equilibrist.library.sources import is_file, open_strategy

    if not is_file(word):
        return load_game(word)
    source = open_strategy(Path(word))
    try:
        game = source.load_game()
        if source.loaded_from is not None:  # its name may be that of other rules
            source.strategy(limits.compile(game))
    except (ConfigError, MismatchError) as error:
        if error.option not in ("--game", "game"):
            raise
        raise ConfigError(
            f"{word} is a strategy of {source.game!r}, and does not lead to its rules",
            option="file",
            given=word,
            remedy=f"name the rules in its place: {quote(source.likely_rules)}",
        ) from None
    return game
