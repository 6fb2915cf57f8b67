"""`equilibrist equilibria`: select one equilibrium of a game, or list those that can be found."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Final, cast

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import player_called, with_options
from equilibrist.cli.inputs.signals import limited
from equilibrist.cli.inputs.walking import SearchOptions
from equilibrist.cli.text.next_commands import new_file, next_command
from equilibrist.cli.text.output import heading, show, show_json, suggest
from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.formatting.amounts import value_text
from equilibrist.library.sources import naming_game
from equilibrist.options.option import FILES, declare

if TYPE_CHECKING:
    from equilibrist.cli.inputs.signals import TimeLimit
    from equilibrist.equilibria import Selection
    from equilibrist.equilibria.trembles import Kind
    from equilibrist.library.contest import Contest

HELP = """Select one of the equilibria of a constant-sum game, or list those of a small game.

With --select linear programmes choose one out of all:

\b
  --select tremble        every action is played with at least --epsilon at every infoset: close to
                          an extensive-form perfect equilibrium
  --select quasi-perfect  every sequence of k own actions has a reach of at least epsilon^k: close
                          to a quasi-perfect equilibrium
  --select entropy        the greatest dilated entropy among all equilibria
  --select against:FILE   wins most against the strategy in FILE (or uniform, last, an algorithm)

With trembles the strategy is the equilibrium of the game with trembles, and its exploitability in
the game itself is of their order.

With --method all equilibria are listed that other programs find in a small game with any payoffs;
each is verified by best responses:

\b
  --method lemke-howson         two players, from every plan in turn (extra quantecon)
  --method support-enumeration  two players, all pairs of supports of equal size (extra quantecon)
  --method gambit-enummixed     two players, all extreme equilibria (extra gambit)
  --method gambit-enumpoly      any number of players, all supports (extra gambit)
  --method gambit-lcp           two players, one equilibrium of a larger tree (extra gambit)
  --method gambit               of these three the one that suits the game

\b
Examples:
  equilibrist equilibria kuhn --select tremble
  equilibrist equilibria kuhn --select quasi-perfect --epsilon 1e-4 --out perfect.csv
  equilibrist equilibria kuhn --select entropy
  equilibrist equilibria leduc --select against:uniform
  equilibrist equilibria chicken --method lemke-howson
  equilibrist equilibria signalling --method gambit
"""

_AGAINST: Final = "against:"
_TREMBLING: Final = ("tremble", "quasi-perfect")
_SELECTIONS: Final = (*_TREMBLING, "entropy", f"{_AGAINST}FILE")


@dataclass(frozen=True)
class EquilibriaOptions:
    """Which equilibrium is selected, or how all are found; None for what was not typed."""

    select: str | None = declare(
        "text", "Selection", "tremble, quasi-perfect, entropy or against:FILE.", metavar="HOW"
    )
    epsilon: float | None = declare(
        "real number",
        "Selection",
        "The least probability of each action, for trembles.",
        default_text="0.001, in deep games more",
    )
    method: str | None = declare(
        "text",
        "All equilibria",
        "lemke-howson, support-enumeration, gambit, gambit-enummixed, gambit-enumpoly or "
        "gambit-lcp.",
    )
    number: int | None = declare(
        "whole number",
        "All equilibria",
        "Which equilibrium of the list --out saves.",
        default_text="1",
    )
    out: Path | None = declare("file", FILES, "Save it, as .csv, .json, .parquet or .safetensors.")

    def check(self) -> None:
        """ConfigError unless either one equilibrium is selected, or all are listed."""
        if (self.select is None) == (self.method is None):
            both = None if self.select is None else f"--select {self.select} --method {self.method}"
            raise ConfigError(
                "equilibria takes either --select or --method",
                option="--select",
                given=both,
                expected="--select or --method",
                remedy="give --select to choose one equilibrium, --method to list all that are "
                "found",
            )
        if self.number is not None and (self.method is None or self.out is None):
            raise ConfigError(
                "--number says which equilibrium of a list is saved",
                option="--number",
                given=self.number,
                remedy="give --method and --out, or leave it out",
            )


@with_options
def equilibria(game: options.Game, chosen: EquilibriaOptions, walk: SearchOptions) -> None:
    """Select the equilibrium, or list those that are found; print, save one if asked to."""
    from equilibrist.cli.inputs.strategy_files import check_strategy_file

    chosen.check()
    if chosen.out is not None:
        check_strategy_file(chosen.out)
    if chosen.method is not None:
        if chosen.epsilon is not None:
            raise _no_trembles(chosen.epsilon, chosen.method)
        from equilibrist.cli.commands.theory.equilibrium_list import list_equilibria

        number = 1 if chosen.number is None else chosen.number
        list_equilibria(game, chosen.method, number, chosen.out, walk)
        return
    assert chosen.select is not None
    _select(game, chosen.select, chosen.epsilon, chosen.out, walk)


def _no_trembles(epsilon: float, method: str) -> ConfigError:
    return ConfigError(
        f"--epsilon is for trembles, and {method} has none",
        option="--epsilon",
        given=epsilon,
        remedy="leave it out, or give --select tremble",
    )


def _select(
    game: str, select: str, epsilon: float | None, out: Path | None, walk: SearchOptions
) -> None:
    from equilibrist.cli.inputs.contest import contest_of
    from equilibrist.cli.inputs.strategy_files import write_strategy
    from equilibrist.games import load_game

    if select not in _SELECTIONS[:-1] and not select.startswith(_AGAINST):
        raise UnknownNameError("selection", select, _SELECTIONS, option="--select")
    if epsilon is not None and select not in _TREMBLING:
        raise _no_trembles(epsilon, select)
    remedy = f"give it more time, or find any equilibrium: equilibrist solve {quote(game)}"
    with limited(walk.time, remedy) as limit:
        selection = _selected(
            contest_of(load_game(game), game, walk.limits), select, epsilon, limit
        )
    if out is not None:
        write_strategy(selection.strategy, out, f"equilibrium by {select}")
    if walk.json:
        show_json(_document(game, select, selection, out))
        return
    _show(game, select, selection)
    if out is not None:
        show(f"Saved to {out}")
        suggest(next_command("inspect", out, game=naming_game(game, out)))
    else:
        suggest(next_command("equilibria", game, out=new_file("selected.csv")))


def _selected(contest: Contest, select: str, epsilon: float | None, limit: TimeLimit) -> Selection:
    from equilibrist.equilibria import select_against, select_by_entropy, select_by_trembles

    if select.startswith(_AGAINST):
        word = select.removeprefix(_AGAINST)
        if not word:
            raise ConfigError(
                "against: names no strategy",
                option="--select",
                given=select,
                remedy="write against:FILE, against:last or against:uniform",
            )
        opponent = contest.read(player_called(word), "--select")
        with limit.working("solving linear programmes"):
            return select_against(opponent)
    tree, kind = contest.tree, select
    if kind == "entropy":
        with limit.working("looking for the most entropic equilibrium"):
            return select_by_entropy(tree)
    with limit.working("solving the linear programme with trembles"):
        return select_by_trembles(tree, epsilon, kind=cast("Kind", kind))


def _document(game: str, select: str, selection: Selection, out: Path | None) -> dict[str, Any]:
    from equilibrist.evaluation import describe

    family = describe(selection.strategy)
    return {
        "game": game,
        "select": select,
        "method": selection.method,
        **selection.evaluation.to_dict(),
        "family": None if family is None else family.to_dict(),
        "perturbed_value": selection.perturbed_value,
        "wins": None if selection.wins is None else list(selection.wins),
        "file": None if out is None else str(out),
        "strategy": selection.strategy.to_dict(),
    }


def _show(game: str, select: str, selection: Selection) -> None:
    from equilibrist.cli.text.result_text import show_family, show_values
    from equilibrist.cli.text.strategy_text import show_strategy
    from equilibrist.library.strategy_table import StrategyTable
    from equilibrist.tree.payoff_scale import PayoffScale

    how = selection.method if selection.wins is None else select
    heading(f"{game}: the equilibrium selected by {how}")
    show()
    show_strategy(StrategyTable.of(selection.strategy), see_all="the same command with --out FILE")
    show_family(selection.strategy)
    show()
    show_values(selection.evaluation, selection.strategy)
    units = PayoffScale(selection.strategy.tree).units()
    if selection.perturbed_value is not None:
        show()
        unit = units.payoff(0, selection.perturbed_value)
        value = value_text(selection.perturbed_value, unit)
        show(f"In the game with trembles player 0 earns {value}, and neither player can gain.")
    if selection.wins is not None:
        whom = select.removeprefix(_AGAINST)
        show()
        for seat, win in enumerate(selection.wins):
            won = value_text(win, units.payoff(seat, win))
            show(f"Player {seat} earns {won} against {whom}.")
