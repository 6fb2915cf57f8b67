"""Sources of random draws for samplers: a generator, or an enumeration of all draws.

A sampler of this package asks a `Draws` for every choice that it leaves to chance. Handed a
random generator it samples; handed to `every_run` it is run once per possible sequence of draws,
with the probability of each: that turns "on average" into a sum.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol, TypeVar

from equilibrist.errors import ConfigError

Result = TypeVar("Result")
_ROUNDING: Final = 1e-6
"""How far the sum of all probabilities may be from 1."""


class Draws(Protocol):
    """A source of draws."""

    def outcome(self, probabilities: Sequence[float]) -> int:
        """The number of the outcome that chance picks."""
        ...

    def action(self, probabilities: Sequence[float]) -> int:
        """The number of the action that a player's strategy picks."""
        ...


class RandomDraws:
    """Draws from Python's generator.

    Args:
        seed: Its seed.
    """

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def outcome(self, probabilities: Sequence[float]) -> int:
        """Draw an outcome of chance.

        Args:
            probabilities: One per outcome.

        Returns:
            The number of the outcome.
        """
        return self._random.choices(range(len(probabilities)), probabilities)[0]

    def action(self, probabilities: Sequence[float]) -> int:
        """Draw an action of a player.

        Args:
            probabilities: One per action.

        Returns:
            The number of the action.
        """
        return self.outcome(probabilities)


class _Script:
    """Draws that follow a script, and note what else could have been drawn where it ends."""

    def __init__(self, script: Sequence[int]) -> None:
        self._script = script
        self.choices: list[int] = []
        self.open: list[int] = []
        """Per draw, the next possible choice after the one made, or -1."""
        self.probability = 1.0

    def outcome(self, probabilities: Sequence[float]) -> int:
        possible = [k for k, p in enumerate(probabilities) if p > 0.0]
        at = len(self.choices)
        if at < len(self._script) and self._script[at] not in possible:
            raise _draws_otherwise()
        choice = self._script[at] if at < len(self._script) else possible[0]
        later = [k for k in possible if k > choice]
        self.choices.append(choice)
        self.open.append(later[0] if later else -1)
        self.probability *= probabilities[choice]
        return choice

    def action(self, probabilities: Sequence[float]) -> int:
        return self.outcome(probabilities)


def every_run(sample: Callable[[Draws], Result]) -> Iterator[tuple[float, Result]]:
    """Run `sample` once per possible sequence of draws.

    Args:
        sample: What to run; it must do the same whenever it is given the same draws.

    Returns:
        Pairs of the probability of a sequence and the result with it; the probabilities add up
        to 1.

    Raises:
        ConfigError: `sample` has not done the same with the same draws.
    """
    script: list[int] | None = []
    total = 0.0
    while script is not None:
        draws = _Script(script)
        result = sample(draws)
        total += draws.probability
        yield draws.probability, result
        script = None
        for at in range(len(draws.choices) - 1, -1, -1):
            if draws.open[at] >= 0:
                script = [*draws.choices[:at], draws.open[at]]
                break
    if abs(total - 1.0) > _ROUNDING:
        raise _draws_otherwise()


def _draws_otherwise() -> ConfigError:
    return ConfigError(
        "what is run draws otherwise when it is run again with the same draws",
        option="sample",
        expected="the same whenever the draws are the same",
        remedy="draw nothing apart from `draws`, and remember nothing between runs",
    )
