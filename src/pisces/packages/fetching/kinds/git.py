"""A git repository at a branch, tag or commit: shallow if the host allows it, pinned by the commit, without `.git`."""

from __future__ import annotations

import os
import re
import tempfile

from pisces.diagnostics import PiscesError
from pisces.packages.fetching.checkout import COMMIT, SHORT_COMMIT, check_out, without_token
from pisces.packages.fetching.fetched import Fetched, FetchJob, Newest
from pisces.packages.fetching.git_process import GIT_FAILED, Git, git_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.packages.fetching.source import PackageSource
    from pisces.places import Places


def fetch(source: PackageSource, job: FetchJob) -> Fetched:
    folder = job.folder
    if source.location.startswith("http://"):
        job.report(f"{source.location} is not encrypted: anybody on the way can change it")
    found = check_out(source, folder, job)
    job.report(f"at commit {found.commit[:12]}")
    inside = os.path.join(folder, *source.subdir.split("/")) if source.subdir else folder
    return Fetched(inside, source, found.commit, found.tag)


def newest(source: PackageSource, old: Fetched, places: Places) -> Newest:
    """A commit never changes; for other refs, one `ls-remote`."""
    if COMMIT.fullmatch(source.ref):
        return Newest(False, old.commit, old.tag, "pinned to a commit")
    with tempfile.TemporaryDirectory() as folder:
        commit, tag = _remote_commit(git_for(source.location, folder, places), source)
    if not commit and SHORT_COMMIT.fullmatch(source.ref):
        return Newest(False, old.commit, old.tag, "pinned to a commit")
    if not commit:
        message = f"`{source.ref or 'HEAD'}` is not there any more"
        raise PiscesError(GIT_FAILED.at(source.location, message))
    changed = commit != old.commit
    detail = f"commit {commit[:12]}" if changed else "up to date"
    return Newest(changed, commit, tag, detail, sure=not source.subdir)  # a commit may be about other folders


def _remote_commit(git: Git, source: PackageSource) -> tuple[str, str]:
    """The commit of a ref at the host, and the tag if it is one. Tags come before branches and are peeled."""
    ref = source.ref
    wanted = ["HEAD"] if not ref else [f"refs/tags/{ref}^{{}}", f"refs/tags/{ref}", f"refs/heads/{ref}", ref]
    # Version 2 of the protocol needs a second round trip, to filter refs.
    asked = ("-c", "protocol.version=0", "ls-remote", "--quiet", "--", source.location, *wanted)
    try:
        listed = git.text(*asked)
    except PiscesError as error:
        listed = without_token(git, error, source.location).text(*asked)
    found = {name: commit for commit, name in re.findall(r"^([0-9a-f]+)\t(.+)$", listed, re.MULTILINE)}
    name = next((name for name in wanted if name in found), "")
    return found.get(name, ""), ref if name.startswith("refs/tags/") and ref else ""
