"""What Gemini CLI takes from a release on GitHub: `PLATFORM.ARCH.NAME`, else `PLATFORM.NAME`, else the only asset."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_PLATFORMS = ("darwin", "linux", "win32")


def asset_names(name: str, platforms: Sequence[str], is_alone: bool) -> list[str]:
    """The names without their ending. Beside other assets, each platform needs one of its own, with the same content.

    The only asset of a release counts for all platforms, but not where its name has that of a platform in it.
    """
    if platforms:
        return [f"{each}.{name}" for each in platforms]
    if is_alone and not any(each in name.lower() for each in _PLATFORMS):
        return [name]
    return [f"{each}.{name}" for each in _PLATFORMS]
