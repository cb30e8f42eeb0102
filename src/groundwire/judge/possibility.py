"""What a passage only leaves possible: "may have been built by monks" does not say that it was.

A sentence with "may" in it can say other things as well, and say them for certain: "those that may come pay at the
door" leaves open who comes, not where they pay. What counts is whether the claim is what "may" stands before.
"""

from __future__ import annotations

import re

from groundwire.judge.carrying import WORD, content_of, find_carrying
from groundwire.judge.findings import Finding
from groundwire.judge.predicates import means_same, verbs
from groundwire.text import lexicon
from groundwire.text.cues import Cued
from groundwire.text.propositions import Proposition
from groundwire.text.reading import read_text
from groundwire.types import Passage, Verdict

_OPEN = 0.8
_POSSIBLE = Cued(
    re.compile(
        r"\b(?=m)(?<!\bin )(?<!\bof )(?<!\bby )(?<!\bon )(?<!\bsince )(?<!\buntil )(?<!\bbefore )(?<!\bafter )"
        r"(?<!\blast )(?<!\bnext )(?<!\bthis )(?:may|might)\b(?!\s+(?:not|or may not|as well|\d)\b)"
    ),
    "may might",
)
"""As written, since May is a month; "may not cross" forbids."""
_TOLD_AS_OPEN = re.compile(
    r"\b(?:may|might|could|can|would|perhaps|maybe|possibly|potentially|probably|likely|possible|apparently)\b",
)
_NEXT_CLAUSE = re.compile(r"[;:.!?()]|--|—|,? (?:but|although|though|while|whereas|because)\b|, (?:and|so|which|who)\b")
_RELATIVE = re.compile(r"\b(?:who|which|that|what|whatever|whom)(?: (?:i|you|we|he|she|it|they))? $", re.IGNORECASE)
_HELPING = frozenset({"have", "be", "been", "being", "get", "well", "also", "even", "still", "then", "soon", "yet"})


def find_possibility(claim: str, passage: Passage) -> Finding | None:
    """All that would carry the claim is told as possible, and the claim as a fact."""
    if _POSSIBLE.search(passage.text) is None or _TOLD_AS_OPEN.search(claim) is not None:
        return None
    carrying = find_carrying(claim, passage.text)
    said = [read.proposition for read in read_text(claim).claims] if carrying else []
    if carrying and all(_leaves_open(claim, said, sentence) for sentence in carrying):
        return Finding(Verdict.INSUFFICIENT, _OPEN, "only_possible", passage.id)
    return None


_LEAVE = re.compile(
    r"\b(?:allowed|permitted|entitled|authori[sz]ed|eligible|free|welcome|licen[cs]ed) to\b(?! the\b)", re.IGNORECASE
)
_GIVES_LEAVE = re.compile(
    r"\b(?:may|can|could|might|allow\w*|permit\w*|permission|entitled|right|free|welcome|able|eligible|leave|ok|okay)\b",
    re.IGNORECASE,
)


def find_mere_leave(claim: str, passage: Passage) -> Finding | None:
    """ "I am allowed to keep dogs" does not say that the speaker keeps any."""
    if _LEAVE.search(passage.text) is None or _GIVES_LEAVE.search(claim) is not None:
        return None
    carrying = find_carrying(claim, passage.text)
    said = [read.proposition for read in read_text(claim).claims] if carrying else []
    if said and all(_leaves_open(claim, said, sentence, _LEAVE) for sentence in carrying):
        return Finding(Verdict.INSUFFICIENT, _OPEN, "only_possible", passage.id)
    return None


def _leaves_open(
    claim: str, said: list[Proposition], sentence: str, possible: re.Pattern[str] | Cued = _POSSIBLE
) -> bool:
    for modal in possible.finditer(sentence):
        before, behind = sentence[: modal.start()], _NEXT_CLAUSE.split(sentence[modal.end() :], maxsplit=1)[0]
        words = [lexicon.verb_lemma(word) or word for word in (w.lower() for w in WORD.findall(behind))]
        verb = next((word for word in words if word not in _HELPING and not word.endswith("ly")), "")
        is_being = words[:1] == ["be"]
        if not said and not content_of(claim) <= content_of(before):
            return True
        if any(_is_of(one, claim, before, behind, verb, is_being=is_being) for one in said):
            return True
    return False


def _is_of(said: Proposition, claim: str, before: str, behind: str, verb: str, *, is_being: bool) -> bool:
    """Whether it is this that may be: the same is done, or what is told of the subject stands behind "may" alone."""
    told = content_of(claim) - set(said.subject_lemmas) - {said.predicate}
    behind_it = content_of(behind)
    if means_same(said.predicate, verb) or (said.predicate in verbs("being") and is_being):
        return not told or not told.isdisjoint(behind_it)
    if _RELATIVE.search(before) is not None:
        return False
    about = not said.subject_lemmas or not content_of(before).isdisjoint(said.subject_lemmas)
    return about and bool(told) and told <= behind_it and told.isdisjoint(content_of(before))
