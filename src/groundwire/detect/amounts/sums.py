"""Parts and wholes: totals that their parts do not make, and lists that have more members than they say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from groundwire.detect.amounts.amount_changes import (
    check_before_and_now,
    check_change,
    check_equation,
    check_said_sum,
    find_wrong_rests,
)
from groundwire.detect.amounts.balance_sheets import check_of_them, check_portions, check_record, check_two_ways
from groundwire.detect.amounts.counts import (
    Amount,
    add_up,
    may_count,
    read_amounts,
    read_number,
    show,
    show_sum,
    tell_clash,
)
from groundwire.detect.amounts.members import find_miscounted
from groundwire.detect.amounts.outcomes import find_wrong_outcomes
from groundwire.detect.amounts.pools import check_others, check_shares_of_before, is_rated
from groundwire.detect.amounts.portions import COUNTED_TWICE, JOINS, check_part_of_before, check_portion
from groundwire.detect.amounts.products import find_wrong_bills, find_wrong_products
from groundwire.detect.amounts.proportions import find_wrong_proportions
from groundwire.detect.amounts.shares import (
    check_counted_part,
    check_fractions,
    check_more_than_all,
    check_part_of,
    check_shares,
    check_split,
)
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting, read_words
from groundwire.text.lexicon import noun_lemma, readings
from groundwire.text.numerals import numerals, parse_digits
from groundwire.text.thesaurus import is_kind_of

_LONGEST = 1_200
_EXHAUSTIVE = re.compile(
    r":\s*$|\(\s*$|\b(?:consist(?:s|ed|ing)?\s+of|made\s+up\s+of|comprising|composed\s+of|divided\s+into|split\s+into|namely"
    r"|broken\s+down\s+into)\s*$"
)
_INCLUDING = re.compile(r"\b(?:including|of\s+(?:which|whom|them|these)|among\s+them)\s*,?\s*$")
_BEHIND_TOTAL = re.compile(
    r"(?:\s+[a-z]+){0,3}?\s*,?\s*\b(?:in\s+(?:all|total|sum)|altogether|overall|combined)\b|(?:\s+[a-z]+){1,3}?\s+total\b"
)
_BEFORE_TOTAL = re.compile(
    r"\b(?:(?:for\s+|making\s+|giving\s+|gives\s+|makes\s+)?(?:a\s+|the\s+)?(?:grand\s+)?total\s+(?:of|is|was|comes\s+to)"
    r"|totall?ing|(?:adding|adds?|summing|sums?)\s+(?:up\s+)?to|(?:which|that)\s+makes"
    r"|(?:altogether|in\s+total|in\s+all|combined)\s*,?\s+(?:that\s+(?:is|was|makes)|this\s+(?:is|makes)|it\s+(?:is|was)"
    r"|they\s+(?:are|have|cost|total)|there\s+(?:are|were)|we\s+have|you\s+have))\s+(?:about\s+|around\s+|roughly\s+|exactly\s+)?$"
)
_LISTS = re.compile(r"(?::|\bof)\s*$")
_PARTS_END = re.compile(r"[.:;?!()=/\[\]{}<>_`]|\b(?:or|but|of which|whom|while|who|are|is|were|was)\b")
_LIST = re.compile(
    r"\b(?P<count>two|three|four|five|six|seven|eight|nine|ten|[2-9]|1[0-2])\s+(?:[a-z-]+\s+){0,2}?"
    r"(?P<noun>[a-z]+s|people|children|men|women|criteria)(?:\s+(?:in|of|on|at|to|for|from|with)\s+(?:[a-z]+\s?){1,4}?)?\s*(?::|–|—)\s*(?P<items>[^.:;()]{5,300})[.;]?\s*$"
)
_NO_LIST = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|such as|including|e\.g|etc|or|among|like|but|which|that"
    r"|is|are)\b"
)
_AND = re.compile(r"(?:^|\s)(?:and|&)\s")
_ITEM = re.compile(
    r"^[ \t]*(?:[-*•|]|\d{1,2}[.)])?[ \t]*\**(?P<label>[A-Za-z][\w /&()'-]{0,40}?)\**[ \t]*[:|–-][ \t]*\**"
    r"(?P<value>[$€£]?\s?\d[\d,]*(?:\.\d+)?)[ \t]*(?P<unit>[%\w$€£]*)\**[ \t]*\|?[ \t]*\.?$"
)
_TOTAL_LABEL = re.compile(r"(?:grand\s+)?total|sum|altogether|in\s+total|total\s+\w+")
_ODD_LABEL = re.compile(r"sub-?total|discount|tax|vat|average|mean|balance|rebate|refund|minus|less")


def find_wrong_sums(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    previous: Sighting | None = None
    for place, seen in enumerate(sightings):
        earlier = sightings[max(0, place - 2) : place]
        if not seen.is_question and len(seen.text) <= _LONGEST and may_count(seen.low):
            amounts = read_amounts(seen.low)
            found = (
                _check_parts(seen, amounts)
                or (None if is_rated(seen, earlier) else _check_total(seen, amounts, previous))
                or check_portion(seen, amounts)
                or check_part_of_before(seen, amounts, previous)
                or check_others(seen, amounts, earlier)
                or check_shares_of_before(seen, amounts, previous)
                or _check_members(seen, amounts, earlier)
                or check_shares(seen, amounts)
                or check_more_than_all(seen)
                or check_split(seen)
                or check_fractions(seen)
                or check_part_of(seen)
                or check_counted_part(seen)
                or _check_list(seen)
                or check_record(seen, amounts)
                or check_two_ways(seen)
                or check_of_them(seen, amounts)
                or check_portions(seen)
                or check_equation(seen)
                or check_said_sum(seen)
                or check_before_and_now(seen)
                or _check_bounds(seen)
                or check_change(seen)
            )
            yield from (found,) if found is not None else find_miscounted(seen)
        elif not seen.is_question:
            yield from find_miscounted(seen)
        previous = seen if len(seen.text) <= _LONGEST else None
    yield from find_wrong_rests(sightings)
    yield from find_wrong_outcomes(sightings)
    yield from find_wrong_products(sightings)
    yield from find_wrong_bills(sightings)
    yield from find_wrong_proportions(sightings)
    yield from _check_tables(sightings)
    yield from _check_ordinals(sightings)


def _are_parts(parts: Sequence[Amount], low: str) -> bool:
    """A list in one breath: commas and "and" between the numbers, no other verb."""
    gaps = [low[one.end : other.start] for one, other in pairwise(parts)]
    return all(len(gap) <= 60 and JOINS.search(gap) and not _PARTS_END.search(gap) for gap in gaps)


def _check_parts(seen: Sighting, amounts: Sequence[Amount]) -> Clash | None:
    """ "12 people: 5 women and 8 men"."""
    if "each" in seen.words:
        return None
    for k, total in enumerate(amounts[:-1]):
        parts = amounts[k + 1 :]
        if len(parts) == 1 and not (_OF_WHOM.search(seen.low, total.end, parts[0].start) and not parts[0].has_sign):
            continue
        if len(parts) > 2 and parts[0].value == len(parts) - 1 and ":" in seen.low[parts[0].end : parts[1].start]:
            parts = parts[1:]  # "82 points in three games: 30, 24 and 26"
        is_whole = bool(total.unit) or _CALLED_TOTAL.search(seen.low, 0, total.start) is not None
        if not total.is_exact or not is_whole or not _are_parts(parts, seen.low):
            continue
        gap = seen.low[total.end : parts[0].start]
        exhaustive = _EXHAUSTIVE.search(gap) or _names_all(gap, parts, seen)
        including = _INCLUDING.search(gap) or _places_them(gap, parts, seen)
        if not (exhaustive or including) or not _same_unit(total, parts) or not all(part.is_exact for part in parts):
            continue
        added, single = add_up(parts), len(_SINGLE.findall(seen.low, total.end))
        fitting = (
            {added + single} if single and _ENDS_SINGLE.match(seen.low[parts[-1].end :]) else {added, added + single}
        )
        wrong = total.value not in fitting if exhaustive else added > total.value
        if wrong and total.value != len(parts):
            tail = re.match(r"[^.,;)]*", seen.low[parts[-1].end :])
            end = parts[-1].end + (tail.end() if tail else 0)
            return tell_clash(seen, parts[0].start, end, f"{show_sum(parts)}, not {show(total.value)}")
    return None


_OF_WHOM = re.compile(r"\bof\s+(?:which|whom)\s+$")
""" "Five members, of whom six": a single part is no list, and is more than all only where it is one of them."""
_CALLED_TOTAL = re.compile(r"\b(?:total|sum|bill|budget)\s+(?:is|was|of|comes\s+to|came\s+to)\s+[$€£]?$")
_ENDS_SINGLE = re.compile(r"^[^,.;:]*,?\s+and\s+an?\s+[a-z-]+\s*[.;]?\s*$")
_SINGLE = re.compile(r"(?:,|\band)\s+an?\s+[a-z]")
""" "Four defenders, four midfielders, two strikers and a goalkeeper": one more."""
_APPOSED = re.compile(r"(?:\s+[a-z'-]+){1,6}\s*[,–—]\s*(?:with\s+)?")


def _names_all(gap: str, parts: Sequence[Amount], seen: Sighting) -> bool:
    """ "30 pupils, 18 girls and 14 boys": groups of the whole, by what they are called."""
    if not _APPOSED.fullmatch(gap):
        return False
    named = [re.match(r"\s+([a-z-]+)", seen.low[part.end :]) for part in parts]
    words = [match[1] if match is not None else "" for match in named]
    if len(parts) == 2 and any(set(pair.split()) == set(words) for pair in read_words("rivals", "sums")):
        return True
    whole = noun_lemma(re.sub(r"\W.*", "", gap.strip()))
    return len(set(words)) == len(words) and all(_is_group(word, whole) for word in words)


def _places_them(gap: str, parts: Sequence[Amount], seen: Sighting) -> bool:
    """ "40 concerts last season, 12 at home and 32 on tour": each part is only somewhere, never more than all."""
    if not _APPOSED.fullmatch(gap) or not _WHERE.isdisjoint(gap.replace(",", "").split()):
        return False
    named = [re.match(r"\s+([a-z-]+)", seen.low[part.end :]) for part in parts]
    return all(match is not None and match[1] in _WHERE for match in named)


_WHERE = frozenset(
    {
        "at",
        "in",
        "on",
        "for",
        "from",
        "by",
        "with",
        "under",
        "online",
        "abroad",
        "indoors",
        "outdoors",
        "upstairs",
        "downstairs",
        "inside",
        "outside",
    }
)


def _is_group(word: str, whole: str) -> bool:
    """boys of children; doubles of rooms, which are double rooms."""
    lemma = noun_lemma(word)
    if any(tag == "JJ" for tag, _ in readings(whole)):  # "7 right, 2 wrong and one blank" stand beside each other
        return is_kind_of(lemma, whole)
    return lemma != whole and (is_kind_of(lemma, whole) or any(tag == "JJ" for tag, _ in readings(lemma)))


_BOUNDS = re.compile(
    r"\b(?:at\s+least|a\s+minimum\s+of|no\s+fewer\s+than|no\s+less\s+than)\s+(?P<least>[\d,.]+|[a-z]+)(?:\s+(?P<noun>[a-z]+))?"
    r"[^.;:]{0,40}?\b(?:at\s+most|a\s+maximum\s+of|no\s+more\s+than|not\s+more\s+than)\s+(?P<most>[\d,.]+|[a-z]+)(?:\s+(?P<same>[a-z]+))?"
)


def _check_bounds(seen: Sighting) -> Clash | None:
    """ "at least 8 characters and at most 6 characters"."""
    match = _BOUNDS.search(seen.low)
    if match is None or (match["same"] and match["noun"] and match["same"] not in (match["noun"], "and", "in", "for")):
        return None
    least, most = (read_number(match[name].strip(",.")) for name in ("least", "most"))
    if least is None or most is None or least <= most:
        return None
    return tell_clash(seen, match.start(), match.end("most"), f"at least {show(least)} is more than {show(most)}")


def _same_unit(total: Amount, parts: Sequence[Amount]) -> bool:
    if any(part.unit == "%" for part in parts) and total.unit != "%":
        return False
    if len({a.unit for a in (total, *parts) if a.has_sign}) > 1:
        return False
    measured = {a.noun for a in (total, *parts) if a.noun in read_words("units", "sums")}
    return len(measured) <= 1 and (not measured or total.noun in measured or total.has_sign)


def _check_total(seen: Sighting, amounts: Sequence[Amount], previous: Sighting | None) -> Clash | None:
    """ "30 adult tickets and 20 child tickets, 60 tickets in all"; the parts may stand in the sentence before."""
    for k, total in enumerate(amounts):
        behind = _BEHIND_TOTAL.match(seen.low, total.end)
        front = _BEFORE_TOTAL.search(seen.low[: total.start])
        if not (behind or front) or not total.is_exact:
            continue
        parts, source = list(amounts[:k]), seen
        if not parts and previous is not None:
            parts, source = read_amounts(previous.low), previous
        if len(parts) >= 3 and parts[0].value == len(parts) - 1 and _LISTS.search(source.low, 0, parts[1].start):
            parts = parts[1:]  # "three stages: 40 km, 55 km and 60 km"
        fit = all(part.is_exact and _is_alike(part, total) for part in parts)
        if len(parts) < 2 or not fit or not _are_parts(parts, source.low) or add_up(parts) == total.value:
            continue
        start, end = front.start() if front else total.start, behind.end() if behind else total.end
        earlier = source.segment.span if source is not seen else None
        return tell_clash(seen, start, end, f"{show_sum(parts)}, not {show(total.value)}", earlier)
    return None


def _is_alike(part: Amount, total: Amount) -> bool:
    if not part.unit and not part.noun:
        return True  # "200 euros on Monday and 150 on Tuesday"
    if part.has_sign or total.has_sign:
        return part.unit == total.unit
    units = read_words("units", "sums")
    return part.noun == total.noun if part.noun in units or total.noun in units else True


_OF_THEM = re.compile(r"\s*of\s+(?:the\s+)?$")
_MARKS = re.compile(r"\bright\b.*\bwrong\b|\bcorrect\w*\b.*\b(?:wrong|incorrect\w*)\b")
_DENIES_REST = re.compile(r"\b(?:do|did|does|have|has|had|were|was|are|is|can|could|would|will)(?:n't| not)\b[\s.]*$")
_APART = re.compile(r"\beach\b|\bonly\b|\bthe (?:other|remaining|rest)\b")


def _check_members(seen: Sighting, amounts: Sequence[Amount], earlier: Sequence[Sighting]) -> Clash | None:
    """ "The team has ten people. Four work in Kyiv, three in Lviv and five in Odesa": more than there are."""
    whole = next((a for one, a in pairwise(amounts) if _OF_THEM.fullmatch(seen.low[one.end : a.start])), None)
    is_here = whole is not None
    parts = [a for a in amounts if a is not whole]
    if len(parts) < 2 or any(part.unit == "%" or not part.is_exact for part in parts) or COUNTED_TWICE.search(seen.low):
        return None
    if whole is None:
        counted = [found for s in earlier if len(s.text) <= _LONGEST and len(found := read_amounts(s.low)) == 1]
        whole = counted[-1][0] if counted and seen.low[: parts[0].start].strip() == "" else None
    if whole is None or whole.has_sign or whole.noun in read_words("units", "sums") or add_up(parts) <= whole.value:
        return None
    gaps = [seen.low[one.end : other.start] for one, other in pairwise(parts)]
    places = not is_here and all(re.search(r"\b(?:in|at|from)\b", gap) for gap in gaps)
    words = set(re.findall(r"[a-z]+", seen.low))
    rivals = any(set(pair.split()) <= words for pair in read_words("rivals", "sums"))
    apart = places or rivals or _APART.search(seen.low) or _DENIES_REST.search(seen.low) or _MARKS.search(seen.low)
    if not all(JOINS.search(gap) for gap in gaps) or not apart:
        return None
    return tell_clash(seen, parts[0].start, parts[-1].end, f"{show_sum(parts)} of {show(whole.value)}")


_FIXED = re.compile(
    r"\b(?:exactly|only|just)\s+(?P<count>two|three|four|five|six|seven|eight|nine)\s+(?P<noun>[a-z]+)s\b"
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NTH = re.compile(rf"\b(?:an?|the|another)\s+(?P<nth>{'|'.join(_ORDINALS)})\s+(?P<noun>[a-z]+)\b")


def _check_ordinals(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    """ "There are exactly two ways to pay … A third way is …"."""
    known: dict[str, tuple[int, Sighting]] = {}
    for seen in sightings:
        if seen.is_endless:
            continue
        for match in _NTH.finditer(seen.low):
            count, where = known.get(match["noun"], (99, seen))
            if _ORDINALS.index(match["nth"]) + 1 > count:
                evidence = f"a {match['nth']} {match['noun']} of {count}"
                yield tell_clash(seen, 0, len(seen.text.rstrip(". ")), evidence, where.segment.span)
        for match in _FIXED.finditer(seen.low):
            known[match["noun"]] = (int(numerals().units[match["count"]]), seen)


def _check_list(seen: Sighting) -> Clash | None:
    """ "three parts: an intro, the methods, the results and an outlook"."""
    match = _LIST.search(seen.low)
    if match is None or _NO_LIST.search(match["items"]) or not re.search(r"\band\b|&", match["items"]):
        return None
    count = int(match["count"]) if match["count"].isdigit() else numerals().units.get(match["count"])
    parts = [part.strip() for part in match["items"].split(",") if part.strip()]
    if not parts or count is None or any(len(part.split()) > 7 for part in parts):
        return None
    pieces = [len([piece for piece in _AND.split(part) if piece.strip()]) for part in parts]
    listed = len(parts) if _AND.match(parts[-1]) else len(parts) - 1 + pieces[-1]
    if listed < 2 or count in (listed, sum(pieces)):
        return None
    evidence = f"{match['count']} {match['noun']}, but {listed} are listed"
    return tell_clash(seen, match.start("items"), match.end("items"), evidence)


def _check_tables(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    """Lines "label: amount" that end in a total."""
    rows: list[tuple[Fraction, str]] = []
    is_odd = False
    for seen in sightings:
        match = _ITEM.match(seen.text)
        value = parse_digits(re.sub(r"[$€£\s]", "", match["value"])) if match is not None else None
        if match is None or value is None:
            rows, is_odd = [], False
            continue
        label = match["label"].strip().lower()
        if _TOTAL_LABEL.fullmatch(label):
            added, total = sum((amount for amount, _ in rows), Fraction(0)), Fraction(value)
            alike = len(rows) >= 2 and {unit for _, unit in rows} == {_unit(match)}
            if alike and not is_odd and abs(added - total) > total / 200:
                yield tell_clash(seen, 0, len(seen.text), f"the parts come to {show(added)}, not {match['value']}")
            rows, is_odd = [], False
        else:
            is_odd = is_odd or _ODD_LABEL.search(label) is not None
            rows.append((Fraction(value), _unit(match)))


def _unit(match: re.Match[str]) -> str:
    sign = re.match(r"[$€£]", match["value"])
    return sign.group() if sign else match["unit"].lower()
