"""`check --fix`: what each fix writes, and what is never written."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from pisces.checking.check import Scope, check
from pisces.checking.fix import TextEdit
from pisces.checking.fixing import edited, rewrites, write
from pisces.checking.json_edits import made_strict
from pisces.places import Places
from tests.checking.planting import plant
from tests.checking.test_command_line import run
from tests.checking.trees import AGENT, HOOKS, MANIFEST, PLUGIN, SKILL, Tree, agent, claude, command, gemini, skill
from tests.growth import LINEAR, growth

HOOK = '{"hooks": {"BeforeTool": [{"matcher": "%s", "hooks": [{"type": "command", "command": "%s"%s}]}]}}'


def hooks(matcher: str = ".*", command: str = "true", more: str = "") -> Tree:
    return gemini({HOOKS: HOOK % (matcher, command, more)})


def header(*lines: str) -> str:
    return "\n".join(("---", "name: reviewer", "description: Reviews a change", *lines, "---", "You review.", ""))


SAFE: dict[str, tuple[Tree, str, str, str]] = {  # the tree, its file, what is in it, and what is in it afterwards
    "a byte order mark": (skill("\ufeff" + SKILL), "skills/review/SKILL.md", "\ufeff---", "---"),
    "a trailing comma": (
        {MANIFEST: '{"name": "box", "version": "1.0.0",}'},
        MANIFEST,
        '"1.0.0",}',
        '"1.0.0"}',
    ),
    "a comment in JSON": (
        {MANIFEST: '{\n  // the name\n  "name": "box", /* a */\n  "version": "1.0.0" // b\n}\n'},
        MANIFEST,
        "// the name",
        '{\n  "name": "box",\n  "version": "1.0.0"\n}\n',
    ),
    "a missing version": (
        {MANIFEST: '{\n  "name": "box",\n  "description": "A box"\n}\n'},
        MANIFEST,
        '"box",\n',
        '{\n  "name": "box",\n  "version": "0.0.0",\n  "description": "A box"\n}\n',
    ),
    "a version with two numbers": (gemini(version="1.2"), MANIFEST, '"1.2"', '"1.2.0"'),
    "a version of Python": (gemini(version="1.0.0rc1"), MANIFEST, '"1.0.0rc1"', '"1.0.0-rc1"'),
    "`trust` in an extension": (
        gemini(mcpServers={"a": {"command": "x", "trust": True}}),
        MANIFEST,
        ', "trust": true',
        '{"command": "x"}',
    ),
    "a foreign placeholder": (command('prompt = "Fix $ARGUMENTS"'), "commands/fix.toml", "$ARGUMENTS", "Fix {{args}}"),
    "backslashes of a pattern": (
        command('prompt = "Find \\d and \\n and \\\\s"'),
        "commands/fix.toml",
        "\\d and",
        'prompt = "Find \\\\d and \\n and \\\\s"',
    ),
    "tools as one text": (
        agent(header("tools: Read, Bash, grep_search")),
        "agents/reviewer.md",
        "tools: Read",
        "tools:\n  - read_file\n  - run_shell_command\n  - grep_search\n---",
    ),
    "a foreign tool in a list": (
        agent(header('tools: ["Read", glob]')),
        "agents/reviewer.md",
        '"Read"',
        "tools: [read_file, glob]",
    ),
    "a key as others spell it": (agent(header("maxTurns: 3")), "agents/reviewer.md", "maxTurns: 3", "max_turns: 3"),
    "a name with capitals": (
        agent(AGENT.replace("name: reviewer", "name: Reviewer")),
        "agents/reviewer.md",
        "name: Reviewer",
        "name: reviewer",
    ),
    "a value that needs quotes": (
        skill(SKILL.replace("description: Reviews", "description: Use when: Reviews")),
        "skills/review/SKILL.md",
        "description: Use when:",
        'description: "Use when: Reviews a change. Use when asked."\n',
    ),
    "a skill without a name": (
        skill(SKILL.replace("name: review\n", "")),
        "skills/review/SKILL.md",
        "---\ndescription",
        SKILL,
    ),
    "the file of a skill": (
        claude({"skills/review/SKILL.md": SKILL}, skills=["./skills/review/SKILL.md"]),
        PLUGIN,
        "/SKILL.md",
        '["./skills/review"]',
    ),
    "a value inside another that needs quotes": (
        claude({"commands/a.md": "---\narguments:\n  - name: a\n    description: What (default: all)\n---\nDo it\n"}),
        "commands/a.md",
        "(default: all)",
        '\n    description: "What (default: all)"\n---',
    ),
    "an author with an address": (
        claude(author="Ann <ann@example.org>"),
        PLUGIN,
        "<ann@example.org>",
        '"author": {"name": "Ann", "email": "ann@example.org"}',
    ),
    "a foreign variable in a text": (
        skill(SKILL + "Read ${CLAUDE_PLUGIN_ROOT}/a and ${CLAUDE_PLUGIN_ROOT}/b\n"),
        "skills/review/SKILL.md",
        "CLAUDE",
        "Read ${extensionPath}/a and ${extensionPath}/b\n",
    ),
    "an author as text": (claude(author="Ann"), PLUGIN, '"author": "Ann"', '"author": {"name": "Ann"}'),
    "a folder that is read anyway": (
        claude({"agents/reviewer.md": AGENT}, agents="./agents/"),
        PLUGIN,
        '"agents"',
        '"A box"}',
    ),
    "a path without a dot": (
        claude({"extra/a.md": "A"}, commands=["extra/a.md"]),
        PLUGIN,
        '["extra/a.md"]',
        '["./extra/a.md"]',
    ),
}
UNSAFE: dict[str, tuple[Tree, str, str, str]] = {
    "a key in the wrong case": (gemini(contextfilename="A.md"), MANIFEST, '"contextfilename"', '"contextFileName"'),
    "a tool that is excluded by a foreign name": (
        gemini(excludeTools=["Bash"]),
        MANIFEST,
        '"Bash"',
        '["run_shell_command"]',
    ),
    "a foreign variable": (
        {**hooks(command="${CLAUDE_PLUGIN_ROOT}/a $CLAUDE_PLUGIN_ROOT/a"), "a": ""},
        HOOKS,
        "CLAUDE",
        "${extensionPath}/a ${extensionPath}/a",
    ),
    "a timeout in seconds": (hooks(more=', "timeout": 30'), HOOKS, '"timeout": 30', '"timeout": 30000'),
    "an event of another harness": (
        gemini({HOOKS: (HOOK % (".*", "true", "")).replace("BeforeTool", "PreToolUse")}),
        HOOKS,
        "PreToolUse",
        '"BeforeTool"',
    ),
    "a matcher of another harness": (hooks("Edit|Write"), HOOKS, "Edit|Write", '"replace|write_file"'),
    "a secret": (
        gemini(settings=[{"name": "Key", "description": "A key", "envVar": "API_KEY"}]),
        MANIFEST,
        '"API_KEY"',
        '"envVar": "API_KEY", "sensitive": true',
    ),
    "a key without effect": (gemini(geminiVersion="1"), MANIFEST, "geminiVersion", '"description": "A box"}'),
    "a key that only others read": (
        agent(header("color: red")),
        "agents/reviewer.md",
        "color",
        "change\n---",
    ),
    "a placeholder in a shell command": (
        command('prompt = "!{echo $ARGUMENTS}"'),
        "commands/fix.toml",
        "$ARGUMENTS",
        "!{echo {{args}}}",
    ),
    "a skill with another spelling": (
        skill(SKILL.replace("name: review", 'name: "Code Review"'), "code-review"),
        "skills/code-review/SKILL.md",
        "Code Review",
        "---\nname: code-review\n",
    ),
    "a key of a command without effect": (
        command('name = "fix" # a\nprompt = """\nname = "fix"\n"""\n'),
        "commands/fix.toml",
        "# a",
        'prompt = """\nname = "fix"\n"""\n',
    ),
    "a key of a command in the wrong case": (
        command('Description = "Fixes"\nprompt = "Fix"\n'),
        "commands/fix.toml",
        "Description",
        'description = "Fixes"\nprompt',
    ),
    "a server without a type": (
        claude({".mcp.json": '{"mcpServers": {"a": {"url": "https://example.org/sse", "headers": {}}}}'}),
        ".mcp.json",
        'org/sse", "headers',
        '{"url": "https://example.org/sse", "type": "sse", "headers": {}}',
    ),
    "a key that a closed schema does not have": (
        {".cursor-plugin/plugin.json": '{"name": "box", "author": {"name": "Ann", "url": "https://example.org"}}'},
        ".cursor-plugin/plugin.json",
        '"url"',
        '"author": {"name": "Ann"}}',
    ),
    "a name with blanks": (gemini(name="My Box"), MANIFEST, '"My Box"', '"my-box"'),
}


@pytest.mark.parametrize("title", SAFE)
def test_safe_fixes_are_written(title: str, tmp_path: Path) -> None:
    tree, name, before, after = SAFE[title]
    plant(tmp_path / "box", tree)
    assert before in (tmp_path / "box" / name).read_bytes().decode()
    run(tmp_path, {}, "box", "--fix")
    assert after in (tmp_path / "box" / name).read_bytes().decode()
    assert _problems(tmp_path) <= _problems_of(tree, tmp_path)


@pytest.mark.parametrize("title", UNSAFE)
def test_unsafe_fixes_are_written_only_when_asked_for(title: str, tmp_path: Path) -> None:
    tree, name, before, after = UNSAFE[title]
    run(tmp_path, tree, "box", "--fix")
    assert before in (tmp_path / "box" / name).read_text("utf-8")
    run(tmp_path, {}, "box", "--fix", "--unsafe-fixes")
    assert after in (tmp_path / "box" / name).read_text("utf-8")


def _problems(folder: Path) -> int:
    return len(check([str(folder / "box")], Places(str(folder / "home"), str(folder)), Scope({})).diagnostics)


def _problems_of(tree: Tree, folder: Path) -> int:
    plant(folder / "before" / "box", tree)
    return _problems(folder / "before")


NEVER: dict[str, tuple[Tree, str]] = {
    "a tool with a pattern would be widened": (agent(header('tools: ["Bash(git *)"]')), "agents/reviewer.md"),
    "what limits a subagent is not removed": (agent(header("disallowedTools: Bash")), "agents/reviewer.md"),
    "a version that says nothing": (gemini(version="latest"), MANIFEST),
    "a version with a leading zero": (gemini(version="0.07"), MANIFEST),
    "a text that is in the description too": (
        command('description = "$ARGUMENTS"\nprompt = "Fix $ARGUMENTS"'),
        "commands/fix.toml",
    ),
    "a key given twice": (skill(SKILL.replace("name:", "name: a\nname:")), "skills/review/SKILL.md"),
    "a file that another harness loads": (
        {**gemini(), **claude({"agents/reviewer.md": header("tools: Read")})},
        "agents/reviewer.md",
    ),
    "an event that is there already": (
        gemini({HOOKS: '{"hooks": {"PreToolUse": [], "BeforeTool": []}}'}),
        HOOKS,
    ),
}


@pytest.mark.parametrize("title", NEVER)
def test_what_is_not_certain_is_never_written(title: str, tmp_path: Path) -> None:
    tree, name = NEVER[title]
    plant(tmp_path / "box", tree)
    before = (tmp_path / "box" / name).read_bytes()
    run(tmp_path, {}, "box", "--fix", "--unsafe-fixes")
    assert (tmp_path / "box" / name).read_bytes() == before


def test_one_fix_uncovers_another(tmp_path: Path) -> None:
    tree: Tree = {MANIFEST: '{"name": "box", "version": "1.2",}'}
    _, _, err = run(tmp_path, tree, "box", "--fix")
    assert (tmp_path / "box" / MANIFEST).read_text("utf-8") == '{"name": "box", "version": "1.2.0"}'
    assert "fixed 2 problems in 1 file\n" in err


def test_line_ends_stay(tmp_path: Path) -> None:
    text = header("tools: Read, Bash").replace("\n", "\r\n")
    run(tmp_path, agent(text.encode()), "box", "--fix")
    after = (tmp_path / "box/agents/reviewer.md").read_bytes()
    assert b"tools:\r\n  - read_file\r\n  - run_shell_command\r\n---" in after
    assert after.count(b"\n") == after.count(b"\r\n")


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    for number, (tree, *_) in enumerate((*SAFE.values(), *UNSAFE.values())):
        folder = tmp_path / str(number)
        run(folder, tree, "box", "--fix", "--unsafe-fixes")
        files = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        assert "fixed" not in run(folder, {}, "box", "--fix", "--unsafe-fixes")[2]
        assert files == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_diff_shows_and_writes_nothing(tmp_path: Path) -> None:
    code, out, err = run(tmp_path, command('prompt = "Fix $ARGUMENTS"'), "box", "--diff")
    assert out == (
        "--- box/commands/fix.toml\n+++ box/commands/fix.toml\n@@ -1 +1 @@\n"
        '-prompt = "Fix $ARGUMENTS"\n\\ No newline at end of file\n'
        '+prompt = "Fix {{args}}"\n\\ No newline at end of file\n'
    )
    assert (code, err) == (1, "1 fix in 1 file; nothing was written\n")
    assert "$ARGUMENTS" in (tmp_path / "box/commands/fix.toml").read_text("utf-8")
    assert run(tmp_path, gemini(), "box", "--diff")[0] == 1
    assert run(tmp_path / "fine", gemini(), "box", "--diff")[:2] == (0, "")


MANY: Tree = {
    MANIFEST: '{\n  // mine\n  "name": "box",\n  "version": "1.2",\n}\n',
    "agents/reviewer.md": header("tools: Read, Bash").replace("description: Reviews", "description: Use when: R"),
    "commands/fix.toml": b'# a\r\nprompt = "Fix $ARGUMENTS\x0c\xe2\x80\xa8"',
    "skills/review/SKILL.md": "\ufeff" + SKILL.replace("name: review\n", "# pisces: ignore[skill-long]\n"),
    "plain/": "",
}


@pytest.mark.skipif(not shutil.which("patch"), reason="needs patch")
@pytest.mark.parametrize("path", ["box", "box/commands/fix.toml", "."])
def test_the_diff_is_what_fix_would_write(path: str, tmp_path: Path) -> None:
    for name in ("shown", "written"):
        plant(tmp_path / name / "box", {**MANY, "pisces.toml": '[check]\nignore = ["manifest-version"]'})
    _, out, err = run(tmp_path / "shown", {}, path, "--diff")
    fixed = run(tmp_path / "written", {}, path, "--fix")[2].splitlines()[-1]
    assert err.replace("fixes", "problems").startswith(fixed.removeprefix("fixed ") + "; nothing was written")
    for name, content in MANY.items():
        if not name.endswith("/"):
            file = tmp_path / "shown/box" / name
            assert file.read_bytes() == (content if isinstance(content, bytes) else content.encode())
    patch = ["patch", "-p0", "--binary"]
    subprocess.run(patch, cwd=tmp_path / "shown", input=out.encode(), check=True, capture_output=True)
    assert contents(tmp_path / "shown") == contents(tmp_path / "written")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_mode_of_a_file_stays(tmp_path: Path) -> None:
    plant(tmp_path / "box", SAFE["a missing version"][0])
    file = tmp_path / "box" / MANIFEST
    file.chmod(0o666)
    run(tmp_path, {}, "box", "--fix")
    assert '"version"' in file.read_text("utf-8")
    assert file.stat().st_mode & 0o777 == 0o666


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    plant(tmp_path / "outside", {"reviewer.md": header("tools: Read"), "skill/SKILL.md": "\ufeff" + SKILL})
    plant(tmp_path / "box", gemini({"agents/": "", "skills/": ""}))
    (tmp_path / "box/agents/reviewer.md").symlink_to(tmp_path / "outside/reviewer.md")
    (tmp_path / "box/skills/review").symlink_to(tmp_path / "outside/skill")
    before = {path: path.read_bytes() for path in (tmp_path / "outside").rglob("*.md")}
    run(tmp_path, {}, "box", "--fix", "--unsafe-fixes")
    assert before == {path: path.read_bytes() for path in (tmp_path / "outside").rglob("*.md")}
    assert (tmp_path / "box/agents/reviewer.md").is_symlink()


def test_packages_that_a_workspace_links_to_are_not_written(tmp_path: Path) -> None:
    plant(tmp_path / "outside", command('prompt = "Fix $ARGUMENTS"'))
    plant(
        tmp_path / "box",
        {".gemini/extensions/": "", **{f".gemini/extensions/near/{k}": v for k, v in gemini().items()}},
    )
    plant(tmp_path / "box/.gemini/extensions/near", {"commands/fix.toml": 'prompt = "Fix $ARGUMENTS"'})
    (tmp_path / "box/.gemini/extensions/box").symlink_to(tmp_path / "outside")
    _, out, _ = run(tmp_path, {}, "box")
    assert out.count("command-arguments") == 2
    run(tmp_path, {}, "box", "--fix")
    assert "$ARGUMENTS" in (tmp_path / "outside/commands/fix.toml").read_text("utf-8")
    assert "{{args}}" in (tmp_path / "box/.gemini/extensions/near/commands/fix.toml").read_text("utf-8")
    run(tmp_path, {}, "outside", "--fix")
    assert "{{args}}" in (tmp_path / "outside/commands/fix.toml").read_text("utf-8")


def test_a_link_at_the_place_of_the_new_file_is_not_followed(tmp_path: Path) -> None:
    plant(tmp_path / "box", SAFE["a missing version"][0])
    victim = tmp_path / "victim"
    victim.write_text("mine", "utf-8")
    (tmp_path / "box" / f"{MANIFEST}.{os.getpid()}.new").symlink_to(victim)
    run(tmp_path, {}, "box", "--fix")
    assert victim.read_text("utf-8") == "mine"


def test_a_file_that_changed_since_it_was_checked_stays(tmp_path: Path) -> None:
    plant(tmp_path / "box", SAFE["a missing version"][0])
    file = tmp_path / "box" / MANIFEST
    found = check([str(tmp_path / "box")], Places(str(tmp_path / "home"), str(tmp_path)), Scope({}))
    made = rewrites(found.fixes.values())
    file.write_text('{"name": "other"}', "utf-8")
    assert [write(each) for each in made] == [None]
    assert file.read_text("utf-8") == '{"name": "other"}'
    assert rewrites(found.fixes.values()) == []


def test_a_file_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    tree = {**command('prompt = "Fix $ARGUMENTS"'), **gemini(version="1.2")}
    plant(tmp_path / "box", {**tree, f"{MANIFEST}.{os.getpid()}.new/": ""})  # where the new file would be written
    code, out, _ = run(tmp_path, {}, "box", "--fix", "--output-format", "json")
    assert code == 1
    assert [each["path"] for each in json.loads(out)["diagnostics"] if each["code"] == "disk-refused"] == [
        str(tmp_path / "box" / MANIFEST)
    ]
    assert json.loads(out)["fixed"] == [str(tmp_path / "box/commands/fix.toml")]
    assert '"1.2"' in (tmp_path / "box" / MANIFEST).read_text("utf-8")


def test_a_fix_that_breaks_a_file_is_not_written(tmp_path: Path) -> None:
    plant(tmp_path / "box", SAFE["a missing version"][0])
    found = check([str(tmp_path / "box")], Places(str(tmp_path / "home"), str(tmp_path)), Scope({}))
    (fix,) = found.fixes.values()
    breaking = fix.replace(edits=(TextEdit(0, "{", ""),))
    assert rewrites([breaking]) == []
    (made,) = rewrites([breaking, fix.replace(edits=(TextEdit(2, " ", "\t"),))])
    assert made.after.startswith("{\n\t")


def test_what_is_removed_from_json_leaves_the_rest() -> None:
    text = '\ufeff{ // a\n  "u": "http://x", /* , */ "l": [1, 2,],\n  // alone\n  "s": "a, ]" ,\n}\n'
    assert edited(text, made_strict(text)) == '{\n  "u": "http://x", "l": [1, 2],\n  "s": "a, ]" \n}\n'


def test_work_grows_with_what_is_fixed(tmp_path: Path) -> None:
    def fixed(number: int) -> None:
        keys = {f"key{each}": each for each in range(number)}
        agents = header("tools:", *(["  - Read"] * number))
        comments = "# pisces: ignore[command-key]\n" * number + 'prompt = "Fix"'
        tree = gemini({"agents/reviewer.md": agents, "commands/fix.toml": comments}, **keys)
        run(tmp_path, tree, "box", "--fix", "--unsafe-fixes")
        assert "key" not in (tmp_path / "box" / MANIFEST).read_text("utf-8")

    assert growth(fixed, 50) < LINEAR
