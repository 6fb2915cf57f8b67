"""Hold'em value networks: random situations, their labels, datasets, features, fitting, use."""

from equilibrist.learned.holdem_values.values import (
    HoldemValues,
    NetworkLeaves,
    load_holdem_values,
)

__all__ = ["HoldemValues", "NetworkLeaves", "load_holdem_values"]
