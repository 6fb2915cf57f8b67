"""`evaluate_blueprint`: all that is asked about how good a blueprint is, in one document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from equilibrist.errors import ConfigError
from equilibrist.evaluation.duplicates import Estimate
from equilibrist.parsing.arguments import optional_whole_number, whole_number
from equilibrist.poker.blueprint.abstract_game import check_evaluated
from equilibrist.poker.blueprint.evaluation.card_response import CardResponse, card_response
from equilibrist.poker.blueprint.evaluation.exploiter import exploit
from equilibrist.poker.blueprint.evaluation.exploiter_figures import Exploiter, as_json
from equilibrist.poker.blueprint.evaluation.litmus import (
    Litmus,
    folds_of_aces,
    folds_of_nuts,
    jam_or_fold,
)
from equilibrist.poker.blueprint.evaluation.local_response import (
    HANDS,
    LocalResponse,
    LocalSetting,
    local_response,
)
from equilibrist.poker.blueprint.evaluation.multiway.litmus import litmus_on_deals
from equilibrist.poker.blueprint.evaluation.multiway.values import DealValuer
from equilibrist.poker.blueprint.evaluation.values import (
    Valuer,
    estimate,
    random_boards,
    strategy_of,
)
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.progress import Callbacks, OnProgress, shows_progress

BOARDS = 2_000
"""Boards on which a blueprint is valued where no exploiter is trained."""
DEALS = 200_000
"""The same with more than two seats, on deals."""
ALL = "all"
"""All flops, in place of their number."""
FLOPS = 40
"""Flops that are sampled unless a number is given."""
_SELF, _SELF_DEALS = 3, 9
"""What boards and deals are for."""


@dataclass(frozen=True)
class BlueprintEvaluation:
    """What is known of how good a blueprint is; parts that were not measured are None.

    Attributes:
        value: What the small blind of the blueprint wins with the blueprint in all seats, in mbb
            per hand.
        exploiter: What trained exploiters win: a lower bound.
        card_response: What best responses with all cards win: exact for the betting tree with all
            flops, with sampled ones a lower bound.
        lbr: What local best responses win: a lower bound.
        litmus: The litmus hands.
        values: What each seat wins with the blueprint in all seats, in mbb per hand.
        interrupted: Whether Ctrl-C ended the evaluation before all parts were measured.
    """

    value: Estimate
    exploiter: Exploiter | None = None
    card_response: CardResponse | None = None
    lbr: LocalResponse | None = None
    litmus: Litmus | None = None
    values: tuple[Estimate, ...] = ()
    interrupted: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The figures for JSON.

        Returns:
            A dictionary for each part, null where it was not measured; `interrupted`; `values` by
            seat.
        """
        return {
            "value": as_json(self.value),
            "values": [as_json(value) for value in self.values],
            "exploiter": None if self.exploiter is None else self.exploiter.to_dict(),
            "card_response": None if self.card_response is None else self.card_response.to_dict(),
            "lbr": None if self.lbr is None else self.lbr.to_dict(),
            "litmus": None if self.litmus is None else self.litmus.to_dict(),
            "interrupted": self.interrupted,
        }


@shows_progress
def evaluate_blueprint(
    blueprint: Blueprint,
    *,
    exploiter_seconds: float | None = None,
    exploiter_iterations: int | None = None,
    response_flops: int | str | None = None,
    lbr: bool | Sequence[LocalSetting | str] = False,
    hands: int = HANDS,
    litmus: bool = False,
    boards: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
) -> BlueprintEvaluation:
    """Evaluate a blueprint.

    Card responses and local best responses take two seats; exploiters and litmus hands any number.
    Ctrl-C, or a callback, ends the evaluation with the parts that are complete.

    Args:
        blueprint: The blueprint.
        exploiter_seconds: Seconds for which the exploiter of each seat is trained.
        exploiter_iterations: Iterations of each; whichever comes first.
        response_flops: The flops on which responses with all cards are valued, `"all"` or how many
            are sampled.
        lbr: Whether to play local best responses, or their settings, such as `fcpa:turn`.
        hands: Hands of each seat that these play.
        litmus: Whether to look at the litmus hands.
        boards: Independent boards on which strategies are valued; deals with more than two seats.
        seed: The seed of all boards and deals.
        threads: Threads to work with.
        callbacks: Functions called while exploiters are trained and valued, and as flops of card
            responses and hands of local best responses are done.
        progress: Whether a line shows the progress; by default in notebooks and interactive
            sessions.

    Returns:
        The figures.

    Raises:
        ConfigError: An argument is out of range, or nothing is asked for.
        UnsupportedError: The blueprint has more than two seats, and a card response or LBR is asked
            for.
        KeyboardInterrupt: Ctrl-C was pressed before any part was complete.
    """
    if response_flops is not None:
        check_evaluated(blueprint.hand, "a card response", "response_flops")
    if lbr:
        check_evaluated(blueprint.hand, "a local best response", "lbr")
    whole_number("seed", seed, 0)
    wants_exploiter = exploiter_seconds is not None or exploiter_iterations is not None
    if not (wants_exploiter or litmus or lbr or response_flops is not None):
        raise ConfigError(
            "nothing says what to evaluate",
            option="exploiter_seconds",
            remedy="ask for an exploiter, a card response, LBR or the litmus hands",
        )
    exploiter = None
    if wants_exploiter:
        exploiter = exploit(
            blueprint,
            seconds=exploiter_seconds,
            iterations=exploiter_iterations,
            boards=boards,
            seed=seed,
            threads=threads,
            callbacks=callbacks,
        )
        values = exploiter.blueprint_values
    else:
        values = own_values(blueprint, boards, seed, threads)
    response = local = litmus_hands = None
    interrupted = False
    try:
        if response_flops is not None:
            flops: Any = None if response_flops == ALL else response_flops  # checked there
            response = card_response(
                blueprint, flops, seed=seed, threads=threads, callbacks=callbacks
            )
        if lbr:
            settings = None if lbr is True else lbr
            local = local_response(blueprint, settings, hands=hands, seed=seed, callbacks=callbacks)
        if litmus:
            litmus_hands = _litmus(blueprint, values[0], exploiter, seed)
    except KeyboardInterrupt:
        if exploiter is None and response is None and local is None:
            raise
        interrupted = True
    return BlueprintEvaluation(
        values[0], exploiter, response, local, litmus_hands, values, interrupted
    )


def own_values(
    blueprint: Blueprint, boards: int | None = None, seed: int = 0, threads: int | None = None
) -> tuple[Estimate, ...]:
    """Value each seat with the blueprint in all seats, in mbb per hand.

    Args:
        blueprint: The blueprint.
        boards: Independent boards, or deals with more than two seats, at least 2; None for
            `BOARDS` or `DEALS`.
        seed: Their seed.
        threads: Threads to work with.

    Returns:
        The estimates by seat.
    """
    optional_whole_number("boards", boards, 2, 10**9)
    seats = blueprint.hand.seats
    if seats > 2:
        valued = DealValuer(blueprint, _SELF_DEALS, seed, threads)
        return valued.values([None] * seats, boards or DEALS).ours
    drawn = random_boards(blueprint.cards.lowest_rank, boards or BOARDS, (seed, _SELF))
    valuer = Valuer(blueprint.game, blueprint.cards, threads)
    won = valuer.values(strategy_of(blueprint), drawn)
    return estimate(won[:, 0]), estimate(won[:, 1])


def _litmus(
    blueprint: Blueprint, value: Estimate, exploiter: Exploiter | None, seed: int
) -> Litmus:
    if blueprint.hand.seats > 2:
        return litmus_on_deals(blueprint, seed)
    nuts, boards = folds_of_nuts(blueprint, seed)
    return Litmus(
        aces=folds_of_aces(blueprint),
        nuts=nuts,
        nut_boards=boards,
        jam_or_fold=jam_or_fold(
            blueprint, value, None if exploiter is None else exploiter.gains[0]
        ),
    )
