"""LlamaIndex: an evaluator that checks a response against memories or contexts, and a filter for retrieved nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from groundwire.app import Groundwire
from groundwire.errors import MissingExtra
from groundwire.integrations.answers import AnswerCheck, Checked, Remedy, describe_problem
from groundwire.types import Passage, Verdict

try:
    from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import NodeWithScore, QueryBundle
except ModuleNotFoundError as error:
    raise MissingExtra("groundwire.integrations.llamaindex", "llamaindex") from error


class GroundednessEvaluator(BaseEvaluator):
    """Passes what the contexts bear out, or, where none are handed in, what is remembered of `user`.

    The score is the share of claims that are borne out; the feedback names what is not.
    """

    def __init__(self, gw: Groundwire, *, user: str, tenant: str = "default", strict: bool = True) -> None:
        self._check = AnswerCheck(gw, user=user, tenant=tenant, remedy=Remedy.FLAG, strict=strict)

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> EvaluationResult:
        from asyncio import to_thread

        if response is None or not response.strip():
            reason = "there is no response to check"
            return EvaluationResult(query=query, response=response, invalid_result=True, invalid_reason=reason)
        checked = await to_thread(self._weigh, response, contexts)
        return EvaluationResult(
            query=query,
            response=response,
            contexts=contexts,
            passing=not checked.is_flagged,
            score=_share(checked),
            feedback=checked.problem or "Every claim is borne out.",
        )

    def _weigh(self, response: str, contexts: Sequence[str] | None) -> Checked:
        if not contexts:
            return self._check.check(response)
        passages = [Passage(f"context {number}", text) for number, text in enumerate(contexts, 1)]
        return self._check.check_against(response, passages)

    def _get_prompts(self) -> dict[str, Any]:
        return {}

    def _update_prompts(self, prompts_dict: dict[str, Any]) -> None:
        """There are no prompts: no language model takes part."""


class RememberedFilter(BaseNodePostprocessor):
    """Takes out retrieved nodes that what is remembered of `user` refutes, so that no answer is written from them."""

    gw: Any
    user: str
    tenant: str = "default"

    @classmethod
    def class_name(cls) -> str:
        return "RememberedFilter"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        return [node for node in nodes if not self._find_problem(node.node.get_content())]

    def _find_problem(self, text: str) -> str:
        if not text.strip():
            return ""
        gw: Groundwire = self.gw
        return describe_problem(gw.verify(text, user=self.user, tenant=self.tenant))


def _share(checked: Checked) -> float:
    claims = checked.report.claims
    supported = sum(claim.verdict is Verdict.SUPPORTED for claim in claims)
    return supported / len(claims) if claims else 1.0
