"""`pisces build` writes every target that an author declares: the same bytes each time, over no file of others."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.building.repository import CONFIG, SKILL, Author, put, tree

POSIX = pytest.mark.skipif(os.name == "nt", reason="links and modes of POSIX")


def test_every_target_is_written_with_the_one_version(author: Author) -> None:
    status, said = author.pisces("build")
    assert status == 0, said
    assert json.loads((author.out / "gemini-extension.json").read_text()) == {
        "name": "demo",
        "version": "1.3.0",
        "description": "Demo",
    }
    assert (author.out / "skills/notes/SKILL.md").read_text() == SKILL
    assert (author.out / "commands/demo/save.toml").exists()


def test_a_second_build_changes_no_byte_and_no_time(author: Author) -> None:
    author.pisces("build")
    before = {path: path.stat().st_mtime_ns for path in author.folder.rglob("*")}
    files = tree(author.folder)
    assert author.pisces("build")[0] == 0
    assert tree(author.folder) == files
    assert {path: path.stat().st_mtime_ns for path in author.folder.rglob("*")} == before


def test_what_is_built_inside_the_source_is_no_part_of_it(author: Author) -> None:
    author.put({"overlays/gemini/GEMINI.md": "Hello\n", "SKILL.md": SKILL})
    author.pisces("build")
    author.pisces("build")
    assert not [path for path in tree(author.out) if "dist" in path or "overlays" in path or path == "pisces.toml"]


def test_check_shows_a_diff_writes_nothing_and_fails(author: Author) -> None:
    before = tree(author.folder)
    status, said = author.pisces("build", "--check")
    assert status == 1
    assert '-{"name": "demo", "version": "1.2.3", "description": "Demo"}' in said
    assert "+++ b/dist/gemini/gemini-extension.json" in said
    assert tree(author.folder) == before
    author.pisces("build")
    assert author.pisces("build", "--check")[0] == 0


@POSIX
def test_check_sees_a_program_that_lost_its_mode(author: Author) -> None:
    author.put({"skills/notes/run.sh": "#!/bin/sh\n"})
    (author.folder / "skills/notes/run.sh").chmod(0o755)
    author.pisces("build")
    assert os.access(author.out / "skills/notes/run.sh", os.X_OK)
    (author.out / "skills/notes/run.sh").chmod(0o644)
    status, said = author.pisces("build", "--check")
    assert (status, "mode of dist/gemini/skills/notes/run.sh" in said) == (1, True)


def test_what_the_source_lost_is_removed_from_the_output(author: Author) -> None:
    author.pisces("build")
    (author.folder / "commands/save.md").unlink()
    status, said = author.pisces("build", "--check")
    assert (status, "--- a/dist/gemini/commands/demo/save.toml" in said) == (1, True)
    author.pisces("build")
    assert not (author.out / "commands").exists()


def test_a_hand_edit_of_the_output_is_shown_and_made_good(author: Author) -> None:
    author.pisces("build")
    (author.out / "skills/notes/SKILL.md").write_text("mine\n")
    status, said = author.pisces("build", "--check")
    assert (status, "-mine" in said) == (1, True)
    author.pisces("build")
    assert (author.out / "skills/notes/SKILL.md").read_text() == SKILL


def test_an_output_with_files_of_somebody_else_is_refused(author: Author) -> None:
    author.put({"dist/gemini/README.md": "mine\n"})
    before = tree(author.folder)
    status, said = author.pisces("build")
    assert (status, "convert-output-not-ours" in said) == (1, True)
    assert tree(author.folder) == before


def test_the_output_says_that_it_is_generated(author: Author) -> None:
    author.pisces("build")
    assert "* -text linguist-generated" in (author.out / ".gitattributes").read_text()


def test_only_the_target_that_is_asked_for_is_built(author: Author) -> None:
    status, said = author.pisces("build", "--target", "elsewhere")
    assert (status, "build-nothing" in said, "one of gemini" in said) == (1, True, True)
    assert author.json("build", "--target", "gemini")["packages"][0]["target"] == "gemini"


def test_json_has_the_files_the_versions_and_every_fate(author: Author) -> None:
    found = author.json("build")
    package = found["packages"][0]
    assert found["ok"] is True
    assert "gemini-extension.json" in package["files"]["new"]
    assert {"kind", "subject", "output"} <= set(package["fates"][0])
    assert [(each["before"], each["after"]) for each in found["edits"]] == [("1.2.3", "1.3.0")]


def test_pyproject_is_a_place_for_the_configuration(author: Author) -> None:
    (author.folder / "pisces.toml").unlink()
    project = '[project]\nname = "demo"\nversion = "2.0.0"\n'
    table = '[tool.pisces.build]\nversion = "pyproject.toml"\ntargets = ["gemini"]\n'
    author.put({"pyproject.toml": project + table})
    assert author.pisces("build")[0] == 0
    assert json.loads((author.out / "gemini-extension.json").read_text())["version"] == "2.0.0"


def test_without_a_configuration_the_way_to_one_is_named(author: Author) -> None:
    (author.folder / "pisces.toml").unlink()
    status, said = author.pisces("build")
    assert (status, "build-config-missing" in said, "--init" in said) == (1, True, True)


def test_every_plugin_of_a_marketplace_is_built(author: Author, tmp_path: Path) -> None:
    (author.folder / ".claude-plugin/plugin.json").unlink()
    entries = [{"name": name, "source": f"./plugins/{name}", "version": "0.1.0"} for name in ("one", "two")]
    market = {"name": "m", "owner": {"name": "x"}, "plugins": entries}
    for name, version in (("one", "1.0.0"), ("two", "2.0.0")):
        put(
            author.folder / "plugins" / name,
            {
                ".claude-plugin/plugin.json": json.dumps({"name": name, "version": version}),
                "skills/notes/SKILL.md": SKILL,
            },
        )
    author.put(
        {
            ".claude-plugin/marketplace.json": json.dumps(market, indent=2),
            "pisces.toml": '[build]\ntargets = ["gemini"]\n',
        }
    )
    assert author.pisces("build")[0] == 0
    for name, version in (("one", "1.0.0"), ("two", "2.0.0")):
        assert json.loads((author.out / name / "gemini-extension.json").read_text())["version"] == version
    said = json.loads((author.folder / ".claude-plugin/marketplace.json").read_text())
    assert [each["version"] for each in said["plugins"]] == ["1.0.0", "2.0.0"]
    assert [each["plugin"] for each in author.json("build", "--plugin", "two")["packages"]] == ["two"]


@pytest.mark.parametrize(
    "config",
    [
        '[build.targets]\ngemini = "../elsewhere"',
        '[build.targets]\ngemini = "/tmp/elsewhere"',
        '[build.targets]\ngemini = "."',
        '[build.targets]\ngemini = ".git/x"',
        '[build.targets]\ngemini = "C:/x"',
        '[build]\nsource = "../.."',
        '[build]\noverlays = "/etc"',
        '[build]\nversion = "../package.json"',
        '[build]\nversion-files = ["../package.json"]',
        '[build.targets]\ngemni = "dist"',
        "[build.targets]\ngemini = 3",
        "[build]\nnothing = 1",
        '[build]\nformat = "none"',
        "build = 1",
        "[build",
    ],
)
def test_a_configuration_that_leads_out_or_makes_no_sense_builds_nothing(author: Author, config: str) -> None:
    author.put({"pisces.toml": config})
    before = tree(author.folder.parent)
    status, said = author.pisces("build")
    assert (status, "build-config" in said) == (1, True), said
    assert tree(author.folder.parent) == before


@POSIX
@pytest.mark.parametrize("link", ["dist", "dist/gemini", "dist/gemini/skills", "dist/gemini/skills/notes/SKILL.md"])
def test_nothing_is_written_through_a_link_in_the_output(author: Author, tmp_path: Path, link: str) -> None:
    author.pisces("build")
    author.put({"skills/notes/SKILL.md": SKILL + "More.\n", "commands/more.md": "More\n"})
    path = author.folder / link
    elsewhere = tmp_path / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    before = tree(elsewhere) if elsewhere.is_dir() else elsewhere.read_bytes()
    status, said = author.pisces("build")
    assert status == 1, said
    assert (tree(elsewhere) if elsewhere.is_dir() else elsewhere.read_bytes()) == before


@POSIX
@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() == 0, reason="root writes everywhere")
def test_a_read_only_output_is_a_diagnostic_and_stays_as_it_was(author: Author) -> None:
    author.pisces("build")
    author.put({"skills/notes/SKILL.md": SKILL + "More.\n"})
    before = tree(author.out)
    author.out.chmod(0o555)
    try:
        status, said = author.pisces("build")
    finally:
        author.out.chmod(0o755)
    assert (status, "cannot be written" in said) == (1, True)
    assert tree(author.out) == before


def test_a_loss_that_is_an_error_fails_the_build_until_it_is_accepted(author: Author) -> None:
    author.put({"agents/odd.md": "---\nname: odd\ndescription: Odd\ntools: NotebookRead, KillShell\n---\nOdd.\n"})
    status, said = author.pisces("build")
    assert (status, "lost-agent" in said, "accept = [CODE]" in said) == (1, True, True)
    assert (author.out / "gemini-extension.json").exists()
    author.put({"pisces.toml": CONFIG.replace('"dist/gemini"', '{ accept = ["lost-agent"] }')})
    assert author.pisces("build", "--check")[0] == 0
    assert "lost-agent" in {each["code"] for each in author.json("build")["diagnostics"]}


def test_a_diff_of_very_many_lines_ends_with_a_count(author: Author) -> None:
    author.put({f"skills/notes/page{number}.md": "line\n" * 500 for number in range(12)})
    lines = author.json("build", "--check")["diff"].splitlines()
    assert len(lines) < 3_000
    assert lines[-1].endswith("more files differ")


def test_a_copy_of_a_file_with_a_version_has_the_new_one_at_once(author: Author) -> None:
    author.put(
        {"pisces.toml": CONFIG.replace("\n[build.targets]", 'version-files = ["data/app.json"]\n[build.targets]')}
    )
    author.put({"data/app.json": '{"version": "0.0.1"}'})
    author.pisces("build")
    assert author.pisces("build", "--check")[0] == 0
    for path in author.out.rglob("app.json"):
        assert json.loads(path.read_text()) == {"version": "1.3.0"}


@pytest.mark.parametrize("name", ["loss.json", "loss.sarif", "loss.md", "loss.txt"])
def test_the_report_of_losses_is_written_in_every_format(author: Author, name: str) -> None:
    author.put({"agents/odd.md": "---\nname: odd\ndescription: Odd\ncolor: red\n---\nOdd.\n"})
    report = author.folder.parent / "reports" / name
    assert author.pisces("build", "--report", str(report))[0] == 0
    assert "lost-field" in report.read_text()


def test_what_fails_a_build_can_be_less_than_an_error(author: Author) -> None:
    author.put({"agents/odd.md": "---\nname: odd\ndescription: Odd\ncolor: red\n---\nOdd.\n"})
    assert author.pisces("build", "--fail-on", "dropped")[0] == 1
    assert author.pisces("build")[0] == 0
    assert "color" in author.pisces("build", "--severity", "note")[1]


def test_a_plugin_that_cannot_be_read_does_not_stop_the_others(author: Author) -> None:
    manifest = json.dumps({"name": "one", "version": "1.0.0"})
    author.put({"plugins/none/readme.txt": "nothing", "plugins/one/.claude-plugin/plugin.json": manifest})
    author.put({"plugins/one/skills/notes/SKILL.md": SKILL})
    author.put({"pisces.toml": '[build]\nsource = ["plugins/none", "plugins/one"]\ntargets = ["gemini"]\n'})
    status, said = author.pisces("build")
    assert (status, "convert-no-package" in said) == (1, True)
    assert (author.out / "one/gemini-extension.json").exists()


def test_a_file_of_any_size_is_part_of_a_package(author: Author) -> None:
    author.put({"skills/notes/data.bin": b"\0" * (9 << 20)})
    assert author.pisces("build")[0] == 0
    assert (author.out / "skills/notes/data.bin").stat().st_size == 9 << 20
    assert author.pisces("build", "--check")[0] == 0


def test_a_file_where_a_folder_of_the_output_belongs_is_a_diagnostic(author: Author) -> None:
    author.put({"dist": "a file"})
    status, said = author.pisces("build")
    assert (status, "Traceback" in said) == (1, False)
    assert (author.folder / "dist").read_text() == "a file"


@pytest.mark.parametrize("words", [("--branch", ""), ("--archive", "x", "--check"), ("--init", "--check")])
def test_what_makes_no_sense_builds_nothing(author: Author, words: tuple[str, ...]) -> None:
    before = tree(author.folder)
    assert author.pisces("build", *words)[0] in (1, 2)
    assert tree(author.folder) == before


def test_an_entry_of_a_marketplace_can_be_the_manifest(author: Author) -> None:
    (author.folder / ".claude-plugin/plugin.json").unlink()
    entry = {"name": "bare", "source": "./plugins/bare", "strict": False, "version": "0.5.0", "description": "Bare"}
    market = {"name": "m", "owner": {"name": "x"}, "plugins": [entry]}
    author.put({"plugins/bare/skills/notes/SKILL.md": SKILL, ".claude-plugin/marketplace.json": json.dumps(market)})
    author.put({"pisces.toml": '[build]\nformat = "claude-plugin"\ntargets = ["gemini"]\n'})
    status, said = author.pisces("build")
    assert status == 0, said
    found = json.loads((author.out / "bare/gemini-extension.json").read_text())
    assert (found["name"], found["version"]) == ("bare", "0.5.0")
