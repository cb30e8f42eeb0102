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
_SENTENCE_REACH = 240
_SENTENCE = re.compile(r"[.!?\n]\s")
_ORDERS = re.compile(
    r"""(?:^|[.!?:;,\n"'()\[\]{}<>*#>`–—-])\s*$
    | \b(?:please|and|then|also|so|but|or|just|now|always|not)\s+$
    | \b(?:you|assistant|model|agent|ai|bot|remember|sure|are|is|instructed|ordered|told|wants?)\s+to\s+$
    | \b(?:you|assistant|model|agent|ai|must|should|shall|will)\s+$""",
    re.VERBOSE | re.IGNORECASE,
)


# What a person does not see and a model reads: text in tag characters (those after a black flag make the flag of a
# country), in strings of variation selectors, and in letters that are shown in another order than they stand.
_UNSEEN = re.compile(
    "(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0000-\U000e007f]"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2}|[\u202d\u202e]"
)


class _Frame(StrEnum):
    """Where a rule holds: anywhere, where an order is given, or in a sentence that speaks to a model or of one."""

    ANY = "any"
    IMPERATIVE = "imperative"
    ADDRESSED = "addressed"


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
    steers: bool = False
    """Orders what others are to be told, not how the user wants to be answered."""


@dataclass(frozen=True, slots=True)
class _Rule:
    kind: InstructionKind
    why: str
    patterns: tuple[re.Pattern[str], ...]
    frame: _Frame
    steers: bool


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
            found.append(Instruction(text[span.start : span.end], span, rule.kind, rule.why, rule.steers))
    return tuple(found)


def _find(rule: _Rule, text: str) -> Iterator[re.Match[str]]:
    for pattern in rule.patterns:
        for hit in pattern.finditer(text):
            if (
                rule.frame is _Frame.ANY
                or _gives_order(text, hit)
                or (rule.frame is _Frame.ADDRESSED and _speaks_to_model(text, hit))
            ):
                yield hit


def _gives_order(text: str, hit: re.Match[str]) -> bool:
    return _ORDERS.search(text[max(0, hit.start() - _REACH) : hit.start()]) is not None


def _speaks_to_model(text: str, hit: re.Match[str]) -> bool:
    """Whether the sentence has "you", or names an assistant that is a program."""
    before = _SENTENCE.split(text[max(0, hit.start() - _SENTENCE_REACH) : hit.start()])[-1]
    after = _SENTENCE.split(text[hit.end() : hit.end() + _SENTENCE_REACH])[0]
    return _addressee().search(before + hit.group() + after) is not None


@cache
def _addressee() -> re.Pattern[str]:
    """ "You", the program by its name, or what it answers: "answers that …", "I prefer that …"."""
    named = r"\b(?:you|your|yours|yourself|{model}|(?:answers|replies|responses|prefer|preference) that)\b"
    return _compile(named, _read_rules()["words"])


@cache
def _read_rules() -> dict[str, Any]:
    file = resources.files("groundwire.memory").joinpath("data/instructions.toml")
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise DataFileError(f"the table instructions.toml cannot be read ({error}): reinstall groundwire") from error


@cache
def _rules() -> tuple[_Rule, ...]:
    table = _read_rules()
    words: dict[str, str] = table["words"]
    rows: list[dict[str, Any]] = table["rule"]
    rules = [
        _Rule(
            InstructionKind(row["kind"]),
            row["why"],
            tuple(_compile(p, words) for p in row["patterns"]),
            _Frame(row.get("frame", _Frame.ANY)),
            row.get("steers", False),
        )
        for row in rows
    ]
    return tuple(sorted(rules, key=lambda rule: rule.kind is InstructionKind.DIRECTIVE))


def _compile(pattern: str, words: dict[str, str]) -> re.Pattern[str]:
    for _ in range(2):
        pattern = re.sub(r"\{([a-z]\w*)\}", lambda match: words[match.group(1)], pattern)
    return re.compile(re.sub(r"(?<!\\)(?<!\[,) (?!\])", r"\\s{1,4}", pattern), re.IGNORECASE)
