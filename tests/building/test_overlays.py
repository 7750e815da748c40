"""Files that are kept by hand for one target: they replace, add or merge, and none is lost without a word."""

from __future__ import annotations

import json
import os

import pytest

from pisces.files import MOST_FOLDERS
from tests.building.repository import Author


def test_a_file_replaces_what_conversion_writes(author: Author) -> None:
    author.put({"overlays/gemini/commands/demo/save.toml": 'prompt = "Mine"\n'})
    status, said = author.pisces("build")
    assert status == 0, said
    assert (author.out / "commands/demo/save.toml").read_text() == 'prompt = "Mine"\n'


def test_json_is_merged_and_null_removes(author: Author) -> None:
    patch = {"contextFileName": "GEMINI.md", "description": None, "plan": {"directory": "p"}}
    author.put({"overlays/gemini/gemini-extension.merge.json": json.dumps(patch)})
    author.pisces("build")
    found = json.loads((author.out / "gemini-extension.json").read_text())
    expected = {"name": "demo", "version": "1.3.0", "contextFileName": "GEMINI.md", "plan": {"directory": "p"}}
    assert found == expected
    assert not (author.out / "gemini-extension.merge.json").exists()


def test_a_file_that_is_added_is_a_note_and_one_that_hits_nothing_a_warning(author: Author) -> None:
    author.put(
        {
            "overlays/gemini/GEMINI.md": "Hello\n",
            "overlays/gemini/other.merge.json": "{}",
            "overlays/gemni/GEMINI.md": "Hello\n",
            "overlays/README.md": "Hello\n",
        }
    )
    found = author.json("build")
    codes = [
        (each["code"], os.path.basename(each["path"])) for each in found["diagnostics"] if "overlay" in each["code"]
    ]
    assert codes == [
        ("build-overlay-adds", "GEMINI.md"),
        ("build-overlay-unused", "other.merge.json"),
        ("build-overlay-unused", "README.md"),
        ("build-overlay-unused", "gemni"),
    ]
    assert (author.out / "GEMINI.md").read_text() == "Hello\n"


@pytest.mark.parametrize("text", ["{", "\udcff".encode("utf-8", "surrogateescape"), "[" * 100_000])
def test_an_overlay_that_cannot_be_merged_stops_the_build(author: Author, text: str | bytes) -> None:
    author.put({"overlays/gemini/gemini-extension.merge.json": text})
    status, said = author.pisces("build")
    assert (status, "build-overlay-unusable" in said) == (1, True)
    assert not author.out.exists()


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
@pytest.mark.parametrize("link", ["overlays/gemini", "overlays/gemini/skills", "overlays/gemini/passwd"])
def test_an_overlay_is_no_link(author: Author, link: str) -> None:
    path = author.folder / link
    path.parent.mkdir(parents=True, exist_ok=True)
    outside = author.folder.parent / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    path.symlink_to(outside if link != "overlays/gemini/passwd" else outside / "secret")
    status, said = author.pisces("build")
    assert (status, "build-overlay-unusable" in said) == (1, True)


def test_merging_goes_behind_replacing(author: Author) -> None:
    author.put(
        {
            "overlays/gemini/gemini-extension.json": '{"name": "mine", "version": "7.0.0"}',
            "overlays/gemini/gemini-extension.merge.json": '{"description": "Merged"}',
        }
    )
    author.pisces("build")
    found = json.loads((author.out / "gemini-extension.json").read_text())
    assert found == {"name": "mine", "version": "7.0.0", "description": "Merged"}


@pytest.mark.parametrize("name", ["Skills/notes/SKILL.md", "skills", "gemini-extension.json/x", "aux.md"])
@pytest.mark.skipif(os.name == "nt", reason="names of POSIX")
def test_a_name_that_not_every_system_can_have_is_refused(author: Author, name: str) -> None:
    author.put({f"overlays/gemini/{name}": "x"})
    status, said = author.pisces("build")
    assert (status, "build-overlay-unusable" in said) == (1, True)
    assert not author.out.exists()


def test_the_record_of_a_build_cannot_be_overlaid(author: Author) -> None:
    author.put({"overlays/gemini/.pisces/origin.json": "{}"})
    assert "build-overlay-unused" in {each["code"] for each in author.json("build")["diagnostics"]}
    assert author.pisces("build", "--check")[0] == 0


def test_more_folders_of_overlays_than_are_read_stop_the_build(author: Author) -> None:
    many = author.folder / "overlays/gemini/many"
    for number in range(MOST_FOLDERS):
        (many / str(number)).mkdir(parents=True)
    status, said = author.pisces("build")
    assert status == 1
    assert "folders of overlays are read, and there are more" in said
    assert not author.out.exists()


def test_an_overlay_in_a_deep_folder_is_not_passed_over(author: Author) -> None:
    deep = "/".join("d" * 20)
    author.put({f"overlays/gemini/{deep}/note.txt": "x"})
    author.pisces("build")
    assert (author.out / deep / "note.txt").exists()
