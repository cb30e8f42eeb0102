"""The start-up lines that the documentation gives to hosts are lines that start the server."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp_agent import TOOLS, talk

from documents import ROOT, find_blocks
from groundwire.settings import Settings
from groundwire.surfaces.mcp.callers import Ability
from groundwire.surfaces.mcp.offers import list_offers
from groundwire.surfaces.mcp.resources import KINDS

PAGE = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
BLOCKS = find_blocks(PAGE)


def find_commands(value: Any) -> Iterator[list[str]]:
    """Every command with its arguments, wherever a host wants it in its settings."""
    if isinstance(value, dict):
        if "command" in value:
            yield [value["command"], *value["args"]]
        for part in value.values():
            yield from find_commands(part)


def read_lines() -> list[list[str]]:
    settings = [json.loads(block.body) for block in BLOCKS if block.language == "json"]
    settings += [tomllib.loads(block.body) for block in BLOCKS if block.language == "toml"]
    lines = [line for block in BLOCKS if block.language == "text" for line in block.body.splitlines()]
    typed = [line.rpartition(" -- ")[2] for line in lines if "groundwire mcp" in line and "--http" not in line]
    return [*(command for value in settings for command in find_commands(value)), *map(shlex.split, typed)]


def test_every_host_is_given_the_same_line():
    lines = read_lines()
    assert len(lines) == 6
    assert {tuple(part.replace("/home/ada", "~") for part in line) for line in lines} == {
        ("groundwire", "mcp", "--store", "~/memory.db", "--user", "ada")
    }


def test_the_line_starts_the_server(tmp_path: Path):
    program, *arguments = [part.replace("/home/ada", str(tmp_path)) for part in read_lines()[0]]
    scripts = Path(sys.executable).parent
    kept = {"PYTHONPATH": os.environ["PYTHONPATH"]} if "PYTHONPATH" in os.environ else {}
    server = StdioServerParameters(
        command=str(scripts / program), args=arguments, env={**kept, "GROUNDWIRE_JUDGE": "rules"}
    )

    async def ask(client: Client) -> list[str]:
        return [tool.name for tool in (await client.list_tools()).tools]

    assert talk(server, ask) == list(TOOLS)


def test_the_table_of_tools_is_the_tools_with_their_hints():
    rows = dict(re.findall(r"^\| `(\w+)` \| .* \| ([a-z, -]+) \|$", PAGE, re.MULTILINE))
    offers = list_offers(Settings())
    assert rows.keys() == offers.keys()
    for name, offer in offers.items():
        assert ("read-only" in rows[name]) == offer.is_read_only
        assert ("destructive" in rows[name]) == offer.is_destructive
        assert ("additive" in rows[name]) == (offer.ability is Ability.PROPOSE)


def test_every_kind_of_resource_is_named():
    assert [kind.template for kind in KINDS if f"`{kind.template}`" not in PAGE] == []


@pytest.mark.parametrize("option", ["--credential", "--source", "--read-only", "--no-forget", "--http", "--port"])
def test_every_option_is_explained(option: str):
    assert f"`{option}" in PAGE or f" {option} " in PAGE
