"""What was said before the answer: turns in order, who said them, what they assert, and who is meant.

Only the last turns count as prior dialogue; what lies further back still lends its names. Every turn is read once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

from groundwire.errors import InvalidInput
from groundwire.evidence.coreference import Resolved, resolve_mention, resolve_text
from groundwire.evidence.registry import Registry
from groundwire.evidence.replies import complete, needs_question
from groundwire.evidence.speakers import ASSISTANT, Party, is_of_assistant, name_parties
from groundwire.text.assertion import is_advice, is_pleasantry, is_question
from groundwire.text.entities import find_entities
from groundwire.text.propositions import UNREAD
from groundwire.text.reading import ReadClaim, read_text
from groundwire.text.sentences import split_sentences
from groundwire.text.subjects import USER
from groundwire.types import Claim, MentionType, Sentence, SentenceKind
from groundwire.types.detection import DialogueTurn

_OFFER = re.compile(
    r"\W*(?:we|i)(?: are|['’]re| am|['’]m) (?:very |always )?(?:happy|glad|pleased|able|sorry|afraid)(?: to| that|,)? "
    r"(?!help|hear|assist|answer|see|say|know|inform|let|tell|be|you|meet|look|check)(?:\S+ ){3}",
    re.IGNORECASE,
)
"""Kind words that say something all the same: "We're happy to send parcels to Iceland"."""

WINDOW = 10
"""Turns that are prior dialogue (DET-023)."""
MOST_TURNS = 100_000
LONGEST_TURN = 200_000


@dataclass(frozen=True, slots=True)
class Said:
    """One statement of a turn, or of the answer, in the voice of the answer; spans are those of the text as written."""

    read: ReadClaim
    turn: DialogueTurn | None
    party: Party
    quote: str
    """As it was written."""
    sentence: str
    told: str
    """The whole sentence in the voice of the answer, pronouns resolved."""
    of_assistant: bool = False
    """About the assistant itself, whom the reader of the text cannot tell from the user."""

    @property
    def text(self) -> str:
        return self.read.claim.text


class Dialogue:
    """Implements DialogueState over turns that are sorted by their ids."""

    def __init__(self, turns: Sequence[DialogueTurn] = (), *, window: int = WINDOW) -> None:
        if window < 1:
            raise InvalidInput("window", f"{window} turns are none; give 1 or more")
        self._turns = tuple(sorted(turns, key=lambda turn: turn.turn_id))
        self._window = window
        self._parties = name_parties(self._turns)
        self.memo: dict[str, object] = {}
        """What others have worked out of these turns, so that the next answer need not."""
        self.exchanges: dict[DialogueTurn, str] = {}
        """What was asked and what the user replied, where the reply says little without the question."""

    @property
    def turns(self) -> tuple[DialogueTurn, ...]:
        return self._turns

    @property
    def recent(self) -> tuple[DialogueTurn, ...]:
        """The sliding window: the turns that an answer can contradict."""
        return self._turns[-self._window :]

    def party_of(self, turn: DialogueTurn) -> Party:
        return self._parties.get(turn.role, Party.OTHER)

    @cached_property
    def _read(self) -> tuple[dict[DialogueTurn, tuple[Said, ...]], Registry, str]:
        """The window, read once and in order: what each turn says, who is in mind at the end, and what was asked."""
        registry = Registry()
        said: dict[DialogueTurn, tuple[Said, ...]] = {}
        asked = ""
        for turn in self.recent:
            party = self.party_of(turn)
            said[turn], told = read_turn(turn.text, registry, turn, party)
            if asked and party is Party.USER and (exchange := _exchange(asked, told)):
                self.exchanges[turn] = exchange
            if asked:
                said[turn] = (*_complete(asked, turn.text, told, turn, party), *said[turn])
            asked = _last_question(told)
        return said, registry, asked

    def said_in(self, turn: DialogueTurn) -> tuple[Said, ...]:
        """The statements of a turn with what the rules read in them; a turn before the window is read by itself."""
        known = self._read[0].get(turn)
        return known if known is not None else read_said(turn.text, Registry(), turn, self.party_of(turn))

    def claims_of(self, turn: DialogueTurn) -> tuple[Claim, ...]:
        return tuple(said.read.claim for said in self.said_in(turn) if not said.read.is_note)

    @property
    def entity_registry(self) -> Registry:
        return self._named

    @cached_property
    def _named(self) -> Registry:
        """All names of the dialogue, those before the window too."""
        registry = self._read[1]
        for turn in self._turns[: -self._window]:
            for entity in find_entities(turn.text):
                if entity.mention_type is MentionType.PROPER_NAME:
                    registry.add_name(entity.surface)
        for role, party in self._parties.items():
            if party is Party.OTHER:
                registry.add_name(role)
        return registry

    def resolve(self, mention: str) -> str | None:
        return resolve_mention(mention, self._read[1])

    def hear(self, answer: str) -> tuple[Said, ...]:
        """What an answer to this dialogue says, pronouns resolved across turns; the dialogue stays as it is."""
        _, registry, asked = self._read
        said, told = read_turn(answer, registry.copy(), None, Party.ASSISTANT)
        full = _complete(asked, answer, told, None, Party.ASSISTANT) if asked else ()
        return (*full, *said)


def resolve_claims(answer: str, dialogue: Dialogue) -> tuple[Claim, ...]:
    """The claims of an answer, each standing alone even where its pronouns point into the dialogue.

    Spans are those of the answer as written; `text` and `subject` have the names.
    """
    return tuple(said.read.claim for said in dialogue.hear(answer) if not said.read.is_note)


def read_said(text: str, registry: Registry, turn: DialogueTurn | None, party: Party) -> tuple[Said, ...]:
    """Every statement of a text against what was mentioned before."""
    return read_turn(text, registry, turn, party)[0]


def _last_question(told: str) -> str:
    last = split_sentences(told)[-1:]
    return last[0].text if last and last[0].text.rstrip().endswith("?") else ""


_MOST_REPLIED = 3
_LONGEST_REPLY = 160


def _exchange(asked: str, told: str) -> str:
    """ "How do you get there? With my old Volvo.": a reply whose first sentence is none without the question."""
    sentences = [s.text.strip() for s in split_sentences(told)[:_MOST_REPLIED]]
    reply = " ".join(sentences)
    if not sentences or sentences[0].endswith("?") or not needs_question(sentences[0]) or len(reply) > _LONGEST_REPLY:
        return ""
    return f"{asked.strip()} {reply}"


def _complete(asked: str, text: str, told: str, turn: DialogueTurn | None, party: Party) -> tuple[Said, ...]:
    """What a reply says together with the question before it; it stands where the reply's first sentence does."""
    first, written = split_sentences(told)[:1], split_sentences(text)[:1]
    full = complete(asked, first[0].text, by_user=party is Party.USER) if first and written else None
    if full is None:
        return ()
    sentence, span = full[:1].upper() + full[1:], written[0].span
    quote = text[span.start : span.end].strip()
    return tuple(
        Said(
            replace(read, claim=replace(read.claim, span=span, value_span=None, other_spans=()), sentence=span),
            turn, party, quote, quote, sentence, is_of_assistant(read.claim.subject),
        )
        for read in read_text(sentence).claims
    )  # fmt: skip


def read_turn(text: str, registry: Registry, turn: DialogueTurn | None, party: Party) -> tuple[tuple[Said, ...], str]:
    """The statements of a text, and the whole of it in the voice of the answer."""
    resolved = resolve_text(text, registry, party, turn.role if turn is not None else "")
    if party is Party.SYSTEM:
        return (), ""
    statements = read_text(resolved.text).statements
    known = {read.sentence for read in statements}
    unread = [_take_whole(s) for s in split_sentences(resolved.text) if s.span not in known and _may_assert(s)]
    found = [_place(read, resolved, text, turn, party) for read in (*statements, *unread)]
    return tuple(sorted(found, key=lambda said: said.read.claim.span)), resolved.text


def _may_assert(sentence: Sentence) -> bool:
    if sentence.kind is SentenceKind.CODE or is_question(sentence) or is_advice(sentence.text):
        return False
    return not is_pleasantry(sentence.text) or _OFFER.match(sentence.text) is not None


def _take_whole(sentence: Sentence) -> ReadClaim:
    """A sentence in which no statement was read: nobody's claim, but it may still name a value."""
    return ReadClaim(Claim(sentence.text, sentence.span), (), UNREAD, sentence.span, is_note=True)


def _place(read: ReadClaim, resolved: Resolved, text: str, turn: DialogueTurn | None, party: Party) -> Said:
    of_assistant = is_of_assistant(read.claim.subject)
    own = read if resolved.is_as_written and not of_assistant else _move(read, resolved, of_assistant)
    quote = text[own.claim.span.start : own.claim.span.end].strip()
    told = resolved.text[read.sentence.start : read.sentence.end]
    return Said(own, turn, party, quote, text[own.sentence.start : own.sentence.end], told, of_assistant)


def _move(read: ReadClaim, resolved: Resolved, of_assistant: bool) -> ReadClaim:
    """What was read, with the places in the text as it was written."""
    claim, locate = read.claim, resolved.locate
    placed = replace(
        claim,
        span=locate(claim.span),
        value_span=locate(claim.value_span) if claim.value_span is not None else None,
        other_spans=tuple(locate(span) for span in claim.other_spans),
    )
    facts = tuple(
        replace(f, span=locate(f.span), value_span=locate(f.value_span), subject=_own(f.subject, of_assistant))
        for f in read.facts
    )
    proposition = read.proposition._replace(
        subject=_own(read.proposition.subject, of_assistant),
        arguments=tuple(a._replace(span=locate(a.span)) for a in read.proposition.arguments),
    )
    return replace(read, claim=placed, facts=facts, proposition=proposition, sentence=locate(read.sentence))


def _own(subject: str, of_assistant: bool) -> str:
    """The reader takes every "I" for the user; in the voice of the answer it is the assistant."""
    if not of_assistant or not (subject == USER or subject.startswith(f"{USER}'s ")):
        return subject
    return ASSISTANT + subject[len(USER) :]


# ── JSON ────────────────────────────────────────────────────────────────────────────────────────


def read_dialogue(value: object, *, field: str = "dialogue", window: int = WINDOW) -> Dialogue:
    """A dialogue from JSON: `[{turn_id?, speaker or role, text}]`, in any order.

    A turn without an id follows the one before it; nothing given is an empty dialogue.
    """
    if value is None:
        return Dialogue(window=window)
    if not isinstance(value, list | tuple):
        raise InvalidInput(field, f"must be a list of turns, not {_name(value)}")
    rows = cast("Sequence[object]", value)
    if len(rows) > MOST_TURNS:
        raise InvalidInput(field, f"has {len(rows):,} turns; the most is {MOST_TURNS:,}")
    turns: list[DialogueTurn] = []
    for index, row in enumerate(rows):
        following = turns[-1].turn_id + 1 if turns else 1
        turns.append(_read_turn(row, f"{field}[{index}]", following))
    return Dialogue(turns, window=window)


def _read_turn(row: object, path: str, following: int) -> DialogueTurn:
    if not isinstance(row, Mapping):
        raise InvalidInput(path, f"must be an object with speaker and text, not {_name(row)}")
    fields = cast("Mapping[str, Any]", row)
    text = fields.get("text")
    if not isinstance(text, str):
        raise InvalidInput(f"{path}.text", "is required" if text is None else f"must be a string, not {_name(text)}")
    if len(text) > LONGEST_TURN:
        raise InvalidInput(f"{path}.text", f"has {len(text):,} characters; the most is {LONGEST_TURN:,}")
    name = "speaker" if fields.get("speaker") is not None else "role"
    role = fields.get(name)
    if role is None:
        raise InvalidInput(f"{path}.speaker", "is required: user, assistant, or a name")
    if not isinstance(role, str) or not role.strip():
        raise InvalidInput(f"{path}.{name}", "must be user, assistant, or a name")
    return DialogueTurn(_read_id(fields.get("turn_id"), path, following), role.strip(), text)


def _read_id(value: object, path: str, following: int) -> int:
    if value is None:
        return following
    if isinstance(value, str) and value.strip().lstrip("+-").isascii() and value.strip().lstrip("+-").isdecimal():
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"{path}.turn_id", f"must be a whole number, not {_name(cast('object', value))}")
    return value


def _name(value: object) -> str:
    kinds: dict[type, str] = {
        str: "a string",
        bool: "true or false",
        int: "a number",
        float: "a number",
        dict: "an object",
        list: "a list",
    }
    return "null" if value is None else kinds.get(type(value), type(value).__name__)
