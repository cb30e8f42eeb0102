"""What is still to come, and what hangs on a condition: neither says that anything is so, or was done.

"I'm going to visit Porto" does not say that anybody has been there, "the bridge will open in June" not that it is open,
and "cancelled if it rains" not that it is cancelled. What is planned for a time may be told as present: "the meeting is
on Friday" follows from "the meeting will be on Friday".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.judge.carrying import WORD, content_of, find_carrying
from groundwire.judge.findings import Finding
from groundwire.judge.predicates import means_same, verbs
from groundwire.text import lexicon
from groundwire.text.cues import Cued
from groundwire.text.derivation import is_derived
from groundwire.text.propositions import Proposition
from groundwire.text.reading import read_text
from groundwire.text.subjects import USER
from groundwire.types import Passage, Tense, Verdict

_OPEN = 0.8
_LATER = frozenset({"next", "tomorrow", "soon", "upcoming"})
_DONE = Cued(re.compile(r"\b(?:has|have|had|already)\b|['’]ve\b", re.IGNORECASE), "has have had already ve")
_IF = Cued(
    re.compile(
        r"\b(?=[iupoa])(?<!\bask )(?<!\basked )(?<!\bwonder )(?<!\bwondered )(?<!\bknow )(?<!\bsee )(?<!\bcheck )"
        r"(?<!\bsure )(?<!\bas )(?<!\beven )(?<!\bnot )(?<!\bor )"
        r"(?:if(?! (?:any|possible|not|so|anything|you (?:ask|like|will))\b)|unless"
        r"|provided that|as long as|on condition that|assuming)\b",
        re.IGNORECASE,
    ),
    "if unless provided long condition assuming",
)
_CONDITIONAL = re.compile(
    r"\b(?:if|unless|when|whenever|provided|long as|condition|assuming|would|could|may|might|can|should)\b|['’]d\b",
    re.IGNORECASE,
)
_JOINT = re.compile(r"[;:]|,? \b(?:and|but)\b")
_WILL = re.compile(r"\b(?:will|would|shall|going to)\b|['’](?:ll|d)\b", re.IGNORECASE)
_MOST = 0.6
_NEAR = 4
"""Words behind "will" among which its verb stands."""


def is_to_come(said: Proposition) -> bool:
    """In the future tense, or in the present with a time that is still to come: "expires next year"."""
    if said.tense is not Tense.PRESENT:
        return said.tense is Tense.FUTURE
    told = {word for a in said.arguments if a.is_time for word in a.text.lower().split()}
    return bool(told) and not _LATER.isdisjoint(told | set(said.adverbs))


def find_prospect(claim: str, passage: Passage) -> Finding | None:
    """The evidence tells as still to come, or under a condition, what the claim tells as so."""
    return find_prospect_of([read.proposition for read in read_text(claim).claims], claim, passage)


def find_prospect_of(said: Sequence[Proposition], claim: str, passage: Passage) -> Finding | None:
    """The same for a claim that was read already."""
    if _hangs_on(said, claim, passage.text):
        return Finding(Verdict.INSUFFICIENT, _OPEN, "only_possible", passage.id)
    for mine in said:
        if not mine.lemmas or mine.negated or mine.modal or is_to_come(mine):
            continue
        as_so, is_state = _tells_as_so(mine, claim), _tells_state(mine) and not _is_perfect(mine, claim)
        if not as_so and not is_state:
            continue
        others = [read.proposition for read in read_text(passage.text).statements]
        told = [other for other in others if other.subject == mine.subject and _is_akin(mine, other)]
        if told and (
            (as_so and all(is_to_come(other) or _is_owed(mine, other) for other in told))
            or (is_state and _is_over(mine, told))
        ):
            return Finding(Verdict.INSUFFICIENT, _OPEN, "other_time", passage.id)
    return None


def _is_owed(mine: Proposition, other: Proposition) -> bool:
    """What has to be paid is not paid yet; what one had to do is done."""
    if mine.tense is not Tense.PAST or mine.aspect or other.tense is Tense.PAST:
        return False
    return other.aspect.split(" ")[0] in _OWING or other.modal in _OBLIGING


_OWING = frozenset({"have", "need", "require", "oblige", "suppose"})
_OBLIGING = frozenset({"must", "should", "shall", "ought"})


def _tells_state(mine: Proposition) -> bool:
    """What the user, or somebody of theirs, has, is or is in the habit of doing."""
    if mine.tense is not Tense.PRESENT or mine.passive:
        return False
    return mine.subject == USER or (mine.subject.startswith(f"{USER}'s ") and mine.predicate in verbs("stative"))


def _is_perfect(mine: Proposition, claim: str) -> bool:
    """ "You have graduated" tells what was done."""
    return mine.predicate not in verbs("owning") and _DONE.search(claim) is not None


def _is_over(mine: Proposition, told: Sequence[Proposition]) -> bool:
    """ "I had a garden" does not say that you have one, nor "I used to row" that you row."""
    same = [other for other in told if means_same(mine.predicate, other.predicate) or _calls_it(mine, other)]
    return bool(same) and len(same) == len(told) and all(other.tense is Tense.PAST for other in same)


def _tells_as_so(mine: Proposition, claim: str) -> bool:
    """A past, or a state that holds now; a present with a time of its own may be a plan."""
    if mine.tense is Tense.PAST:
        return True
    if any(a.is_time for a in mine.arguments):
        return False
    state = mine.predicate in verbs("owning") or mine.passive or mine.predicate == "be"
    return state or _DONE.search(claim) is not None


def _calls_it(mine: Proposition, other: Proposition) -> bool:
    """ "I was a smoker" tells by a noun what "you smoke" tells by a verb."""
    if other.predicate != "be" or mine.arguments:
        return False
    return any(is_derived(mine.predicate, lemma) for a in other.arguments if not a.is_time for lemma in a.lemmas)


def _is_akin(mine: Proposition, other: Proposition) -> bool:
    """The same is done, or what the claim calls it is what is done: "is open", "will open"."""
    if _calls_it(mine, other):
        return True
    if means_same(mine.predicate, other.predicate) and mine.predicate not in ("be", "have"):
        return True
    held = {lemma for a in mine.arguments if not a.is_time for lemma in a.lemmas}
    if mine.passive or not held:
        return False
    return all(lemma in other.lemmas or means_same(other.predicate, lemma) for lemma in held)


def _hangs_on(said: Sequence[Proposition], claim: str, text: str) -> bool:
    """ "We will move if I get the job" says neither that we move nor that I got it."""
    if _IF.search(text) is None or _CONDITIONAL.search(claim) is not None:
        return False
    carrying = find_carrying(claim, text)
    return bool(carrying) and all(_is_conditional(claim, said, sentence) for sentence in carrying)


def _is_conditional(claim: str, told: Sequence[Proposition], sentence: str) -> bool:
    said = {one.predicate for one in told if one.predicate and not one.negated}
    done = {one.predicate for one in told if one.passive and one.tense is Tense.PRESENT and not one.negated}
    part = _find_part(claim, sentence)
    found = _IF.search(part)
    if found is None:
        return False
    condition, comma, rest = part[found.end() :].partition(",")
    main = f"{part[: found.start()]} {rest if comma else ''}"
    if content_of(claim) <= content_of(condition) and _has_verb(said, condition):
        return True
    if done and _has_verb(done, main):
        return True  # "if it rains, the trip is cancelled": what is done to a thing then, not what it is like
    return any(_has_verb(said, " ".join(WORD.findall(main[will.end() :])[:_NEAR])) for will in _WILL.finditer(main))


def _has_verb(said: set[str], text: str) -> bool:
    lemmas = {lexicon.verb_lemma(word.lower()) or word.lower() for word in WORD.findall(text)}
    return any(means_same(verb, lemma) for lemma in lemmas for verb in said)


def _find_part(claim: str, sentence: str) -> str:
    """The part of a sentence between its joints that has most of the claim's words; all of it where none has."""
    wanted = content_of(claim)
    parts = [part for part in _JOINT.split(sentence) if len(wanted & content_of(part)) >= _MOST * len(wanted)]
    return parts[0] if parts else sentence
