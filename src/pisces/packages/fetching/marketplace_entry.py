"""One entry of a `marketplace.json`, and the source that it names."""

from __future__ import annotations

import os
import re
from difflib import get_close_matches

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.formats.fit import noun_of
from pisces.packages.fetching.source import ARCHIVE, FOLDER, GIT, PackageSource, checked
from pisces.packages.fetching.source_urls import GITHUB

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SHOWN = 12
MARKETPLACE_BROKEN = Rule("marketplace-broken", ERROR, "A marketplace cannot be used")
MARKETPLACE_NO_PLUGIN = Rule("marketplace-no-plugin", ERROR, "A marketplace has no plugin of this name")
MARKETPLACE_SOURCE = Rule("marketplace-source", ERROR, "A plugin comes from where pisces does not install from")


def entry_named(content: Any, name: str, path: str) -> dict[str, Any]:
    plugins = content.get("plugins") if isinstance(content, dict) else None
    if not isinstance(plugins, list):
        raise PiscesError(MARKETPLACE_BROKEN.at(path, "it has no list `plugins`"))
    entries = [each for each in plugins if isinstance(each, dict) and isinstance(each.get("name"), str)]
    for each in entries:
        if each["name"] == name:
            return each
    raise PiscesError(MARKETPLACE_NO_PLUGIN.at(path, f"there is no plugin `{name}`", hint=_near(name, entries)))


def _near(name: str, entries: list[dict[str, Any]]) -> str:
    """Names like this one, else the first few of all."""
    names = [each["name"] for each in entries]
    folded = {each.casefold(): each for each in names}
    near = [folded[each] for each in get_close_matches(name.casefold(), list(folded), n=3, cutoff=0.5)]
    near += [each for each in names if name.casefold() in each.casefold() and each not in near][:3]
    if near:
        return f"did you mean {' or '.join(f'`{each}`' for each in near)}?"
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"there are: {', '.join(f'`{each}`' for each in names[:_SHOWN]) or 'none'}{more}"


def plugin_source(entry: dict[str, Any], content: Any, path: str) -> PackageSource:
    """The source of an entry's plugin. For a folder, `subdir` is relative to the top of the marketplace."""
    source = entry.get("source")
    if isinstance(source, str):
        return checked(PackageSource(FOLDER, os.path.abspath(os.sep), subdir=_folder(source, content, path)))
    kind = source.get("source") if isinstance(source, dict) else None
    if not isinstance(source, dict) or not isinstance(kind, str):
        raise PiscesError(MARKETPLACE_BROKEN.at(path, f"`source` must not be {noun_of(source)}"))
    ref = _text(source, "sha", path) or _text(source, "ref", path)
    if kind == "github":
        url = f"{GITHUB}/{_needed(source, 'repo', path)}"
        return checked(PackageSource(GIT, url, ref, _text(source, "path", path)))
    if kind in ("url", "git"):
        return checked(PackageSource(GIT, _web(source, path), ref, _text(source, "path", path)))
    if kind == "git-subdir":
        return checked(PackageSource(GIT, _web(source, path), ref, _needed(source, "path", path)))
    if kind == "archive":
        pin = _text(source, "sha256", path).lower().removeprefix("sha256:")
        return checked(PackageSource(ARCHIVE, _web(source, path), f"sha256:{pin}" if pin else ""))
    message = f"`{entry['name']}` comes from `{kind}`, which is not supported"
    raise PiscesError(MARKETPLACE_SOURCE.at(path, message))


def is_pinned(source: PackageSource) -> bool:
    return re.fullmatch("sha256:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{64}", source.ref) is not None


def _folder(text: str, content: Any, path: str) -> str:
    """`./plugins/review`, or `review` below `metadata.pluginRoot`."""
    metadata = content.get("metadata")
    root = metadata.get("pluginRoot") if isinstance(metadata, dict) else None
    if isinstance(root, str) and not text.startswith("./"):
        text = f"{root.rstrip('/')}/{text}"
    elif not text.startswith("./") and text not in (".", ""):
        raise PiscesError(MARKETPLACE_BROKEN.at(path, f"the folder `{text}` must begin with `./`"))
    return text.removeprefix("./").rstrip("/")


def _web(source: dict[str, Any], path: str) -> str:
    """A URL. A marketplace is written by others, so it must not name folders of this machine."""
    url = _needed(source, "url", path)
    if re.fullmatch(r"[A-Za-z0-9][\w.-]*/[\w.-]+", url):
        return f"{GITHUB}/{url}"
    if re.match(r"(https?|ssh|git)://", url) or re.match(r"[\w.-]+@[\w.-]+:[^/]", url):
        return url
    raise PiscesError(MARKETPLACE_BROKEN.at(path, f"`{url}` is not an address on the web"))


def _needed(source: dict[str, Any], key: str, path: str) -> str:
    value = _text(source, key, path)
    if not value:
        raise PiscesError(MARKETPLACE_BROKEN.at(path, f"a plugin's source has no `{key}`"))
    return value


def _text(source: dict[str, Any], key: str, path: str) -> str:
    value = source.get(key) or ""
    if not isinstance(value, str):
        raise PiscesError(MARKETPLACE_BROKEN.at(path, f"`{key}` of a source must be text, not {noun_of(value)}"))
    return value
