"""Extension modules: which files of a folder would be run, by name and language, and in which order."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from time import process_time

import pytest

from pisces.discovery.harness import Harness, Look, project_then_user
from pisces.discovery.options import Modules
from tests.discovery.world import World

NATIVE = Harness(
    "native",
    "pisces",
    100,
    {"modules": lambda: project_then_user(Modules(), "extensions")},
    user_dir="~/.pisces/agent",
    project_dir=".pisces",
)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, NATIVE)


def _modules(world: World, files: Mapping[str, str | object]) -> list[tuple[str, str]]:
    """Name and file of every module that these files in the project make."""
    for path, text in files.items():
        world.project(f".pisces/extensions/{path}", text)
    shown = (world.shown(each.item.path).removeprefix(".pisces/extensions/") for each in world.found("modules").items)
    return list(zip(world.names("modules"), shown, strict=True))


def test_files_count_and_are_named_by_their_stem(world: World) -> None:
    files = {"b.js": "", "a.ts": "", "c.py": "", "d.mts": "", "e.mjs": "", "notes.md": "", "f.cjs": ""}
    assert _modules(world, files) == [("c", "c.py"), ("a", "a.ts"), ("d", "d.mts"), ("b", "b.js"), ("e", "e.mjs")]


def test_a_module_says_its_language(world: World) -> None:
    _modules(world, {"a.py": "", "b.ts": "", "c.mjs": ""})
    assert [each.item.language for each in world.found("modules").items] == ["python", "typescript", "javascript"]


@pytest.mark.parametrize("index", ["index.py", "__init__.py", "index.ts", "index.js"])
def test_a_folder_with_an_index_is_a_module_of_its_name(world: World, index: str) -> None:
    assert _modules(world, {f"audit/{index}": "", "audit/more.ts": ""}) == [("audit", f"audit/{index}")]


def test_python_speaks_before_typescript_before_javascript(world: World) -> None:
    files = {"a/index.js": "", "a/index.ts": "", "b/index.ts": "", "b/__init__.py": "", "c.ts": "", "c.py": ""}
    assert _modules(world, files) == [("c", "c.py"), ("a", "a/index.ts"), ("b", "b/__init__.py")]


def test_nothing_below_one_level_counts(world: World) -> None:
    assert _modules(world, {"a/b/index.ts": "", "a/b.ts": ""}) == []


def test_hidden_names_dependencies_and_declarations_do_not_count(world: World) -> None:
    files = {".a.ts": "", ".b/index.ts": "", "node_modules/index.js": "", "c.d.ts": "", "__init__.py": ""}
    assert _modules(world, files) == []


@pytest.mark.parametrize("key", ["pisces", "omp", "pi"])
def test_package_json_declares_entries_in_place_of_an_index(world: World, key: str) -> None:
    files = {"p/package.json": {key: {"extensions": ["./src/a.ts", "src/b.js"]}}, "p/index.ts": ""}
    assert _modules(world, {**files, "p/src/a.ts": "", "p/src/b.js": ""}) == [("a", "p/src/a.ts"), ("b", "p/src/b.js")]


def test_pyproject_declares_entries_too_and_first(world: World) -> None:
    files = {
        "p/pyproject.toml": '[tool.pisces]\nextensions = ["main.py"]',
        "p/package.json": {"pi": {"extensions": ["x.ts"]}},
        "p/main.py": "",
        "p/x.ts": "",
    }
    assert _modules(world, files) == [("main", "p/main.py")]


def test_an_own_key_without_entries_hides_those_of_others(world: World) -> None:
    files = {"p/package.json": {"omp": {}, "pi": {"extensions": ["x.ts"]}}, "p/x.ts": "", "p/index.ts": ""}
    assert _modules(world, files) == [("p", "p/index.ts")]


def test_a_declared_folder_stands_for_its_index(world: World) -> None:
    files = {"p/package.json": {"pi": {"extensions": ["./src"]}}, "p/src/index.ts": ""}
    assert _modules(world, files) == [("src", "p/src/index.ts")]


def test_entries_may_be_patterns_and_exceptions(world: World) -> None:
    files = {"p/package.json": {"pi": {"extensions": ["./x/*.ts", "!x/old.ts"]}}, "p/x/a.ts": "", "p/x/old.ts": ""}
    assert _modules(world, files) == [("a", "p/x/a.ts")]


FOLDERS = ("one.ts", "one.test.ts", "README.md", "kit/index.ts", "kit/lib.ts", "kit/test/kit.test.ts", "deep/er/x.ts")


@pytest.mark.parametrize(
    ("listed", "found"),
    [
        (["./e/*"], ["kit/index.ts", "one.test.ts", "one.ts"]),
        (["./e/*", "!**/*.test.ts"], ["kit/index.ts", "one.ts"]),
        (["./e/*", "!*.test.ts"], ["kit/index.ts", "one.ts"]),
        (["e/*/index.ts"], ["kit/index.ts"]),
        (["**/*.ts", "!**/*.test.ts", "!**/lib.ts"], ["deep/er/x.ts", "kit/index.ts", "one.ts"]),
        (["e/**/*.ts", "!e/kit/**", "+e/kit/lib.ts", "-e/one.ts"], ["deep/er/x.ts", "kit/lib.ts", "one.test.ts"]),
        (["e/{one,kit/index}.ts"], []),  # without a star or a question mark it is a plain path
        (["e/{one,kit/inde?}.ts"], ["kit/index.ts", "one.ts"]),
    ],
)
def test_patterns_reach_over_folders_and_exceptions_take_away(
    world: World, listed: list[str], found: list[str]
) -> None:
    files = {"p/package.json": {"pi": {"extensions": listed}}, **{f"p/e/{name}": "" for name in FOLDERS}}
    assert sorted(path for _, path in _modules(world, files)) == [f"p/e/{name}" for name in found]


@pytest.mark.parametrize(
    "hostile",
    [
        "**/" * 40 + "*a*a*a*a*a*a*b",
        "../" * 5000 + "*.ts",
        "{a,b}" * 60 + "*",
        "*" * 5000,
        "[" * 3000 + "*",
        "{" * 3000 + "?",
    ],
)
def test_a_hostile_pattern_takes_no_time(world: World, hostile: str) -> None:
    names = {f"p/{'a' * 40}/{'a' * 40}{number}.ts": "" for number in range(30)}
    listed = [hostile, f"!{hostile}", "a*/*0.ts"]
    began = process_time()
    assert _modules(world, {"p/package.json": {"pi": {"extensions": listed}}, **names}) or hostile.startswith("*")
    assert process_time() - began < 5


def test_a_declared_entry_that_is_missing_is_reported_and_the_index_stands_in(world: World) -> None:
    files = {"p/package.json": {"pisces": {"extensions": ["./dist/a.js"]}}, "p/index.ts": ""}
    assert _modules(world, files) == [("p", "p/index.ts")]
    problem = world.problem("modules", "module-entry")
    assert (problem.about, problem.line) == ("p", 4)
    assert "./dist/a.js" in problem.message


def test_a_broken_manifest_is_reported_and_the_index_stands_in(world: World) -> None:
    assert _modules(world, {"p/package.json": '{"pi": }', "p/index.js": ""}) == [("p", "p/index.js")]
    assert world.problem("modules", "module-manifest").about == "p"


def test_a_declaring_folder_comes_before_one_with_an_index(world: World) -> None:
    files = {"z/package.json": {"pi": {"extensions": ["one.ts"]}}, "z/one.ts": "", "a/index.ts": "", "m.js": ""}
    assert [name for name, _ in _modules(world, files)] == ["m", "one", "a"]


def test_the_project_comes_before_the_user(world: World) -> None:
    world.user(".pisces/agent/extensions/a.py")
    world.user(".pisces/agent/extensions/own.py")
    assert [name for name, _ in _modules(world, {"a.ts": ""})] == ["a", "own"]
    assert world.paths("modules", every=True)[1] == "~/.pisces/agent/extensions/a.py"


def test_odd_entries_never_raise(world: World) -> None:
    odd = [None, 3, "", "\0", "../..", "a\nb", "*", {"x": 1}]
    assert _modules(world, {"p/package.json": {"pi": {"extensions": odd}}, "q.ts": ""})[0] == ("q", "q.ts")
    assert set(world.codes("modules")) == {"module-entry"}


def test_what_git_ignores_does_not_count_where_that_is_asked(tmp_path: Path) -> None:
    looks = (Look(Modules(gitignore=True), "project:extensions"),)
    world = World(tmp_path, NATIVE.replace(looks={"modules": lambda: looks}))
    world.project(".gitignore", "draft.*\nold/\n*.js\n.pisces/\n")
    files = {"draft.py": "", "old/index.ts": "", "both/index.js": "", "both/index.ts": "", "kept.py": ""}
    declared = {"p/package.json": {"pi": {"extensions": ["dist/built.js"]}}, "p/dist/built.js": ""}
    assert [name for name, _ in _modules(world, {**files, **declared})] == ["kept", "built", "both"]


def test_only_what_is_declared_counts_where_that_is_asked(tmp_path: Path) -> None:
    looks = (Look(Modules(declared=True), "project:extensions"),)
    world = World(tmp_path, NATIVE.replace(looks={"modules": lambda: looks}))
    files = {
        "pyproject.toml": '[tool.pisces]\nextensions = ["main.py"]',
        "main.py": "",
        "index.py": "",
        "a/index.py": "",
    }
    assert _modules(world, files) == [("main", "main.py")]


def test_a_folder_that_is_a_module_itself_says_what_is_wrong_with_its_entries(tmp_path: Path) -> None:
    world = World(
        tmp_path, NATIVE.replace(looks={"modules": lambda: (Look(Modules(root=True), "project:extensions"),)})
    )
    assert _modules(world, {"package.json": {"pi": {"extensions": ["gone.ts"]}}, "a.ts": ""}) == [("a", "a.ts")]
    assert world.codes("modules") == ["module-entry"]


def test_an_entry_that_is_the_folder_itself_means_its_index(world: World) -> None:
    files = {"p/package.json": {"pi": {"extensions": [""]}}, "p/index.ts": "", "p/other.ts": ""}
    assert _modules(world, files) == [("p", "p/index.ts")]


def test_a_module_knows_its_own_folder(world: World) -> None:
    _modules(
        world, {"a.py": "", "b/index.py": "", "c/package.json": {"pi": {"extensions": ["x/y.ts"]}}, "c/x/y.ts": ""}
    )
    folders = {each.item.name: world.shown(each.item.folder) for each in world.found("modules").items}
    assert folders == {"a": "", "y": ".pisces/extensions/c", "b": ".pisces/extensions/b"}


def test_links_count_as_what_they_lead_to(world: World) -> None:
    target = world.user("elsewhere/index.ts")
    (world.project(".pisces/extensions/a.ts").parent / "linked").symlink_to(target.parent)
    (world.repository / ".pisces/extensions/nowhere.ts").symlink_to(world.home / "missing")
    assert world.names("modules") == ["a", "linked"]
