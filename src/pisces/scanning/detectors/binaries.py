"""Programs and archives inside a package: the scan cannot read what they do or contain."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.page import BINARY, TEXT, Page
from pisces.scanning.roles import ending_of

EXECUTABLE = Rule("scan-executable", WARNING, "A compiled program is in the package")
ARCHIVE = Rule("scan-archive", WARNING, "An archive is in the package")
DISGUISED = Rule("scan-disguised", ERROR, "A program or an archive has the name of something harmless")

_PROGRAMS = (
    (b"\x7fELF", "an ELF program"),
    (b"\xca\xfe\xba\xbe", "a Mach-O program or Java class"),
    (b"\xcf\xfa\xed\xfe", "a Mach-O program"),
    (b"\xce\xfa\xed\xfe", "a Mach-O program"),
    (b"\xfe\xed\xfa\xcf", "a Mach-O program"),
    (b"\xfe\xed\xfa\xce", "a Mach-O program"),
    (b"\0asm", "a WebAssembly program"),
    (b"dex\n", "an Android program"),
)
_ARCHIVES = (
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "a zip archive"),
    (b"\x1f\x8b\x08", "a gzip archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"BZh", "a bzip2 archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a rar archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"xar!", "a xar archive"),
    (b"!<arch>\n", "an ar archive"),
)
_CONFINED = b"\0asm"  # WebAssembly: confined by the program that loads it
_COMPILED_ENDINGS = {"pyc": "compiled Python", "pyo": "compiled Python", "node": "a native module"}
_DOCUMENTS = ("docx", "xlsx", "pptx", "odt", "ods", "odp", "epub", "dotx", "xltx", "potx")
_HARMLESS = re.compile(
    r"(?:png|jpe?g|gif|webp|svg|ico|bmp|md|txt|json|toml|ya?ml|pdf|mp3|mp4|wav|ogg|ttf|woff2?|csv|html?)"
)


def _find(page: Page) -> Diagnostics:
    ending = ending_of(page.name)
    program = _kind_of(page.data, _PROGRAMS) or _windows_program(page.data) or _COMPILED_ENDINGS.get(ending, "")
    archive = _kind_of(page.data, _ARCHIVES) or ("a tar archive" if page.data[257:262] == b"ustar" else "")
    what = program or archive
    if what and _HARMLESS.fullmatch(ending):
        yield DISGUISED.at(page.path, f"the file is {what}, whatever its name says")
    elif program:
        finding = EXECUTABLE.at(page.path, f"the file is {program}", hint="ask how it was built")
        yield finding.replace(severity=NOTE) if page.data.startswith(_CONFINED) else finding
    elif archive:
        finding = ARCHIVE.at(page.path, f"the file is {archive}", hint="unpack it and scan that")
        yield finding.replace(severity=NOTE) if ending in _DOCUMENTS else finding


def _kind_of(data: bytes, kinds: tuple[tuple[bytes, str], ...]) -> str:
    return next((what for magic, what in kinds if data.startswith(magic)), "")


def _windows_program(data: bytes) -> str:
    if not data.startswith(b"MZ"):
        return ""
    at = int.from_bytes(data[60:64], "little")
    return "a Windows program" if data[at : at + 2] == b"PE" or len(data) > 4096 else ""


DETECTOR = Detector("programs and archives in the package", _find, kinds=(BINARY, TEXT), everywhere=True)
