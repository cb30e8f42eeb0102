"""Whether a cited commit exists in the configured repository, asked of git itself."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from groundwire.memory.receipts import CitationCheck, CitationStatus
from groundwire.types import Citation

TIMEOUT_S = 5.0
_HEXADECIMAL = re.compile(r"[0-9a-f]{7,40}")
_CHECK = "--batch-check=%(objectname) %(objecttype)"
_MOST_CHARACTERS = 20_000

# Nothing is fetched, asked for or locked, and neither the user's nor the machine's configuration takes part.
_ENVIRONMENT = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "LC_ALL": "C",
    "PATH": os.defpath,
}


class CommitChecker:
    """`git` is the executable's path; the repository is the operator's choice and never the claim's."""

    def __init__(self, repository: Path, git: str = "git", timeout_s: float = TIMEOUT_S) -> None:
        self.repository = repository
        self.scope = str(repository)
        self._git = git
        self._timeout_s = timeout_s

    def check(self, citation: Citation, user_id: str, *, with_content: bool = False) -> CitationCheck:
        name = citation.id.lower()
        if not _HEXADECIMAL.fullmatch(name):
            return CitationCheck(citation, CitationStatus.NOT_FOUND, "no commit is named so")
        try:
            status, reason = self._look_up(name)
            content = self._read_message(name) if status is CitationStatus.VERIFIED and with_content else None
        except subprocess.TimeoutExpired:
            return CitationCheck(citation, CitationStatus.UNREACHABLE, "git took too long")
        except OSError:
            return CitationCheck(citation, CitationStatus.UNREACHABLE, "git cannot be run")
        return CitationCheck(citation, status, reason, content)

    def _look_up(self, name: str) -> tuple[CitationStatus, str]:
        done = self._run(["cat-file", _CHECK], f"{name}\n{name}^{{commit}}\n")
        lines = done.stdout.splitlines()
        if done.returncode or len(lines) != 2:
            return CitationStatus.UNREACHABLE, "the repository cannot be read"
        found, _, kind = lines[0].partition(" ")
        if kind == "missing":
            return self._explain_missing()
        if kind == "ambiguous":
            return CitationStatus.UNREACHABLE, "the short hash is ambiguous"
        if not found.startswith(name):
            return CitationStatus.UNREACHABLE, "a branch or tag of this name hides the hash"
        if kind == "commit" or (kind == "tag" and lines[1].endswith(" commit")):
            return CitationStatus.VERIFIED, "the commit exists"
        return CitationStatus.NOT_FOUND, f"it names a {kind}, not a commit"

    def _explain_missing(self) -> tuple[CitationStatus, str]:
        """In a shallow clone nobody can tell what was left out."""
        shallow = self._run(["rev-parse", "--is-shallow-repository"], "").stdout.strip()
        if shallow == "false":
            return CitationStatus.NOT_FOUND, "no such commit in the repository"
        return CitationStatus.UNREACHABLE, "not in this repository, which does not have its whole history"

    def _read_message(self, name: str) -> str:
        return self._run(["cat-file", "commit", name + "^{commit}"], "").stdout.partition("\n\n")[2][:_MOST_CHARACTERS]

    def _run(self, arguments: list[str], text: str) -> subprocess.CompletedProcess[str]:
        safe = ["-c", "protocol.allow=never", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}"]
        command = [self._git, "--no-pager", *safe, "-c", f"safe.directory={self.repository.resolve()}"]
        return subprocess.run(
            [*command, "-C", str(self.repository), *arguments],
            input=text,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=self._timeout_s,
            check=False,
            env=_ENVIRONMENT,
        )
