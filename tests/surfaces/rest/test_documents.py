"""The OpenAPI document: its models are the vocabulary, its examples can be carried out."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

import pydantic
import pytest
from service_samples import Desk, fill, open_desk

from groundwire import types
from groundwire.memory.receipts import ValidationResult
from groundwire.surfaces import demo
from groundwire.surfaces.detecting import DETECT_FIELDS
from groundwire.surfaces.extracting import EXTRACT_FIELDS
from groundwire.surfaces.gating import GATE_FIELDS
from groundwire.surfaces.recalling import RECALL_FIELDS
from groundwire.surfaces.remembering import REMEMBER_FIELDS
from groundwire.surfaces.requests import JUDGE_FIELDS, MEMORY_FIELDS, PASSAGE_FIELDS, VERIFY_FIELDS
from groundwire.surfaces.rest import answers, bodies, entries
from groundwire.surfaces.rest.documents import read_examples
from groundwire.types import detection, records

WHO = {"user", "tenant"}
NOT_OVER_THE_NETWORK = {"id", "user_id", "now", "repository", "credential"}
"""Who asks and when is known by the service; a folder of the server is nobody's to name."""


# ── models and vocabulary ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        (bodies.VerifyBody, VERIFY_FIELDS),
        (bodies.JudgeBody, JUDGE_FIELDS),
        (bodies.RememberBody, REMEMBER_FIELDS),
        (bodies.GateBody, GATE_FIELDS),
        (bodies.DetectBody, DETECT_FIELDS),
        (bodies.ExtractBody, EXTRACT_FIELDS),
        (bodies.SearchBody, RECALL_FIELDS),
    ],
)
def test_bodies_have_the_fields_of_the_command_line(body: type[bodies.Body], fields: tuple[str, ...]):
    assert set(body.model_fields) - WHO == set(fields) - NOT_OVER_THE_NETWORK - WHO


def test_given_memories_and_passages_are_those_of_the_command_line():
    assert set(bodies.GivenMemory.model_fields) == set(MEMORY_FIELDS)
    assert set(bodies.GivenPassage.model_fields) == set(PASSAGE_FIELDS)


RENAMED = {"owner": "user", "queue_id": "review_id", "user_id": "user", "tenant_id": "tenant"}


@pytest.mark.parametrize(
    ("model", "value", "hidden", "added"),
    [
        (answers.MemoryOut, types.Memory, set(), set()),
        (answers.EvidenceOut, types.EvidenceObject, set(), set()),
        (answers.TombstoneOut, records.Tombstone, {"user", "tenant"}, set()),
        (answers.ContradictionOut, types.ContradictionDetail, set(), set()),
        (answers.DisclosureOut, types.Disclosure, set(), set()),
        (answers.JudgementOut, types.VerifierOutput, set(), set()),
        (answers.ClaimOut, types.ClaimReport, {"claim"}, {"text", "span"}),
        (answers.ReportOut, types.VerificationReport, {"text", "metadata"}, {"claim_count"}),
        (answers.DetectionOut, detection.DetectionReport, {"response"}, {"risk"}),
        (answers.ReceiptOut, ValidationResult, {"citations", "confidence", "relevance"}, {"approved"}),
        (answers.ItemOut, records.PendingMemory, {"validation_result"}, {"reason_for_review", "checks_failed"}),
        (entries.VerdictOut, records.VerdictRecord, {"tenant"}, set()),
        (entries.RejectionOut, records.Rejection, {"tenant"}, set()),
        (entries.SessionOut, records.Session, {"tenant"}, set()),
        (entries.AuditOut, records.AuditEntry, {"tenant", "digest"}, set()),
    ],
)
def test_answers_have_the_fields_of_the_vocabulary(
    model: type[answers.Out], value: Any, hidden: set[str], added: set[str]
):
    """A field that is added to the vocabulary has to be shown or to be hidden on purpose."""
    own = {RENAMED.get(field.name, field.name) for field in dataclasses.fields(value)}
    assert set(model.model_fields) - added == own - hidden


def test_enumerations_are_the_vocabularys_own():
    modules = (answers, entries, bodies)
    models = [
        model
        for module in modules
        for model in vars(module).values()
        if isinstance(model, type) and issubclass(model, pydantic.BaseModel)
    ]
    enumerations = {e for model in models for field in model.model_fields.values() for e in _enums(field.annotation)}
    assert {e.__module__.partition(".")[0] for e in enumerations} == {"groundwire"}
    assert {types.Verdict, types.Action, types.MemoryStatus, records.ReviewState} <= enumerations


def _enums(annotation: Any) -> Iterator[type[StrEnum]]:
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        yield annotation
    for part in typing.get_args(annotation):
        yield from _enums(part)


# ── what is answered is what is documented ──────────────────────────────────────────────────────


def model_of(document: Mapping[str, Any], operation: Mapping[str, Any], status: int) -> type[pydantic.BaseModel]:
    schema = operation["responses"][str(status)]["content"]["application/json"]["schema"]
    name = schema["$ref"].rpartition("/")[2]
    return getattr(answers, name, None) or getattr(entries, name)


def find_operation(document: Mapping[str, Any], id: str) -> tuple[str, str, Mapping[str, Any]]:
    return next(
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if operation.get("operationId") == id
    )


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Desk, demo.Demo]]:
    with open_desk(tmp_path_factory.mktemp("demo") / "memory.db") as desk:
        yield desk, demo.set_up(desk.gw)


def test_every_example_can_be_carried_out(shown: tuple[Desk, demo.Demo]):
    desk, made = shown
    document = desk.client.get("/openapi.json").json()
    keys = {"reviewer": made.keys[0], "agent": made.keys[1]}
    waiting = iter([item.queue_id for item in desk.gw.reviews(made.user, made.tenant).pending()])
    for id, example in read_examples().items():
        method, path, operation = find_operation(document, id)
        for name, value in example.get("path", {}).items():
            path = path.replace(f"{{{name}}}", next(waiting) if value == "{review}" else value)
        answer = desk.call(method, path, keys[example["key"]], json=example["body"])
        assert answer.status_code == example["status"], (id, answer.text)
        model_of(document, operation, answer.status_code).model_validate(answer.json())
        written = operation["requestBody"]["content"]["application/json"]["examples"]["example"]["value"]
        assert written == example["body"], "the document shows what was carried out"


def test_every_operation_with_a_body_has_an_example(shown: tuple[Desk, demo.Demo]):
    document = shown[0].client.get("/openapi.json").json()
    taking = {
        o["operationId"] for methods in document["paths"].values() for o in methods.values() if "requestBody" in o
    }
    assert taking == set(read_examples())


LISTS = (
    "memories", "verdicts", "rejections", "rejections/summary", "audit", "users", "reviews", "contradictions",
    "sessions", "values",
)  # fmt: skip


@pytest.mark.parametrize("noun", LISTS)
def test_lists_are_as_documented(shown: tuple[Desk, demo.Demo], noun: str):
    desk, made = shown
    document = desk.client.get("/openapi.json").json()
    desk.gw.verify("You live in Porto.", user=made.user, tenant=made.tenant)
    params = {} if noun == "users" else {"user": made.user}
    answer = desk.get(f"/v1/{noun}", made.keys[0], params=params)
    operation = document["paths"][f"/v1/{noun}"]["get"]
    model_of(document, operation, answer.status_code).model_validate(answer.json())


def test_single_things_are_as_documented():
    with open_desk() as desk:
        ids, key = fill(desk.gw), desk.key()
        memory = f"/v1/memories/{ids['memory ada default']}"
        answers.MemoryOut.model_validate(desk.get(memory, key).json())
        answers.SheetOut.model_validate(desk.get(f"/v1/reviews/{ids['review ada default']}", key).json())
        entries.SessionOut.model_validate(desk.get("/v1/sessions/chat-ada-default", key).json())
        gone = desk.call("DELETE", memory, key, params={"reason": "x"}).json()
        answers.ForgottenOut.model_validate(gone)
        answers.HistoryOut.model_validate(desk.get(f"{memory}/history", key).json())


def test_the_document_needs_no_key_and_names_the_ways_to_give_one(desk: Desk):
    document = desk.client.get("/openapi.json").json()
    schemes = document["components"]["securitySchemes"]
    assert {scheme["type"] for scheme in schemes.values()} == {"http", "apiKey"}
    for path, methods in document["paths"].items():
        for operation in methods.values():
            assert bool(operation.get("security")) == path.startswith("/v1/"), path
            assert operation["operationId"]
            if path.startswith("/v1/"):
                assert {"401", "403", "422", "429"} <= set(operation["responses"]), path


# ── the demonstration ───────────────────────────────────────────────────────────────────────────


def test_the_demonstration_is_set_up_once_and_its_keys_are_new_each_time(tmp_path: Path):
    with open_desk(tmp_path / "memory.db") as desk:
        first = demo.set_up(desk.gw)
        ledger = desk.gw.ledger(first.user, first.tenant)
        before = ledger.memories(limit=100).items
        again = demo.set_up(desk.gw)
        assert ledger.memories(limit=100).items == before
        assert first.tenant == "demo"
        assert len(ledger.contradictions()) == 1
        assert len(ledger.pending(reviewer="x", credential="y").items) == 3
        assert any(memory.superseded_by for memory in before)
        assert desk.get("/v1/memories", first.keys[0], params={"user": first.user}).status_code == 401
        assert desk.get("/v1/memories", again.keys[0], params={"user": first.user}).status_code == 200
        assert desk.gw.ledger(first.user, "default").memories().items == ()
