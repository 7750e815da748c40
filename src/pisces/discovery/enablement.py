"""Is a package on in this folder? Rules are folders, `*` for all below, `!` for off; the last match decides."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places


def is_enabled(rule: object, places: Places) -> bool:
    """`rule` is a package's entry in an enablement file: it starts on."""
    overrides = rule.get("overrides") if isinstance(rule, dict) else None
    folder = _slashed(places.cwd)
    enabled = True
    for override in overrides if isinstance(overrides, list) else ():
        if isinstance(override, str) and _matches(override.removeprefix("!"), folder):
            enabled = not override.startswith("!")
    return enabled


def _matches(pattern: str, folder: str) -> bool:
    """A star in the middle stands for any folders, or for none."""
    below = pattern.endswith("*")
    base = _slashed(pattern.rstrip("*"))
    start, *rest = base.split("/*")
    if not folder.startswith(start):
        return False
    at = len(start)
    for piece in rest:
        at = folder.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    if below:
        return True
    return folder.endswith(rest[-1]) if rest else at == len(folder)


def _slashed(folder: str) -> str:
    inside = folder.replace("\\", "/").strip("/")
    return f"/{inside}/" if inside else "/"
