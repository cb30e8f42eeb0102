"""Effects claimed of everybody: what cures, what ruins people, what is the main cause of their troubles.

Such a sentence speaks of no particular thing that the dialogue or a knowledge base could know, and nothing but research
could carry it; who says it names none.
"""

from __future__ import annotations

import re
from functools import cache

from groundwire.evidence.mentions import is_person_noun
from groundwire.text.lexicon import noun_lemma
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
        re.compile(
            rf"^\W*(?:[a-z-]+\s+){{1,3}}?(?:causes?|triggers?|leads?\s+to|brings?\s+on)\s+(?:[\w-]+\s+){{0,2}}?(?:{ail}|(?:heart|liver"
            rf"|kidney|back|skin|stomach)\s+(?:trouble|problems|disease|failure|damage))\b",
            re.I,
        ),
        re.compile(rf"\bturns?\s+{group}\s+into\b", re.I),
        re.compile(rf"\b{ruin}\s+(?:every|all|any)\s+(?!the\b|of\b|our\b|your\b|other\b)[a-z]+", re.I),
    )


_RUN = re.compile(r"[a-z]+")
_CAUSING = frozenset("make makes leave leaves turn turns causes cause trigger triggers lead leads bring brings".split())  # noqa: SIM905
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


_DOUBTED = re.compile(
    r"\b(?:may|might|can|could|would|should|must|need|needs|perhaps|maybe|probably|possibly|sometimes|often|usually|tends?|seems?"
    r"|if|unless|i think|i find|in my|for me|likely)\b|n['’]t\b",
    re.IGNORECASE,
)
_LOCAL = re.compile(
    r"\b(?:our|your|my|here|this|these|today|tomorrow|yesterday|tonight|last|next|of us|of you|of them"
    r"|in the|on the|at the)\b",
    re.I,
)
""" "Most of our customers", "nobody in the team": some who can be asked."""
_OPENING = r"^\W*(?:(?:in fact|after all|these days|nowadays|today|and|but|so|besides),? )?"
_MOST = re.compile(
    rf"{_OPENING}(?:most|almost all|nearly all|virtually all|the (?:vast |great |overwhelming )?majority of"
    rf"|(?:more and more|fewer and fewer|ever more)) (?:(?:young|old|older|younger|working|small|big|first-time) )?"
    r"(?P<who>[a-z]+)\b(?! (?:feel|find|like|love|enjoy|prefer|sleep|notice|want|cope|manage|recover|start|begin)\b)",
    re.IGNORECASE,
)
""" "Most people feel fine afterwards" tells what to expect, and is comfort rather than a count."""
_WHO = re.compile(
    rf"{_OPENING}(?:people|children|kids|men|women|adults|couples|parents|those|pupils|students|drivers|babies|dogs|cats)"
    r"(?: \w+)? who [^,.;]{3,60}? (?:live|are|earn|sleep|get|lose|do|feel|stay|learn|perform|work|recover|spend|save"
    r"|have|make|eat|read|grow|become|age|catch|suffer|fall)\b(?: [\w-]+){0,4}?"
    r" (?:longer|more|less|fewer|better|worse|sooner"
    r"|faster|younger|harder|smarter|richer|[a-z]+ier)\b",
    re.IGNORECASE,
)
_UNRIVALLED = re.compile(
    rf"{_OPENING}(?:nobody|no one|no-one|nothing|no other [a-z]+(?: [a-z]+)?)(?: else)?(?: on earth| anywhere| ever)? "
    r"(?:makes?|does|has|is|are|offers?|gives?|sells?|knows?|bakes?|brews?|cooks?|builds?|comes?|works?|tastes?|lasts?"
    r"|serves?|treats?|plays?|runs?|keeps?|cleans?|helps?|beats?)\b(?: [\w-]+){0,3}?"
    r" (?:better|faster|cheaper|fresher|quicker|safer|cleaner|longer|[a-z]+ier"
    r"|as (?!yet|soon|long|far|well|of)[a-z]+)\b",
    re.IGNORECASE,
)


@cache
def _at_large() -> frozenset[str]:
    """Groups that nobody has counted; "most guests", "most members" are those of one house."""
    return frozenset(read_table("authority", "detect")["generalities"]["at_large"])


def speaks_for_all(sentence: str) -> bool:
    """Whether something is told of people at large, or of one thing against all others, without a word of doubt."""
    if len(sentence) > _LONGEST or _DOUBTED.search(sentence) or _LOCAL.search(sentence):
        return False
    most = _MOST.search(sentence)
    if (
        most is not None
        and not any(map(str.isdigit, sentence))
        and (most["who"].lower() in _at_large() or _is_nation(most["who"]))
    ):
        return True
    return _WHO.search(sentence) is not None or _UNRIVALLED.search(sentence) is not None


def _is_nation(word: str) -> bool:
    """ "Germans", "Europeans", and whole trades: "electricians"."""
    if not word.endswith("s"):
        return False
    return word[0].isupper() or (
        is_person_noun(noun_lemma(word)) and word.endswith(("ists", "ians", "eers", "ologists"))
    )
