"""What Gemini CLI decides beside the rules: dangerous and harmless commands, build files, safety checkers."""

from __future__ import annotations

import os
import re

from pisces.harnesses.gemini.rules.call import YOLO, written_path
from pisces.shapes.verdict import ALLOW, ASK, DENY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from pisces.harnesses.gemini.rules.call import PolicyCall
    from pisces.harnesses.gemini.rules.engine import Ruling
    from pisces.shapes.shell_line import ShellLine

WHY = {ASK: "the command or its folder needs a confirmation, whatever a general rule says"}
_EDITING = frozenset("write edit replace patch update create append save".split())
_BUILD_FILES = frozenset(
    "BUILD BUILD.bazel WORKSPACE WORKSPACE.bazel MODULE.bazel .bazelrc .blazerc Makefile makefile GNUmakefile "
    "CMakeLists.txt package.json package-lock.json pnpm-lock.yaml yarn.lock bun.lockb setup.py setup.cfg "
    "pyproject.toml go.mod go.sum Cargo.toml Cargo.lock pom.xml build.gradle build.gradle.kts settings.gradle "
    "settings.gradle.kts Dockerfile Containerfile".split()
)
_BUILD_ENDS = (".bzl", ".bazel", ".bzlmod", ".mk", ".cmake")
_FIND_ACTS = frozenset("-exec -execdir -ok -okdir -delete -fls -fprint -fprint0 -fprintf".split())
_GIT_READS = ("status", "log", "diff", "show")
_GIT_LISTS = frozenset("--list -l --show-current -a --all -r --remotes -v -vv --verbose".split())
_GIT_VALUES = frozenset("-C -c --config-env --exec-path --git-dir --namespace --super-prefix --work-tree".split())
_GIT_UNSAFE = frozenset(("--output", "--ext-diff", "--textconv", "--exec", "--paginate"))
_HARMLESS = frozenset("echo expr false id pwd seq tr true uname which whoami __write".split())
_READING = frozenset("cat head tail tac nl stat wc cut paste rev uniq numfmt ls __read grep base64 find".split())
_SED_LINES = re.compile(r"\d+(,\d+)?p", re.ASCII)
_NAIVE = re.compile(r"\s+|(&&|\|\||[|&;()<>])")
_BLOCKED = re.compile(
    r"\.git|\.env|node_modules|(git|env|node_m|gha-cr|gi[0-9a-f]{4}|en[0-9a-f]{4})~\d+|gha-creds-.*\.json"
)


def shell_decision(call: PolicyCall, line: ShellLine, decision: str) -> str:
    """For a rule without a pattern, and for no rule: what the folder and the commands make of its decision."""
    workspace = call.facts.workspace or call.facts.cwd
    folder = call.arguments.get("dir_path")
    cwd = os.path.normpath(os.path.join(workspace, folder)) if isinstance(folder, str) and folder else workspace
    if decision in (ALLOW, ASK):
        if not _is_below(workspace, cwd) and call.mode != YOLO:
            return ASK
        if not call.facts.is_trusted and any(command.name.lower() in ("git", "git.exe") for command in line.commands):
            return ASK
        words = [[word or "$" for word in command.words] for command in line.commands]
        if any(map(is_dangerous, (*words, _naive_words(line.text)))):
            return decision if call.mode == YOLO else ASK
        if decision == ASK and _only_reads(line, words, (cwd, workspace)):
            return ALLOW
    return decision


def _only_reads(line: ShellLine, words: Sequence[Sequence[str]], folders: tuple[str, str]) -> bool:
    """Whether nothing in a line does more than read. Commands beside each other need rules of their own too."""
    is_one = len(words) == 1 and line.commands[0].text == line.text
    if not words or not line.is_plain or (is_one and (line.is_compound or "#" in line.text)):
        return False
    if any(command.assigned or command.redirects or command.wrappers for command in line.commands):
        return False
    return all(each and is_harmless(each, *folders) for each in (*words, _naive_words(line.text)))


def _naive_words(text: str) -> list[str]:
    """The whole line as if it were one command: Gemini CLI looks at these words only."""
    return [each.strip("'\"") for each in _NAIVE.split(text) if each]


def is_dangerous(words: Sequence[str]) -> bool:
    if not words:
        return False
    program, options = words[0].rpartition("/")[2], words[1:]
    if program == "sudo":
        return is_dangerous(options)
    if program == "rm":
        return bool(options) and options[0] in ("-f", "-rf", "-fr")
    if program == "ln":
        return any(re.match(r"--symbolic$|-[^-]*s", each) for each in options)
    if program == "find":
        return not _FIND_ACTS.isdisjoint(options)
    if program in ("rg", "rg.exe"):
        return any(each in ("--search-zip", "-z") or re.match(r"--(pre|hostname-bin)(=|$)", each) for each in options)
    if program == "base64":
        return any(each.startswith(("-o", "--output=")) or each == "--output" for each in options)
    return program == "git" and _is_git_risk(options)


def is_harmless(words: Sequence[str], cwd: str, workspace: str) -> bool:
    """A command that only reads, inside the workspace."""
    program, given = words[0], words[1:]
    if program in _HARMLESS:
        return True
    if program == "cd":
        named = [each for each in given if not each.startswith("-")]
        return bool(named) and all(_stays(each, cwd, workspace) for each in named)
    if program == "sed":
        return (
            given[:1] == ["-n"]
            and 2 <= len(given) <= 3
            and bool(_SED_LINES.fullmatch(given[1]))
            and all(_stays(each, cwd, workspace) for each in given[2:])
        )
    if program == "git":
        return _git_subcommand(given)[0] in (*_GIT_READS, "branch") and not _is_git_risk(given)
    if program not in _READING or is_dangerous(words):
        return False
    return all(_stays(each.partition("=")[2] if each.startswith("-") else each, cwd, workspace) for each in given)


def guarded(call: PolicyCall, ruled: Ruling) -> Ruling:
    """An allowed call that writes a build file, or wants more rights outside of the workspace, is asked about."""
    rights = call.arguments.get("additional_permissions")
    files = rights.get("fileSystem") if isinstance(rights, dict) else None
    if isinstance(files, dict):
        wanted = [path for key in ("read", "write") for path in files.get(key) or () if isinstance(path, str)]
        if not all(_is_below(call.facts.workspace, path) for path in wanted):
            ruled = ruled.with_ask("it wants rights outside of the workspace")
    names = (word for name in call.names for word in re.split(r"[^a-z0-9]+", name.lower()))
    path = written_path(call.arguments).strip()
    if path and not _EDITING.isdisjoint(names) and is_build_file(os.path.join(call.facts.workspace, path)):
        why = "Modifying build configuration files requires explicit user confirmation"
        return ruled.replace(decision=ASK if call.facts.is_interactive else DENY, why=why)
    return ruled


def is_build_file(path: str) -> bool:
    name = os.path.basename(os.path.realpath(path.replace("\0", "").replace("\\", "/")))
    if name in _BUILD_FILES or name.startswith(("Dockerfile.", "Containerfile.")):
        return True
    return os.path.splitext(name)[1].lower() in _BUILD_ENDS


def checker_says(checker: Mapping[str, Any], call: PolicyCall) -> tuple[str, str]:
    """`allowed-path` is decided here. Others are programs or ask a model: they do not run, a person decides."""
    name = checker.get("name")
    if checker.get("type") != "in-process" or name != "allowed-path":
        return ASK, f"the safety checker `{name}` does not run here"
    config = checker.get("config")
    config = config if isinstance(config, dict) else {}
    folders = [os.path.realpath(each) for each in (call.facts.cwd, call.facts.workspace) if each]
    answer = ALLOW, ""
    for key, path in _paths(call.arguments, config, ""):
        real = os.path.realpath(os.path.join(call.facts.cwd, path))
        inside = [os.path.relpath(real, folder) for folder in folders if _is_below(folder, real)]
        if not inside:
            return DENY, f'Path "{path}" in argument "{key}" is outside of the allowed workspace directories.'
        names = {part.partition(":")[0].rstrip(" .").lower() for each in inside for part in each.split(os.sep)}
        if any(map(_BLOCKED.fullmatch, names)):
            return DENY, f'Access to sensitive path "{path}" in argument "{key}" is blocked.'
        if ".vscode" in names:
            answer = ASK, "Modifying .vscode configuration files requires explicit user confirmation."
    return answer


def _paths(given: Mapping[str, Any], config: Mapping[str, Any], above: str) -> Iterator[tuple[str, str]]:
    included, excluded = config.get("included_args") or (), config.get("excluded_args") or ()
    for key, value in given.items():
        full = f"{above}.{key}" if above else key
        if full in excluded:
            continue
        if isinstance(value, str):
            named = any(word in key for word in ("path", "directory", "file")) or key in ("source", "destination")
            if named or full in included:
                yield full, value
        elif isinstance(value, dict):
            yield from _paths(value, config, full)
        elif isinstance(value, list):
            yield from _paths({str(at): each for at, each in enumerate(value)}, config, full)


def _git_subcommand(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    at = 0
    while at < len(words):
        if words[at] in _GIT_VALUES:
            at += 2
        elif words[at].startswith("-"):
            at += 1
        else:
            return words[at], words[at + 1 :]
    return "", ()


def _is_git_risk(words: Sequence[str]) -> bool:
    """Options by which a git command that reads starts a program, or a branch is changed."""
    if any(each.startswith(("-c", "--config-env")) for each in words):
        return True
    name, given = _git_subcommand(words)
    if name not in (*_GIT_READS, "branch"):
        return False
    if any(each in _GIT_UNSAFE or each.startswith(("--output=", "--exec=")) for each in given):
        return True
    return name == "branch" and not all(each in _GIT_LISTS or each.startswith("--format=") for each in given)


def _stays(path: str, cwd: str, workspace: str) -> bool:
    if not path or path == "-":
        return True
    if "$" in path or "`" in path or path.startswith("~"):
        return False
    target = os.path.normpath(os.path.join(cwd, path))
    return _is_below(workspace, target) and _is_below(os.path.realpath(workspace), os.path.realpath(target))


def _is_below(folder: str, path: str) -> bool:
    top = folder.rstrip(os.sep) + os.sep
    return path == folder or os.path.normpath(path + os.sep).startswith(top) or os.path.normpath(path) == folder
