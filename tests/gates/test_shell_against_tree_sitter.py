"""Our reader of shell lines finds the commands that tree-sitter-bash finds, on thousands of lines."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pisces.gates.shell import shell_line
from tests.conformance.corpus import corpus_folder
from tests.gates.made_lines import LineMaker
from tests.gates.tree_sitter_lines import BashTree, Words

_LINES = 2500
_MISREAD = ("0<&-",)  # tree-sitter-bash takes the number of the descriptor for an argument
_TESTS = ("[", "[[", "((")


@pytest.fixture(scope="module")
def parser() -> Any:
    reason = "tree-sitter and tree-sitter-bash are not installed"
    tree_sitter = pytest.importorskip("tree_sitter", reason=reason)
    language = pytest.importorskip("tree_sitter_bash", reason=reason).language()
    return tree_sitter.Parser(tree_sitter.Language(language))


def test_made_up_lines_have_the_same_commands(parser: Any) -> None:
    lines = [LineMaker(seed).line() for seed in range(_LINES)]
    compared, wrong = compare(parser, lines)
    assert not wrong, "\n\n".join(wrong[:5])
    assert compared > _LINES * 0.75, "too few lines were read by both"


def test_lines_that_people_wrote_have_the_same_commands(parser: Any) -> None:
    folder = corpus_folder()
    if not (folder / "hook-cases.jsonl").exists():
        pytest.skip("needs hook-cases.jsonl in PISCES_CORPUS")
    lines = sorted({*_recorded(folder), *_of_packages(folder)})
    compared, wrong = compare(parser, lines)
    assert not wrong, "\n\n".join(wrong[:5])
    assert compared > len(lines) * 0.6, f"{compared} of {len(lines)}"


def test_no_command_is_lost_where_a_line_cannot_be_read(parser: Any) -> None:
    missing = []
    for seed in range(600):
        line = LineMaker(seed).line()
        tree, read = BashTree(parser, line), shell_line(f"{line}\necho 'never ends")
        assert read.problem
        found = {words[0] for each in read.commands for words in (each.words, *each.readings)}
        names = {words[0] for words in tree.commands() if words and words[0]} if not tree.has_error else set()
        missing += [f"{line!r}: {names - found}"] if names - found else []
    assert not missing, "\n\n".join(missing[:3])


def compare(parser: Any, lines: list[str]) -> tuple[int, list[str]]:
    """How many lines both could read, and what differs in them."""
    wrong: list[str] = []
    compared = 0
    for line in lines:
        tree, read = BashTree(parser, line), shell_line(line)
        if tree.has_error or read.problem or any(each in line for each in _MISREAD):
            continue
        compared += 1
        ours = [each.words for each in read.commands if not each.wrappers and each.words]
        theirs = tree.commands()
        missing, extra = unmatched([each for each in ours if each[0] not in _TESTS], theirs)
        if missing or extra:
            wrong.append(f"{line!r}\n  only the tree has {missing}\n  only we have {extra}")
    return compared, wrong


def unmatched(ours: list[Words], theirs: list[Words]) -> tuple[list[Words], list[Words]]:
    """What the tree has and we have not, and the other way round. A word that one side does not know fits any."""
    for is_same in (_is_equal, _fits):
        for each in list(theirs):
            found = next((other for other in ours if is_same(other, each)), None)
            if found is not None:
                ours.remove(found)
                theirs.remove(each)
    return theirs, ours


def _is_equal(one: Words, other: Words) -> bool:
    return one == other


def _fits(one: Words, other: Words) -> bool:
    if one[:1] == other[:1] and one[0] in ("export", "declare", "local", "readonly", "typeset", "unset"):
        return len(one) == len(other)
    return len(one) == len(other) and all(a == b or a is None or b is None for a, b in zip(one, other, strict=True))


def _recorded(folder: Path) -> Iterator[str]:
    for line in (folder / "hook-cases.jsonl").read_text("utf-8").splitlines():
        yield from _commands_in(json.loads(line))


def _of_packages(folder: Path) -> Iterator[str]:
    """Hooks, and the lines in `!{...}` of prompts."""
    for name in ("gemini-extensions.tar.gz", "synthetic.tar.gz"):
        with tarfile.open(folder / name) as archive:
            for member in archive:
                if member.isfile() and member.size < 200_000 and member.name.endswith((".json", ".toml", ".md")):
                    file = archive.extractfile(member)
                    text = file.read().decode("utf-8", "replace") if file else ""
                    yield from _lines_in(text) if not member.name.endswith(".json") else _json_lines(text)


def _json_lines(text: str) -> Iterator[str]:
    try:
        yield from _commands_in(json.loads(text))
    except ValueError:
        return


def _commands_in(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        found = value.get("command")
        if isinstance(found, str):
            yield found
        for each in value.values():
            yield from _commands_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from _commands_in(each)


def _lines_in(text: str) -> Iterator[str]:
    for piece in text.split("!{")[1:]:
        end = piece.find("}")
        if 0 < end < 500:
            yield piece[:end]
