"""Whom pronouns, descriptions and pointing words stand for, within a text and across turns.

Candidates must agree in gender, number and animacy; among those that do, the most salient is meant. What is unknown
agrees with everything. Nothing is looked for further on in the text, and an "it" that stands for nothing stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from groundwire.evidence.mentions import (
    PRONOUNS,
    Kind,
    Mention,
    Role,
    find_appositions,
    find_mentions,
    is_person_noun,
    nouns,
)
from groundwire.evidence.registry import Referent, Registry, weights
from groundwire.evidence.rewriting import Exchange, Rewritten
from groundwire.evidence.speakers import Party, retell
from groundwire.text.inflection import plural
from groundwire.text.reading import LONGEST_SENTENCE, MOST_WORDS
from groundwire.text.sentences import split_sentences
from groundwire.text.tables import read_table
from groundwire.text.tagging import tag_text
from groundwire.text.thesaurus import same_meaning
from groundwire.text.tokens import Token
from groundwire.types import Sentence, SentenceKind, Span

_JOINED = re.compile(r"\s*(?:,|&|and|,\s+and)\s+")
_LEADING = re.compile(r"^(?:an?|some)\s+", re.IGNORECASE)
_DETERMINERS = frozenset({"the", "this", "that", "these", "those", "your", "our", "my", "his", "her", "its", "their"})
_DOUBT = 0.8
"""What is not known to agree weighs less than what is."""
_PERSONAL = frozenset({"he", "she"})


class Resolved:
    """A text in the voice of the answer with its pronouns resolved; `locate` goes back to the text as written."""

    __slots__ = ("_named", "_voiced", "is_as_written", "text")

    def __init__(self, voiced: Rewritten, named: Rewritten) -> None:
        self._voiced, self._named = voiced, named
        self.text = named.text
        self.is_as_written = not (voiced.is_changed or named.is_changed)

    def locate(self, span: Span) -> Span:
        return self._voiced.locate(self._named.locate(span))


def resolve_text(text: str, registry: Registry, party: Party = Party.ASSISTANT, name: str = "") -> Resolved:
    """Read a text against what was mentioned before it; the registry learns what it mentions."""
    voiced = Rewritten(text, _retell(text, party, name))
    exchanges: list[Exchange] = []
    for sentence in split_sentences(voiced.text):
        if _is_readable(sentence):
            exchanges.extend(_resolve_sentence(sentence, *tag_text(sentence.text, sentence.span.start), registry))
        registry.end_sentence()
    registry.end_turn()
    return Resolved(voiced, Rewritten(voiced.text, exchanges))


def _retell(text: str, party: Party, name: str) -> Iterator[Exchange]:
    if party is Party.ASSISTANT:
        return
    for sentence in split_sentences(text):
        if _is_readable(sentence):
            tokens, _ = tag_text(sentence.text, sentence.span.start)
            yield from retell(tokens, party, name)


def _is_readable(sentence: Sentence) -> bool:
    if sentence.kind is SentenceKind.CODE or len(sentence.text) > LONGEST_SENTENCE:
        return False
    return sentence.text.count(" ") <= MOST_WORDS


def _resolve_sentence(sentence: Sentence, tokens: list[Token], letters: str, registry: Registry) -> Iterator[Exchange]:
    at = {token.start: i for i, token in enumerate(tokens)}
    subjects: dict[int, Referent | None] = {}
    owners: dict[int, Referent] = {}
    last: Mention | None = None
    for mention in find_mentions(sentence, tokens, letters):
        if mention.is_filler:
            subjects[mention.clause] = None
            continue
        acting = subjects.get(mention.clause, subjects.get(mention.clause - 1))
        if mention.pronoun:
            if mention.pronoun == "it" and is_pleonastic(tokens, letters, at[mention.span.start]):
                continue
            barred = acting if mention.role is not Role.SUBJECT and not mention.is_possessive else None
            found = find_referent(mention, registry, barred, sentence.text if mention.role is Role.SUBJECT else "")
            if found is None:
                continue
            registry.touch(found, Role.OTHER if mention.is_possessive else mention.role)
            if mention.is_possessive and (place := at[mention.span.start]) + 1 < len(tokens):
                owners[tokens[place + 1].start] = found
            yield from _exchange(mention, found, tokens, at[mention.span.start])
        else:
            if mention.owned:
                owner = owners.get(mention.span.start)
                if owner is None:
                    continue
                mention = replace(mention, text=f"{_as_definite(owner.name)}'s {mention.owned}")
            if (
                mention.head in ("one", "ones")
                and mention.text.count(" ") > 1
                and (noun := _find_kind(mention, registry))
            ):
                yield Exchange(mention.span.end - len(_last_word(mention.text)), mention.span.end, noun)
                continue
            found = find_described(mention, registry) if mention.is_definite else None
            if found is not None and found.name.casefold() != mention.text.casefold():
                registry.touch(found, mention.role)
                yield Exchange(*mention.span, _opened(_as_definite(found.name), mention.text))
            elif not mention.is_definite or mention.head not in nouns("shells"):
                found = registry.note(mention) if mention.pointing not in ("this", "that") or mention.words else None
        if found is not None and mention.role is Role.SUBJECT:
            subjects[mention.clause] = found
        _note_group(last, mention, sentence, registry)
        last = mention
    for name, noun in find_appositions(tokens, letters):
        registry.describe(name, noun)


def _last_word(text: str) -> str:
    return text.rsplit(None, 1)[-1]


def _find_kind(mention: Mention, registry: Registry) -> str:
    """The noun that "the grey ones" leaves out: that of the things just spoken of."""
    things = [r for r in registry.focus if r.kind is not Kind.PERSON and not r.is_name and r.head.isalpha()]
    things = [r for r in things if r.head not in nouns("shells")]
    several = _last_word(mention.text).casefold() == "ones"
    alike = [r for r in things if r.is_plural] if several else things
    noun = alike[0].head if alike else ""
    return plural(noun) if noun and several else noun


def _note_group(last: Mention | None, mention: Mention, sentence: Sentence, registry: Registry) -> None:
    if last is None or not (last.is_name and mention.is_name):
        return
    start = sentence.span.start
    between = sentence.text[last.span.end - start : mention.span.start - start]
    if _JOINED.fullmatch(between):
        together = sentence.text[last.span.start - start : mention.span.end - start]
        registry.note_group((last.text, mention.text), together, last.role)


def _exchange(mention: Mention, found: Referent, tokens: Sequence[Token], i: int) -> Iterator[Exchange]:
    words = _as_definite(found.name)
    if mention.is_possessive:
        words += "'" if words.endswith("s") and found.is_plural else "'s"
    yield Exchange(*mention.span, _opened(words, mention.text))
    clitic = tokens[i + 1] if i + 1 < len(tokens) else None
    if clitic is not None and clitic.low in ("'s", "’s") and clitic.tag in "bh":
        yield Exchange(clitic.start, clitic.end, " is" if clitic.tag == "b" else " has")


def _as_definite(name: str) -> str:
    """What was "a car" when it came up is "the car" from then on."""
    words = _LEADING.sub("the ", name)
    first = words.partition(" ")[0].lower()
    return first + words[len(first) :] if first in _DETERMINERS and len(words) > len(first) else words


def _opened(words: str, written: str) -> str:
    return words[:1].upper() + words[1:] if written[:1].isupper() else words


# ── who is meant ────────────────────────────────────────────────────────────────────────────────


def find_referent(
    mention: Mention, registry: Registry, barred: Referent | None = None, sentence: str = ""
) -> Referent | None:
    """The most salient candidate that agrees; None where nobody does, or everybody was mentioned too long ago.

    Whom the sentence itself names behind a thing's pronoun is not meant by it: "It was booked under Okonjo".
    """
    best: Referent | None = None
    highest = weights()["least"]
    for referent in registry.focus:
        if referent is barred or (mention.pronoun == "it" and referent.is_name and referent.name in sentence):
            continue
        weight = _agreement(mention.pronoun, referent) * registry.salience_of(referent)
        if weight > highest:
            best, highest = referent, weight
    if mention.pronoun == "they" and best is not None and not best.is_plural and best.kind is Kind.PERSON:
        return _pair(best, registry)
    return best


def _pair(best: Referent, registry: Registry) -> Referent:
    """Two people who were just spoken of are "they" together, though nobody named them in one breath."""
    near = registry.salience_of(best) / 2
    others = [r for r in registry.focus if r is not best and r.kind is Kind.PERSON and r.is_name and not r.is_plural]
    other = next((r for r in others if best.is_name and registry.salience_of(r) >= near), None)
    if other is None:
        return best
    return registry.note_group((best.name, other.name), f"{best.name} and {other.name}", Role.SUBJECT)


def _agreement(family: str, referent: Referent) -> float:
    """1 where the pronoun fits, less where it may, 0 where it does not."""
    if family in _PERSONAL:
        if referent.is_plural or referent.gender not in ("", family):
            return 0.0
        if referent.kind is Kind.PERSON:
            return 1.0
        return _DOUBT if referent.kind is Kind.UNKNOWN and referent.is_name else 0.0
    if family == "it":
        if referent.is_plural or referent.gender:
            return 0.0
        if referent.kind is Kind.PERSON:
            return _DOUBT if referent.head in _animals() else 0.0
        return _DOUBT if referent.kind is Kind.UNKNOWN else 1.0
    if referent.is_plural:
        return 1.0
    if referent.kind is Kind.BODY:
        return _DOUBT
    if referent.kind is Kind.UNKNOWN and referent.is_name:
        return _DOUBT * _DOUBT
    # one person as "they": likeliest where no other pronoun is known for them
    return _DOUBT * (_DOUBT if not referent.gender else 0.4) if referent.kind is Kind.PERSON else 0.0


@cache
def _animals() -> frozenset[str]:
    return frozenset(read_table("classes")["pet"])


def find_described(mention: Mention, registry: Registry) -> Referent | None:
    """Whom "the engineer", "this project" or "that one" stands for, where just one candidate fits."""
    if mention.head in nouns("shells"):
        if not mention.pointing:
            return None
        things = (r for r in registry.focus if not r.is_plural and r.kind is not Kind.PERSON)
        return next(things, None)
    may_call = len(mention.words) <= 1
    called = [r for r in registry.referents if r.is_name and _is_called(r, mention)] if may_call else []
    if len(called) == 1:
        return called[0]
    if called:
        return None
    same = [r for r in registry.referents if r.head == mention.head and r.is_plural == mention.is_plural]
    adjectives = mention.words - {mention.head}
    fuller = [r for r in same if not r.is_name and adjectives < r.words - {r.head}]
    return fuller[0] if len(fuller) == len(same) == 1 else None


def _is_called(referent: Referent, mention: Mention) -> bool:
    if mention.is_plural is not referent.is_plural:
        return False
    if any(mention.head == noun or same_meaning(mention.head, noun) for noun in referent.nouns):
        return True
    if mention.kind is Kind.BODY and referent.kind is Kind.BODY and not is_person_noun(mention.head):
        return (
            not referent.nouns or mention.head in referent.words or mention.head in ("company", "firm", "organisation")
        )
    return False


def resolve_mention(words: str, registry: Registry) -> str | None:
    """The name behind a pronoun or a description that stands by itself, as at the start of an answer."""
    tokens, letters = tag_text(words)
    low = " ".join(token.low for token in tokens)
    if low in PRONOUNS:
        mention = Mention(words, Span(0, len(words)), low, Role.SUBJECT, 0, pronoun=PRONOUNS[low])
        found = find_referent(mention, registry)
        return None if found is None else _as_definite(found.name)
    if low in ("this", "that"):
        found = next((r for r in registry.focus if not r.is_plural and r.kind is not Kind.PERSON), None)
        return None if found is None else _as_definite(found.name)
    sentence = Sentence(words, Span(0, len(words)))
    for mention in find_mentions(sentence, tokens, letters):
        if mention.is_name:
            return registry.find(mention.text)
        found = find_described(mention, registry) if mention.is_definite else None
        known = found or next((r for r in registry.focus if r.head == mention.head), None)
        return None if known is None else _as_definite(known.name)
    return None


@cache
def _empty_words(name: str) -> frozenset[str]:
    return frozenset(read_table("coreference", "evidence")["pleonastic"][name])


def is_pleonastic(tokens: Sequence[Token], letters: str, i: int) -> bool:
    """ "It is important to…", "it seems that…", "it is raining": the pronoun stands for nothing."""
    if i and tokens[i - 1].low in ("got", "get") and (i < 2 or tokens[i - 2].tag in ".,"):
        return True
    following = [t for t in tokens[i + 1 : i + 6] if t.tag not in "Rn"]
    while following and following[0].tag in "M":
        following = following[1:]
    if not following:
        return False
    first = following[0]
    if first.low in _empty_words("verbs") or (first.tag == "E" and first.low in _empty_words("adjectives")):
        return True
    if first.lemma in ("look", "sound", "feel") and len(following) > 1 and following[1].low in ("like", "as"):
        return True
    if first.lemma == "take" and any(t.tag == "t" for t in tokens[i + 1 : i + 9]):
        return True
    if first.tag not in "bh" or len(following) < 2:
        return False
    rest = [t for t in following[1:] if t.tag not in "bD"]
    if not rest:
        return False
    if rest[0].low in _empty_words("weather"):
        return len(rest) == 1 or rest[1].tag in ".,tIUCp"
    opens = any(t.low in ("that", "to", "for", "if", "when", "how", "why") for t in tokens[i + 2 : i + 7])
    return rest[0].low in _empty_words("adjectives") and opens
