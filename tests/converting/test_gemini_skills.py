"""Skills of a package where Gemini CLI sees them; what needs no change is copied byte for byte."""

from __future__ import annotations

from typing import Any

import pytest

from pisces.converting.fate import Fate
from pisces.converting.plugin import EVERYTHING, LOOKING_AROUND, PluginAgent, PluginCommand, PluginFile, PluginSkill
from pisces.converting.prompt_text import (
    ROOT,
    SKILL_FOLDER,
    PromptArgument,
    PromptArguments,
    PromptInclude,
    PromptLine,
    PromptText,
    PromptVariable,
    plain,
)
from tests.converting.gemini_output import DEMO, Output, output_of

ROOT_PART = PromptVariable(ROOT, "${CLAUDE_PLUGIN_ROOT}")


def skill(folder: Any = "skills/notes", *parts: Any, files: Any = (), **fields: Any) -> PluginSkill:
    name = str(fields.get("name", folder.rpartition("/")[2]))
    header = {"name": name, "description": "Notes", **fields}
    return PluginSkill(
        name,
        f"{folder}/SKILL.md" if folder else "SKILL.md",
        header,
        {},
        "Notes",
        PromptText(parts) if parts else plain("Write notes.\n"),
        tuple(f"{folder}/{each}" if folder else each for each in files),
        by_user=fields.get("user-invocable") is not False,
        by_model=fields.get("disable-model-invocation") is not True,
    )


def written(*skills: PluginSkill, **options: Any) -> Output:
    files = [PluginFile(path) for each in skills for path in (each.path, *each.files)]
    return output_of(DEMO.replace(skills=skills, files=tuple(files)), **options)


def test_a_skill_that_needs_no_change_is_copied_with_its_files() -> None:
    made = written(skill(files=("scripts/run.sh",)))
    assert [(each.path, each.source) for each in made.written.files if each.data is None] == [
        ("skills/notes/SKILL.md", "skills/notes/SKILL.md"),
        ("skills/notes/scripts/run.sh", "skills/notes/scripts/run.sh"),
    ]
    assert not made.losses


OWN_AGENTS = {"general-purpose": EVERYTHING, "Explore": LOOKING_AROUND}


def test_agents_that_the_other_program_brings_are_those_of_this_one() -> None:
    text = plain('Task(subagent_type="general-purpose"), then @agent-Explore, then subagent_type: Plan.\n')
    notes = skill(context="fork", agent="Explore").replace(prompt=text)
    body = output_of(DEMO.replace(skills=(notes,), own_agents=OWN_AGENTS)).text("skills/notes/SKILL.md")
    assert "Hand this over to the subagent `codebase_investigator`." in body
    assert 'subagent_type="generalist"), then @codebase_investigator, then subagent_type: Plan.' in body


def test_an_agent_of_the_package_comes_before_one_that_the_other_program_brings() -> None:
    own = PluginAgent("Explore", "agents/explore.md", {}, {}, "Looks", plain("Look."))
    plugin = DEMO.replace(skills=(skill(agent="Explore"),), agents=(own,), own_agents=OWN_AGENTS)
    assert "to the subagent `explore`" in output_of(plugin).text("skills/notes/SKILL.md")


def test_a_repaired_header_is_written_anew() -> None:
    plugin = DEMO.replace(
        skills=(skill(),), fates=(Fate("approximated", "x", "skills/notes/SKILL.md", code="repaired"),)
    )
    assert output_of(plugin).header("skills/notes/SKILL.md") == {"name": "notes", "description": "Notes"}


def test_deep_skills_move_up_and_no_two_have_one_name() -> None:
    made = written(skill("skills/a/x"), skill("skills/b/x", files=("data.txt",)), skill("skills/x"))
    assert [each for each in made.paths if each.startswith("skills/")] == [
        *("skills/x-2/SKILL.md", "skills/x-2/data.txt", "skills/x-3/SKILL.md", "skills/x/SKILL.md")
    ]
    assert made.header("skills/x-2/SKILL.md")["name"] == "x-2"


def test_a_skill_inside_of_another_is_there_once() -> None:
    outer = skill("skills/a", files=("help.md", "inner/SKILL.md", "inner/data.txt"))
    made = written(outer, skill("skills/a/inner", files=("data.txt",)))
    assert [each for each in made.paths if each.startswith("skills/")] == [
        *("skills/a/SKILL.md", "skills/a/help.md", "skills/inner/SKILL.md", "skills/inner/data.txt")
    ]


def test_a_package_that_is_one_skill_does_not_copy_its_components_into_it() -> None:
    agent = PluginAgent("reader", "agents/reader.md", {}, {}, "Reads")
    one = skill("", name="whole", files=("agents/reader.md", "scripts/run.sh"))
    files = (PluginFile("SKILL.md"), PluginFile("agents/reader.md"), PluginFile("scripts/run.sh"))
    made = output_of(DEMO.replace(skills=(one,), agents=(agent,), files=files))
    assert made.paths == [
        *("agents/reader.md", "gemini-extension.json", "scripts/run.sh"),
        *("skills/whole/SKILL.md", "skills/whole/scripts/run.sh"),
    ]


@pytest.mark.parametrize(("name", "expected"), [("a:b/c", "a-b-c"), ('x"<y>', "x-y-"), ("Big Name", "Big Name")])
def test_names_have_no_character_that_gemini_cli_replaces(name: str, expected: str) -> None:
    made = written(skill("skills/odd", name=name))
    if name == expected:
        assert made.data("skills/odd/SKILL.md") is None
    else:
        assert made.header("skills/odd/SKILL.md")["name"] == expected


def test_a_header_without_a_name_or_a_description_gets_both() -> None:
    bare = skill().replace(fields={}, description="", prompt=plain("# Take notes\n"))
    assert written(bare).header("skills/notes/SKILL.md") == {"name": "notes", "description": "Take notes"}


def test_when_to_use_is_a_part_of_the_description() -> None:
    made = written(skill(when_to_use="For meetings", license="MIT"))
    assert made.header("skills/notes/SKILL.md") == {
        "name": "notes",
        "description": "Notes For meetings",
        "license": "MIT",
    }


def test_places_of_the_package_follow_what_was_moved() -> None:
    parts = (
        PromptVariable(SKILL_FOLDER, "${CLAUDE_SKILL_DIR}"),
        "/a.sh, ",
        ROOT_PART,
        "/skills/deep/notes/b.sh and ",
        ROOT_PART,
        "/scripts/c.sh and ",
        ROOT_PART,
    )
    made = written(skill("skills/deep/notes", *parts))
    assert made.body("skills/notes/SKILL.md") == (
        "${extensionPath}/skills/notes/a.sh, ${extensionPath}/skills/notes/b.sh and ${extensionPath}/scripts/c.sh"
        " and ${extensionPath}"
    )


def test_loose_files_have_whole_paths() -> None:
    parts = (
        PromptVariable(SKILL_FOLDER, "${CLAUDE_SKILL_DIR}"),
        "/a.sh ",
        ROOT_PART,
        "/skills/notes/b ",
        ROOT_PART,
        "/c",
    )
    made = written(skill("skills/notes", *parts), root="/h/.gemini/demo/files", home="/h/.gemini")
    assert made.body("skills/notes/SKILL.md") == (
        "/h/.gemini/skills/notes/a.sh /h/.gemini/skills/notes/b /h/.gemini/demo/files/c"
    )
    assert "gemini-extension.json" not in made.paths


def test_what_would_be_filled_in_is_said_in_words() -> None:
    parts = (
        "Do ",
        PromptArguments("$ARGUMENTS"),
        " with ",
        PromptArgument(1, "$2"),
        ".\nBranch: ",
        PromptLine(("git branch",), "!`git branch`"),
        "\n",
        PromptInclude(("docs/style.md",), "@docs/style.md"),
    )
    made = written(skill("skills/notes", *parts))
    assert made.body("skills/notes/SKILL.md") == (
        "`<arguments>` is what the user typed\n`<argument 2>` is the second word of what the user typed\n"
        "\nDo <arguments> with <argument 2>.\nBranch: (run `git branch` and use its output)\n"
        "`docs/style.md` (read this file)"
    )
    assert [each.code for each in made.losses] == ["changed-meaning"] * 3


def test_a_skill_only_for_users_is_a_command_and_no_skill() -> None:
    hidden = skill("skills/deploy", files=("run.sh",), **{"disable-model-invocation": True})
    made = written(hidden)
    assert made.paths == ["commands/demo/deploy.toml", "gemini-extension.json", "skills-data/deploy/run.sh"]
    prompt = made.toml("commands/demo/deploy.toml")["prompt"]
    assert (
        prompt == "Files that this text names are in `~/.gemini/extensions/demo/skills-data/deploy`.\n\nWrite notes.\n"
    )


def test_a_skill_only_for_the_model_stays_a_skill_and_the_report_says_what_differs() -> None:
    made = written(skill(**{"user-invocable": False}))
    assert made.data("skills/notes/SKILL.md") is None
    assert made.codes() == [("changed-meaning", "user-invocable")]


def test_fields_that_gemini_cli_does_not_read_are_reported() -> None:
    fields = {"allowed-tools": "Bash(git:*)", "model": "opus", "private": 1, "license": "MIT", "metadata": {"a": "b"}}
    assert written(skill(**fields)).codes() == [("lost-field", key) for key in ("allowed-tools", "model", "private")]


def test_a_tool_that_a_skill_denies_is_an_error() -> None:
    loss = written(skill(**{"disallowed-tools": "Bash"})).losses[0]
    assert (loss.kind, loss.severity, loss.field) == ("widened", "error", "disallowed-tools")


def test_a_skill_can_be_left_out_and_the_report_says_it() -> None:
    made = written(skill(), skipped_skills=("notes",))
    assert made.paths == ["gemini-extension.json"]
    assert made.codes() == [("lost-component", "")]
    meant = written(skill().replace(targets=("claude", "codex")))
    assert meant.paths == ["gemini-extension.json"]
    assert written(skill().replace(targets=("claude", "gemini"))).data("skills/notes/SKILL.md") is None


def test_a_skill_and_a_command_never_share_what_the_user_types() -> None:
    command = PluginCommand("notes", "commands/notes.md", {}, {}, "N", "", plain("x"))
    made = output_of(DEMO.replace(skills=(skill(),), commands=(command,)))
    assert "commands/demo/notes-2.toml" in made.paths
