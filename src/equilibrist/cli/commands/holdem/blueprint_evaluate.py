"""`equilibrist blueprint evaluate`."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.signals import terminate_like_interrupt
from equilibrist.cli.text.output import heading, show, show_facts, show_json, show_table
from equilibrist.cli.text.progress import LiveLine
from equilibrist.cli.text.quantities import read_count, read_seconds, seconds_text
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted
from equilibrist.options.option import SAMPLING, THREADS

if TYPE_CHECKING:
    from equilibrist.blueprint.evaluation.card_response import CardResponse
    from equilibrist.blueprint.evaluation.exploiter import Exploiter, ExploiterProgress
    from equilibrist.blueprint.evaluation.litmus import Folds, JamOrFold, Litmus
    from equilibrist.blueprint.evaluation.local_response import LocalResponse, LocalSetting
    from equilibrist.blueprint.policy import Blueprint
    from equilibrist.evaluation.duplicates import Estimate

EVALUATE: Final = """Measure how good a blueprint is.

--exploiter TIME trains each seat for TIME in the buckets against the frozen other seat, and values
what it has learned on newly drawn boards. Half of what both gain is a lower bound of the
exploitability: an exploiter sees buckets, not cards, and learns for a limited time. Train it as
long as the blueprint.

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
that fold on the river, and a small blind that wins less than push or fold.

Figures are in thousandths of a big blind per hand (mbb), with 95 % intervals.

\b
Examples:
  equilibrist blueprint evaluate b.safetensors --exploiter 10m --litmus
  equilibrist blueprint evaluate b.safetensors --card-response --flops 100
  equilibrist blueprint evaluate b.safetensors --lbr --hands 20000
  equilibrist blueprint evaluate b.safetensors --lbr --lbr-settings "tree,fcpa:turn" --json
"""
_SHORT: Final = 8
"""The lowest rank of decks of 20 cards."""
_SEATS: Final = ("small blind", "big blind")


def evaluate(
    file: Annotated[Path, options.argument("BLUEPRINT", "The file.")],
    exploiter: Annotated[
        str | None,
        options.optional(
            "--exploiter", "TIME", "Train an exploiter of each seat for this time: 10m."
        ),
    ] = None,
    *,
    card_response: Annotated[
        bool, options.switch("--card-response", "Respond with all cards inside the betting tree.")
    ] = False,
    lbr: Annotated[bool, options.switch("--lbr", "Play local best responses.")] = False,
    litmus: Annotated[bool, options.switch("--litmus", "Look at the litmus hands.")] = False,
    hands: Annotated[
        str | None,
        options.optional(
            "--hands", "N", "Hands of each seat that --lbr plays.  [default: 10000]", SAMPLING
        ),
    ] = None,
    lbr_settings: Annotated[
        str | None,
        options.optional(
            "--lbr-settings",
            "LIST",
            "What --lbr may bet (fc, tree, fcpa, 56), and from which street: fcpa:turn,56.  "
            "[default: all, from preflop and from turn]",
            SAMPLING,
        ),
    ] = None,
    boards: Annotated[
        int | None,
        options.whole(
            "--boards",
            "N",
            "Independent boards on which strategies are valued.  [default: as many as an interval "
            "of +-2 mbb needs; without an exploiter 2000]",
            SAMPLING,
        ),
    ] = None,
    flops: Annotated[
        str | None,
        options.optional(
            "--flops",
            "N",
            "Flops of --card-response, or all.  [default: 40; all with 20 cards or fewer]",
            SAMPLING,
        ),
    ] = None,
    seed: Annotated[
        int | None, options.whole("--seed", "N", "Seed of the boards.  [default: 0]", SAMPLING)
    ] = None,
    threads: Annotated[
        int | None,
        options.whole("--threads", "N", "Threads.  [default: one per processor]", THREADS),
    ] = None,
    cards: options.MovedCards = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Evaluate, print."""
    from equilibrist.blueprint.evaluation.local_response import HANDS
    from equilibrist.blueprint.evaluation.report import ALL, FLOPS, evaluate_blueprint
    from equilibrist.blueprint.policy import Blueprint
    from equilibrist.cli.text.holdem.blueprint_text import document, show_record

    if exploiter is None and not (card_response or lbr or litmus):
        raise ConfigError(
            "nothing says what to evaluate",
            option="--exploiter",
            expected="--exploiter TIME, --card-response, --lbr or --litmus",
            remedy="give --exploiter TIME, --card-response, --lbr or --litmus",
        )
    seconds = None if exploiter is None else read_seconds(exploiter)
    if flops is not None and not card_response:
        raise ConfigError(
            "--flops is for --card-response",
            option="--flops",
            given=flops,
            remedy="add --card-response, or leave out --flops",
        )
    for flag, given in (("--hands", hands), ("--lbr-settings", lbr_settings)):
        if given is not None and not lbr:
            raise ConfigError(
                f"{flag} is for --lbr",
                option=flag,
                given=given,
                remedy=f"add --lbr, or leave out {flag}",
            )
    settings = _settings(lbr_settings) if lbr_settings is not None else lbr
    count = HANDS if hands is None else read_count(hands, "hands")
    number = None if flops is None else _flops(flops)
    found = Blueprint.load(file, cards)
    if number is None:
        number = ALL if found.cards.lowest_rank >= _SHORT else FLOPS
    with LiveLine(quiet=quiet or json) as live, terminate_like_interrupt():
        live.stage("preparing the evaluation", aloud=False)
        result = evaluate_blueprint(
            found,
            exploiter_seconds=seconds,
            response_flops=number if card_response else None,
            lbr=settings,
            hands=count,
            litmus=litmus,
            boards=boards,
            seed=seed or 0,
            threads=threads,
            on_progress=lambda progress: live.tell(_texts(progress)),
            on_flops=_Flops(live).tell,
            on_hands=lambda done, of: live.tell([f"local best response  {done:,} of {of:,} hands"]),
        )
    if json:
        show_json({"blueprint": document(found), **result.to_dict()})
        return
    show_record(found)
    show_facts([("own value", f"{_text(result.value)} for the small blind")], "")
    if result.exploiter is not None:
        show()
        _show_exploiter(result.exploiter, found)
    if result.card_response is not None:
        show()
        _show_response(result.card_response)
    if result.lbr is not None:
        show()
        _show_local(result.lbr)
    if result.litmus is not None:
        show()
        _show_litmus(result.litmus)


class _Flops:
    """Tells how many flops of a card response are done, and how long the others take."""

    def __init__(self, live: LiveLine) -> None:
        self._live, self._begun = live, perf_counter()

    def tell(self, done: int, of: int) -> None:
        """Show the line."""
        text = f"card response  {done:,} of {of:,} flops"
        left = (perf_counter() - self._begun) / done * (of - done)
        self._live.tell([f"{text}  {seconds_text(left)} to go", text])


def _settings(text: str) -> list[LocalSetting]:
    from equilibrist.blueprint.evaluation.local_response import LocalSetting

    return [LocalSetting.read(each) for each in text.split(",")]


def _flops(text: str) -> int | str:
    """The number of flops of a text, or "all"."""
    from equilibrist.blueprint.evaluation.report import ALL

    return ALL if text.strip().lower() == ALL else read_count(text, "flops")


def _show_response(found: CardResponse) -> None:
    of_tree = "card response, exact for the betting tree"
    heading(
        f"exploitability {found.gain.mean:+.3f} mbb ({of_tree})"
        if found.exact
        else f"exploitability at least {_text(found.gain)} (card response in the betting tree)"
    )
    rows = [[name, _number(found.values[seat])] for seat, name in enumerate(_SEATS)]
    show_table(("response as", "wins"), rows)
    show(f"  in mbb per hand, on {'all ' if found.exact else ''}{counted(found.flops, 'flop')}")


def _show_local(found: LocalResponse) -> None:
    if found.gain.mean > found.gain.half_width:
        heading(
            f"exploitability at least {_text(found.gain)} (local best response {found.setting})"
        )
    else:
        heading(f"local best response {found.setting} wins {_text(found.gain)}: no bound above 0")
    rows = [[name, _number(found.values[seat])] for seat, name in enumerate(_SEATS)]
    show_table(("response as", "wins"), rows)
    show(f"  in mbb per hand, {found.hands:,} hands of each seat")
    if found.tried:
        show()
        show_table(
            ("setting", "wins, other hands"),
            [[str(setting), _number(each)] for setting, each in found.tried],
        )
    if found.gain.mean <= found.gain.half_width:
        show("  it wins nothing for certain, which does not show that the blueprint is good")


def _texts(progress: ExploiterProgress) -> list[str]:
    """The live line, and a shorter one."""
    if progress.seat is None:
        text = f"values on {progress.boards:,} boards"
        return [text, text]
    parts = [
        f"exploiter of the {_SEATS[1 - progress.seat]}",
        f"{progress.iteration:,} iterations",
        f"regret {progress.average_regret:,.3g} mbb",
    ]
    if progress.eta_seconds is not None:
        parts.append(f"{seconds_text(progress.eta_seconds)} to go")
    return ["  ".join(parts), "  ".join(parts[:2])]


def _text(found: Estimate) -> str:
    return f"{found.mean:+.2f} ± {found.half_width:.2f} mbb"


def _show_exploiter(found: Exploiter, blueprint: Blueprint) -> None:
    heading(f"exploitability at least {_text(found.gain)} (exploiters in the buckets)")
    rows = [
        [
            name,
            _number(found.values[seat]),
            _number(found.gains[seat]),
            f"{found.iterations[seat]:,}",
            seconds_text(found.seconds[seat]),
            found.chosen[seat],
        ]
        for seat, name in enumerate(_SEATS)
    ]
    show_table(("exploiter as", "wins", "gains", "iterations", "trained", "strategy"), rows)
    show(f"  in mbb per hand, on {found.boards:,} independent boards")
    trained = float(blueprint.record.get("seconds", 0.0))
    if min(found.seconds) < 0.9 * trained:
        show(
            f"  the blueprint was trained for {seconds_text(trained)}; an exploiter that is "
            "trained as long finds more"
        )


def _number(found: Estimate) -> str:
    return f"{found.mean:+.2f} ± {found.half_width:.2f}"


def _show_litmus(found: Litmus) -> None:
    heading("litmus hands")
    facts = [("AA before the flop", _folds(found.aces))]
    if found.nuts is not None:
        facts.append(("nuts on the river", f"{_folds(found.nuts)}; {found.nut_boards} boards"))
    if found.jam_or_fold is not None:
        facts.append(("push or fold", _jam(found.jam_or_fold)))
    show_facts(facts)


def _folds(found: Folds) -> str:
    text = f"{_verdict(found.holds)}: fold {100 * found.rate:.3f} % of the bets they face"
    if found.worst >= 0.001:
        text += f"; most, {100 * found.worst:.1f} %, after {found.worst_at}"
    return text


def _jam(found: JamOrFold) -> str:
    text = f"{_verdict(found.holds)}: push or fold is worth {found.push_fold:+.2f} mbb, "
    text += f"the blueprint {_text(found.value)}"
    if found.gain is not None:
        text += f", its exploiter gains {_text(found.gain)}"
    return text


def _verdict(holds: Any) -> str:
    return "holds" if holds else "FAILS"
