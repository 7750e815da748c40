"""What a fenced program may do. Everything else is refused by the system, not by the program's good will."""

from __future__ import annotations

from pisces.value import Value

SYSTEM = tuple(
    """
    /usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /opt /nix /gnu /snap /home/linuxbrew/.linuxbrew /proc /sys
    /run/current-system /run/systemd/resolve
    """.split()
)
DEVICES = tuple("/dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty".split())


class Allowed(Value):
    """Folders or files, absolute, each with all below it. The system's own folders can always be read.

    What is written can be read, too. What is read can be executed.
    """

    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    network: bool = False
