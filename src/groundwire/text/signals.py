"""Reads how a text speaks: hedging, overconfidence, vagueness, self-correction, certainty.

A signal says nothing about truth; it shifts the confidence of flags raised on other grounds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from groundwire.text.folding import fold
from groundwire.text.hedges import find_hedges, mask_foreign
from groundwire.text.tables import read_table
from groundwire.types import LinguisticSignal, SignalType

_SECTIONS = {
    "overconfidence": SignalType.OVERCONFIDENCE,
    "certainty": SignalType.CERTAINTY_MARKER,
    "vagueness": SignalType.VAGUENESS,
    "correction": SignalType.SELF_CORRECTION,
}

# How far in front of a phrase a negation still cancels it.
_REACH = 32


def find_signals(text: str) -> tuple[LinguisticSignal, ...]:
    """The author's own signals in text order; quotations, code and addresses are somebody else's."""
    strengths = _hedging_strengths()
    found = [LinguisticSignal(SignalType.HEDGING, strengths[hedge.kind], hedge.span) for hedge in find_hedges(text)]
    folded = fold(text)
    own = mask_foreign(folded.text)
    for rules in _rules():
        for match in rules.pattern.finditer(own):
            rule = rules.rows[int((match.lastgroup or "r0")[1:])]
            if _stands(rule, own, match):
                found.append(LinguisticSignal(rule.type, rule.strength, folded.locate(match.start(), match.end())))
    return tuple(sorted(found, key=lambda signal: (signal.span, signal.type.value)))


def corrects_itself(text: str) -> bool:
    """Whether a text has a signal of self-correction; the others are not looked for."""
    own = mask_foreign(fold(text).text)
    rules = _rules()[tuple(_SECTIONS).index("correction")]
    return any(_stands(rules.rows[int((m.lastgroup or "r0")[1:])], own, m) for m in rules.pattern.finditer(own))


def _stands(rule: _Rule, own: str, match: re.Match[str]) -> bool:
    if rule.unless_after is None:
        return True
    return rule.unless_after.search(own[max(0, match.start() - _REACH) : match.start()]) is None


@dataclass(frozen=True, slots=True)
class _Rule:
    type: SignalType
    strength: float
    unless_after: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class _Rules:
    """Signals of one type compete for the same words: the strongest is listed first and wins."""

    pattern: re.Pattern[str]
    rows: tuple[_Rule, ...]


@cache
def _rules() -> tuple[_Rules, ...]:
    table = read_table("signals")
    return tuple(_compile_section(type_, table[section]) for section, type_ in _SECTIONS.items())


def _compile_section(type_: SignalType, rows: list[dict[str, Any]]) -> _Rules:
    rules: list[_Rule] = []
    branches: list[str] = []
    for index, row in enumerate(rows):
        phrases: list[str] = row["phrases"]
        condition: str | None = row.get("unless_after")
        unless_after = re.compile(condition, re.IGNORECASE) if condition else None
        rules.append(_Rule(type_, float(row.get("strength", 1.0)), unless_after))
        body = "|".join(phrase.replace(" ", r"\s++") for phrase in phrases)
        branches.append(f"(?P<r{index}>{body})")
    return _Rules(re.compile(rf"(?<!\w)(?=\w)(?:{'|'.join(branches)})(?!\w)", re.IGNORECASE), tuple(rules))


@cache
def _hedging_strengths() -> dict[str, float]:
    table: dict[str, float] = read_table("signals")["hedging"]
    return {kind: float(strength) for kind, strength in table.items()}
