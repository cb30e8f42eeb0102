"""Whether a text is English."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import Groundwire
from groundwire.text.language import has_words, is_english, is_foreign
from groundwire.types import Verdict


@pytest.mark.parametrize(
    "text",
    [
        "Ana likes sushi.",
        "The pod restarts when kubectl rolls it out.",
        "You work at Globex.",
        "Marks and Spencer",
        "12:30",
        "",
        "I can't stand the noise in there.",
    ],
)
def test_english_names_and_numbers_pass(text: str):
    assert is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "Der Umsatz stieg im letzten Jahr auf fünf Millionen.",
        "A empresa fica no centro do Porto e tem dez pessoas.",
        "Il gatto dorme tutto il giorno sul divano.",
        "東京は日本の首都です。",
        "Москва является столицей России.",
        "a" * 500,
    ],
)
def test_other_languages_and_noise_do_not(text: str):
    assert not is_english(text)


@given(st.text(max_size=400))
def test_any_text_has_an_answer(text: str):
    assert is_english(text) is is_english(text)


@pytest.mark.requirement("JDG-012")
@pytest.mark.parametrize(
    "claim", ["a" * 5000, "Der Umsatz stieg im letzten Jahr auf fünf Millionen.", "東京は日本の首都です。"]
)
def test_what_cannot_be_read_is_not_supported_by_something_else_that_cannot_be_read(claim: str):
    evidence = ["a", "Der Umsatz war im letzten Jahr gut.", "東京は大きい。"]
    assert Groundwire().judge(claim, evidence).verdict is not Verdict.SUPPORTED
    assert not Groundwire().verify(claim, memories=evidence).grounded


def test_the_same_words_are_support_in_any_language():
    claim = "Der Umsatz stieg im letzten Jahr auf fünf Millionen."
    assert Groundwire().judge(claim, [claim]).verdict is Verdict.SUPPORTED
    assert Groundwire().judge("東京は日本の首都です。", ["東京は日本の首都です。"]).verdict is Verdict.SUPPORTED


FOREIGN = (
    """
Ich wohne in Berlin.|Ich mag Kaffee|Wir nutzen Redis als Cache|Das Meeting ist um 3|Ich glaube, wir sollten gehen
J'habite à Paris.|Nous utilisons PostgreSQL 15 pour la production|Je suis infirmière|Vivo en Madrid|Me gusta el café
Trabajo en Google|Mi piace il caffè|Eu moro em Lisboa|Ik woon in Amsterdam|Jag bor i Stockholm|Jeg elsker kaffe
Mieszkam w Warszawie|Bydlím v Praze|Ankara'da yaşıyorum|Saya tinggal di Jakarta|Asun Helsingissä|Locuiesc în Cluj
Budapesten lakom|Tôi sống ở Hà Nội|main Delhi mein rehta hoon|我住在柏林。|Google で働いています|나는 서울에 산다
Živim u Zagrebu|Visc a Barcelona|Ek woon in Kaapstad|Ma elan Tallinnas|Es dzīvoju Rīgā|Aš gyvenu Vilniuje
Ég bý í Reykjavík
Я думаю, что сервер упал|أعيش في القاهرة|אני גר בתל אביב|मैं दिल्ली में रहता हूँ|ฉันอยู่กรุงเทพ
""".replace("\n", "|")
    .strip("|")
    .split("|")
)
READABLE = (
    """
Lives in Valparaíso.|Reach Anouk at anouk@atelier.fr.|PostgreSQL 15|Docker Compose|Uses Rust
nginx proxies grpc to uvicorn|kubectl rollout restart deploy/api
Met Ana de la Cruz|I visited the Musée de la Ville de Paris|El Niño causes floods
My name is Мария Петрова|I live in 東京|Vegan|ADR-0012|GET /v1/users returns 404|Die Hard is my favourite film
La La Land won six Oscars|Ludwig van Beethoven wrote nine symphonies|My son Leo is six.|two men smooch|Vivo makes phones
npm i -g pnpm|git push origin main --force|Main Street is closed|The men use the van|Ne Yo is my favourite singer
Celery workers consume from rabbitmq|as a vegan i avoid dairy|My motto is carpe diem|My sister Lucía lives in São Paulo
""".replace("\n", "|")
    .strip("|")
    .split("|")
)


@pytest.mark.parametrize("text", FOREIGN)
def test_another_language_is_told_by_its_script_or_its_own_words(text: str):
    assert is_foreign(text)


@pytest.mark.parametrize("text", READABLE)
def test_short_english_names_and_technical_words_are_not_foreign(text: str):
    assert not is_foreign(text)


def test_signs_numbers_and_pictures_say_nothing():
    assert not any(map(has_words, ["🎉🎉🎉", "!!!", "42", "12:30", "", "___", "10.0.0.1"]))
    assert all(map(has_words, ["I", "ok 👍", "東京", "v2 beta"]))


@given(st.text(max_size=400))
def test_any_text_is_foreign_or_is_not(text: str):
    assert is_foreign(text) in (True, False)
    assert is_foreign(text * 50) in (True, False)
