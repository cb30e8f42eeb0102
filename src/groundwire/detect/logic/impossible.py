"""Properties that nothing can have: a married bachelor, a share of 110%, minus three people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting
from groundwire.text.calendar import small_number
from groundwire.text.inflection import plural
from groundwire.text.tables import join_phrases, read_table
from groundwire.types import ContradictionType, Span

IMPOSSIBLE = 0.80
_NUMBER = (
    r"(?:\d{1,9}(?:[.,]\d{1,6})?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    r"|twenty|thirty)"
)
_RUN = re.compile(r"\w+")
_DENIED = re.compile(
    r"\b(?:not|cannot|can't|isn't|aren't|wasn't|never|no|impossible|if|imagine|suppose|paradox|contradiction|joke|riddle|example|"
    r"called|nickname|band|song|nonsense|would|could|might|whether|error|invalid|reject\w*|fictional|mathematical)\b|n't\b"
)


@cache
def _table() -> dict[str, Any]:
    return read_table("impossible", "detect")


def _firsts(words: list[str]) -> frozenset[str]:
    """The first word of every form: a text that has none of them need not be searched."""
    return frozenset(_RUN.findall(form)[0] for word in words for form in (word, plural(word)))


def _either(words: list[str]) -> str:
    return f"(?:{join_phrases({form for word in words for form in (word, plural(word))})})"


@cache
def _pair_patterns() -> tuple[tuple[frozenset[str], re.Pattern[str]], ...]:
    """Each with the words of which one must be there."""
    found: list[tuple[frozenset[str], re.Pattern[str]]] = []
    for row in _table()["pairs"]:
        nouns, adjectives = _either(row["nouns"]), "(?:" + "|".join(map(re.escape, row["adjectives"])) + ")"
        found.append((
            _firsts(row["nouns"]),
            re.compile(rf"\b{adjectives}\s+{nouns}\b|\b{nouns}\s+(?:who|that|which)\s+(?:is|are|was|were)\s+{adjectives}\b"
                       rf"|\b{nouns}\s+(?:is|are|was|were)\s+(?:happily\s+|perfectly\s+|completely\s+)?{adjectives}\b(?!-)(?!\s+(?:to|by)\b)"),
        ))  # fmt: skip
    return tuple(found)


@cache
def _count_patterns() -> tuple[tuple[frozenset[str], re.Pattern[str], int], ...]:
    found: list[tuple[frozenset[str], re.Pattern[str], int]] = []
    for row in _table()["counts"]:
        things, parts = _either(row["things"]), _either(row["parts"])
        having = r"(?:with|has|have|had|of|contains?|consists?\s+of)\s+(?:exactly\s+|only\s+)?"
        forms = (
            rf"\b{things}\s+(?:(?:on|in|of|from|at)\s+(?:the|his|her|its|their|our|your|this|that)\s+[a-z]+\s+)?{having}(?P<a>{_NUMBER})\s+(?:\w+\s+)?{parts}\b",
            rf"\b(?P<b>{_NUMBER})-(?!days?\s){parts}d?\s+{things}\b",
            rf"\b(?P<c>{_NUMBER})\s+{parts}\s+(?:in|to)\s+an?\s+{things}\b",
            rf"\b(?P<d>{_NUMBER})-(?:sided|cornered|legged|wheeled|member)\s+{things}\b",
        )
        found.append((_firsts(row["things"]), re.compile("|".join(forms)), row["number"]))
    return tuple(found)


@cache
def _relative_patterns() -> tuple[tuple[frozenset[str], re.Pattern[str]], ...]:
    """ "an orphan who lives with her parents", "a vegan who eats cheese", by the tables of what excludes what."""
    logic = read_table("logic", "detect")
    rows: list[tuple[str, list[str]]] = [*logic["alone"].items(), *logic["barred"].items()]
    between = r"\s+(?:who|that|whose|with)\s+(?:(?!not\b|never\b|no\b|without\b|lost\b)[a-z'-]+\s+){0,6}?"
    return tuple(
        (frozenset(_RUN.findall(name)[:1]), re.compile(rf"\b{re.escape(name)}{between}{_either(words)}\b(?!-)"))
        for name, words in rows
    )


@cache
def _negative_pattern() -> re.Pattern[str]:
    table = _table()["negative"]
    nouns, measures = _either(table["nouns"]), "(?:" + "|".join(table["measures"]) + ")"
    return re.compile(
        rf"(?<![\w.–—-])(?:[-−](?=\d)|minus\s+|negative\s+)(?P<count>{_NUMBER})[\s-]+(?:\w+\s+)?{nouns}\b(?!\s+(?:below|under|ago|before|per\b))"
        rf"|\b(?:an?|the|his|her|its|their|my|your)\s+negative\s+{measures}\b"
        rf"|\b{measures}\s+(?:of\s+[a-z]+(?:\s+[a-z]+){{0,4}}\s+)?(?:is|was|of|are)\s+(?:exactly\s+)?(?:[-−](?=\d)|minus\s+|negative\s+){_NUMBER}\b"
    )


_SHARE = re.compile(
    r"(?<![\d.,-])(?P<number>\d{2,6}(?:[.,]\d{1,3})?)\s?(?:%|percent|per cent)(?P<behind>\s+(?:of\s+[a-z]+|[a-z]+))?"
)
_PROBABILITY = re.compile(
    r"\b(?:probability|likelihood|chance|odds)\s+(?:of\s+[^.;,]{1,60}?\s+)?(?:is|was|of|are|equals?|stands\s+at|at)\s+(?:about\s+|exactly\s+|roughly\s+)?"
    r"(?P<number>[-−]?\d{1,4}(?:\.\d{1,4})?)\s?(?P<percent>%|percent|per cent)?(?![\d/:]|\s+(?:in|to|out)\b)"
)
_ABSOLUTE_ZERO = re.compile(r"[-−](?P<number>\d{3,6}(?:\.\d{1,3})?)\s?(?:°\s?c|degrees\s+celsius|celsius)\b")


def find_impossible_properties(seen: Sighting) -> Iterator[Clash]:
    if seen.is_question or len(seen.text) > 2_000:
        return
    for start, end, why in _find(seen.low):
        span = Span(seen.start + start, seen.start + end)
        before = seen.low[max(0, start - 60) : start]
        if seen.is_quoted(span) or _DENIED.search(before):
            continue
        yield Clash(_widen(seen, span), None, IMPOSSIBLE, ContradictionType.LOGICAL_IMPOSSIBILITY, why)


@cache
def _all_firsts() -> frozenset[str]:
    """The words of which a sentence needs one: most sentences have none of any pattern."""
    patterns = (*_pair_patterns(), *_relative_patterns(), *_count_patterns())
    return frozenset[str]().union(*(pattern[0] for pattern in patterns))


def _find(low: str) -> Iterator[tuple[int, int, str]]:
    words = frozenset(_RUN.findall(low))
    is_listed = not _all_firsts().isdisjoint(words)
    for firsts, pattern in (*_pair_patterns(), *_relative_patterns()) if is_listed else ():
        if firsts.isdisjoint(words):
            continue
        for match in pattern.finditer(low):
            yield *match.span(), f"{match.group()}: the one excludes the other"
    for firsts, pattern, number in _count_patterns() if is_listed else ():
        if firsts.isdisjoint(words):
            continue
        for match in pattern.finditer(low):
            said = next(group for group in match.groups() if group)
            if small_number(said) not in (None, number):
                yield *match.span(), f"{match.group()}: by definition there are {number}"
    if "-" in low or "−" in low or "minus" in words or "negative" in words:
        yield from _find_below_zero(low)
    for match in _SHARE.finditer(low) if "%" in low or "cent" in low else ():
        if _is_too_large(match, low):
            yield *match.span(), f"{match.group().strip()}: a share ends at 100%"
    for match in _PROBABILITY.finditer(low):
        value = float(match["number"].replace("−", "-"))
        if value < 0 or (value > (100 if match["percent"] else 1) and (match["percent"] or value < 2)):
            yield *match.span(), f"{match.group()}: a probability lies between 0 and 1"
    for match in _ABSOLUTE_ZERO.finditer(low) if "-" in low or "−" in low else ():
        if float(match["number"]) > 273.15:
            yield *match.span(), f"{match.group()}: nothing is colder than -273.15 °C"


def _find_below_zero(low: str) -> Iterator[tuple[int, int, str]]:
    for match in _negative_pattern().finditer(low):
        yield *match.span(), f"{match.group()}: this cannot be negative"


def _is_too_large(match: re.Match[str], low: str) -> bool:
    if float(match["number"].replace(",", ".")) <= 100:
        return False
    behind = (match["behind"] or "").strip()
    words = set(re.findall(r"[a-z-]+", low))
    if words & set(_table()["shares"]["beyond"]):
        return False
    starts = match.end() - len(behind)
    return behind in ("attendance", "turnout") or any(low.startswith(w, starts) for w in _table()["shares"]["wholes"])


def _widen(seen: Sighting, span: Span) -> Span:
    """The claim around the words, or the sentence."""
    around = [c.span for c in seen.segment.claims if c.span.start <= span.start and span.end <= c.span.end]
    return min(around, key=lambda s: s.end - s.start, default=seen.segment.span)
