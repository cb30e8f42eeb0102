"""Mark as shown what the tests cite, so that the catalogue and the tests agree again.

Marks are only ever added, unless `--force` takes back those of requirements that no test cites any more.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from ledger import CATALOGUE, TESTS, find_citations, find_faults, group_missing, read_catalogue

ENTRY = re.compile(r'^id = "(?P<id>[^"]+)"$|^shown = (?:true|false)$', re.MULTILINE)


def mark_shown(catalogue: str, cited: set[str], *, force: bool) -> str:
    """The catalogue's text with `shown` set; a mark is taken back only by force."""
    current = ""

    def rewrite(match: re.Match[str]) -> str:
        nonlocal current
        if match["id"]:
            current = match["id"]
            return match[0]
        if current in cited:
            return "shown = true"
        return "shown = false" if force else match[0]

    return ENTRY.sub(rewrite, catalogue)


def refresh(catalogue: Path, tests: Path, *, force: bool) -> tuple[str, ...]:
    """Rewrite the catalogue and return the faults that marking cannot mend."""
    citations = find_citations(tests)
    text = catalogue.read_text(encoding="utf-8")
    catalogue.write_text(mark_shown(text, {c.requirement for c in citations}, force=force), encoding="utf-8")
    return find_faults(read_catalogue(catalogue), citations)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--force", action="store_true", help="take back marks that no test supports")
    faults = refresh(CATALOGUE, TESTS, force=parser.parse_args().force)
    requirements = read_catalogue()
    print(f"{sum(r.shown for r in requirements)} of {len(requirements)} requirements shown")
    for milestone, ids in group_missing(requirements).items():
        print(f"  due in {milestone}: {len(ids)}")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
