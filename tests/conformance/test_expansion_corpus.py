"""Each command of the corpus without `!{` and `@{` expands to the very text that Gemini CLI 0.61.0 made."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from pisces.commands.prompts.expansion import Expansion
from pisces.commands.prompts.prompt_file import expanded_prompt
from pisces.discovery.finders.toml_commands import read_command
from pisces.places import Places
from pisces.shapes.command import Command
from tests.conformance.corpus import lines, unpack, why_missing
from tests.gates.judges import deciding

pytestmark = pytest.mark.skipif(bool(why_missing()), reason=why_missing())

Recorded = list[tuple[Path, dict[str, Any]]]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """The folder of an extension, and what was recorded of one of its commands."""
    corpus = tmp_path_factory.mktemp("corpus")
    unpack(corpus)
    real, synthetic = corpus / "gemini-extensions", corpus / "synthetic" / "synthetic"
    folders = [(real / "corpus" / record["ext"], record) for record in lines(real / "deep.jsonl")]
    folders += [(synthetic / record["ext"], record) for record in lines(synthetic / "deep.jsonl")]
    commands = [(folder, command) for folder, record in folders for command in record.get("commands", [])]
    return [(folder, command) for folder, command in commands if "expanded_sha" in command]


def test_there_is_something_to_compare(recorded: Recorded) -> None:
    assert len(recorded) >= 598


def test_expansions_with_arguments_are_the_same(recorded: Recorded) -> None:
    wrong = [
        (folder.name, command["file"])
        for folder, command in recorded
        if _sha(folder, command) != command["expanded_sha"]
    ]
    assert not wrong


def test_expansions_without_arguments_are_the_same(recorded: Recorded) -> None:
    bare = [(folder, {**command, "expand_args": ""}) for folder, command in recorded]
    wrong = [
        (folder.name, command["file"])
        for folder, command in bare
        if _sha(folder, command) != command["expanded_noargs_sha"]
    ]
    assert not wrong


def _sha(folder: Path, recorded: dict[str, Any]) -> str:
    path = folder / recorded["file"]
    command = read_command(str(path), str(folder / "commands"))
    assert isinstance(command, Command)
    args = recorded["expand_args"]
    raw = f"/{recorded['name']} {args}".rstrip()
    places = Places(str(folder), str(folder))
    prompt = expanded_prompt(Expansion(command, raw, args, places, deciding(lambda _: False)))
    return hashlib.sha256(prompt.text.encode()).hexdigest()[:16]
