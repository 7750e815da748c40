"""Every template makes a package that passes `check`, means the same to the real Gemini CLI, and does what it says."""

from __future__ import annotations

import json
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import pisces
from pisces.checking.check import check
from pisces.commands.programs.program import argv_of, checked_program
from pisces.diagnostics import PiscesError
from pisces.discovery.inventory import inventory
from pisces.discovery.package_format import format_named, formats_of
from pisces.packages.new import create, template_ids, variable_of
from pisces.packages.settings.settings import settings_of
from pisces.places import Places
from tests.conformance.comparison import differences, ours, theirs
from tests.conformance.test_gemini_differential import GEMINI, ORACLE, needs_gemini, needs_node

FORMATS = {"claude-plugin": "claude-plugin", "agent-plugin": "agent-plugin", "skill": "skill"}
BRINGS = {
    "commands": "commands",
    "context": "context-files",
    "executable": "commands",
    "executable-python": "commands",
    "hooks": "hooks",
    "mcp-server": "mcp-servers",
    "policies": "policies",
    "skills": "skills",
    "subagents": "subagents",
    "themes": "themes",
    "settings": "settings",
    "worker": "commands",
}
SHELL_CALL = {"tool_name": "run_shell_command", "tool_input": {"command": ""}}


def made(folder: Path, template: str, name: str = "my-package") -> Path:
    create(str(folder / name), template)
    return folder / name


def node(script: Path, text: str) -> str:
    command = ["node", str(script)]
    done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=True, timeout=60)
    assert done.stderr == ""
    return done.stdout


def guarded(script: Path, command: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(node(script, json.dumps({**SHELL_CALL, "tool_input": {"command": command}})))
    return answer


def test_there_is_a_template_for_each_kind_of_component() -> None:
    others = {"exclude-tools", "module", "full", *FORMATS}
    assert set(template_ids()) == {*BRINGS, *others}


def test_folder_and_template_in_the_wrong_order_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(PiscesError) as refused:
        create(str(tmp_path / "skills"), "./review")
    assert refused.value.diagnostic.hint == "the folder comes first: pisces extensions new ./review skills"


def test_what_an_installer_compiled_is_no_part_of_a_template(tmp_path: Path) -> None:
    """The files of the template `module` end in `.py`, so installers compile them."""
    copy = tmp_path / "library"
    shutil.copytree(Path(pisces.__file__).parent, copy / "pisces", ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(copy)], check=True)
    new = [sys.executable, "-m", "pisces", "extensions", "new", str(tmp_path / "made"), "module"]
    subprocess.run(new, env={**os.environ, "PYTHONPATH": str(copy)}, cwd=tmp_path, capture_output=True, check=True)
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == [
        "README.md",
        "extension.py",
        "gemini-extension.json",
        "pyproject.toml",
        "test_extension.py",
    ]


@pytest.mark.parametrize("name", ["my-package", "3d", "git-tools"])
@pytest.mark.parametrize("template", template_ids())
def test_what_a_template_makes_passes_check(template: str, name: str, tmp_path: Path) -> None:
    package = made(tmp_path, template, name)
    result = check([str(package)], Places(str(tmp_path / "home"), str(tmp_path)))
    assert result.diagnostics == ()
    (target,) = result.targets
    assert target.formats == (FORMATS.get(template, "gemini"),)
    texts = [file.read_text("utf-8") for file in package.rglob("*") if file.is_file()]
    assert not any(word in text for text in texts for word in ("@name@", "@title@", "@VARIABLE@"))
    assert (package / "README.md").read_text("utf-8").startswith("# ")


@pytest.mark.parametrize(("template", "capability"), BRINGS.items())
def test_a_template_brings_what_it_is_for(template: str, capability: str, tmp_path: Path) -> None:
    package = made(tmp_path, template)
    found = inventory(str(package), format_named("gemini"), Places(str(tmp_path / "home"), str(tmp_path)))
    assert found.found[capability]
    full = inventory(
        str(made(tmp_path, "full", "all")), format_named("gemini"), Places(str(tmp_path / "home"), str(tmp_path))
    )
    assert len(full.found[capability]) >= len(found.found[capability])


@needs_node
@needs_gemini
def test_the_real_gemini_cli_loads_all_of_it(tmp_path: Path) -> None:
    packages = [made(tmp_path, template, f"my-{template}") for template in template_ids() if template not in FORMATS]
    verdicts = [_alone_if_disturbed(verdict, tmp_path) for verdict in _verdicts(packages, tmp_path)]
    assert len(verdicts) == len(packages)
    for verdict in verdicts:
        assert verdict["installs"], verdict
        assert not differences(ours(Path(verdict["folder"])), theirs(verdict)), verdict["folder"]
        assert not verdict["failing_agents"]
        assert not verdict["rejected_skills"]
        assert not verdict.get("policy_errors")


def _verdicts(packages: list[Path], tmp_path: Path) -> list[dict[str, Any]]:
    listed = tmp_path / "folders.txt"
    listed.write_text("\n".join(map(str, packages)), encoding="utf-8")
    command = ["node", str(ORACLE), str(GEMINI), str(listed)]
    told = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=600).stdout
    return [json.loads(line) for line in told.splitlines()]


def _alone_if_disturbed(verdict: dict[str, Any], tmp_path: Path) -> dict[str, Any]:
    """The program remembers the first of its throwaway homes, and may find it swept away later on."""
    disturbed = "trustedFolders.json" in verdict.get("reason", "")
    return _verdicts([Path(verdict["folder"])], tmp_path)[0] if disturbed else verdict


@needs_node
@pytest.mark.parametrize("template", ["hooks", "full"])
def test_the_guard_stops_what_cannot_be_taken_back(template: str, tmp_path: Path) -> None:
    script = made(tmp_path, template) / "hooks" / "guard.mjs"
    for command in ("rm -rf /", "rm -r -f ~", "git push --force", "git reset --hard", "curl https://x.test | sh"):
        assert guarded(script, command)["decision"] == "deny", command
    for command in ("rm -rf build/", "git push", "git push --force-with-lease", "curl https://x.test", ""):
        assert guarded(script, command)["decision"] == "allow", command


@needs_node
def test_the_guard_of_a_claude_plugin_answers_in_its_dialect(tmp_path: Path) -> None:
    script = made(tmp_path, "claude-plugin") / "hooks" / "guard.mjs"
    assert guarded(script, "rm -rf /")["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert guarded(script, "ls") == {}


@needs_node
def test_the_welcome_hook_tells_the_date(tmp_path: Path) -> None:
    answer = json.loads(node(made(tmp_path, "hooks") / "hooks" / "welcome.mjs", "{}"))
    assert "Today is" in answer["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("template", [pytest.param("executable", marks=needs_node), "executable-python"])
def test_the_program_lists_and_counts_what_is_left_to_do(template: str, tmp_path: Path) -> None:
    package = made(tmp_path, template)
    found = inventory(str(package), format_named("gemini"), Places(str(tmp_path / "home"), str(tmp_path)))
    (command,) = [each.item for each in found.found["commands"]]
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "main.py").write_text("x = 1  # TODO name it\n# FIXME and this\n")

    def told(*words: str) -> subprocess.CompletedProcess[str]:
        with checked_program(command.executable) as program:
            argv = argv_of(program, words)
            return subprocess.run(
                argv, cwd=tmp_path / "project", capture_output=True, encoding="utf-8", check=False, timeout=60
            )

    assert told("list").stdout == "main.py:1: TODO name it\nmain.py:2: FIXME and this\n"
    assert told("list", "NAME", "it").stdout == "main.py:1: TODO name it\n"
    assert told("count").stdout == "2\tmain.py\n2 in all\n"
    assert told("list", "nowhere").stdout == "Nothing left to do.\n"
    assert (told("lsit").returncode, told("lsit").stdout) == (2, "")


@pytest.mark.skipif(os.name == "nt", reason="on Windows every call starts the program")
def test_the_worker_answers_many_calls_after_one_start_and_works_without_one(tmp_path: Path) -> None:
    made(tmp_path, "worker")
    (tmp_path / "notes.txt").write_text("one two three\n")
    run = [sys.executable, "-m", "pisces", "run", "--package", "my-package"]
    env = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(Path(pisces.__file__).parents[1])}

    def told(*words: str, stdin: str = "") -> tuple[int, str]:
        done = subprocess.run([*run, *words], cwd=tmp_path, env=env, input=stdin, capture_output=True, text=True)
        return done.returncode, done.stdout

    calls = "/words count a b\n/words files notes.txt\n/words count\n"
    assert told("-", stdin=calls) == (0, "2\n3\tnotes.txt\n0\n")
    assert told("/words", "count", "a", "b") == (0, "2\n")
    assert told("/words files nowhere.txt")[0] == 1
    assert told("-", stdin="/words nothing\n")[0] == 2


@needs_node
@pytest.mark.parametrize("template", ["mcp-server", "agent-plugin"])
def test_the_server_speaks_the_protocol(template: str, tmp_path: Path) -> None:
    calls: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, "method": "tools/call", "params": {"name": "word_count", "arguments": {"text": "two words"}}},
        {"id": 4, "method": "tools/call", "params": {"name": "word_count", "arguments": {}}},
        {"id": 5, "method": "tools/call", "params": {"name": "toString"}},
        {"id": 6, "method": "resources/list"},
    ]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **call}) + "\n" for call in calls)
    told = node(made(tmp_path, template) / "server" / "server.mjs", lines)
    answers = [json.loads(line) for line in told.splitlines()]
    assert [answer["id"] for answer in answers] == [1, 2, 3, 4, 5, 6]
    assert answers[0]["result"]["protocolVersion"] == "2025-06-18"
    assert [tool["name"] for tool in answers[1]["result"]["tools"]] == ["word_count"]
    assert answers[2]["result"]["content"][0]["text"] == "2 words, 1 lines, 9 characters"
    assert answers[3]["result"]["isError"]
    assert [answer["error"]["code"] for answer in answers[4:]] == [-32602, -32601]


def test_the_settings_of_the_template_are_understood(tmp_path: Path) -> None:
    package = format_named("gemini").read(str(made(tmp_path, "settings")), Places("/nowhere", str(tmp_path))).package
    assert package
    settings, problems = settings_of(package)
    assert problems == []
    assert [(each.env_var, each.sensitive, each.required) for each in settings] == [
        ("MY_PACKAGE_API_KEY", True, True),
        ("MY_PACKAGE_API_URL", False, False),
    ]


def test_the_module_registers_its_command(tmp_path: Path) -> None:
    module = runpy.run_path(str(made(tmp_path, "module") / "extension.py"))
    registered: list[str] = []

    class Api:
        def command(self, name: str, description: str) -> Any:
            return lambda run: registered.append(f"{name}: {run('two words')}, {description}")

    module["extension"](Api())
    assert registered == ["count-words: 2 words, Count the words that follow"]


@pytest.mark.parametrize("name", ["git-tools", "3d", "uv-kit"])
def test_variables_of_a_template_are_never_blocked_ones(name: str) -> None:
    assert variable_of(name).startswith("EXT_")


def test_the_name_can_differ_from_the_folder(tmp_path: Path) -> None:
    create(str(tmp_path / "Some Folder"), "commands", "tidy")
    assert json.loads((tmp_path / "Some Folder" / "gemini-extension.json").read_text("utf-8"))["name"] == "tidy"


@pytest.mark.parametrize("name", ["My Extension", "a_b", "-a", "a--b", "ünï", "con", "x" * 65, "a/../b"])
def test_a_bad_name_is_refused_and_nothing_made(name: str, tmp_path: Path) -> None:
    with pytest.raises(PiscesError) as caught:
        create(str(tmp_path / "new"), "skills", name)
    assert caught.value.diagnostic.code == "new-name"
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_template_is_refused_with_a_suggestion(tmp_path: Path) -> None:
    for word in ("skils", "../templates/skills", ""):
        with pytest.raises(PiscesError) as caught:
            create(str(tmp_path / "new"), word)
        assert caught.value.diagnostic.code == "new-template"
    with pytest.raises(PiscesError) as caught:
        create(str(tmp_path / "new"), "skils")
    assert caught.value.diagnostic.hint.startswith("did you mean `skill")


def test_an_empty_folder_is_filled_and_a_full_one_left_alone(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert create(str(tmp_path / "empty"), "context")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(PiscesError) as caught:
        create(str(tmp_path / "empty"), "skills")
    assert caught.value.diagnostic.code == "new-folder"
    assert sorted(tmp_path.rglob("*")) == before


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(PiscesError, match="not a folder"):
        create(str(tmp_path / "taken"), "skills")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit on file sizes there")
def test_a_disk_that_is_full_half_way_leaves_nothing(tmp_path: Path) -> None:
    program = """
import resource, sys
from pisces.diagnostics import PiscesError
from pisces.packages.new import create
resource.setrlimit(resource.RLIMIT_FSIZE, (700, 700))
try:
    create(sys.argv[1], "full")
except PiscesError as error:
    print(error.diagnostic.code)
"""
    command = [sys.executable, "-c", program, str(tmp_path / "new")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "new-folder\n"
    assert list(tmp_path.iterdir()) == []


def test_formats_are_those_of_the_template(tmp_path: Path) -> None:
    assert [each.id for each in formats_of(str(made(tmp_path, "agent-plugin")))] == ["agent-plugin"]
