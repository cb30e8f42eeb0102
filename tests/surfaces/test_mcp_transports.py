"""The MCP server as agents start it: a real process on standard input and output, and a real HTTP server."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import mcp_types as wire
import pytest
import uvicorn
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_agent import TOOLS, read_text, talk

from groundwire.app import Groundwire
from groundwire.errors import NotPermitted
from groundwire.settings import Settings
from groundwire.surfaces.mcp.callers import Caller
from groundwire.surfaces.mcp.transports import build_app
from groundwire.types import Scope
from groundwire.types.access import Issued, Role

ADDRESS = re.compile(r"http://\S+")
PATIENCE = 60
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A memory that the user filled before any agent came."""
    path = tmp_path / "memory.db"
    with Groundwire(path, settings=Settings(judge="rules")) as keeper:
        keeper.remember("I live in Porto.", user="ada")
        keeper.remember("I live in Oslo.", user="eve")
    return path


def environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH") if name in os.environ}
    return {**kept, "GROUNDWIRE_JUDGE": "rules"}


def command(*arguments: object) -> list[str]:
    start = "from groundwire.surfaces.cli import main; main()"
    return [sys.executable, "-c", start, "mcp", *map(str, arguments)]


def on_stdio(*arguments: object) -> StdioServerParameters:
    program, *rest = command(*arguments)
    return StdioServerParameters(command=program, args=rest, env=environment())


def make_key(store: Path, user: str = "ada", roles: Collection[Role] = (Role.READ, Role.PROPOSE)) -> Issued:
    with Groundwire(store) as keeper:
        return keeper.keys().create("agent", roles=roles, owner=user, sources=["ai_synthesis"])


@contextmanager
def on_http(store: Path, *arguments: object) -> Iterator[str]:
    """The address of a server that is up when its line is, and is told to stop at the end."""
    process = subprocess.Popen(
        command("--http", "--port", 0, "--store", store, *arguments),
        env=environment(),
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        found = ADDRESS.search(line)
        assert found is not None, line + process.stderr.read()
        yield found[0]
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate(timeout=PATIENCE)
        assert "Traceback" not in rest
        assert "gwk_" not in line + rest  # no key is ever logged
        assert process.returncode == 0
    finally:
        process.kill()
        process.communicate()


async def use_everything(client: Client) -> dict[str, Any]:
    """Each tool once, in the order of a conversation."""
    answers: dict[str, Any] = {"tools": [tool.name for tool in (await client.list_tools()).tools]}

    async def ask(tool: str, **arguments: object) -> Any:
        result = await client.call_tool(tool, arguments)
        assert not result.is_error, read_text(result)
        answers[tool] = result.structured_content
        return result.structured_content

    (found,) = (await ask("search_memories", query="where do I live"))["memories"]
    await ask("get_memory", memory_id=found["id"])
    await ask("memory_history", memory_id=found["id"])
    await ask("find_contradictions")
    report = await ask("verify_answer", answer="You live in Rome.")
    (logged,) = (await client.read_resource(f"groundwire://report/{report['report_id']}")).contents
    assert isinstance(logged, wire.TextResourceContents)
    answers["report"] = json.loads(logged.text)
    receipt = await ask("add_memory", content="The user's dog is called Rex.")
    await ask("explain_decision", id=receipt["review_id"])
    await ask("forget_memory", memory_id=found["id"], reason="asked to")
    answers["refused"] = read_text(await client.call_tool("get_memory", {"memory_id": found["id"]}))
    answers["prompts"] = [prompt.name for prompt in (await client.list_prompts()).prompts]
    return answers


def check_everything(answers: dict[str, Any], store: Path, proposer: str = "agent") -> None:
    assert answers["tools"] == list(TOOLS)
    assert answers["search_memories"]["memories"][0]["text"] == "I live in Porto."
    assert answers["get_memory"]["user"] == "ada"
    assert answers["verify_answer"]["corrected"] == "You live in Porto."
    assert answers["report"]["verdict"] == "REFUTED"
    assert answers["prompts"] == ["disclose_changes"]
    assert answers["explain_decision"]["decision"] == "pending"
    assert "there is no memory" in answers["refused"]
    with Groundwire(store, settings=Settings(judge="rules")) as keeper:
        (item,) = keeper.reviews("ada").pending()
        assert (item.content, item.proposer) == ("The user's dog is called Rex.", proposer)
        assert [one.memory.text for one in keeper.recall("where do I live", user="eve")] == ["I live in Oslo."]


# ── standard input and output ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_an_agent_uses_every_tool_over_stdio(store: Path, mode: str):
    answers = talk(on_stdio("--store", store, "--user", "ada"), use_everything, mode)
    check_everything(answers, store)


def test_the_command_line_says_who_the_agent_is_and_what_it_may_do(store: Path):
    server = on_stdio("--store", store, "--user", "eve", "--credential", "helper", "--source", "user", "--read-only")

    async def converse(client: Client) -> tuple[list[str], Any]:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        found = await client.call_tool("search_memories", {"query": "where do I live"})
        return tools, found.structured_content

    tools, found = talk(server, converse)
    assert "add_memory" not in tools
    assert [memory["text"] for memory in found["memories"]] == ["I live in Oslo."]


def test_a_new_store_is_made_and_an_allowed_source_is_taken(tmp_path: Path):
    store = tmp_path / "new.db"
    server = on_stdio("--store", store, "--user", "ada", "--source", "user", "--no-forget")
    arguments = {"content": "I live in Porto.", "source": "user"}
    result = talk(server, lambda client: client.call_tool("add_memory", arguments))
    assert result.structured_content["tier"] == "auto_approve"
    with Groundwire(store) as keeper:
        assert [one.memory.source for one in keeper.recall("where do I live", user="ada")] == ["user"]


def test_lines_that_are_no_messages_do_not_end_the_connection(store: Path):
    """Garbage, halves of surrogates and deep nesting on the wire; the next request is answered."""
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    half = '{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "add_memory", "arguments": '
    half += '{"content": "\\ud800"}}}'
    ping = {"jsonrpc": "2.0", "id": 3, "method": "tools/list"}
    lines = [json.dumps(hello), json.dumps(ready), "garbage", "[" * 50_000, half, "{}", "null", json.dumps(ping)]
    process = subprocess.Popen(
        command("--store", store, "--user", "ada"),
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("\n".join(lines) + "\n")
        process.stdin.flush()
        answers = (json.loads(line) for line in process.stdout)
        answer = next(message for message in answers if message.get("id") == 3)
        _, complaints = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, complaints
    finally:
        process.kill()
        process.communicate()
    assert len(answer["result"]["tools"]) == len(TOOLS)


# ── streamable HTTP ─────────────────────────────────────────────────────────────────────────────


def talk_http(address: str, conversation: Any, mode: str = "auto", *, key: str) -> Any:
    async def connect() -> Any:
        with anyio.fail_after(PATIENCE):
            async with (
                httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE) as http,
                Client(streamable_http_client(address, http_client=http), mode=mode) as client,
            ):
                return await conversation(client)

    return anyio.run(connect)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_an_agent_uses_every_tool_over_http(store: Path, mode: str):
    key = make_key(store, roles=(Role.READ, Role.PROPOSE, Role.ADMIN))
    with on_http(store) as address:
        answers = talk_http(address, use_everything, mode, key=key.token)
    check_everything(answers, store, key.credential.id)


@pytest.mark.requirement("SEC-017")
def test_the_key_that_proposed_over_http_can_neither_approve_nor_forget(store: Path):
    key = make_key(store)

    async def converse(client: Client) -> tuple[list[str], Any]:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        return tools, (await client.call_tool("add_memory", {"content": "My dog is Rex.", "source": "user"}))

    with on_http(store) as address:
        tools, result = talk_http(address, converse, key=key.token)
    assert "forget_memory" not in tools
    assert result.structured_content["tier"] == "flag_review"
    review_id, own = result.structured_content["review_id"], key.credential.id
    with Groundwire(store) as keeper:
        with pytest.raises(NotPermitted, match="proposed"):
            keeper.reviews("ada", reviewers=[own]).approve(review_id, reviewer=own, credential=own)
        assert keeper.reviews("ada").approve(review_id).memory is not None


def test_a_request_without_a_key_reaches_nothing(store: Path):
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accept = {"Accept": "application/json, text/event-stream"}
    key = make_key(store).token
    with on_http(store) as address:
        for given in (None, "Bearer wrong", key, f"Basic {key}", f"Bearer {key}0"):
            header = {} if given is None else {"Authorization": given}
            answer = httpx2.post(address, json=listing, headers={**accept, **header})
            assert (answer.status_code, "WWW-Authenticate" in answer.headers) == (401, True)
        good = {**accept, "Authorization": f"Bearer {key}"}
        foreign = httpx2.post(address, json=listing, headers={**good, "Host": "evil.example"})
        assert foreign.status_code == 421
        cross = httpx2.post(address, json=listing, headers={**good, "Origin": "http://evil.example"})
        assert cross.status_code == 403
        large = httpx2.post(address, json="x" * (9 * 1024 * 1024), headers=good)
        assert large.status_code == 413


def test_a_key_that_asks_too_often_is_told_when_to_ask_again(store: Path):
    settings = Settings(judge="rules", serve_rate=0.01, serve_burst=2)
    headers = {"Accept": "application/json, text/event-stream", "Authorization": "Bearer key-of-ada"}
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    callers = {"key-of-ada": Caller(Scope("ada"), "agent-of-ada")}
    with Groundwire(store, settings=settings) as keeper, in_this_process(keeper, callers) as address:
        answers = [httpx2.post(address, json=listing, headers=headers) for _ in range(3)]
    assert [answer.status_code == 429 for answer in answers] == [False, False, True]
    assert int(answers[2].headers["Retry-After"]) >= 1


@contextmanager
def in_this_process(keeper: Groundwire, callers: Mapping[str, Caller]) -> Iterator[str]:
    """A server for several keys, on a port of its own, in a thread."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        app = build_app(keeper, callers.get, "1.2.3")
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="on"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
            assert not thread.is_alive()


@pytest.mark.requirement("SEC-003")
def test_the_key_decides_whose_memory_it_is(store: Path):
    callers = {"key-of-ada": Caller(Scope("ada"), "agent-of-ada"), "key-of-eve": Caller(Scope("eve"), "agent-of-eve")}

    async def find(client: Client) -> list[str]:
        found = await client.call_tool("search_memories", {"query": "where do I live"})
        return [memory["text"] for memory in found.structured_content["memories"]]

    with Groundwire(store, settings=Settings(judge="rules")) as keeper, in_this_process(keeper, callers) as address:
        assert talk_http(address, find, key="key-of-ada") == ["I live in Porto."]
        assert talk_http(address, find, "legacy", key="key-of-eve") == ["I live in Oslo."]


@pytest.mark.requirement("SEC-003")
def test_a_session_serves_nobody_but_the_key_that_opened_it(store: Path):
    callers = {"key-of-ada": Caller(Scope("ada"), "agent-of-ada"), "key-of-eve": Caller(Scope("eve"), "agent-of-eve")}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
    ask = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    with Groundwire(store, settings=Settings(judge="rules")) as keeper, in_this_process(keeper, callers) as address:
        opened = httpx2.post(address, json=hello, headers={**headers, "Authorization": "Bearer key-of-ada"})
        session = {**headers, "Mcp-Session-Id": opened.headers["Mcp-Session-Id"]}
        stolen = httpx2.post(address, json=ask, headers={**session, "Authorization": "Bearer key-of-eve"})
        assert stolen.status_code == 404
        own = httpx2.post(address, json=ask, headers={**session, "Authorization": "Bearer key-of-ada"})
        assert (own.status_code, "add_memory" in own.text) == (200, True)


def test_a_server_without_a_key_or_a_store_does_not_start(store: Path):
    def start(*arguments: object) -> str:
        done = subprocess.run(
            command(*arguments),
            env=environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 2
        return done.stderr

    assert "keys create" in start("--http", "--store", store)
    make_key(store)
    assert "leave --user" in start("--http", "--store", store, "--user", "ada")
    assert "Cannot listen" in start("--http", "--host", "192.0.2.1", "--store", store)
    assert "No store is named" in start()


def test_without_the_sdk_the_extra_is_named(store: Path):
    block = "import sys; sys.modules['mcp'] = None; from groundwire.surfaces.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", block, "mcp", "--store", str(store)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert 'pip install "groundwire[mcp]"' in done.stderr
