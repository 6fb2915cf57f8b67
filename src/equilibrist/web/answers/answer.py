"""How an answer is described: by its type in OpenAPI. It is sent as it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import GenericAlias
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, TypeVar

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema
from typing_extensions import TypedDict

_Document = TypeVar("_Document")


@dataclass(frozen=True)
class _Described:
    """Metadata of a type that describes an answer, but neither checks nor changes it.

    mypy holds what builds a document against its type, and the tests of the API hold every answer
    against OpenAPI; another check of thousands of numbers would only cost time, and would turn the
    integers among them into floats.
    """

    document: Any

    def __get_pydantic_core_schema__(self, _: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.any_schema()

    def __get_pydantic_json_schema__(
        self, _: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        document: JsonSchemaValue = handler(_core_schema(self.document))["items"]
        return document


@cache
def _core_schema(document: Any) -> CoreSchema:
    """The schema of a list of documents, as an item of which a document is a named component."""
    listed: Any = GenericAlias(list, (document,))
    return TypeAdapter(listed).core_schema


if TYPE_CHECKING:
    Answer: TypeAlias = Annotated[_Document, ...]
    """A document that is sent as it is: what a route returns, or its `response_model`."""
else:

    class Answer:
        """A document that is sent as it is: what a route returns, or its `response_model`."""

        def __class_getitem__(cls, document: Any) -> Any:
            return Annotated[document, _Described(document)]


class Refused(TypedDict):
    """A request that is refused.

    `error` is a sentence with the remedy, `kind` the class of the error; `option` is what was
    wrong, `given` what it was, `expected` what it may be, `place` where it stands.
    """

    error: str
    kind: str
    option: str | None
    given: Any
    expected: Any
    place: str | None
    remedy: str | None


REFUSALS_IN_OPENAPI: Final[dict[int | str, dict[str, Any]]] = {
    "4XX": {"model": Answer[Refused], "description": "Refused"},
    "5XX": {"model": Answer[Refused], "description": "Not possible now, or a bug"},
    422: {"model": Answer[Refused], "description": "Something in the request is wrong"},
}
"""What every route of the API may answer, too."""


def media(*types: str) -> dict[int | str, dict[str, Any]]:
    """What OpenAPI says of a route whose answer is a file or a stream, and no document of JSON.

    Args:
        types: Its media types. The class of the response has none, for refusals are JSON.
    """
    return {200: {"content": {name: {"schema": {"type": "string"}} for name in types}}}


class Deleted(TypedDict):
    """What was deleted."""

    deleted: str


class DeletedRanges(Deleted):
    """What was deleted, and how many ranges that were."""

    count: int


class Named(TypedDict):
    """What something is called now."""

    name: str
