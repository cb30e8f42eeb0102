# What the adapters use, and no more: types are checked without the package being installed.
from collections.abc import Awaitable, Callable
from typing import Any

class RunnableLambda:
    def __init__(
        self, func: Callable[[Any], Any], afunc: Callable[[Any], Awaitable[Any]], name: str | None = None
    ) -> None: ...
    def invoke(self, input: Any) -> Any: ...
