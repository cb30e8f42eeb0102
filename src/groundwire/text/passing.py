"""Claims that ride along: appositions, reduced relatives, the place of a thing, what opens a sentence."""

from __future__ import annotations

from groundwire.text.clefts import Clause
from groundwire.text.complements import Complement, read_complement
from groundwire.text.function_words import word_group
from groundwire.text.phrases import Phrase, is_time
from groundwire.text.statements import (
    HAVING,
    Statement,
    be_for,
    describe,
    equate,
    is_one_of,
    locate,
    locate_thing,
    make_word,
    name_member,
    read_opened,
    read_participle,
)
from groundwire.text.tokens import Token


def read_openings(clause: Clause) -> list[Statement]:
    """ "As a vegetarian, you…", "A nurse by trade, Ana…": it says that you are one, and that she is."""
    if not clause.subjects or clause.shared_subject:
        return []
    subject = clause.subjects[0]
    roles = [p for prep, p in clause.openings if prep == "as" or (not prep and _is_role(p))]
    roles = [p for p in roles if p.head_token.lemma not in word_group("ways_of_speaking")]
    return [equate(subject, p) for p in roles if p.letters[0] == "D" and not is_time(p)]


def _is_role(opening: Phrase) -> bool:
    closed = opening.end < len(opening.tokens) and opening.tokens[opening.end].tag in ",IR-"
    return closed and opening.start == 0 and opening.first_token.low in ("a", "an")


def read_asides(
    tokens: list[Token], letters: str, clause: Clause, complement: Complement, holder: list[Token]
) -> list[Statement]:
    """What is said beside the clause; `holder` is its subject."""
    found = read_openings(clause) if clause.openings else []
    for described, description in [*clause.appositions, *complement.appositions]:
        found.append(equate(described, description))
        found[-1].holder = holder if described in complement.objects else None
        if is_one_of(described, description):
            having = described in complement.objects and clause.verb.lemma in HAVING
            found[-1].words = name_member(described, description, holder if having else [])
    for described, start, end in [*clause.reduced, *complement.reduced]:
        if tokens[start].low in ("being", "having"):
            found.append(read_opened(tokens, letters, described, start, end))
            continue
        found.append(_read_reduced(tokens, letters, clause, (described, start, end), holder))
        found[-1].holder = holder if described in complement.objects else None
    if complement.objects:
        member = complement.objects[0]
        located = locate_thing(clause.verb, member, complement)
        if located is not None:
            found.append(locate(tokens, member, located))
    return found


def _read_reduced(
    tokens: list[Token], letters: str, clause: Clause, reduced: tuple[Phrase, int, int], holder: list[Token]
) -> Statement:
    """ "A dog named Rex", "three messages waiting for you"."""
    described, start, end = reduced
    group, adverbs = read_participle(tokens, start)
    inner = read_complement(tokens, letters, group.end, end)
    inner.adverbs = [*adverbs, *inner.adverbs]
    whole = describe(tokens, described, group, inner, end)
    loose = not group.passive or (letters[start - 1] == "," and group.lemma not in ("call", "name"))
    there = bool(clause.subjects) and clause.subjects[0].head_token.low == "there"
    if clause.verb.lemma != "be" or not clause.subjects or adverbs or there:
        return whole
    if loose:
        whole.subject = holder
        whole.words = [*holder, *tokens[start:end]]
    elif described.first_token.low in ("a", "an") and group.lemma not in ("call", "name") and not clause.verb.negated:
        whole.subject = holder  # "Heron is an app hosted on Fly": so Heron is
        at = tokens[start].start
        verb = (make_word(f" {be_for(clause.subjects[0])}", "b", at), make_word(f" {tokens[start].text}", "E", at))
        whole.words = [*holder, *verb, *tokens[start + 1 : end]]
    return whole
