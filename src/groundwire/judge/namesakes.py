"""Who else is told to be the one: "my son is called Emir" beside "your son is called Emre".

There may be two sons, so this alone decides nothing; weighed by trust, it outweighs a memory that is not to be trusted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from groundwire.judge.findings import Finding
from groundwire.judge.kinds import introduced_as
from groundwire.judge.parts import place
from groundwire.judge.slots import relate_in_slot
from groundwire.text.reading import ReadPassage
from groundwire.text.values import Relation
from groundwire.types import ExtractedFact, Polarity, Tense, Verdict

_TAKEN = frozenset({"child", "sibling", "relative", "parent", "pet"})
"""Slots of which each noun often has one holder, whom it is enough to name by it."""
_AMONG = re.compile(r"\b(?:one|two|three|some|both|another|other|second|first|also|too)\b", re.IGNORECASE)


def find_namesakes(fact: ExtractedFact, passages: Sequence[ReadPassage]) -> Iterable[Finding]:
    """Soft refutations by the passages that give the place of "your NOUN is VALUE" to another."""
    if fact.slot_type not in _TAKEN or not _is_plain(fact):
        return
    for read in passages:
        others = [other for other in read.reading.facts if other.slot_type == fact.slot_type]
        if len(others) != 1 or _AMONG.search(read.passage.text) is not None:
            continue
        other = others[0]
        if not _is_plain(other) or other.subject != fact.subject or other.hedged:
            continue
        same = introduced_as(other.pattern) == introduced_as(fact.pattern)
        if same and relate_in_slot(fact.slot_type, fact.raw, other.raw) is Relation.DIFFERENT:
            found = Finding(
                Verdict.REFUTED, 0.69, "other_value", slot=fact.slot_type, claim_value=fact.raw,
                evidence_value=other.raw, wrong=fact.value_span,
            )  # fmt: skip
            yield place(found, read.passage.id)


def _is_plain(fact: ExtractedFact) -> bool:
    told = fact.pattern.startswith("my ") and fact.pattern.endswith(" is VALUE")
    return told and fact.polarity is Polarity.POSITIVE and fact.tense is Tense.PRESENT
