"""What keeps evidence from supporting a claim, whatever a model says of the two."""

import pytest

from groundwire import Groundwire, Settings
from groundwire.judge.objections import find_objection
from groundwire.judge.reprieves import find_reprieve
from groundwire.types import Passage, Verdict


def object_to(claim: str, evidence: str) -> str | None:
    found = find_objection(claim, Passage("e1", evidence))
    assert found is None or found.verdict is not Verdict.SUPPORTED
    return found.reason if found is not None else None


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The workshop is in Ghent.", "The workshop is in Ghent or Bruges."),
        ("Mara plays the oboe.", "Mara plays the flute, the oboe or the harp."),
        ("The vault was dug in 1712.", "The vault was dug in either 1712 or 1721."),
        ("The hull is made of oak.", "The hull is made of elm or oak."),
    ],
)
def test_one_of_several_is_not_said_of_any(claim: str, evidence: str):
    assert object_to(claim, evidence) == "one_of_several"


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Mara does not eat pork.", "Mara does not eat pork or beef."),
        ("Guests can pay by card.", "Guests can pay by card or in cash."),
        ("The workshop is in Ghent or Bruges.", "The workshop is in Ghent or Bruges."),
        ("Two people were there.", "Two or more people were there."),
        ("The workshop is in Ghent.", "Is it in Ghent or Bruges? The workshop is in Ghent."),
        ("The aorta carries blood.", "The aorta, or main artery, carries blood."),
        ("Mara plays the oboe.", "Mara plays the oboe and the harp."),
    ],
)
def test_or_is_no_choice_where_it_denies_allows_counts_or_explains(claim: str, evidence: str):
    assert object_to(claim, evidence) is None


@pytest.mark.requirement("JDG-020")
def test_what_may_be_is_not_what_is():
    assert object_to("The chapel was built by monks.", "The chapel may have been built by monks.") == "only_possible"
    assert object_to("The chapel may have been built by monks.", "The chapel may have been built by monks.") is None
    assert object_to("The form is due on Monday.", "The form must be in on Monday.") is None


@pytest.mark.requirement("JDG-020")
def test_who_did_it_to_whom_is_not_exchanged():
    assert object_to("Tomasz taught Irena.", "It was Irena who taught Tomasz.") == "other_agent"
    assert object_to("Tomasz was taught by Irena.", "It was Irena who taught Tomasz.") is None
    assert object_to("Tomasz met Irena.", "Irena met Tomasz.") is None


@pytest.mark.requirement("JDG-020")
def test_a_value_told_of_another_is_not_told_of_this_one():
    found = find_objection(
        "Version 2.4 was released in March.",
        Passage("e1", "Version 2.3 was released in March, and version 2.4 was released in July."),
    )
    assert found is not None
    assert (found.verdict, found.reason, found.evidence_value) == (Verdict.REFUTED, "other_value", "July")


@pytest.mark.parametrize("unit", ["or ", "a or b, ", "a, b or c. ", "may be or ", "x", "漢 or 字 ", "or\x00"])
def test_hostile_text_gives_an_answer(unit: str):
    object_to(unit * 40, unit * 2_000)


def test_two_events_at_their_own_times_do_not_refute_each_other():
    closing = Passage("e1", "The clinic closes at 4 in the afternoon.")
    found = find_reprieve("The clinic opens at 8 in the morning.", closing)
    assert found is not None
    assert (found.verdict, found.reason) == (Verdict.INSUFFICIENT, "other_event")
    assert find_reprieve("The clinic closes at 8 in the evening.", closing) is None
    assert find_reprieve("The clinic is open.", Passage("e1", "The clinic is closed.")) is None


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("Nadia is moving to Graz.", "Nadia is moving to Graz or Linz."),
        ("Greta trained Paul.", "Paul trained Greta."),
        ("The chapel was built by monks.", "The chapel may have been built by monks."),
    ],
)
def test_rules_overlook_small_words_as_little_as_models(answer: str, memory: str):
    gw = Groundwire(settings=Settings(judge="rules"))
    report = gw.verify(answer, memories=[memory])
    assert not report.grounded


def test_a_time_in_a_wider_one_does_not_speak_against_it():
    for claim in ("The abbey was founded in the 12th century.", "The abbey was founded in the 1100s."):
        found = find_reprieve(claim, Passage("e1", "The abbey was founded in 1143."))
        assert found is not None and found.verdict is Verdict.SUPPORTED and found.passage_id == "e1", claim
    assert find_reprieve("The abbey was founded in the 13th century.", Passage("e1", "It was founded in 1143.")) is None
    assert find_reprieve("The abbey was founded in 1143.", Passage("e1", "The abbey was founded in 1144.")) is None


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You used to live in Dublin.", "I live in Galway."),
        ("You once worked at Siemens.", "I work at Bosch."),
    ],
)
def test_another_name_in_the_same_slot_says_nothing_of_this_one(claim: str, evidence: str):
    assert object_to(claim, evidence) == "other_value"


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You live in France.", "I live in Paris."),
        ("You live in Galway.", "I live in Galway, and I used to live in Dublin."),
        ("You are an engineer.", "I work as a developer."),
    ],
)
def test_a_wider_name_the_same_name_and_other_words_are_no_other_name(claim: str, evidence: str):
    assert object_to(claim, evidence) is None


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize("judge", ["rules", "mini"])
def test_what_a_relative_has_the_user_need_not_have(judge: str):
    gw = Groundwire(settings=Settings(judge=judge))
    assert not gw.verify("The patient has glaucoma.", memories=["The patient's mother has glaucoma."]).grounded
    assert gw.verify("Your mother has glaucoma.", memories=["The patient's mother has glaucoma."]).grounded


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The law passed in the 18th century.", "The law passed in 1832."),
        ("The viaduct was finished in the 1920s.", "The viaduct was finished in 1874."),
        ("The guild was founded in the second half of the 15th century.", "The guild was founded in 1412."),
        ("The mill was built after 1900.", "The mill was built in 1874."),
        ("The mill was built before 1874.", "The mill was built in 1874."),
        ("Sena won the regatta in 2019.", "Sena won the regatta in 2015."),
        ("The reading takes place in the morning.", "The reading takes place at 5 pm."),
        ("The choir rehearses on weekdays.", "The choir rehearses on Sunday."),
        ("In the 18th century the law passed.", "The law passed in 1832."),
        ("The shrine was built in the 3rd century.", "The shrine was built in 250 BC."),
    ],
)
def test_another_time_supports_nothing(claim: str, evidence: str):
    assert object_to(claim, evidence) in ("other_time", "other_value")


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The law passed in the 19th century.", "The law passed in 1832."),
        ("The mill was built before 1900.", "The mill was built in 1874."),
        ("The guild was founded in the early 15th century.", "The guild was founded in 1412."),
        ("The choir rehearses at the weekend.", "The choir rehearses on Sunday."),
        ("The reading takes place in the afternoon.", "The reading takes place at 5 pm."),
        ("The market is held in May.", "The market is held on 3 May 2024 at 9 am."),
        ("The ferry runs on Mondays.", "The ferry runs at 8 am."),
        ("The tower fell in the Middle Ages.", "The tower fell in 1250."),
        (
            "The mill burned down in 1921.",
            "The mill burned down in 1874. It burned down again in 1921.",
        ),
        ("You are fond of quiet evenings.", "I treasure a calm night at home."),
    ],
)
def test_a_wider_time_and_one_of_another_kind_are_no_other_time(claim: str, evidence: str):
    assert object_to(claim, evidence) not in ("other_time", "other_value")


def test_another_time_refutes_only_what_happens_once():
    passage = Passage("e1", "The abbey was founded in 1143. Sena won the regatta in 1998.")
    founded = find_objection("The abbey was founded in the 13th century.", passage)
    won = find_objection("Sena won the regatta in the 1970s.", passage)
    assert founded is not None and founded.verdict is Verdict.REFUTED
    assert won is not None and won.verdict is Verdict.INSUFFICIENT


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Magda didn't post the letter.", "Magda failed to post the letter."),
        ("Nia did not open the window.", "Nia was unable to open the window."),
        ("Julia deleted the file.", "Julia did not forget to delete the file."),
        ("Southwest will enter the market next year.", "Southwest plans to enter the market next year."),
        ("Joao does not live in Bangkok.", "Joao lives in Dhaka."),
        ("Diego is not your spouse.", "My spouse is Oscar."),
        ("The vote was not held in January.", "The vote took place in September."),
        ("The band was popular in the 1990's.", "The band was popular from 1991 to 1998."),
        ("The choir rehearses only on Mondays.", "The choir rehearses on Mondays and on no other day."),
        ("The bins are emptied twice a week.", "The bins are emptied two times every week."),
        ("The report is due at the latest on Friday.", "The report is due on Friday."),
        ("Kim is not an only child.", "Kim has a sister."),
        ("A porter hands a guest a key.", "A porter is handing a key to a guest."),
        ("Olga won the final against Farid.", "Olga beat Farid in the final."),
        ("Ana's kitchen is bright.", "Ana's kitchen is bright and new."),
    ],
)
def test_nothing_is_held_against_what_the_evidence_says_in_other_words(claim: str, evidence: str):
    assert object_to(claim, evidence) is None


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Magda posted the letter.", "Magda failed to post the letter."),
        ("Julia deleted the file.", "Julia forgot to delete the file."),
        ("The choir rehearses only on Mondays.", "The choir rehearses on Mondays."),
        ("The bins are emptied twice a week.", "The bins are emptied every week."),
        ("The vote was held in January.", "The vote took place in September."),
        ("Marek owes Lea a book.", "Lea owes Marek a book."),
        ("Ana's kitchen is bright.", "Ana's kitchen is not bright."),
    ],
)
def test_and_what_it_does_not_say_is_still_held_against_it(claim: str, evidence: str):
    assert object_to(claim, evidence) is not None


def test_who_left_a_place_was_not_thereby_there_on_another_day():
    left = Passage("e1", "The ship left the harbour on 31 January 2007.")
    assert find_reprieve("The ship left the harbour on 7 February 2007.", left) is None
