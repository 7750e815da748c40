"""The git binary as a child: an argument list, never a shell, and an environment of which every part is chosen.

System and user configuration are ignored, because they may name hooks, filters and other URLs. Taken over from them are
proxies, certificates, credential helpers and the ssh command: what a user needs to reach a host. The GitHub token
travels as configuration in the environment, so it is in no argument, no URL and no file.
"""

from __future__ import annotations

import os
import re
from contextlib import closing
from errno import ENOENT
from urllib.parse import urlsplit

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.packages.fetching.fetched import FETCH_STOPPED
from pisces.packages.fetching.limits import MOST_BYTES, limits_of
from pisces.packages.fetching.token import basic, origin_of, token_for, without_secrets
from pisces.processes.ended import TIMEOUT, Ended
from pisces.processes.launch import ERR, OUT, Launch, Limits
from pisces.processes.lines import Lines
from pisces.processes.run import Followed, captured, run
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pisces.places import Places

GIT_MISSING = Rule("git-missing", ERROR, "git is not installed")
GIT_FAILED = Rule("git-failed", ERROR, "git could not fetch a repository")

_PASSED = re.compile(
    r"(PATH|HOME|USERPROFILE|HOMEDRIVE|HOMEPATH|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|TE?MP|TMPDIR|APPDATA|"
    r"LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES.*|XDG_CONFIG_HOME|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|"
    r"SSH_AUTH_SOCK|SSH_AGENT_PID|SSL_CERT_FILE|SSL_CERT_DIR|GIT_SSL_CAINFO|GIT_SSL_CAPATH|GIT_SSH|GIT_SSH_COMMAND|"
    r"GIT_EXEC_PATH|LD_LIBRARY_PATH|(HTTPS?|ALL|NO)_PROXY)",
    re.IGNORECASE,
)
_PROGRESS = re.compile(r"(remote: )?(Receiving|Updating|Resolving|Counting|Compressing)\b.*\(\d+/\d+\)")
_MOST_SAID = 50  # lines
# What git says of the disk of this machine. What a host says begins with `remote:`.
_DISK = re.compile(
    r"^(?!remote:).*: (No space left on device|Disk quota exceeded|Read-only file system|File too large)"
)
_UNITS = {"bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_SEEN = "credential.pisces"  # a setting that shows whether git takes settings from the environment
_TAKEN_OVER = (
    r"^(http\.(.*\.)?(proxy|proxyauthmethod|sslcainfo|sslcapath|sslcert|sslkey|sslbackend|"
    r"schannelusesslcainfo|schannelcheckrevoke)|credential\..*|core\.sshcommand)$"
)
_OFF = (
    *("core.fsmonitor", "core.autocrlf", "maintenance.auto", "fetch.recurseSubmodules", "submodule.recurse"),
    *("filter.lfs.required", "advice.detachedHead"),
)
_ALWAYS = {
    **dict.fromkeys(("core.hooksPath", "core.attributesFile", "core.excludesFile"), os.devnull),
    **dict.fromkeys(("init.templateDir", "filter.lfs.smudge", "filter.lfs.process"), ""),
    **dict.fromkeys(("core.protectHFS", "core.protectNTFS"), "true"),
    **dict.fromkeys(("protocol.allow", "protocol.ext.allow"), "never"),
    **dict.fromkeys(("protocol.https.allow", "protocol.ssh.allow"), "always"),
    **dict.fromkeys(_OFF, "false"),
    "core.eol": "lf",
    "init.defaultBranch": "main",
    "gc.auto": "0",
    "protocol.version": "2",
}


class Git(Value):
    """One git, bound to the folder it works in and to the environment that is right for one URL."""

    folder: str
    env: dict[str, str]
    places: Places

    def __repr__(self) -> str:
        return f"Git({self.folder!r})"  # the environment may hold a token

    def text(self, *args: str) -> str:
        """What git prints; an error of git is `PiscesError`."""
        out, errors, ended = captured(self._launch(args))
        self._check(ended, errors.decode("utf-8", "replace").splitlines())
        return out.decode("utf-8", "surrogateescape")

    def watched(self, report: Callable[[str], None], *args: str) -> None:
        """Runs git and passes on its progress, which ends with carriage returns."""
        said: list[str] = []
        lines = Lines(b"\r")

        def hear(name: str, chunk: bytes) -> None:
            for line in lines.ended(chunk.replace(b"\n", b"\r")) if name == ERR else ():
                self._note(line.decode("utf-8", "replace"), said, report)

        ended = run(self._launch(args), hear)
        hear(ERR, b"\n")  # the last line may have no end
        self._check(ended, said)

    def listed(self, *args: str) -> Iterator[str]:
        """The parts of a long output that are ended by NUL, as they come. Whoever stops reading ends git."""
        program, parts = Followed(self._launch(args)), Lines(b"\0")
        with closing(program.chunks()) as chunks:
            for name, chunk in chunks:
                if name == OUT:
                    yield from (part.decode("utf-8", "surrogateescape") for part in parts.ended(chunk))
        if program.ended.code is None or program.ended.reason:
            self._check(program.ended, [])

    def _launch(self, args: tuple[str, ...]) -> Launch:
        return Launch(("git", *args), self.folder, self.env, Limits(seconds=limits_of(self.places.env).whole))

    def _note(self, line: str, said: list[str], report: Callable[[str], None]) -> None:
        if "%" not in line:
            said.append(line)
            del said[:-_MOST_SAID]
        if _PROGRESS.match(line):
            if received(line) > MOST_BYTES:
                raise PiscesError(GIT_FAILED.at("", f"the repository is larger than {MOST_BYTES >> 20} MiB"))
            report(f"{without_secrets(line, self.places.env)}\r")

    def _check(self, ended: Ended, said: list[str]) -> None:
        if ended.errno == ENOENT:
            raise PiscesError(GIT_MISSING.at("", "there is no `git` program in PATH"))
        if ended.code != 0 or ended.reason:
            raise self._failure([line for line in (*said, ended.failure) if line], late=ended.reason == TIMEOUT)

    def _failure(self, said: list[str], *, late: bool) -> PiscesError:
        if late:
            seconds = f"{limits_of(self.places.env).whole:g}"
            hint = "set PISCES_FETCH_TIMEOUT to more seconds"
            return PiscesError(GIT_FAILED.at("", f"git took more than {seconds} seconds", hint=hint))
        if full := next((line for line in said if _DISK.search(line)), ""):
            message = f"cannot be written: {re.sub('^(fatal|error): ', '', full)}"
            return PiscesError(FETCH_STOPPED.at(self.folder, message, hint="make room there, or make it writable"))
        lines = [line for line in said if re.match("fatal:|error:|ERROR:|remote: [A-Za-z]", line)] or said[-1:]
        bare = (re.sub("^(fatal|error|remote): ", "", line) for line in lines)
        message = without_secrets("; ".join(bare), self.places.env)[:600] or "git failed without a word"
        return PiscesError(GIT_FAILED.at("", message, hint=_hint(message)))


def git_for(url: str, folder: str, places: Places, *, token: bool = True) -> Git:
    """The git that may fetch this URL and, from there, nothing less safe."""
    settings = dict(_ALWAYS)
    scheme = "ssh" if "://" not in url else urlsplit(url).scheme.lower()
    if scheme in ("http", "git", "file"):
        settings[f"protocol.{scheme}.allow"] = "always"
    if os.name == "posix":
        settings["core.symlinks"] = "true"
    pairs = [*_taken_over(folder, places), *settings.items()]
    secret = token_for(url, places.env) if token and scheme in ("http", "https") else ""
    if secret:
        scheme, host, port = origin_of(url)
        host = f"[{host}]" if ":" in host else host
        pairs.append((f"http.{scheme}://{host}:{port}/.extraHeader", f"Authorization: Basic {basic(secret)}"))
        pairs.append(("http.followRedirects", "false"))  # git would send the header on to the new host
    env = {**_environment(places, pairs), "GIT_CEILING_DIRECTORIES": os.path.dirname(folder)}
    return Git(folder, env, places)


def received(line: str) -> int:
    """How many bytes have come, as git's line of progress says it; 0 where it does not."""
    found = re.search(r"\), ([0-9.]+) ([KMG]iB|bytes)", line)
    return int(float(found[1]) * _UNITS[found[2]]) if found else 0


def has_token(git: Git) -> bool:
    return "Authorization: Basic" in "".join(git.env.values())


def _environment(places: Places, pairs: list[tuple[str, str]]) -> dict[str, str]:
    env = {name: value for name, value in places.env.items() if _PASSED.fullmatch(name)}
    env.setdefault("PATH", os.defpath)
    env["HOME"] = places.home
    fixed = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_ATTR_NOSYSTEM": "1"}
    quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "SSH_ASKPASS": "", "SSH_ASKPASS_REQUIRE": "never"}
    plain = {"GIT_LFS_SKIP_SMUDGE": "1", "GIT_LITERAL_PATHSPECS": "1", "GIT_NO_REPLACE_OBJECTS": "1", "LC_ALL": "C"}
    env.update({**fixed, **quiet, **plain, "GCM_INTERACTIVE": "never", "GIT_OPTIONAL_LOCKS": "0"})
    if not any(name in env for name in ("GIT_SSH", "GIT_SSH_COMMAND")) and "core.sshcommand" not in dict(pairs):
        env["GIT_SSH_COMMAND"] = "ssh -oBatchMode=yes"  # a question of ssh would never be answered
    env["GIT_CONFIG_COUNT"] = str(len(pairs))
    for number, (key, value) in enumerate(pairs):
        env[f"GIT_CONFIG_KEY_{number}"], env[f"GIT_CONFIG_VALUE_{number}"] = key, value
    return env


def _taken_over(folder: str, places: Places) -> list[tuple[str, str]]:
    """What the user's own configuration says about how to reach hosts."""
    env = {name: value for name, value in places.env.items() if _PASSED.fullmatch(name)}
    ceiling = os.path.dirname(folder)  # a repository above the stage does not count
    env.update({"HOME": places.home, "GIT_CEILING_DIRECTORIES": ceiling, "LC_ALL": "C"})
    env.update({"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": _SEEN, "GIT_CONFIG_VALUE_0": "yes"})
    found = Git(folder, env, places).listed("config", "--null", "--includes", "--get-regexp", _TAKEN_OVER)
    pairs = [(key, value) for key, mark, value in (part.partition("\n") for part in found) if mark]
    if (_SEEN, "yes") not in pairs:
        raise PiscesError(GIT_MISSING.at("", "this git is too old: 2.32 or later is needed"))
    return [pair for pair in pairs if pair[0] != _SEEN]


def _hint(message: str) -> str:
    lower = message.lower()
    if any(word in lower for word in ("could not read username", "authentication failed", "error: 401", "error: 403")):
        return "if it is private, set GITHUB_TOKEN (GitHub) or a git credential helper"
    if "not found" in lower or "error: 404" in lower:
        return "check the address; private repositories also answer that they do not exist"
    if "couldn't find remote ref" in lower:
        return "check the branch, tag or commit given with `--ref`"
    if "host key verification" in lower or "permission denied (publickey" in lower:
        return "connect to the host once with ssh, so that its key and yours are known"
    return "check the connection and the address" if "could not resolve host" in lower else ""
