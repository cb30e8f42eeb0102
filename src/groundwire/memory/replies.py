"""What a language model answered, read item by item: a broken item is refused by name, the others go on."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import cast

from groundwire.memory.candidates import Candidate, Extracted, Rejection, RejectionReason
from groundwire.memory.kinds import RULES
from groundwire.types import MemoryKind

LOWEST, HIGHEST = 0.60, 0.99
MOST_ITEMS = 200
_REQUIRED = ("text", "type", "confidence", "reasoning")
_SHOWN = 200
_FENCE = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL | re.IGNORECASE)


def read_reply(raw: str) -> Extracted:
    """The candidates of one answer; an answer that is no JSON at all is one rejection."""
    document = _parse(raw)
    if document is None:
        return Extracted((), (_refuse(raw[:_SHOWN], "", "the answer is not valid JSON"),), (raw,))
    items = cast(Mapping[str, object], document).get("extractions") if isinstance(document, dict) else document
    if not isinstance(items, list):
        return Extracted((), (_refuse(raw[:_SHOWN], "", "the answer has no list 'extractions'"),), (raw,))
    found = read_items(cast(list[object], items))
    return Extracted(found.candidates, found.rejected, (raw,))


def read_items(items: Sequence[object]) -> Extracted:
    """Candidates from objects with text, type, confidence and reasoning; what is not one is refused with its reason."""
    candidates: list[Candidate] = []
    rejected: list[Rejection] = []
    for item in items[:MOST_ITEMS]:
        read = _read_item(item)
        if isinstance(read, Candidate):
            candidates.append(read)
        else:
            rejected.append(read)
    if len(items) > MOST_ITEMS:
        rejected.append(_refuse("", "", f"{len(items) - MOST_ITEMS} further items: at most {MOST_ITEMS} are read"))
    return Extracted(tuple(candidates), tuple(rejected))


def is_readable(raw: str) -> bool:
    """Whether asking again could help: nothing could be read at all."""
    return _parse(raw) is not None


def _parse(raw: str) -> object | None:
    """The JSON value of an answer, bare, fenced, or between other words."""
    fenced = _FENCE.search(raw)
    start, end = raw.find("{"), raw.rfind("}")
    between = raw[start : end + 1] if 0 <= start < end else ""
    for text in (raw, fenced.group(1) if fenced else "", between):
        if not text.strip():
            continue
        try:
            document: object = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(document, dict | list):
            return cast(object, document)
    return None


def _read_item(item: object) -> Candidate | Rejection:
    if not isinstance(item, dict):
        return _refuse(json.dumps(item, default=str)[:_SHOWN], "", "not an object")
    fields = cast(Mapping[str, object], item)
    text, kind, confidence = fields.get("text"), fields.get("type"), fields.get("confidence")
    shown = text[:_SHOWN] if isinstance(text, str) else ""
    named = kind if isinstance(kind, str) else ""
    missing = [name for name in _REQUIRED if fields.get(name) is None]
    if missing:
        return _refuse(shown, named, f"missing field: {', '.join(missing)}")
    if not isinstance(text, str) or not text.strip():
        return _refuse(shown, named, "text must be words")
    known = next((member for member in MemoryKind if member.value == named.strip().upper()), None)
    if known is None:
        return _refuse(shown, named, f"unknown type {named!r}; it is one of {', '.join(MemoryKind)}")
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not math.isfinite(confidence):
        return _refuse(shown, named, "confidence must be a number")
    if not LOWEST <= confidence <= HIGHEST:
        return _refuse_confidence(shown, known, float(confidence))
    return Candidate(text.strip(), known, float(confidence), str(fields["reasoning"]))


def _refuse(text: str, kind: str, detail: str) -> Rejection:
    return Rejection(text, kind, RejectionReason.TYPE_RULE, 0.0, None, {"reason": f"malformed: {detail}"})


def _refuse_confidence(text: str, kind: MemoryKind, confidence: float) -> Rejection:
    """Too little is below every threshold; too much is a claim that no extractor may make."""
    reason = RejectionReason.BELOW_THRESHOLD if confidence < LOWEST else RejectionReason.TYPE_RULE
    detail = {"reason": f"confidence {confidence:g} is outside {LOWEST:.2f}-{HIGHEST:.2f}"}
    return Rejection(text, kind.value, reason, confidence, RULES[kind].threshold, detail)
