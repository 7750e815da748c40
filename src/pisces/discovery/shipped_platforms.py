"""For which platforms a package has a program, found by filling in every name. Only asked when one is missing."""

from __future__ import annotations

import os

from pisces.shapes.binary_template import ARCH, PLATFORM, filled
from pisces.shapes.platform_names import ARCHES, PLATFORMS, Platform


def shipped_platforms(template: str, package: str) -> list[str]:
    """As `linux/x64`, or `linux` alone where the path names no processor; nothing where it names neither."""
    platforms = PLATFORMS if f"${{{PLATFORM}}}" in template else ("",)
    arches = ARCHES if f"${{{ARCH}}}" in template else ("",)
    pairs = [Platform(platform, arch) for platform in platforms for arch in arches if platform or arch]
    return ["/".join(filter(None, pair.as_tuple())) for pair in pairs if program_at(filled(template, package, pair))]


def program_at(path: str) -> str:
    """The file that a path means, with the ending that Windows wants where there is one; nothing if there is none."""
    try:
        return next((each for each in (path, f"{path}.exe") if os.path.isfile(each)), "")
    except ValueError:  # a NUL in the path
        return ""
