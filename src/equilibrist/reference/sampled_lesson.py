"""One sampled iteration step by step: what was drawn, with what probability, and its weights."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from equilibrist.errors import UnknownNameError
from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.reference.by_hand import NumberText
from equilibrist.reference.game_walk import GameWalk, walk
from equilibrist.reference.lesson import (
    Page,
    added_text,
    closing,
    named_key,
    named_numbers,
    width_of,
)
from equilibrist.reference.lesson_turns import Ending
from equilibrist.reference.sampled_numbers import (
    Trajectory,
    Traversal,
    TraversalNumbers,
    Traverse,
    traversals,
)
from equilibrist.reference.sampling.addition import Step

_COLUMNS = 98
"""Columns of the formulas at the beginning."""
_MANY = 8
"""Children up to which all are shown; of more, those that were walked."""


def sampled_lesson(
    game: Game[Any] | GameWalk,
    traverse: Traverse,
    iteration: int = 1,
    *,
    name: str,
    formulas: Sequence[tuple[str, str]],
    estimate: str = "weighted",
    average_share: str = "chance",
    all_learn: bool = False,
    seed: int = 0,
    infosets: Sequence[str] = (),
    start: Mapping[str, Sequence[float]] | None = None,
    names: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Page]:
    """Pages that walk through iteration number `iteration` of a sampler.

    Args:
        game: The game.
        traverse: The sampler.
        iteration: Which iteration, from 1.
        name: What the sampler is called.
        formulas: Its formulas, each with what it is a formula of.
        estimate: How it values own actions: weighted, probed, pure, exact or textbook.
        average_share: What a visit counts in the average: see `weighted_sampling`.
        all_learn: Whether an iteration is one traversal, from which all players learn.
        seed: Fixes all draws.
        infosets: Those to show, by default all, chance and the ends.
        start: What is played at first, by infoset; uniform play by default.
        names: What is shown for keys and outcomes that are called otherwise.

    Yields:
        An opening, a page per history visited, one with the updates after each traversal, and the
        average.

    Raises:
        UnknownNameError: The game has no such infoset.
        GameError: Histories of one infoset differ in player or actions.
        RecallError: A player forgets own moves.
    """
    tree = game if isinstance(game, GameWalk) else walk(game)
    for key in infosets:
        if key not in tree.infosets:
            raise UnknownNameError("infoset", key, list(tree.infosets))
    shown = NumberText.of(tree)
    yield Page(f"Iteration {iteration} of {name} sampling, seed {seed}", tuple(_wrapped(formulas)))
    for part in traversals(tree, traverse, iteration, seed=seed, start=start, all_learn=all_learn):
        if isinstance(part, Ending):
            yield closing(tree, part, iteration, shown, names)
            continue
        sheet = _Sheet(tree, part, estimate, average_share, shown, names)
        for step in sheet.shown:
            if not infosets or step.node.infoset in infosets:
                yield sheet.page(step)
        yield _updates(tree, part, infosets, shown, names)


def _wrapped(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Rows of a name and a text, with as many lines as the text needs."""
    width = width_of(name for name, _ in rows)
    for name, text in rows:
        first, *further = textwrap.wrap(text, _COLUMNS - width) or [""]
        yield name.ljust(width) + first
        for line in further:
            yield " " * width + line


class _Sheet(TraversalNumbers):
    """The pages of one traversal."""

    def __init__(
        self,
        tree: GameWalk,
        part: Traversal,
        estimate: str,
        average_share: str,
        text: NumberText,
        names: Mapping[str, str],
    ) -> None:
        super().__init__(tree, part, estimate, average_share)
        self.text = text
        self.names = names

    def page(self, step: Step) -> Page:
        """The page of one history."""
        node = step.node
        at = "/".join(self._named(node.history)) or "the start"
        if node.player == TERMINAL:
            payoffs = ", ".join(self.text(u) for u in node.payoffs)
            return Page(f"The end {at}", (f"payoffs    {payoffs}",))
        traverser = self.part.traverser
        if node.player == CHANCE:
            title = "Chance"
        else:
            title = f"Infoset {named_key(node.infoset, self.names)} of player {node.player}"
        if traverser == node.player:
            title += ", who traverses,"
        elif traverser is not None:
            title += f" (player {traverser} traverses)"
        title += f" at {at}"
        rows = [*self._draw_rows(step), *self._value_rows(step), *self._average_rows(step)]
        width = width_of(name for name, _ in rows)
        return Page(title, tuple(name.ljust(width) + text for name, text in rows))

    def _named(self, moves: Sequence[str]) -> list[str]:
        return [self.names.get(move, move) for move in moves]

    def _draw_rows(self, step: Step) -> Iterator[tuple[str, str]]:
        node = step.node
        if node.player == CHANCE:
            yield "p", self._numbers(step, node.chance)
        else:
            yield "sigma", self._numbers(step, self.part.profile[node.infoset])
        how = {
            "one": "one, by ",
            "each": "each by a coin, ",
            "some": f"{round(sum(step.chances))} of {len(step.chances)}, each with ",
            "blocks": "one block, each with ",
        }.get(step.choice)
        yield (
            "q(a)",
            "1: all are walked" if how is None else how + self._numbers(step, step.chances),
        )
        drawn = self._named([node.actions[k] for k in step.walked])
        if step.choice != "all":
            yield "drawn", ", ".join(drawn) or "none"
        if step.compared is not None:
            yield "compared", f"with {node.actions[step.compared]}, drawn by sigma"

    def _numbers(self, step: Step, numbers: Sequence[float]) -> str:
        actions = self._named(step.node.actions)
        if len(numbers) <= _MANY:
            return named_numbers(actions, numbers, self.text)
        shown = [*step.walked][:_MANY]
        some = named_numbers([actions[k] for k in shown], [numbers[k] for k in shown], self.text)
        return f"{some}, ... ({len(numbers)} moves)"

    def _value_rows(self, step: Step) -> Iterator[tuple[str, str]]:
        if not step.values:
            return
        if not self.is_own(step):
            sums = self._product(step) if self.estimate == "exact" else self._drawn_product(step)
            yield "u(h)", f"{sums} = {self.text(step.value)}"
            return
        node = step.node
        weight = None
        if self.has_weight(step):
            others, sampled = self.others_reach(node), self.reach(node)[1]
            weight = others / sampled
            quotient = f"({self.text(others)})/({self.text(sampled)})"
            yield "w(h)", f"pi_-i(h) / q(h) = {quotient} = {self.text(weight)}"
        if node.player != CHANCE and self.estimate == "textbook":
            yield from self._textbook_rows(step)
        for k, label in enumerate(self._named(node.actions)):
            if len(node.actions) <= _MANY or k in step.walked:
                yield f"u({label})", self._estimate(step, k)
        if step.compared is not None:
            yield "u(h)", f"u({node.actions[step.compared]}) = {self.text(step.value)}"
        else:
            yield "u(h)", f"{self._product(step)} = {self.text(step.value)}"
        yield from self._regret_rows(step, weight)

    def _textbook_rows(self, step: Step) -> Iterator[tuple[str, str]]:
        end = self.part.added.steps[-1].node
        _, _, parts = self.reach(step.node)
        own = parts.get(step.node.player, 1.0)
        payoff = end.payoffs[step.node.player]
        quotient = f"({self.text(payoff)})/({self.text(own)})"
        yield "w", f"u(z) / x_i(h) = {quotient} = {self.text(payoff / own)}"

    def _drawn_product(self, step: Step) -> str:
        """The value of a history by what was walked: sigma(a) / q(a) * u(h a)."""
        terms = [
            f"({self.text(step.strategy[k])})/({self.text(step.chances[k])})"
            f"*({self.text(self.below(step, k))})"
            for k in step.walked
        ]
        return " + ".join(terms) or "0"

    def _product(self, step: Step) -> str:
        """What is multiplied and added for the value of a history."""
        pairs = [*zip(step.strategy, step.values, strict=True)]
        if len(pairs) > _MANY:
            pairs = [pairs[k] for k in step.walked]
        text = "".join(
            f" {'-' if v < 0.0 else '+'} {self.text(p)}*{self.text(abs(v))}" for p, v in pairs
        )
        return text.removeprefix(" + ").replace(" - ", "-", text.startswith(" - "))

    def _estimate(self, step: Step, k: int) -> str:
        value = self.text(step.values[k])
        if self.estimate == "exact":
            return f"{value}, exactly"
        if k in step.probed:
            return f"{value}, by a probe"
        if k not in step.walked:
            return "0, not walked"
        if self.estimate == "textbook":
            return f"w / q(a) = {value}"
        found = self.text(self.below(step, k))
        q = step.chances[k]
        if q == 1.0 or (self.estimate == "probed" and self.is_own(step) and step.node.player >= 0):
            return f"{value}, from below"
        return f"({found})/({self.text(q)}) = {value}"

    def _regret_rows(self, step: Step, weight: float | None) -> Iterator[tuple[str, str]]:
        for k, change in enumerate(step.regret):
            label = step.node.actions[k]
            factor = "" if weight is None else f"{self.text(weight)}*"
            term = f"({self.text(step.values[k])}{added_text(-step.value, self.text)})"
            yield f"r({label})", f"{factor}{term} = {self.text(change)}"
        if (trajectory := self.trajectory(step)) is not None:
            yield from self._trajectory_rows(step, trajectory)

    def _trajectory_rows(self, step: Step, found: Trajectory) -> Iterator[tuple[str, str]]:
        """Regrets by the weight w_I of an infoset, where one trajectory was drawn."""
        w = self.text(found.weight)
        product = (
            f"{self.text(found.payoff)}*{self.text(found.others)}/({self.text(found.sampled)})"
        )
        yield "w_I", f"u(z)*pi_-i(h) / q(z) = {product} = {w}"
        for k, label in enumerate(step.node.actions):
            if k == step.walked[0]:
                change = found.weight * (found.tail_after - found.tail)
                text = (
                    f"w_I*(pi(h a, z) - pi(h, z)) = {w}*({self.text(found.tail_after)} - "
                    f"{self.text(found.tail)}) = {self.text(change)}"
                )
            else:
                text = f"-w_I*pi(h, z) = {self.text(-found.weight * found.tail)}"
            yield f"  r({label})", text

    def _average_rows(self, step: Step) -> Iterator[tuple[str, str]]:
        if not step.average:
            return
        if self.has_average_weight(step):
            yield "weight", f"{self._average_weight(step)} = {self.text(step.average_weight)}"
        yield "s", self._numbers(step, step.average)

    def _average_weight(self, step: Step) -> str:
        """What a visit counts in the average, as a formula and in numbers: see `SHARES`."""
        player = step.node.player
        is_own = self.part.traverser == player
        who = "i" if is_own else "j"
        reach, sampled, _ = self.reach(step.node)
        own = self.text(reach.get(player, 1.0))
        if self.average_share == "own":
            return f"pi_{who}(h)"
        over = f"({self.text(sampled)})"
        if self.average_share == "others" and not is_own:
            others = math.prod(p for j, p in reach.items() if j != self.part.traverser)
            return f"pi_-i(h) / q(h) = ({self.text(others)})/{over}"
        chance = self.text(reach.get(CHANCE, 1.0))
        return f"pi_{who}(h)*pi_c(h) / q(h) = {own}*{chance}/{over}"


def _updates(
    tree: GameWalk,
    part: Traversal,
    infosets: Sequence[str],
    shown: NumberText,
    names: Mapping[str, str],
) -> Page:
    rows = []
    for key in tree.infosets:
        if infosets and key not in infosets:
            continue
        name = names.get(key, key)
        actions = tree.infosets[key].actions
        for table, before, mark in (
            (part.added.regret, part.regret, "R"),
            (part.added.strategy_sum, part.sums, "S"),
        ):
            if key not in table:
                continue
            for k, action in enumerate(actions):
                old, change = before[key][k], table[key][k]
                text = f"{shown(old)}{added_text(change, shown)} = {shown(old + change)}"
                rows.append((f"{name} {mark}({action})", text))
        if key in part.after:
            rows.append((f"{name} sigma", named_numbers(actions, part.after[key], shown)))
    who = "" if part.traverser is None else f" of player {part.traverser}"
    width = width_of(name for name, _ in rows)
    lines = tuple(name.ljust(width) + text for name, text in rows)
    return Page(f"After the traversal{who}: R, S, and the next sigma", lines or ("no change",))
