"""The model that ships with the package: whole, small, and good for the plainest cases."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import pytest

from groundwire import Groundwire
from groundwire.errors import ModelUnavailable
from groundwire.judge.calibration import read_calibration
from groundwire.models.files import CALIBRATION, REQUIRED, find_model, packaged_models
from groundwire.models.onnx import OnnxPairScorer
from groundwire.settings import Settings
from groundwire.types import Passage, Verdict

SUPPORTED, REFUTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT


@pytest.fixture(scope="module")
def scorer() -> OnnxPairScorer:
    return OnnxPairScorer(find_model("mini"), read_calibration)


@pytest.mark.requirement("SEC-014")
def test_every_file_is_what_its_manifest_says():
    files = find_model("mini")
    files.verify()
    assert files.manifest.name == "mini"
    assert set(REQUIRED) <= set(files.manifest.files)
    present = {path.name for path in (packaged_models() / "mini").iterdir()}
    assert present == {*files.manifest.files, "manifest.json"}, "nothing ships that no hash vouches for"


MEASURE = """
from pathlib import Path
from groundwire import Groundwire
found = Groundwire().judge("The bridge is closed to lorries.", ["Heavy vehicles take another way. " * 200])
assert found.model, found
status = Path("/proc/self/status").read_text()  # the peak of this process alone, not of the one that started it
print(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))
"""


@pytest.mark.requirement("JDG-002")
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of the memory is read from /proc")
def test_it_stays_within_the_bounds_on_disk_and_in_memory():
    manifest = find_model("mini").manifest
    assert sum(file.size for file in manifest.files.values()) <= 46_900_000
    assert manifest.details["parameters"] <= 150_000_000
    done = subprocess.run([sys.executable, "-c", MEASURE], capture_output=True, text=True, check=True)
    assert int(done.stdout) <= 400 * 1024


def test_its_calibration_is_stored_beside_it_and_can_be_read():
    files = find_model("mini")
    calibration = read_calibration(files.read_json(CALIBRATION))
    assert calibration.version
    assert sum(calibration.calibrate([2.0, -1.0, 0.5])) == pytest.approx(1.0)


HOSTILE = ["", " ", "\x00", "é" * 600, "word " * 3000, "😀" * 50, "[SEP] [CLS] [PAD]", "مرحبا بالعالم"]


@pytest.mark.requirement("JDG-004")
def test_scores_are_probabilities_whatever_is_asked(scorer: OnnxPairScorer):
    pairs = [(evidence, claim) for evidence in HOSTILE for claim in ("It rained.", *HOSTILE[5:])]
    for scores in scorer.score(pairs):
        assert sum(scores) == pytest.approx(1.0, abs=1e-4)
        assert all(0.0 <= score <= 1.0 for score in scores)


def test_no_claim_and_no_evidence_is_too_strange_to_be_judged():
    gate = Groundwire(settings=Settings(judge="mini-alone", max_windows=2))
    passages = [Passage(f"p{i}", evidence) for i, evidence in enumerate(HOSTILE)]
    for claim in HOSTILE:
        found = gate.judge(claim, passages)
        assert sum(found.probabilities.values()) == pytest.approx(1.0, abs=1e-4)
        assert found.confidence == found.probabilities[found.verdict]


@pytest.mark.requirement("JDG-022")
def test_a_pair_scores_the_same_alone_together_and_again(scorer: OnnxPairScorer):
    pairs = [
        ("A cat was sitting on a mat.", "The cat sat on the mat."),
        ("It rained. " * 40, "It was dry."),
        ("No.", "Yes."),
    ]
    together = scorer.score(pairs)
    assert scorer.score(pairs) == together
    for pair, scores in zip(pairs, together, strict=True):
        assert list(scorer.score([pair])[0]) == pytest.approx(list(scores), abs=1e-3)


PLAIN: Sequence[tuple[str, str, Verdict]] = [
    ("A man is playing a guitar on stage.", "A man is playing an instrument.", SUPPORTED),
    ("The meeting has been cancelled.", "The meeting will not take place.", SUPPORTED),
    ("A man is sleeping in his bed.", "A man is running a marathon.", REFUTED),
    ("The shop is open every day of the week.", "The shop is closed on all days.", REFUTED),
    ("A woman walks her dog.", "The parliament passed a law on taxes.", INSUFFICIENT),
    ("The library opens at nine.", "The soup contains garlic.", INSUFFICIENT),
]


def test_most_of_the_plainest_cases_are_right(scorer: OnnxPairScorer):
    found = [scores.verdict for scores in scorer.score([(evidence, claim) for evidence, claim, _ in PLAIN])]
    right = [verdict is expected for verdict, (_, _, expected) in zip(found, PLAIN, strict=True)]
    assert sum(right) >= 5, found


def test_it_judges_by_default_and_alone():
    claim, evidence = "A man is playing an instrument.", ["A man is playing a guitar on stage."]
    full_name = find_model("mini").manifest.full_name
    assert Groundwire().judge(claim, evidence).verdict is SUPPORTED
    alone = Groundwire(settings=Settings(judge="mini-alone")).judge(claim, evidence)
    assert (alone.verdict, alone.judge) == (SUPPORTED, full_name)


def test_no_other_model_is_taken_for_it():
    with pytest.raises(ModelUnavailable):
        find_model("base", packaged_models() / "nowhere").verify()


@pytest.mark.requirement("JDG-014")
def test_the_packaged_model_says_how_it_was_calibrated_and_how_well():
    stored = Groundwire().calibration()
    assert stored is not None
    assert stored["method"] == "temperature"
    assert 0.5 < stored["temperature"] < 3
    assert stored["n"] >= 5000
    assert sum(row["n"] for row in stored["table"]) == stored["n"]
    assert stored["cross_validated"][stored["method"]]["ece"] <= 0.10
