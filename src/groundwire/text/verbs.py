"""Verb groups: the verb of a clause with its auxiliaries, negation, tense and voice."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from groundwire.text import lexicon
from groundwire.text.tokens import Token
from groundwire.types import Tense

_VERB_GROUP = re.compile(
    r"[Rn]*(?:M[Rn]*(?:h[Rn]*)?(?:b[Rn]*){0,2}[BEGVhd]?|d[Rn]*[BVhdb]?|h[Rn]*(?:b[Rn]*){0,2}[EGV]?|b[Rn]*(?:b[Rn]*)?[EGV]?|V)"
)


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


def read_verb_groups(tokens: list[Token], letters: str) -> list[VerbGroup]:
    """The finite verb groups of a sentence, in order."""
    groups: list[VerbGroup] = []
    i, count = 0, len(letters)
    while i < count:
        found = _VERB_GROUP.search(letters, i)
        first = letters.find("B", i, found.start() if found else count) if not groups else -1
        again = groups and letters[groups[0].start] == "B"
        if again:
            first = next(
                (
                    k
                    for k in range(i, found.start() if found else count)
                    if letters[k] == "B" and letters[k - 1] in ",C"
                ),
                -1,
            )
        if first >= 0 and (again or first == 0 or letters[:first].strip('R,.-"') == ""):
            groups.append(VerbGroup(first, first + 1))
            i = first + 1
            continue
        if found is None:
            break
        i = found.end()
        if found.start() and letters[found.start() - 1] == "t":
            continue
        group = VerbGroup(found.start(), found.end())
        groups.append(group)
    for group in groups:
        _read_group(group, tokens, letters)
    return _with_conjoined(groups, tokens, letters)


def _with_conjoined(groups: list[VerbGroup], tokens: list[Token], letters: str) -> list[VerbGroup]:
    """ "is written in Rust, deployed on Fly and maintained by Ana": each participle shares the auxiliary."""
    found: list[VerbGroup] = []
    for k, group in enumerate(groups):
        found.append(group)
        limit = groups[k + 1].start if k + 1 < len(groups) else len(letters)
        wanted = "E" if group.passive or group.perfect else ("G" if group.progressive else "")
        if not wanted:
            continue
        for i in range(group.end + 1, limit):
            if (
                letters[i] == wanted
                and letters[i - 1] in ",C"
                and letters[i + 1 : i + 2] not in ("N", "P")
                and "C" in letters[group.end : limit]
            ):
                found.append(
                    replace(group, start=i, end=i + 1, lemma=tokens[i].lemma, auxiliary=(group.start, group.end - 1))
                )
    return found


_PAST_FORMS = frozenset({"was", "were", "had", "did"})


def _read_group(group: VerbGroup, tokens: list[Token], letters: str) -> None:
    words = tokens[group.start : group.end]
    verbs = [token for token in words if token.tag in "MhbdVBEG"]
    main = verbs[-1]
    group.lemma = {"b": "be", "h": "have", "d": "do"}.get(main.tag, main.lemma)
    group.negated = any(token.tag == "n" for token in words) or (
        group.end < len(tokens) and tokens[group.end].tag == "n"
    )
    group.passive = main.tag == "E" and any(token.tag == "b" for token in verbs[:-1])
    group.progressive = main.tag == "G"
    finite = verbs[0]
    if main.low == "got" and finite.tag == "h" and len(verbs) == 2:
        group.lemma = "have"
    if group.lemma == "get" and letters[group.end : group.end + 1] == "E" and not group.passive:
        group.lemma, group.passive, group.end = tokens[group.end].lemma, True, group.end + 1
        group.tense = Tense.PRESENT
        return
    group.perfect = finite.tag == "h" and len(verbs) > 1 and main.tag in "EVGb"
    if finite.tag == "M":
        group.modal = finite.low
        if finite.low in ("will", "'ll", "’ll", "shall", "wo"):
            group.tense = Tense.FUTURE
    elif is_past(finite):
        group.tense = Tense.PAST
    _read_wrappers(group, tokens, letters)


def is_past(token: Token) -> bool:
    """Is this finite verb a past form?"""
    if token.low in _PAST_FORMS:
        return True
    if token.tag not in "VE" or token.low == token.lemma:
        return False
    return any(tag in ("VBD", "VBN") for tag, _ in lexicon.readings(token.low)) and not token.low.endswith("ing")


def _read_wrappers(group: VerbGroup, tokens: list[Token], letters: str) -> None:
    """ "used to live", "is going to move", "have to leave": the inner verb carries the content."""
    end = group.end
    if letters[end : end + 2] not in ("tB", "tb", "th", "td") and letters[end : end + 3] not in ("tRB", "tnB"):
        return
    inner = end + (2 if letters[end + 1] in "Rn" else 1)
    habit = group.lemma == "use" and not group.passive and not group.progressive and group.modal == ""
    future = group.progressive and group.lemma == "go"
    if not habit and not future:
        return
    group.tense = Tense.PAST if habit else Tense.FUTURE
    group.wrapper = "used to" if habit else ""
    group.progressive = False
    group.end = inner + 1
    inner_token = tokens[inner]
    group.lemma = {"b": "be", "h": "have", "d": "do"}.get(inner_token.tag, inner_token.lemma)
    if inner_token.tag == "b" and letters[group.end : group.end + 1] in ("E", "G"):
        group.passive = letters[group.end] == "E"
        group.lemma = tokens[group.end].lemma
        group.end += 1
