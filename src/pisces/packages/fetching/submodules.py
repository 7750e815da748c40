"""The submodules of a commit as sources, only with protocols at least as safe as the repository's own."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import urlsplit, urlunsplit

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.packages.fetching.source import GIT, PackageSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.packages.fetching.git_process import Git

SUBMODULE_REFUSED = Rule("git-submodule-refused", ERROR, "A submodule comes from where packages may not reach")

_KEY = re.compile(r"submodule\.(.*)\.(path|url)", re.DOTALL)


def submodules_of(
    git: Git, commit: str, inside: dict[str, str], parent: PackageSource
) -> Iterator[tuple[str, PackageSource]]:
    """`inside` maps the path of each submodule to its commit. Those without a URL stay empty folders, as in git."""
    if not inside:
        return
    urls = _urls(git, commit)
    for path, pin in inside.items():
        if path in urls:
            yield path, PackageSource(GIT, _allowed(absolute_url(urls[path], parent.location), parent, path), pin)


def absolute_url(url: str, parent: str) -> str:
    """Resolves a URL such as `../other.git` against the parent repository."""
    if not url.startswith(("./", "../")):
        return url
    if "://" in parent:
        parts = urlsplit(parent)
        return urlunsplit(parts._replace(path=posixpath.normpath(posixpath.join(parts.path, url))))
    host, _, path = parent.partition(":")
    return f"{host}:{posixpath.normpath(posixpath.join(path, url))}"


def _urls(git: Git, commit: str) -> dict[str, str]:
    """Path to URL, from `.gitmodules`."""
    wanted = r"^submodule\..*\.(path|url)$"
    named: dict[str, dict[str, str]] = {}
    for line in git.listed("config", "--null", "--blob", f"{commit}:.gitmodules", "--get-regexp", wanted):
        key, _, value = line.partition("\n")
        if found := _KEY.fullmatch(key):
            named.setdefault(found[1], {})[found[2]] = value
    return {each["path"]: each["url"] for each in named.values() if len(each) == 2}


def _allowed(url: str, parent: PackageSource, path: str) -> str:
    scheme = _scheme(url)
    if scheme in ("https", "ssh") or (scheme in ("http", "git") and scheme == _scheme(parent.location)):
        return url
    message = f"the submodule `{path}` comes from `{url}`, and only https and ssh are allowed"
    raise PiscesError(SUBMODULE_REFUSED.at(parent.location, message))


def _scheme(url: str) -> str:
    if "://" in url:
        return url.partition("://")[0].lower()
    return "ssh" if re.match(r"[^/\\:]{2,}:(?!:)", url) else "file"
