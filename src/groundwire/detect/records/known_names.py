"""Whether a name is known: to the dialogue, to the knowledge base, or to everybody."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import cast

from groundwire.detect.examination import Examination
from groundwire.detect.records.acquaintance import meet
from groundwire.detect.records.public_names import is_ordinary, is_role, public_class
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.meanings import attribute_words
from groundwire.evidence.names import name_words
from groundwire.text import lexicon
from groundwire.text.lexicon import noun_lemma
from groundwire.text.tables import read_table
from groundwire.types import Span

_WORDS = re.compile(r"\w+")
_GREETING = re.compile(
    r"(?:^|[\n.!?]\s?)(?:dear|hi|hello|hey|good (?:morning|day|evening|afternoon)|thanks|thank you|regards|sincerely|"
    r"cheers|welcome|ciao|bye)\b,?[\w ,.’'-]{0,12}$",
    re.IGNORECASE,
)
_LEADING = re.compile(r"([A-Z][a-z]+) $")
_LINK = re.compile(r"^(?:of|from|in|at) (?:the )?(?=[A-Z])")
_LETTERS = 3
_SIGNATURE = re.compile(r"(?:regards|sincerely|cheers|yours|best|wishes|greetings|love),?\s*$", re.IGNORECASE)


@cache
def generic_words() -> frozenset[str]:
    return frozenset(read_table("types", "detect")["generic"]["words"])


def is_known(examined: Examination, name: str, span: Span) -> bool:
    """Whether a name is somebody's in the dialogue, the knowledge base, or everybody's knowledge."""
    known = public_class(name)
    if known and known not in examined.knowledge.complete_types:
        return True
    if _begins_earlier(examined.text, name, span):
        return True
    if is_ordinary(name) or meet(examined).named_between(*span):
        return bool(is_ordinary(name) or _names_whole(examined, name, span))
    return _resolves(examined, name)


def _begins_earlier(text: str, name: str, span: Span) -> bool:
    """ "New York City" at the head of a sentence, where "New" may be no name: everybody knows the longer one."""
    before = _LEADING.search(text, max(0, span.start - 30), span.start)
    return before is not None and public_class(f"{before[1]} {name}") != ""


def _is_spelt_out(examined: Examination, name: str) -> bool:
    """ "Amazon Web Services", where AWS is known."""
    initials = "".join(word[0] for word in name.split() if word[0].isupper())
    if len(initials) < _LETTERS:
        return False
    knowledge, said = examined.knowledge, " ".join(turn.text for turn in examined.dialogue.turns)
    known = knowledge.mentions(initials) if isinstance(knowledge, Knowledge) else False
    return known or re.search(rf"\b{initials}\b", said) is not None


def _names_whole(examined: Examination, name: str, span: Span) -> bool:
    """ "Lumen Courier" is not known because Lumen Sync is: the known name must reach over the whole mention."""
    found = meet(examined).spans_between(*span)
    if any(a <= span.start and span.end <= b for a, b, _ in found):
        return True
    first = min(a for a, _, _ in found)
    rest = list(_left_over(examined.text, span, [(a, b) for a, b, _ in found]))
    if first > span.start and rest and is_ordinary(rest[0]):
        rest = rest[1:]  # "Ticket LW-4471": what stands before says what kind of thing it is
    attributes = {word for _, _, e in found for name in e.attribute_names for word in attribute_words(name)}
    rest = [_LINK.sub("", part) for part in rest]
    return all(_adds_nothing(part, attributes) or _resolves(examined, part) for part in rest)


def _adds_nothing(part: str, attributes: set[str]) -> bool:
    """ "Acme Support", "the Utrecht show": a title, a place, or a noun that says what of the known one is meant."""
    words = name_words(part)
    if public_class(part) or part.islower() or all(is_role(word) for word in words):
        return True
    return all(noun_lemma(word) in attributes | generic_words() for word in words)


def _left_over(text: str, span: Span, taken: Sequence[tuple[int, int]]) -> Iterator[str]:
    at = span.start
    for a, b in sorted(taken):
        if text[at:a].strip():
            yield text[at:a].strip()
        at = max(at, b)
    if text[at : span.end].strip():
        yield text[at : span.end].strip()


def _resolves(examined: Examination, name: str) -> bool:
    dialogue, knowledge = examined.dialogue, examined.knowledge
    noun, _, sign = name.rpartition(" ")
    if noun.islower() and any(map(str.isdigit, sign)) and _resolves(examined, sign):
        return True  # "the number DX-20391"
    if dialogue.entity_registry.find(name) is not None or dialogue.resolve(name) is not None:
        return True
    if _stands_in(name, " ".join(turn.text for turn in dialogue.turns)):
        return True
    if knowledge.find_entity(name) is not None or _is_spelt_out(examined, name):
        return True
    if isinstance(knowledge, Knowledge):
        singular = " ".join(noun_lemma(word) for word in name.split())
        if bool(knowledge.find_all(name)) or knowledge.mentions(name) or knowledge.mentions(singular):
            return True
        return singular.casefold() in attribute_vocabulary(knowledge)
    return any(_stands_in(name, memory.text) for memory in knowledge.statements)


def attribute_vocabulary(knowledge: Knowledge) -> frozenset[str]:
    """The words of which attributes are named: "toll_lorry" knows what a lorry is."""
    known = knowledge.memo.get("attribute vocabulary")
    if known is None:
        names = {name for entity in knowledge.entities for name in entity.attribute_names}
        known = frozenset(word for name in names for word in attribute_words(name))
        knowledge.memo["attribute vocabulary"] = known
    return cast("frozenset[str]", known)


def is_plain_noun(subject: str) -> bool:
    """ "New customers": ordinary words, of which the first has its capital from the sentence."""
    first, *rest = subject.split() or [""]
    is_known = lexicon.is_known(first.casefold()) and lexicon.is_known(noun_lemma(rest[-1])) if rest else False
    return is_known and all(word.islower() for word in rest)


def _stands_in(name: str, text: str) -> bool:
    words, said = " ".join(name_words(name)), " ".join(_WORDS.findall(text.casefold()))
    return bool(words) and f" {words} " in f" {said} "


def is_addressed(text: str, span: Span) -> bool:
    """Whom the answer greets, or who signs it."""
    before = text[max(0, span.start - 40) : span.start]
    if _GREETING.search(before) is not None:
        return True
    after = text[span.end : span.end + 3].strip()
    return _SIGNATURE.search(before.strip()) is not None and not after
