"""From an answer to its flags: read once, every detector for itself, weighed, merged, linked."""

from __future__ import annotations

import ast
import logging
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest
from flag_samples import NOW, Finding, NothingKnown, NothingSaid, flag, make_detector, span_of

from groundwire.detect.config import DETECTOR_NAMES, EnabledDetectors, HallucinationDetectorConfig
from groundwire.detect.detector import HallucinationDetector, limit_claims
from groundwire.detect.examination import Detector, Examination
from groundwire.detect.incidents import link_incidents, merge_overlapping
from groundwire.detect.registry import DETECTOR_MODULES
from groundwire.errors import InvalidInput, ModelMissing
from groundwire.judge.judge import RulesJudge
from groundwire.text.segments import segment_response
from groundwire.types import Span
from groundwire.types.detection import HallucinationFlag, HallucinationType, KBEvidence, Stance

T = HallucinationType
TEXT = "Ada Lovelace works in Marketing. The plant was built in 1847. It is red."


def examine(detector: HallucinationDetector, text: str = TEXT):
    return detector.examine(text, NothingSaid(), NothingKnown(), NOW)


@pytest.mark.requirement("DET-012", "DET-013")
def test_the_defaults():
    config = HallucinationDetectorConfig()
    assert (config.detection_threshold, config.max_claims, dict(config.detector_weights)) == (0.5, 50, {})
    assert config.enabled_detectors.names == DETECTOR_NAMES
    assert DETECTOR_NAMES == (
        "fabricated_facts",
        "nonexistent_entities",
        "wrong_attributes",
        "kb_contradictions",
        "history_contradictions",
        "unsupported_claims",
        "temporal_errors",
        "logical_inconsistencies",
    )


@pytest.mark.requirement("DET-012")
@pytest.mark.parametrize(
    "wrong",
    [
        {"detection_threshold": 1.1},
        {"detection_threshold": "0.5"},
        {"max_claims": 0},
        {"max_claims": True},
        {"detector_weights": {"typos": 1.0}},
        {"detector_weights": {"temporal_errors": -1.0}},
        {"detector_weights": {"temporal_errors": float("nan")}},
    ],
)
def test_a_configuration_out_of_range_is_refused(wrong: dict[str, object]):
    with pytest.raises(InvalidInput):
        HallucinationDetectorConfig(**wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput):
        EnabledDetectors(temporal_errors="no")  # type: ignore[arg-type]


@pytest.mark.requirement("DET-002")
def test_the_answer_is_read_once_and_all_see_the_same():
    seen: list[Examination] = []

    def look(examined: Examination) -> Sequence[HallucinationFlag]:
        seen.append(examined)
        return ()

    flags = make_detector(dict.fromkeys(DETECTOR_NAMES, look)).detect(TEXT, NothingSaid(), NothingKnown(), NOW)
    assert flags == []
    assert len(seen) == 8
    assert len({id(examined.segments) for examined in seen}) == 1
    assert [segment.text for segment in seen[0].segments] == TEXT.replace(". ", ".|").split("|")


@pytest.mark.requirement("DET-001", "DET-002", "DET-010")
def test_flags_come_scored_in_text_order():
    late = flag(TEXT, "The plant was built in 1847", T.TEMPORAL_ERROR, 0.8)
    early = flag(TEXT, "Marketing", T.WRONG_ATTRIBUTE, 0.9, wrong="Marketing", right="Engineering")
    detector = make_detector({"temporal_errors": lambda _: [late], "wrong_attributes": lambda _: [early]})
    found = detector.detect(TEXT, NothingSaid(), NothingKnown(), NOW)
    assert [f.content for f in found] == ["Marketing", "The plant was built in 1847"]
    assert [f.raw_confidence for f in found] == [0.9, 0.8]
    assert [f.detector for f in found] == ["wrong_attributes", "temporal_errors"]
    assert all(f.factors["score"] == f.confidence for f in found)


@pytest.mark.requirement("DET-012")
def test_a_weight_multiplies_the_confidence_and_is_clamped():
    one = flag(TEXT, "1847", T.TEMPORAL_ERROR, 0.8)
    for weight, expected in ((0.7, [0.56]), (0.5, []), (9.0, [1.0])):
        config = HallucinationDetectorConfig(detector_weights={"temporal_errors": weight})
        found = examine(make_detector({"temporal_errors": lambda _: [one]}, config=config)).flags
        assert [f.raw_confidence for f in found] == pytest.approx(expected)


@pytest.mark.requirement("DET-013")
def test_a_detector_that_is_off_is_not_even_made():
    def refuse() -> Detector:
        raise AssertionError("made although it is off")

    names = {name: False for name in DETECTOR_NAMES if name != "temporal_errors"}
    config = HallucinationDetectorConfig(enabled_detectors=EnabledDetectors(**names))
    makers = dict.fromkeys(names, refuse)
    one = Finding("temporal_errors", lambda _: [flag(TEXT, "1847", T.TEMPORAL_ERROR, 0.8)])
    detector = HallucinationDetector(
        config,
        judge=RulesJudge(lambda: 0.0),
        similarity=lambda a, b: 0.0,
        detectors={**makers, "temporal_errors": lambda: one},
    )
    found = examine(detector)
    assert [f.hallucination_type for f in found.flags] == [T.TEMPORAL_ERROR]
    assert found.errors == {}


@pytest.mark.requirement("DET-048")
def test_a_detector_that_fails_is_named_and_the_others_stand():
    def fail(_: Examination) -> Sequence[HallucinationFlag]:
        raise ZeroDivisionError("by nought")

    def miss(_: Examination) -> Sequence[HallucinationFlag]:
        raise ModelMissing("there is no model", "install one")

    def misquote(_: Examination) -> Sequence[HallucinationFlag]:
        return [HallucinationFlag(Span(0, 9_999), "?", T.FABRICATED_FACT, 0.9)]

    detector = make_detector(
        {
            "kb_contradictions": fail,
            "history_contradictions": miss,
            "fabricated_facts": misquote,
            "temporal_errors": lambda _: [flag(TEXT, "1847", T.TEMPORAL_ERROR, 0.8)],
        }
    )
    found = examine(detector)
    assert [f.content for f in found.flags] == ["1847"]
    assert found.errors == {
        "fabricated_facts": "ValueError",
        "kb_contradictions": "ZeroDivisionError",
        "history_contradictions": "ModelMissing: there is no model; install one",
    }


@pytest.mark.requirement("DET-014", "DET-039")
def test_detector_and_score_must_both_reach_the_threshold():
    weak = flag(TEXT, "1847", T.CONTRADICTS_FACT, 0.49)
    mild = flag(TEXT, "It is red", T.UNSUPPORTED_CLAIM, 0.5, kb=KBEvidence(Stance.SUPPORTS))
    answers = {"kb_contradictions": lambda _: [weak], "unsupported_claims": lambda _: [mild]}
    assert examine(make_detector(answers)).flags == ()
    low = HallucinationDetectorConfig(detection_threshold=0.4)
    assert len(examine(make_detector(answers, config=low)).flags) == 2


def test_wording_is_read_in_the_sentence_of_the_flag():
    text = "The plant was possibly built in 1847. The tower was built in 1848."
    flags = [flag(text, "1847", T.TEMPORAL_ERROR, 0.8), flag(text, "1848", T.TEMPORAL_ERROR, 0.8)]
    first, second = examine(make_detector({"temporal_errors": lambda _: flags}), text).flags
    assert first.factors["linguistic_signals"] < 1.0
    assert second.factors["linguistic_signals"] == 1.0


@pytest.mark.requirement("DET-012")
def test_only_so_many_claims_are_analysed_and_the_rest_is_counted():
    text = "Ada lives in Oslo and works at Initech. Bob is a baker. Is it so? Eve is a judge. The end is near."
    segments = segment_response(text, NOW)
    kept, left_out = limit_claims(segments, 3)
    assert sum(len(segment.claims) for segment in kept) == 3
    assert left_out == sum(len(segment.claims) for segment in segments) - 3
    assert [segment.text for segment in kept][-1] in ("Bob is a baker.", "Is it so?")
    cut, left_out = limit_claims(segments, 1)
    assert [claim.text for segment in cut for claim in segment.claims] == ["Ada lives in Oslo"]
    config = HallucinationDetectorConfig(max_claims=1)
    seen: list[str] = []

    def look(examined: Examination) -> Sequence[HallucinationFlag]:
        seen.append(examined.text)
        return ()

    found = examine(make_detector({"temporal_errors": look}, config=config), text)
    assert (found.metrics.claims_checked, found.not_analysed) == (1, left_out)
    assert seen == ["Ada lives in Oslo and works at Initech."]


def test_what_it_took_is_measured():
    ticks = iter([1.0, 1.5])
    metrics = examine(make_detector({}, clock=lambda: next(ticks))).metrics
    assert metrics.detection_time_ms == pytest.approx(500.0)
    assert metrics.segments_analyzed == 3
    assert metrics.claims_checked == 3
    assert metrics.entities_verified >= 1


@pytest.mark.requirement("DET-047")
def test_each_run_is_logged(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO, "groundwire.detect")
    sure = flag(TEXT, "1847", T.CONTRADICTS_FACT, 1.0)
    mild = flag(TEXT, "Marketing", T.UNSUPPORTED_CLAIM, 0.7)
    examine(make_detector({"kb_contradictions": lambda _: [sure], "unsupported_claims": lambda _: [mild]}))
    assert caplog.messages == [
        "detection: total_flags=2 high_confidence=1 types=['ContradictsFact', 'UnsupportedClaim']"
    ]


def test_hostile_answers_are_read_without_harm():
    detector = make_detector({})
    for text in ("", "\x00", "((((" * 5_000, "🙂" * 5_000, "a" * 200_000, "Ada is red. " * 5_000):
        assert examine(detector, text).flags == ()


# ── merging and linking ─────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-014")
def test_overlapping_flags_of_one_type_merge_into_the_strongest():
    strong = flag(TEXT, "The plant was built in 1847", T.FABRICATED_FACT, 0.9)
    weak = flag(TEXT, "1847", T.FABRICATED_FACT, 0.6, wrong="1847", right="1947")
    merged = merge_overlapping([weak, strong])
    assert [(f.content, f.confidence, f.correct_value) for f in merged] == [(strong.content, 0.9, "1947")]
    apart = flag(TEXT, "It is red", T.FABRICATED_FACT, 0.7)
    other = flag(TEXT, "1847", T.TEMPORAL_ERROR, 0.6)
    assert len(merge_overlapping([strong, weak, apart, other])) == 3


def test_two_wrong_values_in_one_claim_are_two_faults():
    text = "Ada works in Marketing in Rome."
    flags = [
        flag(text, text[:-1], T.WRONG_ATTRIBUTE, 0.9, wrong="Marketing", right="Sales"),
        flag(text, text[:-1], T.WRONG_ATTRIBUTE, 0.8, wrong="Rome", right="Oslo"),
    ]
    assert [f.correct_value for f in merge_overlapping(flags)] == ["Sales", "Oslo"]


@pytest.mark.requirement("DET-021")
def test_a_wrong_attribute_is_not_flagged_again_as_a_contradiction():
    wrong = flag(TEXT, "Marketing", T.WRONG_ATTRIBUTE, 0.7, claim_span=span_of(TEXT, "Ada Lovelace works in Marketing"))
    echo = flag(TEXT, "Ada Lovelace works in Marketing", T.CONTRADICTS_FACT, 0.95)
    elsewhere = flag(TEXT, "1847", T.CONTRADICTS_FACT, 0.95)
    assert merge_overlapping([echo, wrong, elsewhere]) == [wrong, elsewhere]


@pytest.mark.requirement("DET-014", "DET-045")
def test_different_types_on_one_claim_are_one_incident():
    fabricated = flag(TEXT, "Ada Lovelace works in Marketing", T.FABRICATED_FACT, 0.9)
    unknown = flag(TEXT, "Ada Lovelace", T.NONEXISTENT_ENTITY, 0.9)
    elsewhere = flag(TEXT, "1847", T.TEMPORAL_ERROR, 0.9)
    found = examine(
        make_detector(
            {
                "fabricated_facts": lambda _: [fabricated],
                "nonexistent_entities": lambda _: [unknown],
                "temporal_errors": lambda _: [elsewhere],
            }
        )
    )
    assert [f.incident for f in found.flags] == [1, 1, 2]
    strongest = max(f.confidence for f in found.flags[:2])
    assert found.confidence == pytest.approx((1 - 0.5 * strongest) * (1 - 0.5 * found.flags[2].confidence))


def test_a_flag_outside_all_claims_is_an_incident_by_itself():
    text = "Is Zorblat open? Ada is a baker."
    claims = [claim for segment in segment_response(text, NOW) for claim in segment.claims]
    flags = [flag(text, "Zorblat", T.NONEXISTENT_ENTITY), flag(text, "Ada"), flag(text, "baker", T.WRONG_ATTRIBUTE)]
    assert [f.incident for f in link_incidents(flags, claims)] == [1, 2, 2]


def test_the_innermost_claim_owns_a_flag():
    text = "The tower, which was built in 1889, is in Paris."
    claims = [claim for segment in segment_response(text, NOW) for claim in segment.claims]
    inner, outer = link_incidents([flag(text, "1889"), flag(text, "Paris", T.WRONG_ATTRIBUTE)], claims)
    assert inner.incident != outer.incident
    assert inner.claim_span == span_of(text, "was built in 1889")


def test_thousands_of_flags_are_merged_in_no_time():
    text = "Zorblat " * 20_000
    flags = [HallucinationFlag(Span(i * 8, i * 8 + 7), "Zorblat", T.NONEXISTENT_ENTITY, 0.9) for i in range(20_000)]
    merged = merge_overlapping(flags)
    assert len(merged) == len(link_incidents(merged, ())) == 20_000
    assert text


def test_the_same_answer_gives_the_same_flags():
    flags = [flag(TEXT, "1847", T.TEMPORAL_ERROR, 0.8), flag(TEXT, "red", T.TEMPORAL_ERROR, 0.8, suggestion="?")]
    one = examine(make_detector({"temporal_errors": lambda _: flags}))
    other = examine(make_detector({"temporal_errors": lambda _: list(reversed(flags))}))
    assert one.flags == other.flags


def test_no_detector_imports_another():
    homes = {f"groundwire.detect.{module}" for module in DETECTOR_MODULES}
    for home in sorted(homes):
        source = Path(find_spec(home).origin or "")  # type: ignore[union-attr]
        tree = ast.parse(source.read_text(encoding="utf-8"))
        imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not imported & (homes - {home}), f"{home} imports another detector"
