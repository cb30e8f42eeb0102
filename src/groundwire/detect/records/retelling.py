"""What an answer says in words of its own: claims that some sentence of what is known may well bear out.

Asked before a claim is called made up. A judge that finds only a little support is reason enough to be silent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from groundwire.detect.examination import Examination
from groundwire.detect.records.acquaintance import meet
from groundwire.detect.records.checked import Checked
from groundwire.detect.records.facets import speaks_of
from groundwire.detect.records.sayings import Outcome
from groundwire.detect.weighing.asking import hear
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.lookups import Entity
from groundwire.evidence.meanings import attribute_words
from groundwire.evidence.names import name_words
from groundwire.evidence.phrasing import tell_plainly
from groundwire.text.calendar import MONTH_NUMBERS, WEEKDAY_NUMBERS
from groundwire.text.lexicon import is_known, verb_lemma
from groundwire.text.thesaurus import are_opposites
from groundwire.types import Passage, Verdict, VerifierInput

_SOME_SUPPORT = 0.13
_AKIN = 0.15
_MOST = 12
_CIRCLE = 8
_TURNS = 6
_LONGEST = 300
_DAYS = WEEKDAY_NUMBERS.keys() | MONTH_NUMBERS.keys()
_FULL_NAME = re.compile(r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){1,3}")
_IDLE = frozenset(
    "be have do make take get go come give use work play put keep hold run see say know need want become".split()  # noqa: SIM905
)


def find_told(examined: Examination, doubted: Sequence[Checked]) -> list[Checked]:
    """Those of the claims that the records or the statements speak of, all in one call to the judge."""
    found = {id(checked): checked for checked in doubted if _speaks_of_attribute(checked)}
    rest = [checked for checked in doubted if id(checked) not in found and not _says_more(checked)]
    asked = [(checked, sentence) for checked in rest for sentence in _nearest(examined, checked)]
    questions = [VerifierInput(c.read.claim.text, (Passage("record", sentence),)) for c, sentence in asked]
    for (checked, _), answer in zip(asked, hear(examined).judge_all(questions), strict=True):
        if answer.probabilities.get(Verdict.SUPPORTED, 0.0) >= _SOME_SUPPORT:
            found[id(checked)] = checked
    return list(found.values())


def _says_more(checked: Checked) -> bool:
    """ "Established in 1847, Acme makes batteries": what is bracketed is no part of what the judge would read."""
    start, end = checked.read.claim.span
    return any(p.outcome is Outcome.SILENT and not start <= p.span.start < end for p in checked.points)


def _nearest(examined: Examination, checked: Checked) -> list[str]:
    """The sentences about everybody in the claim that come nearest to it."""
    text, entity = checked.read.claim.text, checked.entity
    people = meet(examined)
    named = people.named_between(*checked.read.claim.span)
    circle = dict.fromkeys(e for e in (entity, *named, *(people.related(entity) if entity else ())) if e is not None)
    sentences = [sentence for e in list(circle)[:_CIRCLE] for sentence in tell_record(e)]
    known = examined.knowledge
    told = known.told if isinstance(known, Knowledge) else known.statements
    sentences += [memory.text for memory in told]
    names = [frozenset(name_words(e.name)) for e in circle]
    turns = [turn.text for turn in list(examined.dialogue.turns)[-_TURNS:] if len(turn.text) < _LONGEST]
    sentences += [said for said in turns if not names or any(_names(said, own) for own in names)]
    near = [(examined.similarity(text, sentence), sentence) for sentence in sentences]
    near = sorted((pair for pair in near if pair[0] >= _AKIN), key=lambda pair: -pair[0])
    return [sentence for _, sentence in near[:_MOST]]


def _names(said: str, own: frozenset[str]) -> bool:
    """Whether a turn has a word of a name, and not only as part of another one: Elif Engel is not Elif Grimm."""
    if not any(word in said.casefold() for word in own):
        return False

    def drop(match: re.Match[str]) -> str:
        words = frozenset(name_words(match.group()))
        more = words - own
        is_another = words & own and own - words and more and not any(is_known(w) or w in _DAYS for w in more)
        return " " if is_another else match.group()

    rest = _FULL_NAME.sub(drop, said).casefold()
    return any(word in rest for word in own)


def tell_record(entity: Entity) -> Iterable[str]:
    """What is on record of somebody, a sentence for each attribute."""
    for name in entity.attribute_names:
        value = " and ".join(v.value for v in entity.get_attribute(name)[:4])
        yield tell_plainly(entity.name, entity.type, name, value)


def _speaks_of_attribute(checked: Checked) -> bool:
    """ "shuts at four", where opening hours are on record: whether it is so is another question."""
    proposition = checked.read.proposition
    said = {proposition.predicate, *(w for a in proposition.arguments if a.role == "object" for w in a.lemmas)}
    verbs = {lemma for word in said if (lemma := verb_lemma(word)) is not None} - _IDLE
    entity = checked.entity
    if entity is None:
        return False
    names = {word for name in entity.attribute_names for word in attribute_words(name)}
    names |= {lemma for word in names if (lemma := verb_lemma(word)) is not None}
    return any(speaks_of(verb, word) or are_opposites(verb, word) for verb in verbs for word in names - _IDLE)
