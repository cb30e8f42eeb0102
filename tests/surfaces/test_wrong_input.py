"""What the command line says to somebody who typed something else than they meant: what is wrong, and what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from groundwire.surfaces.cli import main


def run(*arguments: str, given: str = "") -> Result:
    return CliRunner().invoke(main, list(arguments), input=given, env={"GROUNDWIRE_JUDGE": "rules"})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").mkdir()
    (tmp_path / "empty.txt").write_text(" \n")
    (tmp_path / "words.txt").write_text("I live in Rome.\n")
    return tmp_path


@pytest.mark.parametrize("command", ["claims", "facts", "verify", "detect", "gate", "remember", "extract"])
def test_a_folder_is_not_taken_for_words(folder: Path, command: str):
    store = ["--store", "memory.db"] if command == "remember" else []
    result = run(command, "notes", *store)
    assert result.exit_code == 2
    assert "'notes' is a folder." in result.output and "--text 'notes'" in result.output


def test_words_that_are_the_name_of_a_folder_can_be_given(folder: Path):
    assert run("claims", "--text", "notes").exit_code == 0
    assert run("claims", "I live in notes and in .").exit_code == 0


@pytest.mark.parametrize("command", ["claims", "facts", "verify", "detect", "gate"])
@pytest.mark.parametrize(
    ("arguments", "where"), [([], "standard input"), (["-"], "standard input"), (["empty.txt"], "empty.txt")]
)
def test_nothing_to_read_is_told_with_where_it_was_looked_for(
    folder: Path, command: str, arguments: list[str], where: str
):
    result = run(command, *arguments)
    assert result.exit_code == 2
    assert f"({where}): is empty; give the words themselves" in result.output


def test_a_broken_line_is_told_by_its_number_and_column(folder: Path):
    result = run("claims", "--jsonl", given='{"id": 1, "text": "You ski."}\n{"id": 2, "text":\n')
    error = json.loads(result.stdout.splitlines()[1])
    assert (result.exit_code, error["line"]) == (1, 2)
    assert error["error"]["message"] == "line: is not valid JSON: Expecting value at column 18"


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["detect", "You ski.", "--dialogue", "words.txt"], '[{"turn_id": 1, "speaker": "user", "text": "..."}]'),
        (["detect", "You ski.", "--knowledge", "words.txt"], "name a table .csv"),
        (["import", "words.txt", "--store", "memory.db"], "words of your own to 'groundwire remember'"),
    ],
)
def test_a_file_of_another_kind_is_told_with_what_is_expected(folder: Path, arguments: list[str], remedy: str):
    result = run(*arguments)
    assert result.exit_code in (1, 2)
    assert remedy in result.output


def test_a_store_that_is_not_there_is_told_once(folder: Path):
    result = run("doctor", "--store", "nowhere.db", "--json")
    stores = [one for one in json.loads(result.stdout)["findings"] if one["name"] == "store"]
    assert [(one["ok"], one["remedy"]) for one in stores] == [(False, "groundwire remember makes one")]
