"""`equilibrist hands review`: what the decisions of played hands lost against solutions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import solution_name, with_options
from equilibrist.cli.inputs.signals import INTERRUPTED, terminate_like_interrupt
from equilibrist.cli.text.output import note, show_json
from equilibrist.errors import ConfigError
from equilibrist.options.defaults import FLOP_BETS, FLOP_RAISES, STACKS_WITHIN
from equilibrist.options.option import DISPLAY, FILES, declare, shared
from equilibrist.poker.postflop.spot.fields import RUN_OPTIONS
from equilibrist.progress import Callbacks

if TYPE_CHECKING:
    from equilibrist.cli.text.progress import LiveLine
    from equilibrist.play.review.flops import FlopMenu
    from equilibrist.play.review.table_hands import TableHand
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.progress import Progress

REVIEW: Final = """Judge every decision of played hands against solutions, the worst ones first.

FILE is anything that `hands convert` reads: hand histories, match logs, logs of `play --log`. The
player is the one whose hand the file is, --hero NAME, or with --all everybody whose cards are
known.

--against takes what hands are judged by, once or several times: solutions of spots, spots (TOML),
which are solved first, blueprints, charts of push or fold, exact hands, hands of several seats, or
a folder of such files. For each hand the one counts that fits its seats, board and stacks best.

The loss of a decision is the EV of the best action less that of what was played, against what the
opponents of the solution hold there. Bets that the solution lacks are taken for the likeliest of
their neighbours as shares of the pot, and the review says so. What cannot be judged is counted, and
why.

With --solve, flops that two players see are solved for hands that nothing else judges, with the pot
and stacks of the hand and its own bets in the menu. The ranges are those that a solution of whole
hands in --against brings there; else those of --ranges, or of a rule by position and play. A turn
or river that two of more players come to is solved where such a solution says with what ranges.
Ctrl-C ends with the hands so far.

Losses by charts with prizes are in chips, too: 1% of the prize pool counts as 1% of all chips.

\b
Examples:
  equilibrist hands review session.phhs --against library/
  equilibrist hands review hands.jsonl --against last --hero you --csv review.csv
  equilibrist hands review session.phhs --solve --ranges "6max-BTN|22+,A2s+,KTs+,QTs+,ATo+"
  equilibrist hands review match.log --against b.safetensors --all --worst 50
"""
_WORST: Final = 10
_SOLVING: Final = "Solving"


@dataclass(frozen=True)
class SolveOptions:
    """How spots are solved that hands come to."""

    solve: bool = declare(
        "switch", _SOLVING, "Solve flops that two players see, for hands that nothing else judges."
    )
    ranges: str | None = declare(
        "text",
        _SOLVING,
        "Ranges of who raised last before the flop, and of who called.",
        metavar="A|B",
        default_text="by --against, else by a rule from position and play",
    )
    bets: str = declare(
        "text", _SOLVING, "Bet sizes of flops, beside those of the hand.", default=FLOP_BETS
    )
    raises: str = declare("text", _SOLVING, "Raise sizes of flops.", default=FLOP_RAISES)
    target: str = declare("text", _SOLVING, "Stop a solve at this exploitability.", default="1%")
    iterations: int | None = declare("count", _SOLVING, "Stop a solve after this many.")
    time_per_spot: float = declare("time", _SOLVING, "Stop a solve after this long.", default="60")
    threads: int | None = shared(RUN_OPTIONS["threads"])
    memory: int | None = shared(RUN_OPTIONS["memory"])

    def menu(self) -> FlopMenu:
        """What is offered in spots, and how long a solve may take."""
        from equilibrist.play.review.flops import FlopMenu

        return FlopMenu(self.bets, self.raises, self.time_per_spot, self.threads)

    def run(self, spot: Spot, live: LiveLine) -> PostflopResult:
        """Solve a spot within the limits."""
        from equilibrist.cli.postflop.run_options import progress_texts
        from equilibrist.poker.postflop.solving.spot_run import SpotRun

        limits = {
            "target": self.target,
            "iterations": self.iterations,
            "seconds": self.time_per_spot,
            "threads": self.threads,
            "memory": self.memory,
        }
        run = SpotRun({name: value for name, value in limits.items() if value is not None})
        live.stage(f"solving {spot.board}", aloud=False)

        def tell(progress: Progress) -> None:
            live.tell([f"{spot.board}: {text}" for text in progress_texts(progress)])

        return run.solve(spot, callbacks=Callbacks(None if live.quiet else tell))


@with_options
def review(
    file: Annotated[Path, options.file_argument("FILE", "The file with the hands.")],
    against: Annotated[
        list[Path] | None,
        typer.Option(
            "--against",
            metavar="SOLUTION",
            parser=solution_name,
            show_default=False,
            help="A solution, a spot, last, or a folder of them; may be given several times.",
        ),
    ] = None,
    hero: Annotated[
        str | None,
        options.optional("--hero", "NAME", "The player whose decisions are judged."),
    ] = None,
    everybody: Annotated[
        bool, options.switch("--all", "Judge all players whose cards are known.")
    ] = False,
    within: Annotated[
        float,
        options.valued(
            "--stacks-within",
            "FACTOR",
            "Judge no hand whose stacks, in big blinds or pots, differ by more than this factor.",
        ),
    ] = STACKS_WITHIN,
    worst: Annotated[
        int, options.whole("--worst", "N", "List so many decisions.", DISPLAY, default=True)
    ] = _WORST,
    *,
    solving: SolveOptions,
    seed: Annotated[
        int, options.whole("--seed", "N", "Seed of estimated values.", default=True)
    ] = 0,
    game: Annotated[
        Path | None,
        options.file("--game", "FILE", "The game definition of a match log.", FILES),
    ] = None,
    cards: options.MovedCards = None,
    csv: Annotated[
        Path | None,
        options.file("--csv", "FILE", "Write every decision to this table, too.", FILES),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Read the hands, judge, print."""
    from equilibrist.cli.text.playing.review import show_review
    from equilibrist.cli.text.progress import LiveLine
    from equilibrist.library.judges import open_judges
    from equilibrist.play.review.review import review_hands, table_hands, write_review_csv
    from equilibrist.protocols.hand_files import check_some, read_hands
    from equilibrist.storage.replaceable import check_replaceable

    sources = against or []
    _check(sources, hero, within, worst, solving, everybody=everybody)
    if csv is not None:
        check_replaceable(csv, ".csv", "--csv")
    with LiveLine(quiet=quiet, interrupted="") as live, terminate_like_interrupt():

        def solve(spot: Spot) -> PostflopResult:
            return solving.run(spot, live)

        def tell(number: int, hand: TableHand) -> None:
            live.tell([f"hand {number + 1:,} of {len(hands):,}: {hand.name}"])

        judges = open_judges(
            sources,
            within=within,
            seed=seed,
            cards=cards,
            solve=solve,
            flops=solving.menu() if solving.solve else None,
            ranges=solving.ranges,
        )
        played = read_hands(file, game)
        check_some(played, file)
        hands, left_out = table_hands(played)
        reviewed = review_hands(
            hands, judges, hero=hero, everybody=everybody, left_out=left_out, on_hand=tell
        )
    for entry in reviewed.left_out[:_WORST]:
        note(f"left out {entry}")
    if len(reviewed.left_out) > _WORST:
        note(f"left out {len(reviewed.left_out) - _WORST:,} more")
    if json:
        show_json(reviewed.to_dict())
    else:
        show_review(reviewed, worst)
    if csv is not None:
        write_review_csv(reviewed, csv)
        note(f"wrote {len(reviewed.decisions):,} decisions to {csv}")
    if not reviewed.is_complete:
        raise typer.Exit(INTERRUPTED)


def _check(
    against: list[Path],
    hero: str | None,
    within: float,
    worst: int,
    solving: SolveOptions,
    *,
    everybody: bool,
) -> None:
    """Raise ConfigError for options that do not go together, or are out of range."""
    if not against and not solving.solve:
        raise ConfigError(
            "nothing is given to review the hands against",
            option="--against",
            remedy="give a solution, a chart, a blueprint, or a folder of them; or --solve",
        )
    if solving.ranges is not None and not solving.solve:
        raise ConfigError(
            "--ranges are those of flops that are solved",
            option="--ranges",
            given=solving.ranges,
            remedy="give --solve",
        )
    if hero is not None and everybody:
        raise ConfigError(
            "--hero and --all say both whose decisions are judged",
            option="--all",
            remedy="leave out one",
        )
    if not within >= 1.0:
        raise ConfigError(option="--stacks-within", given=within, expected="a factor of at least 1")
    if worst < 0:
        raise ConfigError(option="--worst", given=worst, expected="a number of at least 0")
