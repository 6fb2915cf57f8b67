"""`equilibrist blueprint evaluate`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.signals import (
    TimeLimit,
    end_cut_short,
    limited,
    terminate_like_interrupt,
)
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import note, show_json, suggest
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import seconds_text
from equilibrist.options.option import SAMPLING, by_flag, declare, shared
from equilibrist.options.solve_options import HOLDEM_RUN_OPTIONS
from equilibrist.parsing.quantities import read_count

if TYPE_CHECKING:
    from equilibrist.poker.blueprint.evaluation.local_response import LocalSetting
    from equilibrist.poker.blueprint.evaluation.report import BlueprintEvaluation
    from equilibrist.poker.blueprint.policy import Blueprint

EVALUATE: Final = """Measure how good a blueprint is.

--exploiter TIME trains each seat for TIME in the buckets against the frozen other seat, and values
what it has learned on newly drawn boards. Half of what both gain is a lower bound of the
exploitability: an exploiter sees buckets, not cards, and learns for a limited time. Train it as
long as the blueprint. With more than two seats each is trained in turn, by external sampling,
against the blueprint in all others, and valued on newly drawn deals. The sum of the gains is a
lower bound of NashConv. It says what one opponent can win, not what several can.

--card-response values best responses of both seats that see all cards and keep to the bet sizes of
the blueprint. With sampled flops and all their turn and river cards it is a lower bound with an
interval: each half of the flops is valued with the choices before the flop of the other half. With
--flops all it is exact for the betting tree, and takes hours for large ones; the live line has the
time to go.

--lbr plays local best responses, which know the blueprint's range and take at each turn the action
that is best if nobody bets afterwards. They may bet sizes that the betting tree lacks, which the
blueprint maps to its own: a lower bound for the blueprint as it is played. Of several settings
(--lbr-settings: the bets, and the first street on which they choose) the best one is found on some
hands and valued on others.

--litmus looks at mistakes that no good strategy makes: aces that fold before the flop, the nuts
that fold on the river, and, with two seats, a small blind that wins less than push or fold.

--card-response and --lbr are for two seats.

Figures are in thousandths of a big blind per hand (mbb), with 95 % intervals. Exploiters come
first, the litmus hands last. --time ends the evaluation, as Ctrl-C does, and the parts that are
complete are printed; flops that have begun are finished.

\b
Examples:
  equilibrist blueprint evaluate b.safetensors --exploiter 10m --litmus
  equilibrist blueprint evaluate b.safetensors --card-response --flops 100
  equilibrist blueprint evaluate b.safetensors --lbr --hands 20000
  equilibrist blueprint evaluate b.safetensors --lbr --lbr-settings "tree,fcpa:turn" --json
"""
_SHORT: Final = 8
"""The lowest rank of decks of 20 cards."""


_PARTS: Final = "Parts"


@dataclass(frozen=True)
class PartOptions:
    """What is measured, and on how many cards; None for what was not typed."""

    exploiter: float | None = declare(
        "time", _PARTS, "Train an exploiter of each seat for this time: 10m."
    )
    card_response: bool = declare(
        "switch", _PARTS, "Respond with all cards inside the betting tree."
    )
    lbr: bool = declare("switch", _PARTS, "Play local best responses.")
    litmus: bool = declare("switch", _PARTS, "Look at the litmus hands.")
    hands: int | None = declare(
        "count", SAMPLING, "Hands of each seat that --lbr plays.", default_text="10000"
    )
    lbr_settings: str | None = declare(
        "text",
        SAMPLING,
        "What --lbr may bet (fc, tree, fcpa, 56), and from which street: fcpa:turn,56.",
        metavar="LIST",
        default_text="all, from preflop and from turn",
    )
    boards: int | None = declare(
        "whole number",
        SAMPLING,
        "Independent boards on which strategies are valued; deals with more than two seats.",
        default_text="as many as an interval of +-2 mbb needs; without an exploiter 2000 boards or "
        "200000 deals",
    )
    flops: str | None = declare(
        "text",
        SAMPLING,
        "Flops of --card-response, or all.",
        metavar="N",
        default_text="40; all with 20 cards or fewer",
    )
    seed: int | None = shared(HOLDEM_RUN_OPTIONS["seed"], help="Seed of the boards.")
    threads: int | None = shared(
        HOLDEM_RUN_OPTIONS["threads"],
        help="Work with this many threads. With more than two seats the result of --exploiter "
        "depends on them, no other does.",
    )
    cards: Path | None = shared(options.MOVED_CARDS)

    @property
    def has_parts(self) -> bool:
        """Whether any part is asked for."""
        return self.exploiter is not None or self.card_response or self.lbr or self.litmus

    def check(self) -> None:
        """Raise ConfigError for options of parts that are not asked for."""
        if self.flops is not None and not self.card_response:
            raise ConfigError(
                "--flops is for --card-response",
                option="--flops",
                given=self.flops,
                remedy="add --card-response, or leave out --flops",
            )
        for flag, value in by_flag(self, "hands", "lbr_settings").items():
            if value is not None and not self.lbr:
                raise ConfigError(
                    f"{flag} is for --lbr",
                    option=flag,
                    given=value,
                    remedy=f"add --lbr, or leave out {flag}",
                )

    def arguments(self, blueprint: Blueprint) -> dict[str, Any]:
        """The arguments of `evaluate_blueprint` that ask for these parts.

        Args:
            blueprint: The blueprint.

        Returns:
            The arguments.

        Raises:
            ConfigError: A value cannot be read.
            UnsupportedError: A part is for two seats.
        """
        from equilibrist.poker.blueprint.abstract_game import check_evaluated
        from equilibrist.poker.blueprint.evaluation.local_response import HANDS
        from equilibrist.poker.blueprint.evaluation.report import ALL, FLOPS

        lbr = self.lbr if self.lbr_settings is None else _settings(self.lbr_settings)
        flops = None if self.flops is None else _flops(self.flops)
        for flag, wanted in by_flag(self, "card_response", "lbr").items():
            if wanted:
                check_evaluated(blueprint.hand, flag, flag)
        if flops is None:
            flops = ALL if blueprint.cards.lowest_rank >= _SHORT else FLOPS
        return {
            "exploiter_seconds": self.exploiter,
            "response_flops": flops if self.card_response else None,
            "lbr": lbr,
            "hands": HANDS if self.hands is None else self.hands,
            "litmus": self.litmus,
            "boards": self.boards,
            "seed": self.seed or 0,
            "threads": self.threads,
        }


@dataclass(frozen=True)
class EvaluationOptions(PartOptions):
    """What is measured, on how many cards, and for how long; None for what was not typed."""

    time: float | None = shared(
        HOLDEM_RUN_OPTIONS["seconds"],
        help="Stop after this long, counted from the start of the command, with the parts that are "
        "complete: 30m.",
    )


@with_options
def evaluate(
    file: Annotated[Path, options.argument("BLUEPRINT", "The file.")],
    *,
    asked: EvaluationOptions,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Evaluate, print."""
    from equilibrist.poker.blueprint.policy import Blueprint

    if not asked.has_parts:
        raise ConfigError(
            "nothing says what to evaluate",
            option="--exploiter",
            expected="--exploiter TIME, --card-response, --lbr or --litmus",
            remedy="give --exploiter TIME, --card-response, --lbr or --litmus",
        )
    asked.check()
    blueprint = Blueprint.load(file, asked.cards)
    training = (asked.exploiter or 0.0) * blueprint.hand.seats
    if asked.time is not None and training >= asked.time:
        raise ConfigError(
            f"training the exploiters of all seats takes {seconds_text(training)}, longer than all",
            option="--time",
            given=asked.time,
            expected=f"more than {training:g} seconds",
            remedy="give a longer --time, or a shorter --exploiter",
        )
    measure(blueprint, time=asked.time, json=json, quiet=quiet, **asked.arguments(blueprint))


def measure(
    blueprint: Blueprint,
    *,
    time: float | None = None,
    json: bool = False,
    quiet: bool = False,
    **asked: Any,
) -> None:
    """Evaluate a blueprint with the arguments of `evaluate_blueprint`, and print what is found.

    `time` is the limit of the command in seconds, None for none.
    """
    from equilibrist.cli.text.holdem.blueprint_evaluation_text import show_evaluation

    remedy = "give it more time, or fewer parts, --flops, --hands or --boards"
    with limited(time, remedy, keeps_partial=True, patient=True) as limit:
        result = evaluated(blueprint, limit, quiet=quiet or json, **asked)
    stopped_by = limit.stopped_by(interrupted=result.interrupted)
    if json:
        show_json({"blueprint": blueprint.facts(), **result.to_dict(), "stopped_by": stopped_by})
    else:
        show_evaluation(blueprint, result)
    if result.interrupted:
        note("The parts that are not shown were not measured.")
    end_cut_short(stopped_by, time, "some parts were not measured", json=json)


def evaluated(
    blueprint: Blueprint, limit: TimeLimit, *, quiet: bool, **asked: Any
) -> BlueprintEvaluation:
    """Evaluate a blueprint with a live line.

    Args:
        blueprint: The blueprint.
        limit: The limit of the command.
        quiet: Whether to show no progress.
        asked: The arguments of `evaluate_blueprint`.

    Returns:
        What was found.
    """
    from equilibrist.cli.text.holdem.blueprint_evaluation_text import live_texts
    from equilibrist.poker.blueprint.evaluation.report import evaluate_blueprint
    from equilibrist.progress import Callbacks

    limit.doing = "evaluating the blueprint"
    if not quiet and (asked.get("response_flops") is not None or asked.get("lbr")):
        with LiveLine(interrupted="") as live, terminate_like_interrupt():
            live.stage("estimating the time", aloud=False)
            expected = _expected(blueprint, asked)
        note(expected)
    with LiveLine(quiet=quiet, interrupted="") as live, terminate_like_interrupt():
        live.stage("preparing the evaluation", aloud=False)
        return evaluate_blueprint(
            blueprint,
            **asked,
            callbacks=Callbacks(
                lambda progress: live.tell(live_texts(progress, blueprint.seats)),
                on_stage=lambda text: live.tell([text]),
            ),
        )


def _expected(blueprint: Blueprint, asked: dict[str, Any]) -> str:
    """Estimate how long the parts that are asked for will take, in words."""
    from equilibrist.poker.blueprint.evaluation.forecast import local_seconds, response_seconds
    from equilibrist.poker.blueprint.evaluation.report import ALL

    parts = []
    if asked.get("exploiter_seconds") is not None:
        parts.append(("exploiters", asked["exploiter_seconds"] * blueprint.hand.seats))
    flops = asked.get("response_flops")
    if flops is not None:
        took = response_seconds(blueprint, None if flops == ALL else flops, asked["threads"])
        parts.append((f"card response on {flops} flops", took))
    if lbr := asked.get("lbr"):
        hands, settings = asked["hands"], None if lbr is True else lbr
        took = local_seconds(blueprint, settings, hands=hands, seed=asked["seed"])
        parts.append((f"{hands:,} hands of local best responses", took))
    texts = [f"{name} {seconds_text(seconds)}" for name, seconds in parts]
    whole = seconds_text(sum(seconds for _, seconds in parts))
    return f"takes about {whole} on an idle machine: {', '.join(texts)}"


def _settings(text: str) -> list[LocalSetting]:
    from equilibrist.poker.blueprint.evaluation.local_response import LocalSetting

    return [LocalSetting.read(setting) for setting in text.split(",")]


def _flops(text: str) -> int | str:
    """The number of flops of a text, or "all"."""
    from equilibrist.poker.blueprint.evaluation.report import ALL

    return ALL if text.strip().lower() == ALL else read_count(text, "flops")


def evaluate_blueprint(file: Path, *, cards: Path | None = None, json: bool) -> None:
    """Do what `evaluate` does: show what is measured at once, the litmus hands."""
    from equilibrist.poker.blueprint.policy import Blueprint

    blueprint = Blueprint.load(file, cards)
    measure(blueprint, litmus=True, json=json)
    if json:
        return
    more = partial(next_command, "blueprint evaluate", file)
    if blueprint.hand.seats == 2:
        suggest(more(exploiter="10m", lbr=True), more(card_response=True))
    else:
        suggest(more(exploiter="10m"))
