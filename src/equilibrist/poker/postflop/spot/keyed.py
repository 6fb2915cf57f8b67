"""What spots and hands have in common: keys of a file, from which the rest is computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel

from equilibrist.poker.postflop.spot.toml import spot_text


class Keyed(BaseModel):
    """A problem that is described by its keys, and never changed."""

    def to_toml(self) -> str:
        """The text of a file that describes it, without keys at their defaults.

        Returns:
            TOML that `from_toml` reads to an equal object.
        """
        return spot_text(self._plain(self.model_dump(exclude_defaults=True)))

    @staticmethod
    def _plain(keys: dict[str, Any]) -> dict[str, Any]:
        """The keys as a file holds them."""
        return keys

    def replace(self, **keys: Any) -> Self:
        """A copy with changed keys, validated.

        Args:
            **keys: The keys to change.

        Returns:
            The copy; this object is unchanged.

        Raises:
            ConfigError: A value is invalid, or the values do not fit together.
            UnknownNameError: A key is unknown.
            NotationError: A text cannot be read.
        """
        own = {key: getattr(self, key) for key in type(self).model_fields}
        return type(self)(**(own | keys))

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with changed keys that are not validated, as in pydantic; prefer `replace`.

        Args:
            update: The changed keys.
            deep: Whether values are copied, too.

        Returns:
            The copy.
        """
        copied = super().model_copy(update=update, deep=deep)
        for derived in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[derived]  # computed from the keys before the change
        return copied
