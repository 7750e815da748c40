"""Makes this process unreadable to the programs that it starts: our environment has keys that they must not get.

On Linux every program of a user may read `/proc/PID/environ` and the memory of that user's other programs, unless the
other has said that it is not dumpable. Programs still read those that did not: the shell that started us, for one. A
program with the power CAP_SYS_PTRACE, as root has it, reads everybody. macOS and Windows have no such switch.
"""

from __future__ import annotations

import sys
from functools import cache, partial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_SET_DUMPABLE = 4


def become_unreadable() -> None:
    """Before each start, since somebody may have switched it back. A process that becomes another program is readable
    again, so those that we start are as they always were. The price: no core files, no debugger without root.
    """
    if sys.platform == "linux":
        try:
            _not_dumpable()()
        except (ImportError, OSError, AttributeError):  # a Python without it: documented as where this does not hold
            return


@cache
def _not_dumpable() -> Callable[[], object]:
    import ctypes  # 3 ms that only who starts programs pays

    return partial(ctypes.CDLL(None).prctl, _SET_DUMPABLE, *map(ctypes.c_ulong, (0, 0, 0, 0)))
