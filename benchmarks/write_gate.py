"""The write gate: candidates in the right tier, and how many a second over a large store.

    python benchmarks/write_gate.py [--json] [--half dev|heldout|all] [--misses] [--sizes 1000,10000,100000]

Tiers are scored on `data/gate_*.jsonl`, against a repository with decision records and commits, a web server and an
issue tracker that the script makes itself. Throughput is one core and one owner, without network: candidates that are
new, near duplicates and contradictions in equal parts, after the memories have been indexed.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from groundwire.judge.judge import RulesJudge
from groundwire.memory.addresses import PublicAddresses
from groundwire.memory.checks import Candidate
from groundwire.memory.commits import CommitChecker
from groundwire.memory.existing import ListedMemories
from groundwire.memory.fetching import Fetcher
from groundwire.memory.fingerprints import fingerprint
from groundwire.memory.gate import IngestionValidator
from groundwire.memory.provenance import CitationChecker, CitationVerifier
from groundwire.memory.receipts import ValidationResult
from groundwire.memory.records import RecordChecker
from groundwire.memory.trackers import IssueChecker, Tracker, TrackerKind
from groundwire.memory.urls import UrlChecker
from groundwire.types import CitationType, Memory
from read_gate import forget_texts

DATA = Path(__file__).resolve().parent / "data"
HALVES = ("dev", "heldout")
NOW = datetime(2026, 1, 5, 9, tzinfo=UTC)
TIERS = ("auto_approve", "flag_review", "block")
RECORDS = {
    "ADR-003-use-postgresql.md": "# ADR-003 Use PostgreSQL\n\nWe store orders in PostgreSQL.\n",
    "ADR-0012-event-bus.md": "# ADR-0012 Event bus\n\nEvents go over the bus.\n",
    "ADR-7.md": "# ADR-7 Versions\n\nThe API is versioned.\n",
    "ADR-021-rate-limits.md": "# ADR-021 Rate limits\n\nEach client has a limit.\n",
}


# ── the world that the cases speak of ───────────────────────────────────────────────────────────


class _Pages(BaseHTTPRequestHandler):
    """Pages that are there, gone, broken, moved, or behind a login; and an issue tracker with one issue."""

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def _answer(self) -> None:
        moved = {"/moved": "/docs/api", "/private": "/login?next=/private", "/old/guide": "/"}.get(self.path)
        tracker = {"/repos/team/shop": {}, "/repos/team/shop/issues/17": {"number": 17, "title": "Crash"}}
        status = 200 if self.path in ("/docs/api", *tracker) else 500 if self.path == "/broken" else 404
        body = json.dumps(tracker.get(self.path, "ok")).encode()
        self.send_response(302 if moved else status)
        if moved:
            self.send_header("Location", moved)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@dataclass(frozen=True, slots=True)
class _OwnServer:
    """Public addresses, and the one server of this script."""

    port: int

    def refuse(self, address: str, port: int) -> str | None:
        return None if (address, port) == ("127.0.0.1", self.port) else PublicAddresses().refuse(address, port)


@dataclass(frozen=True, slots=True)
class World:
    checkers: Mapping[CitationType, CitationChecker]
    names: Mapping[str, str]

    def fill(self, text: str) -> str:
        """Placeholders of the cases: {c1}, {c1:7} for a hash and its beginning, {ok} for an address."""
        for name, value in self.names.items():
            text = text.replace("{" + name + "}", value)
            for length in range(7, 13):
                text = text.replace(f"{{{name}:{length}}}", value[:length])
        return text


@contextmanager
def build_world() -> Iterator[World]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_address[1]}"
    fetcher = Fetcher(_OwnServer(int(server.server_address[1])), time.monotonic)
    try:
        with tempfile.TemporaryDirectory() as folder:
            hashes = build_repository(Path(folder))
            checkers: dict[CitationType, CitationChecker] = {
                CitationType.COMMIT: CommitChecker(Path(folder)),
                CitationType.ADR: RecordChecker(Path(folder)),
                CitationType.URL: UrlChecker(fetcher, time.monotonic),
                CitationType.ISSUE: IssueChecker(
                    Tracker(TrackerKind.GITHUB, "team/shop", base), fetcher, time.monotonic
                ),
            }
            pages = {"ok": "/docs/api", "gone": "/gone", "err": "/broken", "moved": "/moved", "login": "/private"}
            addresses = {name: base + path for name, path in {**pages, "root": "/old/guide"}.items()}
            yield World(checkers, {**hashes, **addresses})
    finally:
        server.shutdown()
        server.server_close()


def build_repository(folder: Path) -> dict[str, str]:
    """A repository of two commits with the records in it; gives their hashes, a tree's, and one that is no commit."""

    def git(*arguments: str) -> str:
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        command = ["git", *who, "-C", str(folder), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    records = folder / "docs" / "adrs"
    records.mkdir(parents=True)
    for name, text in RECORDS.items():
        (records / name).write_text(text)
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "Add the lock")
    first = git("rev-parse", "HEAD")
    git("commit", "-q", "--allow-empty", "-m", "Retry in the client")
    return {
        "c1": first,
        "c2": git("rev-parse", "HEAD"),
        "tree": git("rev-parse", "HEAD^{tree}"),
        "none": "f3a91c07b2d84e6650ab17c9e2d4f80135792468",
    }


# ── tiers ───────────────────────────────────────────────────────────────────────────────────────


def make_gate(existing: ListedMemories, checkers: Mapping[CitationType, CitationChecker]) -> IngestionValidator:
    return IngestionValidator(
        existing,
        judge=RulesJudge(time.perf_counter),
        now=lambda: NOW,
        verifier=CitationVerifier(checkers, time.monotonic),
    )


def read_cases(half: str) -> list[dict[str, Any]]:
    lines = (DATA / f"gate_{half}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def decide(case: Mapping[str, Any], world: World) -> ValidationResult:
    memories = [Memory(entry["id"], world.fill(entry["content"])) for entry in case.get("existing", ())]
    gate = make_gate(ListedMemories("u1", memories), world.checkers)
    return gate.decide(Candidate(world.fill(case["content"]), case["memory_type"], case["source"], "u1"))


def score(half: str, world: World) -> dict[str, Any]:
    """How many are in the right tier, by class; and what was let in that should have waited."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    misses: list[dict[str, str]] = []
    for case in read_cases(half):
        receipt = decide(case, world)
        total[case["class"]] += 1
        right[case["class"]] += receipt.tier.label == case["expected"]
        if receipt.tier.label != case["expected"]:
            found = {"id": case["id"], "expected": case["expected"], "found": receipt.tier.label}
            misses.append({**found, "content": case["content"], "reason": receipt.reason})
    let_in = [miss for miss in misses if miss["found"] == "auto_approve"]
    return {
        "half": half,
        "cases": sum(total.values()),
        "right": sum(right.values()),
        "share": round(sum(right.values()) / sum(total.values()), 4),
        "wrongly_approved": len(let_in),
        "classes": {name: f"{right[name]}/{count}" for name, count in total.items()},
        "misses": misses,
    }


# ── throughput ──────────────────────────────────────────────────────────────────────────────────

_WHO = ("Maria", "Jonas", "Aiko", "Pavel", "Ines", "Omar", "Lena", "Tariq", "Greta", "Hugo", "Mei", "Anton")
_DID = ("bought", "repaired", "sold", "painted", "rented", "measured", "moved", "cleaned", "ordered", "inspected")
_WHAT = ("pump", "boat", "printer", "bicycle", "greenhouse", "generator", "piano", "lathe", "scanner", "heater")
_WHERE = ("Lisbon", "Graz", "Oslo", "Turin", "Ghent", "Malmo", "Porto", "Bergen", "Leeds", "Basel", "Gdansk", "Cork")
_USES = ("for the summer school", "after the audit", "with two apprentices", "for the northern branch", "before winter")
_SLOTS = ("lives in {}", "comes from {}", "was born in {}")


def write_memory(draw: random.Random) -> str:
    if draw.random() < 0.15:
        return f"{draw.choice(_WHO)} {draw.choice(_SLOTS).format(draw.choice(_WHERE))}."
    number, year = draw.randrange(2, 999), draw.randrange(1990, 2026)
    return (
        f"{draw.choice(_WHO)} {draw.choice(_DID)} {draw.choice(_WHAT)} number {number} in {draw.choice(_WHERE)} "
        f"{draw.choice(_USES)} in {year}."
    )


def measure(size: int, candidates: int = 400) -> dict[str, float]:
    """Candidates a second over `size` memories of one owner; indexing them is timed apart."""
    draw = random.Random(size)
    texts = [write_memory(draw) for _ in range(size)]
    existing = ListedMemories()
    started = time.perf_counter()
    for number, text in enumerate(texts):
        existing.add("u1", Memory(f"m{number}", text), fingerprint(text))
    indexed = time.perf_counter() - started
    gate = make_gate(existing, {})
    fresh = random.Random(-size)
    contents = [
        draw.choice(texts).replace(" in ", " near ", 1) if number % 3 == 1 else write_memory(fresh)
        for number in range(candidates)
    ]
    kinds = ("ai_synthesis", "user", "documentation")
    gate.decide(Candidate("A first claim that fills the tables.", "fact", "user", "u1"))
    forget_texts()  # indexing has read them all; a store that was opened just now has read none
    started = time.process_time()  # of one core: what else the machine does is not the gate's
    for number, content in enumerate(contents):
        gate.decide(Candidate(content, "fact", kinds[number % 3], "u1"))
    spent = time.process_time() - started
    return {
        "memories": size,
        "candidates_a_second": round(candidates / spent, 1),
        "ms_a_candidate": round(spent / candidates * 1000, 3),
        "indexing_s": round(indexed, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--half", choices=(*HALVES, "all", "none"), default="all")
    parser.add_argument("--misses", action="store_true", help="print what landed in the wrong tier")
    parser.add_argument("--sizes", default="1000,10000,100000", help="numbers of memories; empty for none")
    options = parser.parse_args()
    halves = HALVES if options.half == "all" else () if options.half == "none" else (options.half,)
    with build_world() as world:
        tiers = [score(half, world) for half in halves]
    speed: list[dict[str, float]] = []
    for size in filter(None, options.sizes.split(",")):
        print(f"measuring {size} memories", file=sys.stderr)
        speed.append(measure(int(size)))
    if options.json:
        print(json.dumps({"tiers": tiers, "throughput": speed}, ensure_ascii=False))
        return
    for row in tiers:
        print(f"{row['half']}: {row['right']} of {row['cases']} in the right tier ({row['share']:.1%}), ", end="")
        print(f"{row['wrongly_approved']} wrongly approved")
        print("  " + ", ".join(f"{name} {count}" for name, count in row["classes"].items()))
        for miss in row["misses"] if options.misses else ():
            print(f"  {miss['id']} {miss['expected']} → {miss['found']}: {miss['content']} ({miss['reason']})")
    for row in speed:
        print("  ".join(f"{name} {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
