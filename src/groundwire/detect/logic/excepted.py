"""What an exception leaves out: all but Norway signed, and then Norway signed first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.text.thesaurus import same_meaning
from groundwire.types import ContradictionType

EXCEPTED = 0.85
_REACH = 2
_LONGEST = 260
_BUT = (
    r"(?:except(?:ing)?(?:\s+for)?|apart\s+from|other\s+than|aside\s+from|with\s+the\s+exception\s+of"
    r"|excluding|save\s+for|barring|(?<=one\s)but|(?<=body\s)but|(?<=all\s)but|(?<=thing\s)but|(?<=none\s)but)"
)
_HINT = re.compile(rf"\b{_BUT}\b")
_ALL = re.compile(r"\b(?:all|every|each|everyone|everybody|everything|daily|both|always|whole|entire)\b")
_NONE = re.compile(r"\b(?:no|none|nobody|no\s+one|nothing|never)\b")
_INNER = re.compile(
    rf"\b{_BUT}\s+(?P<who>(?:(?:the\s+)?ones?\s+(?:in|at|on|for|from)\s+(?:the\s+)?)?(?:(?:the|a|an|on|in|my|our|his|her)\s+)?[\w'-]+(?:\s+(?:[a-z]+|[A-Z][\w'-]+))??(?:\s+and\s+(?:the\s+)?[\w'-]+)?)(?=[,.;]|\s+(?:[a-z]+(?:ed|s)\b|is|are|was|were|has|have|had|did|does|came|got|went|took|paid|made|gave|left|ran|won|said|knew|saw|can|will|voted|signed)|$)"
)
_FRONT = re.compile(rf"^\s*{_BUT}\s+(?P<who>[^,]{{2,40}}),\s+(?P<rest>.+)$")
_TURNS = re.compile(
    r"\b(?:but|however|instead|later|next|finally|until|yet|only|still|would|could|should|might|may|must|wants?|hopes?|plans?|will|miss(?:ed|es)?|skip(?:ped|s)?|lack(?:ed|s)?|refus\w+|declin\w+|den(?:y|ied|ies)|withh\w+"
    r"|delay\w*|postpon\w+|cancel\w*|avoid\w*|fail\w*|lost|los(?:es|ing)|exclud\w+|absent|wait(?:s|ed|ing)?|clos(?:ed|es)|without|because|as\s+(?:it|he|she|they)|due\s+to|unlike|too\s+late|last\s+year|previously|again|other|another|second)\b|n't\b|\b(?:not|no|never|nor)\b"
)
_WHOLLY = re.compile(
    r"\b(?:unanimous(?:ly)?|without\s+(?:a\s+single\s+)?exception|every\s+single\s+[a-z]+|100\s?(?:%|percent)\s+of\s+(?:the|them|all))\b"
)
_EMPTY = frozenset(
    {"be", "have", "do", "get", "all", "every", "each", "day", "one", "the", "of", "other", "any", "go", "make", "take"}
)


_SMALL = frozenset(
    "the a an on in and my our his her for those that who two three one ones at from".split()  # noqa: SIM905
)


class _Exception(NamedTuple):
    seen: Sighting
    who: frozenset[str]
    told: frozenset[str]
    """What is said of all the others: the words of the predicate."""
    is_none: bool
    things: frozenset[str]
    """Those of them behind the verb: what it is about."""


def find_told_exceptions(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    for place, seen in enumerate(sightings):
        if seen.is_question or len(seen.low) > _LONGEST or _HINT.search(seen.low) is None:
            continue
        exception = _read(seen)
        if exception is None:
            continue
        for other in sightings[place + 1 : place + 1 + _REACH]:
            if other.is_question or len(other.low) > _LONGEST:
                continue
            reason = _contradict(exception, other)
            if reason:
                kind = ContradictionType.LOGICAL_IMPOSSIBILITY
                yield Clash(other.segment.span, seen.segment.span, EXCEPTED, kind, reason)
                break


def _read(seen: Sighting) -> _Exception | None:
    front, inner = _FRONT.match(seen.low), _INNER.search(seen.low)
    match = front or inner
    if match is None:
        return None
    rest = match["rest"] if front is not None else seen.low[: match.start()] + " " + seen.low[match.end() :]
    is_none = _NONE.search(rest) is not None
    if not is_none and not _ALL.search(rest):
        return None
    who = frozenset(noun_lemma(w) for w in re.findall(r"[a-z]+", match["who"]) if w not in _SMALL)
    first = seen.groups[0].start if seen.groups else 0
    told = _lemmas(seen, first) - who - _EMPTY
    verb = seen.groups[-1].end if seen.groups else len(seen.tokens)
    stop = next((k for k in range(verb, len(seen.tokens)) if seen.letters[k] not in "DSJNPR#"), len(seen.tokens))
    behind = {noun_lemma(seen.tokens[k].low) for k in range(verb, stop) if seen.letters[k] in "NPJ"}
    return _Exception(seen, who, told, is_none, frozenset(behind) & told)


def _lemmas(seen: Sighting, start: int = 0) -> frozenset[str]:
    found: set[str] = set()
    for token, letter in zip(seen.tokens[start:], seen.letters[start:], strict=True):
        if letter in "NPJVBGE" and token.low.isalpha():
            found.add(verb_lemma(token.low) or noun_lemma(token.low) if letter in "VBGE" else noun_lemma(token.low))
    return frozenset(found)


def _contradict(exception: _Exception, other: Sighting) -> str:
    if not exception.is_none and _WHOLLY.search(other.low) and not _TURNS.search(other.low):
        return "all are told of, and some were left out"
    if not exception.who or _TURNS.search(other.low):
        return ""
    spoken = {noun_lemma(token.low.removesuffix("'s")) for token in other.tokens}
    if exception.who <= spoken and _is_about(other, exception.who):
        shared = (_lemmas(other) - exception.who - _EMPTY) & exception.told
        shared |= {a for a in _lemmas(other) - exception.who - _EMPTY for b in exception.told if same_meaning(a, b)}
        is_it = not {"it", "them", "one"}.isdisjoint(other.words) and bool(shared)
        if exception.things and not shared & exception.things and not is_it:
            shared = frozenset[str]()  # "Jonas speaks Italian"
        if shared and not exception.is_none:
            return f"{', '.join(sorted(exception.who))} was left out, and is told to be like the others"
        return ""
    if exception.is_none and other.tokens and other.letters[0] == "P" and other.tokens[0].low not in exception.who:
        owned = re.findall(r"\b(?:his|her|their|own|an?)\s+(?:own\s+)?([a-z]+)", other.low)
        if {noun_lemma(word) for word in owned} & exception.told:
            return "nobody else was told to be so"
    return ""


def _is_about(other: Sighting, who: frozenset[str]) -> bool:
    """The one left out is the subject, or the time that opens the sentence: "On Mondays it opens"."""
    verb = other.groups[0].start if other.groups else len(other.tokens)
    front = {noun_lemma(token.low.removesuffix("'s")) for token in other.tokens[:verb]}
    if who & front:
        return True
    return any(time.surface.lower().removesuffix("s") in who for time in other.times)
