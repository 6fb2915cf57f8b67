"""Two games of von Stengel and Forges, Extensive-form correlated equilibrium, 2008."""

from __future__ import annotations

from typing import Any

from tests.small_games import Written


def _formula() -> Written:
    """Figure 9: x and (not x or y) and (not x or not y), which no assignment satisfies."""

    def assigned(variable: str, literal: str) -> Any:
        true, false = ((1.0, 1.0), (0.0, 0.0)) if literal == variable else ((0.0, 0.0), (1.0, 1.0))
        return (0, f"{variable}?", {variable: true, f"-{variable}": false})

    clauses = (("x",), ("-x", "y"), ("-x", "-y"))
    chosen: dict[Any, Any] = {
        (f"clause {k}", 1 / 3): (
            1,
            f"clause {k}",
            {literal: assigned(literal[-1], literal) for literal in clause},
        )
        for k, clause in enumerate(clauses)
    }
    return Written(("chance", chosen), 2, "fig 9")


def _circular(payoffs: Any) -> Written:
    """Figure 6: no chance, perfect recall, and infosets that come before each other in a circle."""
    at = iter(payoffs)

    def end() -> Any:
        return tuple(next(at))

    tree = (1, "j1", {
        "a": (0, "i1", {
            "L": (0, "i2", {"S": end(), "T": (1, "j2", {"c": end(), "d": end()})}),
            "R": (1, "j2", {"c": end(), "d": (0, "i3", {"U": end(), "V": end()})}),
        }),
        "b": (0, "i1", {
            "L": (1, "j3", {"e": (0, "i2", {"S": end(), "T": end()}), "f": end()}),
            "R": (0, "i3", {"U": end(), "V": (1, "j3", {"e": end(), "f": end()})}),
        }),
    })  # fmt: skip
    return Written(tree, 2, "fig 6")


FORMULA = _formula()
circular = _circular
CIRCULAR_ENDS = 12
