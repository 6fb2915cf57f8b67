"""The header of a file as a model of Pydantic."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class FileHeader(BaseModel):
    """A header with exactly the fields of its class, of exactly their types; numbers are finite."""

    model_config = ConfigDict(
        defer_build=True, frozen=True, extra="forbid", strict=True, allow_inf_nan=False
    )
