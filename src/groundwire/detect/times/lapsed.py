"""What is announced although its day is over: "closes on 1 December. Sign up now", read in March."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from groundwire.detect.sightings import Sighting, read_words
from groundwire.detect.times.dates import find_extent
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.lexicon import verb_lemma
from groundwire.types import TemporalExpression, Tense

LAPSED = 0.75
_LONGEST = 800
"""Days: what is longer ago is told in the present tense as history."""
_ANNOUNCED = re.compile(
    r"\b(?:looking\s+forward\s+to|can't\s+wait\s+(?:for|to)|(?:is|are|'s|'re|am|'m)\s+(?:still\s+|currently\s+|now\s+)?(?:set|due\s+to|slated|scheduled|expected|planned|bound|coming\s+up|going|about|poised|on\s+track)"
    r"|upcoming|forthcoming|coming\s+up|(?:is|are|'s|'re)\s+(?:still\s+)?(?:ahead|to\s+come|approaching)|(?:will|shall)\s+(?:not\s+)?(?:be|take|open|start|begin|close|end)|'ll)\b"
)
_URGES = re.compile(
    r"\b(?:now|still|hurry|soon|remember|don't\s+forget|make\s+sure|be\s+sure|please|plenty\s+of\s+time|sign\s+up|register|apply|book|save\s+the\s+date|in\s+time|until\s+then|by\s+then|coming|upcoming|tomorrow|today)\b|\b(?:will|'ll)\b"
)
_THEN = re.compile(
    r"\b(?:announced|said|stated|declared|promised|wrote|reported|according\s+to\s+(?:the\s+)?(?:19|20)\d\d|at\s+the\s+time|back\s+(?:in|then)|originally|was|were|had|would|if|no\s+longer|already|over|too\s+late|passed|history|chronicle|histor\w+)\b|(?<!do)n't\b"
)


def find_lapsed_faults(
    seen: Sighting, previous: Sighting | None, following: Sighting | None, today: date
) -> Iterator[TemporalFault]:
    if seen.is_question or not seen.times or _THEN.search(seen.low):
        return
    if any(group.tense is Tense.PAST for group in seen.groups):
        return
    for time in seen.times:
        extent = find_extent(time)
        if extent is None or extent.last >= today or seen.is_quoted(time.span):
            continue
        front = seen.low[: time.span.start - seen.start]
        is_limit = re.search(
            r"\b(?:deadline|due\s+date|closing\s+date|cut-?off|last\s+day)\b[^.;,]{0,40}\s(?:is|falls\s+on)\s+(?:on\s+)?$",
            front,
        )
        if is_limit is None and not re.search(r"\b(?:in|on|by|until|for|from|for\s+the|at)\s+(?:the\s+)?$", front):
            continue
        ahead = _ANNOUNCED.search(front)
        tells = ahead is not None and len(front) - ahead.end() <= 60 and not re.search(r"[;:]", front[ahead.end() :])
        if not tells:
            is_recent = extent.grain == "day" and (today - extent.last).days <= _LONGEST
            around = " ".join(other.low for other in (seen, following) if other is not None)
            told = previous is not None and any(group.tense is Tense.PAST for group in previous.groups)
            is_open = is_limit is not None or re.search(r"\b(?:until|by)\s+$", front) is not None
            urges = _URGES.search(around) is not None
            tells = is_recent and not told and urges and (is_open or _is_timetable(seen, time))
        if tells:
            evidence = f"{time.surface} is over; the current date is {today:%Y-%m-%d}"
            suggestion = f"{time.surface} is over, but is told as still to come: check the date or the tense."
            yield TemporalFault(time.span, LAPSED, evidence, suggestion)


def _is_timetable(seen: Sighting, time: TemporalExpression) -> bool:
    """ "closes on …", "the deadline is …": a day that lies ahead for whoever says so."""
    front = [token for token in seen.tokens if token.end <= time.span.start]
    behind = [token for token in front[-5:] if token.low not in ("on", "in", "the", "by", "until")]
    last = verb_lemma(behind[-1].low) if behind else ""
    if last in read_words("timetable"):
        return True
    names = {token.low for token in front}
    return bool(last == "be" and names & {"deadline", "appointment", "check-up", "next", "exam", "session", "meeting"})
