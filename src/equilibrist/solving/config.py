"""The options of `solve`, checked before anything is computed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from equilibrist.errors import ConfigError, as_one
from equilibrist.options.reading import read
from equilibrist.options.solve_options import SOLVE_OPTIONS
from equilibrist.parsing.arguments import (
    MOST_EVERY,
    MOST_THREADS,
    bad_argument,
    file_name,
    refuse_same_files,
    resumed_file,
    same_file,
    saving_every,
)
from equilibrist.plotting import SUFFIXES
from equilibrist.solvers.full_traversal.fsicfr import FIXED_STRATEGY
from equilibrist.solvers.run.target import PAYOFF, Target
from equilibrist.solving.option_fit import EXACT, MATCHING, refuse_unfit

DEFAULT_ALGORITHM = "dcfr"
SAMPLING_ALGORITHM = "cfr"
"""The default algorithm with a sampler."""
WITHOUT_TREE_SAMPLER = "external"
"""The default sampler where no tree is to be compiled."""
GAME_CHANGES = {"abstraction", "actions", "translate", "drop_below", "drop_play"}
"""The options that merge infosets of the game, leave out actions or cut paths."""
GAME_LIMITS = {"max_histories", "memory", "max_depth"}
"""The limits on the size of the tree."""
DEFAULT_ITERATIONS = 10_000
SAMPLING_ITERATIONS = 1_000_000
"""The most iterations, of full traversals and of samplers, where no stopping option is given."""
DEFAULT_TARGET_SHARE = 1e-4
SAMPLING_TARGET_SHARE = 1e-3
"""The default target is this share of the scale of the payoffs in play (`PayoffScale`)."""
Output = Literal["average", "last"]
Measure = Literal["efce", "efcce", "nfcce", "cce"]


def _field(name: str, **settings: Any) -> Any:
    """A field with the words and the default of the option of that name."""
    option = SOLVE_OPTIONS[name]
    is_off = option.kind == "switch" and "/" not in option.flags_of(name)[0]  # not one of a pair
    default = False if is_off else read(name, option, option.default)
    return Field(**{"default": default, "description": option.help, **settings})


class SolveConfig(BaseModel):
    """The options of a solve as numbers, texts and paths. Frozen.

    `options.solve_options` describes each. None leaves what it says to the algorithm, the game or
    the machine. What is wrong is a ConfigError that names the option and the remedy.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    algorithm: str = _field("algorithm", default=DEFAULT_ALGORITHM)
    iterations: int | None = _field("iterations", ge=1, le=2**53)
    target: float | None = _field("target", gt=0.0)
    seconds: float | None = _field("seconds", gt=0.0)
    seed: int = _field("seed", ge=0)
    alternating: bool | None = _field("alternating")
    tremble: float | None = _field("tremble", gt=0.0, lt=1.0)
    prune: str | None = _field("prune")
    sampler: str | None = _field("sampler")
    averaging: str | None = _field("averaging")
    averaging_every: int | None = _field("averaging_every", ge=1, le=MOST_EVERY)
    period: int | None = _field("period", ge=1, le=2**53)
    threads: int | None = _field("threads", ge=1, le=MOST_THREADS)
    shared: bool = _field("shared")
    executor: str | None = _field("executor")
    address: str | None = _field("address")
    output: Output = _field("output")
    measure: Measure | None = _field("measure")
    save_device: Path | None = _field("save_device")
    out: Path | None = _field("out")
    plot: Path | None = _field("plot")
    checkpoint: Path | None = _field("checkpoint")
    checkpoint_every: float = _field("checkpoint_every", ge=0.0)
    resume: Path | None = _field("resume")
    warm_start: str | None = _field("warm_start")
    warm_iterations: int = _field("warm_iterations", ge=1, le=2**31)
    max_histories: int | None = _field("max_histories", ge=1)
    memory: int | None = _field("memory", ge=1)
    max_depth: int = _field("max_depth", ge=1)
    explicit_tree: bool | None = _field("explicit_tree")
    abstraction: str | None = _field("abstraction")
    drop_below: float | None = _field("drop_below", gt=0.0, lt=1.0)
    drop_play: str = _field("drop_play")
    actions: str | None = _field("actions")
    translate: str | None = _field("translate")

    @classmethod
    def build(
        cls, *, resume: bool | str | os.PathLike[str] | None = None, **options: Any
    ) -> SolveConfig:
        """Check options and return the config.

        Args:
            resume: True to resume `checkpoint`, or a path.
            options: The fields by name; paths may be texts.

        Returns:
            The config.

        Raises:
            ConfigError: An option is invalid; the error names it and the remedy.
            UnknownNameError: There is no such option.
        """
        options = {name: _plain(value) for name, value in options.items()}
        for name in ("out", "plot", "checkpoint", "save_device"):
            options[name] = _path(name, options.get(name))
        if isinstance(options.get("target"), str | Target):
            options["target"] = Target.read(options["target"], PAYOFF).amount
        source = _path("resume", resumed_file(resume, options["checkpoint"]))
        other = (*EXACT, *MATCHING, *FIXED_STRATEGY)
        alone = options.get("sampler") is not None or options.get("algorithm") in other
        if alone and options.get("threads") is None:
            options["threads"] = 1  # the result of sampling depends on it
        try:
            return cls(resume=source, **options)
        except ValidationError as error:
            raise _explain(error) from None

    @property
    def uses_default_stop(self) -> bool:
        """Whether no stopping option was given."""
        return self.iterations is None and self.target is None and self.seconds is None

    @property
    def draws(self) -> bool:
        """Whether iterations are drawn at random, many cheap ones instead of few expensive ones."""
        return self.sampler is not None or self.algorithm in FIXED_STRATEGY

    @property
    def uses_seed(self) -> bool:
        """Whether the result depends on the seed."""
        return self.draws or self.algorithm in MATCHING

    @property
    def saves_to(self) -> Path | None:
        """Where checkpoints go: `checkpoint`, else the file that is resumed."""
        return self.checkpoint if self.checkpoint is not None else self.resume

    @property
    def saves_in_place(self) -> bool:
        """Whether checkpoints are saved to the file that is resumed."""
        source, target = self.resume, self.saves_to
        return source is not None and target is not None and same_file(source, target)

    @model_validator(mode="after")
    def _fits_together(self) -> SolveConfig:
        refuse_unfit(self)
        if self.plot is not None and self.plot.suffix.lower() not in SUFFIXES:
            raise ConfigError(
                f"plot is {self.plot.name!r}: pictures are written as {' or '.join(SUFFIXES)}",
                option="plot",
                given=self.plot.name,
                remedy="give a name that ends in one of these",
            )
        every = type(self).model_fields["checkpoint_every"].default
        saving_every(self.checkpoint_every, every, is_saved=self.saves_to is not None)
        refuse_same_files(
            {
                "out": self.out,
                "plot": self.plot,
                "save_device": self.save_device,
                "checkpoint": self.saves_to,
                "resume": None if self.saves_in_place else self.resume,
            }
        )
        return self


def _path(name: str, value: object) -> Path | None:
    if value is None:
        return None
    path = file_name(name, value)
    if "\0" in str(path):
        raise bad_argument(name, value, "the name of a file, which has no null character")
    return path


def _plain(value: object) -> object:
    """NumPy's numbers as Python's, which the checks below know."""
    item = getattr(value, "item", None)
    return item() if callable(item) and getattr(value, "ndim", 1) == 0 else value


_EXPECTED = {
    "greater_than": "more than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "finite_number": "a finite number",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "True or False",
    "string_type": "a name",
    "literal_error": "{expected}",
    "extra_forbidden": "nothing: there is no such option",
}


def _explain(error: ValidationError) -> ConfigError:
    """All complaints, one a line: the option, what was given, what to give instead."""
    errors = []
    for item in error.errors():
        if item["type"] == "float_type" and isinstance(item["input"], int):  # beyond all floats
            item["type"] = "finite_number"
        bounds = {
            name: int(bound) if isinstance(bound, float) and bound.is_integer() else bound
            for name, bound in item.get("ctx", {}).items()
        }
        expected = _EXPECTED.get(item["type"], item["msg"]).format(**bounds)
        errors.append(bad_argument(str(item["loc"][0]), item["input"], expected))
    return as_one(errors)
