"""Effects claimed of everybody: what cures, what ruins people, what is the main cause of their troubles.

Such a sentence speaks of no particular thing that the dialogue or a knowledge base could know, and nothing but research
could carry it; who says it names none.
"""

from __future__ import annotations

import re
from functools import cache

from groundwire.text.tables import join_phrases, read_table

_LONGEST = 600
_HEDGED = re.compile(
    r"\b(?:may|might|can|could|would|perhaps|maybe|probably|possibly|some|sometimes|often|usually|tends?|seems?"
    r"|helps?|likely"
    r"|if|not|never|no|believe|think|claims?|say|says|said|rumou?r|myth|supposed(?:ly)?|my|we|i)\b|n['’]t\b",
    re.IGNORECASE,
)
_PARTICULAR = re.compile(
    r"\W*(?:(?:so|and|but|then),? )?(?:the|this|that|these|those|your|our|my|his|her|their|he|she|they|you|we|i)\b",
    re.I,
)


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    table: dict[str, list[str]] = read_table("authority", "detect")["generalities"]
    either = {name: f"(?:{join_phrases(frozenset(words))})" for name, words in table.items()}
    cure, ail, group, ruin, avert = (either[name] for name in ("cures", "ailments", "people", "ruins", "averts"))
    worst = r"(?:main|leading|number[- ]one|primary|biggest|top|chief|single biggest)"
    return (
        re.compile(rf"\b{cure}\s+(?:(?:the|your|our|any|all|every|out|up|away)\s+)?(?:[\w-]+\s+){{0,2}}?{ail}\b", re.I),
        re.compile(
            rf"\b{avert}\s+(?:(?:nearly|almost|practically|virtually|absolutely|literally)\s+)?(?:every|all|any)\s+"
            rf"(?:[\w-]+\s+){{0,3}}?{ail}\b",
            re.I,
        ),
        re.compile(
            rf"\b(?:is|are)\s+the\s+{worst}\s+(?:reason|cause|source|driver|trigger)s?\s+(?:for|of|behind)\s+"
            rf"(?!the\b|your\b|our\b|this\b|that\b|his\b|her\b|their\b)(?=[^.;]*\b(?:{ail}|{group})\b)",
            re.I,
        ),
        re.compile(
            rf"\b(?:makes?|leaves?)\s+{group}\s+(?!feel|look|want|think|laugh|smile|wait|aware|sure)[a-z]+\b", re.I
        ),
        re.compile(rf"\bturns?\s+{group}\s+into\b", re.I),
        re.compile(rf"\b{ruin}\s+(?:every|all|any)\s+(?!the\b|of\b|our\b|your\b|other\b)[a-z]+", re.I),
    )


_RUN = re.compile(r"[a-z]+")
_CAUSING = frozenset("make makes leave leaves turn turns".split())  # noqa: SIM905
_CAUSES = frozenset("reason reasons cause causes source sources driver drivers trigger triggers".split())  # noqa: SIM905


@cache
def _openers() -> frozenset[str]:
    """Words of which every form has one."""
    table: dict[str, list[str]] = read_table("authority", "detect")["generalities"]
    return _CAUSING | _CAUSES | {phrase.split()[0] for name in ("cures", "ruins") for phrase in table[name]}


def claims_effect(sentence: str) -> bool:
    """Whether something in general is said to work on the body, or on people, without a word of doubt."""
    if len(sentence) > _LONGEST or _openers().isdisjoint(_RUN.findall(sentence.casefold())):
        return False
    for place, form in enumerate(_forms()):
        match = form.search(sentence)
        if match is None:
            continue
        clause = max(sentence.rfind(mark, 0, match.start()) for mark in (":", ";")) + 1
        is_about_one = _PARTICULAR.match(sentence[clause:]) is not None and place > 0
        if not is_about_one and not _HEDGED.search(sentence, clause, match.end()):
            return True
    return False
