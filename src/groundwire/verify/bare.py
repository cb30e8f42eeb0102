"""Bare answers: "Berlin." says something only as the whole of what is answered."""

from __future__ import annotations

from dataclasses import replace

from groundwire.text.reading import ReadClaim, Reading, read_text


def is_bare_answer(text: str) -> bool:
    """Whether `text` claims something only as the whole of an answer."""
    reading = read_text(text)
    return not reading.claims and bool(with_bare_answers(reading).claims)


def with_bare_answers(reading: Reading) -> Reading:
    """ "Berlin." answers a question: a note that carries a value is then what has to be checked."""

    def carries_value(read: ReadClaim) -> bool:
        numbers = any(c.isdigit() for word in read.proposition.lemmas for c in word)
        return read.proposition.is_fragment and (numbers or bool(read.proposition.names))

    bare = tuple(replace(read, is_note=False) for read in reading.statements if carries_value(read))
    return replace(reading, claims=bare)
