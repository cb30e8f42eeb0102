"""Times that the calendar, the clock of the call, or the answer itself denies."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import stays_cheap
from groundwire.detect.temporal import TemporalErrorDetector, detect_temporal_errors
from groundwire.text.segments import segment_response
from groundwire.types import ContradictionType
from groundwire.types.detection import HallucinationFlag, HallucinationType

NOW = datetime(2026, 3, 14, 9, 0, tzinfo=UTC)

WRONG = [
    "The treaty was signed in 2033.",
    "Scientists discovered the cave in July 2027.",
    "The museum opened its doors on June 1, 2028.",
    "In 2040 the company launched its first satellite.",
    "The author published her memoirs in 2095.",
    "The course ended before it had begun.",
    "The guests left before they arrived.",
    "The Marlin left Genoa on 9 May 2024 and docked in Tunis on 2 May 2024.",
    "The subscription began on 1 June 2024 and expired on 31 May 2024.",
    "The club was founded in 2019 and hired its first coach in 2016.",
    "The director died in 2001. In 2004 she reopened the theatre with a speech.",
    "The second race began at 15:10 and the first race began at 16:00.",
    "The suspect was convicted on 4 February 2024; the trial opened on 16 March 2024.",
    "The firm signed the lease on 10 March 2024, six weeks after the talks began on 1 March 2024.",
    "In 2005, ten years after its launch in 2001, the paper folded.",
    "The bus left at 10:15, 45 minutes after its scheduled departure at 10:00.",
    "The drought lasted from 1931 to 1936. Those nine years emptied the villages.",
    "The tool was released in March 2024 and has been available for six years.",
    "Last week we will travel to Rome.",
    "The parcel was delivered on 3 March and shipped on 6 March.",
    "The treaty of 1820 was concluded before the truce of 1790.",
    "The 2031 championships were held in Lyon.",
    "A 2012 statute, repealed in 2007, had banned kites.",
    "- 09:12 alarm raised\n- 09:30 crew sent out\n- resolved at 08:40",
    "| Order placed | 6 April 2024 |\n| Delivered | 2 April 2024 |",
    "Flight 12 landed in Porto before it took off from Bern.",
    "The draft was finished before the authors began working on it.",
    "At the party tomorrow we agreed on a name.",
    "The board adopted the budget on 3 September 2026.",
    "He was buried before he died.",
    "The bridge was demolished before it was built.",
    "The letter was answered before it was received.",
    "The movie premiered before it was filmed.",
    "Before it was founded, the club was dissolved.",
    "The harvest took place before the planting.",
    "The plane touched down before it took off.",
    "The exam was graded before it was written.",
    "Its closure preceded its opening.",
    "The meeting will be on Wednesday, March 17, 2026.",
    "The party was held on Saturday, 14 February 2025.",
    "The payment is due on November 31, 2026.",
    "Our next review is on 30 February.",
    "The deadline is 2026-13-01.",
    "The bus leaves at 26:10.",
    "The alarm went off at 14:75.",
    "The trip lasted from May 10, 2025 to May 2, 2025.",
    "Between 2015 and 2011 the population doubled.",
    "The exhibition ran from August 2024 to June 2024.",
    "The workshop is from 1 pm to 3 pm, four hours in total.",
    "She studied in Vienna from 2000 to 2004, that is ten years.",
    "The siege began in 1453 and ended in 1450.",
    "The film was released in 1999, after shooting started in 2003.",
    "Three days ago, on March 1, 2026, the shipment left.",
    "This year, in 2024, the fair takes place in Lyon.",
    "Next month, in June 2026, we will move.",
    "Yesterday, March 10, 2026, the site was down.",
    "He was born in 1970 and celebrated his 40th birthday in 2005.",
    "Anna, who was born in 2000, was 45 years old in 2020.",
    "Born in 1985, he is now 60.",
    "The firm was established in 1950 and marked its 100th anniversary in 2010.",
    "The painter died in 1890 and painted his last picture in 1895.",
    "She got her doctorate in 1960, although she was born in 1965.",
    "The ship was launched in 1910 and sank in 1905.",
    "The war lasted ten years, from 1914 to 1918.",
    "He will visit us on 5 May 2021.",
    "Last week, on 20 January 2026, the results came in.",
    "They divorced before they got married.",
    "The program was uninstalled before it was installed.",
    "The employee resigned before she was hired.",
    "The song was recorded in 1980 and written in 1985.",
    "The president took office in 2029 and served two terms.",
    "Tomorrow is March 20, 2026.",
]

CLEAN = [
    "He wrote the book in 1990, two years after his father died in 1988.",
    "In 1995, five years after its launch in 1990, the magazine folded.",
    "The train left at 10:30, 30 minutes after its scheduled departure at 10:00.",
    "She started in 2010, moved in 2012 and, three years later, in 2015, retired.",
    "The app was released in March 2023 and has been available for three years.",
    "The war lasted from 1939 to 1945. Those six years changed Europe.",
    "The report I wrote last week will be published in June 2026.",
    "The company was founded in 1990 and has been owned by Acme for six years.",
    "The band was founded in 2015 and released its debut in 2017.",
    "- departs: 4 June 2026\n- arrives: 30 June 2026",
    "The fair begins on 20 December and ends on 6 January.",
    "She enrolled in 2009, took a year off in 2011, and graduated in 2014.",
    "The plane landed in Doha before it took off for Oslo.",
    "The treaty was signed in 2013 and took effect in 2015.",
    "The bridge will be completed in 2031.",
    "The city plans to close the plant in 2040.",
    "Experts forecast that demand will double by 2060.",
    "The loan was approved in 2024 and must be repaid by 2044.",
    "Tickets for the concert on 12 June 2026 went on sale last week.",
    "The team was asked to finish by April 2026.",
    "The novel, published in 1949, describes the year 1984.",
    "If the project had started in 2030, it would have failed.",
    "She booked a flight for 3 May 2026.",
    "The law, passed in 2025, bans the sale from 2035.",
    "The festival was moved to June 2026.",
    "The deal gives the club rights until 2032.",
    "He was born in 1970 and turned 50 in 2020.",
    "The company was founded in 1999, two years after the merger.",
    "The building was damaged in 1944 and restored in 1950.",
    "Before moving to Oslo in 2015, she lived in Bergen from 2010 to 2014.",
    "After graduating in 2008, he worked in Rome until 2012.",
    "The author died in 1950; her last novel was published in 1953.",
    "The meeting is on Monday, March 16, 2026.",
    "The office is open from 9 am to 5 pm, eight hours a day.",
    "The war lasted six years, from 1939 to 1945.",
    "The trains run from 11 pm to 5 am.",
    "Yesterday, March 13, 2026, the site was down.",
    "Last month, in February 2026, sales rose.",
    "Ten years ago, in 2016, the plant opened.",
    "The exam takes place on February 29, 2028.",
    "The shop closed in 2019 and reopened in 2021.",
    "She finished the book before she started the next one.",
    "He died three days before his son was born.",
    "The data set covers 2010 to 2020.",
    "The film was shot in 2019 and released in 2021.",
    "The store has been open since 2018.",
    "The warranty expires in 2039.",
    "The next total eclipse there is in 2081.",
    "The board meets again in two weeks.",
    "The budget for 2030 was approved in 2025.",
    "By the time the police arrived, the thief had left.",
    "The plan, drafted in 2020, foresees 40 new stations by 2045.",
    "She was 30 in 2010 and is now 46; she was born in 1980.",
    "The second edition appeared in 1995, five years after the first.",
    "The order was placed on 3 March and shipped on 5 March.",
    "From 2015 to 2018 he lived in Rome, and from 2018 to 2020 in Paris.",
    "The race starts at 10:00 and ends at 13:00.",
    "We sent the invitation for the gala on 9 May 2026.",
    "The museum, opened in 1901, celebrated its 100th anniversary in 2001.",
    "The dam was finished after five years of work, in 1970.",
    "The bonds mature on 1 July 2046.",
    "The election of 2024 was followed by protests.",
    "In 2025, four years before the planned launch, the team doubled.",
]

ALSO_WRONG = [
    "The project was completed before it started.",
    "Mozart died before he was born.",
    "She died before being born.",
    "The flight landed prior to taking off.",
    "The completion of the project came before its start.",
    "The project finished before it even began.",
    "The project started after it was completed.",
    "The album was released before it was recorded.",
    "Before it started, the project was completed.",
    "The package was delivered before it was shipped.",
    "The start of the project followed its completion.",
    "The project had already been completed when it started.",
    "Last year in 2026 we launched the product.",
    "Last year (2023), revenue doubled.",
    "Two days ago, on February 20, 2026, the outage began.",
    "Today is March 5, 2021.",
    "The bridge was completed in 2031.",
    "The bridge, completed in 2031, spans the river.",
    "He won the 2031 Nobel Prize in Physics.",
    "The company was founded in 2150 by two engineers.",
    "Founded in 2045, the company grew fast.",
    "She finished the marathon next Friday.",
    "The meeting took place on Monday, March 4, 2025.",
    "The invoice is dated February 30, 2024.",
    "The event was on 31 April 2023.",
    "The store opened on 29 February 2023.",
    "The log entry was written on 2023-02-29.",
    "The meeting starts at 25:00.",
    "He worked there from 2010 to 2015, a period of eight years.",
    "The session runs from 9 am to 11 am, three hours in total.",
    "The four-year war (1939–1945) changed Europe.",
    "He was mayor from 2019 to 2015.",
    "She served for ten years as mayor, from 2001 to 2005.",
    "Born in 1990, she turned 50 in 2020.",
    "Albert Smith (born 1950) died in 1990 at the age of 60.",
    "He was born in 1980 and is now 30 years old.",
    "The war began in 1939 and ended in 1945, lasting eight years.",
    "Construction began in 2015 and was completed in 2012.",
    "Anna graduated in 2010 after enrolling in 2014.",
    "Before joining Google in 2010, she worked at IBM in 2012.",
    "After leaving IBM in 2015, she joined Google in 2012.",
    "The company was founded in 1990. Ten years later, in 2005, it went public.",
    "The report was submitted on June 10, 2024, before the kickoff on June 20, 2023.",
    "The meeting started at 3 pm and ended at 1 pm.",
    "March 4, 2025 was a Monday.",
    "The conference will take place in May 2020.",
    "He was born in 1950 and died in 1940.",
    "The company, founded in 2010, celebrated its 25th anniversary in 2020.",
    "2023 was a leap year.",
    "We visited the site tomorrow.",
]

ALSO_CLEAN = [
    "The project was completed before it was presented to the board.",
    "His father died before he was born.",
    "The mission launched in 2024 arrives in 2031.",
    "The bonds issued last year mature in 2035.",
    "The 2030 Agenda for Sustainable Development was adopted in 2015.",
    "The city was awarded the 2030 Winter Games in 2024.",
    "The government pledged to reach net zero by 2050.",
    "The plan targets a 40% cut by 2045.",
    "By 2050, the population will reach 10 billion.",
    "The IPCC projects sea levels in 2100 to be a metre higher.",
    "The film is set in 2077. The city was destroyed in 2050.",
    "Halley's Comet returns in 2061.",
    "The contract was signed in 2020 and runs until 2040.",
    "The company announced a new plant in 2031.",
    "She graduated from Yale before enrolling at Harvard Law School.",
    "He divorced Anna before marrying Beth.",
    "She returned home before leaving for the airport.",
    "There is no February 30.",
    "He worked there from 2010 to 2015, about five years.",
    "She was born in 1990 and turned 30 in 2020.",
    "The war began in 1939 and ended in 1945, lasting six years.",
    "The shop is open from 10 pm to 6 am.",
    "Last year, in 2025, revenue doubled.",
    "In 2020 she returned to the city where she had lived before 2015.",
    "The meeting was moved from March 10, 2026 to March 5, 2026.",
    "Work started after the design was completed.",
    "The library was closed on Monday, March 3, 2025.",
    "The event will be held on May 3, 2026.",
    "The ISS deorbit is planned for 2031.",
    "It was founded in 1998. Ten years later, in 2008, it went public.",
    "Five years ago, in 2021, she moved to Oslo.",
    "The team finished dinner before the show began.",
    "In 2019, two years before the merger, sales fell.",
    "She joined Acme in 2012 after five years at IBM, which she had joined in 2007.",
    "Marie Curie was born on 7 November 1867 in Warsaw and died on 4 July 1934, aged 66.",
    "Version 2.0 was released in January 2025, after the beta ended in December 2024.",
    "Sales were higher in 2024 than before 2020.",
    "The lease was renewed last month until 2039.",
    "The update was released yesterday.",
    "The 2028 Olympics were awarded to Los Angeles in 2017.",
]


def detect(text: str, now: datetime = NOW) -> tuple[HallucinationFlag, ...]:
    return detect_temporal_errors(segment_response(text, now), now)


def only(text: str, now: datetime = NOW) -> HallucinationFlag:
    (flag,) = detect(text, now)
    return flag


@pytest.mark.requirement("DET-026", "DET-027", "DET-028", "DET-030")
@pytest.mark.parametrize("text", [*WRONG, *ALSO_WRONG])
def test_a_time_that_cannot_be_is_flagged_once(text: str) -> None:
    assert len(detect(text)) == 1


@pytest.mark.parametrize("text", [*CLEAN, *ALSO_CLEAN])
def test_plans_biographies_and_timetables_are_left_alone(text: str) -> None:
    assert detect(text) == ()


@pytest.mark.requirement("DET-007", "DET-030")
@pytest.mark.parametrize(
    "text",
    [
        "The project was completed before it started.",
        "The project was finished before it had begun.",
        "Before it started, the project was already completed.",
        "The completion of the project came before its start.",
        "The project started after it was completed.",
        "The start of the project followed its completion.",
        "The project had already been completed when it started.",
        "The project was completed two weeks before it began.",
        "Mozart died before he was born.",
        "She died before being born.",
    ],
)
def test_an_impossible_order_of_events_needs_no_dates(text: str) -> None:
    flag = only(text)
    assert flag.confidence == 0.80
    assert flag.hallucination_type is HallucinationType.TEMPORAL_ERROR
    assert flag.contradiction_type is ContradictionType.TEMPORAL_IMPOSSIBILITY
    assert flag.content == text[flag.span.start : flag.span.end]


@pytest.mark.requirement("DET-008")
@pytest.mark.parametrize(
    "text",
    [
        "Last year in 2026 we launched the product.",
        "Last year (2026) revenue doubled.",
        "In 2026, last year, the plant closed.",
        "The office moved last year, in 2026.",
        "We won the award last year, which was 2026.",
    ],
)
def test_last_year_is_measured_by_the_clock_of_the_call(text: str) -> None:
    flags = detect(text)
    assert [flag.confidence for flag in flags] == [0.80]
    assert "2026-03-14" in (flags[0].evidence or "")
    assert detect(text, NOW.replace(year=2027)) == ()


@pytest.mark.requirement("DET-026", "DET-011", "DET-029")
def test_a_future_date_in_the_past_tense_gives_both_dates_and_its_own_span() -> None:
    text = "Thanks! The museum reopened on 12 September 2026, and entry is free."
    flag = only(text)
    assert flag.confidence == 0.85
    assert text[flag.span.start : flag.span.end] == "12 September 2026"
    assert "2026-09-12" in (flag.evidence or "")
    assert "2026-03-14" in (flag.evidence or "")


@pytest.mark.requirement("DET-027")
def test_a_year_far_ahead_is_flagged_unless_the_sentence_looks_ahead() -> None:
    assert only("The company was founded in 2150.").confidence == 0.90
    for text in (
        "The company will be carbon neutral in 2050.",
        "The plan is to reach net zero in 2050.",
        "Projections put the population at ten billion in 2060.",
        "If the ice melted in 2090, the city would flood.",
        "The target of 2045 was confirmed last month.",
    ):
        assert detect(text) == (), text


@pytest.mark.requirement("DET-028")
def test_before_and_after_are_checked_within_a_sentence_alone() -> None:
    assert only("The report was filed on 10 June 2024, before the audit of 1 May 2023.").confidence == 0.80
    assert only("After leaving IBM in 2015, she joined Google in 2012.").confidence == 0.80
    assert detect("The report was filed on 10 June 2024. That was before the audit. The audit was on 1 May 2023.") == ()


@pytest.mark.requirement("DET-029")
def test_the_clock_is_read_for_each_call() -> None:
    text = "The bridge opened in May 2027."
    assert len(detect(text)) == 1
    assert detect(text, datetime(2028, 1, 1, tzinfo=UTC)) == ()
    assert TemporalErrorDetector().name == "temporal_errors"


def test_quotations_questions_and_fiction_are_not_judged() -> None:
    for text in (
        'The card reads "founded in 2090".',
        "Was the bridge completed in 2031?",
        "The novel is set in 2090. The city was rebuilt in 2085.",
        "There is no February 30 in any calendar.",
    ):
        assert detect(text) == (), text


@given(st.dates(date(1900, 1, 1), date(2026, 3, 13)))
def test_a_weekday_is_flagged_exactly_where_it_is_wrong(day: date) -> None:
    names = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    right, wrong = names[day.weekday()], names[(day.weekday() + 3) % 7]
    assert detect(f"The letter arrived on {right}, {day:%B} {day.day}, {day.year}.") == ()
    flag = only(f"The letter arrived on {wrong}, {day:%B} {day.day}, {day.year}.")
    assert right in (flag.evidence or "")


@given(st.integers(1800, 2015), st.integers(3, 60))
def test_a_reign_is_as_long_as_its_years(start: int, length: int) -> None:
    end = min(start + length, 2025)
    assert detect(f"The king ruled from {start} to {end}, a reign of {end - start} years.") == ()
    assert len(detect(f"The king ruled from {start} to {end}, a reign of {end - start + 9} years.")) == 1


@given(st.integers(1900, 1990), st.integers(5, 30))
def test_an_age_follows_from_the_year_of_birth(born: int, age: int) -> None:
    assert detect(f"Ana was born in {born} and turned {age} in {born + age}.") == ()
    assert len(detect(f"Ana was born in {born} and turned {age + 11} in {born + age}.")) == 1


@given(st.integers(1, 60))
def test_days_are_counted_back_from_the_clock(days: int) -> None:
    day = NOW.date() - timedelta(days=days)
    said = f"{days} days ago" if days > 1 else "Yesterday"
    assert detect(f"{said}, on {day.isoformat()}, the pump failed.") == ()
    other = day - timedelta(days=4)
    assert len(detect(f"{said}, on {other.isoformat()}, the pump failed.")) == 1


@given(st.text(max_size=200))
def test_any_text_is_survived_and_every_span_quotes_it(text: str) -> None:
    for flag in detect(text):
        assert flag.content == text[flag.span.start : flag.span.end]
        assert 0 <= flag.span.start < flag.span.end <= len(text)


@pytest.mark.parametrize(
    ("piece", "size"),
    [("1 ", 200_000), ("(", 20_000), ("before after ", 40_000), ("from 2019 to 2015, ", 20_000),
     ("2019-02-30 ", 20_000), ("漢字。", 20_000)],
)  # fmt: skip
def test_long_texts_without_sense_stay_cheap(piece: str, size: int) -> None:
    text = (piece * (size // len(piece) + 1))[:size]
    segments = segment_response(text, NOW)
    assert stays_cheap(lambda: detect_temporal_errors(segments, NOW))


def test_the_same_answer_gives_the_same_flags() -> None:
    text = " ".join(WRONG[:20])
    assert detect(text) == detect(text)
