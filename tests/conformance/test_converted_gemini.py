"""The real Gemini CLI loads every part of a converted package, without a complaint."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pisces.converting.convert import ConvertRequest, convert
from pisces.converting.fate import WIDENED
from pisces.converting.output import apply, planned
from pisces.converting.prompt_text import PromptArgument, PromptArguments
from pisces.harnesses.gemini.writing.shell_lines import shell_injection
from pisces.places import Places
from tests.conformance.expansions import Bench, difference
from tests.conformance.plugins.gemini_view import GeminiView, gemini_view, why_missing
from tests.conformance.workspaces.asking import command_line
from tests.peer_programs import GEMINI

pytestmark = pytest.mark.skipif(bool(why_missing()), reason=why_missing())

NASTY = "a: b # c \"q\" 'r' \\ {x} [y] * & ! | > % @ ` \t \x7f é \U0001f600"
QUOTED = json.dumps(NASTY)
FILES = {
    ".claude-plugin/plugin.json": json.dumps(
        {
            "name": "odd_one",
            "description": NASTY,
            "userConfig": {"api_key": {"type": "string", "title": "Key", "description": "K", "sensitive": True}},
            "mcpServers": {
                "my_docs": {"command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/server.js", "${user_config.api_key}"]},
                "far": {"type": "http", "url": "https://x.example/mcp", "headers": {"A": "Bearer ${FAR_TOKEN:-}"}},
                "lost": {"type": "ws", "url": "wss://x.example"},
            },
        }
    ),
    "server.js": "",
    "agents/README.md": "No header at all.\n",
    "agents/a/reader.md": f"---\nname: reader\ndescription: {QUOTED}\ntools: Read, mcp__my_docs__find\n---\n${{X}}",
    "agents/b/reader.md": "---\nname: reader\ndescription: Use when: it fails\ncolor: red\nmodel: opus\n---\nBody\n",
    "agents/Big Name.md": "---\nname: Big Name\ndescription: D\ndisallowedTools: Bash\n---\nBody\n",
    "agents/none.md": "---\nname: none\ndescription: D\ntools: LSP\n---\nBody\n",
    "commands/plain.md": f"---\ndescription: {QUOTED}\n---\n{NASTY} \"\"\" ''' $ARGUMENTS\r\n",
    "commands/git/commit.md": "---\nargument-hint: [a] [b]\n---\n!`git status`\n!`gh view $ARGUMENTS`\n$1 and $2\n",
    "commands/braces.md": "Run !`echo '{'` and !`awk '{print $1}'` and @docs/a.md and @$1\n",
    "commands/install.md": "npm install pkg@{version} {{args}} !{\n",
    "commands/root.md": "Read ${CLAUDE_PLUGIN_ROOT}/server.js and `odd_one:a:reader`\n",
    "skills/deep/er/SKILL.md": "---\nname: er\ndescription: Deep\n---\nSee ${CLAUDE_SKILL_DIR}/x $ARGUMENTS\n",
    "skills/hidden/SKILL.md": "---\nname: hidden\ndescription: H\ndisable-model-invocation: true\n---\nDo it\n",
    "skills/bad/SKILL.md": "---\nname: bad\ndescription: Use when: bad\n---\nBody\n",
    "skills/bare/SKILL.md": "# Only a text\n",
}


def converted(folder: Path) -> Path:
    for name, text in FILES.items():
        path = folder / "plugin" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    places = Places(home=str(folder / "home"), cwd=str(folder), env={})
    made = convert(ConvertRequest(str(folder / "plugin"), "gemini"), places)
    assert not [each for each in made.fates if each.kind == WIDENED]
    out = folder / "out"
    apply(planned(made.files, made.folder, str(out)), str(out))
    return out


@pytest.fixture(scope="module")
def extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return converted(tmp_path_factory.mktemp("odd"))


@pytest.fixture(scope="module")
def view(extension: Path, tmp_path_factory: pytest.TempPathFactory) -> GeminiView:
    return gemini_view(extension, tmp_path_factory.mktemp("scratch"))


def test_nothing_is_complained_about_but_settings_that_nobody_gave(view: GeminiView) -> None:
    assert [each for each in view.errors if "missing settings" not in each] == []


def test_every_agent_is_there_with_no_more_tools_than_it_had(view: GeminiView) -> None:
    tools: dict[str, Any] = {name: (each.get("toolConfig") or {}).get("tools") for name, each in view.agents.items()}
    assert set(tools) == {"readme", "a-reader", "b-reader", "big-name"}
    assert tools["a-reader"] == ["read_file", "mcp_my-docs_find"]
    assert tools["b-reader"] is None
    assert "run_shell_command" not in tools["big-name"]


def test_every_skill_is_there_but_those_for_users(view: GeminiView) -> None:
    assert sorted(view.skill_names) == ["bad", "bare", "er", "install-command", "root-command"]


def test_every_command_is_there(view: GeminiView) -> None:
    names = ("braces", "git:commit", "hidden", "install", "plain", "root")
    assert sorted(view.command_names) == [f"odd-one:{each}" for each in names]


def test_servers_and_settings_are_complete(view: GeminiView) -> None:
    assert set(view.servers) == {"my-docs", "far"}
    assert [(each["envVar"], each["sensitive"]) for each in view.settings] == [
        *(("ODD_ONE_API_KEY", True), ("FAR_TOKEN", True))
    ]


def test_command_lines_do_what_they_did_whatever_the_user_types(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    everything = PromptArguments("$ARGUMENTS")
    cases: list[tuple[list[Any], str, str]] = [
        (["printf '<%s>' ", everything], "a 'b c' $(echo x)", "<a><b c><$(echo><x)>"),
        (["printf '<%s>' ", everything], "", "<>"),
        (['printf "<%s>" "', everything, '"'], "it's $HOME `x` {", "<it's $HOME `x` {>"),
        (["printf '<%s>' ", PromptArgument(1, "$2")], "one two", "<two>"),
        (["printf '%s' 'a@{b}' '{' 100%"], "", "a@{b}{100%"),
    ]
    for parts, typed, _ in cases:
        bench.add("lines", tmp_path, shell_injection(parts), typed)
    for (_, _, expected), (case, ours, theirs) in zip(cases, bench.compared(), strict=True):
        assert ours == theirs, difference(case, ours, theirs)
        assert theirs["parts"][0]["text"].startswith(expected), case


def test_the_program_validates_it(extension: Path, tmp_path: Path) -> None:
    entry = GEMINI / json.loads((GEMINI / "package.json").read_text("utf-8"))["bin"]["gemini"]
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    argv = command_line(["node", entry, "extensions", "validate", extension])
    done = subprocess.run(
        argv, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr
