"""The manifest of a converted package, its servers and settings, and the files that come along."""

from __future__ import annotations

from typing import Any

import pytest

from pisces.converting.plugin import (
    PluginCommand,
    PluginContext,
    PluginFile,
    PluginHook,
    PluginRest,
    PluginServer,
    PluginSetting,
)
from pisces.converting.prompt_text import plain
from pisces.harnesses.gemini.writing.servers import ROOT_VARIABLE
from tests.converting.gemini_output import DEMO, Output, output_of


def with_server(name: Any = "docs", **fields: Any) -> Output:
    return output_of(DEMO.replace(servers=(PluginServer(name, ".mcp.json", fields),), files=(PluginFile("bin/run"),)))


@pytest.mark.parametrize(("name", "expected"), [("My Plugin_2.0", "my-plugin-2-0"), ("日本", "extension"), ("x", "x")])
def test_the_name_has_letters_digits_and_dashes(name: str, expected: str) -> None:
    made = output_of(DEMO.replace(name=name))
    assert made.manifest["name"] == expected
    assert made.codes() == ([] if name == expected else [("changed-meaning", "name")])


@pytest.mark.parametrize(
    ("version", "expected"), [("1.2.3", "1.2.3"), ("2.0.0-rc.1", "2.0.0-rc.1"), ("1.2", "1.2.0"), ("v3", "3.0.0")]
)
def test_a_version_has_three_numbers(version: str, expected: str) -> None:
    assert output_of(DEMO.replace(version=version)).manifest["version"] == expected


def test_without_a_version_it_changes_with_the_content_only() -> None:
    bare = DEMO.replace(version="")
    version = output_of(bare).manifest["version"]
    assert version.startswith("0.0.0+")
    assert output_of(bare).manifest["version"] == version
    assert output_of(bare.replace(files=(PluginFile("a"),))).manifest["version"] != version
    assert output_of(DEMO.replace(version="latest")).manifest["version"].startswith("0.0.0+")


def test_what_a_manifest_has_no_place_for_is_reported() -> None:
    rest = (PluginRest("go", ".lsp.json", sort="language server", keys=("lspServers", "go")),)
    made = output_of(DEMO.replace(fields={"name": "demo", "author": {"name": "A"}, "lspServers": {}}, rest=rest))
    assert made.codes() == [("lost-component", ""), ("lost-field", "author")]


def test_transports_are_those_of_gemini_cli() -> None:
    assert with_server(type="http", url="https://x/mcp").manifest["mcpServers"]["docs"] == {
        "url": "https://x/mcp",
        "type": "http",
    }
    assert with_server(type="sse", url="https://x").manifest["mcpServers"]["docs"]["type"] == "sse"
    assert with_server(type="streamable-http", url="https://x").manifest["mcpServers"]["docs"]["type"] == "http"
    stdio = {"command": "npx", "args": ["-y", "docs"], "env": {"A": "b"}}
    assert with_server(type="stdio", **stdio).manifest["mcpServers"]["docs"] == stdio


@pytest.mark.parametrize(
    "fields",
    [
        *({"type": "ws", "url": "wss://x"}, {"type": "sdk"}, {}, {"type": "http"}, {"command": 1}, {"url": None}),
        *({"command": "x", "args": "y"}, {"command": "x", "env": {"A": 1}}, {"type": {}}, {"url": "x", "headers": []}),
    ],
)
def test_a_server_that_cannot_be_reached_is_an_error_and_not_written(fields: dict[str, Any]) -> None:
    made = with_server(**fields)
    assert "mcpServers" not in made.manifest
    assert made.codes()[0][0] == "lost-server"
    assert made.losses[0].severity == "error"


def test_every_key_that_gemini_cli_does_not_read_is_reported() -> None:
    made = with_server(command="x", note="n", headersHelper="y", oauth={"clientId": "c", "callbackPort": 1})
    assert made.manifest["mcpServers"]["docs"] == {"command": "x", "oauth": {"enabled": True, "clientId": "c"}}
    assert made.codes() == [("lost-field", key) for key in ("headersHelper", "note", "oauth.callbackPort")]


def test_a_program_of_the_package_starts_in_its_folder() -> None:
    entry = with_server(command="./bin/run").manifest["mcpServers"]["docs"]
    assert entry == {"command": "./bin/run", "cwd": "${extensionPath}", "env": {ROOT_VARIABLE: "${extensionPath}"}}
    assert "cwd" not in with_server(command="./elsewhere").manifest["mcpServers"]["docs"]


def test_settings_are_asked_for_and_what_they_cannot_say_is_reported() -> None:
    fields = {"type": "string", "title": "API key", "default": "x", "sensitive": True}
    setting = PluginSetting(
        "path", "plugin.json", fields, {}, "API key", "", "CLAUDE_PLUGIN_OPTION_PATH", sensitive=True
    )
    made = output_of(DEMO.replace(settings=(setting,)))
    assert made.manifest["settings"] == [
        {"name": "API key", "description": "API key", "envVar": "DEMO_PATH", "sensitive": True}
    ]
    assert made.codes() == [("lost-field", "default"), ("lost-field", "type")]


def test_loose_servers_come_back_as_values_and_there_is_no_manifest() -> None:
    plugin = DEMO.replace(servers=(PluginServer("a_b", ".mcp.json", {"command": "x"}),))
    made = output_of(plugin, root="/h/files", home="/h")
    assert made.paths == []
    assert made.written.servers == {"a-b": {"command": "x"}}


def test_context_is_the_file_that_gemini_cli_reads() -> None:
    made = output_of(DEMO.replace(contexts=(PluginContext("rules", "RULES.md", prompt=plain("Be kind.")),)))
    assert made.text("GEMINI.md") == "Be kind."


def test_other_files_come_along_but_nothing_that_loads_by_itself() -> None:
    files = (
        *("scripts/run.sh", "GEMINI.md", "gemini-extension.json", "hooks/hooks.json", "hooks/guard.py", ".env"),
        *("agents/stray.md", "agents/x/y.md", "commands/a.toml", "commands/old.md", "policies/p.toml", "README.md"),
        *(
            "skills/SKILL.md",
            "skills/x/SKILL.md",
            "skills/x/data.txt",
            ".github/ci.yml",
            ".data/used.json",
            ".mcp.json",
        ),
    )
    hook = PluginHook("PreToolUse", "hooks/hooks.json", {"command": "cat ${CLAUDE_PLUGIN_ROOT}/.data/used.json"})
    command = PluginCommand("old", "commands/old.md", {}, {}, "Old", "", plain("x"))
    plugin = DEMO.replace(files=tuple(map(PluginFile, files)), hooks=(hook,), commands=(command,))
    copied = [each.path for each in output_of(plugin).written.files if each.data is None]
    wanted = [".data/used.json", "README.md", "agents/x/y.md", "hooks/guard.py", "scripts/run.sh", "skills/x/data.txt"]
    assert copied == wanted


def test_a_program_stays_one() -> None:
    made = output_of(DEMO.replace(files=(PluginFile("run.sh", 1, is_executable=True),)))
    assert [each.is_executable for each in made.written.files if each.path == "run.sh"] == [True]
