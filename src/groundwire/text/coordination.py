"""When "and" joins two things, and when it is part of one name."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from groundwire.text import lexicon
from groundwire.text.clefts import Clause
from groundwire.text.complements import Complement, Modifier
from groundwire.text.phrases import Phrase
from groundwire.text.quantities import read_quantity
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token


@cache
def _fixed_pairs() -> frozenset[str]:
    return frozenset(pair.lower() for group in read_table("pairs").values() for pair in group)


def is_divisible(members: list[Phrase], tokens: list[Token], *, negated: bool = False) -> bool:
    """Can each member of the list stand alone?"""
    if len(members) < 2:
        return False
    first, last = members[0], members[-1]
    joined = " ".join(t.low for t in tokens[first.start : last.end] if t.tag not in ",")
    if any(pair in joined for pair in _pairs_of(members, tokens)):
        return False
    if first.start and tokens[first.start - 1].low in ("between", "both-and"):
        return False
    joints = {t.low for t in tokens[first.end : last.start]}
    if "&" in joints or (not negated and joints & {"or", "nor"}) or last.head_token.low in _FIRM_ENDINGS:
        return False
    if len(members) == 2 and (_is_title(members) or _is_one_measure(members)):
        return False
    return not _is_numeric_range(members)


def _is_one_measure(members: list[Phrase]) -> bool:
    """ "2 hours and 10 minutes" is one length of time."""
    read = [read_quantity(" ".join(t.low for t in member)) for member in members if member.letters == "#N"]
    units = [found[0].unit for found in read if found is not None and not found[1]]
    same = len(units) == 2 and units[0].dimension == units[1].dimension != "count"
    return same and units[0].name != units[1].name


def _pairs_of(members: list[Phrase], tokens: list[Token]) -> list[str]:
    found: list[str] = []
    for left, right in pairwise(members):
        pair = f"{tokens[left.end - 1].low} and {tokens[right.start].low}"
        if pair in _fixed_pairs():
            found.append(pair)
    return found


def _is_title(members: list[Phrase]) -> bool:
    """ "Pride and Prejudice": ordinary nouns in capitals are a title."""
    words = [m.words() for m in members]
    if not all(len(w) == 1 and w[0].tag == "P" for w in words):
        return False
    readings = [lexicon.readings(w[0].low) for w in words]
    return all(
        lexicon.is_known(w[0].low) and r[0][0] in ("NN", "NNS", "VB") for w, r in zip(words, readings, strict=True)
    )


def _is_numeric_range(members: list[Phrase]) -> bool:
    return len(members) == 2 and all(m.letters == "#" for m in members)


_FIRM_ENDINGS = frozenset({"sons", "co", "company", "brothers", "partners", "associates", "daughters", "friends"})


@cache
def _together() -> tuple[frozenset[str], frozenset[str]]:
    people = read_table("people")
    return frozenset(people["collective"]), frozenset(people["collective_verbs"])


def split_subjects(clause: Clause, complement: Complement) -> list[Phrase]:
    """ "Tom and Ana live in Oslo" is said of each; "Tom and Ana are siblings" of both together."""
    subjects = clause.subjects
    first = subjects[0] if subjects else None
    if first is not None and first.start and first.tokens[first.start - 1].low == "neither":
        clause.verb.negated = not clause.verb.negated  # "neither you nor Ana": no determiner before a pronoun
        clause.openings = [opening for opening in clause.openings if opening[1].start != first.start - 1]
        return subjects
    if first is None or len(subjects) < 2:
        return subjects
    if first.words()[0].low == "neither" and len(first.words()) > 1:
        clause.verb.negated = not clause.verb.negated
        return [Phrase(first.tokens, first.start + 1, first.end), *subjects[1:]]
    nouns, verbs = _together()
    heads = [p.head_token.lemma for p in complement.objects] + [a.lemma for a in complement.adverbs]
    tokens = subjects[0].tokens
    pair = f"{tokens[subjects[0].end - 1].low} and {tokens[subjects[-1].start].low}"
    together = (
        (subjects[-1].words()[-1].low in _FIRM_ENDINGS and subjects[-1].letters == "P")
        or clause.verb.lemma in verbs
        or any(h in nouns for h in heads)
        or pair in _fixed_pairs()
        or _is_mutual(tokens[clause.verb.end : clause.end])
    )
    joints = {t.low for t in tokens[subjects[0].end : subjects[-1].start]}
    together = together or ("or" in joints and not clause.verb.negated)  # who of "Ana or Ben" has it is not said
    if together or not all(p.head_token.tag in "PNp" for p in subjects):
        return [Phrase(tokens, subjects[0].start, subjects[-1].end)]
    return subjects


def _is_mutual(words: list[Token]) -> bool:
    """ "Know each other", "help one another": neither of the two does it alone."""
    pairs = [(one.low, other.low) for one, other in pairwise(words)]
    return ("each", "other") in pairs or ("one", "another") in pairs


def is_other_subject(said: Complement, rest: Complement, subject: Phrase) -> bool:
    """ "Your flight was on time, but not your luggage", "Ana came, not Bo": another who does it not, and no object."""
    thing = next(iter([*rest.objects, *(p for m in rest.modifiers for p in m.phrases)]), None)
    if thing is None or len(rest.objects) + len(rest.modifiers) != 1:
        return False
    if thing.start and thing.tokens[thing.start - 1].tag in "It":
        return False  # "not in Lund"
    return is_rival(thing, subject, [*said.objects, *(p for m in said.modifiers for p in m.phrases)])


def is_rival(thing: Phrase, subject: Phrase | None, others: list[Phrase]) -> bool:
    """Of one kind with the subject, and with nothing else that is told: "Ana likes fish, but not Bo"."""
    if subject is None or _kind(thing) != _kind(subject):
        return False
    return all(_kind(other) != _kind(thing) for other in others if other is not thing)


def _kind(phrase: Phrase) -> str:
    """Somebody's, a name, a person spoken of, or a thing."""
    if phrase.letters[0] in "Sp":
        return "S"
    return "P" if not phrase.letters.strip("P") else "N"


def divides(modifier: Modifier, tokens: list[Token]) -> bool:
    return modifier.preposition != "between" and is_divisible(modifier.phrases, tokens)


def choose_places(
    tokens: list[Token],
    complement: Complement,
    listed: Modifier | None,
    chosen: Phrase | None,
    located: Modifier | None,
) -> list[tuple[Modifier, list[Phrase]]]:
    """The modifiers of one statement, each with the phrases of it that are meant there."""
    found: list[tuple[Modifier, list[Phrase]]] = []
    for modifier in complement.modifiers:
        if modifier is located:
            continue
        phrases = [chosen] if modifier is listed and chosen is not None else modifier.phrases
        if len(phrases) > 1 and not is_divisible(phrases, tokens):
            phrases = [Phrase(tokens, phrases[0].start, phrases[-1].end)]
        found.append((modifier, phrases))
    return found
