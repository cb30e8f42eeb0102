"""LangChain: agent middleware that checks what the model answers, and a runnable for chains."""

from __future__ import annotations

from typing import Any

from groundwire.app import Groundwire
from groundwire.errors import MissingExtra
from groundwire.integrations.answers import AnswerCheck, Checked, Remedy, Who, summarise

try:
    from langchain.agents.middleware import AgentMiddleware
    from langchain_core.messages import AIMessage
    from langchain_core.runnables import RunnableLambda
except ModuleNotFoundError as error:
    raise MissingExtra("groundwire.integrations.langchain", "langchain") from error

NOTE = "groundwire"
"""Under this name the report is kept in a message's response metadata."""


class GroundedMiddleware(AgentMiddleware):
    """Checks the model's final answer, and neither its tool calls nor what it says beside them.

    `user` is a name, or is found in the runtime of the agent (`lambda runtime: runtime.context.user`).
    """

    def __init__(
        self,
        gw: Groundwire,
        *,
        user: Who,
        tenant: str = "default",
        remedy: Remedy | str = Remedy.CORRECT,
        strict: bool = False,
    ) -> None:
        super().__init__()
        self._check = AnswerCheck(gw, user=user, tenant=tenant, remedy=remedy, strict=strict)

    def after_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        message = _find_answer(state)
        return None if message is None else _replace(message, self._check.check(message.text, runtime))

    async def aafter_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        message = _find_answer(state)
        return None if message is None else _replace(message, await self._check.check_async(message.text, runtime))


def ground(
    gw: Groundwire,
    *,
    user: str,
    tenant: str = "default",
    remedy: Remedy | str = Remedy.CORRECT,
    strict: bool = False,
) -> RunnableLambda:
    """The last step of a chain: a message or a text in, the same sort out (`model | ground(gw, user="ada")`)."""
    check = AnswerCheck(gw, user=user, tenant=tenant, remedy=remedy, strict=strict)

    def run(answer: Any) -> Any:
        if isinstance(answer, AIMessage):
            return answer if answer.tool_calls else _rewrite(answer, check.check(answer.text))
        return check.check(str(answer)).text

    async def run_async(answer: Any) -> Any:
        if isinstance(answer, AIMessage):
            return answer if answer.tool_calls else _rewrite(answer, await check.check_async(answer.text))
        return (await check.check_async(str(answer))).text

    return RunnableLambda(run, run_async, name="groundwire")


def _find_answer(state: Any) -> AIMessage | None:
    """The message that ends the turn, if the last one does and says anything."""
    last = state["messages"][-1] if state["messages"] else None
    return last if isinstance(last, AIMessage) and not last.tool_calls and last.text.strip() else None


def _replace(message: AIMessage, checked: Checked) -> dict[str, Any]:
    """A message with the id of another takes its place in the state."""
    return {"messages": [_rewrite(message, checked)]}


def _rewrite(message: AIMessage, checked: Checked) -> AIMessage:
    content = message.content if checked.text == checked.answer else checked.text
    metadata = {**message.response_metadata, NOTE: summarise(checked)}
    return message.model_copy(update={"content": content, "response_metadata": metadata})
