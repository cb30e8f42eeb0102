"""Whether a sentence excludes one that was said or is known, by the rules for one text: a second opinion on a pair.

Only rules that need no figures: two figures may be of two things, but whoever is single has no husband.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache

from groundwire.detect.logic.assertions import read_assertions
from groundwire.detect.logic.clashes import Clash, find_negations
from groundwire.detect.logic.coverage import covers_all_times, find_uncovered
from groundwire.detect.logic.exclusions import find_excluded, names_state
from groundwire.detect.logic.kinds_apart import find_other_kinds
from groundwire.detect.logic.quantifiers import find_exceptions
from groundwire.detect.sightings import look_at
from groundwire.text.segments import segment_response

_LONGEST = 300
_ABSOLUTE = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|all|every|everyone|everybody|always|only)\b|n['’]t\b", re.I
)


_SINGLE = re.compile(r"\b(?:single|alone|unmarried|divorced|widowed|retired|vegan|vegetarian|teetotal)\b", re.I)


def may_be_contrary(earlier: str, later: str) -> bool:
    """Whether it is worth while to read the two together."""
    if len(earlier) + len(later) > _LONGEST or later.rstrip().endswith("?") or earlier.rstrip().endswith("?"):
        return False
    if _ABSOLUTE.search(earlier) or _ABSOLUTE.search(later) or _SINGLE.search(earlier):
        return True
    return names_state(earlier.lower()) or covers_all_times(earlier.lower())


@lru_cache(maxsize=2048)
def are_contrary(earlier: str, later: str, now: datetime) -> bool:
    """Both as statements in one voice; the later one is under examination."""
    if not may_be_contrary(earlier, later):
        return False
    first, second = _close(earlier), _close(later)
    text, at = f"{first} {second}", len(first)
    sightings = look_at(segment_response(text, now))
    assertions = read_assertions(text)
    found = [*find_negations(assertions), *find_exceptions(assertions), *find_other_kinds(assertions)]
    found += [*find_excluded(sightings), *find_uncovered(sightings)]
    return any(_is_across(clash, at) for clash in found)


def _is_across(clash: Clash, at: int) -> bool:
    return clash.earlier is not None and clash.earlier.start < at <= clash.later.start


def _close(text: str) -> str:
    plain = text.strip()
    return f"{plain[:1].upper()}{plain[1:]}{'' if plain.endswith(('.', '!')) else '.'}"
