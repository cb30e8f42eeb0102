"""Words alone: the last rule, for claims whose structure meets nothing in the evidence.

Every content word of the claim must be carried by the evidence, numbers and names to the letter,
and neither side may deny what the other says.
"""

from __future__ import annotations

import re
from functools import lru_cache

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.arguments import is_other_end, is_user, names_user
from groundwire.judge.comparisons import set_others_aside
from groundwire.judge.entailment import find_addition
from groundwire.judge.findings import Finding
from groundwire.judge.phrasal import find_particles
from groundwire.judge.predicates import is_real, means_same, verbs
from groundwire.text.derivation import is_derived
from groundwire.text.framing import words_for
from groundwire.text.function_words import embedding_verbs
from groundwire.text.propositions import Proposition
from groundwire.text.reading import ReadClaim, Reading, read_text
from groundwire.text.subjects import USER, names_person, user_words
from groundwire.text.thesaurus import are_opposites, is_carried, is_kind_of, same_meaning
from groundwire.text.values import Relation, compare
from groundwire.types import Tense, Verdict

LIGHT = frozenset(
    {
        "use",
        "be",
        "become",
        "have",
        "do",
        "get",
        "go",
        "lie",
        "hold",
        "happen",
        "include",
        "consist",
        "allow",
        "total",
        "lead",
        "month",
        "department",
        "team",
        "make",
        "take",
        "give",
        "come",
        "keep",
        "call",
        "name",
        "work",
        "live",
        "start",
        "time",
        "way",
        "people",
        "person",
    }
)
_ENOUGH = 0.6
_BOUNDS = frozenset({"below", "above", "over", "under", "than", "beyond"})


def compare_words(claim: ReadClaim, evidence: Reading, aliases: Aliases) -> Finding | None:
    """Support by overlap of content words, refutation by an opposite word in an otherwise same statement."""
    proposition = claim.proposition
    wanted = proposition.lemmas
    if not wanted or is_of_another_time(claim.claim.text, evidence.text):
        return None
    candidates = [
        c.proposition
        for c in evidence.statements
        if not c.claim.hedged
        and is_real(proposition, c.proposition)
        and _may_speak(proposition, c.proposition, aliases)
    ]
    best: Finding | None = None
    for candidate in candidates:
        if candidate.negated != proposition.negated and not means_same(proposition.predicate, candidate.predicate):
            continue
        found = _compare(proposition, present_words(candidate), candidate.negated, verbless=candidate.is_fragment)
        if (
            found is not None
            and found.verdict is Verdict.SUPPORTED
            and (
                not _says_as_much(proposition, candidate)
                or _changes_particle(proposition, candidate)
                or tells_of_others(proposition, candidate, aliases)
                or find_addition(proposition, candidate, aliases)
            )
        ):
            continue
        if found is not None and found.reason == "opposite_word" and _is_converse(proposition, candidate, aliases):
            continue
        if found is not None and (best is None or found.strength > best.strength):
            best = found
    if any(_exchanges_subject(proposition, candidate, aliases) for candidate in candidates):
        return best
    candidates = [candidate for candidate in candidates if _says_as_much(proposition, candidate)]
    if best is None and len(candidates) > 1 and not any(c.negated for c in candidates) and not proposition.negated:
        union = frozenset[str]().union(*(present_words(c) for c in candidates))
        best = _compare(proposition, union, False, whole=True)
    return best


def tells_of_others(claim: Proposition, evidence: Proposition, aliases: Aliases) -> bool:
    """Whether the words are those of the claim, and who did what to whom is not."""
    return (
        only_reports(claim, evidence)
        or set_others_aside(claim, evidence)
        or only_owns(claim, evidence)
        or _exchanges_owned(claim, evidence)
        or _exchanges_sides(claim, evidence)
        or _exchanges_subject(claim, evidence, aliases)
        or _leaves_user_out(claim, evidence)
    )


def only_reports(claim: Proposition, evidence: Proposition) -> bool:
    """ "Leo told Mia that Sam had resigned" has every word of "Leo resigned"."""
    return evidence.predicate in embedding_verbs() and not means_same(claim.predicate, evidence.predicate)


_PERIOD = re.compile(r"\b(this|last|next)\s+(week|month|year|quarter|season|spring|summer|autumn|fall|winter|term)\b")


_NO_PERIODS = frozenset[tuple[str, ...]]()


@lru_cache(maxsize=4096)
def _find_periods(text: str) -> frozenset[tuple[str, ...]]:
    found = [period.groups() for period in _PERIOD.finditer(text.lower())]
    return frozenset(found) if found else _NO_PERIODS


def is_of_another_time(claim: str, evidence: str) -> bool:
    """ "this year" in the claim, "last year" in the evidence."""
    mine = _find_periods(claim)
    if not mine:
        return False
    theirs = _find_periods(evidence)
    return mine.isdisjoint(theirs) and bool({noun for _, noun in mine} & {noun for _, noun in theirs})


def present_words(evidence: Proposition) -> frozenset[str]:
    """ "moved from Tuesday to Thursday" speaks of Tuesday, and no longer for it."""
    return evidence.lemmas - old_words(evidence)


def old_words(evidence: Proposition) -> frozenset[str]:
    """What a change left behind; "runs from Rome to Milan" is no change, nor is "goes from terminal 1"."""
    if evidence.predicate not in words_for("changes"):
        return _NOTHING
    if evidence.predicate == "go" and all(argument.role != "to" for argument in evidence.arguments):
        return _NOTHING
    old = {lemma for argument in evidence.arguments if argument.role == "from" for lemma in argument.lemmas}
    kept = {lemma for argument in evidence.arguments if argument.role != "from" for lemma in argument.lemmas}
    return frozenset(old - kept)


def names_old_value(claim: str, evidence: str) -> bool:
    """Whether the claim has a word that the evidence has only as what something was changed from."""
    statements = [read.proposition for read in read_text(evidence).statements]
    old = frozenset[str]().union(*(old_words(statement) for statement in statements))
    if not old:
        return False
    present = frozenset[str]().union(*(present_words(statement) for statement in statements))
    said = (read.proposition for read in read_text(claim).claims)
    return any(one.tense is not Tense.PAST and one.lemmas & (old - present) for one in said)


def _says_as_much(claim: Proposition, evidence: Proposition) -> bool:
    """ "I dated a pilot" has every word of "you are a pilot": beside an empty verb, another one says something else."""
    mine, theirs = claim.predicate, evidence.predicate
    if evidence.is_fragment or mine == theirs or mine not in verbs("empty") or claim.passive:
        return True
    if mine == "be" and any(argument.role == "as" for argument in evidence.arguments):
        return True  # who works as a nurse is one
    if mine == "go" and theirs in verbs("being") and any(argument.role.endswith("to") for argument in claim.arguments):
        return True  # what went up to 15 is 15
    return any(mine in group and theirs in group for group in (verbs("holding"), verbs("being")))


def only_owns(claim: Proposition, evidence: Proposition) -> bool:
    """ "My daughter's teacher is called Marta" says nothing of what the daughter is called."""
    if "'s " not in evidence.subject or len(evidence.subject_lemmas) < 2:
        return False
    *owners, owned = evidence.subject_lemmas
    alone = set(owners).difference(*(a.lemmas for a in evidence.arguments))
    named = [a.lemmas for a in claim.arguments if a.role == "object" and a.lemmas]
    alike = claim.predicate == evidence.predicate and claim.passive is evidence.passive
    same = (alike or claim.predicate in verbs("being")) and owned not in words_for("attributes")
    if claim.subject_lemmas and (same or names_person(owned)):
        named.append(claim.subject_lemmas)  # "the sister of Ana is a doctor" does not say that Ana is one
    return any(lemmas[-1] in alone and owned not in lemmas for lemmas in named)


def _exchanges_owned(claim: Proposition, evidence: Proposition) -> bool:
    """ "My aunt's dentist is a neighbour" does not say that her neighbour is a dentist."""
    if claim.subject == evidence.subject or "'s " not in claim.subject or "'s " not in evidence.subject:
        return False
    mine, theirs = claim.subject_lemmas[-1:], evidence.subject_lemmas[-1:]
    if mine == theirs or not mine or not theirs:
        return False
    said = {lemma for a in evidence.arguments for lemma in a.lemmas}
    return mine[0] in said and any(theirs[0] in a.lemmas for a in claim.arguments)


def _exchanges_sides(claim: Proposition, evidence: Proposition) -> bool:
    """ "My brother gave me a watch" does not say that you gave him one."""
    if claim.predicate != evidence.predicate or claim.passive or evidence.passive or claim.predicate in _MUTUAL:
        return False
    mine, theirs = (claim, evidence) if claim.subject == USER else (evidence, claim)
    if mine.subject != USER or not theirs.subject.startswith(f"{USER}'s ") or not theirs.subject_lemmas:
        return False
    who = theirs.subject_lemmas
    meets_other = any(a.role in _SIDES and a.lemmas[: len(who)] == who for a in mine.arguments)
    return meets_other and any(a.role in _SIDES and a.text.lower().split()[0] in user_words() for a in theirs.arguments)


def _changes_particle(claim: Proposition, evidence: Proposition) -> bool:
    """ "The knee gave out" has the verb of "you gave it up", and "took up" that of "took over"."""
    mine, theirs = find_particles(claim), find_particles(evidence)
    if not mine or claim.predicate not in verbs("phrasal"):
        return False
    if mine & theirs and means_same(claim.predicate, evidence.predicate):
        return False
    return not any(same_meaning(f"{claim.predicate} {particle}", evidence.predicate) for particle in mine)


def _leaves_user_out(claim: Proposition, evidence: Proposition) -> bool:
    """ "Is moving in with you" needs evidence in which somebody does something with the user."""
    if evidence.is_fragment or not any(is_user(a) for a in claim.arguments):
        return False
    if evidence.subject == USER or (evidence.subject.startswith(f"{USER}'s ") and evidence.subject != claim.subject):
        return False
    return not any(map(names_user, evidence.arguments))


def _exchanges_subject(claim: Proposition, evidence: Proposition, aliases: Aliases) -> bool:
    """ "Inti put in a word for Rafael" has every word of its converse: who does it is whom it is done for."""
    if claim.passive or evidence.passive or claim.predicate in _MUTUAL or not evidence.subject_lemmas:
        return False
    if any(a.role == "by" for a in (*claim.arguments, *evidence.arguments)):
        return False
    if not means_same(claim.predicate, evidence.predicate) or subjects_match(claim.subject, evidence.subject, aliases):
        return False
    mine, theirs = (frozenset(lemma for a in said.arguments for lemma in a.lemmas) for said in (claim, evidence))
    return not mine.isdisjoint(evidence.subject_lemmas) and not theirs.isdisjoint(claim.subject_lemmas)


_SIDES = frozenset({"object", "second", "to", "from", "for"})
_MUTUAL = frozenset({"meet", "marry", "date", "divorce", "resemble", "match", "join", "hug", "kiss", "be", "have"})


def _is_converse(claim: Proposition, evidence: Proposition, aliases: Aliases) -> bool:
    """ "Ben lent it to Ana" and "Ana borrowed it from Ben"; "closes at eight" and "is open until eight"."""
    if not subjects_match(claim.subject, evidence.subject, aliases):
        return True
    ends = [a for a in evidence.arguments if a.is_time and a.role in ("until", "till", "from", "since")]
    return any(a.is_time and is_other_end(a, end) for a in claim.arguments for end in ends)


def _may_speak(claim: Proposition, evidence: Proposition, aliases: Aliases) -> bool:
    """Evidence about somebody else says nothing about this subject."""
    if subjects_match(claim.subject, evidence.subject, aliases):
        return True
    if evidence.subject == USER or claim.subject == USER:
        owner = evidence.subject if claim.subject == USER else claim.subject
        return owner.casefold().startswith("user's ") and _mentions(claim, evidence)
    return bool(claim.subject_lemmas) and evidence.lemmas.issuperset(claim.subject_lemmas)


def _mentions(claim: Proposition, evidence: Proposition) -> bool:
    owned = claim.subject_lemmas or evidence.subject_lemmas
    return claim.lemmas.issuperset(owned) and evidence.lemmas.issuperset(owned)


def _compare(
    claim: Proposition, evidence: frozenset[str], negated: bool, *, whole: bool = False, verbless: bool = False
) -> Finding | None:
    missing = [
        lemma
        for lemma in sorted(claim.lemmas)
        if not is_told(lemma, evidence) and not (verbless and lemma == claim.predicate and _tells_thing(claim))
    ]
    if claim.negated != negated:
        wider = negated and any(is_kind_of(other, lemma) for lemma in claim.lemmas - evidence for other in evidence)
        denied = not missing and not wider and len(claim.lemmas) > 1  # who eats no chicken may eat meat
        return Finding(Verdict.REFUTED, 0.69, "words_denied") if denied else None
    if not missing:
        return Finding(Verdict.SUPPORTED, 0.72 if whole else 0.8, "words_covered")
    compared = any(argument.role == "than" for argument in claim.arguments)  # "shorter than" may say the same
    opposed = len(missing) == 1 and any(are_opposites(missing[0], other) for other in evidence)
    if opposed and len(claim.lemmas) > 1 and not compared:
        return Finding(Verdict.REFUTED, 0.69, "opposite_word", claim_value=missing[0])
    if any(is_particular(lemma) for lemma in missing) and compared:
        return None
    if any(is_particular(lemma) for lemma in missing):
        return compare_numbers(claim, missing, evidence, exchange=not whole)
    return _compare_mostly(claim, missing, evidence)


def _tells_thing(claim: Proposition) -> bool:
    """A note without a verb may carry one that takes its things together, and none that is all that is said of one."""
    return bool(claim.lemmas.difference(claim.subject_lemmas, (claim.predicate,)))


def _compare_mostly(claim: Proposition, missing: list[str], evidence: frozenset[str]) -> Finding | None:
    """Names, numbers and all parts of the statement are there; only words around them are not."""
    if any(lemma in claim.names for lemma in missing):
        return None
    if claim.predicate in missing and (claim.predicate not in LIGHT or _says_more(claim, evidence)):
        return None
    if any(lemma in missing and lemma not in LIGHT for a in claim.arguments for lemma in a.lemmas):
        return None
    heavy = [lemma for lemma in claim.lemmas if lemma not in LIGHT]
    lacking = [lemma for lemma in missing if lemma not in LIGHT]
    if len(heavy) >= 2 and 1 - len(lacking) / len(heavy) >= _ENOUGH:
        return Finding(Verdict.SUPPORTED, 0.62, "words_mostly_covered")
    return None


def _says_more(claim: Proposition, evidence: frozenset[str]) -> bool:
    """Light verbs that say something here: who stays in Cork may work elsewhere, and "call off" is no calling."""
    if claim.predicate in _DWELLING:
        return _DWELLING[claim.predicate].isdisjoint(evidence)
    return claim.predicate not in _EMPTY and bool(find_particles(claim))


_DWELLING = {
    "live": frozenset({"home", "resident", "inhabitant"}),
    "work": frozenset(
        {"employ", "employer", "job", "hire", "staff", "colleague", "career", "profession", "occupation"}
    ),
    "come": frozenset({"release", "publish", "arrive", "bear", "native", "origin", "hometown"}),
}
"""Verbs that few others carry, with the words that do."""
_EMPTY = frozenset({"be", "have", "do", "get", "become"})


def compare_numbers(
    claim: Proposition, missing: list[str], available: frozenset[str], *, exchange: bool
) -> Finding | None:
    """Every word is there but the number: then the number is wrong; "in the 1870s" does not deny "in 1874"."""
    figures = {lemma for lemma in available if is_particular(lemma) and ".." not in lemma}
    others = sorted(figures - claim.lemmas)
    if len(missing) != 1 or not others or len(claim.lemmas) < 3:
        return None
    wrong = next((a for a in claim.arguments if missing[0] in a.lemmas), None)
    if wrong is None or wrong.is_time or wrong.role in _BOUNDS:  # times are compared on the calendar
        return None
    if compare(missing[0], others[0]).relation is not Relation.DIFFERENT:
        return None
    return Finding(
        Verdict.REFUTED, 0.69, "other_value", claim_value=wrong.text, evidence_value=others[0], wrong=wrong.span,
        exchange=exchange and len(others) == 1 and wrong.lemmas == (missing[0],),
    )  # fmt: skip


def is_told(lemma: str, available: frozenset[str]) -> bool:
    """Whether one of the words carries this one: itself, its meaning, a kind of it or its kin."""
    if lemma in available or is_carried(lemma, available):
        return True
    if not _AKIN.get(lemma, _NOTHING).isdisjoint(available):
        return True
    stem = lemma[:4]  # what is built on one stem shares as much
    return any(is_derived(lemma, other) for other in [word for word in available if word[:4] == stem])


_NOTHING = frozenset[str]()
_AKIN = {
    "like": frozenset({"favorite", "prefer", "favourite"}),
    "love": frozenset({"favorite"}),
    "prefer": frozenset({"favorite", "like"}),
    "enjoy": frozenset({"favorite"}),
    "use": frozenset({"tool", "editor"}),
    "fly": frozenset({"flight"}),
    "flight": frozenset({"fly"}),
    "write": frozenset({"author"}),
    "author": frozenset({"write"}),
    "birthday": frozenset({"bear"}),
    "bear": frozenset({"birthday"}),
    "rent": frozenset({"pay"}),
    "cost": frozenset({"price"}),
    "price": frozenset({"cost"}),
}


def is_particular(lemma: str) -> bool:
    """Numbers, codes and names are never "mostly" right."""
    return not lemma.isalpha() and (any(map(str.isdigit, lemma)) or lemma[:1] in "$€£¥#@")
