"""`equilibrist postflop solve`: solve a spot, measure the solution and show it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import takes
from equilibrist.cli.inputs.signals import resumable
from equilibrist.cli.inputs.start_time import stages_text
from equilibrist.cli.postflop.leaf_values import LeafValuesRun
from equilibrist.cli.postflop.node_screen import show_node
from equilibrist.cli.postflop.run_options import solving
from equilibrist.cli.postflop.three import Starts, solve_three_players
from equilibrist.cli.text.next_commands import after_spot, next_command
from equilibrist.cli.text.output import heading, note, show, show_json, suggest
from equilibrist.cli.text.saving import Saver, warn_if_unwritable
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import bytes_text, measure_text, seconds_text
from equilibrist.options.option import DISPLAY, FILES, Option, choose
from equilibrist.options.solve_options import SOLVE_OPTIONS
from equilibrist.parsing.arguments import same_file
from equilibrist.poker.postflop.solving.spot_run import SpotRun, run_of
from equilibrist.poker.postflop.spot.fields import SPOT_OPTIONS
from equilibrist.progress import ENDINGS

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.solution.spot_file import Keep
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.poker.three_players.spot import ThreeSpot
    from equilibrist.solving.writing import ResultWriter

HELP = """Solve a spot: strategies, EV and equity of every hand, and what a best response gains.

The spot is a file, or options, or both: options override the keys of the file. The run stops at
--target, --iterations or --time, whichever comes first; with none of them at 0.3% of the pot, after
at most 1,000 iterations. The target is the exploitability: what a best response to the other
player's strategy gains, the mean of both players, in percent of the pot (0.3%) or in chips (0.5c).
With rake this figure is called mean gain.

Amounts of chips may have up to four decimals: --pot 6.5 --stack 97.5 --bets "33%, 3.5c". All bets
are then multiples of the finest unit that occurs, such as 0.1 chips, and sizes are rounded to it.

A spot file with a third range, `middle`, is a flop, turn or river of three players: the target is
then the sum of what the three gain, and --out alone saves the solution. Its other keys are board,
oop, ip, pot, stack or stacks, bets, raises, raise_cap, min_bet, unit, rake, rake_cap and, but for
flops, locks. --starts N solves it from N starts, as there may be several equilibria, says how far
values and frequencies differ, and keeps the one whose gains sum to least; limits are then those of
each run.

--payouts plays for the prizes of a tournament by the independent chip model (Malmuth and Harville),
with --others for the stacks of those who are not in the hand, and --stacks where both stacks
differ. EVs are then expected prizes, what is measured is a mean gain in prizes, and the target a
share of the prize pool. Two players alone.

--from takes ranges, pot and stack from a blueprint after a --line before the flop.

--lock fixes the strategy of a player at a node, LINE: HANDS = ACTION SHARE. The rest is solved, and
exploitability is that of the locked game. Without HANDS the shares hold for every hand; commas
separate shares, semicolons separate groups of hands. The word frequency in place of HANDS locks the
frequency of the whole range and leaves the choice of hands open. Locks replace those of the file.

Ctrl-C stops after the current iteration and prints the partial result, with exit code 130. With
--checkpoint the state of the run is saved periodically and when it stops. --resume continues from
there, bit-identical to an uninterrupted run; the spot may be left out, and --iterations includes
those before the interruption.

--values replaces all streets but the first by values of what follows: a value network, or
check-down. That takes a fraction of the time and of the memory. Later streets are solved when they
are looked up, for the ranges that arrive there. What is shown is an estimated gain, which bounds
nothing; `postflop examine` measures what such a strategy loses.

The solution stays in your data folder as `last`, the one before it as `last-2`, and so on: the last
ten are kept, and every command takes these names for files (`equilibrist last` lists them). If it
takes more than 500 MB, fewer streets are stored. --out saves it to a file of your own as well, with
the streets that --keep selects; missing streets are re-solved when they are looked up.

\b
Examples:
  equilibrist postflop solve spot.toml --target 0.3%
  equilibrist postflop solve spot.toml --time 5m --threads 2 --out out.spot --keep no-rivers
  equilibrist postflop solve spot.toml --target 0.1% --checkpoint run.ckpt
  equilibrist postflop solve --resume run.ckpt --target 0.1%
  equilibrist postflop solve --from b.safetensors --line "R2.5-C" --board QsJh2h --bets 50%
  equilibrist postflop solve spot.toml --lock "B120: AA,KK = Call 100%; QQ = Fold 25%"
  equilibrist postflop solve spot.toml --lock ": frequency = Bet 120 30%"
  equilibrist postflop solve spot.toml --values turn.safetensors --iterations 200
  equilibrist postflop solve final_table.toml --payouts 50,30,20 --others 40,30 --target 0.01%
  equilibrist postflop solve three.toml --target 0.1% --starts 5 --out three.spot
  equilibrist postflop solve --board Td9d6hQc --oop "66+,A8s+,A5s-A4s,AJo+" \\
      --ip "QQ-22,AQs-A2s" --pot 200 --stack 900 --bets "60%, e, a" --raises 2.5x
"""

_IN_CHECKPOINT: Final = ("file", *SPOT_OPTIONS, "blueprint", "line", "cards")
"""What says which spot is solved, for a new run."""
_OF_RUN: Final = ("cards", "line", "memory")
"""Options on a blueprint, and limits of a run, of no use where its solution is read."""
THREE: Final = "Three players"
"""The group of options that spots of three players alone have."""
MOST_LOCKS: Final = 5
"""Lines of locks that are printed."""


ByCombos = Annotated[
    bool,
    options.switch(
        "--combos", "Frequencies by combos: each hand counts with its weight alone.", DISPLAY
    ),
]


Values = Annotated[
    str | None,
    options.optional(
        "--values",
        "FILE",
        "Solve the first street over these leaf values: a value network, or check-down.",
        "Leaf values",
    ),
]


_FILES: Final = choose(
    SOLVE_OPTIONS,
    ("out", "checkpoint", "checkpoint_every", "resume"),
    out="Save the solution here as well. An earlier solution is replaced, any other file is not.",
)
_FILES["checkpoint_every"] = replace(
    _FILES["checkpoint_every"],
    default=None,
    default_text=f"{SOLVE_OPTIONS['checkpoint_every'].default}",
)
_FILES["keep"] = Option(
    "choice",
    FILES,
    "The streets that the file of --out keeps; others are re-solved when they are looked up.",
    default="all",
    choices=("all", "no-rivers", "first-street"),
)


@takes(_FILES, "files", Spot=object, SpotRun=object, ThreeSpot=object)
def solve(
    spot: Spot | ThreeSpot | None,
    run: SpotRun,
    *,
    files: dict[str, Any],
    values: Values = None,
    starts: Annotated[
        int | None,
        options.whole(
            "--starts",
            "N",
            "Of three players, solve from this many starts, and compare the solutions.",
            THREE,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        options.whole("--seed", "N", "The seed of the starts that are drawn.  [default: 0]", THREE),
    ] = None,
    combos: ByCombos = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Solve, save, print."""
    from equilibrist.poker.three_players.spot import ThreeSpot

    begins = Starts(starts, seed)
    begins.check()
    if isinstance(spot, ThreeSpot):
        refused = {"--values": values, "--combos": combos}
        solve_three_players(spot, run.options, files, refused, begins, json=json, quiet=quiet)
        return
    if starts is not None:
        raise ConfigError(
            "--starts compares equilibria of three players; those of two have one value",
            option="--starts",
            given=starts,
            remedy="leave out --starts, or give a spot file with a third range, middle",
        )
    out, keep = files["out"], files["keep"]
    if values is not None:
        run, keep = LeafValuesRun.of(spot, run, values, files), "first-street"
    spot, resumed = run_of(spot, run, files["resume"])
    file = files["checkpoint"] or files["resume"]
    if out is not None:
        _check_out(spot, out, keep, file)
    elif keep != "all" and values is None:
        raise ConfigError(
            f"--keep {keep} says what the file of --out keeps",
            option="--keep",
            given=keep,
            remedy="give --out",
        )
    saving: dict[str, Any] = {"checkpoint": files["checkpoint"]}
    every = files["checkpoint_every"]
    if every is not None:
        if file is None:
            raise ConfigError(
                "--checkpoint-every says how often a run is saved",
                option="--checkpoint-every",
                given=every,
                remedy="give --checkpoint",
            )
        saving["checkpoint_every"] = every
    warn_if_unwritable(out)
    with resumable(file), solving(spot, resumed, quiet=quiet, stores=False, **saving) as result:
        saver, writer = _writer_to(out, keep)
        solution = writer.write(result, result.failure)
        if json:
            show_json(solution.to_dict())
        else:
            show_solution(solution)
            if "seconds" in run.options:
                show(stages_text(solution.stages))
            show()
            show_node(solution.at(), by_combos=combos)
        if not writer.failures:
            saver.close(aloud=not json)
        writer.raise_failures()
        if saver.name is not None and not (json or quiet):
            prizes = spot.payouts is not None
            suggest(*after_spot(saver.name, for_prizes=prizes, without=_OF_RUN, board=None))
        if solution.stopped_by == "interrupted" and file is not None:
            kept = None if keep == "all" else keep
            again = next_command(
                "postflop solve",
                resume=file,
                out=out,
                keep=kept,
                checkpoint_every=every,
                without=_IN_CHECKPOINT,
            )
            note(f"Paused; resume with: {again}")


solve.takes_three = True  # type: ignore[attr-defined]
solve.takes_prizes = True  # type: ignore[attr-defined]


def warning_of(solution: PostflopResult) -> str:
    """Write the first line on a solution that is far from an equilibrium."""
    if solution.converged or solution.leaf_values is not None:
        return ""
    unit = solution.spot.value_unit
    limit = "1% of the pot"
    if solution.target is not None:
        share = 100 * solution.target / unit.whole
        limit = f"the target of {share:.3g}% of {unit.whole_name}"
    return f"not converged, {solution.spot.measure_name} is above {limit}: "


def show_solution(solution: PostflopResult) -> None:
    """Print how the spot was solved and how good the result is."""
    from equilibrist.poker.postflop.solution.stopping import ending_advice

    unit = solution.spot.value_unit
    count = f"{solution.iterations:,} iteration{'s' * (solution.iterations != 1)}"
    ending = ENDINGS[solution.stopped_by]
    warning, seconds = warning_of(solution), seconds_text(solution.seconds)
    heading(f"{solution.spot.board}: {warning}{count} in {seconds}; {ending}")
    show(
        f"{solution.measure_name} {unit.gain_text(solution.mean_gain)}, "
        f"memory {bytes_text(solution.memory_bytes)}"
    )
    if solution.tremble is not None:
        gain = solution.trembling_gain
        near = "" if gain is None else f"; players who tremble, too, gain {unit.amount_text(gain)}"
        where = ", but for decisions with locks" if solution.spot.locks else ""
        show(
            f"with trembles: every action is played at least {100 * solution.tremble:g}%{where}"
            f"{near}"
        )
    if solution.quantal is not None:
        show(
            f"logit responses: an action is played e times less often for each {solution.quantal:g}"
            " of the pot that it loses"
        )
    if advice := ending_advice(solution):
        show(advice)
    if (prizes := solution.spot.prizes) is not None:
        stacks = "/".join(f"{stack:g}" for stack in (*prizes.stacks, *prizes.others))
        show(
            f"played for prizes of {'/'.join(f'{payout:g}' for payout in prizes.payouts)}, stacks "
            f"{stacks}: EVs are expected prizes, of {prizes.pool:g} in all"
        )
    if solution.leaf_values is not None:
        show(
            f"over the values of {solution.leaf_values}: the estimated gain bounds nothing, later "
            "streets are solved when they are looked up"
        )
    if folded := len(solution.spot.folded):
        show(f"behind {folded} folded range{'s' * (folded != 1)}{_drawn(solution)}")
    if solution.unlocked_mean_gain is not None:
        locked = [*dict.fromkeys(lock.place for lock in solution.spot.locks)]
        more = f" and {len(locked) - MOST_LOCKS} more" if len(locked) > MOST_LOCKS else ""
        show(
            f"locked: {', '.join(locked[:MOST_LOCKS])}{more}; ignoring locks, players gain "
            f"{unit.amount_text(solution.unlocked_mean_gain)}"
        )
    if solution.frequency_error is not None:
        show(f"max frequency error {100 * solution.frequency_error:.2g}% of the range")


def _drawn(solution: PostflopResult) -> str:
    """How exactly folded hands are counted; empty where all are."""
    if solution.ev_error is None:
        return ""
    from equilibrist.poker.equities.equity import TWO_SIDED_95

    around = TWO_SIDED_95 * solution.ev_error
    share = 100 * around / solution.spot.pot
    return (
        f", of which hands are drawn: both EVs within {measure_text(around)} chips ({share:.2g}% "
        "of the pot) with 95% confidence"
    )


def _check_out(spot: Spot, out: Path, keep: Keep, state: Path | None) -> None:
    """Refuse now what could not be saved at the end; `state` is the file of checkpoints."""
    from equilibrist.poker.postflop.solution.spot_file import check_save

    if state is not None and same_file(out, state):
        raise ConfigError(
            f"--out and the checkpoint are both {out}",
            option="--out",
            given=out,
            remedy="give two names",
        )
    check_save(spot, out, keep)


def _writer_to(out: Path | None, keep: Keep) -> tuple[Saver, ResultWriter[PostflopResult]]:
    """Make what stores the solution, and saves it to `out` with the streets that `keep` says."""
    from equilibrist.solving.writing import ResultWriter

    def save_as(solution: PostflopResult, path: Path) -> Path:
        return solution.save(path, keep)

    saver = Saver(out, save_as)
    return saver, ResultWriter(saver, save_as=save_as, name="solution.spot")
