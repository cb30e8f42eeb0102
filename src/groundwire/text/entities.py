"""Finds who and what a text speaks of: pronouns, proper names and definite descriptions.

No dictionary: capitals, closed word classes and the context decide. A capital at the start of a sentence proves
nothing by itself, so such a word is a name only when the rest of the text speaks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from groundwire.text.tables import read_table
from groundwire.types import EntityMention, MentionType, Span

_TOKEN = re.compile(
    r"""
    (?P<skip>https?://[^\s<>"]+|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,6}|`[^`\n]{1,400}`)
  | (?P<word>(?:\d{1,3}(?=[A-Z]))?[^\W\d_]
      (?:\w|[-&/+](?=\w)|['’](?!(?:s|S|ll|re|ve|d|m)\b)(?=\w)|\.(?=[A-Z]\.)|(?<=\.[A-Z])\.)*)
  | (?P<mark>['’](?:s|S|ll|re|ve|d|m)\b|\d[\d.,:]*|[^\w\s])
    """,
    re.VERBOSE,
)
_INITIAL = re.compile(r"[A-Z]\.?\Z")
_INNER_CAPITAL = re.compile(r"[a-z]{1,3}[A-Z]\w*\Z")
_ACRONYM = re.compile(r"[A-Z0-9](?:[A-Z0-9&./-]*[A-Z0-9])?s?\Z")
# A run of so many words in capitals is emphasis.
_SHOUT = 5
_LONGEST_NAME = 16


@dataclass(slots=True)
class _Word:
    text: str
    start: int
    end: int
    opens: bool
    is_word: bool
    low: str

    @property
    def is_capital(self) -> bool:
        """Capitalised, camel-cased or an acronym."""
        first = self.text[:1]
        return self.is_word and (first.isupper() or first.isdigit() or bool(_INNER_CAPITAL.match(self.text)))


def find_entities(text: str) -> tuple[EntityMention, ...]:
    """Every mention in text order; a possessive 's is no part of a name."""
    words = list(_split(text))
    lexicon = _lexicon()
    evidence = _Evidence(words, lexicon)
    found: list[EntityMention] = []
    index = 0
    while index < len(words):
        end, kind = _read_mention(words, index, lexicon, evidence)
        if kind is None:
            index += 1
            continue
        span = Span(words[index].start, words[end - 1].end)
        found.append(EntityMention(text[span.start : span.end], span, kind))
        index = end
    return tuple(found)


def _read_mention(
    words: list[_Word], index: int, lexicon: _Lexicon, evidence: _Evidence
) -> tuple[int, MentionType | None]:
    """The mention that opens at `index`: where it ends and what it is."""
    word = words[index]
    if not word.is_word:
        return index + 1, None
    base = word.low.partition("'")[0]
    if base in lexicon.pronouns and (base != "i" or word.text[0] == "I") and not _is_shouted_name(word, base):
        return index + 1, MentionType.PRONOUN
    if word.low in lexicon.indefinite:
        return index + 1, MentionType.OTHER
    if word.low in ("the", "this", "these", "those"):
        end = _read_description(words, index, lexicon)
        return (end, MentionType.DEFINITE_DESC) if end else (index + 1, None)
    if word.is_capital and evidence.is_name(index):
        return _read_name(words, index, lexicon, evidence), MentionType.PROPER_NAME
    return index + 1, None


def _is_shouted_name(word: _Word, base: str) -> bool:
    """ "US" and "IT" are names, "us" and "it" are not."""
    return base in ("us", "it") and word.text.isupper()


# ── names ───────────────────────────────────────────────────────────────────────────────────────


class _Evidence:
    """What the whole text says about its capitals."""

    def __init__(self, words: list[_Word], lexicon: _Lexicon) -> None:
        self._words = words
        self._lexicon = lexicon
        self._lower = {word.text for word in words if word.is_word and word.text.islower()}
        self._capital = {word.text for word in words if not word.opens and word.is_capital}
        self._shouted = self._find_shouting()

    def is_name(self, index: int) -> bool:
        word, lexicon = self._words[index], self._lexicon
        if index in self._shouted or not self.may_belong(index):
            return False
        if _INITIAL.match(word.text):
            return self._name_follows(index)
        if not word.opens:
            return word.low not in lexicon.closed or (word.low not in lexicon.functional and self._name_follows(index))
        return self._opens_as_name(index)

    def may_belong(self, index: int) -> bool:
        """Whether the word can be part of a name at all."""
        word, lexicon = self._words[index], self._lexicon
        if not word.is_capital or (word.low in lexicon.pronouns and not _is_shouted_name(word, word.low)):
            return False
        if word.low in lexicon.calendar:
            return self._surname_follows(index)
        return not word.text.isupper() or word.low not in lexicon.barred_capitals

    def _opens_as_name(self, index: int) -> bool:
        word, lexicon = self._words[index], self._lexicon
        if word.low in lexicon.closed or (word.low in lexicon.openers and not word.text.isupper()):
            return False
        if word.text in self._capital or not word.text.istitle():
            return word.low not in self._lower or not word.text.istitle()
        if word.low in self._lower:
            return False
        if self._name_follows(index) or self._institution_follows(index) or word.low in lexicon.honorifics:
            return True
        if any(word.low.endswith(ending) for ending in lexicon.endings):
            return False
        following = self._words[index + 1] if index + 1 < len(self._words) else None
        if following is None:
            return True
        if not following.is_word:
            return following.text in ("'s", "’s", "&", ",", "(", ":", "/")
        if following.low in ("in", "from", "at") and index + 2 < len(self._words):
            return self._words[index + 2].is_capital
        return following.low in lexicon.after_name or following.low.endswith("ed")

    def _name_follows(self, index: int) -> bool:
        """Whether another capital stands right behind, beyond a particle or the dot of an initial."""
        words, lexicon, at = self._words, self._lexicon, index + 1
        while at < len(words) and (words[at].text == "." or words[at].text in lexicon.particles):
            if at - index > 2 or words[at].text in ("of", "for", "the", "do", "e", "y"):
                return False
            at += 1
        if at >= len(words) or words[at].opens or not words[at].is_capital:
            return False
        return words[at].low not in lexicon.closed and words[at].low not in lexicon.pronouns

    def _institution_follows(self, index: int) -> bool:
        """ "Bank of America": a head, "of", and a capital."""
        words = self._words[index : index + 3]
        if len(words) < 3 or words[0].low not in self._lexicon.heads_of:
            return False
        return words[1].low == "of" and words[2].is_capital

    def _surname_follows(self, index: int) -> bool:
        """ "April Jones" is a person, "April" the month; "Theresa May" is known by the name in front."""
        if index and not self._words[index].opens and self._words[index - 1].is_capital:
            return self._words[index - 1].low not in self._lexicon.calendar
        following = self._words[index + 1] if index + 1 < len(self._words) else None
        if following is None or not following.text.istitle():
            return False
        return following.low not in self._lexicon.calendar and following.low not in self._lexicon.pronouns

    def _find_shouting(self) -> frozenset[int]:
        """Words inside a run of capitals: emphasis, not names."""
        shouted: list[int] = []
        run: list[int] = []
        for index, word in enumerate([*self._words, _Word("", 0, 0, True, True, "")]):
            if word.is_word and word.text.isupper():
                run.append(index)
            elif word.is_word:
                if len(run) >= _SHOUT:
                    shouted.extend(run)
                run = []
        return frozenset(shouted)


def _read_name(words: list[_Word], index: int, lexicon: _Lexicon, evidence: _Evidence) -> int:
    """The end of the name that opens at `index`."""
    end = index + 1
    while end < len(words) and end - index < _LONGEST_NAME and not words[end].opens:
        if words[end].is_word and evidence.may_belong(end) and words[end].low not in lexicon.functional:
            end += 1
        elif step := _bridge(words, index, end, lexicon, evidence):
            end += step
        else:
            break
    return end


def _bridge(words: list[_Word], start: int, at: int, lexicon: _Lexicon, evidence: _Evidence) -> int:
    """How many words carry a name across a particle, an initial's dot or an "&"; 0 where it ends."""
    text, last = words[at].text, words[at - 1]
    following = words[at + 1] if at + 1 < len(words) else None
    capital_next = following is not None and evidence.may_belong(at + 1) and following.low not in lexicon.functional
    if following is None:
        return 0
    if text == "." and words[at].start == last.end:
        joins = bool(_INITIAL.match(last.text)) or last.low in lexicon.honorifics or last.low in lexicon.suffixes
        return 2 if joins and capital_next and not following.opens and last.low not in lexicon.suffixes else 0
    if text == "&":
        return 2 if capital_next else 0
    if text == "," and following.low in lexicon.suffixes and following.is_capital:
        return 2
    if text == "and" and capital_next:
        return 2 if following.text == last.text or following.low in lexicon.partners else 0
    if text not in lexicon.particles:
        return 0
    if text in ("of", "for") and not any(word.low in lexicon.heads_of for word in words[start:at]):
        return 0
    if capital_next:
        return 2 if text not in ("the", "do") else 0
    if text not in ("of", "de", "van", "von", "for") or following.text not in ("the", "la", "der", "den", "las", "los"):
        return 0
    return 3 if at + 2 < len(words) and evidence.may_belong(at + 2) else 0


# ── descriptions ────────────────────────────────────────────────────────────────────────────────


def _read_description(words: list[_Word], index: int, lexicon: _Lexicon) -> int:
    """The end of "the new manager"; 0 when no noun of its own follows."""
    end = index + 1
    while end < len(words) and end - index <= 5 and _continues(words, index, end, lexicon):
        end += 1
    if end == index + 1 or not words[end - 1].is_word:
        return 0
    head = words[end - 1]
    if head.low in lexicon.pointing or head.low in lexicon.calendar:
        return 0
    return end if words[index + 1].text.islower() else 0


def _continues(words: list[_Word], index: int, at: int, lexicon: _Lexicon) -> bool:
    """Whether the word still belongs to the noun phrase and is not its verb."""
    word = words[at]
    if not word.is_word or word.opens or word.low in lexicon.closed or word.low in lexicon.pronouns:
        return False
    if word.text[0].isupper():
        return bool(_ACRONYM.match(word.text)) and at > index + 1
    if at == index + 1:
        return True
    if word.low in lexicon.verbs or word.low.endswith("ly"):
        return False
    if word.low.endswith(("ed", "ing", "s")) and not word.low.endswith(("ss", "us")):
        following = words[at + 1] if at + 1 < len(words) else None
        if word.low.endswith("s"):
            return following is None or following.low not in lexicon.objects
        return following is not None and following.text.islower() and following.low not in lexicon.closed
    return True


# ── words and tables ────────────────────────────────────────────────────────────────────────────


def _split(text: str) -> Iterator[_Word]:
    """Words and marks, each knowing whether it stands where a sentence may open."""
    lexicon = _lexicon()
    opens, last_end, last = True, 0, ""
    for match in _TOKEN.finditer(text):
        token, is_word = match.group(), match.lastgroup == "word"
        opens = opens or "\n" in text[last_end : match.start()]
        yield _Word(token, match.start(), match.end(), opens, is_word, token.lower().replace("’", "'"))
        last_end = match.end()
        if is_word or match.lastgroup == "skip" or token[0].isdigit():
            opens, last = False, token
        elif token in "!?…:;•" or (token == "." and not _abbreviates(last, lexicon)):
            opens = True
        elif token not in "\"'“”‘’«»([*#->_–—":
            opens = False


def _abbreviates(word: str, lexicon: _Lexicon) -> bool:
    """Whether the dot after `word` belongs to it."""
    low = word.lower()
    known = low in lexicon.honorifics or low in lexicon.suffixes or low in ("vs", "e.g", "i.e", "no")
    return known or bool(_INITIAL.match(word))


@dataclass(frozen=True, slots=True)
class _Lexicon:
    pronouns: frozenset[str]
    indefinite: frozenset[str]
    particles: frozenset[str]
    heads_of: frozenset[str]
    honorifics: frozenset[str]
    suffixes: frozenset[str]
    partners: frozenset[str]
    calendar: frozenset[str]
    barred_capitals: frozenset[str]
    openers: frozenset[str]
    endings: tuple[str, ...]
    after_name: frozenset[str]
    closed: frozenset[str]
    functional: frozenset[str]
    verbs: frozenset[str]
    pointing: frozenset[str]
    objects: frozenset[str]


@cache
def _lexicon() -> _Lexicon:
    table: dict[str, dict[str, list[str]]] = read_table("entities")
    names = table["names"]
    closed, openers = frozenset(table["closed"]["words"]), frozenset(table["common"]["openers"])
    return _Lexicon(
        pronouns=frozenset(table["pronouns"]["words"]),
        indefinite=frozenset(table["pronouns"]["indefinite"]),
        particles=frozenset(names["particles"]),
        heads_of=frozenset(names["heads_of"]),
        honorifics=frozenset(names["honorifics"]),
        suffixes=frozenset(names["suffixes"]),
        partners=frozenset(names["partners"]),
        calendar=frozenset(names["calendar"]),
        barred_capitals=frozenset(names["capitals"]) | {word for word in openers if len(word) > 3},
        openers=openers,
        endings=tuple(table["common"]["endings"]),
        after_name=frozenset(table["common"]["after_name"]),
        closed=closed,
        functional=closed - frozenset(names["also_names"]),
        verbs=frozenset(table["descriptions"]["verbs"]),
        pointing=frozenset(table["descriptions"]["heads"]),
        objects=frozenset(table["descriptions"]["objects"]),
    )
