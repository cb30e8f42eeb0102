"""The container files: what they copy is there, what they start is a command, and both speak of one port."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from groundwire.settings import KEYS, Settings
from groundwire.surfaces.cli import main
from groundwire.surfaces.serving import PORT

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def compose() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]["groundwire"]


def test_what_is_copied_is_there_and_not_ignored():
    copied = [name for line in re.findall(r"^COPY (.+)$", DOCKERFILE, re.MULTILINE) for name in line.split()[:-1]]
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[:1] == "!"}
    assert set(copied) == kept
    assert all((ROOT / name).exists() for name in copied)


def test_the_command_is_one_that_the_command_line_knows():
    found = re.search(r"^CMD (\[\"serve\".+\])$", DOCKERFILE, re.MULTILINE)
    assert found is not None
    command = json.loads(found[1])
    options = {part for part in command if part.startswith("--")}
    assert options <= set(CliRunner().invoke(main, ["serve", "--help"]).output.replace("[", " ").split())
    assert command[command.index("--port") + 1] == str(PORT)


def test_the_port_is_open_to_this_machine_alone():
    assert compose()["ports"] == [f"127.0.0.1:{PORT}:{PORT}"]
    assert f"EXPOSE {PORT}" in DOCKERFILE
    assert f"127.0.0.1:{PORT}/readyz" in DOCKERFILE


def test_the_container_has_time_to_finish_and_known_settings():
    assert int(compose()["stop_grace_period"].removesuffix("s")) > Settings().serve_seconds
    for name in compose()["environment"]:
        assert name.removeprefix("GROUNDWIRE_").lower() in KEYS


@pytest.mark.parametrize("word", ["USER groundwire", "STOPSIGNAL SIGTERM", "VOLUME /data"])
def test_it_runs_as_nobody_and_keeps_its_memories_outside(word: str):
    assert word in DOCKERFILE


def test_with_postgresql_the_service_is_told_where_it_is_and_no_password_is_written_down():
    text = (ROOT / "compose.postgres.yaml").read_text(encoding="utf-8")
    services = yaml.safe_load(text)["services"]
    command = services["groundwire"]["command"]
    assert command[command.index("--port") + 1] == str(PORT)
    assert command[command.index("--store") + 1] == "postgresql://groundwire@postgres/groundwire"
    wanted = services["postgres"]["environment"]
    assert wanted["POSTGRES_USER"] == wanted["POSTGRES_DB"] == "groundwire"
    assert wanted["POSTGRES_PASSWORD"] == services["groundwire"]["environment"]["PGPASSWORD"]
    assert wanted["POSTGRES_PASSWORD"].startswith("${POSTGRES_PASSWORD:?")
    assert "postgres" in DOCKERFILE, "the driver is installed"
