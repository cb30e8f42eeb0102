"""Parts of a clause that were put in front of it go back to their places.

"Shellfish you don't eat", "Vegan you have been since 2014": what stands before the subject is what the verb lacks.
"In March comes your exam": what stands behind the verb is its subject. Left alone, such clauses would say less than
they do ("you don't eat") or could only be taken as they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from groundwire.text.clefts import Clause, Role, is_adverbial, is_name_at, set_small
from groundwire.text.complements import Modifier
from groundwire.text.membership import class_words
from groundwire.text.phrases import Phrase, is_time
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token
from groundwire.text.verbs import VerbGroup

_JOINERS = ',;:-"CU'


@cache
def _inverting() -> frozenset[str]:
    return frozenset(read_table("grammar")["inverting"]["verbs"])


def straighten(tokens: list[Token], letters: str, clauses: Sequence[Clause]) -> None:
    """Puts back what was moved to the front of main clauses."""
    for clause in clauses:
        if clause.role is not Role.MAIN or clause.cleft or clause.order or not clause.openings:
            continue
        if clause.subjects and not clause.shared_subject:
            _fill_front(tokens, letters, clause)
        elif letters[clause.start] == ";" or (clause.adrift and not clause.subjects):
            _turn_round(tokens, letters, clause)


def fill_relative(tokens: list[Token], clause: Clause, antecedent: Phrase, *, led: bool) -> None:
    """What a relative clause is joined to is the object that it lacks, its place, or goes with its preposition."""
    if clause.shared_subject:
        return
    said = clause.complement
    if led:
        how = tokens[clause.start].low
        if how != "of":  # of what some are a part is told by the clause before
            said.modifiers.append(Modifier(how, [antecedent], clause.start, clause.start + 1))
    elif clause.role is not Role.RELATIVE or said.objects or is_adverbial(antecedent):
        return
    elif tokens[clause.start].low == "where":
        before = tokens[antecedent.start - 1].low if antecedent.start else ""
        said.modifiers.insert(
            0, Modifier(before if before in _PLACING else "at", [antecedent], clause.start, clause.start)
        )
        clause.cleft = True
    else:
        said.objects = [antecedent]


_PLACING = frozenset({"in", "at", "on"})


def _fill_front(tokens: list[Token], letters: str, clause: Clause) -> None:
    """ "Oysters you never touch": an object, or what somebody is, before the subject that it does not belong to."""
    subject = clause.subjects[0]
    fronted = _find_fronted(clause, subject)
    if not fronted or len(clause.subjects) > 1:
        return
    said, first = clause.complement, fronted[0]
    clause.openings = [opening for opening in clause.openings if opening[1] not in fronted]
    clause.cleft = True
    if not clause.openings:
        set_small(tokens, first.start)
    last = clause.end - 1
    if (halved := _split_preposition(tokens, clause)) is not None:
        said.modifiers.insert(0, Modifier(tokens[halved].low, fronted, halved, halved + 1))
    elif last >= clause.verb.end and letters[last] in "It" and not said.objects:
        said.modifiers.append(Modifier(tokens[last].low, fronted, last, clause.end))
    elif not said.objects or letters[clause.verb.end : clause.verb.end + 2].strip("C") in (
        ",D",
        ",S",
        ",N",
        ",P",
        ",J",
    ):
        said.objects = fronted  # behind a comma stands no object: "twelve hives you keep, beekeeper that you are"
    elif _is_count(said.objects[0]) and not said.second and first.letters[0] in "NJ":
        said.objects = [_count(said.objects[0].first_token, first, fronted[-1])]
    elif letters[clause.verb.end : clause.verb.end + 2] == ",C" and not said.modifiers:
        said.objects = [*fronted, *said.objects]  # "two sisters you have, and one brother"
    else:
        clause.adrift = True


def _split_preposition(tokens: list[Token], clause: Clause) -> int | None:
    """ "This street you have lived in since 2003": the first of two prepositions belongs to the street."""
    if clause.complement.objects:
        return None
    for modifier in clause.complement.modifiers:
        at = modifier.start
        if modifier.phrases[0].start == at + 2 and tokens[at].tag in "It" and tokens[at + 1].tag in "It":
            modifier.preposition, modifier.start = tokens[at + 1].low, at + 1
            return at
    return None


def _is_count(phrase: Phrase) -> bool:
    return phrase.letters == "#" or (phrase.end - phrase.start == 1 and phrase.first_token.low in ("any", "none"))


def _find_fronted(clause: Clause, subject: Phrase) -> list[Phrase]:
    """The bare phrases that end right where the subject begins; times and names that are called out do not."""
    found: list[Phrase] = []
    edge = subject.start
    for how, phrase in reversed(clause.openings):
        if how or phrase.tokens is not subject.tokens or is_time(phrase) or not _may_lack(clause.verb, phrase):
            break
        between = phrase.tokens[phrase.end : edge]
        if between and not (found and all(token.tag in ",C" for token in between)):
            break
        found.insert(0, phrase)
        edge = phrase.start
    return found


_THESE = frozenset({"this", "that", "these", "those"})


def _may_lack(verb: VerbGroup, phrase: Phrase) -> bool:
    """Whether a verb may lack it: no number or article by itself, no "according to…", no "weekly"."""
    first = phrase.first_token
    if first.tag == "G" or phrase.letters in ("#", "p") or (phrase.letters == "D" and first.low not in _THESE):
        return False
    if phrase.letters.strip("JRE"):
        return True
    return (verb.lemma == "be" and not verb.passive) or first.low in class_words("language")


def _count(count: Token, first: Phrase, last: Phrase) -> Phrase:
    """ "Children you have three": three children; "brothers you have none": no brothers."""
    at = first.first_token.start
    word = Token("no" if count.low == "none" else count.low, at, at, is_apart=True)
    word.tag = "#" if count.tag == "#" else "D"
    joined = [word, *first.tokens[first.start : last.end]]
    return Phrase(joined, 0, len(joined))


def _turn_round(tokens: list[Token], letters: str, clause: Clause) -> None:
    """ "On the wall hangs a map": the map hangs there."""
    said, verb = clause.complement, clause.verb
    if not said.objects or (verb.lemma not in _inverting() and not verb.passive) or not clause.openings[0][0]:
        return
    if said.objects[0].head_token.low in ("what", "one") or any(how == "of" for how, _ in clause.openings):
        return
    if verb.lemma == "take":
        if said.objects[0].head_token.low != "place" or len(said.second) != 1:
            return
        subjects, said.second = said.second, []
    elif said.second or said.objects[0].start != verb.end:
        return
    else:
        subjects, said.objects = said.objects, []
    start = clause.start
    start = max(start, *(letters.rfind(mark, start, clause.openings[0][1].start) + 1 for mark in ":;-"))
    while start < verb.start and letters[start] in _JOINERS:
        start += 1
    places: list[Modifier] = []
    for how, phrase in clause.openings:
        places.append(Modifier(how, [phrase], start, phrase.end))
        start = phrase.end
    if not is_name_at(tokens, places[0].start):
        set_small(tokens, places[0].start)
    clause.subjects, said.modifiers, clause.openings = subjects, [*places, *said.modifiers], []
    clause.adrift, clause.shared_subject, clause.cleft = False, False, True
