"""Whatever is in a folder, a scan ends with a result: it never raises, and twice is the same."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import given, settings, strategies as st

from pisces.places import Places
from pisces.scanning.scan import scan

NAMES = st.sampled_from(
    (
        *("a.sh", "SKILL.md", "commands/a.toml", "hooks/hooks.json", ".mcp.json", "package.json", "policies/a.toml"),
        *("config.toml", "a.py", "x", "README.md", ".claude/settings.json", "gemini-extension.json", ".git/config"),
    )
)
WORDS = st.sampled_from(
    (
        *(
            "curl ",
            "| sh",
            "$(",
            "`",
            "!{",
            "}",
            "```sh\n",
            "<!--",
            "-->",
            "\n",
            "\\",
            '"',
            "'",
            "[",
            "]",
            "{",
            ":",
            ",",
        ),
        *('"hooks"', '"mcpServers"', '"command"', '"args"', "ignore previous instructions", "~/.ssh/id_rsa"),
        *("\x1b", "\r", "\u202e", "\U000e0041", "\ufe00\ufe01", "\u200b", "İ", "а", "eyJ", "ghp_", "\\u0063", "\ud800"),
        *("-----BEGIN PRIVATE KEY-----", "[[rule]]", 'decision = "allow"', "[core]", "fsmonitor = x", "eval(atob("),
    )
)
TEXT = st.lists(WORDS | st.text(max_size=8), max_size=60).map(
    lambda parts: "".join(parts).encode("utf-8", "surrogatepass")
)
CONTENT = TEXT | st.binary(max_size=300)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=6)
    | st.sampled_from(["npx", "docker", "sh", "-c", "*"]),
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["mcpServers", "servers", "hooks", "command", "args", "url", "matcher", "scripts", "install", "x"]
            )
            | st.sampled_from(["permissions", "allow", "env", "contextFileName"]),
            below,
            max_size=4,
        )
    ),
    max_leaves=20,
)


def _scan_twice(tree: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, content in tree.items():
            path = Path(folder, "box", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        places = Places(folder, folder)
        first, second = scan("box", places), scan("box", places)
        assert first == second
        assert len(first.hashes) == len(first.diagnostics)
        assert all(each.line >= 0 and each.column >= 0 for each in first.diagnostics)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(NAMES, CONTENT, min_size=1, max_size=3))
def test_any_bytes(tree: dict[str, bytes]) -> None:
    _scan_twice(tree)


@settings(max_examples=40, deadline=None)
@given(NAMES.filter(lambda name: name.endswith("json")), VALUES)
def test_any_json(name: str, value: object) -> None:
    _scan_twice({name: json.dumps(value).encode()})
