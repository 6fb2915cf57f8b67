"""How good a blueprint is, in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from equilibrist.cli.text.holdem.blueprint_text import show_record
from equilibrist.cli.text.output import heading, show, show_facts, show_table
from equilibrist.formatting.amounts import counted, seconds_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from equilibrist.evaluation.duplicates import Estimate
    from equilibrist.poker.blueprint.evaluation.card_response import CardResponse
    from equilibrist.poker.blueprint.evaluation.exploiter_figures import (
        Exploiter,
    )
    from equilibrist.poker.blueprint.evaluation.litmus import Folds, JamOrFold, Litmus
    from equilibrist.poker.blueprint.evaluation.local_response import LocalResponse
    from equilibrist.poker.blueprint.evaluation.report import BlueprintEvaluation
    from equilibrist.poker.blueprint.policy import Blueprint
    from equilibrist.progress import Progress

_FEW: Final = 20
"""Independent numbers from which on the spread that an interval is made of is known well enough."""
_SKIPPED: Final = {"jam_or_fold": "push or fold"}


def show_evaluation(blueprint: Blueprint, result: BlueprintEvaluation) -> None:
    """Print how a blueprint was trained, and what an evaluation found."""
    show_record(blueprint)
    if blueprint.hand.seats == 2:
        show_facts([("own value", f"{_text(result.value)} for the {blueprint.seats[0]}")], "")
    elif result.exploiter is None:
        show()
        rows = zip(blueprint.seats, map(_number, result.values), strict=True)
        show_table(("seat", "own value"), [list(row) for row in rows])
        show("  in mbb per hand, with the blueprint in all seats")
    if result.exploiter is not None:
        show()
        _show_exploiter(result.exploiter, blueprint)
    if result.card_response is not None:
        show()
        _show_response(result.card_response, blueprint.seats)
    if result.lbr is not None:
        show()
        _show_local(result.lbr, blueprint.seats)
    if result.litmus is not None:
        show()
        _show_litmus(result.litmus)


def _show_response(response: CardResponse, names: Sequence[str]) -> None:
    of_tree = "card response, exact for the betting tree"
    heading(
        f"exploitability {response.gain.mean:+z.3f} mbb ({of_tree})"
        if response.exact
        else f"exploitability at least {_text(response.gain)} (card response in the betting tree)"
    )
    rows = [[name, _number(response.values[seat])] for seat, name in enumerate(names)]
    show_table(("response as", "wins"), rows)
    show(
        f"  in mbb per hand, on {'all ' if response.exact else ''}{counted(response.flops, 'flop')}"
    )
    if not response.exact:
        _show_if_few(response.flops, "flop", "--flops")


def _show_local(response: LocalResponse, names: Sequence[str]) -> None:
    from equilibrist.poker.blueprint.evaluation.local_response import PER_BOARD

    if response.gain.mean > response.gain.half_width:
        gain = _text(response.gain)
        heading(f"exploitability at least {gain} (local best response {response.setting})")
    else:
        heading(
            f"local best response {response.setting} wins {_text(response.gain)}: no bound above 0"
        )
    rows = [[name, _number(response.values[seat])] for seat, name in enumerate(names)]
    show_table(("response as", "wins"), rows)
    show(f"  in mbb per hand, {response.hands:,} hands of each seat")
    _show_if_few(response.hands // PER_BOARD, "board", "--hands")
    if response.tried:
        show()
        show_table(
            ("setting", "wins, other hands"),
            [[str(setting), _number(win)] for setting, win in response.tried],
        )
    if response.gain.mean <= response.gain.half_width:
        show("  it wins nothing for certain, which does not show that the blueprint is good")


def live_texts(progress: Progress, names: Sequence[str]) -> list[str]:
    """The live line, and a shorter one, with the names of the seats."""
    if progress.total is not None:
        text = f"{progress.algorithm}  {progress.iteration:,} of {progress.total:,} {progress.unit}"
        if progress.eta_seconds is None:
            return [text]
        return [f"{text}  {seconds_text(progress.eta_seconds)} to go", text]
    assert progress.seat is not None
    parts = [
        f"exploiter of the {names[1 - progress.seat]}"
        if len(names) == 2
        else f"exploiter as {names[progress.seat]}",
        f"{progress.iteration:,} iterations",
        f"regret {progress.average_regret:,.3g} mbb",
    ]
    if progress.eta_seconds is not None:
        parts.append(f"{seconds_text(progress.eta_seconds)} to go")
    return ["  ".join(parts), "  ".join(parts[:2])]


def _show_if_few(count: int, what: str, option: str) -> None:
    """Say it where too few independent numbers are behind an interval to trust its width."""
    if count < _FEW:
        show(f"  few {what}s: the interval itself is rough; {option} draws more of them")


def _text(estimate: Estimate) -> str:
    return f"{estimate.mean:+z.2f} ± {estimate.half_width:.2f} mbb"


def _show_exploiter(exploiter: Exploiter, blueprint: Blueprint) -> None:
    seats = len(exploiter.gains)
    if seats == 2:
        heading(f"exploitability at least {_text(exploiter.gain)} (exploiters in the buckets)")
    elif exploiter.nash_conv.mean > exploiter.nash_conv.half_width:
        heading(f"NashConv at least {_text(exploiter.nash_conv)} (exploiters in the buckets)")
    else:
        heading(f"exploiters in the buckets gain {_text(exploiter.nash_conv)}: no bound above 0")
    ours = [[] if seats == 2 else [_number(value)] for value in exploiter.blueprint_values]
    rows = [
        [
            name,
            _number(exploiter.values[seat]),
            *ours[seat],
            _number(exploiter.gains[seat]),
            f"{exploiter.iterations[seat]:,}",
            seconds_text(exploiter.seconds[seat]),
            exploiter.chosen[seat],
        ]
        for seat, name in enumerate(blueprint.seats)
    ]
    own = () if seats == 2 else ("blueprint",)
    show_table(("exploiter as", "wins", *own, "gains", "iterations", "trained", "strategy"), rows)
    cards = "boards" if seats == 2 else "deals"
    show(f"  in mbb per hand, on {exploiter.boards:,} independent {cards}")
    _show_if_few(exploiter.boards, cards.removesuffix("s"), "--boards")
    if seats > 2:
        show("  each gain is a lower bound for its seat, with the blueprint in all other seats")
    trained = float(blueprint.record.get("seconds", 0.0))
    if min(exploiter.seconds) < 0.9 * trained:
        show(
            f"  the blueprint was trained for {seconds_text(trained)}; an exploiter that is "
            "trained as long finds more"
        )


def _number(estimate: Estimate) -> str:
    return f"{estimate.mean:+z.2f} ± {estimate.half_width:.2f}"


def _show_litmus(litmus: Litmus) -> None:
    heading("litmus hands")
    facts = [("AA before the flop", _folds(litmus.aces))]
    if litmus.nuts is not None:
        facts.append(("nuts on the river", f"{_folds(litmus.nuts)}; {litmus.nut_boards} boards"))
    if litmus.jam_or_fold is not None:
        facts.append(("push or fold", _jam(litmus.jam_or_fold)))
    facts.extend((_SKIPPED[name], "skipped: for two seats") for name in litmus.skipped)
    show_facts(facts)


def _folds(folds: Folds) -> str:
    text = f"{_verdict(folds.holds)}: fold {100 * folds.rate:.3f} % of the bets they face"
    if folds.worst >= 0.001:
        text += f"; most, {100 * folds.worst:.1f} %, after {folds.worst_at}"
    return text


def _jam(jam: JamOrFold) -> str:
    text = f"{_verdict(jam.holds)}: push or fold is worth {jam.push_fold:+z.2f} mbb, "
    text += f"the blueprint {_text(jam.value)}"
    if jam.gain is not None:
        text += f", its exploiter gains {_text(jam.gain)}"
    return text


def _verdict(holds: Any) -> str:
    return "holds" if holds else "FAILS"
