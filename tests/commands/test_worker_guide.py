"""What the guide to workers shows is a package that passes `check` and answers as the guide says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "workers.md"
SOURCE = Path(__file__).parents[2] / "src"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="on Windows every call starts the program")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    blocks = dict(re.findall(r"```(json|python)\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL))
    package = tmp_path / "greeter"
    (package / "bin").mkdir(parents=True)
    (package / "gemini-extension.json").write_text(blocks["json"])
    (package / "bin" / "hello").write_text(blocks["python"])
    (package / "bin" / "hello").chmod(0o755)
    return package


def pisces(package: Path, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "HOME": str(package), "PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-m", "pisces", *words]
    return subprocess.run(command, cwd=package, env=env, input=stdin, capture_output=True, text=True, timeout=60)


def test_the_package_of_the_guide_has_no_problem(package: Path) -> None:
    done = pisces(package, "check", ".", "--output-format", "json")
    assert (done.returncode, json.loads(done.stdout)["diagnostics"]) == (0, [])


def test_the_worker_of_the_guide_answers_in_both_manners(package: Path) -> None:
    (shell,) = re.findall(r"printf '(/hello.*?)' \|", GUIDE.read_text("utf-8"))
    calls = shell.replace("\\n", "\n")
    assert pisces(package, "run", "--package", ".", "-", stdin=calls).stdout == "hello Ann\nhello Bob\n"
    assert pisces(package, "run", "--package", ".", "/hello Ann").stdout == "hello Ann\n"
