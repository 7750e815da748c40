"""One package, whatever harness it is written for: every component, with the line that each field stands on.

Names, tools, prompts and hooks stay in the words of the harness that they were written for (`Plugin.harness`); a writer
puts them into its own. Nothing here reads the disk: files that are only copied are named, not read.
"""

from __future__ import annotations

from pisces.converting.prompt_text import PromptText
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.shapes.field import Keys

EVERYTHING, LOOKING_AROUND = "everything", "looking around"  # what a harness's own agents are for


class PluginItem(Value):
    """`path` is relative to the package's folder, with slashes; `lines` has the line of each field, and "" that of
    the item.

    `fields` is the header or the entry as found.
    """

    name: str
    path: str
    fields: Mapping[str, Any] = EMPTY
    lines: Mapping[str, int] = EMPTY

    @property
    def kind(self) -> str:
        """What people call it: `skill`, `agent`, `hook`."""
        return type(self).__name__.removeprefix("Plugin").lower()

    def line(self, field: str = "") -> int:
        """The line of a field; of the item where the field's is not known."""
        return self.lines.get(field) or self.lines.get("") or 0


class PluginCommand(PluginItem):
    """`name` is what the user types in its harness without the package's prefix: `git:commit`."""

    description: str = ""
    argument_hint: str = ""
    prompt: PromptText = PromptText()
    targets: tuple[str, ...] = ()


class PluginSkill(PluginItem):
    """`path` is its SKILL.md; `files` are the other files of its folder, relative to the package.

    `by_user`: the user can type its name; `by_model`: the model may decide to read it. `targets` are the harnesses that
    the author means it for; empty means all.
    """

    description: str = ""
    prompt: PromptText = PromptText()
    files: tuple[str, ...] = ()
    argument_hint: str = ""
    by_user: bool = True
    by_model: bool = True
    targets: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        """Relative to the package; empty where the whole package is one skill."""
        return self.path.rpartition("/")[0]


class PluginAgent(PluginItem):
    """`tools` is None where the file does not say, which means all. `folders` lead to a nested one."""

    description: str = ""
    prompt: PromptText = PromptText()
    tools: tuple[str, ...] | None = None
    disallowed_tools: tuple[str, ...] = ()
    model: str = ""
    folders: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


class PluginHook(PluginItem):
    """`name` is the event. `fields` is the handler, `group` what it stands in. `seconds` is None where none is said.

    `dead` says why its own harness never runs it; such a hook is reported and not written. `dialect` is whose protocol
    its program speaks. `keys` lead to the handler in its file. The line of a key of the group is that of `group.KEY`.
    """

    matcher: Any = None
    type: str = "command"
    command: str = ""
    group: Mapping[str, Any] = EMPTY
    seconds: float | None = None
    dialect: str = ""
    dead: str = ""
    keys: Keys = ()


class PluginServer(PluginItem):
    """An MCP server; `fields` is its configuration as found, `keys` lead to it in its file."""

    keys: Keys = ()


class PluginSetting(PluginItem):
    """What the package asks its user for. `name` is the key, `variable` the environment variable that carries it.

    `type` is `string`, `number`, `boolean`, `directory` or `file`. `default` is None where there is none.
    """

    title: str = ""
    description: str = ""
    variable: str = ""
    sensitive: bool = False
    type: str = "string"
    default: Any = None
    required: bool = False
    keys: Keys = ()


class PluginContext(PluginItem):
    """A text that is in every prompt."""

    prompt: PromptText = PromptText()


class PluginRest(PluginItem):
    """What few programs have a place for. `fields` is its entry, where it is one of a JSON file; `keys` lead to it.

    `sort` is `language server`, `monitor`, `output style`, `theme`, `policy`, `workflow`, `program`, `channel`,
    `dependency`, `default setting`, `server bundle`, `excluded tool`, `rule`, `app`, `hook module`, `namespace`.
    """

    sort: str = ""
    keys: Keys = ()

    @property
    def kind(self) -> str:
        return self.sort or super().kind


class PluginFile(Value):
    """`path` is relative to the package, with slashes."""

    path: str
    size: int = 0
    is_executable: bool = False


class Plugin(Value):
    """`fates` are what reading already decided: what its own harness never loads, what was repaired.

    `metadata` has `author`, `homepage`, `repository`, `license`, `keywords` as found. `files` are all files of the
    folder, also those that no component names. `refused` says why its own harness loads nothing of it. `fields` is the
    whole manifest as found, `lines` the line of each of its keys. `own_agents` are those that its harness brings, and
    what each is for.
    """

    name: str
    version: str
    description: str
    harness: str
    format: str
    manifest: str = ""
    metadata: Mapping[str, Any] = EMPTY
    lines: Mapping[str, int] = EMPTY
    commands: tuple[PluginCommand, ...] = ()
    skills: tuple[PluginSkill, ...] = ()
    agents: tuple[PluginAgent, ...] = ()
    hooks: tuple[PluginHook, ...] = ()
    servers: tuple[PluginServer, ...] = ()
    settings: tuple[PluginSetting, ...] = ()
    contexts: tuple[PluginContext, ...] = ()
    rest: tuple[PluginRest, ...] = ()
    files: tuple[PluginFile, ...] = ()
    fates: tuple[Fate, ...] = ()
    refused: str = ""
    fields: Mapping[str, Any] = EMPTY
    own_agents: Mapping[str, str] = EMPTY
