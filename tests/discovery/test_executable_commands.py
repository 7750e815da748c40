"""Programs as commands: what a manifest says of them, every misfit with its place, and never at a neighbour's cost."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from pisces.checking.check import check
from pisces.diagnostics import Diagnostic
from pisces.discovery.capabilities import COMMANDS
from pisces.discovery.inventory import Inventory, inventory
from pisces.discovery.package_format import format_named
from pisces.discovery.registry import Switches, discover
from pisces.packages.card import card_of
from pisces.packages.store.tree import tree_of
from pisces.places import Places
from pisces.shapes.command import Command
from pisces.shapes.executable import Executable
from pisces.shapes.platform_names import this_platform
from pisces.ui.inspection import inspection

TOOL = {"type": "executable", "binary": "${extensionPath}/bin/tool"}
KEY = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"


def package(folder: Path, commands: object, **fields: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    manifest = {"name": "kit", "version": "1.0.0", "description": "A kit", "commands": commands, **fields}
    (folder / "gemini-extension.json").write_text(json.dumps(manifest, indent=2), "utf-8")
    return folder


def script(path: Path, text: str = "#!/bin/sh\necho hello\n", mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, newline="")
    path.chmod(mode)
    return path


def told(folder: Path) -> Inventory:
    return inventory(str(folder), format_named("gemini"), Places(str(folder.parent / "home"), str(folder.parent)))


def commands(folder: Path) -> list[Command]:
    return [found.item for found in told(folder).found["commands"]]


def problems(folder: Path) -> list[Diagnostic]:
    return list(told(folder).diagnostics)


def flaws(folder: Path, **fields: Any) -> list[str]:
    """What is said about a tool with these fields."""
    return [each.message for each in problems(package(folder, {"tool": {**TOOL, **fields}}))]


def checked(folder: Path) -> list[Diagnostic]:
    return list(check([str(folder)], Places(str(folder.parent / "home"), str(folder.parent))).diagnostics)


def test_an_entry_with_every_key_becomes_a_command(tmp_path: Path) -> None:
    entry = {
        **TOOL,
        "description": "Shows the gallery",
        "argumentHint": "list | show NAME",
        "subcommands": ["list", "show"],
        "requireConfirm": True,
        "env": {"MODE": "quick", "ROOT": "${extensionPath}${/}data"},
        "timeout": 2.5,
        "worker": True,
        "context": "on request",
        "publisher": "acme",
        "key": KEY,
        "sandbox": True,
    }
    folder = package(tmp_path / "kit", {"gallery": entry})
    (command,) = commands(folder)
    assert command == Command(
        name="gallery",
        final_name="gallery",
        description="Shows the gallery",
        path=str(folder / "gemini-extension.json"),
        dialect="executable",
        fields=entry,
        keys=("commands", "gallery"),
        argument_hint="list | show NAME",
        executable=Executable(
            binary="${extensionPath}/bin/tool",
            package=str(folder),
            subcommands=("list", "show"),
            require_confirm=True,
            env={"MODE": "quick", "ROOT": os.path.join(str(folder), "data")},
            timeout=2.5,
            worker=True,
            context="on request",
            publisher="acme",
            key=KEY,
            sandbox=True,
        ),
    )
    assert problems(folder) == []


def test_two_keys_are_enough(tmp_path: Path) -> None:
    folder = package(tmp_path / "kit", {"tool": TOOL})
    (command,) = commands(folder)
    assert command.description == "Execute tool"
    assert command.executable == Executable("${extensionPath}/bin/tool", str(folder))


def test_nothing_in_the_template_is_filled_in_while_it_is_found(tmp_path: Path) -> None:
    binary = "${extensionPath}${/}$HOME${/}${platform}${/}${arch}"
    (command,) = commands(package(tmp_path / "${arch}", {"tool": {**TOOL, "binary": binary}}))
    assert command.executable
    assert command.executable.binary == binary


def test_one_bad_entry_does_not_hide_its_neighbours(tmp_path: Path) -> None:
    entries = {"first": TOOL, "odd": 5, "broken": {**TOOL, "env": []}, "other": {"type": "prompt"}, "last": TOOL}
    folder = package(tmp_path / "kit", entries)
    assert [command.name for command in commands(folder)] == ["first", "last"]
    assert [(each.code, each.about) for each in problems(folder)] == [
        ("executable-field", "odd"),
        ("executable-field", "broken"),
        ("executable-type", "other"),
    ]


def test_every_misfit_of_an_entry_is_told_with_its_line(tmp_path: Path) -> None:
    entry = {
        "type": "executable",
        "binary": 5,
        "subcommands": ["list", "two words", 7],
        "requireConfirm": "yes",
        "env": {"PORT": 8080, "a-b": "x"},
        "timeout": -1,
        "context": "sometimes",
    }
    folder = package(tmp_path / "kit", {"tool": entry})
    assert commands(folder) == []
    text = (folder / "gemini-extension.json").read_text().splitlines()
    assert [(each.message, text[each.line - 1].strip().rstrip(",")) for each in problems(folder)] == [
        ("`binary` must be text, not a number", '"binary": 5'),
        ("`subcommands.1` must be one word of letters, digits, `_`, `-` and `.`", '"two words"'),
        ("`subcommands.2` must be text, not a number", "7"),
        ("`requireConfirm` must be true or false, not text", '"requireConfirm": "yes"'),
        ("`env.PORT` must be text, not a number", '"PORT": 8080'),
        ("`timeout` must be more than 0 seconds and at most a week", '"timeout": -1'),
        ("`context` must be one of `none`, `on request`, `append`", '"context": "sometimes"'),
        ("`a-b` cannot be the name of a variable", '"a-b": "x"'),
    ]
    assert all(each.column > 1 for each in problems(folder))


@pytest.mark.parametrize("value", [[], ["commands/a.toml"], "commands", 5, True])
def test_commands_that_are_no_object_are_told_unless_empty(value: object, tmp_path: Path) -> None:
    folder = package(tmp_path / "kit", value)
    assert commands(folder) == []
    assert [each.code for each in problems(folder)] == (["executable-commands"] if value else [])


@pytest.mark.parametrize("kind", [None, "binary", "Executable", 1, ["executable"]])
def test_only_one_type_is_known(kind: object, tmp_path: Path) -> None:
    folder = package(tmp_path / "kit", {"tool": {**TOOL, "type": kind}})
    assert commands(folder) == []
    (problem,) = problems(folder)
    assert (problem.code, problem.hint) == ("executable-type", 'write `"type": "executable"`')


@pytest.mark.parametrize(
    "binary",
    [
        *("/bin/sh", "${/}bin${/}sh", "\\bin\\sh", "C:\\tool.exe", "c:tool.exe", "~/tool", "\\\\host\\share\\tool"),
        *(
            "../tool",
            "bin/../../tool",
            "bin\\..\\..\\tool",
            "${extensionPath}/../tool",
            "bin/..",
            "${extensionPath}${/}..",
        ),
        *(
            "",
            "  ",
            "${extensionPath}",
            "${extensionPath}/",
            "${extensionPath}-other/tool",
            "bin/${extensionPath}/tool",
        ),
        *("bin/to\0ol", "bin/tool\n", "bin/\ud800", "${extensionPath}//etc/passwd"),
    ],
)
def test_a_binary_that_does_not_lie_in_the_package_is_refused(binary: str, tmp_path: Path) -> None:
    folder = package(tmp_path / "kit", {"tool": {**TOOL, "binary": binary}})
    assert commands(folder) == []
    (problem,) = problems(folder)
    assert problem.code == "executable-binary"
    assert problem.line
    assert problem.hint


@pytest.mark.parametrize(
    "binary", ["tool", "./tool", "bin/my tool", "bin/..tool", "bin/a..b", "${extensionPath}/bin/tool"]
)
def test_a_binary_below_the_package_is_fine(binary: str, tmp_path: Path) -> None:
    assert flaws(tmp_path / "kit", binary=binary) == []


@pytest.mark.parametrize(
    ("variable", "hint"),
    [
        ("os", "write `${platform}`"),
        ("Platform", "write `${platform}`"),
        ("pathSeparator", "write `${/}`"),
        ("CLAUDE_PLUGIN_ROOT", "write `${extensionPath}`"),
        ("workspacePath", "there are `${extensionPath}`, `${platform}`, `${arch}`, `${/}`"),
    ],
)
def test_a_variable_that_is_not_filled_in_is_told_with_the_right_one(variable: str, hint: str, tmp_path: Path) -> None:
    folder = package(tmp_path / "kit", {"tool": {**TOOL, "binary": f"bin/${{{variable}}}/tool"}})
    assert commands(folder) == []
    (problem,) = problems(folder)
    assert (problem.code, problem.hint) == ("executable-variable", hint)


def test_variables_that_change_how_programs_start_are_left_away(tmp_path: Path) -> None:
    env = {"PATH": "/evil", "LD_PRELOAD": "x.so", "NODE_OPTIONS": "--require x", "node_options": "x", "MODE": "fine"}
    folder = package(tmp_path / "kit", {"tool": {**TOOL, "env": env}})
    (command,) = commands(folder)
    assert command.executable
    assert command.executable.env == {"MODE": "fine"}
    assert [each.code for each in problems(folder)] == ["executable-env"] * 4


@pytest.mark.parametrize("name", ["my tool", "", "a/b", "tool\n", "a:", ":a", "a::b", "\u202etool", "größe"])
def test_a_name_that_cannot_be_typed_is_refused(name: str, tmp_path: Path) -> None:
    folder = package(tmp_path / "kit", {name: TOOL, "good": TOOL})
    assert [command.name for command in commands(folder)] == ["good"]
    assert [each.code for each in problems(folder)] == ["executable-name"]


def test_a_key_must_look_like_one_of_minisign(tmp_path: Path) -> None:
    assert flaws(tmp_path / "kit", key=KEY) == []
    assert flaws(tmp_path / "kit", key="untrusted comment: x\n" + KEY) != []


def test_a_worker_has_no_terminal(tmp_path: Path) -> None:
    assert flaws(tmp_path / "kit", worker=True, interactive=True) == [
        "a program cannot be `interactive` and a `worker` at once"
    ]


def test_a_program_gives_way_and_nothing_changes_its_name_for_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".gemini" / "commands").mkdir(parents=True)
    (home / ".gemini" / "commands" / "tool.toml").write_text('prompt = "mine"')
    kit = package(home / ".gemini" / "extensions" / "kit", {"tool": TOOL, "help": TOOL, "free": TOOL, "deploy": TOOL})
    (kit / "commands").mkdir()
    (kit / "commands" / "deploy.toml").write_text('prompt = "Deploy"')
    only = Switches(only_harnesses=frozenset({"gemini"}))
    found = discover(COMMANDS, Places(str(home), str(tmp_path)), only)
    names = [(each.item.final_name, bool(each.item.executable)) for each in found.items]
    assert names == [
        ("tool", False),
        ("deploy", False),
        ("kit:tool", True),
        ("kit:help", True),
        ("free", True),
        ("kit:deploy", True),
    ]


def test_inspect_tells_programs_from_prompts(tmp_path: Path) -> None:
    folder = package(tmp_path / "kit", {"tool": {**TOOL, "env": {"TOKEN": "secret"}, "subcommands": ["list"]}})
    (folder / "commands").mkdir()
    (folder / "commands" / "fix.toml").write_text('prompt = "Fix it"')
    fix, tool = inspection(told(folder), ["gemini"])["commands"]
    assert "executable" not in fix
    assert tool["file"] == "gemini-extension.json"
    assert tool["executable"]["binary"] == "${extensionPath}/bin/tool"
    assert tool["executable"]["subcommands"] == ["list"]
    assert tool["executable"]["env"] == ["TOKEN"]
    assert "secret" not in json.dumps(tool)


def test_the_consent_card_names_the_programs(tmp_path: Path) -> None:
    entries = {
        "tool": {**TOOL, "requireConfirm": True, "worker": True, "env": {"MODE": "x"}},
        "shell": {"type": "executable", "binary": "${extensionPath}${/}bin/${platform}/sh", "interactive": True},
    }
    folder = package(tmp_path / "kit", entries)
    card = card_of(told(folder), tree_of(str(folder)), "here")
    assert card.of_kind("executable") == [
        "/shell: bin/${platform}/sh (takes over the terminal)",
        "/tool: bin/tool (asks each time, stays running)",
    ]
    assert card.of_kind("env") == ["MODE (set for /tool)"]
    assert card.of_kind("command") == []


def test_a_manifest_with_thousands_of_bad_entries_is_read_in_no_time(tmp_path: Path) -> None:
    folder = package(tmp_path / "kit", {f"tool{number}": {"type": "x"} for number in range(20_000)})
    start = time.process_time()
    assert len(problems(folder)) == 20_000
    assert time.process_time() - start < 5


# check


def test_check_is_content_with_a_script_that_runs(tmp_path: Path) -> None:
    folder = package(tmp_path / "kit", {"tool": {**TOOL, "binary": "${extensionPath}/bin/${platform}/${arch}/tool"}})
    here = this_platform()
    script(folder / "bin" / here.platform / here.arch / ("tool.exe" if os.name == "nt" else "tool"))
    assert checked(folder) == []


def test_check_says_for_which_platforms_a_program_is_there(tmp_path: Path) -> None:
    folder = package(tmp_path / "kit", {"tool": {**TOOL, "binary": "bin/${platform}/${arch}/tool"}})
    script(folder / "bin" / "sunos" / "x64" / "tool")
    script(folder / "bin" / "win32" / "ia32" / "tool.exe")
    (problem,) = checked(folder)
    assert problem.code == "executable-missing"
    assert problem.hint == "it is there for sunos/x64, win32/ia32"
    assert problem.message == f"`bin/{this_platform()}/tool` does not exist"
    assert problem.line


@pytest.mark.skipif(os.name == "nt", reason="there are no run bits")
def test_check_says_when_the_run_bit_is_gone(tmp_path: Path) -> None:
    folder = package(tmp_path / "kit", {"tool": TOOL})
    script(folder / "bin" / "tool", mode=0o644)
    (problem,) = checked(folder)
    assert problem.code == "executable-not-runnable"
    assert "chmod +x bin/tool" in problem.hint


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_check_says_when_a_link_leads_out_of_the_package(tmp_path: Path) -> None:
    folder = package(tmp_path / "kit", {"tool": TOOL})
    (folder / "bin").mkdir()
    (folder / "bin" / "tool").symlink_to(script(tmp_path / "elsewhere" / "tool"))
    (problem,) = checked(folder)
    assert problem.code == "executable-outside"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("echo hello\n", "executable-format"),
        ("", "executable-format"),
        ("#!\n", "executable-format"),
        ("\ufeff#!/bin/sh\n", "executable-format"),
        ("#!/bin/sh\r\necho\r\n", "executable-line-ends"),
    ],
)
def test_check_reads_how_a_script_begins(text: str, code: str, tmp_path: Path) -> None:
    folder = package(tmp_path / "kit", {"tool": TOOL})
    script(folder / "bin" / "tool", text)
    assert [each.code for each in checked(folder)] == [code]


def test_check_tells_of_keys_and_words_that_do_nothing(tmp_path: Path) -> None:
    entry = {**TOOL, "requireConfirmation": True, "subcommands": ["list", "show", "list"]}
    folder = package(tmp_path / "kit", {"tool": entry})
    script(folder / "bin" / "tool")
    key, twice = checked(folder)
    assert (key.code, key.hint) == ("executable-key", "")
    assert twice.code == "executable-subcommand-twice"
    misspelled = package(tmp_path / "kit", {"tool": {**TOOL, "requireConfrim": True}})
    assert [each.hint for each in checked(misspelled)] == ["did you mean `requireConfirm`?"]


def test_check_tells_when_the_name_is_taken(tmp_path: Path) -> None:
    folder = package(tmp_path / "kit", {"help": TOOL})
    script(folder / "bin" / "tool")
    (problem,) = checked(folder)
    assert (problem.code, problem.message) == ("command-taken", "`/help` is taken: users type `/kit:help`")
    assert problem.line


def test_each_program_has_a_row_of_its_own_in_the_host_report(tmp_path: Path) -> None:
    folder = package(tmp_path / "kit", {"one": TOOL, "two": TOOL, "bad": {**TOOL, "timeout": "5"}})
    script(folder / "bin" / "tool")
    (target,) = check([str(folder)], Places(str(tmp_path / "home"), str(tmp_path))).targets
    assert [(each.name, each.kind) for each in target.components] == [
        ("/one", "commands"),
        ("/two", "commands"),
        ("/bad", "commands"),
    ]
    verdicts = {each.harness: each.reason for each in target.components[0].verdicts}
    assert verdicts["gemini"] == "it knows no executable commands; pisces does"
    assert verdicts["qwen"] == "it takes none of these"


def test_a_program_beside_servers_is_not_told_twice(tmp_path: Path) -> None:
    folder = package(tmp_path / "kit", {"tool": TOOL}, mcpServers={"docs": {"command": "docs-server"}})
    assert [each.code for each in checked(folder)] == ["executable-missing"]
