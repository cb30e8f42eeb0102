"""Statements: the atomic propositions of a sentence, before they become claims or facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from groundwire.text.clefts import OWN_WORDS, Role
from groundwire.text.complements import Complement, Modifier, read_complement
from groundwire.text.fronts import Front
from groundwire.text.inflection import third_person
from groundwire.text.phrases import Phrase, is_time, start_list
from groundwire.text.subjects import may_be_person, name_subject, render
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token
from groundwire.text.verbs import VerbGroup, is_past
from groundwire.types import Span, Tense


@dataclass(slots=True)
class Statement:
    """One subject, one verb, one object. `words` render as a sentence of their own."""

    subject: list[Token]
    verb: VerbGroup
    verb_words: list[Token]
    object: Phrase | None
    second: Phrase | None
    modifiers: list[tuple[str, Phrase]]
    adverbs: list[Token]
    span: Span
    words: list[Token]
    role: Role = Role.MAIN
    fragment: bool = False
    conditional: bool = False
    """Said under an "if"."""
    order: bool = False
    attributed: bool = False
    quoted: bool = False
    aspect: str = ""
    object_words: list[Token] | None = None
    """What an object pronoun stands for."""
    is_named: bool = False
    """The object's name follows in a statement of its own: "a sister called Ana"."""
    holder: list[Token] | None = None
    """Who has the thing that the statement describes: "You" in "You have a dog named Rex"."""
    openings: list[tuple[str, Phrase]] = field(default_factory=start_list)
    front: Front | None = None
    """What stands before the subject."""
    timing: Sequence[Token] = ()
    """The clause that tells when, with the word that joins it: "before it was paid"."""
    purpose: Sequence[Token] = ()
    """What something is done for, or somebody is to do: "to swim" in "taught them to swim"."""
    adrift: bool = False
    """Its subject is not the one that it was given; the sentence has to be taken as a whole."""
    set_aside: Sequence[Token] = ()
    """Words that are there only to be denied: "Emacs" in "uses Vim rather than Emacs"."""

    _about: str | None = field(default=None, compare=False)

    @property
    def about(self) -> str:
        """The name of whom or what the subject is; it is only asked for once the statement is complete."""
        if self._about is None:
            self._about = " ".join(name_subject(self.subject).split())  # a word put in again has its space before it
        return self._about

    @property
    def text(self) -> str:
        return render(self.words)

    @property
    def is_without(self) -> bool:
        """ "without sugar" denies as "no sugar" does."""
        return bool(self.modifiers) and any(preposition == "without" for preposition, _ in self.modifiers)


_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does"}


def make_singular(verb: Token) -> Token:
    """ "Tom and Ana live" → Tom lives."""
    is_bare = verb.tag in "VB" and verb.low == verb.lemma
    text = _SINGULAR.get(verb.low) or (third_person(verb.text) if is_bare else verb.text)
    token = Token(text, verb.start, verb.end)
    token.tag, token.lemma = verb.tag, verb.lemma
    return token


NOBODY = frozenset({"nobody", "none", "nothing", "no"})


def leave_out(subject: list[Token]) -> list[Token]:
    """ "Nobody but Lea" is Lea, and she alone; other subjects stay as they are."""
    if len(subject) < 3 or subject[0].low not in NOBODY:
        return subject
    at = 2 if subject[0].low == "no" and subject[1].low == "one" else 1
    if len(subject) < at + 2 or subject[at].low not in ("but", "except"):
        return subject
    return subject[at + 1 :]


def find_excepted(subject: Phrase) -> int | None:
    """Where "except Tom" begins in "everyone except Tom"."""
    if subject.end - subject.start < 3 or subject.first_token.low not in _EVERYONE:
        return None
    for i in range(subject.start + 1, subject.end - 1):
        low = subject.tokens[i].low
        if low in ("except", "but") or (low == "apart" and i + 2 < subject.end):
            return i
    return None


_EVERYONE = frozenset({"everyone", "everybody", "everything", "all", "every"})


def deny(words: list[Token]) -> list[Token]:
    """ "drinks" → "does not drink", "will come" → "will not come"."""
    verb, denial = words[0], make_word("not", "n", -1)
    if verb.tag in "bMd" or (verb.tag == "h" and len(words) > 1):
        return [verb, denial, *words[1:]]
    if verb.tag not in "Vh" or (len(words) > 1 and words[1].tag != "t"):
        return [*words, denial]
    past = is_past(verb)
    support = "did" if past else "do" if verb.low in (verb.lemma, "have") else "does"
    bare = Token("have" if verb.tag == "h" else verb.lemma, verb.start, verb.end)
    bare.tag, bare.lemma = verb.tag, verb.lemma
    return [make_word(support, "d", -2), denial, bare, *words[1:]]


_PLURAL = {"is": "are", "'s": "are", "has": "have", "does": "do", "was": "were"}


def agree(words: list[Token], subject: Phrase | None, *, moved: bool = False) -> list[Token]:
    """ "a vegetarian who hates olives", said of you: you hate olives."""
    if subject is None or subject.letters != "p" or subject.first_token.low not in ("you", "i", "we", "they"):
        return words
    verb = words[0]
    singular = verb.low in _PLURAL or (verb.tag == "V" and verb.low.endswith("s") and verb.low != verb.lemma)
    if not singular or (verb.start < subject.span[1] and not moved) or words[0].low == "'s":
        return words
    token = Token(_PLURAL.get(verb.low, verb.lemma), verb.start, verb.end)
    token.tag, token.lemma = verb.tag, verb.lemma
    if token.text in ("was", "were") and subject.first_token.low == "i":
        return words
    return [token, *words[1:]]


def be_for(subject: Phrase | None) -> str:
    if subject is None:
        return "is"
    if subject.letters == "p":
        return "are" if subject.first_token.low in ("you", "we", "they", "i") else "is"
    head = subject.head_token
    counted = subject.letters[0] == "#" and subject.first_token.low not in ("1", "one")
    return "are" if counted and head.tag == "N" and head.low != head.lemma else "is"


def is_named(member: Phrase, complement: Complement) -> bool:
    """ "a dog called Rex", "my sister, Ana": the complement says what the thing is called."""
    if not complement.reduced and not complement.appositions:
        return False
    if any(phrase is member and phrase.tokens[i].lemma in ("call", "name") for phrase, i, _ in complement.reduced):
        return True
    return any(p is member and not d.letters.strip("P") for p, d in complement.appositions)


def names_thing(verb: VerbGroup, complement: Complement) -> bool:
    """ "Emma is a novel": what is called a thing is no "she"."""
    if verb.lemma != "be" or verb.negated or not complement.objects or complement.objects[0].letters[0] != "D":
        return False
    said = complement.objects[0]
    return (
        said.head_token.tag == "N" and said.first_token.low in ("a", "an") and not may_be_person(said.head_token.lemma)
    )


def make_word(text: str, letter: str, at: int) -> Token:
    token = Token(text, at, at)
    token.tag = letter
    return token


def equate(described: Phrase, description: Phrase) -> Statement:
    """ "Ana, a nurse" → Ana is a nurse."""
    at = described.span[1]
    verb = VerbGroup(described.end, described.end, "be")
    words = [
        *described.words(),
        make_word(f" {be_for(described)}", "b", at),
        make_word(f" {description.words()[0].text if description.start else description.first_token.low}", "D", at),
        *description.words()[1:],
    ]
    inner = read_complement(
        description.tokens, "".join(t.tag for t in description.tokens), description.start, description.end
    )
    value = inner.objects[0] if inner.objects else description
    modifiers = [(m.preposition, p) for m in inner.modifiers for p in m.phrases]
    return Statement(described.words(), verb, [], value, None, modifiers, [], Span(*description.span), words)


_REMINDING = frozenset({"remember", "forget", "note"})


def read_reminder(statement: Statement) -> Statement | None:
    """ "Remember your appointment on Friday at 9" takes for granted that it is on Friday at 9."""
    thing = statement.object
    if not statement.order or thing is None or statement.verb.lemma not in _REMINDING or statement.aspect:
        return None
    at = next((i for i, (_, phrase) in enumerate(statement.modifiers) if is_time(phrase)), None)
    if at is None or thing.first_token.low != "your":
        return None
    times = statement.modifiers[at:]
    if not all(is_time(phrase) or role == "at" for role, phrase in times):
        return None
    start = times[0][1].start - bool(times[0][0])
    end = max(phrase.end for _, phrase in times)
    tokens = thing.tokens
    if not thing.end <= start < end:
        return None
    adverbs = [token for token in statement.adverbs if token.start >= tokens[start].start]
    while end < len(tokens) and tokens[end] in adverbs:
        end += 1
    described = Phrase(tokens, thing.start, start)
    first, place = tokens[start], tokens[start].start
    words = [
        *described.words(),
        make_word(f" {be_for(thing)}", "b", place),
        make_word(f" {first.text}", first.tag, place),
    ]
    words += tokens[start + 1 : end]
    span = Span(tokens[thing.start].start, tokens[end - 1].end)
    verb = VerbGroup(start, start, "be")
    return Statement(described.words(), verb, [], None, None, times, adverbs, span, words)


HAVING = frozenset({"have", "own", "keep", "raise", "adopt", "get"})


def is_one_of(group: Phrase, member: Phrase) -> bool:
    """ "two children, Noor and Sami": a name, and several of whom it is one."""
    head = group.head_token
    plural = head.tag == "N" and head.low != head.lemma and ("#" in group.letters or group.letters[0] == "S")
    return plural and member.letters.strip("P") == ""


def name_member(group: Phrase, member: Phrase, holder: list[Token]) -> list[Token]:
    """ "One of your two children is Noor"; of nobody's, where it is not said who has them."""
    at, things = group.span[1], [word for word in group.words() if word.tag not in "DS"]
    owner = group.words()[:1] if group.letters[0] == "S" else holder
    whose = OWN_WORDS.get(owner[0].low, owner[0].low if owner[0].tag == "S" else "") if owner else "the"
    owning = [make_word(f" {whose}", "S", at)] if whose else [*owner, make_word("'s", "'", owner[-1].end)]
    one = [make_word("One", "#", -2), make_word(" of", "I", -2)]
    return [*one, *owning, *things, make_word(" is", "b", at), *member.words()]


@cache
def _former() -> frozenset[str]:
    return frozenset(read_table("fact_words")["former"])


def read_participle(tokens: list[Token], start: int) -> tuple[VerbGroup, list[Token]]:
    """The verb of "originally planned for Monday", and its adverbs: what was planned once is in the past."""
    at = start
    while tokens[at].tag in "Rn":
        at += 1
    adverbs = tokens[start:at]
    denied = any(token.tag == "n" for token in adverbs)
    over = any(token.low in _former() for token in adverbs)
    tense = Tense.PAST if over else Tense.PRESENT
    passive = tokens[at].tag == "E"
    return VerbGroup(at, at + 1, tokens[at].lemma, tense=tense, passive=passive, negated=denied), adverbs


def describe(tokens: list[Token], described: Phrase, verb: VerbGroup, inner: Complement, end: int) -> Statement:
    """ "a dog named Rex" → a dog is named Rex."""
    at = described.span[1]
    early = [token for token in inner.adverbs if token.start < tokens[verb.start].start]
    be = be_for(described) if verb.tense is not Tense.PAST else "was"
    words = [
        *described.words(),
        make_word(f" {be}", "b", at),
        *(make_word(f" {token.low}", token.tag, at) for token in early),
        make_word(f" {tokens[verb.start].text if verb.start else tokens[0].low}", "E", at),
        *tokens[verb.start + 1 : end],
    ]
    modifiers = [(m.preposition, p) for m in inner.modifiers for p in m.phrases]
    span = Span(early[0].start if early else tokens[verb.start].start, tokens[end - 1].end)
    return Statement(
        described.words(),
        verb,
        tokens[verb.start : verb.end],
        inner.objects[0] if inner.objects else None,
        None,
        modifiers,
        inner.adverbs,
        span,
        words,
    )


def read_gerund(
    tokens: list[Token], letters: str, holder: list[Token], subject: Phrase | None, place: tuple[int, int]
) -> Statement:
    """ "after switching from MongoDB", ", working from home": said of the subject of the sentence."""
    start, end = place[0] + 1, place[1]
    verb = VerbGroup(start, start + 1, tokens[start].lemma, progressive=True)
    inner = read_complement(tokens, letters, start + 1, end)
    modifiers = [(m.preposition, p) for m in inner.modifiers for p in m.phrases]
    running = [make_word(be_for(subject), "b", -1)] if tokens[place[0]].tag == "," else []
    words = [*holder, *running, *tokens[start:end]]
    span = Span(tokens[start].start, tokens[end - 1].end)
    member = inner.objects[0] if inner.objects else None
    return Statement(holder, verb, [tokens[start]], member, None, modifiers, inner.adverbs, span, words)


def read_opened(tokens: list[Token], letters: str, described: Phrase, start: int, end: int) -> Statement:
    """ "Being a vegetarian, you…" says that you are one; "having finished, he…" that he has."""
    if tokens[start].low == "being":
        return equate(described, Phrase(tokens, start + 1, end))
    done = letters[start + 1] == "E"
    at = start + 1 if done else start
    lemma = tokens[at].lemma if done else "have"
    verb = VerbGroup(at, at + 1, lemma, perfect=done, tense=Tense.PAST if done else Tense.PRESENT)
    has = make_word(" has" if be_for(described) == "is" else " have", "h", described.span[1])
    words = [*described.words(), has, *tokens[start + 1 : end]]
    inner = read_complement(tokens, letters, at + 1, end)
    modifiers = [(m.preposition, p) for m in inner.modifiers for p in m.phrases]
    member = inner.objects[0] if inner.objects else None
    span = Span(tokens[start].start, tokens[end - 1].end)
    return Statement(described.words(), verb, [], member, None, modifiers, inner.adverbs, span, words)


def locate(tokens: list[Token], thing: Phrase, place: Modifier) -> Statement:
    """ "a bakery in Porto" → the bakery is in Porto."""
    at = thing.span[1]
    subject = [make_word("the", "D", thing.span[0]), *[w for w in thing.words() if w.tag not in "D#"]]
    the = make_word("The", "D", thing.span[0])
    the.end = subject[1].start - 1
    words = [the, *subject[1:], make_word(" is", "b", at), *tokens[place.start : place.end]]
    span = Span(tokens[place.start].start, tokens[place.end - 1].end)
    return Statement(
        subject,
        VerbGroup(place.start, place.start, "be"),
        [],
        None,
        None,
        [("in", p) for p in place.phrases],
        [],
        span,
        words,
    )


_HOLDING_VERBS = frozenset(
    {"run", "own", "have", "manage", "rent", "lead", "operate", "lease", "possess", "keep", "head"}
)


def locate_thing(verb: VerbGroup, member: Phrase | None, complement: Complement) -> Modifier | None:
    """ "a bakery in Porto": the place belongs to the thing and is a claim of its own."""
    if member is None or verb.lemma not in _HOLDING_VERBS or len(complement.modifiers) != 1:
        return None
    if member is not complement.objects[0] or member.letters[0] not in "D#" or member.head_token.tag != "N":
        return None
    modifier = complement.modifiers[0]
    if modifier.preposition != "in" or modifier.start != member.end or verb.passive:
        return None
    if modifier.phrases[0].head_token.tag != "P" or is_time(modifier.phrases[0]) or verb.negated:
        return None
    return modifier
