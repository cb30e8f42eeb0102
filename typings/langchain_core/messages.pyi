# What the adapters use, and no more: types are checked without the package being installed.
from collections.abc import Mapping
from typing import Any, Self

class AIMessage:
    content: str | list[str | dict[str, Any]]
    tool_calls: list[Any]
    response_metadata: dict[str, Any]
    @property
    def text(self) -> str: ...
    def model_copy(self, *, update: Mapping[str, Any]) -> Self: ...
