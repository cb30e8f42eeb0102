"""Words whose tag only the order of the whole sentence can tell: "behind the house there are two sheds"."""

from __future__ import annotations

import re
from functools import lru_cache

from groundwire.text import lexicon
from groundwire.text.function_words import closed_classes, word_group
from groundwire.text.tokens import Token
from groundwire.text.verbs import SUPERLATIVES, is_past

_THERE = re.compile(r"(?<![bV])R(?=M?b|h(?:E|b)|V)")
_TOLD = re.compile(r"(?<=b)p([Rn]*)E(?=[DSpPN#It])")
_MOST = re.compile(r"(?<=pV)[pDRJ](?=[b.,]|$)|(?<=V)[pDRJ](?=b)")
_SHARED = re.compile(r"(?<=C)pN(?=[ItDSR#P.,]|$)")
_NOUN = re.compile(r"[^VbhdMB]{0,12}[DS]J(?=[UW]p.{0,80}[Vbh].{0,80}[VbhM])")
_LIKE = re.compile(r"(?<=,)V(?=[DS]?[JNP]+,)")
_EITHER = re.compile(r"(?<=[pP])D[NV](?=.*C)")
_OPENING = re.compile(r"(?:^|(?<=[,;:C]))p(?P<verb>N)(?=[DSp#P])")
_LONE = re.compile(r"^[DS]?[JN]*[NP]+(?P<verb>N)(?=[DS])")
_HAD = re.compile(r"h[Rn]*(?P<had>h)(?=[DSJ#NPpIR])")
_SELF = re.compile(r"(?<=[pNP])[pD](?=[RnVbhdM])")
_CONTACT = re.compile(r"(?:^|[,;C])(?:D[J#]*N|N)(?:S[JN]{0,3}N|P)(?P<verb>N)(?=[It]?b[^VbhdM,;C]{1,40}(?:[.,;C]|$))")
_TO_WORK = re.compile(r"[VBN]tB")
_HAVING = re.compile(r"h(?P<thing>V)(?=[I#.,;C]|$)")
_LATEST = re.compile(r"p(?P<last>V)(?=V)")
_BOUND = re.compile(r"(?P<until>U)[DSJ]*[NP#]+,?(?=p[VbhdM])")
_SINGLED_OUT = re.compile(r"(?:^|[,;C])R?pb[^VBhM]{1,24},(?P<that>[DpW])(?=(?P<next>.))")
_MAY_MOVE = re.compile(
    "pb|[pNP]p|pD|N[It]?b|R[MbhV]|bp|V[pDJ](?:[b.,]|$)|CpN|J[UW]p|,V|[pP]D[NV]|p[NV]|[NP]N[DS]|h[Rn]*h|hV|U[DSJ]*[NP#]+,?p|[VBN]tB"
)
"""A quick look: most sentences have none of these."""
_MOVED = (
    _THERE, _TOLD, _MOST, _SHARED, _NOUN, _LIKE, _EITHER, _OPENING, _LONE, _HAD, _SELF, _CONTACT, _TO_WORK, _HAVING,
    _LATEST, _BOUND, _SINGLED_OUT,
)  # fmt: skip


@lru_cache(maxsize=4096)
def _may_move(letters: str) -> bool:
    """A closer look, kept: many sentences are built alike."""
    return _MAY_MOVE.search(letters) is not None and any(moved.search(letters) for moved in _MOVED)


def retag_moved(tokens: list[Token], letters: str) -> str:
    """Gives "there" its place as a subject, a verb behind "the truth is you" its tense; returns the new letters."""
    if not _may_move(letters):
        return letters
    found: dict[int, str] = {}
    for match in _THERE.finditer(letters):
        opens = max(letters.rfind(mark, 0, match.start()) for mark in ",;:C") + 1
        if tokens[match.start()].low == "there" and match.start() and letters[opens] in "IR":
            found[match.start()] = "p"
    for match in _TOLD.finditer(letters):
        verb = tokens[match.end() - 1]
        if match.start() > 1 and tokens[match.start()].low in word_group("nominatives") and is_past(verb):
            found[match.end() - 1] = "V"  # "the truth is you never liked it"
    for match in _MOST.finditer(letters):
        if tokens[match.start()].low in SUPERLATIVES:
            found[match.start()] = "R"  # "the thing you hate most is…"
    for match in _SHARED.finditer(letters):
        verb = tokens[match.end() - 1]
        if tokens[match.end() - 2].low in word_group("subjects") and verb.low != verb.lemma and _can_be_verb(verb):
            found[match.end() - 1] = "V"  # "the version is 5 and it ships on Monday"
    found |= _retag_verbs(tokens, letters)
    for match in _SINGLED_OUT.finditer(letters):
        at = match.start("that")
        if tokens[at].low == "that" and any(t.low == "it" for t in tokens[match.start() : match.start() + 3]):
            found[at] = "W" if match["next"] in "VbhdMEn" else "U"  # "it was in Rome, in 2013, that you met"
    match = _NOUN.match(letters)
    if match is not None:
        found[match.end() - 1] = "N"  # "the flat that you rented"
    for match in _LIKE.finditer(letters):
        if tokens[match.start()].low == "like":
            found[match.start()] = "I"  # "Ana, like Bo, is a nurse"
    for match in _EITHER.finditer(letters):
        if tokens[match.start()].low == "either":
            found[match.start()] = "R"
            found[match.end() - 1] = "V"  # "you either walk or take the bus"
    if not found:
        return letters
    for i, letter in found.items():
        tokens[i] = tokens[i].retagged(letter)
        for j in range(i + 1, len(tokens)):
            if letter != "p" or letters[j] not in "V" or letters[j - 1] != "#":
                continue
            tokens[j] = tokens[j].retagged("N")  # "there are two sheds": no verb follows the number
            break
    return "".join(token.tag for token in tokens)


_WORKING = frozenset({"as", "with", "for", "from", "on"})
""" "I get to work from home"."""


def _retag_verbs(tokens: list[Token], letters: str) -> dict[int, str]:
    """ "It stores its files", "you've had a dog", "you last gave blood", "until May it used Teams"."""
    found: dict[int, str] = {}
    for match in _OPENING.finditer(letters):
        verb = tokens[match.start("verb")]
        if tokens[match.start()].low in word_group("subjects") and verb.low != verb.lemma and _can_be_verb(verb):
            found[match.start("verb")] = "V"
    if (match := _LONE.match(letters)) is not None:
        verb = tokens[match.start("verb")]
        if verb.low != verb.lemma and verb.low.endswith("s") and _can_be_verb(verb):
            found[match.start("verb")] = "V"  # "my neighbour waters my plants when I'm away"
    for match in _SELF.finditer(letters):
        low, plural = tokens[match.start()].low, tokens[match.start() - 1].low in ("we", "you", "they", "it")
        if low.endswith(("self", "selves")) or (plural and low in ("both", "all", "each")):
            found[match.start()] = "R"  # "you yourself live in Daegu", "we both live there"
    for match in _CONTACT.finditer(letters):
        verb = tokens[match.start("verb")]
        if verb.low.endswith("s") and verb.low != verb.lemma and _can_be_verb(verb):
            found[match.start("verb")] = "V"  # "the instrument your daughter plays is the harp"
    for match in _TO_WORK.finditer(letters):
        way, work = tokens[match.start()], tokens[match.end() - 1]
        behind = tokens[match.end()].low if match.end() < len(tokens) else ""
        trained = way.low == "train" and way.tag != "N"
        if work.low == "work" and way.lemma in word_group("ways") and behind not in _WORKING and not trained:
            found[match.start() + 1], found[match.end() - 1] = "I", "N"  # "you cycle to work"
    for match in _HAVING.finditer(letters):
        thing, before = tokens[match.start("thing")], letters[: match.start()]
        plural = thing.low.endswith("s") and thing.low != thing.lemma and not is_past(thing)
        if plural and re.fullmatch(r"D[JNP#]*Np", before) is None:  # but "the plan you have costs 60 euros"
            found[match.start("thing")] = "N"  # "she has plans for May"
    for match in _HAD.finditer(letters):
        if tokens[match.start("had")].low == "had":
            found[match.start("had")] = "E"
    for match in _LATEST.finditer(letters):
        if tokens[match.start("last")].low == "last":
            found[match.start("last")] = "R"
    for match in _BOUND.finditer(letters):
        if tokens[match.start()].low in ("until", "till", "before", "after"):
            found[match.start()] = "I"
    return found


def _can_be_verb(token: Token) -> bool:
    return any(reading.startswith("VB") for reading, _ in lexicon.readings(token.lemma))


_LOOKS = ("Looks ", "Seems ", "Sounds ", "Turns ", "Appears ")
SEEMING = (*_LOOKS, *(f"It {verb.lower()}" for verb in _LOOKS))
"""How a sentence opens that only says that something seems so, with its "it" or without."""
_SEEMING = frozenset(
    {("looks", "like"), ("looks", "as"), ("sounds", "like"), ("seems", "like"), ("seems", "that"), ("turns", "out")}
)
_SEEMS = frozenset({"seems", "appears"})


def drop_seeming(tokens: list[Token]) -> list[Token]:
    """ "Looks like your landlord raised the rent", "turns out the flat was sold": nobody looks, and nothing turns."""
    own = int(tokens[0].low == "it") if tokens else 0
    if len(tokens) < 5 + own:
        return tokens
    opening = (tokens[own].low, tokens[own + 1].low)
    start = own + (2 if opening in _SEEMING else 1 if opening[0] in _SEEMS else 0)
    if start == own:
        return tokens
    while start < len(tokens) - 3 and tokens[start].low in ("that", "if", "though"):
        start += 1
    if own and not (tokens[start].low in _SUBJECTS or tokens[start].text[0].isupper()):
        return tokens  # "it seems fine"
    return tokens[start:] if tokens[start].low not in _NOT_SUBJECTS else tokens


def drop_source(tokens: list[Token]) -> list[Token]:
    """ "…, judging by your latest note": from where it is known is not said of anybody."""
    for i in range(len(tokens) - 3, 1, -1):
        if tokens[i].text == "," and (tokens[i + 1].low, tokens[i + 2].low) in _SOURCES:
            rest = tokens[i + 3 :]
            close = next((j for j, token in enumerate(rest) if token.text in (",", ";", ":", ".", "!")), len(rest))
            if 0 < close <= _LONGEST_SOURCE:
                enclosed = close + 1 < len(rest) and rest[close].text == "," and rest[close + 1].low in _GOING_ON
                return [*tokens[:i], *rest[close + enclosed :]]
    return tokens


_GOING_ON = frozenset({"that", "who", "which", "is", "was", "are", "were", "has", "had", "will"})
"""Before these, both commas belong to what was said in between: "it was Rex, going by your notes, that…"."""
_SOURCES = frozenset({("judging", "by"), ("judging", "from"), ("going", "by"), ("going", "on"), ("based", "on")})
_LONGEST_SOURCE = 8
_SUBJECTS = frozenset(
    {"you", "your", "the", "my", "our", "we", "he", "she", "they", "his", "her", "their", "there", "i", "this"}
)


_NOT_SUBJECTS = frozenset({"to", "a", "an", "like", "as", "good", "great", "fine"})


_DENYING = {
    "nor": "not",
    "neither": "not",
    "never": "never",
    "seldom": "seldom",
    "rarely": "rarely",
    "hardly": "hardly",
}
_NO = {"more": "not", "longer": "no longer"}


def turn_denials(tokens: list[Token]) -> list[Token]:
    """ "…, nor do you eat fish", "and never has Ana smoked": the verb goes behind its subject, with the denial."""
    for i in range(1, len(tokens) - 3):
        low = tokens[i].low
        size = 2 if low == "no" and tokens[i + 1].low in _NO else 1
        denial = _NO[tokens[i + 1].low] if size == 2 else _DENYING.get(low)
        if denial is None or tokens[i - 1].text not in _JOINTS or i + size + 2 >= len(tokens):
            continue
        at = i + size
        helper, end = tokens[at], _find_end_of_subject(tokens, at + 1)
        if closed_classes().get(helper.low) not in ("d", "h", "b", "M") or not end:
            continue
        joined = tokens[i - 1].low in ("and", "but")
        joint = Token("and", tokens[i].start, tokens[at - 1].end, is_apart=True)
        words = [Token(word, helper.end, helper.end) for word in denial.split()]
        for word in words:
            word.text = f" {word.text}"  # it has no room in the text
        before = tokens[:i] if joined else [*tokens[:i], joint]
        return [*before, *tokens[at + 1 : end], helper, *words, *tokens[end:]]
    return tokens


_JOINTS = frozenset({",", ";", "and", "but"})


def _find_end_of_subject(tokens: list[Token], start: int) -> int:
    """Where a short subject ends that a verb follows; 0 where none does: "nor does Ana." says no verb again."""
    first = tokens[start]
    letter = closed_classes().get(first.low, "")
    if first.low in word_group("subjects") or (first.text[0].isupper() and not letter):
        end = start + 1
    else:
        end = start + 2 if letter in ("D", "S") else 0
    return end if end and end < len(tokens) - 1 and tokens[end].text[0].isalpha() and tokens[end].low != "too" else 0


_THAT = re.compile(r"(?P<value>[#@][#@PN]*)[,;](?P<that>[pWD])(?P<is>b)(?=S[JN]*N(?:[.,;]|$))")


def name_that(tokens: list[Token], letters: str) -> tuple[list[Token], str]:
    """ "Call 555 0199, that's her number": what is just named by figures is what "that" stands for."""
    found = _THAT.search(letters)
    if found is None or tokens[found.start("that")].low != "that":
        return tokens, letters
    value = [token.moved(0) for token in tokens[slice(*found.span("value"))]]
    at = found.start("that")
    told = Token("is", tokens[at + 1].start, tokens[at + 1].end, is_apart=True)
    told.tag, told.lemma = "b", "be"
    named = [*tokens[:at], *value, told, *tokens[at + 2 :]]
    return named, "".join(token.tag for token in named)
