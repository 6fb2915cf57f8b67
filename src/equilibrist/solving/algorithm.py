"""Reading of `algorithm=`: the variant or rule, and the sampler if it draws with one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from equilibrist._extensions import extensions
from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.solvers.full_traversal.best_response_solvers import RESPONDING, Responding
from equilibrist.solvers.full_traversal.efr import NAME as EFR_NAME
from equilibrist.solvers.full_traversal.efr import DeviationRegrets, get_efr, is_efr
from equilibrist.solvers.full_traversal.fsicfr import FIXED_STRATEGY, FixedStrategyIteration
from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.local_rules import LOCAL_FAMILIES
from equilibrist.solvers.variants.registry import FAMILIES, as_variant, get_rule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solving.config import (
    DEFAULT_ALGORITHM,
    SAMPLING_ALGORITHM,
    WITHOUT_TREE_SAMPLER,
    SolveConfig,
)
from equilibrist.solving.option_fit import EXACT, MATCHING

if TYPE_CHECKING:
    from equilibrist.solvers.sampling.sampler import Sampler

Rule: TypeAlias = Variant | LocalRule | Responding | DeviationRegrets
"""What full traversals can follow."""
Algorithm: TypeAlias = Rule | FixedStrategyIteration
"""What a run on a tree can follow: a rule of full traversals, or FSICFR, which goes its own way."""


_PRUNED_BY_DEFAULT: Final = {"interval": "cfr", "best-response": "cfr", "threshold": "hedge"}
"""The default algorithm by the name of the pruning, where it is another."""


def default_algorithm(*, sampled: bool = False, prune: str | None = None) -> str:
    """The name of the default, which is another one where a sampler draws or traversals are pruned.

    Args:
        sampled: Whether a sampler draws.
        prune: How full traversals are pruned; None if they are not.
    """
    if sampled:
        return SAMPLING_ALGORITHM
    pruning = "" if prune is None else prune.partition("(")[0].strip()
    return _PRUNED_BY_DEFAULT.get(pruning, DEFAULT_ALGORITHM)


def get_algorithm(
    algorithm: str | Algorithm | None, *, sampled: bool = False, prune: str | None = None
) -> Algorithm | str:
    """The algorithm, or the name of one that is not an object: one of EXACT or MATCHING.

    None is the default, `default_algorithm`. Raises UnknownNameError with the nearest names, and
    ConfigError for parameters out of range.
    """
    if algorithm is None:
        algorithm = default_algorithm(sampled=sampled, prune=prune)
    if isinstance(algorithm, Algorithm):
        return algorithm
    if not isinstance(algorithm, str):
        raise bad_argument("algorithm", algorithm, "a name, such as 'dcfr' or 'lp', or a Variant")
    if is_efr(algorithm):
        return get_efr(algorithm)
    objects = {**RESPONDING, **FIXED_STRATEGY}
    others = (*EXACT, *MATCHING, *objects)
    word, bracket, _ = algorithm.strip().lower().replace("_", "-").partition("(")
    if (name := word.rstrip()) in others:
        if bracket:
            raise ConfigError(
                f"{name} takes no parameters; given: {algorithm!r}",
                option="algorithm",
                given=algorithm,
                expected=name,
            )
        return objects.get(name, name)
    try:
        return get_rule(algorithm)
    except UnknownNameError as error:
        if not names_itself(error, algorithm):
            raise
        raise unknown_algorithm(error.name) from None


def algorithm_names() -> list[str]:
    """The names of all algorithms but those that train networks."""
    objects = (*EXACT, *MATCHING, *RESPONDING, *FIXED_STRATEGY)
    return [*FAMILIES, *LOCAL_FAMILIES, EFR_NAME, *objects]


def sampler_like(text: str, algorithms: Iterable[str]) -> str | None:
    """The sampler that a text names or nearly names, unless an algorithm is as near."""
    from equilibrist.solvers.sampling.samplers import SAMPLERS

    name, _, parameters = text.partition("(")
    name = name.strip().lower().replace("_", "-")
    if name in SAMPLERS:
        return f"{name}({parameters}" if parameters else name
    nearest = get_close_matches(name, [*SAMPLERS, *algorithms], n=1, cutoff=0.75)
    return nearest[0] if nearest and nearest[0] in SAMPLERS else None


def names_itself(error: UnknownNameError, text: str) -> bool:
    """Whether the name that a text begins with is unknown, not a parameter or a name in a file."""
    return error.option == "algorithm" and error.name in (text, text.partition("(")[0].strip())


def unknown_algorithm(text: str, others: Iterable[str] = ()) -> UnknownNameError:
    """The error for a name of no algorithm, with the nearest names, or with who else takes it.

    Args:
        text: The name.
        others: Names that are known beside those of `get_algorithm`.
    """
    if text.strip().lower().replace("_", "-") in extensions("contenders"):
        hint = "here: it trains networks, with `equilibrist train` or `equilibrist.learned.train`"
        return UnknownNameError("algorithm", text, (), hint)
    others = tuple(others)
    sampler = sampler_like(text, known := [*algorithm_names(), *others])
    if sampler is not None:
        at = f"`{SAMPLING_ALGORITHM}@{sampler}` in a race" if others else f"`--sampler {sampler}`"
        hint = f"({sampler} is a sampler: {at})"
        return UnknownNameError("algorithm", text, (), hint)
    return UnknownNameError("algorithm", text, known, "(or my.py:MyVariant)")


def read_sampler(sampler: str | Sampler | None, explicit_tree: bool | None = None) -> str | None:
    """The sampler's string with the parameters that are not default, or None for full traversals.

    Where no tree is to be compiled (`explicit_tree` is False), the default is `external`. Raises
    UnknownNameError and ConfigError, that for a sampler of the user's own, too, if no file defines
    it: no text names it then.
    """
    if sampler is None and explicit_tree is not False:
        return None  # and nothing of sampling is imported
    from equilibrist.solvers.sampling.own import OwnSampler
    from equilibrist.solvers.sampling.registry import get_sampler, sampler_spec
    from equilibrist.solvers.sampling.samplers import SAMPLERS, Sampler

    value: object = sampler
    if isinstance(value, type):
        remedy = f"make one: {value.__name__}()"
        raise bad_argument("sampler", value, "a sampler or the name of one", remedy=remedy)
    if isinstance(sampler, Sampler):
        if isinstance(sampler, OwnSampler) and sampler.spec:
            return sampler.spec
        if type(sampler) is not SAMPLERS.get(sampler.name):
            raise bad_argument(
                "sampler",
                sampler,
                f"one of {', '.join(SAMPLERS)}",
                remedy="use your own with the class MCCFR, or name it: my.py:MySampler",
            )
        return sampler_spec(sampler)
    try:
        return sampler_spec(get_sampler(WITHOUT_TREE_SAMPLER if sampler is None else sampler))
    except UnknownNameError as error:
        name = error.name.lower().replace("_", "-")
        if error.option != "sampler" or name not in algorithm_names():
            raise
        hint = f"({name} is an algorithm: `--algorithm {name}`)"
        raise UnknownNameError("sampler", error.name, (), hint) from None


def read_pruning(prune: str | None) -> str | None:
    """The shortest text of a way of pruning; UnknownNameError, ConfigError if it names none."""
    if prune is None:
        return None
    from equilibrist.solvers.pruning.methods import get_pruning, pruning_spec

    return pruning_spec(get_pruning(prune))


def check_fit(algorithm: Algorithm | str, config: SolveConfig) -> None:
    """ConfigError for an algorithm that does not go together with the options."""
    if config.sampler is not None and isinstance(algorithm, Rule):
        from equilibrist.solvers.sampling.mccfr import refuse_unfit

        refuse_unfit(as_variant(algorithm))
    if config.warm_start is not None and isinstance(algorithm, LocalRule):
        raise ConfigError(
            f"warm_start is a strategy, which does not contain the other state of {algorithm.name}",
            option="warm_start",
            given=config.warm_start,
            remedy="leave it out, or use cfr, dcfr or another variant",
        )
    if not isinstance(algorithm, str) and algorithm.needs_horizon and config.iterations is None:
        raise ConfigError(
            f"{algorithm.name} plans its schedule over the whole run",
            option="iterations",
            remedy="give `iterations` (a target or a time limit may stop it earlier)",
        )


def configured(options: Mapping[str, Any]) -> tuple[str | Algorithm, SolveConfig]:
    """The algorithm that the options name, and the configuration; raises ConfigError.

    `options` are values by the names of SOLVE_OPTIONS; missing ones have their defaults.
    """
    sampler = read_sampler(options.get("sampler"), options.get("explicit_tree"))
    pruning = read_pruning(options.get("prune"))
    algorithm = get_algorithm(options.get("algorithm"), sampled=sampler is not None, prune=pruning)
    warm_start = options.get("warm_start")
    named = {
        "algorithm": algorithm if isinstance(algorithm, str) else algorithm.name,
        "sampler": sampler,
        "prune": pruning,
        "warm_start": None if warm_start is None else str(warm_start),
    }
    return algorithm, SolveConfig.build(**{**options, **named})
