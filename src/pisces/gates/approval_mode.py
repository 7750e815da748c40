"""What the user's approval mode says about a tool call that no rule and no hook has spoken about.

`ask`: what only reads the workspace runs, anything else is asked about. `edits`: files of the workspace may be changed
as well, but not those that programs obey. `plan`: nothing is changed. `all`: everything runs.
"""

from __future__ import annotations

import os
from functools import lru_cache

from pisces.discovery import tool_names as to
from pisces.discovery.containment import stays_inside
from pisces.discovery.harness import all_harnesses
from pisces.gates.command_files import file_uses
from pisces.gates.reading_commands import command_reads, line_reads
from pisces.gates.tool_effects import READS, RUNS, WRITES, effects_of
from pisces.shapes.session_facts import MODE_ALL, MODE_EDITS, MODE_PLAN
from pisces.shapes.verdict import ALLOW, ASK, DENY, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.gates.command_files import FileUse
    from pisces.gates.rulebook import ToolUse
    from pisces.gates.tool_effects import ToolEffects
    from pisces.shapes.session_facts import SessionFacts
    from pisces.shapes.shell_line import LineCommand, ShellLine

_HARMLESS = frozenset((to.TODOS, to.SUBAGENT, to.SKILL))
# Programs run or obey these, whoever wrote them: shells, git, editors, package managers, git hooks.
_OBEYED = frozenset(
    """
    .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zprofile .zshenv .zlogin .kshrc
    .gitconfig .gitmodules .mcp.json .envrc .npmrc .yarnrc .yarnrc.yml .ripgreprc .pre-commit-config.yaml .bazelrc
    """.split()
)
_OBEYED_FOLDERS = frozenset((".git", ".vscode", ".idea", ".husky", ".devcontainer", ".ssh"))
_EDITS = {  # with the options that change nothing else
    "touch": frozenset(),
    "mkdir": frozenset(("-p",)),
    "rmdir": frozenset(),
    "rm": frozenset(("-f", "-r", "-rf", "-fr", "-R")),
    "cp": frozenset(),
    "mv": frozenset(),
}


def mode_verdict(use: ToolUse) -> Verdict:
    mode = use.facts.mode
    if mode == MODE_ALL:
        return Verdict(ALLOW, _who(mode))
    effects = effects_of(use.call)
    if not use.server and _is_allowed(effects, use.facts):
        return Verdict(ALLOW, _who(mode))
    is_obeying = any(is_obeyed(each, use.facts) for each in effects.writes)
    if mode == MODE_PLAN and (is_obeying or effects.meaning not in READS | WRITES):
        return Verdict(DENY, _who(mode), "While a plan is made, nothing may be changed", "leave the mode `plan`")
    return Verdict(ASK, _who(mode))


def _who(mode: str) -> str:
    return f"approval mode {mode}"


def _is_allowed(effects: ToolEffects, facts: SessionFacts) -> bool:
    if effects.meaning in _HARMLESS:
        return effects.meaning != to.SUBAGENT or facts.mode != MODE_PLAN
    if effects.meaning in READS:
        return all(is_inside(each, facts) for each in effects.reads)
    if effects.meaning in WRITES:
        return facts.mode == MODE_EDITS and all(may_be_edited(each, facts) for each in effects.writes)
    if effects.meaning not in RUNS or effects.line is None or effects.meaning == to.TYPE:
        return False
    return line_is_allowed(effects.line, facts_in(facts, effects.folder))


def line_is_allowed(line: ShellLine, facts: SessionFacts) -> bool:
    """Whether a line only reads, or changes only what the mode lets it change."""
    places = folders_of(line, facts)
    if not stay_here(places):
        return False
    if line_reads(line, lambda use: _is_near(use, places)):
        return True
    if facts.mode != MODE_EDITS or not line.is_plain or line.has_groups or len(places) > 1:
        return False
    return all(command_reads(each, lambda use: _is_near(use, places)) or _edits(each, facts) for each in line.commands)


def facts_in(facts: SessionFacts, folder: str) -> SessionFacts:
    """The facts for a line that runs in another folder."""
    return facts.replace(cwd=os.path.join(facts.cwd, folder)) if folder else facts


def folders_of(line: ShellLine, facts: SessionFacts) -> tuple[SessionFacts, ...]:
    """The facts for every folder in which a command of the line may run: `cd` moves."""
    places = [facts]
    for each in line.commands:
        if each.name in ("cd", "pushd"):
            folder = next((word for word in each.words[1:] if word is None or not word.startswith("-")), None)
            places.append(facts.replace(cwd=os.path.join(places[-1].cwd, folder or "/")))
    return tuple(places)


def stay_here(places: tuple[SessionFacts, ...]) -> bool:
    """Whether all of a line runs in the workspace."""
    return all(each.cwd == each.workspace or stays_inside(each.cwd, each.workspace) for each in places)


def _edits(command: LineCommand, facts: SessionFacts) -> bool:
    """`touch`, `rm` and their like on files of the workspace, and commands that only read but for a redirection."""
    if not command.is_plain or None in command.words or command.wrappers or command.assigned:
        return False
    uses = file_uses(command)
    if any(each.is_pattern or not _is_near(each, (facts,)) for each in uses if each.path != "/dev/null"):
        return False
    options = _EDITS.get(command.words[0] or "") if command.words else None
    if options is None and not command_reads(_without_output(command), lambda use: _is_near(use, (facts,))):
        return False
    if options is not None and any(each not in options for each in command.words[1:] if each and each[:1] == "-"):
        return False
    return all(may_be_edited(each.path or "", facts) for each in uses if each.writes and each.path != "/dev/null")


def _without_output(command: LineCommand) -> LineCommand:
    """Text that comes with the line, and files that are written, are judged apart."""
    texts = [each for each in command.redirects if each.operator in ("<<", "<<-") and each.target is not None]
    written = [each for each in command.redirects if each.operator in (">", ">>", ">|", "&>", "&>>")]
    return command.replace(redirects=tuple(each for each in command.redirects if each not in (*texts, *written)))


def _is_near(use: FileUse, places: tuple[SessionFacts, ...]) -> bool:
    """The same of a file of a shell line. A path with `..` in it is not followed: a link may come before."""
    path = use.path
    if path is None or ".." in path.split("/"):
        return False
    return all(is_inside(path, facts) for facts in places)


def is_inside(path: str, facts: SessionFacts) -> bool:
    """Whether a path that a call names lies in the workspace, after every link."""
    if not is_path(path) or path.startswith("~"):
        return False
    return stays_inside(os.path.join(facts.cwd, path), facts.workspace)


def is_path(path: str) -> bool:
    """Whether a system can have a file of that name: neither a NUL nor half a character is in it."""
    return bool(path) and "\0" not in path and not any("\ud800" <= sign <= "\udfff" for sign in path)


def may_be_edited(path: str, facts: SessionFacts) -> bool:
    """Whether it is a file of the workspace that no program obeys; the workspace itself is none."""
    if not is_inside(path, facts) or is_obeyed(path, facts):
        return False
    return os.path.realpath(os.path.join(facts.cwd, path)) != os.path.realpath(facts.workspace)


def is_obeyed(path: str, facts: SessionFacts) -> bool:
    """Whether a program runs or obeys a file: settings of a harness, hooks of git, what a shell reads at its start."""
    if not is_path(path):
        return True
    for written in {os.path.normpath(os.path.join(facts.cwd, path)), os.path.realpath(os.path.join(facts.cwd, path))}:
        names = os.path.relpath(written, os.path.realpath(facts.workspace)).replace(os.sep, "/").lower().split("/")
        if names[-1] in _OBEYED or set(names) & (_OBEYED_FOLDERS | _own_names()):
            return True
    return False


@lru_cache(maxsize=1)  # harnesses never change while we run
def _own_names() -> frozenset[str]:
    """Folders and files of a project that a harness obeys."""
    harnesses = list(all_harnesses())
    files = [name for each in harnesses for name in (each.project_dir, *each.own_files, *each.home_files)]
    names = [name.strip("/").rpartition("/")[2].lower() for name in files]
    return frozenset(name for name in names if name.startswith(".") and len(name) > 1)
