"""agentplugins/agent-plugins-spec: its examples, and every small change of them, judged by its own schemas."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pisces.discovery.inventory import inventory
from pisces.discovery.package_format import format_named
from pisces.places import Places
from tests.suites.shelved import differences, repository
from tests.suites.test_openhands import refused

NAME = "agentplugins/agent-plugins-spec"
SCHEMAS = "schemas/1.0.0"
PLUGIN = {"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "box"}
WRONG: tuple[Any, ...] = (None, 1, "", "a b", [], {}, [1], {"a": 1}, True)
EXPLAINED: dict[str, str] = {}
# Requirements of the text that the schema cannot say.
_ADDRESS = re.compile(
    r"https://[^\s/?#@]+(?:[/?][^\s#]*)?|http://(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?(?:[/?][^\s#]*)?"
)
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def test_manifests_are_judged_as_the_schema_does(tmp_path: Path) -> None:
    folder = repository(NAME)
    schema = json.loads((folder / SCHEMAS / "plugin.schema.json").read_text("utf-8"))
    cases = []
    for number, manifest in enumerate(_changed(_examples(folder, "plugin.schema.json"))):
        place = tmp_path / str(number)
        place.mkdir()
        (place / "plugin.json").write_text(json.dumps(manifest))
        cases.append((json.dumps(manifest), _loads(manifest, schema), not refused(place)))
    assert not differences(cases, EXPLAINED)


def test_servers_are_judged_as_the_schema_and_the_text_do(tmp_path: Path) -> None:
    folder = repository(NAME)
    schema = json.loads((folder / SCHEMAS / "mcp.schema.json").read_text("utf-8"))
    cases = []
    for number, (name, server) in enumerate(_servers(folder)):
        document = {"$schema": schema["$id"], "mcpServers": {name: server}}
        theirs = _fits(server, schema["$defs"]["server"], schema) and _is_meant(server)
        cases.append((json.dumps(server), theirs, _is_found(tmp_path / str(number), document)))
    assert not differences(cases, EXPLAINED)


def _is_found(folder: Path, document: dict[str, Any]) -> bool:
    folder.mkdir()
    (folder / "plugin.json").write_text(json.dumps(PLUGIN))
    (folder / "mcp.json").write_text(json.dumps(document))
    read = inventory(str(folder), format_named("agent-plugin"), Places("/nonexistent", str(folder)))
    return bool(read.found["mcp-servers"])


def _examples(folder: Path, schema: str) -> list[Any]:
    blocks = re.findall(r"```json\n(.*?)```", (folder / "spec/1.0.0.md").read_text("utf-8"), re.DOTALL)
    return [value for value in map(json.loads, blocks) if schema in str(value.get("$schema"))]


def _servers(folder: Path) -> Iterator[tuple[str, Any]]:
    for example in _examples(folder, "mcp.schema.json"):
        for name, server in example["mcpServers"].items():
            yield from ((name, each) for each in _changed([server]))
    remote = {"type": "streamable-http", "url": "https://example.com/mcp"}
    for headers in ({"A B": "c"}, {"": "c"}, {"A:": "c"}, {"A": "b\nc"}, {"A": "b", "a": "c"}, {"X-A": "b"}):
        yield "headers", {**remote, "headers": headers}
    for url in ("http://example.com", "http://127.0.0.1:1/x", "https://me@example.com", "https://a/#b", "ftp://a", "a"):
        yield "url", {**remote, "url": url}


def _changed(values: list[Any]) -> Iterator[Any]:
    """Each value as it is, without each of its keys, with an unknown one, and with each wrong value in each place."""
    for value in values:
        yield value
        yield {**value, "unknown": 1}
        for key, inner in value.items():
            yield {each: other for each, other in value.items() if each != key}
            yield from ({**value, key: wrong} for wrong in WRONG)
            for deeper in _changed([inner]) if isinstance(inner, dict) and inner else ():
                yield {**copy.deepcopy(value), key: deeper}


def _loads(manifest: dict[str, Any], schema: dict[str, Any]) -> bool:
    """Unknown fields and an `extensions` that is no object are reported, and the plugin loads."""
    known = {key: value for key, value in manifest.items() if key in schema["properties"]}
    if not isinstance(known.get("extensions", {}), dict):
        del known["extensions"]
    return _fits(known, schema, schema)


def _is_meant(server: Any) -> bool:
    """What the text adds to the schema: contained programs and folders, addresses, headers."""
    if server["type"] == "stdio":
        command, cwd = server["command"], server.get("cwd", "./")
        bare = not re.search(r"[/\\\s]", command)
        contained = command.startswith("./") and ".." not in command.split("/")
        return (bare or contained) and ".." not in cwd.split("/")
    headers = server.get("headers", {})
    names = [name.lower() for name in headers]
    printable = all(_TOKEN.fullmatch(name) and re.fullmatch(r"[\t -~]*", value) for name, value in headers.items())
    return bool(_ADDRESS.fullmatch(server["url"])) and printable and len(set(names)) == len(names)


def _fits(value: Any, schema: dict[str, Any], whole: dict[str, Any]) -> bool:
    """A judge for the words of JSON Schema that these two schemas use."""
    if "$ref" in schema:
        return _fits(value, whole["$defs"][schema["$ref"].rpartition("/")[2]], whole)
    if "oneOf" in schema:
        return sum(_fits(value, each, whole) for each in schema["oneOf"]) == 1
    if "const" in schema and (value != schema["const"] or isinstance(value, bool)):
        return False
    kinds = {"object": dict, "string": str, "array": list}
    if "type" in schema and not isinstance(value, kinds[schema["type"]]):
        return False
    if isinstance(value, str):
        return _text_fits(value, schema)
    if isinstance(value, list):
        return all(_fits(each, schema.get("items", {}), whole) for each in value)
    return not isinstance(value, dict) or _object_fits(value, schema, whole)


def _text_fits(value: str, schema: dict[str, Any]) -> bool:
    short = len(value) >= schema.get("minLength", 0) and len(value) <= schema.get("maxLength", len(value))
    return short and ("pattern" not in schema or re.search(schema["pattern"], value) is not None)


def _object_fits(value: dict[str, Any], schema: dict[str, Any], whole: dict[str, Any]) -> bool:
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    reserved = schema.get("propertyNames", {}).get("not", {}).get("enum", [])
    if any(key not in value for key in schema.get("required", ())) or any(key in reserved for key in value):
        return False
    rest = [each for key, each in value.items() if key not in known]
    fit = all(_fits(value[key], known[key], whole) for key in value if key in known)
    return fit and (
        not rest or (bool(others) and all(_fits(each, others, whole) for each in rest if others is not True))
    )
