"""Checks out one commit of a git repository: with as little history as the host allows, no `.git`, no conversions.

The listing of the tree is validated before a file is written. Submodules are fetched by the same steps, not by git.
"""

from __future__ import annotations

import os
import re
import stat

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.packages.fetching.fetched import SUBDIR_MISSING, FetchJob, refused
from pisces.packages.fetching.git_process import Git, git_for, has_token
from pisces.packages.fetching.source import PackageSource, checked
from pisces.packages.fetching.submodules import submodules_of
from pisces.packages.store.store import remove
from pisces.packages.store.validate_tree import FILE, FOLDER, LINK, TreeEntry, validate_entries
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


MOST_SUBMODULES = 32

SUBMODULES = Rule("git-submodules", ERROR, "A repository has too many submodules")

COMMIT = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")
SHORT_COMMIT = re.compile("[0-9a-f]{7,63}")
_NEEDS_HISTORY = re.compile("shallow|dumb http", re.IGNORECASE)
_NO_SUCH_COMMIT = re.compile("couldn't find remote ref|not our ref|unadvertised|does not allow request", re.IGNORECASE)
_MOVED = re.compile("error: 30[12378]|redirect", re.IGNORECASE)
_PLAIN_BYTES = "* -text -ident -filter -working-tree-encoding !eol\n"


class Pinned(Value):
    commit: str
    tag: str = ""


def check_out(source: PackageSource, folder: str, job: FetchJob) -> Pinned:
    """Checks out a git source into a new folder. Its `subdir` stays at its path below that folder."""
    pending = [(source, folder)]
    done: list[Pinned] = []
    while pending:
        each, place = pending.pop(0)
        git = _repository(each, place, job)
        found = _obtained(git, each, job)
        inside = _validated(git, found.commit, each)
        _write_files(git, found.commit, each, job)
        for path, below in submodules_of(git, found.commit, inside, each):
            job.report(f"submodule {path}: {below.location}")
            pending.append((checked(below), os.path.join(place, *path.split("/"))))
            if len(done) + len(pending) > MOST_SUBMODULES:
                raise PiscesError(SUBMODULES.at(source.location, f"more than {MOST_SUBMODULES} submodules"))
        remove(os.path.join(place, ".git"))
        done.append(found)
    return done[0]


def without_token(git: Git, error: PiscesError, url: str) -> Git:
    """The git for a retry after a redirect, without the token, which is never sent to another host. Else raises."""
    if has_token(git) and _MOVED.search(error.diagnostic.message):
        return git_for(url, git.folder, git.places, token=False)
    raise PiscesError(error.diagnostic.replace(path=error.diagnostic.path or url)) from None


def _repository(source: PackageSource, folder: str, job: FetchJob) -> Git:
    os.makedirs(folder, exist_ok=True)
    git = git_for(source.location, folder, job.places)
    git.text("init", "--quiet", "--template=")
    attributes = os.path.join(folder, ".git", "info", "attributes")
    os.makedirs(os.path.dirname(attributes), exist_ok=True)
    with open(attributes, "w", encoding="utf-8") as file:
        file.write(_PLAIN_BYTES)
    return git


def _obtained(git: Git, source: PackageSource, job: FetchJob) -> Pinned:
    try:
        return _fetched(git, source, job)
    except PiscesError as error:
        return _fetched(without_token(git, error, source.location), source, job)


def _fetched(git: Git, source: PackageSource, job: FetchJob) -> Pinned:
    wanted = source.ref or "HEAD"
    fetch = ("fetch", "--no-tags", "--no-recurse-submodules", "--progress")
    try:
        git.watched(job.report, *fetch, "--depth=1", "--", source.location, wanted)
        return _head(git, source)
    except PiscesError as error:
        message = error.diagnostic.message
        needs_history = _NEEDS_HISTORY.search(message)
        if needs_history and not SHORT_COMMIT.fullmatch(wanted):
            git.watched(job.report, *fetch, "--", source.location, wanted)
            return _head(git, source)
        if not SHORT_COMMIT.fullmatch(wanted) or not (needs_history or _NO_SUCH_COMMIT.search(message)):
            raise
    job.report("the host gives no single commits: fetching the whole history")
    everything = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
    git.watched(job.report, *fetch, "--update-head-ok", "--", source.location, *everything)
    return Pinned(_commit(git, wanted))


def _head(git: Git, source: PackageSource) -> Pinned:
    with open(os.path.join(git.folder, ".git", "FETCH_HEAD"), encoding="utf-8", errors="replace") as file:
        tag = re.search("\ttag '(.+)' of ", file.readline())
    return Pinned(_commit(git, "FETCH_HEAD"), tag[1] if tag and source.ref else "")


def _commit(git: Git, name: str) -> str:
    return git.text("rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}").strip()


def _validated(git: Git, commit: str, source: PackageSource) -> dict[str, str]:
    """Validates a tree. Returns its submodules, path to commit."""
    links: dict[str, str] = {}
    faults = validate_entries(_entries(git, commit, source, links), source.location)
    if faults:
        raise refused(faults)
    return links


def _entries(git: Git, commit: str, source: PackageSource, links: dict[str, str]) -> Iterator[TreeEntry]:
    """The listing of a commit, or of one folder in it. Link targets are validated later, on the disk."""
    below = ("--", source.subdir) if source.subdir else ()
    kinds = {stat.S_IFREG: FILE, stat.S_IFDIR: FOLDER, stat.S_IFLNK: LINK, 0o160000: FOLDER}
    found = False
    for line in git.listed("ls-tree", "-r", "-l", "-z", "--full-tree", commit, *below):
        about, mark, name = line.partition("\t")
        if not mark:
            continue
        mode, _kind, blob, size = about.split()
        if int(mode, 8) == 0o160000:
            links[name] = blob
        found = True
        kind = kinds.get(stat.S_IFMT(int(mode, 8)), "odd entry")
        yield TreeEntry(name, kind, int(size) if size.isdigit() else 0, target=".")
    if source.subdir and not found:
        message = f"there is no folder `{source.subdir}` at {source.ref or 'the default branch'}"
        raise PiscesError(SUBDIR_MISSING.at(source.location, message))


def _write_files(git: Git, commit: str, source: PackageSource, job: FetchJob) -> None:
    if source.subdir:
        git.watched(job.report, "checkout", "--quiet", "--force", commit, "--", source.subdir)
    else:
        git.watched(job.report, "checkout", "--quiet", "--force", "--detach", commit)
