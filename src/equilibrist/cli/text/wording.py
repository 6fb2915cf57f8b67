"""The words of a session on the screen: what players, payoffs and advice are called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from equilibrist.cli.text.output import show, show_table
from equilibrist.formatting.amounts import chips, percent, signed_text, value_text

if TYPE_CHECKING:
    from equilibrist.play import Advice


def show_advice(
    advice: Advice, words: Sequence[str], amount: Callable[[float], str] = value_text
) -> None:
    """Print what the coach of a compiled game says of a choice; `amount` writes payoffs."""
    ev_loss, best = advice.ev_loss, advice.best
    if ev_loss is None or best is None or advice.values is None:
        show(
            "Coach: no EV loss here. Opponents who play the solution never reach this point, so "
            "their hands are unknown."
        )
        return
    chosen = words[advice.chosen]
    loss, values = amount(ev_loss), [*map(amount, advice.values)]
    if loss == amount(0.0):
        show(f"Coach: {chosen} has no EV loss; it is worth {values[best]}.")
        return
    show(
        f"Coach: {chosen} has an EV loss of {loss}: against the solution, and with your best play "
        f"from here on, {words[best]} is worth {values[best]} and {chosen} "
        f"{values[advice.chosen]} on average over the hands that reach this point."
    )


def show_spot_advice(
    advice: Advice, words: Sequence[str], unit: str = "chips", pot: float | None = None
) -> None:
    """Print what the coach of a spot says: EV and frequency of every action of the hand.

    `pot` is that of the spot, or the big blind of a hand, by which amounts are written.
    """
    ev_loss, best = advice.ev_loss, advice.best
    if ev_loss is None or best is None:
        show("Coach: no EVs here. The solution never comes here, so the hands are unknown.")
    elif chips(ev_loss, pot) == chips(0.0, pot):
        show(f"Coach: {words[advice.chosen]} has no EV loss.")
    else:
        show(
            f"Coach: {words[advice.chosen]} has an EV loss of {chips(ev_loss, pot)} {unit}; "
            f"{words[best]} has the highest EV."
        )
    if advice.values is None and not advice.mixture:
        return
    unknown = [float("nan")] * len(words)
    evs = [chips(ev, pot) for ev in advice.values or unknown]
    _show_actions(words, {"EV": evs, "the solution plays": advice.mixture or unknown}, advice)


def show_estimate(
    advice: Advice,
    words: Sequence[str],
    unit: str,
    missing: str = "The blueprint never comes here",
    played: str = "the blueprint",
    blind: float | None = None,
) -> None:
    """Print what a coach with estimates says, and the frequencies of what is `played`.

    `missing` is why there may be no estimate, `blind` the big blind, by which amounts are written.
    """
    ev_loss, best = advice.ev_loss, advice.best
    chosen = words[advice.chosen]
    if ev_loss is None or best is None:
        show(f"Coach: no estimate here. {missing}, so the hands are unknown.")
    elif chips(ev_loss, blind) == chips(0.0, blind):
        show(f"Coach (estimate): no action has a higher EV than {chosen}.")
    else:
        wide = 0.0 if advice.errors is None else advice.errors[best] + advice.errors[advice.chosen]
        doubt = "; the intervals overlap" if ev_loss < wide else ""
        show(
            f"Coach (estimate): {chosen} has an EV loss of {chips(ev_loss, blind)} {unit}; "
            f"{words[best]} has the highest EV{doubt}."
        )
    nothing = [float("nan")] * len(words)
    errors = advice.errors or nothing
    evs = [
        chips(ev, blind) if not error > 0.0 else f"{chips(ev, blind)} ± {chips(error, blind)}"
        for ev, error in zip(advice.values or nothing, errors, strict=True)
    ]
    _show_actions(words, {"EV (estimate)": evs, f"{played} plays": advice.mixture}, advice)


def _show_actions(
    words: Sequence[str], columns: dict[str, Sequence[str] | Sequence[float]], advice: Advice
) -> None:
    """Print figures of the actions, frequencies in percent, and what a search plays."""
    if advice.searched is not None:
        columns = {**columns, "the search plays": advice.searched}
    texts = [
        [figure if isinstance(figure, str) else percent(figure, 1) for figure in column]
        for column in columns.values()
    ]
    rows = [[word, *figures] for word, *figures in zip(words, *texts, strict=True)]
    show_table(["action", *columns], rows)


def game_wording(ranges: Sequence[float]) -> Wording:
    """Make the wording of a compiled game; `ranges` are those of the players' payoffs."""

    def amount(payoff: float) -> str:
        return value_text(payoff, unit_of(ranges, payoff))

    return Wording(
        payoff_ranges=tuple(ranges),
        amount=amount,
        advice=lambda advice, words: show_advice(advice, words, amount),
    )


def unit_of(ranges: Sequence[float], *payoffs: float) -> float | None:
    """Choose the unit by which payoffs that belong together are written, as `value_text` has it.

    Players may be paid in different units, and change seats: the unit is the size of the payoffs
    themselves, between the smallest range of payoffs and the largest.

    Args:
        ranges: By how much the payoffs of each player differ; () if that is not known.
        payoffs: What is written.

    Returns:
        The unit, in payoff units; None where all that is known are zeros.
    """
    size, wide = max(map(abs, payoffs)), [spread for spread in ranges if spread > 0.0]
    return (min(max(size, min(wide)), max(wide)) if wide else size) or None


@dataclass(frozen=True)
class Wording:
    """How the screen speaks of a game.

    Attributes:
        players: What the players are called; () for their numbers.
        unit: The unit of payoffs, where it has a name.
        payoff_ranges: By how much the payoffs of each player differ, in that unit, or one number
            for all; () if it is not known.
        amount: An EV loss as text.
        advice: Prints what the coach says, given the best word for each action.
        thinking: Entered while chance and strategies move.
        bet: The action that a text is mapped to which is no name of one, given the infoset and the
            words, and a remark for the coach; None where the game has no bets of any size.
    """

    players: tuple[str, ...] = ()
    unit: str = ""
    payoff_ranges: tuple[float, ...] = ()
    amount: Callable[[float], str] = value_text
    advice: Callable[[Advice, Sequence[str]], None] = show_advice
    thinking: Callable[[], AbstractContextManager[object]] = nullcontext
    bet: Callable[[str, str, Sequence[Sequence[str]]], tuple[int, str] | None] | None = None

    def player(self, number: int) -> str:
        """The name of a player."""
        return self.players[number] if self.players else f"player {number}"

    def figures(self, *payoffs: float) -> list[str]:
        """Payoffs that belong together, with signs and six significant digits."""
        unit = unit_of(self.payoff_ranges, *payoffs)
        return [signed_text(payoff, unit) for payoff in payoffs]

    @property
    def in_unit(self) -> str:
        """`, in chips`; empty where the unit has no name."""
        return self.unit and f", in {self.unit}"
