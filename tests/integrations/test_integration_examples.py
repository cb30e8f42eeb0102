"""The examples of the integrations: what the page quotes is in them, and they print what they should."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from documents import ROOT, find_blocks
from groundwire.integrations.claude_code import main

EXAMPLES = ROOT / "examples" / "integrations"
PAGE = ROOT / "docs" / "integrations.md"
BLOCKS = find_blocks(PAGE.read_text(encoding="utf-8"))
PRINTED = {
    "langchain_agent": ("langchain", "You live in Porto.\n['Rome']\nYou live in Porto.\n"),
    "llamaindex_evaluation": ("llama_index.core", "False 0.0\n['The user lives in Porto.']\n"),
    "openai_agents_guardrails": ("agents", "You live in Porto.\n"),
    "litellm_guardrail": ("litellm", "You live in Porto.\n"),
}


def test_every_excerpt_of_the_page_is_in_an_example():
    programs = [path.read_text(encoding="utf-8") for path in EXAMPLES.glob("*.py")]
    excerpts = [block.body for block in BLOCKS if block.language == "text"]
    assert len(excerpts) >= len(PRINTED)
    assert [excerpt for excerpt in excerpts if not any(excerpt in program for program in programs)] == []


def test_every_example_is_run():
    assert {path.stem for path in EXAMPLES.glob("*.py")} == PRINTED.keys()


def test_the_hook_of_the_page_is_a_command_with_its_options():
    (settings,) = (json.loads(block.body) for block in BLOCKS if block.language == "json")
    program, *options = shlex.split(settings["hooks"]["Stop"][0]["hooks"][0]["command"])
    assert program == main.name
    assert {option for option in options if option.startswith("--")} <= {
        name for parameter in main.params for name in parameter.opts
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", PRINTED)
def test_an_example_prints_what_it_should(name: str, tmp_path: Path):
    package, printed = PRINTED[name]
    pytest.importorskip(package)
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "PYTHONPATH") if key in os.environ}
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py")],
        cwd=tmp_path,
        env=kept,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout == printed, done.stderr
