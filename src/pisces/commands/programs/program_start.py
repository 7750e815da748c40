"""Can this machine start a program that begins like this? Says why not before the system says "no such file"."""

from __future__ import annotations

import os
import sys

from pisces.commands.programs import program_rules as rules
from pisces.diagnostics import PiscesError
from pisces.formats.program_header import ELF, EMPTY, MACH_O, PE, SCRIPT, TEXT
from pisces.shapes.platform_names import platform_name, said, this_platform

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.diagnostics import Diagnostic
    from pisces.formats.program_header import Header
    from pisces.shapes.platform_names import Platform

_SYSTEMS = {MACH_O: "darwin", PE: "win32"}
# What else a machine runs: 32 bits beside 64, and what Windows and macOS translate.
_ALSO = {
    "x64": ("ia32",),
    "arm64": ("arm",),
    "ppc64": ("ppc",),
    "s390x": ("s390",),
    "mips64el": ("mipsel",),
}
_TRANSLATED = ("darwin", "win32")
_FOREIGN = os.path.join(os.sep, "proc", "sys", "fs", "binfmt_misc")
_NOT_FOREIGN = ("register", "status", "python", "jar", "llvm")
_BATCH = (".bat", ".cmd")


def check_start(header: Header, path: str, search: str) -> None:
    """`PiscesError` with the reason; `search` is the PATH."""
    flaw = _flaw(header, path, search)
    if flaw:
        raise PiscesError(flaw)


def _flaw(header: Header, path: str, search: str) -> Diagnostic | None:
    if header.kind == SCRIPT:
        return _script_flaw(header, path, search)
    if os.name == "nt" and path.lower().endswith(_BATCH):
        message = "batch files take arguments apart in ways that cannot be made safe, so they are not run"
        return rules.FORMAT.at(path, message, hint="ask the author for an .exe")
    if header.kind in (ELF, MACH_O, PE):
        return _native_flaw(header, path)
    if _runs_foreign():
        return None  # the system knows formats that we do not
    return rules.FORMAT.at(path, _nothing(header), place=(1, 1), hint=_format_hint(header))


def _native_flaw(header: Header, path: str) -> Diagnostic | None:
    here = this_platform()
    system = _SYSTEMS.get(header.kind)
    strange = here.platform in _SYSTEMS.values() if header.kind == ELF else system != here.platform
    if strange or (header.arches and not any(runs_on(arch, here) for arch in header.arches)):
        if _runs_foreign():
            return None
        built = f"{said(system or 'linux')} on {' and '.join(header.arches) or 'an unknown processor'}"
        message = f"the program is built for {built}, this is {said(here.platform)} on {here.arch}"
        return rules.ARCHITECTURE.at(path, message, hint=f"ask the author for a build for {here}")
    if header.loader and not os.path.exists(header.loader):
        return _loader_flaw(header.loader, path)
    return None


def runs_on(arch: str, here: Platform) -> bool:
    if arch == here.arch or arch in _ALSO.get(here.arch, ()):
        return True
    return here.arch == "arm64" and here.platform in _TRANSLATED and arch in ("x64", "ia32")


def _loader_flaw(loader: str, path: str) -> Diagnostic:
    family = "musl, as on Alpine" if "musl" in loader else "glibc, as on most systems" if "ld-linux" in loader else ""
    built = f"the program is built for {family}, and" if family else "the program needs a loader, and"
    hint = "ask the author for a static build, or install the loader's package: " + (
        "`musl`" if "musl" in loader else "`gcompat` on Alpine, `libc6` or `libc6-i386` on Debian"
    )
    return rules.LOADER.at(path, f"{built} `{loader}` is not here", hint=hint)


def _script_flaw(header: Header, path: str, search: str) -> Diagnostic | None:
    if header.flaw == "crlf" and os.name != "nt":
        message = "the first line ends with a carriage return, which becomes part of the interpreter's name"
        return rules.LINE_ENDS.at(path, message, place=(1, 1), hint=f"sed -i.bak 's/\\r$//' '{path}'")
    if header.flaw == "empty":
        message = "nothing stands behind the `#!`"
        return rules.FORMAT.at(path, message, place=(1, 1), hint=_format_hint(header))
    if os.name == "nt":
        return None  # found by its name when it is started
    interpreter = header.interpreter[0]
    if not os.path.isabs(interpreter):
        message = f"the interpreter `{interpreter}` would be looked for in your project"
        hint = f"the first line must begin with `#!/`: `#!/usr/bin/env {os.path.basename(interpreter)}`"
        return rules.INTERPRETER.at(path, message, place=(1, 1), hint=hint)
    if not os.access(interpreter, os.X_OK):
        message = f"the script wants to be run by `{interpreter}`, which is not here"
        name = os.path.basename(interpreter)
        return rules.INTERPRETER.at(path, message, place=(1, 1), hint=f"install `{name}`, or ask the author for `env`")
    name = _looked_up(header.interpreter)
    if name and not _on_path(name, search):
        message = f"the script wants to be run by `{name}`, which is not on your PATH"
        return rules.INTERPRETER.at(path, message, place=(1, 1), hint=f"install `{name}`, or add its folder to PATH")
    return None


def _looked_up(interpreter: tuple[str, ...]) -> str:
    """The name that `env` looks for: behind its options and `NAME=value` words."""
    if os.path.basename(interpreter[0]) != "env" or len(interpreter) < 2:
        return ""
    words = interpreter[1].split() if interpreter[1].startswith("-") else [interpreter[1].strip()]
    split = [word.removeprefix("-S") for word in words]
    return next((word for word in split if word and not word.startswith("-") and "=" not in word), "")


def _on_path(name: str, search: str) -> bool:
    if os.sep in name:
        return os.access(name, os.X_OK)
    return any(os.access(os.path.join(folder, name), os.X_OK) for folder in search.split(os.pathsep) if folder)


def _runs_foreign() -> bool:
    """Linux may have been taught other formats: programs of other processors with qemu, of Windows in WSL."""
    if platform_name(sys.platform) != "linux":
        return False
    try:
        return any(not name.startswith(_NOT_FOREIGN) for name in os.listdir(_FOREIGN))
    except OSError:
        return False


def _nothing(header: Header) -> str:
    if header.flaw == "mark":
        return "a byte order mark stands before the `#!` of the script"
    found = {TEXT: "the file is text without a `#!` line, so nothing says what runs it", EMPTY: "the file is empty"}
    return found.get(header.kind, "the file is no program that this system knows")


def _format_hint(header: Header) -> str:
    if header.kind in (TEXT, SCRIPT):
        return "its first line must be like `#!/usr/bin/env python3`"
    return "it may be damaged: install the package again"
