"""Commands as Gemini CLI runs them: every placeholder in its words, and none of another program's left."""

from __future__ import annotations

from typing import Any

from pisces.converting.plugin import PluginCommand
from pisces.converting.prompt_text import (
    PROJECT,
    ROOT,
    SETTING,
    PromptArgument,
    PromptArguments,
    PromptInclude,
    PromptLine,
    PromptLiteral,
    PromptText,
    PromptVariable,
    plain,
)
from tests.converting.gemini_output import DEMO, Output, output_of

ROOT_PART = PromptVariable(ROOT, "${CLAUDE_PLUGIN_ROOT}")
TYPED = PromptArguments("$ARGUMENTS")


def command(*parts: Any, name: Any = "git:commit", hint: Any = "", **fields: Any) -> PluginCommand:
    header = {"description": "Commits", **fields}
    prompt = PromptText(parts) if parts else plain("Commit.\n")
    return PluginCommand(name, f"commands/{name.replace(':', '/')}.md", header, {}, "Commits", hint, prompt)


def written(*commands: PluginCommand, **options: Any) -> Output:
    return output_of(DEMO.replace(commands=commands), **options)


def prompt_of(*parts: Any, **fields: Any) -> str:
    text: str = written(command(*parts, **fields)).toml("commands/demo/git/commit.toml")["prompt"]
    return text


def test_a_command_keeps_its_folders_behind_the_name_of_the_package() -> None:
    made = written(command(hint="[message]"))
    assert made.toml("commands/demo/git/commit.toml") == {
        "description": "Commits (args: [message])",
        "prompt": "Commit.\n",
    }
    assert "commands/git/commit.toml" in written(command(), without_prefix=True).paths


def test_a_command_of_an_extension_is_typed_as_before() -> None:
    made = output_of(DEMO.replace(harness="gemini", format="gemini", commands=(command(),)))
    assert "commands/git/commit.toml" in made.paths
    assert not [each for each in made.written.fates if each.field == "name" and each.is_loss]


def test_placeholders_are_those_of_gemini_cli() -> None:
    assert prompt_of("Do ", TYPED, ".") == "Do {{args}}."
    assert prompt_of("See ", PromptInclude(("docs/a.md",), "@docs/a.md"), "!") == "See @{docs/a.md}!"
    assert prompt_of("On ", PromptLine(("git branch",), "!`git branch`")) == "On !{git branch}"
    assert prompt_of(PromptLiteral("$1", "\\$1"), PromptVariable(PROJECT, "${CLAUDE_PROJECT_DIR}"), "/x") == "$1./x"


def test_single_arguments_are_named_and_explained() -> None:
    assert prompt_of("Move ", PromptArgument(0, "$1"), " to ", PromptArgument(1, "$to", "to")) == (
        "The user typed: {{args}}\n`<argument 1>` is the first word of what the user typed\n"
        "`<to>` is the second word of what the user typed\n\nMove <argument 1> to <to>"
    )


def test_arguments_in_a_command_line_are_taken_apart_outside_of_it() -> None:
    line = PromptLine(("gh issue view ", TYPED), "!`gh issue view $ARGUMENTS`")
    assert prompt_of(line) == "!{printf 'bash %s' {{args}} | xargs bash -c 'gh issue view \"${@}\"'}"


def test_a_file_outside_of_the_workspace_is_read_by_the_model() -> None:
    for path in ("~/notes.md", "/etc/hosts.txt", "../up.md"):
        assert prompt_of(PromptInclude((path,), f"@{path}")) == f"`{path}` (read this file)"
    assert prompt_of(PromptInclude((PromptArgument(0, "$1"),), "@$1")).endswith("`<argument 1>` (read this file)")


def test_a_mention_is_no_file() -> None:
    for mention in ("@types/node", "@coderabbitai", "@media"):
        assert prompt_of("Say ", PromptInclude((mention[1:],), mention)) == f"Say {mention}"


def test_a_text_that_names_a_place_in_the_package_is_a_skill_that_the_command_starts() -> None:
    made = written(command("Run ", ROOT_PART, "/x.sh ", TYPED))
    assert made.toml("commands/demo/git/commit.toml")["prompt"].startswith("Load the skill `commit-command` with")
    assert made.header("skills/commit-command/SKILL.md")["name"] == "commit-command"
    assert made.body("skills/commit-command/SKILL.md").endswith("\n\nRun ${extensionPath}/x.sh <arguments>")
    assert ("changed-meaning", "prompt") in made.codes()


def test_so_is_a_text_with_a_setting_or_with_what_gemini_cli_would_fill_in() -> None:
    for parts in (
        (PromptVariable(f"{SETTING}key", "${user_config.key}"),),
        ("npm install pkg@{version}",),
        ("Jinja {{args}}",),
        ("wow!{",),
        (PromptLine((ROOT_PART, "/x.sh"), "!`${CLAUDE_PLUGIN_ROOT}/x.sh`"),),
    ):
        assert "skills/commit-command/SKILL.md" in written(command(*parts)).paths, parts


def test_a_command_that_the_model_may_not_start_is_no_skill() -> None:
    made = written(command("Run ", ROOT_PART, "/x.sh @{y}", **{"disable-model-invocation": True}))
    assert made.paths == ["commands/demo/git/commit.toml", "gemini-extension.json"]
    prompt = made.toml("commands/demo/git/commit.toml")["prompt"]
    assert prompt == "Run ~/.gemini/extensions/demo/x.sh @ {y}"


def test_in_a_shell_a_place_may_stand_between_quotes() -> None:
    line = PromptLine(('bash "', ROOT_PART, '/x.sh"'), "!`bash ...`")
    made = written(command(line, **{"disable-model-invocation": True}))
    assert made.toml("commands/demo/git/commit.toml")["prompt"] == '!{bash "$HOME/.gemini/extensions/demo/x.sh"}'


def test_loose_files_name_the_whole_path() -> None:
    made = written(command("Run ", ROOT_PART, "/x.sh"), root="/home/x/.gemini/demo/files", home="/home/x/.gemini")
    assert made.toml("commands/demo/git/commit.toml")["prompt"] == "Run /home/x/.gemini/demo/files/x.sh"


def test_what_a_command_asks_of_its_program_is_said_or_reported() -> None:
    fields = {
        "allowed-tools": "Bash(git add:*)",
        "model": "haiku",
        "context": "fork",
        "hide-from-slash-command-tool": 1,
    }
    made = written(command(**fields))
    assert made.toml("commands/demo/git/commit.toml")["prompt"] == "Hand this over to a subagent.\n\nCommit.\n"
    assert made.codes() == [
        ("changed-meaning", "context"),
        *(("lost-field", key) for key in ("allowed-tools", "hide-from-slash-command-tool", "model")),
    ]


def test_odd_names_become_files_that_every_system_takes() -> None:
    made = written(
        command(name="../../etc:passwd"), command(name="a b/c\\d"), command(name="CON"), command(name="é" * 80)
    )
    assert [each for each in made.paths if each.startswith("commands/")] == [
        *("commands/demo/CON-.toml", "commands/demo/a-b-c-d.toml", "commands/demo/command.toml"),
        "commands/demo/etc/passwd.toml",
    ]


def test_two_commands_with_one_file_name_are_both_there() -> None:
    made = written(command(name="a b"), command(name="a/b"), command(name="A-b"))
    assert [each for each in made.paths if each.startswith("commands/")] == [
        *("commands/demo/A-b-3.toml", "commands/demo/a-b-2.toml", "commands/demo/a-b.toml")
    ]


def test_a_description_that_is_cut_is_noted() -> None:
    made = written(command().replace(description="x" * 101))
    assert made.codes() == [("changed-meaning", "description")]
