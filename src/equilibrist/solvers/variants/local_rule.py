"""LocalRule: update rules that the seven coefficients of a `Variant` cannot express.

In every iteration a solver gives the rule the instantaneous regrets r of its infosets, group by
group; the rule adds them to what it keeps and returns the next strategy. The traversals of the
game, the order of updates and the average are the same as those of variants.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.kernels.sequence_form.local_steps import DECAY, ITERATION, WEIGHT
from equilibrist.parsing.arguments import bad_argument, check_bool
from equilibrist.parsing.user_code import failure_text, pass_interrupts
from equilibrist.solvers.variants.rule import TraversalRule
from equilibrist.solvers.variants.schedules import Average, PowerAverage
from equilibrist.solvers.variants.variant import Variant
from equilibrist.typing import FloatArray

_ALL_ALIKE: Final = PowerAverage(0.0)
_PROBED: Final = 3
"""Iterations that `probe` tries a rule for."""


@dataclass(frozen=True)
class LocalRule(TraversalRule):
    """An update rule of one infoset that seven numbers per iteration cannot express.

    For a rule of your own make a subclass, name in `keeps` its arrays besides regrets, and override
    `step`. Rules take part in full traversals only, not in sampling.

    Attributes:
        name: What it is called.
        average: The average, a schedule as that of a `Variant`.
        alternating: Whether players update in turn, by default.
        summary: What it is, in a line.
        paper: Where it comes from.
        when: When to use it.

    Raises:
        ConfigError: A field has the wrong type.
    """

    keeps: ClassVar[tuple[str, ...]] = ()
    """Names of kept arrays, each of one number per infoset and action."""
    parallel: ClassVar[bool] = False
    """Whether several threads can share an iteration: not with a `step` in Python."""
    compiled: ClassVar[str] = "equilibrist.kernels.sequence_form.local_rules.push_values"
    """The kernel that is compiled before the first iteration."""

    name: str = ""
    average: Average = _ALL_ALIKE
    alternating: bool = True
    summary: str = ""
    paper: str = ""
    when: str = ""

    def __init_subclass__(cls, **keywords: Any) -> None:
        """Refuse duplicate or invalid names in `keeps`."""
        super().__init_subclass__(**keywords)
        names: Any = cls.keeps
        fit = isinstance(names, tuple) and all(isinstance(name, str) and name for name in names)
        if not fit or len(set(names)) < len(names):
            raise bad_argument(
                f"keeps of {cls.__name__}", names, "a tuple of different names, as in ('previous',)"
            )

    def __post_init__(self) -> None:
        """Refuse fields of wrong types."""
        for name in ("name", "summary", "paper", "when"):
            if not isinstance(text := getattr(self, name), str):
                raise bad_argument(name, text, "a text")
        if not callable(self.average):
            raise bad_argument(
                "average",
                self.average,
                "a schedule of equilibrist.solvers, such as PowerAverage(2)",
            )
        check_bool("alternating", self.alternating)

    def step(
        self,
        t: int,
        instant: FloatArray,
        strategy: FloatArray,
        regret: FloatArray,
        kept: Mapping[str, FloatArray],
    ) -> FloatArray:
        """Learn from an iteration.

        All arrays are float64[actions, infosets], one column for each of the infosets of a group.

        Args:
            t: The iteration, from 1.
            instant: The instantaneous regrets.
            strategy: What was played.
            regret: What is remembered, zero before t = 1; update it in place.
            kept: The same for the names in `keeps`.

        Returns:
            The next strategy; its columns must be distributions.

        Raises:
            NotImplementedError: A subclass does not override it.
        """
        raise NotImplementedError(f"{type(self).__name__} must override step")

    def amend(self, player: int, reach: FloatArray, value: FloatArray) -> None:
        """Change what a player's sequences earn where they end, before it learns; by default not.

        Args:
            player: The player.
            reach: float64[S] in engine order, own reach of all players' sequences.
            value: float64[S] in engine order, counterfactual payoffs; update it in place.
        """

    def numbers(self) -> tuple[float, ...]:
        """The parameters that a compiled rule reads.

        Returns:
            Numbers, in the order that its kernel expects; none for rules in NumPy.
        """
        return ()

    @property
    def update(self) -> str:
        """The update as formulas, for people."""
        return f"as {type(self).__name__}.step() says"

    @property
    def averaging(self) -> str:
        """The weights of the average in words, for people."""
        return self._averaged.averaging

    @property
    def needs_horizon(self) -> bool:
        """Whether the number of iterations must be known before the first one."""
        return self._averaged.needs_horizon

    @property
    def _averaged(self) -> Variant:
        """A variant with this average, which knows how to lay it out and what to refuse."""
        return Variant(self.name, average=self.average)

    def table(self, start: int, count: int, horizon: int | None = None) -> FloatArray:
        """Lay out the numbers of several iterations.

        Args:
            start: The first iteration, from 1.
            count: How many iterations.
            horizon: The planned number of iterations, if the average needs it.

        Returns:
            float64[count, 3 + numbers]: decay and weight of the average, t, then `numbers`.

        Raises:
            ConfigError: As `Variant.table`.
        """
        averages = self._averaged.table(start, count, horizon)[:, 5:7]
        t = np.arange(start, start + count, dtype=np.float64)
        numbers = np.broadcast_to(np.array(self.numbers()), (count, len(self.numbers())))
        return np.ascontiguousarray(np.column_stack((averages, t, numbers)))

    def kernel(self, kept: Mapping[str, FloatArray]) -> Callable[..., None]:
        """Give what runs the iterations: here Python, which calls `step` group by group.

        Args:
            kept: The arrays of the names in `keeps`.

        Returns:
            A function of the arrays, the table and the state of the solver.
        """
        return partial(_run, self, kept)

    def probe(self) -> bytes:
        """The results of `step` for three made-up iterations, for the fingerprint of a run.

        Returns:
            Strategies and regrets after each, rounded to 9 decimals, as bytes.

        Raises:
            ConfigError: `step` fails, or its result is not a strategy.
        """
        shape = (3, 2)
        regret, strategy = np.zeros(shape), np.full(shape, 1.0 / 3.0)
        kept = {name: np.zeros(shape) for name in self.keeps}
        answers = []
        for t in range(1, _PROBED + 1):
            values = np.array([[1.0, -2.0], [-3.0, t], [t / 7.0, 0.5]])
            instant = values - (strategy * values).sum(axis=0)
            strategy = self._checked_step(t, instant, strategy, regret, kept)
            answers += [strategy, regret.copy()]
        return np.round(np.array(answers), 9).tobytes()

    def _checked_step(
        self,
        t: int,
        instant: FloatArray,
        strategy: FloatArray,
        regret: FloatArray,
        kept: Mapping[str, FloatArray],
    ) -> FloatArray:
        """What `step` returns, as float64 of the right shape; ConfigError says what is wrong."""
        arrays = dict(kept)
        try:
            answer = np.array(self.step(t, instant, strategy, regret, kept), dtype=np.float64)
        except BaseException as error:
            pass_interrupts(error)
            raise ConfigError(
                f"rule {self.name!r}: step failed at t = {t}: {failure_text(error)}",
                option="step",
                given=type(error).__name__,
                place=f"t = {t}",
            ) from None
        if answer.shape != instant.shape:
            raise ConfigError(
                f"rule {self.name!r}: step returned an array of shape {answer.shape} at t = {t}, "
                f"expected {instant.shape}, as its arguments: [actions, infosets]",
                option="step",
                given=answer.shape,
                expected=instant.shape,
                place=f"t = {t}",
            )
        if not ((answer >= 0.0).all() and np.allclose(answer.sum(axis=0), 1.0, atol=1e-9)):
            raise ConfigError(
                f"rule {self.name!r}: the columns of what step returned at t = {t} are not all "
                f"distributions: no probability below 0, and a sum of 1",
                option="step",
                given=answer,
                place=f"t = {t}",
            )
        if {name: id(array) for name, array in kept.items()} != {
            n: id(a) for n, a in arrays.items()
        }:
            raise ConfigError(
                f"rule {self.name!r}: step put another array into kept at t = {t}, which would be "
                "forgotten",
                option="kept",
                place=f"t = {t}",
                remedy=f"change the arrays of {self.keeps} in place: kept[name][:] = ...",
            )
        if not all(np.isfinite(array).all() for array in (regret, *kept.values())):
            raise ConfigError(
                f"rule {self.name!r}: step left a regret or a kept number at t = {t} that is not "
                f"finite",
                option="regret",
                place=f"t = {t}",
            )
        return answer


def _run(
    rule: LocalRule,
    kept: Mapping[str, FloatArray],
    arrays: Any,
    table: FloatArray,
    alternating: bool,
    regret: FloatArray,
    behaviour: FloatArray,
    strategy_sum: FloatArray,
    reach: FloatArray,
    value: FloatArray,
    _infoset_value: FloatArray,
    _total: FloatArray,
) -> None:
    """Run the loop of `kernels.full_traversals.run` with the local update in Python."""
    from equilibrist.kernels.sequence_form.local_rules import push_values, reach_down

    players = range(len(arrays.sequence_offset) - 1)
    sums = (regret, behaviour, strategy_sum, reach)
    for row in table:
        for turn in [(p,) for p in players] if alternating else [tuple(players)]:
            for player in turn:
                push_values(arrays, player, reach, value)
                rule.amend(player, reach, value)
            for player in turn:
                _update_player(rule, kept, arrays, player, row, *sums, value)
            for player in turn:
                reach_down(arrays, player, behaviour, reach)


def _update_player(
    rule: LocalRule,
    kept: Mapping[str, FloatArray],
    arrays: Any,
    player: int,
    row: FloatArray,
    regret: FloatArray,
    behaviour: FloatArray,
    strategy_sum: FloatArray,
    reach: FloatArray,
    value: FloatArray,
) -> None:
    """Deepest infosets first; values go up as they come."""
    first, last = int(arrays.group_offset[player]), int(arrays.group_offset[player + 1])
    for group in range(last - 1, first - 1, -1):
        begin, size = int(arrays.group_first_sequence[group]), int(arrays.group_size[group])
        base = int(arrays.group_first_infoset[group])
        shape = (int(arrays.group_actions[group]), size)
        place = slice(begin, begin + shape[0] * size)
        sigma, values = behaviour[place].reshape(shape), value[place].reshape(shape)
        worth = (sigma * values).sum(axis=0)
        strategy_sum[place] = row[DECAY] * strategy_sum[place] + row[WEIGHT] * reach[place]
        views = {name: array[place].reshape(shape) for name, array in kept.items()}
        known = regret[place].reshape(shape)
        answer = rule._checked_step(int(row[ITERATION]), values - worth, sigma.copy(), known, views)
        behaviour[place] = answer.ravel()
        np.add.at(value, arrays.parent_sequence[base : base + size], worth)
