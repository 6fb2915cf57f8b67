"""The sentences of a result on what was measured and which convergence theorems apply."""

from __future__ import annotations

import math
from typing import Final

from equilibrist.equilibria.concepts import concept_named
from equilibrist.evaluation import Evaluation, evaluate
from equilibrist.results import Details, PerturbedPlay, SamplingDetails, StateGraphStats
from equilibrist.solvers.full_traversal.best_response_solvers import (
    RESPONDING,
    AgainstBestResponses,
    Responding,
)
from equilibrist.solvers.full_traversal.efr import DeviationRegrets
from equilibrist.solvers.matrix.matching_result import MatchingResult
from equilibrist.solvers.variants.magnetic import MagneticDescent
from equilibrist.solvers.variants.registry import VARIANTS
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solving.algorithm import Algorithm
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.methods import RunOutcome
from equilibrist.solving.modifiers.lifting import Lifting
from equilibrist.solving.option_fit import EXACT, MATCHING
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.tree.payoff_scale import PayoffScale

_PROVEN: Final = ("cfr", "cfr+", "lcfr", "dcfr", "dcfr+", "pcfr+", "pdcfr+")
"""Variants, with their default parameters, whose averages are proven to converge.

cfr: Zinkevich et al. 2007; cfr+: Tammelin et al. 2015; lcfr, dcfr: Brown and Sandholm 2019;
pcfr+: Farina, Kroer and Sandholm 2021; dcfr+, pdcfr+: Xu et al. 2024. Two players, zero sum.
"""
_UNBIASED: Final = ("stochastic", "lazy", "own-reach", "full", "walk")
"""Averages under sampling whose expectation is that of full traversals."""


def guarantee(
    game: Lifting,
    finished: RunOutcome,
    algorithm: Algorithm | str,
    config: SolveConfig,
) -> str:
    """Say what was measured, what that proves for this kind of game, and by which theorem."""
    tree, evaluation = game.tree, finished.evaluation
    if isinstance(finished.details, PerturbedPlay):
        if finished.details.kind == "quantal":
            return _quantal(finished.details)
        return _trembling(finished.details, evaluation.measure_name)
    if tree.num_players == 1:
        return (
            f"One player: measured exactly, the strategy earns {evaluation.nash_conv:.3g} less "
            f"than the best one."
        )
    two_sided = evaluation.exploitability is not None
    last = config.output == "last"
    sentences = [
        _bounds(tree, evaluation) if two_sided else _without_nash(game, algorithm, config),
        _joint_play(finished.details),
    ]
    if evaluation.gap is not None:
        sentences += [_history(game, algorithm, config) if two_sided else "", _gap(evaluation)]
    elif not two_sided:
        sentences.append(_distance(evaluation))
    if not two_sided:
        pass
    elif not game.is_trivial:
        sentences.append(_abstracted(game, algorithm, config))
        if not _meets_full_game(game, algorithm):
            sentences.append(_within(game, finished.strategy))
    elif algorithm in EXACT:
        sentences.append(_exact(tree, evaluation))
    elif isinstance(finished.details, StateGraphStats):
        sentences.append(_shared(finished.details, tree) if not last else "")
    elif isinstance(finished.details, SamplingDetails):
        sentences.append(_sampled(finished.details, algorithm) if not last else "")
    elif _is_proven(algorithm) and not last and not (config.prune or "").startswith("best"):
        sentences.append("Theory: the average strategies approach a Nash equilibrium.")
    if last:
        sentences.append(
            "The strategy is the last one played, which has no convergence guarantee; rely on the "
            "measurement."
        )
    return " ".join(text for text in sentences if text)


def _exact(tree: GameTree, evaluation: Evaluation) -> str:
    """Say what linear programming found, by what was measured of it."""
    if evaluation.nash_conv <= 16.0 * tree.rounding:
        return "An equilibrium up to floating point, found by linear programming."
    return (
        "Found by linear programming, whose optimum is off by more than rounding here: payoffs "
        "times probabilities differ by many orders of magnitude."
    )


def _abstracted(game: Lifting, algorithm: Algorithm | str, config: SolveConfig) -> str:
    """Say what theory proves for the abstract game, which proves nothing for the full one."""
    if not game.recalls:
        return "The abstraction has imperfect recall, for which no convergence theorem holds."
    if _meets_full_game(game, algorithm):
        if config.output == "last" or game.translation is not None:
            return "Nothing is proven of the strategy but what was measured."
        return (
            "Theory: each average strategy approaches the one that loses least in the full game of "
            "all that the abstraction can express; it need not be an equilibrium of the abstract "
            "game."
        )
    if algorithm in EXACT:
        return f"An equilibrium of the {game.kind}; in the full game it is measured, not proven."
    if config.output == "last" or config.sampler is not None or not _is_proven(algorithm):
        return "Nothing is proven of the strategy in the full game but what was measured."
    return (
        f"Theory: the average strategies approach a Nash equilibrium of the {game.kind}, and not "
        f"of the full one."
    )


def _meets_full_game(game: Lifting, algorithm: Algorithm | str) -> bool:
    """Whether merged infosets learn against responses that tell them apart."""
    return isinstance(algorithm, AgainstBestResponses) and game.abstraction is not None


def _within(game: Lifting, strategy: Strategy) -> str:
    """Say how near the strategy is to equilibrium of the abstract game, where it is measured."""
    if not game.recalls:
        return ""
    restricted = game.restrict(strategy)
    evaluation = evaluate(restricted)
    value = evaluation.values[0]
    unit = PayoffScale(restricted.tree).units(restricted.probabilities).payoff(0, value)
    if game.abstraction is not None and game.translation is not None:
        limits = ", which know no more and have no more actions than the strategy,"
    elif game.abstraction is not None:
        limits = ", which know no more than the strategy,"
    elif game.translation is not None:
        limits = ", which have no more actions than the strategy,"
    else:
        limits = ""
    return (
        f"Best responses in the {game.kind}{limits} gain {evaluation.nash_conv:.3g} in all; "
        f"value there {_digits(value, unit)}."
    )


def _is_proven(algorithm: Algorithm | str) -> bool:
    """Whether the averages are proven to converge; compares values, since users choose names."""
    if isinstance(algorithm, str):
        return algorithm in MATCHING
    if isinstance(algorithm, DeviationRegrets):
        return algorithm.family.nash
    if isinstance(algorithm, Responding):
        return algorithm in RESPONDING.values()
    return any(VARIANTS[name] == algorithm for name in _PROVEN)


def _bounds(tree: GameTree, evaluation: Evaluation) -> str:
    total = tree.constant_sum
    assert total is not None
    worst = [total - best for best in evaluation.best_response_values]
    units = PayoffScale(tree).units()
    second, first = (_digits(least, units.payoff(1 - p, least)) for p, least in enumerate(worst))
    return (
        f"Measured by exact best responses in the full game: whatever player 1 does, player 0 "
        f"gets at least {first}; whatever player 0 does, player 1 gets at least {second}. Together "
        f"these guarantees are {evaluation.nash_conv:.3g} below the constant sum of the payoffs."
    )


def _digits(value: float, unit: float) -> str:
    """Six significant digits of a payoff, and as many more as it is larger than its unit."""
    more = 0
    if value and unit:
        more = math.floor(math.log10(abs(value))) - math.floor(math.log10(unit))
    return f"{value:.{min(6 + max(more, 0), 17)}g}"


def perturbed_play(
    strategy: Strategy, algorithm: Algorithm | str, config: SolveConfig
) -> PerturbedPlay | None:
    """Measure the distance to equilibrium of a game with trembles or entropy, if one is solved.

    Args:
        strategy: What the run ended with.
        algorithm: What ran.
        config: Its options.

    Returns:
        The measurement; None where the game itself is solved.
    """
    from equilibrist.equilibria.quantal import quantal_gap, trembling_gap

    if config.tremble is not None:
        gap = trembling_gap(strategy, config.tremble)
        return PerturbedPlay("trembling", config.tremble, max(gap, 0.0))
    if isinstance(algorithm, MagneticDescent):
        gap = quantal_gap(strategy, algorithm.alpha)
        return PerturbedPlay("quantal", algorithm.alpha, max(gap, 0.0))
    return None


def _trembling(perturbed: PerturbedPlay, measure_name: str) -> str:
    return (
        f"Solved with trembles: every action is played with a probability of at least "
        f"{perturbed.parameter:g}. In that game the sum of the players' gains is "
        f"{perturbed.gap:.3g}, measured exactly; {measure_name} is that of "
        f"the game without trembles, where the trembles themselves cost something."
    )


def _quantal(perturbed: PerturbedPlay) -> str:
    return (
        f"Not an equilibrium of the game, but an approximation of a quantal response equilibrium "
        f"of temperature {perturbed.parameter:g}: of the game in which plans earn their payoff "
        f"plus {perturbed.parameter:g} times their dilated entropy. In that game the sum of the "
        f"players' gains is {perturbed.gap:.3g}, measured exactly; in its equilibrium it is 0. "
        f"Theory: with two players and constant sum the last strategy approaches it."
    )


def _sampled(sampling: SamplingDetails, algorithm: Algorithm | str) -> str:
    """The guarantee for a sampled run, by sampler, variant and average."""
    from equilibrist.contrib.samplers import Textbook
    from equilibrist.solvers.sampling.registry import get_sampler
    from equilibrist.solvers.sampling.user import names_file

    if names_file(sampling.sampler):
        return (
            "The sampler is your own. If its regrets and average are unbiased, which `equilibrist "
            f"check {sampling.sampler}` tests, then given enough iterations the average strategies "
            "approach a Nash equilibrium with probability arbitrarily close to 1; rely on the "
            "measured exploitability."
        )
    sampler = get_sampler(sampling.sampler)
    if sampler.name == Textbook.name:
        return (
            "This sampler solves the game in which every player errs with probability epsilon at "
            "every decision: its strategies need not approach an equilibrium of the game itself."
        )
    if getattr(sampler, "prune", None) is not None:
        return (
            "Pruning keeps regrets from falling below a floor, which has no convergence "
            "guarantee; rely on the measured exploitability."
        )
    if sampling.shared:
        return (
            "Threads shared one table, and simultaneous additions may have been lost: there is no "
            "convergence guarantee; rely on the measured exploitability."
        )
    if algorithm == VARIANTS["cfr"] and sampling.averaging in _UNBIASED:
        return (
            "Theory: with probability arbitrarily close to 1, given enough iterations, the average "
            "strategies of sampled regrets approach a Nash equilibrium; this run is the sample "
            "drawn with its seed."
        )
    return (
        "The regrets were sampled: with these discounts or this average a single run has no "
        "convergence guarantee; rely on the measured exploitability."
    )


def _shared(shared: StateGraphStats, tree: GameTree) -> str:
    """The guarantee of FSICFR, which depends on perfect recall."""
    if shared.infosets < tree.num_infosets:
        return (
            f"{shared.game} has imperfect recall, and there is no convergence guarantee; rely on "
            f"the measured exploitability."
        )
    return (
        "Theory: if equally many histories lead to an infoset whenever chance lets it be reached, "
        "the average strategies approach a Nash equilibrium with probability arbitrarily close to "
        "1; this run is the sample drawn with its seed."
    )


def _without_nash(game: Lifting, algorithm: Algorithm | str, config: SolveConfig) -> str:
    players = game.tree.num_players
    kind = f"{players} players" if players > 2 else "payoffs that do not add up to a constant"
    none = f"With {kind}, convergence to a Nash equilibrium is not guaranteed."
    return f"{none} {_history(game, algorithm, config)}".rstrip()


def _history(game: Lifting, algorithm: Algorithm | str, config: SolveConfig) -> str:
    """Say what theory proves for the history of play, which may be correlated; or nothing."""
    if not game.is_trivial:
        return ""
    if isinstance(algorithm, str):
        return "The history of play approaches a coarse correlated equilibrium."
    if isinstance(algorithm, DeviationRegrets):
        return (
            f"The history of play, every iteration alike, approaches "
            f"{algorithm.family.equilibrium}; the average strategy keeps nothing of the "
            f"correlation in it."
        )
    if not isinstance(algorithm, Variant) or not _is_proven(algorithm):
        return ""
    if config.sampler is not None:
        return ""
    in_turn = algorithm.alternating if config.alternating is None else config.alternating
    in_turn = in_turn and config.measure is None
    here = "not as here" if in_turn else "as here"
    return (
        f"With simultaneous updates ({here}) the history of play, with the weights of the "
        f"variant, approaches a coarse correlated equilibrium; no such theorem holds for "
        f"alternating updates."
    )


def _joint_play(details: Details | None) -> str:
    if not isinstance(details, MatchingResult):
        return ""
    return (
        f"Measured: the history of play is a coarse correlated equilibrium up to "
        f"{details.cce_gap:.3g}, the most that a player gains by always playing one action."
    )


def _gap(evaluation: Evaluation) -> str:
    assert evaluation.gap is not None
    concept = concept_named(evaluation.gap.concept)
    return (
        f"Measured exactly: if a mediator recommends what was played, drawn by the weights of "
        f"the average, the players' gains from deviating add up to {evaluation.gap.total:.3g}; "
        f"in {concept.with_article} that is at most 0. The average strategies, played "
        f"independently, are another profile, with a NashConv of {evaluation.nash_conv:.3g}."
    )


def _distance(evaluation: Evaluation) -> str:
    return (
        f"The distance from a Nash equilibrium was measured by exact best responses: NashConv, "
        f"the sum of each player's gain from deviating alone, is {evaluation.nash_conv:.3g}."
    )
