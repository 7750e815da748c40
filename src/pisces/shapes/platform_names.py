"""Node's names for systems and processors, which `${platform}` and `${arch}` stand for.

Node says for what it was built, not on what it runs; so does this, for the Python that runs pisces: a 32-bit Python
on a 64-bit kernel is `ia32` or `arm`, because its libraries are.
"""

from __future__ import annotations

import os
import sys

from pisces.value import Value

PLATFORMS = ("aix", "android", "cygwin", "darwin", "freebsd", "linux", "netbsd", "openbsd", "sunos", "win32")
ARCHES = tuple("arm arm64 ia32 loong64 mips mips64el mipsel ppc ppc64 riscv64 s390 s390x x64".split())

_WIDE = {
    **dict.fromkeys(("x86_64", "amd64", "i86pc", "x64"), "x64"),
    **dict.fromkeys(("aarch64", "aarch64_be", "arm64", "evbarm"), "arm64"),
    **dict.fromkeys(("ppc64", "ppc64le", "powerpc64", "powerpc64le", "powerpc"), "ppc64"),
    **dict.fromkeys(("riscv64", "riscv"), "riscv64"),
    **dict.fromkeys(("loongarch64", "loong64"), "loong64"),
    "mips64": "mips64el",
    "s390x": "s390x",
}
_NARROW = {"x64": "ia32", "arm64": "arm", "ppc64": "ppc", "s390x": "s390", "mips64el": "mipsel"}
_PEOPLE_SAY = {"darwin": "macOS", "win32": "Windows", "linux": "Linux", "freebsd": "FreeBSD", "android": "Android"}


class Platform(Value):
    """`platform` is Node's `process.platform`, `arch` its `process.arch`."""

    platform: str
    arch: str

    def __str__(self) -> str:
        return f"{self.platform}/{self.arch}"


def this_platform() -> Platform:
    if sys.platform == "win32":
        machine = _windows_machine(sys.version)
    else:
        machine = os.uname().machine
    bits = 64 if sys.maxsize > 2**32 else 32
    return Platform(platform_name(sys.platform), arch_name(machine, bits, sys.byteorder))


def platform_name(system: str) -> str:
    """From Python's `sys.platform`, which some systems end with a version: `freebsd14`, `sunos5`."""
    return next((name for name in PLATFORMS if system.startswith(name)), system)


def arch_name(machine: str, bits: int, byteorder: str) -> str:
    """From what the kernel calls the machine, and what kind of program asks."""
    machine = machine.lower()
    if machine.startswith("arm") and machine != "arm64":
        return "arm"
    if machine == "x86" or (machine[:1] == "i" and machine[2:] == "86"):
        return "ia32"
    if machine.startswith("mips") and bits == 32:
        return "mipsel" if byteorder == "little" else "mips"
    wide = _WIDE.get(machine, machine)
    return _NARROW.get(wide, wide) if bits == 32 else wide


def said(platform: str) -> str:
    """As people call a system."""
    return _PEOPLE_SAY.get(platform, platform)


def _windows_machine(version: str) -> str:
    """From Python's own version text, `3.12.1 (...) [MSC v.1937 64 bit (ARM64)]`: there is no `uname`."""
    return "arm64" if "(arm64)" in version.lower() else "amd64" if "64 bit" in version else "x86"
