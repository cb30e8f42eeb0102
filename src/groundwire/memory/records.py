"""Whether a cited decision record exists as a file; ADR-12, ADR-0012 and adr-12 are one record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from groundwire.memory.receipts import CitationCheck, CitationStatus
from groundwire.types import Citation

FOLDERS = ("docs/adrs", "docs/adr", "docs/decisions", "docs/architecture/decisions", "doc/adr", "adrs", "adr")
# A name that begins with a date is no record of that number.
PATTERN = r"(?!\d{4}-\d{2}-\d{2})(?:adr[-_ ]?)?0*(?P<number>\d{1,9})(?:[-_. ].{0,200})?\.(?:md|markdown|rst|adoc|txt)"
_MOST_BYTES = 200_000
_MOST_FILES = 20_000


class RecordChecker:
    """Looks only inside the folders of its repository, and never where a link leads out of them."""

    def __init__(self, repository: Path, folders: Sequence[str] = FOLDERS, pattern: str = PATTERN) -> None:
        """`pattern` is matched against whole file names, without regard to case, and has a group `number`."""
        self.repository = repository
        self.scope = str(repository)
        self._folders = folders
        self._pattern = re.compile(pattern, re.IGNORECASE)

    def check(self, citation: Citation, user_id: str, *, with_content: bool = False) -> CitationCheck:
        try:
            root = self.repository.resolve(strict=True)
            path = self._find(int(citation.id.rpartition("-")[2]), root)
            if path is None:
                return CitationCheck(citation, CitationStatus.NOT_FOUND, "no such decision record")
            content = _read(path) if with_content else None
        except (OSError, ValueError, RuntimeError):
            return CitationCheck(citation, CitationStatus.UNREACHABLE, "the folder of the records cannot be read")
        return CitationCheck(citation, CitationStatus.VERIFIED, f"{path.name} exists", content)

    def _find(self, number: int, root: Path) -> Path | None:
        for folder in self._folders:
            home = (root / folder).resolve()
            if not home.is_relative_to(root) or not home.is_dir():
                continue
            for index, entry in enumerate(sorted(home.iterdir())):
                if index >= _MOST_FILES:
                    break
                match = self._pattern.fullmatch(entry.name)
                if match is None or int(match["number"]) != number:
                    continue
                if entry.is_file() and entry.resolve().is_relative_to(home):
                    return entry
        return None


def _read(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_MOST_BYTES).decode("utf-8", "replace")
