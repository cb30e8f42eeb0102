"""Who said what: a conversation, or the summary of one, as utterances with their places in the source.

Every utterance is as long as the stretch of source it stands for; what belongs to somebody else is blanked, so that
an offset in the utterance is an offset in the source.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from groundwire.memory.candidates import Turn
from groundwire.text.tables import read_table


class Speaker(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    NARRATOR = "narrator"
    """Whoever wrote the summary."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Utterance:
    speaker: Speaker
    text: str
    turn: int
    start: int


@dataclass(frozen=True, slots=True)
class Conversation:
    turns: tuple[Turn, ...]
    utterances: tuple[Utterance, ...]

    @property
    def is_empty(self) -> bool:
        return not any(turn.text.strip() for turn in self.turns)


@cache
def _names(who: str) -> frozenset[str]:
    return frozenset(read_table("testimony", "memory")["speakers"][who])


@cache
def _speech(kind: str) -> tuple[str, ...]:
    return tuple(read_table("testimony", "memory")["speech"][kind])


def read_turns(turns: Sequence[Turn]) -> Conversation:
    """Turns as they were taken; a name that is nobody's role is the user's where it is the only one."""
    known = [_role(turn.speaker) for turn in turns]
    names = {turn.speaker.strip().casefold() for turn, role in zip(turns, known, strict=True) if role is None}
    stranger = Speaker.USER if len(names) == 1 and Speaker.USER not in known else Speaker.OTHER
    found: list[Utterance] = []
    for number, (turn, role) in enumerate(zip(turns, known, strict=True)):
        found.append(Utterance(role or stranger, turn.text, number, 0))
    return Conversation(tuple(turns), tuple(found))


def read_summary(text: str) -> Conversation:
    """A summary in any of its forms: a transcript, quoted speech with who said it, a report in the third person."""
    found: list[Utterance] = []
    for speaker, start, end in _blocks(text):
        if speaker is Speaker.NARRATOR:
            found.extend(_take_quotations(text, start, end))
        else:
            found.append(Utterance(speaker, _unquote(text[start:end]), 0, start))
    spoken = tuple(u for u in found if u.text.strip())
    return Conversation((Turn("summary", text),), spoken)


def _role(name: str) -> Speaker | None:
    low = " ".join(name.casefold().replace("_", " ").split())
    if low in _names("user"):
        return Speaker.USER
    if low in _names("assistant"):
        return Speaker.ASSISTANT
    return Speaker.NARRATOR if low in ("summary", "narrator", "notes", "note") else None


# ── blocks of a summary ─────────────────────────────────────────────────────────────────────────


@cache
def _label() -> re.Pattern[str]:
    """ "User:", "User asked:", "- Assistant (later):", "Later:" at the start of a line."""
    verbs = "|".join((*_speech("telling"), *_speech("asking")))
    return re.compile(
        rf"^[ \t]*(?:[-*•>]\s*|\d+[.)]\s+)?(?:\[[^\]\n]{{1,30}}\]\s*)?\**(?P<name>[^\W\d_][\w' -]{{0,30}}?)\**"
        rf"(?:\s+\([^)\n]{{1,30}}\))?(?P<verb>(?:\s+(?:also|then|later|further|again|first))*\s+(?:{verbs})"
        rf"(?:\s+(?:that|me|us|the assistant|again|later|about it))*)?\s*(?::\**|,(?=\s*[\"“«]))\s*",
        re.MULTILINE | re.IGNORECASE,
    )


_OPENING = '"“«'
_CLOSING = {'"': '"', "“": "”", "«": "»"}


def _blocks(text: str) -> list[tuple[Speaker, int, int]]:
    """Stretches of one speaker, in order; what carries no label is the narrator's."""
    marks: list[tuple[int, int, Speaker, bool]] = []
    last = Speaker.NARRATOR
    for match in _label().finditer(text):
        name = " ".join(match.group("name").casefold().split())
        role = _role(name)
        if role is None and name in _speech("continuing"):
            role = last
        if role is None or (marks and match.start() < marks[-1][1]):
            continue
        if match.group("verb") and _goes_on(text, match.end()):
            continue  # a sentence of the report with a quotation in it
        last = role
        marks.append((match.start(), match.end(), role, bool(match.group("verb"))))
    found: list[tuple[Speaker, int, int]] = []
    at = 0
    for index, (start, begin, role, reported) in enumerate(marks):
        if start < at:
            continue
        if start > at:
            found.append((Speaker.NARRATOR, at, start))
        limit = marks[index + 1][0] if index + 1 < len(marks) else len(text)
        end = _end_of_speech(text, begin, limit, one_line=reported)
        found.append((role, begin, end))
        at = end
    if at < len(text):
        found.append((Speaker.NARRATOR, at, len(text)))
    return found


def _goes_on(text: str, begin: int) -> bool:
    """Whether more follows on the line behind the quotation that begins here."""
    if text[begin : begin + 1] not in _CLOSING:
        return False
    close = text.find(_CLOSING[text[begin]], begin + 1)
    return close >= 0 and bool(text[close + 1 :].split("\n", 1)[0].strip(" .,;!?"))


def _end_of_speech(text: str, begin: int, limit: int, *, one_line: bool) -> int:
    """To the closing mark of a quotation; else to the next label, or the end of the line after "User said:"."""
    if text[begin : begin + 1] in _CLOSING and not _goes_on(text, begin):
        close = text.find(_CLOSING[text[begin]], begin + 1)
        if close >= 0:
            return close + 1
    if one_line:
        end = text.find("\n", begin)
        return end if 0 <= end < limit else limit
    return limit


def _unquote(text: str) -> str:
    """Without the marks around the whole of it; the length stays."""
    inner = text.strip()
    if len(inner) > 1 and inner[0] in _OPENING and inner[-1] == _CLOSING[inner[0]] and inner[-1] not in inner[1:-1]:
        start = text.index(inner[0])
        end = text.rindex(inner[-1])
        return text[:start] + " " + text[start + 1 : end] + " " + text[end + 1 :]
    return text


# ── quotations inside a report ──────────────────────────────────────────────────────────────────

_QUOTATION = re.compile(r"\"[^\"]{2,2000}\"|“[^”]{2,2000}”|«[^»]{2,2000}»")


def _take_quotations(text: str, start: int, end: int) -> list[Utterance]:
    """The report itself with its quotations blanked, and each quotation as its speaker's own utterance."""
    found: list[Utterance] = []
    report = text[start:end]
    for match in _QUOTATION.finditer(text, start, end):
        speaker = _attribute(text[start : match.start()], text[match.end() : end])
        if speaker is None:
            continue
        found.append(Utterance(speaker, match.group()[1:-1], 0, match.start() + 1))
        a, b = match.start() - start, match.end() - start
        report = report[:a] + " " * (b - a) + report[b:]
    return [Utterance(Speaker.NARRATOR, report, 0, start), *found]


def _attribute(before: str, after: str) -> Speaker | None:
    """Whose words a quotation is; None where it is only a title or a turn of phrase."""
    sentence = re.split(r"[.!?\n]\s", before[-200:])[-1]
    earlier, later, inverted = _sayings()
    match = earlier.search(sentence) or later.match(after[:80]) or inverted.match(after[:80])
    if match is None:
        return None
    who = match.group("who").casefold().removeprefix("the ")
    if who in _names("user") or who in ("they", "she", "he"):
        return Speaker.USER
    return Speaker.ASSISTANT if who in _names("assistant") else Speaker.OTHER


@cache
def _sayings() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """ "the user said", "…, the user said" and "…, said the user"."""
    verbs = "|".join((*_speech("telling"), *_speech("asking")))
    who = r"(?P<who>(?:\bthe\s+)?\b[^\W\d_][\w’'-]*)"
    adverbs = r"(?:\s+(?:also|then|later|once|even|twice|further))*"
    return (
        re.compile(rf"{who}{adverbs}\s+(?:{verbs})\b[^\"“«]{{0,60}}$", re.IGNORECASE),
        re.compile(rf"\s*,?\s*{who}{adverbs}\s+(?:{verbs})\b", re.IGNORECASE),
        re.compile(rf"\s*,?\s*(?:{verbs})\s+{who}", re.IGNORECASE),
    )
