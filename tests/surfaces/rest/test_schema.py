"""Whatever the OpenAPI document allows, and much that it does not, by every role: no defect, no surprise, no leak."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from service_samples import ALL, SECRET, Desk, fill, open_desk

from groundwire.types.access import Issued, Role

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
FEW, MANY = 12, 150
KINDS = {"memory_id": "memory", "review_id": "review", "session_id": "session"}
OPERATIONS = 32
WITH = settings(
    max_examples=FEW,
    database=None,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


@dataclass(frozen=True)
class Target:
    desk: Desk
    ids: dict[str, str]
    keys: dict[str, Issued]
    operations: dict[str, Any]


def list_operations(desk: Desk) -> dict[str, Any]:
    schema = schemathesis.openapi.from_dict(desk.client.get("/openapi.json").json())
    found: list[Any] = [*schema.get_all_operations()]
    return {operation.label: operation for operation in (result.ok() for result in found)}


@pytest.fixture(scope="module")
def target() -> Iterator[Target]:
    with open_desk() as desk:
        ids = fill(desk.gw)
        keys = {role.value: desk.key(role) for role in Role}
        keys |= {"everything": desk.key(*ALL), "elsewhere": desk.key(*ALL, owner=None, tenant="third")}
        yield Target(desk, ids, keys, list_operations(desk))


def send(target: Target, data: st.DataObject, operation: Any) -> None:
    mode = data.draw(st.sampled_from([GenerationMode.POSITIVE, GenerationMode.POSITIVE, GenerationMode.NEGATIVE]))
    case = data.draw(operation.as_strategy(generation_mode=mode))
    who = data.draw(st.sampled_from(sorted(target.keys)))
    if data.draw(st.booleans()):
        _aim(target, data, case)
    request = case.as_transport_kwargs(base_url="http://testserver")
    headers = {**(request.pop("headers", None) or {}), "Authorization": f"Bearer {target.keys[who].token}"}
    request = {name: request[name] for name in ("method", "url", "params", "json", "data") if request.get(name)}
    if isinstance(request.get("data"), bytes | str):
        request["content"] = request.pop("data")
    response = target.desk.client.request(**request, headers={k: str(v).encode() for k, v in headers.items()})
    case.validate_response(response, checks=CHECKS)
    assert SECRET not in response.text, f"{who} saw what belongs to others"


def _aim(target: Target, data: st.DataObject, case: Any) -> None:
    """At things that are there, one's own and others', so that more than 404 is seen."""
    named = data.draw(st.sampled_from(["ada", "ada", "bob"]))
    for name in case.path_parameters or {}:
        of = data.draw(st.sampled_from([f"{named} default", "ada other"]))
        case.path_parameters[name] = target.ids[f"{KINDS[name]} {of}"]
    if isinstance(case.body, dict) and "user" in case.body:
        case.body["user"] = named
    if case.query and "user" in case.query:
        case.query["user"] = named


def labels() -> list[str]:
    with open_desk() as desk:
        return list(list_operations(desk))


LABELS = labels()


def test_no_operation_is_left_out(target: Target):
    assert len(target.operations) >= OPERATIONS


@pytest.mark.requirement("SEC-003")
@pytest.mark.parametrize("label", LABELS)
def test_anything_may_be_sent_by_anybody(target: Target, label: str):
    @WITH
    @given(st.data())
    def check(data: st.DataObject) -> None:
        send(target, data, target.operations[label])

    check()


@pytest.mark.slow
@pytest.mark.parametrize("label", LABELS)
def test_anything_may_be_sent_by_anybody_many_times(target: Target, label: str):
    @settings(WITH, max_examples=MANY)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        send(target, data, target.operations[label])

    check()
