"""Second thoughts: what rules decided without being exact is shown to the model as well.

"Your library card is still expired" has every word of "My library card expired in May; I renewed it", and "from Lyon to
Graz" every word of "from Graz to Lyon". A rule that compares words and slots cannot see that; a model that was taught
by such pairs can. Exact rules are not asked about, nor is what stands in the evidence word for word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from groundwire.judge.carrying import content_of
from groundwire.judge.consultation import as_finding, is_decided, is_exact_amount
from groundwire.judge.decision import PassageScores
from groundwire.judge.findings import Finding
from groundwire.judge.parts import Part
from groundwire.text import lexicon
from groundwire.types import Claim, Memory, Passage, Span, Verdict

_LEAST = {Verdict.SUPPORTED: 0.3, Verdict.REFUTED: 0.1}
"""Below this probability a verdict of rules gives way to the model's."""
_COMPARED = frozenset({"other_value", "opposite", "opposite_word", "words_denied"})
_WORD = re.compile(r"\w+(?:['’]\w+)?")
_PERSONS = {"i": "0", "me": "0", "you": "0", "my": "1", "your": "1", "mine": "1", "yours": "1"}
_SKIPPED = frozenset({"a", "an", "the", "now", "currently"})


def is_final(part: Part, told: Sequence[str], passages: Mapping[str, Passage | Memory]) -> bool:
    """Whether nobody has to be asked about a part: rules are exact about it, or the evidence has its very words.

    `told` are the claim and the sentence that it comes from.
    """
    decided = [f for f in part.findings if f.verdict is not Verdict.INSUFFICIENT]
    if not decided:
        return is_decided(part)
    if any(f.exact or is_exact_amount(f) for f in decided):
        return True
    texts = [passages[f.passage_id].text for f in decided if f.passage_id in passages]
    is_supported = all(f.verdict is Verdict.SUPPORTED for f in decided)
    return is_supported and any(restates(words, text) for words in told for text in texts)


def reconsider(
    parts: Sequence[Part], claim: Claim, text: str, scores: Sequence[PassageScores], sentence: Span | None = None
) -> tuple[Part, ...]:
    """The parts, where the model excludes what rules made of a claim with what the model makes of it.

    A support is given up only where rules support all of the claim: else the model may well mean the other part.
    """
    by_id = {score.passage.id: score for score in scores}
    verdicts = [_verdict_of(part) for part in parts]
    whole = all(verdict is Verdict.SUPPORTED for verdict in verdicts)
    found: list[Part] = []
    for part, verdict in zip(parts, verdicts, strict=True):
        if (verdict is Verdict.SUPPORTED and not whole) or verdict not in _LEAST:
            found.append(part)
            continue
        tell = partial(as_finding, part=part, claim=claim, text=text, sentence=sentence)
        findings = tuple(_turn(f, by_id, tell, claim.text) for f in part.findings)
        found.append(replace(part, findings=findings))
    return tuple(found)


def _verdict_of(part: Part) -> Verdict | None:
    """The one verdict that passages come to; None where they disagree, say nothing, or a rule is exact."""
    decided = [f for f in part.findings if f.verdict is not Verdict.INSUFFICIENT]
    if not decided or any(f.exact or is_exact_amount(f) for f in decided):
        return None
    verdicts = {f.verdict for f in decided}
    return verdicts.pop() if len(verdicts) == 1 else None


def _turn(
    finding: Finding, by_id: Mapping[str, PassageScores], tell: Callable[[PassageScores], Finding], claim: str
) -> Finding:
    score = by_id.get(finding.passage_id)
    if finding.verdict is Verdict.INSUFFICIENT or score is None:
        return finding
    if score.scores.of(finding.verdict) >= _LEAST[finding.verdict]:
        return finding
    said = tell(score)
    return finding if finding.verdict is Verdict.REFUTED and not _gives_way(finding, said, claim, score) else said


def _gives_way(finding: Finding, said: Finding, claim: str, score: PassageScores) -> bool:
    """Whether a refutation by rules is one that a model may know better.

    Not where the same is said of somebody else, where names are exchanged or every word is denied, and where a rule
    withholds what the model would say instead.
    """
    if finding.reason not in _COMPARED or said.verdict is not score.scores.verdict:
        return False
    if finding.reason == "other_value":
        return said.verdict is Verdict.INSUFFICIENT and not _are_alike(finding.claim_value, finding.evidence_value)
    return not content_of(claim) <= content_of(score.passage.text)


def _are_alike(mine: str, theirs: str) -> bool:
    """Two names or two figures, of which one stands in the place of the other; not "four" and "11 am"."""
    return (mine[:1].isupper() and theirs[:1].isupper()) or (
        any(map(str.isdigit, mine)) and any(map(str.isdigit, theirs))
    )


def restates(claim: str, evidence: str) -> bool:
    """Whether the words of the claim follow each other in the evidence, persons and endings aside."""
    mine, theirs = _plain(claim), _plain(evidence)
    return bool(mine) and any(theirs[at : at + len(mine)] == mine for at in range(len(theirs) - len(mine) + 1))


@lru_cache(maxsize=4096)
def _plain(text: str) -> tuple[str, ...]:
    words = (word.lower() for word in _WORD.findall(text))
    return tuple(
        _PERSONS.get(word) or lexicon.verb_lemma(word) or lexicon.noun_lemma(word)
        for word in words if word not in _SKIPPED
    )  # fmt: skip
