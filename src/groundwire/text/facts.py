"""Facts: `(subject, slot, value)` read from statements with the slot catalogue.

A statement that no frame of the catalogue names still gives a fact, from its own predicate.
"""

from __future__ import annotations

from dataclasses import replace

from groundwire.text.catalogue import Catalogue, Frame, Phase, Place, fits_value, load_catalogue
from groundwire.text.fixed import is_fixed, name_scope
from groundwire.text.framing import Context, bare_words, carriers_of, words_for
from groundwire.text.membership import class_words
from groundwire.text.phrases import Phrase, is_time
from groundwire.text.possessions import name_relations, read_change, read_possession
from groundwire.text.statements import Statement
from groundwire.text.subjects import USER, is_relation, may_be_person, name_subject
from groundwire.text.tokens import Token
from groundwire.types import ExtractedFact, Polarity, Span, Tense


def read_facts(
    statement: Statement, catalogue: Catalogue | None = None, *, is_labelled: bool = False
) -> list[ExtractedFact]:
    """All facts of one statement; at least one whenever it has a subject and something said of it."""
    context = Context(statement, catalogue or load_catalogue())
    if statement.order or statement.attributed:
        return _read_introduction(context)
    found = _read_named(context)
    if not found or all(fact.slot_type == "tool" for fact in found):
        found.extend(_read_use(context))
    posted = bool(found) and all(fact.slot_type in ("title", "employer") for fact in found)
    if posted and (post := _read_post(context)) is not None:
        found.append(post)
    if not found:
        fact = _read_appointment(context) or _read_open(context, is_labelled=is_labelled)
        post = _read_post(context) if fact is not None else None
        return [one for one in (fact, post) if one is not None]
    if len(found) == 1:
        return found
    kept: dict[tuple[str, str, str], ExtractedFact] = {}
    for fact in found:
        kept.setdefault((fact.subject, fact.slot_type, fact.value), fact)
    return list(kept.values())


def _read_named(context: Context) -> list[ExtractedFact]:
    found = read_change(context)
    if not found and (context.verb.lemma in ("be", "become", "include") or context.verb.passive):
        found = read_possession(context)
    if found:
        return found
    if context.statement.aspect.split(" ")[0] in words_for("leave.given") | words_for("leave.refused"):
        return []
    if not _is_real(context):
        return _read_wish(context)
    return [*_FrameReader(context).read(), *_read_within(context)]


def _read_post(context: Context) -> ExtractedFact | None:
    """ "Anton is our CTO": so is the CTO Anton, though another may hold the same post."""
    thing, holder = context.statement.object, context.statement.subject
    if context.verb.lemma != "be" or thing is None or not holder or any(t.tag != "P" for t in holder):
        return None
    whose = thing.first_token.low == "the" and any(t.low == "of" for t in thing.words())
    if thing.letters[0] != "S" and not whose:
        return None
    subject, head = name_subject(thing.words()), thing.head_token
    single = head.low == head.lemma and head.low not in words_for("single.many") and not is_relation(head.low)
    posts = words_for("single.posts").intersection(t.low for t in thing.words())
    exclusive = bool(posts) if whose else single and not may_be_person(head.low)
    return context.make_fact(subject, "be", holder, "VALUE be POST", context.verb.tense, exclusive=exclusive)


def _is_single(thing: Phrase) -> bool:
    return thing.head_token.tag == "N" and thing.head_token.low == thing.head_token.lemma


def _read_appointment(context: Context) -> ExtractedFact | None:
    """ "I have my check-up on Thursday", "the review has been moved to 3 pm": when it is."""
    statement, verb, thing = context.statement, context.verb, context.statement.object
    if verb.negated or verb.modal or statement.aspect:
        return None
    had = verb.lemma == "have" and thing is not None and thing.letters[0] == "S" and _is_single(thing)
    moved = verb.lemma in words_for("changes") and thing is None and context.subject != USER
    wanted = ("on", "at") if had else ("to",) if moved else ()
    when = next(((how, phrase) for how, phrase in statement.modifiers if how in wanted and is_time(phrase)), None)
    if when is None or (had and len(statement.modifiers) > 1):
        return None
    subject = name_subject(thing.words()) if had and thing is not None else context.subject
    how = when[0] if had else "at" if when[1].clock or any(":" in t.low for t in when[1].words()) else "on"
    tense = verb.tense if had else Tense.PRESENT
    return context.make_fact(subject, f"be {how}", bare_words(when[1].words()), "predicate", tense, exclusive=True)


def _read_use(context: Context) -> list[ExtractedFact]:
    """ "I use Vim as my editor": my editor is Vim."""
    statement, thing = context.statement, context.statement.object
    roles = (phrase for how, phrase in statement.modifiers if how == "as")
    served = next((phrase for phrase in roles if phrase.first_token.low in _OWN), None)
    if context.verb.lemma not in ("use", "have") or thing is None or served is None or thing.head_token.tag != "P":
        return []
    subject = name_subject(served.words())
    words = bare_words(thing.words())
    return [context.make_fact(subject, "be", words, "predicate", context.verb.tense, exclusive=True)]


_DEFINITE = frozenset({"the", "this", "that", "these", "those"})
_OWN = frozenset({"my", "our", "your"})


def _is_real(context: Context) -> bool:
    """Wishes and possibilities are not states."""
    if context.verb.modal in words_for("unreal"):
        return False
    aspect = context.statement.aspect
    return not aspect or aspect.split(" ")[0] not in words_for("wishes")


def _read_wish(context: Context) -> list[ExtractedFact]:
    """ "wants to visit Kyoto" is a goal; "likes to swim" a hobby."""
    statement, aspect = context.statement, context.statement.aspect
    if not aspect or aspect in words_for("duties") or context.verb.modal in words_for("unreal") - {"would", "'d", "’d"}:
        return []
    after = [t for t in statement.words if t.start >= statement.verb_words[-1].start]
    if not after:
        return []
    slot = "hobby" if aspect in words_for("liking") and context.verb.modal == "" else "goal"
    return [context.make_fact(context.subject, slot, after, f"{aspect} to VALUE", context.verb.tense)]


def _read_introduction(context: Context) -> list[ExtractedFact]:
    """ "Call me Bex" is an order that tells a name."""
    statement, name = context.statement, context.statement.second
    if context.verb.lemma != "call" or name is None or statement.object is None or name.head_token.tag != "P":
        return []
    if name_subject(statement.object.words()) != USER:
        return []
    return [context.make_fact(USER, "name", name.words(), "call me VALUE", Tense.PRESENT)]


def _read_within(context: Context) -> list[ExtractedFact]:
    """ "a 33-year-old architect" says an age; "my sister Ana" says who the sister is."""
    found: list[ExtractedFact] = []
    complement = context.statement.object
    if context.verb.lemma == "be" and complement is not None:
        for token in complement.words():
            if token.lemma.endswith("-year-old"):
                number = token.text.split("-")[0]
                span = Span(token.start, token.start + len(number))
                found.append(
                    context.make_fact_at(context.subject, "age", number, span, "N-year-old", context.verb.tense)
                )
    found.extend(name_relations(context.statement.subject, context.catalogue))
    return found


class _FrameReader:
    """Tries the catalogue frames of a statement's verb."""

    __slots__ = ("consumed", "context", "places", "prepositions", "statement", "verb")

    def __init__(self, context: Context) -> None:
        self.context = context
        self.statement = context.statement
        self.verb = context.verb
        self.places = [*self.statement.modifiers, *self.statement.openings]
        self.prepositions = {place[0] for place in self.places}
        self.consumed: dict[int, str] = {}
        """Where head nouns stand that only carry a value ("a job at X"): they are no values themselves."""

    def read(self) -> list[ExtractedFact]:
        frames, found = self.context.catalogue.frames, list[ExtractedFact | None]()
        own = frames.get((self.verb.lemma, self.verb.passive))
        if own is not None:
            complement = self.statement.object
            found.extend([self._apply(f, complement) for f in own.matching(self.prepositions, complement)])
        participle = self.context.participle()
        if participle is not None:
            own = frames["be", False]
            found.extend([self._apply(f, participle) for f in own.matching(self.prepositions, participle)])
        return self._prefer_specific([fact for fact in found if fact is not None])

    def _apply(self, frame: Frame, complement: Phrase | None) -> ExtractedFact | None:
        if frame.place is Place.SUBJECT:
            return self._apply_inverse(frame)
        phrase = self._value_phrase(frame, complement)
        if phrase is None or (frame.value_class == "given" and not self._introduces()):
            return None
        if frame.slot in words_for("slots.human") and self._is_of_thing():
            return None
        if frame.slot == "location" and phrase.head_token.low in class_words("language"):
            return None  # "the lecture is in German"
        if frame.slot == "location" and complement is not None and self._moves_thing(frame, complement):
            return None
        if frame.verb == "stay" and "at" in self.prepositions:
            return None  # "in Kyoto we're staying at the Okura" tells of a hotel
        if frame.slot == "age" and self.statement.fragment and len(self.statement.words) == 1:
            return None
        if frame.slot == "version" and frame.verb == "use" and self.context.subject == USER:
            carriers = carriers_of("version")
            if not any(t.lemma in carriers for t in phrase.words()):
                return None
        if frame.heads and complement is not None:
            self.consumed[complement.head_token.start] = frame.slot
        return self._value_fact(self.context.subject, frame, phrase)

    def _is_of_thing(self) -> bool:
        """ "The flight leaves Heathrow": a flight has no employer."""
        holder = self.statement.subject
        noun = next((t for t in reversed(holder) if t.tag in "NP"), None)
        return noun is not None and noun.tag == "N" and not may_be_person(noun.lemma) and self.context.subject != USER

    @staticmethod
    def _moves_thing(frame: Frame, complement: Phrase) -> bool:
        """ "We moved our wiki to Notion": not the one who moves it lives there."""
        moved = complement.head_token
        return frame.place is not Place.OBJECT and moved.tag == "N" and not frame.heads and (
            moved.lemma not in words_for("homes") and not may_be_person(moved.lemma)
        )  # fmt: skip

    def _serves_else(self, frame: Frame) -> bool:
        """ "uses Redis for caching" names a purpose; "uses Redis as its database" names the slot itself."""
        nouns = self.context.catalogue.slots[frame.slot].nouns
        served = [phrase.head_token.lemma for preposition, phrase in self.places if preposition in ("for", "as")]
        return bool(served) and not any(noun in nouns for noun in served)

    def _introduces(self) -> bool:
        """ "I'm Ana" gives a name; "Paris is Lyon" does not."""
        return bool(self.statement.subject) and self.context.subject == USER

    def _value_phrase(self, frame: Frame, complement: Phrase | None) -> Phrase | None:
        slot = self.context.catalogue.slots[frame.slot]
        if frame.heads:
            head = complement.head_token if complement is not None else None
            if head is None or frame.heads.isdisjoint((head.lemma, head.low)):
                return None
        if frame.place is Place.OBJECT:
            return complement if complement is not None and fits_value(complement, frame, slot) else None
        if not frame.heads and complement is not None and frame.verb == "be":
            return None
        for preposition, phrase in self.places:
            if preposition in frame.prepositions and fits_value(phrase, frame, slot):
                return phrase
        if frame.heads and "of" in frame.prepositions and complement is not None:
            return self._of_phrase(complement, frame)
        return None

    def _of_phrase(self, phrase: Phrase, frame: Frame) -> Phrase | None:
        for i in range(phrase.start, phrase.end - 1):
            if phrase.tokens[i].low == "of":
                inner = Phrase(phrase.tokens, i + 1, phrase.end)
                return inner if fits_value(inner, frame, self.context.catalogue.slots[frame.slot]) else None
        return None

    def _apply_inverse(self, frame: Frame) -> ExtractedFact | None:
        """ "Dana manages me": the value is the subject, the object is whom it is about."""
        statement, slot = self.statement, self.context.catalogue.slots[frame.slot]
        if statement.object is None or not statement.subject or self.context.subject == USER:
            return None
        value = Phrase(statement.subject, 0, len(statement.subject))
        owner, named = name_subject(statement.object.words()), statement.object.head_token.tag == "P"
        if slot.value == "person" and "P" not in value.letters:
            return None
        if frame.slot == "owner" and statement.object.first_token.low not in _DEFINITE and not named:
            return None  # "Ben owns a bakery" says of no bakery whose it is
        if frame.slot in ("employer", "manager", "spouse") and owner != USER and not named:
            return None
        return self._value_fact(owner, frame, value)

    def _value_fact(self, subject: str, frame: Frame, phrase: Phrase) -> ExtractedFact | None:
        words = _value_words(phrase, frame)
        if not words:
            return None
        purpose = frame.verb in ("use", "run") and self._serves_else(frame)
        exclusive = False if purpose else None  # what serves one purpose leaves room for others
        fact = self.context.make_fact(subject, frame.slot, words, frame.source, self._tense(frame), exclusive=exclusive)
        if frame.phase is not Phase.ENDING or fact.tense is Tense.FUTURE:
            return fact
        if fact.polarity is Polarity.NEGATIVE:
            return replace(fact, polarity=Polarity.POSITIVE, tense=Tense.PRESENT)
        return replace(fact, tense=Tense.PAST)

    def _tense(self, frame: Frame) -> Tense:
        if (
            self.context.former
            and frame.slot not in words_for("slots.lasting")
            and not any(t.low in ("now", "currently") for t in self.statement.adverbs)
        ):
            return Tense.PAST
        if self.verb.tense is Tense.PAST and self.verb.wrapper != "used to":
            lasting = frame.phase is Phase.EVENT or frame.slot in words_for("slots.lasting")
            return Tense.PRESENT if lasting else Tense.PAST
        turning = frame.phase in (Phase.EVENT, Phase.ENDING)
        if turning and self.verb.progressive and not self.verb.perfect and not self.verb.modal:
            return Tense.FUTURE  # "I'm moving to Lyon", "I'm leaving Nokia": not yet
        return self.verb.tense

    def _prefer_specific(self, facts: list[ExtractedFact]) -> list[ExtractedFact]:
        """One stretch of text is the value of one slot: a frame with a word class wins over one without."""
        kept: list[ExtractedFact] = []
        for fact in facts:
            if self.consumed and self._is_carrier(fact):
                continue
            if self.statement.is_named and fact.slot_type in words_for("slots.persons"):
                continue
            same = (k for k in kept if k.subject == fact.subject and _overlap(k.value_span, fact.value_span))
            rival = next(same, None) if kept else None
            if rival is None:
                kept.append(fact)
            elif ("<" in fact.pattern) > ("<" in rival.pattern):
                kept[kept.index(rival)] = fact
        return kept

    def _is_carrier(self, fact: ExtractedFact) -> bool:
        return any(
            fact.value_span.start <= at < fact.value_span.end and (slot == fact.slot_type or "<" not in fact.pattern)
            for at, slot in self.consumed.items()
        )


def _overlap(left: Span, right: Span) -> bool:
    return left.start < right.end and right.start < left.end


def _value_words(phrase: Phrase, frame: Frame) -> list[Token]:
    """The value without its article, and without the class word that only carries it."""
    words = bare_words(phrase.words())
    if frame.slot == "department":
        words = words[: next((i for i, t in enumerate(words) if t.low == "of" and i), len(words))]
    if frame.slot == "title" and words[-1].tag == "P":
        words = words[: next((i for i, t in enumerate(words) if t.low == "of" and i), len(words))]
    trims = carriers_of(frame.value_class or frame.slot)
    if len(words) > 1 and words[-1].lemma in trims:
        words = words[:-1]
    elif len(words) > 1 and words[0].lemma in trims:
        words = words[1:]
    if frame.slot == "language":
        return [t for t in words if t.tag == "P"] or words
    return words[:1] if frame.slot == "age" else words


def _read_open(context: Context, *, is_labelled: bool) -> ExtractedFact | None:
    """A fact named by the statement's own predicate; of notes, what has one label and one value ("Gate: B12")."""
    statement, verb = context.statement, context.verb
    if statement.fragment:
        thing = statement.object
        single = is_labelled and thing is not None and statement.subject[-1].lemma == statement.subject[-1].low
        if not single or thing is None or not is_fixed(context, thing):
            return None
    slot = verb.lemma if not statement.aspect else f"{statement.aspect} {verb.lemma}"
    phrase = statement.object
    if phrase is None:
        timeless = next(((p, x) for p, x in statement.modifiers if not is_time(x)), None)
        chosen = timeless or (statement.modifiers[0] if statement.modifiers else None)
        if chosen is None:
            return context.make_fact_at(context.subject, slot, slot, statement.span, "predicate", verb.tense)
        preposition = "with" if chosen[0] == "without" else chosen[0]
        slot, phrase = f"{slot} {preposition}".strip(), chosen[1]
    words = phrase.words()
    while len(words) > 1 and words[0].tag in "DR":
        words = words[1:]
    fixed = is_fixed(context, phrase)
    if fixed and (scope := name_scope(context, phrase)):
        slot = f"{slot} {scope}"
    return context.make_fact(context.subject, slot, words, "predicate", verb.tense, exclusive=fixed)
