"""`pisces cost`: its JSON, its order, and that what is off costs nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.discovery.world import written

from pisces.__main__ import main

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "cost.md"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", "")
    (tmp_path / "project" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "project")
    written(tmp_path / "home/.claude/skills/short/SKILL.md", "---\nname: short\ndescription: s\n---\nbody")
    written(tmp_path / "home/.claude/skills/long/SKILL.md", f"---\nname: long\ndescription: {'l' * 400}\n---\nbody")
    written(tmp_path / "project/CLAUDE.md", "x" * 101)
    written(tmp_path / "home/.claude.json", {"mcpServers": {"db": {"command": "db"}}})
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["cost", "--output-format", "json", *words]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_dearest_comes_first_and_totals_add_up(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = told(capsys, "--harness", "claude")
    names = [each["name"] for each in answer["extensions"]]
    assert names == ["skill long", "context file CLAUDE.md", "skill short", "mcp server db"]
    by_name = {each["name"]: each for each in answer["extensions"]}
    assert by_name["context file CLAUDE.md"]["before"] == 26
    assert by_name["mcp server db"]["unknown"] == 1
    assert by_name["mcp server db"]["items"][0]["before"] is None
    for number in ("before", "after", "unknown"):
        assert answer["total"][number] == sum(each[number] for each in answer["extensions"])
        assert answer["total"][number] == sum(each[number] for each in answer["harnesses"])


def test_what_is_off_costs_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--harness", "claude", "--disable", "skill:long")
    assert "skill long" not in [each["name"] for each in told(capsys, *words)["extensions"]]
    (off,) = [each for each in told(capsys, *words, "--all")["extensions"] if each["name"] == "skill long"]
    assert (off["before"], off["after"], off["items"][0]["state"]) == (0, 0, "off")


def test_every_number_for_people_is_an_estimate(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cost"]) == 0
    rows = capsys.readouterr().out.splitlines()[1:]
    assert rows
    assert all(re.search(r" ~[\d,]+(\+\?)? +~[\d,]+(\+\?)?", row) for row in rows)


def test_the_page_about_the_object_has_its_keys(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, total, extension, item = (
        set(re.findall(r"^\| `([\w-]+)` \|", part, re.M)) for part in PAGE.read_text("utf-8").split("\n## ")
    )
    answer = told(capsys)
    assert whole == set(answer)
    assert total == set(answer["total"])
    assert extension == set(answer["extensions"][0]) - {"name", *total}
    assert item == set(answer["extensions"][0]["items"][0])
    assert {*total, "id"} == set(answer["harnesses"][0])
