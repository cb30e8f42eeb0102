"""What follows a verb: objects, prepositional phrases, lists, appositions, and what is set aside."""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass

from groundwire.text.phrases import Phrase, is_time, match_clock, match_hour, match_noun_phrase, time_openers
from groundwire.text.tokens import Token

_LIST_GLUE = re.compile(r",?C[DRn]?(?=[DS#JNPGE@p])|,(?=[DS#JNPGE@p])")


@dataclass(slots=True)
class Modifier:
    """A prepositional phrase, or a bare time adverbial (`preposition` empty)."""

    preposition: str
    phrases: list[Phrase]
    start: int
    end: int


class Complement:
    """What follows a verb group, in order of appearance."""

    __slots__ = (
        "adverbs", "appositions", "aside", "contrast", "end", "gerund", "infinitive", "modifiers", "objects",
        "reduced", "replaced", "second",
    )  # fmt: skip

    def __init__(self, end: int = 0) -> None:
        self.objects: list[Phrase] = []
        self.second: list[Phrase] = []
        self.modifiers: list[Modifier] = []
        self.appositions: list[tuple[Phrase, Phrase]] = []
        self.reduced: list[tuple[Phrase, int, int]] = []
        self.adverbs: list[Token] = []
        self.infinitive: tuple[int, int] | None = None
        self.gerund: tuple[int, int] | None = None
        """A clause without a subject: "after switching from MongoDB"."""
        self.aside: tuple[int, int] | None = None
        """A comment on how the value came about: ", up from 3.0"."""
        self.contrast: tuple[int, int] | None = None
        """What is denied at the end: "in Malmö, not in Lund"."""
        self.replaced: tuple[int, int] | None = None
        """What is denied beside what took its place: "tea instead of coffee"."""
        self.end = end

    def with_second(self, gift: Phrase) -> Complement:
        """The same with one of the things that somebody is given: "gave her a book and a pen" are two gifts."""
        found = copy(self)
        found.second = [gift]
        return found

    def last_phrase(self) -> Phrase | None:
        candidates = [*self.objects, *self.second, *(p for m in self.modifiers for p in m.phrases)]
        return max(candidates, key=lambda p: p.end, default=None)


def read_complement(tokens: list[Token], letters: str, start: int, limit: int) -> Complement:
    """Objects, modifiers and appositions between `start` and `limit`."""
    found = Complement(limit)
    i = start
    while i < limit:
        letter = letters[i]
        excepts = letter == "I" and tokens[i].low == "except"
        excepts = excepts or (letter == "C" and tokens[i].low == "but" and _is_covering(found.objects, i))
        if excepts and (aside := find_replaced(tokens, letters, i, limit)):
            found.replaced = (aside.start, aside.end)
            i = aside.end
        elif letter in "It" and i + 1 < limit:
            i = _read_prepositional(tokens, letters, i, limit, found)
        elif letter in "DS#JNPGEp@":
            i = _read_object(tokens, letters, i, limit, found)
        elif (
            letter == "R" and found.contrast is None and (aside := find_replaced(tokens, letters, i, limit)) is not None
        ):
            found.replaced = (aside.start, aside.end)
            i = aside.end
        elif letter == "," and i + 2 < limit and _tells_change(tokens, letters, i + 1):
            found.aside = (i + 1, limit)
            break
        elif letter in ",:C" and i + 1 < limit:
            i = _read_after_comma(tokens, letters, i, limit, found)
        elif letter == "n" and i > start and letters[i - 1] in ",C" and i + 1 < limit:
            over = tokens[i + 1].low in ("longer", "more") and i + 2 < limit  # "…, no longer Vim"
            found.contrast = (i + 1 + over, limit)
            break
        else:
            if letter == "R" and not (tokens[i].low == "well" and i and tokens[i - 1].low == "as"):
                found.adverbs.append(tokens[i])
            i += 1
    return found


def find_replaced(tokens: list[Token], letters: str, i: int, limit: int) -> Phrase | None:
    """What another took the place of, where "instead of tea", "rather than by bus" begins at `i`."""
    if i + 1 < limit and tokens[i].low in ("except", "but") and tokens[i + 1].low != "for":
        phrase = match_noun_phrase(tokens, letters, i + 1 + (letters[i + 1] in "It"), limit)
        return Phrase(tokens, i + 1, phrase.end) if phrase is not None else None
    if i + 2 >= limit or (tokens[i].low, tokens[i + 1].low) not in _REPLACING:
        return None
    if any(token.low in _NOW for token in tokens[max(0, i - _NEAR) : i]):
        return None  # "it now runs on Linux instead of Windows": that was so before
    start = i + 3 if letters[i + 2] in "It" and i + 3 < limit else i + 2
    phrase = match_noun_phrase(tokens, letters, start, limit) if letters[start] != "G" else None
    return Phrase(tokens, i + 2, phrase.end) if phrase is not None else None


def _is_covering(objects: list[Phrase], i: int) -> bool:
    """ "Everything but fish", "nothing but rice": behind such a word "but" leaves something out."""
    return bool(objects) and objects[-1].end == i and objects[-1].first_token.low in _COVERING


_COVERING = frozenset(
    {"everything", "everyone", "everybody", "all", "every", "any", "anything", "nothing", "nobody", "none", "no"}
)


def find_correction(tokens: list[Token], letters: str, start: int, end: int) -> tuple[int, int] | None:
    """ "Not a doctor, but a nurse": where what holds instead stands, behind a "but" in a clause that denies."""
    for i in range(start + 1, end - 1):
        if tokens[i].low == "but" and letters[i] == "C" and letters[i + 1] in "ItDS#JNPG@":
            return i + 1, end
    return None


_NOW = frozenset({"now", "currently", "nowadays", "presently"})
_NEAR = 12
REPLACED = "instead of"
"""How a phrase is called that another took the place of."""
_REPLACING = frozenset({("instead", "of"), ("rather", "than"), ("except", "for"), ("apart", "from")})


_CHANGE_OPENERS = frozenset({"formerly", "previously", "originally", "initially", "earlier"})
_CHANGE_VERBS = frozenset(
    """
    update change upgrade move switch promote rename raise lower revise correct downgrade replace
    """.split()  # noqa: SIM905
)


def _tells_change(tokens: list[Token], letters: str, i: int) -> bool:
    """ ", updated from …", ", up from …", ", formerly …"."""
    if tokens[i].low in ("up", "down"):
        return tokens[i + 1].low in ("from", "to")  # ", down 3%" is a figure of its own
    if tokens[i].low == "before" and tokens[i + 1].low in ("that", "then"):
        return True
    if tokens[i].low in _CHANGE_OPENERS or tokens[i].low in ("how", "what", "so"):
        return True
    return letters[i] in "EV" and tokens[i].lemma in _CHANGE_VERBS and tokens[i + 1].low in ("from", "to")


def _read_list(tokens: list[Token], letters: str, first: Phrase, limit: int) -> tuple[list[Phrase], int]:
    """The members of a list that begins with `first`: "a tent, a stove and two lamps"."""
    members, end = [first], first.end
    conjoined = "C" in letters[first.end : limit]
    while end < limit:
        glue = _LIST_GLUE.match(letters, end, limit)
        if glue is None or (letters[end] == "," and not conjoined):
            break
        begin = glue.end()
        if begin > end + 1 and letters[begin - 1] in "Dn" and tokens[begin - 1].low not in ("not", "never"):
            begin -= 1
        if letters[end] == "," and "C" not in letters[end:limit]:
            break
        phrase = match_clock(tokens, begin, limit) if first.clock else None
        phrase = phrase or match_noun_phrase(tokens, letters, begin, limit)
        if phrase is None:
            break
        if phrase.letters == "p" and tokens[phrase.start].low in ("i", "he", "she", "we", "they"):
            break
        if tokens[end].low == "but" and _is_covering([first], end):
            break
        if len(phrase.letters) == 1 and _is_share(phrase, tokens) and first.letters[-1] in "NP":
            break  # "two flats, one in Porto and one in Braga"
        if _names_members(first, phrase) or is_time(first) != is_time(phrase) or _is_other_kind(first, phrase):
            break
        if letters[phrase.end : phrase.end + 1] == "W" and letters[end] == "C" and len(members) == 1:
            break
        phrase.negated = "n" in letters[end:begin]
        members.append(phrase)
        end = phrase.end
    return members, end


def _is_other_kind(first: Phrase, other: Phrase) -> bool:
    """ "in Tuscany, two horses": a place and things do not make one list; nor do "a son, 7, and a daughter, 4"."""
    if (other.letters == "#" and first.letters[0] in "DS") or (first.letters == "#" and other.letters[0] == "S"):
        return True
    return first.letters.strip("P") == "" and other.letters[0] in "D#S" and other.head_token.tag == "N"


def _names_members(group: Phrase, member: Phrase) -> bool:
    """ "two children, Anouk and Timo": the names say who the children are."""
    counted = group.letters[0] in "#S" or "#" in group.letters
    return counted and group.letters[-1] == "N" and member.letters.strip("P") == ""


_CLOCK_ROLES = frozenset({"at", "by", "until", "till", "before", "after", "since", "around", "about"})
"""Not "from", which has a "to" of its own: from ten to six."""


def _read_prepositional(tokens: list[Token], letters: str, i: int, limit: int, found: Complement) -> int:
    if letters[i] == "t" and letters[i + 1] in "Bbhd":
        found.infinitive = (i, limit)
        return limit
    if letters[i] == "t" and letters[i + 1] in "Rn" and i + 2 < limit and letters[i + 2] in "Bbhd":
        found.infinitive = (i, limit)
        return limit
    if letters[i + 1] == "G" and tokens[i].low in ("after", "before", "since") and i + 2 < limit:
        found.gerund = (i, _boundary(letters, i + 1, limit))
        return found.gerund[1]
    told = letters[i + 1] in "#ND" and tokens[i].low in _CLOCK_ROLES
    phrase = match_clock(tokens, i + 1, limit) if told else None
    phrase = phrase or match_noun_phrase(tokens, letters, i + 1, limit)
    step = i + 1
    while phrase is None and step < limit - 1 and letters[step] in "IR" and step - i < 3:
        step += 1
        phrase = match_noun_phrase(tokens, letters, step, limit)
    if phrase is None:
        return i + 1
    members, end = _read_list(tokens, letters, phrase, limit)
    if len(members) > 1 and (start := _find_bound(tokens, i)) is not None and not found.modifiers:
        found.objects = [Phrase(tokens, start, members[0].end), *members[1:]]
        found.adverbs = [adverb for adverb in found.adverbs if adverb is not tokens[start]]
        return end
    words = " ".join(token.low for token in tokens[i:step] if token.tag != "R") or tokens[i].low
    if step == i + 1:
        words = tokens[i].low
    before = found.modifiers[-1] if found.modifiers else None
    if before is not None and before.preposition == words and _goes_on(before, members[0], tokens, letters, i):
        before.phrases, before.end = [*before.phrases, *members], end
        return end
    found.modifiers.append(Modifier(words, members, i, end))
    return end


def _goes_on(before: Modifier, phrase: Phrase, tokens: list[Token], letters: str, i: int) -> bool:
    """ "at Bosch and at Siemens": the preposition is said again, of another member of the same list."""
    joint = letters[before.end : i].lstrip(",")
    return joint == "C" and tokens[i - 1].low == "and" and is_time(before.phrases[0]) == is_time(phrase)


def _find_bound(tokens: list[Token], i: int) -> int | None:
    """Where "at least 8", "more than 8", "up to 8" begins whose preposition is at `i`: it bounds one number alone."""
    if i + 2 < len(tokens) and tokens[i].low == "at" and tokens[i + 1].low in ("least", "most"):
        return i if tokens[i + 2].tag == "#" else None
    if i and i + 1 < len(tokens) and tokens[i + 1].tag == "#" and (tokens[i - 1].low, tokens[i].low) in _BOUNDS:
        return i - 1
    return None


_BOUNDS = frozenset({("more", "than"), ("less", "than"), ("fewer", "than"), ("up", "to")})


def _read_object(tokens: list[Token], letters: str, i: int, limit: int, found: Complement) -> int:
    if letters[i] == "E" or (letters[i] == "G" and i and letters[i - 1] in "NP"):
        previous = found.last_phrase()
        phrase = match_noun_phrase(tokens, letters, i, limit)
        if phrase is None and previous is not None and previous.end >= i - 1:
            if found.modifiers and found.objects and not previous.letters.strip("P") and letters[i - 1] == "P":
                previous = found.objects[-1]  # "a trip to Japan booked for April": names are seldom described so
            end = _boundary(letters, i + 1, limit)
            if tokens[i].lemma in ("call", "name"):
                name = match_noun_phrase(tokens, letters, i + 1, limit)
                end = name.end if name is not None else end
            found.reduced.append((previous, i, end))
            return end
        if phrase is None:
            return i + 1
    phrase = match_hour(tokens, i, limit) if i and letters[i - 1] == "b" and letters[i] in "#ND" else None
    phrase = phrase or match_noun_phrase(tokens, letters, i, limit)
    if phrase is None:
        return i + 1
    if phrase.letters[-1] == "J" and _ends_compared(tokens, phrase, limit):
        phrase = Phrase(tokens, phrase.start, phrase.end - 1)
        found.adverbs.append(tokens[phrase.end])
        found.objects = found.objects or [phrase]
        return phrase.end + 1
    members, end = _read_list(tokens, letters, phrase, limit)
    if is_time(phrase) and (
        found.objects or found.modifiers or tokens[phrase.start].low in time_openers() - {"the", "a", "an"}
    ):
        found.modifiers.append(Modifier("", members, i, end))
    elif not found.objects:
        found.objects = members
    elif found.reduced and letters[i - 1] in "C," and not found.modifiers:
        found.objects = [*found.objects, *members]
    elif not found.second and not found.modifiers:
        found.second = members
    else:
        found.modifiers.append(Modifier("", members, i, end))
    return end


def _ends_compared(tokens: list[Token], phrase: Phrase, limit: int) -> bool:
    """ "I like tea better than coffee": the comparative behind the noun is not a part of it."""
    end = phrase.end
    return (
        end < limit
        and tokens[end].low == "than"
        and len(phrase.letters) > 1
        and phrase.letters[-1] == "J"
        and phrase.letters[-2] in "NPp"
    )


def _boundary(letters: str, start: int, limit: int) -> int:
    for i in range(start, limit):
        if letters[i] in ",;.:-":
            return i
    return limit


def _continues_list(letters: str, phrase: Phrase, i: int, limit: int) -> bool:
    """ "a vineyard in Tuscany, two horses and a tractor" has three objects."""
    listed = letters[i] == "C" or "C" in letters[phrase.end : limit]
    return listed and phrase.letters[0] in "D#" and phrase.head_token.tag == "N" and not is_time(phrase)


def _may_describe(previous: Phrase, phrase: Phrase, tokens: list[Token]) -> bool:
    """Not "at 3, another at 5", "two pills, one at night", "tea, evenings wine", "a Chemex, 18 grams of coffee"."""
    if previous.clock or not previous.letters.strip("#") or (is_time(previous) and phrase.letters[0] in "#D"):
        return False
    if phrase.end < len(tokens) and tokens[phrase.end].tag == "G" and phrase.letters[0] in "SD":
        return False
    if not phrase.letters.strip("JRE") or (phrase.letters[-1] == "G" and phrase.letters[0] in "SD"):
        return False  # "from Rome, happy", "home, your hands shaking"
    return not _is_share(phrase, tokens) and not _is_measure_of(previous, phrase)


def _is_share(phrase: Phrase, tokens: list[Token]) -> bool:
    """ "one in Porto", "another", "evenings wine": one of several, or another time; not "one of your friends"."""
    first = phrase.first_token.low
    after = tokens[phrase.start + 1].low if phrase.start + 1 < len(tokens) else ""
    if first in _SHARES:
        return after not in ("of", "who", "which", "that") and len(phrase.letters) == 1
    return len(phrase.letters) > 1 and phrase.letters[0] == "N" and first.endswith("s") and first in _TURNS


_SHARES = frozenset({"one", "another", "some", "others", "each", "both", "none", "most", "two", "three"})
_TURNS = frozenset({"mornings", "afternoons", "evenings", "nights", "weekends", "weekdays", "mondays", "sundays"})


def _is_measure_of(previous: Phrase, phrase: Phrase) -> bool:
    """Several of something are no description of a single thing."""
    head, thing = phrase.head_token, previous.head_token
    if phrase.letters[0] == "#" and any(token.low in ("more", "less", "fewer") for token in phrase.words()):
        return True
    several = (
        phrase.letters[0] == "#" and head.tag == "N" and head.low != head.lemma and phrase.first_token.low != "one"
    )
    single = thing.low == thing.lemma or thing.tag == "P"
    return several and single and previous.letters[0] in "DSN"


def _read_after_comma(tokens: list[Token], letters: str, i: int, limit: int, found: Complement) -> int:
    """ ", a designer from Oslo" describes the name before it; anything else after a comma is read on."""
    previous = found.last_phrase()
    running = letters[i : i + 2] == ",G" and i + 2 < limit and letters[i + 2] in "ItDSpNP#"
    if running and previous is not None and previous.letters[-1] != "G" and found.gerund is None:
        found.gerund = (i, _boundary(letters, i + 1, limit))
        return found.gerund[1]
    phrase = match_noun_phrase(tokens, letters, i + 1, limit)
    if phrase is not None and found.objects and found.modifiers and _continues_list(letters, phrase, i, limit):
        members, end = _read_list(tokens, letters, phrase, limit)
        found.objects = [*found.objects, *members]
        return end
    if phrase is not None and previous is not None and previous.end == i and _names_members(previous, phrase):
        members, end = _read_list(tokens, letters, phrase, limit)
        found.appositions.extend((previous, member) for member in members)
        return end
    if phrase is not None and previous is not None and previous.end == i and "C" not in letters[i:limit]:
        place = letters[i + 1] == "P" and previous.head_token.tag == "P" and phrase.letters.strip("P") == ""
        if place:
            previous.extend(phrase.end)
            return phrase.end
        if not is_time(phrase) and phrase.letters != "p" and _may_describe(previous, phrase, tokens):
            end = phrase.end
            while end < limit and letters[end] in "It":
                inner = match_noun_phrase(tokens, letters, end + 1, limit)
                if inner is None:
                    break
                end = inner.end
            found.appositions.append((previous, Phrase(tokens, phrase.start, end)))
            return end
    return i + 1
