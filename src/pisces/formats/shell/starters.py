"""Programs that start what follows them, and where their own options end: shells, `env`, `sudo`, `xargs`."""

from __future__ import annotations

import re

from pisces.formats.shell.arguments import Argument
from pisces.formats.shell.options import Options, options_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_VERSION = re.compile(r"^(python|pypy|ipython|perl|ruby|lua|php|node|tclsh|bash|ksh|zsh|guile)-?[\d.]+$")
STDIN = frozenset(("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"))
SHELLS = frozenset("sh bash dash zsh ksh mksh ash rbash".split())

# Options that take a value, and how many operands stand before the command.
WRAPPERS = {
    "exec": ("-a", 0),
    "command": ("", 0),
    "builtin": ("", 0),
    "nohup": ("", 0),
    "noglob": ("", 0),
    "nocorrect": ("", 0),
    "setsid": ("", 0),
    "catchsegv": ("", 0),
    "time": ("-f -o --format --output", 0),
    "nice": ("-n --adjustment", 0),
    "ionice": ("-c -n -p -P -u", 0),
    "chrt": ("-T -P -D", 1),
    "taskset": ("", 1),
    "timeout": ("-s -k --signal --kill-after", 1),
    "gtimeout": ("-s -k --signal --kill-after", 1),
    "stdbuf": ("-i -o -e --input --output --error", 0),
    "unbuffer": ("", 0),
    "caffeinate": ("-t -w", 0),
    "sudo": (
        "-u -g -h -p -C -r -t -T -U -D -R --user --group --chdir --host --prompt --close-from --role --type"
        " --command-timeout --other-user --chroot",
        0,
    ),
    "doas": ("-u -C", 0),
    "pkexec": ("--user", 0),
    "env": ("-u -C -a --unset --chdir --argv0 -S --split-string", 0),
    "flock": ("-w -E --timeout --conflict-exit-code", 1),
    "chroot": ("--userspec --groups", 1),
    "busybox": ("", 0),
    "toybox": ("", 0),
    "strace": ("-o -e -p -s -u -E -a -S", 0),
    "ltrace": ("-o -e -p -s -u -l -n", 0),
    "gosu": ("", 1),
    "su-exec": ("", 1),
    "xvfb-run": ("-n -s -f -e -p -w", 0),
    "rlwrap": ("", 0),
    "faketime": ("-f", 1),
    "unshare": ("-R -w -S -G --root --wd --setuid --setgid", 0),
    "nsenter": ("-t --target", 0),
    "systemd-run": ("-p -u --unit --property --setenv -E", 0),
    "systemd-inhibit": ("", 0),
    "dbus-run-session": ("", 0),
    "coproc": ("", 0),
    **dict.fromkeys("chronic fakeroot eatmydata torsocks proxychains proxychains4 firejail run0".split(), ("", 0)),
    **dict.fromkeys("prlimit numactl valgrind linux32 linux64".split(), ("", 0)),
    "setarch": ("", 1),
    "sshpass": ("-p -f -d -P", 0),
    "setpriv": (
        "--reuid --euid --ruid --regid --egid --rgid --groups --inh-caps --ambient-caps --bounding-set --securebits"
        " --pdeathsig --selinux-label --apparmor-profile",
        0,
    ),
    "chpst": ("-u -U -e -/ -n -l -L -m -d -o -p -f -c -r -t", 0),
    "perf": ("-e -o -p -t -C", 1),
    "wsl": ("-d -u -e --distribution --user --cd --exec", 0),
    "dotenv": ("-e -v -c -p -f --file", 0),
    **dict.fromkeys("tini dumb-init catatonit cross-env cross-env-shell env-cmd softlimit".split(), ("", 0)),
    "-": ("", 0),  # as in zsh
    "repeat": ("", 1),
}
_SHELL_VALUES = ("--rcfile", "--init-file", "-o", "-O", "+o", "+O")
SSH_VALUES = "-p -i -l -o -F -J -L -R -D -b -B -c -E -e -I -m -O -Q -S -W -w".split()
XARGS_VALUES = """
    -I -J -R -n -P -L -d -a -E -s --max-args --max-procs --max-chars --delimiter --arg-file --process-slot-var
""".split()


def shell_options(arguments: Sequence[Argument]) -> tuple[Options, bool]:
    """Options of a shell stand together: `-euo pipefail -c`."""
    options = options_of(_with_values_apart(arguments), _SHELL_VALUES)
    has_script = any(_is_cluster(name) and "c" in name for name, _ in options.given)
    return options, has_script


def _with_values_apart(arguments: Sequence[Argument]) -> list[Argument]:
    """`-euo pipefail` becomes `-eu -o pipefail`."""
    apart: list[Argument] = []
    for number, each in enumerate(arguments):
        text = each.text
        if each.is_literal and _is_cluster(text) and len(text) > 2 and text[-1] in "oO":
            apart += [Argument(text[:-1]), Argument(text[0] + text[-1])]
        elif (
            (each.is_literal and _is_cluster(text))
            or (each.is_literal and apart and apart[-1].text in _SHELL_VALUES)
            or (each.text.startswith("--") and len(text) > 2)
        ):
            apart.append(each)
        else:
            return [*apart, *arguments[number:]]
    return apart


def _is_cluster(text: str) -> bool:
    return re.fullmatch(r"[-+][A-Za-z]+", text) is not None


def program_name(argument: Argument) -> str:
    """`/usr/bin/python3.11` is `python`; empty where only the shell will know it."""
    text = argument.text.rsplit("/", 1)[-1]
    if argument.splits and "/" not in argument.text:
        return ""
    if not Argument(text).is_known:
        return ""
    return _VERSION.sub(r"\1", text.removesuffix(".exe"))
