"""A plugin of a Claude marketplace. Its entry has the source of the plugin, and may be its whole manifest.

A pinned ref is `MARKETPLACE:PLUGIN`: two commits (or the hash of an archive), either of which may be missing.
"""

from __future__ import annotations

import json
import os

from pisces.by_name import export_of
from pisces.diagnostics import PiscesError
from pisces.files import Unreadable, read_text
from pisces.formats.json_file import parsed_json
from pisces.packages.fetching.checkout import check_out
from pisces.packages.fetching.download import DownloadRequest, ask, unsuccessful
from pisces.packages.fetching.fetched import Fetched, FetchJob, Newest
from pisces.packages.fetching.kinds import git
from pisces.packages.fetching.kinds.folder import copy_folder, folder_in
from pisces.packages.fetching.marketplace_entry import MARKETPLACE_BROKEN, entry_named, is_pinned, plugin_source
from pisces.packages.fetching.source import FOLDER, GIT, PackageSource, checked
from pisces.packages.store.store import remove
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.places import Places

MANIFEST = (".claude-plugin", "plugin.json")
PLACES = (".claude-plugin/marketplace.json", "marketplace.json", ".agents/plugins/marketplace.json")
_NOT_MANIFEST = ("source", "category", "tags", "strict")


class _Market(Value):
    """`folder` is empty if only the listing was fetched, `commit` if it is not from git."""

    content: Any
    path: str
    folder: str = ""
    commit: str = ""


def fetch(source: PackageSource, job: FetchJob) -> Fetched:
    market_pin, _, plugin_pin = source.ref.partition(":")
    market = _market(source.replace(ref=market_pin), job)
    entry = entry_named(market.content, source.entry, market.path)
    wanted = plugin_source(entry, market.content, market.path)
    job.report(f"plugin {source.entry}: {wanted.subdir if wanted.kind == FOLDER else wanted.as_text()}")
    if wanted.kind == FOLDER:
        found = Fetched(_copied(market, wanted, job), wanted, market.commit)
        commit = market.commit
    else:
        asked = checked(wanted.replace(ref=plugin_pin or wanted.ref))
        found = export_of("pisces.packages.fetching.kinds", asked.kind.replace("-", "_"), "fetch")(asked, job)
        commit = market.commit if is_pinned(wanted) and market.commit else f"{market.commit}:{found.commit}"
    remove(job.path("marketplace"))
    _complete(entry, found.folder)
    return Fetched(found.folder, source, commit, found.tag)


def newest(source: PackageSource, old: Fetched, places: Places) -> Newest:
    """Whether the marketplace changed, with one request. For a plugin that follows a branch only fetching can tell."""
    market_pin, both, _plugin = old.commit.partition(":")
    if ":" in source.ref:
        return Newest(False, old.commit, old.tag, "pinned to commits")
    if not _is_git(source):
        return Newest(True, detail="the marketplace has no version: its content decides", sure=False)
    found = git.newest(source.replace(kind=GIT), Fetched("", source, market_pin), places)
    if found.changed or both:
        why = "the marketplace changed" if found.changed else "the plugin follows a branch: its content decides"
        return Newest(True, "", "", why, sure=False)
    return Newest(False, old.commit, old.tag, "up to date")


def _market(source: PackageSource, job: FetchJob) -> _Market:
    if _is_git(source):
        folder = job.path("marketplace")
        commit = check_out(source.replace(kind=GIT, subdir=""), folder, job).commit
        return _in_folder(folder_in(folder, source), commit)
    if "://" in source.location:
        reply = ask(DownloadRequest(source.location, job.places))
        if reply.status != 200:
            reply.close()
            raise PiscesError(unsuccessful(reply))
        text = reply.whole().decode("utf-8", "replace")
        return _Market(parsed_json(text, source.location, MARKETPLACE_BROKEN), source.location)
    if os.path.isdir(source.location):
        return _in_folder(folder_in(source.location, source), "")
    folder = os.path.dirname(source.location)
    for known in PLACES:
        inside = os.path.join(*known.split("/"))
        if source.location.endswith(os.sep + inside):
            folder = source.location.removesuffix(os.sep + inside)
            break
    return _Market(_read(source.location), source.location, folder)


def _in_folder(folder: str, commit: str) -> _Market:
    for known in PLACES:
        path = os.path.join(folder, *known.split("/"))
        if os.path.isfile(path):
            return _Market(_read(path), path, folder, commit)
    hint = "if it is a package itself, leave out the name and the @"
    raise PiscesError(MARKETPLACE_BROKEN.at(folder, "there is no `.claude-plugin/marketplace.json` in it", hint=hint))


def _read(path: str) -> Any:
    try:
        return parsed_json(read_text(path), path, MARKETPLACE_BROKEN)
    except Unreadable as error:
        raise PiscesError(MARKETPLACE_BROKEN.at(path, f"the marketplace {error.message}")) from None


def _is_git(source: PackageSource) -> bool:
    remote = not os.path.isabs(source.location)
    return remote and not source.location.partition("?")[0].endswith(".json")


def _copied(market: _Market, wanted: PackageSource, job: FetchJob) -> str:
    if not market.folder:
        message = "the plugin lies in the marketplace's repository, of which only the listing is here"
        hint = "name the repository instead of the file: NAME@OWNER/REPO"
        raise PiscesError(MARKETPLACE_BROKEN.at(market.path, message, hint=hint))
    copy_folder(folder_in(market.folder, wanted), job.folder)
    return job.folder


def _complete(entry: dict[str, Any], folder: str) -> None:
    """Writes the entry as the manifest of a plugin that has none."""
    path = os.path.join(folder, *MANIFEST)
    parent = os.path.dirname(path)
    if os.path.lexists(path) or (os.path.lexists(parent) and os.path.islink(parent)) or os.path.isfile(parent):
        return
    os.makedirs(parent, exist_ok=True)
    manifest = {key: value for key, value in entry.items() if key not in _NOT_MANIFEST}
    with open(path, "x", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps(manifest, indent=2) + "\n")
