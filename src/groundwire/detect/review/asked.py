"""What the user asked to be worked out: a figure that follows from those of the question contradicts none of them.

"Plan A: 30 euros, 20 GB. Compare." is answered by 1.50 euros a gigabyte. Nobody said that, and nobody said otherwise.
A figure that follows from no two of those that were given is looked at as before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundwire.detect.amounts.figures import read_figures
from groundwire.detect.examination import Examination
from groundwire.detect.review.on_record import content_of
from groundwire.detect.review.places import sentence_at, turn_against
from groundwire.text.numerals import numerals
from groundwire.types.detection import HallucinationFlag

_ASKS = re.compile(
    r"\?|\b(?:compare|calculate|work out|figure out|add up|convert|split|tell me|how (?:much|many|long|old|far))\b",
    re.IGNORECASE,
)
_FEWEST_GIVEN, _MOST_GIVEN = 2, 10
_LARGE = 100
"""From here on, and for figures with a fraction, what two steps give is no chance."""
_TIMES = {"half": 0.5, "twice": 2.0, "double": 2.0, "thrice": 3.0, "triple": 3.0, "quarter": 0.25, "dozen": 12.0}
_DENIES = re.compile(r"\b(?:not|no|never|nobody|nothing|neither|nor|without|cannot)\b|n['’]t\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[.;:!?]\s|,\s|\bthen\b")
_FEWEST_WORDS = 2


def is_worked_out(flag: HallucinationFlag, examined: Examination) -> bool:
    """Whether the user asked with figures, and every figure of the flag is one of them or follows from them."""
    question = _last_question(examined)
    given = read_figures(question)
    own = read_figures(flag.content)
    if not own or not question or not _FEWEST_GIVEN <= len(given) <= _MOST_GIVEN or own <= given:
        return False
    sentence = sentence_at(examined, flag.span)
    beside = read_figures(examined.text) | _find_factors(f"{question} {sentence}")
    return all(figure in given or follows(figure, given, beside - {figure}) for figure in own)


def follows(figure: float, given: frozenset[float], beside: frozenset[float]) -> bool:
    """Whether a figure is worked out of two; a large one, or one with a fraction, also of three that were given."""
    pool = sorted(given | beside)[: 2 * _MOST_GIVEN]
    parts = set(_multiply(pool, pool))
    if any(_is_near(figure, one) for one in (*_add(pool, pool), *parts)):
        return True
    if figure < _LARGE and figure == int(figure):
        return False
    again = sorted(parts)  # sums of differences give nearly anything
    return any(_is_near(figure, one) for one in (*_multiply(again, pool), *_add(again, pool)))


def _add(left: list[float], right: list[float]) -> Iterator[float]:
    for one in left:
        for other in right:
            yield one + other
            yield abs(one - other)


def _multiply(left: list[float], right: list[float]) -> Iterator[float]:
    for one in left:
        for other in right:
            yield one * other
            yield one * other / 100
            yield one * (100 - other) / 100
            if other:
                yield one / other


def _is_near(figure: float, found: float) -> bool:
    """Equal, or rounded to as many places as the figure is written with."""
    places = 0 if figure == int(figure) else 2
    return abs(figure - found) <= 0.5 * 10**-places * (found != int(found)) + 1e-9


def _find_factors(text: str) -> frozenset[float]:
    """ "Two and a half times the recipe", "each quarter of an hour"."""
    known = numerals()
    found = {factor for word, factor in _TIMES.items() if re.search(rf"\b{word}\b", text.lower())}
    for match in re.finditer(r"\b(\w+) and a half\b", text.lower()):
        whole = known.units.get(match[1], float(match[1]) if match[1].isdigit() else None)
        found |= {float(whole) + 0.5} if whole is not None else set()
    return frozenset(found)


def _last_question(examined: Examination) -> str:
    """What the user said last, where it asks for something."""
    said = [turn.text for turn in examined.dialogue.turns if turn.role.lower() == "user"]
    return said[-1] if said and _ASKS.search(said[-1]) is not None else ""


def stands_in_same_turn(flag: HallucinationFlag, examined: Examination) -> bool:
    """Whether another clause of the turn that is held against the answer has all words of what is flagged."""
    turn = turn_against(flag, examined)
    wanted = set(content_of(flag.content))
    quote = flag.history.quote if flag.history is not None else ""
    figures = {word for word in wanted if word[0].isdigit()}
    if not turn or not figures or (len(wanted) < _FEWEST_WORDS and wanted != figures):
        return False
    clauses = [clause for clause in _CLAUSE.split(turn) if clause.strip() and clause.strip() not in quote]
    return any(
        wanted <= set(content_of(clause))
        and (_DENIES.search(clause) is None) == (_DENIES.search(flag.content) is None)
        for clause in clauses
    )  # fmt: skip
