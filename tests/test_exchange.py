"""What is kept, carried from one store to another, and examined for its health."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from groundwire import Groundwire
from groundwire.errors import InvalidInput
from groundwire.memory.outcomes import Finding
from groundwire.models.files import packaged_models
from groundwire.settings import Settings
from remembered import ADA, NOW, at, open_memory, propose, remember, store_of, texts


def fill(gw: Groundwire) -> None:
    remember(gw, "I work at Google.")
    remember(gw, "I work at Amazon now.", 1)
    remember(gw, "I live in Porto.", user="bob")
    gone = remember(gw, "I play chess.").memory
    assert gone is not None
    gw.forget(gone.id, user="ada", reason="asked to", now=at(2))
    propose(gw, "The user speaks Dutch.")


@pytest.mark.requirement("STO-024")
def test_an_export_is_taken_in_as_it_was_and_only_once(tmp_path: Path):
    target = tmp_path / "memory.jsonl"
    with open_memory() as one, open_memory() as other:
        fill(one)
        assert one.export(target) == {"memories": 3, "reviews": 1, "tombstones": 1}
        assert [path.name for path in tmp_path.iterdir()] == ["memory.jsonl"]
        other.import_(target, now=at(3))
        assert list(store_of(other).export()) == list(store_of(one).export())
        again = other.import_(target, now=at(4))
        assert sum(count for what, count in again.items() if what.endswith("added")) == 0
        assert texts(other.history(user="ada", query="my previous employer")) == [
            "I work at Google.",
            "I work at Amazon now.",
        ]


def test_what_was_imported_is_known_to_the_gate(tmp_path: Path):
    stream = io.StringIO()
    with open_memory() as one, open_memory() as other:
        fill(one)
        assert one.export(stream, user="ada") == {"memories": 2, "reviews": 1, "tombstones": 1}
        stream.seek(0)
        other.import_(stream, now=at(3))
        assert remember(other, "I work at Amazon now.", 4).is_confirmation
        assert remember(other, "The user speaks Dutch.", 4, source="ai_synthesis").receipt.code == "duplicate"
        assert remember(other, "I joined Stripe.", 5).superseded[0].text == "I work at Amazon now."
        assert other.history(user="bob") == []


@pytest.mark.parametrize("line", ["{", "[]", '{"record": "spell"}', '{"record": "memory"}', "\x00"])
def test_a_line_that_is_no_record_leaves_the_store_as_it_was(tmp_path: Path, line: str):
    with open_memory() as one, open_memory() as other:
        fill(one)
        stream = io.StringIO()
        one.export(stream)
        stream.write(line + "\n")
        stream.seek(0)
        with pytest.raises(InvalidInput, match="line 6"):
            other.import_(stream, now=at(3))
        assert list(store_of(other).export()) == []


def test_files_that_cannot_be_read_or_written_are_explained(tmp_path: Path):
    with open_memory() as gw:
        fill(gw)
        with pytest.raises(InvalidInput, match="cannot be written"):
            gw.export(tmp_path / "nowhere" / "memory.jsonl")
        with pytest.raises(InvalidInput, match="cannot be read"):
            gw.import_(tmp_path / "nothing.jsonl")
        (tmp_path / "latin.jsonl").write_bytes(b'{"record": "\xe9"}\n')
        with pytest.raises(InvalidInput, match="UTF-8"):
            gw.import_(tmp_path / "latin.jsonl")


def test_a_target_is_replaced_only_by_a_whole_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    target = tmp_path / "memory.jsonl"
    target.write_text("before", encoding="utf-8")
    with open_memory() as gw:
        fill(gw)
        monkeypatch.setattr("groundwire.memory.exchange.json.dumps", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            gw.export(target)
    assert [path.name for path in tmp_path.iterdir()] == ["memory.jsonl"]
    assert target.read_text(encoding="utf-8") == "before"


# ── doctor ──────────────────────────────────────────────────────────────────────────────────────


def examine(path: Path | None, **settings: object) -> dict[str, Finding]:
    with open_memory(path, **settings) as gw:
        return {finding.name: finding for finding in gw.doctor()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with open_memory(tmp_path / "memory.db") as gw:
        fill(gw)
    return tmp_path / "memory.db"


def test_a_healthy_memory_is_found_healthy(path: Path):
    found = examine(path)
    assert {"store", "schema", "audit", "settings", "model mini", "disk", "permissions"} <= found.keys()
    assert all(finding.ok and finding.detail and not finding.remedy for finding in found.values())
    assert all(finding.ok for finding in examine(None).values())


def test_a_changed_audit_entry_is_found(path: Path):
    with sqlite3.connect(path) as raw:
        for (trigger,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            raw.execute(f"DROP TRIGGER {trigger}")  # whoever can write the file can do that as well
        raw.execute("UPDATE audit SET actor = 'mallory' WHERE sequence = 2")
    raw.close()
    found = examine(path)
    assert not found["audit"].ok and "entry 2 has been changed" in found["audit"].detail and found["audit"].remedy
    assert found["schema"].ok


def test_a_missing_table_is_found(path: Path):
    with sqlite3.connect(path) as raw:
        raw.execute("DROP TABLE outcomes")
    raw.close()
    found = examine(path)
    assert not found["schema"].ok and "outcomes" in found["schema"].detail


def test_a_store_that_cannot_be_opened_is_a_finding_and_no_crash(tmp_path: Path):
    (tmp_path / "note.txt").write_text("this is a note and no store " * 9, encoding="utf-8")
    found = examine(tmp_path / "note.txt")
    assert not found["store"].ok and "is not a SQLite file" in found["store"].detail and found["store"].remedy
    assert found["disk"].ok
    found = examine(tmp_path / "no" / "memory.db")
    assert not found["store"].ok and not found["disk"].ok


def test_permissions_and_little_room_are_found(path: Path, monkeypatch: pytest.MonkeyPatch):
    path.chmod(0o666)
    assert not examine(path)["permissions"].ok
    path.chmod(0o444)
    found = examine(path)
    assert found["permissions"].ok and "read-only" in found["permissions"].detail
    assert "read-only" in found["store"].detail
    usage = shutil.disk_usage(path.parent)
    monkeypatch.setattr("groundwire.memory.health.shutil.disk_usage", lambda _: usage._replace(free=1_000))
    assert not examine(path)["disk"].ok


def test_a_damaged_or_missing_model_is_found(tmp_path: Path):
    shutil.copytree(packaged_models() / "mini", tmp_path / "mini")
    (tmp_path / "mini" / "tokenizer.json").write_bytes(b"{}")
    found = examine(None, judge="mini", models_folder=str(tmp_path))
    assert not found["model mini"].ok and "groundwire models install mini" in found["model mini"].remedy
    found = examine(None, judge="base", models_folder=str(tmp_path / "none"))
    assert not found["model base"].ok


def test_a_defence_that_is_switched_off_is_named():
    found = examine(None, merge_paraphrases=False)
    assert found["settings"].ok and "paraphrases" in found["settings"].detail
    with Groundwire(settings=Settings(judge="rules")) as gw:
        assert [f.detail for f in gw.doctor() if f.name == "settings"] == ["no defence is switched off"]


def test_exported_lines_are_json_objects(tmp_path: Path):
    with open_memory() as gw:
        fill(gw)
        gw.export(tmp_path / "memory.jsonl", user="ada")
    lines = (tmp_path / "memory.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["record"] for line in lines] == ["memory", "memory", "review", "tombstone"]
    assert {json.loads(line).get("owner", json.loads(line).get("user_id")) for line in lines} == {ADA.owner}
    assert json.loads(lines[0])["created_at"] == NOW.isoformat()
