"""StoredNetworks: the networks that a strategy was trained with, as files hold them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.formatting.brief import brief_repr

_WEIGHTS: Final = "network."
"""Before the names of the arrays of weights."""


@dataclass(frozen=True, eq=False)
class StoredNetworks:
    """Networks without what evaluates them; `equilibrist.learned.files` makes those of it.

    Attributes:
        features: Name and version of what they read, as "infoset-keys/1".
        unit: What the outputs of each network are in.
        sizes: The sizes of each network: inputs, hidden widths, outputs.
        activation: What hidden layers apply.
        losses: Losses of the last fits, by name.
        weights: float32 arrays, by the names of the networks.
    """

    features: str
    unit: Mapping[str, str]
    sizes: Mapping[str, list[int]]
    activation: str
    losses: Mapping[str, float]
    weights: Mapping[str, NDArray[np.float32]]

    def __repr__(self) -> str:
        return brief_repr(self)

    def to_dict(self) -> dict[str, Any]:
        """Make a document of all but the weights.

        Returns:
            Texts, numbers and lists.
        """
        return {
            "features": self.features,
            "unit": dict(self.unit),
            "sizes": {name: [*sizes] for name, sizes in self.sizes.items()},
            "activation": self.activation,
            "losses": dict(self.losses),
        }

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays that a file holds of them.

        Returns:
            The weights by their names in the file.
        """
        return {f"{_WEIGHTS}{name}": array for name, array in self.weights.items()}

    @classmethod
    def read(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> StoredNetworks:
        """Read what `to_dict` and `arrays` gave.

        Args:
            header: The document.
            arrays: The arrays of the file.

        Returns:
            The networks.

        Raises:
            KeyError: The weights of a network are missing.
            ValueError: They are of another type or number.
        """
        weights = {}
        for name, sizes in header["sizes"].items():
            array = arrays[f"{_WEIGHTS}{name}"]
            number = sum((one + 1) * two for one, two in zip(sizes, sizes[1:], strict=False))
            if array.dtype != np.float32 or array.shape != (number,):
                raise ValueError(f"the network {name} has not {number:,} weights")
            weights[name] = array
        return cls(weights=weights, **header)
