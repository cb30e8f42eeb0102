"""The predicates in MeTTa: their types, an example program, and what happens without the extra."""

from __future__ import annotations

import builtins
import importlib.util
import inspect
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from groundwire import Groundwire, Settings
from groundwire.detect.predicates import Predicates
from groundwire.errors import MissingExtra
from groundwire.evidence.lookups import DialogueState, KnowledgeBase
from groundwire.integrations import predicates as free
from groundwire.integrations.metta import Signature, Tree, read_signatures, register

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "detect.metta"
NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)
EXTRAS = {"read_knowledge", "read_dialogue", "members", "hallucination_type", "hallucination_content"}
REQUIRED = {
    "detect-hallucinations": "String DialogueState KnowledgeBase -> List HallucinationFlag",
    "hallucination-confidence": "HallucinationFlag -> Float",
    "hallucination-severity": "HallucinationType -> Float",
    "detect-fabricated-facts": "List ResponseSegment KnowledgeBase -> List HallucinationFlag",
    "detect-wrong-attributes": "List ResponseSegment KnowledgeBase -> List HallucinationFlag",
    "detect-kb-contradictions": "List ResponseSegment KnowledgeBase -> List HallucinationFlag",
    "detect-unsupported-claims": "List ResponseSegment KnowledgeBase -> List HallucinationFlag",
    "detect-nonexistent-entities": "List ResponseSegment DialogueState KnowledgeBase -> List HallucinationFlag",
    "detect-history-contradictions": "List ResponseSegment DialogueState -> List HallucinationFlag",
    "detect-temporal-errors": "List ResponseSegment -> List HallucinationFlag",
    "detect-logical-inconsistencies": "List ResponseSegment -> List HallucinationFlag",
    "segment-response": "String -> List ResponseSegment",
    "extract-claims": "String -> List Claim",
    "extract-entities": "String -> List EntityMention",
    "extract-temporals": "String -> List TemporalExpression",
    "entity-exists": "String KnowledgeBase -> Bool",
    "attribute-matches": "String String String KnowledgeBase -> Bool",
    "contradicts-kb": "Claim KnowledgeBase -> Bool",
    "contradicts-history": "Claim DialogueState -> Bool",
    "mitigate-hallucination": "HallucinationFlag KnowledgeBase -> MitigationAction",
    "find-correction": "HallucinationFlag KnowledgeBase -> Maybe String",
    "generate-regeneration-guidance": "List HallucinationFlag -> String",
    "score-hallucination-confidence": "HallucinationFlag KBEvidence HistoryEvidence List LinguisticSignal"
    " List HallucinationFlag -> Float",
    "linguistic-signals": "String -> List LinguisticSignal",
    "evidence-strength": "Evidence -> Float",
}


def spell(tree: Tree) -> str:
    return tree if isinstance(tree, str) else " ".join(map(spell, tree))


def spell_hint(hint: Any) -> str:
    """A Python annotation in the words of MeTTa."""
    plain = {str: "String", float: "Float", bool: "Bool"}
    if hint in plain:
        return plain[hint]
    text = str(hint)
    if text == "str | None":
        return "Maybe String"
    for kind in ("list", "collections.abc.Sequence"):
        if text.startswith(f"{kind}["):
            return f"List {spell_hint(hint.__args__[0])}"
    if "Leave" in text and "Escalate" in text:
        return "MitigationAction"
    if "KBEvidence" in text and "|" in text:
        return "Evidence"
    return hint.__name__


@pytest.mark.requirement("STO-020", "STO-021", "STO-022", "STO-023")
def test_the_file_has_every_predicate_with_its_types():
    found = {s.name: f"{' '.join(map(spell, s.takes))} -> {spell(s.gives)}" for s in read_signatures()}
    assert {name: types for name, types in found.items() if name.replace("-", "_") not in EXTRAS} == REQUIRED


@pytest.mark.requirement("STO-020", "STO-021", "STO-022", "STO-023")
@pytest.mark.parametrize("signature", [s for s in read_signatures() if s.function not in EXTRAS], ids=lambda s: s.name)
def test_every_predicate_is_a_function_of_the_same_name_and_types(signature: Signature):
    local = {"DialogueState": DialogueState, "KnowledgeBase": KnowledgeBase}
    method = getattr(Predicates, signature.function)
    hints = get_type_hints(method, localns=local)
    gives = hints.pop("return")
    assert [spell_hint(hint) for hint in hints.values()] == [spell(tree) for tree in signature.takes]
    assert spell_hint(gives) == spell(signature.gives)
    function = getattr(free, signature.function)
    assert len(inspect.signature(function).parameters) == len(signature.takes)


def test_the_functions_can_be_called_without_ceremony():
    assert [claim.text for claim in free.PREDICATES["extract_claims"]("Ada lives in Oslo.")] == ["Ada lives in Oslo"]
    assert set(free.PREDICATES) == {s.function for s in read_signatures()} - EXTRAS


def test_without_the_extra_the_message_has_the_install_line(monkeypatch: pytest.MonkeyPatch):
    real = builtins.__import__

    def refuse(name: str, *others: Any) -> Any:
        if name.partition(".")[0] == "hyperon":
            raise ImportError(name)
        return real(name, *others)

    for name in [name for name in sys.modules if name.partition(".")[0] in ("hyperon", "hyperonpy")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "hyperon", None)
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingExtra, match=r'pip install "groundwire\[metta\]"'):
        register()


# ── in the interpreter ──────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def runner():
    if importlib.util.find_spec("hyperon") is None:
        pytest.skip('needs pip install "groundwire[metta]"')
    return register(predicates=Groundwire(settings=Settings(judge="rules")).predicates(lambda: NOW))


@pytest.mark.slow
def test_the_example_program_runs(runner: Any):
    results = [[str(atom) for atom in found] for found in runner.run(EXAMPLE.read_text(encoding="utf-8"))]
    assert sorted(results[0]) == [
        '(ContradictsPrior "The meeting is on Friday" (Just "Monday"))',
        '(WrongAttribute "John Smith works in Marketing" (Just "Engineering"))',
    ]
    assert len(results[1]) == 1 and results[1][0].startswith("Correct(")
    assert results[2:] == [["True"], ["True"], ["0.8"]]


@pytest.mark.slow
def test_types_are_checked_by_the_interpreter(runner: Any):
    assert "BadArgType" in str(runner.run('!(entity-exists 3 "no knowledge")'))
    assert str(runner.run("!(get-type hallucination-severity)")) == "[[(-> HallucinationType Number)]]"


@pytest.mark.slow
def test_numbers_can_be_reckoned_with_and_lists_taken_apart(runner: Any):
    assert str(runner.run("!(* 2 (hallucination-severity WrongAttribute))")) == "[[1.5]]"
    assert len(runner.run('!(members (extract-claims "Ada lives in Oslo. Bob is a baker."))')[0]) == 2


@pytest.mark.slow
def test_what_is_refused_is_an_error_of_metta(runner: Any):
    assert "not valid JSON" in str(runner.run('!(read-knowledge "{")'))
    assert str(runner.run('!(read-knowledge "{")')).startswith("[[(Error read-knowledge")
