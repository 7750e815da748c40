"""What programs read: annotations of GitHub's workflows, and SARIF with fingerprints and fixes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pisces.diagnostics import ERROR, NOTE, Diagnostic
from pisces.places import Places
from pisces.ui.github import workflow_commands
from pisces.ui.sarif import sarif
from tests.checking.planting import plant
from tests.checking.test_command_line import run
from tests.checking.trees import command, gemini

WARNS = command('description = "a"\nprompt = "Fix $ARGUMENTS"')


def results(folder: Path, *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run(folder, {}, "box", "--output-format", "sarif", *words)[1])["runs"][0][
        "results"
    ]
    return found


def test_annotations_have_file_line_and_hint(tmp_path: Path) -> None:
    code, out, err = run(tmp_path, WARNS, "box", "--output-format", "github", "--strict")
    assert out == (
        "::warning title=pisces%3A command-arguments,file=box/commands/fix.toml,line=2,col=15::"
        "`$ARGUMENTS` is not filled in%0Ahint: write `{{args}}`\n"
    )
    assert code == 1
    assert err.startswith("checked 1 package: 1 warning\n")


def test_notes_are_notices_and_left_out_unless_asked_for(tmp_path: Path) -> None:
    assert run(tmp_path, gemini(author="me"), "box", "--output-format", "github")[1] == ""
    out = run(tmp_path, {}, "box", "--output-format", "github", "--severity", "note")[1]
    assert out.startswith("::notice title=pisces%3A manifest-metadata,")


def test_nothing_in_a_file_begins_a_command_of_its_own() -> None:
    evil = Diagnostic("x", ERROR, "a\n::set-output name=a::b\r\x1b[2J %0A", "/w/a,b:c%\n::error::.md", 1, 1, "h\n::x")
    (line,) = workflow_commands([evil], Places("/h", "/w"))
    assert line.startswith("::error title=pisces%3A x,file=a%2Cb%3Ac%25%0A%3A%3Aerror%3A%3A.md,line=1,col=1::")
    assert not {"\n", "\r", "\x1b"} & set(line)
    assert "%250A" in line


def test_paths_are_relative_to_the_checkout() -> None:
    here = Diagnostic("x", NOTE, "a", "/w/sub/a.md")
    (line,) = workflow_commands([here], Places("/h", "/w/sub", {"GITHUB_WORKSPACE": "/w"}))
    assert ",file=sub/a.md::" in line
    assert ",file=/elsewhere/a.md::" in workflow_commands([here.replace(path="/elsewhere/a.md")], Places("/h", "/w"))[0]


def test_fingerprints_stay_when_lines_are_added_above(tmp_path: Path) -> None:
    plant(tmp_path / "box", WARNS)
    before = results(tmp_path)
    plant(tmp_path / "box", command('# new\n\ndescription = "a"\n   prompt =  "Fix $ARGUMENTS"'))
    after = results(tmp_path)
    assert before[0]["partialFingerprints"] == after[0]["partialFingerprints"]
    assert before[0]["locations"] != after[0]["locations"]
    plant(tmp_path / "box", command('prompt = "Mend $ARGUMENTS"'))
    assert results(tmp_path)[0]["partialFingerprints"] != before[0]["partialFingerprints"]


def test_equal_lines_have_different_fingerprints(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("same\nsame\n", "utf-8")
    twice = [Diagnostic("x", ERROR, "a", str(file), line, 1) for line in (1, 2)]
    made = sarif(twice, Places(str(tmp_path), str(tmp_path)))["runs"][0]["results"]
    prints = [each["partialFingerprints"]["primaryLocationLineHash"] for each in made]
    assert [each.rpartition(":")[2] for each in prints] == ["1", "2"]
    assert len({each.rpartition(":")[0] for each in prints}) == 1


def test_sarif_has_hints_and_fixes(tmp_path: Path) -> None:
    plant(tmp_path / "box", WARNS)
    (found,) = results(tmp_path)
    assert found["properties"] == {"hint": "write `{{args}}`"}
    (change,) = found["fixes"][0]["artifactChanges"]
    (replacement,) = change["replacements"]
    assert change["artifactLocation"]["uri"] == "box/commands/fix.toml"
    region = {"startLine": 2, "startColumn": 15, "endLine": 2, "endColumn": 25}
    assert replacement == {"deletedRegion": region, "insertedContent": {"text": "{{args}}"}}


def test_json_has_the_fix_of_each_problem(tmp_path: Path) -> None:
    out = json.loads(run(tmp_path, WARNS, "box", "--output-format", "json")[1])
    edits = [{"offset": 32, "old": "$ARGUMENTS", "new": "{{args}}"}]
    assert out["diagnostics"][0]["fix"] == {"title": "write `{{args}}`", "safe": True, "edits": edits}
