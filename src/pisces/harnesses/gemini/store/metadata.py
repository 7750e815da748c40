"""The note that Gemini CLI writes into an extension's folder: where it came from.

It knows a local folder, a git repository, a release at GitHub and a link. Anything else is noted as a local source that
is not there, which it shows and never updates; ours to update is what our own record says.
"""

from __future__ import annotations

import json
import os

from pisces.atomic import write_atomically
from pisces.diagnostics import PiscesError
from pisces.files import Unreadable, read_text
from pisces.formats.json import JsonObject
from pisces.formats.json_file import object_at
from pisces.harnesses.gemini import INSTALL_FILE
from pisces.harnesses.gemini.store.layout import GIT_FOLDER
from pisces.packages.fetching import Fetched
from pisces.packages.fetching.source import FOLDER, GIT, RELEASE, parse_source
from pisces.places import Places

LOCAL, LINK = "local", "link"
UNKNOWN = "unknown"
_CONFIG = """[core]
\trepositoryformatversion = 0
\tbare = false
[remote "origin"]
\turl = {url}
\tfetch = +refs/heads/*:refs/remotes/origin/*
"""


def metadata_of(fetched: Fetched) -> JsonObject:
    """What Gemini CLI would have noted; keys without a value are left out, as it does."""
    source = fetched.source
    if source.kind == FOLDER:
        folder = os.path.join(source.location, *source.subdir.split("/")) if source.subdir else source.location
        return {"source": folder, "type": LOCAL}
    if source.kind == RELEASE and fetched.tag:
        noted = {"source": source.location, "type": RELEASE, "releaseTag": fetched.tag, "ref": source.ref}
        return {key: value for key, value in noted.items() if value} | _pre_release(source.pre_release)
    if source.kind in (GIT, RELEASE) and not source.subdir:
        noted = {"source": source.location, "type": GIT, "ref": source.ref}
        return {key: value for key, value in noted.items() if value}
    return {"source": source.as_text(), "type": LOCAL}


def _pre_release(wanted: bool) -> dict[str, bool]:
    return {"allowPreRelease": True} if wanted else {}


def read_metadata(folder: str) -> JsonObject:
    """The note of a folder; empty if it is missing or invalid."""
    return object_at(os.path.join(folder, INSTALL_FILE))


def write_metadata(folder: str, metadata: JsonObject) -> None:
    """Writes the note into a folder that is not in the store yet."""
    text = json.dumps(metadata, indent=2, ensure_ascii=False)
    with open(os.path.join(folder, INSTALL_FILE), "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def write_repository(folder: str, url: str, commit: str) -> None:
    """The part of a git repository that Gemini CLI reads when it looks for updates: the remote and the commit."""
    git = os.path.join(folder, GIT_FOLDER)
    for name in ("objects", "refs"):
        os.makedirs(os.path.join(git, name))
    for name, text in (("HEAD", f"{commit}\n"), ("config", _CONFIG.format(url=json.dumps(url, ensure_ascii=False)))):
        with open(os.path.join(git, name), "w", encoding="utf-8", newline="\n") as file:
            file.write(text)


def write_commit(folder: str, commit: str) -> None:
    """Another commit for a repository of `write_repository`."""
    write_atomically(os.path.join(folder, GIT_FOLDER, "HEAD"), f"{commit}\n".encode("ascii"))


def commit_in(folder: str) -> str:
    """The commit that is checked out in an extension's folder; empty if that is unknown."""
    try:
        head = read_text(os.path.join(folder, GIT_FOLDER, "HEAD")).strip()
    except Unreadable:
        return ""
    return head if len(head) in (40, 64) and set(head) <= set("0123456789abcdef") else ""


def source_in(metadata: JsonObject, places: Places) -> dict[str, object]:
    """The source of what Gemini CLI installed, for updates. An invalid source is reported when it is used."""
    text, kind, ref = (str(metadata.get(key) or "") for key in ("source", "type", "ref"))
    if kind in (LOCAL, LINK):
        return {"kind": FOLDER if kind == LOCAL else LINK, "location": text}
    if kind not in (GIT, RELEASE):
        return {"kind": UNKNOWN, "location": text}
    try:
        pre_release = metadata.get("allowPreRelease") is True
        typed = text if kind == RELEASE else f"git+{text}"
        return parse_source(typed, places, ref=ref, pre_release=pre_release).as_json()
    except PiscesError:
        return {"kind": kind, "location": text}
