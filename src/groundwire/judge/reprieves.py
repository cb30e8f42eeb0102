"""What keeps evidence from refuting a claim, though the two look opposed.

Two events each have their own time, one time may lie in a wider one, a state is one end of a change, who retired from a
trade was in it, an end follows from a beginning and a length, and twelve of twenty-four are half.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from groundwire.judge.alignment import Aliases
from groundwire.judge.ends import find_end
from groundwire.judge.entailment import compare_propositions
from groundwire.judge.events import find_times_apart
from groundwire.judge.exceptions import shares_exception
from groundwire.judge.findings import Finding
from groundwire.judge.objections import SURE, find_objection
from groundwire.judge.people import is_person
from groundwire.judge.predicates import means_same, verbs
from groundwire.judge.reckoning import may_be_ordered
from groundwire.judge.shares import tells_share_otherwise
from groundwire.text.calendar import small_number
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import read_text
from groundwire.text.thesaurus import are_opposites
from groundwire.types import Passage, Tense, Verdict

_OPEN = 0.8


@lru_cache(maxsize=4096)
def find_reprieve(claim: str, passage: Passage) -> Finding | None:
    """Support or silence where a refutation would be wrong; None where it may stand."""
    if may_be_ordered(claim, passage) or shares_exception(claim, passage.text) or closes_then(claim, passage.text):
        return Finding(Verdict.INSUFFICIENT, _OPEN, "not_opposed", passage.id, evidence_value=passage.text)
    reads = read_text(claim).claims
    if len(reads) != 1:
        return None
    if _says_time_otherwise(reads[0].proposition, passage.text):
        return Finding(Verdict.INSUFFICIENT, _OPEN, "not_opposed", passage.id, evidence_value=passage.text)
    return reprieve(reads[0].proposition, claim, passage)


def relent(claim: str, passage: Passage, refuted: float) -> Finding | None:
    """Why a model's refutation is not taken over; one that is sure yields to what follows alone."""
    found = find_reprieve(claim, passage)
    if found is None or found.verdict is not Verdict.SUPPORTED:
        return found if refuted < SURE else None
    doubtful = refuted < SURE or found.reason != "implied"
    return found if doubtful and find_objection(claim, passage) is None else None


_CLOSING = re.compile(r"\b(?:closes?|shuts?|ends?|finish(?:es)?)\b.{0,20}? at (\w+)\b(?!:| ?[ap]\.?m)", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till|to|closes? at) (\d{1,2})(?::00)? ?[ap]\.?m", re.IGNORECASE)


def closes_then(claim: str, text: str) -> bool:
    """ "Closes at eight" is "open until 8 p.m.", whatever half of the day is left unsaid."""
    found, told = _CLOSING.search(claim), _UNTIL.findall(text)
    hour = small_number(found[1].lower()) if found is not None else None
    return bool(told) and hour is not None and all(int(one) == hour for one in told)


def _says_time_otherwise(mine: Proposition, text: str) -> bool:
    """ "At 19:00" is at 7 pm: a model compares the figures, and takes them for two times."""
    told = [read.proposition for read in read_text(text).statements]
    names = frozenset[str]().union(*(other.lemmas for other in told))
    hours = {lemma: a.text.lower() for other in told for a in other.arguments for lemma in a.lemmas if ":" in lemma}
    said = [(lemma, a.text.lower()) for a in mine.arguments for lemma in a.lemmas if ":" in lemma]
    same = bool(said) and all(lemma in hours for lemma, _ in said)
    return same and any(hours[lemma] != words for lemma, words in said) and mine.names <= names and not mine.negated


def _is_any(mine: Proposition, text: str) -> bool:
    """ "Ben owns a bakery" leaves room for another who owns one."""
    things = [a.text for a in mine.arguments if a.role == "object" and not a.is_name]
    if mine.predicate not in verbs("single_agent") or len(things) != 1:
        return False
    return re.search(rf"\b(?:an?|another|some) {re.escape(things[0])}\b", text, re.IGNORECASE) is not None


def reprieve(mine: Proposition, claim: str, passage: Passage) -> Finding | None:
    """The same for a claim that was read already."""
    statements = read_text(passage.text).statements
    if not statements:
        return None
    others = [statement.proposition for statement in statements]
    if all(_is_counterpart(mine, other) for other in others):
        return Finding(Verdict.INSUFFICIENT, _OPEN, "other_event", passage.id)
    if all(other.subject != mine.subject for other in others) and _is_any(mine, passage.text):
        return Finding(Verdict.INSUFFICIENT, _OPEN, "not_opposed", passage.id, evidence_value=passage.text)
    for other in others:
        found = compare_propositions(mine, other, Aliases())
        if found is not None and found.verdict is Verdict.SUPPORTED and _is_wider(mine, other):
            return replace(found, passage_id=passage.id)
    verdict = (
        _find_share(claim, passage.text) or find_end(mine, others) or _find_former(mine, others)
        or _find_state(mine, others) or _find_standing(mine, others)
    )  # fmt: skip
    if verdict is None:
        return None
    reason = "implied" if verdict is Verdict.SUPPORTED else "not_opposed"
    return Finding(verdict, _OPEN, reason, passage.id, evidence_value=passage.text)


def _is_wider(mine: Proposition, theirs: Proposition) -> bool:
    """Both name a time, in other words: a model compares the figures, the calendar the days."""
    times = [{a.text.lower() for a in p.arguments if a.is_time} for p in (mine, theirs)]
    return all(times) and times[0] != times[1] and not mine.negated and not theirs.negated


def _is_counterpart(mine: Proposition, theirs: Proposition) -> bool:
    """ "Closes at four" says nothing against "opens at eight"."""
    timed = any(a.is_time for a in mine.arguments) and any(a.is_time for a in theirs.arguments)
    positive = not mine.negated and not theirs.negated
    if timed and find_times_apart(mine, theirs) is None:
        return False  # both at the same time: one of them is wrong
    return timed and positive and mine.predicate != theirs.predicate and are_opposites(mine.predicate, theirs.predicate)


# ── changes and states ──────────────────────────────────────────────────────────────────────────


def _find_state(mine: Proposition, others: Sequence[Proposition]) -> Verdict | None:
    """ "I weighed 80 kg" is one end of "you lost 4 kg", as "on Tuesday" is one of "moved from Tuesday to Thursday"."""
    told = frozenset[str]().union(*(other.lemmas for other in others), (other.predicate for other in others))
    if mine.negated or mine.predicate not in verbs("changing") or not verbs("changing").isdisjoint(told):
        return None
    ends = [a for a in mine.arguments if a.role in ("from", "to", "into")]
    if any(a.role == "from" for a in ends):
        return Verdict.INSUFFICIENT if any(told.issuperset(a.lemmas) for a in ends if a.lemmas) else None
    by = [a for a in mine.arguments if (a.role == "object" or a.role.endswith("by")) and _has_figure(a)]
    return Verdict.INSUFFICIENT if by and not ends else None


def _find_standing(mine: Proposition, others: Sequence[Proposition]) -> Verdict | None:
    """A chapel that stands on a hill sits there as well; a guest does not."""
    standing = verbs("standing") | {"be"}
    if mine.negated or mine.predicate not in standing or is_person(mine):
        return None
    places = [frozenset(a.lemmas) for a in mine.arguments if a.role not in ("object", "complement")]
    same = len(places) == len(mine.arguments) and any(
        other.predicate in standing
        and not other.negated
        and other.subject_lemmas == mine.subject_lemmas
        and [frozenset(a.lemmas) for a in other.arguments] == places
        for other in others
    )
    return Verdict.SUPPORTED if same and places else None


def _has_figure(argument: Argument) -> bool:
    return any(lemma[:1].isdigit() or small_number(lemma) is not None for lemma in argument.lemmas)


_GIVEN_UP = frozenset({"quit", "stop", "cease", "longer", "anymore"})


def _find_former(mine: Proposition, others: Sequence[Proposition]) -> Verdict | None:
    """Who retired from nursing was a nurse; who no longer teaches may have been a teacher."""
    if mine.tense is not Tense.PAST or mine.negated:
        return None
    said = {lemma for a in mine.arguments for lemma in a.lemmas} | {mine.predicate}
    for other in others:
        same = other.subject == mine.subject and any(means_same(one, two) for one in said for two in other.lemmas)
        if same and not other.negated and other.predicate in verbs("retiring") and mine.predicate != other.predicate:
            return Verdict.SUPPORTED
        if same and other.negated and not _GIVEN_UP.isdisjoint((*other.lemmas, *other.adverbs)):
            return Verdict.INSUFFICIENT
    return None


def _find_share(claim: str, text: str) -> Verdict | None:
    """Twelve of twenty-four students are half of them."""
    return Verdict.INSUFFICIENT if tells_share_otherwise(claim, text) else None
