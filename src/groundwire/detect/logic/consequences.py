"""What follows from a rule: "whoever is late is turned away; Paula was late and was let in"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting
from groundwire.detect.weighing.scale import Opinion
from groundwire.judge.judge import Judge
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.text.thesaurus import same_meaning
from groundwire.types import Claim, ContradictionType, Passage, VerifierInput

DENIED = 0.78
_REACH, _MOST = 3, 8
_WEAKER, _STRONGER = 0.35, 0.6
_IF = re.compile(
    r"^(?:if|when|whenever|as\s+soon\s+as|once|in\s+case)\s+(?P<cause>[^,;]{4,90}?),\s+(?:then\s+)?(?P<effect>[^;]{4,120}?)[.!]?\s*$"
)
_BARE_IF = re.compile(r"^(?:if|when|whenever)\s+(?P<rest>[^,;]{8,140}?)[.!]?\s*$")
_THEN_IF = re.compile(r"^(?P<effect>[^,;]{4,90}?)\s+(?:if|when|whenever)\s+(?P<cause>[^,;]{4,90}?)[.!]?\s*$")
_WHO = re.compile(
    r"^(?:whoever|anyone\s+who|anybody\s+who|everyone\s+who|everybody\s+who|those\s+who|people\s+who|(?:every|any|an?|all)\s+(?P<noun>[a-z]+)\s+(?:who|that))\s+(?P<rest>[^,;]{8,140}?)[.!]?\s*$"
)
_UNREAL = re.compile(
    r"\b(?:would|could|might|may|perhaps|maybe|probably|usually|often|normally|sometimes|unless|except|had|were\s+to|should)\b|\?"
)


_LIGHT = frozenset("already just also really ever too still even only actually".split())  # noqa: SIM905


class _Rule(NamedTuple):
    seen: Sighting
    verb: str
    is_negated: bool
    nouns: frozenset[str]
    effect: str
    """The consequence, with its own subject or without one."""
    has_subject: bool


def find_broken_rules(sightings: Sequence[Sighting], judge: Judge) -> Iterator[Clash]:
    """The rule, a statement that meets its condition, and one beside it that the judge refutes by the consequence."""
    asked: list[tuple[_Rule, Claim, VerifierInput, VerifierInput]] = []
    for place, seen in enumerate(sightings):
        rule = _read_rule(seen)
        if rule is None:
            continue
        for other in sightings[place + 1 : place + 1 + _REACH]:
            if other.is_question or _UNREAL.search(other.low):
                continue
            asked += _pair(rule, other, sightings)
    asked = asked[:_MOST]
    answers = judge.judge_all([q for _, _, there, back in asked for q in (there, back)]) if asked else []
    for k, (rule, claim, _, _) in enumerate(asked):
        there, back = (Opinion.of(answer).refutation for answer in answers[2 * k : 2 * k + 2])
        weaker, stronger = sorted((there, back))
        if weaker >= _WEAKER and stronger >= _STRONGER:
            kind, evidence = ContradictionType.LOGICAL_IMPOSSIBILITY, f'"{rule.seen.text.strip()}" says otherwise'
            yield Clash(claim.span, rule.seen.segment.span, DENIED, kind, evidence)


def _read_rule(seen: Sighting) -> _Rule | None:
    if seen.is_question or seen.is_endless or _UNREAL.search(seen.low) or len(seen.text) > 200:
        return None
    low = seen.low.strip()
    if (match := _IF.match(low)) or (match := _THEN_IF.match(low)):
        return _make(seen, match.start("cause"), match.end("cause"), match["effect"], has_subject=True)
    who, bare = _WHO.match(low), _BARE_IF.match(low)
    match = who or bare
    if match is None:
        return None
    start = match.start("rest")
    groups = [g for g in seen.groups if seen.tokens[g.start].start - seen.start >= start]
    if len(groups) < 2:
        return None
    cut = groups[1].start
    while bare is not None and cut > groups[0].end and seen.letters[cut - 1] in "DSJNPp#":
        cut -= 1
    at = seen.tokens[cut].start - seen.start
    return _make(seen, start, at, low[at : match.end("rest")], has_subject=bare is not None)


def _make(seen: Sighting, start: int, end: int, effect: str, *, has_subject: bool) -> _Rule | None:
    inside = [k for k, t in enumerate(seen.tokens) if start <= t.start - seen.start < end]
    groups = [g for g in seen.groups if inside and inside[0] <= g.start <= inside[-1]]
    if len(groups) != 1 or not effect.strip():
        return None
    nouns = frozenset(noun_lemma(seen.tokens[k].low) for k in inside if seen.letters[k] in "NPJR#") - _LIGHT
    return _Rule(seen, groups[0].lemma, groups[0].negated, nouns, effect.strip(" ."), has_subject)


def _pair(
    rule: _Rule, other: Sighting, sightings: Sequence[Sighting]
) -> Iterator[tuple[_Rule, Claim, VerifierInput, VerifierInput]]:
    """Of one sentence the claim that meets the condition, and the others beside it or in the next one."""
    claims = [c for c in other.segment.claims if not c.hedged and not c.quoted]
    meeting = next((c for c in claims if _meets(rule, other, c)), None)
    if meeting is None:
        return
    behind = [c for s in sightings if s.segment.index == other.segment.index + 1 for c in s.segment.claims]
    for claim in [*(c for c in claims if c.span.start > meeting.span.start), *behind[:2]]:
        subject = f"{claim.subject[:1].upper()}{claim.subject[1:]}"
        effect = rule.effect if rule.has_subject else f"{subject} {rule.effect}"
        effect = f"{effect[:1].upper()}{effect[1:]}."
        told, consequence = Passage("told", claim.text), Passage("rule", effect)
        yield rule, claim, VerifierInput(claim.text, (consequence,)), VerifierInput(effect, (told,))


def _meets(rule: _Rule, other: Sighting, claim: Claim) -> bool:
    """The verb of the condition, and its nouns or a pronoun in their place."""
    if (claim.polarity.value != "positive") is not rule.is_negated:
        return False
    words = re.findall(r"[a-z]+", claim.predicate.lower())
    verbs = {verb_lemma(word) or word for word in words}
    if not any(verb == rule.verb or same_meaning(verb, rule.verb) for verb in verbs):
        return False
    said = {noun_lemma(word) for word in re.findall(r"[a-z]+", claim.text.lower())}
    raw = {token.low for token in other.tokens}
    missing = rule.nouns - said
    return not missing or (len(missing) == 1 and not _STANDS_FOR.isdisjoint(raw))


_STANDS_FOR = frozenset({"it", "them", "this", "that", "one"})
