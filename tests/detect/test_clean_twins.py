"""Clean answers that look like faulty ones, each beside a faulty twin: the first is let stand, the second is not."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest

from groundwire.app import Groundwire

NOW = datetime(2026, 11, 18, tzinfo=UTC)


@cache
def _wire() -> Groundwire:
    return Groundwire()


PAIRS: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]], str, str]] = {
    "fuse box": (
        [
            {
                "name": "Marlow 40",
                "type": "caravan",
                "aliases": [],
                "attributes": {"fuse_box": "behind the driver's seat", "berths": 4},
                "relations": [],
            }
        ],
        [],
        "The Marlow 40 sleeps four. Its fuse box is behind the seat of the driver.",
        "The Marlow 40 sleeps four. Its fuse box is under the kitchen sink.",
    ),
    "except": (
        [
            {
                "name": "Roof terrace",
                "type": "place",
                "aliases": [],
                "attributes": {"access": "closed to all except residents"},
                "relations": [{"predicate": "managed_by", "object": "Irena"}],
            },
            {
                "name": "Irena",
                "type": "person",
                "aliases": [],
                "attributes": {"answers": "in the evening"},
                "relations": [],
            },
        ],
        [],
        "The roof terrace is closed to everybody but residents. Write to Irena if you have questions.",
        "The roof terrace is open to everybody. Write to Irena if you have questions.",
    ),
    "exception day": (
        [
            {
                "name": "Tax office",
                "type": "office",
                "aliases": [],
                "attributes": {"closed": "Fridays", "exception": "open Friday 2026-11-27 from 8:00 to 11:00"},
                "relations": [],
            }
        ],
        [],
        "The tax office is normally closed on Fridays. On Friday, 27 November, however, it opens as an exception from eight to eleven.",  # noqa: E501
        "The tax office is normally closed on Fridays. On Friday, 27 November, however, it opens as an exception from eight to four.",  # noqa: E501
    ),
    "not yet": (
        [
            {
                "name": "Harbour tunnel",
                "type": "tunnel",
                "aliases": [],
                "attributes": {"opens": "2027-06-01", "length_m": 1450},
                "relations": [],
            }
        ],
        [],
        "The harbour tunnel isn't open yet. It is 1,450 metres long.",
        "The harbour tunnel opened in June 2024. It is 1,450 metres long.",
    ),
    "advice doctor": (
        [],
        [{"turn_id": 1, "speaker": "user", "text": "My knee has been swollen since Sunday. Is it broken?"}],
        "Nobody can tell from here whether it is broken. Please let a doctor examine it, and keep it still until then.",
        "It isn't swollen, so don't worry. Please let a doctor examine it.",
    ),
    "steps": (
        [],
        [{"turn_id": 1, "speaker": "user", "text": "I overwrote my config file by accident. Can I undo that?"}],
        "Open the backup folder and look for yesterday's copy. Then put it back with cp and restart the service.",
        "Good that you kept your config file as it was. Then restart the service.",
    ),
    "see line": (
        [],
        [
            {
                "turn_id": 1,
                "speaker": "user",
                "text": "The deploy breaks since Monday. Page 14 of the report says: TOKEN is missing.",
            }
        ],
        "You can find it on page 14 of the report you sent. Add the token to the settings and try again.",
        "As page 19 of your report says, the token is missing. Add it to the settings.",
    ),
    "question": (
        [
            {
                "name": "Arden",
                "type": "brand",
                "aliases": [],
                "attributes": {"models": ["Arden 3", "Arden 5"]},
                "relations": [],
            },
            {
                "name": "Arden 5",
                "type": "kettle",
                "aliases": [],
                "attributes": {"litres": 2, "switch": "on the handle"},
                "relations": [],
            },
        ],
        [{"turn_id": 1, "speaker": "user", "text": "My kettle holds two litres. Is that the Arden 9?"}],
        "There is no Arden 9; a kettle of two litres is the Arden 5. Its switch is on the handle.",
        "There is no Arden 9; a kettle of two litres is the Arden 5. Its switch is under the base.",
    ),
    "difference": (
        [],
        [
            {
                "turn_id": 1,
                "speaker": "user",
                "text": "Ostro: 4,300 euros, two years of support. Lima: 5,050 euros, four years. Which is cheaper?",
            }
        ],
        "Ostro's offer is cheaper by 750 euros. Lima gives you two more years of support.",
        "Ostro's offer costs 6,300 euros. Lima gives you two more years of support.",
    ),
    "age": (
        [
            {
                "name": "Quay Theatre",
                "type": "theatre",
                "aliases": [],
                "attributes": {"founded": 1908, "seats": 420},
                "relations": [],
            }
        ],
        [],
        "The Quay Theatre was founded in 1908, so it turned a hundred in 2008. It has 420 seats.",
        "The Quay Theatre was founded in 1908, so it turned a hundred in 2008. It has 240 seats.",
    ),
    "date line": (
        [
            {
                "name": "NZ 12",
                "type": "flight",
                "aliases": [],
                "attributes": {
                    "from": "Tokyo",
                    "to": "Los Angeles",
                    "departure": "Friday 17:00 local",
                    "arrival": "Friday 10:15 local",
                    "duration": "10 h 15 min",
                },
                "relations": [],
            }
        ],
        [{"turn_id": 1, "speaker": "user", "text": "I land before I leave?"}],
        "The times are right: you leave Tokyo on Friday at 17:00 and reach Los Angeles on Friday at 10:15, because you cross the date line. The flight takes a bit more than ten hours.",  # noqa: E501
        "You take the train at 17:00 and arrive at 18:15 on the same day. The journey takes three hours.",
    ),
    "scientist": (
        [
            {
                "name": "Glass prism",
                "type": "exhibit",
                "aliases": [],
                "attributes": {"made": 1820, "shows": "how light splits"},
                "relations": [],
            }
        ],
        [],
        "The glass prism was made in 1820. It shows how light splits, as Faraday and Herschel knew well.",
        "The glass prism was made in 1820. It was given to us by Osbert Quillington.",
    ),
    "supposition": (
        [
            {
                "name": "Spelling contest",
                "type": "event",
                "aliases": [],
                "attributes": {"date": "2026-11-05"},
                "relations": [{"predicate": "won_by", "object": "Elm Road School"}],
            }
        ],
        [{"turn_id": 1, "speaker": "user", "text": "So we won the spelling contest! When was it?"}],
        "Actually it was Elm Road School that won. The contest was held on 5 November.",
        "The contest was held on 25 November. Elm Road School won.",
    ),
    "compare": (
        [],
        [{"turn_id": 1, "speaker": "user", "text": "Sven earns 2,900 and Mia 3,400 a month."}],
        "Mia earns 500 more than Sven. Together they have 6,300 a month.",
        "Mia earns 4,300 a month. Sven earns less.",
    ),
    "instead of": (
        [],
        [
            {
                "turn_id": 1,
                "speaker": "user",
                "text": "Nordly: 300 euros, six seats. Pollux: 340 euros, four seats. Compare please.",
            }
        ],
        "Nordly costs 40 euros less. It also has two more seats, six instead of four.",
        "Nordly costs 380 euros. It has more seats.",
    ),
    "nick": (
        [
            {
                "name": "mop",
                "type": "scheduled job",
                "aliases": ["the cleanup job"],
                "attributes": {"start": "01:15 UTC", "on_failure": "mails the duty engineer"},
                "relations": [],
            }
        ],
        [{"turn_id": 1, "speaker": "user", "text": "What is our cleanup job called?"}],
        "The cleanup job is called mop, and it starts at 01:15 UTC.",
        "The cleanup job is called mop, and it starts at 03:45 UTC.",
    ),
    "includes": (
        [
            {
                "name": "Porto Weekend",
                "type": "package holiday",
                "aliases": [],
                "attributes": {
                    "includes": ["train", "three nights", "breakfast"],
                    "statement": "Guests walk from the station to the hotel; taxis are not included.",
                },
                "relations": [{"predicate": "uses_hotel", "object": "Hotel Duna"}],
            },
            {
                "name": "Hotel Duna",
                "type": "hotel",
                "aliases": [],
                "attributes": {"breakfast_from": "7:30"},
                "relations": [],
            },
        ],
        [{"turn_id": 1, "speaker": "user", "text": "What do I get with the Porto Weekend?"}],
        "Your package includes the train and three nights at the Hotel Duna. Breakfast is served from 7:30.",
        "Your package includes the train and three nights at the Hotel Duna. A taxi from the station is included.",
    ),
    "near": (
        [
            {
                "name": "Hotel Vela",
                "type": "hotel",
                "aliases": ["the hotel"],
                "attributes": {"walk_to_beach_minutes": 4, "rate_eur": 120},
                "relations": [],
            }
        ],
        [{"turn_id": 1, "speaker": "user", "text": "Two nights please, near the beach. We need a cot."}],
        "The hotel is four minutes from the beach, and the rate is 120 euros. Shall I ask for a cot?",
        "The hotel is four minutes from the beach, and the rate is 210 euros.",
    ),
}


def _flags(known: list[dict[str, Any]], said: list[dict[str, Any]], answer: str) -> list[str]:
    report = _wire().detect(answer, knowledge={"entities": known}, dialogue=said, now=NOW)
    return [f"{flag.hallucination_type.value}: {flag.content}" for flag in report.flags]


@pytest.mark.parametrize("name", PAIRS)
def test_a_clean_answer_is_not_flagged(name: str) -> None:
    known, said, clean, _ = PAIRS[name]
    assert _flags(known, said, clean) == []


@pytest.mark.parametrize("name", PAIRS)
def test_its_faulty_twin_is_flagged(name: str) -> None:
    known, said, _, faulty = PAIRS[name]
    assert _flags(known, said, faulty)
