"""Results of games, groups of those who came, and a value beside the one before it: what must agree with what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from groundwire.detect.amounts.counts import Amount, add_up, read_number, show, show_sum, tell_clash
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting, read_words

_N = r"(?:\d{1,4}|[a-z]{3,12}(?:-[a-z]{3,5})?)"
_OUTCOMES = frozenset(
    "won winning wins win drew drawing drawn tied tying ties lost losing losses draws lose".split()  # noqa: SIM905
)
_RESULT = re.compile(
    rf"\b(?P<verb>{'|'.join(sorted(_OUTCOMES))})\s+(?:the\s+other\s+|the\s+remaining\s+)?(?P<n>{_N})\b"
)
_GAMES = re.compile(
    rf"\b(?P<n>{_N})\s+(?:league\s+|home\s+|away\s+|group\s+|test\s+)?(?:matches|games|fixtures|fights|bouts|sets|duels|rounds|races|elections|cases)\b"
)
_KINDS = {"w": "won", "d": "drawn", "t": "drawn", "l": "lost"}


def check_record(seen: Sighting, amounts: Sequence[Amount]) -> Clash | None:
    """ "played ten matches, winning six, drawing two and losing four"."""
    if _OUTCOMES.isdisjoint(seen.runs):
        return None
    results = [(m, read_number(m["n"])) for m in _RESULT.finditer(seen.low)]
    known = {_KINDS[m["verb"][0]]: (m, n) for m, n in results if n is not None}
    games = [n for m in _GAMES.finditer(seen.low) if (n := read_number(m["n"])) is not None]
    if not {"won", "lost"} <= known.keys() or len(known) != len([n for _, n in results if n is not None]):
        return None
    if len(games) != 1 or any(not a.is_exact for a in amounts):
        return None
    added = sum((n for _, n in known.values()), Fraction(0))
    if added > games[0] or ("drawn" in known and added != games[0]):
        spans = [m.span() for m, _ in known.values()]
        start, end = min(span[0] for span in spans), max(span[1] for span in spans)
        return tell_clash(seen, start, end, f"that makes {show(added)} games, not {show(games[0])}")
    return None


_TWO_WAYS = re.compile(
    r"\b(?P<verb>[a-z]+)\s+(?:[a-z]+ly\s+)?to\s+(?:about\s+|around\s+|only\s+|just\s+)?[$€£]?(?P<now>\d[\d,.]*\d|\d)[^.;\d]{0,30}?,?\s*\(?(?:(?P<way>up|down)\s+from|from)\s+(?:about\s+)?[$€£]?(?P<then>\d[\d,.]*\d|\d)"
)
_FROM = re.compile(
    r"[$€£]?(?P<now>\d[\d,.]*\d|\d)[^.;\d]{0,30}?,\s*(?P<way>up|down)\s+from\s+(?:about\s+)?[$€£]?(?P<then>\d[\d,.]*\d|\d)(?!\s*(?:%|percent|per))"
)
_UP_ON = re.compile(
    r"\b(?:was|were|is|are)\s+(?P<way>up|down|higher|lower)\s+(?:on|than|compared\s+(?:with|to))\s+(?:last|the\s+previous)\s+(?:year|month|week|time|season|quarter)\b[^.;\d]{0,30}"
    r"(?P<now>\d[\d,]*)[^.;\d]{0,40}?(?:compared\s+(?:with|to)|against|versus|from|after)\s+(?P<then>\d[\d,]*)"
)


_BEFORE_THEN = ("from", "compared", "against", "versus", "after")
"""What stands before the earlier of two figures."""


def check_two_ways(seen: Sighting) -> Clash | None:
    """ "fell to 900, up from 700"; "was up on last year: 1,200, compared with 1,450"."""
    if not any(word in seen.low for word in _BEFORE_THEN):
        return None
    for pattern in (_UP_ON, _TWO_WAYS, _FROM):
        for match in pattern.finditer(seen.low):
            now, then = (read_number(match[name].rstrip(",.")) for name in ("now", "then"))
            verb = match.groupdict().get("verb") or ""
            moved = (verb in read_words("rising", "sums")) - (verb in read_words("falling", "sums"))
            said = {"up": 1, "higher": 1, "down": -1, "lower": -1}.get(match["way"] or "", 0)
            if now is None or then is None or now == then or (verb and not moved) or not (said or moved):
                continue
            went = 1 if now > then else -1
            if (said and said != went) or (moved and moved != went):
                return tell_clash(
                    seen, match.start(), match.end(), f"from {show(then)} to {show(now)} goes the other way"
                )
    return None


_OF_THEM = re.compile(r"\s+(?:of\s+(?:them|these|those|whom|which)|were|are|was)\b")


def check_of_them(seen: Sighting, amounts: Sequence[Amount]) -> Clash | None:
    """ "Twelve people came; five of them were children and nine were adults"."""
    if len(amounts) < 3 or any(a.has_sign or not a.is_exact for a in amounts):
        return None
    whole, parts = amounts[0], amounts[1:]
    words = set(re.findall(r"[a-z]+", seen.low[whole.end :]))
    rivals = any(set(pair.split()) <= words for pair in read_words("rivals", "sums"))
    if not rivals or not _OF_THEM.match(seen.low, parts[0].end) or whole.noun not in read_words("persons", "sums"):
        return None
    if len(parts) != 2 or add_up(parts) <= whole.value:
        return None
    return tell_clash(seen, parts[0].start, parts[-1].end, f"{show_sum(parts)} of {show(whole.value)}")


_MONEY = r"[$€£]?\s?(?P<{0}>\d[\d,]*(?:\.\d+)?)"
_RATE_OF = re.compile(
    r"\b(?P<rate>\d{1,3}(?:\.\d+)?)\s?(?:%|percent|per\s+cent)\s+(?:[a-z]+\s+)?(?:of|on)\s+(?:an?\s+|the\s+|your\s+)?"
    + _MONEY.format("whole")
    + r"(?!\s?%)[^.;\d]{0,30}?\b(?:is|equals|makes|comes\s+to|amounts\s+to|would\s+be)\s+(?:exactly\s+)?"
    + _MONEY.format("part")
)
_PORTIONED = re.compile(
    _MONEY.format("whole") + r"[^.;\d]{0,40}?\b(?:in|over|into|with)\s+(?P<many>\d{1,3}|[a-z]{3,9})\s+"
    r"(?:equal\s+|monthly\s+|weekly\s+|yearly\s+|annual\s+)?"
    r"(?:instalments?|installments?|payments?|portions|packs|boxes|bags|stages|rates|parts|shares)\s+of\s+"
    + _MONEY.format("part")
)
_SPLIT = re.compile(
    r"\b(?:split|divide|share)s?\s+(?:the\s+|a\s+)?"
    + _MONEY.format("whole")
    + r"[^.;\d]{0,25}?\b(?:(?P<ways>\d{1,2}|[a-z]{3,6})\s+ways"
    r"|(?:among|between|by)\s+(?:the\s+)?(?P<people>\d{1,2}|[a-z]{3,6})\b)[^.;\d]{0,30}?"
    r"\b(?:each|everyone|everybody|each\s+person|that's|we\s+each)\s+(?:\w+\s+){0,2}?" + _MONEY.format("part")
)


def check_portions(seen: Sighting) -> Clash | None:
    """ "a 15% tip on a 40-euro bill is 10 euros"; "12,000 in 12 instalments of 500"; "90 split three ways, 40 each"."""
    for pattern, marks in ((_RATE_OF, ("%", "per")), (_PORTIONED, (" of",)), (_SPLIT, ("split", "divide", "share"))):
        match = pattern.search(seen.low) if any(mark in seen.low for mark in marks) else None
        if match is None or _ROUGH.search(seen.low):
            continue
        whole, part = (read_number(match[name].replace(",", "")) for name in ("whole", "part"))
        if whole is None or part is None:
            continue
        if pattern is _RATE_OF:
            right = whole * Fraction(match["rate"]) / 100
        else:
            many = read_number(match["many"] if pattern is _PORTIONED else match["ways"] or match["people"])
            if not many or many == 1:
                continue
            right = whole / many
        if abs(right - part) > max(Fraction(1, 2), right / 50):
            return tell_clash(seen, match.start(), match.end(), f"that would be {float(right):g}, not {float(part):g}")
    return None


_ROUGH = re.compile(
    r"\b(?:about|around|roughly|nearly|almost|over|more than|less than|under|some|plus|interest|fee"
    r"|deposit|first|if|or)\b"
)
