"""Sound paragraphs pass when they are checked against the article they stand in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from groundwire.app import Groundwire
from pass_rate import LEAST, main, measure

LIGHTHOUSE = (
    "The Eddystone Lighthouse stands on rocks 14 kilometres south of Rame Head in Cornwall. The present tower, the "
    "fourth on the site, was designed by James Douglass and lit in 1882. It is 49 metres high, and its white light "
    "flashes twice every ten seconds.",
    "Henry Winstanley built the first tower, an octagonal wooden structure, which was completed in 1698. It was swept "
    "away during the great storm of November 1703, and its builder died with it. A second tower by John Rudyard burnt "
    "down in 1755.",
    "John Smeaton modelled the third tower on the shape of an oak and used hydraulic lime, a mortar that sets under "
    "water. His upper works were taken down and rebuilt on Plymouth Hoe, where visitors can climb them today.",
    "The light was automated in 1982, so nobody has lived on the rock since. A helicopter platform was built above the "
    "lantern two years earlier, and maintenance crews are flown out from the mainland.",
)
GLACIER = (
    "A glacier forms where snow piles up faster than it melts. Under its own weight the snow turns to firn and then to "
    "ice, which slowly flows downhill. Most glaciers move less than a metre a day.",
    "The Aletsch Glacier in Switzerland is about 23 kilometres long and covers more than 80 square kilometres. Its ice "
    "is roughly 800 metres thick at Konkordiaplatz. The glacier has lost over three kilometres of length since 1870.",
    "Meltwater from the ice feeds the river Massa, which drives a hydroelectric plant near Bitsch. The region was "
    "declared a World Heritage Site in 2001.",
)


@pytest.mark.requirement("OPS-001")
def test_what_an_article_says_is_supported_by_the_article():
    found = measure(Groundwire(), [LIGHTHOUSE, GLACIER])
    assert found.paragraphs == 7
    assert found.claims >= 20
    assert found.share >= LEAST
    assert found.refuted == 0


@pytest.mark.requirement("OPS-001")
def test_the_rate_falls_when_the_article_is_another_one():
    gate = Groundwire()
    report = gate.verify(LIGHTHOUSE[0], passages=GLACIER)
    assert sum(claim.verdict == "SUPPORTED" for claim in report.claims) / report.claim_count < LEAST


def test_a_file_of_paragraphs_is_read_and_the_rate_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "articles.jsonl"
    file.write_text("\n".join(json.dumps({"premise": text}) for text in LIGHTHOUSE), encoding="utf-8")
    assert main([str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["paragraphs"] == 4
