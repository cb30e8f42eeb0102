from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.surfaces.layout import Mark, Tone, View, cells, underline, wrap
from groundwire.surfaces.rendering import render_claims, render_facts, render_judgement, render_report
from groundwire.types import (
    Action,
    Claim,
    ClaimReport,
    ContradictionDetail,
    Disclosure,
    ExtractedFact,
    Memory,
    Passage,
    Polarity,
    Span,
    Standing,
    Tense,
    Verdict,
    VerificationReport,
    VerifierOutput,
)

ANSI = re.compile(r"\x1b\[[0-9;]*m")
ANSWER = "You work at Amazon and live in Rome. Your dog is Rex. You play chess."
MEMORIES = (
    Memory("m1", "User works at Globex", trust=0.9, timestamp=1_709_251_200),
    Memory("m2", "User lives in Oslo", timestamp=0),
    Memory("m3", "User lives in Rome"),
    Memory("m4", "User plays chess"),
)


def place(words: str, text: str = ANSWER) -> Span:
    start = text.index(words)
    return Span(start, start + len(words))


def claim_report(
    words: str, standing: Standing, verdict: Verdict, evidence: tuple[str, ...], **more: object
) -> ClaimReport:
    return ClaimReport(
        claim=Claim(text=f"{words}.", span=place(words)),
        verdict=verdict,
        standing=standing,
        confidence=0.93,
        evidence=evidence,
        explanation=f"because of {standing.value}",
        action=Action.CONTINUE,
        **more,  # type: ignore[arg-type]
    )


REPORT = VerificationReport(
    text=ANSWER,
    grounded=False,
    claims=(
        claim_report(
            "You work at Amazon",
            Standing.REFUTED,
            Verdict.REFUTED,
            ("m1",),
            wrong=place("Amazon"),
            correction="Globex",
        ),
        claim_report("live in Rome", Standing.CONFLICTING, Verdict.SUPPORTED, ("m3",)),
        claim_report("Your dog is Rex", Standing.UNSUPPORTED, Verdict.INSUFFICIENT, ()),
        claim_report("You play chess", Standing.SUPPORTED, Verdict.SUPPORTED, ("m4",)),
    ),
    hallucinations=("Amazon",),
    unverifiable=("Your dog is Rex",),
    contradictions=(ContradictionDetail("location", ("Oslo", "Rome"), ("m2", "m3"), (1.0, 0.8), (0, None)),),
    requires_disclosure=True,
    expected_disclosure="Rome (changed from Oslo)",
    disclosures=(
        Disclosure("location", "user", "Rome (changed from Oslo)", ("Oslo", "Rome"), ("m2", "m3"), place("Rome")),
    ),
    grounding_map={"chess": "m4"},
    corrected="You work at Globex and live in Rome (changed from Oslo). You play chess.",
    action=Action.BRANCH,
    confidence=0.93,
    latency_ms=1.0,
    judge="rules.v1",
    caveat="one claim could not be verified",
)


def test_the_report_puts_markers_under_what_is_wrong_unverified_and_undisclosed() -> None:
    lines = render_report(REPORT, MEMORIES, View(width=100)).splitlines()
    answer = next(index for index, line in enumerate(lines) if line.strip() == ANSWER)
    markers = lines[answer + 1]
    at = lines[answer].index
    assert markers[at("Amazon") : at("Amazon") + 6] == "^^^^^^"
    assert markers[at("Rome") : at("Rome") + 4] == "!!!!"
    assert markers[at("Your dog") : at("Your dog") + 15] == "~" * 15
    assert set(markers) == set(" ^!~")
    assert "^ refuted" in "\n".join(lines)


def test_the_report_shows_evidence_beside_claims_contradictions_disclosure_and_correction() -> None:
    page = render_report(REPORT, MEMORIES, View(width=100))
    row = next(line for line in page.splitlines() if line.startswith("  ✗ refuted"))
    assert "0.93" in row and "You work at Amazon." in row
    assert "m1: User works at Globex (trust 0.90" in row
    for words in (
        "NOT GROUNDED",
        "4 claims: 1 supported, 1 refuted, 1 conflicting, 1 unsupported, disclosure missing; BRANCH",
        "2024-03-01",
        "instead: Globex",
        "user, location: Oslo [m2] (1970-01-01) / Rome [m3] (trust 0.80)",
        "Rome (changed from Oslo)",
        "You work at Globex and live in Rome (changed from Oslo). You play chess.",
        "Caveat: one claim could not be verified",
    ):
        assert words in page


def test_colour_adds_nothing_but_colour() -> None:
    plain = render_report(REPORT, MEMORIES, View(width=100))
    coloured = render_report(REPORT, MEMORIES, View(width=100, color=True))
    assert "\x1b" not in plain
    assert "\x1b[31mAmazon\x1b[0m" in coloured
    assert ANSI.sub("", coloured) == plain


@pytest.mark.parametrize("width", [10, 24, 40, 60, 76, 80, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    page = render_report(REPORT, MEMORIES, View(width=width))
    assert max(sum(map(cells, line)) for line in page.splitlines()) <= max(24, min(width, 120))
    assert "^^^" in page


def test_a_terminal_without_unicode_gets_plain_signs() -> None:
    page = render_report(REPORT, MEMORIES, View(width=100, symbols=False))
    assert page.isascii()
    assert "x refuted" in page and "+ supported" in page


def test_markers_stand_under_wide_and_combining_characters() -> None:
    text = "東京にe\u0301住む"
    assert underline(text, [Mark(Span(2, 5), "^", Tone.BAD)], View(), 0) == [text, "    ^^^"]
    assert underline(text, [Mark(Span(5, 7), "~", Tone.BAD)], View(), 0) == [text, " " * 7 + "~~~~"]


def test_rows_break_after_spaces_and_words_that_are_too_long_break_anywhere() -> None:
    assert wrap("one two three", 8) == ["one two", "three"]
    assert wrap("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert wrap("漢字漢字", 5) == ["漢字", "漢字"]
    assert wrap("one two ", 7) == ["one two"]


def test_text_cannot_steer_the_terminal() -> None:
    hostile = "a\x1b[31mb\x07c\x9bd\u202ee\rf\ud800"
    (shown,) = underline(hostile, [], View(), 0)
    assert len(shown) == len(hostile)
    assert shown.isprintable()
    page = render_judgement(hostile, [Passage("\x1bid", hostile)], judgement(), View())
    assert all(line.isprintable() for line in page.splitlines())


def judgement(verdict: Verdict = Verdict.REFUTED, used: tuple[str, ...] = ("e1",)) -> VerifierOutput:
    return VerifierOutput(
        verdict=verdict,
        confidence=0.9,
        probabilities={Verdict.SUPPORTED: 0.04, Verdict.REFUTED: 0.9, Verdict.INSUFFICIENT: 0.06},
        explanation="employer is Globex",
        evidence_used=used,
        action=Action.BRANCH,
        latency_ms=0.2,
        judge="rules.v1",
        low_confidence=True,
    )


def test_a_judgement_shows_the_evidence_it_used_and_why() -> None:
    page = render_judgement(
        "You work at Amazon.", [Passage("e1", "Globex it is"), Passage("e2", "noise")], judgement(), View()
    )
    assert page.startswith("✗ REFUTED 0.90\n")
    for words in ("You work at Amazon.", "e1: Globex it is", "employer is Globex", "SUPPORTED 0.04", "low confidence"):
        assert words in page
    assert "noise" not in page


def test_claims_and_facts_have_a_view() -> None:
    claim = Claim("You do not smoke.", Span(3, 20), polarity=Polarity.NEGATIVE, tense=Tense.PAST, hedged=True)
    assert "3-20" in render_claims([claim], View())
    assert "You do not smoke.  (negated, past, hedged)" in render_claims([claim], View())
    text = "I moved to Berlin in May."
    fact = ExtractedFact("user", "location", "berlin", "Berlin", Span(0, 25), Span(11, 17), "frame", when="May")
    page = render_facts(text, [fact], View()).splitlines()
    assert page[2:4] == [f"  {text}", "             ^^^^^^"]
    assert page[5] == "  user: location = berlin  (May)"
    assert (render_claims([], View()), render_facts("x", [], View())) == ("no claims\n", "no facts\n")


def test_a_report_without_claims_says_so() -> None:
    report = VerificationReport(
        "Hello!", True, (), (), (), (), False, None, (), {}, None, Action.CONTINUE, 1.0, 0.1, "rules.v1"
    )
    assert render_report(report, (), View()) == "✓ GROUNDED\nno claims to check\n\n  Hello!\n"


@given(st.text(), st.integers(0, 60), st.integers(0, 60), st.integers(1, 40))
def test_any_text_wraps_within_the_width_and_keeps_its_characters(text: str, start: int, end: int, width: int) -> None:
    rows = wrap(text, width)
    kept = "".join("".join(row.split()) for row in rows)
    assert kept == "".join(text.split())
    assert all(sum(map(cells, row)) <= max(width, 2) for row in rows)
    underline(text, [Mark(Span(start, end), "^", Tone.BAD)], View(width), 0)
