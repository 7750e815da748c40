"""The source of a package: what the user asked for, and later what was pinned.

    PATH, file://PATH                a folder (copied) or an archive
    OWNER/REPO[/SUBDIR], github:...  GitHub: the newest release if there is one, else the default branch
    gitlab:GROUP/REPO                git at gitlab.com
    https, http, ssh, git URLs       git; `user@host:path` too; a path with /tree/REF/SUBDIR names both
    git+URL                          git and nothing else, also for GitHub and for folders
    URL or PATH of .zip .tar.gz ...  an archive; `#sha256=HEX` demands that content
    NAME@PLACE, FILE.json#NAME       a plugin of the Claude marketplace at PLACE (a folder, file, URL or OWNER/REPO)

A path that exists on the disk comes first.
"""

from __future__ import annotations

import os
import re

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.formats.fit import noun_of
from pisces.packages.fetching import source_urls as urls
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places

ARCHIVE, FOLDER, GIT, MARKETPLACE, RELEASE = "archive", "folder", "git", "marketplace", "github-release"
KINDS = (ARCHIVE, FOLDER, GIT, MARKETPLACE, RELEASE)
FILE_URL = "file://" if os.sep == "/" else "file:///"

SOURCE_UNKNOWN = Rule("source-unknown", ERROR, "A source is nothing that can be installed from")
SOURCE_UNSAFE = Rule("source-unsafe", ERROR, "A source has a part that is refused")
SOURCE_RECORD = Rule("source-record", ERROR, "A recorded source cannot be used")

_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9_.-]+(?:/[^\s:@#?\\]+)?")
_ENTRY_AT = re.compile(r"([A-Za-z0-9][\w.-]*)@(.+)", re.DOTALL)
ENTRY = re.compile(r"[A-Za-z0-9][\w.-]*")
_REF = re.compile(r"[^\s\x00-\x1f\x7f~^:?*\[\\-][^\s\x00-\x1f\x7f~^:?*\[\\]*")
_ARCHIVE_PIN = re.compile("sha256:[0-9a-f]{64}")
_PLUGIN_PIN = re.compile("(?:[0-9a-f]{40}|[0-9a-f]{64})?:(?:sha256:)?[0-9a-f]{40,64}")
_PASSWORD = re.compile(r"(?:https?|git)://[^/?#]*@", re.IGNORECASE)
_HINT = "a path, a URL, OWNER/REPO, or NAME@MARKETPLACE"


class PackageSource(Value):
    """`ref` is a branch, tag or commit, or `sha256:...` for an archive; `entry` a plugin of a marketplace."""

    kind: str
    location: str
    ref: str = ""
    subdir: str = ""
    pre_release: bool = False
    entry: str = ""

    def as_text(self) -> str:
        """The source as one would type it."""
        forced = self.kind == GIT and (urls.github_address(self.location) or self.location.startswith("file:"))
        text = f"git+{self.location}" if forced else self.location
        text = f"{self.entry}@{text}" if self.entry else text
        ref = f" --ref {self.ref}" if self.ref else ""
        subdir = f" --subdir {self.subdir}" if self.subdir else ""
        return text + ref + subdir + (" --pre-release" if self.pre_release else "")

    def as_json(self) -> dict[str, object]:
        named = {field: getattr(self, field) for field in self.__fields__}
        return {field: value for field, value in named.items() if value}


def source_from_json(value: object) -> PackageSource:
    """A recorded source, validated like a typed one: others may have written the record or lock file."""
    if not isinstance(value, dict):
        raise PiscesError(SOURCE_RECORD.at("", f"a source must be an object, not {noun_of(value)}"))
    fields = {key: value[key] for key in PackageSource.__fields__ if key in value}
    for key, field in fields.items():
        if not isinstance(field, bool if key == "pre_release" else str):
            raise PiscesError(SOURCE_RECORD.at("", f"`{key}` of a source must not be {noun_of(field)}"))
    if fields.get("kind") not in KINDS or not fields.get("location"):
        raise PiscesError(SOURCE_RECORD.at("", "a source needs a known `kind` and a `location`"))
    return checked(PackageSource(**fields))


def parse_source(
    text: str, places: Places, *, ref: str = "", subdir: str = "", pre_release: bool = False
) -> PackageSource:
    """The source that a user typed. Uses the disk, never the network."""
    found = _read(text.strip(), places, ref)
    if subdir and found.subdir:
        raise _unsafe(text, f"the folder is said twice: `{found.subdir}` and `--subdir {subdir}`")
    found = found.replace(ref=ref or found.ref, subdir=subdir or found.subdir, pre_release=pre_release)
    if found.kind == RELEASE and found.subdir:
        found = found.replace(kind=GIT)  # a release has one package; the folders of a repository are in its git tree
    if found.kind == FOLDER and found.ref:
        found = _repository_on_disk(found)
    return checked(found)


def checked(source: PackageSource) -> PackageSource:
    """The source with a normalised `subdir`. Raises if a part is unsafe."""
    at = source.location.startswith("-") or re.search(r"[\x00-\x1f\x7f]", source.location)
    if at or re.search(r"//-|@-", source.location):
        raise _unsafe(source.location, "the location could be taken for an option")
    if _PASSWORD.match(source.location):
        clean = re.sub("//[^/?#]*@", "//", source.location)
        raise _unsafe(clean, "a URL must not carry a user or a password", hint=f"write `{clean}`")
    if "://" in source.location and not urls.is_address(source.location):
        raise _unsafe(source.location, "the address makes no sense")
    if source.kind == RELEASE and not urls.REPOSITORY.fullmatch(source.location):
        raise _unsafe(source.location, "releases are at the address of a repository, https://HOST/OWNER/REPO")
    if source.ref and not _may_be_ref(source):
        what = "hash (`sha256:...`) of an archive" if source.kind == ARCHIVE else "branch, tag or commit"
        raise _unsafe(source.location, f"`{source.ref}` cannot be the name of a {what}")
    if source.entry and not ENTRY.fullmatch(source.entry):
        raise _unsafe(source.location, f"`{source.entry}` is no name of a plugin")
    if source.kind in (FOLDER, ARCHIVE, MARKETPLACE) and not is_remote(source) and not os.path.isabs(source.location):
        raise _unsafe(source.location, "a recorded path must be absolute")
    return source.replace(subdir=_plain_folder(source))


def name_of(source: PackageSource) -> str:
    """A name for a package of a format without names: that of its repository, folder or archive."""
    place = source.location.partition("?")[0].replace("\\", "/").rstrip("/")
    hosted = re.search(r"/([^/]+)/(?:archive|releases/download)/", place)
    last = hosted[1] if hosted and source.kind == ARCHIVE else re.split("[/:]", place)[-1]
    for suffix in (*urls.ARCHIVES, ".git") if source.kind != FOLDER else ():
        last = last.removesuffix(suffix)
    if source.kind == ARCHIVE:
        last = re.sub(r"-v?\d+(\.\w+)*$", "", last)
    name = source.entry or source.subdir.rpartition("/")[2] or last
    return re.sub(r"[^\w.-]+", "-", name).strip("-. ") or "package"


def is_remote(source: PackageSource) -> bool:
    return "://" in source.location or urls.is_scp(source.location)


def _read(text: str, places: Places, ref: str) -> PackageSource:
    if not text:
        raise PiscesError(SOURCE_UNKNOWN.at("", "no source was given", hint=_HINT))
    for reading in (_on_disk, _forced_git, _archive, _in_marketplace):
        if found := reading(text, places):
            return found
    if text.startswith(("git+", "file:", "./", "../", ".\\", "..\\", "~", "/")) or re.match(r"[A-Za-z]:[\\/]", text):
        raise PiscesError(SOURCE_UNKNOWN.at(text, f"`{_without_password(text)}` does not exist"))
    address = _repository_address(text, places, ref)
    if address is None:
        hint = "a ref is given with `--ref`" if re.fullmatch(r"[\w.-]+/[\w./-]+[@#].+", text) else _HINT
        raise PiscesError(SOURCE_UNKNOWN.at("", f"`{_without_password(text)}` is not a known source", hint=hint))
    return PackageSource(RELEASE if address.releases else GIT, address.url, address.ref, address.subdir)


def _on_disk(text: str, places: Places) -> PackageSource | None:
    path = places.absolute(urls.file_path(text) or text)
    if os.path.isfile(path):
        if os.path.basename(path) == "marketplace.json":
            hint = f"say which: `{text}#NAME`"
            raise PiscesError(SOURCE_UNKNOWN.at(path, "a marketplace holds many plugins", hint=hint))
        return PackageSource(ARCHIVE, path) if urls.is_archive(path) else None
    if not os.path.isdir(path):
        return None
    return PackageSource(GIT, file_url(path)) if _is_bare(path) else PackageSource(FOLDER, path)


def _forced_git(text: str, places: Places) -> PackageSource | None:
    if not text.startswith("git+"):
        return None
    rest = text[4:]
    if address := _repository_address(rest, places, ""):
        return PackageSource(GIT, address.url, address.ref, address.subdir)
    path = places.absolute(urls.file_path(rest) or rest)
    return PackageSource(GIT, file_url(path)) if os.path.isdir(path) else None


def _archive(text: str, places: Places) -> PackageSource | None:
    location, _, wanted = text.partition("#sha256=")
    path = places.absolute(urls.file_path(location) or location)
    if wanted and os.path.isfile(path):
        return PackageSource(ARCHIVE, path, f"sha256:{wanted.lower()}")
    if re.match("https?://", location, re.IGNORECASE) and urls.is_archive(location.partition("?")[0].partition("#")[0]):
        return PackageSource(ARCHIVE, location.partition("#")[0], f"sha256:{wanted.lower()}" if wanted else "")
    return None


def _in_marketplace(text: str, places: Places) -> PackageSource | None:
    place, mark, entry = text.rpartition("#")
    if not (mark and place.endswith(".json")):
        found = _ENTRY_AT.fullmatch(text)
        if found is None or (urls.is_scp(text) and not found[2].startswith(("github:", "gitlab:"))):
            return None
        entry, place = found[1], found[2]
    path = places.absolute(urls.file_path(place) or place)
    if os.path.exists(path):
        return PackageSource(MARKETPLACE, path, entry=entry)
    if re.match("https?://", place, re.IGNORECASE) and place.partition("?")[0].endswith(".json"):
        return PackageSource(MARKETPLACE, place, entry=entry)
    address = _repository_address(place.removeprefix("git+"), places, "")
    if address is None:
        hint = f"write {entry}@PLACE with where it is: a folder, a marketplace.json, a URL or OWNER/REPO"
        message = f"there is no marketplace at `{_without_password(place)}`"
        raise PiscesError(SOURCE_UNKNOWN.at("", message, hint=hint))
    return PackageSource(MARKETPLACE, address.url, address.ref, address.subdir, entry=entry)


def _repository_address(text: str, places: Places, ref: str) -> urls.RepositoryAddress | None:
    server = urls.github_server(places.env)
    short = text.removeprefix("github:")
    if _REPOSITORY.fullmatch(short):
        owner, repository, *below = short.split("/")
        url = f"{server}/{owner}/{repository.removesuffix('.git')}"
        return urls.RepositoryAddress(url, subdir="/".join(below), releases=True)
    if re.fullmatch(r"gitlab:[\w.-]+(/[\w.-]+)+", text):
        return urls.RepositoryAddress(f"https://gitlab.com/{text[7:].removesuffix('.git')}.git")
    return urls.github_address(text, server=server, ref=ref) if urls.is_github(text, server) else urls.git_address(text)


def _is_bare(path: str) -> bool:
    return os.path.isfile(os.path.join(path, "HEAD")) and os.path.isdir(os.path.join(path, "objects"))


def _repository_on_disk(source: PackageSource) -> PackageSource:
    if not os.path.lexists(os.path.join(source.location, ".git")):
        raise _unsafe(source.location, "the folder is no git repository, so `--ref` means nothing")
    return source.replace(kind=GIT, location=file_url(source.location))


def _may_be_ref(source: PackageSource) -> bool:
    if source.kind == ARCHIVE:
        return _ARCHIVE_PIN.fullmatch(source.ref) is not None
    if source.kind == MARKETPLACE and _PLUGIN_PIN.fullmatch(source.ref):
        return True
    return source.kind != FOLDER and _is_ref(source.ref)


def _is_ref(ref: str) -> bool:
    bad = (".." in ref, "@{" in ref, "//" in ref, ref.endswith(("/", ".", ".lock")), ref.startswith("/"), ref == "@")
    return _REF.fullmatch(ref) is not None and not any(bad)


def _plain_folder(source: PackageSource) -> str:
    parts = [part for part in source.subdir.split("/") if part not in ("", ".")]
    odd = re.search(r"[\\\x00-\x1f\x7f]", source.subdir) or source.subdir.startswith(("/", "-"))
    if odd or ".." in parts or ".git" in map(str.lower, parts) or (parts and re.match("[A-Za-z]:", parts[0])):
        raise _unsafe(source.location, f"the folder `{source.subdir}` is not below the top of the package")
    return "/".join(parts)


def file_url(path: str) -> str:
    return FILE_URL + path.replace(os.sep, "/")


def _without_password(text: str) -> str:
    return re.sub("//[^/?#]*@", "//", text)


def _unsafe(path: str, message: str, hint: str = "") -> PiscesError:
    return PiscesError(SOURCE_UNSAFE.at(_without_password(path), message, hint=hint))
