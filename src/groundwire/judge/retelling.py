"""The same told in other words: what structure and shared words leave open, by a table of words that tell each other.

"Your wedding took place in 2018" has hardly a word of "I got married in 2018". Every content word of the claim must be
told by one statement, names and figures to the letter; the statement's own verb must have a part in it, and it must be
the same person's affair on both sides.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.arguments import is_user, names_user
from groundwire.judge.coverage import (
    compare_numbers,
    is_of_another_time,
    is_particular,
    is_told,
    old_words,
    only_reports,
    tells_of_others,
)
from groundwire.judge.entailment import find_addition
from groundwire.judge.exclusion import has_number
from groundwire.judge.findings import Finding
from groundwire.judge.phrasal import find_particles
from groundwire.judge.predicates import is_real, means_same, verbs
from groundwire.judge.slots import relate_values
from groundwire.text.derivation import is_derived
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import ReadClaim, Reading
from groundwire.text.subjects import USER, may_be_person, names_person
from groundwire.text.tables import read_table
from groundwire.text.telling import find_told, load_told
from groundwire.text.values import Relation
from groundwire.types import Verdict

_OWNED = f"{USER}'s "
_Words = frozenset[str]


def find_retold(claim: ReadClaim, evidence: Reading, aliases: Aliases) -> Finding | None:
    """What a statement of the evidence says of the claim in other words: that it is so, or with another figure."""
    mine = claim.proposition
    if not mine.lemmas or mine.is_fragment or is_of_another_time(claim.claim.text, evidence.text):
        return None
    found = [
        finding for read in evidence.statements
        if not read.claim.hedged and (finding := retell(mine, read.proposition, aliases)) is not None
    ]  # fmt: skip
    return max(found, key=lambda finding: finding.verdict is Verdict.SUPPORTED, default=None)


def retell(claim: Proposition, evidence: Proposition, aliases: Aliases) -> Finding | None:
    claim, evidence = unfold(claim), unfold(evidence)
    if claim.negated != evidence.negated or not evidence.lemmas or not is_real(claim, evidence):
        return None
    wanted, offered = _list_words(claim), _list_words(evidence) - old_words(evidence)
    content = _list_content(claim, evidence)
    missing = frozenset([word for word in content if not is_told(word, offered)])
    missing -= _tell_hours(wanted, offered) | _tell_amounts(claim, evidence)
    if has_begun(claim, evidence):
        missing -= {claim.predicate}
    told = find_told(missing, wanted, offered)
    untold = sorted(missing.difference(told))
    if len(untold) > 1 or not (missing or len(content) > 1 or claim.negated) or not _tells_since(claim, evidence):
        return None
    addition = find_addition(claim, evidence, aliases)
    if addition and addition not in told:
        return None
    tellers = frozenset[str]().union(*told.values())
    if _tells_much_more(evidence, wanted | tellers):
        return None
    if not _takes_part(claim, evidence, tellers) or not _is_of_it(claim, evidence, tellers, aliases):
        return None
    if untold:
        return compare_numbers(claim, untold, offered, exchange=False) if is_particular(untold[0]) else None
    return Finding(Verdict.SUPPORTED, 0.66, "words_told")


def is_told_apart(objection: Finding) -> bool:
    """Whether it misses a word that the table has: "native" is nowhere in "my mother tongue", and told by it."""
    return objection.reason == "detail_missing" and objection.claim_value.lower() in load_told()


_MOST_BESIDE = 3


def _tells_much_more(evidence: Proposition, used: _Words) -> bool:
    """A long statement has words for many claims that it does not make."""
    return sum(not is_told(word, used) for word in evidence.lemmas) > _MOST_BESIDE


def unfold(said: Proposition) -> Proposition:
    """ "I'm a non-smoker" denies what "I smoke" tells."""
    denied = next((word for word in said.lemmas if word.startswith(_NON) and len(word) > len(_NON) + 2), None)
    if denied is None or said.negated:
        return said
    told = said.lemmas - {denied} | {denied.removeprefix(_NON)}
    arguments = [a._replace(lemmas=tuple(word.removeprefix(_NON) for word in a.lemmas)) for a in said.arguments]
    return said._replace(negated=True, lemmas=told, arguments=tuple(arguments))


_NON = "non-"


def has_begun(claim: Proposition, evidence: Proposition) -> bool:
    """Who "moved to Leeds in 2015" has lived there since 2015, for all that is told."""
    since = [a.lemmas for a in claim.arguments if a.role == "since" and a.lemmas]
    if not since or claim.negated or evidence.predicate not in _list_beginnings().get(claim.predicate, ()):
        return False
    return any(a.is_time and a.lemmas == since[0] and a.role in _POINTS for a in evidence.arguments)


def _tells_since(claim: Proposition, evidence: Proposition) -> bool:
    """ "Gave it away in May" does not tell what has been so since May."""
    if not any(a.role == "since" for a in claim.arguments):
        return True
    return has_begun(claim, evidence) or any(a.role in ("since", "from") for a in evidence.arguments)


_POINTS = frozenset({"in", "on", "at", "when", "since"})


@cache
def _list_beginnings() -> Mapping[str, frozenset[str]]:
    return {verb: frozenset(begun) for verb, begun in read_table("grammar")["begun"].items()}


def _tell_amounts(claim: Proposition, evidence: Proposition) -> _Words:
    """The words of an amount or a time that the evidence has in others: "half an hour", "30 minutes"."""
    figures = [a for a in evidence.arguments if has_number(a) or a.is_time]
    return frozenset(
        lemma
        for mine in claim.arguments
        if mine.lemmas and any(relate_values(mine.text, other.text) is Relation.EQUAL for other in figures)
        for lemma in mine.lemmas
    )


def _list_content(claim: Proposition, evidence: Proposition) -> _Words:
    particles = find_particles(claim)
    content = claim.lemmas.union(particles, *(a.lemmas for a in claim.arguments))
    if particles and claim.predicate != evidence.predicate:
        return content | {claim.predicate}  # "get up" is no "get"
    if claim.predicate in _AMOUNTING and any(a.role == "to" and has_number(a) for a in claim.arguments):
        return content - {claim.predicate}
    return content


_AMOUNTING = frozenset({"come", "amount", "add", "run"})
"""With "to" and a figure these say no more than "is"."""


def _is_of_it(claim: Proposition, evidence: Proposition, tellers: _Words, aliases: Aliases) -> bool:
    """Whether it is the same affair; the same verb in the same words has been compared part by part before."""
    known = _is_known_one(claim, evidence)
    if exchanges_places(claim, evidence):
        return True
    if not (tellers or known) and claim.predicate == evidence.predicate:
        return False
    if subjects_match(claim.subject, evidence.subject, aliases) or known:
        return _is_same_time(claim, evidence) and not tells_of_others(claim, evidence, aliases)
    return (
        shares_people(claim, evidence, tellers) and _is_same_time(claim, evidence) and not only_reports(claim, evidence)
    )


def _list_words(said: Proposition) -> _Words:
    return said.lemmas.union(find_particles(said), (said.predicate,), *(a.lemmas for a in said.arguments))


def _is_same_time(claim: Proposition, evidence: Proposition) -> bool:
    if evidence.ended != claim.ended and not evidence.is_fragment:
        return False
    if claim.tense is evidence.tense or evidence.is_fragment or has_begun(claim, evidence):
        return True
    return _shares_date(claim, evidence)


def _shares_date(claim: Proposition, evidence: Proposition) -> bool:
    """Who "got married in 2018" is so today, and the wedding was in 2018."""
    dates = [{a.lemmas for a in said.arguments if a.is_time and a.lemmas} for said in (claim, evidence)]
    return not dates[0].isdisjoint(dates[1])


def _takes_part(claim: Proposition, evidence: Proposition, tellers: _Words) -> bool:
    """Who "dated a pilot" is none: the verb of the evidence must be told, tell, or say nothing by itself."""
    verb = evidence.predicate
    if evidence.is_fragment or verb in tellers or means_same(claim.predicate, verb):
        return True
    if verb in _list_tellers(claim, frozenset({claim.predicate}), _list_words(evidence)):
        return True
    if has_begun(claim, evidence) or (verb in _MEASURING and any(map(has_number, evidence.arguments))):
        return True
    if (tellers and verb == "take") or verb in verbs("empty") or verb in verbs("being") or verb in verbs("holding"):
        said = claim.lemmas | tellers
        return any(is_told(word, said) for argument in evidence.arguments for word in argument.lemmas)
    return any(is_told(word, frozenset({verb})) for word in claim.lemmas)


_MEASURING = frozenset({"take", "last", "cost", "weigh", "measure", "total", "come", "amount"})
"""With a figure these say how much it is."""


def _list_tellers(claim: Proposition, missing: _Words, offered: _Words) -> _Words:
    return frozenset[str]().union(*find_told(missing, _list_words(claim), offered).values())


def shares_people(claim: Proposition, evidence: Proposition, tellers: _Words) -> bool:
    """Whether both tell of the same people, and who does it to whom cannot be mistaken.

    "Bristol is home for you" and "I live in Bristol" are about the user alone, whatever stands as their subject; of two
    who are named, one may do it to the other.
    """
    mine, theirs = _list_people(claim), _list_people(evidence)
    if _mentions_user(claim) and not (_mentions_user(evidence) or evidence.is_fragment):
        return False
    if not (theirs <= mine | tellers and mine <= theirs | tellers):
        return False
    if evidence.subject != USER and evidence.names.intersection(evidence.subject_lemmas) - claim.lemmas - tellers:
        return False
    named = [words for words in _list_named(claim) if not claim.names.isdisjoint(words)]
    parties = len(named) + _mentions_user(claim) + bool(mine)
    if any(_is_users_thing(said) for said in (claim, evidence)):
        return True
    return parties < 2 or (parties == 2 and bool(tellers) and claim.predicate != evidence.predicate)


def _is_users_thing(said: Proposition) -> bool:
    return said.subject.startswith(_OWNED) and bool(said.subject_lemmas) and not names_person(said.subject_lemmas[-1])


def _list_people(said: Proposition) -> _Words:
    """Words for people: "daughter", "landlord"; names are not known to be somebody's."""
    return frozenset(word for word in said.lemmas if names_person(word))


def _list_named(said: Proposition) -> list[tuple[str, ...]]:
    return [said.subject_lemmas, *(a.lemmas for a in said.arguments if not a.is_time)]


def _mentions_user(said: Proposition) -> bool:
    return _is_users(said.subject) or any(is_user(a) or names_user(a) for a in said.arguments)


def _is_known_one(claim: Proposition, evidence: Proposition) -> bool:
    """ "The rent" that an answer speaks of is the user's, where memories know of one."""
    mine, theirs = claim.subject_lemmas, evidence.subject_lemmas
    owned = evidence.subject.startswith(_OWNED) or not evidence.names.isdisjoint(theirs)
    if not mine or not theirs or claim.subject.startswith(_OWNED) or "'s " in claim.subject:
        return False
    return owned and mine[-1] == theirs[-1] and set(mine) <= set(theirs) and claim.names.isdisjoint(mine)


def exchanges_places(claim: Proposition, evidence: Proposition) -> bool:
    """ "Bea manages the studio" and "the manager of the studio is Bea": who and what stand on the other side."""
    mine, theirs = _name_doer(claim, evidence.predicate), _name_doer(evidence, claim.predicate)
    who = _stands_for(claim.subject, _without(mine, claim), evidence)
    what = _stands_for(evidence.subject, _without(theirs, evidence), claim)
    if claim.predicate == evidence.predicate == "be" and what is not None and what.is_name:
        return what.lemmas == evidence.subject_lemmas and _is_same_time(claim, evidence)
    if who is None or what is None:
        return _is_within(claim, evidence)
    if evidence.passive != claim.passive:
        return (who if evidence.passive else what).role == "by" and _is_same_time(claim, evidence)
    return bool(mine or theirs) and ((mine or theirs) in _LASTING or _is_same_time(claim, evidence))


def _without(doer: str, said: Proposition) -> tuple[str, ...]:
    return tuple(lemma for lemma in said.subject_lemmas if lemma != doer)


def _name_doer(said: Proposition, verb: str) -> str:
    """The subject's word for whoever does it: "manager" beside "manage", not "employee" beside "employ"."""
    if said.predicate != "be":
        return ""
    heads = [lemma for lemma in said.subject_lemmas if lemma != verb and not lemma.endswith("ee")]
    return next(
        (head for head in heads if _DOERS.get(head) == verb or (may_be_person(head) and is_derived(head, verb))), ""
    )


_DOERS = {"author": "write", "boss": "manage", "chef": "cook", "coach": "train"}
_LASTING = frozenset(
    {"author", "founder", "creator", "winner", "inventor", "builder", "designer", "composer", "discoverer"}
)
"""Words for who did something once, and is called so ever after."""


def _is_within(claim: Proposition, evidence: Proposition) -> bool:
    """ "There is no lift in my building" and "your building has none"."""
    there, having = (evidence, claim) if evidence.subject == "There" else (claim, evidence)
    if there.subject != "There" or there.predicate != "be" or having.predicate not in _HAVING:
        return False
    places = [a for a in there.arguments if a.role in _PLACES]
    owner = having.subject_lemmas
    return any(set(owner) <= set(place.lemmas) for place in places) if owner else any(map(is_user, places))


_HAVING = frozenset({"have", "get", "own", "possess", "hold"})
_PLACES = frozenset({"in", "at", "on", "of", "inside"})


def _stands_for(subject: str, lemmas: tuple[str, ...], other: Proposition) -> Argument | None:
    """The argument of the other side that has all words of a subject."""
    if subject == USER:
        return next((a for a in other.arguments if is_user(a)), None)
    if not lemmas:
        return None
    return next((a for a in other.arguments if not a.is_time and set(lemmas) <= set(a.lemmas)), None)


def _is_users(subject: str) -> bool:
    return subject == USER or subject.startswith(_OWNED)


def _tell_hours(claim: _Words, offered: _Words) -> _Words:
    """ "Six in the morning" beside 06:00: the figure, and the part of the day if it is the clock's."""
    clocks = [int(one[:2]) for one in offered if len(one) == 5 and one.endswith(":00") and one[:2].isdigit()]
    hours = {word for word in claim if word.isdigit() and len(word) < 3}
    same = {clock: word for clock in clocks for word in hours if clock % 12 == int(word) % 12}
    if not same:
        return frozenset()
    parts = {part for part in _PARTS.keys() & claim if any(clock in _PARTS[part] for clock in same)}
    return frozenset(same.values()) | parts


_PARTS = {
    "morning": frozenset(range(3, 12)),
    "afternoon": frozenset(range(12, 19)),
    "evening": frozenset(range(17, 24)),
    "night": frozenset((*range(20, 24), *range(5))),
}
