"""What Cursor takes in a plugin's manifest: the closed schema that it publishes (cursor/plugins, 2026)."""

from __future__ import annotations

import re

from pisces.formats.fit import TABLE, TEXT, Either, Listed, Mapped, Record

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?")
_VERSION = re.compile(r"(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?")


def _name_flaw(name: str) -> str:
    return "" if _NAME.fullmatch(name) else "must be small letters, digits, hyphens and dots, with no mark at its ends"


def _version_flaw(version: str) -> str:
    return "" if _VERSION.fullmatch(version) else "must be a version such as `1.2.0`"


def _address_flaw(text: str) -> str:
    return "" if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:\S", text) else "must be an address"


NAME = TEXT.that(_name_flaw)
CLIENTS = Mapped(TEXT.that(_version_flaw))
_ADDRESS = TEXT.that(_address_flaw)
_PATHS = Either((TEXT, Listed(TEXT)))
_ONE = Either((TEXT, TABLE))
MANIFEST_SHAPE = Record(
    {"name": NAME},
    {
        **dict.fromkeys(("displayName", "description", "version", "publisher", "license", "logo", "category"), TEXT),
        **dict.fromkeys(("homepage", "repository"), _ADDRESS),
        **dict.fromkeys(("keywords", "tags"), Listed(TEXT)),
        **dict.fromkeys(("commands", "agents", "skills", "rules"), _PATHS),
        "minClientVersions": CLIENTS,
        "author": Record({"name": TEXT}, {"email": TEXT}, closed=True),
        "hooks": _ONE,
        "variables": TABLE,
        "mcpServers": Either((TEXT, TABLE, Listed(_ONE))),
    },
    closed=True,
)
