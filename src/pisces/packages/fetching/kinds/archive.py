"""An archive from the disk or the web: validated, unpacked, and pinned by the hash of its bytes.

A package in the only folder of the archive is found there, as in Gemini CLI.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.disk import is_of_disk
from pisces.packages.fetching.download import download, unchanged
from pisces.packages.fetching.fetched import Fetched, FetchJob, Newest
from pisces.packages.fetching.kinds.folder import SOURCE_UNREADABLE, folder_in
from pisces.packages.fetching.limits import MOST_BYTES
from pisces.packages.fetching.source import PackageSource, is_remote
from pisces.packages.fetching.unpack import hoisted, unpack
from pisces.packages.store.store import remove

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places

ARCHIVE_CHANGED = Rule("archive-changed", ERROR, "An archive is not the one that was asked for")


def fetch(source: PackageSource, job: FetchJob) -> Fetched:
    path = job.path("archive")
    etag = _copy_or_download(source, path, job)
    found = f"sha256:{file_hash(path)}"
    if source.ref and source.ref != found:
        raise PiscesError(ARCHIVE_CHANGED.at(source.location, f"the archive is {found}, not {source.ref}"))
    return Fetched(unpacked(path, source, job), source, found, etag)


def newest(source: PackageSource, old: Fetched, places: Places) -> Newest:
    """One request with the ETag. Without an ETag only fetching can tell."""
    if source.ref:
        return Newest(False, old.commit, old.tag, "pinned to a hash")
    if not is_remote(source):
        return Newest(True, detail="a local file: its content decides", sure=False)
    if old.tag and unchanged(source.location, old.tag, places):
        return Newest(False, old.commit, old.tag, "up to date")
    return Newest(True, detail="the file at the host may be another one", sure=False)


def unpacked(path: str, source: PackageSource, job: FetchJob, *, wrapped: bool = False) -> str:
    """The package's folder. `wrapped` archives (source archives of hosts) always have one folder at the top."""
    folder = job.folder
    unpack(path, folder, source.location)
    for each in (path, f"{path}.plain"):
        remove(each)
    if source.subdir and os.path.isdir(os.path.join(folder, *source.subdir.split("/"))):
        return folder_in(folder, source)
    return folder_in(hoisted(folder, always=wrapped or bool(source.subdir)), source)


def file_hash(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _copy_or_download(source: PackageSource, path: str, job: FetchJob) -> str:
    """Puts the archive into the stage. Returns the ETag of a download."""
    if is_remote(source):
        if re.match("http:", source.location, re.IGNORECASE):
            job.report(f"{source.location} is not encrypted: anybody on the way can change it")
        return download(source.location, path, job)
    try:
        if os.path.getsize(source.location) > MOST_BYTES:
            raise PiscesError(SOURCE_UNREADABLE.at(source.location, f"larger than {MOST_BYTES >> 20} MiB"))
        shutil.copyfile(source.location, path)
    except OSError as error:
        if is_of_disk(error, job.stage):
            raise
        message = f"cannot be read: {error.strerror or error}"
        raise PiscesError(SOURCE_UNREADABLE.at(source.location, message)) from None
    return ""
