"""Variables in a Gemini extension that stay unfilled: of other programs, misspelled, or in files that are not filled.

Gemini CLI fills in `${extensionPath}`, `${workspacePath}`, `${/}`, `${pathSeparator}` and the extension's own settings,
in the manifest, hooks, skills and subagents. In the manifest the user's environment comes on top.
"""

from __future__ import annotations

import re

from pisces.checking.executables import is_binary
from pisces.checking.lint import Lint
from pisces.checking.subject import Subject
from pisces.diagnostics import NOTE, WARNING, Diagnostic, Diagnostics, Rule
from pisces.formats.json import JsonObject
from pisces.formats.malformed import place_at
from pisces.formats.variables import names_in, strings_in
from pisces.harnesses.gemini.lints._command_prompts import command_prompts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

VARIABLE_FOREIGN = Rule("variable-foreign", WARNING, "A variable that Gemini CLI does not know")
VARIABLE_NOT_FILLED = Rule("variable-not-filled", WARNING, "A variable where Gemini CLI fills in none")
VARIABLE_OF_USER = Rule("variable-of-user", NOTE, "A variable that the user must have set")

KNOWN = frozenset(("extensionPath", "workspacePath", "/", "pathSeparator"))
FOREIGN = {
    "CLAUDE_PLUGIN_ROOT": "${extensionPath}",
    "CLAUDE_SKILL_DIR": "${extensionPath}/skills/NAME",
    "CLAUDE_PLUGIN_DATA": "",
    "PLUGIN_ROOT": "${extensionPath}",
    "PLUGIN_DATA": "",
    "CURSOR_PLUGIN_ROOT": "${extensionPath}",
}
_MEANT = {
    **dict.fromkeys(("extensionpath", "extensiondir", "extensiondirectory", "extensionroot"), "${extensionPath}"),
    **dict.fromkeys(("extensionfolder", "geminiextensionpath"), "${extensionPath}"),
    **dict.fromkeys(("geminiextensionroot", "geminiextensiondir"), "${extensionPath}"),
    "workspacepath": "${workspacePath}",
    "workspacefolder": "${workspacePath}",
    "pathseparator": "${pathSeparator}",
}
_USUAL = frozenset("HOME PATH USER PWD SHELL TMPDIR USERPROFILE APPDATA LOCALAPPDATA LOGNAME LANG".split())
_BARE = re.compile(r"\$(CLAUDE_PLUGIN_ROOT|CLAUDE_SKILL_DIR|CLAUDE_PLUGIN_DATA|extensionPath|workspacePath)\b")
_IN_TEXT = re.compile(r"\$\{([A-Za-z_]{5,40})\}")
_NOT_FILLED = re.compile(r"\$\{(extensionPath|workspacePath|/|pathSeparator|CLAUDE_PLUGIN_ROOT|CLAUDE_SKILL_DIR)\}")


def _find(subject: Subject) -> Diagnostics:
    if "gemini" not in subject.formats:
        return
    yield from _in_manifest(subject)
    yield from _in_hooks(subject)
    for kind in ("skills", "subagents"):
        for path in subject.paths(kind, "gemini"):
            yield from _in_text(path, subject.pages.text(path))
    yield from _in_commands(subject)
    for path in subject.paths("context-files", "gemini"):
        text = subject.pages.text(path)
        if found := _NOT_FILLED.search(text):
            yield _not_filled(path, found[0], place_at(text, found.start()), "context files")


def _in_manifest(subject: Subject) -> Diagnostics:
    manifest = subject.manifest("gemini")
    if manifest is None:
        return
    path, values = manifest
    pages = subject.pages
    declared = _settings(values)
    reported: set[str] = set()
    for keys, value in strings_in(values):
        if is_binary(keys):  # has variables of its own, which its finder validates
            continue
        for name in names_in(value) if "$" in value else ():
            if name in reported or name in KNOWN or name in declared or name in _USUAL:
                continue
            reported.add(name)
            if (instead := _instead(name, declared)) is not None:
                yield _foreign(path, f"${{{name}}}", pages.json_place(path, keys), instead)
            else:
                message = f"`${{{name}}}` is not a setting of the extension"
                hint = "declare it under `settings`, or give a default: `${" + name + ":-...}`"
                yield VARIABLE_OF_USER.at(path, message, place=pages.json_place(path, keys), hint=hint)
        if (bare := _BARE.search(value)) and bare[0] not in reported:
            reported.add(bare[0])
            instead = _instead(bare[1], declared) or f"${{{bare[1]}}}"
            yield _foreign(path, bare[0], pages.json_place(path, keys), instead)


def _in_hooks(subject: Subject) -> Diagnostics:
    manifest = subject.manifest("gemini")
    declared = _settings(manifest[1]) if manifest else frozenset()
    for path in subject.paths("hooks", "gemini"):
        values = subject.pages.json(path)
        reported = set(declared | KNOWN | _set_in(values))
        for keys, name in _used(values):
            instead = None if name in reported else _instead(name, declared)
            reported.add(name)
            if instead is not None:
                yield _foreign(path, f"${{{name}}}", subject.pages.json_place(path, keys), instead)


def _used(values: object) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every variable in a value, with and without braces, and the keys that lead to it."""
    for keys, value in strings_in(values):
        if "$" in value:
            yield from ((keys, name) for name in names_in(value))
            yield from ((keys, bare[1]) for bare in _BARE.finditer(value) if bare[1] not in KNOWN)


def _in_text(path: str, text: str) -> Diagnostics:
    """Texts contain `${...}` of shells and programs: only names that Gemini CLI or its like fills in count."""
    reported: set[str] = set()
    for found in _IN_TEXT.finditer(text) if "${" in text else ():
        instead = _instead(found[1], frozenset())
        if instead is not None and found[1] not in reported and found[1] not in KNOWN:
            reported.add(found[1])
            yield _foreign(path, found[0], place_at(text, found.start()), instead)


def _in_commands(subject: Subject) -> Diagnostics:
    for command in command_prompts(subject):
        if found := _NOT_FILLED.search(command.prompt):
            yield _not_filled(command.path, found[0], command.place(found.start()), "commands")


def _instead(name: str, declared: frozenset[str]) -> str | None:
    """What a name was meant to be; None for an unknown name."""
    return None if name in declared else meant(name)


def meant(name: str) -> str | None:
    """What Gemini CLI calls a variable of another program: empty if it has none such, None for an unknown name."""
    if name in FOREIGN:
        return FOREIGN[name]
    return _MEANT.get(name.replace("_", "").replace("-", "").lower())


def _settings(values: JsonObject) -> frozenset[str]:
    settings = values.get("settings")
    listed = settings if isinstance(settings, list) else []
    return frozenset(str(each.get("envVar")) for each in listed if isinstance(each, dict))


def _set_in(values: object) -> frozenset[str]:
    """Variables that the hooks themselves set under `env`."""
    return frozenset(str(keys[-1]) for keys, _ in strings_in(values) if len(keys) > 1 and keys[-2] == "env")


def _foreign(path: str, name: str, place: tuple[int, int], instead: str) -> Diagnostic:
    hint = f"write `{instead}`" if instead else "Gemini CLI has nothing of the kind"
    return VARIABLE_FOREIGN.at(path, f"Gemini CLI does not know `{name}`", place=place, hint=hint)


def _not_filled(path: str, name: str, place: tuple[int, int], kind: str) -> Diagnostic:
    hint = "put the text into a skill, where it is filled in"
    return VARIABLE_NOT_FILLED.at(
        path, f"`{name}` is not filled in: {kind} are taken as written", place=place, hint=hint
    )


LINT = Lint("variables of Gemini extensions", _find, "gemini")
