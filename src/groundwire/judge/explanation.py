"""Explanations from templates: the verdict, the deciding evidence, the value. Nothing is invented."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.judge.findings import Finding
from groundwire.types import Verdict

_LONGEST = 80

_TEMPLATES = {
    "same_value": "{id} says the same: {theirs}",
    "more_general": "{id} says {theirs}, which includes {mine}",
    "more_specific": "{id} says {theirs}, compatible with {mine} but less specific",
    "partly_same": "{id} says {theirs}, which covers only part of {mine}",
    "other_value": "{id} says {theirs}, the claim says {mine}",
    "other_words": "{id} says {theirs}, the claim says {mine}",
    "other_agent": "{id} says {theirs}, the claim says {mine}",
    "former_value": "{id} says that {mine} is no longer so",
    "still_current": "{id} says that {mine} still holds",
    "other_time": "{id} speaks of another time",
    "one_of_several": "{id} names it as one of several",
    "not_opposed": "{id} leaves room for it: {theirs}",
    "other_event": "{id} tells when something else happens",
    "only_some": "{id} says it of fewer than the claim does",
    "not_done": "{id} does not say that it was done",
    "only_mentioned": "{id} speaks of {mine}, but does not say that anybody has it now",
    "presupposed": "{id} takes {mine} for granted",
    "only_possible": "{id} says only that it may be so",
    "denied_value": "the claim denies {mine}, but {id} says it",
    "negated_by_evidence": "{id} denies {theirs}",
    "same_negation": "{id} denies the same",
    "ended": "{id} says that {theirs} has ended",
    "implied": "{id} implies it ({theirs})",
    "model_supports": "{id} supports it: {theirs}",
    "joint_support": "{id} support it together: {theirs}",
    "model_refutes": "{id} speaks against it: {theirs}",
    "model_undecided": "{id} does not settle it: {theirs}",
    "amount_within": "{id} says {theirs}, which is {mine}",
    "amount_open": "{id} says {theirs}, which does not settle {mine}",
    "combined": "{id} carry it together",
    "same_statement": "{id} says the same",
    "opposite": "{id} says the opposite",
    "opposite_word": "{id} says the opposite of {mine}",
    "words_denied": "{id} says the contrary in the same words",
    "words_covered": "{id} has every word of the claim",
    "words_mostly_covered": "{id} has most words of the claim",
    "words_told": "{id} says it in other words",
    "detail_found": "{id} mentions {mine}",
    "detail_missing": "{id} does not mention {mine}",
    "conflict": "{id} and {theirs} disagree on {mine}",
    "tells_change": "{id} disagree, and bear out what is said of it",
    "no_evidence": "there is no evidence to judge by",
    "not_mentioned": "no evidence mentions it",
    "same_text": "{id} has the same text",
    "overlap": "{id} shares words with the claim, too few to decide",
}


_BARE = {
    Verdict.SUPPORTED: "{id} supports it",
    Verdict.REFUTED: "{id} speaks against it",
    Verdict.INSUFFICIENT: "{id} does not settle it",
}
"""Where the words are not known that a template quotes."""
_RULED_OUT = "{id} rules it out: {theirs}"
_MOST_NAMED = 3


def explain(verdict: Verdict, finding: Finding) -> str:
    template = _TEMPLATES.get(finding.reason, finding.reason.replace("_", " "))
    if finding.reason == "implied" and verdict is Verdict.REFUTED:
        template = _RULED_OUT
    if ("{theirs}" in template and not finding.evidence_value) or (
        "says {mine}" in template and not finding.claim_value
    ):
        template = _BARE[verdict] + (": {theirs}" if finding.evidence_value else "")
    source = _join((finding.passage_id, *finding.beside)) or "the evidence"
    reason = template.format(id=source, mine=_quote(finding.claim_value), theirs=_quote(finding.evidence_value))
    return f"{verdict.value}: {reason}."


def _join(ids: Sequence[str]) -> str:
    """ "m1, m2 and m3", or "m1, m2, m3 and 4 others"."""
    named, rest = ids[:_MOST_NAMED], len(ids) - _MOST_NAMED
    if rest > 0:
        return f"{', '.join(named)} and {rest} other{'s' if rest > 1 else ''}"
    *others, last = named
    return f"{', '.join(others)} and {last}" if others else last


def _quote(value: str) -> str:
    if not value:
        return "it"
    longest = _LONGEST if value.isascii() else _LONGEST // 4
    shown = value if len(value) <= longest else value[: longest - 1] + "…"
    return f"“{shown}”"
