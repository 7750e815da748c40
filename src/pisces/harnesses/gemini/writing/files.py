"""The other files of a package: programs and data that its components name.

Not what components are made of, and nothing that Gemini CLI would load by itself: the author wrote none of it for this
extension. Hidden folders at the top belong to other programs, unless a component names them.
"""

from __future__ import annotations

import re

from pisces.converting.writer import OutputFile
from pisces.discovery.package_format import all_formats
from pisces.harnesses.gemini import CONTEXT_FILE, INSTALL_FILE, MANIFEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.converting.plugin import Plugin
    from pisces.harnesses.gemini.writing.plan import ExtensionPlan

_LOADED = re.compile(
    rf"{re.escape(MANIFEST)}|{re.escape(CONTEXT_FILE)}|{re.escape(INSTALL_FILE)}|\.env"
    r"|hooks/hooks\.json|agents/[^/]*\.md|policies/.*\.toml|commands/.*\.toml|skills/(?:.*/)?skill\.md",
    re.IGNORECASE | re.DOTALL,
)


def copied_files(plan: ExtensionPlan) -> Iterator[OutputFile]:
    skills = tuple(f"{each.folder}/" for each in plan.plugin.skills if each.folder)
    left_out = tuple(each for each in skills if each.rstrip("/") not in plan.moved)
    texts = _Texts(plan.plugin)
    hidden = {top for file in plan.plugin.files if (top := file.path.partition("/")[0]).startswith(".")}
    unnamed = {top for top in hidden if not texts.name(top)}
    manifests = {path for each in all_formats() for path in (each.manifest, *each.other_manifests) if path[:1] == "."}
    for file in plan.plugin.files:
        top = file.path.partition("/")[0]
        if file.path in plan.sources or _LOADED.fullmatch(file.path):
            continue
        if file.path.startswith(skills) and not (left_out and file.path.startswith(left_out) and texts.name(file.path)):
            continue
        if top in unnamed or file.path in manifests:
            continue
        yield OutputFile(file.path, None, file.path, file.is_executable)


class _Texts:
    """Everything that components say."""

    def __init__(self, plugin: Plugin) -> None:
        prompts = [each.prompt for each in plugin.commands]
        prompts += [each.prompt for each in plugin.skills] + [each.prompt for each in plugin.agents]
        entries = [str(each.fields) for each in plugin.hooks] + [str(each.fields) for each in plugin.servers]
        self._texts = [*(each.written for each in prompts), *entries]

    def name(self, word: str) -> bool:
        return any(word in each for each in self._texts)
