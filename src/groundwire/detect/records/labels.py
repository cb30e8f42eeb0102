"""Labels: lines and cells that give a value under a name, as in "Price: 399 euros" or a row of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from groundwire.detect.records.sayings import Saying
from groundwire.detect.records.values import find_values
from groundwire.evidence.meanings import attribute_words
from groundwire.text.propositions import UNREAD, Argument
from groundwire.text.reading import ReadClaim
from groundwire.types import Claim, Span, Tense

_MOST = 200
"""A list that is longer is not read to its end."""
_LINE = re.compile(
    r"^[ \t]*(?:[-*•+]|\d{1,2}[.)])?[ \t]*[*_]{0,3}(?P<label>[^\W\d_][\w \t/&'-]{0,38}?)[*_]{0,3}[ \t]*"
    r":[*_]{0,3}[ \t]+(?P<value>[^\n:|]{1,80})$",
    re.MULTILINE,
)
_ROW = re.compile(
    r"^[ \t]*\|[ \t]*(?P<label>[^|\n]{1,40}?)[ \t]*\|[ \t]*(?P<value>[^|\n]{1,80}?)[ \t]*\|[ \t]*$", re.MULTILINE
)
_PART = re.compile(
    r"(?<=[,;:] )(?P<label>[a-z][a-z-]{2,20}(?: [a-z-]{2,20})?) (?:(?:is|at|from|by|until) )?"
    r"(?P<value>[\d$€£][^,;\n]{0,30})"
)


@dataclass(frozen=True, slots=True)
class Label:
    name: str
    value: str
    span: Span
    value_span: Span

    def as_saying(self, text: str) -> Saying:
        """The label as if it were a sentence: its name is what is said, its value what is checked."""
        words = frozenset(attribute_words(self.name))
        argument = Argument("object", self.value, self.value_span, tuple(self.value.casefold().split()), False, False)
        proposition = UNREAD._replace(predicate="be", arguments=(argument,), lemmas=words)
        claim = Claim(
            text[self.span.start : self.span.end], self.span, self.name, "is", self.value, tense=Tense.PRESENT
        )
        values = tuple(find_values(self.value, self.value_span.start))
        return Saying(ReadClaim(claim, (), proposition, self.span), text, words, values, ())


def find_labels(text: str) -> Iterator[Label]:
    for pattern in (_LINE, _ROW, _PART):
        for match in islice(pattern.finditer(text), _MOST):
            value = match["value"].rstrip(" .*_")
            if value:
                start = match.start("value")
                end = start + len(value)
                yield Label(match["label"].strip(), value, Span(match.start("label"), end), Span(start, end))
