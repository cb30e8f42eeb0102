"""How many there are, against those who are named: "both candidates, Ruiz, Tanaka and Holm"; a trio of four."""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundwire.detect.amounts.counts import tell_clash
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting

_SIZES = {
    "both": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "pair": 2, "couple": 2, "duo": 2, "trio": 3, "threesome": 3, "quartet": 4, "foursome": 4, "quintet": 5, "sextet": 6,
    "twins": 2, "triplets": 3, "quadruplets": 4,
}  # fmt: skip
_NAME = r"(?:(?:Mr|Mrs|Ms|Dr|Prof|St)\.?\s+)?[A-Z][\w'-]*(?:\s+(?:de|van|von|da|di|del|al|the)?\s?[A-Z][\w'-]*){0,3}"
_NAMES = rf"{_NAME}(?:,\s+{_NAME}){{0,8}},?\s+(?:and|&)\s+{_NAME}"
_COUNT = r"(?P<count>both|two|three|four|five|six|seven|eight)"
_NAMED = re.compile(
    rf"\b(?i:(?P<of>of\s+)?(?P<which>(?:the|our|my|your|his|her|their|its|all)\s+)?{_COUNT}\s+"
    r"(?P<of_us>of\s+(?:us|them|you)\b[^,.:;]{0,30}|[a-z][a-z -]{1,30}?))"
    rf"(?P<mark>,|:|\s*[–—(])\s*(?P<items>{_NAMES})(?P<end>\s*[.;!)–—]|,|\s*$)"
)
_TWINS = re.compile(
    rf"\b(?i:(?:the|a|her|his|my|our|their)\s+(?P<count>twins|triplets|quadruplets|duo|trio|quartet|quintet|pair))"
    rf"(?:,|:|\s*[–—(]|\s+(?:is|are|were|was)|\s+called|\s+named)\s*(?P<items>{_NAMES})(?P<end>\s*[.;!)–—]|,|\s*$)"
)
_MADE_OF = re.compile(
    r"\b(?P<count>pair|couple|duo|trio|threesome|quartet|foursome|quintet|sextet)\s+(?:consist(?:s|ed|ing)\s+of|(?:is|was)\s+made\s+up\s+of|compris(?:es|ed|ing)|is\s*:|:)\s+"
    r"(?P<items>[^.;:()]{5,200})"
)
_BOTH_DO = re.compile(
    rf"(?:^|[.;:]\s+)(?P<items>{_NAME}(?:,\s+{_NAME})+,?\s+and\s+{_NAME})\s+(?:are\s+|were\s+|have\s+|will\s+)?(?P<count>both)\b"
)
_LOOSE = re.compile(
    r"\b(?:including|among|such as|like|e\.g|for example|first|at least|or|plus|also|another|others|respectively)\b"
)


def find_miscounted(seen: Sighting) -> Iterator[Clash]:
    """A number of people or things and the list of them that follows it, where the list is closed."""
    if seen.is_question or seen.is_endless or _SIZES.keys().isdisjoint(seen.runs):
        return
    for pattern in (_NAMED, _TWINS, _BOTH_DO):
        for match in pattern.finditer(seen.text):
            if pattern is _NAMED and not _is_closed(seen, match):
                continue
            listed = len(re.split(r",\s*(?:and\s+|&\s+)?|\s+(?:and|&)\s+", match["items"]))
            count = _SIZES[match["count"].lower()]
            if listed != count and not _LOOSE.search(match.group().lower()):
                yield tell_clash(seen, match.start(), match.end("items"), f"{count}, but {listed} are named")
                return
    match = _MADE_OF.search(seen.low)
    if (
        match is not None
        and not _LOOSE.search(match["items"])
        and not re.search(r"\d|\b(?:two|three|both|who|which)\b", match["items"])
    ):
        pieces = [piece for piece in re.split(r",\s*(?:and\s+)?|\s+and\s+", match["items"].strip()) if piece]
        count = _SIZES[match["count"]]
        if len(pieces) > count and all(re.match(r"(?:an?|the|my|his|her)\s|[a-z]+$", piece) for piece in pieces):
            yield tell_clash(seen, match.start(), match.end("items"), f"a {match['count']} of {len(pieces)}")


def _is_closed(seen: Sighting, match: re.Match[str]) -> bool:
    """The names are all there are: neither "two of the three" nor a list that goes on behind a comma."""
    if match["of"] is not None and match["of_us"].lower().split()[:1] != ["of"]:
        return False
    if match["end"] == "," and re.match(r"\s*(?:and\s+)?[A-Z]", seen.text[match.end() :]):
        return False
    listed = len(re.split(r",\s*(?:and\s+|&\s+)?|\s+(?:and|&)\s+", match["items"]))
    if listed >= _SIZES[match["count"].lower()]:
        return True
    is_end = match["end"].strip() in (".", "!", "") and not seen.text[match.end() :].strip(' .!"”)')
    return is_end and re.search(r"\bof\s+(?:us|them|you)\b", match["of_us"]) is None
