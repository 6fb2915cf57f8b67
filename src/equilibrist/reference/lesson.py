"""One iteration of CFR step by step: every number with its formula, one page per infoset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from equilibrist.errors import UnknownNameError
from equilibrist.game import Game
from equilibrist.reference.by_hand import HistorySheet, number_text
from equilibrist.reference.cfr import Rule
from equilibrist.reference.game_walk import GameWalk, walk
from equilibrist.reference.lesson_turns import Ending, Turn, turns

_COLUMN: Final = 11
"""Columns of the names before the formulas, where no label is longer."""


@dataclass(frozen=True)
class Page:
    """What fits on a screen: a title and lines of text."""

    title: str
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([self.title, *(f"  {line}" for line in self.lines)])


def lesson(
    game: Game[Any] | GameWalk,
    rule: Rule,
    iteration: int = 1,
    *,
    infosets: Sequence[str] = (),
    alternating: bool = True,
    horizon: int | None = None,
    start: Mapping[str, Sequence[float]] | None = None,
) -> Iterator[Page]:
    """Pages that walk through iteration number `iteration` of the algorithm `rule`.

    The iterations before it are run without a word. `infosets` names those to show, all by
    default; what is not shown is computed all the same. `start` is what is played in the first
    iteration, {infoset: one probability per action}, uniform play by default. Raises
    UnknownNameError for an infoset that the game does not have, and what `walk` raises.
    """
    tree = game if isinstance(game, GameWalk) else walk(game)
    for key in infosets:
        if key not in tree.infosets:
            raise UnknownNameError("infoset", key, list(tree.infosets))
    yield _opening(iteration, alternating)
    for turn in turns(tree, rule, iteration, alternating=alternating, horizon=horizon, start=start):
        if isinstance(turn, Ending):
            yield closing(tree, turn, iteration)
        elif not infosets or turn.key in infosets:
            yield _page(turn)


def _opening(iteration: int, alternating: bool) -> Page:
    order = "one player after the other" if alternating else "all players from one profile"
    return Page(
        f"Iteration {iteration}, {order}",
        (
            "At each infoset: R the regrets so far, S the strategy sum, sigma the strategy.",
            "reach      chance * others, the player's own moves left out (counterfactual reach)",
            "v(a)       what the player earns from here on with action a, others as they play",
            "v          sum over a of sigma(a) * v(a)",
            "r(a)       sum over histories of reach * (v(a) - v)",
            "then R and S take in r and sigma, and sigma becomes what regret matching makes of R.",
        ),
    )


def _page(turn: Turn) -> Page:
    width = width_of(f"  r({action})" for action in turn.actions)
    rows = [("sigma", named_numbers(turn.actions, turn.strategy))]
    for history in turn.sheet.histories:
        rows += _history_rows(history, turn)
    rows.append(("r", named_numbers(turn.actions, turn.instant)))
    rows += _regret_rows(turn)
    rows += _sum_rows(turn)
    rows += _matching_rows(turn)
    lines = tuple(name.ljust(width) + text for name, text in rows)
    return Page(f"Infoset {turn.key} of player {turn.player}", lines)


def _history_rows(history: HistorySheet, turn: Turn) -> list[tuple[str, str]]:
    reach = history.chance_reach * history.others_reach
    products = "".join(
        f" {'-' if v < 0.0 else '+'} {number_text(p)}*{number_text(abs(v))}"
        for p, v in zip(turn.strategy, history.values.values(), strict=True)
    )
    products = products.removeprefix(" + ").replace(" - ", "-", products.startswith(" - "))
    chance, others = number_text(history.chance_reach), number_text(history.others_reach)
    rows = [
        ("history", " ".join(history.history) or "(the start)"),
        ("  reach", f"chance {chance} * others {others} = {number_text(reach)}"),
        ("  v(a)", named_numbers(turn.actions, list(history.values.values()))),
        ("  v", f"{products} = {number_text(history.value)}"),
    ]
    for action, value in history.values.items():
        share = number_text(reach * (value - history.value))
        gained = (
            f"{number_text(reach)}*({number_text(value)}{added_text(-history.value)}) = {share}"
        )
        rows.append((f"  r({action})", gained))
    return rows


def _regret_rows(turn: Turn) -> list[tuple[str, str]]:
    rows, c = [], turn.numbers
    columns = zip(turn.actions, turn.regret, turn.instant, turn.regret_after, strict=True)
    for action, old, instant, new in columns:
        factor = c.positive if old > 0.0 else c.negative
        kept = number_text(old) if factor == 1.0 else f"{number_text(factor)}*{number_text(old)}"
        text = kept + added_text(instant)
        if c.floor > -float("inf"):
            text = f"max({text}, {number_text(c.floor)})"
        rows.append((f"R({action})", f"{text} = {number_text(new)}"))
    return rows


def _sum_rows(turn: Turn) -> list[tuple[str, str]]:
    rows, c = [], turn.numbers
    columns = zip(turn.actions, turn.sums, turn.strategy, turn.sums_after, strict=True)
    for action, old, played, new in columns:
        kept = number_text(old) if c.decay == 1.0 else f"{number_text(c.decay)}*{number_text(old)}"
        weight = "" if c.weight == 1.0 else f"{number_text(c.weight)}*"
        own = f"own reach {number_text(turn.own_reach)} * {number_text(played)}"
        rows.append((f"S({action})", f"{kept} + {weight}{own} = {number_text(new)}"))
    return rows


def _matching_rows(turn: Turn) -> list[tuple[str, str]]:
    looked, strategy, c = turn.expected, turn.next_strategy, turn.numbers
    rows = []
    if c.prediction != 0.0 or c.lookahead != 1.0:
        formula = f"{number_text(c.lookahead)}*R + {number_text(c.prediction)}*r"
        rows.append(("expected", f"{formula}: {named_numbers(turn.actions, looked)}"))
    total = sum(max(x, 0.0) for x in looked)
    reason = "no positive regret, so uniform"
    if total > 0.0:
        reason = ", ".join(f"({number_text(max(x, 0.0))})/({number_text(total)})" for x in looked)
    rows.append(("sigma", f"{reason}: {named_numbers(turn.actions, strategy)}"))
    return rows


def closing(tree: GameWalk, ending: Ending, iteration: int) -> Page:
    """The last page of a lesson: the average strategy, its values and NashConv."""
    values = ", ".join(number_text(v) for v in ending.values)
    width = width_of(ending.average)
    lines = [
        f"{key}".ljust(width) + named_numbers(tree.infosets[key].actions, row)
        for key, row in ending.average.items()
    ]
    lines.append(f"values of the players: {values}")
    lines.append(f"NashConv: {number_text(ending.nash_conv)}, the sum of what all could gain")
    return Page(f"The average strategy after iteration {iteration}, S normalised", tuple(lines))


def width_of(names: Iterable[str]) -> int:
    """Columns of the names of a page, with at least a space behind the longest."""
    return max([_COLUMN, *(len(name) + 1 for name in names)])


def added_text(x: float) -> str:
    """A number as the next term of a sum."""
    return f" - {number_text(-x)}" if x < 0.0 else f" + {number_text(x)}"


def named_numbers(actions: Sequence[str], numbers: Sequence[float]) -> str:
    """Actions with a number each; labels that look like numbers stand in quotation marks."""
    if any(action[-1:].isdigit() for action in actions):
        actions = [f"'{action}'" for action in actions]
    return ", ".join(f"{a} {number_text(x)}" for a, x in zip(actions, numbers, strict=True))
