"""What a sentence takes for granted: "your red car", "Nadia, your cousin,", "As a vegetarian, you…".

Nobody asserts it, so that no claim is read from it; it contradicts earlier turns all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from groundwire.text.lexicon import verb_lemma
from groundwire.text.phrases import match_noun_phrase
from groundwire.text.subjects import render
from groundwire.text.tables import read_table
from groundwire.text.tagging import share_tags
from groundwire.text.thesaurus import denied_base
from groundwire.text.tokens import Token

_LONGEST = 600
_OWNERS = frozenset({"your", "our", "my", "his", "her", "its", "their"})
_EMPTY = frozenset(
    """
    own new old next last first second other favourite favorite best whole same very current upcoming previous good
    great
    nice lovely own main real little big small dear entire usual recent latest
    """.split()  # noqa: SIM905
)
_ORIGIN = re.compile(
    r"\W*(?:for|as) (?:someone|somebody|a person|an? \w+) (?:who (?:comes|is) )?from ([A-Z][\w-]+(?: [A-Z][\w-]+)?)",
    re.IGNORECASE,
)
_SPENDS = re.compile(
    r"\b(?:(?:can['’]?t|cannot|can not|don['’]t want to|won['’]t|would not|wouldn['’]t) (?:spend|pay"
    r"|go) (?:any )?(?:more than|over|above|beyond)"
    r"|(?:spend|pay) (?:no more than|not more than|at most|up to|a maximum of|max\.?))"
    r" (?P<money>[$€£]\s?\d[\d,.]*\d|\d[\d,.]*\d(?: (?:euros?|dollars?|pounds?|francs?|kronor|kroner))?)",
    re.IGNORECASE,
)
""" "I can't spend more than 800 euros": your budget is 800 euros."""
_WHERE = re.compile(
    r"\b(?P<place>(?:[Ii]n|[Aa]t) (?:the )?[A-Z][\w-]+(?: [A-Z][\w-]+)?), where you (?:now |still |currently )?"
    r"(?P<deed>live|work|study|grew up|were born|are based|are staying|are living)\b"
)
""" "In Lyon, where you live now": you live in Lyon."""
_WISH = re.compile(
    r",? (?:just )?(?:as|like) you (prefer|preferred|wanted|want|requested|ordered|like|liked|chose|booked)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\W*(?:and |so |but )?(?:as|since|because|given that|now that|seeing (?:that|as)|considering that|although|"
    r"(?:even )?though|while|whereas)\s+",
    re.IGNORECASE,
)
_INNER_REASON = re.compile(
    r"(?<!soon )(?<!long )(?<!far )(?<!well )(?<!much )(?<!often )(?<!same )(?<!just )(?<=\s)"
    r"\b(?:as|since|because|given that|now that|seeing that|considering that)\s+(?=your?\b)",
    re.IGNORECASE,
)
_MOST_REASONS = 3
_SHORTEST_CLAUSE = 3
_LEAD = r"\W*(?:(?:and|so|ok|okay|good|great|fine|right|well|yes|alright|perfect|then),? )?"
_SETTLED = re.compile(
    rf"{_LEAD}(?P<thing>(?:the )?[\w-]+(?: [\w-]+){{0,3}}) it is\b(?=\W*(?:then\W*)?$|,)", re.IGNORECASE
)
_RATHER = re.compile(rf"{_LEAD}(?P<thing>(?:the )?[\w-]+(?: [\w-]+)?, not [\w-]+)(?=,|\W*$)", re.IGNORECASE)
_CHOSEN = re.compile(
    r"\b(?P<thing>the (?:[\w-]+ ){1,4}?[\w-]+) (?:that |which )?(?:you|we)(?:['’]ve| have|['’]d| had)? "
    r"(?:chose|chosen|picked|selected|settled on|agreed on|decided on|went for|gone for|opted for)\b",
    re.IGNORECASE,
)
_BEING = {"you": "are", "we": "are", "they": "are", "i": "am"}


@cache
def _kin() -> frozenset[str]:
    people: dict[str, list[str]] = read_table("people")
    return frozenset((*people["female"], *people["male"]))


class Presupposed(NamedTuple):
    """A statement, and where in the sentence it is taken for granted."""

    text: str
    start: int
    end: int


def find_presuppositions(sentence: str) -> Iterator[Presupposed]:
    if len(sentence) > _LONGEST:
        return
    tokens, letters = share_tags(sentence)
    yield from _find_roles(tokens, letters)
    yield from _find_circumstance(tokens, letters)
    yield from _find_age(tokens, letters)
    yield from _find_wish(sentence, tokens, letters)
    yield from _find_reason(sentence, tokens, letters)
    yield from _find_fragment(tokens, letters)
    yield from _find_choices(sentence)
    if (origin := _ORIGIN.match(sentence)) is not None:
        yield Presupposed(f"You come from {origin.group(1)}", origin.start(), origin.end(1))
    for found in _SPENDS.finditer(sentence):
        yield Presupposed(f"Your budget is {found['money'].strip()}", found.start(), found.end())
    for found in _WHERE.finditer(sentence):
        yield Presupposed(f"You {found['deed']} {found['place']}", found.start(), found.end())
    yield from _find_wishes_well(tokens, letters)
    for i, token in enumerate(tokens):
        if token.low == "like" and 0 < i < len(tokens) - 1:
            yield from _find_example(tokens, letters, i)
        if letters[i] == "S" and token.low in _OWNERS:
            yield from _find_quality(tokens, letters, i)
            yield from _find_extent(tokens, letters, i)
            yield from _find_possession(tokens, letters, i)
        elif token.low == "the":
            yield from _find_amount(tokens, letters, i)
        elif letters[i] == "P":
            yield from _find_apposition(tokens, letters, i)


def _find_roles(tokens: list[Token], letters: str) -> Iterator[Presupposed]:
    """ "As a vegetarian, you will like it": you are a vegetarian."""
    if len(tokens) < 5 or tokens[0].low != "as" or tokens[1].low not in ("a", "an"):
        return
    role = match_noun_phrase(tokens, letters, 1, len(tokens))
    at = role.end + (letters[role.end : role.end + 1] == ",") if role is not None else len(tokens)
    if role is None or at >= len(tokens) or (at == role.end and letters[at] != "p"):
        return
    bearer = tokens[at]
    verb = _BEING.get(bearer.low, "is")
    if bearer.low in _BEING or bearer.tag == "P":
        name = bearer.text if bearer.tag == "P" else bearer.low.capitalize()
        yield Presupposed(f"{name} {verb} {render(role.words())}", tokens[0].start, bearer.end)


def _find_age(tokens: list[Token], letters: str) -> Iterator[Presupposed]:
    """ "At 40, your brother is in his best years": your brother is 40."""
    if len(tokens) < 5 or tokens[0].low != "at" or letters[1:3] != "#,":
        return
    bearer = match_noun_phrase(tokens, letters, 3, len(tokens))
    if bearer is None and letters[3] != "p":
        return
    words = bearer.words() if bearer is not None else tokens[3:4]
    name = render(words)
    text = (
        f"{name[:1].upper()}{name[1:]} {_BEING.get(words[0].low, 'is') if len(words) == 1 else 'is'} {tokens[1].text}"
    )
    yield Presupposed(text, tokens[0].start, words[-1].end)


def _find_reason(sentence: str, tokens: list[Token], letters: str) -> Iterator[Presupposed]:
    """ "Given that the result was bad, …": the result was bad. Whoever argues from something takes it for true."""
    found = [match for match in (_REASON.match(sentence), *_INNER_REASON.finditer(sentence)) if match is not None]
    for match in found[:_MOST_REASONS]:
        start = next((i for i, token in enumerate(tokens) if token.start >= match.end()), len(tokens))
        end = _end_clause(tokens, letters, start)
        clause = tokens[start:end]
        if len(clause) >= _SHORTEST_CLAUSE and letters[start] in "DSNPp" and set(letters[start:end]) & set("bhdMVB"):
            text = render(clause)
            yield Presupposed(f"{text[:1].upper()}{text[1:]}", clause[0].start, clause[-1].end)


def _end_clause(tokens: list[Token], letters: str, start: int) -> int:
    """At the comma, or where somebody else begins to act: "as you're driving I'll leave it out"."""
    for k in range(start + 1, len(tokens)):
        acts = tokens[k].low in ("i", "we", "they", "he", "she") and letters[k + 1 : k + 2] in tuple("bhdMVB")
        if letters[k] in ",.;:" or (acts and letters[k - 1] not in "IU"):
            return k
    return start


def _find_fragment(tokens: list[Token], letters: str) -> Iterator[Presupposed]:
    """ "Unheated pool", an item of a list: the pool is unheated."""
    words = [i for i, letter in enumerate(letters) if letter not in ".,-"]
    if len(words) == 2 and letters[words[1]] == "N":
        quality, noun = tokens[words[0]], tokens[words[1]]
        if letters[words[0]] not in "JE" and denied_base(quality.low) is None:
            return
        verb = "are" if noun.low != noun.lemma and noun.low.endswith("s") else "is"
        if quality.low not in _EMPTY:
            yield Presupposed(f"The {noun.low} {verb} {quality.low}", quality.start, noun.end)


def find_settled(sentence: str) -> Iterator[Presupposed]:
    """ "Good, grey it is": you chose grey; "linen, not velvet": you chose that. Read as it was written."""
    found = _SETTLED.match(sentence) or _RATHER.match(sentence)
    if found is not None:
        yield Presupposed(f"You chose {found['thing'].strip()}", found.start("thing"), found.end("thing"))


def _find_choices(sentence: str) -> Iterator[Presupposed]:
    """ "the red tiles we settled on": you chose the red tiles."""
    for found in _CHOSEN.finditer(sentence):
        yield Presupposed(f"You chose {found['thing']}", found.start(), found.end())


def _find_wish(sentence: str, tokens: list[Token], letters: str) -> Iterator[Presupposed]:
    """ "an aisle seat, as you prefer": you prefer an aisle seat."""
    found = _WISH.search(sentence)
    if found is None:
        return
    before = [i for i, token in enumerate(tokens) if token.end <= found.start()]
    for start in before:
        phrase = match_noun_phrase(tokens, letters, start, len(tokens)) if letters[start] in "DSJN#" else None
        if phrase is not None and phrase.end == before[-1] + 1:
            yield Presupposed(f"You {found.group(1)} {render(phrase.words())}", tokens[start].start, found.end())
            return


def _find_example(tokens: list[Token], letters: str, i: int) -> Iterator[Presupposed]:
    """ "A poodle like Biscuit": Biscuit is a poodle."""
    start = i - 1
    while start > 0 and letters[start - 1] in "JN":
        start -= 1
    end = i + 1
    while end < len(tokens) and letters[end] == "P":
        end += 1
    if letters[i - 1] == "N" and start and tokens[start - 1].low in ("a", "an") and end > i + 1:
        text = f"{render(tokens[i + 1 : end])} is {render(tokens[start - 1 : i])}"
        yield Presupposed(text, tokens[start - 1].start, tokens[end - 1].end)


def _find_circumstance(tokens: list[Token], letters: str) -> Iterator[Presupposed]:
    """ "Living in Hamburg, you have the harbour nearby": you live in Hamburg."""
    if len(tokens) < 4 or letters[0] not in "GNJ" or not tokens[0].low.endswith("ing"):
        return
    comma = letters.find(",")
    verb = verb_lemma(tokens[0].low)
    if comma < 2 or comma + 1 >= len(tokens) or verb is None or verb in ("be", "have", "do"):
        return
    bearer = tokens[comma + 1]
    if bearer.low in ("you", "we", "they", "i"):
        text = f"{bearer.low.capitalize()} {verb} {render(tokens[1:comma])}"
        yield Presupposed(text, tokens[0].start, tokens[comma - 1].end)


def _find_quality(tokens: list[Token], letters: str, i: int) -> Iterator[Presupposed]:
    """ "your broken ankle": your ankle is broken; "your wife Laura": your wife is Laura."""
    named = i + 3 if letters[i + 1 : i + 4] == "N,P" else i + 2
    if letters[i + 1 : i + 3] == "NP" or named == i + 3:
        end = named + 1
        while end < len(tokens) and letters[end] == "P":
            end += 1
        owner, text = tokens[i].text, render(tokens[named:end])
        start, stop = tokens[i].start, tokens[end - 1].end
        yield Presupposed(f"{owner[:1].upper()}{owner[1:]} {tokens[i + 1].text} is {text}", start, stop)
        yield Presupposed(f"{text} is {owner.lower()} {tokens[i + 1].text}", start, stop)
        return
    if letters[i + 1 : i + 2] in ("N", "P") and letters[i + 2 : i + 3] not in ("N", "P", "'"):
        owned, owner = tokens[i + 1], {"your": "You have", "our": "We have"}.get(tokens[i].low, "")
        if owner and (owned.tag == "P" or owned.low in _kin()):
            article = "an" if owned.low[0] in "aeiou" else "a"
            yield Presupposed(f"{owner} {article} {owned.text}", tokens[i].start, owned.end)
        return
    if letters[i + 1 : i + 2] not in ("J", "E") or letters[i + 2 : i + 3] != "N" or letters[i + 3 : i + 4] == "N":
        return
    owner, quality, noun = tokens[i], tokens[i + 1], tokens[i + 2]
    if quality.low in _EMPTY:
        return
    verb = "are" if noun.low != noun.lemma and noun.low.endswith("s") else "is"
    text = f"{owner.text[:1].upper()}{owner.text[1:]} {noun.text} {verb} {quality.text}"
    yield Presupposed(text, owner.start, noun.end)


def _find_extent(tokens: list[Token], letters: str, i: int) -> Iterator[Presupposed]:
    """ "Your budget of 600 euros": your budget is 600 euros; "your trip to Porto": your trip is to Porto."""
    if letters[i + 1 : i + 2] != "N" or i + 3 >= len(tokens):
        return
    joint, end = tokens[i + 2].low, i + 3
    wanted = "#" if joint == "of" else "P" if joint in ("to", "in", "from", "at", "with") else ""
    if not wanted or letters[end] != wanted:
        return
    while end < len(tokens) and letters[end] in ("#N" if wanted == "#" else "P"):
        end += 1
    owner, value = tokens[i].text, render(tokens[i + 3 : end])
    value = value if joint == "of" else f"{joint} {value}"
    text = f"{owner[:1].upper()}{owner[1:]} {tokens[i + 1].text} is {value}"
    yield Presupposed(text, tokens[i].start, tokens[end - 1].end)


def _find_amount(tokens: list[Token], letters: str, i: int) -> Iterator[Presupposed]:
    """ "The budget of 12,000 you mentioned": your budget is 12,000."""
    end = i + 3
    if letters[i + 1 : i + 2] != "N" or end >= len(tokens) or tokens[i + 2].low != "of" or letters[end] != "#":
        return
    while end < len(tokens) and letters[end] in "#N":
        end += 1
    is_yours = end + 1 < len(tokens) and tokens[end].low == "you" and letters[end + 1] in "VhdM"
    owner = "Your" if is_yours else "The"
    text = f"{owner} {tokens[i + 1].text} is {render(tokens[i + 3 : end])}"
    yield Presupposed(text, tokens[i].start, tokens[end - 1].end)


def _find_possession(tokens: list[Token], letters: str, i: int) -> Iterator[Presupposed]:
    """ "your gas boiler": you have one; "your six years as a cook": you have them; "your first race": it is that."""
    if tokens[i].low not in ("your", "our"):
        return
    end = i + 1
    while end < len(tokens) and letters[end] in "JENP#":
        end += 1
    while end > i + 1 and letters[end - 1] not in "NP":
        end -= 1
    words = [token for token in tokens[i + 1 : end] if token.low not in _EMPTY]
    head = tokens[end - 1]
    if not words or "P" in letters[i + 1 : end] or letters[end : end + 1] == "'":
        return
    stop = _find_tail(tokens, letters, end)
    if head.lemma in _taken_for_granted() and not (stop > end and letters[i + 1] == "#"):
        return
    if tokens[i + 1].low == "first":
        thing = render([*tokens[i + 2 : end], *tokens[end:stop]])
        article = "an" if thing[:1].casefold() in "aeiou" else "a"
        yield Presupposed(f"It is your {render(tokens[i + 1 : end])}", tokens[i].start, head.end)
        yield Presupposed(f"You have never done {article} {thing} before", tokens[i].start, head.end)
        return
    is_plain = len(words) == 1 and end == i + 2
    if (is_plain or letters[i + 1 : end] == "JN") and stop == end and head.low in _kin():
        return  # told as a quality, or as somebody whom they have
    text = render([*words, *tokens[end:stop]])
    is_many = letters[i + 1] == "#" or (head.low != head.lemma and head.low.endswith("s"))
    article = "" if is_many else "an " if text[:1].casefold() in "aeiou" else "a "
    yield Presupposed(f"You have {article}{text}", tokens[i].start, tokens[stop - 1].end)


def _find_tail(tokens: list[Token], letters: str, end: int) -> int:
    """Where "as a cook" ends, behind what is owned."""
    if end + 1 >= len(tokens) or tokens[end].low not in ("as", "of", "to", "in", "at", "with", "from"):
        return end
    phrase = match_noun_phrase(tokens, letters, end + 1, len(tokens))
    return phrase.end if phrase is not None else end


@cache
def _taken_for_granted() -> frozenset[str]:
    """What everybody has, or has only in the mouth of who answers: your question, your time."""
    return frozenset(read_table("prior", "detect")["granted"]["nouns"])


def _find_wishes_well(tokens: list[Token], letters: str) -> Iterator[Presupposed]:
    """ "Congratulations on winning the match": you won it; "on the promotion": you got it."""
    if len(tokens) < 3 or tokens[0].low not in ("congratulations", "congrats") or tokens[1].low not in ("on", "for"):
        return
    end = next((k for k in range(2, len(tokens)) if letters[k] in ",.-"), len(tokens))
    if end < 4:
        return
    verb = verb_lemma(tokens[2].low) if tokens[2].low.endswith("ing") else None
    if verb is not None:
        text = f"You managed to {verb} {render(tokens[3:end])}"
    elif letters[2] in "DS":
        text = f"You got {render(tokens[2:end])}"
    else:
        return
    yield Presupposed(text, tokens[2].start, tokens[end - 1].end)


def _find_apposition(tokens: list[Token], letters: str, i: int) -> Iterator[Presupposed]:
    """ "Nadia, as your cousin, …": Nadia is your cousin."""
    end = i + 1
    while end < len(tokens) and letters[end] == "P":
        end += 1
    if letters[end : end + 1] != "," or (i and letters[i - 1] == "P"):
        return
    at = end + 1 + (tokens[end + 1].low == "as" if end + 1 < len(tokens) else 0)
    role = match_noun_phrase(tokens, letters, at, len(tokens)) if letters[at : at + 1] in ("S", "D") else None
    if role is None or letters[role.end : role.end + 1] not in (",", "") or role.head_token.tag != "N":
        return
    yield Presupposed(f"{render(tokens[i:end])} is {render(role.words())}", tokens[i].start, tokens[role.end - 1].end)
