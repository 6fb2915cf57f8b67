"""What a request may say of a solve, checked before it is queued."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from equilibrist.errors import ConfigError, UnknownNameError, UnsupportedError
from equilibrist.options.option import Options
from equilibrist.options.solve_options import COMPARE_RUNS, SOLVE_OPTIONS
from equilibrist.poker.postflop.spot.fields import RUN_OPTIONS, SPOT_OPTIONS
from equilibrist.web.api.bounds import bounded, check_texts
from equilibrist.web.errors import LimitError, WebError
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.security.texts import check_call, check_option

if TYPE_CHECKING:
    from equilibrist.poker.postflop.setups.set_up import SetUp
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.poker.three_players.spot import ThreeSpot

MOST_ENTRIES: Final = 12
"""Algorithms in one race."""
MOST_RUNS: Final = 60
"""Runs in one race: an algorithm that draws at random has one for each seed."""
LIMITS: Final = ("iterations", "target", "seconds")
OPTIONS_OF_THREE: Final = ("target", "iterations", "seconds", "algorithm", "tremble", "threads")
"""Options of a run that spots of three players have."""
_LONGEST: Final = 200
"""Characters of a text that are told of what was given."""
Value = str | int | float | bool
"""A value of an option: as on the command line, or as JSON has it."""


class SpotInput(BaseModel):
    """A spot: the text of a spot file, or its keys, or both: keys override those of the text."""

    model_config = ConfigDict(extra="forbid")

    toml: str | None = Field(None, description="The text of a spot file.")
    keys: dict[str, Any] = Field(
        default_factory=dict, description="Keys of a spot file: board, oop, ip, pot, stack, ..."
    )

    def read(self) -> Spot:
        """The spot of two players, with its betting enumerated.

        Raises what `Spot` raises, ConfigError for what is no text of one, and for a spot of three,
        TooLargeError and MemoryBudgetError for more than a server reads.
        """
        from equilibrist.poker.postflop.spot.spot import Spot

        keys = self._all_keys()
        if "middle" in keys:
            raise ConfigError(
                "the spot has three ranges, and this is for two players",
                option="middle",
                given=str(keys["middle"])[:_LONGEST],
                remedy="leave out middle, or solve the spot of three: POST /api/jobs takes it",
            )
        _check_known(keys)
        return bounded(Spot(**keys))

    def read_any(self) -> Spot | ThreeSpot:
        """The spot of two players, or of three where it has a range `middle`; raises as `read`."""
        from equilibrist.poker.three_players.spot import ThreeSpot

        keys = self._all_keys()
        if "middle" not in keys:
            return self.read()
        _refuse_prizes(keys)
        return ThreeSpot(**keys)

    def _all_keys(self) -> dict[str, Any]:
        """The keys, which are no longer than a server reads."""
        from equilibrist.poker.postflop.spot.toml import parse_spot

        check_texts({"toml": self.toml})
        try:
            known = {} if self.toml is None else parse_spot(self.toml)
        except (ValueError, RecursionError) as error:
            raise ConfigError(
                f"the text is not a spot file in TOML: {error}", option="toml"
            ) from None
        keys = {**known, **self.keys}
        check_texts(keys)
        return keys


def _check_known(keys: Mapping[str, Any]) -> None:
    """Raise UnknownNameError for a key that spots lack, UnsupportedError for those of prizes."""
    _refuse_prizes(keys)
    for key in keys:
        if key not in SPOT_OPTIONS:
            raise UnknownNameError("key of a spot", key, list(SPOT_OPTIONS), option="key")


def _refuse_prizes(keys: Mapping[str, Any]) -> None:
    if keys.get("payouts") is not None:
        raise UnsupportedError(
            "the browser counts in chips, and the spot is played for prizes",
            option="payouts",
            given=keys["payouts"],
            remedy="solve it with `equilibrist postflop solve`, or leave out payouts",
        )


class SetUpInput(BaseModel):
    """The text of a file of another solver, or of a spot file."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(
        description="A tree configuration or a script of PioSOLVER, console input of TexasSolver, "
        "JSON of WASM Postflop or Desktop Postflop, or a spot file."
    )
    name: str | None = Field(None, description="The name of one of several configurations.")
    keys: dict[str, Any] = Field(
        default_factory=dict, description="Keys of a spot file that override it, or that it lacks."
    )

    def read(self) -> SetUp:
        """The spot, with its betting enumerated, and what it lacks of the text.

        Raises what `read_setup_text` raises, TooLargeError and MemoryBudgetError for more than a
        server reads.
        """
        from equilibrist.poker.postflop.setups.files import read_setup_text
        from equilibrist.poker.postflop.spot.value_unit import refuse_prizes

        lines = [line for line in self.text.splitlines() if "add_line" in line]
        check_texts({"text": self.text, "added_lines": lines, **self.keys})
        _check_known(self.keys)
        found = read_setup_text(self.text, self.name, **self.keys)
        check_texts({key: getattr(found.spot, key) for key in SPOT_OPTIONS})
        refuse_prizes(found.spot, "the browser")
        bounded(found.spot)
        return found


def read_options(options: Mapping[str, Value | None], known: Options) -> dict[str, str]:
    """Options of a request as texts of the command line.

    Args:
        options: The options by name; None for those that are left out.
        known: The options that there are.

    Raises:
        UnknownNameError: There is no such option.
        ForbiddenError: A text could name a file.
        WebError: A value is not one of the choices of its option.
    """
    texts: dict[str, str] = {}
    for name, value in options.items():
        if name not in known:
            raise UnknownNameError("option", name, list(known), option="option")
        if value is None:
            continue
        text = str(value).lower() if isinstance(value, bool) else str(value)
        option = known[name]
        if option.kind == "switch" and text not in ("true", "false"):
            raise _bad(name, value, "true or false")
        if option.kind == "choice" and text not in option.choices:
            raise _bad(name, value, ", ".join(option.choices))
        check_option(name, text)
        texts[name] = text
    return texts


def check_game_options(options: Mapping[str, str]) -> None:
    """Raise what the command line would raise for these options before it solves.

    Raises ForbiddenError for a text that could name a file.
    """
    from equilibrist.solving.algorithm import configured

    configured(option_values(options))


def check_race(algorithms: Sequence[str], options: Mapping[str, str]) -> None:
    """Raise what `compare` would raise for these algorithms and options before it runs any.

    Args:
        algorithms: The entries, such as `lcfr@external`.
        options: The options that they share, as texts.

    Raises:
        ForbiddenError: A text could name a Python file.
        LimitError: There are more entries or runs than a race may have.
        ConfigError: An option is wrong, or does not fit the algorithms.
        UnknownNameError: No algorithm or sampler has that name.
    """
    load_engine()
    from equilibrist.solving.comparison import count_runs, read_entries

    if len(algorithms) > MOST_ENTRIES:
        raise LimitError(
            f"the race has {len(algorithms)} algorithms; at most {MOST_ENTRIES} are allowed",
            option="algorithms",
            given=len(algorithms),
            expected=f"at most {MOST_ENTRIES}",
        )
    for text in algorithms:
        word, at, sampler = text.strip().rpartition("@")
        if at and sampler:
            check_call("sampler", sampler)
        if not at or word:
            check_call("algorithm", word if at else sampler)
    shared = {name: text for name, text in options.items() if name not in COMPARE_RUNS}
    check_game_options(shared)
    entries = read_entries(algorithms, option_values(shared).get("iterations"))
    seeds = option_values(options).get("seeds", 1)
    runs = count_runs(seeds, entries)
    if runs > MOST_RUNS:
        raise LimitError(
            f"with {seeds:,} seeds the race has {runs:,} runs; at most {MOST_RUNS} are allowed",
            option="seeds",
            given=seeds,
            expected=f"at most {MOST_RUNS} runs",
            remedy="take fewer seeds, or run it on the command line: `equilibrist compare --seeds`",
        )


def option_values(options: Mapping[str, str]) -> dict[str, Any]:
    """The values of options of `solve` or `compare`, as the command line reads them."""
    from equilibrist.options.reading import read_texts

    for name, text in options.items():
        check_option(name, text)
    return read_texts({**SOLVE_OPTIONS, **COMPARE_RUNS}, options)


def check_spot_options(options: Mapping[str, str], pot: float = 1.0) -> Any:
    """Raise what the command line would raise for these options before it solves a spot.

    Args:
        options: The options as texts.
        pot: The pot of the spot in chips, in which a target may be given.

    Returns:
        The values of the options.

    Raises:
        ForbiddenError: A text could name a file.
        ConfigError: An option is wrong.
    """
    for name, text in options.items():  # before any of them is looked up
        check_option(name, text)
    from equilibrist.poker.postflop.solution.stopping import chips_of
    from equilibrist.poker.postflop.solving.perturbed import check_perturbation
    from equilibrist.poker.postflop.solving.spot_run import SpotRun
    from equilibrist.poker.postflop.solving.variants import spot_variant

    values = SpotRun.read({name: options.get(name) for name in RUN_OPTIONS}).options
    algorithm, storage = values.get("algorithm"), values.get("storage", "float32")
    spot_variant(algorithm, storage)
    check_perturbation(values.get("tremble"), values.get("quantal"), storage, algorithm)
    if values.get("target") is not None:
        chips_of(values["target"], pot)
    return values


def check_options_of_three(options: Mapping[str, str], pot: float = 1.0) -> Any:
    """Raise what the command line would raise for these options before it solves a spot of three.

    Args:
        options: The options as texts.
        pot: The pot of the spot in chips, in which a target may be given.

    Returns:
        The values of the options.

    Raises:
        ForbiddenError: A text could name a file.
        ConfigError: An option is wrong, or spots of three do not have it.
    """
    for name, text in options.items():
        if name not in OPTIONS_OF_THREE:
            raise ConfigError(
                f"spots of three players are solved without {name}",
                option=name,
                given=text,
                expected=", ".join(OPTIONS_OF_THREE),
                remedy=f"leave out {name}",
            )
    return check_spot_options(options, pot)


def _bad(option: str, value: object, expected: str) -> WebError:
    return WebError(option=option, given=str(value), expected=expected)
