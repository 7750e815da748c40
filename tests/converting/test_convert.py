"""A package becomes one for another harness: every part is in the output or in the report."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.converting.convert import ConvertRequest, convert
from pisces.converting.fate import DROPPED, MAPPED
from pisces.diagnostics import PiscesError
from pisces.places import Places


def places_of(folder: Path) -> Places:
    return Places(home=str(folder / "home"), cwd=str(folder), env={})


def put(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def test_every_component_is_written_and_named_in_the_report(tmp_path: Path) -> None:
    source = put(
        tmp_path / "plugin",
        {
            ".claude-plugin/plugin.json": '{"name": "demo", "version": "1.2.3"}',
            "agents/review/reader.md": "---\nname: reader\ndescription: Reads\ntools: Read, LSP\n---\nRead.\n",
            "commands/git/commit.md": "---\ndescription: Commits\n---\nCommit $ARGUMENTS\n",
            "skills/notes/SKILL.md": "---\nname: notes\ndescription: Notes\n---\nWrite notes.\n",
        },
    )
    made = convert(ConvertRequest(str(source), "gemini"), places_of(tmp_path))
    paths = {each.path for each in made.files}
    assert {"gemini-extension.json", "agents/reader.md", "skills/notes/SKILL.md"} <= paths
    assert {each.subject for each in made.fates if each.kind == MAPPED} >= {"agent `reader`", "skill `notes`"}
    assert [each.field for each in made.fates if each.kind == DROPPED] == ["tools"]


def test_a_folder_that_is_no_package_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PiscesError) as caught:
        convert(ConvertRequest(str(tmp_path), "gemini"), places_of(tmp_path))
    assert caught.value.diagnostic.code == "convert-no-package"


@pytest.mark.parametrize(("name", "message"), [("nowhere", "there is no such folder"), ("file", "it is a file")])
def test_a_source_that_is_no_folder_is_named_as_such(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PiscesError) as caught:
        convert(ConvertRequest(str(tmp_path / name), "gemini"), places_of(tmp_path))
    assert caught.value.diagnostic.message == message


def test_a_target_that_nobody_writes_is_refused_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(PiscesError) as caught:
        convert(ConvertRequest(str(tmp_path), "gemni"), places_of(tmp_path))
    assert caught.value.diagnostic.code == "convert-unknown-target"
    assert "gemini" in caught.value.diagnostic.hint
