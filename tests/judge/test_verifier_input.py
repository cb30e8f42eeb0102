"""What the verifier takes, and what it needs to take it: a claim, passages with ids, a question, a mode, and room."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys

import pytest

from groundwire.app import Groundwire
from groundwire.judge.encoder import MAX_CLAIM_TOKENS, MAX_CONTEXT_TOKENS, MAX_PASSAGES
from groundwire.settings import Settings
from groundwire.types import Passage, Verdict, VerifierInput, VerifyMode

GATE = Groundwire(settings=Settings(judge="mini"))
WINDOW_TOKENS, BOUND_MB = 1024, 400


@pytest.mark.requirement("JDG-005")
def test_a_question_has_a_claim_evidence_with_ids_a_context_and_a_mode():
    fields = [field.name for field in dataclasses.fields(VerifierInput)]
    assert fields == ["claim", "evidence", "context", "mode"]
    assert VerifierInput("c", ()).mode is VerifyMode.POSTHOC
    assert (MAX_CLAIM_TOKENS, MAX_PASSAGES, MAX_CONTEXT_TOKENS) == (256, 5, 256)


@pytest.mark.requirement("JDG-005")
def test_the_passages_that_decided_are_named_by_their_ids():
    passages = [Passage("note-7", "The boiler was replaced in 2021."), Passage("note-8", "The roof is made of slate.")]
    found = GATE.judge("The boiler was replaced in 2021.", passages, context="When was the boiler replaced?")
    assert (found.verdict, found.evidence_used) == (Verdict.SUPPORTED, ("note-7",))


@pytest.mark.requirement("JDG-005", "JDG-003")
def test_a_long_claim_and_a_long_passage_are_read_to_their_ends():
    towns = [f"Station {i} of the mountain railway lies {i * 37} metres above the lake." for i in range(1, 33)]
    passage = " ".join(towns) + " The engine house burnt down in 1911."
    assert len(passage.split()) > 300
    found = GATE.judge("The engine house burnt down in 1911.", [Passage("history", passage)])
    assert (found.verdict, found.truncated) == (Verdict.SUPPORTED, False)


@pytest.mark.requirement("JDG-003")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peak memory is read from Linux's own accounts")
def test_judging_a_full_window_stays_within_its_memory():
    script = f"""
import json, re
from pathlib import Path
from groundwire.app import Groundwire
from groundwire.settings import Settings
from groundwire.types import Passage

gate = Groundwire(settings=Settings(judge="mini-alone"))
words = " ".join(f"gauge {{i}} reads {{i * 3}} bar," for i in range({WINDOW_TOKENS // 6}))
found = gate.judge("Gauge 5 reads 15 bar.", [Passage("log", "The log says: " + words)])
peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
print(json.dumps([found.verdict, int(peak[1]) / 1024]))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    verdict, peak_mb = json.loads(done.stdout)
    assert verdict in list(Verdict)
    assert peak_mb < BOUND_MB
