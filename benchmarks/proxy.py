"""What the proxy costs beside the bare upstream: streams of a scripted model at 30 tokens a second.

    python benchmarks/proxy.py [--json] [--judge mini] [--streams 5] [--concurrent 200] [--rate 30]

Upstream and proxy are processes of their own. The same answers are streamed from the upstream itself and through the
proxy: one after another, and many at once. A sentence has been written when the token after it has come, so that is the
earliest moment at which it can be told to be whole; what a first release takes beyond it is the proxy's. Overhead is
what a whole stream takes longer than the bare one. An answer is mixed up when it is not, to the byte, the one for
whoever asked. CPU and memory are those of the proxy's process: on a busy machine, CPU says what times cannot.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx

from groundwire.app import Groundwire

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
FIRST = "You live in Berlin with your sister Clara, and you work at Acme as a nurse."
ANSWER = (
    f"{FIRST} Thank you, {{name}}! You moved to Berlin in May 2024. Your dog is called Rex. "
    "Is there anything else that you would like to know? Have a good day, {name}!"
)
MEMORIES = (
    "I live in Berlin.",
    "My sister Clara lives in Berlin.",
    "I work at Acme as a nurse.",
    "I moved to Berlin in May 2024.",
    "My dog is called Rex.",
)
MARK = " (not verified)"
COMMAND = "from groundwire.surfaces.cli import main; main()"


@dataclass(frozen=True, slots=True)
class Figures:
    judge: str
    tokens: int
    first_release_ms_beyond_its_sentence: float
    overhead: float
    cpu_ms_a_stream: float
    concurrent: int
    mixed_up: int
    concurrent_first_release_ms_beyond_its_sentence: float
    concurrent_overhead: float
    concurrent_cpu_ms_a_stream: float
    memory_mb: float
    memory_growth_mb: float


@dataclass(frozen=True, slots=True)
class Stream:
    first: float
    whole: float
    text: str


def split_tokens(text: str) -> list[str]:
    """About as a tokenizer would: words with the space before them."""
    first, *rest = text.split(" ")
    return [first, *(f" {word}" for word in rest)]


def tokens_of_first_sentence() -> int:
    return len(split_tokens(FIRST)) + 1


# ── the upstream ────────────────────────────────────────────────────────────────────────────────


async def upstream(scope: Any, receive: Any, send: Any) -> None:
    """An ASGI application: the answer for whoever is named in the question, a token every so many seconds."""
    if scope["type"] != "http":
        return
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    request = json.loads(body)
    pause = 1 / request["rate"]
    head = [(b"content-type", b"text/event-stream")]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    loop = asyncio.get_running_loop()
    due = loop.time()
    pieces: list[tuple[dict[str, str], str | None]] = [
        ({"content": token}, None) for token in split_tokens(ANSWER.format(name=request["messages"][-1]["content"]))
    ]
    for delta, finish in [*pieces, ({}, "stop")]:
        due += pause
        await asyncio.sleep(max(0.0, due - loop.time()))
        chunk = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
                 "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}  # fmt: skip
        data = b"data: " + json.dumps(chunk).encode() + b"\n\n"
        await send({"type": "http.response.body", "body": data, "more_body": True})
    await send({"type": "http.response.body", "body": b"data: [DONE]\n\n", "more_body": False})


def serve_upstream() -> None:
    import socket

    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0), backlog=1_024)
    print(f"listening on http://127.0.0.1:{listener.getsockname()[1]}/v1", flush=True)
    uvicorn.Server(uvicorn.Config(upstream, log_config=None, access_log=False, lifespan="off")).run([listener])


# ── the client ──────────────────────────────────────────────────────────────────────────────────


async def read_stream(client: httpx.AsyncClient, base: str, name: str, rate: float) -> Stream:
    body = {"model": "m", "stream": True, "rate": rate, "messages": [{"role": "user", "content": name}]}
    began, first, text = time.perf_counter(), 0.0, ""
    async with client.stream("POST", f"{base}/chat/completions", json=body) as response:
        async for line in response.aiter_lines():
            if not line.startswith("data: {"):
                continue
            for choice in json.loads(line[6:]).get("choices", []):
                said = choice["delta"].get("content") or ""
                first = first or (time.perf_counter() - began if said else 0.0)
                text += said
    return Stream(first, time.perf_counter() - began, text)


async def read_many(base: str, names: list[str], rate: float, *, at_once: bool) -> list[Stream]:
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(limits=limits, timeout=600) as client:
        if at_once:
            return await asyncio.gather(*(read_stream(client, base, name, rate) for name in names))
        return [await read_stream(client, base, name, rate) for name in names]


def read_process(pid: int) -> tuple[float, float]:
    """CPU seconds and resident megabytes so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return (int(fields[11]) + int(fields[12])) / TICKS, pages * PAGE / 1e6


def start(stack: ExitStack, arguments: list[str], **environ: str) -> tuple[str, int]:
    process = stack.enter_context(
        subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, env={**os.environ, **environ})
    )
    stack.callback(process.terminate)
    assert process.stdout is not None
    line = next(line for line in process.stdout if line.startswith("listening on"))
    return line.split()[-1].strip(), process.pid


def measure(judge: str, streams: int, concurrent: int, rate: float) -> Figures:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        with Groundwire(folder / "memory.db") as gw:
            for memory in MEMORIES:
                gw.remember(memory, user="ada")
        bare, _ = start(stack, [sys.executable, __file__, "--upstream"])
        line = [sys.executable, "-c", COMMAND, "proxy", "--upstream", bare, "--port", "0", "--user", "ada"]
        base, pid = start(stack, [*line, "--store", str(folder / "memory.db")], GROUNDWIRE_JUDGE=judge)
        asyncio.run(read_many(base, ["warm"], rate * 10, at_once=False))
        names = [f"N{place:03}" for place in range(streams)]
        plain = asyncio.run(read_many(bare, names, rate, at_once=False))
        before, _ = read_process(pid)
        single = asyncio.run(read_many(base, names, rate, at_once=False))
        between, memory = read_process(pid)
        crowd = [f"N{place:03}" for place in range(concurrent)]
        bare_crowd = asyncio.run(read_many(bare, crowd, rate, at_once=True))
        guarded = asyncio.run(read_many(base, crowd, rate, at_once=True))
        after, grown = read_process(pid)
    first = tokens_of_first_sentence() / rate
    return Figures(
        judge=judge,
        tokens=len(split_tokens(ANSWER)),
        first_release_ms_beyond_its_sentence=_median([one.first - first for one in single]) * 1_000,
        overhead=_median([one.whole for one in single]) / _median([one.whole for one in plain]) - 1,
        cpu_ms_a_stream=(between - before) / streams * 1_000,
        concurrent=concurrent,
        mixed_up=sum(
            one.text.replace(MARK, "") != ANSWER.format(name=name) for one, name in zip(guarded, crowd, strict=True)
        ),
        concurrent_first_release_ms_beyond_its_sentence=_median([one.first - first for one in guarded]) * 1_000,
        concurrent_overhead=_median([one.whole for one in guarded]) / _median([one.whole for one in bare_crowd]) - 1,
        concurrent_cpu_ms_a_stream=(after - between) / concurrent * 1_000,
        memory_mb=memory,
        memory_growth_mb=grown - memory,
    )


def _median(values: list[float]) -> float:
    return statistics.median(values)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--judge", default="mini")
    parser.add_argument("--streams", type=int, default=5)
    parser.add_argument("--concurrent", type=int, default=200)
    parser.add_argument("--rate", type=float, default=30.0)
    parser.add_argument("--upstream", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.upstream:
        serve_upstream()
        return
    found = asdict(measure(options.judge, options.streams, options.concurrent, options.rate))
    if options.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name.replace('_', ' '):52} {value:.3f}" if isinstance(value, float) else f"{name:52} {value}")


if __name__ == "__main__":
    main()
