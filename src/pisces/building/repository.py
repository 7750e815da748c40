"""The author's own git repository, by plumbing only: no hook runs, no filter, no switch, no change of the index.

The user's configuration counts for who commits; whatever git could start because of a configuration is off.
"""

from __future__ import annotations

import os
import re
from errno import ENOENT

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.processes.launch import Launch, Limits
from pisces.processes.run import captured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pisces.places import Places

BUILD_GIT = Rule("build-git", ERROR, "git cannot do what a build asks of it")

_SECONDS = 120
_MOST_OUTPUT = 64 << 20
_PASSED = re.compile(
    r"PATH|HOME|USERPROFILE|HOMEDRIVE|HOMEPATH|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|TE?MP|TMPDIR|APPDATA|"
    r"LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES.*|XDG_CONFIG_HOME|GIT_EXEC_PATH|LD_LIBRARY_PATH|"
    r"GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|EMAIL",
    re.IGNORECASE,
)
_OFF = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.attributesFile": os.devnull,
    "commit.gpgSign": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "core.logAllRefUpdates": "true",
}


class Repository:
    """The repository that a folder is in. Every failure of git is a `PiscesError`."""

    def __init__(self, folder: str, places: Places) -> None:
        self.folder = folder
        env = {name: value for name, value in places.env.items() if _PASSED.fullmatch(name)}
        env.setdefault("PATH", os.defpath)
        env.update({"HOME": places.home, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"})
        env.update({"GIT_NO_REPLACE_OBJECTS": "1", "GIT_LITERAL_PATHSPECS": "1", "GIT_ATTR_NOSYSTEM": "1"})
        env["GIT_CONFIG_COUNT"] = str(len(_OFF))
        for number, (key, value) in enumerate(_OFF.items()):
            env[f"GIT_CONFIG_KEY_{number}"], env[f"GIT_CONFIG_VALUE_{number}"] = key, value
        self._env = env

    def nearest_tag(self) -> str:
        """The last tag before or at the commit that is checked out; empty where there is none."""
        return self._asked("describe", "--tags", "--abbrev=0")

    def head(self) -> str:
        """The commit that is checked out; empty in a repository without commits."""
        return self._asked("rev-parse", "--verify", "--quiet", "HEAD^{commit}")

    def tip(self, branch: str) -> str:
        """The commit of a branch; empty where there is no such branch."""
        return self._asked("rev-parse", "--verify", "--quiet", f"refs/heads/{branch}^{{commit}}")

    def tree_of(self, commit: str) -> str:
        return self.text("rev-parse", "--verify", f"{commit}^{{tree}}").strip()

    def has_file(self, commit: str, path: str) -> bool:
        return bool(self._asked("rev-parse", "--verify", "--quiet", f"{commit}:{path}"))

    def is_branch_name(self, name: str) -> bool:
        return not name.startswith("-") and self._ended("check-ref-format", f"refs/heads/{name}")[1] == 0

    def branches_in_use(self) -> list[str]:
        """Those that this working tree or another one of the repository has checked out."""
        listed = self.text("worktree", "list", "--porcelain")
        return re.findall(r"^branch refs/heads/(.+)$", listed, re.MULTILINE)

    def moment_of(self, commit: str) -> str:
        """When a commit was made, as git reads it again."""
        return self.text("show", "-s", "--format=%ct %ci", commit).split()[0] + " +0000" if commit else ""

    def text(self, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> str:
        out, code, said = self._ended(*args, stdin=stdin, env=env)
        if code != 0:
            raise PiscesError(BUILD_GIT.at(self.folder, _reason(said), hint=_hint(said)))
        return out

    def written_blobs(self, contents: Sequence[bytes]) -> list[str]:
        """The ids of blobs with these contents, which are in the repository from now on. One process for all."""
        parts = [
            b"blob\nmark :%d\ndata %d\n%s\nget-mark :%d\n" % (number, len(each), each, number)
            for number, each in enumerate(contents, 1)
        ]
        listed = self.text("fast-import", "--quiet", "--done", stdin=b"".join([*parts, b"done\n"]))
        return listed.split()

    def _asked(self, *args: str) -> str:
        """The answer to a question that git answers with a failure where there is nothing."""
        out, code, said = self._ended(*args)
        if code != 0 and re.search(r"not a git repository|dubious ownership", "\n".join(said)):
            raise PiscesError(BUILD_GIT.at(self.folder, _reason(said), hint=_hint(said)))
        return out.strip() if code == 0 else ""

    def _ended(
        self, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None
    ) -> tuple[str, int | None, list[str]]:
        limits = Limits(seconds=_SECONDS, output=_MOST_OUTPUT)
        out, errors, ended = captured(
            Launch(("git", *args), self.folder, {**self._env, **(env or {})}, limits, stdin=stdin)
        )
        if ended.errno == ENOENT:
            raise PiscesError(BUILD_GIT.at(self.folder, "there is no `git` program in PATH"))
        code = 1 if ended.reason else ended.code
        said = [*errors.decode("utf-8", "replace").splitlines(), *([ended.failure] if ended.failure else [])]
        return out.decode("utf-8", "surrogateescape"), code, said


def _reason(said: list[str]) -> str:
    lines = [line for line in said if re.match("fatal:|error:", line)] or said[-1:]
    return "; ".join(re.sub("^(fatal|error): ", "", line) for line in lines)[:600] or "git failed without a word"


def _hint(said: list[str]) -> str:
    text = "\n".join(said)
    if "tell me who you are" in text or "empty ident" in text or "auto-detect email" in text:
        return "`git config user.name NAME` and `git config user.email ADDRESS` say who commits"
    if "not a git repository" in text:
        return "branches and tags need a git repository: `git init`"
    return ""
