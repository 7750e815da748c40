"""Threads that modules started and left: each is known by the module whose code it runs, and is asked to end.

Python waits at its end for every thread that is no daemon, so one of these keeps a program alive for ever.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterable, Iterator

from pisces.events.watchdog import interrupted
from pisces.modules.loaded_module import LoadedModule

_PATIENCE = 0.2  # seconds for interrupted threads to end


def leaked_threads(modules: Iterable[LoadedModule]) -> Iterator[tuple[str, str, bool]]:
    """The module's path, the thread's name, and whether it ended when it was interrupted."""
    # The folder of a module without a file would be every folder, and its threads those of the whole program.
    files = [module.path for module in modules if os.path.isabs(module.path)]
    folders = {os.path.join(os.path.dirname(path), ""): path for path in files}
    found = [(thread, path) for thread in _others() if (path := _owner(thread, folders))]
    for thread, _ in found:
        interrupted(thread.ident or 0, SystemExit)  # the one error that ends a thread without a traceback
    for thread, path in found:
        thread.join(_PATIENCE)
        yield path, thread.name, not thread.is_alive()


def _others() -> list[threading.Thread]:
    """A daemon keeps nobody alive."""
    return [each for each in threading.enumerate() if not each.daemon and each is not threading.main_thread()]


def _owner(thread: threading.Thread, folders: dict[str, str]) -> str:
    """By the lines that it runs: the outermost one that lies in the folder of a module."""
    frame = sys._current_frames().get(thread.ident or 0)
    owner = ""
    while frame is not None:
        file = frame.f_code.co_filename
        owner = next((path for folder, path in folders.items() if file == path or file.startswith(folder)), owner)
        frame = frame.f_back
    return owner or _by_target(thread, folders)


def _by_target(thread: threading.Thread, folders: dict[str, str]) -> str:
    """A function of the library that a module started, such as `time.sleep` or a server's loop, has no such line."""
    target = getattr(thread, "_target", None)
    code = getattr(getattr(target, "__func__", target), "__code__", None) or getattr(type(thread).run, "__code__", None)
    file = getattr(code, "co_filename", "")
    return next((path for folder, path in folders.items() if file.startswith(folder)), "")
