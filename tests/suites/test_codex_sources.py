"""openai/codex: the tests of its readers of MCP servers and of skills' headers."""

from __future__ import annotations

import json
import re

from pisces.formats import toml_current
from pisces.harnesses.codex.server_shape import server_flaws
from pisces.harnesses.codex.skill_header import header_flaw
from tests.suites.shelved import differences, repository

SERVERS = "codex-rs/config/src/mcp_types_tests.rs"
HEADERS = "codex-rs/skills/src/parser_tests.rs"
EXPLAINED: dict[str, str] = {}

_SERVER = re.compile(
    r'toml::from_str(?:::<McpServerConfig>)?\(\s*r#"(.*?)"#,?\s*\)\s*\.(expect_err|expect)\(', re.DOTALL
)
_PLACEMENTS = re.compile(r"fn rejects_http_headers_helper.*?\{(.*?)\n\}", re.DOTALL)
_TEXT = r'"((?:[^"\\]|\\.)*)"'
_HEADER = re.compile(rf"parse_skill_frontmatter_metadata\(\s*{_TEXT},.*?\)\s*\.(expect_err|expect)\(", re.DOTALL)


def test_servers_are_taken_and_refused_as_codex_does() -> None:
    text = (repository("openai/codex") / SERVERS).read_text("utf-8")
    cases = [(config.strip(), verdict == "expect", _is_taken(config)) for config, verdict in _SERVER.findall(text)]
    for config in re.findall(_TEXT, "".join(_PLACEMENTS.findall(text))):
        if "http_headers_helper" in config and "=" in config:
            cases.append((config, False, _is_taken(json.loads(f'"{config}"'))))
    assert not differences(cases, EXPLAINED)


def test_headers_of_skills_are_read_as_codex_does() -> None:
    text = (repository("openai/codex") / HEADERS).read_text("utf-8")
    found = [(_unescaped(header), verdict == "expect") for header, verdict in _HEADER.findall(text)]
    assert not differences([(header, theirs, not header_flaw(header)) for header, theirs in found], EXPLAINED)


def _is_taken(config: str) -> bool:
    return not list(server_flaws(toml_current.parse(config)))


def _unescaped(text: str) -> str:
    decoded: str = json.loads(f'"{text}"')
    return decoded
