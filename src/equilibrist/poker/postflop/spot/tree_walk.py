"""Walking the betting tree of a spot that is not solved: what is offered at a line, and why."""

from __future__ import annotations

import math
import re
from typing import Any

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.betting.actions import Action, Kind, StreetLine, line_text
from equilibrist.poker.betting.bet_sizes import STREETS
from equilibrist.poker.betting.chips import read_chips
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import BettingState, Phase
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.text_span import read_share


def tree_walk(spot: Spot, line: str = "") -> dict[str, Any]:
    """The nodes from the root to a line, each with what is offered there.

    Args:
        spot: The spot.
        line: The line without cards, such as `X-B120-C|`; empty for the root.

    Returns:
        `line`, and `nodes`: each with `line`, `street`, `phase` (decision, deal, fold or showdown),
        `player` (oop or ip; of a fold the one who folded; else None), `pot` and `stack` (chips in
        the middle, and those that the player to act, or each player, has behind), `to_call`, the
        bounds of a bet `least` and `most` (None where none is possible), and `actions`: each with
        `name`, `code`, `line`, `amount`, `pot_percent`, `is_added` and `is_taken` (the next one of
        the line).

    Raises:
        LineSyntaxError: The line cannot be read or played.
    """
    rules = spot.rules()
    state = rules.root()
    end = rules.follow(line).state
    nodes = []
    for number, street in enumerate(end.line):
        if number:
            state = rules.deal(state)
        for action in street:
            nodes.append(_node(rules, state, action))
            state = rules.next(state, action)
        if number + 1 < len(end.line):
            nodes.append(_node(rules, state, None))
    nodes.append(_node(rules, end, None))
    return {"line": line_text(end.line), "nodes": nodes}


def line_with_bet(spot: Spot, line: str, amount: float | str) -> str:
    """The line that adds a bet or a raise at a node: for the key `added_lines`.

    Args:
        spot: The spot.
        line: The line of a decision, without cards.
        amount: The player's total on the street in chips, or a text such as `75%`: this share of
            the pot after a call, above the bet that is faced.

    Returns:
        The line with its action, all-in where the amount leaves nothing.

    Raises:
        ConfigError: Nobody acts there, or the amount cannot be read.
        LineSyntaxError: The line or the bet is not possible.
    """
    rules = spot.rules()
    state = rules.follow(line).state
    if state.phase is not Phase.DECISION:
        raise ConfigError(f"nobody acts after {line or 'the root'}", option="line", given=line)
    text = re.sub(r"(?<=\d)c$", "", str(amount).strip())
    if text.endswith("%"):
        share = _share(text)
        pot = state.pot + 2 * max(state.bets)
        units = math.floor(max(state.bets) + share * pot + 0.5)
        total = rules.scale.chips(min(units, rules.all_in(state)))
    else:
        total = read_chips("amount", text)
    kind = Kind.RAISE if max(state.bets) else Kind.BET
    action = rules.normalize(state, Action(kind, total))
    added = line_text((*state.line[:-1], (*state.line[-1], action)))
    for _ in rules.walk(added):  # raises where it is not possible
        pass
    return added


def _share(text: str) -> float:
    try:
        share = read_share(text)
    except ValueError:
        share = -1.0
    if not 0 < share < 1e6:
        raise bad_argument("amount", text, "chips, or a share of the pot such as 75%")
    return share


def _node(rules: BettingRules, state: BettingState, taken: Action | None) -> dict[str, Any]:
    chips = rules.scale.chips
    acts = state.phase is Phase.DECISION
    bets = acts and max(state.bets) < rules.all_in(state) and not rules.is_capped(state)
    behind = rules.all_in(state) - (state.bets[state.player] if acts else max(state.bets))
    return {
        "line": line_text(state.line),
        "street": STREETS[state.street],
        "phase": state.phase.value,
        "player": SEATS[state.player] if state.phase in (Phase.DECISION, Phase.FOLD) else None,
        "pot": chips(state.pot + sum(state.bets)),
        "stack": chips(behind),
        "to_call": chips(state.to_call) if acts else 0,
        "least": chips(rules.min_raise_to(state)) if bets else None,
        "most": chips(rules.all_in(state)) if bets else None,
        "actions": [_action(rules, state, offered, taken) for offered in _offered(rules, state)],
    }


def _offered(rules: BettingRules, state: BettingState) -> tuple[Action, ...]:
    return rules.actions(state) if state.phase is Phase.DECISION else ()


def _action(
    rules: BettingRules, state: BettingState, action: Action, taken: Action | None
) -> dict[str, Any]:
    """An action with its line, and a bet in percent of the pot after a call."""
    percent = None
    if action.amount:
        facing, pot = max(state.bets), state.pot + 2 * max(state.bets)
        percent = 100 * (rules.scale.units(action.amount) - facing) / pot
    return {
        "name": str(action),
        "code": action.code,
        "line": line_text((*state.line[:-1], (*state.line[-1], action))),
        "amount": action.amount,
        "pot_percent": percent,
        "is_added": _is_added(rules, state.line, action),
        "is_taken": action == taken,
    }


def _is_added(rules: BettingRules, line: tuple[StreetLine, ...], action: Action) -> bool:
    """Whether the action is one of `added_lines`, at its end."""
    text = line_text((*line[:-1], (*line[-1], action)))
    ends = []
    for added in rules.added:
        *_, last = rules.walk(added)
        ends.append(line_text((*last.state.line[:-1], (*last.state.line[-1], last.action))))
    return text in ends
