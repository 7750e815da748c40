"""System calls that a fenced program may not make, as the instructions of a seccomp filter.

Landlock rules over files, TCP and signals. These calls reach others in another manner: memory and queues that every
process of the user shares, the kernel's keyring, other processes, local sockets, namespaces, the kernel itself.
The parent makes the filter, so that the script that puts it on itself stays small.
"""

from __future__ import annotations

import os
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Rule = tuple[int, int, int, int]

# The number by which seccomp tells 64-bit calls from others, and the column of the tables below.
_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1), "riscv64": (0xC00000F3, 1)}
_X32_CALLS = 0x40000000  # another numbering of the same calls

# Refused whatever the arguments are: the number on x86_64, and on all others. -1: it does not exist there.
REFUSED = {
    # Memory, semaphores and queues of System V and POSIX: all programs of one user share them.
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "shmdt": (67, 197),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "mq_timedsend": (242, 182),
    "mq_timedreceive": (243, 183),
    "mq_notify": (244, 184),
    "mq_getsetattr": (245, 185),
    # The keyring.
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # Memory, files and places of other processes.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # Mounts and namespaces. `unshare` and `clone` have a rule of their own.
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "setns": (308, 268),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467),
    # Files by number instead of by path, and news of all files.
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    # The kernel: its programs, modules, log, clock, and what attacks on it begin with.
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "modify_ldt": (154, -1),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "syslog": (103, 116),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "vhangup": (153, 58),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "iopl": (172, -1),
    "ioperm": (173, -1),
}
# Programs try these and do without where the kernel has none. `clone3` hides its flags from a filter.
ABSENT = {"io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427)} | {
    "clone3": (435, 435)
}
# Refused for some arguments.
JUDGED = {"socket": (41, 198), "socketpair": (53, 199), "clone": (56, 220), "unshare": (272, 97), "ioctl": (16, 29)} | {
    "prlimit64": (302, 261),
    "setrlimit": (160, 164),
    # How other processes are scheduled: the second or first argument says whose.
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
}
_NAMESPACES_OF_CLONE = 0x7E020000  # of mounts, cgroups, names, IPC, users, processes, networks
_NAMESPACES = _NAMESPACES_OF_CLONE | 0x80  # and of time; `clone` has a signal's number in these bits
_INJECTIONS = (0x5412, 0x541C)  # TIOCSTI and TIOCLINUX: typing for the user
_UNIX_DATAGRAMS = (2, 3)  # a pair of these can send to every local socket
_KIND_OF_SOCKET = 0xF
_A_PROCESS, _IO_OF_A_PROCESS = 0, 1  # PRIO_PROCESS and IOPRIO_WHO_PROCESS: not a group, not all of the user
MARKED_LIMIT = 10  # RLIMIT_LOCKS: `members` finds the program's processes by it

_LOAD, _AND, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_ALLOW, _NO_PERMISSION, _NO_ACCESS, _NO_SUCH_CALL = 0x7FFF0000, 0x50000 | 1, 0x50000 | 13, 0x50000 | 38


def has_filter() -> bool:
    """Whether calls can be refused on this architecture."""
    return _machine() in _MACHINES


def call_filter(families: Iterable[int]) -> bytes:
    """The filter that lets sockets of these families be opened and no others."""
    architecture, column = _MACHINES[_machine()]
    rules = [
        *((_LOAD, 0, 0, _ARCHITECTURE), (_IF_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _NO_SUCH_CALL)),
        *((_LOAD, 0, 0, _NUMBER), (_IF_AT_LEAST, 0, 1, _X32_CALLS), (_RETURN, 0, 0, _NO_SUCH_CALL)),
    ]
    for table, answer in ((REFUSED, _NO_PERMISSION), (ABSENT, _NO_SUCH_CALL)):
        for numbers in table.values():
            if numbers[column] >= 0:
                rules += [(_IF_EQUAL, 0, 1, numbers[column]), (_RETURN, 0, 0, answer)]
    for name, judged in _judged(families).items():
        rules += [(_IF_EQUAL, 0, len(judged), JUDGED[name][column]), *judged]
    rules.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *rule) for rule in rules)


def _judged(families: Iterable[int]) -> dict[str, list[Rule]]:
    """For each call the instructions that answer it."""
    allowed, refused = (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _NO_PERMISSION)
    named = [rule for family in families for rule in ((_IF_EQUAL, 0, 1, family), allowed)]
    pairs = [rule for kind in _UNIX_DATAGRAMS for rule in ((_IF_EQUAL, 0, 1, kind), refused)]
    typed = [rule for number in _INJECTIONS for rule in ((_IF_EQUAL, 0, 1, number), refused)]
    marked = ((_IF_EQUAL, 0, 1, MARKED_LIMIT), refused)
    own = [_loaded(0), *_only(0), allowed]  # of the process that calls
    return {
        "socket": [_loaded(0), *named, (_RETURN, 0, 0, _NO_ACCESS)],
        "socketpair": [_loaded(1), (_AND, 0, 0, _KIND_OF_SOCKET), *pairs, allowed],
        "clone": [_loaded(0), (_IF_ANY, 0, 1, _NAMESPACES_OF_CLONE), refused, allowed],
        "unshare": [_loaded(0), (_IF_ANY, 0, 1, _NAMESPACES), refused, allowed],
        "ioctl": [_loaded(1), *typed, allowed],
        "prlimit64": [*_allowed_if_null(2), _loaded(0), *_only(0), _loaded(1), *marked, allowed],
        "setrlimit": [_loaded(0), *marked, allowed],
        "setpriority": [_loaded(0), *_only(_A_PROCESS), _loaded(1), *_only(0), allowed],
        "ioprio_set": [_loaded(0), *_only(_IO_OF_A_PROCESS), _loaded(1), *_only(0), allowed],
        **dict.fromkeys(("sched_setscheduler", "sched_setparam", "sched_setattr"), own),
    }


def _only(value: int) -> tuple[Rule, Rule]:
    """What was loaded must be this."""
    return (_IF_EQUAL, 1, 0, value), (_RETURN, 0, 0, _NO_PERMISSION)


def _allowed_if_null(argument: int) -> list[Rule]:
    """A pointer to nothing: the call only asks. Both halves count."""
    upper = [_loaded(argument, 4), (_IF_EQUAL, 0, 1, 0), (_RETURN, 0, 0, _ALLOW)]
    return [_loaded(argument), (_IF_EQUAL, 0, len(upper), 0), *upper]


def _loaded(argument: int, half: int = 0) -> Rule:
    return (_LOAD, 0, 0, _ARGUMENTS + 8 * argument + half)


def _machine() -> str:
    if sys.platform == "win32" or sys.maxsize < 1 << 32:
        return ""
    return os.uname().machine
