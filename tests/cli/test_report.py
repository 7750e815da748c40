"""`pisces report`: where the page goes, and what is never overwritten."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from tests.ui.harbour import Workspace, harbour
from tests.warm_shell import pisces

Done = subprocess.CompletedProcess[str]


@pytest.fixture
def made(tmp_path: Path) -> Workspace:
    return harbour(tmp_path)


def report(made: Workspace, *words: str) -> Done:
    env = {"HOME": str(made.home), "USERPROFILE": str(made.home), "PATH": os.environ["PATH"], "PYTHONUTF8": "1"}
    return pisces("report", *words, cwd=made.project, env=env)


def test_it_writes_into_the_current_folder_and_says_where(made: Workspace) -> None:
    done = report(made)
    assert (done.returncode, done.stdout.partition(" (")[0]) == (0, "wrote pisces-report.html")
    assert (made.project / "pisces-report.html").read_text("utf-8").startswith("<!DOCTYPE html>")


def test_a_dash_means_stdout_and_no_file(made: Workspace) -> None:
    done = report(made, "-")
    assert done.returncode == 0
    assert done.stdout.endswith("</html>\n")
    assert not list(made.project.glob("*.html"))


def test_a_report_is_renewed(made: Workspace) -> None:
    report(made, "a.html")
    with (made.project / "a.html").open("a") as file:
        file.write("old")
    assert report(made, "a.html").returncode == 0
    assert not (made.project / "a.html").read_text("utf-8").endswith("old")


def test_a_file_that_is_no_report_is_overwritten_only_by_force(made: Workspace) -> None:
    (made.project / "a.html").write_text("mine")
    done = report(made, "a.html")
    assert done.returncode == 1
    assert "`a.html` is there, and is no report of pisces" in done.stderr
    assert (made.project / "a.html").read_text() == "mine"
    assert report(made, "a.html", "--force").returncode == 0
    assert "pisces report" in (made.project / "a.html").read_text("utf-8")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_is_replaced_and_its_target_stays(made: Workspace) -> None:
    (made.project / "mine.txt").write_text("mine")
    (made.project / "a.html").symlink_to("mine.txt")
    assert report(made, "a.html").returncode == 1
    assert report(made, "a.html", "--force").returncode == 0
    assert (made.project / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("words", [["/dev/null"], ["/dev/null", "--force"], [".claude"], [".claude", "--force"]])
@pytest.mark.skipif(os.name == "nt", reason="has no such device")
def test_devices_and_folders_are_never_replaced(made: Workspace, words: list[str]) -> None:
    done = report(made, *words)
    assert (done.returncode, "is not a file" in done.stderr) == (1, True)
    assert (made.project / ".claude").is_dir()
    assert not Path("/dev/null").is_file()


def test_a_folder_that_is_not_there_is_said_without_a_traceback(made: Workspace) -> None:
    done = report(made, "missing/a.html")
    assert done.returncode == 1
    assert "cannot be written: no such file or directory" in done.stderr
    assert "Traceback" not in done.stderr


def test_json_has_the_path_and_the_figures(made: Workspace) -> None:
    done = report(made, "a.html", "--output-format", "json")
    said = json.loads(done.stdout)
    assert said["path"] == str(made.project / "a.html")
    assert said["bytes"] == (made.project / "a.html").stat().st_size
    assert (said["dangerous"], said["problems"]["error"] > 0, "pisces" in said["harnesses"]) == (2, True, True)


def test_json_to_stdout_has_the_page_in_it(made: Workspace) -> None:
    said = json.loads(report(made, "-", "--output-format", "json").stdout)
    assert said["path"] is None
    assert said["html"].startswith("<!DOCTYPE html>")


def test_one_harness_can_be_asked_for(made: Workspace) -> None:
    done = report(made, "-", "--harness", "codex")
    assert "OpenAI Codex" in done.stdout
    assert "Gemini CLI" not in done.stdout
