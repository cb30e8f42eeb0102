"""What the splitter knows about words: abbreviations by how they end, and words that open or carry on a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from groundwire.text.tables import read_table


class Role(StrEnum):
    """How an abbreviation stands to what follows it; the data file says what each one means."""

    TITLE = "title"
    REFERENCE = "reference"
    INNER = "inner"
    CLOSING = "closing"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class WordTable:
    """`roles` is keyed by lower case for entries of any casing, and by the exact form for the others."""

    roles: dict[str, Role]
    openers: frozenset[str]
    first_person: frozenset[str]
    speech: frozenset[str]
    speakers: frozenset[str]
    marked_names: frozenset[str]
    day_months: frozenset[str]
    after_times: frozenset[str]
    unfinished: frozenset[str]
    namers: frozenset[str]

    def role(self, word: str) -> Role | None:
        return self.roles.get(word) or self.roles.get(word.lower())


@cache
def load_words() -> WordTable:
    table = read_table("abbreviations")
    listed: dict[Role, list[str]] = {role: table["abbreviations"][role.value] for role in Role}
    words: dict[str, list[str]] = table["words"]
    return WordTable(
        roles={form: role for role, entries in listed.items() for entry in entries for form in _list_forms(entry)},
        openers=_with_apostrophes(words["openers"]),
        first_person=_with_apostrophes(words["first_person"]),
        speech=frozenset(words["speech"]),
        speakers=frozenset(words["speakers"]),
        marked_names=frozenset(words["marked_names"]),
        day_months=frozenset(words["day_months"]),
        after_times=frozenset(words["after_times"]),
        unfinished=frozenset(words["unfinished"]),
        namers=frozenset(words["namers"]),
    )


def _with_apostrophes(entries: list[str]) -> frozenset[str]:
    return frozenset(entries) | {entry.replace("'", "’") for entry in entries}


def _list_forms(entry: str) -> tuple[str, ...]:
    return (entry,) if entry == entry.lower() else (entry, entry.upper())
