"""How Gemini CLI is told where something is. Skills and agents have variables filled in, commands have not.

So a text has the variable where there is one, and elsewhere the place where extensions are installed.
"""

from __future__ import annotations

import re

from pisces.converting import prompt_text as neutral
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.converting.prompt_text import PromptVariable
    from pisces.converting.writer import WriteOptions
    from pisces.harnesses.gemini.writing.plan import ExtensionPlan

ROOT = "${extensionPath}"
NEEDS_ROOT = (neutral.ROOT, neutral.SKILL_FOLDER)
SESSION_WORD = "SESSION_ID"
_PATH = re.compile(r"[^ \t\r\n\"'`)<>|;&$]*")
_LONGEST = 1024


class GeminiSpelling(Value):
    """`root` is where the package is, `home` where its skills, agents and commands are.

    `setting` is put before and behind the variable of a setting; empty where no setting can be named.
    """

    root: str
    home: str
    project: str
    data: str
    setting: tuple[str, str] = ("", "")

    def place(self, path: str) -> str:
        """A path of the output."""
        is_component = path.startswith(("skills/", "agents/", "commands/"))
        return f"{self.home if is_component else self.root}/{path}"


def data_folder(extension: str) -> str:
    """What stays when the package is updated. Gemini CLI has no folder for it."""
    return f".gemini/extensions-data/{extension}"


def filled_in(plan: ExtensionPlan) -> GeminiSpelling:
    """Of skills and agents."""
    data = f"~/{data_folder(plan.names.extension)}"
    if plan.options.root:
        return _loose(plan.options, data)
    return GeminiSpelling(ROOT, ROOT, "${workspacePath}", data, ("${", "}"))


def installed(plan: ExtensionPlan) -> GeminiSpelling:
    """Of commands, in prose."""
    extension = plan.names.extension
    if plan.options.root:
        return _loose(plan.options, f"~/{data_folder(extension)}")
    root = f"~/.gemini/extensions/{extension}"
    return GeminiSpelling(root, root, ".", f"~/{data_folder(extension)}")


def server_places(plan: ExtensionPlan) -> GeminiSpelling:
    """Of servers: variables of the environment are filled in as well, and settings are such variables."""
    data = f"${{HOME}}/{data_folder(plan.names.extension)}"
    return filled_in(plan).replace(data=data, setting=("${", "}"))


def in_shell(spelling: GeminiSpelling) -> GeminiSpelling:
    """A shell reads no `~` between quotes."""
    root, home, data = (
        f"$HOME{each[1:]}" if each.startswith("~") else each for each in (spelling.root, spelling.home, spelling.data)
    )
    return spelling.replace(root=root, home=home, data=data)


def _loose(options: WriteOptions, data: str) -> GeminiSpelling:
    root = options.root.replace("\\", "/")
    return GeminiSpelling(root, options.home.replace("\\", "/") or root, ".", data)


def variable_text(part: PromptVariable, spelling: GeminiSpelling, plan: ExtensionPlan, own_folder: str) -> str | None:
    """A variable that Gemini CLI knows, or the place itself; None for one that has no counterpart.

    `own_folder` is that of the skill whose text it is.
    """
    places = {neutral.ROOT: spelling.root, neutral.DATA: spelling.data, neutral.PROJECT: spelling.project}
    if part.name in places:
        return places[part.name]
    if part.name == neutral.SKILL_FOLDER:
        return spelling.place(own_folder) if own_folder else spelling.root
    if part.name.startswith(neutral.ENVIRONMENT):
        return part.written
    variable = plan.names.variables.get(part.name.removeprefix(neutral.SETTING), "")
    if part.name.startswith(neutral.SETTING) and variable and spelling.setting[0]:
        return f"{spelling.setting[0]}{variable}{spelling.setting[1]}"
    return None


def moved_text(text: str, plan: ExtensionPlan, spelling: GeminiSpelling) -> tuple[str, str]:
    """What stands behind the package's root: the place of what the output has elsewhere, and the rest of the text."""
    if not text.startswith("/"):
        return "", text
    found = _PATH.match(text, 1, _LONGEST)
    path = found[0] if found else ""
    while path:
        new = plan.moved.get(path.rstrip("/."))
        if new is not None:
            return spelling.place(new), text[1 + len(path.rstrip("/.")) :]
        path = path.rpartition("/")[0]
    return "", text
