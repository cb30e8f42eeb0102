"""What keeps evidence from refuting a claim, though the two look opposed.

Two events each have their own time, one time may lie in a wider one, a state is one end of a change, who retired from a
trade was in it, an end follows from a beginning and a length, and twelve of twenty-four are half.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import lru_cache

from groundwire.judge.alignment import Aliases
from groundwire.judge.entailment import compare_propositions
from groundwire.judge.events import find_times_apart
from groundwire.judge.exceptions import shares_exception
from groundwire.judge.findings import Finding
from groundwire.judge.predicates import means_same, verbs
from groundwire.judge.reckoning import may_be_ordered, tells_share_otherwise
from groundwire.text.calendar import Moment, read_moment, small_number
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import read_text
from groundwire.text.thesaurus import are_opposites
from groundwire.text.times import add_units, read_count
from groundwire.types import Passage, Tense, Verdict

_OPEN = 0.8


@lru_cache(maxsize=4096)
def find_reprieve(claim: str, passage: Passage) -> Finding | None:
    """Support or silence where a refutation would be wrong; None where it may stand."""
    if may_be_ordered(claim, passage) or shares_exception(claim, passage.text):
        return Finding(Verdict.INSUFFICIENT, _OPEN, "not_opposed", passage.id, evidence_value=passage.text)
    reads = read_text(claim).claims
    if len(reads) != 1:
        return None
    if _says_time_otherwise(reads[0].proposition, passage.text):
        return Finding(Verdict.INSUFFICIENT, _OPEN, "not_opposed", passage.id, evidence_value=passage.text)
    return reprieve(reads[0].proposition, claim, passage)


def _says_time_otherwise(mine: Proposition, text: str) -> bool:
    """ "At 19:00" is at 7 pm: a model compares the figures, and takes them for two times."""
    told = [read.proposition for read in read_text(text).statements]
    names = frozenset[str]().union(*(other.lemmas for other in told))
    hours = {lemma: a.text.lower() for other in told for a in other.arguments for lemma in a.lemmas if ":" in lemma}
    said = [(lemma, a.text.lower()) for a in mine.arguments for lemma in a.lemmas if ":" in lemma]
    same = bool(said) and all(lemma in hours for lemma, _ in said)
    return same and any(hours[lemma] != words for lemma, words in said) and mine.names <= names and not mine.negated


def reprieve(mine: Proposition, claim: str, passage: Passage) -> Finding | None:
    """The same for a claim that was read already."""
    statements = read_text(passage.text).statements
    if not statements:
        return None
    others = [statement.proposition for statement in statements]
    if all(_is_counterpart(mine, other) for other in others):
        return Finding(Verdict.INSUFFICIENT, _OPEN, "other_event", passage.id)
    for other in others:
        found = compare_propositions(mine, other, Aliases())
        if found is not None and found.verdict is Verdict.SUPPORTED and _is_wider(mine, other):
            return replace(found, passage_id=passage.id)
    verdict = (
        _find_share(claim, passage.text) or _find_end(mine, others) or _find_former(mine, others)
        or _find_state(mine, others)
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


# ── ends that follow ────────────────────────────────────────────────────────────────────────────


def _find_end(mine: Proposition, others: Sequence[Proposition]) -> Verdict | None:
    """From a beginning and a length: started on 1 March, lasts two weeks."""
    if mine.negated or mine.predicate not in verbs("ending") or any(o.predicate in verbs("ending") for o in others):
        return None
    end = next((m for a in mine.arguments if a.is_time and (m := read_moment(a.text.lower())) is not None), None)
    begun = [
        m for o in others if o.predicate in verbs("beginning") for a in o.arguments
        if a.is_time and (m := read_moment(a.text.lower())) is not None
    ]  # fmt: skip
    lengths = [match for o in others for a in o.arguments if (match := _LENGTH.fullmatch(a.text.lower())) is not None]
    if end is None or len(begun) != 1 or len(lengths) != 1:
        return None
    count = read_count(lengths[0]["count"]) or small_number(lengths[0]["count"])
    first, last = _first_day(begun[0]), _first_day(end)
    if not count or first is None or last is None:
        return None
    due = add_units(datetime.combine(first, datetime.min.time()), count, lengths[0]["unit"])
    if due is None:
        return None
    slack = 1 if end.day or (end.days and end.days[0][0] == end.days[0][1]) else _length_of(end)
    return Verdict.SUPPORTED if -1 <= (due - last).days <= slack else None


_LENGTH = re.compile(r"(?P<count>\d{1,4}|[a-z]{1,9}(?:-[a-z]{3,5})?) (?P<unit>day|week|month|year)s?")
_ANY_YEAR = 2001


def _first_day(moment: Moment) -> date | None:
    """The first day that it can be; a day without its year is one of any year."""
    if moment.days:
        return moment.days[0][0] if len(moment.days) == 1 else None
    if not moment.month:
        return None
    return date(_ANY_YEAR, moment.month, min(moment.day or 1, 28) if moment.month == 2 else moment.day or 1)


def _length_of(moment: Moment) -> int:
    return (moment.days[0][1] - moment.days[0][0]).days if moment.days else 31
