# What the adapters use, and no more: types are checked without the package being installed.
from collections.abc import Sequence
from typing import Any

class EvaluationResult:
    passing: bool | None
    score: float | None
    feedback: str | None
    def __init__(
        self,
        *,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        passing: bool | None = None,
        score: float | None = None,
        feedback: str | None = None,
        invalid_result: bool = False,
        invalid_reason: str | None = None,
    ) -> None: ...

class BaseEvaluator:
    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> EvaluationResult: ...
