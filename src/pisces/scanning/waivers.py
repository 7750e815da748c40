"""Findings that the user has accepted: each waiver names a rule, a path and the exact text, with a reason.

A package cannot waive its own findings: a waiver file inside the scanned folder counts only when the user names it.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from hashlib import sha256

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostic, PiscesError, Rule
from pisces.files import MISSING, Unreadable, read_text
from pisces.formats import toml_current
from pisces.formats.json import JsonObject
from pisces.formats.malformed import Malformed
from pisces.formats.position import toml_place
from pisces.places import Places
from pisces.scanning.page import Page
from pisces.scanning.scanned import Scanned
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

BAD_WAIVER = Rule("scan-waiver-bad", ERROR, "A waiver cannot be used")
EXPIRED_WAIVER = Rule("scan-waiver-expired", WARNING, "A waiver has ended")
UNUSED_WAIVER = Rule("scan-waiver-unused", NOTE, "A waiver waives nothing")
WAIVERS_INSIDE = Rule("scan-waivers-inside", NOTE, "A waiver file inside the scanned folder was not used")

FILE_NAME = "scan-waivers.toml"
_HASH = re.compile(r"[0-9a-f]{64}")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


class Waiver(Value):
    """`sha256` is of the line, without its end, or of the whole file; `source` and `place` say where it was written."""

    rule: str
    path: str
    sha256: str
    reason: str
    expires: str = ""
    source: str = ""
    place: tuple[int, int] = (0, 0)


class Waivers(Value):
    waivers: tuple[Waiver, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


class Waiving:
    """Divides findings into reported and waived ones, and records which waivers were used."""

    def __init__(self, waivers: Waivers, today: str = "") -> None:
        today = today or datetime.now(UTC).date().isoformat()
        self._given = waivers
        self._ended = [each for each in waivers.waivers if each.expires and each.expires < today]
        self._valid = [each for each in waivers.waivers if each not in self._ended]
        self._used: set[Waiver] = set()
        self._reported: list[tuple[Diagnostic, str]] = []
        self._waived: list[Diagnostic] = []

    def judge(self, page: Page, findings: Iterable[Diagnostic]) -> None:
        for diagnostic in findings:
            line_hash = hash_of(page, diagnostic)
            waiver = self._waiver_for(page, diagnostic, line_hash)
            if waiver is None:
                self._reported.append((diagnostic, line_hash))
            else:
                self._used.add(waiver)
                self._waived.append(diagnostic.replace(hint=f"waived: {waiver.reason}"))

    def scanned(self, files: int) -> Scanned:
        about = [*self._given.diagnostics]
        about += [
            EXPIRED_WAIVER.at(each.source, f"it ended on {each.expires}", place=each.place) for each in self._ended
        ]
        about += [
            UNUSED_WAIVER.at(each.source, f"nothing in `{each.path}` is waived by it", place=each.place)
            for each in self._valid
            if each not in self._used
        ]
        reported = [*self._reported, *((each, "") for each in about)]
        diagnostics = tuple(diagnostic for diagnostic, _ in reported)
        hashes = tuple(line_hash for _, line_hash in reported)
        return Scanned(diagnostics, files, tuple(self._waived), hashes)

    def _waiver_for(self, page: Page, finding: Diagnostic, line_hash: str) -> Waiver | None:
        for waiver in self._valid:
            fits = waiver.rule == finding.code and fnmatchcase(page.name, waiver.path)
            if fits and waiver.sha256 in (line_hash, sha256(page.data).hexdigest()):
                return waiver
        return None


def hash_of(page: Page, finding: Diagnostic) -> str:
    """The SHA-256 of the finding's line; without a line, of the whole file, or of its name if it was not read."""
    if finding.line and page.text:
        return sha256(page.line(finding.line).encode("utf-8", "surrogatepass")).hexdigest()
    return sha256(page.data or page.name.encode("utf-8", "surrogateescape")).hexdigest()


def waivers_for(root: str, places: Places, named: Sequence[str] = ()) -> Waivers:
    """Waivers from the files that the user named, from the project, and from the user's folder."""
    waivers: list[Waiver] = []
    diagnostics: list[Diagnostic] = []
    taken = [places.absolute(each) for each in named]
    for path in dict.fromkeys([*taken, *_usual_files(places)]):
        if path not in taken and _is_inside(root, path):
            diagnostics += _ignored(path)
            continue
        for each in _read(path, is_named=path in taken):
            (waivers if isinstance(each, Waiver) else diagnostics).append(each)  # type: ignore[arg-type]  # each list has its own kind
    return Waivers(tuple(waivers), tuple(diagnostics))


def waivers_text(scanned: Scanned, root: str) -> str:
    """A waiver for each finding. The user adds the reasons: without one a waiver has no effect."""
    parts = []
    for finding, line_hash in zip(scanned.diagnostics, scanned.hashes, strict=True):
        if line_hash:
            name = os.path.relpath(finding.path, root if os.path.isdir(root) else os.path.dirname(root)).replace(
                os.sep, "/"
            )
            lines = ["[[waiver]]", f"rule = {_quoted(finding.code)}", f"path = {_quoted(_literal(name))}"]
            lines += [f"sha256 = {_quoted(line_hash)}", f"# {_quoted(finding.message)[1:-1]}", 'reason = ""', ""]
            parts.append("\n".join(lines))
    return "\n".join(dict.fromkeys(parts))


def _usual_files(places: Places) -> Iterator[str]:
    for folder in places.ancestors():
        path = os.path.join(folder, ".pisces", FILE_NAME)
        if os.path.lexists(path):
            yield path
            break
    yield os.path.join(places.agent_dir, FILE_NAME)


def _is_inside(root: str, path: str) -> bool:
    """Links are resolved first, so that no link makes an inner file an outer one."""
    top = os.path.realpath(root)
    return os.path.realpath(path).startswith(top.rstrip(os.sep) + os.sep) or path.startswith(
        root.rstrip(os.sep) + os.sep
    )


def _ignored(path: str) -> list[Diagnostic]:
    if not os.path.lexists(path):
        return []
    return [WAIVERS_INSIDE.at(path, "a package cannot waive its own findings", hint="name the file with `--waivers`")]


def _read(path: str, *, is_named: bool) -> Iterator[Waiver | Diagnostic]:
    try:
        table = toml_current.parse(read_text(path))
    except Unreadable as error:
        finding = BAD_WAIVER.at(path, f"the file {error.message}")
        if is_named:
            raise PiscesError(finding) from None
        if error.kind != MISSING:
            yield finding
        return
    except Malformed as error:
        yield BAD_WAIVER.at(path, error.message, place=(error.line, error.column))
        return
    text = read_text(path)
    entries = table.get("waiver", [])
    for index, entry in enumerate(entries if isinstance(entries, list) else [entries]):
        place = toml_place(text, ("waiver", index))
        yield _waiver(entry, path, place) if isinstance(entry, dict) else BAD_WAIVER.at(path, "no table", place=place)


def _waiver(entry: JsonObject, path: str, place: tuple[int, int]) -> Waiver | Diagnostic:
    fields = {key: _plain(entry.get(key, "")) for key in ("rule", "path", "sha256", "reason", "expires")}
    missing = [key for key in ("rule", "path", "sha256", "reason") if not fields[key].strip()]
    if missing:
        return BAD_WAIVER.at(path, f"`{missing[0]}` is missing", place=place)
    if not _HASH.fullmatch(fields["sha256"]):
        return BAD_WAIVER.at(path, "`sha256` is not 64 hexadecimal digits", place=place)
    if fields["expires"] and not _DATE.fullmatch(fields["expires"]):
        return BAD_WAIVER.at(path, "`expires` is not a date as in `2027-01-31`", place=place)
    return Waiver(**fields, source=path, place=place)


def _plain(value: object) -> str:
    """Text; a date may be written with or without quotes."""
    return value if isinstance(value, str) else value.isoformat()[:10] if hasattr(value, "isoformat") else ""


def _literal(name: str) -> str:
    """A name as a glob that means only itself."""
    return re.sub(r"([*?[])", r"[\1]", name)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(each if each.isprintable() else f"\\U{ord(each):08X}" for each in escaped) + '"'
