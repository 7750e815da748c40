"""What a conversion writes: all or nothing, only into a folder of its own, never through a link."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path

import pytest

from pisces.converting.convert import ConvertRequest, convert
from pisces.converting.output import CHANGED, NEW, SAME, STALE, apply, mended, planned, refuse_output
from pisces.converting.output_names import sifted, unsafe
from pisces.converting.writer import OutputFile
from pisces.diagnostics import PiscesError
from pisces.files import MAX_BYTES
from pisces.places import Places
from tests.converting.test_convert import places_of, put

PLUGIN = {
    ".claude-plugin/plugin.json": '{"name": "demo", "version": "1.2.3"}',
    "agents/reader.md": "---\nname: reader\ndescription: Reads\ntools: Read\n---\nRead.\n",
    "commands/commit.md": "---\ndescription: Commits\n---\nCommit $ARGUMENTS\n",
    "skills/notes/SKILL.md": "---\nname: notes\ndescription: Notes\n---\nWrite notes.\n",
    "skills/notes/scripts/run.sh": "#!/bin/sh\n",
}


def converted(source: Path, out: Path, places: Places) -> list[str]:
    """Writes the conversion; the paths that changed."""
    made = convert(ConvertRequest(str(source), "gemini"), places)
    mended(str(out))
    plan = planned(made.files, made.folder, str(out))
    refuse_output(plan, made.folder, str(out))
    apply(plan, str(out))
    return [each.path for each in plan if each.state != SAME]


def snapshot(folder: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        what = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        found[path.relative_to(folder).as_posix()] = (status.st_mode, what)
    return found


def test_a_second_run_changes_no_byte_and_no_time(tmp_path: Path) -> None:
    source, out = put(tmp_path / "plugin", PLUGIN), tmp_path / "dist" / "gemini"
    assert "agents/reader.md" in converted(source, out, places_of(tmp_path))
    times = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    assert converted(source, out, places_of(tmp_path)) == []
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == times


def test_an_output_inside_of_its_source_is_no_part_of_it(tmp_path: Path) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    for name in ("gemini", "other"):
        converted(source, source / "dist" / name, places_of(tmp_path))
    before = snapshot(source)
    assert not [path for path in before if path.count("dist") > 1]
    assert converted(source, source / "dist" / "gemini", places_of(tmp_path)) == []


def test_what_the_source_no_longer_has_is_removed_with_its_folder(tmp_path: Path) -> None:
    source, out = put(tmp_path / "plugin", PLUGIN), tmp_path / "out"
    converted(source, out, places_of(tmp_path))
    (source / "agents/reader.md").unlink()
    put(source, {"skills/notes/SKILL.md": "---\nname: notes\ndescription: New\n---\nWrite.\n"})
    (out / "mine.txt").write_text("mine")
    assert {"agents/reader.md", "skills/notes/SKILL.md"} <= {*converted(source, out, places_of(tmp_path))}
    assert not (out / "agents").exists()
    assert (out / "mine.txt").read_text() == "mine"


def test_what_somebody_edited_is_not_removed(tmp_path: Path) -> None:
    source, out = put(tmp_path / "plugin", PLUGIN), tmp_path / "out"
    converted(source, out, places_of(tmp_path))
    (source / "agents/reader.md").unlink()
    (out / "agents/reader.md").write_text("edited")
    converted(source, out, places_of(tmp_path))
    assert (out / "agents/reader.md").read_text() == "edited"


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    source, out = put(tmp_path / "plugin", PLUGIN), put(tmp_path / "out", {"notes.txt": "mine"})
    with pytest.raises(PiscesError) as caught:
        converted(source, out, places_of(tmp_path))
    assert caught.value.diagnostic.code == "convert-output-not-ours"
    assert snapshot(out).keys() == {"notes.txt"}


def test_a_file_that_no_conversion_wrote_is_not_overwritten(tmp_path: Path) -> None:
    source, out = put(tmp_path / "plugin", PLUGIN), tmp_path / "out"
    converted(source, out, places_of(tmp_path))
    put(out, {"skills/other/SKILL.md": "mine"})
    put(source, {"skills/other/SKILL.md": "---\nname: other\ndescription: Other\n---\nOther.\n"})
    with pytest.raises(PiscesError) as caught:
        converted(source, out, places_of(tmp_path))
    assert caught.value.diagnostic.code == "convert-output-not-ours"
    assert (out / "skills/other/SKILL.md").read_text() == "mine"


@pytest.mark.parametrize("out", ["plugin", "."])
def test_the_source_is_no_output(tmp_path: Path, out: str) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    with pytest.raises(PiscesError) as caught:
        converted(source, tmp_path / out, places_of(tmp_path))
    assert caught.value.diagnostic.code == "convert-output-in-source"


@pytest.mark.parametrize("out", [".git/x", "plugin/.git/hooks/x", "link/x"])
def test_nothing_is_written_into_gits_own_folder(tmp_path: Path, out: str) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    (tmp_path / ".git").mkdir()
    (tmp_path / "link").symlink_to(".git")
    with pytest.raises(PiscesError) as caught:
        converted(source, tmp_path / out, places_of(tmp_path))
    assert caught.value.diagnostic.code == "convert-output-in-git"
    assert not list((tmp_path / ".git").iterdir())


@pytest.mark.parametrize("link", ["agents", "skills/notes", "agents/reader.md", "gemini-extension.json"])
def test_nothing_is_written_through_a_link(tmp_path: Path, link: str) -> None:
    source, out, elsewhere = put(tmp_path / "plugin", PLUGIN), tmp_path / "out", tmp_path / "elsewhere"
    converted(source, out, places_of(tmp_path))
    elsewhere.mkdir()
    (elsewhere / "file").write_text("theirs")
    path = out / link
    if path.is_dir():
        path.rename(tmp_path / "gone")
        path.symlink_to(elsewhere)
    else:
        path.unlink()
        path.symlink_to(elsewhere / "file")
    with pytest.raises(PiscesError) as caught:
        converted(source, out, places_of(tmp_path))
    assert caught.value.diagnostic.code == "convert-over-a-link"
    assert snapshot(elsewhere).keys() == {"file"}
    assert (elsewhere / "file").read_text() == "theirs"


@pytest.mark.parametrize(
    "name",
    ["../x", "a/../../x", "/etc/x", "C:/x", "c:x", "a\\b", "a/\0", "a\n", "", "a//b", "./a", "x" * 300, "nul",
     "a/CON.md", "com1.txt", "a.", "a ", "a:b", "a?", "\udcff", "d/" * 600 + "x"],
)  # fmt: skip
def test_a_name_that_cannot_be_a_file_everywhere_is_not_written(tmp_path: Path, name: str) -> None:
    assert unsafe(name)
    files, fates = sifted([OutputFile(name, b""), OutputFile("good.md", b"")], str(tmp_path))
    assert [each.path for each in files] == ["good.md"]
    assert [(each.code, each.severity) for each in fates] == [("convert-output-unsafe", "error")]


def test_names_that_differ_in_case_only_are_one_file(tmp_path: Path) -> None:
    names = ["a/B.md", "a/b.md", "A/c.md", "d", "D/e.md", "f/g", "F"]
    files, fates = sifted([OutputFile(name, b"") for name in names], str(tmp_path))
    assert len({each.path.casefold() for each in files}) == len(files)
    assert len(files) + len(fates) == len(names)
    assert len(fates) == 3


def test_a_file_that_cannot_be_copied_is_reported_and_the_rest_is_written(tmp_path: Path) -> None:
    source = put(tmp_path / "plugin", {"a.txt": "a", "b.txt": "b"})
    (source / "out.txt").symlink_to("/etc/passwd")
    names = ("a.txt", "gone.txt", "out.txt", "../x")
    files, fates = sifted([OutputFile(f"{at}.md", None, name) for at, name in enumerate(names)], str(source))
    assert [each.source for each in files] == ["a.txt"]
    assert {each.code for each in fates} == {"convert-source-unreadable"}
    assert len(fates) == 3


def test_a_file_of_any_size_is_copied(tmp_path: Path) -> None:
    source = tmp_path / "plugin"
    source.mkdir()
    (source / "big.bin").write_bytes(b"x" * (MAX_BYTES + 1))
    plan = planned([OutputFile("big.bin", None, "big.bin")], str(source), str(tmp_path / "out"), {})
    apply(plan, str(tmp_path / "out"))
    assert (tmp_path / "out/big.bin").stat().st_size == MAX_BYTES + 1


def test_a_source_that_changes_while_it_is_copied_changes_nothing(tmp_path: Path) -> None:
    source, out = put(tmp_path / "plugin", {"a.txt": "a"}), tmp_path / "out"
    plan = planned([OutputFile("b.txt", b"b"), OutputFile("a.txt", None, "a.txt")], str(source), str(out), {})
    (source / "a.txt").write_text("other")
    with pytest.raises(PiscesError) as caught:
        apply(plan, str(out))
    assert caught.value.diagnostic.code == "convert-changed-meanwhile"
    assert not out.exists()


def test_a_file_that_appears_after_the_plan_is_not_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "out"
    plan = planned([OutputFile("a.txt", b"a"), OutputFile("b.txt", b"b")], str(tmp_path), str(out), {})
    put(out, {"b.txt": "mine"})
    with pytest.raises(PiscesError) as caught:
        apply(plan, str(out))
    assert caught.value.diagnostic.code == "convert-changed-meanwhile"
    assert snapshot(out).keys() == {"b.txt"}


def test_a_plan_says_what_is_new_changed_the_same_and_left_over(tmp_path: Path) -> None:
    out = put(tmp_path / "out", {"same": "s", "changed": "old", "stale": "x"})
    digest = hashlib.sha256(b"x").hexdigest()
    files = [OutputFile("same", b"s"), OutputFile("changed", b"new"), OutputFile("new", b"n")]
    plan = planned(files, str(tmp_path), str(out), {"stale": digest, "changed": "", "gone": digest})
    states = {each.path: each.state for each in plan}
    assert states == {"same": SAME, "changed": CHANGED, "new": NEW, "stale": STALE}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_a_diagnostic(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o555)
    with pytest.raises(PiscesError) as caught:
        apply(planned([OutputFile("a", b"a")], str(tmp_path), str(locked / "out"), {}), str(locked / "out"))
    assert caught.value.diagnostic.code == "disk-refused"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_disk_is_a_diagnostic_and_leaves_what_was_there(tmp_path: Path) -> None:
    import subprocess

    put(tmp_path / "out", {"a": "old"})
    program = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from pisces.converting.output import apply, planned\n"
        "from pisces.converting.writer import OutputFile\n"
        "from pisces.diagnostics import PiscesError\n"
        "plan = planned([OutputFile('a', b'new'), OutputFile('b', b'x' * 100_000)], '.', sys.argv[1], {})\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))\n"
        "try:\n    apply(plan, sys.argv[1])\nexcept PiscesError as error:\n    print(error.diagnostic.code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "out")], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout.strip() == "disk-refused", done.stderr
    assert snapshot(tmp_path / "out").keys() == {"a"}
    assert (tmp_path / "out/a").read_text() == "old"


def test_a_journal_of_somebody_else_leads_nowhere(tmp_path: Path) -> None:
    victim = put(tmp_path / "victim", {"file": "theirs"})
    steps = [{"path": "../victim/file", "had": False}, {"path": "/etc/x"}, 3, {"path": 4}, None]
    journal = {"act": "undo", "made": ["../victim", "..", 3, ""], "steps": steps}
    put(tmp_path / "out", {".pisces/.pisces-journal.json": json.dumps(journal), "mine": "m"})
    mended(str(tmp_path / "out"))
    assert (victim / "file").read_text() == "theirs"
    assert (tmp_path / "out/mine").read_text() == "m"
