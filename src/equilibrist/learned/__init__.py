"""Networks in the place of tables: features, fitting, files, and what is trained with them.

Only `equilibrist.learned.fit` imports PyTorch, and only when a network is fitted. Networks are
evaluated by a Numba kernel, so that a stored one plays without PyTorch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "HoldemValues": "equilibrist.learned.holdem_values.values",
    "Network": "equilibrist.learned.network",
    "climb": "equilibrist.learned.values.ladder",
    "infoset_features": "equilibrist.learned.features",
    "load_holdem_values": "equilibrist.learned.holdem_values.values",
    "new_network": "equilibrist.learned.network",
    "train": "equilibrist.learned.training",
    "train_values": "equilibrist.learned.values.training",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.learned.features import infoset_features as infoset_features
    from equilibrist.learned.holdem_values.values import HoldemValues as HoldemValues
    from equilibrist.learned.holdem_values.values import load_holdem_values as load_holdem_values
    from equilibrist.learned.network import Network as Network
    from equilibrist.learned.network import new_network as new_network
    from equilibrist.learned.training import train as train
    from equilibrist.learned.values.ladder import climb as climb
    from equilibrist.learned.values.training import train_values as train_values
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
