"""The document in a strategy file without a tree that says how it was made, read back."""

from __future__ import annotations

import os
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from equilibrist.results.solution_file import SamplingHeader
from equilibrist.solvers.run.loop import stop_reason_of_file
from equilibrist.storage.damage import damaged

_SIGNS: Final = frozenset({"algorithm", "iterations"})
"""Keys by which a document is one of ours; users may write any other."""


class ImplicitDocument(BaseModel):
    """The keys of `ImplicitResult.to_dict` that say something; defaults are for early files."""

    model_config = ConfigDict(
        defer_build=True, frozen=True, extra="ignore", strict=True, allow_inf_nan=False
    )

    game: str
    algorithm: str
    sampling: SamplingHeader
    """Its keys stand beside the others in the document."""
    table_is_full: bool
    memory: int
    iterations: int
    seconds: float
    stopped_by: Annotated[str, BeforeValidator(stop_reason_of_file)]
    bound_nash_conv: float | None = None
    bound_cce_gap: float | None = None
    bound_unstored_share: float = 0.0
    guarantee: str
    notes: list[str]
    num_players: int
    num_infosets: int
    config: dict[str, Any]
    versions: dict[str, str]


def read_document(path: str | os.PathLike[str], made: dict[str, Any]) -> ImplicitDocument | None:
    """What a file says of a run; None if no solve wrote it. Raises FileFormatError."""
    if not made.keys() >= _SIGNS:
        return None
    sampling = {name: made[name] for name in SamplingHeader.model_fields if name in made}
    try:
        return ImplicitDocument.model_validate({**made, "sampling": sampling})
    except ValidationError as error:
        raise damaged(path, "a whole strategy", error) from None
