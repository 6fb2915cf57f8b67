"""`equilibrist learn`: one iteration in the terminal, every number beside its formula."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equilibrist.cli.completion import values
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import solution_name
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import note, show, show_json, suggest
from equilibrist.errors import ConfigError, MemoryBudgetError, UnknownNameError
from equilibrist.parsing.quantities import read_count

if TYPE_CHECKING:
    from equilibrist.game import Game
    from equilibrist.reference.lesson import Page
    from equilibrist.solvers.sampling.sampler import PlainSampler
    from equilibrist.solvers.variants.variant import Variant
    from equilibrist.tree.compile import GameTree

LIMIT = 100_000
"""Histories up to which there is anything to watch."""
VISITS = 5_000_000
"""Histories that the plain recursion may visit on the way, some microseconds each."""

HELP = """Walk through one iteration of CFR, every number beside its formula.

Infoset by infoset: the counterfactual reach and the values of every history, the instantaneous
regrets, the updated cumulative regrets and strategy sum, and the next strategy. On a terminal it
stops after every page (Enter continues, q quits); through a pipe everything is printed at once. The
plain recursion of equilibrist.reference does the work, so games should be small.

With --sampler a sampled iteration is worked out, history by history: the probabilities q, what was
drawn, the weights, the sampled counterfactual values, w_I on single trajectories, and what is added
to regrets and averages. Its draws are not those of `solve` with that seed.

\b
Examples:
  equilibrist learn kuhn
  equilibrist learn kuhn --iteration 5 --infoset Jpb --infoset Qb
  equilibrist learn "kuhn(players=3)" --algorithm cfr+ --iteration 2
  equilibrist learn rps --start first
  equilibrist learn kuhn --sampler outcome --seed 3
  equilibrist learn kuhn --sampler external --json
  equilibrist learn kuhn --sampler my.py:MySampler --iteration 10
  equilibrist learn rules.py:MyGame --simultaneous
"""


def learn(
    game: options.Game,
    algorithm: Annotated[
        str,
        typer.Option(
            "--algorithm",
            "-a",
            metavar="NAME",
            help="One given by seven numbers per iteration: cfr, cfr+, dcfr, your own Variant.",
        ),
    ] = "cfr",
    iteration: Annotated[
        str, typer.Option("--iteration", "-n", metavar="N", help="The iteration to show.")
    ] = "1",
    infoset: Annotated[
        list[str] | None,
        options.optional(
            "--infoset", "KEY", "Show only this one; may be given several times.", short="-i"
        ),
    ] = None,
    start: Annotated[
        str | None,
        options.optional(
            "--start",
            "WHAT",
            "What is played in iteration 1: uniform, first (the first action everywhere), or a "
            "file with a strategy.  [default: uniform]",
        ),
    ] = None,
    sampler: Annotated[
        str | None,
        options.optional(
            "--sampler",
            "NAME",
            "Show a sampled iteration: a name that `equilibrist samplers` lists, or "
            "my.py:MySampler.",
            short="-s",
            completes=values.samplers,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="N",
            min=0,
            show_default=False,
            help="Fixes the draws of the sampler.  [default: 0]",
        ),
    ] = None,
    alternating: options.Alternating = True,
    json: options.Json = False,
) -> None:
    """Print the pages of the lesson, one after the other."""
    from equilibrist.game_loading import as_game
    from equilibrist.reference.lesson import lesson

    _check_seed(seed, sampler)
    plain = None if sampler is None else _sampler(sampler, algorithm, alternating=alternating)
    variant = _variant(algorithm)
    count = read_count(iteration, "iteration")
    rules = as_game(game)
    tree = _tree(game, rules, count)
    horizon = count if variant.needs_horizon else None
    played = None if start is None else _start(start, game, tree)
    if plain is not None:
        plain.check(tree, variant)
    keys, names = _keys(rules, infoset or ())
    if json:
        document = _document(
            rules=rules,
            sampler=plain,
            variant=variant,
            algorithm=algorithm,
            iteration=count,
            alternating=alternating,
            infosets=keys,
            seed=seed or 0,
            start=played,
        )
        show_json(document)
        return
    if plain is None:
        pages: Iterable[Page] = lesson(
            rules,
            variant,
            count,
            infosets=keys,
            alternating=alternating,
            horizon=horizon,
            start=played,
            names=names,
        )
    else:
        # All at once: a sampler of one's own may fail on the way.
        pages = [*_sampled(plain, rules, count, keys, seed or 0, played, names)]
    if _shows_all(pages):
        iterations = horizon if sampler is None else 10_000
        suggest(
            next_command("solve", game, algorithm=algorithm, iterations=iterations, sampler=sampler)
        )


def _shows_all(pages: Iterable[Page]) -> bool:
    """Print pages one after the other; False where the reader ends the lesson before its end."""
    for number, page in enumerate(pages):
        if number and not _goes_on():
            return False
        show(str(page))
        show()
    return True


def _keys(rules: Game[Any], typed: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The keys of infosets that are typed as they are shown, or as they are; how all are shown."""
    from equilibrist.tree.shown_names import key_of_shown, shown_names

    names = shown_names(rules)
    return [key_of_shown(names, key) for key in typed], names


def _check_seed(seed: int | None, sampler: str | None) -> None:
    """Raises ConfigError for a seed of nothing that is drawn."""
    if sampler is None and seed is not None:
        raise ConfigError(
            "seed is for --sampler, and a full traversal draws nothing",
            option="--seed",
            given=seed,
            remedy="add --sampler outcome, or leave it out",
        )


def _tree(name: str, rules: Game[Any], count: int) -> GameTree:
    """The tree of a game; ConfigError if so many iterations of it take too long."""
    from equilibrist.game_loading import compile_game

    try:
        tree = compile_game(rules, max_histories=LIMIT)  # says what is wrong with the rules
    except MemoryBudgetError:
        raise ConfigError(
            f"{name} has more than {LIMIT:,} histories, too many to look at one by one",
            option="game",
            given=name,
            remedy="learn on a smaller game, such as kuhn",
        ) from None
    if count * tree.num_nodes > VISITS:
        raise ConfigError(
            f"the plain recursion would visit {tree.num_nodes:,} histories in each of {count:,} "
            "iterations, which takes too long",
            option="--iteration",
            given=count,
            remedy=f"take at most --iteration {VISITS // tree.num_nodes}",
        )
    return tree


def _variant(algorithm: str) -> Variant:
    """The variant of a name; ConfigError for algorithms whose iterations are of another kind."""
    from equilibrist.solvers.variants.variant import Variant
    from equilibrist.solving.algorithm import get_algorithm

    variant = get_algorithm(algorithm)
    if not isinstance(variant, Variant):
        raise ConfigError(
            f"{algorithm} has no iterations of the kind that is shown",
            option="--algorithm",
            given=algorithm,
            remedy=(
                "choose cfr, cfr+, dcfr or another algorithm that is seven numbers per iteration"
            ),
        )
    return variant


def _sampler(text: str, algorithm: str, *, alternating: bool) -> PlainSampler:
    """The sampler of a text in plain Python; ConfigError for options that do not go with one."""
    from equilibrist.solvers.sampling.expectation import plain_sampler

    if algorithm.strip().lower() != "cfr":
        raise ConfigError(
            f"a sampled iteration is shown of cfr, not of {algorithm}",
            option="--algorithm",
            given=algorithm,
            expected="cfr",
            remedy="leave it out",
        )
    if not alternating:
        raise ConfigError(
            "samplers update one player after the other",
            option="--simultaneous",
            remedy="leave it out",
        )
    return plain_sampler(text)


def _document(
    *,
    rules: Game[Any],
    sampler: PlainSampler | None,
    variant: Variant,
    algorithm: str,
    iteration: int,
    alternating: bool,
    infosets: Sequence[str],
    seed: int,
    start: dict[str, list[float]] | None,
) -> dict[str, Any]:
    """The lesson as the browser gets it, of some infosets or all."""
    from equilibrist.library.lessons import lesson_document, sampled_lesson_document
    from equilibrist.reference.game_walk import walk
    from equilibrist.tree.shown_names import shown_names

    walked = walk(rules)
    for key in infosets:
        if key not in walked.infosets:
            raise UnknownNameError("infoset", key, list(walked.infosets))
    if sampler is None:
        document = lesson_document(walked, variant, iteration, alternating=alternating, start=start)
        return {
            "game": rules.name,
            "algorithm": algorithm,
            "shown_names": shown_names(rules),
            **_only(document, "turns", infosets),
        }
    found = sampled_lesson_document(walked, sampler, iteration, seed=seed, start=start)
    return {
        "game": rules.name,
        "shown_names": shown_names(rules),
        **_only(found, "steps", infosets),
    }


def _only(document: dict[str, Any], part: str, infosets: Sequence[str]) -> dict[str, Any]:
    """A document with what is about these infosets; all of it without any."""
    if not infosets:
        return document
    kept = []
    for entry in document[part]:
        if "infosets" in entry:
            about = [row for row in entry["infosets"] if row["infoset"] in infosets]
            kept.append({**entry, "infosets": about})
        elif entry["infoset"] in infosets:
            kept.append(entry)
    return {**document, part: kept}


def _sampled(
    sampler: PlainSampler,
    rules: Game[Any],
    iteration: int,
    infosets: Sequence[str],
    seed: int,
    start: dict[str, list[float]] | None,
    names: dict[str, str],
) -> Iterator[Page]:
    """The pages of a sampled iteration."""
    from equilibrist.library.lessons import plain_traversal
    from equilibrist.reference.sampled_lesson import sampled_lesson
    from equilibrist.solvers.sampling.formulas import SYMBOLS
    from equilibrist.solvers.sampling.mccfr import fit_averaging
    from equilibrist.solvers.sampling.registry import sampler_spec

    formulas, average = sampler.formulas, sampler.averagings[0]
    players = rules.num_players
    added, taken = formulas.averages.get(average, average), fit_averaging(sampler, None, players)
    if taken != average:
        added += f"; biased with {players} players, where solve takes {taken}"
    return sampled_lesson(
        rules,
        plain_traversal(sampler),
        iteration,
        name=sampler_spec(sampler),
        formulas=[
            ("own moves", formulas.own),
            ("others'", formulas.others),
            ("weight", formulas.weight),
            ("estimate", formulas.estimate),
            ("regrets", formulas.regret),
            ("average", added),
            *SYMBOLS,
            ("r, s", "what a visit adds to R and S"),
            ("pages", "from the start down: what u(h a) is comes from a page further down"),
        ],
        estimate=sampler.estimate,
        average_share=sampler.average_share,
        all_learn=sampler.all_learn,
        infosets=infosets,
        seed=seed,
        start=start,
        names=names,
    )


def _start(word: str, game: str, tree: GameTree) -> dict[str, list[float]]:
    """The strategy that a word names, one probability per action; raises as opening a file does."""
    from equilibrist.library.sources import open_strategy
    from equilibrist.strategy import Strategy

    if word == "uniform":
        strategy = Strategy.uniform(tree)
    elif word == "first":
        strategy = Strategy.first_action(tree)
    else:
        strategy = open_strategy(solution_name(word), game, by_option=False, note=note).strategy(
            tree
        )
    return {key: [*row.values()] for key, row in strategy.to_dict().items()}


def _goes_on() -> bool:
    """At a terminal wait for Enter; q or the end of input ends the lesson."""
    if not _at_a_terminal():
        return True
    try:
        return input("Enter continues, q quits: ").strip().lower() not in {"q", "quit"}
    except EOFError:
        return False


def _at_a_terminal() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
