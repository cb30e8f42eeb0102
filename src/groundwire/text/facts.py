"""Facts: `(subject, slot, value)` read from statements with the slot catalogue.

A statement that no frame of the catalogue names still gives a fact, from its own predicate.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from groundwire.text.catalogue import Catalogue, Frame, Phase, Place, fits_value, is_class_member, load_catalogue
from groundwire.text.phrases import Phrase, is_time
from groundwire.text.statements import Statement
from groundwire.text.subjects import USER, name_subject, render, split_owner
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token
from groundwire.text.values import normalise
from groundwire.types import ExtractedFact, Polarity, Span, Tense

_FORMER = frozenset({"previously", "formerly", "originally", "once", "before", "earlier"})
_WISHES = frozenset({"want", "plan", "hope", "intend", "aim", "like", "wish", "try", "apply", "need", "consider", "dream", "expect", "decide", "agree", "refuse", "offer", "prepare", "have", "prefer", "love", "enjoy", "hate", "would"})
_LIKING = frozenset({"like", "love", "enjoy", "adore", "prefer"})
_UNREAL = frozenset({"could", "might", "would", "should", "may", "must", "'d", "’d", "shall"})
_PERSON_SLOTS = frozenset({"spouse", "child", "sibling", "parent", "relative", "friend", "manager", "professional", "owner"})
_CALLING = frozenset({"call", "name"})
_CHANGES = frozenset({"change", "switch", "go", "update", "move", "transition", "shift", "upgrade", "downgrade", "rename", "raise", "lower", "migrate", "increase", "decrease", "turn"})
_PERSONAL = frozenset({"email", "phone", "birthday", "salary", "address", "age", "marital_status", "employer", "nationality", "diet", "blood_type", "password", "spouse", "manager"})
_ONE_VALUED = frozenset({"be", "start", "begin", "end", "finish", "open", "close", "cost", "last", "weigh", "return", "expire", "renew", "leave", "arrive", "depart", "contain", "hold", "seat", "total", "run", "happen", "launch"})
_DESCRIPTIVE = frozenset({"status", "account_status", "marital_status", "diet"})
_ACCOUNTS = frozenset({"account", "subscription", "membership"})


def read_facts(statement: Statement, catalogue: Catalogue | None = None) -> list[ExtractedFact]:
    """All facts of one statement; at least one whenever it has a subject and something said of it."""
    catalogue = catalogue or load_catalogue()
    reader = _Reader(statement, catalogue)
    if statement.order or statement.attributed:
        return reader.read_introduction()
    found = reader.read()
    if not found:
        fact = reader.open_fact()
        return [fact] if fact is not None else []
    return _distinct(found)


def _distinct(facts: list[ExtractedFact]) -> list[ExtractedFact]:
    kept: dict[tuple[str, str, str], ExtractedFact] = {}
    for fact in facts:
        kept.setdefault((fact.subject, fact.slot_type, fact.value), fact)
    return list(kept.values())


class _Reader:
    def __init__(self, statement: Statement, catalogue: Catalogue) -> None:
        self.statement = statement
        self.catalogue = catalogue
        self.verb = statement.verb
        self.subject = name_subject(statement.subject)
        self.polarity = Polarity.NEGATIVE if self._is_negative() else Polarity.POSITIVE
        self.when = self._when()
        self.consumed: dict[int, str] = {}
        """Where head nouns stand that only carry a value ("a job at X"): they are no values themselves."""
        self.former = any(t.low in _FORMER for t in statement.adverbs) or any(t.low in _FORMER for t in statement.verb_words)

    def _is_negative(self) -> bool:
        statement = self.statement
        negated = statement.verb.negated
        phrase = statement.object
        if phrase is not None and phrase.words()[0].low in ("no", "neither", "not"):
            negated = not negated
        if statement.subject and statement.subject[0].low in ("no", "nobody", "none", "neither"):
            negated = not negated
        if any(t.low in ("anymore", "hardly", "barely") for t in statement.adverbs) and not negated:
            negated = True
        return negated

    def _when(self) -> str | None:
        statement = self.statement
        for preposition, phrase in [*statement.modifiers, *statement.openings]:
            if is_time(phrase):
                return f"{preposition} {render(phrase.words())}".strip()
        for token in statement.adverbs:
            if token.low in ("yesterday", "today", "tomorrow", "tonight", "recently", "now", "currently", "lately"):
                return token.low
        return None

    def read(self) -> list[ExtractedFact]:
        found = self._read_change()
        if found:
            return found
        if self.verb.lemma in ("be", "become") or self.verb.passive:
            found.extend(self._read_possession())
            if found:
                return found
        if not self._is_real():
            return self._read_wish()
        for frame in self.catalogue.frames.get(self.verb.lemma, ()):
            fact = self._apply(frame, self.verb.passive, self.statement.object)
            if fact is not None:
                found.append(fact)
        if self.verb.passive and self.statement.verb_words:
            words = self.statement.verb_words
            for frame in self.catalogue.frames["be"]:
                fact = self._apply(frame, False, Phrase(words, len(words) - 1, len(words)))
                if fact is not None:
                    found.append(fact)
        return self._prefer_specific([*found, *self._read_within()])

    def read_introduction(self) -> list[ExtractedFact]:
        """ "Call me Bex" is an order that tells a name."""
        statement, name = self.statement, self.statement.second
        if self.verb.lemma != "call" or name is None or statement.object is None or name.head_token.tag != "P":
            return []
        if name_subject(statement.object.words()) != USER:
            return []
        return [self._fact(USER, "name", render(name.words()), Span(*name.span), "call me VALUE", Tense.PRESENT)]

    def _is_real(self) -> bool:
        """Wishes and possibilities are not states."""
        if self.verb.modal in _UNREAL:
            return False
        aspect = self.statement.aspect
        return not aspect or aspect.split(" ")[0] not in _WISHES

    def _read_wish(self) -> list[ExtractedFact]:
        """ "wants to visit Kyoto" is a goal; "likes to swim" a hobby."""
        statement = self.statement
        aspect = statement.aspect
        if not aspect or self.verb.modal in ("could", "might", "may", "must", "should"):
            return []
        after = [t for t in statement.words if t.start >= statement.verb_words[-1].start]
        if not after:
            return []
        liking = aspect in _LIKING and self.verb.modal == ""
        slot = "hobby" if liking else "goal"
        if aspect in ("need", "have", "hate", "refuse"):
            return []
        span = Span(after[0].start, after[-1].end)
        return [self._fact(self.subject, slot, render(after), span, f"{aspect} to VALUE", self.verb.tense)]

    # ── catalogue frames ────────────────────────────────────────────────────────────────────────

    def _apply(self, frame: Frame, passive: bool, complement: Phrase | None) -> ExtractedFact | None:
        if frame.passive != passive:
            return None
        if frame.place is Place.SUBJECT:
            return self._apply_inverse(frame)
        phrase = self._value_phrase(frame, complement)
        if phrase is None or (frame.value_class == "given" and not self._introduces()):
            return None
        if frame.heads and complement is not None:
            self.consumed[complement.head_token.start] = frame.slot
        return self._value_fact(self.subject, frame, phrase)

    def _introduces(self) -> bool:
        """ "I'm Ana" gives a name; "Paris is Lyon" does not."""
        return bool(self.statement.subject) and self.subject == USER

    def _value_phrase(self, frame: Frame, complement: Phrase | None) -> Phrase | None:
        statement, slot = self.statement, self.catalogue.slots[frame.slot]
        if frame.heads and (complement is None or frame.heads.isdisjoint((complement.head_token.lemma, complement.head_token.low))):
            return None
        if frame.place is Place.OBJECT:
            return complement if complement is not None and fits_value(complement, frame, slot) else None
        if not frame.heads and complement is not None and frame.verb == "be":
            return None
        for preposition, phrase in [*statement.modifiers, *statement.openings]:
            if preposition in frame.prepositions and fits_value(phrase, frame, slot):
                return phrase
        if frame.heads and "of" in frame.prepositions and complement is not None:
            return self._of_phrase(complement, frame)
        return None

    def _of_phrase(self, phrase: Phrase, frame: Frame) -> Phrase | None:
        for i in range(phrase.start, phrase.end - 1):
            if phrase.tokens[i].low == "of":
                inner = Phrase(phrase.tokens, i + 1, phrase.end)
                return inner if fits_value(inner, frame, self.catalogue.slots[frame.slot]) else None
        return None

    def _apply_inverse(self, frame: Frame) -> ExtractedFact | None:
        """ "Dana manages me": the value is the subject, the object is whom it is about."""
        statement, slot = self.statement, self.catalogue.slots[frame.slot]
        if statement.object is None or not statement.subject:
            return None
        value = Phrase(statement.subject, 0, len(statement.subject))
        if name_subject(statement.subject) == USER or (slot.value == "person" and "P" not in value.letters):
            return None
        if frame.slot == "owner" and (statement.object.letters[0] != "D" and statement.object.head_token.tag != "P"):
            return None
        if frame.slot in ("employer", "manager") and name_subject(statement.object.words()) != USER and statement.object.head_token.tag != "P":
            return None
        return self._value_fact(name_subject(statement.object.words()), frame, value)

    def _value_fact(self, subject: str, frame: Frame, phrase: Phrase) -> ExtractedFact | None:
        words = self._value_words(phrase, frame)
        if not words:
            return None
        fact = self._fact(subject, frame.slot, render(words), Span(words[0].start, words[-1].end), frame.source, self._tense(frame))
        if frame.phase is Phase.ENDING and self.verb.tense is not Tense.FUTURE:
            if self.polarity is Polarity.NEGATIVE:
                return replace(fact, polarity=Polarity.POSITIVE, tense=Tense.PRESENT)
            return replace(fact, tense=Tense.PAST)
        return fact

    def _tense(self, frame: Frame) -> Tense:
        tense = self.verb.tense
        if self.former and not any(t.low in ("now", "currently") for t in self.statement.adverbs):
            return Tense.PAST
        if tense is Tense.PAST and self.verb.wrapper != "used to":
            lasting = frame.phase is Phase.EVENT or frame.slot in ("birthday", "birthplace", "hometown", "education", "diagnosis", "nationality")
            return Tense.PRESENT if lasting else Tense.PAST
        return tense

    def _value_words(self, phrase: Phrase, frame: Frame) -> list[Token]:
        """The value without its article, and without the class word that only carries it."""
        words = [t for t in phrase.words()]
        while words and (words[0].tag in "DSR" or words[0].low in ("no",)):
            words = words[1:]
        trims = _CARRIERS.get(frame.value_class or frame.slot, frozenset())
        if len(words) > 1 and words[-1].lemma in trims:
            words = words[:-1]
        elif len(words) > 1 and words[0].lemma in trims:
            words = words[1:]
        words = _after_kind(words)
        if frame.slot == "age":
            words = words[:1]
        return [t for t in words if t.tag not in '".']

    # ── "my X is Y" ─────────────────────────────────────────────────────────────────────────────

    def _read_possession(self) -> list[ExtractedFact]:
        """ "My boss is Dana", "Blue is my favourite colour", "Name: Ada"."""
        statement = self.statement
        value = statement.object
        if value is None and self.verb.passive and self.verb.lemma not in _CALLING:
            words = statement.verb_words
            value = Phrase(words, len(words) - 1, len(words))
        if value is None and statement.modifiers and statement.subject:
            preposition, value = statement.modifiers[0]
            if preposition in ("in", "on", "under") and not is_time(value) and value.start:
                value = Phrase(value.tokens, value.start - 1, value.end)
        if value is None or not statement.subject:
            return []
        if statement.holder is not None:
            return self._read_held(statement.holder, value)
        direct = self._attribute_fact(statement.subject, value.words())
        if direct is not None:
            return [direct]
        inverse = None
        if statement.verb.lemma == "be" and statement.object is not None:
            inverse = self._attribute_fact(value.words(), statement.subject)
        return [inverse] if inverse is not None else []

    def _read_change(self) -> list[ExtractedFact]:
        """ "Your manager changed from Petra to Hollis": the one was, the other is."""
        statement = self.statement
        if self.verb.lemma not in _CHANGES or not statement.subject:
            return []
        sides = {p: x for p, x in statement.modifiers if p in ("from", "to")}
        owned = split_owner(statement.subject) or _split_compound(statement.subject, self.catalogue, fragment=False)
        slot = _slot_of(owned.attribute, self.catalogue)[0] if owned is not None else None
        if owned is None or slot is None:
            return []
        owner = owned.owner
        if slot == "name":
            owner, slot = _named_relation(owner, self.catalogue) or (owner, slot)
        found: list[ExtractedFact] = []
        for side, tense in (("from", Tense.PAST), ("to", Tense.PRESENT)):
            if side in sides:
                words = [t for t in sides[side].words() if t.tag != "D"]
                found.append(self._fact(owner, slot, render(words), Span(words[0].start, words[-1].end), "change from VALUE to VALUE", tense))
        return found

    def _read_held(self, holder: list[Token], value: Phrase) -> list[ExtractedFact]:
        """ "I have a sister called Noémie": the user's sibling is Noémie."""
        nouns = [t for t in self.statement.subject if t.tag == "N"]
        slot, noun = _slot_of(nouns[-1:], self.catalogue)
        if slot is None or "P" not in value.letters:
            return []
        if slot not in _PERSON_SLOTS:
            owner = f"{name_subject(holder)}'s {render(nouns)}"
            slot = "name"
        else:
            owner = name_subject(holder)
        words = [t for t in value.words() if t.tag == "P"]
        return [self._fact(owner, slot, render(words), Span(words[0].start, words[-1].end), f"{noun} named VALUE", Tense.PRESENT)]

    def _attribute_fact(self, holder: list[Token], value: list[Token]) -> ExtractedFact | None:
        owned = split_owner(holder)
        if owned is None and (self.statement.fragment or (holder and holder[0].low == "the") or (holder and holder[-1].tag == "N" and holder[-1].lemma in _ACCOUNTS)):
            owned = _split_compound(holder, self.catalogue, fragment=self.statement.fragment)
        if owned is None:
            return None
        owner, attribute = owned.owner, owned.attribute
        slot, noun = _slot_of(attribute, self.catalogue)
        if slot is None and value and value[0].tag in "JE" and attribute[-1].lemma in _ACCOUNTS:
            slot, noun = "account_status", attribute[-1].lemma
        if slot is None or (self.verb.passive and self.verb.lemma not in _CALLING and slot not in _DESCRIPTIVE):
            return None
        if slot == "name":
            owner, slot = _named_relation(owner, self.catalogue) or (owner, slot)
        if slot == "pet" and noun != "pet":
            owner, slot = f"{owner}'s {noun}", "name"
        words = [t for t in value if t.tag not in '".,']
        if words and words[0].tag == "I" and slot not in _DESCRIPTIVE:
            words = words[1:]
        while words and (words[0].tag in "DR" or words[0].low in ("no", "not")) and len(words) > 1:
            words = words[1:]
        carriers = _CARRIERS.get(slot, frozenset[str]())
        if len(words) > 1 and words[-1].lemma in carriers:
            words = words[:-1]
        words = _after_kind(words)
        if not words or not self._suits(slot, words):
            return None
        if slot == "status" and owner == USER and words[-1].low in _marital():
            slot = "marital_status"
        if slot == "status" and any(t.lemma in _ACCOUNTS for t in holder):
            owner, slot = USER if owner.startswith(USER) else owner, "account_status"
        tense = Tense.PAST if self.former or any(t.low in ("previous", "former", "old", "ex") for t in attribute) else self.verb.tense
        return self._fact(owner, slot, render(words), Span(words[0].start, words[-1].end), f"my {noun} is VALUE", tense)

    def _suits(self, slot: str, words: list[Token]) -> bool:
        """ "Your car is red" and "my boss is kind" describe; they do not say which car or who."""
        letters = "".join(t.tag for t in words)
        if slot.startswith("favorite_") or slot in ("status", "account_status", "marital_status", "nationality", "religion", "diet", "password", "timezone", "blood_type", "plan", "preference"):
            return True
        if slot in _PERSON_SLOTS or slot in ("name", "pet"):
            return "P" in letters
        if slot in ("age", "salary", "phone", "port"):
            return "#" in letters or "@" in letters
        return any(c in "NP#@G" for c in letters)

    # ── inside a noun phrase ────────────────────────────────────────────────────────────────────

    def _read_within(self) -> list[ExtractedFact]:
        """ "a 33-year-old architect" says an age; "my sister Ana" says who the sister is."""
        statement = self.statement
        found: list[ExtractedFact] = []
        if self.verb.lemma == "be" and statement.object is not None:
            for token in statement.object.words():
                if token.lemma.endswith("-year-old"):
                    number = token.text.split("-")[0]
                    found.append(self._fact(self.subject, "age", number, Span(token.start, token.start + len(number)), "N-year-old", self.verb.tense))
        found.extend(name_relations(statement.subject, self.catalogue, self.when))
        return found

    def _prefer_specific(self, facts: list[ExtractedFact]) -> list[ExtractedFact]:
        """One stretch of text is the value of one slot: the frame with a word class wins over one without."""
        kept: list[ExtractedFact] = []
        for fact in facts:
            if any(
                fact.value_span.start <= at < fact.value_span.end and (slot == fact.slot_type or "<" not in fact.pattern)
                for at, slot in self.consumed.items()
            ):
                continue
            if self.statement.is_named and fact.slot_type in _PERSON_SLOTS:
                continue
            rival = next((k for k in kept if _overlap(k.value_span, fact.value_span) and k.subject == fact.subject), None)
            if rival is None:
                kept.append(fact)
            elif ("<" in fact.pattern) > ("<" in rival.pattern):
                kept[kept.index(rival)] = fact
        return kept

    # ── open slots ──────────────────────────────────────────────────────────────────────────────

    def open_fact(self) -> ExtractedFact | None:
        statement = self.statement
        if statement.fragment:
            return None
        slot = self.verb.lemma if not statement.aspect else f"{statement.aspect} {self.verb.lemma}"
        phrase = statement.object
        if phrase is None:
            timeless = next(((p, x) for p, x in statement.modifiers if not is_time(x)), None)
            chosen = timeless or (statement.modifiers[0] if statement.modifiers else None)
            if chosen is None:
                return self._fact(self.subject, slot, slot, statement.span, "predicate", self.verb.tense)
            slot, phrase = f"{slot} {chosen[0]}".strip(), chosen[1]
        words = [t for t in phrase.words()]
        while len(words) > 1 and words[0].tag in "DR":
            words = words[1:]
        fact = self._fact(self.subject, slot, render(words), Span(words[0].start, words[-1].end), "predicate", self.verb.tense)
        return replace(fact, exclusive=self._is_fixed(phrase))

    def _is_fixed(self, phrase: Phrase) -> bool:
        """ "The review is at 3 pm": a thing has one time, place, number or name of its own."""
        if self.subject == USER or self.verb.negated:
            return False
        particular = is_time(phrase) or "#" in phrase.letters or (self.verb.lemma == "be" and phrase.head_token.tag == "P")
        return particular and self.verb.lemma in _ONE_VALUED

    def _fact(self, subject: str, slot: str, raw: str, span: Span, pattern: str, tense: Tense) -> ExtractedFact:
        exclusive = self.catalogue.is_exclusive(slot)
        return ExtractedFact(
            subject, slot, normalise(raw), raw, self.statement.span, span, pattern, self.polarity, tense, self.when, exclusive=exclusive
        )


_CARRIERS: dict[str, frozenset[str]] = {
    "allergy": frozenset({"allergy", "allergies"}),
    "intolerance": frozenset({"intolerance"}),
    "dietary": frozenset({"diet"}),
    "plan": frozenset({"plan", "tier", "subscription", "package", "membership"}),
    "department": frozenset({"department", "division"}),
    "team": frozenset({"team"}),
    "port": frozenset({"port"}),
    "version": frozenset({"version", "release"}),
}


@cache
def _marital() -> frozenset[str]:
    return frozenset(read_table("classes")["marital"])


def _overlap(left: Span, right: Span) -> bool:
    return left.start < right.end and right.start < left.end


def _after_kind(words: list[Token]) -> list[Token]:
    """ "the city of Bergen" → Bergen."""
    for i, token in enumerate(words[:-1]):
        if token.low == "of" and i and words[i - 1].lemma in ("city", "town", "village", "state", "country", "province", "island", "suburb"):
            return words[i + 1 :]
    return words


def _slot_of(attribute: list[Token], catalogue: Catalogue) -> tuple[str | None, str]:
    """The slot that an attribute noun names; the last words decide ("current job title" → title)."""
    words = [t for t in attribute if t.tag not in "DR',"]
    for k, token in enumerate(words):
        if token.low in ("favorite", "favourite") and k + 1 < len(words):
            thing = "_".join(t.lemma if i == len(words) - k - 2 else t.low for i, t in enumerate(words[k + 1 :]))
            return f"favorite_{thing}", f"favorite {thing}"
    for k in range(len(words)):
        for joined in (" ".join([*(t.low for t in words[k:-1]), words[-1].lemma]), " ".join(t.low for t in words[k:])):
            slot = catalogue.nouns.get(joined)
            if slot is not None and (k == 0 or words[k - 1].tag != "N" or joined in ("name",)):
                return slot, joined
    if words and words[-1].lemma in ("account", "order"):
        return None, ""
    return None, ""


def _named_relation(owner: str, catalogue: Catalogue) -> tuple[str, str] | None:
    """ "my brother's name is X": the user's sibling is X."""
    holder, _, relation = owner.rpartition("'s ")
    slot = catalogue.nouns.get(relation.lower())
    return (holder, slot) if holder and slot in _PERSON_SLOTS else None


def _split_compound(words: list[Token], catalogue: Catalogue, *, fragment: bool):  # type: ignore[no-untyped-def]
    """ "API port: 9000", "the Heron deadline": what stands before the noun owns it; a bare note is the user's."""
    from groundwire.text.subjects import Ownership

    inner = [t for t in words if t.tag != "D"]
    slot, noun = _slot_of(inner, catalogue)
    if slot is None and len(inner) == 1 and inner[0].lemma in _ACCOUNTS:
        return Ownership(USER, inner)
    if slot is None:
        return None
    width = len(noun.split(" ")) if not slot.startswith("favorite_") else len(inner)
    before = [t for t in inner[: len(inner) - width] if t.tag in "NP"]
    if before:
        return Ownership(name_subject(before), inner[-width:])
    if fragment or slot in _PERSONAL:
        return Ownership(USER, inner)
    return Ownership(render(inner), inner)


def name_relations(words: list[Token], catalogue: Catalogue, when: str | None = None) -> list[ExtractedFact]:
    """ "my sister Ana": the user's sibling is Ana."""
    owned = split_owner(words)
    if owned is None or len(owned.attribute) < 2:
        return []
    names = [t for t in owned.attribute if t.tag == "P"]
    nouns = [t for t in owned.attribute if t.tag == "N"]
    if not names or not nouns or names[0].start < nouns[-1].start:
        return []
    slot, noun = _slot_of(nouns, catalogue)
    if slot not in _PERSON_SLOTS:
        return []
    raw = render(names)
    span = Span(names[0].start, names[-1].end)
    whole = Span(words[0].start, words[-1].end)
    return [ExtractedFact(owned.owner, slot, normalise(raw), raw, whole, span, f"my {noun} VALUE", exclusive=catalogue.is_exclusive(slot))]


def is_member(phrase: Phrase, name: str) -> bool:
    return is_class_member(phrase, name)
