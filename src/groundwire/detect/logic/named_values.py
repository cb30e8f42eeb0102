"""One property in two forms: a ring that weighs four grams, and further on "a weight of nine grams"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from groundwire.detect.amounts.counts import read_number
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.logic.scopes import ASIDE, is_another_case, is_newly_marked, is_of_somebody_else
from groundwire.detect.sightings import Sighting, read_words
from groundwire.text.lexicon import noun_lemma
from groundwire.text.tables import read_table
from groundwire.types import ContradictionType, Span

VALUES = 0.82
_REACH = 3
_LONGEST = 260
_COUNT = (
    r"(?:[$€£]\s?)?(?P<count>\d(?:[\d,]*\d)?(?:\.\d+)?|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve|twenty|thirty|forty|fifty|hundred)"
)
_UNIT = r"(?:[\s-]?(?P<unit>%|[$€£]|[a-z]+))?"
_ELSE = re.compile(
    r"\b(?:about|around|roughly|approximately|nearly|almost|over|more|less|fewer|under|up\s+to|at\s+least|at\s+most|or|if|unless|another|others?|both|each|every|per|average|previous|old|new|original(?:ly)?|former(?:ly)?|sequel|instead|than"
    r"|extra|additional|may|might|could|would|rises?|rose|fell|falls|grew|increased?|decreased?|reduced|upgraded?|extended|expanded|later|then|until|since|used\s+to|now|today|second|third|first|version|edition|model|adults?|children|late|early"
    r"|some|between|only\s+if|except|discount|plus|tax|without|with(?=\s+(?:tax|vat|luggage|extras))|change|changed|moved|from\s+\w+\s+to|compared|deputy|vice|next|ex|predecessor|successor|acting|interim|co|joint|twin|sister|brother)\b|n't\b|\bnot\b|\bno\b"
)
_LINKS = frozenset(
    {
        "it",
        "its",
        "he",
        "his",
        "she",
        "her",
        "they",
        "their",
        "him",
        "this",
        "that",
        "these",
        "those",
        "you",
        "your",
        "there",
        "i",
        "my",
        "we",
        "our",
    }
)


_GONE = re.compile(r"\b(?:was|were|had|used\s+to)\b[^.;,]{0,30}$")


class _Value(NamedTuple):
    key: str
    shown: str
    amount: str
    unit: str
    start: int
    end: int
    owner: str
    """The noun that the property is said of; empty where a pronoun, or nothing, names it."""
    subject: str
    """That noun with the words that tell which one it is."""
    is_name: bool = False


@cache
def _figures() -> tuple[tuple[str, frozenset[str], re.Pattern[str]], ...]:
    """Each property with the words of which one must be there, and its forms."""
    found: list[tuple[str, frozenset[str], re.Pattern[str]]] = []
    for row in read_table("named_values", "detect")["properties"]:
        forms: list[str] = []
        front = [*(rf"{re.escape(v)}" for v in row.get("verbs", ()))]
        for noun in row.get("nouns", ()):
            front += [rf"{re.escape(noun)}\s+(?:is|was|of|comes\s+to)"]
        if row.get("joined"):
            things = "|".join(re.escape(word) for word in row["joined"])
            forms.append(rf"\b{_COUNT.replace('<count>', '<count3>')}-(?P<unit3>[a-z]+)\s+(?:{things})\b")
        if front:
            forms.append(rf"\b(?:{'|'.join(front)})\s+(?:exactly\s+|just\s+|only\s+)?{_COUNT}{_UNIT}")
        if row.get("behind"):
            behind = "|".join(re.escape(word) for word in row["behind"])
            forms.append(rf"\b{_COUNT.replace('<count>', '<count2>')}(?:[\s-](?P<unit2>[a-z]+))?[\s-](?:{behind})\b")
        found.append((row["name"], _first_words(row), re.compile("|".join(forms))))
    return tuple(found)


def _first_words(row: Mapping[str, Sequence[str]]) -> frozenset[str]:
    return frozenset(w.split()[0] for kind in ("verbs", "nouns", "behind", "joined") for w in row.get(kind, ()))


@cache
def _hint() -> re.Pattern[str]:
    table = read_table("named_values", "detect")
    words = {word for row in table["properties"] for word in _first_words(row)}
    words |= {word.split()[0] for word in (*table["offices"]["titles"], *table["labels"]["names"])}
    return re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, words)))}|born|final\s+score|\d{{1,2}}[-–]\d{{1,2}})\b")


def _either(words: Sequence[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


@cache
def _names() -> tuple[re.Pattern[str], re.Pattern[str]]:
    table = read_table("named_values", "detect")
    titles, labels = _either(table["offices"]["titles"]), _either(table["labels"]["names"])
    name = r"(?P<name>[A-Z][\w'é-]+(?:\s+(?:de|von|van|der|of)?\s?[A-Z][\w'é-]+){0,2})"
    offices = re.compile(
        rf"\b(?i:(?P<title>{titles}))(?:\s+(?:is|was|of\s+(?:the\s+)?[\w ]{{2,24}}?\s+is)\s+(?:called\s+"
        rf"|named\s+)?|,?\s+(?=[A-Z]))(?!(?:The|In|It|He|She|A|An|Its|Mr|Ms|Mrs|Dr)\b){name}"
        rf"|{name.replace('<name>', '<name2>')},\s+(?:the|its|their|our|his|her)\s+(?i:(?P<title2>{titles}))\b"
    )
    return offices, re.compile(
        rf"\b(?P<label>{labels})\s+(?:is\s+)?(?P<value>\d{{1,4}}[a-z]?|(?-i:[A-Z]\d{{0,2}}|AB|O))\b", re.IGNORECASE
    )


def find_other_named_values(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    known: list[tuple[int, Sighting, list[_Value]]] = []
    for place, seen in enumerate(sightings):
        if seen.is_question or len(seen.low) > _LONGEST or not _hint().search(seen.low):
            continue
        aside = ASIDE.match(seen.low)
        values = [v for v in _read_values(seen) if aside is None or v.is_name or v.start < aside.end()]
        values = [value for value in values if not _ELSE.search(seen.low, max(0, value.start - 25), value.end + 15)]
        for earlier, other, theirs in known[-_REACH:]:
            if place - earlier > _REACH or not _speaks_of_same(other, seen) or is_another_case(other, seen):
                continue
            if is_of_somebody_else(other, seen):
                continue
            clash = next(
                (c for one in theirs for two in values if (c := _compare(other, one, seen, two)) is not None), None
            )
            if clash is not None:
                yield clash
                break
        if values:
            known.append((place, seen, values))


def _compare(before: Sighting, one: _Value, seen: Sighting, two: _Value) -> Clash | None:
    if one.key != two.key or one.unit != two.unit or one.amount == two.amount:
        return None
    if one.owner and two.owner and (one.owner != two.owner or is_newly_marked(before.low, one.subject, two.subject)):
        return None
    first, last = read_number(one.amount), read_number(two.amount)
    if first is not None and first == last:
        return None
    gone = [_GONE.search(side.low, 0, value.start + 6) is not None for side, value in ((before, one), (seen, two))]
    if gone[0] is not gone[1] and not one.is_name:
        return None  # it has 900 inhabitants, it had 2,400
    span = Span(seen.start + two.start, seen.start + two.end)
    if seen.is_quoted(span):
        return None
    kind, evidence = ContradictionType.INCOMPATIBLE_VALUES, f"{one.key}: {one.shown} and {two.shown}"
    return Clash(span, before.segment.span, VALUES, kind, evidence)


def _speaks_of_same(one: Sighting, other: Sighting) -> bool:
    """By a pronoun, or by a noun of the first sentence; at one time."""
    if [t for t in other.times if t not in one.times and re.search(r"\d{4}|last|ago|day|week", t.surface)]:
        return False
    if (names := _proper(one)) and (others := _proper(other)) and not names & others and one.times != other.times:
        return False
    return not _LINKS.isdisjoint(other.words) or bool(_nouns(one) & _nouns(other))


def _proper(seen: Sighting) -> set[str]:
    return {t.low for t, letter in zip(seen.tokens[1:], seen.letters[1:], strict=True) if letter == "P"}


def _nouns(seen: Sighting) -> set[str]:
    return {noun_lemma(t.low) for t, letter in zip(seen.tokens, seen.letters, strict=True) if letter in "NP"}


def _read_values(seen: Sighting) -> Iterator[_Value]:
    for name, hints, pattern in _figures():
        if hints.isdisjoint(seen.runs):
            continue
        for match in pattern.finditer(seen.low):
            groups = match.groupdict()
            count = groups.get("count") or groups.get("count2") or groups.get("count3")
            unit = groups.get("unit") or groups.get("unit2") or groups.get("unit3") or ""
            if count is None or unit in ("of", "times"):
                continue
            money = re.search(r"[$€£]", match.group())
            unit = money.group() if money else noun_lemma(unit) if unit.isalpha() else unit
            unit = unit if not unit.isalpha() or unit in read_words("units", "sums") else ""
            subject = _subject(seen, match.start())
            yield _Value(name, match.group(), count, unit, match.start(), match.end(), _owner(subject), subject)
    if not _name_hints().isdisjoint(seen.runs) and any(map(str.isupper, seen.text)):
        yield from _read_names(seen)


@cache
def _name_hints() -> frozenset[str]:
    """The first words of titles and labels, and those of a birthplace: without one, no name is read."""
    table = read_table("named_values", "detect")
    phrases = (*table["offices"]["titles"], *table["labels"]["names"], "birthplace", "home town", "born")
    return frozenset(run for phrase in phrases for run in re.findall("[a-z]+", phrase.casefold())[:1])


def _read_names(seen: Sighting) -> Iterator[_Value]:
    offices, labels = _names()
    for match in offices.finditer(seen.text):
        title, name = (match["title"] or match["title2"]).lower(), match["name"] or match["name2"]
        yield _Value(title, name, name.split()[-1], "", match.start(), match.end(), "", "", is_name=True)
    for match in labels.finditer(seen.text):
        yield _Value(
            match["label"].lower().removeprefix("blood "),
            match.group(),
            match["value"],
            "",
            match.start(),
            match.end(),
            "",
            "",
        )
    if (place := re.search(r"\b(?:birthplace|home\s+town),?\s+(?P<place>[A-Z][a-zé]+)", seen.text)) is not None:
        yield _Value("birthplace", place["place"], place["place"], "", place.start(), place.end(), "", "", is_name=True)
    if (born := re.search(r"\bborn\s+in\s+(?P<place>[A-Z][a-zé]+)", seen.text)) is not None:
        yield _Value("birthplace", born["place"], born["place"], "", born.start(), born.end(), "", "", is_name=True)


@cache
def _property_words() -> frozenset[str]:
    return frozenset(
        word
        for row in read_table("named_values", "detect")["properties"]
        for noun in row.get("nouns", ())
        for word in noun.split()
    )


_BARE = re.compile(r"(?:the|this|that|our|your|my) [a-z-]+(?: [a-z-]+){0,2}")


def _subject(seen: Sighting, at: int) -> str:
    """The subject of the claim that the figure stands in; where none was read, what stands in front of the figure."""
    around = [c for c in seen.segment.claims if c.span.start - seen.start <= at < c.span.end - seen.start]
    read = min(around, key=lambda c: c.span.end - c.span.start).subject.lower() if around else ""
    front = seen.low[:at].strip()
    return read or (front if _BARE.fullmatch(front) else "")


def _owner(subject: str) -> str:
    """What the subject is about, without the property itself."""
    nouns = _property_words()
    words = [
        w
        for w in re.findall(
            r"[a-z]+",
            re.split(
                r"\s(?:of|in|at|for|on|below|above|near|behind|beside|under|next|with|from)\s",
                subject.replace("'s", ""),
            )[0],
        )
        if w not in nouns
    ]
    head = words[-1] if words else ""
    if head in _LINKS or head in ("user", "i", "you", "the") or any(w in ("its", "his", "her", "their") for w in words):
        return ""
    return noun_lemma(head)
