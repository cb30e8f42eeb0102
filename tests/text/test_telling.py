"""The table of words that tell each other, and how it is asked."""

from groundwire.text.tables import read_table
from groundwire.text.telling import TOLD, find_told, load_told, read_entries
from groundwire.text.thesaurus import are_opposites


def test_no_word_of_the_table_tells_itself_or_its_opposite():
    for entry in read_entries():
        assert entry.claimed not in entry.tellers
        for teller in entry.tellers:
            if len(entry.claimed) == len(teller) == 1:
                assert not are_opposites(*entry.claimed, *teller), (entry.claimed, teller)


def test_days_and_months_tell_nothing_but_themselves_in_short():
    days = {"monday", "tuesday", "wednesday", "thursday", "friday", "sunday", "june", "july"}
    assert not [entry for entry in read_entries() if any(words & days for words in (entry.claimed, *entry.tellers))]


def test_every_line_of_the_table_is_an_entry():
    lines = [line for text in read_table(TOLD).values() for line in text.splitlines() if line[:1].strip()]
    assert len(lines) > 4000
    assert len(list(read_entries())) == len(lines)
    assert all(line.count(":") == 1 for line in lines)


def test_what_tells_a_word_is_named():
    assert find_told(frozenset({"wedding"}), frozenset({"wedding", "2018"}), frozenset({"marry", "2018"})) == {
        "wedding": frozenset({"marry"})
    }


def test_words_that_belong_together_are_told_together_or_not_at_all():
    wake = frozenset({"wake", "up", "6"})
    assert set(find_told(frozenset({"get"}), frozenset({"get", "up"}), wake)) == {"get"}
    assert not find_told(frozenset({"get"}), frozenset({"get", "dog"}), wake)


def test_short_forms_and_long_forms_of_names_tell_each_other():
    long = frozenset({"chief", "technology", "officer"})
    assert set(find_told(frozenset({"cto"}), frozenset({"cto"}), long)) == {"cto"}
    assert set(find_told(long, long, frozenset({"cto"}))) == long


def test_the_more_particular_entry_comes_first():
    for entries in load_told().values():
        sizes = [len(entry.claimed) for entry in entries]
        assert sizes == sorted(sizes, reverse=True)
