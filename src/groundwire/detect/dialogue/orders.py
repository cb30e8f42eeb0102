"""What came first: "the rash came before the tablets", of somebody who took them on Monday and had it on Wednesday."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.detect.dialogue.history import Prior
from groundwire.detect.dialogue.pairing import Pair
from groundwire.detect.dialogue.stated_values import StatedValue
from groundwire.detect.dialogue.topics import read_topic, share
from groundwire.detect.dialogue.weighing import Judged
from groundwire.evidence.dialogue import Said
from groundwire.text.times import months, weekdays
from groundwire.types import Span, Tense

_SURE, _SIMILAR = 0.85, 0.9
_ORDER = re.compile(
    r"(?P<one>\S.{2,80}?),? (?P<way>before|after) (?P<other>(?!noon\b|midnight\b|\d|all\b|that\b)\S.{2,80})"
)
_WAS = re.compile(r"\b(?:was|were|had)\b")
_LAST_DAY = 7


def find_disorder(said: Said, priors: Sequence[Prior]) -> Judged | None:
    """Two events that the user dated by one calendar, told in the other order."""
    match = _ORDER.fullmatch(said.text.strip(" ."))
    if match is None or said.read.proposition.negated:
        return None
    if said.read.proposition.tense is not Tense.PAST and not _WAS.search(match["one"]):
        return None
    dated = [(prior, when) for prior in priors if prior.by_user and (when := _read_moment(prior)) is not None]
    one, other = (_find_event(match[side], dated) for side in ("one", "other"))
    if one is None or other is None or one[0] is other[0] or one[0].turn is not other[0].turn:
        return None
    (first, mine), (second, theirs) = one, other
    if mine[0] != theirs[0] or mine[1] == theirs[1] or (mine[1] < theirs[1]) is (match["way"] == "before"):
        return None
    prior = first if first.place >= second.place else second
    way = StatedValue("order", match["way"], Span(*match.span("way")))  # what is wrong is this word, not the events
    return Judged(Pair(said, prior, _SIMILAR, way, None, False, said.text), _SURE, 0.0)


def _find_event(words: str, dated: Sequence[tuple[Prior, tuple[str, int]]]) -> tuple[Prior, tuple[str, int]] | None:
    """The one statement about the event; None where there is none, or another as likely."""
    topic = read_topic(words)
    scored = [(len(share(topic, prior.topic)[0]), prior, when) for prior, when in dated]
    best = max((score for score, _, _ in scored), default=0)
    found = [(prior, when) for score, prior, when in scored if score == best > 0]
    places = {when for _, when in found}
    return found[0] if len(places) == 1 else None


def _read_moment(prior: Prior) -> tuple[str, int] | None:
    """The one year, month or weekday of a statement."""
    found: list[tuple[str, int]] = []
    for value in prior.values:
        word = value.text.casefold().removesuffix("s")
        if value.kind == "weekday" and word in weekdays():
            found.append(("weekday", list(weekdays()).index(word) % _LAST_DAY))
        elif value.kind == "month" and word in months():
            found.append(("month", months()[word]))
        elif value.kind == "year" and value.text.isdigit():
            found.append(("year", int(value.text)))
    return found[0] if len(found) == 1 else None
