"""URLs of git hosts, parsed into the repository, the ref and the folder."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

GITHUB = "https://github.com"
SERVER_VARIABLE = "GITHUB_SERVER_URL"
ARCHIVES = (".zip", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar")

# A host of one letter is a drive of Windows.
_SCP = re.compile(r"(?:[\w.~-]+@)?(?!-)[\w.-]{2,}:(?!//)(?!\\)[^\s]+")
REPOSITORY = re.compile(r"https?://[^/@\s]+/[\w.-]+/[\w.-]+", re.IGNORECASE)
_GIT_URL = re.compile(r"(?:https?|ssh|git)://[^\s/]+/[^\s]+", re.IGNORECASE)


class RepositoryAddress(Value):
    """`releases` is set for a GitHub repository, whose releases come before its branches."""

    url: str
    ref: str = ""
    subdir: str = ""
    releases: bool = False


def github_server(env: Mapping[str, str]) -> str:
    return env.get(SERVER_VARIABLE, "").rstrip("/") or GITHUB


def is_address(url: str) -> bool:
    """Whether a URL can be parsed: brackets, port and characters are valid."""
    try:
        url.encode()
        return urlsplit(url).port != 0
    except ValueError:
        return False


def is_archive(name: str) -> bool:
    return name.lower().endswith(ARCHIVES)


def is_scp(text: str) -> bool:
    """`git@host:path`, which git reads as ssh."""
    return _SCP.fullmatch(text) is not None and not text.startswith(("file:", "git+", "github:", "gitlab:"))


def file_path(text: str) -> str:
    """The path of a `file://` URL; empty for anything else."""
    if not text.lower().startswith("file://"):
        return ""
    path = unquote(re.sub("^(?i:file)://(?i:localhost)?", "", text))
    return path[1:] if re.match(r"/[A-Za-z]:", path) else path


def git_address(text: str) -> RepositoryAddress | None:
    """Any other git URL. GitLab's URLs of folders are parsed."""
    if is_scp(text):
        return RepositoryAddress(text) if "@" in text else None
    if not _GIT_URL.fullmatch(text):
        return None
    repository, mark, below = text.partition("/-/tree/")
    if mark:
        ref, _, subdir = below.strip("/").partition("/")
        return RepositoryAddress(f"{repository}.git", unquote(ref), unquote(subdir))
    return RepositoryAddress(text.rstrip("/"))


def github_address(text: str, *, server: str = GITHUB, ref: str = "") -> RepositoryAddress | None:
    """A URL at GitHub, or at the GitHub server of the environment, with the ref and folder of its path."""
    if not is_github(text, server) or not is_address(text):
        return None
    parts = urlsplit(text)
    segments = [unquote(part) for part in parts.path.split("/") if part]
    if not REPOSITORY.fullmatch(f"{parts.scheme}://{parts.netloc}/{'/'.join(segments[:2])}"):
        return None
    owner, repository, *rest = segments
    url = f"{parts.scheme}://{parts.netloc}/{owner}/{repository.removesuffix('.git')}"
    if not rest:
        return RepositoryAddress(url, releases=True)
    if rest[0] == "releases":
        tag = "/".join(rest[2:]) if rest[1:2] == ["tag"] else ""
        return RepositoryAddress(url, tag, releases=True)
    if rest[0] == "tree" and len(rest) > 1:
        named, subdir = _ref_and_folder("/".join(rest[1:]), ref)
        return RepositoryAddress(url, named, subdir)
    return None


def _ref_and_folder(path: str, ref: str) -> tuple[str, str]:
    """A branch may have slashes. The ref that was given says where it ends in the path."""
    if ref and (path == ref or path.startswith(f"{ref}/")):
        return ref, path[len(ref) + 1 :]
    first, _, below = path.partition("/")
    return first, below


def is_github(text: str, server: str) -> bool:
    return any(text.lower().startswith(f"{base.lower()}/") for base in (GITHUB, server))
