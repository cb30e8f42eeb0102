"""Values fitted to sentences, whatever the sentence and whatever the value."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from groundwire.detect.mitigation import HallucinationMitigator, find_correction
from groundwire.detect.repair.edits import apply_changes
from groundwire.detect.repair.fitting import fit_value, put_value
from groundwire.text.claims import extract_claims
from groundwire.types import Span
from groundwire.types.detection import Correct, HallucinationFlag, HallucinationType, Remove

TEXTS = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        [
            "She is an engineer in Oslo, and he is a baker.",
            "The meeting is on Tuesday 3 March 2026 at a quarter to nine.",
            "Ada’s dog — “Rex” — weighs 12 kg (about 26 lb).",
            "Der Zug fährt um 9:15 Uhr ab. 列車は九時に出ます。",
        ]
    ),
)
VALUES = st.one_of(st.text(max_size=30), st.sampled_from(["2026-03-28", "Monday", "9:15", "7", "a pilot", "São Paulo"]))


@given(TEXTS, st.integers(0, 60), st.integers(0, 20), VALUES)
def test_a_fitted_value_lies_within_the_span_and_nothing_else_changes(text: str, start: int, length: int, value: str):
    span = Span(min(start, len(text)), min(start + length, len(text)))
    if span.start == span.end:
        return
    fitted = fit_value(text, span, value)
    if fitted is None:
        return
    place, words = fitted
    assert span.start <= place.start <= place.end <= span.end
    assert words and len(words) <= 200
    change = put_value(text, place, words)
    edited = apply_changes(text, [change])
    assert edited.startswith(text[: change.span.start])
    assert edited.endswith(text[place.end :])
    assert change.span.end == place.end


@given(TEXTS, st.integers(0, 60), st.integers(1, 20), VALUES)
def test_the_original_is_always_what_stands_there(text: str, start: int, length: int, value: str):
    span = Span(min(start, len(text)), min(start + length, len(text)))
    flag = HallucinationFlag(span, "x", HallucinationType.WRONG_ATTRIBUTE, 0.9, correct_value=value, value_span=span)
    found = find_correction(text, flag)
    if found is not None:
        assert text[found.span.start : found.span.end] == found.original != found.replacement


SENTENCES = (
    "Ada lives in Oslo and works at Initech.",
    "The tower, which was built in 1889, is in Paris.",
    "Bob is an engineer.",
    "Because the pump failed, the plant closed on Friday.",
    "Is it open?",
)


@given(st.lists(st.sampled_from(SENTENCES), min_size=2, max_size=4), st.data())
def test_sentences_without_a_flag_stay_letter_by_letter(sentences: list[str], data: st.DataObject):
    text = "\n\n".join(sentences)
    flags: list[HallucinationFlag] = []
    for claim in extract_claims(text):
        if data.draw(st.booleans()):
            flag = HallucinationFlag(claim.span, claim.text, HallucinationType.FABRICATED_FACT, 0.8, incident=1)
            if claim.value_span is not None and data.draw(st.booleans()):
                flag = replace(flag, correct_value="Lima", value_span=claim.value_span)
            flags.append(flag)
    done = HallucinationMitigator().mitigate(text, flags)
    at = 0
    for sentence in sentences:
        place = Span(text.index(sentence, at), text.index(sentence, at) + len(sentence))
        at = place.end
        touched = any(flag.span.start < place.end and place.start < flag.span.end for flag in flags)
        assert touched or sentence in done.mitigated
    if not any(isinstance(action, Correct | Remove) for action in done.actions):
        assert not flags or "[fact not verifiable]" in done.mitigated or done.mitigated == text
    assert "  " not in done.mitigated and "\n\n\n" not in done.mitigated
