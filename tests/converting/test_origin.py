"""The record of a conversion gives the source back, and nothing in it is believed without a look."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pisces.converting.convert import Converted, ConvertRequest, convert
from pisces.converting.origin import ORIGIN, PluginOrigin, is_inner_path, origin_in, written_before
from pisces.converting.output import apply, planned
from pisces.converting.reading import read_plugin
from pisces.converting.restoring import Restored, restored
from pisces.converting.writer import Written
from pisces.diagnostics import Diagnostic
from tests.converting.test_convert import places_of, put

PLUGIN = {
    ".claude-plugin/plugin.json": '{"name": "demo", "version": "1.2.3", "keywords": ["a"]}',
    "agents/review/reader.md": "---\nname: reader\ndescription: Reads\ntools: Read, LSP\ncolor: red\n---\nRead.\r\n",
    "commands/git/commit.md": "---\ndescription: Commits\n---\nCommit $ARGUMENTS\n",
    "skills/notes/SKILL.md": "---\nname: notes\ndescription: Notes\n---\nWrite notes.\n",
    "skills/notes/run.sh": "#!/bin/sh\n",
    "LICENSE": "free\n",
}


def written_to(out: Path, made: Converted) -> Path:
    apply(planned(made.files, made.folder, str(out), {}), str(out))
    return out


def gemini_of(tmp_path: Path, files: dict[str, str] | None = None) -> Path:
    source = put(tmp_path / "plugin", files or PLUGIN)
    (source / "logo.png").write_bytes(b"\x89PNG\xff\x00")
    (source / "skills/notes/run.sh").chmod(0o755)
    return written_to(tmp_path / "out", convert(ConvertRequest(str(source), "gemini"), places_of(tmp_path)))


def back(out: Path, tmp_path: Path) -> Restored | Diagnostic | None:
    return restored(read_plugin(str(out), places_of(tmp_path), "gemini"), Written((), ()), "claude-plugin")


def test_the_record_gives_back_every_file_of_the_source(tmp_path: Path) -> None:
    found = back(gemini_of(tmp_path), tmp_path)
    assert isinstance(found, Restored)
    assert found.is_whole
    for file in found.written.files:
        whole = tmp_path / "plugin" / file.path
        assert file.data == whole.read_bytes()
        assert os.name == "nt" or file.is_executable == bool(whole.stat().st_mode & 0o100)
    assert {each.path for each in found.written.files} == {*PLUGIN, "logo.png"}


def test_the_record_names_what_was_written_with_digests(tmp_path: Path) -> None:
    out = gemini_of(tmp_path)
    files = {str(each.relative_to(out).as_posix()) for each in out.rglob("*") if each.is_file()}
    assert set(written_before(str(out))) == files - {ORIGIN}
    assert written_before(str(tmp_path)) == {}


def test_the_record_has_the_same_bytes_each_time_and_names_no_folder(tmp_path: Path) -> None:
    first = (gemini_of(tmp_path) / ORIGIN).read_bytes()
    second = (gemini_of(tmp_path / "elsewhere") / ORIGIN).read_bytes()
    assert first == second
    assert str(tmp_path).encode() not in first


def test_a_record_whose_content_was_changed_is_not_believed(tmp_path: Path) -> None:
    out = gemini_of(tmp_path)
    record = json.loads((out / ORIGIN).read_text("utf-8"))
    record["sources"]["commands/git/commit.md"]["text"] = "Do something else"
    (out / ORIGIN).write_text(json.dumps(record), "utf-8")
    found = back(out, tmp_path)
    assert isinstance(found, Diagnostic)
    assert found.code == "convert-origin-unusable"
    assert "commands/git/commit.md" in found.message


@pytest.mark.parametrize(
    "path", ["../x", "/x", "a/../../x", "C:/x", "a\\..\\x", "a//x", "", ".", "a/./x", "a\x00b", "a\nb", "\udcff"]
)
def test_a_record_with_a_path_that_leads_out_is_not_used(path: str, tmp_path: Path) -> None:
    assert not is_inner_path(path)
    record = {"version": "1", "source": {"harness": "claude", "format": "claude-plugin"}, "target": "gemini"}
    file = {path: {"sha256": "0", "text": ""}}
    put(tmp_path, {ORIGIN: json.dumps({**record, "sources": file, "outputs": {}})})
    found = origin_in(str(tmp_path))
    assert isinstance(found, Diagnostic)
    assert found.code == "convert-origin-unusable"


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"version": "2"}', '{"version": 1}', "[" * 100_000, '"\\ud800"', "null", '{"sources": {"a": 1}}'],
)
def test_a_record_of_another_shape_is_a_problem_and_no_crash(text: str, tmp_path: Path) -> None:
    put(tmp_path, {ORIGIN: text})
    assert isinstance(origin_in(str(tmp_path)), Diagnostic)


def test_a_record_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    out = gemini_of(tmp_path)
    (out / ORIGIN).rename(tmp_path / "elsewhere.json")
    (out / ORIGIN).symlink_to(tmp_path / "elsewhere.json")
    assert isinstance(origin_in(str(out)), Diagnostic)


def test_an_output_that_a_record_names_outside_of_the_package_is_not_read(tmp_path: Path) -> None:
    out = gemini_of(tmp_path)
    secret = put(tmp_path, {"secret": "s"}) / "secret"
    shared = out / "skills/notes/run.sh"
    shared.unlink()
    shared.symlink_to(secret)
    found = back(out, tmp_path)
    assert not isinstance(found, Restored) or all(each.data != b"s" for each in found.written.files)


def test_a_file_that_is_too_large_to_be_recorded_is_named(tmp_path: Path) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    (source / "commands/huge.md").write_bytes(b"x" * 9_000_000)
    made = convert(ConvertRequest(str(source), "gemini"), places_of(tmp_path))
    assert [each.path for each in made.fates if each.code == "convert-not-recorded"] == ["commands/huge.md"]


def test_the_record_of_an_output_is_no_part_of_the_next_conversion(tmp_path: Path) -> None:
    out = gemini_of(tmp_path)
    again = convert(ConvertRequest(str(out), "gemini", only="gemini"), places_of(tmp_path))
    record = next(each for each in again.files if each.path == ORIGIN)
    put(tmp_path / "again", {ORIGIN: (record.data or b"").decode()})
    found = origin_in(str(tmp_path / "again"))
    assert isinstance(found, PluginOrigin)
    assert ORIGIN not in {*(each.path for each in found.sources), *(each.path for each in found.outputs)}
