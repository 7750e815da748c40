"""A tool's name in one harness is understood in another by what the tool does."""

from __future__ import annotations

from typing import Any

import pytest

from pisces.by_name import export_of, files_called
from pisces.discovery import tool_names
from pisces.discovery.tool_names import (
    HARNESSES,
    every_name,
    input_from,
    mcp_parts,
    names_elsewhere,
    names_for,
    own_call,
)
from pisces.harnesses.gemini.known_tools import BUILT_IN

MEANINGS = {
    value
    for name, value in vars(tool_names).items()
    if name.isupper() and isinstance(value, str) and name != "HARNESSES"
}


@pytest.mark.parametrize("folder", files_called(HARNESSES, "tools"))
def test_a_harness_says_of_each_tool_what_it_does(folder: str) -> None:
    tools = export_of(folder, "tools", "TOOLS")
    assert set(tools.values()) <= MEANINGS | {""}, "a word that no other harness could share"


def test_the_light_list_of_geminis_tools_has_all_of_them() -> None:
    assert tuple(export_of(f"{HARNESSES}.gemini", "tools", "TOOLS")) == BUILT_IN


@pytest.mark.parametrize(
    ("harness", "name", "own"),
    [
        ("gemini", "Bash", "run_shell_command"),
        ("gemini", "MultiEdit", "replace"),
        ("claude", "run_shell_command", "Bash"),
        ("claude", "replace", "Edit"),
        ("claude", "invoke_agent", "Task"),
    ],
)
def test_the_usual_name_is_given_for_what_others_call_the_tool(harness: str, name: str, own: str) -> None:
    assert names_elsewhere(harness)[name] == own


@pytest.mark.parametrize(("harness", "name"), [("gemini", "glob"), ("claude", "Bash"), ("claude", "read_many_files")])
def test_own_names_and_tools_without_a_counterpart_need_no_other_name(harness: str, name: str) -> None:
    assert name not in names_elsewhere(harness)


SHELL_CALLS = [
    ("Bash", {"command": "ls"}),
    ("run_shell_command", {"command": "ls"}),
    ("exec_command", {"cmd": "ls"}),
    ("shell", {"command": ["bash", "-lc", "ls"]}),
    ("shell", {"command": ["ls"]}),
    ("shell_command", {"command": "ls"}),
    ("local_shell", {"command": ["/bin/bash", "-c", "ls"]}),
    ("bash", {"command": "ls"}),
    ("write_stdin", {"chars": "ls"}),
]


@pytest.mark.parametrize(("harness", "name"), [("claude", "Bash"), ("gemini", "run_shell_command"), ("pi", "bash")])
@pytest.mark.parametrize(("tool", "given"), SHELL_CALLS)
def test_every_call_that_reaches_a_shell_is_seen_as_one(
    harness: str, name: str, tool: str, given: dict[str, Any]
) -> None:
    own, own_input = own_call(harness, tool, given)

    assert name in every_name(tool)
    assert name in names_for(harness, tool)
    if own == name and isinstance(given.get("command", ""), str):
        assert own_input["command"] == "ls"


@pytest.mark.parametrize(
    ("harness", "tool", "given", "own"),
    [
        ("gemini", "Read", {"file_path": "a"}, ("read_file", {"file_path": "a"})),
        ("gemini", "read", {"path": "a", "offset": 3}, ("read_file", {"file_path": "a", "offset": 3})),
        ("claude", "write_file", {"file_path": "a", "content": "x"}, ("Write", {"file_path": "a", "content": "x"})),
        ("claude", "exec_command", {"cmd": "ls", "workdir": "/"}, ("Bash", {"command": "ls", "workdir": "/"})),
        ("claude", "invoke_agent", {"agent_name": "a", "prompt": "p"}, ("Task", {"subagent_type": "a", "prompt": "p"})),
        ("pi", "list_directory", {"dir_path": "."}, ("ls", {"path": "."})),
        ("claude", "mcp_srv_do_it", {"a": 1}, ("mcp__srv__do_it", {"a": 1})),
        ("gemini", "mcp__srv__do_it", {"a": 1}, ("mcp_srv_do_it", {"a": 1})),
        ("claude", "my_own_tool", {"a": 1}, ("my_own_tool", {"a": 1})),
    ],
)
def test_a_call_goes_into_another_vocabulary_and_back(
    harness: str, tool: str, given: dict[str, Any], own: tuple[str, dict[str, Any]]
) -> None:
    assert own_call(harness, tool, given) == own
    assert input_from(harness, tool, own[1]) == given


def test_edits_of_one_file_are_seen_as_one_edit() -> None:
    edits = [{"oldText": "a", "newText": "b"}, {"oldText": "c", "newText": "d"}]

    name, given = own_call("claude", "edit", {"path": "f", "edits": edits})

    assert name == "Edit"
    assert (given["file_path"], given["old_string"], given["new_string"]) == ("f", "a\nc", "b\nd")


def test_an_argument_of_another_vocabulary_cannot_take_the_place_of_the_real_one() -> None:
    given = {"cmd": "rm -rf /", "command": "echo harmless"}

    assert own_call("claude", "exec_command", given)[1] == {"command": "rm -rf /"}
    assert own_call("claude", "exec_command", dict(reversed(given.items())))[1] == {"command": "rm -rf /"}


PATCH = "*** Begin Patch\n*** Add File: x.txt\n+hi\n*** End Patch\n"


def test_a_patch_is_a_write_or_an_edit_where_nobody_has_patches() -> None:
    name, given = own_call("claude", "apply_patch", {"input": PATCH})

    assert (name, given["file_path"], given["content"]) == ("Write", "x.txt", "hi\n")
    assert given["input"] == PATCH
    assert {"Edit", "Write", "replace", "write_file", "edit", "write"} <= every_name("apply_patch")
    assert input_from("claude", "apply_patch", {"file_path": "x.txt", "content": "ho\n"}) == {
        "input": PATCH.replace("hi", "ho")
    }


def test_a_write_or_an_edit_is_a_patch_where_there_is_nothing_else() -> None:
    assert own_call("codex", "write_file", {"file_path": "x.txt", "content": "hi\n"}) == (
        "apply_patch",
        {"input": PATCH},
    )
    name, given = own_call("codex", "Edit", {"file_path": "a", "old_string": "1", "new_string": "2\n3"})
    assert (name, given) == (
        "apply_patch",
        {"input": "*** Begin Patch\n*** Update File: a\n@@\n-1\n+2\n+3\n*** End Patch\n"},
    )


def test_a_patch_goes_back_into_a_write_only_if_it_still_is_one() -> None:
    two = PATCH.replace("*** End", "*** Add File: y\n+b\n*** End")

    assert input_from("codex", "write_file", {"input": PATCH}) == {"file_path": "x.txt", "content": "hi\n"}
    assert input_from("codex", "write_file", {"input": two}) == {"input": two}
    assert input_from("codex", "replace", {"input": PATCH}) == {"input": PATCH}
    assert input_from("codex", "write_file", {"input": 5}) == {"input": 5}


@pytest.mark.parametrize(
    ("tool", "server", "parts"),
    [
        ("mcp__srv__tool", "", ("srv", "tool")),
        ("mcp__srv__a__b", "", ("srv", "a__b")),
        ("mcp_srv_tool", "", ("srv", "tool")),
        ("mcp_my_srv_tool", "my_srv", ("my_srv", "tool")),
        ("mcp__my_srv_tool", "my_srv", ("my_srv", "tool")),
        ("tool", "srv", ("srv", "tool")),
        ("mcp_", "", None),
        ("mcp__", "", None),
        ("mcp__a", "", None),
        ("mcp_a", "", None),
        ("read_file", "", None),
    ],
)
def test_the_name_of_a_servers_tool_is_read_in_each_spelling(
    tool: str, server: str, parts: tuple[str, str] | None
) -> None:
    assert mcp_parts(tool, server) == parts


def test_a_name_whose_server_is_not_known_may_be_either_tool() -> None:
    assert {"mcp__a__b_c", "mcp__a_b__c", "mcp_a_b_c"} <= every_name("mcp_a_b_c")
    assert every_name("mcp_a_b_c", "a_b") == {"mcp__a_b__c", "mcp__a_b_c", "mcp_a_b_c"}


def test_names_of_one_harness_stand_for_the_same_tool_only_with_the_same_arguments() -> None:
    assert names_for("claude", "Task") == ("Task", "Agent")
    assert names_for("claude", "Bash") == ("Bash",)
