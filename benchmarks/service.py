"""What the service costs beside the library itself: verify and remember, mixed, over loopback.

    python benchmarks/service.py [--json] [--seconds 10] [--connections 50] [--rounds 5] [--judge mini] [--workers 1]

The library works through the calls in a loop, in a process of its own; a service of its own process answers the same
calls from so many connections at once, each waiting for one answer before it asks again. The two take turns, so that
whatever else the machine does meets both. Three calls in four verify an answer against what is remembered of one of the
users, the fourth remembers a statement; both begin with an empty store on disk. Errors are answers that are no success.
CPU is that of the process that does the work; the service beside the library is the median over the rounds, so that a
round in which somebody else had the machine does not decide. Memory is read after every round: growth is from the first
to the last, and `memory_mb_by_round` shows whether it ends.
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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

CITIES = ("Porto", "Lisbon", "Berlin", "Madrid", "Oslo", "Turin", "Ghent", "Graz")
COLOURS = ("green", "blue", "red", "yellow", "white")
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way of doing the same calls."""

    calls: int
    errors: int
    per_second: float
    p50_ms: float
    p99_ms: float
    cpu_ms_per_call: float
    memory_mb: float
    memory_growth_mb: float
    memory_mb_by_round: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both, and how many calls the service does for the processor time in which the library does one."""

    library: Outcome
    service: Outcome
    by_processor_time: float


@dataclass(slots=True)
class Tally:
    """What the rounds of one of the two have come to so far."""

    pid: int
    times: list[float] = field(default_factory=list[float])
    errors: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    memory: list[float] = field(default_factory=list[float])
    cpu_by_round: list[float] = field(default_factory=list[float])

    def conclude(self) -> Outcome:
        ordered = sorted(self.times)
        return Outcome(
            calls=len(ordered),
            errors=self.errors,
            per_second=round(len(ordered) / self.seconds, 1),
            p50_ms=round(statistics.median(ordered) * 1e3, 2),
            p99_ms=round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))] * 1e3, 2),
            cpu_ms_per_call=round(self.cpu / len(ordered) * 1e3, 3),
            memory_mb=round(self.memory[-1], 1),
            memory_growth_mb=round(self.memory[-1] - self.memory[0], 1),
            memory_mb_by_round=tuple(round(each, 1) for each in self.memory),
        )


def make_call(number: int, users: int) -> tuple[str, dict[str, str]]:
    """The same calls for everybody: (path, body). What is remembered repeats, so that stores stay of one size."""
    user, turn = f"load-{number % users}", number // users
    city, colour = CITIES[(number + turn) % len(CITIES)], COLOURS[turn % len(COLOURS)]
    if turn % 4 == 0:
        said = f"I moved to {city}." if turn % 8 else f"My favourite colour is {colour}."
        return "/v1/memories", {"content": said, "source": "user", "user": user}
    return "/v1/verify", {"text": f"You live in {city} and your favourite colour is {colour}.", "user": user}


def read_process(pid: int) -> tuple[float, float]:
    """CPU seconds and resident megabytes so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    resident = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return (int(fields[11]) + int(fields[12])) / TICKS, resident * PAGE / 1e6


# ── the library ─────────────────────────────────────────────────────────────────────────────────


def run_library(path: Path, users: int, judge: str) -> None:
    """A round for every line on standard input, which says how long: the times of its calls."""
    from groundwire import Groundwire, Settings

    number = 0
    with Groundwire(path, settings=Settings(judge=judge)) as gw:
        for line in sys.stdin:
            times: list[float] = []
            begun = time.perf_counter()
            while (now := time.perf_counter()) - begun < float(line):
                do(gw, *make_call(number, users))
                times.append(time.perf_counter() - now)
                number += 1
            print(json.dumps(times), flush=True)


def do(gw: Any, path: str, body: dict[str, str]) -> None:
    """As much as the service does: the call, and its answer as text."""
    from groundwire.surfaces.remembering import describe_remembered
    from groundwire.surfaces.responses import describe_report, write_json

    if path == "/v1/memories":
        write_json(describe_remembered(gw.remember(body["content"], source=body["source"], user=body["user"])))
    else:
        write_json(describe_report(gw.verify(body["text"], user=body["user"])))


def ask_library(process: subprocess.Popen[str], seconds: float) -> list[float]:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(f"{seconds}\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


# ── the service ─────────────────────────────────────────────────────────────────────────────────


@contextmanager
def serve(folder: Path, judge: str, workers: int) -> Iterator[tuple[int, int, str]]:
    """Its process, its port and a key."""
    command = [sys.executable, "-c", "from groundwire.surfaces.cli import main; main()"]
    command += ["serve", "--store", str(folder / "service.db"), "--port", "0"]
    settings = {"JUDGE": judge, "SERVE_RATE": "0", "SERVE_WORKERS": str(workers)}
    named = {f"GROUNDWIRE_{name}": value for name, value in settings.items()}
    environ = {**os.environ, **named, "PYTHONUNBUFFERED": "1"}
    with (folder / "service.log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environ)
        try:
            assert process.stdout is not None
            token, port = "", 0
            for line in process.stdout:
                token = line.strip() if line.strip().startswith("gwk_") else token
                if line.startswith("listening on "):
                    port = int(line.rpartition(":")[2])
                    break
            yield process.pid, port, token
        finally:
            process.terminate()
            process.wait(60)


async def load(port: int, token: str, seconds: float, connections: int, numbers: Iterator[int], tally: Tally) -> None:
    """Every connection asks, waits and asks again, until the time is over."""

    async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        path, body = make_call(next(numbers), connections)
        content = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        writer.write(head.encode() + content)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        await reader.readexactly(int(answer.partition("content-length: ")[2].partition("\r\n")[0]))
        return int(answer.split(" ", 2)[1])

    async def connect() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while (begun := time.perf_counter()) < until:
            status = await ask(reader, writer)
            tally.times.append(time.perf_counter() - begun)
            tally.errors += status >= 400
        writer.close()
        await writer.wait_closed()

    until = time.perf_counter() + seconds
    await asyncio.gather(*(connect() for _ in range(connections)))


# ── both ────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def counting(tally: Tally) -> Iterator[None]:
    cpu, begun, done = read_process(tally.pid)[0], time.perf_counter(), len(tally.times)
    yield
    after, memory = read_process(tally.pid)
    tally.cpu += after - cpu
    tally.cpu_by_round.append((after - cpu) / max(1, len(tally.times) - done))
    tally.seconds += time.perf_counter() - begun
    tally.memory.append(memory)


def measure(seconds: float, connections: int, rounds: int, judge: str, workers: int) -> Comparison:
    with tempfile.TemporaryDirectory() as name, serve(Path(name), judge, workers) as (pid, port, token):
        script = [sys.executable, __file__, "--library", str(Path(name) / "library.db")]
        script += ["--connections", str(connections), "--judge", judge]
        library = subprocess.Popen(script, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        own, served, numbers = Tally(library.pid), Tally(pid), iter(range(10**9))
        ask_library(library, 1.0)  # both have opened what they need before anything is counted
        asyncio.run(load(port, token, 1.0, connections, numbers, Tally(pid)))
        for number in range(rounds):
            with counting(own):
                own.times += ask_library(library, seconds / rounds)
            with counting(served):
                asyncio.run(load(port, token, seconds / rounds, connections, numbers, served))
            print(f"round {number + 1} of {rounds}", file=sys.stderr)
        assert library.stdin is not None
        library.stdin.close()
        library.wait(60)
        share = statistics.median(mine / its for mine, its in zip(own.cpu_by_round, served.cpu_by_round, strict=True))
        return Comparison(own.conclude(), served.conclude(), round(share, 3))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each of the two")
    parser.add_argument("--connections", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--judge", default="mini")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--library", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.library is not None:
        run_library(given.library, given.connections, given.judge)
        return
    found = measure(given.seconds, given.connections, given.rounds, given.judge, given.workers)
    if given.json:
        print(json.dumps(asdict(found)))
        return
    both = {"library": found.library, "service": found.service}
    print(f"{'':18}" + "".join(f"{name:>12}" for name in both))
    for name in list(asdict(found.library))[:-1]:
        print(f"{name:18}" + "".join(f"{getattr(outcome, name):>12,}" for outcome in both.values()))
    for name, outcome in both.items():
        print(f"memory of the {name} by round, MB: {' '.join(map(str, outcome.memory_mb_by_round))}")
    share = found.service.per_second / found.library.per_second
    print(f"\nthe service does {share:.0%} of the calls that the library does in a loop,")
    print(f"and {found.by_processor_time:.0%} for the same processor time")


if __name__ == "__main__":
    main()
