"""Texts of each harness are cut into parts: what it fills in is a part, everything else stays as it was found."""

from __future__ import annotations

import time

import pytest

from pisces.converting.plugin import PluginAgent, PluginCommand, PluginItem, PluginSkill
from pisces.converting.prompt_text import (
    PromptArgument,
    PromptArguments,
    PromptInclude,
    PromptLine,
    PromptLiteral,
    PromptText,
    PromptVariable,
)
from pisces.converting.reading import reader_of
from pisces.converting.variables import text_with_variables


def claude(text: str, kind: type[PluginItem] = PluginCommand, **fields: object) -> PromptText:
    found = reader_of("claude").template(text, kind, fields)
    assert found.written == text
    return found


def numbers(text: str) -> list[int]:
    return [each.number for each in claude(text).parts if isinstance(each, PromptArgument)]


def test_a_text_without_places_is_one_part() -> None:
    assert claude("Say hello.\n").parts == ("Say hello.\n",)


def test_all_arguments_need_no_end_of_word() -> None:
    assert claude("a $ARGUMENTSX b").parts == ("a ", PromptArguments("$ARGUMENTS"), "X b")


def test_the_first_argument_is_1_where_nothing_counts_from_0() -> None:
    assert numbers("$1 and $2") == [0, 1]


def test_the_first_argument_is_0_where_one_is_called_so() -> None:
    assert numbers("$0 and $1") == [0, 1]
    assert numbers("$ARGUMENTS[0] and $1") == [0, 1]


@pytest.mark.parametrize("text", ["it costs $25", "$1abc", "${1}", "$name", "${ARGUMENTS}", "${HOME}"])
def test_what_claude_code_leaves_alone_is_text(text: str) -> None:
    assert claude(text).parts == (text,)


def test_arguments_that_the_header_names_are_arguments() -> None:
    parts = claude("fix $issue on $branch, not $issues", arguments="issue branch").parts
    assert parts[1] == PromptArgument(0, "$issue", "issue")
    assert parts[3] == PromptArgument(1, "$branch", "branch")
    assert parts[4] == ", not $issues"


def test_a_backslash_keeps_a_place_from_being_filled() -> None:
    assert claude(r"\$ARGUMENTS and \$1").parts == (
        PromptLiteral("$ARGUMENTS", r"\$ARGUMENTS"),
        " and ",
        PromptLiteral("$1", r"\$1"),
    )


def test_lines_run_at_the_start_of_a_line_and_after_a_blank_also_in_code() -> None:
    text = "- !`git log $1`\n```\n!`ls`\n```\nx!`no` [!`no`]\n"
    lines = [each for each in claude(text).parts if isinstance(each, PromptLine)]
    assert lines == [
        PromptLine(("git log ", PromptArgument(0, "$1")), "!`git log $1`"),
        PromptLine(("ls",), "!`ls`"),
    ]


def test_a_fence_with_a_mark_is_one_line() -> None:
    (line,) = claude('```!\n"${CLAUDE_PLUGIN_ROOT}/a.sh" $ARGUMENTS\n```').parts
    assert isinstance(line, PromptLine)
    assert line.block
    assert line.parts == (
        '"',
        PromptVariable("root", "${CLAUDE_PLUGIN_ROOT}"),
        '/a.sh" ',
        PromptArguments("$ARGUMENTS"),
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("see @docs/a.md.", "@docs/a.md"),
        ("@~/notes", "@~/notes"),
        ("@./x", "@./x"),
        ("@src/a.ts#L3-9", "@src/a.ts#L3-9"),
        ("@$1", "@$1"),
        ("@${CLAUDE_PLUGIN_ROOT}/x", "@${CLAUDE_PLUGIN_ROOT}/x"),
        ('@"a b.md"', '@"a b.md"'),
    ],
)
def test_a_file_that_is_mentioned_is_an_include(text: str, name: str) -> None:
    assert [each.written for each in claude(text).parts if isinstance(each, PromptInclude)] == [name]


@pytest.mark.parametrize(
    "text", ["@types/node", "@param x", "@app.route", "me@a.md", "(@a.md)", "`@a.md`", "@", "a @ b"]
)
def test_what_names_no_file_is_no_include(text: str) -> None:
    assert claude(text).parts == (text,)


def test_in_a_subagent_only_variables_count() -> None:
    text = "$ARGUMENTS $1 !`ls` @a.md ${CLAUDE_PLUGIN_ROOT}"
    assert claude(text, PluginAgent).parts == (
        "$ARGUMENTS $1 !`ls` @a.md ",
        PromptVariable("root", "${CLAUDE_PLUGIN_ROOT}"),
    )


@pytest.mark.parametrize(
    ("written", "name", "default"),
    [
        ("${CLAUDE_PLUGIN_ROOT}", "root", None),
        ("$CLAUDE_PLUGIN_ROOT", "root", None),
        ("${CLAUDE_PLUGIN_ROOT:-.}", "root", "."),
        ("${CLAUDE_PLUGIN_ROOT:-${HOME}/x}", "root", "${HOME}/x"),
        ("${CLAUDE_PLUGIN_DATA}", "data", None),
        ("${CLAUDE_PROJECT_DIR}", "project", None),
        ("${CLAUDE_SKILL_DIR}", "skill folder", None),
        ("${CLAUDE_SESSION_ID}", "session", None),
        ("${CLAUDE_EFFORT}", "env:CLAUDE_EFFORT", None),
        ("${user_config.api_key}", "setting:api_key", None),
        ("$CLAUDE_PLUGIN_OPTION_KEY", "setting:KEY", None),
    ],
)
@pytest.mark.parametrize("kind", [PluginCommand, PluginSkill, PluginAgent])
def test_each_spelling_of_a_variable_is_known(
    written: str, name: str, default: str | None, kind: type[PluginItem]
) -> None:
    assert claude(f"x {written} y", kind).parts == ("x ", PromptVariable(name, written, default), " y")


def test_strings_of_servers_name_the_environment() -> None:
    found = text_with_variables("Bearer ${TOKEN:-none} ${CLAUDE_PLUGIN_ROOT}", "claude")
    assert found.parts == (
        "Bearer ",
        PromptVariable("env:TOKEN", "${TOKEN:-none}", "none"),
        " ",
        PromptVariable("root", "${CLAUDE_PLUGIN_ROOT}"),
    )


def test_lines_of_hooks_keep_what_is_the_shells() -> None:
    text = 'for f in "$1" ${f%.*} $HOME ${#a[@]}; do :; done'
    assert text_with_variables(text, "claude").parts == (text,)


def test_prompts_in_braces_are_cut_by_counting_them() -> None:
    text = "a {{args}} !{echo {x} {{args}}} @{a/{{args}}.md} }"
    found = reader_of("gemini").template(text, PluginCommand, {})
    assert found.written == text
    kinds = [type(each).__name__ for each in found.parts]
    assert kinds == ["str", "PromptArguments", "str", "PromptLine", "str", "PromptInclude", "str"]


def test_braces_that_are_never_closed_are_text() -> None:
    text = "a !{ls @{b"
    assert reader_of("gemini").template(text, PluginCommand, {}).parts == (text,)


def test_variables_of_an_extension_count_in_skills_and_not_in_commands() -> None:
    reader = reader_of("gemini")
    assert reader.template("${extensionPath}", PluginSkill, {}).parts == (PromptVariable("root", "${extensionPath}"),)
    assert reader.template("${extensionPath}", PluginCommand, {}).parts == ("${extensionPath}",)


def test_arguments_of_codex_commands_count_from_1() -> None:
    found = reader_of("codex").template("$$ $1 $ARGUMENTS ${PLUGIN_ROOT}", PluginCommand, {})
    assert [type(each) for each in found.parts if not isinstance(each, str)] == [
        PromptArgument,
        PromptArguments,
        PromptVariable,
    ]


@pytest.mark.parametrize(
    "text",
    [
        "$" * 200_000,
        "${CLAUDE_A:-" * 20_000,
        "${CLAUDE_A:-" + "{}" * 100_000,
        "```!" * 50_000,
        "!`" * 100_000,
        "@" * 200_000,
        " @" + "a." * 100_000,
        "!{" * 100_000,
        "\\$" * 100_000,
    ],
)
@pytest.mark.parametrize("harness", ["claude", "gemini", "codex"])
def test_hostile_texts_are_read_in_linear_time(text: str, harness: str) -> None:
    started = time.process_time()
    found = reader_of(harness).template(text, PluginCommand, {})
    assert found.written == text
    assert time.process_time() - started < 5
