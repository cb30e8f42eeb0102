"""All of them, and one who does not: "All four of the kids can swim. Ben, the youngest, still can't"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from groundwire.detect.logic.assertions import read_logic
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.logic.parts import part
from groundwire.detect.logic.scopes import is_another_case, split_subject
from groundwire.detect.sightings import Sighting
from groundwire.evidence.mentions import is_person_noun
from groundwire.text.lexicon import noun_lemma
from groundwire.types import ContradictionType

_SURE = 0.82
_LONGEST = 160
_ALL = re.compile(
    r"(?:all(?: (?:two|three|four|five|six|seven|eight|nine|ten|\d+))?(?: of)?"
    r"(?: (?:the|our|your|my|these|those|us|you|them))?"
    r"|every|each|both(?: of)?"
    r"(?: (?:the|our|your|my))?|everyone|everybody)\b(?: (?P<noun>[a-z]+))?"
)
_LIMITED = re.compile(r"\b(?:but|except|apart from|almost|nearly|not all|who|that|which|if|when|other than|save for)\b")
_ELLIPTIC = re.compile(
    r"(?P<who>[^.;:]{2,50}?),? (?:(?:still|sadly|unfortunately|though|however|alone),? )?"
    r"(?:ca|do|does|did|is|are|was|were|has|have|had|wo|could|would|can)"
    r"(?:n't|n’t|not| not)(?: yet)?(?:, so [^.;:]{3,80})?[.!]?"
)
_ONE_OF_THEM = re.compile(
    r"(?:the (?:[a-z]+ )?(?:one|ones)|one(?: of (?:them|us|you))?|two of them|some(?: of them)?)\b"
)
_RANKED = re.compile(r", the (?:youngest|oldest|eldest|smallest|biggest|last|first|second|third|new one|other one)\b")


def find_elliptic_exceptions(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    """A member of the group, of whom no more is said than that what all do is not so of it."""
    pieces = part(sightings)
    for one, other in pairwise(pieces):
        if one.is_question or other.is_question or max(len(one.low), len(other.low)) > _LONGEST:
            continue
        rule, denied = _ALL.match(one.low), _ELLIPTIC.fullmatch(other.low.strip())
        if rule is None or denied is None or _LIMITED.search(one.low) or _LIMITED.search(other.low):
            continue
        if any(group.negated for group in one.groups) or is_another_case(one, other):
            continue
        if _is_member(other, denied["who"], noun_lemma(rule["noun"] or "")):
            kind, evidence = ContradictionType.DIRECT_NEGATION, f'"{rule.group()}" leaves nobody out'
            yield Clash(other.segment.span, one.segment.span, _SURE, kind, evidence)


def _is_member(other: Sighting, who: str, noun: str) -> bool:
    """ "The one in the hall", "the lamp by the door", or somebody by name where the rule is about people."""
    if _ONE_OF_THEM.match(who) or _RANKED.search(who):
        return True
    subject = split_subject(who)
    if subject and subject[-1] == noun:
        return True
    is_name = other.letters[:1] == "P" and " " not in who.split(",")[0]
    return is_name and (not noun or noun in read_logic("people") or is_person_noun(noun))
