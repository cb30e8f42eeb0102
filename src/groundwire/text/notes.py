"""Notes without a verb: "Allergic to peanuts", "Favourite colour: blue", "Tuesday: call the dentist"."""

from __future__ import annotations

from itertools import pairwise

from groundwire.text.catalogue import load_catalogue
from groundwire.text.clauses import read_clauses
from groundwire.text.complements import Complement, read_complement
from groundwire.text.expansion import Expander
from groundwire.text.phrases import Phrase, is_time
from groundwire.text.statements import Statement, describe
from groundwire.text.subjects import Discourse, names_person, user_words
from groundwire.text.tokens import Token
from groundwire.text.verbs import VerbGroup
from groundwire.types import Span


def read_labelled(tokens: list[Token], letters: str, colon: int, label: Phrase) -> list[Statement]:
    """ "Tuesday: drop Lotte off at nursery": the label says when, the rest what."""
    rest = tokens[colon + 1 :]
    clauses = read_clauses(rest, letters[colon + 1 :])
    discourse = Discourse()
    found = [s for c in clauses for s in Expander(rest, letters[colon + 1 :], c, clauses, discourse).run()]
    for statement in found or read_note(rest, letters[colon + 1 :]):
        if is_time(label):
            statement.openings = [*statement.openings, ("on", label)]
        if statement not in found:
            found.append(statement)
    return found


def read_note(tokens: list[Token], letters: str) -> list[Statement]:
    """Notes without a verb: "Allergic to peanuts", "Favourite colour: blue" are about the user."""
    words = [t for t in tokens if t.tag != "."]
    if not words:
        return []
    span = Span(words[0].start, words[-1].end)
    colon = letters.find(":")
    verb = VerbGroup(0, 0, "be", negated=letters[:1] == "n")
    if colon == 1 and tokens[0].low in user_words() and "," in letters[colon:]:
        return _read_profile(tokens, letters, colon + 1)
    if 0 < colon < len(tokens) - 1:
        tokens, letters = _with_name(tokens, letters, colon)
        value = read_complement(tokens, letters, colon + 1, len(letters))
        label = Phrase(tokens, 0, colon)
        if not value.objects and letters[colon + 1] in "VE" and colon + 2 >= len(letters.rstrip(".")):
            value.objects = [Phrase(tokens, colon + 1, colon + 2)]
        if all(is_time(phrase) for phrase in value.objects) and not is_time(label) and (times := _find_times(value)):
            return [Statement(tokens[:colon], verb, [], None, None, times, [], span, words, fragment=True)]
        if not value.objects or is_time(label):
            return read_labelled(tokens, letters, colon, label)
        end = max(p.end for p in [*value.objects, *(p for m in value.modifiers for p in m.phrases)])
        phrase = Phrase(tokens, value.objects[0].start, end)
        return [Statement(tokens[:colon], verb, [], phrase, None, [], [], span, words, fragment=True)]
    first = len(letters) - len(letters.lstrip("Rn"))
    head: list[Token] = []
    if letters[first : first + 1] in ("E", "G"):
        verb = VerbGroup(
            first,
            first + 1,
            tokens[first].lemma,
            passive=letters[first] == "E",
            progressive=letters[first] == "G",
            negated="n" in letters[:first],
        )
        head, first = [tokens[first]], first + 1
    complement = read_complement(tokens, letters, first, len(letters))
    found: list[Statement] = []
    modifiers = [(m.preposition, p) for m in complement.modifiers for p in m.phrases]
    objects: list[Phrase | None] = list(complement.objects) or [None]
    if not head and len(complement.objects) == 1 and _is_event(complement.objects[0]) and _find_times(complement):
        event = complement.objects[0].words()  # "Dentist on Tuesday at 10:30": the thing itself has a time
        return [Statement(event, verb, [], None, None, modifiers, complement.adverbs, span, words, fragment=True)]
    if objects == [None] and not modifiers and not head:
        return []
    for member in objects:
        found.append(Statement([], verb, head, member, None, modifiers, complement.adverbs, span, words, fragment=True))
    for described, start, end in complement.reduced:
        group = VerbGroup(start, start + 1, tokens[start].lemma, passive=tokens[start].tag == "E")
        found.append(describe(tokens, described, group, read_complement(tokens, letters, start + 1, end), end))
    return found


def _read_profile(tokens: list[Token], letters: str, start: int) -> list[Statement]:
    """ "User: 34, product designer, based in Tallinn": each part is a note of its own."""
    cuts = [i for i in range(start, len(letters)) if letters[i] == ","]
    found: list[Statement] = []
    for first, last in pairwise((start - 1, *cuts, len(tokens))):
        part = tokens[first + 1 : last]
        if part:
            found.extend(read_note(part, letters[first + 1 : last]))
    return found


def _with_name(tokens: list[Token], letters: str, colon: int) -> tuple[list[Token], str]:
    """ "Department: Legal": a capital behind the label of a slot is a name's, whatever the word means elsewhere."""
    at = colon + 1
    alone = letters[at:].rstrip(".") == "J" and tokens[at].text[:1].isupper()
    if not alone or tokens[colon - 1].lemma not in load_catalogue().nouns:
        return tokens, letters
    name = tokens[at].moved(0)
    name.tag = "P"
    return [*tokens[:at], name, *tokens[at + 1 :]], f"{letters[:at]}P{letters[at + 1 :]}"


def _is_event(phrase: Phrase) -> bool:
    """A thing that can be on Tuesday; "nurse on weekends" and "vegan since March" say what the user is."""
    last = phrase.words()[-1]
    return last.tag == "N" and not names_person(last.lemma)


def _find_times(complement: Complement) -> list[tuple[str, Phrase]]:
    """The modifiers, where one of them tells a time of the day, a day or a date."""
    bare = [("when", phrase) for phrase in complement.objects if is_time(phrase)]
    modifiers = [*bare, *((m.preposition, p) for m in complement.modifiers for p in m.phrases)]
    return modifiers if any(role in _AT and is_time(phrase) for role, phrase in modifiers) else []


_AT = frozenset({"on", "at", "when", ""})
