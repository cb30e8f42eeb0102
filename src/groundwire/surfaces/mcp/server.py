"""The server: requests of the protocol in, one thread hop to the library, results or clear errors out."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import anyio.to_thread
import mcp_types as wire
from anyio import CapacityLimiter
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError

from groundwire.errors import GroundwireError, InvalidInput, NotFound, NotPermitted
from groundwire.surfaces.mcp import prompts, resources
from groundwire.surfaces.mcp.callers import Ability, Caller
from groundwire.surfaces.mcp.offers import Offer, list_offers
from groundwire.surfaces.mcp.reports import Moments
from groundwire.surfaces.mcp.tools import Desk
from groundwire.surfaces.requests import refuse_unknown
from groundwire.surfaces.responses import JsonObject, write_json

if TYPE_CHECKING:
    from groundwire.app import Groundwire

Context = ServerRequestContext[Any, Any]
Identify = Callable[[Context], Caller]
Answer = TypeVar("Answer")

log = logging.getLogger(__name__)


def build_server(keeper: Groundwire, identify: Identify, version: str = "") -> Server[Any]:
    """A server over one library; `identify` says for each request whose memory it is about."""
    agent = _Agent(Desk(keeper, Moments(lambda: datetime.now(UTC))), identify)
    words = prompts.read_texts()["server"]
    return Server(
        "groundwire",
        version=version,
        title=words["title"],
        instructions=words["instructions"].strip(),
        get_tool_input_schema=agent.find_input_schema,
        on_list_tools=agent.list_tools,
        on_call_tool=agent.call_tool,
        on_list_resources=agent.list_resources,
        on_list_resource_templates=agent.list_templates,
        on_read_resource=agent.read_resource,
        on_list_prompts=agent.list_prompts,
        on_get_prompt=agent.get_prompt,
    )


_LEAST_WORKERS = 4
"""A call that waits for a lock or a model must not hold up the others."""


class _Agent:
    """The requests of the protocol, one method each."""

    def __init__(self, desk: Desk, identify: Identify) -> None:
        self._desk = desk
        self._identify = identify
        self._offers = list_offers(desk.limits)
        self._room = CapacityLimiter(max(_LEAST_WORKERS, desk.limits.serve_workers))  # a burst is not a hundred threads

    async def _work(self, action: Callable[[], Answer]) -> Answer:
        """The library blocks, so it works in a thread; what was begun is finished even if nobody waits any more."""
        return await anyio.to_thread.run_sync(action, limiter=self._room)

    # ── tools ───────────────────────────────────────────────────────────────────────────────────

    def find_input_schema(self, name: str) -> dict[str, Any] | None:
        offer = self._offers.get(name)
        return None if offer is None else offer.takes

    async def list_tools(self, ctx: Context, params: wire.PaginatedRequestParams | None) -> wire.ListToolsResult:
        """Those that this caller may use."""
        able = self._identify(ctx).abilities
        return wire.ListToolsResult(tools=[_describe(o) for o in self._offers.values() if o.ability in able])

    async def call_tool(self, ctx: Context, params: wire.CallToolRequestParams) -> wire.CallToolResult:
        caller = self._identify(ctx)
        offer = self._offers.get(params.name)
        if offer is None:
            known = ", ".join(self._offers)
            raise MCPError(wire.INVALID_PARAMS, f"there is no tool {params.name[:80]!r}; there are {known}")
        try:
            return _succeed(await self._work(partial(self._carry_out, offer, caller, params.arguments or {})))
        except GroundwireError as error:
            return _fail(str(error))
        except Exception as error:  # the outermost edge: the agent is told, the traceback stays here
            log.exception("the tool %s failed", offer.name)
            return _fail(f"{offer.name} failed inside groundwire ({type(error).__name__}); nothing was answered")

    def _carry_out(self, offer: Offer, caller: Caller, arguments: dict[str, Any]) -> JsonObject:
        if offer.ability not in caller.abilities:
            raise NotPermitted(f"this connection may not use {offer.name}: it lacks {offer.ability.value!r}")
        refuse_unknown(arguments, list(offer.takes["properties"]))
        return offer.work(self._desk, caller, arguments)

    # ── resources ───────────────────────────────────────────────────────────────────────────────

    async def list_resources(
        self, ctx: Context, params: wire.PaginatedRequestParams | None
    ) -> wire.ListResourcesResult:
        caller = self._identify_reader(ctx)
        found = await self._ask(partial(resources.list_resources, self._desk, caller))
        return wire.ListResourcesResult(
            resources=[
                wire.Resource(uri=one.uri, name=one.name, description=one.description, mime_type=resources.JSON)
                for one in found
            ]
        )

    async def list_templates(
        self, ctx: Context, params: wire.PaginatedRequestParams | None
    ) -> wire.ListResourceTemplatesResult:
        return wire.ListResourceTemplatesResult(
            resource_templates=[
                wire.ResourceTemplate(
                    name=kind.name,
                    title=kind.title,
                    description=kind.description,
                    uri_template=kind.template,
                    mime_type=resources.JSON,
                )
                for kind in resources.KINDS
            ]
        )

    async def read_resource(self, ctx: Context, params: wire.ReadResourceRequestParams) -> wire.ReadResourceResult:
        caller = self._identify_reader(ctx)
        found = await self._ask(partial(resources.read_resource, self._desk, caller, params.uri))
        content = wire.TextResourceContents(uri=params.uri, mime_type=resources.JSON, text=write_json(found))
        return wire.ReadResourceResult(contents=[content])

    # ── prompts ─────────────────────────────────────────────────────────────────────────────────

    async def list_prompts(self, ctx: Context, params: wire.PaginatedRequestParams | None) -> wire.ListPromptsResult:
        words = prompts.read_texts()[prompts.NAME]
        topic = wire.PromptArgument(name="topic", description=words["topic"], required=False)
        prompt = wire.Prompt(
            name=prompts.NAME, title=words["title"], description=words["description"], arguments=[topic]
        )
        return wire.ListPromptsResult(prompts=[prompt])

    async def get_prompt(self, ctx: Context, params: wire.GetPromptRequestParams) -> wire.GetPromptResult:
        caller, arguments = self._identify_reader(ctx), dict[str, object](params.arguments or {})
        text = await self._ask(partial(prompts.write_prompt, self._desk, caller, params.name, arguments))
        message = wire.PromptMessage(role="user", content=wire.TextContent(text=text))
        description = prompts.read_texts()[prompts.NAME]["description"]
        return wire.GetPromptResult(description=description, messages=[message])

    # ── refusals ────────────────────────────────────────────────────────────────────────────────

    def _identify_reader(self, ctx: Context) -> Caller:
        caller = self._identify(ctx)
        if Ability.READ not in caller.abilities:
            raise MCPError(wire.INVALID_REQUEST, "this connection may not read memories")
        return caller

    async def _ask(self, action: Callable[[], Answer]) -> Answer:
        """Outside of tools the protocol has errors of its own; what fails inside stays inside."""
        try:
            return await self._work(action)
        except (InvalidInput, NotFound) as error:
            raise MCPError(wire.INVALID_PARAMS, str(error)) from error
        except GroundwireError as error:
            raise MCPError(wire.INTERNAL_ERROR, str(error)) from error


def _describe(offer: Offer) -> wire.Tool:
    return wire.Tool(
        name=offer.name,
        title=offer.title,
        description=offer.description,
        input_schema=offer.takes,
        output_schema=offer.gives,
        annotations=wire.ToolAnnotations(
            title=offer.title,
            read_only_hint=offer.is_read_only,
            destructive_hint=offer.is_destructive,
            idempotent_hint=offer.is_idempotent,
            open_world_hint=False,
        ),
    )


def _succeed(result: JsonObject) -> wire.CallToolResult:
    """The same twice: as data, and as text for agents that read text."""
    return wire.CallToolResult(content=[wire.TextContent(text=write_json(result))], structured_content=result)


def _fail(message: str) -> wire.CallToolResult:
    return wire.CallToolResult(content=[wire.TextContent(text=message)], is_error=True)
