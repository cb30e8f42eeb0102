"""An agent as the SDK writes one, for the tests of the MCP server: synchronous outside, the SDK's client inside."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio
import mcp_types as wire
from mcp import Client, MCPError
from mcp.server import Server

from groundwire.app import Groundwire
from groundwire.surfaces.mcp.callers import Caller
from groundwire.surfaces.mcp.server import build_server
from groundwire.types import Scope

Answer = TypeVar("Answer")
ADA = Caller(Scope("ada"), "agent")
TOOLS = (
    "search_memories",
    "verify_answer",
    "add_memory",
    "get_memory",
    "memory_history",
    "find_contradictions",
    "explain_decision",
    "forget_memory",
)


def talk(server: Any, conversation: Callable[[Client], Awaitable[Answer]], mode: str = "auto") -> Answer:
    """One connection from its beginning to its end; an error of the protocol is raised as what it is."""

    async def connect() -> Answer | MCPError:
        with anyio.fail_after(120):
            async with Client(server, mode=mode) as client:
                try:
                    return await conversation(client)
                except MCPError as error:  # the client's task group would wrap it
                    return error

    outcome = anyio.run(connect)
    if isinstance(outcome, MCPError):
        raise outcome
    return outcome


def serve(keeper: Groundwire, caller: Caller = ADA) -> Server[Any]:
    return build_server(keeper, lambda ctx: caller, "1.2.3")


def call(keeper: Groundwire, tool: str, caller: Caller = ADA, /, **arguments: object) -> dict[str, Any]:
    """What a tool answers; the SDK's client has compared it with the output schema."""
    result = talk(serve(keeper, caller), lambda client: client.call_tool(tool, arguments))
    assert not result.is_error, result.content
    assert json.loads(read_text(result)) == result.structured_content
    return result.structured_content


def refuse(keeper: Groundwire, tool: str, caller: Caller = ADA, /, **arguments: object) -> str:
    """What a tool says when it does not do it."""
    result = talk(serve(keeper, caller), lambda client: client.call_tool(tool, arguments))
    assert result.is_error
    return read_text(result)


def read_text(result: wire.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, wire.TextContent)
    return content.text
