"""`equilibrist abstract`: what an abstraction merges, what players remember, what it costs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from equilibrist.cli.commands.theory.abstract_actions import (
    check_actions,
    measure_actions,
    show_actions,
)
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.signals import end_cut_short, limited
from equilibrist.cli.inputs.walking import SearchOptions
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import (
    heading,
    note,
    show,
    show_facts,
    show_json,
    show_table,
    suggest,
)
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import loss_text, measure_text, value_text
from equilibrist.formatting.documents import document
from equilibrist.options.defaults import SUBSTITUTE_ITERATIONS, TRANSLATION
from equilibrist.options.option import by_flag, declare

if TYPE_CHECKING:
    from equilibrist.abstraction import Abstraction
    from equilibrist.abstraction.measures.report import AbstractionReport, MeasuredProfile
    from equilibrist.abstraction.recall import Recall
    from equilibrist.abstraction.symmetry.lossless import Lossless
    from equilibrist.tree.compile import GameTree

_ABSTRACTION: Final = "Abstraction"
_LISTED: Final = 12
"""Merged infosets that are listed; --json has all."""

HELP = """Show what an abstraction merges or leaves out, what players remember, and what it costs.

Sizes and the class of recall need no solving. --report adds three numbers that depend on the
abstraction alone, not on which equilibrium an algorithm finds, for two players with constant sum:

\b
  abstract value            what the game is worth to player 0 if both know only what is left
  abstract equilibrium      of all equilibria of that game the least exploitable in the full game
  representable strategy    the least exploitable of all strategies that can be played with it

They come from linear programmes. With more players, other payoffs, players who forget, or more than
5,000 sequences, CFR+ solves the merged game, and what it found is measured: then the numbers are
not the least. --lossless finds the symmetries of the game, checks each of them history by history,
and merges what they take to each other: this loses nothing.

--actions leaves out actions instead: it shows how --translate maps a bet that was left out to those
that were kept, and with --report what each translation costs.

\b
Examples:
  equilibrist abstract leduc --lossless --report
  equilibrist abstract leduc --lossless --symmetry Js=Jh
  equilibrist abstract leduc --abstraction "cards(JQ.K,pair)" --report
  equilibrist abstract leduc --abstraction "cards(JQ.K,pair)" --seat 0 --report --json
  equilibrist abstract kuhn --abstraction "auto(2)"
  equilibrist abstract kuhn --abstraction rules.py:merge --report
  equilibrist abstract "kuhn_bets(cards=13)" --actions "bets=1,3"
  equilibrist abstract "kuhn_bets(cards=13)" --actions "bets=1,3" --report
"""


@dataclass(frozen=True)
class AbstractOptions:
    """What is merged or left out, and whether it is measured; None for what was not typed."""

    abstraction: str | None = declare(
        "text",
        _ABSTRACTION,
        "What is merged: cards(JQ.K), buckets(2), auto(2), symmetry, memory(last=2), "
        "rules.py:merge, or one for each seat: 0:cards(JQ.K);1:none.",
        metavar="SPEC",
    )
    lossless: bool = declare("switch", _ABSTRACTION, "Find symmetries, and merge by them.")
    symmetry: list[str] | None = declare(
        "texts",
        _ABSTRACTION,
        "With --lossless: do not search, merge by this one, which swaps outcomes of chance; may be "
        "given several times.",
        metavar="A=B,...",
    )
    actions: str | None = declare(
        "text", _ABSTRACTION, "Which actions are kept, as for `solve`: bets=1,3.", metavar="SPEC"
    )
    translate: str | None = declare(
        "text",
        _ABSTRACTION,
        "With --actions, how to translate a bet that was left out, as for `solve`.",
        default_text=f"{TRANSLATION}; with --report all",
    )
    seat: int | None = declare("whole number", _ABSTRACTION, "Merge for this player only, from 0.")
    report: bool = declare("switch", _ABSTRACTION, "Measure what it costs.")
    iterations: int | None = declare(
        "whole number",
        _ABSTRACTION,
        "With --report: iterations of CFR+ where there is no linear programme.",
        default_text=f"{SUBSTITUTE_ITERATIONS}",
    )

    @property
    def quicker(self) -> str:
        """The remedy where it takes too long."""
        smaller = "leave out --report" if self.report else "take a smaller game"
        return f"give it more time, or {smaller}"

    def check_merging(self) -> None:
        """ConfigError for options that do not go together where infosets are merged."""
        if (self.abstraction is not None) == self.lossless:
            raise ConfigError(
                "give one of --abstraction, --lossless and --actions",
                option="--abstraction",
                given=self.abstraction,
                expected="--abstraction SPEC, --lossless or --actions SPEC",
                remedy="write for instance --abstraction 'auto(2)'",
            )
        if self.symmetry and not self.lossless:
            raise ConfigError(
                "--symmetry says by what --lossless merges",
                option="--symmetry",
                given=self.symmetry[0],
                remedy="give --lossless with it, in place of --abstraction",
            )
        if self.iterations is not None and (not self.report or self.iterations < 1):
            raise ConfigError(
                "--iterations is a number of at least 1, for --report",
                option="--iterations",
                given=self.iterations,
                remedy="give --report with it, or leave it out",
            )


@with_options
def abstract(game: options.Game, chosen: AbstractOptions, walk: SearchOptions) -> None:
    """Make the abstraction, classify it, measure it if asked to."""
    from equilibrist.abstraction.measures.report import report as measure
    from equilibrist.abstraction.measures.report import seat_only
    from equilibrist.abstraction.recall import classify_recall
    from equilibrist.games import load_game

    if chosen.actions is not None or chosen.translate is not None:
        _leave_out_actions(game, chosen, walk)
        return
    chosen.check_merging()
    with limited(walk.time, chosen.quicker, keeps_partial=True) as limit:
        tree = walk.limits.compile(load_game(game))
        with limit.working("making the abstraction") as line:
            merged, proof = _merging(tree, chosen.abstraction, chosen.symmetry)
            if chosen.seat is not None:
                merged = seat_only(merged, chosen.seat)
            recall = classify_recall(merged)
            measurement, interrupted = None, False
            if chosen.report:
                line.now("measuring the abstraction")
                try:
                    iterations = chosen.iterations or SUBSTITUTE_ITERATIONS
                    measurement = measure(tree, merged, iterations=iterations)
                except KeyboardInterrupt:
                    interrupted = True
    stopped_by = limit.stopped_by(interrupted=interrupted)
    if walk.json:
        document = _document(game, merged, recall, proof, measurement)
        show_json(document | {"stopped_by": stopped_by})
    else:
        heading(f"{game}: the abstraction {merged.name}")
        show()
        _show_sizes(merged, recall)
        if proof is not None:
            _show_proof(proof, tree)
        if measurement is None:
            _show_merged(merged)
        else:
            _show_report(measurement, tree)
    cut = "what the abstraction costs was not measured"
    end_cut_short(stopped_by, walk.time, cut, json=walk.json)
    if not walk.json:
        _suggest(game, chosen, merged)


def _leave_out_actions(game: str, chosen: AbstractOptions, walk: SearchOptions) -> None:
    from equilibrist.games import load_game

    translate, report = chosen.translate, chosen.report
    merging = by_flag(chosen, "abstraction", "lossless", "symmetry", "seat", "iterations")
    spec = check_actions(chosen.actions, translate, merging)
    with limited(walk.time, chosen.quicker) as limit:
        tree = walk.limits.compile(load_game(game))
        with limit.working("measuring the abstraction"):
            measured = measure_actions(tree, spec, translate, report=report)
    show_actions(game, measured, report=report, json=walk.json)


def _merging(
    tree: GameTree, abstraction: str | None, symmetry: list[str] | None
) -> tuple[Abstraction, Lossless | None]:
    from equilibrist.abstraction import make_abstraction
    from equilibrist.abstraction.symmetry.lossless import find_lossless, lossless_of
    from equilibrist.abstraction.symmetry.named_symmetries import read_symmetry, symmetry_by_names

    if abstraction is not None:
        return make_abstraction(tree, abstraction), None
    if symmetry:
        symmetries = [symmetry_by_names(tree, read_symmetry(text)) for text in symmetry]
        proof = lossless_of(tree, symmetries)
    else:
        proof = find_lossless(tree)
    return proof.abstraction, proof


def _show_sizes(merged: Abstraction, recall: tuple[Recall, ...]) -> None:
    rows = [
        [str(player), f"{full:,}", f"{small:,}", recall[player].words]
        for player, (full, small) in enumerate(merged.sizes())
    ]
    full, small = merged.tree.num_infosets, merged.num_infosets
    rows.append(["all", f"{full:,}", f"{small:,}", ""])
    show_table(
        ["player", "infosets", "abstract", "recall"], rows, ["left", "right", "right", "left"]
    )


def _show_proof(proof: Lossless, tree: GameTree) -> None:
    show()
    count = len(proof.generators)
    if count:
        word = "symmetry" if count == 1 else "symmetries"
        show(f"  {count:,} {word}, checked history by history: merging by them loses nothing.")
    else:
        show("  No symmetry takes an infoset to another: nothing can be merged in this way.")
    if proof.undecided:
        from equilibrist.tree.shown_names import shown_names

        names = shown_names(tree.game)
        first, second = (names.get(key, key) for key in proof.undecided[0])
        note(
            f"The search was ended before {len(proof.undecided):,} pairs of infosets were decided, "
            f"such as {first} and {second}; they are not merged."
        )


def _show_merged(merged: Abstraction) -> None:
    groups = [k for k, size in enumerate(merged.group_size.tolist()) if size > 1]
    if not groups:
        return
    from equilibrist.tree.shown_names import shown_names

    show()
    keys, names = merged.tree.infoset_keys, shown_names(merged.tree.game)
    rows = []
    for k in groups[:_LISTED]:
        members = [names.get(keys[i], keys[i]) for i in merged.members(k).tolist()]
        more = f" and {len(members) - 6:,} more" if len(members) > 6 else ""
        rows.append([_merged_name(merged.keys[k], names), ", ".join(members[:6]) + more])
    show_table(["abstract infoset", "stands for"], rows, ["left", "left"], fold=True)
    if len(groups) > _LISTED:
        show(f"  and {len(groups) - _LISTED:,} more that stand for several (--json lists all)")


def _merged_name(key: str, names: Mapping[str, str]) -> str:
    """The key of merged infosets, with its group of cards by letters: `JQ:pb` for `12:pb`."""
    group = re.split("[: ]", key, maxsplit=1)[0]
    letters = [names.get(card) for card in group]
    if None in letters:
        return key
    return "".join(map(str, letters)) + key.removeprefix(group)


def _show_report(report: AbstractionReport, tree: GameTree) -> None:
    show()
    if report.numbers is not None:
        numbers = report.numbers
        from equilibrist.tree.payoff_scale import PayoffScale

        unit, units = tree.payoff_range, PayoffScale(tree).units()
        abstract = numbers.abstract_value
        facts = [
            ("value of the full game", value_text(numbers.value, units.payoff(0, numbers.value))),
            ("abstract value", value_text(abstract, units.payoff(0, abstract))),
        ]
        show_facts(facts)
        show()
        rows = [
            [name, *(loss_text(x, unit) for x in (lifted.exploitability, *lifted.losses))]
            for name, lifted in (
                ("abstract equilibrium", numbers.equilibrium),
                ("representable strategy", numbers.representable),
            )
        ]
        show_table(["least exploitable", "exploitability", "loss of 0", "loss of 1"], rows)
    else:
        show(
            f"  Measured, not least: {report.why_measured}. CFR+, {report.iterations:,} iterations:"
        )
        _show_profile("strategy of the merged game", report.solved)
        _show_profile("each seat against an opponent who knows everything", report.one_sided)
    if report.bound is not None:
        total = report.bound.exploitability
        gains = ", ".join(map(measure_text, report.bound.gains))
        words = f"gains of at most {gains}" if total is None else f"at most {measure_text(total)}"
        show()
        show(f"  Bound for every equilibrium of the merged game, by its symmetries: {words}.")


def _show_profile(name: str, profile: MeasuredProfile | None) -> None:
    if profile is None:
        return
    measured = profile.evaluation
    what, amount = "exploitability", measured.exploitability
    if amount is None:
        what, amount = "NashConv", measured.nash_conv
    gains = ", ".join(map(measure_text, measured.gains))
    show(f"  {name}: {what} {measure_text(amount)} (gains {gains})")


def _suggest(game: str, chosen: AbstractOptions, merged: Abstraction) -> None:
    """Suggest what to type next: the report, else a solve with the abstraction."""
    if not chosen.report:
        if not merged.is_identity:
            suggest(next_command("abstract", game, report=True))
    elif not chosen.symmetry:  # `solve` merges by all symmetries, or by none
        spec = chosen.abstraction or "symmetry"
        spec = spec if chosen.seat is None else _for_seat(spec, chosen.seat)
        suggest(next_command("solve", game, abstraction=spec, without=("iterations",)))


def _for_seat(spec: str, seat: int) -> str:
    """Restrict an abstraction, one for all or one for each seat, to a seat."""
    parts = [part.strip() for part in spec.split(";")]
    if not parts[0].partition(":")[0].strip().isdigit():
        return f"{seat}:{spec}"
    own = [part for part in parts if int(part.partition(":")[0]) == seat]
    return own[0] if own else f"{seat}:none"


def _document(
    game: str,
    merged: Abstraction,
    recall: tuple[Recall, ...],
    proof: Lossless | None,
    report: AbstractionReport | None,
) -> dict[str, Any]:
    return {
        "game": game,
        "abstraction": merged.name,
        "num_infosets": merged.tree.num_infosets,
        "num_abstract_infosets": merged.num_infosets,
        "sizes": [list(pair) for pair in merged.sizes()],
        "recall": [document(seat, "player kind infoset") for seat in recall],
        "lossless": None
        if proof is None
        else {
            "symmetries": len(proof.generators),
            "undecided": [list(pair) for pair in proof.undecided],
        },
        "report": None if report is None else report.to_dict(),
        "map": merged.to_dict(),
    }
