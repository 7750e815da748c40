"""What a project brings runs only as the user agreed to it: every file of it, and the settings that name it."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pisces.diagnostics import PiscesError
from pisces.gates.judge import judge_now
from pisces.gates.trust import admitted, folder_to_trust, remember_trust, trust_gate
from pisces.gates.trusted import Trust, trust_in
from pisces.gates.workspace import covered_here, covered_line, covered_request
from pisces.modules.entries import module_entries
from pisces.places import Places
from pisces.shapes.request import HookRequest, ServerRequest
from tests.discovery.world import written

MODULE = "def extension(pisces): ...\n"


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "home").mkdir()
    (tmp_path / "shop").mkdir()
    return Places(str(tmp_path / "home"), str(tmp_path / "shop"))


def agreed(places: Places) -> Trust:
    """As after `pisces trust`."""
    return Trust().including(places.cwd, covered_here(module_entries(places), [], places))


def states(places: Places, trust: Trust) -> dict[str, str]:
    return {entry.name: entry.state for entry in admitted(module_entries(places), trust, places).entries}


def project(places: Places, path: str, text: str | object = MODULE) -> Path:
    return written(Path(places.cwd, path), text)


def both_sides(places: Places) -> None:
    project(places, ".pisces/extensions/setup.py")
    written(Path(places.home, ".pisces/agent/extensions/own.py"), MODULE)


def test_nothing_is_trusted_by_default(places: Places) -> None:
    both_sides(places)
    assert states(places, trust_in(places)) == {"setup": "not trusted", "own": "runs"}


def test_the_diagnostic_says_what_is_held_back_and_how_to_allow_it(places: Places) -> None:
    both_sides(places)
    (told,) = admitted(module_entries(places), Trust(), places).diagnostics
    assert (told.code, told.path) == ("workspace-not-trusted", places.cwd)
    assert "`setup`" in told.message
    assert "`pisces trust`" in told.hint
    assert "`--trust-workspace`" in told.hint


def test_what_was_agreed_to_runs(places: Places) -> None:
    both_sides(places)
    assert states(places, agreed(places)) == {"setup": "runs", "own": "runs"}


def test_a_module_that_is_added_later_does_not_run_and_the_others_do(places: Places) -> None:
    both_sides(places)
    trust = agreed(places)
    project(places, ".pisces/extensions/evil.py")
    assert states(places, trust) == {"evil": "not trusted", "setup": "runs", "own": "runs"}
    (told,) = admitted(module_entries(places), trust, places).diagnostics
    assert (told.code, "`evil` (it is new)" in told.message) == ("workspace-changed", True)


def test_a_module_that_a_setting_names_later_does_not_run(places: Places) -> None:
    both_sides(places)
    project(places, "more.py")
    trust = agreed(places)
    project(places, ".pisces/settings.json", {"extensions": ["more.py"]})
    assert states(places, trust)["more"] == "not trusted"


# Each of these leaves the module's own path where it is.


def other_content(places: Places) -> None:
    project(places, ".pisces/extensions/setup.py", MODULE + "# more\n")


def other_content_of_the_same_size_and_time(places: Places) -> None:
    path = Path(places.cwd, ".pisces/extensions/setup.py")
    before = path.stat()
    path.write_text(MODULE.replace("...", "9-9"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def another_sibling(places: Places) -> None:
    project(places, ".pisces/extensions/_rules.py", "WORD = 2\n")


def a_nearer_package(places: Places) -> None:
    project(places, ".pisces/extensions/_rules/__init__.py", "WORD = 2\n")


def a_link_in_its_place(places: Places) -> None:
    path = Path(places.cwd, ".pisces/extensions/setup.py")
    shutil.copy(path, Path(places.home, "setup.py"))
    path.unlink()
    path.symlink_to(Path(places.home, "setup.py"))


@pytest.mark.parametrize(
    "change",
    [
        other_content,
        other_content_of_the_same_size_and_time,
        another_sibling,
        a_nearer_package,
        a_link_in_its_place,
    ],
)
def test_a_module_that_changed_does_not_run(places: Places, change: Callable[[Places], None]) -> None:
    project(places, ".pisces/extensions/setup.py", f"from . import _rules\n{MODULE}")
    project(places, ".pisces/extensions/_rules.py", "WORD = 1\n")
    trust = agreed(places)
    assert states(places, trust)["setup"] == "runs"
    change(places)
    assert states(places, trust)["setup"] == "not trusted"


def test_a_link_is_covered_with_what_it_leads_to_and_with_where_it_leads(places: Places) -> None:
    for name in ("one", "two"):
        written(Path(places.home, f"{name}.py"), MODULE)
    link = Path(places.cwd, ".pisces/extensions/setup.py")
    link.parent.mkdir(parents=True)
    link.symlink_to(Path(places.home, "one.py"))
    trust = agreed(places)
    assert states(places, trust) == {"setup": "runs"}
    link.unlink()
    link.symlink_to(Path(places.home, "two.py"))
    assert states(places, trust) == {"setup": "not trusted"}
    link.unlink()
    link.symlink_to(Path(places.home, "one.py"))
    written(Path(places.home, "one.py"), "evil = 1\n")
    assert states(places, trust) == {"setup": "not trusted"}


def test_a_module_in_a_folder_of_its_own_is_covered_with_every_file_in_it(places: Places) -> None:
    project(places, ".pisces/extensions/tool/__init__.py")
    project(places, ".pisces/extensions/tool/data/words.txt", "one")
    trust = agreed(places)
    assert states(places, trust) == {"tool": "runs"}
    project(places, ".pisces/extensions/tool/data/words.txt", "two")
    assert states(places, trust) == {"tool": "not trusted"}
    project(places, ".pisces/extensions/tool/data/words.txt", "one")
    assert states(places, trust) == {"tool": "runs"}
    project(places, ".pisces/extensions/tool/late.py", "")
    assert states(places, trust) == {"tool": "not trusted"}


def test_bytecode_beside_a_module_is_never_loaded_and_so_needs_no_question(places: Places) -> None:
    """Tests and editors write it. `tests/modules/test_trusted_bytes.py` shows that it is not loaded."""
    project(places, ".pisces/extensions/tool/__init__.py")
    trust = agreed(places)
    project(places, ".pisces/extensions/tool/__pycache__/__init__.cpython-311.pyc", "x")
    assert states(places, trust) == {"tool": "runs"}
    project(places, ".pisces/extensions/tool/late.pyc", "x")
    assert states(places, trust) == {"tool": "not trusted"}


def test_a_module_of_thousands_of_files_is_covered_and_stored_in_short(places: Places) -> None:
    project(places, ".pisces/extensions/tool/__init__.py")
    for number in range(2_100):
        last = project(places, f".pisces/extensions/tool/data/{number}.txt", "one")
    trust = remember_trust(places, lambda _: agreed(places))
    assert Path(places.agent_dir, "trusted.json").stat().st_size < 1_000
    assert states(places, trust_in(places)) == {"tool": "runs"}
    last.write_text("two")
    assert states(places, trust) == {"tool": "not trusted"}


def test_a_file_that_moved_is_another_one(places: Places) -> None:
    both_sides(places)
    trust = agreed(places)
    folder = Path(places.cwd, ".pisces/extensions")
    (folder / "setup.py").rename(folder / "Setup.py")
    assert states(places, trust)["Setup"] == "not trusted"


def test_a_folder_that_another_repository_replaced_is_not_trusted(places: Places, tmp_path: Path) -> None:
    both_sides(places)
    trust = agreed(places)
    shutil.rmtree(places.cwd)
    project(places, ".pisces/extensions/setup.py", "evil = 1\n")
    assert states(places, trust)["setup"] == "not trusted"
    assert trust.knows(places.cwd)
    assert not trust.knows(str(tmp_path / "shop-of-horrors"))


def test_a_folder_below_a_trusted_one_is_another_workspace(places: Places) -> None:
    both_sides(places)
    project(places, "below/.pisces/extensions/inner.py")
    trust = agreed(places)
    below = places.replace(cwd=os.path.join(places.cwd, "below"))
    assert states(below, trust)["inner"] == "not trusted"
    assert states(below, trust.including_for_this_run(places.cwd))["inner"] == "not trusted"


def test_a_workspace_is_the_folder_behind_a_link(places: Places, tmp_path: Path) -> None:
    both_sides(places)
    link = tmp_path / "link"
    link.symlink_to(places.cwd)
    assert agreed(places).knows(str(link))
    assert states(places.replace(cwd=str(link)), agreed(places))["setup"] == "runs"


@pytest.mark.parametrize("name", ["gate.ts", "gate.mjs"])
@pytest.mark.parametrize(
    "imports",
    [
        'import { word } from "./lib/words.js";',
        'export * from "./lib/words";',
        'const { word } = require("./lib/words");',
        'const word = await import("./lib/words.ts");',
        "const word = await import(`./lib/${name}.ts`);",
        'import word from "zod";',
        'import word from "zod/deep";',
        'import word from "@acme/zod";',
    ],
)
def test_what_a_script_imports_is_covered(places: Places, name: str, imports: str) -> None:
    project(places, f".pisces/extensions/{name}", f"{imports}\nexport default () => {{}};\n")
    reached = project(places, ".pisces/extensions/lib/words.ts", "export const word = 1;\n")
    if "zod" in imports:
        package = "@acme/zod" if "@acme" in imports else "zod"
        project(places, f"node_modules/{package}/package.json", {"name": package, "dependencies": {"deep": "1"}})
        project(places, f"node_modules/{package}/index.js", "")
        reached = project(places, "node_modules/deep/index.js", "export const word = 1;\n")
    trust = agreed(places)
    assert states(places, trust) == {"gate": "runs"}
    project(places, "src/index.ts", "// somebody works on the project\n")
    project(places, "node_modules/other/index.js", "// and installs something\n")
    assert states(places, trust) == {"gate": "runs"}
    reached.write_text("export const word = 2;\n")
    assert states(places, trust) == {"gate": "not trusted"}


def test_a_package_that_was_put_nearer_to_a_script_is_noticed(places: Places) -> None:
    project(places, ".pisces/extensions/gate.ts", 'import "zod";\nexport default () => {};\n')
    project(places, "node_modules/zod/index.js", "")
    trust = agreed(places)
    project(places, ".pisces/node_modules/zod/index.js", "")
    assert states(places, trust) == {"gate": "not trusted"}


def test_an_alias_that_leads_elsewhere_is_noticed(places: Places) -> None:
    project(places, ".pisces/extensions/gate.ts", 'import "zod";\nexport default () => {};\n')
    project(places, "node_modules/zod/index.js", "")
    trust = agreed(places)
    project(places, "evil.ts", "")
    project(places, "tsconfig.json", {"compilerOptions": {"paths": {"zod": ["./evil.ts"]}}})
    assert states(places, trust) == {"gate": "not trusted"}


def test_a_folder_that_a_script_imports_is_covered_whole(places: Places) -> None:
    project(places, ".pisces/extensions/gate.ts", 'import "../lib";\nexport default () => {};\n')
    project(places, ".pisces/lib/package.json", {"main": "deep/main.js"})
    main = project(places, ".pisces/lib/deep/main.js", "1")
    trust = agreed(places)
    assert states(places, trust) == {"gate": "runs"}
    main.write_text("2")
    assert states(places, trust) == {"gate": "not trusted"}


def test_packages_of_a_modules_own_folder_are_covered_whole(places: Places) -> None:
    project(places, ".pisces/extensions/tool/index.ts", "export default () => {};\n")
    late = project(places, ".pisces/extensions/tool/node_modules/any/late.js", "1")
    trust = agreed(places)
    assert states(places, trust) == {"tool": "runs"}
    late.write_text("2")
    assert states(places, trust) == {"tool": "not trusted"}


def test_a_switch_that_a_project_adds_later_does_not_turn_off_what_the_user_has(places: Places) -> None:
    both_sides(places)
    trust = agreed(places)
    project(places, ".pisces/settings.json", {"disabledExtensions": ["extension-module:own"]})
    assert states(places, trust)["own"] == "runs"
    assert states(places, Trust())["own"] == "runs"
    assert states(places, agreed(places))["own"] == "disabled"
    told = admitted(module_entries(places), Trust(), places).diagnostics
    assert [each.about for each in told if each.code == "workspace-not-trusted"] == ["", "own"]


def test_what_is_named_for_this_run_needs_no_trust(places: Places) -> None:
    both_sides(places)
    found = admitted(module_entries(places, [".pisces/extensions/setup.py"]), Trust(), places)
    assert [entry.name for entry in found.running] == ["setup", "own"]
    assert not found.diagnostics


# Hooks and servers


def hook(places: Places, line: str, path: str = ".claude/settings.json") -> HookRequest:
    return HookRequest(line, "SessionStart", os.path.join(places.cwd, path), "project", places.cwd)


def is_allowed(places: Places, request: HookRequest | ServerRequest, trust: Trust) -> bool:
    return judge_now(request, (trust_gate(trust, places),)).verdict.is_allowed


@pytest.mark.parametrize(
    "line",
    [
        "python3 tools/check.py",
        'python3 "$CLAUDE_PROJECT_DIR"/tools/check.py --fast',
        "python3 -m tools.check",
        "bash -c 'python3 tools/check.py'",
        "python3 tools/start.py",
        "tools/start.sh",
        "env X=1 python3 ./tools/check.py",
        "cd tools; python3 check.py",
        "(cd tools && exec python3 check.py)",
        "make -C tools check",
        "FILE=tools/check.py; python3 $FILE",
        "${CLAUDE_PLUGIN_ROOT}/tools/check.py",
        "python3 tools",
        "/usr/bin/env python3 tools/check.py",
    ],
)
def test_a_hook_is_covered_with_the_scripts_that_it_starts(places: Places, line: str) -> None:
    check = project(places, "tools/check.py", "print(1)\n")
    project(places, "tools/Makefile", "check:\n\tpython3 check.py\n")
    project(places, "tools/__main__.py", "import check\n")
    project(places, ".claude/settings.json", {})
    project(places, "tools/start.py", "import check\n")
    project(places, "tools/start.sh", "python3 $(dirname $0)/check.py\n")
    request = hook(places, line)
    assert not is_allowed(places, request, Trust())
    trust = Trust().including(places.cwd, [covered_line("hook", "SessionStart", line, request.path, places)])
    assert is_allowed(places, request, trust)
    check.write_text("print(2)\n")
    assert not is_allowed(places, request, trust)


@pytest.mark.parametrize(
    ("line", "script", "text", "named"),
    [
        ("sh tools/start.sh", "tools/start.sh", ". ./lib/x.sh", "lib/x.sh"),
        ("./start.sh", "start.sh", "sh scripts/run.sh", "scripts/run.sh"),
        ("sh tools/start.sh", "tools/start.sh", 'python3 "$(dirname "$0")/../py/a.py"', "py/a.py"),
        ("sh .claude/a.sh", ".claude/a.sh", 'node "${CLAUDE_PROJECT_DIR}/tools/b.mjs" --x', "tools/b.mjs"),
        ("sh .claude/a.sh", ".claude/a.sh", "exec $CLAUDE_PROJECT_DIR/tools/b.rb", "tools/b.rb"),
        ("python3 start.py", "start.py", "import subprocess; subprocess.run(['sh', 'helper.sh'])", "helper.sh"),
        ("node start.js", "start.js", "require('child_process').execFile('./lib/run.sh')", "lib/run.sh"),
        ("npm start --prefix srv", "srv/package.json", '{"scripts": {"start": "node a.js"}}', "srv/a.js"),
        ("npx eslint", "package.json", "{}", "node_modules/.bin/eslint"),
    ],
)
def test_a_script_that_a_script_starts_is_covered(
    places: Places, line: str, script: str, text: str, named: str
) -> None:
    project(places, ".claude/settings.json", "{}")
    project(places, script, f"{text}\n")
    project(places, named, "echo one\n")
    request = hook(places, line)
    before = covered_request(request, places)
    project(places, named, "echo two\n")
    assert covered_request(request, places) != before


# Each row: the line, what is there when it is trusted, and what comes or changes afterwards and would run.
ADDED_LATER: list[tuple[str, dict[str, str], dict[str, str]]] = [
    ("python3 -m a.b", {"a/b.py": "1"}, {"a/__init__.py": "evil"}),
    ("python3 -m a.b.c", {"a/b/c.py": "1"}, {"a/b/__init__.py": "evil"}),
    ("python3 -m pytest", {}, {"conftest.py": "evil"}),
    ("node x", {"x.js": "1"}, {"x.js": "evil"}),
    ("node -r ./pre x.js", {"pre.js": "1", "x.js": ""}, {"pre.js": "evil"}),
    ("bun x.ts", {"x.ts": "1"}, {"bunfig.toml": "preload = ['evil']"}),
    ("npm run x", {"package.json": "{}"}, {".npmrc": "script-shell=evil"}),
    ("yarn x", {".yarnrc.yml": "yarnPath: .yarn/y.cjs", ".yarn/y.cjs": "1"}, {".yarn/y.cjs": "evil"}),
    ("make check", {"Makefile": "1"}, {"GNUmakefile": "evil"}),
    ("task x", {"Taskfile.yml": "1"}, {"Taskfile.dist.yml": "evil"}),
    ("unheard-of x", {}, {"unheard-of.config.mjs": "evil"}),
    ("unheard-of x", {}, {".unheard-ofrc": "evil"}),
    ("rake x", {"Rakefile": "1"}, {"Rakefile": "evil"}),
    ("./gradlew x", {"gradlew": "1", "build.gradle.kts": "1"}, {"build.gradle.kts": "evil"}),
    ("cargo run", {"Cargo.toml": "1", "src/main.rs": "1"}, {"src/main.rs": "evil"}),
    ("go run ./cmd/x", {"cmd/x/main.go": "1"}, {"cmd/x/b.go": "evil"}),
    ("direnv exec . x", {".envrc": "1"}, {".envrc": "evil"}),
    ("ruby x.rb", {"x.rb": "require_relative 'lib/y'", "lib/y.rb": "1"}, {"lib/y.rb": "evil"}),
    ("perl x.pl", {"x.pl": "use lib 'lib'; use Foo;", "lib/Foo.pm": "1"}, {"lib/Foo.pm": "evil"}),
    ("php x.php", {"x.php": "require 'y.inc';", "y.inc": "1"}, {"y.inc": "evil"}),
    ("lua x.lua", {"x.lua": "require 'a.y'", "a/y.lua": "1"}, {"a/y.lua": "evil"}),
    ("bash x", {"x": "source lib", "lib": "1"}, {"lib": "evil"}),
    ("bash x.sh", {"x.sh": "for f in hooks.d/*; do . $f; done", "hooks.d/a": "1"}, {"hooks.d/b": "evil"}),
    ("python3 x.py", {"x.py": "run(['.tools/a.sh'])", ".tools/a.sh": "1"}, {".tools/a.sh": "evil"}),
    ("for f in hooks.d/*; do ./$f; done", {"hooks.d/a": "1"}, {"hooks.d/b": "evil"}),
    ("sh {a,b}.sh", {"a.sh": "1"}, {"b.sh": "evil"}),
    ("run-parts hooks.d", {"hooks.d/a": "1"}, {"hooks.d/b": "evil"}),
    ('PATH="$PWD/bin:$PATH" git status', {"bin/x": "1"}, {"bin/git": "evil"}),
    ("PYTHONPATH=lib python3 x.py", {"x.py": "import foo", "lib/foo.py": "1"}, {"lib/foo.py": "evil"}),
    ("java -cp lib Main", {"lib/Main.class": "1"}, {"lib/Main.class": "evil"}),
    ("java @args", {"args": "1"}, {"args": "evil"}),
    ("cargo run", {"Cargo.toml": "1", "src/main.rs": "1", ".x/e.rs": "1"}, {".x/e.rs": "evil"}),
    ("npx tsx x.ts", {"x.ts": "1"}, {"tsconfig.json": "evil"}),
    ("ansible-playbook x.yml", {"x.yml": "1"}, {"ansible.cfg": "evil"}),
    ("husky", {".husky/pre-commit": "1"}, {".husky/pre-commit": "evil"}),
    ("lefthook run x", {"lefthook.yml": "1"}, {"lefthook-local.yml": "evil"}),
    ("nx run x", {"nx.json": "1"}, {"project.json": "evil"}),
    ("turbo run x", {"turbo.json": "1"}, {"package.json": "evil"}),
    ("zig build", {"build.zig": "1"}, {"build.zig": "evil"}),
    ("bazel run //x", {"BUILD": "1"}, {"BUILD": "evil"}),
]


@pytest.mark.parametrize(("line", "files", "later"), ADDED_LATER)
def test_what_a_line_would_run_later_is_asked_about(
    places: Places, line: str, files: dict[str, str], later: dict[str, str]
) -> None:
    for path, text in {".claude/settings.json": "{}", **files}.items():
        project(places, path, text)
    request = hook(places, line)
    trust = Trust().including(places.cwd, [covered_request(request, places)])
    assert is_allowed(places, request, trust)
    for path, text in later.items():
        project(places, path, text)
    assert not is_allowed(places, request, trust)


def test_a_folder_for_programs_that_the_settings_name_is_covered(places: Places) -> None:
    project(places, ".mcp.json", {"mcpServers": {"a": {"command": "tool", "env": {"PATH": "./bin:/usr/bin"}}}})
    project(places, "bin/other", "1")
    request = ServerRequest("tool", "a", os.path.join(places.cwd, ".mcp.json"), "project", places.cwd)
    trust = Trust().including(places.cwd, [covered_request(request, places)])
    project(places, "bin/tool", "evil")
    assert not is_allowed(places, request, trust)


@pytest.mark.parametrize(
    "line", ["ruff check src", "eslint 'src/**/*.ts'", "cargo fmt", "go vet ./...", "prettier -w src/*.ts"]
)
def test_work_on_sources_that_a_line_only_reads_asks_nothing(places: Places, line: str) -> None:
    project(places, "src/a.ts", "1")
    project(places, "src/main.rs", "1")
    project(places, "src/a.go", "1")
    request = hook(places, line)
    trust = Trust().including(places.cwd, [covered_request(request, places)])
    for name in ("a.ts", "main.rs", "a.go", "new.ts", "new.py"):
        project(places, f"src/{name}", "2")
    project(places, "yarn.lock", "2")
    assert is_allowed(places, request, trust)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no run bit")
@pytest.mark.parametrize("line", ["tools/x", "sh start.sh", "PATH=tools:$PATH x"])
def test_a_file_that_becomes_a_program_is_asked_about(places: Places, line: str) -> None:
    project(places, "start.sh", "tools/x\n")
    program = project(places, "tools/x", "#!/bin/sh\n")
    project(places, "tools/x.sh", "1")
    request = hook(places, line)
    trust = Trust().including(places.cwd, [covered_request(request, places)])
    program.chmod(0o755)
    assert not is_allowed(places, request, trust)


def test_a_hook_is_covered_with_the_whole_file_that_configures_it(places: Places) -> None:
    """Variables, folders and conditions are beside the line."""
    config = {"mcpServers": {"shop": {"command": "node", "args": ["server.js"], "cwd": "tools"}}}
    path = project(places, ".mcp.json", config)
    server = project(places, "tools/server.js", "1")
    request = ServerRequest("node server.js", "shop", str(path), "project", places.cwd)
    trust = Trust().including(places.cwd, [covered_line("server", "shop", "node server.js", str(path), places)])
    assert is_allowed(places, request, trust)
    server.write_text("2")
    assert not is_allowed(places, request, trust)
    server.write_text("1")
    config["mcpServers"]["shop"]["env"] = {"NODE_OPTIONS": "--require ./evil.js"}  # type: ignore[assignment]
    written(path, config)
    assert not is_allowed(places, request, trust)


def test_bytecode_that_python_would_run_instead_of_a_hooks_script_is_covered(places: Places) -> None:
    project(places, "tools/start.py", "import check\n")
    project(places, "tools/check.py", "print(1)\n")
    request = hook(places, "python3 tools/start.py")
    trust = Trust().including(places.cwd, [covered_request(request, places)])
    assert is_allowed(places, request, trust)
    project(places, "tools/__pycache__/check.cpython-311.pyc", "evil")
    assert not is_allowed(places, request, trust)


def test_another_line_another_file_and_another_event_are_other_hooks(places: Places) -> None:
    request = hook(places, "echo hello")
    trust = Trust().including(places.cwd, [covered_line("hook", "SessionStart", "echo hello", request.path, places)])
    assert is_allowed(places, request, trust)
    assert not is_allowed(places, request.replace(exact="echo evil"), trust)
    assert not is_allowed(places, request.replace(event="Stop"), trust)
    assert not is_allowed(places, hook(places, "echo hello", ".claude/settings.local.json"), trust)
    assert not is_allowed(places, ServerRequest("echo hello", "SessionStart", request.path, "project"), trust)
    assert is_allowed(places, request.replace(level="user"), Trust())


def test_a_server_that_a_runner_starts_is_covered_with_the_runners_file(places: Places) -> None:
    project(places, "package.json", {"scripts": {"mcp": "node server.js"}})
    path = os.path.join(places.cwd, ".mcp.json")
    request = ServerRequest("npm run mcp", "shop", path, "project", places.cwd)
    trust = Trust().including(places.cwd, [covered_line("server", "shop", "npm run mcp", path, places)])
    assert is_allowed(places, request, trust)
    project(places, "package.json", {"scripts": {"mcp": "node evil.js"}})
    assert not is_allowed(places, request, trust)


# What is stored


def test_decisions_are_kept_for_the_user_alone(places: Places) -> None:
    both_sides(places)
    trust = remember_trust(places, lambda _: agreed(places))
    path = Path(places.agent_dir, "trusted.json")
    assert trust_in(places) == trust == agreed(places)
    assert os.name == "nt" or stat.S_IMODE(path.stat().st_mode) == 0o600
    remember_trust(places, lambda trust: trust.without(places.cwd))
    assert trust_in(places) == Trust()


def test_decisions_made_at_the_same_time_are_all_kept(places: Places, tmp_path: Path) -> None:
    folders = [str(tmp_path / f"project-{number}") for number in range(8)]
    code = "import sys; from pisces.__main__ import main; sys.exit(main())"
    env = {**os.environ, "HOME": places.home, "USERPROFILE": places.home}
    for folder in folders:
        written(Path(folder, ".pisces/extensions/setup.py"), MODULE)
    running = [subprocess.Popen([sys.executable, "-c", code, "trust", "--yes", each], env=env) for each in folders]
    assert [process.wait(60) for process in running] == [0] * len(folders)
    assert set(trust_in(places).folders) == {os.path.normcase(os.path.realpath(folder)) for folder in folders}


def test_a_decision_that_cannot_be_kept_is_said(places: Places) -> None:
    os.makedirs(os.path.join(places.agent_dir, "trusted.json"))
    both_sides(places)
    with pytest.raises(PiscesError) as raised:
        remember_trust(places, lambda _: agreed(places))
    assert raised.value.diagnostic.code == "trust-file"
    assert trust_in(places) == Trust()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "[]",
        "\0",
        '{"folders": "/"}',
        '{"folders": ["/"]}',
        '{"version": 2, "folders": ["/"]}',
        '{"version": 3, "folders": {"/": {}}}',
        '{"version": 2, "folders": {"relative": {}}}',
    ],
)
def test_a_list_that_is_broken_or_old_trusts_nothing(places: Places, text: str) -> None:
    written(Path(places.agent_dir, "trusted.json"), text)
    assert trust_in(places) == Trust()


def test_an_old_list_counts_as_not_asked(places: Places) -> None:
    both_sides(places)
    written(Path(places.agent_dir, "trusted.json"), {"folders": [places.cwd, "/"]})
    assert states(places, trust_in(places))["setup"] == "not trusted"


def test_what_is_not_a_folder_cannot_be_trusted(places: Places) -> None:
    project(places, "setup.py")
    for path in ("setup.py", "gone"):
        with pytest.raises(PiscesError) as raised:
            folder_to_trust(places, path)
        assert raised.value.diagnostic.code == "trust-folder"


def test_a_project_cannot_bring_its_own_trust(places: Places) -> None:
    both_sides(places)
    remember_trust(places, lambda _: agreed(places))
    stored = json.loads(Path(places.agent_dir, "trusted.json").read_text())
    remember_trust(places, lambda trust: trust.without(places.cwd))
    for folder in (".pisces", ".pisces/agent"):
        project(places, f"{folder}/trusted.json", stored)
    assert states(places, trust_in(places))["setup"] == "not trusted"
