"""What the service costs beside the library itself: verify and remember, mixed, over loopback.

    python benchmarks/service.py [--json] [--seconds 10] [--connections 50] [--judge mini] [--workers 1]

The library works through the calls in a loop, in a process of its own; then a service of its own process answers the
same calls from so many connections at once, each waiting for one answer before it asks again. Three calls in four
verify an answer against what is remembered of one of the users, the fourth remembers a statement; every process begins
with an empty store on disk. Errors are answers that are no success. CPU is that of the process that does the work, so
it says on a busy machine what throughput cannot. Memory is read after a tenth of the time and at the end.
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
from collections.abc import Sequence
from dataclasses import asdict, dataclass
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
    seconds: float
    per_second: float
    p50_ms: float
    p99_ms: float
    cpu_ms_per_call: float
    memory_mb: float
    memory_growth_mb: float


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


def conclude(
    times: Sequence[float],
    errors: int,
    seconds: float,
    before: tuple[float, float],
    after: tuple[float, float],
    mid: float,
) -> Outcome:
    ordered = sorted(times)
    return Outcome(
        calls=len(times),
        errors=errors,
        seconds=round(seconds, 2),
        per_second=round(len(times) / seconds, 1),
        p50_ms=round(statistics.median(ordered) * 1e3, 2),
        p99_ms=round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))] * 1e3, 2),
        cpu_ms_per_call=round((after[0] - before[0]) / len(times) * 1e3, 3),
        memory_mb=round(after[1], 1),
        memory_growth_mb=round(after[1] - mid, 1),
    )


# ── the library ─────────────────────────────────────────────────────────────────────────────────


def run_library(folder: Path, seconds: float, users: int, judge: str) -> Outcome:
    from groundwire import Groundwire, Settings

    times: list[float] = []
    with Groundwire(folder / "library.db", settings=Settings(judge=judge)) as gw:
        for number in range(users):
            _do(gw, *make_call(number, users))
        _do(gw, "/v1/verify", {"text": "You live in Porto.", "user": "load-0"})
        before, begun, mid = read_process(os.getpid()), time.perf_counter(), 0.0
        while (now := time.perf_counter()) - begun < seconds:
            mid = mid or (read_process(os.getpid())[1] if now - begun > seconds / 10 else 0.0)
            _do(gw, *make_call(users + len(times), users))
            times.append(time.perf_counter() - now)
        return conclude(times, 0, time.perf_counter() - begun, before, read_process(os.getpid()), mid)


def _do(gw: Any, path: str, body: dict[str, str]) -> None:
    from groundwire.surfaces.remembering import describe_remembered
    from groundwire.surfaces.responses import describe_report, write_json

    if path == "/v1/memories":
        write_json(describe_remembered(gw.remember(body["content"], source=body["source"], user=body["user"])))
    else:
        write_json(describe_report(gw.verify(body["text"], user=body["user"])))


# ── the service ─────────────────────────────────────────────────────────────────────────────────


def run_service(folder: Path, seconds: float, connections: int, judge: str, workers: int) -> Outcome:
    command = [sys.executable, "-c", "from groundwire.surfaces.cli import main; main()"]
    command += ["serve", "--store", str(folder / "service.db"), "--port", "0"]
    settings = {"JUDGE": judge, "SERVE_RATE": "0", "SERVE_WORKERS": str(workers)}
    environ = {
        **os.environ,
        **{f"GROUNDWIRE_{name}": value for name, value in settings.items()},
        "PYTHONUNBUFFERED": "1",
    }
    with (folder / "service.log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environ)
        try:
            assert process.stdout is not None
            token, port = "", 0
            for line in process.stdout:
                if line.strip().startswith("gwk_"):
                    token = line.strip()
                if line.startswith("listening on "):
                    port = int(line.rpartition(":")[2])
                    break
            return asyncio.run(_load(process.pid, port, token, seconds, connections))
        finally:
            process.terminate()
            process.wait(60)


async def _load(pid: int, port: int, token: str, seconds: float, connections: int) -> Outcome:
    numbers = iter(range(connections, 10**9))
    times: list[float] = []
    errors = 0

    async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> int:
        path, body = make_call(number, connections)
        content = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        writer.write(head.encode() + content)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        await reader.readexactly(int(answer.partition("content-length: ")[2].partition("\r\n")[0]))
        return int(answer.split(" ", 2)[1])

    async def connect(place: int) -> None:
        nonlocal errors
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await ask(reader, writer, place)
        await everybody.wait()
        while (begun := time.perf_counter()) < until[0]:
            status = await ask(reader, writer, next(numbers))
            times.append(time.perf_counter() - begun)
            errors += status >= 400
        writer.close()
        await writer.wait_closed()

    everybody, until = asyncio.Barrier(connections + 1), [0.0]
    tasks = [asyncio.create_task(connect(place)) for place in range(connections)]
    until[0] = time.perf_counter() + 3_600
    while everybody.n_waiting < connections:
        await asyncio.sleep(0.01)
    before, begun = read_process(pid), time.perf_counter()
    until[0] = begun + seconds
    await everybody.wait()
    await asyncio.sleep(seconds / 10)
    mid = read_process(pid)[1]
    await asyncio.gather(*tasks)
    return conclude(times, errors, time.perf_counter() - begun, before, read_process(pid), mid)


# ── both ────────────────────────────────────────────────────────────────────────────────────────


def measure(seconds: float, connections: int, judge: str, workers: int) -> dict[str, Outcome]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = [sys.executable, __file__, "--library", str(folder), "--seconds", str(seconds)]
        script += ["--connections", str(connections), "--judge", judge]
        done = subprocess.run(script, capture_output=True, text=True, check=True)
        library = Outcome(**json.loads(done.stdout))
        return {"library": library, "service": run_service(folder, seconds, connections, judge, workers)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--connections", type=int, default=50)
    parser.add_argument("--judge", default="mini")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--library", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.library is not None:
        print(json.dumps(asdict(run_library(given.library, given.seconds, given.connections, given.judge))))
        return
    found = measure(given.seconds, given.connections, given.judge, given.workers)
    if given.json:
        print(json.dumps({name: asdict(outcome) for name, outcome in found.items()}))
        return
    names = list(asdict(found["library"]))
    print(f"{'':18}" + "".join(f"{name:>12}" for name in found))
    for name in names:
        print(f"{name:18}" + "".join(f"{getattr(outcome, name):>12,}" for outcome in found.values()))
    share = found["service"].per_second / found["library"].per_second
    print(f"\nthe service does {share:.0%} of the calls that the library does in a loop")


if __name__ == "__main__":
    main()
