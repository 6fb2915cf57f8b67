"""`equilibrist bot evaluate`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, Final

from equilibrist.cli.commands.holdem.blueprint_evaluate import PartOptions, evaluated
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.searching import BotSearchOptions, online_search
from equilibrist.cli.inputs.signals import end_cut_short, limited
from equilibrist.cli.text.output import heading, note, show, show_json, show_table
from equilibrist.errors import ConfigError, EquilibristError
from equilibrist.library.kinds import kind_for, open_saved, refuse_cards, refuse_options
from equilibrist.options.defaults import FIXED_OPPONENTS
from equilibrist.options.option import by_flag, declare, shared
from equilibrist.storage.kinds.file_kinds import BLUEPRINT, SOLUTION

if TYPE_CHECKING:
    from equilibrist.evaluation import Estimate, Match
    from equilibrist.play.bots.game_yardsticks import GameBotFigures
    from equilibrist.play.bots.yardsticks import SearchFigures
    from equilibrist.poker.blueprint.evaluation.report import BlueprintEvaluation
    from equilibrist.progress import Progress
    from equilibrist.tree.compile import GameTree

EVALUATE: Final = """Measure how good a bot is, and say what each figure proves.

The bot plays fixed opponents by duplicate deals: fold, call, raise, random and all-in, or those of
--opponents. With --search it thinks, for up to --time at a decision.

--exploiter, --card-response, --lbr and --litmus are the parts of `blueprint evaluate`. They measure
the blueprint as it is, without a search. With --search two of them measure the bot as it thinks,
too: --lbr plays local best responses to the search, which fold and call (fc) or bet the pot and
all-in, too (fcpa), from the turn or the river on unless --lbr-settings says otherwise; what
--exploiter learned plays the bot by duplicate deals.

Figures are in thousandths of a big blind per hand (mbb), with 95 % intervals. Ctrl-C ends the
evaluation with the parts that are complete.

FILE may be the solution of a game with a tree, too. Then --search is a method of `equilibrist
resolve`, such as max-margin, which solves play anew below the public nodes --roots, and every
figure is exact: exploitability by true best responses, local ones (--lbr), and the match of the
search against its blueprint.

\b
Examples:
  equilibrist bot evaluate b.safetensors
  equilibrist bot evaluate b.safetensors --lbr --exploiter 30m --litmus
  equilibrist bot evaluate b.safetensors --search street --time 1s --lbr --exploiter 30m
  equilibrist bot evaluate b.safetensors --opponents call,random --fixed-hands 1e5 --json
  equilibrist bot evaluate leduc.safetensors --search max-margin --lbr
"""
_HANDS: Final = 2_000


@dataclass(frozen=True)
class FixedOptions:
    """Which fixed opponents are played; None for what was not typed."""

    opponents: str | None = declare(
        "text",
        "Fixed opponents",
        "Play these fixed opponents, or none.",
        metavar="A,B,...",
        default_text=",".join(FIXED_OPPONENTS),
    )
    fixed_hands: int | None = declare(
        "count",
        "Fixed opponents",
        "Hands against each of them.",
        default_text=f"{_HANDS}",
        least=2,
    )

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the opponents."""
        if self.opponents is None:
            return FIXED_OPPONENTS
        words = [word.strip().casefold() for word in self.opponents.split(",")]
        return () if words == ["none"] else tuple(dict.fromkeys(words))


@dataclass(frozen=True)
class GameOptions:
    """Which game, and where a search solves it anew; None for what was not typed."""

    game: str | None = shared(options.GAME)
    roots: list[str] | None = declare(
        "texts",
        "Game",
        "Public nodes below which --search solves play anew; may be given several times.",
        metavar="NODES",
        default_text="after chance, or without public chance after move 1",
    )


@with_options
def evaluate(
    file: Annotated[
        Path, options.solution_argument("FILE", "A solution of hands: a file, or last, ...")
    ],
    *,
    fixed: FixedOptions,
    tree: GameOptions,
    asked: PartOptions,
    thinks: BotSearchOptions,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Play, evaluate, print."""
    from equilibrist.play import Bot, HandGame
    from equilibrist.play.bots.yardsticks import SEARCH_HANDS, against_fixed, evaluate_search
    from equilibrist.play.solutions.reading import solution_game

    kind = kind_for("bot evaluate", file)
    refuse_cards(file, kind, asked.cards)
    if kind == SOLUTION:
        of_hands = by_flag(fixed, "opponents", "fixed_hands")
        names = ("exploiter", "card_response", "litmus", "hands", "lbr_settings", "boards", "flops")
        of_hands |= by_flag(asked, *names, "seed", "threads") | by_flag(thinks, "time")
        refuse_options(file, kind, of_hands)
        _evaluate_game(file, tree, thinks.search, lbr=asked.lbr, json=json)
        return
    if kind is not None:
        refuse_options(file, kind, by_flag(tree, "game", "roots"))
    asked.check()
    if asked.has_parts and kind != BLUEPRINT:
        parts = by_flag(asked, "exploiter", "card_response", "lbr", "litmus")
        flag = next(flag for flag, value in parts.items() if value)
        raise ConfigError(
            f"{flag} measures blueprints, and {file} is none",
            option=flag,
            given=file,
            remedy=f"leave out {flag}; equilibrist evaluate {quote(str(file))} says how good it is",
        )
    search = thinks.open()
    solution = open_saved(file, asked.cards).content
    game = solution_game(solution)
    assert isinstance(game, HandGame)
    arguments = asked.arguments(solution) if asked.has_parts else {}
    bot = Bot(solution, search, seed=asked.seed or 0, name=f"{file}", seconds=thinks.time)
    result: BlueprintEvaluation | None = None
    searched: SearchFigures | None = None
    problem: EquilibristError | None = None
    with limited(None, keeps_partial=True) as limit:
        with limit.working("playing fixed opponents") as line:

            def report(progress: Progress) -> None:
                line.now(f"playing fixed opponents: {progress.iteration:,} of {progress.total:,}")

            matches = against_fixed(
                bot,
                game.hand,
                rules=fixed.rules,
                hands=fixed.fixed_hands or _HANDS,
                seed=asked.seed or 0,
                callbacks=None if quiet or json else report,
            )
        cut = any(match.interrupted for match in matches.values())
        if asked.has_parts and not cut:
            result = evaluated(solution, limit, quiet=quiet or json, **arguments)
            cut = result.interrupted
        if result is not None and search is not None and not cut:
            with limit.working("measuring the search") as line:

                def tell(progress: Progress) -> None:
                    line.now(f"measuring the search: {progress.iteration:,} of {progress.total:,}")

                try:
                    searched = evaluate_search(
                        bot,
                        lbr=arguments["lbr"],
                        hands=asked.hands or SEARCH_HANDS,
                        exploiter=result.exploiter,
                        match_hands=fixed.fixed_hands or _HANDS,
                        seed=asked.seed or 0,
                        callbacks=None if quiet or json else tell,
                    )
                    cut, problem = searched.interrupted, searched.problem
                except EquilibristError as error:  # what was measured before is shown
                    problem = error
    stopped_by = limit.stopped_by(interrupted=cut)
    if json:
        document = {"game": game.name, "fixed": {rule: _row(m) for rule, m in matches.items()}}
        measured = {} if result is None else result.to_dict()
        proves = _proofs(matches, result, searched)
        thinking = {"search": None if searched is None else _searched(searched)}
        show_json(document | measured | thinking | {"proves": proves, "stopped_by": stopped_by})
    else:
        _show(game.name, solution, matches, result, searched)
    if problem is not None:
        raise problem
    if cut:
        note("The parts that are not shown were not measured.")
    end_cut_short(stopped_by, None, "some parts were not measured", json=json)


def _evaluate_game(
    file: Path, chosen: GameOptions, method: str | None, *, lbr: bool, json: bool
) -> None:
    """Measure the solution of a game with a tree, as it is and with a search."""
    from equilibrist.library.limits import Limits
    from equilibrist.library.sources import open_strategy
    from equilibrist.play.bots.game_yardsticks import GAME_PROVES, evaluate_game_bot

    if method is None and chosen.roots is not None:
        raise ConfigError(
            "--roots is where a search solves play anew",
            option="--roots",
            given=chosen.roots,
            remedy="give --search, or leave out --roots",
        )
    with limited(None) as limit, limit.working("solving the subgames"):
        source = open_strategy(file, chosen.game, note=note)
        strategy = source.strategy(source.compile(Limits()))
        search = None if method is None else online_search(strategy, chosen.roots, method)
        figures = evaluate_game_bot(strategy, search, lbr=lbr)
    measured = {"exploitability": True, "lbr": lbr, "match": figures.match is not None}
    proves = {name: GAME_PROVES[name] for name, is_there in measured.items() if is_there}
    if json:
        show_json(
            {
                "game": strategy.tree.name,
                "method": method,
                "blueprint": figures.blueprint.to_dict(),
                "search": None if figures.search is None else figures.search.to_dict(),
                "match": None if figures.match is None else figures.match.mean,
                "subgames": figures.solves,
                "proves": proves,
            }
        )
        return
    heading(f"{strategy.tree.name}: the strategy in {file}")
    show()
    _show_game(figures, strategy.tree, method)
    show()
    heading("what the figures prove")
    for figure, text in proves.items():
        show(f"  {figure}: {text}")


def _show_game(figures: GameBotFigures, tree: GameTree, method: str | None) -> None:
    """Print the figures of a game, with those of the search beside them."""
    from equilibrist.formatting.amounts import measure_text, value_text
    from equilibrist.tree.payoff_scale import PayoffScale

    parts = [part for part in (figures.blueprint, figures.search) if part is not None]
    units = PayoffScale(tree).units()
    rows = [["exploitability", *(measure_text(part.evaluation.measure) for part in parts)]]
    for name in figures.blueprint.lbr:
        gains = [value_text(part.lbr[name], units.gain(None, part.lbr[name])) for part in parts]
        rows.append([f"local best response {name}", *gains])
    show_table(["", "as it is", *[f"with {method}"] * (len(parts) - 1)], rows)
    show("  in payoff units, the mean of both seats; exact")
    if figures.match is not None:
        won = value_text(figures.match.mean, units.mean(figures.match.mean))
        show(f"  the search wins {won} per hand from its blueprint, {figures.solves:,} subgames")


def _row(match: Match) -> dict[str, Any]:
    """What the bot wins from an opponent, by AIVAT where there is one."""
    best = match.aivat or match
    return {
        "mean": best.mean,
        "half_width": best.half_width,
        "interval": list(best.interval),
        "raw_mean": match.mean,
        "deals": match.deals,
    }


def _searched(figures: SearchFigures) -> dict[str, Any]:
    """The figures of a search for JSON."""
    lbr = None if figures.lbr is None else figures.lbr.to_dict()
    if lbr is not None and figures.mapped:
        lbr["kind"] = "estimate"
    return {
        "lbr": lbr,
        "searched": figures.searched,
        "mapped": figures.mapped,
        "exploiter": None if figures.exploiter is None else _row(figures.exploiter),
    }


def _proofs(
    matches: dict[str, Match], result: BlueprintEvaluation | None, searched: SearchFigures | None
) -> dict[str, str]:
    """What the figures that there are prove."""
    from equilibrist.play.bots.yardsticks import PROVES

    measured = {
        **{name: getattr(result, name, None) for name in PROVES},
        "search_lbr": None if searched is None else searched.lbr,
        "search_exploiter": None if searched is None else searched.exploiter,
        "fixed": matches or None,
    }
    return {name: PROVES[name] for name, figure in measured.items() if figure is not None}


def _show(
    name: str,
    solution: Any,
    matches: dict[str, Match],
    result: BlueprintEvaluation | None,
    searched: SearchFigures | None,
) -> None:
    """Print the figures, and what they prove."""
    from equilibrist.cli.text.holdem.blueprint_evaluation_text import show_evaluation

    if result is not None:
        show_evaluation(solution, result)
        show()
    if searched is not None and (searched.lbr or searched.exploiter):
        _show_searched(searched)
        show()
    if matches:
        heading(f"{name}: fixed opponents")
        rows = [
            [rule, f"{row['mean']:+z.1f} ± {row['half_width']:.1f}"]
            for rule, row in ((rule, _row(match)) for rule, match in matches.items())
        ]
        show_table(("opponent", "the bot wins"), rows)
        show("  in mbb per hand, by duplicate deals" + ", AIVAT" * (solution.hand.seats == 2))
        show()
    heading("what the figures prove")
    for figure, text in _proofs(matches, result, searched).items():
        show(f"  {figure.replace('_', ' ')}: {text}")


def _show_searched(figures: SearchFigures) -> None:
    """Print what is won from the bot as it thinks."""
    heading("the bot with its search")
    rows = []
    if figures.lbr is not None:
        tried = [*figures.lbr.tried, (figures.lbr.setting, figures.lbr.gain)]
        rows += [[f"local best response {setting}", _interval(won)] for setting, won in tried]
        rows[-1][0] += ", other hands" if figures.lbr.tried else ""
    if figures.exploiter is not None:
        won = figures.exploiter.aivat or figures.exploiter
        rows.append(["exploiter of the blueprint", _interval(won)])
    show_table(("response", "wins"), rows)
    show("  in mbb per hand, the mean of both seats: a lower bound of the bot's exploitability")
    if figures.mapped:
        show(f"  but for the local best response, which knew {figures.mapped:,} mappings of bets")
    if figures.searched is not None:
        share = 100.0 * figures.searched
        show(f"  the search played {share:.0f} % of the decisions that the responses asked for")


def _interval(won: Estimate) -> str:
    return f"{won.mean:+z.1f} ± {won.half_width:.1f}"
