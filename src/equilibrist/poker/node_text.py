"""A node of a solved spot in words: where it is, what both players have, what is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from equilibrist.poker.node_view import Node


def summary(node: Node, *, by_combos: bool = False) -> list[str]:
    """The lines of the summary; frequencies by matchups, unless by combos."""
    to_call = f", {node.to_call:,} to call" if node.to_call else ""
    lines = [
        f"{node.line or 'root'}: {node.what}",
        f"{node.street} {node.board}, pot {node.pot:,}{to_call}",
        *_solved_anew(node),
        "",
        f"{'':<9}{'equity':>9}{'EV':>12}{'EQR':>9}",
    ]
    for player, seat in enumerate(("OOP", "IP")):
        equity, ev, eqr = (pair[player] for pair in node.totals)
        acts = " (acts)" if player == node.player else ""
        lines.append(f"{seat + acts:<10}{percent(equity, 2):>8}{chips(ev):>12}{percent(eqr, 1):>9}")
    if node.player is not None:
        taken = node.frequency_by_combos if by_combos else node.frequency
        width = max(9, *map(len, taken))
        lines += ["", f"{'action':<{width}}  frequency by {'combos' if by_combos else 'matchups'}"]
        lines += [f"{action:<{width}}  {percent(share, 1):>9}" for action, share in taken.items()]
    return lines


def _solved_anew(node: Node) -> list[str]:
    """That the file of the solution lacked the street."""
    if node.resolved is None:
        return []
    return [f"not in the file: solved anew, exploitability {node.resolved:.3g} chips"]


def percent(share: float, digits: int) -> str:
    """A share in percent; `-` where there is none."""
    return "-" if share != share else f"{share:z.{digits}%}"


def chips(amount: float) -> str:
    """Chips with two decimals; `-` where there are none."""
    return "-" if amount != amount else f"{amount:z,.2f}"
