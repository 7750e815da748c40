"""Release assets: one archive a package, with the manifest at its root. The same files give the same bytes.

What a program calls the archives that it looks for is said by `release_assets.py` in the folder of its harness.
"""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zipfile

from pisces.atomic import write_atomically
from pisces.building.record import ATTRIBUTES
from pisces.by_name import export_of, has_file
from pisces.converting.origin import ORIGIN, digest_of
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.disk import disk_faults
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pisces.building.build import BuiltPackage
    from pisces.converting.writer import OutputFile

    # From the plugin's name, the platforms that the author names and whether it is the only asset, to names.
    AssetNames = Callable[[str, Sequence[str], bool], list[str]]

ARCHIVE_CLASH = Rule("build-archive-clash", ERROR, "Two archives of a build would have one name")
ARCHIVE_NOT_A_FILE = Rule("build-archive-not-a-file", ERROR, "An archive would be written over something else")

TAR, ZIP = "tar.gz", "zip"
HARNESSES = "pisces.harnesses"
_MOMENT = 315532800  # the first one that a zip file can say: 1980-01-01
_ONLY_OURS = (ORIGIN, ATTRIBUTES)


class Archive(Value):
    """`name` is that of the file. Several names may have one content."""

    name: str
    plugin: str
    target: str
    data: bytes

    @property
    def digest(self) -> str:
        return digest_of(self.data)


def archives_of(packages: Sequence[BuiltPackage], kind: str) -> list[Archive]:
    """Every asset of a release. `PiscesError` where two would have one name."""
    made: dict[str, Archive] = {}
    for package in packages:
        data = (zip_bytes if kind == ZIP else tar_bytes)(_shipped(package.files))
        for name in _names(package, is_alone=len(packages) == 1):
            file = f"{name}.{kind}"
            if file in made:
                message = f"`{file}` is an archive of {made[file].target} and of {package.target}"
                raise PiscesError(ARCHIVE_CLASH.at("", message, hint="build one of them with `--target`"))
            made[file] = Archive(file, package.plugin, package.target, data)
    return list(made.values())


def write_archives(archives: Iterable[Archive], folder: str) -> list[str]:
    """The paths of those that were not there yet, or were different."""
    written = []
    with disk_faults(folder):
        os.makedirs(folder, exist_ok=True)
        for each in archives:
            path = os.path.join(folder, each.name)
            if os.path.islink(path) or (os.path.lexists(path) and not os.path.isfile(path)):
                raise PiscesError(ARCHIVE_NOT_A_FILE.at(path, "it is a link or no regular file"))
            if _content(path) != each.data:
                write_atomically(path, each.data)
                written.append(path)
    return written


def tar_bytes(files: Iterable[OutputFile]) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for each in sorted(files, key=lambda file: file.path):
            entry = tarfile.TarInfo(each.path)
            data = each.data or b""
            entry.size, entry.mtime, entry.mode = len(data), _MOMENT, _mode(each)
            archive.addfile(entry, io.BytesIO(data))
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=packed, mode="wb", compresslevel=9, mtime=0) as file:
        file.write(raw.getvalue())
    return packed.getvalue()


def zip_bytes(files: Iterable[OutputFile]) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for each in sorted(files, key=lambda file: file.path):
            entry = zipfile.ZipInfo(each.path, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3  # Unix, wherever it is built: the modes count
            entry.external_attr = (0o100000 | _mode(each)) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, each.data or b"")
    return raw.getvalue()


def _shipped(files: Iterable[OutputFile]) -> list[OutputFile]:
    """Without what only a repository needs."""
    return [each for each in files if each.path not in _ONLY_OURS]


def _mode(file: OutputFile) -> int:
    return 0o755 if file.is_executable else 0o644


def _names(package: BuiltPackage, *, is_alone: bool) -> list[str]:
    harness = f"{HARNESSES}.{package.harness}"
    if has_file(harness, "release_assets"):
        names: AssetNames = export_of(harness, "release_assets", "asset_names")
        return names(package.plugin, package.platforms, is_alone)
    return ["-".join(filter(None, (package.plugin, package.version, package.target)))]


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
