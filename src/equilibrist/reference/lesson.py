"""One iteration of CFR step by step: every number with its formula, one page per infoset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from equilibrist.errors import UnknownNameError
from equilibrist.game import Game
from equilibrist.reference.by_hand import HistorySheet, NumberText
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
    names: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Page]:
    """Pages that walk through iteration number `iteration` of the algorithm `rule`.

    The iterations before it are run without a word. `infosets` names those to show, all by
    default; what is not shown is computed all the same. `start` is what is played in the first
    iteration, {infoset: one probability per action}, uniform play by default. `names` has what is
    shown for keys and outcomes that are called otherwise, {text of the game: text}. Raises
    UnknownNameError for an infoset that the game does not have, and what `walk` raises.
    """
    tree = game if isinstance(game, GameWalk) else walk(game)
    for key in infosets:
        if key not in tree.infosets:
            raise UnknownNameError("infoset", key, list(tree.infosets))
    shown = NumberText.of(tree)
    yield _opening(iteration, alternating)
    for turn in turns(tree, rule, iteration, alternating=alternating, horizon=horizon, start=start):
        if isinstance(turn, Ending):
            yield closing(tree, turn, iteration, shown, names)
        elif not infosets or turn.key in infosets:
            yield _page(turn, shown, names)


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


def _page(turn: Turn, shown: NumberText, names: Mapping[str, str]) -> Page:
    width = width_of(f"  r({action})" for action in turn.actions)
    rows = [("sigma", named_numbers(turn.actions, turn.strategy, shown))]
    for history in turn.sheet.histories:
        moves = [names.get(move, move) for move in history.history]
        rows.append(("history", " ".join(moves) or "(the start)"))
        rows += _history_rows(history, turn, shown)
    rows.append(("r", named_numbers(turn.actions, turn.instant, shown)))
    rows += _regret_rows(turn, shown)
    rows += _sum_rows(turn, shown)
    rows += _matching_rows(turn, shown)
    lines = tuple(name.ljust(width) + text for name, text in rows)
    return Page(f"Infoset {named_key(turn.key, names)} of player {turn.player}", lines)


def _history_rows(history: HistorySheet, turn: Turn, shown: NumberText) -> list[tuple[str, str]]:
    reach = history.chance_reach * history.others_reach
    products = "".join(
        f" {'-' if v < 0.0 else '+'} {shown(p)}*{shown(abs(v))}"
        for p, v in zip(turn.strategy, history.values.values(), strict=True)
    )
    products = products.removeprefix(" + ").replace(" - ", "-", products.startswith(" - "))
    chance, others = shown(history.chance_reach), shown(history.others_reach)
    rows = [
        ("  reach", f"chance {chance} * others {others} = {shown(reach)}"),
        ("  v(a)", named_numbers(turn.actions, list(history.values.values()), shown)),
        ("  v", f"{products} = {shown(history.value)}"),
    ]
    for action, value in history.values.items():
        share = shown(reach * (value - history.value))
        gained = f"{shown(reach)}*({shown(value)}{added_text(-history.value, shown)}) = {share}"
        rows.append((f"  r({action})", gained))
    return rows


def _regret_rows(turn: Turn, shown: NumberText) -> list[tuple[str, str]]:
    rows, c = [], turn.numbers
    columns = zip(turn.actions, turn.regret, turn.instant, turn.regret_after, strict=True)
    for action, old, instant, new in columns:
        factor = c.positive if old > 0.0 else c.negative
        kept = shown(old) if factor == 1.0 else f"{shown(factor)}*{shown(old)}"
        text = kept + added_text(instant, shown)
        if c.floor > -float("inf"):
            text = f"max({text}, {shown(c.floor)})"
        rows.append((f"R({action})", f"{text} = {shown(new)}"))
    return rows


def _sum_rows(turn: Turn, shown: NumberText) -> list[tuple[str, str]]:
    rows, c = [], turn.numbers
    columns = zip(turn.actions, turn.sums, turn.strategy, turn.sums_after, strict=True)
    for action, old, played, new in columns:
        kept = shown(old) if c.decay == 1.0 else f"{shown(c.decay)}*{shown(old)}"
        weight = "" if c.weight == 1.0 else f"{shown(c.weight)}*"
        own = f"own reach {shown(turn.own_reach)} * {shown(played)}"
        rows.append((f"S({action})", f"{kept} + {weight}{own} = {shown(new)}"))
    return rows


def _matching_rows(turn: Turn, shown: NumberText) -> list[tuple[str, str]]:
    looked, strategy, c = turn.expected, turn.next_strategy, turn.numbers
    rows = []
    if c.prediction != 0.0 or c.lookahead != 1.0:
        formula = f"{shown(c.lookahead)}*R + {shown(c.prediction)}*r"
        rows.append(("expected", f"{formula}: {named_numbers(turn.actions, looked, shown)}"))
    total = sum(max(x, 0.0) for x in looked)
    reason = "no positive regret, so uniform"
    if total > 0.0:
        reason = ", ".join(f"({shown(max(x, 0.0))})/({shown(total)})" for x in looked)
    rows.append(("sigma", f"{reason}: {named_numbers(turn.actions, strategy, shown)}"))
    return rows


def closing(
    tree: GameWalk, ending: Ending, iteration: int, shown: NumberText, names: Mapping[str, str]
) -> Page:
    """The last page of a lesson: the average strategy, its values and NashConv."""
    values = ", ".join(map(shown, ending.values))
    width = width_of(ending.average)
    lines = [
        names.get(key, key).ljust(width) + named_numbers(tree.infosets[key].actions, row, shown)
        for key, row in ending.average.items()
    ]
    lines.append(f"values of the players: {values}")
    lines.append(f"NashConv: {shown(ending.nash_conv)}, the sum of what all could gain")
    return Page(f"The average strategy after iteration {iteration}, S normalised", tuple(lines))


def named_key(key: str, names: Mapping[str, str]) -> str:
    """What is shown for the key of an infoset, with the key itself where that is something else."""
    return f"{names[key]} ({key})" if names.get(key, key) != key else key


def width_of(names: Iterable[str]) -> int:
    """Columns of the names of a page, with at least a space behind the longest."""
    return max([_COLUMN, *(len(name) + 1 for name in names)])


def added_text(x: float, shown: NumberText) -> str:
    """A number as the next term of a sum."""
    return f" - {shown(-x)}" if x < 0.0 else f" + {shown(x)}"


def named_numbers(actions: Sequence[str], numbers: Sequence[float], shown: NumberText) -> str:
    """Actions with a number each; labels that look like numbers stand in quotation marks."""
    if any(action[-1:].isdigit() for action in actions):
        actions = [f"'{action}'" for action in actions]
    return ", ".join(f"{a} {shown(x)}" for a, x in zip(actions, numbers, strict=True))
