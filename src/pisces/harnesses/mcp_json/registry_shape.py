"""What the MCP registry takes as a `server.json`: its schema of December 2025."""

from __future__ import annotations

import re

from pisces.formats.fit import ANYTHING, TABLE, TEXT, Either, Listed, Record, Such, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SCHEMAS = "modelcontextprotocol.io/schemas/"

_NAME = re.compile(r"[A-Za-z0-9.-]+/[A-Za-z0-9._-]+")
_RANGE = re.compile(r"[\^~<>=*]|\bx\b|\|\|| - ")
_SHA = re.compile(r"[a-f0-9]{64}")
_LONGEST_NAME = 200
_LONGEST_TEXT = 100
_LONGEST_VERSION = 255


def _name_flaw(name: str) -> str:
    if not _NAME.fullmatch(name):
        return "must be a namespace and a name, such as `io.github.me/docs`"
    return "" if len(name) <= _LONGEST_NAME else f"has more than {_LONGEST_NAME} characters"


def _text_flaw(text: str) -> str:
    return "" if 0 < len(text) <= _LONGEST_TEXT else f"must have 1 to {_LONGEST_TEXT} characters"


def _version_flaw(version: str) -> str:
    if not version or version == "latest" or _RANGE.search(version):
        return "must be one version, not a range"
    return "" if len(version) <= _LONGEST_VERSION else f"has more than {_LONGEST_VERSION} characters"


def _address_flaw(url: str) -> str:
    return "" if re.fullmatch(r"https?://\S+", url) else "must be an address"


def _transport_flaw(transport: dict[str, Any]) -> tuple[str, str] | None:
    needs_url = transport["type"] != "stdio" and "url" not in transport
    return ("", f"needs `url`, since its type is `{transport['type']}`") if needs_url else None


def _argument_flaw(argument: dict[str, Any]) -> tuple[str, str] | None:
    if argument["type"] == "named":
        return None if isinstance(argument.get("name"), str) else ("", "needs a `name`")
    return None if "value" in argument or "valueHint" in argument else ("", "needs a `value` or a `valueHint`")


_ADDRESS = TEXT.that(_address_flaw)
_INPUTS = Listed(Record({"name": TEXT}, {"description": TEXT, "isRequired": ANYTHING, "isSecret": ANYTHING}))
_ARGUMENTS = Listed(Such(Record({"type": one_of("positional", "named")}), _argument_flaw))
_TRANSPORT = Such(
    Record({"type": one_of("stdio", "streamable-http", "sse")}, {"url": TEXT, "headers": _INPUTS}), _transport_flaw
)
_PACKAGE = Record(
    {"registryType": TEXT, "identifier": TEXT, "transport": _TRANSPORT},
    {
        "version": TEXT.that(_version_flaw),
        "registryBaseUrl": _ADDRESS,
        "fileSha256": TEXT.that(lambda text: "" if _SHA.fullmatch(text) else "must be 64 small hexadecimal digits"),
        "runtimeHint": TEXT,
        "runtimeArguments": _ARGUMENTS,
        "packageArguments": _ARGUMENTS,
        "environmentVariables": _INPUTS,
    },
)
_REMOTE = Record({"type": one_of("streamable-http", "sse"), "url": _ADDRESS}, {"headers": _INPUTS, "variables": TABLE})
SERVER_SHAPE = Record(
    {"name": TEXT.that(_name_flaw), "description": TEXT.that(_text_flaw), "version": TEXT.that(_version_flaw)},
    {
        "$schema": TEXT,
        "title": TEXT.that(_text_flaw),
        "websiteUrl": _ADDRESS,
        "repository": Either((Record({"url": _ADDRESS, "source": TEXT}), Record({}, {"url": ANYTHING}, closed=True))),
        "packages": Listed(_PACKAGE),
        "remotes": Listed(_REMOTE),
        "icons": Listed(Record({"src": _ADDRESS})),
        "_meta": TABLE,
    },
)
