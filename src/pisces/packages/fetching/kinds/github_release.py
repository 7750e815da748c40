"""A release of a GitHub repository, chosen as Gemini CLI chooses; without any release, the repository itself.

A ref is first looked up as the tag of a release, then as a ref of git.
"""

from __future__ import annotations

import platform
import re

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.packages.fetching.checkout import COMMIT
from pisces.packages.fetching.download import download
from pisces.packages.fetching.fetched import Fetched, FetchJob, Newest
from pisces.packages.fetching.github_api import Release, chosen_asset, latest_release, node_arch, node_platform
from pisces.packages.fetching.kinds import git
from pisces.packages.fetching.kinds.archive import unpacked
from pisces.packages.fetching.source import GIT, PackageSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places

NO_ASSET = Rule("github-no-asset", ERROR, "A release has no file for this machine")


def fetch(source: PackageSource, job: FetchJob) -> Fetched:
    release = None if COMMIT.fullmatch(source.ref) else latest_release(source, job.places)
    if release is None:
        job.report("no release: fetching the repository")
        return git.fetch(source.replace(kind=GIT), job)
    job.report(f"release {release.tag}")
    folder = _unpacked_release(release, source, job)
    wanted = source.replace(pre_release=source.pre_release or (release.pre_release and not source.ref))
    return Fetched(folder, wanted, "", release.tag)


def newest(source: PackageSource, old: Fetched, places: Places) -> Newest:
    """One request. A release that was asked for by its tag does not change."""
    if source.ref:
        return Newest(False, old.commit, old.tag, f"pinned to {source.ref}")
    release = latest_release(source, places)
    if release is None:
        return Newest(False, old.commit, old.tag, "the repository has no releases any more")
    changed = release.tag != old.tag
    return Newest(changed, "", release.tag, f"release {release.tag}" if changed else "up to date")


def _unpacked_release(release: Release, source: PackageSource, job: FetchJob) -> str:
    name = chosen_asset(list(release.assets), node_platform(), node_arch(platform.machine()))
    path = job.path("archive")
    if name:
        job.report(f"downloading {name}")
        download(_checked(release.assets[name], source), path, job, accept="application/octet-stream")
        return unpacked(path, source, job)
    if not release.sources:
        known = ", ".join(f"`{each}`" for each in list(release.assets)[:10]) or "no files"
        message = f"release {release.tag} has {known}, none for {node_platform()} {node_arch(platform.machine())}"
        raise PiscesError(NO_ASSET.at(source.location, message))
    job.report("downloading the source archive")
    download(_checked(release.sources[0], source), path, job, accept="application/vnd.github+json")
    return unpacked(path, source, job, wrapped=True)


def _checked(url: str, source: PackageSource) -> str:
    """A URL from the API: only http and https are allowed."""
    if re.match(r"https?://[^/@\s]+/", url, re.IGNORECASE):
        return url
    raise PiscesError(NO_ASSET.at(source.location, "the release has a file without a web address"))
