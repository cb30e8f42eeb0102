"""From a sentence to its statements: questions, brackets and quotations are put aside first."""

from __future__ import annotations

import re
from functools import cache

from groundwire.text import lexicon
from groundwire.text.assertion import is_pleasantry, is_question
from groundwire.text.brackets import Aside, add_details, set_brackets_aside
from groundwire.text.clauses import read_clauses
from groundwire.text.clefts import Clause
from groundwire.text.complements import read_complement
from groundwire.text.expansion import Expander
from groundwire.text.gapping import fill_gaps, join_absolutes
from groundwire.text.identifying import identify, split_descriptions
from groundwire.text.moved import SEEMING, drop_seeming, drop_source, name_that, retag_moved, turn_denials
from groundwire.text.notes import read_note
from groundwire.text.passing import read_openings
from groundwire.text.phrases import Phrase
from groundwire.text.remarks import drop_remarks
from groundwire.text.statements import Statement
from groundwire.text.subjects import Discourse
from groundwire.text.tables import read_table
from groundwire.text.tagging import tag, tag_text
from groundwire.text.tokens import Token, tokenize
from groundwire.types import Sentence

_SETS_ASIDE = re.compile(r'[()\[\]",!:“”«»–—-]')
"""What brackets, quotations and openers are made of; without any of these, nothing is put aside."""
_ENCLOSES = re.compile(r'[()\[\]"“”«»]|: ')
"""What is set aside by brackets and quotation marks, or announced; without any, only an opener may be."""
_PARTED = re.compile(r",|[;–—] | - ")
"""Between what a sentence asserts and what it goes on to ask."""
_AFTER_OPENERS = frozenset(",-–—!:")
MOST_TOKENS = 240
"""A sentence of more words and marks is not taken apart."""


def read_statements(sentence: Sentence, discourse: Discourse) -> list[Statement]:
    """The statements of one sentence; questions have none."""
    asked = is_question(sentence)
    if asked and _PARTED.search(sentence.text) is None:
        _mention_names(sentence, discourse)
        return []
    tokens, letters, quoted, asides = _tag_words(sentence)
    if len(tokens) > MOST_TOKENS:
        return []
    if "nR" in letters:
        tokens, letters = _without_not_only(tokens, letters)
    if letters[:1] in ("b", "h"):
        letters = _open_with_participle(tokens, letters)
    letters = retag_moved(tokens, letters)
    if "#" in letters or "@" in letters:
        tokens, letters = name_that(tokens, letters)
    if ",I" in letters:
        tokens, letters = join_absolutes(tokens, letters)
    if "," in letters or "C" in letters:
        letters = fill_gaps(tokens, letters)
    if _asks(letters, tokens):
        _mention_names(sentence, discourse)
        return []
    if asked:
        return _before_question(tokens, letters, read_clauses(tokens, letters), discourse)
    parts = split_descriptions(tokens, letters)
    discourse.goes_on = discourse.goes_on or len(parts) > 1
    found = [statement for part in parts for statement in _read_part(*identify(*part), discourse)]
    if quoted:
        for statement in found:
            statement.quoted = True
    if asides:
        add_details(found, asides)
    return found


def _read_part(tokens: list[Token], letters: str, discourse: Discourse) -> list[Statement]:
    clauses = read_clauses(tokens, letters)
    if not clauses or _is_labelled(tokens, letters, clauses):
        return read_note(tokens, letters)
    return [s for clause in clauses for s in Expander(tokens, letters, clause, clauses, discourse).run()]


def _tag_words(sentence: Sentence) -> tuple[list[Token], str, bool, list[Aside]]:
    """The words that are read, with their letters, whether they are all a quotation, and what was put aside."""
    seeming = sentence.text.startswith(SEEMING)
    if not seeming and _SETS_ASIDE.search(sentence.text) is None:
        return *tag_text(sentence.text, sentence.span.start), False, []
    if not seeming and _ENCLOSES.search(sentence.text) is None:
        tokens, letters = tag_text(sentence.text, sentence.span.start)
        if len(tokens) > MOST_TOKENS or _is_plain(tokens):
            return tokens, letters, False, []
    tokens, asides = set_brackets_aside(tokenize(sentence.text, sentence.span.start))
    if len(tokens) > MOST_TOKENS:
        return tokens, "", False, []
    tokens = drop_seeming(_without_interjection(turn_denials(drop_remarks(drop_source(tokens)))))
    tokens, quoted = _fold_quotations(_without_announcement(sentence, tokens))
    return tokens, tag(tokens), quoted, asides


def _is_plain(tokens: list[Token]) -> bool:
    """Nothing in the sentence is said beside it."""
    changes = (_without_interjection, drop_source, drop_remarks, turn_denials)
    return all(change(tokens) is tokens for change in changes)


def _open_with_participle(tokens: list[Token], letters: str) -> str:
    """ "Being a vegetarian, you avoid meat": at the start, before a comma and a subject, no verb of a sentence."""
    if tokens[0].low not in ("being", "having"):
        return letters
    comma = letters.find(",")
    if comma < 0 or letters[comma + 1 : comma + 2] not in ("p", "P", "D", "S", "N"):
        return letters
    tokens[0] = tokens[0].retagged("G")
    if letters[1:2] == "V":  # "having moved"
        tokens[1] = tokens[1].retagged("E")
    return "".join(token.tag for token in tokens)


def _without_not_only(tokens: list[Token], letters: str) -> tuple[list[Token], str]:
    """ "Not only a nurse but also a painter" is both: the words deny nothing and limit nothing."""
    at = letters.find("nR")
    if tokens[at + 1].low not in ("only", "just", "merely", "simply"):
        return tokens, letters
    but = next((i for i in range(at + 2, len(tokens)) if tokens[i].low == "but"), 0)
    if not but:
        return tokens, letters
    joint = Token("and", tokens[but].start, tokens[but].end)
    joint.tag = "C"
    kept = [*tokens[:at], *tokens[at + 2 : but], joint, *tokens[but + 1 :]]
    if letters[but - 1] == ",":
        kept.remove(tokens[but - 1])
    return kept, "".join(token.tag for token in kept)


def _before_question(tokens: list[Token], letters: str, clauses: list[Clause], discourse: Discourse) -> list[Statement]:
    """ "You're in Denver, so any hikes planned?": what stands before the question is asserted."""
    comma = max(letters.rfind(mark) for mark in _PARTING)
    told = [c for c in clauses if c.verb.end <= comma]
    asked = comma + 1 < len(letters) and (
        letters[comma + 1] in "UCRWdMbhDJNSP" or tokens[comma + 1].low in _QUESTION_WORDS
    )
    if not told and clauses and letters[0] == "I" and tokens[0].low == "as":
        return read_openings(clauses[0])
    if comma >= 0 and letters[comma] != "," and tokens[0].low in _ANNOUNCING:
        return []
    if not told or not asked or letters[0] in "dMWbh" or _asks(letters, tokens):
        return []
    if comma + 2 >= len(letters.rstrip(".")) and tokens[comma + 1].low in (
        "right",
        "correct",
        "yes",
        "no",
        "okay",
        "ok",
    ):
        return []
    for clause in told:
        clause.end = min(clause.end, comma)
        clause.complement = read_complement(tokens, letters, clause.verb.end, clause.end)
    return [s for clause in told for s in Expander(tokens, letters, clause, told, discourse).run()]


_PARTING = ",;-"
_ANNOUNCING = frozenset({"i", "it", "there", "we"})
"""Who is spoken of where a question is led up to: "I have one question – …", "It depends – …"."""
_QUESTION_WORDS = frozenset(
    {"what", "why", "how", "when", "where", "who", "shall", "any", "maybe", "perhaps", "want", "need"}
)


def _is_labelled(tokens: list[Token], letters: str, clauses: list[Clause]) -> bool:
    """ "Account status: closed", "Tuesday: drop Lotte off": a label, then a note."""
    colon, verb = letters.find(":"), clauses[0].verb
    if colon <= 0 or verb.start <= colon or set(letters[:colon]) - set("DSJNP#'"):
        return False
    participle = verb.start == colon + 1 and any(t == "VBN" for t, _ in lexicon.readings(tokens[verb.start].low))
    bare = (
        verb.start == colon + 1
        and tokens[verb.start].tag in "VB"
        and tokens[verb.start].low == tokens[verb.start].lemma
    )
    return participle or bare or not clauses[0].subjects


def _mention_names(sentence: Sentence, discourse: Discourse) -> None:
    """A question asserts nothing, but later pronouns may refer to whom it names."""
    if len(sentence.text) > 400:
        return
    tokens, letters = tag_text(sentence.text, sentence.span.start)
    for i, letter in enumerate(letters):
        if letter == "P" and (i == 0 or letters[i - 1] != "P"):
            end = i + len(letters[i:]) - len(letters[i:].lstrip("P"))
            discourse.mention(Phrase(tokens, i, end))


def _asks(letters: str, tokens: list[Token]) -> bool:
    """Inverted order ("Do you…", "Where did…") without a question mark."""
    if tokens and tokens[0].low in ("why", "what", "how", "where", "when") and letters[1:2] in ("d", "M", "b", "h"):
        return letters[2:3] in ("p", "D", "S", "P", "N")
    return (letters[:2] in ("dp", "bp", "Mp", "hp") and tokens[0].low not in ("'s",)) or letters[:3] in (
        "WdP",
        "Wdp",
        "WbP",
    )


def _without_interjection(tokens: list[Token]) -> list[Token]:
    """ "Yes, it works", "That's right, …", "Good news: …": the opener is not part of the sentence."""
    while len(tokens) > 2:
        mark = 0
        for i, token in enumerate(tokens[:6]):
            if token.text in _AFTER_OPENERS:
                mark = i
                break
        if mark == 0 or mark + 1 >= len(tokens) or " ".join([t.low for t in tokens[:mark]]) not in _openers():
            return tokens
        tokens = tokens[mark + 1 :]
    return tokens


def _without_announcement(sentence: Sentence, tokens: list[Token]) -> list[Token]:
    """ "Let me put it together: you…": small talk before a colon says nothing, and what follows does."""
    opening, colon, rest = sentence.text.partition(": ")
    if not colon or not rest.strip() or not is_pleasantry(opening):
        return tokens
    begin = sentence.span.start + len(opening) + 1
    return [token for token in tokens if token.start >= begin]


@cache
def _openers() -> frozenset[str]:
    return frozenset(read_table("pleasantries")["openers"])


def _fold_quotations(tokens: list[Token]) -> tuple[list[Token], bool]:
    """A short quotation is a title and becomes one name; longer speech is somebody else's and is left out."""
    marks = [i for i, token in enumerate(tokens) if token.tag == '"']
    if not marks:
        return tokens, False
    if len(marks) < 2:
        return [t for t in tokens if t.tag != '"'], False
    if marks[0] == 0 and marks[1] >= len(tokens) - 2:
        return [t for t in tokens if t.tag != '"'], True
    kept: list[Token] = []
    i = 0
    for begin, end in zip(marks[::2], marks[1::2], strict=False):
        kept.extend(tokens[i:begin])
        inside = tokens[begin + 1 : end]
        if (
            inside
            and len(inside) <= 8
            and not (begin and tokens[begin - 1].tag in (",", ":"))
            and inside[-1].tag not in (".", ",")
        ):
            name = Token(" ".join(t.text for t in inside), inside[0].start, inside[-1].end)
            name.tag = "P"
            kept.append(name)
        i = end + 1
    kept.extend(t for t in tokens[i:] if t.tag != '"')
    return kept, False
