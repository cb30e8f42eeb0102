"""The same told in other words: what structure and shared words leave open, by a table of words that tell each other.

"Your wedding took place in 2018" has hardly a word of "I got married in 2018". Every content word of the claim must be
told by one statement, names and figures to the letter; the statement's own verb must have a part in it, and it must be
the same person's affair on both sides.
"""

from __future__ import annotations

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.arguments import is_user
from groundwire.judge.coverage import is_of_another_time, is_told, old_words, tells_of_others
from groundwire.judge.findings import Finding
from groundwire.judge.phrasal import find_particles
from groundwire.judge.predicates import is_real, means_same, verbs
from groundwire.text.derivation import is_derived
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import ReadClaim, Reading
from groundwire.text.subjects import USER, may_be_person
from groundwire.text.telling import find_told
from groundwire.types import Verdict

_OWNED = f"{USER}'s "
_Words = frozenset[str]


def find_retold(claim: ReadClaim, evidence: Reading, aliases: Aliases) -> Finding | None:
    """A statement of the evidence that tells the claim in other words."""
    mine = claim.proposition
    if not mine.lemmas or mine.is_fragment or is_of_another_time(claim.claim.text, evidence.text):
        return None
    for read in evidence.statements:
        if not read.claim.hedged and tells(mine, read.proposition, aliases):
            return Finding(Verdict.SUPPORTED, 0.66, "words_told")
    return None


def tells(claim: Proposition, evidence: Proposition, aliases: Aliases) -> bool:
    if claim.negated != evidence.negated or not evidence.lemmas or not is_real(claim, evidence):
        return False
    wanted, offered = _list_words(claim), _list_words(evidence) - old_words(evidence)
    particles = find_particles(claim)
    content = claim.lemmas.union(particles, *(a.lemmas for a in claim.arguments))
    if particles and claim.predicate != evidence.predicate:
        content |= {claim.predicate}  # "get up" is no "get"
    missing = frozenset([word for word in content if not is_told(word, offered)]) - _tell_hours(wanted, offered)
    told = find_told(missing, wanted, offered)
    if len(told) < len(missing) or not (missing or len(content) > 1):
        return False
    tellers = frozenset[str]().union(*told.values())
    if not _takes_part(claim, evidence, tellers):
        return False
    if subjects_match(claim.subject, evidence.subject, aliases) or _is_related(claim, evidence, tellers):
        return _is_same_time(claim, evidence) and not tells_of_others(claim, evidence, aliases)
    return exchanges_places(claim, evidence)


def _list_words(said: Proposition) -> _Words:
    return said.lemmas.union(find_particles(said), (said.predicate,), *(a.lemmas for a in said.arguments))


def _is_same_time(claim: Proposition, evidence: Proposition) -> bool:
    if evidence.ended != claim.ended and not evidence.is_fragment:
        return False
    return claim.tense is evidence.tense or evidence.is_fragment


def _takes_part(claim: Proposition, evidence: Proposition, tellers: _Words) -> bool:
    """Who "dated a pilot" is none: the verb of the evidence must be told, tell, or say nothing by itself."""
    verb = evidence.predicate
    if evidence.is_fragment or verb in tellers or means_same(claim.predicate, verb):
        return True
    if verb in verbs("empty") or verb in verbs("being") or verb in verbs("holding"):
        said = claim.lemmas | tellers
        return any(is_told(word, said) for argument in evidence.arguments for word in argument.lemmas)
    return any(is_derived(word, verb) for word in claim.lemmas)


def _is_related(claim: Proposition, evidence: Proposition, tellers: _Words) -> bool:
    if _is_users(claim.subject) and _is_users(evidence.subject):
        return _is_of_same_person(claim, evidence, tellers)
    return _is_known_one(claim, evidence)


def _is_of_same_person(claim: Proposition, evidence: Proposition, tellers: _Words) -> bool:
    """What is the user's tells of the user where it has a part in it; another person of theirs only by a relation."""
    mine, theirs = claim.subject_lemmas[-1:], evidence.subject_lemmas[-1:]
    if theirs and theirs[0] not in tellers and theirs[0] not in claim.lemmas:
        if may_be_person(theirs[0]) or tellers.isdisjoint(evidence.subject_lemmas):
            return False
    return not (mine and theirs and may_be_person(mine[0]) != may_be_person(theirs[0]))


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
    if who is None or what is None:
        return _is_within(claim, evidence)
    if evidence.passive != claim.passive:
        return (who if evidence.passive else what).role == "by" and _is_same_time(claim, evidence)
    if mine or theirs:
        return (mine or theirs) in _LASTING or _is_same_time(claim, evidence)
    both = claim.predicate == evidence.predicate == "be"
    return both and who.lemmas == claim.subject_lemmas and what.lemmas == evidence.subject_lemmas


def _without(doer: str, said: Proposition) -> tuple[str, ...]:
    return tuple(lemma for lemma in said.subject_lemmas if lemma != doer)


def _name_doer(said: Proposition, verb: str) -> str:
    """The subject's word for whoever does it: "manager" beside "manage", not "employee" beside "employ"."""
    if said.predicate != "be":
        return ""
    heads = [lemma for lemma in said.subject_lemmas if lemma != verb and not lemma.endswith("ee")]
    return next((head for head in heads if _DOERS.get(head) == verb or (may_be_person(head) and is_derived(head, verb))), "")


_DOERS = {"author": "write", "boss": "manage", "chef": "cook", "coach": "train"}
_LASTING = frozenset({"author", "founder", "creator", "winner", "inventor", "builder", "designer", "composer", "discoverer"})
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
