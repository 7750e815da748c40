"""Rules that the user gives while a question is open: what `always` and `never` store, and what `session` remembers.

They are in the words of `rules.toml`, as narrow as the call that was asked about, and belong to one workspace. Their
file is in the user's folder and never in the repository: whoever writes to that could allow themselves everything.
"""

from __future__ import annotations

import hashlib
import os
import re

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.discovery import tool_names as to
from pisces.files import MISSING, Unreadable, read_text
from pisces.formats.malformed import Malformed
from pisces.formats.toml_current import parse
from pisces.gates.approval_mode import is_path
from pisces.gates.tool_effects import READS, WRITES, effects_of
from pisces.gates.trusted import real_folder
from pisces.shapes.verdict import ALLOW
from pisces.value import FrozenMapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from pisces.gates.tool_effects import ToolEffects
    from pisces.places import Places
    from pisces.shapes.request import ToolRequest
    from pisces.shapes.shell_line import LineCommand, ShellLine

    UserRule: TypeAlias = Mapping[str, str]

RULE_NOT_STORED = Rule("rule-not-stored", ERROR, "A rule that the user gave could not be stored")

_FOLDER, _FILE = "workspaces", "rules.toml"
_MODE, _FOLDER_MODE = 0o600, 0o700
_WILD = frozenset("*?[]{}\\")
_SPECIAL = re.compile(r"[\\^$.*+?()\[\]{}|/]")
_MOST_COMMANDS = 5  # of one line: nobody reads more rules than that in a question
# Subcommands that people run again and again with other arguments. Any other command is remembered to the letter, so
# those of git that only show something, too: a question about one means an option that does more.
_REPEATED = {
    "npm": {"test": 2, "run": 3},
    "pnpm": {"test": 2, "run": 3},
    "yarn": {"test": 2, "run": 3},
    "bun": {"test": 2, "run": 3},
    "cargo": dict.fromkeys(("build", "check", "clippy", "fmt", "test"), 2),
    "go": dict.fromkeys(("build", "fmt", "test", "vet"), 2),
    "git": dict.fromkeys(("add", "commit", "switch"), 2),
}
_REPEATED_ALONE = frozenset(("mypy", "pytest", "ruff"))
# They change what the commands behind them are: `export PATH=.` is harmless alone, and not before an allowed `pytest`.
_CHANGES = frozenset(
    """cd pushd popd chdir export declare typeset local readonly unset alias unalias hash rehash set setopt unsetopt
    shopt enable autoload zmodload emulate read mapfile readarray getopts let printf""".split()
)
_WHOLE_TOOL = frozenset((to.FETCH, to.WEB_SEARCH, to.TODOS, ""))


def rules_for(request: ToolRequest, decision: str) -> tuple[UserRule, ...]:
    """The rules that decide this very call from now on; none where it cannot be said in a rule without saying more."""
    tool, server = request.call.tool, request.server
    if _WILD & set(tool + server):
        return ()
    if server:
        return ({"tool": tool, "server": server, "decision": decision},)
    effects = effects_of(request.call)
    if effects.line is not None:
        line = effects.line
        if effects.meaning == to.TYPE or not line.is_plain or not 0 < len(line.commands) <= _MOST_COMMANDS:
            return ()
        folder = _folder_for(request, effects, decision)
        if folder is None:
            return ()
        made = [_for_command(each, decision, folder) for each in line.commands]
        return tuple(dict.fromkeys(made)) if None not in made else ()  # type: ignore[arg-type]
    if effects.meaning in READS | WRITES:
        kind = "edit" if effects.meaning in WRITES else "read"
        made_paths = [_for_path(each, request, kind, decision) for each in (*effects.reads, *effects.writes)]
        return tuple(each for each in made_paths if each) if all(made_paths) else ()
    return ({"tool": tool, "decision": decision},) if effects.meaning in _WHOLE_TOOL else ()


def _folder_for(request: ToolRequest, effects: ToolEffects, decision: str) -> Mapping[str, str] | None:
    """What is allowed is allowed where it was seen: `./x.sh` is another file elsewhere. None if that is several places.

    What is denied is denied everywhere.
    """
    if decision != ALLOW:
        return {}
    if not request.cwd or effects.line is None or _changes_others(effects.line):
        return None
    return {"folder": os.path.realpath(os.path.join(request.cwd, effects.folder))}


def _changes_others(line: ShellLine) -> bool:
    return any(each.name in _CHANGES and (each.name != "printf" or "-v" in each.text) for each in line.commands)


def _for_command(command: LineCommand, decision: str, folder: Mapping[str, str]) -> UserRule | None:
    words = command.words
    if not words or None in words or not command.is_plain or command.wrappers or command.assigned:
        return None
    if command.redirects or command.patterns:
        return None
    texts = [str(each) for each in words]
    if any(not each or any(char.isspace() for char in each) or not each.isprintable() for each in texts):
        return None  # the words of a rule are cut at blanks
    prefix = _prefix(texts) if decision == ALLOW else 0
    if prefix:
        return FrozenMapping(tool="shell", command=" ".join(texts[:prefix]), **folder, decision=decision)
    text = " ".join(texts)
    exact = "^" + _SPECIAL.sub(lambda found: f"\\{found[0]}", text) + "$"
    return FrozenMapping(tool="shell", command=text, regex=exact, **folder, decision=decision)


def _prefix(words: Sequence[str]) -> int:
    """How many words say what kind of command it is; 0 where only the whole command does."""
    if words[0] in _REPEATED_ALONE:
        return 1
    number = _REPEATED.get(words[0], {}).get(words[1], 0) if len(words) > 1 else 0
    return number if len(words) >= number and not any(each.startswith("-") for each in words[:number]) else 0


def _for_path(path: str, request: ToolRequest, kind: str, decision: str) -> UserRule | None:
    """Absolute, because a name alone would be a file of that name in any folder."""
    if not is_path(path) or path.startswith("~") or not request.cwd:
        return None
    whole = os.path.realpath(os.path.join(request.cwd, path))
    if _WILD & set(whole) or os.path.isdir(whole):
        return None
    return {"tool": kind, "path": whole, "decision": decision}


def rule_line(rule: UserRule) -> str:
    """As people read it, on one line."""
    return ", ".join(f"{key} = {_quoted(value)}" for key, value in rule.items())


def rules_file(places: Places) -> str:
    """Where rules of this workspace are stored."""
    folder = real_folder(places.cwd)
    name = "".join(each if each.isalnum() and each.isascii() else "-" for each in os.path.basename(folder)).strip("-")
    digest = hashlib.sha256(folder.encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return os.path.join(places.agent_dir, _FOLDER, f"{name[:40] or 'root'}-{digest}", _FILE)


def store_rules(places: Places, rules: Sequence[UserRule]) -> None:
    """Behind those that are there. Raises `PiscesError` where that fails; then nothing is stored."""
    path = rules_file(places)
    try:
        os.makedirs(os.path.dirname(path), _FOLDER_MODE, exist_ok=True)
        with export_of("pisces", "file_lock", "file_lock")(f"{path}.lock", lambda _text: None):
            text = _stored(path) or f"# Rules for {real_folder(places.cwd)}\n"
            known = parse(text).get("rule", [])
            more = "".join(_table(each) for each in rules if dict(each) not in known)
            if more:
                data = (text.rstrip("\n") + "\n\n" + more).encode("utf-8", "backslashreplace")
                export_of("pisces", "atomic", "write_atomically")(path, data, _MODE)
    except OSError as error:
        raise _not_stored(path, f"it cannot be written: {error.strerror or error}") from None
    except (Malformed, Unreadable) as error:
        raise _not_stored(path, f"the file that is there cannot be read: {error.message}") from None


def _not_stored(path: str, message: str) -> PiscesError:
    return PiscesError(RULE_NOT_STORED.at(path, message, hint="allow it for this session, and mend the file"))


def _stored(path: str) -> str:
    try:
        return read_text(path)
    except Unreadable as error:
        if error.kind == MISSING:
            return ""
        raise


def _table(rule: UserRule) -> str:
    return "[[rule]]\n" + "".join(f"{key} = {_quoted(value)}\n" for key, value in rule.items()) + "\n"


def _quoted(value: str) -> str:
    """A basic string of TOML."""
    encoded: str = export_of("json", "encoder", "JSONEncoder")(ensure_ascii=False).encode(value)
    return encoded.replace("\x7f", "\\u007f")
