"""What the words around a time say: the relation of the event to it, and the tense of the clause."""

from __future__ import annotations

import bisect
import re
from functools import cache

from groundwire.text.tables import read_table
from groundwire.types import TemporalRelation, Tense

_STOP = re.compile(r"[.!?;]+(?=\s|$)|\n+")
_REACH = 28
_FUNCTION = (
    r"(?!(?:by|in|at|on|for|of|and|or|the|with|to|from|as|was|is|has|his|its|this|us|does|than|but|because|when|while"
    r"|it|he|she|they|we|i)\b)"
)
_COUNTED = re.compile(
    rf"\s+{_FUNCTION}(?:[a-z]+\s+{_FUNCTION})?(?:[a-z]+s|people|men|women|children|percent)\b"
    r"|\s?(?:ms|km|kg|[kKMGT]B|USD|EUR|[kMG]?Hz|px|mm|cm)\b"
)
_BARE_VERB = re.compile(r"\s+(?:be|have|not|also|cause|return|take|need|work|fail|go|help|i|we|you)\b", re.IGNORECASE)


# With these, the perfect says that something still holds: "has lived here since 2019".
_LASTING = (TemporalRelation.SINCE, TemporalRelation.DURING)


class Clauses:
    """One text, read once for the words that set a tense."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._stops = [match.start() for match in _STOP.finditer(text)]
        self._cues: list[tuple[int, str]] | None = None

    def read_preposition(self, start: int) -> tuple[str, TemporalRelation | None]:
        """The longest known preposition right in front, and what it means."""
        words, relations = self._words_before(start), _relations()
        for size in range(len(words), 0, -1):
            phrase = " ".join(words[-size:])
            if phrase in relations:
                return phrase, relations[phrase]
        return "", None

    def _words_before(self, start: int) -> list[str]:
        return self._text[max(0, start - _REACH) : start].rstrip(" -(\n\t").replace("(", " ").lower().split()[-3:]

    def read_tense(self, start: int, end: int, relation: TemporalRelation | None) -> Tense | None:
        """The tense of the verb nearest in front, else of the first one behind, within the sentence."""
        cues = self._read_cues()
        index = bisect.bisect_left(self._stops, start)
        first = self._stops[index - 1] if index else 0
        last = self._stops[index] if index < len(self._stops) else len(self._text)
        at = bisect.bisect_left(cues, (start, ""))
        before = next((cue for cue in (cues[at - 1],) if cue[0] >= first), None) if at else None
        after = next((cue for cue in cues[at : at + 1] if end <= cue[0] < last), None)
        kind = (before or after or (0, ""))[1]
        if kind == "perfect":
            return Tense.PRESENT if relation in _LASTING else Tense.PAST
        return Tense(kind) if kind in ("past", "future") else None

    def is_capital(self, start: int) -> bool:
        return self._text[start].isupper()

    def verb_follows(self, end: int) -> bool:
        return bool(_BARE_VERB.match(self._text, end))

    def read_joint(self, end: int, start: int) -> str:
        """The one word or dash between two times, if that is all there is."""
        return self._text[end:start].strip().lower() if start - end <= 12 else ""

    def is_year(self, start: int, end: int, year: int) -> bool:
        """Tells a year from a count, an address or a number that names something else."""
        words = self._words_before(start)
        last = words[-1] if words else ""
        hyphenated = self._text[start - 1 : start] == "-" and not self._text[max(0, start - 5) : start - 1].isdigit()
        if hyphenated or last in _not_year_after():
            return False
        modern = 1800 <= year < 2100
        if last in ("the", "this", "that"):
            return modern
        preposition, relation = self.read_preposition(start)
        if modern and year % 100 and preposition in _dating():
            return True
        if _COUNTED.match(self._text, end):
            return False
        return modern or (relation is not None and preposition in _dating())

    def _read_cues(self) -> list[tuple[int, str]]:
        if self._cues is None:
            matches = _cue_pattern().finditer(self._text)
            self._cues = [(match.start(), kind) for match in matches if (kind := _kind(match))]
        return self._cues


def _kind(match: re.Match[str]) -> str:
    """past, future or plan; empty for a word in -ed that is no past tense."""
    if match.lastgroup != "regular":
        return match.lastgroup or ""
    return "" if match.group().lower() in _not_past() else "past"


@cache
def _cue_pattern() -> re.Pattern[str]:
    table: dict[str, list[str]] = read_table("temporal")["tense"]
    rows = {name: "|".join(re.escape(word).replace("\\ ", r"\s+") for word in words) for name, words in table.items()}
    participle = rf"\w+ed|{rows['past']}|done|gone|seen|taken|written|known|become|grown"
    perfect = rf"(?:has|have|'ve|hasn't|haven't)\s+(?:\w+\s+)?(?:{participle})"
    present = r"(?:is|are|am|be|being|'s|'re)\s+(?:\w+ly\s+)?\w+ed"
    return re.compile(
        rf"(?<!\w)(?:(?P<future>{rows['future']})|(?P<plan>(?:(?:was|were|been|is|are)\s+)?(?:{rows['plans']}))|(?P<present>{present})|(?P<perfect>{perfect})|(?P<past>{rows['past']})"
        rf"|(?P<regular>[a-z]{{2,20}}ed))(?!\w)",
        re.IGNORECASE,
    )


@cache
def _not_past() -> frozenset[str]:
    return frozenset(read_table("temporal")["tense"]["not_past"])


@cache
def _relations() -> dict[str, TemporalRelation]:
    table: dict[str, list[str]] = read_table("temporal")["relations"]
    return {phrase: TemporalRelation(name) for name, phrases in table.items() for phrase in phrases}


@cache
def _not_year_after() -> frozenset[str]:
    return frozenset(read_table("temporal")["prepositions"]["not_year"])


@cache
def _dating() -> frozenset[str]:
    return frozenset(read_table("temporal")["prepositions"]["year"])
