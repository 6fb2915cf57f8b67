"""Whether a sampler is right on average: all its draws are enumerated on small games.

One traversal is run for every sequence of draws, and what it adds is weighted by the probability of
that sequence. The sums are compared with the full traversal: regrets with the counterfactual ones,
strategy sums with own reach times strategy. A factor that is the same for all strategies is no
bias, as regret matching and normalisation do not see it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias, cast

from equilibrist.errors import ConfigError
from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.game_loading import compile_game
from equilibrist.reference.draws import Draws, RandomDraws, every_run
from equilibrist.reference.game_walk import Node
from equilibrist.reference.matching import mean
from equilibrist.reference.sampling.addition import Addition, Profile, TablesByInfoset
from equilibrist.reference.sampling.weighted import players_of
from equilibrist.solvers.sampling.mccfr import fit_averaging
from equilibrist.solvers.sampling.own import OwnSampler, choices_digest, traverse_plainly
from equilibrist.solvers.sampling.own_mistakes import refuse_class
from equilibrist.solvers.sampling.plain_tree import PlainTree, plain_tree
from equilibrist.solvers.sampling.registry import get_sampler, sampler_spec
from equilibrist.solvers.sampling.sampler import FitsAll, PlainSampler, Sampler
from equilibrist.solvers.variants.registry import VARIANTS
from equilibrist.tree.compile import GameTree

GAMES: Final = ("kuhn", "random_tree(seed=5,depth=4,branching=2)", "kuhn(players=3)")
"""Two players, other sizes and payoffs, and a third player, whom averages must stand."""
MOST_HISTORIES: Final = 20_000
"""The largest game on which draws are enumerated or sampled here."""
MOST_RUNS: Final = 5_000
"""Sequences of draws up to which all are enumerated, for a traverser and a profile."""
MOST_VISITS: Final = 50_000
"""Histories that these may visit in all."""
_AVERAGES: Final = ("stochastic", "own-reach", "soft", "proper")
"""The averages that samplers in plain Python take."""
_SEEDS: Final = (None, 1, 2)
"""Profiles: uniform play, and random ones in which a third of the actions is never played."""
_EXACT: Final = 1e-9
"""Rounding, as a share of the largest payoff."""
_SIGMAS: Final = 6.0
"""Standard errors that a mean of sampled draws may be away."""
_OFTEN: Final = 100
"""Sampled means are judged where so many traversals added anything."""
_Table: TypeAlias = dict[str, list[float]]


@dataclass(frozen=True)
class Bias:
    """Where the expectation of what is added differs most.

    Attributes:
        infoset: The infoset.
        action: The label of the action.
        wanted: What a full traversal adds.
        found: The expectation of what the sampler adds.
    """

    infoset: str
    action: str
    wanted: float
    found: float


@dataclass(frozen=True)
class ExpectedTable:
    """What one table gains on average.

    Attributes:
        name: `regret`, or the average's name.
        is_right: Whether it is what a full traversal adds, perhaps times a constant factor.
        has_factor: Whether there is such a factor other than 1 at some infoset.
        error: The largest difference from that, in payoff units or probability.
        bias: Where it is, if it is not right.
    """

    name: str
    is_right: bool
    has_factor: bool
    error: float
    bias: Bias | None = None


@dataclass(frozen=True)
class SampledGame:
    """What a sampler does on average on one game.

    Attributes:
        game: The game.
        players: Its players.
        runs: Sequences of draws that were run, over all traversers and profiles.
        is_exact: Whether these were all that there are; else means of so many.
        regret: The regrets.
        averages: The averages that the sampler takes on its way.
        default: The name of the average that `solve` takes on this game.
        variance: The variance of the regrets that a traversal adds, summed over actions, mean over
            traversers and profiles.
        visited: Histories that a traversal visits, mean; 0 if the sampler does not count them.
    """

    game: str
    players: int
    runs: int
    is_exact: bool
    regret: ExpectedTable
    averages: tuple[ExpectedTable, ...]
    default: str
    variance: float
    visited: float

    @property
    def ok(self) -> bool:
        """Whether the regrets are right, and the average that is taken by default."""
        return self.regret.is_right and all(
            average.is_right for average in self.averages if average.name == self.default
        )


@dataclass(frozen=True)
class SamplerReport:
    """Whether a sampler is right on average.

    Attributes:
        sampler: Its text.
        games: What it does on each game.
    """

    sampler: str
    games: tuple[SampledGame, ...]

    @property
    def ok(self) -> bool:
        """Whether it is on all games."""
        return all(game.ok for game in self.games)

    def document(self) -> dict[str, Any]:
        """The report as JSON has it.

        Returns:
            The attributes by name, and `ok` of the whole and of each game.
        """
        document = asdict(self)
        for game, entry in zip(self.games, document["games"], strict=True):
            entry["ok"] = game.ok
        return {**document, "ok": self.ok}

    def __str__(self) -> str:
        lines = [f"{self.sampler}: what a traversal adds on average, against the full traversal"]
        for game in self.games:
            lines += _game_lines(game)
        lines.append(
            "No bias found: regrets are the full ones on average, and the averages that `solve` "
            "takes are right."
            if self.ok
            else "Biased: what it adds on average is not what a full traversal adds."
        )
        return "\n".join(lines)


def _game_lines(game: SampledGame) -> list[str]:
    """What is said of one game."""
    how = (
        f"all {game.runs:,} sequences of draws"
        if game.is_exact
        else f"means over {game.runs:,} traversals, as there are too many sequences of draws"
    )
    lines = [f"  {game.game}: {how}"]
    rows = [("regrets", game.regret, True)]
    rows += [
        (f"average {table.name}", table, table.name == game.default) for table in game.averages
    ]
    width = max(len(name) for name, _, _ in rows)
    for name, table, counts in rows:
        lines.append(f"    {name:<{width}}  {_verdict(table, game, counts=counts)}")
    shown = f"variance of the regrets {game.variance:.4g}"
    if game.visited:
        shown += f", {game.visited:.4g} histories visited"
    return [*lines, f"    {'a traversal':<{width}}  {shown}"]


def _verdict(table: ExpectedTable, game: SampledGame, *, counts: bool) -> str:
    """One table in words."""
    if table.is_right and not game.is_exact:
        return f"no difference beyond {_SIGMAS:g} standard errors; the largest is {table.error:.1e}"
    if table.is_right:
        factor = " but for a constant factor by infoset, which changes no strategy"
        return f"exact{factor if table.has_factor else ''}, within {max(table.error, 1e-16):.0e}"
    text = "biased"
    if table.bias is not None:
        bias = table.bias
        text += f": {bias.action} at {bias.infoset} gains {bias.found:.6g}, not {bias.wanted:.6g}"
    if not counts:
        text += f"; `solve` takes {game.default} here unless told otherwise"
    return text


def check_sampler(
    sampler: Sampler | str, games: Sequence[Game[Any] | GameTree | str] = GAMES
) -> SamplerReport:
    """Compare what a sampler adds on average with the full traversal.

    Args:
        sampler: A sampler, or its text, as `my.py:MySampler`.
        games: Small games. Where there are too many sequences of draws to run all, means over
            random ones are compared within six standard errors.

    Returns:
        The comparison, game by game.

    Raises:
        ConfigError: The sampler fails or has no plain form, or a game is too large.
        UnknownNameError: There is no such sampler or game.
    """
    chosen = plain_sampler(sampler)
    return SamplerReport(sampler_spec(chosen), tuple(_check_game(chosen, g) for g in games))


def plain_sampler(sampler: Sampler | str) -> PlainSampler:
    """The sampler, if it can be run in plain Python; else ConfigError."""
    chosen = get_sampler(sampler) if isinstance(sampler, str) else sampler
    for option, usual in (("baseline", "none"), ("prune", None), ("blocks", None)):
        if getattr(chosen, option, usual) != usual:
            raise ConfigError(
                f"{sampler_spec(chosen)} cannot be run step by step",
                option=option,
                given=getattr(chosen, option),
                expected=usual,
                remedy=f"leave out {option}",
            )
    if isinstance(chosen, OwnSampler):
        refuse_class(chosen)
    if not isinstance(chosen, FitsAll):
        raise ConfigError(
            f"{getattr(chosen, 'name', chosen)} cannot be run step by step",
            option="sampler",
            given=chosen,
            expected="a sampler with a method `traverse`",
            remedy="derive its class from OwnSampler",
        )
    return cast("PlainSampler", chosen)


def _check_game(sampler: PlainSampler, game: Game[Any] | GameTree | str) -> SampledGame:
    tree = game if isinstance(game, GameTree) else compile_game(game)
    if tree.num_nodes > MOST_HISTORIES:
        raise ConfigError(
            f"{tree.name} has {tree.num_nodes:,} histories, too many to compare all of them",
            option="game",
            given=tree.num_nodes,
            expected=MOST_HISTORIES,
            remedy=f"take a game of at most {MOST_HISTORIES:,}, such as kuhn",
        )
    sampler.check(tree, VARIANTS["cfr"])
    plain = plain_tree(tree)
    if isinstance(sampler, OwnSampler):
        _refuse_moods(sampler, plain)
    profiles = [_profile(tree, seed) for seed in _SEEDS]
    tables = [_tables(tree, seed) for seed in _SEEDS]
    is_own = isinstance(sampler, OwnSampler)
    names = [name for name in sampler.averagings if is_own or name in _AVERAGES]
    traversers = range(1 if sampler.all_learn else tree.num_players)
    regret, averages = _Comparison("regret"), [_Comparison(name) for name in names]
    samples = [
        partial(
            traverse_plainly,
            sampler,
            plain.root,
            traverser,
            profile,
            tables=table,
            averaging=name,
            record=False,
        )
        for name in names
        for profile, table in zip(profiles, tables, strict=True)
        for traverser in traversers
    ]
    try:
        moments = [_moments(sample) for sample in samples]
    except ConfigError as error:
        if error.option != "sample":
            raise
        raise _other_answers(sampler) from None
    each = iter(moments)
    for average in averages:
        for profile in profiles:
            sums = strategy_sums(plain.root, profile)
            for traverser in traversers:
                one = next(each)
                average.add(traverser, sums, one.sums, one.sums_error, is_exact=one.is_exact)
                if average is averages[0]:
                    wanted = full_regrets(plain.root, profile)
                    if not sampler.all_learn:
                        wanted = _of(tree, traverser, wanted, (*one.regret,))
                    regret.add(
                        traverser, wanted, one.regret, one.regret_error, is_exact=one.is_exact
                    )
    counted = moments[: len(profiles) * len(traversers)]
    return SampledGame(
        game=tree.name,
        players=tree.num_players,
        runs=sum(one.runs for one in counted),
        is_exact=all(one.is_exact for one in moments),
        regret=regret.table(tree),
        averages=tuple(average.table(tree) for average in averages),
        default=fit_averaging(sampler, None, tree.num_players),
        variance=sum(one.variance for one in counted) / len(counted),
        visited=sum(one.visited for one in counted) / len(counted),
    )


def _refuse_moods(sampler: OwnSampler, tree: PlainTree) -> None:
    """ConfigError for a sampler that does not give one answer to one question."""
    if choices_digest(sampler, tree) != choices_digest(sampler, tree):
        raise _other_answers(sampler)


def _other_answers(sampler: PlainSampler) -> ConfigError:
    return ConfigError(
        f"choose of {sampler_spec(sampler)} gives other answers when it is asked again",
        option="choose",
        expected="the same choice for the same history, iteration and numbers",
        remedy="draw nothing there, and remember nothing: the walk draws with the "
        "probabilities that it returns",
    )


@dataclass(frozen=True)
class _Moments:
    """What a traversal adds: expectations, and standard errors where draws are not enumerated."""

    regret: _Table
    sums: _Table
    regret_error: _Table
    sums_error: _Table
    variance: float
    visited: float
    runs: int
    is_exact: bool


def _moments(sample: Callable[[Draws], Addition]) -> _Moments:
    """Run all sequences of draws; where they are too many, random ones."""
    weighted, visited = [], 0
    for run in every_run(sample):
        weighted.append(run)
        visited += max(run[1].visited, 1)
        if len(weighted) > MOST_RUNS or visited > MOST_VISITS:
            break
    is_exact = len(weighted) <= MOST_RUNS and visited <= MOST_VISITS
    if not is_exact:
        runs, draws = len(weighted), RandomDraws(1)
        weighted = [(1.0 / runs, sample(draws)) for _ in range(runs)]
    regret, sums = _Sums(), _Sums()
    for probability, added in weighted:
        regret.add(added.regret, probability)
        sums.add(added.strategy_sum, probability)
    return _Moments(
        regret=regret.mean,
        sums=sums.mean,
        regret_error=regret.errors(0 if is_exact else len(weighted)),
        sums_error=sums.errors(0 if is_exact else len(weighted)),
        variance=regret.variance,
        visited=sum(probability * added.visited for probability, added in weighted),
        runs=len(weighted),
        is_exact=is_exact,
    )


class _Sums:
    """Means of what is added and of its squares by infoset, and how often it is not 0.

    Attributes:
        mean: The means.
    """

    def __init__(self) -> None:
        self.mean: _Table = {}
        self._squares: _Table = {}
        self._times: _Table = {}

    def add(self, table: Mapping[str, Sequence[float]], weight: float) -> None:
        """Take in what a traversal adds, with its probability."""
        for key, row in table.items():
            if key not in self.mean:
                for sums in (self.mean, self._squares, self._times):
                    sums[key] = [0.0] * len(row)
            mean_row, squares, times = self.mean[key], self._squares[key], self._times[key]
            for k, number in enumerate(row):
                mean_row[k] += weight * number
                squares[k] += weight * number * number
                times[k] += number != 0.0

    def _variances(self, key: str) -> list[float]:
        return [
            max(0.0, b - a * a) for a, b in zip(self.mean[key], self._squares[key], strict=True)
        ]

    @property
    def variance(self) -> float:
        """The sum of the variances of all numbers."""
        return sum(sum(self._variances(key)) for key in self.mean)

    def errors(self, runs: int) -> _Table:
        """Standard errors of means over so many runs; infinite for what hardly ever came up."""
        return {
            key: [
                (math.sqrt(v / runs) if often >= _OFTEN else math.inf) if runs else 0.0
                for v, often in zip(self._variances(key), self._times[key], strict=True)
            ]
            for key in self.mean
        }


def full_regrets(root: Node, profile: Profile) -> _Table:
    """The counterfactual regrets of all players: what an unbiased sampler adds on average."""
    regrets: _Table = {}

    def values(node: Node, reach: tuple[float, ...], chance: float) -> Sequence[float]:
        """The utilities of a history for all players."""
        player = node.player
        if player == TERMINAL:
            return node.payoffs
        strategy: Sequence[float] = node.chance or profile[node.infoset]
        below = [
            values(
                child,
                reach
                if player == CHANCE
                else (*reach[:player], reach[player] * p, *reach[player + 1 :]),
                chance * p if player == CHANCE else chance,
            )
            for child, p in zip(node.children, strategy, strict=True)
        ]
        expected = [mean(strategy, column) for column in zip(*below, strict=True)]
        if player != CHANCE:
            others = chance * math.prod(p for i, p in enumerate(reach) if i != player)
            row = regrets.setdefault(node.infoset, [0.0] * len(strategy))
            for k, utilities in enumerate(below):
                row[k] += others * (utilities[player] - expected[player])
        return expected

    values(root, (1.0,) * players_of(root), 1.0)
    return regrets


def strategy_sums(root: Node, profile: Profile) -> _Table:
    """Own reach times strategy, times the reach of chance, over the histories of each infoset."""
    sums: _Table = {}
    waiting = [(root, (1.0,) * players_of(root), 1.0)]
    while waiting:
        node, reach, chance = waiting.pop()
        player = node.player
        if player == TERMINAL:
            continue
        strategy: Sequence[float] = node.chance or profile[node.infoset]
        if player != CHANCE:
            row = sums.setdefault(node.infoset, [0.0] * len(strategy))
            for k, p in enumerate(strategy):
                row[k] += reach[player] * chance * p
        for child, p in zip(node.children, strategy, strict=True):
            if player == CHANCE:
                waiting.append((child, reach, chance * p))
            else:
                after = (*reach[:player], reach[player] * p, *reach[player + 1 :])
                waiting.append((child, after, chance))
    return sums


def _of(tree: GameTree, player: int, table: _Table, further: Collection[str]) -> _Table:
    """The rows of one player's infosets, and of those of others that are named."""
    return {
        key: row
        for key, row in table.items()
        if key in further or tree.infoset_player[tree.index(key)] == player
    }


class _Comparison:
    """Expectations against what is wanted, over profiles and traversers.

    Attributes:
        name: What is compared.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._rows: dict[tuple[int, str], list[_Row]] = {}

    def add(
        self, traverser: int, wanted: _Table, found: _Table, error: _Table, *, is_exact: bool
    ) -> None:
        """Take in one profile of one traverser.

        Args:
            traverser: Who traversed.
            wanted: What a full traversal would add.
            found: What the sampler adds on average.
            error: Its standard error; zeros where it is exact.
            is_exact: Whether that is everywhere.
        """
        for key, row in wanted.items():
            nothing = [0.0] * len(row)
            unjudged = nothing if is_exact else [math.inf] * len(row)
            self._rows.setdefault((traverser, key), []).append(
                _Row(row, found.get(key, nothing), error.get(key, unjudged))
            )

    def table(self, tree: GameTree) -> ExpectedTable:
        """What came out."""
        worst: dict[bool, float] = {}
        bias, has_factor, is_right = None, False, True
        left_out: dict[str, list[_Row]] = {}
        taken: set[str] = set()
        for (_, key), rows in self._rows.items():
            factor = 1.0 if all(row.fits(1.0) for row in rows) else _factor(rows)
            if factor == 0.0 and self.name != "regret":
                left_out.setdefault(key, rows)
                continue  # the average is taken where another player traverses
            taken.add(key)
            has_factor |= factor != 1.0
            fits = factor > 0.0 and all(row.fits(factor) for row in rows)
            is_right &= fits
            for row in rows:
                at, error = row.worst(factor if fits else 1.0)
                if error > worst.get(fits, -1.0):
                    worst[fits] = error
                    if not fits:
                        label = tree.action_labels[tree.index(key)][at]
                        bias = Bias(key, label, row.wanted[at], row.found[at])
        for key, rows in left_out.items():
            if key in taken:
                continue
            is_right = False
            for row in rows:
                at, error = row.worst(1.0)
                if error > worst.get(False, -1.0):
                    worst[False] = error
                    label = tree.action_labels[tree.index(key)][at]
                    bias = Bias(key, label, row.wanted[at], row.found[at])
        error = worst.get(is_right, 0.0)
        return ExpectedTable(self.name, is_right, has_factor, error, bias)


class _Row(NamedTuple):
    """One infoset under one profile: what is wanted, the expectation and its standard error."""

    wanted: Sequence[float]
    found: Sequence[float]
    error: Sequence[float]

    def fits(self, factor: float) -> bool:
        """Whether the expectation is what is wanted times a factor, but for rounding."""
        size = max(map(abs, (*self.wanted, *self.found)), default=0.0)
        return all(
            abs(b - factor * a) <= _SIGMAS * e + _EXACT * (1.0 + size)
            for a, b, e in zip(self.wanted, self.found, self.error, strict=True)
        )

    def worst(self, factor: float) -> tuple[int, float]:
        """The action with the largest difference, and that difference."""
        errors = [
            0.0 if math.isinf(e) else abs(b - factor * a)
            for a, b, e in zip(self.wanted, self.found, self.error, strict=True)
        ]
        at = max(range(len(errors)), key=errors.__getitem__)
        return at, errors[at]


def _factor(rows: Sequence[_Row]) -> float:
    """The factor that fits all profiles best: the ratio of the largest number wanted."""
    pairs = [pair for row in rows for pair in zip(row.wanted, row.found, strict=True)]
    wanted, found = max(pairs, key=lambda pair: abs(pair[0]))
    return found / wanted if wanted else 0.0


def _profile(tree: GameTree, seed: int | None) -> Profile:
    """Uniform play, or a random profile in which a third of the actions is never played."""
    profile = {}
    source = random.Random(seed)
    for key, labels in zip(tree.infoset_keys, tree.action_labels, strict=True):
        count = len(labels)
        weights = [source.random() * (source.random() > 0.35) for _ in labels]
        total = sum(weights)
        is_uniform = seed is None or total == 0.0
        row = [1.0 / count] * count if is_uniform else [w / total for w in weights]
        profile[key] = tuple(row)  # which the sampler cannot change
    return profile


def _tables(tree: GameTree, seed: int | None) -> TablesByInfoset:
    """Zeros, or random regrets and strategy sums, and a later iteration."""
    source = random.Random(seed)
    size = 0.0 if seed is None else 3.0
    labels = dict(zip(tree.infoset_keys, tree.action_labels, strict=True))
    regret = {
        key: tuple(size * (source.random() - 0.5) for _ in row) for key, row in labels.items()
    }
    sums = {
        key: tuple(size * source.random() * (source.random() > 0.35) for _ in row)
        for key, row in labels.items()
    }
    return TablesByInfoset(regret, sums, 1 if seed is None else 10 * seed)
