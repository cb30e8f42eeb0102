"""Flags that tell of one and the same fault: repetitions merged, different kinds on one claim linked."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from groundwire.types import Claim, Span
from groundwire.types.detection import HallucinationFlag, HallucinationType


def merge_overlapping(flags: Iterable[HallucinationFlag]) -> list[HallucinationFlag]:
    """One flag for each fault, in text order: of one type and overlapping, the strongest stays.

    Two wrong values within one stretch of text are two faults. What the weaker one knows and the stronger one does not,
    such as the right value, is kept.
    """
    kept = [flag for cluster in _cluster(flags) for flag in _keep_strongest(cluster)]
    return sorted(_drop_attribute_echoes(kept), key=lambda f: (f.span, f.hallucination_type.value))


def _cluster(flags: Iterable[HallucinationFlag]) -> Iterator[list[HallucinationFlag]]:
    """Flags of one type that hang together by their spans: thousands that stand apart cost no comparison."""
    cluster: list[HallucinationFlag] = []
    end = 0
    for flag in sorted(flags, key=lambda f: (f.hallucination_type.value, f.span)):
        if cluster and (flag.hallucination_type is not cluster[0].hallucination_type or flag.span.start > end):
            yield cluster
            cluster = []
        end = max(end, flag.span.end) if cluster else flag.span.end
        cluster.append(flag)
    if cluster:
        yield cluster


def _keep_strongest(cluster: Iterable[HallucinationFlag]) -> list[HallucinationFlag]:
    kept: list[HallucinationFlag] = []
    for flag in sorted(cluster, key=lambda f: (-f.confidence, f.span, f.detector, f.content)):
        place = next((i for i, other in enumerate(kept) if _is_repetition(flag, other)), None)
        if place is None:
            kept.append(flag)
        else:
            kept[place] = _complete(kept[place], flag)
    return kept


def _is_repetition(weaker: HallucinationFlag, stronger: HallucinationFlag) -> bool:
    if not overlap(weaker.span, stronger.span):
        return False
    if weaker.value_span is None or stronger.value_span is None:
        return True
    return overlap(weaker.value_span, stronger.value_span)


def _complete(flag: HallucinationFlag, weaker: HallucinationFlag) -> HallucinationFlag:
    if flag.correct_value is None and weaker.correct_value is not None and weaker.value_span is not None:
        flag = replace(
            flag,
            correct_value=weaker.correct_value,
            value_span=weaker.value_span,
            source_id=weaker.source_id,
            is_unverifiable=False,
        )
    return replace(
        flag,
        claim_span=flag.claim_span or weaker.claim_span,
        related_span=flag.related_span or weaker.related_span,
        kb=flag.kb or weaker.kb,
        history=flag.history or weaker.history,
    )


def _drop_attribute_echoes(flags: Sequence[HallucinationFlag]) -> list[HallucinationFlag]:
    """A claim whose attribute is wrong is not flagged once more for contradicting the record of that attribute."""
    wrong = [_place(flag) for flag in flags if flag.hallucination_type is HallucinationType.WRONG_ATTRIBUTE]
    return [
        flag
        for flag in flags
        if flag.hallucination_type is not HallucinationType.CONTRADICTS_FACT
        or not any(overlap(_place(flag), span) for span in wrong)
    ]


def _place(flag: HallucinationFlag) -> Span:
    return flag.claim_span or flag.span


def link_incidents(flags: Sequence[HallucinationFlag], claims: Sequence[Claim]) -> list[HallucinationFlag]:
    """Flags on one claim get one number, from 1 on in text order; one that is on no claim is an incident by itself."""
    spans = sorted({claim.span for claim in claims})
    starts = [span.start for span in spans]
    numbers: dict[Span, int] = {}
    linked: list[HallucinationFlag] = []
    for flag in flags:
        place = _place(flag)
        key = _find_claim(place, spans, starts) or place
        linked.append(
            replace(flag, claim_span=flag.claim_span or key, incident=numbers.setdefault(key, len(numbers) + 1))
        )
    return linked


_REACH = 16
"""How many claims back may still reach into a span: a relative clause stands inside the claim around it."""


def _find_claim(place: Span, spans: Sequence[Span], starts: Sequence[int]) -> Span | None:
    """The claim that shares most with `place`; of several, the shortest, which is the innermost."""
    last = bisect_right(starts, place.end)
    first = max(0, bisect_right(starts, place.start) - _REACH)
    shared = [(_shared(place, span), span.start - span.end, span) for span in spans[first:last]]
    best = max(shared, default=None)
    return best[2] if best is not None and best[0] > 0 else None


def overlap(one: Span, other: Span) -> bool:
    """An empty span overlaps what it stands in."""
    if one.start == one.end or other.start == other.end:
        return one.start <= other.end and other.start <= one.end
    return one.start < other.end and other.start < one.end


def _shared(one: Span, other: Span) -> int:
    return min(one.end, other.end) - max(one.start, other.start)
