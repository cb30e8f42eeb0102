"""Documentation cannot lie: snippets run, transcripts are what the commands print, links lead somewhere."""

from __future__ import annotations

import doctest
import json
import re
import tomllib
from pathlib import Path

import pytest

from documents import (
    DOCUMENTS,
    ROOT,
    Block,
    Step,
    find_blocks,
    make_workplace,
    mask,
    read_transcript,
    renew,
    run_command,
)

PLAIN = frozenset({"text", "mermaid"})
INSTALL = re.compile(
    r"(?:\$ )?(?:git clone \S+|cd \S+|(?:python3? -m )?pip install .+|make (?P<target>[a-z-]+)(?: +#.*)?)"
)
LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)#\s]+)(?:#[^)]*)?\)")

BLOCKS = [(path, block) for path in DOCUMENTS for block in find_blocks(path.read_text(encoding="utf-8"))]


def title(path: Path) -> str:
    return str(path.relative_to(ROOT))


def name(path: Path, block: Block) -> str:
    return f"{title(path)}:{block.line}"


def choose(*languages: str) -> list[object]:
    """The blocks to execute, as parameters named by file and line."""
    return [pytest.param(b, id=name(p, b)) for p, b in BLOCKS if b.language in languages and b.reason is None]


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def find_excuses(block: Block) -> list[str]:
    """Lines of a block that is not executed which are no install lines, or call a target that make does not have."""
    lines = [line for line in block.body.splitlines() if line.strip() and not line.startswith("#")]
    matches = {line: INSTALL.fullmatch(line.strip()) for line in lines}
    return [
        line
        for line, match in matches.items()
        if match is None or (match["target"] is not None and match["target"] not in make_targets())
    ]


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(make_workplace(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    "path", [p for p in DOCUMENTS if any(b.language == "python" for q, b in BLOCKS if q == p)], ids=title
)
def test_python_snippets_run(path: Path, workplace: Path):
    """The snippets of one document follow on each other, as they do for a reader."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    for block in (b for p, b in BLOCKS if p == path and b.language == "python" and b.reason is None):
        if block.body.startswith(">>>"):
            test = doctest.DocTestParser().get_doctest(block.body, namespace, name(path, block), str(path), block.line)
            assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
        else:
            exec(compile("\n" * block.line + block.body, str(path), "exec"), namespace)


@pytest.mark.parametrize(
    "path",
    [p for p in DOCUMENTS if any(b.language == "console" and not b.reason for q, b in BLOCKS if q == p)],
    ids=title,
)
def test_transcripts_are_what_the_commands_print(path: Path, workplace: Path):
    """The transcripts of one document follow on each other, as they do for a reader."""
    for block in (b for p, b in BLOCKS if p == path and b.language == "console" and b.reason is None):
        for step in read_transcript(block.body):
            assert mask(run_command(step.command, workplace)) == mask(step.output), f"$ {step.command}"


@pytest.mark.parametrize("block", choose("toml", "json"))
def test_data_snippets_parse(block: Block):
    if block.language == "toml":
        tomllib.loads(block.body)
    else:
        json.loads(block.body)


@pytest.mark.parametrize("path", DOCUMENTS, ids=title)
def test_every_block_is_checked_or_plain_and_only_install_lines_are_left_out(path: Path):
    for block in (b for p, b in BLOCKS if p == path):
        if block.reason is None:
            assert block.language in {"python", "console", "toml", "json"} | PLAIN, name(path, block)
        else:
            assert find_excuses(block) == [], name(path, block)


@pytest.mark.parametrize("path", DOCUMENTS, ids=title)
def test_links_lead_somewhere(path: Path):
    targets = [match["target"] for match in LINK.finditer(path.read_text(encoding="utf-8"))]
    local = [target for target in targets if "://" not in target and not target.startswith("mailto:")]
    assert [target for target in local if not (path.parent / target).exists()] == []


def test_the_readme_names_the_two_commands():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make run" in readme
    assert "make test" in readme


def test_blocks_are_found_with_their_line_and_their_excuse():
    text = "# A\n\n```python\nx = 1\n```\n\n<!-- not executed: install line -->\n```console\n$ pip install x\n```\n"
    assert find_blocks(text) == [
        Block("python", "x = 1\n", 3),
        Block("console", "$ pip install x\n", 8, "install line"),
    ]


def test_an_excuse_covers_install_lines_only():
    assert find_excuses(Block("console", "$ make test\n$ pip install groundwire\n$ git clone URL\n", 1, "setup")) == []
    assert find_excuses(Block("console", "$ make tea\n$ groundwire verify x\n", 1, "setup")) == [
        "$ make tea",
        "$ groundwire verify x",
    ]


def test_a_transcript_is_read_step_by_step():
    body = "$ echo a \\\n    b\na b\n\n$ true\n$ echo c\nc\n"
    assert list(read_transcript(body)) == [Step("echo a \\\n    b", "a b\n"), Step("true", ""), Step("echo c", "c")]
    with pytest.raises(ValueError, match="begins with a command"):
        list(read_transcript("lost line\n"))


def test_times_are_masked_and_values_are_not():
    assert mask('{"latency_ms": 0.42, "x": 0.42} in 12.5 ms \n') == '{"latency_ms": …, "x": 0.42} in … ms'
    assert mask('{"latency_ms":3e-05}') == '{"latency_ms":…}'
    assert mask("at 3 pm") != mask("at 4 pm")


def test_a_failing_command_is_an_error_and_a_flagging_one_is_not(workplace: Path):
    assert run_command("echo flagged; exit 3", workplace) == "flagged\n"
    with pytest.raises(RuntimeError, match="ended with status 1"):
        run_command("exit 1", workplace)


def test_renewing_replaces_only_what_no_longer_holds(workplace: Path):
    text = "```console\n$ echo took 7 ms\ntook 9 ms\n$ echo new\nold\n$ true\n```\n\n```text\n$ echo left alone\n```\n"
    renewed = renew(text, workplace)
    assert "took 9 ms" in renewed
    assert "$ echo new\nnew\n$ true\n```" in renewed
    assert "$ echo left alone\n```" in renewed
    assert renew(renewed, workplace) == renewed
