"""`equilibrist graft`: new play in parts of a strategy, measured by true best responses."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.signals import end_cut_short, limited
from equilibrist.cli.inputs.walking import SearchOptions
from equilibrist.cli.text.next_commands import new_file, next_command
from equilibrist.cli.text.output import (
    Align,
    heading,
    note,
    show,
    show_json,
    show_table,
    suggest,
)
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import loss_text, measure_text, value_text
from equilibrist.library.kinds import kind_for
from equilibrist.library.sources import naming_game
from equilibrist.options.defaults import SUBSTITUTE_ITERATIONS
from equilibrist.options.option import FILES, declare, shared

if TYPE_CHECKING:
    from equilibrist.grafting import Grafted, GraftStep
    from equilibrist.grafting.grafted import Method
    from equilibrist.library.sources import Source

HELP = """Replace the play of a strategy in blocks of the game, and measure what that does.

FILE is the base: a solution, also of an abstract game, or a table with --game. A block is a set of
a player's infosets that is closed downwards: with an infoset it has all later ones of the same
player. --block PATTERN takes those of each player whose keys match; `*` stands for any text, and
" + " joins several patterns.

A graft keeps a player's play outside the block and finds the best play inside, in full detail or
with --abstraction, against opponents who are free everywhere. For two players with constant sum it
is an exact linear programme, and the player never becomes more exploitable. By default each graft
is found on top of those before it, and one that gains nothing is left out. The other ways:

\b
  --joint         all blocks are free at the same time
  --independent   each graft is found on the base, then all are joined; they may lose what one won
  --static        the opponents, too, come to the block as the base does; may be worse than the base

With more players, or payoffs without constant sum, CFR+ with the play outside locked finds the
grafts, and NashConv is printed: no guarantee is known. Outside the blocks the result has the bits
of the base.

\b
Examples:
  equilibrist graft last --block "*:cc/*" --out grafted.safetensors
  equilibrist graft base.safetensors --block "*:cc/*" --block "*:rc/*" --abstraction "cards(JQ.K)"
  equilibrist graft base.safetensors --block "*:cc/*" --block "*:rc/*" --joint --seat 0
  equilibrist graft mine.csv --game "kuhn(players=3)" --block "*b*" --iterations 5000
"""

_BLOCKS: Final = "Blocks"
_WAY: Final = "How grafts are combined"
_HEADS: Final = {
    "sequential": "grafts onto {base}, one after the other",
    "joint": "one joint graft onto {base}",
    "independent": "grafts onto {base}, found independently and joined",
    "static": "static experts stitched onto {base}",
}
_FIGURES: Final = {
    "exploitability": "exploitability of the seat",
    "best response": "what a best response wins from the seat",
    "NashConv": "NashConv",
}


@dataclass(frozen=True)
class GraftOptions:
    """Where play is replaced, and how grafts are found; None for what was not typed."""

    block: list[str] = declare(
        "texts",
        _BLOCKS,
        "Infosets whose keys match are a block; may be given several times.",
        metavar="PATTERN",
        required=True,
    )
    abstraction: list[str] | None = declare(
        "texts",
        _BLOCKS,
        "What may be told apart inside, as for `solve`: once, or once per block.",
        metavar="SPEC",
        default_text="none, which is everything",
    )
    seat: list[int] | None = declare(
        "whole numbers",
        _BLOCKS,
        "Replace this player's play only, from 0; may be given several times.",
    )
    joint: bool = declare("switch", _WAY, "All blocks at the same time.")
    independent: bool = declare("switch", _WAY, "Each on the base, then joined.")
    static: bool = declare("switch", _WAY, "All players come to a block as the base does.")
    iterations: int | None = declare(
        "count",
        _WAY,
        "Iterations of CFR+ for each graft, in place of a linear programme.",
        default_text=f"{SUBSTITUTE_ITERATIONS}, where there is none",
    )
    game: str | None = shared(options.GAME)
    out: Path | None = declare(
        "file",
        FILES,
        "Save the result, a strategy of the full game, as .safetensors, .csv, .json or .parquet.",
    )

    @property
    def method(self) -> Method:
        """The way that a switch names; ConfigError where several are given."""
        ways: dict[Method, bool] = {
            "joint": self.joint, "independent": self.independent, "static": self.static,
        }  # fmt: skip
        switched = [way for way, is_chosen in ways.items() if is_chosen]
        if len(switched) > 1:
            raise ConfigError(
                f"--{switched[0]} and --{switched[1]} exclude each other",
                option=f"--{switched[1]}",
                given=f"--{switched[1]}",
                remedy="give one of them, or none: then each graft is found on top of those before "
                "it",
            )
        return switched[0] if switched else "sequential"


@with_options
def graft(
    file: Annotated[
        Path, options.solution_argument("FILE", "The base: a file, or last, last-2, ...")
    ],
    chosen: GraftOptions,
    walk: SearchOptions,
) -> None:
    """Graft, print the figures of every step, save the result if asked to."""
    from equilibrist.cli.inputs.strategy_files import (
        check_strategy_file,
        check_target,
        write_strategy,
    )
    from equilibrist.grafting import graft as make
    from equilibrist.library.sources import open_strategy

    method, out = chosen.method, chosen.out
    if out is not None:
        check_strategy_file(out)
        check_target(out, file, out.suffix.lower())
    kind_for("graft", file)
    fewer = "" if chosen.iterations is None else "fewer --iterations or "
    remedy = f"give it more time, or {fewer}smaller blocks"
    with limited(walk.time, remedy, keeps_partial=True) as limit:
        source = open_strategy(file, chosen.game, note=note)
        base = source.strategy(source.compile(walk.limits))
        with limit.working("solving for the grafts"):
            grafted = make(
                base,
                chosen.block,
                abstraction=chosen.abstraction or "none",
                method=method,
                seats=chosen.seat,
                iterations=chosen.iterations,
            )
    stopped_by = limit.stopped_by(interrupted=grafted.interrupted)
    if out is not None:
        write_strategy(grafted.strategy, out, f"graft({method})")
    if walk.json:
        show_json(_document(file, source, chosen, grafted) | {"stopped_by": stopped_by})
    else:
        _show(file, chosen, grafted)
    end_cut_short(stopped_by, walk.time, "the other grafts were not found", json=walk.json)
    if walk.json:
        return
    if out is None:
        suggest(next_command("graft", file, out=new_file("grafted.safetensors")))
    else:
        suggest(next_command("evaluate", out, game=naming_game(source.game, out)))


def _document(file: Path, source: Source, chosen: GraftOptions, grafted: Grafted) -> dict[str, Any]:
    merged = source.abstraction
    return {
        "game": grafted.strategy.tree.name,
        "base": str(file),
        "base_abstraction": None if merged is None else merged.name,
        "blocks": chosen.block,
        "abstraction": chosen.abstraction or ["none"],
        **grafted.to_dict(),
        "file": None if chosen.out is None else str(chosen.out),
        "strategy": grafted.strategy.to_dict(),
    }


def _show(file: Path, chosen: GraftOptions, grafted: Grafted) -> None:
    heading(f"{grafted.strategy.tree.name}: {_HEADS[chosen.method].format(base=file)}")
    show()
    _show_steps(grafted)
    show()
    _show_result(grafted)
    show()
    show(_method_text(grafted))
    _warn(grafted)
    if chosen.out is not None:
        show(f"Saved to {chosen.out}")


def _show_steps(grafted: Grafted) -> None:
    """One row per graft: the figure without and with it."""
    rows = [
        [
            step.block,
            str(step.player),
            f"{step.num_infosets:,}",
            _figure(grafted, step.player, step.before),
            _figure(grafted, step.player, step.after),
            _left_out(step, grafted.strategy.tree.payoff_range),
        ]
        for step in grafted.steps
    ]
    align: list[Align] = ["left", "right", "right", "right", "right", "left"]
    alone = "with it alone" if grafted.method in ("independent", "static") else "with it"
    show(f"  {_FIGURES[grafted.measure]}, by true best responses in the full game:")
    show()
    show_table(["block", "seat", "infosets", "before", alone, ""], rows, align)


def _left_out(step: GraftStep, unit: float) -> str:
    if step.taken:
        return ""
    worse = step.after > step.before + 1e-9 * max(min(unit, 1.0), abs(step.before))
    return f"{'loses' if worse else 'gains nothing'}: left out"


def _figure(grafted: Grafted, seat: int, figure: float) -> str:
    """A figure of a seat; linear programmes are exact to about 1e-10."""
    from equilibrist.tree.payoff_scale import PayoffScale

    tree = grafted.strategy.tree
    if grafted.measure == "best response":  # that of the other player
        return value_text(figure, PayoffScale(tree).units().payoff(1 - seat, figure))
    return loss_text(figure, tree.payoff_range)


def _show_result(grafted: Grafted) -> None:
    rows = []
    if grafted.measure != "NashConv":
        rows += [
            [
                f"seat {p}",
                _figure(grafted, p, grafted.before[p]),
                _figure(grafted, p, grafted.after[p]),
            ]
            for p in grafted.seats
        ]
    name = grafted.evaluation.measure_name
    both = grafted.base_evaluation.measure, grafted.evaluation.measure
    rows.append([f"{name} of the profile", *map(measure_text, both)])
    show_table(["all grafts", "base", "result"], rows)


def _method_text(grafted: Grafted) -> str:
    what = "expert" if grafted.method == "static" else "graft"
    if grafted.iterations is None:
        return f"Each {what} is exact, by linear programmes."
    text = f"Each {what} is approximate: {grafted.iterations:,} iterations of CFR+ with locks."
    if grafted.measure == "NashConv":
        text += " No guarantee is known for grafts in games of this kind; NashConv is measured."
    return text


def _warn(grafted: Grafted) -> None:
    """Say what may go wrong with joined grafts, and what did."""
    if grafted.method == "independent":
        note(
            "Warning: every graft was found as if the base were played in all other blocks. Joined "
            "they may lose what one of them gained; leave out --independent to avoid that."
        )
    if grafted.method == "static":
        note(
            "Warning: static experts are found as if the opponents came to a block as the base "
            "does. They need not; leave out --static for grafts against opponents who are free."
        )
    rounds = grafted.seats if grafted.measure != "NashConv" else grafted.seats[:1]
    for player in rounds:
        seat = f"Seat {player}" if grafted.measure != "NashConv" else "The profile"
        after = _figure(grafted, player, grafted.after[player])
        best = grafted.best_single(player)
        if grafted.worse_than_base(player):
            before = _figure(grafted, player, grafted.before[player])
            note(f"{seat} is worse off than with the base: {after}, and {before} before.")
        if best is not None and grafted.worse_than_single(player):
            alone = _figure(grafted, player, best.after)
            note(f"{seat} would be better off with {best.block} alone: {after}, and {alone} alone.")
    undecided = sum(step.undecided for step in grafted.steps)
    if undecided and grafted.after_keeping is not None:
        figures = ", ".join(
            f"{_figure(grafted, p, grafted.after_keeping[p])}"
            + f" for seat {p}" * (grafted.measure != "NashConv")
            for p in rounds
        )
        note(
            f"At {undecided:,} infosets all actions are equally good to an expert, as the base of "
            f"the opponents never reaches them; play there is uniform. With the base's play there: "
            f"{figures}."
        )
