"""MCP servers in a user's settings: added and taken back in the text, so that nothing else of it changes.

Where the file is still what the installation left, it becomes again what it was, to the byte. Where the user changed it
since, only the pointers that were set are taken back.
"""

from __future__ import annotations

import os
from hashlib import sha256

from pisces.converting.file_changes import OVER_A_LINK
from pisces.converting.installing.manifest import SettingsRecord
from pisces.diagnostics import ERROR, WARNING, Diagnostic, PiscesError, Rule
from pisces.files import MISSING, Unreadable, read_bytes
from pisces.formats.jsonc import parse
from pisces.formats.jsonc_edit import object_in, with_member, without_member
from pisces.formats.malformed import Malformed
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

SETTINGS_UNUSABLE = Rule("install-settings-unusable", ERROR, "Servers cannot be added to a settings file")
SERVER_NOT_OURS = Rule("install-server-not-ours", ERROR, "The user has another MCP server of the same name")
SERVER_EDITED = Rule("install-server-edited", WARNING, "A server that an installation added was changed since")

_SAME_SERVER = ("command", "args", "url", "httpUrl")  # two entries that agree in these start or reach the same


class UserSettings(Value):
    """`text` is None where there is no file. `key` is the name of the object with the servers."""

    path: str
    key: str
    text: str | None

    @property
    def digest(self) -> str:
        return digest_of_text(self.text)


class SettingsChange(Value):
    """The text afterwards, and the record for whoever takes it back. `saved` are values that the user had changed."""

    text: str | None
    record: SettingsRecord | None = None
    problems: tuple[Diagnostic, ...] = ()
    saved: Mapping[str, Any] = EMPTY


def settings_at(path: str, key: str) -> UserSettings:
    """`PiscesError` for a link, and for a file that is no text or no JSON object: it is left as it is."""
    if os.path.islink(path):
        hint = "put the file itself there, or write a package with --to and --out"
        raise PiscesError(OVER_A_LINK.at(path, "it is a link, and is not written through", hint=hint))
    try:
        text = read_bytes(path).decode("utf-8")
        object_in(text)
    except Unreadable as error:
        if error.kind == MISSING:
            return UserSettings(path, key, None)
        raise PiscesError(SETTINGS_UNUSABLE.at(path, f"the file {error.message}")) from None
    except UnicodeDecodeError:
        raise PiscesError(SETTINGS_UNUSABLE.at(path, "the file is not UTF-8")) from None
    except Malformed as error:
        place = (error.line, error.column)
        raise PiscesError(SETTINGS_UNUSABLE.at(path, error.message, place=place, hint="mend the file first")) from None
    return UserSettings(path, key, text)


def with_servers(
    file: UserSettings, servers: Mapping[str, Any], known: SettingsRecord | None, inherited: tuple[str, ...] = ()
) -> SettingsChange:
    """`known` is what an earlier installation of the same package did. `inherited` is what others of ours made."""
    edited = _edited(file, known) if known else {}
    theirs = [name for name in servers if pointer(file.key, name) in edited]
    notes = tuple(_edited_server(file, name) for name in theirs)
    wanted = {name: value for name, value in servers.items() if name not in theirs}
    if known and _is_done(known, wanted, file.key, edited):
        return SettingsChange(file.text, known, notes)
    left = {each: known.pointers[each] for each in edited} if known else {}
    base = taken_back(file, _without(known, edited)) if known else SettingsChange(file.text)
    start = file.replace(text=base.text)
    added, problems = _addable(start, wanted)
    text, made = _added(start, added)
    made = tuple(
        dict.fromkeys((*made, *(each for each in inherited if added), *(known.made if known and left else ())))
    )
    pointers = {**left, **{pointer(file.key, name): entry for name, entry in added.items()}}
    record = _record(base.text, text, pointers, tuple(dict.fromkeys(made))) if pointers else None
    return SettingsChange(text, record, (*notes, *problems), base.saved)


def taken_back(file: UserSettings, record: SettingsRecord) -> SettingsChange:
    """The settings without what was set. A value that the user changed since is saved for them."""
    text = file.text
    if text is None:
        return SettingsChange(None)
    if file.digest == record.after:
        before = text[: record.at] + record.old + text[record.at + len(record.new) :]
        if text[record.at :].startswith(record.new) and digest_of_text(before) == record.before:
            text = before
        elif not record.before and "" in record.made:
            return SettingsChange(None)
    saved: dict[str, Any] = {}
    for each, entry in record.pointers.items():
        text = _pointer_taken_back(text, each, entry, saved)
    if f"/{file.key}" in record.made and not _values(text).get(file.key, True):
        text = without_member(text, (file.key,))
    is_ours = "" in record.made and text.strip() == "{}"
    return SettingsChange(None if is_ours else text, saved=saved)


def pointer(*path: str) -> str:
    return "".join(f"/{each.replace('~', '~0').replace('/', '~1')}" for each in path)


def digest_of_text(text: str | None) -> str:
    return "" if text is None else sha256(text.encode("utf-8")).hexdigest()


def _pointer_taken_back(text: str, name: str, entry: Mapping[str, Any], saved: dict[str, Any]) -> str:
    path = _path(name)
    inside = _values(text).get(path[0])
    if len(path) != 2 or not isinstance(inside, dict) or path[1] not in inside:
        return text
    there, previous = inside[path[1]], entry["previous"]
    if previous and there == previous[0]:
        return text
    if there != entry["value"]:
        saved[name] = there
    return with_member(text, path, previous[0]) if previous else without_member(text, path)


def _path(name: str) -> tuple[str, ...]:
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in name.split("/")[1:])


def _values(text: str) -> dict[str, Any]:
    found = parse(text)
    return found if isinstance(found, dict) else {}


def _servers(file: UserSettings) -> Any:
    return _values(file.text).get(file.key, {}) if file.text is not None else {}


def _edited(file: UserSettings, known: SettingsRecord) -> dict[str, Any]:
    """The pointers of an earlier installation that hold another value now."""
    servers = _servers(file)
    if not isinstance(servers, dict):
        return {}
    here = {pointer(file.key, name): value for name, value in servers.items()}
    return {name: here[name] for name, entry in known.pointers.items() if name in here and here[name] != entry["value"]}


def _is_done(known: SettingsRecord, wanted: Mapping[str, Any], key: str, edited: Mapping[str, Any]) -> bool:
    """Whether exactly these servers are set already."""
    set_before = {name: entry["value"] for name, entry in known.pointers.items() if name not in edited}
    return set_before == {pointer(key, name): value for name, value in wanted.items()}


def _without(known: SettingsRecord, edited: Mapping[str, Any]) -> SettingsRecord:
    """The record without the pointers that the user took over: they stay as they are."""
    if not edited:
        return known
    return known.replace(after="", pointers={key: each for key, each in known.pointers.items() if key not in edited})


def _addable(file: UserSettings, wanted: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Diagnostic, ...]]:
    """For each server that may be set, its value and the one before. One of the same name is the user's."""
    there = _servers(file)
    if not isinstance(there, dict):
        return {}, (SETTINGS_UNUSABLE.at(file.path, f"`{file.key}` is no object"),) if wanted else ()
    added: dict[str, Any] = {}
    problems: list[Diagnostic] = []
    for name, value in wanted.items():
        if name not in there:
            added[name] = {"value": value, "previous": []}
        elif there[name] != value and is_same_server(there[name], value):
            added[name] = {"value": value, "previous": [there[name]]}
        elif there[name] != value:
            message = f"there is another server `{name}`, which stays as it is"
            problems.append(SERVER_NOT_OURS.at(file.path, message, hint="rename one of them"))
    return added, tuple(problems)


def is_same_server(one: Any, other: Any) -> bool:
    """Whether two entries start or reach the same: then one is an earlier version of the other."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return False
    return [one.get(key) for key in _SAME_SERVER] == [other.get(key) for key in _SAME_SERVER]


def _added(file: UserSettings, servers: Mapping[str, Any]) -> tuple[str | None, tuple[str, ...]]:
    if not servers:
        return file.text, ()
    made: list[str] = []
    text = file.text
    if text is None:
        text = "{}\n"
        made.append("")
    if file.key not in _values(text):
        text = with_member(text, (file.key,), {})
        made.append(f"/{file.key}")
    for name, entry in servers.items():
        text = with_member(text, (file.key, name), entry["value"])
    return text, tuple(made)


def _record(
    before: str | None, after: str | None, pointers: Mapping[str, Any], made: tuple[str, ...]
) -> SettingsRecord:
    old, new = before or "", after or ""
    at = _same_beginning(old, new)
    behind = _same_beginning(old[at:][::-1], new[at:][::-1])
    old_part, new_part = old[at : len(old) - behind], new[at : len(new) - behind]
    return SettingsRecord(digest_of_text(before), digest_of_text(after), at, old_part, new_part, pointers, made)


def _same_beginning(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))


def _edited_server(file: UserSettings, name: str) -> Diagnostic:
    return SERVER_EDITED.at(file.path, f"server `{name}` was changed since it was installed, and stays as it is")
