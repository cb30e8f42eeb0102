"""One thing under one name on both sides: a judge of language takes two names for two things.

"Tess used to be a teacher" is denied by "Tess used to be an accountant" at once, and by "Tess Rowan used to be an
accountant" one way only; that "the practice" is Kestrel is known to the records and not to the judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from groundwire.evidence.lookups import Entity
from groundwire.text.lexicon import readings

_NAME = re.compile(r"\b[A-Z][\w’'-]*[\w](?: [A-Z][\w’'-]*[\w])*")
_DESCRIBED = re.compile(r"(?:the|this|that|these|those) [a-z][\w-]*(?: [a-z][\w-]*)?|it|they|he|she", re.IGNORECASE)
_WORD = re.compile(r"[\w'’-]+")
_FEWEST, _MOST_MORE = 2, 4
_OWNED = re.compile(r"['’]s\b")


def find_name(text: str, entity: Entity, written: Sequence[str] = ()) -> str:
    """By which of its names a text calls an entity, or how the answer has `written` it; empty where it does not."""
    names = sorted((entity.name, *entity.aliases), key=len, reverse=True)
    return next((name for name in (*names, *written) if _search(name, text)), "")


def name_alike(told: str, named: Iterable[tuple[Entity, str]]) -> str:
    """What is known, with everything under the name by which a clause calls it."""
    for entity, name in named:
        names = sorted((entity.name, *entity.aliases), key=len, reverse=True)
        longer = any(name in other and other != name and _search(other, told) for other in names)
        if not name or (_search(name, told) and not longer):
            continue
        for other in names:
            found = _search(other, told)
            if found is not None:
                put = name if found.start() else f"{name[:1].upper()}{name[1:]}"
                told = f"{told[: found.start()]}{put}{told[found.end() :]}"
                break
    return told


def name_topic(text: str, subject: str, told: str, asked: str) -> str:
    """ "The medicine is safe" with the name that question and record have in common, where it is about that."""
    if not asked or _DESCRIBED.fullmatch(subject) is None or not text.casefold().startswith(subject.casefold()):
        return text
    shared = [m.group() for m in _NAME.finditer(told) if _search(m.group(), asked)]
    names = list(dict.fromkeys(_OWNED.sub("", name) for name in shared))
    if len(names) != 1 or _search(names[0], text) or _say_again(subject, told):
        return text
    return f"{names[0]}{text[len(subject) :]}"


def begin_alike(said: str, told: str) -> bool:
    """Whether two statements have subject and verb in common, and are of like length: they differ in what is said."""
    mine, theirs = (_WORD.findall(text.casefold()) for text in (said, told))
    shared = next((k for k, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), 0)
    if shared < _FEWEST or abs(len(mine) - len(theirs)) > _MOST_MORE:
        return False
    return any(tag.startswith("VB") for word in mine[1:shared] for tag, _ in readings(word)[:1])


def _say_again(subject: str, told: str) -> bool:
    """ "The refund", where the record speaks of a refund: it is not the firm that is meant."""
    words = subject.casefold().split()[1:]
    return any(word.rstrip("s") in told.casefold() for word in words)


def _search(name: str, text: str) -> re.Match[str] | None:
    """A name as a whole; an ordinary noun, with or without a capital."""
    flags = re.IGNORECASE if name[:1].islower() else 0
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, flags) if name else None
