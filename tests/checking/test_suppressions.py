"""What an author suppresses, by a comment or in a configuration, and suppressions that suppress nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pisces.checking.suppression import Suppression, suppressions_in
from tests.checking.planting import plant
from tests.checking.test_command_line import run
from tests.checking.trees import SKILL, Tree, agent, command, gemini, skill

IGNORE = "# pisces: ignore[command-arguments]"
LONG = SKILL + "Read on.\n" * 1000
WARNS = command('prompt = "Fix $ARGUMENTS"')


def codes(folder: Path, tree: Tree, *words: str) -> list[str]:
    out = run(folder, tree, "box", "--output-format", "json", *words)[1]
    return [each["code"] for each in json.loads(out)["diagnostics"]]


SUPPRESSED: dict[str, Tree] = {
    "behind a value in TOML": command(f'prompt = "Fix $ARGUMENTS" {IGNORE}'),
    "before a value in TOML": command(f'{IGNORE}\nprompt = "Fix $ARGUMENTS"'),
    "before other comments and blank lines": command(
        f'{IGNORE}\n\n# pisces: ignore[command-key]\nprompt = "$ARGUMENTS"\n'
    ),
    "for the whole file": command('# pisces: ignore-file[command-arguments]\ndescription = "a"\nprompt = "$ARGUMENTS"'),
    "several codes, and a reason": command(
        'prompt = "$ARGUMENTS" # pisces: ignore[command-key, command-arguments] why'
    ),
    "behind a value in a header": skill(
        SKILL.replace("name: review", "name: Review # pisces: ignore[skill-off-standard]")
    ),
    "before a value in a header": skill(
        SKILL.replace("name: review", "# pisces: ignore[skill-off-standard]\nname: Review")
    ),
    "in Markdown, for the file": skill(LONG + "<!-- pisces: ignore[skill-long] -->\n"),
    "in a header, for the file": skill(LONG.replace("name:", "# pisces: ignore[skill-long]\nname:")),
    "behind text in Markdown": skill(SKILL + "Read ${CLAUDE_PLUGIN_ROOT} <!-- pisces: ignore[variable-foreign] -->\n"),
    "with line ends of Windows": command(f'{IGNORE}\r\nprompt = "Fix $ARGUMENTS"\r\n'),
    "in a header that is not YAML": skill(
        SKILL.replace("description:", "# pisces: ignore[header-not-yaml]\ndescription: a: b")
    ),
    "behind a byte order mark": skill(
        "\ufeff" + SKILL.replace("name:", "# pisces: ignore-file[byte-order-mark, skill-no-header]\nname:")
    ),
}


@pytest.mark.parametrize("title", SUPPRESSED)
def test_a_comment_suppresses(title: str, tmp_path: Path) -> None:
    assert set(codes(tmp_path, SUPPRESSED[title])) <= {"unused-suppression"}
    assert set(codes(tmp_path, {}, "--no-suppressions")) - {"unused-suppression"}


NOT_SUPPRESSED: dict[str, Tree] = {
    "another line": command(f'description = "a" {IGNORE}\nprompt = "Fix $ARGUMENTS"'),
    "another code": command('prompt = "Fix $ARGUMENTS" # pisces: ignore[command-key]'),
    "a comment in a text": command(f'prompt = """\n{IGNORE}\nFix $ARGUMENTS"""'),
    "a comment between quotes": command(f'prompt = "Fix $ARGUMENTS {IGNORE}"'),
    "a comment in code": skill(LONG + "```\n<!-- pisces: ignore[skill-long] -->\n```\n"),
    "a comment between backticks": skill(LONG + "Write `<!-- pisces: ignore[skill-long] -->`.\n"),
    "a comment in a long text of a header": skill(
        LONG.replace("description: ", "description: |\n  # pisces: ignore[skill-long]\n  ")
    ),
    "a quoted text of a header": skill(
        LONG.replace("description: ", 'description: "a # pisces: ignore[skill-long]" #')
    ),
}


@pytest.mark.parametrize("title", NOT_SUPPRESSED)
def test_what_is_no_comment_or_elsewhere_suppresses_nothing(title: str, tmp_path: Path) -> None:
    assert {"command-arguments", "skill-long"} & set(codes(tmp_path, NOT_SUPPRESSED[title]))


def test_the_summary_counts_what_is_suppressed(tmp_path: Path) -> None:
    tree = command(f'prompt = "Fix $ARGUMENTS" {IGNORE}')
    assert run(tmp_path, tree, "box") == (0, "", "checked 1 package: no problems, 1 suppressed\n")
    suppressed = json.loads(run(tmp_path, {}, "box", "--output-format", "json")[1])["suppressed"]
    assert [each["code"] for each in suppressed] == ["command-arguments"]


def test_an_unused_suppression_is_reported_and_removed(tmp_path: Path) -> None:
    tree = command(f'prompt = "Fix" {IGNORE}')
    _, out, _ = run(tmp_path, tree, "box")
    assert out == (
        "box/commands/fix.toml:1:16: warning [unused-suppression] `command-arguments` is not reported here\n"
        "  hint: remove it\n"
    )
    run(tmp_path, {}, "box", "--fix")
    assert (tmp_path / "box/commands/fix.toml").read_text("utf-8") == 'prompt = "Fix"'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('# pisces: ignore[command-key]\nprompt = "Fix"\n', 'prompt = "Fix"\n'),
        (
            'prompt = "$ARGUMENTS" # pisces: ignore[command-key, command-arguments, nonsense] why\n',
            'prompt = "$ARGUMENTS" # pisces: ignore[command-arguments] why\n',
        ),
    ],
)
def test_what_is_of_use_in_a_comment_stays(before: str, after: str, tmp_path: Path) -> None:
    run(tmp_path, command(before), "box", "--fix")
    assert (tmp_path / "box/commands/fix.toml").read_text("utf-8") == after


def test_a_code_that_does_not_exist_is_named_in_an_unused_suppression(tmp_path: Path) -> None:
    _, out, _ = run(tmp_path, command('prompt = "Fix" # pisces: ignore[comand-key]'), "box")
    assert "there is no code `comand-key`\n  hint: did you mean `command-key`?" in out


def test_a_comment_without_a_code_is_reported(tmp_path: Path) -> None:
    assert "suppression-broken" in codes(tmp_path, command('prompt = "Fix" # pisces: ignore'))
    assert "suppression-broken" in codes(tmp_path, command('prompt = "Fix" # pisces: ignore[ , ]'))


@pytest.mark.parametrize(
    "words", [("--select", "command-key"), ("--ignore", "command-arguments"), ("--harness", "gemini")]
)
def test_a_suppression_of_what_was_left_out_is_not_called_unused(words: tuple[str, ...], tmp_path: Path) -> None:
    assert codes(tmp_path, command(f'prompt = "Fix" {IGNORE}'), *words) == []


def test_a_comment_in_a_link_out_of_the_package_stays(tmp_path: Path) -> None:
    plant(tmp_path / "outside", {"SKILL.md": SKILL.replace("name:", "# pisces: ignore[skill-long]\nname:")})
    plant(tmp_path / "box", gemini({"skills/": ""}))
    (tmp_path / "box/skills/review").symlink_to(tmp_path / "outside")
    before = (tmp_path / "outside/SKILL.md").read_bytes()
    run(tmp_path, {}, "box", "--fix")
    assert (tmp_path / "outside/SKILL.md").read_bytes() == before


CONFIGS = {
    "pisces.toml": "[check]\n{}\n",
    "pyproject.toml": "[project]\nname = 'box'\n[tool.pisces.check]\n{}\n",
}
PLACES = {"in the package": "box", "above it": "."}
SETTINGS = (
    'ignore = ["command-arguments"]',
    'ignore = ["command-*"]',
    'select = ["hook-*"]',
    'per-file-ignores = {"*.toml" = ["command-arguments"]}',
    'per-file-ignores = {"**/commands/*" = ["*"]}',
)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_configuration_suppresses(setting: str, name: str, place: str, tmp_path: Path) -> None:
    plant(tmp_path / PLACES[place], {name: CONFIGS[name].format(setting)})
    assert codes(tmp_path, WARNS) == []
    assert codes(tmp_path, {}, "--no-suppressions") == ["command-arguments"]


@pytest.mark.parametrize(
    "setting",
    [
        'ignore = ["command-key"]',
        'select = ["command-arguments"]',
        'per-file-ignores = {"other/*" = ["*"]}',
        'per-file-ignores = {"commands/*" = ["*"]}',  # relative to the file's folder, which is above
        'per-file-ignores = {"*.md" = ["*"]}',
    ],
)
def test_a_configuration_suppresses_no_more_than_it_says(setting: str, tmp_path: Path) -> None:
    plant(tmp_path, {"pisces.toml": f"[check]\n{setting}"})
    assert codes(tmp_path, WARNS) == ["command-arguments"]


def test_the_nearest_configuration_counts(tmp_path: Path) -> None:
    plant(tmp_path, {"pisces.toml": '[check]\nignore = ["command-arguments"]'})
    plant(tmp_path / "box", {"pyproject.toml": "[tool.pisces.check]\nignore = []"})
    assert codes(tmp_path, WARNS) == ["command-arguments"]
    plant(tmp_path / "box", {"pyproject.toml": "[tool.other]\nx = 1"})
    assert codes(tmp_path, {}) == []


def test_a_configuration_above_the_repository_does_not_count(tmp_path: Path) -> None:
    plant(tmp_path, {"pisces.toml": '[check]\nignore = ["command-arguments"]'})
    plant(tmp_path / "box", {".git/": ""})
    assert codes(tmp_path, WARNS) == ["command-arguments"]


def test_select_on_the_command_line_replaces_a_configured_one(tmp_path: Path) -> None:
    plant(tmp_path, {"pisces.toml": '[check]\nselect = ["command-key"]'})
    assert codes(tmp_path, WARNS) == []
    assert codes(tmp_path, {}, "--select", "command-*") == ["command-arguments"]


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("[check\n", "check-config", ""),
        ("check = 1", "check-config", "`check` must be a table, not a number"),
        ('[check]\nignore = "skill-long"', "check-config", "`ignore` must be a list of codes"),
        ('[check]\nper-file-ignores = ["a"]', "check-config", "`per-file-ignores` must be a table, not a list"),
        ('[check]\nignroe = ["skill-long"]', "check-config", "unknown key `ignroe`"),
        ('[check]\nignore = ["skil-long"]', "check-config-code", "there is no code `skil-long`"),
        ('[check.per-file-ignores]\n"*.md" = ["x"]', "check-config-code", "there is no code `x`"),
    ],
)
def test_a_configuration_that_cannot_be_used_is_reported(text: str, code: str, message: str, tmp_path: Path) -> None:
    plant(tmp_path, {"pisces.toml": text})
    out = json.loads(run(tmp_path, WARNS, "box", "--output-format", "json")[1])["diagnostics"]
    (found,) = [each for each in out if each["code"].startswith("check-config")]
    assert found["code"] == code
    assert message in found["message"]
    assert "command-arguments" in [each["code"] for each in out]


def test_other_tables_of_pisces_toml_are_for_others(tmp_path: Path) -> None:
    plant(tmp_path, {"pisces.toml": '[build]\ntargets = ["all"]'})
    assert codes(tmp_path, WARNS) == ["command-arguments"]


def test_a_code_that_does_not_exist_on_the_command_line_is_refused(tmp_path: Path) -> None:
    code, out, err = run(tmp_path, WARNS, "box", "--ignore", "command-argument")
    assert (code, out) == (2, "")
    assert err == "there is no code `command-argument`\n  hint: did you mean `command-arguments`?\n"


def test_ignored_problems_are_not_fixed(tmp_path: Path) -> None:
    plant(tmp_path, {"pisces.toml": '[check]\nignore = ["command-arguments"]'})
    run(tmp_path, WARNS, "box", "--fix")
    assert "$ARGUMENTS" in (tmp_path / "box/commands/fix.toml").read_text("utf-8")


def test_many_comments_cost_no_more_than_their_text() -> None:
    text = "---\n" + "a: '# pisces: ignore[\n" * 3000 + "---\n" + "<!-- pisces: ignore[" * 20000
    assert suppressions_in("/a.md", "/", text) == []
    many = suppressions_in("/a.toml", "/", f"{IGNORE}\n" * 3000)
    assert len([each for each in many if isinstance(each, Suppression)]) == 3000


def test_subagents_can_be_suppressed_too(tmp_path: Path) -> None:
    text = (
        "---\nname: reviewer\ndescription: Reviews\ntools:\n  - Read # pisces: ignore[agent-header]\n---\nYou review.\n"
    )
    assert codes(tmp_path, agent(text)) == []
