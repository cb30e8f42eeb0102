# What the adapters use, and no more: types are checked without the package being installed.
from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")

class GuardrailFunctionOutput:
    def __init__(self, output_info: Any, tripwire_triggered: bool) -> None: ...

class ToolGuardrailFunctionOutput:
    @classmethod
    def allow(cls, output_info: Any = None) -> ToolGuardrailFunctionOutput: ...
    @classmethod
    def reject_content(cls, message: str, output_info: Any = None) -> ToolGuardrailFunctionOutput: ...

class OutputGuardrail(Generic[T]):
    def __init__(
        self,
        guardrail_function: Callable[[Any, Any, Any], Awaitable[GuardrailFunctionOutput]],
        name: str | None = None,
    ) -> None: ...

class ToolInputGuardrail(Generic[T]):
    def __init__(
        self, guardrail_function: Callable[[Any], Awaitable[ToolGuardrailFunctionOutput]], name: str | None = None
    ) -> None: ...

class ToolOutputGuardrail(Generic[T]):
    def __init__(
        self, guardrail_function: Callable[[Any], Awaitable[ToolGuardrailFunctionOutput]], name: str | None = None
    ) -> None: ...
