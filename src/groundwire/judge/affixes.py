"""Beginnings and endings that make something else of a word: a mother-in-law is no mother, an ex-colleague none now."""

from __future__ import annotations

from functools import cache

from groundwire.judge.carrying import WORD
from groundwire.judge.universals import Difference
from groundwire.text.tables import read_table


@cache
def _words() -> dict[str, frozenset[str]]:
    table: dict[str, list[str]] = read_table("grammar")["scope"]
    return {kind: frozenset(table[kind]) for kind in ("prefixes", "suffixes")}


def _find_affixed(text: str) -> dict[str, str]:
    """Words with a part that makes something else of them, and what they are without: mother-in-law, mother."""
    found: dict[str, str] = {}
    for word in [w.lower() for w in WORD.findall(text) if "-" in w]:
        parts = word.split("-")
        if parts[0] in _words()["prefixes"]:
            found[word] = "-".join(parts[1:])
        elif "-".join(parts[1:]) in _words()["suffixes"]:
            found[word] = parts[0]
    return found


def find_other_affix(claim: str, text: str) -> Difference | None:
    if "-" not in claim and "-" not in text:
        return None
    mine, theirs = ({word.lower() for word in WORD.findall(side)} for side in (claim, text))
    for whole, base in _find_affixed(claim).items():
        if whole not in theirs and base in theirs and base not in mine:
            return "other_value", whole, base
    for whole, base in _find_affixed(text).items():
        if whole not in mine and base in mine and base not in theirs:
            return "other_value", base, whole
    return None
