"""Hooks, skills, subagents, commands and servers of every extension of the corpus say what their files say."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from pisces.discovery.capabilities import COMMANDS, HOOKS, MCP_SERVERS, POLICIES, SKILLS, SUBAGENTS
from pisces.discovery.found import Found
from pisces.discovery.inventory import Inventory, inventory
from pisces.discovery.item_place import item_place
from pisces.discovery.package_format import format_named
from pisces.formats import yaml
from pisces.formats.frontmatter import simple_fields, split
from pisces.formats.malformed import Malformed
from pisces.formats.toml import Moment
from pisces.places import Places
from tests.conformance.corpus import unpack, why_missing

pytestmark = pytest.mark.skipif(bool(why_missing()), reason=why_missing())


@pytest.fixture(scope="module")
def inventories(tmp_path_factory: pytest.TempPathFactory) -> list[Inventory]:
    corpus = tmp_path_factory.mktemp("corpus")
    unpack(corpus)
    folders = [*(corpus / "gemini-extensions" / "corpus").iterdir(), *(corpus / "synthetic" / "synthetic").iterdir()]
    places = Places(str(corpus), str(corpus))
    return [inventory(str(folder), format_named("gemini"), places) for folder in sorted(folders) if folder.is_dir()]


def text_of(path: str) -> str:
    return Path(path).read_bytes().decode("utf-8", "replace")


def part_of(value: Any, keys: tuple[str | int, ...]) -> Any:
    for key in keys:
        value = value[key]
    return value


def comparable(fields: Mapping[str, Any]) -> dict[str, str]:
    """As text: `tomllib` has dates of its own and one line end, Gemini CLI leaves both as they are."""
    texts = {key: str(value.text if isinstance(value, Moment) else value) for key, value in fields.items()}
    return {key: text.replace("\r\n", "\n") for key, text in texts.items()}


def header_of(path: str) -> Any:
    """What the header says; None where it is not YAML."""
    header = split(text_of(path))
    assert header is not None
    try:
        return yaml.parse_in_full(header.header)
    except Malformed:
        return None


def misplaced(found: Found) -> Iterator[str]:
    """The fields that do not stand where item_place says."""
    lines = text_of(found.source.path).splitlines()
    for key in found.item.fields:
        line, column = item_place(found, key)
        if not lines[line - 1][column - 1 :].lstrip("\"'").startswith(key):
            yield f"{found.source.path}:{line}:{column}: {key}"


def test_every_hook_has_the_fields_of_its_handler_and_group(inventories: list[Inventory]) -> None:
    hooks = [found for each in inventories for found in each.of(HOOKS)]
    for found in hooks:
        values, hook = json.loads(text_of(found.item.path)), found.item
        assert hook.fields == part_of(values, hook.keys)
        assert hook.group == part_of(values, hook.keys[:-2])
        assert (hook.event, hook.group_index, hook.index) == (hook.keys[1], hook.keys[2], hook.keys[4])
        assert list(misplaced(found)) == []
    assert len(hooks) > 80


def test_every_skill_has_the_fields_of_its_header(inventories: list[Inventory]) -> None:
    skills = [found for each in inventories for found in each.of(SKILLS)]
    for found in skills:
        text, written = text_of(found.item.path), header_of(found.item.path)
        header = split(text)
        assert header
        assert found.item.fields == (simple_fields(header.header) if written is None else written)
        assert written is None or list(misplaced(found)) == []
        before, *body = text.split("\n", found.item.body_line - 1)[-2:]
        assert body == [header.body] or before.rstrip("\r") != "---"  # after more than dashes there is no body
    assert len(skills) > 700


def test_every_subagent_has_the_fields_of_its_header_and_the_text_after_it(inventories: list[Inventory]) -> None:
    agents = [found for each in inventories for found in each.of(SUBAGENTS)]
    for found in agents:
        header = split(text_of(found.item.path))
        assert header
        assert found.item.fields == part_of(header_of(found.item.path), found.item.keys)
        assert found.item.prompt == header.body
        assert list(misplaced(found)) == []
    assert len(agents) > 50


def test_every_prompt_file_and_policy_rule_has_the_fields_of_its_table(inventories: list[Inventory]) -> None:
    commands = [found for each in inventories for found in each.of(COMMANDS) if not found.item.executable]
    rules = [found for each in inventories for found in each.of(POLICIES)]
    tables: list[Found] = [*commands, *rules]
    for found in tables:
        written = part_of(tomllib.loads(text_of(found.item.path)), found.item.keys)
        assert comparable(found.item.fields) == comparable(written)
        assert list(misplaced(found)) == []
    assert (len(commands) > 400, len(rules) > 20) == (True, True)


def test_every_server_has_its_place_in_the_manifest(inventories: list[Inventory]) -> None:
    servers = [found for each in inventories for found in each.of(MCP_SERVERS)]
    for found in servers:
        written = part_of(json.loads(text_of(found.item.path)), found.item.keys)
        if isinstance(written, dict):
            assert list(found.item.fields) == [key for key in written if key != "trust"]
            assert list(misplaced(found)) == []
    assert len(servers) > 50
