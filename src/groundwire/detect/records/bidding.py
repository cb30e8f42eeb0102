"""Orders with a value: "Sow it 5 cm deep", "Take 200 mg". Nothing is claimed, and the value can be wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from groundwire.detect.examination import Examination
from groundwire.detect.records.acquaintance import Acquaintance
from groundwire.detect.records.checked import Checked
from groundwire.detect.records.sayings import Saying, find_measures
from groundwire.detect.records.values import Value, find_values
from groundwire.evidence.lookups import Entity
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.text.propositions import UNREAD, Argument
from groundwire.text.reading import ReadClaim
from groundwire.types import Claim, Span, Tense

_WORD = re.compile(r"[^\W\d_]+")
_FIRST = re.compile(r"(?:please |then |so |now |first,? )?(?P<verb>[a-z]+)\b", re.IGNORECASE)
_LEAD = re.compile(r"(?:for|with|in|on|to) [^,.;]{1,50}, ", re.IGNORECASE)
_CLAUSE = re.compile(r"[;:–—]\s+|, (?:and|but|then|so) |, ")
_LONGEST = 300


def find_bidden(
    examined: Examination, people: Acquaintance, checked: Sequence[Checked]
) -> Iterator[tuple[Saying, Entity]]:
    """Every order that names something known and gives a value that no claim has, as if it were said of that."""
    taken = [p.span for c in checked for p in c.points]
    for segment in examined.segments:
        text = segment.text.rstrip()
        if text.endswith("?") or len(text) > _LONGEST:
            continue
        lead = _LEAD.match(text)
        at = lead.end() if lead is not None else 0
        end = _CLAUSE.search(text, at)
        clause = Span(segment.span.start, segment.span.start + (end.start() if end is not None else len(text)))
        named = people.spans_between(*clause)
        verb = _read_verb(examined.text[clause.start + at : clause.end])
        if not verb or len({id(e) for _, _, e in named}) != 1:
            continue
        blocked = [Span(a, b) for a, b, _ in named]
        values = find_values(examined.text[clause.start : clause.end], clause.start, blocked)
        values = [v for v in values if v.kind == "amount" and v.dimension not in ("count", "share", "")]
        if len(values) == 1 and not any(s.start < values[0].span.end and values[0].span.start < s.end for s in taken):
            yield _as_saying(examined.text, clause, verb, values), named[0][2]


def _read_verb(text: str) -> str:
    match = _FIRST.match(text)
    verb = match["verb"].casefold() if match is not None else ""
    return verb if verb and verb_lemma(verb) == verb and verb not in ("be", "have", "may", "can", "will") else ""


def _as_saying(text: str, span: Span, verb: str, values: Sequence[Value]) -> Saying:
    said = text[span.start : span.end]
    words = {noun_lemma(word) for word in _WORD.findall(said.casefold())} | find_measures(said.casefold())
    value = values[0]
    argument = Argument("object", value.text, value.span, tuple(value.text.casefold().split()), False, False)
    proposition = UNREAD._replace(predicate=verb, arguments=(argument,), lemmas=frozenset(words))
    claim = Claim(said, span, "", verb, value.text, tense=Tense.PRESENT)
    return Saying(ReadClaim(claim, (), proposition, span), text, frozenset(words | {verb}), tuple(values), ())
