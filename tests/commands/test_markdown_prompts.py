"""Markdown commands of each harness: placeholders, command lines and mentioned files, all in one pass."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from pisces.by_name import export_of, files_called
from pisces.commands.prompts.line_arguments import Given, Unquotable, filled_line
from pisces.commands.prompts.prompt_file import HARNESSES
from pisces.commands.prompts.shell_quoting import POWERSHELL
from pisces.diagnostics import PiscesError
from pisces.shapes.command import Command
from tests.commands.markdown_command import Workspace, codes

DIALECTS = "claude codex continue copilot cursor factory native omp opencode pi qwen".split()


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    folder = tmp_path / "work"
    folder.mkdir()
    return Workspace(folder)


def refusal(workspace: Workspace, dialect: str, text: str, args: str = "") -> str:
    with pytest.raises(PiscesError) as error:
        workspace.run(dialect, text, args)
    return error.value.diagnostic.code


def test_every_dialect_exports_expand() -> None:
    packages = files_called(HARNESSES, "prompts")
    names = {package.rpartition(".")[2] for package in packages}
    assert set(DIALECTS) <= names
    assert all(callable(export_of(package, "prompts", "expand")) for package in packages)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_header_is_no_part_of_the_prompt_and_a_missing_file_is_an_error(dialect: str, workspace: Workspace) -> None:
    assert workspace.run(dialect, "---\ndescription: Says hello\n---\nHello").text == "Hello"
    with pytest.raises(PiscesError, match="does not exist"):
        workspace.prompt(Command("gone", "gone", "", str(workspace.folder / "gone.md"), dialect, {}), "")


# Claude Code (and ours)


@pytest.mark.parametrize(
    ("text", "args", "expected"),
    [
        ("All: $ARGUMENTS.", 'a "b c"', 'All: a "b c".'),
        ("$0|$1|$2", 'a "b c"', "a|b c|$2"),
        ("$ARGUMENTS[0]|$ARGUMENTS[1]|$ARGUMENTS[9]", "a b", "a|b|$ARGUMENTS[9]"),
        ("$1 then $2", "a b", "a then b"),
        ("$1 and $ARGUMENTS[0]", "a b", "b and a"),
        ("cost $10, $1st, ${1}, $HOME, $ARGUMENTSX", "a", "cost $10, $1st, ${1}, $HOME, aX"),
        (r"\$ARGUMENTS \$1 \\$ARGUMENTS \$HOME", "a", r"$ARGUMENTS $1 \\a \$HOME"),
        ("No place.", "a b", "No place.\n\nARGUMENTS: a b"),
        ("No place.", "", "No place."),
        ("Only $2", "a", "Only $2\n\nARGUMENTS: a"),
        ("---\narguments: [issue, branch]\n---\n$issue on $branch, $issues", "7", "7 on , $issues"),
        ("---\narguments: issue branch\n---\n\n  $branch", "7 x", "x"),
        ("it is $1", "it's so", "it is it's"),
    ],
)
@pytest.mark.parametrize("dialect", ["claude", "native"])
def test_claude_placeholders(dialect: str, text: str, args: str, expected: str, workspace: Workspace) -> None:
    assert workspace.run(dialect, text, args).text == expected


def test_numbers_without_a_zero_count_from_one_and_a_note_says_so(workspace: Workspace) -> None:
    assert codes(workspace.run("claude", "$1", "a")) == ["arguments-from-one"]
    assert codes(workspace.run("claude", "$0 $1", "a b")) == []
    assert codes(workspace.run("claude", "$ARGUMENTS", "a")) == []


def test_what_the_user_typed_is_never_expanded(workspace: Workspace) -> None:
    workspace.file("secret.txt", "hidden")
    hostile = (
        "$ARGUMENTS[1] $1 !`touch ran` @secret.txt ```!\ntouch ran\n``` ${CLAUDE_PROJECT_DIR} {{args}} $@ !{touch ran}"
    )
    for dialect in ("claude", "opencode", "codex", "pi", "omp", "cursor", "factory", "continue", "qwen"):
        text = workspace.run(dialect, "Look: {{args}}" if dialect == "qwen" else "Look: $ARGUMENTS", hostile).text
        assert "hidden" not in text, dialect
        assert "$1" in text, dialect
        assert "!`touch ran`" in text, dialect
    assert workspace.asked == []
    assert not (workspace.folder / "ran").exists()


def test_what_a_line_printed_is_never_expanded(workspace: Workspace) -> None:
    workspace.file("notes.txt", "$1 !`touch ran` @secret.txt $ARGUMENTS")
    workspace.file("secret.txt", "hidden")
    for dialect in ("claude", "opencode"):
        prompt = workspace.run(dialect, "Notes: !`cat notes.txt` for $ARGUMENTS", "me")
        assert prompt.text == "Notes: $1 !`touch ran` @secret.txt $ARGUMENTS for me"
    assert set(workspace.asked) == {"cat notes.txt"}


def test_lines_count_at_the_start_or_after_a_blank_and_blocks_run_as_a_whole(workspace: Workspace) -> None:
    text = "a !`echo one` b:!`echo no` `!`echo no``\n!`echo two`\n```!\necho three\necho four\n```\n```!\n```\n!`` end"
    prompt = workspace.run("claude", text)
    assert prompt.text == "a one b:!`echo no` `!`echo no``\ntwo\nthree\nfour\n```!\n```\n!`` end"
    assert workspace.asked == ["echo one", "echo two", "echo three\necho four"]


def test_no_line_runs_before_all_are_allowed(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, denied="second")
    assert refusal(workspace, "claude", "!`touch first` !`touch second`") == "shell-line-denied"
    assert not (tmp_path / "first").exists()


def test_a_line_that_fails_fails_a_claude_command(workspace: Workspace) -> None:
    with pytest.raises(PiscesError, match="code 3: broken") as error:
        workspace.run("claude", "!`echo broken; exit 3`")
    assert error.value.diagnostic.code == "shell-line-failed"


def test_a_line_that_fails_says_so_in_an_opencode_prompt(workspace: Workspace) -> None:
    prompt = workspace.run("opencode", "Out: !`echo broken; exit 3`")
    assert prompt.text == "Out: broken\n[Shell command 'echo broken; exit 3' exited with code 3]"


@pytest.mark.parametrize(
    "dialect", ["claude", "opencode", "codex", "cursor", "copilot", "pi", "omp", "qwen", "windsurf"]
)
@pytest.mark.parametrize("header", ["---\n---\n", "---\r\n---\r\n", "---\n\n---\n", "---\n# nothing\n---\n"])
def test_an_empty_header_is_no_text(dialect: str, header: str, workspace: Workspace) -> None:
    assert workspace.run(dialect, f"{header}Hello").text == "Hello"


# Arguments in command lines

HOSTILE = [
    "$(touch ran)",
    "`touch ran`",
    "; touch ran",
    "a; touch ran #",
    "&& touch ran",
    "| touch ran",
    "\ntouch ran\n",
    "' ; touch ran; '",
    '" ; touch ran; "',
    "'$(touch ran)'",
    '"$(touch ran)"',
    "\\$(touch ran)",
    "\\",
    "'\\''; touch ran",
    "\\'; touch ran; \\'",
    "${IFS}touch ran",
    "> ran",
    "$ARGUMENTS $1 $0",
    "!!; *; ~; {ran,x}",
    "it's \u2019 \U0001f41f \u00a0 end",
]
LINES = [
    "printf '<%s>' $ARGUMENTS",
    'printf "<%s>" "$ARGUMENTS"',
    "printf '<%s>' '$ARGUMENTS'",
    "printf '<%s>' \"$(printf %s $ARGUMENTS)\"",
    'printf "<%s>" "$(printf %s "$ARGUMENTS")"',
    "printf '<%s>' pre$ARGUMENTS.post",
    "(printf '<%s>' $ARGUMENTS) | cat # done",
    'x="$ARGUMENTS"; printf "<%s>" "$x"',
    "if true; then printf '<%s>' $ARGUMENTS; fi",
    'cat <<< "$ARGUMENTS"',
]


@pytest.mark.parametrize("line", LINES)
def test_no_argument_runs_whatever_quotes_the_line_has(line: str, workspace: Workspace) -> None:
    for args in HOSTILE:
        workspace.run("claude", f"```!\n{line}\n```", args)
        workspace.run("claude", "```!\n" + line.replace("$ARGUMENTS", "$ARGUMENTS[0]") + "\n```", args)
        assert not (workspace.folder / "ran").exists(), args
    assert len(workspace.asked) == 2 * len(HOSTILE)


@pytest.mark.parametrize("args", HOSTILE)
def test_quoted_arguments_arrive_to_the_letter(args: str, workspace: Workspace) -> None:
    typed = args.strip()
    for line in ('printf %s "[$ARGUMENTS]"', "printf %s '[$ARGUMENTS]'", 'printf %s "$(printf %s "[$ARGUMENTS]")"'):
        assert workspace.run("claude", f"```!\n{line}\n```", args).text == f"[{typed}]"
        assert workspace.run("opencode", f"!`{line}`", typed).text == f"[{typed}]"


def test_outside_of_quotes_each_word_is_one_word(workspace: Workspace) -> None:
    prompt = workspace.run("claude", "!`printf '<%s>' $ARGUMENTS`", """a "b  c" 'd;e' $HOME *""")
    assert prompt.text == "<a><b  c><d;e><$HOME><*>"
    assert workspace.asked == ["printf '<%s>' a 'b  c' d\\;e \\$HOME \\*"]


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("x=$ARGUMENTS; echo $x", "x='a touch ran'; echo $x"),
        ("> $ARGUMENTS", "> 'a touch ran'"),
        ("git log --grep=$ARGUMENTS", "git log --grep='a touch ran'"),
        ("git log \\\n  $ARGUMENTS", "git log \\\n  a touch ran"),
    ],
)
def test_words_that_belong_to_one_word_of_the_line_stay_one(line: str, asked: str, workspace: Workspace) -> None:
    """`x=a touch ran` would run `touch`."""
    workspace.run("opencode", f"!`{line}`", "a touch ran")
    assert workspace.asked == [asked]
    assert not (workspace.folder / "ran").exists()


@pytest.mark.parametrize(
    "line",
    [
        "bash -c 'echo $ARGUMENTS'",
        "echo >&$ARGUMENTS",
        "python " * 20_000 + "$ARGUMENTS",
        'sh -ec "echo $ARGUMENTS"',
        "eval echo $ARGUMENTS",
        "cat <<END\n$ARGUMENTS\nEND",
        "echo $((1 + $ARGUMENTS))",
        "echo ok # $ARGUMENTS",
        "echo $'$ARGUMENTS'",
        "echo ${X:-$ARGUMENTS}",
        "echo `echo $ARGUMENTS`",
        "case $ARGUMENTS in a) echo $ARGUMENTS;; esac",
        "awk '{print \"$ARGUMENTS\"}' x",
        "python3 -c \"print('$ARGUMENTS')\"",
        'echo "never closed $ARGUMENTS',
        "bash -cx 'echo $ARGUMENTS'",
        "echo $ARGUMENTS | sh",
        "echo $ARGUMENTS | sudo /bin/bash -s",
        'bash <<< "echo $ARGUMENTS"',
        'source <(echo "echo $ARGUMENTS")',
        "perl -E 'say \"$ARGUMENTS\"'",
        "node -p '\"$ARGUMENTS\"'",
        "make test ONLY=$ARGUMENTS",
        '[[ "$ARGUMENTS" -eq 0 ]]',
        'let "x = $ARGUMENTS"',
        "x['$ARGUMENTS']=1",
    ],
)
def test_a_line_that_reads_its_arguments_twice_does_not_run(line: str, workspace: Workspace) -> None:
    text = f"```!\n{line}\n```"
    assert refusal(workspace, "claude", text, "a $(touch ran)") == "shell-line-arguments"
    assert workspace.asked == []


def test_words_that_only_look_like_a_second_reading_do_no_harm(workspace: Workspace) -> None:
    for line in ('echo source/sedan in-case/ssh.txt "%s"', 'echo "%s" | grep -c x.sh', '[[ -n "%s" ]] | sed s/a/b/'):
        workspace.run("opencode", f"!`{line % '$ARGUMENTS'}`", "a; b")
        assert workspace.asked.pop() == line % "a; b"


def test_such_a_line_still_runs_for_arguments_of_harmless_characters(workspace: Workspace) -> None:
    assert workspace.run("claude", "!`bash -c 'echo $ARGUMENTS'`", "v1.2/notes_3").text == "v1.2/notes_3"


def test_powershell_takes_arguments_only_where_nothing_else_is_quoted() -> None:
    placeholder = re.compile(r"\$ARGUMENTS")

    def fill(_: re.Match[str]) -> Given:
        return Given("a; b's", ("a;", "b's"))

    assert filled_line("git log $ARGUMENTS", placeholder, fill, POWERSHELL) == "git log 'a;' 'b''s'"
    with pytest.raises(Unquotable):
        filled_line('git log "$ARGUMENTS"', placeholder, fill, POWERSHELL)


# Files


def test_a_mentioned_file_follows_the_text(workspace: Workspace) -> None:
    workspace.file("src/a b.txt", "alpha\nbeta\ngamma")
    workspace.file("notes.md", "NOTES $1 @src/other !`touch ran`")
    prompt = workspace.run("claude", 'See @notes.md, then @"src/a b.txt" (and @notes.md).', "")
    assert [part.text for part in prompt.parts] == [
        'See @notes.md, then @"src/a b.txt" (and @notes.md).',
        "\n\n--- notes.md ---\n",
        "NOTES $1 @src/other !`touch ran`",
        "\n\n--- src/a b.txt ---\n",
        "alpha\nbeta\ngamma",
    ]
    assert prompt.diagnostics == ()


def test_a_mention_may_be_made_of_arguments(workspace: Workspace) -> None:
    workspace.file("src/a b.txt", "alpha")
    for dialect, text in (("claude", "Read @$ARGUMENTS"), ("claude", "Read @src/$0"), ("opencode", "Read @$1")):
        args = "src/a b.txt" if text == "Read @$ARGUMENTS" else '"a b.txt"' if "src" in text else "'src/a b.txt'"
        assert workspace.run(dialect, text, args).parts[-1].text == "alpha"


def test_lines_of_a_file_and_the_names_in_a_folder(workspace: Workspace) -> None:
    workspace.file("src/a.txt", "1\n2\n3\n4")
    workspace.file("src/.env", "SECRET=1")
    workspace.file("src/deep/b.txt", "b")
    assert workspace.run("claude", "@src/a.txt#L2-3").parts[-1].text == "2\n3"
    assert workspace.run("claude", "@src").parts[-1].text == "\n\n--- src ---\na.txt\ndeep/"


def test_what_names_no_file_is_text(workspace: Workspace) -> None:
    workspace.file("a.txt", "alpha")
    text = "me@a.txt @types/node @anthropic-ai/sdk `@a.txt` @missing.md @ @@a.txt"
    for dialect in ("claude", "opencode"):
        prompt = workspace.run(dialect, text)
        assert (prompt.text, prompt.diagnostics) == (text, ())


def test_files_outside_of_the_workspace_are_not_read(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "key").write_text("hidden")
    os.symlink(tmp_path / "home" / "key", workspace.folder / "link")
    outside = str(tmp_path / "home" / "key")
    for named in ("~/key", outside, "../home/key", "link", "../home", "~"):
        prompt = workspace.run("claude", f"Read @{named} now")
        assert prompt.text == f"Read @{named} now"
        assert codes(prompt) == ["prompt-file-missing"]


def test_a_workspace_behind_a_link_holds_its_files(workspace: Workspace, tmp_path: Path) -> None:
    workspace.file("src/a.txt", "alpha")
    os.symlink(workspace.folder, tmp_path / "alias")
    behind = Workspace(tmp_path / "alias")
    assert behind.run("claude", "@src/a.txt").parts[-1].text == "alpha"
    assert behind.run("claude", "@src").parts[-1].text == "\n\n--- src ---\na.txt"


@pytest.mark.parametrize("dialect", ["claude", "opencode", "codex", "pi", "omp"])
def test_a_number_of_any_length_is_harmless(dialect: str, workspace: Workspace) -> None:
    digits = "1" * 5000
    workspace.file("a.txt", "alpha")
    prompt = workspace.run(
        dialect, f"${digits} $ARGUMENTS[{digits}] ${{@:{digits}}} $@[{digits}] @a.txt#L{digits}", "x"
    )
    assert "a.txt" in prompt.text


def test_ignored_files_are_kept_from_the_model(workspace: Workspace) -> None:
    (workspace.folder / ".git").mkdir()
    workspace.file(".gitignore", "*.log\n")
    workspace.file("a.log", "hidden")
    prompt = workspace.run("claude", "Read @a.log")
    assert (prompt.text, codes(prompt)) == ("Read @a.log", ["prompt-file-ignored"])


def test_a_picture_is_a_part_of_its_own(workspace: Workspace) -> None:
    data = b"\x89PNG\r\n\x1a\n" + b"\0" * 32
    (workspace.folder / "shot.png").write_bytes(data)
    part = workspace.run("opencode", "Look at @shot.png.").parts[-1]
    assert (part.mime, part.data) == ("image/png", data)


def test_a_plugin_command_knows_its_folder(workspace: Workspace, tmp_path: Path) -> None:
    plugin = tmp_path / "my plugin"
    for name, text in ((".claude-plugin/plugin.json", "{}"), ("ref.md", "REFERENCE"), ("run.sh", "echo ran $1")):
        (plugin / name).parent.mkdir(parents=True, exist_ok=True)
        (plugin / name).write_text(text)
    file = plugin / "commands" / "deep" / "do.md"
    file.parent.mkdir(parents=True)
    file.write_text(
        'At ${CLAUDE_PLUGIN_ROOT}: !`sh ${CLAUDE_PLUGIN_ROOT}/run.sh "$ARGUMENTS"` @${CLAUDE_PLUGIN_ROOT}/ref.md'
    )
    prompt = workspace.prompt(Command("deep:do", "p:deep:do", "", str(file), "claude", {}), "fast")
    assert prompt.parts[0].text == f"At {plugin}: ran fast @{plugin}/ref.md"
    assert workspace.asked == [f"sh '{plugin}'/run.sh \"fast\""]


def test_outside_of_a_plugin_its_folder_stays_a_variable(workspace: Workspace) -> None:
    workspace.file(".claude-plugin/plugin.json", "{}")
    prompt = workspace.run("claude", "${CLAUDE_PLUGIN_ROOT} ${CLAUDE_PROJECT_DIR}", name=".claude/commands/do.md")
    assert prompt.text == "${CLAUDE_PLUGIN_ROOT} " + str(workspace.folder)


def test_a_command_in_a_skill_knows_its_folder(workspace: Workspace) -> None:
    prompt = workspace.run("claude", "${CLAUDE_SKILL_DIR}/x ${CLAUDE_SESSION_ID}", name="commands/tidy/SKILL.md")
    assert prompt.text == f"{workspace.folder}/commands/tidy/x ${{CLAUDE_SESSION_ID}}"


# OpenCode


@pytest.mark.parametrize(
    ("text", "args", "expected"),
    [
        ("<$ARGUMENTS> <$1> <$2>", 'a "b c" d', '<a "b c" d> <a> <b c d>'),
        ("<$2> <$1>", "a", "<> <a>"),
        ("$0", "a", "$0"),
        ("$12", "a b", ""),
        ("\n  No place.\n", "a b", "No place.\n\na b"),
        ("x!`echo one`y", "", "xoney"),
    ],
)
def test_opencode_placeholders(text: str, args: str, expected: str, workspace: Workspace) -> None:
    assert workspace.run("opencode", text, args).text == expected


def test_an_opencode_command_may_stand_in_the_configuration(workspace: Workspace) -> None:
    settings = {"command": {"test": {"template": " Run $1 "}, "bad": {"description": "no template"}}}
    path = workspace.file("opencode.jsonc", f"// mine\n{json.dumps(settings)}")
    assert workspace.prompt(Command("test", "test", "", str(path), "opencode", {}), "all of it").text == "Run all of it"
    with pytest.raises(PiscesError) as error:
        workspace.prompt(Command("bad", "bad", "", str(path), "opencode", {}), "")
    assert error.value.diagnostic.code == "opencode-entry"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(PiscesError) as error:
        workspace.prompt(Command("test", "test", "", str(path), "opencode", {}), "")
    assert error.value.diagnostic.code == "config-syntax"


# Codex


@pytest.mark.parametrize(
    ("text", "args", "expected"),
    [
        ("$1-$2-$9|$ARGUMENTS", "a 'b c'", "a-b c-|a b c"),
        ("$$1 $$ $10 $0 $", "a", "$$1 $$ a0 $0 $"),
        ("Hi $USER in $$HOME, $1 $ARGUMENTS", 'USER="Al B" MORE=1', "Hi Al B in $$HOME, $1 $ARGUMENTS"),
        ("$lower", "", "$lower"),
    ],
)
def test_codex_placeholders(text: str, args: str, expected: str, workspace: Workspace) -> None:
    prompt = workspace.run("codex", text, args)
    assert (prompt.text, prompt.diagnostics) == (expected, ())


@pytest.mark.parametrize("args", ["", "OTHER=1", "free text USER=x", "=x USER=y"])
def test_codex_demands_its_named_arguments(args: str, workspace: Workspace) -> None:
    assert refusal(workspace, "codex", "Hi $USER", args) == "codex-named-arguments"


def test_codex_and_pi_drop_arguments_without_a_place_and_a_warning_says_so(workspace: Workspace) -> None:
    for dialect in ("codex", "pi"):
        prompt = workspace.run(dialect, "No place.", "a b")
        assert (prompt.text, codes(prompt)) == ("No place.", ["arguments-unused"])
        assert codes(workspace.run(dialect, "No place.")) == []


# pi and omp


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$1|$2|$4", "a|b c|"),
        ("$@|$ARGUMENTS", "a b c d|a b c d"),
        ("${@:2}|${@:2:1}|${@:0}|${@:9}", "b c d|b c|a b c d|"),
        ("$0 $10 ${1} $x", "  ${1} $x"),
    ],
)
def test_pi_placeholders(text: str, expected: str, workspace: Workspace) -> None:
    assert workspace.run("pi", text, 'a "b c" d').text == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$1|$2|$4", "a|b c|"),
        ("$@|$ARGUMENTS", "a b c d|a b c d"),
        ("$@[2]|$@[2:1]|$@[0]|$@[9]|$@[2:]|$@[1:0]", "b c d|b c|||b c d|"),
        ("{{ARGUMENTS}} {{ arguments }} {{arg 2}} {{args}}", "a b c d a b c d b c a,b c,d"),
        ("No place.", "No place.\n\na b c d"),
    ],
)
def test_omp_placeholders(text: str, expected: str, workspace: Workspace) -> None:
    prompt = workspace.run("omp", text, 'a "b c" d')
    assert (prompt.text, prompt.diagnostics) == (expected, ())


def test_the_rest_of_the_template_language_of_omp_stays_with_a_warning(workspace: Workspace) -> None:
    prompt = workspace.run("omp", "{{#if args}}Some{{/if}} $1", "a")
    assert (prompt.text, codes(prompt)) == ("{{#if args}}Some{{/if}} a", ["omp-template"])


# Cursor, Copilot, Qwen Code


def test_cursor_has_no_placeholders(workspace: Workspace) -> None:
    workspace.file("a.txt", "alpha")
    prompt = workspace.run("cursor", "Review $1 @a.txt !`touch ran`\n", " the login page ")
    assert prompt.text == "Review $1 @a.txt !`touch ran`\n\nthe login page"
    assert workspace.asked == []


@pytest.mark.parametrize(
    ("text", "args", "expected"),
    [
        ("Form ${input:name}", "Sign Up", "Form Sign Up"),
        ("Form ${input:name:a name}", "name='Sign Up' with care", "Form Sign Up\n\nwith care"),
        ("${input:a} ${input:b}", "b=2", "${input:a} 2"),
        ("${input:a} ${input:b}", "one two", "${input:a} ${input:b}\n\none two"),
        ("Review", "src", "Review\n\nsrc"),
        ("${workspaceFolderBasename} ${other}", "", "work ${other}"),
    ],
)
def test_copilot_inputs(text: str, args: str, expected: str, workspace: Workspace) -> None:
    assert workspace.run("copilot", text, args, name="prompts/do.prompt.md").text == expected


def test_what_only_an_editor_knows_stays_with_a_warning(workspace: Workspace) -> None:
    prompt = workspace.run("copilot", "${selection} in ${file} ${file}", name="prompts/do.prompt.md")
    assert (prompt.text, codes(prompt)) == ("${selection} in ${file} ${file}", ["prompt-editor-variable"] * 2)


def test_copilot_reads_other_commands_as_claude_code_does(workspace: Workspace) -> None:
    assert workspace.run("copilot", "Fix $ARGUMENTS", "it").text == "Fix it"


def test_qwen_puts_files_in_their_places_and_quotes_arguments_in_lines(workspace: Workspace) -> None:
    workspace.file("a.txt", "alpha {{args}} !{touch ran}")
    prompt = workspace.run("qwen", "\n@{a.txt} for {{args}}: !{printf '<%s>' {{args}}} !{}end\n", "x; touch ran")
    assert prompt.text == "alpha {{args}} !{touch ran} for x; touch ran: <x; touch ran> end"
    assert not (workspace.folder / "ran").exists()


def test_qwen_appends_the_typed_line_and_takes_arguments_word_by_word(workspace: Workspace) -> None:
    assert workspace.run("qwen", "Review.", "a b").text == "Review.\n\n/do a b"
    assert workspace.run("qwen", "!{printf '<%s>' $ARGUMENTS}", "a 'b c'").text == "<a><b c>\n\n/do a 'b c'"
    assert refusal(workspace, "qwen", "Oh !{echo") == "command-injection"
    prompt = workspace.run("qwen", "@{gone.txt} {{args}}", "a")
    assert (prompt.text, codes(prompt)) == ("@{gone.txt} a", ["prompt-file-missing"])
