"""OpenAI Agents SDK: an output guardrail for agents, and guardrails for what goes into a tool and comes out of it."""

from __future__ import annotations

import json
from dataclasses import asdict, is_dataclass
from typing import Any, cast

from groundwire.app import Groundwire
from groundwire.errors import MissingExtra
from groundwire.integrations.answers import AnswerCheck, Remedy, Who, summarise

try:
    from agents import (
        GuardrailFunctionOutput,
        OutputGuardrail,
        ToolGuardrailFunctionOutput,
        ToolInputGuardrail,
        ToolOutputGuardrail,
    )
except ModuleNotFoundError as error:
    raise MissingExtra("groundwire.integrations.openai_agents", "openai-agents") from error


def guard_output(
    gw: Groundwire, *, user: Who, tenant: str = "default", strict: bool = False, name: str = "groundwire"
) -> OutputGuardrail[Any]:
    """Trips on a final output that memory refutes or that hides a change; the output's info says why.

    `user` is a name, or is found in the run's context (`lambda context: context.context.user`).
    """
    check = AnswerCheck(gw, user=user, tenant=tenant, remedy=Remedy.BLOCK, strict=strict)

    async def verify(context: Any, agent: Any, output: Any) -> GuardrailFunctionOutput:
        checked = await check.check_async(read_output(output), context)
        return GuardrailFunctionOutput(output_info=summarise(checked), tripwire_triggered=checked.is_flagged)

    return OutputGuardrail(guardrail_function=verify, name=name)


def guard_tool_input(
    gw: Groundwire, *, user: Who, tenant: str = "default", strict: bool = False, name: str = "groundwire"
) -> ToolInputGuardrail[Any]:
    """Refuses a tool call whose texts memory refutes, and tells the model why, before anything is sent anywhere."""
    check = AnswerCheck(gw, user=user, tenant=tenant, remedy=Remedy.BLOCK, strict=strict)

    async def verify(data: Any) -> ToolGuardrailFunctionOutput:
        return await _verify_tool(check, read_arguments(data.context.tool_arguments), data, "The call was not made")

    return ToolInputGuardrail(guardrail_function=verify, name=name)


def guard_tool_output(
    gw: Groundwire, *, user: Who, tenant: str = "default", strict: bool = False, name: str = "groundwire"
) -> ToolOutputGuardrail[Any]:
    """Keeps from the model what a tool says and memory refutes."""
    check = AnswerCheck(gw, user=user, tenant=tenant, remedy=Remedy.BLOCK, strict=strict)

    async def verify(data: Any) -> ToolGuardrailFunctionOutput:
        return await _verify_tool(check, read_output(data.output), data, "The result is left out")

    return ToolOutputGuardrail(guardrail_function=verify, name=name)


async def _verify_tool(check: AnswerCheck, text: str, data: Any, what: str) -> ToolGuardrailFunctionOutput:
    if not text.strip():
        return ToolGuardrailFunctionOutput.allow()
    checked = await check.check_async(text, data.context)
    if not checked.is_flagged:
        return ToolGuardrailFunctionOutput.allow(summarise(checked))
    message = f"{what}, because it contradicts what is remembered.\n{checked.problem}"
    return ToolGuardrailFunctionOutput.reject_content(message, summarise(checked))


def read_output(output: object) -> str:
    """The text of an output; of structured output every text in it, one a line, and of anything else what it prints."""
    dump = getattr(output, "model_dump", None)
    value: object = dump() if callable(dump) else output
    if is_dataclass(value) and not isinstance(value, type):
        value = cast(object, asdict(value))
    texts = _find_texts(value)
    return "\n".join(texts) if texts or isinstance(value, dict | list | tuple) else str(value)


def read_arguments(arguments: str) -> str:
    """The texts among a tool's arguments; what is no JSON is taken as it is."""
    try:
        return "\n".join(_find_texts(json.loads(arguments or "{}")))
    except (ValueError, RecursionError):
        return arguments


def _find_texts(value: object) -> list[str]:
    match value:
        case str():
            return [value]
        case dict():
            return [text for part in cast(dict[str, object], value).values() for text in _find_texts(part)]
        case list() | tuple():
            return [text for part in cast(list[object], value) for text in _find_texts(part)]
        case _:
            return []
