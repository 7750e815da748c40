"""Gemini's TOML prompt files: arguments, files and command lines, each looked at once and nothing before the gate."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from pisces.commands.prompts.approved_lines import run_approved
from pisces.commands.prompts.expansion import Expansion
from pisces.commands.prompts.prompt_file import expanded_prompt
from pisces.commands.prompts.shell_line import shell_output, user_shell
from pisces.diagnostics import PiscesError
from pisces.places import Places
from pisces.processes.launch import Limits
from pisces.shapes.command import Command
from pisces.shapes.prompt import Part, Prompt
from pisces.shapes.request import LineRequest, Request
from pisces.shapes.verdict import ALLOW, DENY, Judged
from tests.gates.judges import judged

posix_only = pytest.mark.skipif(os.name == "nt", reason="command lines for a POSIX shell")


class Asked:
    """A gate that notes what it is asked, and allows what is not in `denied`."""

    def __init__(self, *denied: str) -> None:
        self.denied = denied
        self.requests: list[Request] = []

    def __call__(self, request: Request) -> Judged:
        self.requests.append(request)
        if request.exact in self.denied:
            return judged(request, DENY, "the policy says no", "ask the owner")
        return judged(request, ALLOW)


def expansion(folder: Path, prompt: str, args: str = "", gate: Asked | None = None) -> Expansion:
    path = folder / "commands" / "deploy.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"description = 'x'\nprompt = {json.dumps(prompt)}\n", encoding="utf-8")
    workspace = folder / "workspace"
    workspace.mkdir(exist_ok=True)
    command = Command("deploy", "deploy", "", str(path), "gemini", {})
    places = Places(str(folder), str(workspace), dict(os.environ))
    return Expansion(command, f"/deploy {args}".strip(), args, places, gate or Asked())


def expanded(folder: Path, prompt: str, args: str = "", gate: Asked | None = None) -> Prompt:
    return expanded_prompt(expansion(folder, prompt, args, gate))


def failure(folder: Path, prompt: str, args: str = "", gate: Asked | None = None) -> PiscesError:
    with pytest.raises(PiscesError) as caught:
        expanded(folder, prompt, args, gate)
    return caught.value


def put(folder: Path, name: str, data: bytes | str) -> Path:
    path = folder / "workspace" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def test_arguments_stand_where_the_placeholder_is(tmp_path: Path) -> None:
    assert expanded(tmp_path, "To {{args}}, {{args}}!", "staging").text == "To staging, staging!"


def test_without_a_placeholder_the_typed_line_comes_last(tmp_path: Path) -> None:
    assert expanded(tmp_path, "Deploy.", "to staging").text == "Deploy.\n\n/deploy to staging"
    assert expanded(tmp_path, "Deploy.").text == "Deploy."
    assert expanded(tmp_path, "", "now").text == "\n\n/deploy now"


def test_after_an_image_the_typed_line_is_a_part_of_its_own(tmp_path: Path) -> None:
    path = put(tmp_path, "a.png", b"\x89PNG")
    parts = expanded(tmp_path, "@{a.png}", "now").parts
    assert parts == (Part(mime="image/png", data=b"\x89PNG", path=str(path)), Part("\n\n/deploy now"))


@posix_only
def test_arguments_are_one_word_inside_a_command_line(tmp_path: Path) -> None:
    gate = Asked()
    prompt = expanded(tmp_path, "{{args}}: !{printf '<%s>' {{args}}}", "a b; touch pwned", gate)
    assert prompt.text == "a b; touch pwned: <a b; touch pwned>"
    assert [request.exact for request in gate.requests] == ["printf '<%s>' 'a b; touch pwned'"]
    assert not (tmp_path / "workspace" / "pwned").exists()


@posix_only
@pytest.mark.parametrize("line", ['printf %s "{{args}}"', "printf %s '{{args}}'", 'printf %s "$(printf %s {{args}})"'])
def test_arguments_do_not_break_out_of_quotes_around_the_placeholder(line: str, tmp_path: Path) -> None:
    for args in ('"; touch pwned; "', "'; touch pwned; '", "$(touch pwned)", "`touch pwned`", "it's \\"):
        assert expanded(tmp_path, f"!{{{line}}}", args).text == args
    assert not (tmp_path / "workspace" / "pwned").exists()


@posix_only
def test_what_reads_the_output_of_a_line_is_no_reason_to_refuse_its_arguments(tmp_path: Path) -> None:
    put(tmp_path, "notes.txt", "a b\nc\n")
    assert expanded(tmp_path, "!{grep {{args}} notes.txt | sed s/b/B/}", "a b").text == "a B"


@posix_only
@pytest.mark.parametrize("line", ["bash -c 'echo {{args}}'", 'echo `echo "{{args}}"`', "cat <<END\n{{args}}\nEND"])
def test_where_quotes_do_not_hold_arguments_of_special_characters_are_refused(line: str, tmp_path: Path) -> None:
    """Gemini CLI runs `touch` in the first two."""
    for args in ("; touch ran", "$(touch ran)", "' \"; touch ran; '"):
        with pytest.raises(PiscesError, match="cannot be quoted"):
            expanded(tmp_path, f"!{{{line}}}", args)
    assert not (tmp_path / "ran").exists()
    assert expanded(tmp_path, f"!{{{line}}}", "v1.2").text == "v1.2"


@posix_only
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("echo hi", "hi"),
        ("echo out; exit 3", "out\n[Shell command 'echo out; exit 3' exited with code 3]"),
        ("kill -9 $$", "\n[Shell command 'kill -9 $$' terminated by signal 9]"),
        ("echo one; echo two >&2; echo three", "one\ntwo\nthree"),
        ("printf '\\033[1mbold\\033[0m \\033]0;title\\007x'", "bold x"),
        ("printf 'a\\0b'", ""),
        ("cat", ""),
        ("", ""),
    ],
)
def test_a_command_line_becomes_its_output_and_how_it_failed(line: str, told: str, tmp_path: Path) -> None:
    assert expanded(tmp_path, f"[!{{{line}}}]").text == f"[{told}]"


@posix_only
def test_command_lines_run_in_the_workspace_without_the_users_secrets(tmp_path: Path) -> None:
    asked = expansion(tmp_path, "!{pwd; echo $API_TOKEN.$GEMINI_CLI.$PAGER}")
    secret = asked.replace(places=asked.places.replace(env={**asked.places.env, "API_TOKEN": "abc"}))
    assert expanded_prompt(secret).text == f"{tmp_path / 'workspace'}\n.1.cat"


@posix_only
def test_all_lines_are_put_to_the_gate_before_the_first_runs(tmp_path: Path) -> None:
    put(tmp_path, "notes.txt", "notes")
    gate = Asked("touch third")
    error = failure(tmp_path, "!{touch first} @{notes.txt} !{touch second}!{touch third}", gate=gate)
    assert [request.exact for request in gate.requests] == ["touch first", "touch second", "touch third"]
    assert os.listdir(tmp_path / "workspace") == ["notes.txt"]
    assert error.diagnostic.code == "shell-line-denied"
    assert error.diagnostic.message == "`touch third` does not run: the policy says no"
    assert error.diagnostic.hint == "ask the owner"


@posix_only
def test_the_gate_is_told_who_asks_and_asked_once_for_equal_lines(tmp_path: Path) -> None:
    gate = Asked()
    assert (
        expanded(tmp_path, "!{echo x >> seen; cat seen} !{echo x >> seen; cat seen}", "now", gate).text[:5] == "x x\nx"
    )
    path = str(tmp_path / "commands" / "deploy.toml")
    line = "echo x >> seen; cat seen"
    assert gate.requests == [LineRequest(line, "/deploy now", path, cwd=str(tmp_path / "workspace"))]


@posix_only
def test_a_line_that_no_program_can_be_given_is_an_error(tmp_path: Path) -> None:
    error = failure(tmp_path, "!{echo {{args}}}", "a\0b")
    assert error.diagnostic.code == "shell-line-not-started"


@posix_only
def test_nothing_that_was_put_in_is_looked_at_again(tmp_path: Path) -> None:
    evil = "{{args}} !{touch pwned} @{secret.txt}"
    put(tmp_path, "evil.txt", evil)
    put(tmp_path, "secret.txt", "secret")
    put(tmp_path, "folder/!{touch pwned}.txt", evil)
    gate = Asked()
    prompt = expanded(tmp_path, "@{evil.txt}|{{args}}|!{cat evil.txt}|@{folder}", evil, gate)
    assert prompt.text.split("|")[:3] == [evil, evil, evil]
    assert prompt.text.endswith(f"--- !{{touch pwned}}.txt ---\n{evil}\n--- End of content for directory: folder ---")
    assert [request.exact for request in gate.requests] == ["cat evil.txt"]
    assert not (tmp_path / "workspace" / "pwned").exists()


def test_an_unclosed_injection_is_an_error_with_its_line(tmp_path: Path) -> None:
    error = failure(tmp_path, "Run !{echo '{'")
    assert (error.diagnostic.code, error.diagnostic.line) == ("command-injection", 2)
    assert failure(tmp_path, "See @{open").diagnostic.code == "command-injection"


def test_the_line_of_an_unclosed_injection_in_a_long_prompt_is_found(tmp_path: Path) -> None:
    asked = expansion(tmp_path, "")
    Path(asked.command.path).write_text("prompt = '''\nOne\nTwo !{ls}\n  Three !{ls\n'''\n", encoding="utf-8")
    with pytest.raises(PiscesError) as caught:
        expanded_prompt(asked)
    assert (caught.value.diagnostic.line, caught.value.diagnostic.column) == (4, 9)


def test_a_file_inside_a_command_line_is_an_error_of_its_own(tmp_path: Path) -> None:
    put(tmp_path, "notes.txt", "notes")
    gate = Asked()
    assert failure(tmp_path, "!{wc @{notes.txt}}", gate=gate).diagnostic.code == "command-file-in-shell"
    assert not gate.requests


def test_a_file_without_a_prompt_is_what_its_finder_says_of_it(tmp_path: Path) -> None:
    asked = expansion(tmp_path, "")
    Path(asked.command.path).write_text("description = 'x'\n", encoding="utf-8")
    with pytest.raises(PiscesError) as caught:
        expanded_prompt(asked)
    assert caught.value.diagnostic.code == "command-no-prompt"


def test_a_missing_file_leaves_its_placeholder_and_a_warning(tmp_path: Path) -> None:
    prompt = expanded(tmp_path, "See @{nowhere.md} {{args}}", "now")
    assert prompt.text == "See @{nowhere.md} now"
    assert [(found.code, found.line) for found in prompt.diagnostics] == [("prompt-file-missing", 2)]


@pytest.mark.parametrize(
    "named", ["../outside.txt", "link", "linked/outside.txt", "ABSOLUTE", ".env", "node_modules/a.js", "a\0b"]
)
def test_what_lies_outside_or_is_kept_back_is_not_put_in(named: str, tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere" / "outside.txt"
    outside.parent.mkdir()
    outside.write_text("secret", encoding="utf-8")
    shutil.copy(outside, tmp_path / "outside.txt")
    put(tmp_path, ".env", "secret")
    put(tmp_path, "node_modules/a.js", "secret")
    os.symlink(outside, tmp_path / "workspace" / "link")
    os.symlink(outside.parent, tmp_path / "workspace" / "linked")
    named = named.replace("ABSOLUTE", str(outside))
    prompt = expanded(tmp_path, f"@{{{named}}}")
    assert prompt.text == f"@{{{named}}}"
    assert [found.code for found in prompt.diagnostics] == ["prompt-file-missing"]


def test_a_link_from_outside_leads_to_files_of_the_workspace_but_not_to_ignored_ones(tmp_path: Path) -> None:
    put(tmp_path, ".geminiignore", "b.txt\n")
    put(tmp_path, "a.txt", "a")
    put(tmp_path, "b.txt", "b")
    way = tmp_path / "a-way-in-from-a-place-with-a-much-longer-name"
    os.symlink(tmp_path / "workspace", way)
    assert expanded(tmp_path, f"[@{{{way}/a.txt}}][@{{{way}/b.txt}}]").text == "[a][]"


def test_a_folder_shows_what_is_not_ignored_and_follows_no_link_out(tmp_path: Path) -> None:
    put(tmp_path, ".geminiignore", "*.log\n/docs/drafts/\n")
    for name in ("docs/a.md", "docs/b.log", "docs/drafts/c.md", "docs/sub/.d"):
        put(tmp_path, name, name)
    os.symlink(tmp_path, tmp_path / "workspace" / "docs" / "out")
    assert expanded(tmp_path, "@{docs}").text == (
        "--- Start of content for directory: docs ---\n"
        "--- a.md ---\ndocs/a.md\n--- sub/.d ---\ndocs/sub/.d\n"
        "--- End of content for directory: docs ---"
    )


def test_an_ignored_file_is_left_out_with_a_note(tmp_path: Path) -> None:
    put(tmp_path, ".geminiignore", "*.log\n")
    put(tmp_path, "a.log", "log")
    prompt = expanded(tmp_path, "See @{a.log}.")
    assert prompt.text == "See ."
    assert [found.code for found in prompt.diagnostics] == ["prompt-file-ignored"]


def test_a_link_to_an_ignored_file_is_ignored(tmp_path: Path) -> None:
    put(tmp_path, ".geminiignore", "private/\n")
    put(tmp_path, "private/key", "secret")
    os.symlink("private", tmp_path / "workspace" / "public")
    os.symlink("private/key", tmp_path / "workspace" / "key")
    assert expanded(tmp_path, "@{key}@{public/key}").text == ""


def test_media_are_typed_parts(tmp_path: Path) -> None:
    data = {"a.png": b"\x89PNG\0", "b.pdf": b"%PDF-1.4", "c.mp3": b"ID3\0", "d.mp4": b"\0ftyp", "e.flac": b"fLaC\0"}
    for name, content in data.items():
        put(tmp_path, name, content)
    parts = expanded(tmp_path, "".join(f"@{{{name}}}" for name in data)).parts
    assert [part.mime for part in parts] == ["image/png", "application/pdf", "audio/mpeg", "video/mp4", "audio/flac"]
    assert [part.data for part in parts] == list(data.values())


def test_long_texts_are_cut_with_a_note(tmp_path: Path) -> None:
    put(tmp_path, "many.txt", "x\n" * 3000)
    put(tmp_path, "wide.txt", "y" * 2001)
    prompt = expanded(tmp_path, "@{many.txt}@{wide.txt}")
    assert prompt.text == "\n".join(["x"] * 2000) + "y" * 2000 + "... [truncated]"
    assert [found.code for found in prompt.diagnostics] == ["prompt-file-cut", "prompt-file-cut"]


def test_a_huge_file_and_a_binary_one_are_sentences(tmp_path: Path) -> None:
    with put(tmp_path, "huge.txt", "").open("wb") as file:
        file.truncate(20 * 1024 * 1024 + 1)
    put(tmp_path, "a.out", b"\x7fELF\0")
    prompt = expanded(tmp_path, "@{huge.txt}|@{a.out}")
    assert prompt.text == "File size exceeds the 20MB limit.|Cannot display content of binary file: a.out"


def test_a_named_pipe_does_not_hang(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("there are no named pipes")
    put(tmp_path, "a.txt", "a")
    os.mkfifo(tmp_path / "workspace" / "pipe")
    assert "Error reading file pipe: not a regular file" in expanded(tmp_path, "@{pipe}").text


@posix_only
def test_a_line_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    output = shell_output("echo started; sleep 60", str(tmp_path), os.environ, Limits(seconds=0.5, grace=0.1))
    assert (output.text, output.reason) == ("started", "timeout")


@posix_only
def test_a_line_that_writes_too_much_is_ended(tmp_path: Path) -> None:
    output = shell_output("yes", str(tmp_path), os.environ, Limits(seconds=30, output=100_000, grace=0.1))
    assert output.reason == "too much output"
    assert len(output.text) <= 100_000


@posix_only
def test_without_bash_the_shell_is_sh(tmp_path: Path) -> None:
    assert user_shell({"PATH": str(tmp_path)}).argv[0] == "/bin/sh"


def test_no_lines_ask_nothing(tmp_path: Path) -> None:
    gate = Asked()
    assert run_approved([], expansion(tmp_path, "", gate=gate)) == []
    assert not gate.requests


@posix_only
def test_a_file_that_is_kept_back_is_not_said_to_be_missing(tmp_path: Path) -> None:
    put(tmp_path, ".env", "KEY=1")
    said = [expanded(tmp_path, f"@{{{name}}}").diagnostics[0].message for name in (".env", "none", "a\0b")]
    assert said == [
        "`.env` is never given to a model",
        "`none` is not in the workspace",
        "`a\0b` is not in the workspace",
    ]
