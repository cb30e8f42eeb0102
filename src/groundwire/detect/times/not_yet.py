"""What is used before there is any: a tunnel that opens in two years, and drivers who have used it for two."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.dates import find_extent
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.lexicon import noun_lemma
from groundwire.types import Span, Tense

_SURE = 0.80
_OPENS = re.compile(
    r"\b(?:opens|(?:will|is (?:due|set|scheduled|expected) to|is going to) (?:open|launch|start running|be opened"
    r"|be released|be launched"
    r"|go live|come out|be finished|be completed)|launches|goes live|comes out|premieres|will be ready"
    r"|is still under construction until)\b"
)
_USED = frozenset(
    """
    use visit drive cross ride enjoy attend read buy see watch play travel stay serve operate carry welcome run try
    download own love live shop study open
    """.split()  # noqa: SIM905
)
_OTHER = re.compile(
    r"\b(?:old|previous|temporary|former|preview|trial|test|testing|beta|pre-?orders?|section|first part"
    r"|part of it|waiting|look(?:ing)?|plan(?:s|ned|ning)?"
    r"|until then|if|would|could|might|not|never|no|already been built|tickets?|model|mock-?up|instead|others?)\b|n't\b"
)
_LINKS = frozenset({"it", "there", "them", "its"})


def find_used_too_early(seen: Sighting, previous: Sighting | None, today: date) -> Iterator[TemporalFault]:
    """The opening lies ahead, in the sentence before; this one tells how it has been used."""
    if previous is None or seen.is_question or previous.is_question or _OTHER.search(seen.low):
        return
    opening = _OPENS.search(previous.low)
    if opening is None or re.search(r"\b(?:again|re-?open\w*|second|new wing)\b|n't\b|\bnot\b", previous.low):
        return
    ahead = [e for t in previous.times if (e := find_extent(t)) is not None and e.grain != "day"]
    ahead += [e for t in previous.times if (e := find_extent(t)) is not None and e.grain == "day"]
    if len(ahead) != 1 or ahead[0].first <= today or not _goes_on(seen, previous):
        return
    for group in seen.groups:
        is_past = (group.perfect and not group.modal) or group.tense is Tense.PAST
        if is_past and not group.negated and group.lemma in _USED:
            start, end = seen.tokens[group.start].start, seen.start + len(seen.text.rstrip(". !"))
            evidence = f"it is to open after {today:%Y-%m-%d}, and is told as used"
            yield TemporalFault(
                Span(min(start, end), end), _SURE, evidence, "It is not open yet: check both sentences."
            )
            return


def _goes_on(seen: Sighting, previous: Sighting) -> bool:
    if not _LINKS.isdisjoint(seen.words):
        return True
    mine, theirs = (
        {noun_lemma(t.low) for t, letter in zip(side.tokens, side.letters, strict=True) if letter in "NP"}
        for side in (seen, previous)
    )
    return bool(mine & theirs)
