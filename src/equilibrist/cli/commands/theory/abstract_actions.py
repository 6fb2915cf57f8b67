"""`equilibrist abstract GAME --actions ...`: what is left out, what it is taken for, the cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

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
from equilibrist.formatting.amounts import loss_text, value_text
from equilibrist.formatting.documents import document
from equilibrist.options.defaults import TRANSLATION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from equilibrist.abstraction import ActionAbstraction, ActionNumbers, Translation
    from equilibrist.abstraction.actions.translation import Taken
    from equilibrist.tree.compile import GameTree

_LISTED: Final = 12
"""Left out actions that are listed; --json has all."""


def check_actions(actions: str | None, translate: str | None, merging: Mapping[str, object]) -> str:
    """The actions; ConfigError for options that do not go with them, `merging` those that merge."""
    if actions is None:
        raise ConfigError(
            "--translate says for what actions are taken that --actions leaves out",
            option="--translate",
            given=translate,
            remedy="give --actions with it, such as bets=1,3",
        )
    for option, value in merging.items():
        if value is not None and value is not False:
            raise ConfigError(
                f"{option} is for abstractions that merge infosets, and --actions leaves out "
                "actions",
                option=option,
                given=value,
                remedy="leave out one of the two; --actions has a part for each seat, "
                "0:bets=1,3;1:all",
            )
    return actions


Measured: TypeAlias = "tuple[ActionAbstraction, Translation | None, ActionNumbers | None]"
"""What is kept, and either how the rest is translated or what each translation costs."""


def measure_actions(tree: GameTree, spec: str, translate: str | None, *, report: bool) -> Measured:
    """Make the abstraction, translate, or measure it if asked to."""
    from equilibrist.abstraction import Translation, action_numbers, make_action_abstraction

    actions = make_action_abstraction(tree, spec)
    numbers, translation = None, None
    if report:
        numbers = action_numbers(actions, None if translate is None else [translate])
    else:
        translation = Translation(actions, translate or TRANSLATION)
    return actions, translation, numbers


def show_actions(game: str, measured: Measured, *, report: bool, json: bool) -> None:
    """Print what is kept, how the rest is translated, and what that costs."""
    actions, translation, numbers = measured
    if json:
        show_json(_document(game, actions, translation, numbers))
        return
    heading(f"{game}: the action abstraction {actions.name}")
    show()
    _show_sizes(actions)
    if translation is not None:
        _show_taken(translation)
    if numbers is not None:
        _show_numbers(numbers, actions.tree)
    if report:
        suggest(next_command("solve", game))
    else:
        suggest(next_command("abstract", game, report=True))


def _show_sizes(actions: ActionAbstraction) -> None:
    rows = [
        [f"infosets of player {player}", f"{full:,}", f"{small:,}"]
        for player, (full, small) in enumerate(actions.sizes())
    ]
    for name in ("num_sequences", "num_nodes"):
        full, small = getattr(actions.tree, name), getattr(actions.restricted, name)
        word = {"num_sequences": "sequences", "num_nodes": "histories"}[name]
        rows.append([word, f"{full:,}", f"{small:,}"])
    show_table(["", "full game", "abstract game"], rows)


def _show_taken(translation: Translation) -> None:
    groups: dict[tuple[str, str], list[Taken]] = {}
    for taken in translation.taken:
        shares = ", ".join(f"{label} {share:.4g}" for label, share in taken.shares.items())
        groups.setdefault((taken.action, shares), []).append(taken)
    if not groups:
        note("No action is left out that anybody has to translate.")
        return
    show()
    rows = [
        [action, f"{len(translated):,}", shares]
        for (action, shares), translated in [*groups.items()][:_LISTED]
    ]
    show_table(
        ["left out", "infosets", f"taken for ({translation.name})"],
        rows,
        ["left", "right", "left"],
        fold=True,
    )
    if len(groups) > _LISTED:
        show(f"  and {len(groups) - _LISTED:,} more (--json lists all)")


def _show_numbers(numbers: ActionNumbers, tree: GameTree) -> None:
    from equilibrist.tree.payoff_scale import PayoffScale

    unit, units = tree.payoff_range, PayoffScale(tree).units()
    values = numbers.value, numbers.restricted_value
    full, restricted = (value_text(value, units.payoff(0, value)) for value in values)
    show()
    show_facts(
        [
            ("value of the full game", full),
            ("abstract value", restricted),
        ]
    )
    for title, attribute in (
        ("least exploitable abstract equilibrium", "equilibrium"),
        ("least exploitable representable strategy", "representable"),
    ):
        show()
        rows = []
        for translation in numbers.translations:
            lifted = getattr(translation, attribute)
            losses = (lifted.exploitability, *lifted.losses)
            rows.append([translation.mapping, *(loss_text(loss, unit) for loss in losses)])
        show_table([title, "exploitability", "loss of 0", "loss of 1"], rows)
    for name, why in numbers.missing.items():
        note(f"No figures for {name}: {why}.")


def _document(
    game: str,
    actions: ActionAbstraction,
    translation: Translation | None,
    numbers: ActionNumbers | None,
) -> dict[str, Any]:
    full, small = actions.tree, actions.restricted
    return {
        "game": game,
        "actions": actions.name,
        "sizes": [list(pair) for pair in actions.sizes()],
        "num_nodes": full.num_nodes,
        "num_abstract_nodes": small.num_nodes,
        "left_out": _left_out(actions),
        "translate": None if translation is None else translation.name,
        "taken": None
        if translation is None
        else [document(taken, "infoset action shares") for taken in translation.taken],
        "report": None if numbers is None else numbers.to_dict(),
    }


def _left_out(actions: ActionAbstraction) -> dict[str, Sequence[str]]:
    """{infoset: labels} of what the infosets of the abstract game lose."""
    keys = actions.tree.infoset_keys
    lost = {keys[i]: actions.removed(i) for i in actions.infoset.tolist()}
    return {key: labels for key, labels in lost.items() if labels}
