"""Charts as documents: what a file is, and a decision of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted
from equilibrist.poker.hands.rules import position_names
from equilibrist.poker.preflop.allin_table import CLASS_SIZES
from equilibrist.poker.preflop.multiway.solution import MultiwaySolution
from equilibrist.poker.preflop.push_fold.solution import PushFoldSolution
from equilibrist.poker.ranges.range import Range
from equilibrist.web.documents.charts.places import Choice, Hands, Place
from equilibrist.web.documents.charts.trees import (
    blueprint_hands,
    exact_hands,
    multiway_hands,
    tree_way,
)

if TYPE_CHECKING:
    from equilibrist.web.store.opening import ChartFile

Document = dict[str, Any]
_TWO: Final = ("SB", "BB")
_EV: Final = "what the hand wins against its stack before posting, in big blinds"
_GAIN: Final = "what going all-in wins compared with a fold, in {}"
_LEAST: Final = 0.001
"""Hands that take an action more rarely are none of its range."""
_NO_EV: Final = "a blueprint has no EVs of its own"


def charts_facts(found: ChartFile) -> Document:
    """What a file with charts is.

    Args:
        found: What it holds.

    Returns:
        `kind`, `title`, the names of the `seats`, `facts` as pairs of a word and a text, `ev`, what
        EVs mean or why there are none, and whether decisions after the flop take a board.
    """
    from equilibrist.poker.blueprint.policy import Blueprint

    if isinstance(found, PushFoldSolution):
        return _push_fold_facts(found)
    if isinstance(found, MultiwaySolution):
        low, high = (f"{1000 * each:z.3g}" for each in found.interval)
        facts = [
            ("EV", _by_seat(found.seats, found.values)),
            (
                "NashConv",
                f"at most {1000 * found.nash_conv:.3g} mbb (95 % interval {low} to {high})",
            ),
            (
                "deals",
                f"{found.deals:,} in {counted(found.iterations, 'iteration')}, seed {found.seed}",
            ),
        ]
        return _facts("multiway", found.hand.name, found.seats, facts, _EV)
    if isinstance(found, Blueprint):
        record = found.record
        facts = [
            ("buckets", "/".join(map(str, found.game.buckets))),
            ("training", f"{record.get('boards', 0):,} boards"),
        ]
        return _facts(
            "blueprint",
            found.hand.name,
            position_names(found.hand.seats),
            facts,
            _NO_EV,
            takes_board=True,
        )
    facts = [
        ("EV", _by_seat(_TWO, found.values)),
        ("exploitability", f"{found.exploitability:.3g} mbb"),
        ("found by", f"{counted(found.iterations, 'iteration')} of {found.algorithm}"),
    ]
    return _facts("preflop", found.game.name, _TWO, facts, _EV)


def chart_document(found: ChartFile, line: str, board: str = "") -> Document:
    """A decision: the way to it, its actions, and what each class of hands does.

    Args:
        found: What the file holds.
        line: The line of the decision.
        board: Of a blueprint, after the flop, the public cards.

    Returns:
        `line`, `seat`, `street`, `way`, the decision last, `classes` by name, and `ranges`, the
        text of the range that takes each of its actions.

    Raises:
        NotationError: The line or the board cannot be read.
        ConfigError: There is no such decision.
    """
    from equilibrist.poker.blueprint.policy import Blueprint

    if isinstance(found, PushFoldSolution):
        way, hands = _push_fold(found, line)
    elif isinstance(found, Blueprint):
        last = found.hand.rules.final_street
        _, places = tree_way(found.tree, line, position_names(found.hand.seats), last)
        each = [(place, blueprint_hands(found, node, board)) for node, place in places]
        way, hands = _told(each)
    elif isinstance(found, MultiwaySolution):
        _, places = tree_way(found.tree.betting, line, found.seats, 0)
        way, hands = _told([(place, multiway_hands(found, place.line)) for _, place in places])
    else:
        _, places = tree_way(found.tree, line, _TWO, 0)
        way, hands = _told([(place, exact_hands(found, place.line)) for _, place in places])
    here = way[-1]
    classes = hands.to_dict()
    return {
        "line": here.line,
        "seat": here.seat,
        "street": here.street,
        "way": [place.to_dict() for place in way],
        "classes": classes,
        "ranges": [_range_text(classes, a) for a in range(len(here.choices))],
    }


def _range_text(classes: Document, action: int) -> str:
    """The hands that take an action, as a range in its shortest text; weights to three digits."""
    parts = []
    for name, one in classes.items():
        weight = one["reach"] * one["strategy"][action]
        if weight >= _LEAST:
            parts.append(f"{name}:{min(float(f'{weight:.3g}'), 1.0):g}")
    return str(Range(",".join(parts))) if parts else ""


def _told(each: list[tuple[Place, Hands]]) -> tuple[list[Place], Hands]:
    """The places with frequencies, and the hands of the last."""
    return [place.with_frequencies(hands.frequencies) for place, hands in each], each[-1][1]


def _facts(
    kind: str,
    title: str,
    seats: tuple[str, ...],
    facts: list[tuple[str, str]],
    ev: str,
    *,
    takes_board: bool = False,
) -> Document:
    return {
        "kind": kind,
        "title": title,
        "seats": [*seats],
        "facts": [[*fact] for fact in facts],
        "ev": ev,
        "takes_board": takes_board,
    }


def _by_seat(names: tuple[str, ...], values: tuple[float, ...]) -> str:
    each = zip(names, values, strict=True)
    return ", ".join(f"{name} {1000 * value:+z.2f}" for name, value in each) + " mbb"


def _push_fold_facts(found: PushFoldSolution) -> Document:
    game = found.game
    chips = game.unit == "bb"
    scale, unit = (1000, "mbb") if chips else (100, "% of the prize pool")
    stacks = "/".join(f"{stack:g}" for stack in game.stacks)
    values = zip(game.names, found.values, strict=True)
    measured = f"{scale * max(found.nash_conv, 0.0):.2g} {unit}"
    if found.interval is not None:
        low, high = (f"{scale * each:z.2g}" for each in found.interval)
        measured = f"at most {measured} (95 % interval {low} to {high})"
    facts = [
        ("EV", ", ".join(f"{name} {scale * value:+z.3f}" for name, value in values) + f" {unit}"),
        ("NashConv", measured),
        ("found by", found.method + (f", {found.deals:,} deals" if found.deals else "")),
    ]
    meaning = _GAIN.format("big blinds" if chips else "shares of the prize pool")
    return _facts("push or fold", f"push or fold, stacks {stacks}", game.names, facts, meaning)


def _push_fold(found: PushFoldSolution, line: str) -> tuple[list[Place], Hands]:
    """The way to a decision of push or fold; a letter for each seat that has acted: `F-A-F`."""
    words = [word for word in line.strip().upper().split("-") if word]
    if not {*words} <= {"F", "A"}:
        raise _no_decision(line)
    way, hands = [], None
    for turn in range(len(words) + 1):
        decision = _push_fold_decision(found, words[:turn])
        if decision is None:
            found.at(line)
            raise _no_decision(line)
        names = found.game.names
        all_in = [names[seat] for seat in decision[1]]
        chart = found.chart(names[decision[0]], *all_in)
        hands = Hands(
            CLASS_SIZES.astype(np.float64),
            np.ones(len(CLASS_SIZES)),
            np.stack([1 - chart.frequencies, chart.frequencies]),
            chart.gains,
        )
        before = words[:turn]
        choices = []
        for word, name in (("F", "Fold"), ("A", "Call" if all_in else "All-in")):
            then = [*before, word]
            ends = _push_fold_decision(found, then) is None
            role = "fold" if word == "F" else "passive" if all_in else "bet:0/1"
            choices.append(Choice(word, name, role, None if ends else "-".join(then)))
        chosen = None if turn == len(words) else "FA".index(words[turn])
        place = Place("-".join(before), chart.seat, "preflop", tuple(choices), chosen)
        way.append(place.with_frequencies(hands.frequencies))
    assert hands is not None
    return way, hands


def _push_fold_decision(
    found: PushFoldSolution, words: list[str]
) -> tuple[int, tuple[int, ...]] | None:
    """Who decides after `F` and `A` of those who acted, and who went all-in before, if any."""
    return found.game.decision_after([word == "A" for word in words])


def _no_decision(line: str) -> ConfigError:
    return ConfigError(
        f"no seat decides after {line}",
        option="line",
        given=line,
        expected="a letter for each seat that has acted: F folded, A all-in, such as F-A",
    )
