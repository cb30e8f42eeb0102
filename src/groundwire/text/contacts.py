"""E-mail addresses, web addresses and telephone numbers: the same whatever their formatting."""

from __future__ import annotations

import re
from dataclasses import dataclass

from groundwire.text.relations import Comparison, Relation

_EMAIL = re.compile(r"(?:mailto:)?([^\s@,;]{1,64}@[^\s@,;]{1,190}\.[^\s@,;]{2,60})")
_URL = re.compile(r"(?:https?://)?(?:www\.)?([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}(?:[/?#]\S{0,300})?)")
_PHONE = re.compile(r"\+?[\d(][\d ()./-]{5,28}\d(?: ?(?:x|ext\.?) ?\d{1,6})?")
_NOT_PHONE = re.compile(  # a span of years, a decimal, a fraction, a date, an internet address
    r"\d{4} ?- ?\d{4}|\d{1,20}[./]\d{1,20}|\d{1,4}([-./])\d{1,2}\1\d{1,4}|(?:\d{1,3}\.){3}\d{1,3}"
)
_SHORTEST, _LOCAL, _LONGEST = 7, 10, 15


@dataclass(frozen=True, slots=True)
class Contact:
    """An address in its plain form; of a telephone number the digits, and whether they start with the country."""

    kind: str
    address: str
    is_international: bool = False

    @property
    def key(self) -> str:
        return self.address


def read_contact(text: str) -> Contact | None:
    """The address that lower-case `text` is, if it is one and nothing else."""
    if "@" in text and (match := _EMAIL.fullmatch(text)):
        return Contact("email", match[1])
    if text.startswith(("http://", "https://", "www.")) and (match := _URL.fullmatch(text)):
        return Contact("url", match[1].rstrip("/"))
    if not _PHONE.fullmatch(text) or _NOT_PHONE.fullmatch(text):
        return None
    main = re.split("x|ext", text)[0]
    digits = "".join(char for char in main if char.isdecimal())
    is_plain = text.isdecimal()
    if not (_LOCAL if is_plain else _SHORTEST) <= len(digits) <= _LONGEST:
        return None
    international = text.startswith("+") or digits.startswith("00")
    extension = "".join(char for char in text[len(main) :] if char.isdecimal())
    return Contact("phone", digits.removeprefix("00") + (f"x{extension}" if extension else ""), international)


def compare_contacts(left: Contact, right: Contact) -> Comparison:
    """Two addresses are one when only their formatting differs."""
    if left.kind != right.kind:
        return Comparison(Relation.DIFFERENT, f"{left.kind} and {right.kind}")
    if left.address == right.address:
        return Comparison(Relation.EQUAL, f"same {left.kind}")
    if left.kind == "phone":
        return _compare_phones(left, right)
    return Comparison(Relation.DIFFERENT, f"different {left.kind}: {left.address} and {right.address}")


def _compare_phones(left: Contact, right: Contact) -> Comparison:
    """+49 30 123456 is 030 123456 from abroad; 555-1234 leaves out the area."""
    is_left_longer = len(left.address) > len(right.address)
    longer, shorter = (left, right) if is_left_longer else (right, left)
    tail = shorter.address.removeprefix("0")
    if len(tail) < _SHORTEST or shorter.is_international or not longer.address.endswith(tail):
        return Comparison(Relation.DIFFERENT, f"different numbers: {left.address} and {right.address}")
    prefix = longer.address[: -len(tail)]
    has_country = longer.is_international or (prefix == "1" and len(tail) == _LOCAL)
    if has_country and (len(tail) >= _LOCAL - 2 or shorter.address.startswith("0")):
        return Comparison(Relation.EQUAL, "same phone, one with its country code")
    return Comparison(Relation.REFINES if is_left_longer else Relation.GENERALISES, "one side leaves out the area code")
