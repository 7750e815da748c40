"""Names in texts are rewritten from tables of what exists, and only where they are names."""

from __future__ import annotations

import pytest

from pisces.converting.prompt_text import PromptArguments, PromptText, plain
from pisces.converting.references import References

TABLES = References(
    "demo",
    {"review:security": "security", "Big Name": "big-name", "reader": "reader-2"},
    {"notes": "notes-2"},
    {"git:commit": "demo-x:git:commit", "notes": "demo-x:notes-2"},
    {"Read": "read_file", "Bash": "run_shell_command", "TodoWrite": "write_todos", "Task": "invoke_agent"},
    lambda tool: "mcp_docs_search" if tool == "mcp__docs__search" else "",
)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Run /demo:git:commit now.", "Run /demo-x:git:commit now."),
        ("Run /demo:notes.", "Run /demo-x:notes-2."),
        ("Use demo:review:security here", "Use security here"),
        ("Load the skill `demo:notes`", "Load the skill `notes-2`"),
        ("Ask @agent-demo:reader and @agent-reader", "Ask @reader-2 and @reader-2"),
        ('Task(subagent_type="reader")', 'Task(subagent_type="reader-2")'),
        ("subagent_type: demo:review:security", "subagent_type: security"),
        ("Type `/git:commit` or `/git:commit now`", "Type `/demo-x:git:commit` or `/demo-x:git:commit now`"),
        ("Use `Read` and the Bash tool", "Use `read_file` and the run_shell_command tool"),
        ("TodoWrite keeps a list", "write_todos keeps a list"),
        ("call mcp__docs__search.", "call mcp_docs_search."),
    ],
)
def test_a_name_of_the_package_is_that_of_the_target(written: str, expected: str) -> None:
    assert TABLES.in_prose(written) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Read the file, then Bash your head",
        "see https://host/demo:git:commit and a/demo:notes",
        "my-demo:notes and demo:unknown and xdemo:reader",
        "/git:commit is a path without marks",
        "ReadTool, `Reader`, src/Read",
        "mcp__other__tool stays",
        "mail@agent-reader.org",
        "TodoWriter and TodoWrite/x",
    ],
)
def test_what_is_no_name_stays(text: str) -> None:
    assert TABLES.in_prose(text) == text


def test_code_in_a_fence_stays_also_behind_a_place() -> None:
    text = "Use `Read`.\n```js\nconst x = `Read`; // demo:notes\n"
    prompt = PromptText((text, PromptArguments("$ARGUMENTS"), "`Read`\n```\nUse `Read`.\n~~~~\n`Read`\n~~~\n`Read`"))
    changed = TABLES.in_prompt(prompt)
    assert changed.written == (
        "Use `read_file`.\n```js\nconst x = `Read`; // demo:notes\n$ARGUMENTS`Read`\n```\nUse `read_file`.\n"
        "~~~~\n`Read`\n~~~\n`Read`"
    )


def test_a_text_without_names_is_the_same_value() -> None:
    assert TABLES.in_prompt(plain("Nothing here.\n")) == plain("Nothing here.\n")
    assert References().in_prose("`Read` demo:notes") == "`Read` demo:notes"
