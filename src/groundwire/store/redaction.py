"""What a log may hold of a text: no control characters, no credentials, no query strings; or only its hash."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import cast

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_URL = re.compile(r"(?i)\b([a-z][a-z0-9+.-]{0,20}://)(?:[^\s/?#@]{0,256}@)?([^\s?#]{0,2048})(?:\?[^\s#]*)?")
_SPACE = re.compile(r"\s+")


def clean(text: str) -> str:
    """One line that says the same without controlling a terminal or giving a secret away."""
    text = _URL.sub(r"\1\2", text)
    return _CONTROL.sub(lambda match: match.group().encode("unicode_escape").decode("ascii"), text)


def map_strings(value: object, change: Callable[[str], str]) -> object:
    """Every string inside a value that is going to be JSON, changed; names of members stay."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {name: map_strings(member, change) for name, member in cast(Mapping[str, object], value).items()}
    if isinstance(value, list | tuple):
        return [map_strings(member, change) for member in cast(Sequence[object], value)]
    return value


def hash_text(key: bytes, text: str) -> str:
    """Tells whether two texts are the same, and nothing else to whoever lacks the key."""
    return "hmac-sha256:" + hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


class Quotation:
    """Finds a text that is to be forgotten wherever it was quoted, in whatever case and spacing."""

    def __init__(self, text: str, key: bytes) -> None:
        self._needles = {needle for needle in (_fold(text), _fold(clean(text))) if needle}
        self._hashes = {hash_text(key, text), hash_text(key, clean(text))}

    def is_in(self, *texts: str | None) -> bool:
        for text in texts:
            if text and (text in self._hashes or any(needle in _fold(text) for needle in self._needles)):
                return True
        return False

    def is_in_json(self, *documents: str) -> bool:
        return any(self.is_in(*_strings(json.loads(document))) for document in documents)


def _fold(text: str) -> str:
    return _SPACE.sub(" ", text).strip().casefold()


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        members = cast(dict[str, object], value)
        return [*members, *(text for member in members.values() for text in _strings(member))]
    if isinstance(value, list):
        return [text for member in cast(list[object], value) for text in _strings(member)]
    return []
