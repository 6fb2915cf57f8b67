"""What a file of networks says of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from equilibrist.storage.archive import kind_of


def network_facts(path: Path) -> dict[str, Any]:
    """Describe the networks of a file, for people and as a document.

    Args:
        path: A file of value networks, or of a training of them.

    Returns:
        File, kind, game, and of the networks their features, unit, sizes, activation and losses;
        how they were made, and the packages that wrote them.

    Raises:
        FileFormatError: It is damaged, of another kind or of a newer format.
    """
    from equilibrist.learned.files import NetworkFile

    kind = str(kind_of(path))
    file = NetworkFile.load(path, kind)
    return {
        "file": str(path),
        "kind": kind,
        "game": file.game,
        "features": file.features,
        "unit": file.unit,
        "sizes": {name: [*network.sizes] for name, network in file.networks.items()},
        "activation": ", ".join(dict.fromkeys(n.activation for n in file.networks.values())),
        "losses": dict(file.losses),
        "made": dict(file.made),
        "versions": dict(file.versions),
    }
