"""The files with which others take pisces into their own checks: GitHub's action and the hooks of pre-commit."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.checking.planting import plant
from tests.checking.trees import Tree, command, gemini

from pisces.by_name import export_of, names_in
from pisces.cli._parser import parser_of
from pisces.formats import yaml

ROOT = Path(__file__).parents[2]
BASH = shutil.which("bash")
WARNS = command('prompt = "Fix $ARGUMENTS"')


def action() -> Any:
    return yaml.parse((ROOT / "action.yml").read_text("utf-8"))


def run_action(folder: Path, tree: Tree, **inputs: str) -> subprocess.CompletedProcess[str]:
    """The step of the action, with inputs where GitHub would put them."""
    plant(folder, tree)
    read = action()
    (step,) = read["runs"]["steps"]
    given = {name: inputs.get(name, details["default"]) for name, details in read["inputs"].items()}
    filled = {
        key: re.sub(
            r"\$\{\{ (?:inputs\.([\w-]+)|github\.action_path) \}\}", lambda f: given[f[1]] if f[1] else str(ROOT), text
        )
        for key, text in step["env"].items()
    }
    env = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "GITHUB_WORKSPACE": str(folder), **filled}
    script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(script, cwd=folder, env=env, capture_output=True, text=True, check=False)


needs_bash = pytest.mark.skipif(BASH is None or os.name == "nt", reason="needs bash")


@needs_bash
def test_the_action_annotates_and_writes_sarif(tmp_path: Path) -> None:
    done = run_action(
        tmp_path, {f"my box/{name}": text for name, text in WARNS.items()}, paths="my box", sarif="out.sarif"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("::warning title=pisces%3A command-arguments,file=my box/commands/fix.toml,line=1,")
    assert json.loads((tmp_path / "out.sarif").read_text("utf-8"))["runs"][0]["results"]


@needs_bash
def test_the_action_fails_where_the_check_does(tmp_path: Path) -> None:
    assert run_action(tmp_path, WARNS, options="--strict\n--select\ncommand-arguments").returncode == 1
    assert run_action(tmp_path, {}, options="--ignore\ncommand-arguments\n--strict").returncode == 0
    assert run_action(tmp_path, {}, paths="missing").returncode == 2


@needs_bash
def test_the_action_imports_nothing_of_what_it_checks(tmp_path: Path) -> None:
    trap = "raise SystemExit('imported')"
    traps: Tree = dict.fromkeys(("pisces.py", "json.py", "os.py", "re.py", "sitecustomize.py"), trap)
    done = run_action(tmp_path, {**WARNS, **traps})
    assert (done.returncode, "imported" in done.stdout + done.stderr) == (0, False)


@needs_bash
def test_inputs_are_words_and_no_shell_code(tmp_path: Path) -> None:
    done = run_action(tmp_path, gemini(), paths='$(touch a); touch b\n"; touch c; "', options="")
    assert done.returncode == 2
    assert not {"a", "b", "c"} & {path.name for path in tmp_path.iterdir()}


def test_no_input_of_the_action_is_put_into_its_script() -> None:
    assert all("${{" not in step["run"] for step in action()["runs"]["steps"])


def test_the_hooks_of_pre_commit_are_commands_that_exist() -> None:
    hooks: Any = yaml.parse((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [hook["id"] for hook in hooks] == ["pisces-check", "pisces-check-fix"]
    for hook in hooks:
        program, name, *words = hook["entry"].split()
        assert (program, name in names_in("pisces.cli")) == ("pisces", True)
        parser_of(export_of("pisces.cli", name, "COMMAND")).parse_args(words)
        assert not hook["pass_filenames"]  # a README that belongs to no package would be an error
        assert re.search(hook["files"], "skills/review/SKILL.md")
        assert not re.search(hook["files"], "src/a.py")
