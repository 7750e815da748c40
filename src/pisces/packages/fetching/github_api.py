"""Releases of a GitHub repository, and the asset that Gemini CLI would choose."""

from __future__ import annotations

import re
import sys
import time
from urllib.parse import quote, urlsplit

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.packages.fetching.download import DownloadReply, DownloadRequest, ask, unsuccessful
from pisces.packages.fetching.token import api_of, token_in, without_secrets
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.packages.fetching.source import PackageSource
    from pisces.places import Places

GITHUB_REFUSED = Rule("github-refused", ERROR, "GitHub's API did not answer the question")

_PLATFORMS = ("darwin", "linux", "win32")
_ARCHES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "i386": "ia32", "i686": "ia32", "x86": "ia32"}


class Release(Value):
    """`assets` maps the name of each file to its URL. `sources` are the archives of the repository."""

    tag: str
    assets: Mapping[str, str]
    sources: tuple[str, ...]
    pre_release: bool = False


def latest_release(source: PackageSource, places: Places) -> Release | None:
    """As Gemini CLI chooses: the given tag, else the latest, else the newest, which may be a pre-release."""
    if source.ref:
        return _release(_answer(source, f"/tags/{quote(source.ref, safe='')}", places), source)
    if not source.pre_release:
        found = _answer(source, "/latest", places)
        if found is not None:
            return _release(found, source)
    listed = _answer(source, "?per_page=1", places)
    return _release(listed[0], source) if isinstance(listed, list) and listed else None


def chosen_asset(names: list[str], platform: str, arch: str) -> str:
    """The file for this machine, by the start of its name, else the only file if it names no platform."""
    lower = {name.lower(): name for name in reversed(names)}
    for start in (f"{platform}.{arch}.", f"{platform}."):
        if found := [lower[name] for name in reversed(lower) if name.startswith(start)]:
            return found[0]
    generic = len(names) == 1 and not any(word in names[0].lower() for word in _PLATFORMS)
    return names[0] if generic else ""


def node_platform() -> str:
    return "win32" if sys.platform in ("win32", "cygwin") else sys.platform


def node_arch(machine: str) -> str:
    """Node's name for a processor."""
    return _ARCHES.get(machine.lower(), "arm" if machine.lower().startswith("arm") else machine.lower())


def _answer(source: PackageSource, path: str, places: Places) -> Any:
    """The answer of the API; None for 404."""
    owner, repository = urlsplit(source.location).path.strip("/").split("/")[:2]
    url = f"{api_of(source.location, places.env)}/repos/{quote(owner)}/{quote(repository)}/releases{path}"
    headers = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
    reply = ask(DownloadRequest(url, places, headers))
    body = reply.whole()
    if reply.status == 404:
        return None
    try:
        content = parse(body.decode("utf-8", "replace"))
    except Malformed:
        content = None
    if reply.status != 200:
        raise _refusal(reply, content, places)
    if content is None:
        raise PiscesError(GITHUB_REFUSED.at(url, "the answer of the API is not JSON"))
    return content


def _refusal(reply: DownloadReply, content: Any, places: Places) -> PiscesError:
    said = content.get("message") if isinstance(content, dict) else None
    said = without_secrets(said, places.env)[:200] if isinstance(said, str) else ""
    limited = reply.headers.get("x-ratelimit-remaining") == "0" or "retry-after" in reply.headers
    if reply.status in (403, 429) and (limited or "rate limit" in said.lower()):
        hint = "" if token_in(places.env) else "set GITHUB_TOKEN to raise the limit, "
        hint += "or clone instead with `git+https://...`"
        message = f"the rate limit of the API is used up{_until(reply)}"
        return PiscesError(GITHUB_REFUSED.at(reply.url, message, hint=hint))
    if reply.status == 401:
        message = f"the API refused the token: {said or 'unauthorized'}"
        return PiscesError(GITHUB_REFUSED.at(reply.url, message, hint="check GITHUB_TOKEN: it may have expired"))
    return PiscesError(unsuccessful(reply, said))


def _until(reply: DownloadReply) -> str:
    reset, wait = reply.headers.get("x-ratelimit-reset", ""), reply.headers.get("retry-after", "")
    if re.fullmatch("[0-9]{1,11}", reset):
        moment = int(reset)
    elif re.fullmatch("[0-9]{1,6}", wait):
        moment = int(time.time()) + int(wait)
    else:
        return ""
    return f" until {time.strftime('%H:%M:%S UTC on %d %B %Y', time.gmtime(moment))}"


def _release(content: Any, source: PackageSource) -> Release | None:
    if content is None:
        return None
    tag = content.get("tag_name") if isinstance(content, dict) else None
    if not isinstance(tag, str) or not tag:
        raise PiscesError(GITHUB_REFUSED.at(source.location, "the answer of the API has no release in it"))
    assets = content.get("assets")
    named = [each for each in assets if isinstance(each, dict)] if isinstance(assets, list) else []
    places = {str(each.get("name", "")): each.get("url") or each.get("browser_download_url") for each in named}
    sources = tuple(content[key] for key in ("tarball_url", "zipball_url") if isinstance(content.get(key), str))
    urls = {name: url for name, url in places.items() if isinstance(url, str)}
    return Release(tag, urls, sources, content.get("prerelease") is True)
