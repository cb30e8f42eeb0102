"""The documents as programs: their fenced blocks, what running a transcript prints, and whether that still holds.

Run as a script, it writes what the commands print now into the transcripts of README.md and docs/.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(ROOT.glob("docs/**/*.md")))

FENCE = re.compile(
    r"(?:^<!-- not executed: (?P<reason>[^\n]+) -->\n)?^```(?P<language>[^\n]*)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
LATENCY = re.compile(r"(?P<label>\"latency_ms\": ?)\d+(?:\.\d+)?(?:e-?\d+)?|\d+(?:\.\d+)?(?= ?ms\b)")
IDENTITY = re.compile(r"\b[0-9a-f]{8}(?:[0-9a-f]{24})?\b")
PROMPT = "$ "
FLAGGED = 3


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; `reason` says why it is not executed, if it is not."""

    language: str
    body: str
    line: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One command of a transcript and what it is said to print."""

    command: str
    output: str


def find_blocks(text: str) -> list[Block]:
    return [
        Block(match["language"].strip(), match["body"], text.count("\n", 0, match.start("body")), match["reason"])
        for match in FENCE.finditer(text)
    ]


def read_transcript(body: str) -> Iterator[Step]:
    """The commands after `$ `, continued over lines that end in a backslash, each with the lines below it."""
    command, output = "", list[str]()
    for line in body.splitlines():
        if command.endswith("\\") and not output:
            command += "\n" + line
        elif line.startswith(PROMPT):
            if command:
                yield Step(command, "\n".join(output))
            command, output = line.removeprefix(PROMPT), []
        elif command:
            output.append(line)
        else:
            raise ValueError(f"a transcript begins with a command after {PROMPT!r}, not with {line!r}")
    if command:
        yield Step(command, "\n".join(output))


def make_workplace(folder: Path) -> Path:
    """A folder in which the examples of the documents can run without touching the checkout."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder


def run_command(command: str, folder: Path) -> str:
    """What a person at a plain terminal would see. Exit status 3 says that something was flagged, and is no failure."""
    scripts = Path(sys.executable).parent
    keep = {name: os.environ[name] for name in ("HOME", "PYTHONPATH", "TMPDIR") if name in os.environ}
    environ = keep | {"PATH": f"{scripts}:{os.environ['PATH']}", "NO_COLOR": "1", "COLUMNS": "100", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    if done.returncode not in (0, FLAGGED):
        raise RuntimeError(f"{command!r} ended with status {done.returncode}:\n{done.stdout}")
    return done.stdout


def mask(output: str) -> str:
    """The output without what differs from run to run: times, ids of new things, and space at the ends of lines."""
    timeless = LATENCY.sub(lambda time: (time["label"] or "") + "…", IDENTITY.sub("…", output))
    return "\n".join(line.rstrip() for line in timeless.strip("\n").splitlines())


def renew(text: str, folder: Path) -> str:
    """The document with what its commands print now; a transcript that still holds stays as it is."""

    def rewrite(match: re.Match[str]) -> str:
        if match["language"].strip() != "console" or match["reason"]:
            return match[0]
        lines: list[str] = []
        for step in read_transcript(match["body"]):
            now = run_command(step.command, folder).strip("\n")
            kept = step.output if mask(now) == mask(step.output) else now
            lines += [PROMPT + step.command, *([kept.strip("\n")] if kept.strip("\n") else [])]
        return match[0].replace(match["body"], "\n".join(lines) + "\n")

    return FENCE.sub(rewrite, text)


def main() -> None:
    for path in DOCUMENTS:
        with tempfile.TemporaryDirectory() as name:
            text = path.read_text(encoding="utf-8")
            renewed = renew(text, make_workplace(Path(name)))
            if renewed != text:
                path.write_text(renewed, encoding="utf-8")
                print(f"renewed {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
