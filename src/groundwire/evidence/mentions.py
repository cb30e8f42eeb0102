"""Who and what a sentence mentions, with everything that a pronoun has to agree with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple

from groundwire.text import lexicon
from groundwire.text.phrases import Phrase, is_time, match_noun_phrase
from groundwire.text.places import is_place
from groundwire.text.subjects import render, user_words
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token
from groundwire.text.wording import names_person
from groundwire.types import Sentence, Span

_POSSESSIVES = frozenset({"his", "her", "its", "their"})
PRONOUNS = {
    "he": "he", "him": "he", "his": "he", "she": "she", "her": "she", "hers": "she",
    "it": "it", "its": "it", "they": "they", "them": "they", "their": "they", "theirs": "they",
}  # fmt: skip
_VERBS = frozenset("bhdMVB")
_BREAKS = frozenset(";:-UW")
_OWNED = frozenset("NPJ#GER")
"""What can follow a possessive; "gave her the report" has none."""


class Kind(StrEnum):
    PERSON = "person"
    BODY = "body"
    """A firm, a team: "it", and "they" as well."""
    THING = "thing"
    UNKNOWN = "unknown"


class Role(StrEnum):
    SUBJECT = "subject"
    OBJECT = "object"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Mention:
    """A noun phrase or a pronoun where it stands."""

    text: str
    span: Span
    head: str
    role: Role
    clause: int
    kind: Kind = Kind.UNKNOWN
    gender: str = ""
    """`she`, `he`, or nothing where it is not known."""
    is_plural: bool = False
    is_name: bool = False
    pronoun: str = ""
    """The pronoun's family: he, she, it, they."""
    is_possessive: bool = False
    is_definite: bool = False
    """ "the engineer", "this project": may be another word for somebody named before."""
    pointing: str = ""
    """this or that, where such a word opens it."""
    words: frozenset[str] = frozenset()
    is_filler: bool = False
    """A subject that no pronoun can stand for: "nobody", "I", "you"."""
    owned: str = ""
    """What is the possessive's, in "her new car": new car."""


class Apposition(NamedTuple):
    """ "Anna is an engineer", "Anna, our engineer": a noun that describes somebody named."""

    name: str
    noun: str


@cache
def _names() -> tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str], frozenset[str]]:
    table = read_table("names", "evidence")
    return (
        frozenset(table["female"].split()), frozenset(table["male"].split()), frozenset(table["honorifics_female"]),
        frozenset(table["honorifics_male"]), frozenset(table["honorifics"]),
    )  # fmt: skip


@cache
def nouns(name: str) -> frozenset[str]:
    found: list[str] = read_table("coreference", "evidence")[name]
    return frozenset(found)


@cache
def _people(name: str) -> frozenset[str]:
    found: list[str] = read_table("people")[name]
    return frozenset(found)


@cache
def _professions() -> frozenset[str]:
    return frozenset(read_table("classes")["profession"])


_ASKING = frozenset({"when", "how", "why", "since", "until", "what", "which"})


def find_mentions(sentence: Sentence, tokens: list[Token], letters: str) -> Iterator[Mention]:
    """Mentions in text order; first and second person are nobody's antecedent and left out."""
    clause, seen_verb, i = 0, False, 0
    while i < len(tokens):
        token, letter = tokens[i], letters[i]
        if letter in _BREAKS or (letter in ",C" and seen_verb):
            clause, seen_verb = clause + 1, False
        elif letter in _VERBS:
            seen_verb = True
        elif token.low in PRONOUNS and (letter == "p" or (letter == "S" and letters[i + 1 : i + 2] not in _OWNED)):
            yield _pronoun(token, _role(letters, i, seen_verb=seen_verb), clause, "p")
        elif token.low in ("this", "that", "these", "those") and letter == "p":
            yield _bare_pointing(token, _role(letters, i, seen_verb=seen_verb), clause)
        elif letter == "p" and _role(letters, i, seen_verb=seen_verb) is Role.SUBJECT:
            span = Span(token.start, token.end)
            yield Mention(token.text, span, token.low, Role.SUBJECT, clause, is_filler=True)
        elif letter in "DSJNP#":
            phrase = match_noun_phrase(tokens, letters, i, len(tokens))
            if phrase is not None and phrase.end < len(tokens) and tokens[phrase.end].low in ("one", "ones"):
                phrase.extend(phrase.end + 1)
            if phrase is not None and (
                (i and tokens[i - 1].low in ("which", "what", "whose")) or _is_gerund(phrase, letters)
            ):
                i = max(i + 1, phrase.end)
                continue
            if phrase is not None and _is_asked(tokens, letters, i) and _ends_in_quality(phrase, letters):
                phrase = Phrase(phrase.tokens, phrase.start, phrase.end - 1)
            if phrase is not None:
                yield from _read_phrase(phrase, _role(letters, i, seen_verb=seen_verb), clause)
                i = max(i + 1, phrase.end)
                continue
        i += 1


def _is_gerund(phrase: Phrase, letters: str) -> bool:
    """ "look forward to seeing you": what somebody does is nobody that a pronoun could mean."""
    (first, *more) = phrase.words()
    does = not more and first.low.endswith("ing") and lexicon.verb_lemma(first.low) is not None
    return does and letters[phrase.end : phrase.end + 1] in ("p", "D", "S")


def _is_asked(tokens: list[Token], letters: str, i: int) -> bool:
    """Behind "is", which opens the sentence, or follows the word of a question."""
    return letters[i - 1 : i] == "b" and (i == 1 or tokens[0].low in _ASKING)


def _ends_in_quality(phrase: Phrase, letters: str) -> bool:
    """ "Is the library open?" asks of the library whether it is open."""
    words = phrase.words()
    if len(words) < 3 or letters[phrase.end : phrase.end + 1] not in (".", "?", ""):
        return False
    return any(tag in ("JJ", "VBN") for tag, _ in lexicon.readings(words[-1].low))


def _role(letters: str, i: int, *, seen_verb: bool) -> Role:
    before = letters[i - 1] if i else ""
    if before in ("I", "t"):
        return Role.OTHER
    return Role.OBJECT if seen_verb else Role.SUBJECT


def _pronoun(token: Token, role: Role, clause: int, letter: str) -> Mention:
    family = PRONOUNS[token.low]
    owns = token.low in _POSSESSIVES and letter == "S"
    return Mention(
        token.text, Span(token.start, token.end), token.low, role, clause, pronoun=family, is_possessive=owns
    )


def _bare_pointing(token: Token, role: Role, clause: int) -> Mention:
    return Mention(token.text, Span(token.start, token.end), token.low, role, clause, pointing=token.low)


def _read_phrase(phrase: Phrase, role: Role, clause: int) -> Iterator[Mention]:
    """The phrase, the owner within it ("Anna's car"), and the pronoun that opens it ("her car")."""
    words = phrase.words()
    first, head = words[0], phrase.head_token
    if first.low in PRONOUNS and first.tag == "S":
        yield _pronoun(first, Role.OTHER, clause, "S")
    if words[-1].low in ("one", "ones") and len(words) > 1:
        described = frozenset(w.lemma for w in words if w.tag in "NPJ#")
        yield Mention(render(words), Span(first.start, words[-1].end), words[-1].low, role, clause, words=described,
                      is_definite=first.tag == "D")  # fmt: skip
        return
    if (
        is_time(phrase)
        or head.tag in "#p"
        or head.low in nouns("interjections")
        or (len(words) == 1 and head.low in user_words())
    ):
        return
    clitic = next((k for k, word in enumerate(words) if word.tag == "'"), 0)
    if clitic and not (first.low in PRONOUNS and first.tag == "S"):
        yield classify(words[:clitic], Phrase(words, 0, clitic).head_token, Role.OTHER, clause)
        if clitic + 1 < len(words):
            thing = classify(words[clitic + 1 :], head, role, clause)
            yield replace(thing, text=render(words), span=Span(words[0].start, words[-1].end))
    elif first.tag == "S" and first.low in PRONOUNS and len(words) > 1:
        yield replace(classify(words[1:], head, role, clause), owned=render(words[1:]))
    else:
        yield classify(words, head, role, clause)


def classify(words: list[Token], head: Token, role: Role, clause: int) -> Mention:
    """The mention that a noun phrase makes."""
    first = words[0].low
    definite = words[0].tag == "D" and first in ("the", "this", "that", "these", "those")
    is_name = head.tag == "P"
    kind, gender = _classify_name(words) if is_name else classify_noun(head.lemma, [w.lemma for w in words])
    plural = not is_name and head.low != head.lemma and head.low.endswith(("s", "en", "ople"))
    return Mention(
        render(words), Span(words[0].start, words[-1].end), head.lemma, role, clause, kind, gender, plural, is_name,
        is_definite=definite, pointing=first if definite and first != "the" else "",
        words=frozenset(w.lemma for w in words if w.tag in "NPJ#"),
    )  # fmt: skip


def _classify_name(words: list[Token]) -> tuple[Kind, str]:
    return classify_name(tuple(w.low.rstrip(".") for w in words if w.tag in "NPJ"), has_article=words[0].tag == "D")


@lru_cache(maxsize=8192)
def classify_name(words: tuple[str, ...], *, has_article: bool = False) -> tuple[Kind, str]:
    """Whether a name is somebody's, and with which pronoun; by honorific, ending, gazetteer and first name."""
    female, male, ladies, lords, titles = _names()
    if not words or has_article:
        return Kind.THING, ""
    first, last = words[0], words[-1]
    if first in ladies or first in lords:
        return Kind.PERSON, "she" if first in ladies else "he"
    if len(words) > 1 and last in nouns("organisations"):
        return Kind.BODY, ""
    relation = next((w for w in words if w in _people("female") or w in _people("male")), "")
    if relation:
        return Kind.PERSON, "she" if relation in _people("female") else "he"
    given = words[1] if first in titles and len(words) > 2 else first
    if given in female or given in male:
        return Kind.PERSON, "she" if given in female else "he"
    if first in titles:
        return Kind.PERSON, ""
    if is_place(words) or first in _people("things"):
        return Kind.THING, ""
    return Kind.UNKNOWN, ""


def classify_noun(head: str, words: list[str]) -> tuple[Kind, str]:
    """Whether a common noun names somebody."""
    for gender, table in (("she", "female"), ("he", "male")):
        if head in _people(table) or (len(words) > 1 and any(w in _people(table) for w in words[:-1])):
            return Kind.PERSON, gender
    if head in nouns("bodies"):
        return Kind.BODY, ""
    return (Kind.PERSON if is_person_noun(head) else Kind.THING), ""


@lru_cache(maxsize=8192)
def is_person_noun(noun: str) -> bool:
    """Whether a noun names somebody, by kinship, job or acquaintance."""
    if noun in nouns("things"):
        return False
    if any(noun in table for table in (_people("persons"), _people("users"), nouns("people"), _professions())):
        return True
    if any(noun in _people(table) for table in ("female", "male")):
        return True
    return names_person(noun) and lexicon.noun_lemma(noun) == noun and noun.endswith(("ist", "ian", "eer"))


def find_appositions(tokens: list[Token], letters: str) -> Iterator[Apposition]:
    """What a sentence calls somebody beside the name, so that "the engineer" finds Anna later."""
    if not ("," in letters or "b" in letters or 0 <= letters.find("N") < letters.rfind("P")):
        return
    i = 0
    while i < len(tokens):
        name = match_noun_phrase(tokens, letters, i, len(tokens)) if letters[i] in "PSND" else None
        if name is None or not name:
            i += 1
            continue
        i = max(i + 1, name.end)
        if name.head_token.tag != "P":
            continue
        before = [w for w in name.words() if w.tag == "N"]
        proper = [w for w in name.words() if w.tag == "P"]
        if before and proper and before[-1].start < proper[0].start:
            yield Apposition(render(proper), before[-1].lemma)
        at = name.end
        while letters[at : at + 1] in ("R", "n") and at < len(letters):
            at += 1
        if letters[name.end : name.end + 1] == ",":
            at = name.end + 1
        elif letters[at : at + 1] != "b":
            continue
        else:
            at += 1
        other = match_noun_phrase(tokens, letters, at, len(tokens)) if letters[at : at + 1] in tuple("DSJN") else None
        if other is not None and other.head_token.tag == "N" and not is_time(other):
            yield Apposition(render(proper or name.words()), other.head_token.lemma)
