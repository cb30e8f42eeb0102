"""Gaps: "Ada joined in 2020, Karin in 2022" says the verb once and means it twice."""

from __future__ import annotations

import re

from groundwire.text.phrases import Phrase, is_time, match_noun_phrase
from groundwire.text.places import is_place
from groundwire.text.statements import be_for, make_word
from groundwire.text.tokens import Token
from groundwire.text.verbs import is_past

_FIRST = re.compile(
    r"(?:^|[,;C])(?P<who>[DS]?#?[JN]*[NP]+)(?:[It][DS]?[JN]*[NP]+)?(?P<verb>bJ(?=I)|[bhV]E?)(?P<link>[It]?)(?P<what>[DS]?[#JNP]*[#NP]|DJ)(?=,|C|$)"
)
_NEXT = re.compile(
    r"(?:,C?|C)(?P<who>P+|[DS][JN]*N(?P<part>I[DS]?[JN]*[NP]+(?=I))?|D[#J](?=I))"
    r"(?P<link>[It]?)(?P<what>[DS]?[#JNP]*[#NP]|DJ)(?=[,;.C]|$)"
)
_THING = "[DS]?[#JNP]*[#NP]"
_PAIRED = re.compile(
    rf"(?P<verb>V)(?P<one>{_THING}|R|I{_THING})(?P<link>[It]){_THING}C(?P<other>{_THING}|R|I{_THING})(?P<again>[It]){_THING}"
    r"(?=[,;.]|$)"
)

_COUNTED = re.compile(
    r"(?P<verb>[Vbh]E?)#(?P<noun>N+)(?P<when>I[#NP]+|[JD]N|R)C(?P<again>#)(?P<then>I[#NP]+|[JD]N|R)(?=[,;.]|$)"
)


def fill_gaps(tokens: list[Token], letters: str) -> str:
    """Puts the verb in again where a name is followed by just what stood behind the verb; returns the new letters."""
    if "," in letters:
        letters = _join_predicates(tokens, letters)
    letters = _fill_sequence(tokens, letters)
    return _fill_names(tokens, _fill_pairs(tokens, _fill_counts(tokens, _fill_owned(tokens, letters))))


_BEING = "R?(?:#|[JE]|D?J?N)"
_PREDICATES = re.compile(rf"b(?P<items>{_BEING}(?:,{_BEING})+)(?P<last>,?C)R?[Vbh]")


def _join_predicates(tokens: list[Token], letters: str) -> str:
    """ "Is 46, left-handed and wears glasses": what somebody is ends before the verb, and its commas mean "and"."""
    found = _PREDICATES.search(letters)
    if found is None:
        return letters
    for place in range(*found.span("items")):
        if letters[place] == ",":
            joint = Token(" and", tokens[place].start, tokens[place].end)
            joint.tag, joint.low = "C", "and"
            tokens[place] = joint
    return letters[: found.start("items")] + found["items"].replace(",", "C") + letters[found.end("items") :]


_THEN = re.compile(
    rf"(?<=[pNP#])(?P<verb>[hb]?[VE])(?P<first>[It]?){_THING}(?:,?C|,)(?P<then>R|ID|#(?=[It]))(?P<again>[It]?){_THING}(?=[,;.]|$)"
)
_AFTERWARDS = frozenset(
    {"then", "later", "afterwards", "afterward", "subsequently", "finally", "previously", "earlier"}
)


def _fill_sequence(tokens: list[Token], letters: str) -> str:
    """ "You worked at Bosch, and after that at Siemens": the verb is said once, of both."""
    found = _THEN.search(letters)
    if found is None or bool(found["first"]) != bool(found["again"]):
        return letters
    first, last = found.span("then")
    words = tokens[first:last]
    dated = words[0].low in ("after", "before") and words[-1].low in ("that", "this")
    if not dated and words[0].low not in _AFTERWARDS:
        return letters
    told = tokens[last : found.end()]
    verb = [_copy(token, tokens[first - 1].end) for token in tokens[slice(*found.span("verb"))]]
    tokens[first : found.end()] = [*verb, *told, *words]
    return "".join(token.tag for token in tokens)


_OWNED = re.compile(r"(?:^|[,;C])(?:[DS]?[JN]*[NP]+'|S)J*(?P<noun>N+)[bhVM].*?[,;C](?P<own>p)[bhVM]")
_WHOSE = {"yours": "your", "mine": "my", "hers": "her", "theirs": "their", "ours": "our"}


def _fill_owned(tokens: list[Token], letters: str) -> str:
    """ "Ana's son is Mateo, and yours is Leo": your son."""
    found = _OWNED.search(letters)
    if found is None or (whose := _WHOSE.get(tokens[found.start("own")].low)) is None:
        return letters
    place = found.start("own")
    owner = Token(whose, tokens[place].start, tokens[place].end)
    owner.tag = "S"
    nouns = [_copy(token, tokens[place].end) for token in tokens[slice(*found.span("noun"))]]
    tokens[place : place + 1] = [owner, *nouns]
    return f"{letters[:place]}S{found['noun']}{letters[place + 1 :]}"


def _fill_counts(tokens: list[Token], letters: str) -> str:
    """ "23 guests last year and 31 this year": verb and noun are said once, the figure twice."""
    found = _COUNTED.search(letters)
    if found is None or (found["when"][0] != found["then"][0] and "I" in (found["when"][0], found["then"][0])):
        return letters
    if found["when"][0] in "JD" and tokens[found.end("when") - 1].low != tokens[found.end("then") - 1].low:
        return letters
    place = found.start("again")
    if tokens[place].low in ("1", "one"):
        return letters  # the noun would have to be another
    verb = [_copy(token, tokens[place - 1].end) for token in tokens[slice(*found.span("verb"))]]
    noun = [_copy(token, tokens[place].end) for token in tokens[slice(*found.span("noun"))]]
    tokens[place : place + 1] = [*verb, tokens[place], *noun]
    return f"{letters[:place]}{found['verb']}#{found['noun']}{letters[place + 1 :]}"


def _fill_pairs(tokens: list[Token], letters: str) -> str:
    """ "Ran 10 km on Monday and 5 km on Friday": each has its own day."""
    found = _PAIRED.search(letters)
    if found is None or tokens[found.start("link")].low != tokens[found.start("again")].low:
        return letters
    if found["one"][0] in "RI" and found["one"][0] != found["other"][0]:
        return letters
    place = found.start("other")
    tokens.insert(place, _copy(tokens[found.start("verb")], tokens[place - 1].end))
    return letters[:place] + found["verb"] + letters[place:]


def _fill_names(tokens: list[Token], letters: str) -> str:
    first = _FIRST.search(letters)
    while first is not None:
        at = first.end()
        while (found := _NEXT.match(letters, at)) is not None and _matches(tokens, first, found):
            begin, end = first.span("verb")
            begin -= found["who"] in ("D#", "DJ")  # "the second in July" is the second release
            copies = [_copy(tokens[i], tokens[found.end("who") - 1].end) for i in range(begin, end)]
            place = found.end("who")
            tokens[place:place] = copies
            letters = letters[:place] + letters[begin:end] + letters[place:]
            at = found.end() + len(copies)
        first = _FIRST.search(letters, at)
    return letters


def _matches(tokens: list[Token], first: re.Match[str], other: re.Match[str]) -> bool:
    """The same kind of thing behind a preposition that fits; a place behind a place is no one who does anything."""
    if other["part"] and tokens[other.start("part")].low not in ("of", "for", "with"):
        return False
    if _are_times(tokens, first, other):
        return _are_alike(first["who"], other["who"])
    if (
        first["link"] != other["link"]
        or not _are_alike(first["who"], other["who"])
        or _kind(first["what"]) != _kind(other["what"])
    ):
        return False
    if first["link"]:
        mine, theirs = tokens[first.start("link")].low, tokens[other.start("link")].low
        named = tuple(token.low for token in tokens[slice(*other.span("who"))])
        free = _kind(other["what"]) == "N" and "P" in other["who"]  # "in cash, Lena by card"
        return (mine == theirs or free) and not is_place(named)
    measured = _kind(first["what"]) == "#" and len(other["what"]) == 1  # "is 71 and your father 74"
    return measured or (other["what"][0] == "D" and "P" in first["who"])


def _are_times(tokens: list[Token], *found: re.Match[str]) -> bool:
    """ "Is on 21 February, and the resit in April": days, months and hours have a preposition each."""
    return all(
        one["link"]
        and tokens[one.start("link")].low in ("on", "in", "at")
        and is_time(Phrase(tokens, *one.span("what")))
        for one in found
    )


def _are_alike(one: str, other: str) -> bool:
    """Names with names and things with things; "his wife" goes with both."""
    return one[0] == other[0] or "S" in (one[0], other[0])


def _kind(letters: str) -> str:
    return "#" if "#" in letters else letters[-1]


def _copy(token: Token, at: int) -> Token:
    """The verb as it would stand behind the name, which has no room for it in the text."""
    said = Token(f" {token.text}", at, at)
    said.tag, said.lemma, said.low = token.tag, token.lemma, token.low
    return said


_FINITE = re.compile("[VbhdM]")
_NAMING = frozenset({"call", "name"})


def join_absolutes(tokens: list[Token], letters: str) -> tuple[list[Token], str]:
    """ "…, with messages going through Kafka": messages go through Kafka, and nothing else does."""
    at = letters.find(",I")
    while at >= 0:
        if tokens[at + 1].low == "with" and _FINITE.search(letters, 0, at):
            thing = match_noun_phrase(tokens, letters, at + 2, len(letters))
            if thing is not None and _is_participle(tokens, letters, thing.end):
                return _join(tokens, at + 1, thing)
        at = letters.find(",I", at + 1)
    return tokens, letters


def _is_participle(tokens: list[Token], letters: str, at: int) -> bool:
    """Behind "with" and a thing no verb is finite, and the sentence has had its own."""
    if letters[at : at + 1] not in ("G", "E", "V") or _FINITE.search(letters, at + 1):
        return False
    token = tokens[at]
    return token.lemma not in _NAMING and (token.tag != "V" or is_past(token))


def _join(tokens: list[Token], at: int, thing: Phrase) -> tuple[list[Token], str]:
    joint = Token("and", tokens[at].start, tokens[at].end)
    joint.tag = "C"
    head, plural = thing.head_token, be_for(thing) == "are"
    plural = plural or (head.tag == "N" and head.low != head.lemma)
    joined = [*tokens[:at], joint, *thing.words(), make_word(" are" if plural else " is", "b", thing.span[1])]
    verb = tokens[thing.end]
    joined += [verb.retagged("E") if verb.tag == "V" else verb, *tokens[thing.end + 1 :]]
    return joined, "".join(token.tag for token in joined)
