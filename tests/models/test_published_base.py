"""The large model as it is published beside the package: whole, small, and able to judge."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.models.files import MANIFEST, open_model

BASE = Path(__file__).parents[2] / "weights" / "base"
PAIRS = {
    "SUPPORTED": ("The meeting, planned for Thursday, will now take place on Friday.", "The meeting is on Friday."),
    "REFUTED": ("Visitors may bring their dogs into the park.", "No dogs are allowed in the park."),
    "INSUFFICIENT": ("Mira bought a new bicycle in April.", "Mira sings in a choir."),
}
CHILD = """
import json, re, sys
from pathlib import Path
from groundwire.judge.calibration import read_calibration
from groundwire.models.files import open_model
from groundwire.models.onnx import OnnxPairScorer

pairs = [tuple(pair) for pair in json.loads(sys.argv[2])]
scores = OnnxPairScorer(open_model(Path(sys.argv[1]), "install it again"), read_calibration).score(pairs)
status = Path("/proc/self/status")  # getrusage would count what the process that started this one had taken
peak = int(re.search(r"VmHWM:\\s+(\\d+) kB", status.read_text())[1]) * 1024 if status.exists() else 0
print(json.dumps({"verdicts": [s.verdict.value for s in scores], "peak": peak}))
"""


@pytest.mark.requirement("JDG-001")
def test_the_published_weights_are_whole_and_of_a_model_below_the_ceiling():
    files = open_model(BASE, "get weights/base again")
    assert {path.name for path in BASE.iterdir()} == {*files.manifest.files, MANIFEST}
    assert all(files.read(name) for name in files.manifest.files)  # each is compared with its hash
    assert 100e6 < files.manifest.details["parameters"] <= 150e6
    assert tuple(files.manifest.labels) == ("SUPPORTED", "REFUTED", "INSUFFICIENT")


@pytest.mark.requirement("JDG-002")
def test_base_is_stored_in_less_than_100_megabytes_and_runs_in_less_than_400():
    assert sum(path.stat().st_size for path in BASE.iterdir()) <= 100e6  # 46.9 hold mini; docs/adr/0013
    long = ("The tower was finished in 1889 and is 330 metres high. " * 20, "The tower is 330 metres high.")
    asked = json.dumps([*PAIRS.values(), long])
    found = subprocess.run([sys.executable, "-c", CHILD, str(BASE), asked], capture_output=True, text=True, check=True)
    result = json.loads(found.stdout)
    assert result["verdicts"] == [*PAIRS, "SUPPORTED"]
    assert result["peak"] < 400e6
