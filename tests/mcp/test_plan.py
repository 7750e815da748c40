"""A server is given what its entry names and what it may have, and nothing else: seen from inside, by a real one."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pisces.diagnostics import Diagnostic
from pisces.discovery.capabilities import MCP_SERVERS
from pisces.discovery.found import Found, Source
from pisces.discovery.registry import discover
from pisces.mcp.model_keys import is_model_key
from pisces.mcp.plan import ServerPlan
from pisces.mcp.plan_program import NotStarted, check_batch, found_on_path
from pisces.mcp.planned import plan_of
from pisces.packages.settings.settings import settings_of
from pisces.packages.settings.values import Values
from pisces.places import Places
from pisces.shapes.mcp_server import McpServer
from pisces.shapes.package import Package
from tests.packages.test_install import World

SPEAKER = str(Path(__file__).parent / "servers" / "plan_speaker.py")
SECRETS = {
    "ANTHROPIC_API_KEY": "sk-ant",
    "OPENAI_API_KEY": "sk-oai",
    "GEMINI_API_KEY": "sk-gem",
    "GITHUB_TOKEN": "gh-secret",
    "AWS_SECRET_ACCESS_KEY": "aws-secret",
    "MY_INNOCENT": "private",
    "LD_PRELOAD": "/nowhere.so",
    "NODE_OPTIONS": "--require /nowhere.js",
}


@pytest.fixture
def places(tmp_path: Path) -> Places:
    for name in ("home/.pisces/agent", "home/.gemini/extensions/box", "work/.git"):
        (tmp_path / name).mkdir(parents=True)
    env = {
        "PATH": f"relative:.::{Path(sys.executable).parent}:/usr/bin:/bin",
        "HOME": str(tmp_path / "home"),
        **SECRETS,
    }
    return Places(str(tmp_path / "home"), str(tmp_path / "work"), env)


def own(places: Places, **config: object) -> None:
    path = Path(places.home, ".pisces", "agent", "mcp.json")
    path.write_text(json.dumps({"mcpServers": {"shop": {"command": sys.executable, "args": [SPEAKER], **config}}}))


def project(places: Places, **config: object) -> None:
    entry = {"command": sys.executable, "args": [SPEAKER], **config}
    Path(places.cwd, ".mcp.json").write_text(json.dumps({"mcpServers": {"shop": entry}}))


def packaged(places: Places, settings: object = None, **config: object) -> None:
    entry = {"command": sys.executable, "args": [SPEAKER], **config}
    manifest = {"name": "box", "version": "1.0.0", "mcpServers": {"shop": entry}, "settings": settings or []}
    Path(places.home, ".gemini", "extensions", "box", "gemini-extension.json").write_text(json.dumps(manifest))


WRITERS = {"own": own, "project": project, "package": packaged}


def planned(places: Places) -> ServerPlan | Diagnostic:
    (found,) = discover(MCP_SERVERS, places).items
    return plan_of(found, places)


def plan_here(places: Places) -> ServerPlan:
    plan = planned(places)
    assert isinstance(plan, ServerPlan), plan
    return plan


def seen_by_server(places: Places) -> dict[str, Any]:
    """What the server says that it got."""
    plan = plan_here(places)
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "whoami"}}) + "\n"
    done = subprocess.run(
        plan.argv, cwd=plan.cwd, env=dict(plan.env), input=asked, capture_output=True, text=True, timeout=30
    )
    answer: dict[str, Any] = json.loads(json.loads(done.stdout)["result"]["content"][0]["text"])
    return answer


@pytest.mark.parametrize("who", WRITERS)
def test_a_server_sees_nothing_of_the_users_environment_that_its_entry_does_not_name(places: Places, who: str) -> None:
    WRITERS[who](places)
    env = seen_by_server(places)["env"]
    assert not set(SECRETS) & set(env)
    assert not [value for value in env.values() if value in SECRETS.values()]
    assert "relative" not in env["PATH"]


@pytest.mark.parametrize("who", WRITERS)
def test_a_server_gets_a_variable_that_its_entry_names(places: Places, who: str) -> None:
    WRITERS[who](places, env={"TOKEN": "${GITHUB_TOKEN}"})
    env = seen_by_server(places)["env"]
    assert (env["TOKEN"], "GITHUB_TOKEN" in env) == ("gh-secret", False)
    assert {"TOKEN", "GITHUB_TOKEN"} <= set(plan_here(places).request.env)


@pytest.mark.parametrize("key", ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"])
@pytest.mark.parametrize("who", WRITERS)
def test_only_the_users_own_entry_gets_a_model_key_by_naming_it(places: Places, who: str, key: str) -> None:
    WRITERS[who](places, args=[SPEAKER, f"${{{key}}}"], env={"KEY": f"x${{{key}}}", key: f"${{{key}}}"})
    plan = plan_here(places)
    seen = json.dumps(seen_by_server(places))
    assert (SECRETS[key] in seen) is (who == "own")
    assert ("server-model-key" in {each.code for each in plan.diagnostics}) is (who != "own")
    assert SECRETS[key] not in repr(plan.request)


def test_a_default_does_not_fetch_a_model_key(places: Places) -> None:
    packaged(places, args=[SPEAKER, "${NOPE:-$ANTHROPIC_API_KEY}", "${NOPE:-${ANTHROPIC_API_KEY}}"])
    assert "sk-ant" not in json.dumps(seen_by_server(places))


@pytest.mark.parametrize("name", ["NODE_OPTIONS", "LD_PRELOAD", "PATH", "PYTHONPATH", "HOME", "BASH_ENV", "Path"])
@pytest.mark.parametrize("who", ["project", "package"])
def test_a_package_or_project_cannot_set_what_changes_how_programs_start(places: Places, who: str, name: str) -> None:
    WRITERS[who](places, env={name: "/evil"})
    plan = plan_here(places)
    assert "/evil" not in plan.env.values()
    assert "server-env-blocked" in {each.code for each in plan.diagnostics}


def test_the_users_own_entry_may_set_it(places: Places) -> None:
    own(places, env={"PYTHONPATH": "/mine", "PATH": "relative:/mine"})
    plan = plan_here(places)
    assert (plan.env["PYTHONPATH"], plan.env["PATH"]) == ("/mine", "/mine")


def test_settings_of_a_package_are_the_environment_of_its_servers(tmp_path: Path) -> None:
    """Those that it declares, and the values that were stored for this very package."""
    world = World(tmp_path)
    source = world.package("box")
    settings = [
        {"name": "Key", "envVar": "OPENAI_API_KEY", "sensitive": True},
        {"name": "Region", "envVar": "BOX_REGION"},
    ]
    server = {"command": sys.executable, "args": [SPEAKER, "${BOX_REGION}"], "env": {"K": "${OPENAI_API_KEY}"}}
    manifest = {"name": "box", "version": "1.0.0", "settings": settings, "mcpServers": {"shop": server}}
    (source / "gemini-extension.json").write_text(json.dumps(manifest))
    world.install(source)
    places = world.places.replace(env={**world.env, "OPENAI_API_KEY": "sk-host", "BOX_OTHER": "no"})
    declared = settings_of(Package("box", str(source), manifest, "gemini"))[0]
    Values("box", places).write(
        declared,
        {
            "OPENAI_API_KEY": "sk-box",
            "BOX_REGION": "eu",
        },
    )
    seen = seen_by_server(places)
    assert (seen["argv"], seen["env"]["K"], seen["env"]["OPENAI_API_KEY"]) == (["eu"], "sk-box", "sk-box")
    assert "sk-host" not in json.dumps(seen)
    request = plan_here(places).request
    assert "sk-box" not in repr(request)
    assert {"OPENAI_API_KEY", "BOX_REGION", "K"} <= set(request.env)


def test_another_folder_of_that_name_gets_no_stored_value(tmp_path: Path) -> None:
    world = World(tmp_path)
    source = world.package("box")
    manifest = {"name": "box", "version": "1.0.0", "settings": [{"name": "Key", "envVar": "BOX_KEY"}]}
    (source / "gemini-extension.json").write_text(json.dumps(manifest))
    world.install(source)
    Values("box", world.places).write(settings_of(Package("box", str(source), manifest, "gemini"))[0], {"BOX_KEY": "k"})
    thief = Path(world.places.cwd, "thief")
    thief.mkdir()
    (thief / "gemini-extension.json").write_text(json.dumps(manifest))
    server = McpServer("shop", {"command": "server", "args": ["${BOX_KEY}"]}, str(thief / "gemini-extension.json"), ())
    found = Found(server, Source("gemini", "", server.path, "user"), "box", None, str(thief), "gemini")
    plan = plan_of(found, world.places)
    assert isinstance(plan, ServerPlan)
    assert plan.argv[-1] == "${BOX_KEY}"


@pytest.mark.parametrize("command", ["../evil", "./link", "sub/../../evil"])
@pytest.mark.parametrize("who", ["project", "package"])
def test_a_relative_command_stays_inside_after_links(places: Places, who: str, command: str) -> None:
    room = Path(places.cwd) if who == "project" else Path(places.home, ".gemini", "extensions", "box")
    (room / "sub").mkdir()
    evil = room.parent / "evil"
    evil.write_text("#!/bin/sh\n")
    (room / "link").symlink_to(evil)
    WRITERS[who](places, command=command, args=[])
    plan = planned(places)
    assert isinstance(plan, Diagnostic)
    assert plan.code == "server-outside"


def test_a_relative_command_of_a_package_is_the_packages_own(places: Places) -> None:
    """Started in a workspace, `./run` would otherwise be the workspace's file."""
    packaged(places, command="./run", args=[])
    Path(places.cwd, "run").write_text("evil")
    assert plan_here(places).argv == (f"{places.home}/.gemini/extensions/box/run",)


@pytest.mark.parametrize("argv", [["node", "server.js"], ["python3", "-u", "server.js"], ["bash", "./server.js"]])
def test_a_package_is_not_made_to_run_a_script_of_the_workspace(places: Places, argv: list[str]) -> None:
    packaged(places, command=argv[0], args=argv[1:])
    assert plan_here(places).argv == tuple(argv)
    Path(places.cwd, "server.js").write_text("evil()")
    plan = planned(places)
    assert isinstance(plan, Diagnostic)
    assert plan.code == "server-outside"


def test_a_folder_of_the_package_reached_by_its_variable_stays_inside(places: Places) -> None:
    packaged(places, command="${extensionPath}/../../../evil", args=[])
    assert isinstance(planned(places), Diagnostic)


@pytest.mark.parametrize("path", ["~/.ssh/id", "../../home/.ssh/id", "link"])
def test_a_project_does_not_read_files_of_the_user_into_its_entry(places: Places, path: str) -> None:
    secret = Path(places.home, ".ssh", "id")
    secret.parent.mkdir()
    secret.write_text("PRIVATE=key")
    Path(places.cwd, "link").symlink_to(secret)
    entry = {"type": "remote", "url": "https://a.example", "headers": {"X": f"{{file:{path}}}"}}
    Path(places.cwd, "opencode.json").write_text(json.dumps({"mcp": {"shop": entry}}))
    plan = plan_here(places)
    assert "PRIVATE" not in repr(plan)
    assert {each.code for each in plan.diagnostics} == {"server-file"}
    Path(places.cwd, "opencode.json").unlink()
    Path(places.cwd, ".vscode").mkdir()
    entry = {"command": "server", "envFile": str(secret)}
    Path(places.cwd, ".vscode", "mcp.json").write_text(json.dumps({"servers": {"shop": entry}}))
    candidates = [each.found for each in discover(MCP_SERVERS, places).all]
    plan_of_editor = plan_of(candidates[0], places)
    assert isinstance(plan_of_editor, ServerPlan)
    assert "PRIVATE" not in plan_of_editor.env
    assert "server-env-file" in {each.code for each in plan_of_editor.diagnostics}


def test_a_header_cannot_begin_another_one(places: Places) -> None:
    places = places.replace(env={**places.env, "MY_INNOCENT": "a\r\nX-Evil: 1"})
    headers = {"X": "${MY_INNOCENT}", "Y": "fine", "Z\nQ": "1"}
    own(places, command=None, args=None, url="https://a.example", type="http", headers=headers)
    assert plan_here(places).headers == {"Y": "fine"}


def test_what_is_filled_in_is_not_filled_in_again(places: Places) -> None:
    places = places.replace(env={**places.env, "MY_INNOCENT": "${GITHUB_TOKEN}"})
    for who in WRITERS.values():
        who(places, args=[SPEAKER, "${MY_INNOCENT}"])
        assert plan_here(places).argv[-1] == "${GITHUB_TOKEN}"
        for name in (".mcp.json",):
            Path(places.cwd, name).unlink(missing_ok=True)
        Path(places.home, ".pisces", "agent", "mcp.json").unlink(missing_ok=True)


def test_an_address_is_shown_without_its_secrets(places: Places) -> None:
    own(places, command=None, args=None, type="http", url="https://u:pw@a.example/x?api_key=${GITHUB_TOKEN}&token=lit")
    plan = plan_here(places)
    assert "gh-secret" in plan.url
    assert not [each for each in ("gh-secret", "pw", "lit") if each in plan.exact]


def test_a_secret_in_a_command_line_is_not_shown(places: Places) -> None:
    own(places, args=[SPEAKER, "--token", "lit-1", "--api-key=lit-2", "--level", "info"])
    plan = plan_here(places)
    assert plan.argv[2:] == ("--token", "lit-1", "--api-key=lit-2", "--level", "info")
    assert "lit-" not in plan.exact + repr(plan.request.argv)
    assert plan.exact.endswith("--level info")


def test_a_long_line_of_variables_is_read_in_linear_time(places: Places) -> None:
    began = time.process_time()
    for text in ("${" * 200_000, "${a" * 100_000 + "}", "{env:" * 100_000, "$" * 300_000, "${{" * 100_000):
        for name in ("own", "project"):
            WRITERS[name](places, env={"A": text})
        for found in (each.found for each in discover(MCP_SERVERS, places).all):
            plan_of(found, places)
    assert time.process_time() - began < 20


@pytest.mark.parametrize("config", [
    {"args": [1, None, {"a": 1}]}, {"env": {"A": 1, "B": None, "C": True, "D": [1]}}, {"env": [1]}, {"cwd": 7},
    {"headers": "x"}, {"timeout": "soon"}, {"includeTools": "all"}, {"command": ["a", 1]}, {"oauth": True},
    {"command": "a\0b"}, {"env": {"A=B": "1", "": "2", "N": "a\0"}}, {"args": "x"},
])  # fmt: skip
@pytest.mark.parametrize("harness", ["own", "project", "package"])
def test_odd_values_never_raise(places: Places, harness: str, config: dict[str, Any]) -> None:
    WRITERS[harness](places, **config)
    plan = planned(places)
    if isinstance(plan, ServerPlan):
        assert all(isinstance(each, str) for each in (*plan.argv, *plan.env, *plan.env.values()))
        assert not [name for name in plan.env if not name or "=" in name]
        assert "\0" not in "".join(plan.env.values())
        assert plan.request.exact


def test_windows_finds_the_program_with_its_ending(tmp_path: Path) -> None:
    program = tmp_path / "npx"
    program.write_text("")
    program.chmod(0o755)
    assert found_on_path("npx", {"PATH": str(tmp_path)}) == str(program)
    assert found_on_path("nothing", {"PATH": str(tmp_path)}) == "nothing"


@pytest.mark.parametrize("word", ['a"&calc', "%PATH%", "a|b", "a\nb", "^"])
def test_a_batch_file_gets_no_word_that_its_shell_would_read(word: str) -> None:
    check_batch("C:\\node\\npx.CMD", ["-y", "@acme/server@1.2.3", "--path", "C:\\My files"])
    check_batch("/usr/bin/npx", [word])
    with pytest.raises(NotStarted):
        check_batch("C:\\node\\npx.cmd", ["-y", word])


@pytest.mark.parametrize("name", ["ANTHROPIC_API_KEY", "openai_api_key", "OPENAI_ADMIN_KEY", "CLAUDE_CODE_OAUTH_TOKEN"])
def test_keys_for_models_are_known_by_name(name: str) -> None:
    assert is_model_key(name)


@pytest.mark.parametrize("name", ["GITHUB_TOKEN", "STRIPE_API_KEY", "API_KEY", "CONTEXT7_API_KEY", "_API_KEY", ""])
def test_keys_for_other_things_are_not(name: str) -> None:
    assert not is_model_key(name)
