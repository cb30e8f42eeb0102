"""The stream gate on answers with one planted falsehood, on clean ones, and over long streams.

    python benchmarks/stream.py [--json] [--judge NAME] [--show]

Every case of data/stream_cases.jsonl is streamed twice in pieces of a few characters: as it is, and with its true
words replaced by false ones. A falsehood has leaked when its words are among what was released although the read gate
refutes them in the whole answer. A clean answer is interrupted when anything of it is halted, repaired or abstained
from. Times are the process's own, so that a busy machine does not count. `--show` prints the cases that went wrong.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from groundwire.app import Groundwire
from groundwire.guard.events import Abstain, Branch, Halt, Release, Repair, StreamEvent, tell_text
from groundwire.settings import Settings
from groundwire.text.counting import count_tokens
from groundwire.types import Verdict

CASES = Path(__file__).resolve().parent / "data" / "stream_cases.jsonl"
PIECE = 4
TOKENS_A_SECOND = 30
LONG = (100, 200, 400, 800)


@dataclass(frozen=True, slots=True)
class Case:
    id: str
    memories: list[str]
    answer: str
    true: str
    false: str

    @property
    def planted(self) -> str:
        return self.answer.replace(self.true, self.false, 1)


@dataclass(frozen=True, slots=True)
class Figures:
    cases: int
    refuted_by_the_read_gate: int
    stopped: int
    leaked: int
    leaked_unrefuted_and_unmarked: int
    clean_interrupted: float
    clean_marked: float
    first_release_ms_median: float
    first_release_ms_p95: float
    overhead_at_30_tokens_a_second: float
    seconds_by_sentences: dict[str, float]


def read_cases(path: Path = CASES) -> list[Case]:
    return [Case(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def stream(house: Groundwire, text: str, memories: list[str]) -> tuple[list[StreamEvent], list[float], float]:
    """Events, how long each release took after the piece that made it possible, and the time of it all."""
    opened = house.open_stream(memories=memories)
    events: list[StreamEvent] = []
    waits: list[float] = []
    began = time.process_time()
    for piece in cut(text):
        started = time.process_time()
        found = opened.guard.feed(piece)
        if any(isinstance(event, Release | Repair) for event in found):
            waits.append(time.process_time() - started)
        events += found
        if opened.guard.halted is not None:
            break
    events += opened.guard.flush()
    return events, waits, time.process_time() - began


def cut(text: str) -> Iterator[str]:
    return (text[at : at + PIECE] for at in range(0, len(text), PIECE))


def is_refuted(house: Groundwire, case: Case) -> bool:
    """Does the read gate refute a claim of the planted answer that overlaps the falsehood?"""
    text = case.planted
    start = text.index(case.false)
    report = house.verify(text, memories=case.memories)
    return any(
        claim.verdict is Verdict.REFUTED and claim.span.start < start + len(case.false) and start < claim.span.end
        for claim in report.claims
    )


def measure_length(house: Groundwire) -> dict[str, float]:
    memories = ["I live in Ghent.", "My cat is called Mies.", "I work at Halvorsen Shipping."]
    found: dict[str, float] = {}
    for number in LONG:
        text = "".join(f"On day {i} you live in Ghent and your cat is called Mies. " for i in range(number))
        found[str(number)] = round(stream(house, text, memories)[2], 3)
    return found


def run(house: Groundwire, *, show: bool = False) -> Figures:
    cases = read_cases()
    counts = dict.fromkeys(("refuted", "stopped", "leaked", "open", "interrupted", "marked"), 0)
    first: list[float] = []
    spent, tokens = 0.0, 0
    stream(house, cases[0].answer, cases[0].memories)  # the model is loaded
    for case in cases:
        refuted = is_refuted(house, case)
        events, _, _ = stream(house, case.planted, case.memories)
        shown = tell_text(event for event in events if not isinstance(event, Abstain))
        is_out = case.false in shown and case.false in case.planted
        is_marked = any(event.caveat for event in events if isinstance(event, Release | Repair))
        counts["refuted"] += refuted
        counts["stopped"] += not is_out
        counts["leaked"] += is_out and refuted
        counts["open"] += is_out and not refuted and not is_marked
        events, waits, took = stream(house, case.answer, case.memories)
        interrupted = any(isinstance(event, Halt | Repair | Abstain | Branch) for event in events)
        marked = any(event.caveat for event in events if isinstance(event, Release))
        counts["interrupted"] += interrupted
        counts["marked"] += marked
        first += waits[:1]
        spent += took
        tokens += count_tokens(case.answer)
        if show and (is_out or interrupted or marked):
            fault = "leaked" if is_out and refuted else "out" if is_out else "interrupted" if interrupted else "marked"
            print(f"{case.id} {fault}: {case.false if is_out else tell_text(events)}", file=sys.stderr)
    return Figures(
        cases=len(cases),
        refuted_by_the_read_gate=counts["refuted"],
        stopped=counts["stopped"],
        leaked=counts["leaked"],
        leaked_unrefuted_and_unmarked=counts["open"],
        clean_interrupted=counts["interrupted"] / len(cases),
        clean_marked=counts["marked"] / len(cases),
        first_release_ms_median=round(statistics.median(first) * 1000, 2),
        first_release_ms_p95=round(sorted(first)[int(len(first) * 0.95)] * 1000, 2),
        overhead_at_30_tokens_a_second=round(spent / (tokens / TOKENS_A_SECOND), 4),
        seconds_by_sentences=measure_length(house),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--judge", default="mini")
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    house = Groundwire(settings=Settings(judge=given.judge, slow_verification_ms=600_000))
    figures: dict[str, Any] = asdict(run(house, show=given.show))
    if given.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name.replace('_', ' '):36} {value}")


if __name__ == "__main__":
    main()
