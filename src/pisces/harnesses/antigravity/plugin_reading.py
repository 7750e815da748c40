"""How a plugin of Antigravity is read for other harnesses. Its documentation names no variable of its own."""

from __future__ import annotations

from pisces.converting.manifest_rest import unread_keys
from pisces.converting.named_variables import NamedVariables
from pisces.converting.prompt_text import PROJECT
from pisces.converting.reading import PluginReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.converting.plugin import Plugin
    from pisces.converting.reading import PackageReading

_VARIABLES = NamedVariables({"workspaceFolder": PROJECT})


def _completed(plugin: Plugin, reading: PackageReading) -> Plugin:
    known = ("name", "version", "description", "logo")
    return plugin.replace(rest=(*plugin.rest, *unread_keys(plugin, reading, known)))


READER = PluginReader(completed=_completed, variables=_VARIABLES.in_string)
