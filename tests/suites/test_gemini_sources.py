"""google-gemini/gemini-cli: what its own unit tests plant, and how many of it they expect to load.

Each case is planted in a throwaway home and listed as its user would list it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.suites.javascript_data import Unknown, calls, cases, constants, value_of
from tests.suites.shelved import repository
from tests.warm_shell import pisces

SOURCES = "packages"
EXPLAINED = {
    "should handle empty name or description": "a skill without a name cannot be called; we call it invalid",
    "does not load when folder is not trusted": "the test takes the trust away by a call, not by a file",
    "truncates excessively long filenames": "the test computes the name of its file",
    "should prefer hook name over command for identification": "the test switches the hook off by a call",
    "should use command as identifier when name is missing": "the test switches the hook off by a call",
}


def planted_skills(body: str, home: Path) -> int | None:
    root = home / ".gemini" / "skills"
    known = constants(body, {"testRootDir": str(root)})
    for path, text in calls(body, "writeFile", known):
        place = Path(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    return _expected(body, r"expect\(skills\)") if root.is_dir() else None


def planted_agents(body: str, home: Path) -> int | None:
    texts = [*calls(body, "writeAgentMarkdown", {})]
    if len(texts) != 1:
        return None
    _write(home / ".gemini" / "agents" / (texts[0][1] if len(texts[0]) > 1 else "test.md"), texts[0][0])
    return 0 if "rejects.toThrow" in body else _expected(body, r"expect\(result(?:\.agents)?\)")


def planted_policies(body: str, home: Path) -> int | None:
    texts = [*calls(body, "runLoadPoliciesFromToml", {})]
    if len(texts) != 1:
        return None
    _write(home / ".gemini" / "policies" / "test.toml", texts[0][0])
    return _expected(body, r"expect\(result\.rules\)")


def planted_commands(body: str, home: Path) -> int | None:
    known = constants(body, {"userCommandsDir": str(home / ".gemini" / "commands")})
    trees = [*calls(body, "mock", known)]
    if len(trees) != 1 or not isinstance(trees[0][0], dict) or "projectRoot" in body:
        return None
    _tree(Path("/"), trees[0][0])
    return _expected(body, r"expect\(commands\)")


def planted_hooks(body: str, home: Path) -> int | None:
    found = re.search(r"const \w*[hH]ooksConfig = ", body)
    if not found or "getExtensions" in body or "isabled" in body:
        return None
    value, _end = value_of(body, found.end(), {})
    _write(home / ".gemini" / "settings.json", json.dumps({"hooks": value}))
    return (
        0 if "mockReturnValue(false)" in body else _expected(body, r"expect\((?:hooks|hookRegistry.getAllHooks\(\))\)")
    )


SUITES: dict[str, tuple[str, Callable[[str, Path], int | None]]] = {
    "skills": ("core/src/skills/skillLoader.test.ts", planted_skills),
    "subagents": ("core/src/agents/agentLoader.test.ts", planted_agents),
    "policies": ("core/src/policy/toml-loader.test.ts", planted_policies),
    "commands": ("cli/src/services/FileCommandLoader.test.ts", planted_commands),
    "hooks": ("core/src/hooks/hookRegistry.test.ts", planted_hooks),
}


@pytest.mark.parametrize("kind", SUITES)
def test_its_own_cases_load_as_it_expects(kind: str, tmp_path: Path) -> None:
    file, plant = SUITES[kind]
    found = cases((repository("google-gemini/gemini-cli") / SOURCES / file).read_text("utf-8"))
    read, wrong = 0, []
    for number, (title, body) in enumerate(found):
        home = tmp_path / str(number)
        home.mkdir()
        try:
            theirs = plant(body, home)
        except Unknown:
            continue
        if theirs is not None:
            read += 1
            ours = _active(kind, home)
            if len(ours) != theirs and title not in EXPLAINED:
                wrong.append(f"{title}: they load {theirs}, we {ours}")
    print(f"{read - len(wrong)} of {read} agree or are explained, {len(found) - read} of {len(found)} are no data")
    assert read
    assert not wrong, "\n".join(wrong)


def _active(kind: str, home: Path) -> list[str]:
    untrusted = home / "project"
    untrusted.mkdir(exist_ok=True)
    env = {"HOME": str(home), "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    ran = pisces("list", "--all", "--harness", "gemini", "--output-format", "json", cwd=untrusted, env=env)
    items = json.loads(ran.stdout)["items"]
    kinds = {"subagents": ("subagents", "local", "remote"), "policies": ("policies", "rule")}.get(kind, (kind,))
    return [item["name"] for item in items if item["kind"] in kinds and item["state"] == "active"]


def _expected(body: str, what: str) -> int | None:
    found = re.findall(rf"{what}\s*\.toHaveLength\((\d+)\)", body)
    return int(found[-1]) if found else None


def _tree(folder: Path, tree: dict[str, object]) -> None:
    for name, value in tree.items():
        if isinstance(value, dict):
            _tree(folder / name, value)
        else:
            _write(folder / name, str(value))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
