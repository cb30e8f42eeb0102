"""Verb groups: the verb of a clause with its auxiliaries, negation, tense and voice."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from groundwire.text import lexicon
from groundwire.text.function_words import AUXILIARIES
from groundwire.text.tokens import Token
from groundwire.types import Tense

_VERB_GROUP = re.compile(
    r"[Rn]*(?:M[Rn]*(?:h[Rn]*)?(?:b[Rn]*){0,2}[BEGVhd]?|d[Rn]*[BVhdb]?|h[Rn]*(?:b[Rn]*){0,2}[EGV]?|b[Rn]*(?:b[Rn]*)?[EGV]?|V)"
)


SUPERLATIVES = frozenset({"most", "best", "least", "worst"})


@dataclass(slots=True)
class VerbGroup:
    start: int
    end: int
    lemma: str = ""
    passive: bool = False
    negated: bool = False
    tense: Tense = Tense.PRESENT
    modal: str = ""
    perfect: bool = False
    progressive: bool = False
    auxiliary: tuple[int, int] | None = None
    """Where the auxiliary stands that a conjoined participle shares."""
    wrapper: str = ""
    """The verb around an infinitive: "want" in "want to learn"; the group's lemma is then "learn"."""
    begun: bool = False
    """Told by its beginning: "started learning in 2021" is learning since 2021."""


def read_verb_groups(tokens: list[Token], letters: str) -> list[VerbGroup]:
    """The finite verb groups of a sentence, in order."""
    groups: list[VerbGroup] = []
    i, count = 0, len(letters)
    while i < count:
        found = _VERB_GROUP.search(letters, i)
        start = found.start() if found is not None else count
        bare = _find_bare(groups, letters, i, start) if "B" in letters[i:start] else -1
        if bare >= 0:
            groups.append(VerbGroup(bare, bare + 1))
            i = bare + 1
            continue
        if found is None:
            break
        i = found.end()
        if letters[i - 1] == "V" and i > start + 1 and "h" in letters[start:i] and _is_present(tokens[i - 1]):
            i -= 1  # "the plan you have costs 60 euros": two verbs
        if groups and i == start + 1 and letters[start] in "dbh" and _echoes(groups[-1], tokens, letters, start):
            continue
        if not start or letters[start - 1] != "t" or tokens[start].low in _FINITE:
            while letters[start] == "R" and start and tokens[start].low in SUPERLATIVES:
                start += 1  # "the film you like most is…": it belongs to the verb before
            groups.append(VerbGroup(start, i))
    for group in groups:
        _read_group(group, tokens, letters)
    return _with_conjoined(groups, tokens, letters) if "C" in letters else groups


def _is_present(token: Token) -> bool:
    return token.low.endswith("s") and token.low != token.lemma and not is_past(token)


_FINITE = frozenset({"is", "are", "was", "were", "has", "does", "did"})
"""Forms that no infinitive has: "the man you report to is Malik"."""
_COMPARED = re.compile(r"I[DSJ]*[NPp']+")


def _echoes(main: VerbGroup, tokens: list[Token], letters: str, at: int) -> bool:
    """ "Kim swims better than I do": the verb stands for the one before; "than I did" tells another time."""
    if letters[at + 1 : at + 2] not in ("", ".", ",", ";", "C", '"') or is_past(tokens[at]) is not is_past(
        tokens[main.start]
    ):
        return False
    joint = letters.rfind("I", 0, at)
    return joint > 0 and tokens[joint].low in ("than", "as") and _COMPARED.fullmatch(letters, joint, at) is not None


def _find_bare(groups: list[VerbGroup], letters: str, start: int, end: int) -> int:
    """Where a bare verb stands that opens the sentence, or goes on after one that did ("Go home and sleep"); or -1."""
    if not groups:
        first = letters.find("B", start, end)
        return first if not letters[:first].strip('R,.-"') else -1
    if letters[groups[0].start] != "B":
        return -1
    return next((k for k in range(start, end) if letters[k] == "B" and letters[k - 1] in ",C"), -1)


def _with_conjoined(groups: list[VerbGroup], tokens: list[Token], letters: str) -> list[VerbGroup]:
    """ "is written in Rust, deployed on Fly and maintained by Ana": each participle shares the auxiliary."""
    found: list[VerbGroup] = []
    for k, group in enumerate(groups):
        found.append(group)
        limit = groups[k + 1].start if k + 1 < len(groups) else len(letters)
        wanted = "E" if group.passive or group.perfect else ("G" if group.progressive else "")
        if not wanted or "C" not in letters[group.end : limit]:
            continue
        for i in range(group.end + 1, limit):
            if letters[i] == wanted and letters[i - 1] in ",C" and letters[i + 1 : i + 2] not in ("N", "P"):
                found.append(
                    replace(group, start=i, end=i + 1, lemma=tokens[i].lemma, auxiliary=(group.start, group.end - 1))
                )
    return found


_PAST_FORMS = frozenset({"was", "were", "had", "did"})


def _read_group(group: VerbGroup, tokens: list[Token], letters: str) -> None:
    words = tokens[group.start : group.end]
    verbs = [token for token in words if token.tag in "MhbdVBEG"]
    finite, main = verbs[0], verbs[-1]
    group.lemma = AUXILIARIES.get(main.tag, main.lemma)
    group.negated = "n" in letters[group.start : group.end + 1]
    if len(verbs) > 1:
        group.passive = main.tag == "E" and any(token.tag == "b" for token in verbs[:-1])
        group.perfect = finite.tag == "h" and main.tag in "EVGb"
        if main.low == "got" and finite.tag == "h" and len(verbs) == 2:
            group.lemma = "have"
    group.progressive = main.tag == "G"
    if group.lemma == "get" and not group.passive and (state := _participle_at(tokens, letters, group.end)):
        lasts = letters[group.end] == "J" or state in _LASTING
        group.lemma, group.passive, group.end = state, True, group.end + 1
        group.perfect = False
        if lasts:
            return
    if finite.low in ("'d", "’d") and len(verbs) > 1 and (verbs[1].low == "been" or main.tag == "E"):
        group.perfect, group.tense = True, Tense.PAST  # "she'd never been", "he'd left"
    elif finite.tag == "M":
        group.modal = finite.low
        if finite.low in ("will", "'ll", "’ll", "shall", "wo"):
            group.tense = Tense.FUTURE
    elif is_past(finite):
        group.tense = Tense.PAST
    _read_wrappers(group, tokens, letters)


_LASTING = frozenset({"marry", "engage", "divorce", "separate"})
"""Who got so still is, for all that is told."""


def _participle_at(tokens: list[Token], letters: str, at: int) -> str:
    """The lemma of a participle, also of one that the dictionary calls an adjective: "got married"."""
    if letters[at : at + 1] == "E":
        return tokens[at].lemma
    if letters[at : at + 1] != "J":
        return ""
    return next((lemma for tag, lemma in lexicon.readings(tokens[at].low) if tag == "VBN"), "")


def is_past(token: Token) -> bool:
    """Is this finite verb a past form?"""
    if token.low in _PAST_FORMS:
        return True
    if token.tag not in "VE" or token.low == token.lemma:
        return False
    return _has_past(token.low)


@lru_cache(maxsize=8192)
def _has_past(word: str) -> bool:
    return any(tag in ("VBD", "VBN") for tag, _ in lexicon.readings(word)) and not word.endswith("ing")


def _read_wrappers(group: VerbGroup, tokens: list[Token], letters: str) -> None:
    """ "used to live", "is going to move", "have to leave": the inner verb carries the content."""
    end = group.end
    if group.lemma == "have" and letters[end + 1 : end + 3] == "tB" and tokens[end].low == "yet":
        group.lemma, group.end = tokens[end + 2].lemma, end + 3
        group.perfect, group.negated = True, not group.negated  # "have yet to pay": have not paid
        return
    if letters[end : end + 1] != "t" or (
        letters[end + 1 : end + 2] not in ("B", "b", "h", "d") and letters[end + 1 : end + 3] not in ("RB", "nB")
    ):
        return
    inner = end + (2 if letters[end + 1] in "Rn" else 1)
    habit = group.lemma == "use" and not group.passive and not group.progressive and group.modal == ""
    future = group.progressive and group.lemma == "go"
    if not habit and not future:
        return
    group.tense = Tense.PAST if habit else Tense.FUTURE
    group.wrapper = "used to" if habit else ""
    group.progressive = False
    _take_inner(group, inner, tokens, letters)


def read_destined(group: VerbGroup, tokens: list[Token], letters: str) -> None:
    """ "The contract is to be signed", "Ana is to sign it": what is to be done has not been done yet."""
    end = group.end
    if group.lemma != "be" or group.modal or group.perfect or letters[end : end + 2] not in ("tb", "tB"):
        return
    group.tense = Tense.FUTURE
    _take_inner(group, end + 1, tokens, letters)


def _take_inner(group: VerbGroup, inner: int, tokens: list[Token], letters: str) -> None:
    """The verb behind "to" is what is told."""
    group.end = inner + 1
    inner_token = tokens[inner]
    group.lemma = AUXILIARIES.get(inner_token.tag, inner_token.lemma)
    if inner_token.tag == "b" and letters[group.end : group.end + 1] in ("E", "G"):
        group.passive = letters[group.end] == "E"
        group.lemma = tokens[group.end].lemma
        group.end += 1
