"""How time grows with the length of a text and with the number of memories, ordinary and hostile.

    python benchmarks/growth.py [--json] [--only WORD]

Every function that reads text is run on 12,500 to 200,000 characters, the read gate also on 625 to 10,000
memories. The exponent is the slope of a line through the measured times, both axes logarithmic: 1 is linear, 2
quadratic. A row is flagged when it is over 1.3, or when the largest text takes over a second. `--only` keeps
the rows in whose function or input the word occurs.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import TypeVar

from groundwire.app import Groundwire
from groundwire.text.citations import CitationDetector
from groundwire.text.claims import extract_claims
from groundwire.text.entities import find_entities
from groundwire.text.extraction import FactExtractor
from groundwire.text.hedges import find_hedges
from groundwire.text.sentences import split_sentences
from groundwire.text.signals import find_signals
from groundwire.text.temporal import find_times
from groundwire.text.values import compare
from groundwire.types import Memory
from read_gate import forget_texts
from scoring import read_answer_cases

LENGTHS = (12_500, 25_000, 50_000, 100_000, 200_000)
COUNTS = (625, 1_250, 2_500, 5_000, 10_000)
STEEPEST = 1.3
LONGEST_S = 1.0  # for the longest text; for many memories only the slope is judged
PATIENCE_S = 2.5  # a row of texts ends when the next size is likely to take longer than this
PATIENCE_FOR_MEMORIES_S = 30.0
SHORT_S = 0.01  # what takes less is run again, and the best counts
MEASURABLE_S = 0.005  # below this fixed costs and the pages of the memory decide, not the algorithm
NOW = datetime(2025, 6, 1, tzinfo=UTC)

T = TypeVar("T")

# One unit of each text, repeated to length.
HOSTILE = {
    "a comma": "a, ",
    "and": "and ",
    "words joined by and": "cats and dogs and ",
    "comma and": "a, and b, ",
    "of": "of ",
    "name of": "Ana of ",
    "not": "not ",
    "I": "I ",
    "A": "A ",
    "the": "the ",
    "to": "to ",
    "who": "who ",
    "that he says": "that he says ",
    "if": "if ",
    "is": "is ",
    "my": "my ",
    "may": "may ",
    "I think": "I think ",
    "maybe": "maybe ",
    "possessive": "'s",
    "Ana's": "Ana's ",
    "apostrophe": "'",
    "initials": "A. ",
    "abbreviation": "e.g. ",
    "title": "Mr. ",
    "capitalised words": "Anna Maria ",
    "version": "1.1.",
    "digits": "1",
    "number words": "twenty one ",
    "thousands": "1,000,",
    "date": "2019-01-",
    "month": "May 1, ",
    "day ago": "2 days ago ",
    "time": "12:",
    "money": "$1 ",
    "percent": "5% ",
    "opening bracket": "(",
    "bracket pairs": "()",
    "nested brackets": "(a ",
    "square brackets": "[1]",
    "link": "[a](",
    "double quote": '"',
    "quoted words": '"a" ',
    "curly quote": "“",
    "backtick": "`",
    "code fence": "```\n",
    "star": "*",
    "hash": "# ",
    "issue": "#1 ",
    "table": "| a | b |\n",
    "list": "- a\n",
    "numbered list": "1. a\n",
    "speaker": "Ana: hi\n",
    "newline": "\n",
    "space": " ",
    "tab and newline": "\t\n",
    "full stop": ".",
    "stops": ". ",
    "question": "?!",
    "dash": "-",
    "hyphenated": "a-",
    "em dash": "—",
    "slash": "a/",
    "semicolon": "a; ",
    "colon": "a: ",
    "underscore": "_",
    "address": "http://a.b/",
    "mail": "a@b.",
    "at sign": "@",
    "path": "src/a.py:1 ",
    "one letter": "a",
    "one capital": "A",
    "mixed case": "aB",
    "letters and digits": "a1",
    "long words": "antidisestablishmentarianism ",
    "no spaces": "thequickbrownfoxjumpsoverthelazydog",
    "emoji": "😀",
    "family emoji": "👨‍👩‍👧",
    "CJK": "我住在巴黎",
    "CJK stops": "我。",
    "kana": "わたしは",
    "Arabic": "أنا ",
    "combining marks": "e\u0301\u0301",
    "zero width": "\u200b",
    "wide letters": "Ａ",
    "null": "\x00",
    "one sentence": "You live in Porto. ",
    "one clause": "you live in Porto and ",
    "one list": "Porto, ",
    "used to": "You used to work at ",
    "changed from": "(changed from Porto ",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """`exponent` is None where the times are too small to fit a line through them; a row ends early that fails."""

    function: str
    input: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    exponent: float | None
    flags: tuple[str, ...]

    @property
    def longest(self) -> float:
        return self.seconds[-1] if self.seconds else 0.0


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parse(arguments)
    rows: list[Row] = []
    for row in chain(_grow_texts(options.only), _grow_memories(options.only)):
        rows.append(row)
        if row.flags:
            print(_format(row), file=sys.stderr)
    if options.json:
        print(json.dumps({"rows": [asdict(row) for row in rows]}, indent=2))
    else:
        _print_table(rows)
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How time grows with text and memories.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--only", default="", help="keep rows in whose function or input this word occurs")
    return parser.parse_args(arguments)


# ── longer texts ────────────────────────────────────────────────────────────────────────────────


def _functions() -> dict[str, Callable[[str], object]]:
    citations, facts, gate = CitationDetector(), FactExtractor(), Groundwire()
    memories = [Memory("m1", "I live in Porto."), Memory("m2", "Ana works at Siemens.", 0.8, 1_700_000_000)]
    return {
        "split_sentences": split_sentences,
        "find_hedges": find_hedges,
        "CitationDetector.detect": citations.detect,
        "find_times": lambda text: find_times(text, NOW),
        "find_entities": find_entities,
        "find_signals": find_signals,
        "extract_claims": extract_claims,
        "FactExtractor.extract": facts.extract,
        "compare": lambda text: compare(text, text[:-1] + "x"),
        "Groundwire.verify": lambda text: gate.verify(text, memories=memories),
    }


def _grow_texts(only: str) -> Iterator[Row]:
    makers: dict[str, Callable[[int], str]] = {"ordinary": _write_ordinary}
    makers |= {name: lambda size, unit=unit: _repeat(unit, size) for name, unit in HOSTILE.items()}
    for function, run in _functions().items():
        chosen = [(name, make) for name, make in makers.items() if only in f"{function} {name}"]
        if chosen:
            print(f"{function}: {len(chosen)} kinds of text", file=sys.stderr)
            run(_write_ordinary(LENGTHS[0]))  # the tables are read now, not while the clock runs
        for name, make in chosen:
            yield _grow(function, name, LENGTHS, make, run, patience_s=PATIENCE_S, limit_s=LONGEST_S)


def _repeat(unit: str, size: int) -> str:
    return (unit * (size // len(unit) + 1))[:size]


def _write_ordinary(size: int) -> str:
    """Texts of the dev half, each time round with another page number, so that no sentence comes twice."""
    texts = [memory.text for case in read_answer_cases("dev") for memory in case.memories]
    pieces: list[str] = []
    written = number = 0
    while written < size:
        piece = f"{texts[number % len(texts)]} Page {number} says so.\n"
        pieces.append(piece)
        written += len(piece)
        number += 1
    return "".join(pieces)[:size]


# ── more memories ───────────────────────────────────────────────────────────────────────────────

ANSWER = (
    "You live in Town 7 and work at Firm 9. You like sport 12 and you do not like sport 13. "
    "Ana 5 works at Siemens. The lamp in room 11 is red. You used to live in Town 3."
)

MEMORIES: dict[str, Callable[[int], str]] = {
    "one exclusive slot, all different": lambda n: f"I live in Town {n}.",
    "one exclusive slot, all equal": lambda n: "I work at Siemens.",
    "one exclusive slot, two values": lambda n: f"I work at {('Siemens', 'Bosch')[n % 2]}.",
    "one additive slot": lambda n: f"I like sport {n}.",
    "for and against": lambda n: f"I {('like', 'do not like')[n % 2]} sport {n // 2}.",
    "other people": lambda n: f"Ana {n} works at Siemens.",
    "no named slot": lambda n: f"The lamp in room {n} is red.",
    "one long list": lambda n: "I bought " + ", ".join(f"item {n + i}" for i in range(8)) + ".",
    "names": lambda n: f"My colleague is called {chr(65 + n % 26)}{'aeiou'[n % 5]}{chr(97 + n % 23)}{'ol' * (n % 7)}a.",
    "numbers": lambda n: f"The order has {n} parts.",
    "dates": lambda n: f"The meeting is on {n % 28 + 1} May {1900 + n // 28}.",
}


def _grow_memories(only: str) -> Iterator[Row]:
    gate = Groundwire()
    stock = [memory for case in read_answer_cases("dev") for memory in case.memories]

    def take_ordinary(n: int) -> Memory:
        known = stock[n % len(stock)]
        return Memory(f"m{n}", f"{known.text} Page {n} says so.", known.trust, known.timestamp)

    makers: dict[str, Callable[[int], Memory]] = {"ordinary": take_ordinary}
    makers |= {
        name: lambda n, write=write: Memory(f"m{n}", write(n), 0.9, 1_600_000_000 + n)
        for name, write in MEMORIES.items()
    }
    function = "Groundwire.verify (memories)"
    gate.verify(ANSWER, memories=[take_ordinary(n) for n in range(COUNTS[0])])  # reads the tables
    for name, make in makers.items():
        if only in f"{function} {name}":
            print(f"{function}: {name}", file=sys.stderr)
            yield _grow(
                function,
                name,
                COUNTS,
                lambda size, make=make: [make(n) for n in range(size)],
                lambda memories: gate.verify(ANSWER, memories=memories),
                patience_s=PATIENCE_FOR_MEMORIES_S,
            )


# ── measuring ───────────────────────────────────────────────────────────────────────────────────


def _grow(
    function: str,
    name: str,
    sizes: Sequence[int],
    make: Callable[[int], T],
    run: Callable[[T], object],
    *,
    patience_s: float,
    limit_s: float = math.inf,
) -> Row:
    seconds: list[float] = []
    flags: list[str] = []
    for size in sizes:
        if seconds and _predict(seconds) > patience_s:
            flags.append(f"stopped before {size:,}")
            break
        try:
            seconds.append(_measure(run, make(size)))
        except RecursionError:
            flags.append(f"RecursionError at {size:,}")
            break
    exponent = fit_exponent(sizes, seconds, least=2 if len(seconds) < len(sizes) else 3)
    if exponent is not None and exponent > STEEPEST:
        flags.append("steep")
    if seconds and seconds[-1] > limit_s:
        flags.append("slow")
    return Row(function, name, tuple(sizes[: len(seconds)]), tuple(seconds), exponent, tuple(flags))


def _predict(seconds: Sequence[float]) -> float:
    """The next time, if it grows by as much again as it did last."""
    return seconds[-1] * (max(2.0, seconds[-1] / seconds[-2]) if len(seconds) > 1 and seconds[-2] else 2.0)


def _measure(run: Callable[[T], object], argument: T) -> float:
    """Processor time of this process, so that other work on the machine does not bend the line."""
    best = math.inf
    for _ in range(3):
        forget_texts()
        started = time.process_time()
        run(argument)
        best = min(best, time.process_time() - started)
        if best > SHORT_S:
            break
    return best


def fit_exponent(sizes: Sequence[int], seconds: Sequence[float], *, least: int = 3) -> float | None:
    """The slope of the least-squares line through (log size, log seconds), from `least` measurable times on."""
    points = [(math.log(n), math.log(s)) for n, s in zip(sizes, seconds, strict=False) if s >= MEASURABLE_S]
    if len(points) < least:
        return None
    middle_x = sum(x for x, _ in points) / len(points)
    middle_y = sum(y for _, y in points) / len(points)
    slope = sum((x - middle_x) * (y - middle_y) for x, y in points)
    return slope / sum((x - middle_x) ** 2 for x, _ in points)


# ── what is printed ─────────────────────────────────────────────────────────────────────────────


def _print_table(rows: Sequence[Row]) -> None:
    """For each function the ordinary input, the slowest and the steepest, then every flagged row."""
    print(f"{'function':<30}{'input':<36}{'largest':>9}{'ms':>11}{'exponent':>10}")
    for function in dict.fromkeys(row.function for row in rows):
        own = [row for row in rows if row.function == function]
        slowest = max(own, key=lambda row: row.longest)
        steepest = max(own, key=lambda row: row.exponent or 0.0)
        ordinary = [row for row in own if row.input == "ordinary"]
        for row in dict.fromkeys((*ordinary, slowest, steepest)):
            print(_format(row))
    flagged = [row for row in rows if row.flags]
    print(f"\n{len(rows)} rows, {len(flagged)} flagged (exponent over {STEEPEST}, or over {LONGEST_S:g} s for a text)")
    for row in flagged:
        print(_format(row))


def _format(row: Row) -> str:
    size = f"{row.sizes[-1]:,}" if row.sizes else "-"
    exponent = "-" if row.exponent is None else f"{row.exponent:.2f}"
    flags = f"   {', '.join(row.flags)}" if row.flags else ""
    return f"{row.function:<30}{row.input:<36}{size:>9}{row.longest * 1000:>11.1f}{exponent:>10}{flags}"


if __name__ == "__main__":
    sys.exit(main())
