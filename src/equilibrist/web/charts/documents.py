"""Charts as documents: what a file is, and a decision of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted
from equilibrist.poker.cards.cards import parse_board
from equilibrist.poker.cards.combos import CLASS_NAMES
from equilibrist.poker.hands.betting_tree import DEAL, DECISION, BettingTree
from equilibrist.poker.hands.rules import STREET_NAMES
from equilibrist.poker.hands.tree_lines import node_at, path_to
from equilibrist.poker.postflop.solution.node_aggregates import json_number
from equilibrist.poker.preflop.multiway.solution import MultiwaySolution
from equilibrist.poker.preflop.push_fold.game import PushFold
from equilibrist.poker.preflop.push_fold.solution import PushFoldSolution, gains_of
from equilibrist.poker.ranges.range import Range
from equilibrist.storage.kinds.file_kinds import BLUEPRINT, MULTIWAY, PREFLOP_SOLUTION, PUSH_FOLD
from equilibrist.web.answers.solutions import (
    ChartChoice,
    ChartClass,
    ChartDocument,
    ChartFacts,
    ChartHead,
    OpenedCharts,
)
from equilibrist.web.solutions.documents import action_roles, present_solution
from equilibrist.web.solutions.listing import present_title

if TYPE_CHECKING:
    from equilibrist.library.kinds import ChartFile, Saved
    from equilibrist.poker.blueprint.policy import Blueprint
    from equilibrist.poker.decisions.decision import Decision
    from equilibrist.poker.hands.hand import Hand
    from equilibrist.poker.preflop.exact.solution import PreflopSolution
    from equilibrist.web.services import Services

_EV: Final = "what the hand wins against its stack before posting, in big blinds"
_GAIN: Final = "what going all-in wins compared with a fold, in {}"
_BOARD_SIZES: Final = (0, 3, 4, 5)
"""Board cards by street."""
_NO_EV: Final = "a blueprint has no EVs of its own"


def charts_facts(file: Saved) -> ChartFacts:
    """Describe a file with charts.

    Args:
        file: Its kind, and what it holds.

    Returns:
        Its facts.
    """
    return _FACTS[file.kind](file.content)


def opened_charts(services: Services, name: str, stamp: str = "") -> OpenedCharts:
    """Describe a file with charts as a page opens it.

    Args:
        services: The services of the server.
        name: The solution.
        stamp: That of its file when a link to it was made; see `present_solution`.

    Raises:
        NotFoundError: There is no such solution, or it has been replaced since.
        ConflictError: It has no charts.
        FileFormatError: It is damaged.
    """
    name, is_later = present_solution(services, name, stamp)
    own = services.library.stamp(name)
    with services.library.charts(name) as file:
        facts = charts_facts(file)
    called = present_title(services, name)
    return {**facts, "name": name, "stamp": own, "is_later": is_later, "called": called}


def chart_document(solution: ChartFile, line: str, board: str = "") -> ChartDocument:
    """A decision: the way to it, its actions, and what each class of hands does.

    Args:
        solution: What the file holds.
        line: The line of the decision.
        board: Of a blueprint, after the flop, the public cards.

    Returns:
        The decision.

    Raises:
        NotationError: The line or the board cannot be read.
        ConfigError: There is no such decision.
    """
    way = (
        _pushes(solution, line)
        if isinstance(solution, PushFoldSolution)
        else _tree_way(solution, line)
    )
    decisions = [solution.at(place.line, _cards(place, board)).by_class() for place in way]
    seats = _names(solution)
    here = decisions[-1]
    shown = replace(here, reach=here.reach.round(6), strategy=here.strategy.round(6))
    texts = [shown.range_text(action) for action in range(len(here.actions))]
    return {
        "line": way[-1].line,
        "seat": seats[here.seat],
        "street": here.street,
        "way": [
            {
                "line": place.line,
                "seat": seats[decision.seat],
                "street": decision.street,
                "chosen": place.chosen,
                "actions": [
                    {**choice, "frequency": share}
                    for choice, share in zip(
                        place.choices, decision.frequencies.tolist(), strict=True
                    )
                ],
            }
            for place, decision in zip(way, decisions, strict=True)
        ],
        "classes": {
            CLASS_NAMES[k]: _class_document(solution, here, k) for k in here.dealt.tolist()
        },
        "ranges": [str(Range(text)) if text else "" for text in texts],
    }


def _class_document(solution: ChartFile, decision: Decision, k: int) -> ChartClass:
    """Describe what a class does: of push or fold its `ev` is the gain of going all-in."""
    ev, action_ev = decision.ev, decision.action_ev
    if isinstance(solution, PushFoldSolution):
        ev, action_ev = gains_of(decision), None
    return {
        "combos": float(decision.combos[k]),
        "reach": round(float(decision.reach[k]), 6),
        "strategy": np.round(decision.strategy[:, k], 6).tolist(),
        "ev": None if ev is None else json_number(ev[k]),
        "action_ev": None if action_ev is None else [*map(json_number, action_ev[:, k])],
    }


class _Place(NamedTuple):
    """A decision on the way to another, or that one itself."""

    line: str
    street: int
    choices: list[ChartChoice]
    """The actions: `code`, `name`, `role` as `study.action_roles` says it, and `line`, that of the
    decision that follows; None where the hand ends, or the file does."""
    chosen: int | None


def _tree_way(solution: PreflopSolution | MultiwaySolution | Blueprint, line: str) -> list[_Place]:
    """The decisions of a betting tree on the way to a line, that of the line last."""
    tree = solution.tree.betting if isinstance(solution, MultiwaySolution) else solution.tree
    last_street = 0 if solution.measure is not None else solution.hand.rules.final_street
    node = node_at(tree, line)
    if tree.kind[node] != DECISION or tree.street[node] > last_street:
        raise ConfigError(
            f"there is no strategy after {line}",
            option="line",
            given=line,
            expected="the line of a decision",
            remedy="leave out the last actions",
        )
    steps: list[tuple[int, int | None]] = [*path_to(tree, node), (node, None)]
    return [
        _Place(tree.line(at), int(tree.street[at]), _choices(tree, at, last_street), chosen)
        for at, chosen in steps
    ]


def _choices(tree: BettingTree, node: int, last_street: int) -> list[ChartChoice]:
    moves = tree.moves(node)
    choices: list[ChartChoice] = []
    for child, move, role in zip(tree.children(node), moves, action_roles(moves), strict=True):
        then = child + 1 if tree.kind[child] == DEAL else child
        goes_on = tree.kind[then] == DECISION and tree.street[then] <= last_street
        line = tree.line(then) if goes_on else None
        choices.append({"code": move.code, "name": str(move), "role": role, "line": line})
    return choices


def _cards(place: _Place, board: str) -> tuple[int, ...]:
    """The public cards at a decision; ConfigError if there are too few."""
    wanted = _BOARD_SIZES[place.street]
    cards = parse_board(board)[:wanted] if wanted and board else ()
    if len(cards) != wanted:
        raise ConfigError(
            f"strategies on the {STREET_NAMES[place.street]} depend on the board",
            option="board",
            given=board,
            expected=f"{wanted} cards",
            remedy="give the board",
        )
    return cards


def _multiway_facts(solution: MultiwaySolution) -> ChartFacts:
    low, high = (f"{1000 * bound:z.3g}" for bound in solution.interval)
    rounds = counted(solution.iterations, "iteration")
    nash_conv = f"at most {1000 * solution.nash_conv:.3g} mbb (95 % interval {low} to {high})"
    facts = [
        ("EV", _by_seat(solution.seats, solution.values)),
        ("NashConv", nash_conv),
        ("deals", f"{solution.deals:,} in {rounds}, seed {solution.seed}"),
    ]
    head = _head(
        values=[*solution.values],
        measure=solution.nash_conv,
        measure_name="nash_conv",
        is_bound=True,
        interval=[*solution.interval],
        stacks=_stacks(solution.hand),
        iterations=solution.iterations,
        deals=solution.deals,
        seed=solution.seed,
    )
    return _facts("multiway", solution.hand.name, solution.seats, facts, _EV, head)


def _blueprint_facts(solution: Blueprint) -> ChartFacts:
    seats, record = solution.hand.rules.positions, solution.record
    on_deals = record.get("algorithm") == "external" or solution.hand.seats > 2
    facts = [
        ("buckets", "/".join(map(str, solution.game.buckets))),
        ("training", f"{record.get('boards', 0):,} {'deals' if on_deals else 'boards'}"),
    ]
    sampled = int(record.get("boards", 0))
    head = _head(
        stacks=_stacks(solution.hand),
        algorithm=record.get("algorithm"),
        iterations=record.get("iterations"),
        deals=sampled if on_deals else None,
        boards=None if on_deals else sampled,
        buckets=[*map(int, solution.game.buckets)],
    )
    return _facts("blueprint", solution.hand.name, seats, facts, _NO_EV, head, takes_board=True)


def _names(solution: ChartFile) -> tuple[str, ...]:
    """The names of the positions, in the order of posting."""
    hand = solution.hand
    return hand.names if isinstance(hand, PushFold) else hand.rules.positions


def _preflop_facts(solution: PreflopSolution) -> ChartFacts:
    seats = solution.hand.rules.positions
    facts = [
        ("EV", _by_seat(seats, solution.values)),
        ("exploitability", f"{solution.exploitability:.3g} mbb"),
        ("found by", f"{counted(solution.iterations, 'iteration')} of {solution.algorithm}"),
    ]
    head = _head(
        values=[*solution.values],
        measure=solution.exploitability / 1000.0,
        measure_name="exploitability",
        stacks=_stacks(solution.hand),
        algorithm=solution.algorithm,
        iterations=solution.iterations,
    )
    return _facts("preflop", solution.game.name, seats, facts, _EV, head)


def _facts(
    kind: str,
    title: str,
    seats: tuple[str, ...],
    facts: list[tuple[str, str]],
    ev: str,
    head: ChartHead,
    *,
    takes_board: bool = False,
) -> ChartFacts:
    return {
        "kind": kind,
        "title": title,
        "seats": [*seats],
        "facts": [[*fact] for fact in facts],
        "head": head,
        "ev": ev,
        "takes_board": takes_board,
    }


def _head(**known: Any) -> ChartHead:
    """A head, in which what is not given is not known; `unit` is big blinds without another."""
    head = {**dict.fromkeys(ChartHead.__annotations__), "unit": "big-blinds", "is_bound": False}
    return cast("ChartHead", {**head, **known})


def _stacks(hand: Hand) -> list[float]:
    """The stack of each seat, in the order of posting."""
    stacks = hand.stacks or [hand.stack or 0.0] * hand.seats
    return [float(stack) for stack in stacks]


def _by_seat(names: tuple[str, ...], values: tuple[float, ...]) -> str:
    pairs = zip(names, values, strict=True)
    return ", ".join(f"{name} {1000 * value:+z.2f}" for name, value in pairs) + " mbb"


def _push_fold_facts(solution: PushFoldSolution) -> ChartFacts:
    game = solution.game
    chips = game.unit == "bb"
    scale, unit = (1000, "mbb") if chips else (100, "% of the prize pool")
    stacks = "/".join(f"{stack:g}" for stack in game.stacks)
    values = zip(game.names, solution.values, strict=True)
    measured = f"{scale * max(solution.nash_conv, 0.0):.2g} {unit}"
    if solution.interval is not None:
        low, high = (f"{scale * bound:z.2g}" for bound in solution.interval)
        measured = f"at most {measured} (95 % interval {low} to {high})"
    facts = [
        ("EV", ", ".join(f"{name} {scale * value:+z.3f}" for name, value in values) + f" {unit}"),
        ("NashConv", measured),
        ("found by", solution.method + (f", {solution.deals:,} deals" if solution.deals else "")),
    ]
    meaning = _GAIN.format("big blinds" if chips else "shares of the prize pool")
    head = _head(
        unit="big-blinds" if chips else "prize-pool",
        values=[*solution.values],
        measure=max(solution.nash_conv, 0.0),
        measure_name="nash_conv",
        is_bound=solution.interval is not None,
        interval=None if solution.interval is None else [*solution.interval],
        stacks=[*map(float, game.stacks)],
        algorithm=solution.method,
        iterations=solution.iterations or None,
        deals=solution.deals or None,
    )
    title = f"push or fold, stacks {stacks}"
    return _facts("push or fold", title, game.names, facts, meaning, head)


def _pushes(solution: PushFoldSolution, line: str) -> list[_Place]:
    """The way to a decision of push or fold; see `PushFoldSolution.lines`: `F-A-F`."""
    letters = [letter for letter in line.strip().upper().split("-") if letter]
    if not {*letters} <= {"F", "A"}:
        raise _no_decision(line)
    way = []
    for turn in range(len(letters) + 1):
        before = letters[:turn]
        decision = _push_fold_decision(solution, before)
        if decision is None:
            solution.at(line)
            raise _no_decision(line)
        choices: list[ChartChoice] = []
        for letter, name in (("F", "Fold"), ("A", "Call" if decision[1] else "All-in")):
            then = [*before, letter]
            ends = _push_fold_decision(solution, then) is None
            role = "fold" if letter == "F" else "passive" if decision[1] else "bet:0/1"
            after = None if ends else "-".join(then)
            choices.append({"code": letter, "name": name, "role": role, "line": after})
        chosen = None if turn == len(letters) else "FA".index(letters[turn])
        way.append(_Place("-".join(before), 0, choices, chosen))
    return way


def _push_fold_decision(
    solution: PushFoldSolution, words: list[str]
) -> tuple[int, tuple[int, ...]] | None:
    """Who decides after `F` and `A` of those who acted, and who went all-in before, if any."""
    return solution.game.decision_after([word == "A" for word in words])


def _no_decision(line: str) -> ConfigError:
    return ConfigError(
        f"no seat decides after {line}",
        option="line",
        given=line,
        expected="a letter for each seat that decided: F folded, A all-in, such as F-A",
    )


_FACTS: Final[dict[str, Callable[[Any], ChartFacts]]] = {
    PUSH_FOLD: _push_fold_facts,
    MULTIWAY: _multiway_facts,
    BLUEPRINT: _blueprint_facts,
    PREFLOP_SOLUTION: _preflop_facts,
}
"""What says what a file with charts is, by its kind."""
