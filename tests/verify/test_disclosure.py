"""Does an answer tell that a value it uses has changed or is disputed, and what would tell it?"""

from __future__ import annotations

import pytest

from groundwire.app import Groundwire
from groundwire.judge.alignment import Aliases
from groundwire.text.reading import read_text
from groundwire.types import ContradictionDetail, Memory, MemoryStatus, VerificationReport
from groundwire.verify.changes import order_values
from groundwire.verify.contradictions import ContradictionDetector
from groundwire.verify.disclosure import find_usages, is_disclosed, missing_disclosures

JANUARY, FEBRUARY, MARCH = 1704067200, 1706745600, 1709251200


def changed(old: str, new: str, prefix: str = "") -> tuple[Memory, Memory]:
    return Memory(f"{prefix}old", old, 0.85, JANUARY), Memory(f"{prefix}new", new, 0.85, MARCH)


EMPLOYER = changed("I work at Microsoft.", "I work at Amazon.", "e-")
HOME = changed("I live in Leeds.", "I live in Bristol.", "h-")
COLOR = changed("My favorite color is teal.", "My favorite color is mauve.", "c-")
TITLE = changed("I am an accountant.", "I am a teacher.", "t-")
STATUS = changed("My account status is suspended.", "My account status is active.", "s-")


def verify(text: str, *memories: Memory) -> VerificationReport:
    return Groundwire().verify(text, memories=memories)


@pytest.mark.requirement("CTR-011", "CTR-017")
@pytest.mark.parametrize(
    ("text", "memories"),
    [
        # the forms of the requirement
        ("Your employer changed from Microsoft to Amazon.", EMPLOYER),
        ("Previously Microsoft, now Amazon.", EMPLOYER),
        ("Your employer was Microsoft, is now Amazon.", EMPLOYER),
        ("You work at Amazon, updated from Microsoft.", EMPLOYER),
        ("You work at Amazon, formerly Microsoft.", EMPLOYER),
        ("You used to be at Microsoft, now Amazon.", EMPLOYER),
        # and how people say it
        ("You work at Amazon (changed from Microsoft)", EMPLOYER),
        ("Your employer is Amazon (previously Microsoft).", EMPLOYER),
        ("You work at Amazon; you used to work at Microsoft.", EMPLOYER),
        ("You work at Amazon. You used to work at Microsoft.", EMPLOYER),
        ("You work at Amazon. Before that, you worked at Microsoft.", EMPLOYER),
        ("You used to work at Microsoft, but now you work at Amazon.", EMPLOYER),
        ("You worked at Microsoft until March and now work at Amazon.", EMPLOYER),
        ("Microsoft until March; Amazon since.", EMPLOYER),
        ("You no longer work at Microsoft; you work at Amazon.", EMPLOYER),
        ("You left Microsoft and work at Amazon now.", EMPLOYER),
        ("You work at Amazon after leaving Microsoft.", EMPLOYER),
        ("You switched from Microsoft to Amazon.", EMPLOYER),
        ("You work at Amazon instead of Microsoft.", EMPLOYER),
        ("You work at Amazon, although an earlier memory says Microsoft.", EMPLOYER),
        ("You moved from Leeds to Bristol.", HOME),
        ("You relocated from Leeds to Bristol.", HOME),
        ("You used to live in Leeds and now live in Bristol.", HOME),
        ("You live in Bristol now; it used to be Leeds.", HOME),
        ("Your favorite color used to be teal, and is now mauve.", COLOR),
        ("Your favorite color is mauve; it was teal.", COLOR),
        ("Your favourite colour is mauve (formerly teal).", COLOR),
        ("You are a teacher, formerly an accountant.", TITLE),
        ("You were an accountant and are now a teacher.", TITLE),
        ("Your account was suspended and is now active.", STATUS),
    ],
)
def test_a_change_that_is_told_needs_no_disclosure(text: str, memories: tuple[Memory, ...]):
    report = verify(text, *memories)
    assert not report.requires_disclosure
    assert report.expected_disclosure is None
    assert report.disclosures == ()


@pytest.mark.requirement("CTR-012", "CTR-014", "CTR-017")
@pytest.mark.parametrize(
    "text",
    [
        "You work at Amazon",
        "You now work at Amazon.",
        "You currently work at Amazon.",
        "Your employer is Amazon.",
        "Amazon employs you.",
        "you're employed by amazon",
        "You work at Amazon and know Python.",
        "You work at Microsoft.",
        # a cue elsewhere
        "You work at Amazon. The weather was nice.",
        "You work at Amazon, and the weather changed.",
        "Things were different before. You work at Amazon.",
        # a cue about another slot
        "You work at Amazon. You used to live in Berlin.",
        "You work at Amazon and previously used Microsoft Word.",
        "You work at Amazon, and you used to like Microsoft Excel.",
        # a cue about another subject
        "You work at Amazon. Alice used to work at Microsoft.",
        "You work at Amazon and your friend works at Microsoft.",
        "You work at Amazon. Bob moved from Microsoft to Apple.",
        # an old value that is not of this contradiction
        "You work at Amazon (changed from Google).",
        "You work at Amazon, formerly Google.",
    ],
)
def test_a_value_used_in_silence_needs_disclosure(text: str):
    report = verify(text, *EMPLOYER)
    assert report.requires_disclosure
    assert report.expected_disclosure == "Amazon (changed from Microsoft)"
    assert not report.grounded


@pytest.mark.requirement("CTR-013")
@pytest.mark.parametrize(
    "text",
    [
        "The weather was nice.",
        "You know Python.",
        "Amazon is a river.",
        "The Amazon is longer than the Rhine.",
        "Alice works at Amazon.",
        "You ordered a lamp from Amazon.",
        "Do you work at Amazon?",
        "Hello!",
        "",
    ],
)
def test_a_slot_that_the_answer_does_not_use_needs_no_disclosure(text: str):
    report = verify(text, *EMPLOYER)
    assert not report.requires_disclosure
    assert report.expected_disclosure is None
    assert len(report.contradictions) == 1, "the contradiction itself is still reported"


@pytest.mark.requirement("CTR-015")
@pytest.mark.parametrize("text", ["You work at Microsoft and Amazon.", "You work at Amazon. You work at Microsoft."])
def test_two_current_values_side_by_side_do_not_disclose(text: str):
    assert verify(text, *EMPLOYER).requires_disclosure


@pytest.mark.requirement("CTR-015")
@pytest.mark.parametrize(
    "text",
    [
        "Your memories conflict: you work at Amazon or you work at Microsoft.",
        "You work at Amazon, which conflicts with an older note that says Microsoft.",
        "There is a conflict: Microsoft or Amazon.",
    ],
)
def test_values_told_as_conflicting_are_disclosed(text: str):
    assert not verify(text, *EMPLOYER).requires_disclosure


@pytest.mark.requirement("CTR-028")
@pytest.mark.parametrize("text", ["You used to work at Microsoft.", "You don't work at Microsoft."])
def test_a_claim_about_the_past_or_a_denial_needs_no_disclosure(text: str):
    assert not verify(text, *EMPLOYER).requires_disclosure


@pytest.mark.requirement("CTR-016")
@pytest.mark.parametrize(
    ("memories", "text", "phrase"),
    [
        (EMPLOYER, "You work at Amazon.", "Amazon (changed from Microsoft)"),
        (EMPLOYER, "You work at Microsoft.", "Amazon (changed from Microsoft)"),
        (EMPLOYER, "YOU WORK AT AMAZON", "Amazon (changed from Microsoft)"),
        (EMPLOYER[::-1], "You work at Amazon.", "Amazon (changed from Microsoft)"),
        (HOME, "You live in Bristol.", "Bristol (changed from Leeds)"),
        (STATUS, "Your account is active.", "active (changed from suspended)"),
        (
            changed("I work at the BBC.", "I work at van Gogh & Sons."),
            "You work at the BBC.",
            "van Gogh & Sons (changed from BBC)",
        ),
    ],
)
def test_the_phrase_names_the_newest_value_first_and_keeps_the_casing(
    memories: tuple[Memory, ...], text: str, phrase: str
):
    assert verify(text, *memories).expected_disclosure == phrase


@pytest.mark.requirement("CTR-016")
def test_several_old_values_are_listed_newest_first():
    memories = (
        Memory("a", "I work at Intel.", 0.9, JANUARY),
        Memory("c", "I work at Arm.", 0.9, MARCH),
        Memory("b", "I work at Nvidia.", 0.9, FEBRUARY),
    )
    for text in ("You work at Arm.", "You work at Nvidia.", "You work at Intel."):
        assert verify(text, *memories).expected_disclosure == "Arm (changed from Nvidia, Intel)"
    for old in ("Nvidia", "Intel"):
        assert not verify(f"You work at Arm (changed from {old}).", *memories).requires_disclosure


@pytest.mark.requirement("CTR-018")
@pytest.mark.parametrize("when", [None, MARCH])
def test_at_the_same_time_the_more_trusted_value_is_the_new_one(when: int | None):
    memories = Memory("a", "I work at Bosch.", 0.83, when), Memory("b", "I work at Shell.", 0.85, when)
    assert verify("You work at Bosch.", *memories).expected_disclosure == "Shell (changed from Bosch)"
    assert verify("You work at Bosch.", *memories[::-1]).expected_disclosure == "Shell (changed from Bosch)"


@pytest.mark.requirement("CTR-018")
@pytest.mark.parametrize("when", [None, MARCH])
def test_a_full_tie_names_the_values_as_conflicting_without_a_direction(when: int | None):
    report = verify(
        "You work at Bosch.", Memory("a", "I work at Bosch.", 0.9, when), Memory("b", "I work at Shell.", 0.9, when)
    )
    phrase = report.expected_disclosure or ""
    assert "Bosch" in phrase and "Shell" in phrase and "conflicts with" in phrase
    assert "changed" not in phrase + (report.corrected or "")


@pytest.mark.requirement("CTR-018")
def test_a_memory_without_a_time_is_taken_as_the_older_one():
    memories = Memory("a", "I work at Bosch.", 0.9, JANUARY), Memory("b", "I work at Shell.", 0.9)
    assert verify("You work at Shell.", *memories).expected_disclosure == "Bosch (changed from Shell)"


@pytest.mark.requirement("CTR-019")
def test_every_missing_disclosure_is_reported_in_the_order_of_the_answer():
    text = "You live in Bristol. You work at Amazon. Your favorite color is mauve."
    report = verify(text, *EMPLOYER, *HOME, *COLOR)
    assert [(d.slot_type, d.phrase) for d in report.disclosures] == [
        ("location", "Bristol (changed from Leeds)"),
        ("employer", "Amazon (changed from Microsoft)"),
        ("favorite_color", "mauve (changed from teal)"),
    ]
    assert report.expected_disclosure == "; ".join(d.phrase for d in report.disclosures)
    assert [text[slice(*d.span)] for d in report.disclosures] == ["Bristol", "Amazon", "mauve"]
    assert [d.memory_ids for d in report.disclosures] == [("h-old", "h-new"), ("e-old", "e-new"), ("c-old", "c-new")]


@pytest.mark.requirement("CTR-012", "CTR-019")
@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("You work at Amazon (changed from Microsoft) and live in Bristol.", "Bristol (changed from Leeds)"),
        ("You live in Bristol, formerly Leeds, and work at Amazon.", "Amazon (changed from Microsoft)"),
    ],
)
def test_one_disclosure_does_not_stand_for_another(text: str, phrase: str):
    assert verify(text, *EMPLOYER, *HOME).expected_disclosure == phrase


@pytest.mark.requirement("CTR-019")
def test_a_slot_used_twice_is_reported_once():
    report = verify("You work at Amazon. Your employer, as I said, is Amazon.", *EMPLOYER)
    assert [d.phrase for d in report.disclosures] == ["Amazon (changed from Microsoft)"]


@pytest.mark.requirement("CTR-012", "CTR-027")
def test_disclosure_follows_the_subject():
    sister = changed("My sister works at Microsoft.", "My sister works at Amazon.")
    assert verify("Your sister works at Amazon.", *sister).requires_disclosure
    assert not verify("You work at Amazon.", *sister).requires_disclosure
    assert not verify("Your sister works at Amazon, formerly Microsoft.", *sister).requires_disclosure


@pytest.mark.requirement("CTR-031")
def test_an_inactive_memory_is_still_an_old_value():
    for status in (MemoryStatus.SUPERSEDED, MemoryStatus.EXPIRED, MemoryStatus.ARCHIVED):
        old = Memory("a", "I work at Microsoft.", 0.85, JANUARY, status=status)
        assert verify("You work at Amazon.", old, EMPLOYER[1]).expected_disclosure == "Amazon (changed from Microsoft)"


@pytest.mark.requirement("CTR-029")
def test_the_parts_of_the_disclosure_check_can_be_used_by_themselves():
    contradictions = ContradictionDetector().detect(EMPLOYER)
    reading = read_text("You work at Amazon. You know Python.")
    (usage,) = find_usages(reading, contradictions, Aliases())
    assert usage.fact.raw == "Amazon"
    assert not is_disclosed(usage, reading, Aliases())
    ((_, disclosure),) = missing_disclosures([usage], reading, Aliases())
    assert disclosure.values == ("Microsoft", "Amazon")


def detail(*rows: tuple[str, float, int | None]) -> ContradictionDetail:
    values, trusts, times = zip(*rows, strict=True)
    return ContradictionDetail("employer", values, tuple(f"m{n}" for n in range(len(rows))), trusts, times)


@pytest.mark.requirement("CTR-016", "CTR-018")
@pytest.mark.parametrize(
    ("rows", "new", "old", "directed"),
    [
        ([("A1", 0.9, 1), ("B2", 0.9, 2)], "B2", ("A1",), True),
        ([("A1", 0.9, 2), ("B2", 0.9, 1)], "A1", ("B2",), True),
        ([("A1", 0.8, 2), ("B2", 0.9, 2)], "B2", ("A1",), True),
        ([("A1", 0.9, 1), ("B2", 0.8, 2), ("A1", 0.9, 3)], "A1", ("B2",), True),
        ([("A1", 0.9, 1), ("B2", 0.9, 1), ("C3", 0.9, 2)], "C3", ("A1", "B2"), True),
        ([("A1", 0.9, None), ("B2", 0.9, None)], "A1", ("B2",), False),
    ],
)
def test_values_are_ordered_by_time_then_trust(
    rows: list[tuple[str, float, int | None]], new: str, old: tuple[str, ...], directed: bool
):
    change = order_values(detail(*rows))
    assert (change.new, set(change.old), change.is_directed) == (new, set(old), directed)


BLIND_SPOTS = [
    ("You live in Bristol and once visited Leeds.", HOME, True),
    ("Amazon and Microsoft are companies.", EMPLOYER, False),
    ("One memory says you work at Microsoft, another that you work at Amazon.", EMPLOYER, False),
]


@pytest.mark.requirement("CTR-012", "CTR-013", "CTR-015")
@pytest.mark.parametrize(("text", "memories", "required"), BLIND_SPOTS)
def test_only_a_claim_about_the_slot_counts(text: str, memories: tuple[Memory, ...], required: bool):
    assert verify(text, *memories).requires_disclosure is required


@pytest.mark.requirement("CTR-011", "CTR-021")
@pytest.mark.parametrize(
    ("text", "memories"),
    [
        ("You work at Amazon (changed from Microsoft)", EMPLOYER),
        ("You used to work at Microsoft, but now you work at Amazon.", EMPLOYER),
        ("You worked at Microsoft until March and now work at Amazon.", EMPLOYER),
        ("Your employer changed from Microsoft to Amazon.", EMPLOYER),
        ("You moved from Leeds to Bristol.", HOME),
        ("Your favorite color is mauve; it was teal.", COLOR),
        ("You were an accountant and are now a teacher.", TITLE),
    ],
)
def test_an_answer_that_tells_the_change_is_grounded(text: str, memories: tuple[Memory, ...]):
    report = verify(text, *memories)
    assert report.grounded, (report.hallucinations, report.unverifiable)


@pytest.mark.requirement("CTR-021", "CTR-022")
@pytest.mark.parametrize(
    "text",
    [
        "You founded Microsoft.",
        "You sued Microsoft.",
        "You bought shares of Microsoft.",
        "You work at Amazon, formerly Microsoft. Microsoft replaced your laptop.",
    ],
)
def test_a_past_event_with_an_old_value_is_not_a_telling_of_the_change(text: str):
    assert not verify(text, *EMPLOYER).grounded


@pytest.mark.requirement("CTR-015", "CTR-016")
@pytest.mark.parametrize(
    "text", ["You work at Microsoft (changed from Amazon).", "You switched from Amazon to Microsoft."]
)
def test_a_change_told_the_wrong_way_round_is_not_grounded(text: str):
    assert not verify(text, *EMPLOYER).grounded


@pytest.mark.requirement("CTR-015", "CTR-016")
@pytest.mark.parametrize(
    "text",
    ["Your employer changed from Amazon to Microsoft.", "You used to work at Amazon and now work at Microsoft."],
)
def test_the_newest_value_is_not_a_former_one(text: str):
    report = verify(text, *EMPLOYER)
    assert not report.grounded
    assert report.hallucinations == ("Amazon",)


@pytest.mark.requirement("CTR-011")
def test_a_title_updated_from_another_is_disclosed():
    memories = changed("My title is junior chef.", "My title is sous-chef.")
    assert not verify("Your title was updated from junior chef to sous-chef.", *memories).requires_disclosure


@pytest.mark.requirement("CTR-011", "CTR-026")
def test_not_the_old_value_is_true():
    assert verify("You work at Amazon, not Microsoft.", *EMPLOYER).grounded


@pytest.mark.parametrize(
    ("answer", "discloses"),
    [("The demo, originally planned for Monday, is on Wednesday.", True), ("The demo is on Wednesday.", False)],
)
def test_what_was_planned_before_is_disclosed_in_passing(answer: str, discloses: bool):
    memories = [
        Memory(id="a", text="The demo is on Monday.", trust=0.9, timestamp=1_710_000_000),
        Memory(id="b", text="The demo is on Wednesday.", trust=0.9, timestamp=1_720_000_000),
    ]
    report = Groundwire().verify(answer, memories=memories)
    assert (report.grounded, report.requires_disclosure) == (discloses, not discloses)


@pytest.mark.parametrize(
    ("answer", "discloses"),
    [
        ("Anton replaced Beatriz as your CTO.", True),
        ("Anton took over from Beatriz as CTO.", True),
        ("Your CTO Beatriz was replaced by Anton.", True),
        ("Anton replaced Beatriz as CFO.", False),
        ("Anton is your CTO.", False),
    ],
)
def test_a_post_may_be_named_by_its_initials(answer: str, discloses: bool):
    memories = [
        Memory(id="a", text="Our CTO is Beatriz.", trust=0.9, timestamp=1_710_000_000),
        Memory(id="b", text="Our CTO is Anton.", trust=0.9, timestamp=1_720_000_000),
    ]
    assert Groundwire().verify(answer, memories=memories).grounded is discloses


@pytest.mark.parametrize(
    ("one", "two", "answer"),
    [
        ("The release date is 4 March.", "The release date is 18 March.", "The release is on 18 March."),
        ("The entry fee is 8 euros.", "The entry fee is 10 euros.", "The fee is 10 euros."),
    ],
)
def test_a_disputed_value_is_disclosed_whatever_words_it_is_used_with(one: str, two: str, answer: str):
    memories = [
        Memory(id="a", text=one, trust=0.9, timestamp=1_710_000_000),
        Memory(id="b", text=two, trust=0.9, timestamp=1_720_000_000),
    ]
    report = Groundwire().verify(answer, memories=memories)
    assert not report.grounded
    assert report.requires_disclosure
