"""The path of a program as a manifest writes it: `${extensionPath}/bin/${platform}/${arch}/tool`.

Four variables, filled in one pass, so that a folder which itself is called `${arch}` stays what it is. A path without
`${extensionPath}` begins in the package, never in the folder where the user happens to be.
"""

from __future__ import annotations

import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.shapes.platform_names import Platform

PACKAGE, PLATFORM, ARCH, SEPARATOR = "extensionPath", "platform", "arch", "/"
VARIABLES = (PACKAGE, PLATFORM, ARCH, SEPARATOR)

_VARIABLE = re.compile(r"\$\{(.*?)\}")
_START = "${extensionPath}"
_ABSOLUTE = re.compile(r"[/\\~]|[A-Za-z]:")
_UNTYPED = r"[\x00-\x1f\x7f\ud800-\udfff]"  # compiled when first needed: few packages have programs


def filled(template: str, package: str, platform: Platform) -> str:
    """The path that a template means on a platform; what is no variable stays as it was written."""
    values = {PACKAGE: package, PLATFORM: platform.platform, ARCH: platform.arch, SEPARATOR: os.sep}
    path = _VARIABLE.sub(lambda match: values.get(match[1], match[0]), template)
    return os.path.join(package, path)


def unknown_variables(template: str) -> list[str]:
    """The names in `${...}` that mean nothing here, in order."""
    return [name for name in dict.fromkeys(_VARIABLE.findall(template)) if name not in VARIABLES]


def inner_path(template: str) -> str:
    """The template below the package, with `/` between its parts."""
    inner = template.replace("${/}", "/")
    return inner.removeprefix(_START).removeprefix("/") if inner.startswith(_START + "/") else inner


def template_flaw(template: str) -> str:
    """Why a template cannot name a program inside its package, or nothing; completes "`binary` ..."."""
    inner = inner_path(template.replace("\\", "/"))
    if not inner.strip():
        return "is empty"
    if re.search(_UNTYPED, template):
        return "has characters that no path has"
    if _START in inner:
        return f"has `{_START}` elsewhere than as the folder that it begins with"
    if _ABSOLUTE.match(inner):
        return "must lie in the package, and this path begins elsewhere"
    if ".." in inner.split("/"):
        return "must lie in the package, and `..` leads out of folders"
    return ""
