"""Values by path: what is under a prefix can be replaced as a whole."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from groundwire.errors import InvalidInput
from groundwire.store.sql import open_store
from groundwire.types import Scope

NOW = datetime(2026, 1, 5, tzinfo=UTC)
ADA, BOB = Scope("ada"), Scope("bob")


@pytest.fixture
def store(anywhere: Path | str | None):
    with open_store(anywhere, NOW) as opened:
        yield opened


def test_replacing_drops_what_was_under_the_prefix_and_nothing_else(store):
    store.sessions.put(ADA, {"/a/1/x": 1, "/a/1/y": 2, "/a/10/x": 3, "/a/1": 4, "/b": 5}, NOW)
    store.sessions.put(BOB, {"/a/1/x": 9}, NOW)
    store.sessions.replace(ADA, "/a/1/", {"/a/1/z": [6]}, NOW)
    assert store.sessions.values(ADA) == {"/a/1": 4, "/a/1/z": [6], "/a/10/x": 3, "/b": 5}
    assert store.sessions.values(BOB) == {"/a/1/x": 9}
    store.sessions.replace(ADA, "/a/", {}, NOW)
    assert store.sessions.values(ADA) == {"/b": 5}


def test_a_path_outside_the_prefix_changes_nothing(store):
    store.sessions.put(ADA, {"/a/x": 1}, NOW)
    with pytest.raises(InvalidInput, match="not under"):
        store.sessions.replace(ADA, "/a/", {"/a/y": 1, "/b": 2}, NOW)
    with pytest.raises(InvalidInput):
        store.sessions.replace(ADA, "", {}, NOW)
    with pytest.raises(InvalidInput):
        store.sessions.replace(ADA, "/a/", {"/a/z": float("nan")}, NOW)
    assert store.sessions.values(ADA) == {"/a/x": 1}


def test_a_prefix_means_itself_and_no_pattern(store):
    store.sessions.put(ADA, {"/a%/x": 1, "/ab/x": 2, "/a_/x": 3}, NOW)
    store.sessions.replace(ADA, "/a%/", {}, NOW)
    assert store.sessions.values(ADA) == {"/a_/x": 3, "/ab/x": 2}
