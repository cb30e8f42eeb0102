"""Somebody's something: "My boss is Dana", "Name: Ada", "my sister Ana", "a dog called Rex"."""

from __future__ import annotations

from functools import cache

from groundwire.text.catalogue import Catalogue
from groundwire.text.framing import Context, bare_words, carriers_of, words_for
from groundwire.text.membership import class_words
from groundwire.text.phrases import Phrase, is_time
from groundwire.text.subjects import USER, Ownership, name_subject, render, split_owner
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token
from groundwire.text.values import normalise
from groundwire.types import ExtractedFact, Span, Tense

_CALLING = frozenset({"call", "name"})


def read_possession(context: Context) -> list[ExtractedFact]:
    """ "My boss is Dana", "Blue is my favourite colour", "Name: Ada"."""
    statement = context.statement
    if not statement.subject:
        return []
    value = statement.object
    if value is None and context.verb.lemma not in _CALLING:
        value = context.participle()
    if value is None and statement.modifiers:
        preposition, value = statement.modifiers[0]
        if preposition in ("in", "on", "under") and not is_time(value) and value.start:
            value = Phrase(value.tokens, value.start - 1, value.end)
    if value is None:
        return []
    if statement.holder is not None:
        return _read_held(context, statement.holder, value)
    direct = _read_attribute(context, statement.subject, value.words(), bare=True)
    if direct is None and context.verb.lemma == "be" and statement.object is not None:
        direct = _read_attribute(context, _with_owner(value, statement.modifiers), statement.subject)
    return [direct] if direct is not None else []


def _with_owner(value: Phrase, modifiers: list[tuple[str, Phrase]]) -> list[Token]:
    """ "the database behind the billing service": the phrase after the noun says whose it is."""
    if (
        modifiers
        and modifiers[0][0] in ("of", "for", "behind", "at")
        and modifiers[0][1].start == value.end + 1
        and value.words()[0].low == "the"
    ):
        return value.tokens[value.start : modifiers[0][1].end]
    return value.words()


def _read_held(context: Context, holder: list[Token], value: Phrase) -> list[ExtractedFact]:
    """ "I have a sister called Noémie": the user's sibling is Noémie."""
    nouns = [t for t in context.statement.subject if t.tag == "N"]
    slot, noun = slot_of(nouns[-1:], context.catalogue)
    names = [t for t in value.words() if t.tag == "P"]
    if not nouns or not names:
        return []
    owner = name_subject(holder)
    if slot not in words_for("slots.persons"):
        owner, slot, noun = f"{owner}'s {render(nouns)}", "name", render(nouns)
    return [context.make_fact(owner, slot or "name", names, f"{noun} named VALUE", Tense.PRESENT)]


def _read_attribute(
    context: Context, holder: list[Token], value: list[Token], *, bare: bool = False
) -> ExtractedFact | None:
    owned = split_owner(holder) or _split_unowned(context, holder, bare=bare)
    if owned is None or not owned.attribute or any(t.low in words_for("more_adjectives") for t in owned.attribute):
        return None
    slot, noun = _name_slot(context, owned, value)
    if slot is None:
        return None
    owner, slot, noun = _settle_owner(context, owned.owner, slot, noun)
    words = value
    if words and words[0].tag == "I" and slot not in words_for("slots.descriptive"):
        if slot in words_for("slots.persons") or slot == "department":
            return None  # "the friend is in Berlin" says where, and not who
        words = words[1:]
    words = bare_words(words)
    if len(words) > 1 and words[-1].lemma in carriers_of(slot):
        words = words[:-1]
    if slot == "hobby" and len(words) > 1 and words[0].low in ("playing", "doing", "going", "practicing", "practising"):
        words = bare_words(words[1:])
    if not words or not _suits(slot, words) or _is_pointing(words) or _is_no_tool(noun, words):
        return None
    slot = _settle_status(slot, owner, words, holder)
    if slot == "account_status" and owner.startswith(USER):
        owner = USER
    named = noun.split(" ")
    old = context.former or any(t.low in words_for("former_adjectives") and t.low not in named for t in owned.attribute)
    tense = Tense.PAST if old else context.verb.tense
    return context.make_fact(owner, slot, words, f"my {noun} is VALUE", tense)


def _is_no_tool(noun: str, words: list[Token]) -> bool:
    """ "My editor is Marta" names somebody; of programs, most are known."""
    is_name = noun in words_for("doubtful_tools") and all(t.tag == "P" and t.text.istitle() for t in words)
    return is_name and not any(t.low in class_words("technology") for t in words)


def _is_pointing(words: list[Token]) -> bool:
    """ "That is my favourite film" names none: what is pointed at is no value."""
    return len(words) == 1 and words[0].low in ("that", "this", "these", "those", "it", "they", "he", "she")


def _split_unowned(context: Context, holder: list[Token], *, bare: bool) -> Ownership | None:
    """ "API port: 9000", "the Heron deadline", "Account is closed"."""
    fragment = context.statement.fragment
    account = bool(holder) and holder[-1].tag == "N" and holder[-1].lemma in words_for("accounts")
    known = context.catalogue.nouns
    noun = bare and bool(holder) and all(t.tag in "NJ" or (t.tag == "P" and t.low in known) for t in holder)
    if not fragment and not account and not noun and not (holder and holder[0].low == "the"):
        return None
    return split_compound(holder, context.catalogue, fragment=fragment or noun)


def _name_slot(context: Context, owned: Ownership, value: list[Token]) -> tuple[str | None, str]:
    slot, noun = slot_of(owned.attribute, context.catalogue)
    if slot is None and value and value[0].tag in "JEV" and owned.attribute[-1].lemma in words_for("accounts"):
        return "account_status", owned.attribute[-1].lemma
    if slot is None:
        return None, ""
    if context.verb.passive and context.verb.lemma not in _CALLING and slot not in words_for("slots.descriptive"):
        return None, ""
    return slot, noun


def _settle_owner(context: Context, owner: str, slot: str, noun: str) -> tuple[str, str, str]:
    """A brother's name names the brother; a dog's name is the dog's own."""
    if slot == "name":
        holder, _, relation = owner.rpartition("'s ")
        inner = context.catalogue.nouns.get(relation.lower())
        if holder and inner in words_for("slots.persons"):
            return holder, inner or slot, relation.lower()
    if slot == "pet" and noun != "pet":
        return f"{owner}'s {noun}", "name", noun
    return owner, slot, noun


@cache
def _marital() -> frozenset[str]:
    return frozenset(read_table("classes")["marital"])


def _settle_status(slot: str, owner: str, words: list[Token], holder: list[Token]) -> str:
    """A bare "status" is the account's or the marriage's when the words say so."""
    if slot != "status":
        return slot
    if any(t.lemma in words_for("accounts") for t in holder):
        return "account_status"
    return "marital_status" if owner == USER and words[-1].low in _marital() else slot


def _suits(slot: str, words: list[Token]) -> bool:
    """ "Your car is red" and "my boss is kind" describe; they do not say which car or who."""
    letters = "".join(t.tag for t in words)
    if slot.startswith("favorite_") or slot in words_for("slots.descriptive"):
        return True
    if slot in words_for("slots.persons") or slot in ("name", "pet"):
        return "P" in letters
    if slot in words_for("slots.numeric"):
        return "#" in letters or "@" in letters
    return any(letter in "NP#@G" for letter in letters)


_OTHER_NAMES = frozenset({"maiden", "middle", "stage", "pen", "birth", "brand", "code", "domain", "file"})
"""Names that are not what somebody is called."""


def slot_of(attribute: list[Token], catalogue: Catalogue, *, compound: bool = False) -> tuple[str | None, str]:
    """The slot that an attribute noun names; the last words decide ("current job title" → title)."""
    words = [t for t in attribute if t.tag not in "DR',"]
    if words and words[-1].low == "name" and not _OTHER_NAMES.isdisjoint(t.low for t in words):
        return None, ""
    for k, token in enumerate(words):
        if token.low in ("favorite", "favourite") and k + 1 < len(words):
            thing = "_".join(_spell(word) for word in [*(t.low for t in words[k + 1 : -1]), words[-1].lemma])
            return f"favorite_{thing}", f"favorite {thing}"
    whole = " ".join(t.low for t in words)
    if whole in catalogue.nouns:
        return catalogue.nouns[whole], whole
    cut = next((i for i, t in enumerate(words) if t.tag in "It" and i), len(words))
    words = words[:cut]
    for k in range(len(words)):
        for joined in (" ".join([*(t.low for t in words[k:-1]), words[-1].lemma]), " ".join(t.low for t in words[k:])):
            slot = catalogue.nouns.get(joined)
            if slot is not None and (k == 0 or compound or words[k - 1].tag != "N" or joined == "name"):
                return slot, joined
    return None, ""


def _spell(word: str) -> str:
    """One spelling for both sides of the ocean: "colour" → color."""
    return word[:-3] + "or" if word.endswith(("olour", "avour", "eighbour", "umour")) else word


def split_compound(words: list[Token], catalogue: Catalogue, *, fragment: bool) -> Ownership | None:
    """ "API port", "the Heron deadline": what stands before the noun owns it; a bare note is the user's."""
    inner = [t for t in words if t.tag != "D"]
    slot, noun = slot_of(inner, catalogue, compound=True)
    if slot is None:
        lone = len(inner) == 1 and inner[0].lemma in words_for("accounts")
        return Ownership(USER, inner) if lone else None
    width = len(inner) if slot.startswith("favorite_") else len(noun.split(" "))
    before = [t for t in inner[: len(inner) - width] if t.tag in "NP"]
    if before:
        return Ownership(name_subject(before), inner[-width:])
    if fragment or slot in words_for("slots.personal"):
        return Ownership(USER, inner)
    return Ownership(render(inner), inner)


_WHO = words_for("slots.persons") | {"department"}


def read_change(context: Context) -> list[ExtractedFact]:
    """ "Your manager changed from Petra to Hollis": the one was, the other is."""
    statement = context.statement
    if context.verb.lemma not in words_for("changes") or not statement.subject:
        return []
    sides = {p: x for p, x in statement.modifiers if p in ("from", "to")}
    owned = split_owner(statement.subject) or split_compound(statement.subject, context.catalogue, fragment=False)
    slot, noun = slot_of(owned.attribute, context.catalogue) if owned is not None else (None, "")
    if owned is None or slot is None or (slot in _WHO and len(sides) < 2):
        return []  # "my son goes to judo"
    owner, slot, _ = _settle_owner(context, owned.owner, slot, noun)
    found: list[ExtractedFact] = []
    for side, tense in (("from", Tense.PAST), ("to", Tense.PRESENT)):
        if side in sides:
            found.append(context.make_fact(owner, slot, bare_words(sides[side].words()), f"change {side} VALUE", tense))
    return found


def name_relations(words: list[Token], catalogue: Catalogue) -> list[ExtractedFact]:
    """ "my sister Ana": the user's sibling is Ana."""
    owned = split_owner(words) if len(words) > 2 else None
    if owned is None or len(owned.attribute) < 2:
        return []
    names = [t for t in owned.attribute if t.tag == "P"]
    nouns = [t for t in owned.attribute if t.tag == "N"]
    if not names or not nouns or names[0].start < nouns[-1].start:
        return []
    slot, noun = slot_of(nouns, catalogue)
    owner = owned.owner
    if slot == "pet" and noun != "pet":
        owner, slot = f"{owner}'s {noun}", "name"
    elif slot is None or slot not in words_for("slots.persons"):
        return []
    raw, span = render(names), Span(names[0].start, names[-1].end)
    own = [t for t in words if t.start >= nouns[0].start - 40 and t.end <= span.end]
    whole = Span(min(t.start for t in own), span.end)
    exclusive = catalogue.is_exclusive(slot)
    return [ExtractedFact(owner, slot, normalise(raw), raw, whole, span, f"my {noun} VALUE", exclusive=exclusive)]
