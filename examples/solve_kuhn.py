"""Solve Kuhn poker and compare with the textbook: value -1/18, a family of equilibria in alpha."""

from __future__ import annotations

import equilibrist as eq


def main() -> None:
    """Print the solution and how far it is from the known one."""
    result = eq.solve("kuhn", algorithm="dcfr", target=1e-5)
    alpha = result.strategy["1"]["bet"]
    print(f"{result.iterations} iterations, exploitability {result.exploitability:.1e}")
    print(f"value of player 0: {result.values[0]:.5f} (textbook: {-1 / 18:.5f})")
    print(f"alpha = {alpha:.3f}: card 1 is bet with this probability, between 0 and 1/3")


if __name__ == "__main__":
    main()
