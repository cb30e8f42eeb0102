"""Content that is addressed to a model which will read it later: instructions in the guise of a memory.

Nothing here is believed or obeyed; a hit only means that a person looks first. Standing orders ("from now on, answer
in German") are the user's to give, so they count against a memory only where somebody else wrote it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

from groundwire.errors import DataFileError
from groundwire.text.folding import fold
from groundwire.types import Span

_REACH = 32
_ORDERS = re.compile(
    r"""(?:^|[.!?:;,\n"'()\[\]{}<>*#>`–—-])\s*$
    | \b(?:please|and|then|also|so|but|or|to|just|now|always|not)\s+$
    | \b(?:you|assistant|model|agent|ai|must|should|shall|will)\s+$""",
    re.VERBOSE | re.IGNORECASE,
)


# What a person does not see and a model reads: text in tag characters (those after a black flag make the flag of a
# country), in strings of variation selectors, and in letters that are shown in another order than they stand.
_UNSEEN = re.compile(
    "(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0000-\U000e007f]"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2}|[\u202d\u202e]"
)


class InstructionKind(StrEnum):
    ATTACK = "attack"
    DIRECTIVE = "directive"


@dataclass(frozen=True, slots=True)
class Instruction:
    """What was found, where, and what it tries to do."""

    phrase: str
    span: Span
    kind: InstructionKind
    why: str


@dataclass(frozen=True, slots=True)
class _Rule:
    kind: InstructionKind
    why: str
    patterns: tuple[re.Pattern[str], ...]
    imperative: bool


def find_instructions(text: str) -> tuple[Instruction, ...]:
    """Instruction-like passages of `text`, at most one a rule, attacks first."""
    folded = fold(text)
    found: list[Instruction] = []
    if unseen := _UNSEEN.search(text):
        why = "holds characters that a person does not see"
        named = f"U+{ord(unseen.group()[0]):04X}"
        found.append(Instruction(named, Span(*unseen.span()), InstructionKind.ATTACK, why))
    for rule in _rules():
        match = next(_find(rule, folded.text), None)
        if match is not None:
            span = folded.locate(match.start(), match.end())
            found.append(Instruction(text[span.start : span.end], span, rule.kind, rule.why))
    return tuple(found)


def _find(rule: _Rule, text: str) -> Iterator[re.Match[str]]:
    for pattern in rule.patterns:
        for hit in pattern.finditer(text):
            if not rule.imperative or _ORDERS.search(text[max(0, hit.start() - _REACH) : hit.start()]):
                yield hit


@cache
def _rules() -> tuple[_Rule, ...]:
    file = resources.files("groundwire.memory").joinpath("data/instructions.toml")
    try:
        table: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise DataFileError(f"the table instructions.toml cannot be read ({error}): reinstall groundwire") from error
    words: dict[str, str] = table["words"]
    rows: list[dict[str, Any]] = table["rule"]
    rules = [
        _Rule(
            InstructionKind(row["kind"]),
            row["why"],
            tuple(_compile(p, words) for p in row["patterns"]),
            row.get("imperative", False),
        )
        for row in rows
    ]
    return tuple(sorted(rules, key=lambda rule: rule.kind is InstructionKind.DIRECTIVE))


def _compile(pattern: str, words: dict[str, str]) -> re.Pattern[str]:
    for _ in range(2):
        pattern = re.sub(r"\{([a-z]\w*)\}", lambda match: words[match.group(1)], pattern)
    return re.compile(re.sub(r"(?<!\\)(?<!\[,) (?!\])", r"\\s{1,4}", pattern), re.IGNORECASE)
