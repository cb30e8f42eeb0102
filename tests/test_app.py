"""The facade: what goes in is checked, what comes out is complete, and the parts work by themselves."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from groundwire import ContradictionDetector, FactExtractor, GroundCheckVerifier, Groundwire, InvalidInput, Memory
from groundwire.app import describe_models, models_folder
from groundwire.errors import ModelMissing, ModelUnavailable
from groundwire.models.files import packaged_models
from groundwire.settings import Settings
from groundwire.surfaces.cli import main
from groundwire.types import Passage, Verdict, VerifierInput, VerifyMode

LIMITS = Settings(max_answer_characters=100, max_memory_characters=50, max_memories=3)


def refuse(field: str, message: str = ""):
    return pytest.raises(InvalidInput, match=rf"(?s)^{field}: .*{message}")


@pytest.mark.requirement("CTR-001")
@pytest.mark.parametrize("trust", [-0.01, 1.01, 7.0, math.nan, math.inf, -math.inf])
def test_trust_out_of_range_is_refused(trust: float):
    with refuse("trust", "'m1'") as error:
        Memory("m1", "I work at Bosch.", trust)
    assert error.value.field == "trust"


@pytest.mark.parametrize(
    ("field", "wrong"),
    [("timestamp", datetime(2026, 1, 5, tzinfo=UTC)), ("timestamp", "2026-01-05"), ("text", None), ("id", 7)],
)
def test_a_memory_with_a_value_of_another_type_is_refused_by_name(field: str, wrong: Any):
    values: dict[str, Any] = {"id": "m1", "text": "I live in Cork.", field: wrong}
    with pytest.raises(InvalidInput, match=field):
        Memory(**values)


@pytest.mark.requirement("CTR-001")
@pytest.mark.parametrize("trust", [0.0, 0.5, 1.0])
def test_trust_in_range_is_taken(trust: float):
    assert Groundwire().verify("You work at Bosch.", memories=[Memory("m1", "I work at Bosch.", trust)]).grounded


@pytest.mark.requirement("CTR-001")
def test_an_id_given_twice_is_refused():
    memories = [Memory("m1", "I work at Bosch."), Memory("m2", "I live in Ulm."), Memory("m1", "I speak Danish.")]
    with refuse("memories", "'m1'"):
        Groundwire().verify("You work at Bosch.", memories=memories)
    with refuse("memories", "'e1'"):
        Groundwire().verify("You work at Bosch.", memories=[Memory("e1", "a")], passages=["b"])
    with refuse("evidence", "'p'"):
        Groundwire().judge("You work at Bosch.", [Passage("p", "a"), Passage("p", "b")])


@pytest.mark.requirement("SEC-012")
def test_the_limits_are_those_of_the_product():
    settings = Groundwire().settings
    assert settings.max_answer_characters == 200_000
    assert settings.max_memory_characters == 8_192
    assert settings.max_memories == 10_000


@pytest.mark.requirement("SEC-012")
def test_a_longer_answer_is_refused_and_one_at_the_limit_is_taken():
    gate = Groundwire()
    for call in (gate.verify, gate.claims, gate.facts):
        with refuse("text", "200,001"):
            call("x" * 200_001)
    with refuse("claim", "200,001"):
        gate.judge("x" * 200_001, ["a"])
    assert Groundwire(settings=LIMITS).verify(" " * 100).grounded
    with refuse("text", "101"):
        Groundwire(settings=LIMITS).verify(" " * 101)


@pytest.mark.requirement("SEC-012")
def test_a_longer_memory_is_refused_by_name():
    with refuse("memories", "'long'.*8,193"):
        Groundwire().verify("Hello!", memories=["I work at Bosch.", Memory("long", "x" * 8_193)])
    with refuse("memories", "'p9'"):
        Groundwire(settings=LIMITS).verify("Hello!", passages=[Passage("p9", "x" * 51)])
    assert Groundwire().verify("Hello!", memories=[" " * 8_192]).grounded


@pytest.mark.requirement("SEC-012")
def test_more_memories_are_refused():
    with refuse("memories", "10,001"):
        Groundwire().verify("Hello!", memories=[""] * 10_001)
    gate = Groundwire(settings=LIMITS)
    assert gate.verify("Hello!", memories=["a", "b", "c"]).grounded
    with refuse("memories", "4"):
        gate.verify("Hello!", memories=["a", "b"], passages=["c", "d"])


@pytest.mark.requirement("CTR-020")
def test_plain_strings_are_memories_of_full_trust_with_numbered_ids():
    report = Groundwire().verify("You work at Bosch and live in Ulm.", memories=["I work at Bosch.", "I live in Ulm."])
    assert report.grounding_map == {"Bosch": "m1", "Ulm": "m2"}


@pytest.mark.requirement("CTR-020")
def test_passages_are_evidence_like_memories():
    report = Groundwire().verify(
        "The meeting is on 3 May. The meeting is in Ulm.",
        passages=[Passage("minutes", "The meeting is on 3 May."), "The meeting is in Ulm."],
    )
    assert report.grounded
    assert set(report.grounding_map.values()) == {"minutes", "e2"}


@pytest.mark.requirement("CTR-027")
def test_the_user_may_be_named():
    memories = ["Nora lives in Cork."]
    assert Groundwire().verify("You live in Cork.", memories=memories, user="Nora").grounded
    assert Groundwire().verify("You live in Galway.", memories=memories, user="Nora").hallucinations == ("Galway",)
    assert Groundwire().verify("You live in Cork.", memories=memories).unverifiable == ("Cork",)
    assert Groundwire().verify("You live in Cork.", memories=memories, user="Dora").unverifiable == ("Cork",)


@pytest.mark.requirement("CTR-029")
def test_the_three_components_work_by_themselves():
    memories = [Memory("a", "I work at Bosch.", 0.9, 1), Memory("b", "I work at Shell.", 0.8, 2)]
    (fact,) = FactExtractor().extract("You work at Bosch.")
    assert (fact.subject, fact.slot_type, fact.raw) == ("user", "employer", "Bosch")
    (found,) = ContradictionDetector().detect(memories)
    assert (found.memory_ids, found.trust_scores, found.timestamps) == (("a", "b"), (0.9, 0.8), (1, 2))
    report = GroundCheckVerifier().verify("You work at Shell.", memories)
    assert report.expected_disclosure == "Shell (changed from Bosch)"


def test_claims_and_facts_of_a_text():
    gate = Groundwire()
    assert [claim.text for claim in gate.claims("Hello! You work at Bosch and live in Ulm.")] == [
        "You work at Bosch",
        "You live in Ulm",
    ]
    assert [(fact.slot_type, fact.raw) for fact in gate.facts("I work at Bosch and live in Ulm.")] == [
        ("employer", "Bosch"),
        ("location", "Ulm"),
    ]


@pytest.mark.requirement("JDG-006", "JDG-010")
def test_a_single_claim_can_be_judged():
    found = Groundwire().judge("You work at Bosch.", ["I work at Shell."], mode=VerifyMode.INLINE)
    assert (found.verdict, found.evidence_used, found.action.value) == (Verdict.REFUTED, ("e1",), "HALT")
    assert found.latency_ms >= 0.0


@pytest.mark.requirement("JDG-012")
def test_judging_without_evidence_is_insufficient():
    assert Groundwire().judge("You work at Bosch.", []).verdict is Verdict.INSUFFICIENT


def test_time_is_measured():
    assert Groundwire().verify("You work at Bosch.", memories=["I work at Bosch."]).latency_ms > 0.0


@pytest.mark.requirement("ACT-004")
def test_judging_follows_the_settings():
    gate = Groundwire(settings=Settings(refute_confidence=1.0))
    assert gate.judge("You work at Bosch.", ["I work at Shell."]).action.value == "CONTINUE"


@pytest.mark.requirement("ACT-003")
def test_low_confidence_follows_the_settings():
    gate = Groundwire(settings=Settings(low_confidence=1.0))
    assert gate.judge("You work at Bosch.", ["I work at Bosch."]).low_confidence


# ── the model behind the judge ──────────────────────────────────────────────────────────────────

CLAIM, EVIDENCE = "The bridge is closed to lorries.", "Heavy vehicles have to take another way over the river."


def damage_graph(folder: Path) -> str:
    """One bit in the middle of the graph."""
    path = folder / "model.onnx"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    return path.name


def truncate_graph(folder: Path) -> str:
    path = folder / "model.onnx"
    path.write_bytes(path.read_bytes()[:-1])
    return path.name


def remove_tokenizer(folder: Path) -> str:
    (folder / "tokenizer.json").unlink()
    return "tokenizer.json"


def change_calibration(folder: Path) -> str:
    (folder / "calibration.json").write_bytes(b'{"version": "9", "method": "temperature", "temperature": 9.0}')
    return "calibration.json"


def break_manifest(folder: Path) -> str:
    (folder / "manifest.json").write_text("{", encoding="utf-8")
    return "manifest.json"


def empty_manifest(folder: Path) -> str:
    (folder / "manifest.json").write_text("[]", encoding="utf-8")
    return "manifest.json"


DAMAGES = [damage_graph, truncate_graph, remove_tokenizer, change_calibration, break_manifest, empty_manifest]
Damage = Callable[[Path], str]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder of installed models that holds a copy of the packaged one."""
    shutil.copytree(packaged_models() / "mini", tmp_path / "models" / "mini")
    return tmp_path / "models"


@pytest.mark.requirement("SEC-014", "JDG-021")
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_model_leaves_the_verdicts_to_rules_and_is_named(home: Path, damage: Damage):
    file = damage(home / "mini")
    gate = Groundwire(settings=Settings(models_folder=str(home)))
    rules = Groundwire(settings=Settings(judge="rules"))
    found = gate.judge(CLAIM, [EVIDENCE])
    assert (found.judge, found.verdict, found.model) == ("rules.v1", rules.judge(CLAIM, [EVIDENCE]).verdict, "")
    assert gate.model_problem is not None
    assert str(home / "mini" / file) in str(gate.model_problem)
    assert "run: groundwire models install mini PATH" in str(gate.model_problem)
    report = gate.verify(CLAIM, memories=[EVIDENCE])
    assert (report.judge, report.grounded) == ("rules.v1", False)
    assert gate.model_problem is not None
    assert gate.judge("You work at Bosch.", ["I work at Bosch."]).verdict is Verdict.SUPPORTED


@pytest.mark.requirement("SEC-014")
@pytest.mark.parametrize("damage", DAMAGES)
def test_the_model_alone_raises_instead(home: Path, damage: Damage):
    damage(home / "mini")
    gate = Groundwire(settings=Settings(judge="mini-alone", models_folder=str(home)))
    for call in (
        lambda: gate.judge(CLAIM, [EVIDENCE]),
        lambda: gate.judge_all([VerifierInput(CLAIM, (Passage("e", EVIDENCE),))]),
        lambda: gate.verify(CLAIM, memories=[EVIDENCE]),
    ):
        with pytest.raises(ModelUnavailable, match=r"groundwire models install mini PATH"):
            call()


def run(*arguments: str, home: Path | None = None, judge: str | None = None, stdin: str | None = None) -> Result:
    env = {"GROUNDWIRE_CONFIG": None, "GROUNDWIRE_JUDGE": judge, "GROUNDWIRE_MODELS_FOLDER": home and str(home)}
    return CliRunner(env=env).invoke(main, arguments, input=stdin)


@pytest.mark.requirement("SEC-014", "JDG-021")
@pytest.mark.parametrize("damage", [damage_graph, break_manifest])
def test_a_damaged_model_is_told_on_standard_error_and_changes_no_exit_status(home: Path, damage: Damage):
    file = damage(home / "mini")
    for evidence, status in (("I work at Bosch.", 0), ("I work at Shell.", 3), (EVIDENCE, 3)):
        claim = "You work at Bosch." if "work" in evidence else CLAIM
        for arguments in (("judge", claim, "--evidence", evidence), ("verify", claim, "--memory", evidence)):
            result = run(*arguments, "--json", home=home)
            assert result.exit_code == status == run(*arguments, judge="rules").exit_code, result.output
            assert json.loads(result.stdout)["judge"].endswith("rules.v1")
    lines = result.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("groundwire: judged by rules alone: ") and file in lines[0]
    stdin = json.dumps({"id": 1, "claim": CLAIM, "evidence": [EVIDENCE]}) + "\n"
    filtered = run("judge", "--jsonl", home=home, stdin=stdin * 3)
    assert filtered.exit_code == 0
    assert len(filtered.stdout.splitlines()) == 3
    assert filtered.stderr.count("judged by rules alone") == 1


def test_the_model_alone_ends_with_1_and_one_line(home: Path):
    damage_graph(home / "mini")
    result = run("judge", CLAIM, "--evidence", EVIDENCE, "--judge", "mini-alone", home=home)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "model.onnx" in result.stderr and "Traceback" not in result.stderr


def test_a_model_that_is_not_installed_says_how_to_install_it(tmp_path: Path):
    gate = Groundwire(settings=Settings(judge="base", models_folder=str(tmp_path)))
    assert gate.judge(CLAIM, [EVIDENCE]).judge == "rules.v1"
    assert "run: groundwire models install base PATH" in str(gate.model_problem)
    with pytest.raises(ModelMissing, match="groundwire models install base PATH"):
        Groundwire(settings=Settings(judge="base-alone", models_folder=str(tmp_path))).judge(CLAIM, [EVIDENCE])


def test_rules_never_open_a_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    def refuse(*_: object) -> None:
        raise AssertionError("no model may be looked for")

    monkeypatch.setattr("groundwire.app.find_model", refuse)
    gate = Groundwire(settings=Settings(judge="rules", models_folder=str(tmp_path)))
    assert gate.judge(CLAIM, [EVIDENCE]).judge == "rules.v1"
    assert gate.verify(CLAIM, memories=[EVIDENCE]).judge == "rules.v1"
    assert (gate.model_problem, gate.calibration()) == (None, None)


WATCH = """
import sys
opened = []
sys.addaudithook(lambda event, given: opened.append(str(given[0])) if event == "open" else None)
import groundwire
from groundwire.settings import Settings
gate = groundwire.Groundwire(settings=Settings(judge=sys.argv[1]))
gate.claims("You work at Bosch.")
gate.facts("You work at Bosch.")
if len(sys.argv) > 2:
    gate.judge("The bridge is closed to lorries.", ["Heavy vehicles have to take another way."])
    gate.verify("The bridge is closed to lorries.", memories=["Heavy vehicles have to take another way."])
heavy = [name for name in ("onnxruntime", "numpy", "tokenizers") if name in sys.modules]
print(heavy, [name for name in opened if name.endswith((".onnx", "manifest.json", "tokenizer.json"))])
"""


@pytest.mark.parametrize("arguments", [("mini",), ("rules", "judge")])
def test_building_and_rules_alone_load_neither_runtime_nor_model(arguments: tuple[str, ...]):
    command = [sys.executable, "-B", "-c", WATCH, *arguments]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[] []\n"


def test_the_watch_sees_a_model_that_is_loaded():
    command = [sys.executable, "-B", "-c", WATCH, "mini", "judge"]
    seen = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "onnxruntime" in seen and "model.onnx" in seen


QUESTIONS = [
    ("The cat sat on the mat.", "A cat was sitting on a mat."),
    (CLAIM, EVIDENCE),
    ("You work at Bosch.", "I work at Bosch."),
    ("The soup is vegetarian.", "The library opens at nine."),
]


@pytest.mark.requirement("JDG-022")
def test_many_threads_share_one_model_and_get_the_same_answers(monkeypatch: pytest.MonkeyPatch):
    made: list[object] = []
    make = Groundwire._make_judges  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(Groundwire, "_make_judges", lambda self: made.append(self) or make(self))
    gate = Groundwire()
    ready, answers = threading.Barrier(8), dict[int, list[object]]()

    def ask(turn: int) -> None:
        ready.wait()
        order = QUESTIONS[turn % 4 :] + QUESTIONS[: turn % 4]
        found = {claim: gate.judge(claim, [evidence]) for claim, evidence in order}
        answers[turn] = [
            (found[claim].verdict, found[claim].probabilities, found[claim].model) for claim, _ in QUESTIONS
        ]

    threads = [threading.Thread(target=ask, args=(turn,)) for turn in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8
    assert all(found == answers[0] for found in answers.values())
    assert len(made) == 1
    assert gate.model_problem is None


@pytest.mark.requirement("JDG-025")
def test_verdicts_of_the_packaged_model_can_be_traced_to_it():
    gate = Groundwire()
    found = gate.judge(CLAIM, [EVIDENCE])
    (mini,) = [model for model in describe_models(Settings())["models"] if model["name"] == "mini"]
    assert found.model == mini["fingerprint"]
    calibration = gate.calibration()
    assert calibration is not None and found.calibration == calibration["version"]
    assert gate.verify(CLAIM, memories=[EVIDENCE]).judge == f"mini.v{mini['version']}+rules.v1"


def test_judge_all_checks_every_question():
    gate = Groundwire(settings=LIMITS)
    with refuse("claim", "101"):
        gate.judge_all([VerifierInput("a", (Passage("p", "b"),)), VerifierInput("x" * 101, (Passage("p", "b"),))])
    with refuse("evidence", "'p'"):
        gate.judge_all([VerifierInput("a", (Passage("p", "b"), Passage("p", "c")))])
    assert gate.judge_all([]) == []


def test_models_are_installed_where_the_settings_or_the_user_s_data_folder_say(tmp_path: Path):
    assert models_folder(Settings(models_folder=str(tmp_path)), {"XDG_DATA_HOME": "/x"}) == tmp_path
    assert models_folder(Settings(), {"XDG_DATA_HOME": "/x"}) == Path("/x/groundwire/models")
    assert models_folder(Settings(), {}) == Path.home() / ".local/share/groundwire/models"
    assert models_folder(Settings(models_folder="~/m"), {}) == Path.home() / "m"
