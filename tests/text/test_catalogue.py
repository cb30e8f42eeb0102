"""The slot catalogue: every line compiles, refers only to what exists, and reads the words that it writes down."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from groundwire.errors import DataFileError
from groundwire.text import catalogue as catalogue_module
from groundwire.text import membership
from groundwire.text.catalogue import Catalogue, Frame, Phase, Place, is_class_member, load_catalogue
from groundwire.text.extraction import FactExtractor
from groundwire.text.phrases import Phrase
from groundwire.text.tables import read_table
from groundwire.text.tagging import tag
from groundwire.text.tokens import tokenize

SLOTS = read_table("slots")
LINES = [
    (slot, phase, source) for slot, entry in SLOTS.items() for phase in Phase for source in entry.get(phase.value, ())
]


def frames_of(catalogue: Catalogue) -> list[Frame]:
    found: dict[int, Frame] = {}
    for of_verb in catalogue.frames.values():
        indexed = (of_verb.by_preposition, of_verb.by_head, of_verb.by_class)
        for frame in (*of_verb.always, *(f for index in indexed for frames in index.values() for f in frames)):
            found[frame.order] = frame
    return [found[order] for order in sorted(found)]


def phrase(text: str) -> Phrase:
    tokens = tokenize(text)
    tag(tokens)
    return Phrase(tokens, 0, len(tokens))


# ── what the catalogue must hold ────────────────────────────────────────────────────────────────

EXCLUSIVE = [
    "employer", "location", "title", "name", "age", "birthday", "marital_status", "nationality", "email", "phone",
    "department", "manager", "spouse", "account_status",
]  # fmt: skip
ADDITIVE = ["hobby", "skill", "language", "pet", "tool", "allergy", "child", "education", "diagnosis"]


@pytest.mark.requirement("TXT-009")
def test_there_are_well_over_twenty_slots_and_all_that_were_named():
    assert len(SLOTS) > 40
    assert set(EXCLUSIVE) | set(ADDITIVE) <= set(SLOTS)


@pytest.mark.requirement("TXT-010")
@pytest.mark.parametrize("slot", EXCLUSIVE)
def test_one_value_at_a_time(slot: str):
    assert load_catalogue().is_exclusive(slot)


@pytest.mark.requirement("TXT-010")
@pytest.mark.parametrize("slot", ADDITIVE)
def test_many_values(slot: str):
    assert not load_catalogue().is_exclusive(slot)


@pytest.mark.requirement("TXT-010", "TXT-009")
@pytest.mark.parametrize("slot", ["favorite_color", "favorite_food", "favorite_football_club", "favorite_x"])
def test_every_favourite_is_exclusive(slot: str):
    assert load_catalogue().is_exclusive(slot)


@pytest.mark.requirement("TXT-010")
def test_every_slot_declares_its_kind_and_nothing_unknown():
    known = {"kind", "nouns", "apart", "value", *(phase.value for phase in Phase)}
    for slot, entry in SLOTS.items():
        assert entry["kind"] in ("exclusive", "additive"), slot
        assert set(entry) <= known, slot
        assert entry.get("value", "any") in ("name", "number", "person", "place", "any"), slot
        assert entry.get("nouns") or any(entry.get(phase.value) for phase in Phase), slot


@pytest.mark.requirement("TXT-010")
def test_a_slot_that_nobody_declared_takes_many_values():
    assert not load_catalogue().is_exclusive("whistle")


@pytest.mark.requirement("TXT-010")
def test_a_deployment_may_say_otherwise():
    own = load_catalogue(exclusive=("language", "whistle"), additive=("employer", "favorite_color"))
    assert own.is_exclusive("language")
    assert own.is_exclusive("whistle")
    assert not own.is_exclusive("employer")
    assert not own.is_exclusive("favorite_color")
    assert own.is_exclusive("favorite_food")
    assert load_catalogue().is_exclusive("employer")
    assert not load_catalogue().is_exclusive("language")


@pytest.mark.requirement("TXT-020")
def test_a_classification_is_compiled_once():
    assert load_catalogue() is load_catalogue()
    assert load_catalogue(("language",)) is load_catalogue(("language",))
    assert load_catalogue(("language",)) is not load_catalogue()


@pytest.mark.requirement("TXT-009")
def test_a_noun_names_one_slot():
    owners: dict[str, set[str]] = {}
    for slot, entry in SLOTS.items():
        for noun in entry.get("nouns", ()):
            assert noun == noun.lower().strip()
            owners.setdefault(noun, set()).add(slot)
    assert {noun: slots for noun, slots in owners.items() if len(slots) > 1} == {}
    assert set(load_catalogue().nouns) == set(owners)


# ── every line ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-009", "TXT-012")
@pytest.mark.parametrize(("slot", "phase", "source"), LINES)
def test_every_line_compiles_to_frames_of_its_slot_and_phase(slot: str, phase: Phase, source: str):
    found = [
        frame
        for frame in frames_of(load_catalogue())
        if (frame.slot, frame.phase, frame.source) == (slot, phase, source)
    ]
    assert found
    verbs = 1 if source.startswith("VALUE") else len(source.split(" ")[0].split("|"))
    assert len(found) == max(verbs, len({frame.verb for frame in found}))


@pytest.mark.requirement("TXT-009")
def test_every_class_that_a_frame_names_exists():
    classes, shapes = set(read_table("classes")), set(membership.SHAPES)
    carried = set(membership._CARRIED)
    for _, _, source in LINES:
        for name in re.findall(r"VALUE<([a-z]+)>", source):
            assert name in classes | shapes | carried, source
        for head in re.findall(r"@([a-z]+)", source):
            assert head in classes, source


@pytest.mark.requirement("TXT-009")
def test_a_class_lists_each_word_once_in_lower_case():
    for name, words in read_table("classes").items():
        assert words, name
        assert all(word == word.lower().strip() and word for word in words), name


@pytest.mark.requirement("TXT-009")
@pytest.mark.parametrize("source", ["work at", "like VALUE<two words>", "VALUEE"])
def test_a_line_without_a_value_is_refused_with_its_name(source: str):
    with pytest.raises(DataFileError, match=r"slots\.toml"):
        list(catalogue_module._compile("employer", source, Phase.STATE))


@pytest.mark.requirement("TXT-009")
def test_a_line_is_read_as_its_comment_says():
    (frame,) = catalogue_module._compile("employer", "have <job|post> at|with VALUE", Phase.STATE)
    assert (frame.verb, frame.place, frame.passive) == ("have", Place.MODIFIER, False)
    assert (frame.heads, frame.prepositions) == ({"job", "post"}, {"at", "with"})
    (frame,) = catalogue_module._compile("employer", "be employed by VALUE", Phase.STATE)
    assert (frame.verb, frame.passive, frame.prepositions) == ("employ", True, {"by"})
    (frame,) = catalogue_module._compile("pet", "have VALUE<pet>", Phase.STATE)
    assert (frame.place, frame.value_class) == (Place.OBJECT, "pet")
    (frame,) = catalogue_module._compile("manager", "VALUE manage ME", Phase.STATE)
    assert (frame.verb, frame.place) == ("manage", Place.SUBJECT)
    (frame,) = catalogue_module._compile("location", "move away from VALUE", Phase.ENDING)
    assert (frame.phase, frame.prepositions) == (Phase.ENDING, {"away from"})
    both = list(catalogue_module._compile("plan", "switch|move to VALUE<plan>", Phase.EVENT))
    assert [frame.verb for frame in both] == ["switch", "move"]


@pytest.mark.requirement("TXT-009")
@pytest.mark.parametrize(
    ("text", "name", "fits"),
    [
        ("a nurse", "profession", True), ("a marine biologist", "profession", True), ("a tent", "profession", False),
        ("two dogs", "pet", True), ("a guinea pig", "pet", True), ("a garden", "pet", False),
        ("34", "age", True), ("34 years", "age", True), ("1984", "age", False), ("340", "age", False),
        ("12 Elm Street", "street", True), ("Elm Street", "street", False),
        ("12 June", "date", True), ("Oslo", "date", False),
        ("$900", "money", True), ("900 euros", "money", True), ("900", "money", False),
        ("version 4.1", "version", True), ("v3", "version", True), ("four", "version", False),
        ("Lisbon", "town", True), ("Nokia", "town", False), ("Nokia", "firm", True), ("Lisbon", "firm", False),
        ("180 cm", "length", True), ("180 kg", "length", False),
        ("lisinopril", "drug", True), ("gravel", "drug", False),
        ("Finnish citizen", "demonym", True), ("the payments team", "team", True), ("hiking", "activity", True),
    ],
)  # fmt: skip
def test_a_value_class_is_recognised_by_its_head_or_its_shape(text: str, name: str, fits: bool):
    assert is_class_member(phrase(text), name) is fits


@pytest.mark.requirement("TXT-010")
def test_a_word_for_a_kind_is_told_from_a_name():
    catalogue = load_catalogue()
    assert catalogue.is_kind_word("vehicle", "motorbike")
    assert catalogue.is_kind_word("pet", "parrot")
    assert not catalogue.is_kind_word("vehicle", "volvo")
    assert not catalogue.is_kind_word("employer", "nokia")


# ── every line, said ────────────────────────────────────────────────────────────────────────────

SAMPLES = {
    "given": "Priya", "age": "41", "number": "41", "date": "12 June", "town": "Lisbon", "street": "12 Elm Street",
    "place": "Lisbon", "firm": "Nokia", "employee": "Nokia employee", "profession": "plumber", "post": "sales role",
    "department": "finance", "team": "the payments team", "money": "$900", "school": "Yale", "degree": "an MBA",
    "subject": "law", "marital": "married", "child": "two sons", "sibling": "a brother", "relative": "an uncle",
    "demonym": "Dutch", "religion": "Buddhist", "activity": "pottery", "technology": "Rust", "language": "Welsh",
    "pet": "a parrot", "allergy": "a nut allergy", "intolerance": "a lactose intolerance", "disease": "asthma",
    "afflicted": "diabetic", "drug": "insulin", "diet": "vegan", "dietary": "a keto diet", "vehicle": "a Volvo",
    "database": "Redis", "framework": "Django", "version": "version 4.1", "plan": "the Family plan",
    "port": "port 8080", "length": "180 cm", "cloud": "AWS",
}  # fmt: skip
BY_KIND = {"name": "Nokia", "person": "Dana", "place": "Lisbon", "number": "41", "any": "gravel"}
COUNTABLE = {
    "job", "position", "role", "post", "title", "home", "house", "apartment", "flat", "place", "employee", "member",
    "offer", "salary", "paycheck", "paycheque", "living", "degree", "bachelor", "master", "doctorate", "phd", "mba",
    "diploma", "passport", "citizen", "native", "passion", "fan", "lover", "allergy", "mother", "father", "parent",
    "dad", "mom", "mum", "graduate", "alum", "alumnus", "alumna", "record", "session", "event", "order", "birthday",
}  # fmt: skip
SAID_OTHERWISE = {
    "dwell in VALUE": "You dwelled in Lisbon.",
    "relocate to VALUE": "You relocated to Lisbon.",
    "relocate from VALUE": "You relocated from Lisbon.",
    "immigrate to VALUE": "You immigrated to Canada.",
    "emigrate to VALUE": "You emigrated to Chile.",
    "intern at|for VALUE": "You interned at Nokia.",
    "freelance for VALUE": "You freelanced for Nokia.",
    "major in VALUE": "You majored in history.",
    "specialise|specialize in VALUE": "You specialized in tax law.",
    "enroll|enrol at|in VALUE": "You enrolled at Yale.",
    "program|code|write in VALUE<technology>": "You program in Rust.",
    "downgrade to VALUE": "You downgraded to Basic.",
    "switch|migrate|move to VALUE<framework>": "The app moved to Django.",
}
"""Lines that are said in another form here, because their plain present reads as something else."""
NOT_SAID = {
    "wed VALUE", "be run by VALUE", "bind to VALUE<port>", "be <fond> of VALUE<activity>", "go <live> on VALUE<date>",
    "spend <time|weekend|evening|sunday|saturday> VALUE<activity>",
}  # fmt: skip


def say(frame: Frame) -> Iterator[str]:
    """The frame in the second person, once for each of its alternatives; inverse frames are said of the user."""
    catalogue = load_catalogue()
    value = SAMPLES.get(frame.value_class) or BY_KIND[catalogue.slots[frame.slot].value]
    words = frame.source.split(" ")
    if frame.place is Place.SUBJECT:
        yield f"{value} {frame.verb}s {'the billing module' if frame.slot == 'owner' else 'me'}."
        return
    middle = words[1 : next(i for i, word in enumerate(words) if word.startswith("VALUE"))]
    told = [["You", "are" if words[0] == "be" else frame.verb]]
    for word in middle:
        options = ["plumber" if o.startswith("@") else o for o in word.strip("<>").split("|")]
        told = [[*t, f"a {o}" if o in COUNTABLE or o == "plumber" else o] for t in told for o in options]
    for sentence in told:
        yield " ".join([*sentence, value]) + "."


SAYINGS = [
    (frame.slot, sentence)
    for frame in frames_of(load_catalogue())
    if frame.source not in NOT_SAID
    for sentence in ([SAID_OTHERWISE[frame.source]] if frame.source in SAID_OTHERWISE else say(frame))
]


@pytest.mark.requirement("TXT-009", "TXT-011", "TXT-012")
@pytest.mark.parametrize("slot", sorted({slot for slot, _ in SAYINGS}))
def test_every_line_of_the_catalogue_reads_its_own_words(slot: str):
    extractor = FactExtractor()
    sentences = [sentence for name, sentence in SAYINGS if name == slot]
    unread = [s for s in sentences if slot not in {fact.slot_type for fact in extractor.extract(s)}]
    assert unread == []


@pytest.mark.requirement("TXT-009")
def test_the_lines_said_are_nearly_all_there_are():
    assert len(SAYINGS) > 800
    assert len(NOT_SAID) < len(LINES) // 40
