"""What the user's approval mode says about a tool call that no rule and no hook has spoken about.

`ask`: what only reads the workspace runs, but for files that are usually full of secrets; anything else is asked about.
`edits`: files of the workspace may be changed as well, but not those that programs obey. `plan`: nothing is changed but
the plan. `all`: everything runs.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from stat import S_ISREG

from pisces.by_name import export_of
from pisces.discovery import tool_names as to
from pisces.discovery.containment import stays_inside
from pisces.discovery.harness import all_harnesses
from pisces.discovery.withheld import holds_secrets
from pisces.gates.command_files import FileUse, file_uses
from pisces.gates.reading_commands import command_reads, line_reads
from pisces.gates.sed_substitution import is_substitution
from pisces.gates.tool_effects import READS, RUNS, WRITES, effects_of
from pisces.shapes.session_facts import MODE_ALL, MODE_EDITS, MODE_PLAN
from pisces.shapes.verdict import ALLOW, ASK, DENY, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.gates.rulebook import ToolUse
    from pisces.gates.tool_effects import ToolEffects
    from pisces.shapes.events.tools import ToolCall
    from pisces.shapes.session_facts import SessionFacts
    from pisces.shapes.shell_line import LineCommand, ShellLine

_HARMLESS = frozenset((to.TODOS, to.SUBAGENT, to.SKILL, to.ASK))
# Programs run or obey these, whoever wrote them: shells, git, editors, package managers, git hooks.
_OBEYED = frozenset(
    """
    .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zprofile .zshenv .zlogin .kshrc
    .gitconfig .gitmodules .mcp.json .envrc .npmrc .yarnrc .yarnrc.yml .ripgreprc .pre-commit-config.yaml .bazelrc
    .zlogout .mkshrc .cshrc .tcshrc .login .inputrc .xprofile .xinitrc .xsession .pam_environment .tmux.conf .screenrc
    .vimrc .gvimrc .exrc .nvimrc .emacs .dir-locals.el .gdbinit .lldbinit .pdbrc .irbrc .pryrc .rprofile .curlrc .wgetrc
    .netrc .pypirc .pnpmfile.cjs .git-credentials .hgrc .mise.toml
    """.split()
)
_OBEYED_FOLDERS = frozenset(
    ".git .hg .vscode .idea .husky .devcontainer .ssh .gnupg .cargo .yarn .config .local".split()
)
_OUTPUTS = ("pisces-output-", "pisces-result-")
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
        return all(_may_be_read(each, facts) or _is_stored_output(each, facts) for each in effects.reads)
    if effects.meaning in WRITES and facts.mode == MODE_PLAN:
        return bool(facts.plans) and all(is_plan(each, facts) for each in effects.writes)
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
    folders = [each.cwd for each in places]
    if line_reads(line, lambda use: is_near(use, places), folders):
        return True
    if facts.mode != MODE_EDITS or not line.is_plain or line.has_groups or len(places) > 1:
        return False
    if any(each.name == "git" for each in line.commands):  # what the line writes before may be what git obeys
        return False
    return all(
        command_reads(each, lambda use: is_near(use, places), folders) or _edits(each, facts) for each in line.commands
    )


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
    if command.words[:1] == ("mv",) and any(_has_link(each or "", facts) for each in command.words[1:-1]):
        return False
    if any(each.is_pattern or not is_near(each, (facts,)) for each in uses if each.path != "/dev/null"):
        return False
    options = _EDITS.get(command.words[0] or "") if command.words else None
    if options is None and not is_substitution(command.words) and not _reads_here(_without_output(command), facts):
        return False
    if options is not None and any(each not in options for each in command.words[1:] if each and each[:1] == "-"):
        return False
    return all(may_be_edited(each.path or "", facts) for each in uses if each.writes and each.path != "/dev/null")


def _reads_here(command: LineCommand, facts: SessionFacts) -> bool:
    return command_reads(command, lambda use: is_near(use, (facts,)), [facts.cwd])


def _has_link(path: str, facts: SessionFacts) -> bool:
    """Whether a link would move: at another place it leads elsewhere, and a later command would go there."""
    whole = os.path.join(facts.cwd, path.rstrip("/"))
    found = export_of("pisces.gates", "followed_links", "links_met")(whole, FileUse(path, writes=True, is_deep=True))
    return os.path.islink(whole) or found is None or len(found) > 1


def _without_output(command: LineCommand) -> LineCommand:
    """Text that comes with the line, and files that are written, are judged apart."""
    texts = [each for each in command.redirects if each.operator in ("<<", "<<-") and each.target is not None]
    written = [each for each in command.redirects if each.operator in (">", ">>", ">|", "&>", "&>>")]
    return command.replace(redirects=tuple(each for each in command.redirects if each not in (*texts, *written)))


def is_near(use: FileUse, places: tuple[SessionFacts, ...]) -> bool:
    """The same of a file of a shell line. A path with `..` in it is not followed: a link may come before."""
    path = use.path
    if path is None or ".." in path.split("/"):
        return False
    is_wide = not use.writes and (use.is_pattern or use.is_deep)
    is_in = is_inside if use.writes else _may_be_read
    return all(is_in(path, facts) and not (is_wide and _meets_a_link_out(use, facts)) for facts in places)


def _meets_a_link_out(use: FileUse, facts: SessionFacts) -> bool:
    """Whether a pattern, or all below a folder, leads out of the workspace by a link that nobody has named."""
    found = export_of("pisces.gates", "followed_links", "links_met")(os.path.join(facts.cwd, use.path or ""), use)
    return found is None or not all(stays_inside(each, facts.workspace) for each in found)


def is_inside(path: str, facts: SessionFacts) -> bool:
    """Whether a path that a call names lies in the workspace, after every link."""
    if not is_path(path) or path.startswith("~"):
        return False
    return stays_inside(os.path.join(facts.cwd, path), facts.workspace)


def _may_be_read(path: str, facts: SessionFacts) -> bool:
    """Whether a path of the workspace, after every link, names no file that is usually full of secrets."""
    return is_inside(path, facts) and not any(
        holds_secrets(each) for each in (path, os.path.realpath(os.path.join(facts.cwd, path)))
    )


def _is_stored_output(path: str, facts: SessionFacts) -> bool:
    """Whether it is a file of ours with output that was too long for the model, which was given its path."""
    if sys.platform == "win32" or not is_path(path):
        return False
    folder, name = os.path.split(os.path.realpath(os.path.join(facts.cwd, path)))
    if not name.startswith(_OUTPUTS):
        return False
    from tempfile import gettempdir  # rarely needed, and slow to import

    try:
        status = os.lstat(os.path.join(folder, name))
    except OSError:
        return False
    is_ours = status.st_uid == os.geteuid() and S_ISREG(status.st_mode)
    return is_ours and folder == os.path.realpath(gettempdir())


def is_plan(path: str, facts: SessionFacts) -> bool:
    """Whether it is a text in the folder of plans, after every link, and that folder is of the workspace."""
    if not is_path(path) or path.startswith("~") or not path.endswith(".md"):
        return False
    is_of_here = stays_inside(facts.plans, facts.workspace)
    return is_of_here and stays_inside(os.path.join(facts.cwd, path), facts.plans)


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


def writes_obeyed(call: ToolCall, facts: SessionFacts) -> bool:
    """Whether a call writes a file that a program runs or obeys, as far as can be told before it runs."""
    effects = effects_of(call)
    here = facts_in(facts, effects.folder)
    uses = [each for command in effects.line.commands for each in file_uses(command)] if effects.line else []
    written = (*effects.writes, *(each.path for each in uses if each.writes and each.path))
    return any(is_obeyed(each, here) for each in written)


@lru_cache(maxsize=1)  # harnesses never change while we run
def _own_names() -> frozenset[str]:
    """Folders and files of a project that a harness obeys."""
    harnesses = list(all_harnesses())
    files = [name for each in harnesses for name in (each.project_dir, *each.own_files, *each.home_files)]
    names = [name.strip("/").rpartition("/")[2].lower() for name in files]
    return frozenset(name for name in names if name.startswith(".") and len(name) > 1)
