"""What there is one of, or none of, and is spoken of all the same: "the only guests", "the other guests"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from groundwire.detect.logic.assertions import read_logic
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.logic.scopes import is_another_case
from groundwire.detect.sightings import Sighting
from groundwire.text.function_words import closed_classes
from groundwire.text.inflection import plural
from groundwire.text.lexicon import noun_lemma, readings
from groundwire.types import ContradictionType

ONE = 0.80
_REACH = 2
_LONGEST = 300
_ONLY = re.compile(
    r"\b(?P<how>the\s+only|the\s+sole|an?\s+single|only\s+one|exactly\s+one|just\s+one|one\s+single|but\s+one|our\s+only|her\s+only|his\s+only|their\s+only|its\s+only|my\s+only)\s+"
    r"(?P<words>[a-z][a-z-]+(?:\s+[a-z][a-z-]+)?)"
)
_KINDS_OF_SINGLE = frozenset("bed room ticket parent mother malt mum dad occupancy day person".split())  # noqa: SIM905
_LESS = re.compile(
    r"\b(?:is|are|was|were|a|an|the|and|,|completely|entirely|totally)\s+(?P<stem>[a-z]{3,})less\b"
    r"|\b(?:has|have|had|comes?\s+with|came\s+with|with)\s+no\s+(?P<none>[a-z]{3,})\b|\bwithout\s+any\s+(?P<any>[a-z]{3,})\b"
    r"|\black(?:s|ed)?\s+(?:an?\s+|any\s+)?(?P<lacked>[a-z]{3,})\b"
)
_NO_THINGS = frozenset(
    [
        "use",
        "care",
        "hope",
        "end",
        "price",
        "point",
        "help",
        "rest",
        "count",
        "doubt",
        "home",
        "need",
        "bless",
        "un",
        "regard",
        "need",
        "harm",
        "value",
        "worth",
        "job",
        "pain",
        "heart",
        "breath",
    ]
)
_OPEN = re.compile(
    r"\b(?:no|not|never|without|if|unless|except|instead|would|could|might|until|once|before|after|then|later|next|previous|former|used|yesterday|tomorrow|now|new|soon|add|added|buy|order|extra"
    r"|else|elsewhere|neighbouring|nearby|town|village|city|street|floor|than|like|whereas|while|unlike)\b|n't\b|\?"
)


def find_presumed(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    """One sentence says that there is one or none, a later part or one of the next two takes more for granted."""
    for place, seen in enumerate(sightings):
        if seen.is_question or len(seen.low) > _LONGEST or seen.is_endless:
            continue
        for pattern, start, why in (*_read_only(seen), *_read_lacking(seen)):
            clash = _look(seen, sightings[place + 1 : place + 1 + _REACH], pattern, start, why)
            if clash is not None:
                yield clash


def _read_only(seen: Sighting) -> Iterator[tuple[re.Pattern[str], int, str]]:
    for match in _ONLY.finditer(seen.low):
        words = match["words"].split()
        noun = words[0] if len(words) == 1 or not _is_mostly_noun(words[1]) else words[1]
        is_sort = "single" in match["how"] and noun_lemma(words[0]) in _KINDS_OF_SINGLE
        if is_sort or not _is_noun(noun) or _is_denied(seen, match.start()):
            continue
        forms = _forms(noun)
        pattern = re.compile(
            rf"\b(?:the\s+other|another|the\s+second|the\s+third|its\s+second|a\s+second|a\s+third|both|the\s+two|the\s+three|two|three|several|many)\s+(?:[a-z-]+\s+)?{forms}\b"
        )
        end = match.end() if noun is words[-1] else match.start("words") + len(words[0])
        yield pattern, end, f"{match.group()}"


def _read_lacking(seen: Sighting) -> Iterator[tuple[re.Pattern[str], int, str]]:
    for match in _LESS.finditer(seen.low):
        noun = match["stem"] or match["none"] or match["any"] or match["lacked"]
        if noun in _NO_THINGS or noun_lemma(noun) in read_logic("abstract") or not _is_noun(noun):
            continue
        if _is_denied(seen, match.start() if match["stem"] else match.start() - 1):
            continue
        own = r"(?:its|his|her|their)" if match["stem"] is None else r"(?:its|his|her|their|the)"
        pattern = re.compile(rf"\b{own}\s+(?:[a-z-]+\s+){{0,2}}?{_forms(noun)}\b(?!\s+of\s+the\s+other)")
        yield pattern, match.end(), match.group()


def _is_denied(seen: Sighting, at: int) -> bool:
    return (
        re.search(r"\b(?:not|if|unless|never|isn't|aren't|wasn't|whether)\b|n't\b", seen.low[max(0, at - 40) : at])
        is not None
    )


def _is_noun(word: str) -> bool:
    return any(tag.startswith("NN") for tag, _ in readings(word)) and word not in (
        "one",
        "way",
        "thing",
        "time",
        "reason",
    )


def _is_mostly_noun(word: str) -> bool:
    found = readings(word) if word not in closed_classes() else ()
    return bool(found) and found[0][0].startswith("NN")


def _forms(noun: str) -> str:
    lemma = noun_lemma(noun)
    return (
        "(?:"
        + "|".join(sorted({re.escape(noun), re.escape(lemma), re.escape(plural(lemma))}, key=len, reverse=True))
        + ")"
    )


_SECOND = re.compile(r"(?:the\s+(?:other|second|third|two|three)|both)\b")
_CASES = re.compile(r"\b(?:if|unless|once|until|when|before|after|then|now|not|no|without)\b|n't\b")
_MORE = re.compile(
    r"\b(?:los[et]|lost|break|broke|broken|replac\w+|order|buy|need|get|cut|made|make|have|arrives?|comes?)\b"
)


def _is_excused(found: re.Match[str], low: str) -> bool:
    """ "If I'm away, take the second key": a case does not make another one, unless it is got in that case."""
    if _SECOND.match(found.group()) is None:
        return _OPEN.search(low) is not None
    front = low[: found.start()]
    if _MORE.search(front) or re.search(r"\b(?:no|not)\b|n't\b", front):
        return True
    return _OPEN.search(_CASES.sub(" ", low)) is not None


_PLACED, _BESIDE = re.compile(r"\b(?:in|at|on|here|near|upstairs|downstairs)\b"), 30
_SINGLED_OUT = re.compile(
    r"(?:\s+of)?(?:\s+(?:the|all|our|its|their)\s+[a-z]+)?,?\s+(?:(?:on|in|at|for|with|from)\s+)?(?:which|that|who|whose|where|when|to|with|without|we|you|he|she|they|it)\b"
)


def _is_rest(found: re.Match[str], behind: str) -> bool:
    """ "Monday is the only day on which it is closed. On the other days …": there are others, of which it is not so."""
    return found.group().startswith("the other") and _SINGLED_OUT.match(behind) is not None


def _look(
    seen: Sighting, following: Sequence[Sighting], pattern: re.Pattern[str], start: int, why: str
) -> Clash | None:
    kind = ContradictionType.LOGICAL_IMPOSSIBILITY
    found = pattern.search(seen.low, start)
    if (
        found is not None
        and not _OPEN.search(seen.low[start:])
        and re.search(r"[,;:]|\band\b", seen.low[start : found.start()])
    ):
        return Clash(seen.segment.span, None, ONE, kind, f'"{found.group()}" in spite of "{why}"')
    for other in following:
        found = pattern.search(other.low) if len(other.low) <= _LONGEST and not other.is_question else None
        if found is None or _is_excused(found, other.low) or _is_rest(found, seen.low[start:]):
            continue
        is_certain = (
            _SECOND.match(found.group()) is not None and _PLACED.search(seen.low[start : start + _BESIDE]) is None
        )
        if is_certain or not is_another_case(seen, other):
            return Clash(other.segment.span, seen.segment.span, ONE, kind, f'"{found.group()}" in spite of "{why}"')
    return None
